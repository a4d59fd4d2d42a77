//===- GuardedDivisor.cpp - The divisor behind its guard ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/GuardedDivisor.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

/// Guards within guards: of zero, and of the overflow.
static constexpr unsigned MaxGuards = 4;
/// Operations inside each other, those of conditions as well. Each may look at
/// two, so that this bounds the time.
static constexpr unsigned MaxDepth = 8;

/// The only value that \p V may be a guarded form of.
static Value *candidate(Value *V, unsigned Depth = 0) {
  Value *X, *A, *B;
  if (Depth == MaxGuards)
    return V;
  if (match(V, m_UMax(m_Value(X), m_One())) ||
      match(V, m_Select(m_Value(), m_One(), m_Value(X))) ||
      match(V, m_Select(m_Value(), m_Value(X), m_One())))
    return candidate(X, Depth + 1);
  if (match(V, m_Select(m_Value(), m_Value(A), m_Value(B))))
    if (Value *D = candidate(A, Depth + 1); D == candidate(B, Depth + 1))
      return D;
  return V;
}

static bool isEqual(Value *V, Value *D, unsigned Depth);

/// What \p X may be wherever D > 0; every number if that says nothing.
static ConstantRange rangeOf(Value *X, Value *D, unsigned Depth) {
  unsigned Width = X->getType()->getScalarSizeInBits();
  APInt One(Width, 1);
  ConstantRange Positive(One, APInt::getSignedMinValue(Width));
  if (match(D, m_SExt(m_Specific(X))))
    return Positive;
  if (match(D, m_ZExt(m_Specific(X))))
    return ConstantRange(One, APInt::getZero(Width)); // not 0
  return isEqual(X, D, Depth) ? Positive : ConstantRange::getFull(Width);
}

/// What \p Condition is wherever D > 0; nothing if it may be both.
static std::optional<bool> decided(Value *Condition, Value *D, unsigned Depth) {
  CmpPredicate P;
  Value *X, *A, *B;
  const APInt *C;
  if (Depth >= MaxDepth)
    return std::nullopt;
  if (match(Condition, m_ICmp(P, m_Value(X), m_APInt(C)))) {
    ConstantRange Range = rangeOf(X, D, Depth);
    if (Range.icmp(P, ConstantRange(*C)))
      return true;
    if (Range.icmp(CmpInst::getInversePredicate(P), ConstantRange(*C)))
      return false;
    return std::nullopt;
  }
  if (match(Condition, m_LogicalAnd(m_Value(A), m_Value(B))) &&
      (decided(A, D, Depth + 1) == false || decided(B, D, Depth + 1) == false))
    return false;
  if (match(Condition, m_LogicalOr(m_Value(A), m_Value(B))) &&
      (decided(A, D, Depth + 1) == true || decided(B, D, Depth + 1) == true))
    return true;
  return std::nullopt;
}

/// Whether \p V is \p D wherever D > 0.
static bool isEqual(Value *V, Value *D, unsigned Depth) {
  Value *X, *Condition, *A, *B;
  if (V == D)
    return true;
  if (Depth >= MaxDepth)
    return false;
  if (match(V, m_UMax(m_Value(X), m_One())))
    return isEqual(X, D, Depth + 1);
  if (!match(V, m_Select(m_Value(Condition), m_Value(A), m_Value(B))))
    return false;
  std::optional<bool> Is = decided(Condition, D, Depth + 1);
  return (Is == false || isEqual(A, D, Depth + 1)) &&
         (Is == true || isEqual(B, D, Depth + 1));
}

Value *divisorBehindGuard(Value *V) {
  Value *D = candidate(V);
  return isEqual(V, D, 0) ? D : V;
}

} // namespace unravel
