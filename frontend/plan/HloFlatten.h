//===- HloFlatten.h - One computation without calls and tuples --*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emitters see a graph of arrays. So calls and fusions are replaced by what
// they compute, tuples by their elements; what stays of tuples are operations
// that yield several arrays, each followed by a get-tuple-element.
//
// What has to be in memory between two kernels is noted on the way: the result
// of each fusion and contraction of the entry, and each scatter.
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
  /// The root, or the arrays of the tuple that it is. Parameters are the arrays
  /// of those of the computation.
  std::vector<const HloInstruction *> Outputs;
  /// In topological order; not parameters, not constants.
  llvm::SetVector<const HloInstruction *> InMemory;
  /// Of those, the results of one fusion have the same number.
  llvm::DenseMap<const HloInstruction *, unsigned> FusionOf;
};

/// A computation that calls one twice that calls ... grows exponentially.
constexpr size_t MaxFlatInstructions = size_t(1) << 21;

/// \p C of the verified \p Module. Errors: too large.
llvm::Expected<FlatComputation> flatten(const HloModule &Module,
                                        const HloComputation &C);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_HLOFLATTEN_H
