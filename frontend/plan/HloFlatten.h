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
// The result of each fusion and contraction of the entry, and of what it calls,
// of each scatter and sort, and of each contraction in a fusion whose elements
// are needed again and again there, has to be in memory between two kernels.
//
// While, conditional and custom-call are done between kernels, so their
// operands and results are in memory. They take arrays, in the layouts of the
// parameters of what they call, and yield a tuple of arrays: a while its state,
// a conditional what chooses and then the arrays of each branch.
//
// A sort yields a tuple. Its last operand is one more than its function
// compares: the numbers of the elements along the dimension, different ones,
// which make every sort stable. topk becomes a sort and slices.
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
  /// Not parameters, not constants.
  llvm::SetVector<const HloInstruction *> InMemory;
  /// Among these, the results of one fusion have the same number.
  llvm::DenseMap<const HloInstruction *, unsigned> FusionOf;
  /// What is done between kernels even if nobody reads its results.
  llvm::SetVector<const HloInstruction *> WithEffects;
  /// The functions of sorts that stand for topk.
  std::vector<std::unique_ptr<HloComputation>> Functions;
};

/// Whether \p I, of a flat computation, yields all its arrays at once, into
/// memory: scatter, sort, what is done between kernels.
bool yieldsToMemory(const HloInstruction &I);

/// The functions of scalars that reduce, map and scatter call.
using FlatCallees = llvm::DenseMap<const HloComputation *, FlatComputation>;

/// A computation with two calls of one with two calls ... grows exponentially.
constexpr size_t MaxFlatInstructions = size_t(1) << 21;

/// The shapes, and so the layouts, with which a computation is entered and
/// left.
struct HloBoundary {
  std::vector<HloShape> Parameters;
  HloShape Result;

  bool operator==(const HloBoundary &Other) const {
    return Parameters == Other.Parameters && Result == Other.Result;
  }
};

/// What \p C itself says.
HloBoundary boundaryOf(const HloComputation &C);
/// Of callee \p Number of the while or conditional \p I. Between kernels arrays
/// stay as they are, so the two computations of a loop have the layouts of the
/// body's parameter, and all branches yield those of the last one.
HloBoundary boundaryOf(const HloInstruction &I, size_t Number);

/// \p C of the verified \p Module, between values with the layouts of
/// \p Boundary. Errors: too large.
llvm::Expected<FlatComputation> flatten(const HloModule &Module,
                                        const HloComputation &C,
                                        const HloBoundary &Boundary);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_HLOFLATTEN_H
