//===- NVPTXCostModel.h - What index arithmetic costs on NVPTX --*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prices planned nodes and IR instructions by one list (PtxPrices.def), as the
// PTX instructions that LLVM 22 selects for them (mad.lo, mul.wide, magic
// numbers from UnsignedDivisionByConstantInfo). Both sides of a rewrite are
// priced by the same functions, so an error in the model cannot make a rewrite
// look good that changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_NVPTXCOSTMODEL_H
#define UNRAVEL_TRANSFORMS_PLAN_NVPTXCOSTMODEL_H

#include "transforms/plan/IndexPlan.h"
#include "transforms/prices/PtxPrices.h" // loopWeight, for those who price

namespace llvm {
class Instruction;
} // namespace llvm

namespace unravel {

/// Whether a node has more users than the one that is priced.
using SharedNodes = llvm::function_ref<bool(const PlanNode *)>;

/// The price of one planned node, its operands not included.
unsigned costOf(
    const PlanNode *Node,
    SharedNodes IsShared = [](const PlanNode *) { return false; });

/// Whether a wide product and the sum of 64 bits that it is added in are one
/// instruction (IMAD.WIDE), or two, as in PTX.
enum class WideSums { AsOne, AsTwo };

/// The price of an instruction of the IR, its operands not included. 0 for
/// what is no index arithmetic.
unsigned costOf(const llvm::Instruction &I, WideSums Sums = WideSums::AsOne);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_NVPTXCOSTMODEL_H
