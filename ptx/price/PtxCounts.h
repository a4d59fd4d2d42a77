//===- PtxCounts.h - Count and price the instructions of PTX ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is counted (an instruction in a loop counts once, except in the loop
// cost):
//
// * integer instruction: computes on integer or untyped-bit types (.s .u .b):
//     add sub mul mul24 mad mad24 div rem abs neg min max sad dp2a dp4a
//     and or xor not cnot lop3 shl shr shf
//     bfe bfi bfind bmsk brev clz fns popc prmt szext
//     setp set selp slct, and cvt between two integer types.
//   Not counted: data movement (mov, cvta, ld, st, shfl), control flow,
//   atomics, anything with a floating-point type, and logic on predicates
//   (.pred).
// * division: div or rem on integers, a sequence of many instructions.
// * high multiplication: the mul.hi or mad.hi that a division by a constant
//   turns into.
// * 64-bit: an integer instruction with a .s64, .u64 or .b64 type. mul.wide.u32
//   and mad.wide.s32 name 32-bit types and are not 64-bit instructions.
// * load, store: ld, ldu, st of every state space except .param, keyed by
//   access shape: "b32", "v4.b32". The letter is always b: f32, s32, u32 and
//   b32 are the same access.
// * cost, a static estimate of the SASS instructions: the prices that the pass
//   decides by (transforms/prices/PtxPrices.def) of all integer instructions
//   and accesses. An access has one price whatever its width, so that
//   vectorised accesses count as an improvement. mad.wide costs what mul.wide
//   and a sum do: ptxas makes no more of those than of it, and less where the
//   sum is an address. The index cost is that of the integer instructions
//   alone.
// * loop cost: the same, an instruction in loops times the weight by which the
//   pass decides (loopWeight: 10, 100, 1,000 by depth). innermost cost: the
//   cost of the instructions of innermost loops, once each. PtxLoops.h says
//   what a loop is. Each has its index cost.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_PRICE_PTXCOUNTS_H
#define UNRAVEL_PTX_PRICE_PTXCOUNTS_H

#include "ptx/flow/PtxLoops.h"
#include "ptx/text/PtxSyntax.h"
#include "transforms/prices/PtxPrices.h"
#include <map>
#include <string>

namespace unravel {

/// What one PTX instruction counts as. An instruction may belong to several
/// classes, or to none.
struct PtxInstClass {
  bool Integer = false;
  bool Division = false;
  bool MultiplyHigh = false;
  bool Integer64 = false;
  bool Load = false;
  bool Store = false;
  /// The shape of a load or store, such as "b32" or "v4.b32".
  std::string AccessShape;
  /// What an integer instruction is paid for as.
  std::optional<PtxClass> Class;
  unsigned Cost = 0;
};

/// Classifies an instruction by its opcode with all modifiers, for example
/// "mad.lo.s32" or "ld.global.nc.v4.f32", without predicate and operands.
PtxInstClass classifyPtxOpcode(llvm::StringRef Opcode);

/// The number of accesses of each shape.
using AccessCounts = std::map<std::string, unsigned>;

/// The counts of one kernel or device function.
struct PtxCounts {
  unsigned Instructions = 0; ///< All of them, of any class.
  unsigned Integer = 0;
  unsigned Division = 0;
  unsigned MultiplyHigh = 0;
  unsigned Integer64 = 0;
  AccessCounts Loads;
  AccessCounts Stores;
  unsigned Cost = 0;
  unsigned IndexCost = 0; ///< Without loads and stores.
  unsigned LoopCost = 0;
  unsigned LoopIndexCost = 0;
  unsigned InnermostCost = 0;
  unsigned InnermostIndexCost = 0;
  unsigned Loops = 0;
  unsigned LoopDepth = 0; ///< Of the deepest.

  void add(const PtxInstClass &Class, const LoopPlace &Place);
  unsigned numLoads() const;
  unsigned numStores() const;
  unsigned numAccesses() const { return numLoads() + numStores(); }
};

/// Counts a function that has a body.
PtxCounts countInstructions(const ptx::Function &F);

} // namespace unravel

#endif // UNRAVEL_PTX_PRICE_PTXCOUNTS_H
