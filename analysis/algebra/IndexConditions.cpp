//===- IndexConditions.cpp - Comparisons as forms -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constructors of the conditions [E >= 0] and [E = 0], forms with the value
// 0 or 1. Conjunction is multiplication, negation is 1 - c.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"
#include "analysis/algebra/IndexProver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// k*floor(M/D) with a D > 0 that a comparison can be multiplied by.
static bool isRemovableQuotient(const IndexDomain &Domain, const IndexTerm &T) {
  return (T.Coefficient == 1 || T.Coefficient == -1) && T.Atom->isFloorDiv() &&
         (T.Atom->isConstantDivision() ||
          Domain.range(T.Atom->divisor()).isNonNegative());
}

/// With q = floor(M/D) and D > 0:
///     A + q >= 0  <=>  M/D >= -A     <=>  M + D*A >= 0
///     A - q >= 0  <=>  M/D < A + 1   <=>  D*(A + 1) - 1 - M >= 0
/// Returns the right-hand side where it holds fewer quotients, else null.
static IndexExpr withoutQuotient(const IndexDomain &Domain, IndexExpr E) {
  IndexContext &Context = Domain.context();
  for (const IndexTerm &T : E.terms()) {
    if (!isRemovableQuotient(Domain, T))
      continue;
    IndexExpr M = T.Atom->operand(), D = T.Atom->divisor();
    IndexExpr A = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
    IndexExpr Multiplied =
        T.Coefficient == 1
            ? Context.add(M, Context.multiply(D, A))
            : Context.add(
                  Context.sub(Context.multiply(D, Context.add(A, 1)), M), -1);
    if (Multiplied && countDivisions(Multiplied) < countDivisions(E))
      return Multiplied;
  }
  return {};
}

/// q = tdiv(M, d) alone against a constant: q >= a is M >= a*d for a > 0 and
/// M > (a - 1)*d for a <= 0, since truncation goes towards zero.
static IndexExpr withoutTruncatingQuotient(IndexContext &Context, IndexExpr E) {
  if (E.terms().size() != 1 || !E.terms()[0].Atom->isConstantTruncDiv() ||
      std::abs(E.terms()[0].Coefficient) != 1)
    return {};
  const IndexAtom *Quotient = E.terms()[0].Atom;
  int64_t D = Quotient->constantDivisor(), Bound;
  if (E.terms()[0].Coefficient > 0) { // q >= a, a = -constant
    int64_t A = -E.constant();
    if (MulOverflow(A > 0 ? A : A - 1, D, Bound))
      return {};
    return Context.add(Context.add(Quotient->operand(), A > 0 ? 0 : -1),
                       Context.constant(Bound), -1);
  }
  int64_t A = E.constant(); // q <= a
  if (A == Interval::PlusInfinity || MulOverflow(A < 0 ? A : A + 1, D, Bound))
    return {};
  return Context.sub(Context.add(Context.constant(Bound), A < 0 ? 0 : -1),
                     Quotient->operand());
}

/// E >= 0  <=>  floor(E/G) >= 0, for a G > 1 whose whole periods E is made of.
IndexExpr FloorBasis::withoutSmallPart(IndexExpr E) {
  SmallVector<int64_t, 8> Factors;
  for (const IndexTerm &T : E.terms()) {
    int64_t G = std::abs(T.Coefficient);
    if (G > 1 && !is_contained(Factors, G))
      Factors.push_back(G);
  }
  llvm::sort(Factors, std::greater<int64_t>());
  for (int64_t G : Factors)
    if (IndexExpr Whole =
            wholePeriods(E, Context.constant(G), Context.divideMultiples(E, G)))
      return Whole;
  return {};
}

IndexExpr FloorBasis::nonNegative(IndexExpr E) {
  if (!E)
    return {};
  auto It = NonNegatives.find(E);
  if (It != NonNegatives.end())
    return It->second;
  IndexExpr Result = buildNonNegative(E);
  NonNegatives[E] = Result;
  return Result;
}

IndexExpr FloorBasis::buildNonNegative(IndexExpr E) {
  if (provesNonNegative(Domain, E))
    return Context.constant(1);
  IndexExpr Complement = Context.add(Context.negate(E), -1); // -1 - E
  if (provesNonNegative(Domain, Complement))
    return Context.constant(0);
  // g*X + k >= 0  <=>  X + floor(k/g) >= 0.
  int64_t G = E.gcdOfCoefficients();
  if (G > 1)
    return nonNegative(Context.divideMultiples(E, G));
  if (IndexExpr Simpler = withoutQuotient(Domain, E))
    return nonNegative(Simpler);
  if (IndexExpr Simpler = withoutTruncatingQuotient(Context, E))
    return nonNegative(Simpler);
  if (IndexExpr Simpler = withoutSmallPart(E))
    return nonNegative(Simpler);
  // E >= 0 or -1 - E >= 0: the first coefficient is positive.
  if (E.terms()[0].Coefficient < 0)
    return Context.sub(Context.constant(1), nonNegative(Complement));
  return foldPoint(Context.rawAtom(IndexAtom::Kind::NonNegative, E));
}

IndexExpr FloorBasis::zero(IndexExpr E) {
  if (!E)
    return {};
  Interval R = Domain.range(E);
  Congruence C = Domain.congruence(E);
  if (!R.contains(0) || !C.contains(0))
    return Context.constant(0);
  if (R.isPoint())
    return Context.constant(1);
  if (provesPositive(Domain, E) || provesPositive(Domain, Context.negate(E)))
    return Context.constant(0);
  int64_t G = E.gcdOfCoefficients();
  if (E.constant() % G != 0)
    return Context.constant(0);
  if (E.terms()[0].Coefficient < 0)
    G = -G;
  if (G != 1)
    return zero(Context.divideExactly(E, G));
  // Where one side is known, the other decides.
  if (provesNonNegative(Domain, E))
    return nonNegative(Context.negate(E));
  if (provesNonNegative(Domain, Context.negate(E)))
    return nonNegative(E);
  // A quotient is a constant on an interval of dividends.
  if (E.terms().size() == 1 && E.terms()[0].Atom->isConstantDivision()) {
    IndexExpr IsNotAbove = nonNegative(Context.negate(E));
    return Context.multiply(nonNegative(E), IsNotAbove);
  }
  return foldPoint(Context.rawAtom(IndexAtom::Kind::Zero, E));
}

IndexExpr FloorBasis::select(IndexExpr Condition, IndexExpr A, IndexExpr B) {
  return Context.add(B, Context.multiply(Condition, Context.sub(A, B)));
}

} // namespace unravel
