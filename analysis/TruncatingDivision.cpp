//===- TruncatingDivision.cpp - C's quotient and remainder --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constructors of truncating division by a constant. Only a known sign
// makes a floor of it; what is true for every sign is done here.
//
//===----------------------------------------------------------------------===//

#include "analysis/FloorBasis.h"
#include "llvm/Support/MathExtras.h"
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
  // tdiv(tdiv(M, n), d) = tdiv(M, n*d).
  if (const IndexAtom *A = F.asAtom(); A && A->isTruncDiv()) {
    int64_t Product;
    if (!MulOverflow(A->divisor(), D, Product))
      return truncDiv(A->operand(), Product);
  }
  // M = n*q + r with q = tdiv(M, n) and r of M's sign. For d | n the parts
  // n*q and r never have opposite signs, so tdiv(M, d) = (n/d)*q + tdiv(r, d):
  // the quotient of a remainder is linear in quotients of the dividend.
  for (const IndexTerm &T : F.terms()) {
    if (!T.Atom->isTruncDiv() || T.Atom->divisor() % D != 0)
      continue;
    int64_t N = T.Atom->divisor();
    IndexExpr M = T.Atom->operand();
    if (Context.add(M, Context.atom(T.Atom), -N) == F)
      return Context.add(truncDiv(M, D), Context.atom(T.Atom), -(N / D));
  }
  return foldPoint(Context.rawTruncDiv(F, D));
}

IndexExpr FloorBasis::truncMod(IndexExpr E, int64_t Divisor) {
  IndexExpr Quotient = truncDiv(E, Divisor);
  return Quotient ? foldPoint(Context.add(E, Quotient, -Divisor)) : Quotient;
}

} // namespace unravel
