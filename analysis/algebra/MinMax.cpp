//===- MinMax.cpp - Minimum and maximum of index forms ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All minima and maxima are written with one atom, min(E, 0).
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"
#include "analysis/algebra/IndexProver.h"
#include <numeric>

using namespace llvm;

namespace unravel {

/// Quotients by the same divisor grow with their dividends. With
/// A - B = floor(M/d) - floor(N/d) + R for a constant R:
///     min(A, B) = B - floor(N/d) + floor(min(M + d*R, N) / d)
/// and the same for tdiv if R = 0. One quotient is left of two.
IndexExpr FloorBasis::minOfQuotients(IndexExpr Difference, IndexExpr B) {
  ArrayRef<IndexTerm> Terms = Difference.terms();
  if (Terms.size() != 2 || Terms[0].Coefficient != -Terms[1].Coefficient ||
      std::abs(Terms[0].Coefficient) != 1)
    return {};
  const IndexAtom *Of = Terms[0].Atom, *By = Terms[1].Atom;
  if (Terms[0].Coefficient < 0)
    std::swap(Of, By);
  int64_t D = Of->constantDivisor();
  if (D == 0 || Of->kind() != By->kind() || Of->divisor() != By->divisor())
    return {};
  if (Of->isTruncDiv() && Difference.constant() != 0)
    return {};
  // Where B holds -floor(M/d) instead, A and B are mirrored:
  // min(-p, -q) = -max(p, q), and max(p, q) = p + q - min(p, q).
  bool Mirrored = B.coefficientOf(By) != 1 && B.coefficientOf(Of) == -1;
  if (!Mirrored && B.coefficientOf(By) != 1)
    return {};
  IndexExpr M = Of->operand(), N = By->operand();
  IndexExpr Shift = Context.constant(Difference.constant());
  IndexExpr Dividend;
  if (Mirrored) // B = rest - p with p = floor(M/d), A = rest + R - q
    Dividend = max(M, Context.sub(N, Context.scale(Shift, D)));
  else
    Dividend = min(Context.add(M, Shift, D), N);
  IndexExpr Quotient =
      Of->isFloorDiv() ? floorDiv(Dividend, D) : truncDiv(Dividend, D);
  return Mirrored ? Context.sub(Context.add(B, Context.atom(Of)), Quotient)
                  : Context.add(Context.sub(B, Context.atom(By)), Quotient);
}

/// min(A, B) = B + min(A - B, 0); what A and B share cancels in A - B.
IndexExpr FloorBasis::min(IndexExpr A, IndexExpr B) {
  if (!A || !B)
    return {};
  IndexExpr Difference = Context.sub(A, B);
  if (!Difference)
    return {};
  if (IndexExpr E = minOfQuotients(Difference, B))
    return E;
  return Context.add(B, negativePart(Difference));
}

/// max(A, B) = A - min(A - B, 0), or -min(-A, -B) for quotients.
IndexExpr FloorBasis::max(IndexExpr A, IndexExpr B) {
  IndexExpr Difference = Context.sub(A, B);
  if (!Difference)
    return {};
  IndexExpr Opposite = Context.negate(B);
  if (IndexExpr E = minOfQuotients(Context.negate(Difference), Opposite))
    return Context.negate(E);
  return Context.sub(A, negativePart(Difference));
}

IndexExpr FloorBasis::negativePart(IndexExpr E) {
  if (!E)
    return {};
  auto It = NegativeParts.find(E);
  if (It != NegativeParts.end())
    return It->second;
  IndexExpr Result = buildNegativePart(E);
  NegativeParts[E] = Result;
  return Result;
}

IndexExpr FloorBasis::buildNegativePart(IndexExpr E) {
  if (provesNonNegative(Domain, E))
    return Context.constant(0);
  if (provesNonNegative(Domain, Context.negate(E)))
    return E;
  // min(g*L, 0) = g*min(L, 0) for g > 0.
  int64_t G = std::gcd(E.gcdOfCoefficients(), E.constant());
  if (G > 1)
    return Context.scale(negativePart(Context.divideExactly(E, G)), G);
  // min(R + s*min(L, 0), 0) with s > 0 is min(R, R + s*L, 0): an operand that
  // is never negative goes.
  for (const IndexTerm &T : E.terms()) {
    if (!T.Atom->isNegativePart() || T.Coefficient < 0)
      continue;
    IndexExpr Rest = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
    IndexExpr Taken = Context.add(Rest, T.Atom->operand(), T.Coefficient);
    if (Taken && Domain.isNonNegative(Taken))
      return negativePart(Rest);
    if (Taken && Domain.isNonNegative(Rest))
      return negativePart(Taken);
  }
  // min(E, 0) = E + min(-E, 0): make the first coefficient positive.
  if (E.terms()[0].Coefficient < 0)
    return Context.add(E, negativePart(Context.negate(E)));
  return foldPoint(Context.rawAtom(IndexAtom::Kind::NegativePart, E));
}

} // namespace unravel
