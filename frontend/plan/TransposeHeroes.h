//===- TransposeHeroes.h - What is transposed in a fusion -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between an array that is written and those that are read, elements change
// their places. What matters is where they are in memory: a transpose may
// cancel with a layout, and a copy, or a parameter with another layout, may be
// a transpose. So instructions are looked at in the order in which the output
// is written, from the outputs down, through everything that keeps that order
// or only renames its dimensions. There
//
// * a transpose or copy whose operand comes from memory in an order with
//   another minor dimension,
// * something in memory with another minor dimension
//
// is a *hero*: a tile of it is computed in the order in which its operand is
// read, and used in the order of the output.
//
// An instruction that is also wanted in another order, or at one index among
// others, is no hero; nor is one whose dimensions do not fit those of the first
// hero. Those are computed where they are needed, as in the loop kernel.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_TRANSPOSEHEROES_H
#define UNRAVEL_FRONTEND_PLAN_TRANSPOSEHEROES_H

#include "frontend/hlo/HloModule.h"
#include "frontend/plan/TransposeTiling.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace unravel {

struct TransposeHero {
  const HloInstruction *Value;
  /// What a tile is filled with: its operand, or itself if it is in memory.
  const HloInstruction *Source;
  /// The shape of the source; its layout is the order of the reads.
  HloShape SourceInMemory;
};

struct TransposePlan {
  /// Hero number K is input number K of the tiling.
  std::vector<TransposeHero> Heroes;
  TransposeTiling Tiling;
  /// For each output: with which hero its elements are written while the tiles
  /// are filled; nullopt for those that are written behind the barrier.
  std::vector<std::optional<size_t>> FilledWith;
};

/// How to compute \p Roots, which are written as arrays of the shapes \p
/// Written, all with equally many elements, through tiles. Nullopt if nothing
/// is transposed or it would not pay.
std::optional<TransposePlan>
planTranspose(llvm::ArrayRef<const HloInstruction *> Roots,
              llvm::ArrayRef<HloShape> Written,
              llvm::function_ref<bool(const HloInstruction &)> IsLoaded);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_TRANSPOSEHEROES_H
