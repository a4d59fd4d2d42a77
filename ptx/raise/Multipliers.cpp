//===- Multipliers.cpp - Which division a multiplication is ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/Multipliers.h"
#include <algorithm>

using namespace llvm;

/// Products of three words of 64 bits, and a bit for the sign of e.
static constexpr unsigned Bits = 256;

static bool isTooLarge(const APInt &A) { return A.getActiveBits() > 66; }

/// The largest x <= Highest with x = d - 1 modulo d; nothing if there is none.
static std::optional<APInt> highestBeforeMultiple(const APInt &Highest,
                                                  const APInt &D) {
  APInt Multiples = (Highest + 1).udiv(D);
  if (Multiples.isZero())
    return std::nullopt;
  return Multiples * D - 1;
}

/// ceil(2^Shift / Multiplier): the only divisor with e >= 0 and e < Multiplier.
static std::optional<APInt> candidate(const APInt &M, unsigned Shift) {
  if (M.isZero() || isTooLarge(M) || Shift > 130)
    return std::nullopt;
  APInt D = (APInt::getOneBitSet(Bits, Shift) + M - 1).udiv(M);
  if (D.ule(1) || D.getActiveBits() > 64)
    return std::nullopt;
  return D;
}

std::optional<APInt> unravel::ptx::unsignedDivisor(const APInt &Multiplier,
                                                   unsigned Shift,
                                                   const APInt &Highest) {
  APInt M = Multiplier.zext(std::max(Bits, Multiplier.getBitWidth()));
  APInt X = Highest.zext(std::max(Bits, Highest.getBitWidth()));
  std::optional<APInt> D = candidate(M, Shift);
  if (!D || isTooLarge(X))
    return std::nullopt;
  APInt E = M * *D - APInt::getOneBitSet(Bits, Shift);
  std::optional<APInt> Worst = highestBeforeMultiple(X, *D);
  if (Worst && !(*Worst * E).ult(APInt::getOneBitSet(Bits, Shift)))
    return std::nullopt;
  return D;
}

std::optional<APInt> unravel::ptx::signedDivisor(const APInt &Multiplier,
                                                 unsigned Shift,
                                                 unsigned Width) {
  APInt M = Multiplier.zext(std::max(Bits, Multiplier.getBitWidth()));
  std::optional<APInt> D = candidate(M, Shift);
  if (!D || Width > 64)
    return std::nullopt;
  APInt Power = APInt::getOneBitSet(Bits, Shift);
  APInt E = M * *D - Power;
  // A power of two: e > 0 needs the next multiplier.
  if (E.isZero())
    return std::nullopt;
  APInt LowestNegated = APInt::getOneBitSet(Bits, Width - 1);
  auto WorstNegative = highestBeforeMultiple(LowestNegated, *D);
  auto WorstPositive = highestBeforeMultiple(LowestNegated - 1, *D);
  if ((WorstNegative && (*WorstNegative * E).ugt(Power)) ||
      (WorstPositive && !(*WorstPositive * E).ult(Power)))
    return std::nullopt;
  return D;
}
