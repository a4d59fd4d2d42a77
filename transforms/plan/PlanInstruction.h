//===- PlanInstruction.h - The instruction of a planned node ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_PLANINSTRUCTION_H
#define UNRAVEL_TRANSFORMS_PLAN_PLANINSTRUCTION_H

#include "transforms/plan/IndexPlan.h"
#include "llvm/IR/GEPNoWrapFlags.h"

namespace unravel {

enum class PlanForm : uint8_t { Binary, Intrinsic, Cast, Other };

/// The instruction that a node becomes (see PlanOps.def): multiples of powers
/// of two are shifts, for example. This is what is emitted, recognised, priced
/// and evaluated.
struct PlanInstruction : PlanFlags {
  PlanForm Form;
  unsigned Code;                ///< An opcode or an intrinsic.
  const PlanNode *Left, *Right; ///< Null: the constant Imm.
  int64_t Imm;
  bool IsUnordered; ///< The operands may change places.
  const char *Name;

  llvm::GEPNoWrapFlags addressFlags() const;
};

PlanInstruction instructionOf(const PlanNode &Node);

/// The index that \p PtrAdd adds to its pointer and the bytes that one step of
/// it takes. Elements stay visible to the passes behind (see PlanEmitter.cpp).
struct ScaledIndex {
  const PlanNode *Index;
  int64_t Scale;
};
ScaledIndex scaledIndexOf(const PlanNode &PtrAdd);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_PLANINSTRUCTION_H
