//===- Reciprocal.h - Division by multiplying with a reciprocal -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of HoistedReciprocals: how the reciprocal of a run-time
// divisor is computed, and how a dividend is divided with it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_RECIPROCAL_RECIPROCAL_H
#define UNRAVEL_TRANSFORMS_RECIPROCAL_RECIPROCAL_H

#include "llvm/IR/IRBuilder.h"

namespace unravel {

/// What the divisions by one divisor share. All values are i32. If the divisor
/// is zero they are some numbers, and nothing happens by computing them.
struct Reciprocal {
  llvm::Value *Divisor;    ///< d, read as unsigned
  llvm::Value *Multiplier; ///< floor((2^32 - 1) / d)
  llvm::Value *Negated;    ///< -d
};

/// Emits the computation of the reciprocal of \p Divisor.
Reciprocal emitReciprocal(llvm::IRBuilderBase &B, llvm::Value *Divisor);

/// A quotient that is right or one too small, and the remainder to it.
struct QuotientEstimate {
  llvm::Value *Quotient;
  llvm::Value *Remainder;
};

/// Divides \p Dividend, read as unsigned. It must not be undef: it is used
/// twice.
QuotientEstimate emitEstimate(llvm::IRBuilderBase &B, const Reciprocal &R,
                              llvm::Value *Dividend);
llvm::Value *emitQuotient(llvm::IRBuilderBase &B, const Reciprocal &R,
                          const QuotientEstimate &E);
llvm::Value *emitRemainder(llvm::IRBuilderBase &B, const Reciprocal &R,
                           const QuotientEstimate &E);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_RECIPROCAL_RECIPROCAL_H
