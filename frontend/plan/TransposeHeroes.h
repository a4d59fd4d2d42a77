//===- TransposeHeroes.h - What is transposed in a fusion -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements change their places between the arrays that are read and those that
// are written. Only their order in memory matters: a transpose may cancel with
// a layout, and a copy, or a parameter with another layout, may be a transpose.
// So the search follows the order in which an output is written, from the
// outputs to the operands, through everything that keeps this order or only
// renames its dimensions. There
//
// * a transpose or copy whose operand comes from memory in an order with
//   another minor dimension,
// * an array in memory with another minor dimension
//
// is a *hero*: a tile of it is computed in the order in which its operand is
// read, and used in the order of the output.
//
// An instruction that is also used in another order, or at single indices, is
// no hero. Nor is one whose dimensions do not match those of the first hero.
// These are computed where they are needed, as in a loop kernel.
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
  /// The content of a tile: its operand, or itself if it is in memory.
  const HloInstruction *Source;
  /// The shape of the source; its layout is the order of the reads.
  HloShape SourceInMemory;
};

struct TransposePlan {
  /// Hero number K is input number K of the tiling.
  std::vector<TransposeHero> Heroes;
  TransposeTiling Tiling;
  /// For each output: the hero whose tiles are filled while its elements are
  /// written; nullopt if they are written after the barrier.
  std::vector<std::optional<size_t>> FilledWith;
};

/// How to compute \p Roots, which are written as arrays of the shapes \p
/// Written, all with equally many elements, through tiles. Nullopt if nothing
/// is transposed or tiles do not pay.
std::optional<TransposePlan>
planTranspose(llvm::ArrayRef<const HloInstruction *> Roots,
              llvm::ArrayRef<HloShape> Written,
              llvm::function_ref<bool(const HloInstruction &)> IsLoaded);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_TRANSPOSEHEROES_H
