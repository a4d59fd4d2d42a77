//===- WideNumbers.h - Bounds that never overflow ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_REFINEMENT_WIDENUMBERS_H
#define UNRAVEL_TEST_REFINEMENT_WIDENUMBERS_H

#include "llvm/ADT/APInt.h"

namespace unravel::refinement {

/// Enough for products of two 128-bit words, so that bounds never overflow.
constexpr unsigned WideBits = 640;

inline llvm::APInt small(int64_t N) {
  return llvm::APInt(WideBits, N, /*isSigned=*/true);
}
inline llvm::APInt power(unsigned N) {
  return llvm::APInt::getOneBitSet(WideBits, N);
}
inline llvm::APInt smaller(const llvm::APInt &A, const llvm::APInt &B) {
  return A.slt(B) ? A : B;
}
inline llvm::APInt larger(const llvm::APInt &A, const llvm::APInt &B) {
  return A.sgt(B) ? A : B;
}
/// Rounded towards minus infinity, for B > 0.
inline llvm::APInt floorDiv(const llvm::APInt &A, const llvm::APInt &B) {
  llvm::APInt Q = A.sdiv(B);
  return (Q * B).sgt(A) ? Q - 1 : Q;
}

} // namespace unravel::refinement

#endif // UNRAVEL_TEST_REFINEMENT_WIDENUMBERS_H
