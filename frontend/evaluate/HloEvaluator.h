//===- HloEvaluator.h - What a module computes ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference that generated kernels are compared with: slow, and each
// operation written down as its definition reads, index by index. It shares
// nothing with the indexing analysis.
//
// Where HLO leaves something open, this is what is computed:
// * Integers wrap. x / 0 is all ones (-1), x % 0 is x, MIN / -1 is MIN, MIN %
//   -1 is 0. Shifts by the width or more give 0, or the sign. Numbers but 1 and
//   -1 to a negative power give 0.
// * add and maximum of pred are "or", multiply and minimum "and".
// * Floats: an operation is done in double and rounded once to the element
//   type; that is the correctly rounded result of + - * / and sqrt for types
//   up to f32. maximum and minimum give NaN if an operand is one.
// * Functions of complex numbers have the branch cuts of C, where a zero's sign
//   chooses the side; cbrt is the root with the angle in [-pi/3, pi/3]. z^0 is
//   1. Of an infinite result one part is infinite, the other one is open.
// * Floats to integers truncate and saturate, NaN becomes 0.
// * A reduction starts with the initial value and goes through the elements in
//   row-major order, rounding at each step; padding and holes of a
//   reduce-window do not take part.
// * dot and convolution add up in double and round once.
// * Gather and dynamic slices clamp their starts, so that the slice is inside.
//   A window of a scatter that is not inside is dropped; the others are applied
//   one after the other, in row-major order of their index vectors.
// * Every sort is stable. topk compares floats in their total order; of equal
//   elements the earlier one comes first.
// * In select-and-scatter, the windows go in row-major order; `scatter` gets
// the
//   source's element first.
// * A branch number that is not one of a conditional chooses the last branch.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_EVALUATE_HLOEVALUATOR_H
#define UNRAVEL_FRONTEND_EVALUATE_HLOEVALUATOR_H

#include "frontend/hlo/HloLiteral.h"
#include "frontend/hlo/HloModule.h"

namespace unravel {

/// The value of a custom-call, of which only its shape is known.
using HloLibrary = llvm::function_ref<llvm::Expected<HloLiteral>(
    const HloInstruction &Call, llvm::ArrayRef<const HloLiteral *> Operands)>;

/// Hears of each value of each computation but functions of scalars. \p Inputs
/// are the operands; the argument, of a parameter; what the computation that
/// ran last yields, of calls, loops and branches.
using HloObserver = llvm::function_ref<void(
    const HloInstruction &I,
    llvm::ArrayRef<std::shared_ptr<const HloLiteral>> Inputs,
    const std::shared_ptr<const HloLiteral> &Result)>;

struct HloEvaluatorLimits {
  /// Memory for the values that are alive at one time.
  uint64_t MaxBytes = uint64_t(4) << 30;
  /// Elements computed, those of intermediate results and products included.
  uint64_t MaxSteps = uint64_t(2) << 30;
};

/// An error if evaluateHlo() would compute too many elements for \p Limits
/// whatever the arguments are: then it is no use to make these.
llvm::Error checkHloSteps(const HloModule &Module,
                          const HloEvaluatorLimits &Limits = {});

/// The value of the entry's root for \p Arguments, in the layouts of the
/// module. The module has passed verifyHlo(). \p Library gives custom-calls
/// their values; neither it nor the observer has to be there. Errors: arguments
/// that do not fit the parameters, limits, a custom-call without a library.
llvm::Expected<HloLiteral> evaluateHlo(const HloModule &Module,
                                       llvm::ArrayRef<HloLiteral> Arguments,
                                       const HloEvaluatorLimits &Limits = {},
                                       HloLibrary Library = nullptr,
                                       HloObserver Observer = nullptr);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_EVALUATE_HLOEVALUATOR_H
