//===- HloFlatten.h - One computation without calls and tuples --*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels compute a graph of arrays. So calls and fusions are inlined, and
// tuples are replaced by their elements. Only operations that yield several
// arrays remain, each followed by get-tuple-elements.
//
// The result of each fusion and contraction of the entry, and of each scatter,
// has to be in memory between two kernels.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_HLOFLATTEN_H
#define UNRAVEL_FRONTEND_PLAN_HLOFLATTEN_H

#include "frontend/hlo/HloModule.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace unravel {

struct FlatComputation {
  std::unique_ptr<HloComputation> Body;
  /// The root, or the arrays of its tuple. Parameters that are tuples become
  /// one parameter for each array.
  std::vector<const HloInstruction *> Outputs;
  /// In topological order; not parameters, not constants.
  llvm::SetVector<const HloInstruction *> InMemory;
  /// Among these, the results of one fusion have the same number.
  llvm::DenseMap<const HloInstruction *, unsigned> FusionOf;
};

/// The functions of scalars that reduce, map and scatter call.
using FlatCallees = llvm::DenseMap<const HloComputation *, FlatComputation>;

/// A computation with two calls of one with two calls ... grows exponentially.
constexpr size_t MaxFlatInstructions = size_t(1) << 21;

/// \p C of the verified \p Module. Errors: too large.
llvm::Expected<FlatComputation> flatten(const HloModule &Module,
                                        const HloComputation &C);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_HLOFLATTEN_H
