//===- TruncatingDivision.cpp - C's quotient and remainder --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constructors of truncating division by a constant. Only a known sign
// makes a floor of it; what is true for every sign is done here, for constants
// and for forms as divisors.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"
#include "analysis/algebra/IndexDigits.h"
#include "analysis/algebra/IndexPolynomial.h"
#include <numeric>

using namespace llvm;

namespace unravel {

IndexExpr FloorBasis::truncDiv(IndexExpr E, int64_t Divisor) {
  if (!E || Divisor == 0 || Divisor == Interval::MinusInfinity)
    return {};
  if (Divisor < 0)
    return Context.negate(truncDiv(E, -Divisor));
  auto It = Truncs.find({E, Divisor});
  if (It != Truncs.end())
    return It->second;
  IndexExpr Result = buildTrunc(E, Divisor);
  Truncs[{E, Divisor}] = Result;
  return Result;
}

IndexExpr FloorBasis::buildTrunc(IndexExpr F, int64_t D) {
  if (D == 1)
    return F;
  // A known sign makes it a floor.
  Interval R = Domain.range(F);
  if (R.lo() >= 0)
    return floorDiv(F, D);
  if (R.hi() <= 0)
    return Context.negate(floorDiv(Context.negate(F), D));
  // Strictly inside one divisor around zero.
  if (R.lo() > -D && R.hi() < D)
    return Context.constant(0);
  // An exact quotient needs no sign; nor does cancelling a common factor.
  int64_t G = std::gcd(std::gcd(F.gcdOfCoefficients(), F.constant()), D);
  if (G > 1)
    return truncDiv(Context.divideExactly(F, G), D / G);
  // tdiv(-F, d) = -tdiv(F, d): make the first coefficient positive.
  if (!F.isConstant() && F.terms()[0].Coefficient < 0)
    return Context.negate(truncDiv(Context.negate(F), D));
  if (IndexExpr Q = truncOfTruncation(F, Context.constant(D)))
    return Q;
  return foldPoint(Context.rawAtom(IndexAtom::Kind::TruncDiv, F, D));
}

/// tdiv(F, D) where F is a truncating quotient or remainder itself; null for
/// other F. D != 0, of any sign.
IndexExpr FloorBasis::truncOfTruncation(IndexExpr F, IndexExpr D) {
  // tdiv(tdiv(M, N), D) = tdiv(M, N*D): both cut the same digits off |M|, and
  // the sign is the product of all three.
  if (const IndexAtom *A = F.asAtom(); A && A->isTruncDiv())
    if (IndexExpr Product = Context.multiply(A->divisor(), D))
      return truncDiv(A->operand(), Product);
  // F = M - N*q with q = tdiv(M, N) is zero or has M's sign. For N = D*K the
  // parts D*K*q and F never have opposite signs, so tdiv(M, D) = K*q +
  // tdiv(F, D): the quotient of a remainder is linear in quotients of the
  // dividend.
  auto IsWhole = [](IndexExpr Scale, IndexExpr Rest) {
    return Scale.isConstant(1) && Rest.isConstant(0);
  };
  auto FromRemainder = [&](IndexExpr M, IndexExpr N,
                           const IndexAtom *Q) -> IndexExpr {
    IndexExpr K = exactQuotient(Context, N, D);
    if (!K)
      return {};
    IndexExpr OfWhole = Context.multiply(K, Context.atom(Q));
    return Context.sub(truncDiv(M, D), OfWhole);
  };
  for (const IndexTerm &T : F.terms()) {
    if (T.Atom->isConstantTruncDiv())
      for (const IndexDigit &Digit : digitsOf(Context, F, T))
        if (IsWhole(Context.constant(Digit.Scale), Digit.Rest))
          if (IndexExpr Q = FromRemainder(
                  Digit.Dividend, Context.constant(Digit.Radix), T.Atom))
            return Q;
    for (const SymbolicDigit &Digit : symbolicDigitsOf(Context, F, T))
      if (Digit.Truncating && IsWhole(Digit.Scale, Digit.Rest))
        if (IndexExpr Q =
                FromRemainder(Digit.Dividend, Digit.Divisor, Digit.Quotient))
          return Q;
  }
  return {};
}

IndexExpr FloorBasis::truncMod(IndexExpr E, int64_t Divisor) {
  IndexExpr Quotient = truncDiv(E, Divisor);
  return Quotient ? foldPoint(Context.add(E, Quotient, -Divisor)) : Quotient;
}

} // namespace unravel
