//===- HloErrors.h - How far rounding moves values ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels add up in another order than the evaluator, in narrower types, and
// with other functions of calculus. For every value of an evaluation, this
// bounds the distance to what they may compute, to first order:
//
// * A sum of n terms may differ by n units in the last place of the sum of the
//   magnitudes of its terms, and by the errors of the terms. The same holds for
//   dot and convolution, whose terms are products, in the type that kernels add
//   up in.
// * An elementwise operation passes on what moving each operand by its error
//   makes of the result. Arithmetic adds a unit in the last place, a function
//   of calculus eight of them.
// * What moves elements moves their errors.
// * A reduction of exact values by another function, such as one that finds the
//   place of a largest element, may differ by as much as the same reduction in
//   the opposite order does.
//
// Where a value decides which elements are taken (an index, a comparison in a
// sort) and may itself be off, there is no bound: it is infinite.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_EVALUATE_HLOERRORS_H
#define UNRAVEL_FRONTEND_EVALUATE_HLOERRORS_H

#include "frontend/evaluate/HloEvaluator.h"
#include "llvm/ADT/DenseMap.h"

namespace unravel {

class HloErrors {
public:
  using Value = std::shared_ptr<const HloLiteral>;

  /// An HloObserver; the parameters of the entry are exact.
  void observe(const HloInstruction &I, llvm::ArrayRef<Value> Inputs,
               const Value &Result);

  /// The bounds for \p V, which was observed: an array of f64 for each array,
  /// with the same dimensions and layout. Null: it is exact.
  const HloLiteral *of(const HloLiteral &V) const {
    auto Known = Errors.find(&V);
    return Known == Errors.end() ? nullptr : Known->second.Bounds.get();
  }
  /// Of the value that \p I had last.
  const HloLiteral *of(const HloInstruction &I) const {
    return OfInstruction.lookup(&I).get();
  }

private:
  struct Entry {
    Value Kept; ///< so that no other literal gets its address
    Value Bounds;
  };
  llvm::DenseMap<const HloLiteral *, Entry> Errors;
  llvm::DenseMap<const HloInstruction *, Value> OfInstruction;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_EVALUATE_HLOERRORS_H
