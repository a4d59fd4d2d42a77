//===- Multipliers.h - Which division a multiplication is -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers write a division by a constant d as a multiplication by M and a
// shift by S, with M a little more than 2^S / d. These functions find d, and
// say yes only if the two agree for every dividend of the range.
//
// Let e = M d - 2^S. Then x M / 2^S = x/d + x e / (d 2^S).
//
// * 0 <= x <= X: floor(x M / 2^S) = floor(x / d) for all of them if and only if
//   e >= 0 and x e < 2^S for the largest x <= X with x = d - 1 modulo d: the
//   fraction of x/d is at most (d-1)/d, there, and must not reach 1 with what
//   is added to it; for e < 0 the multiple x = d itself comes out as 0.
// * -Y <= x < 0: floor(x M / 2^S) + 1 = -floor(-x / d), the quotient that
// rounds
//   to zero, if and only if, for y = -x, y/d < y M / 2^S at multiples of d, so
//   e > 0, and y M / 2^S <= floor(y/d) + 1, so y e <= 2^S for the largest y <=
//   Y with y = d - 1 modulo d.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_RAISE_MULTIPLIERS_H
#define UNRAVEL_PTX_RAISE_MULTIPLIERS_H

#include "llvm/ADT/APInt.h"
#include <optional>

namespace unravel::ptx {

/// The d > 1 for which floor(x * Multiplier / 2^Shift) = floor(x / d) for
/// 0 <= x <= Highest. All numbers are unsigned and may have any width.
std::optional<llvm::APInt> unsignedDivisor(const llvm::APInt &Multiplier,
                                           unsigned Shift,
                                           const llvm::APInt &Highest);

/// The d > 1 for which floor(x * Multiplier / 2^Shift) + (x < 0) is the
/// quotient x / d that rounds to zero, for -2^(Width-1) <= x < 2^(Width-1).
std::optional<llvm::APInt> signedDivisor(const llvm::APInt &Multiplier,
                                         unsigned Shift, unsigned Width);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_RAISE_MULTIPLIERS_H
