//===- OverflowGuard.h - Divisors that avoid lowest / -1 --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's sdiv is undefined for the lowest number by -1, and code that must not
// be divides by a selection: n / (n == lowest && d == -1 ? 1 : d). A division
// of PTX, and one by a reciprocal, give the lowest number and no remainder for
// both and need none. Such divisors differ by dividend, and hide that d is one.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_RECIPROCAL_OVERFLOWGUARD_H
#define UNRAVEL_TRANSFORMS_RECIPROCAL_OVERFLOWGUARD_H

#include "llvm/IR/InstrTypes.h"

namespace unravel {

/// The divisor d of a signed \p Division, without the selection in front of it
/// or what freezes that; null if there is none. Where d may be undef, what
/// takes it for the selection has to freeze it.
llvm::Value *withoutOverflowGuard(const llvm::BinaryOperator &Division);

/// The products that a remainder is made of, n - q * d: with q the lowest
/// number, q * 1 and q * -1 are the same bits. \p Plain is the divisor of
/// \p Quotient without its guard.
void multiplyByPlainDivisor(llvm::BinaryOperator &Quotient, llvm::Value *Plain);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_RECIPROCAL_OVERFLOWGUARD_H
