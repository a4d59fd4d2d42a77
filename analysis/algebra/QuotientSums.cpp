//===- QuotientSums.cpp - Quotients that are one together -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for sums that hold quotients: identities by which one term less is
// left. Building a division cannot apply them, as it does not see the sum that
// the quotient gets into.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"

using namespace llvm;

namespace unravel {

/// With M = a (mod D), floor(M/D) is exact: M = D*floor(M/D) + a. Writes M so
/// where that leaves fewer terms: of an odd x, x - floor(x/2) is floor(x/2)
/// + 1.
static IndexExpr withExactQuotients(const IndexDomain &Domain, IndexExpr E) {
  IndexContext &Context = Domain.context();
  for (const IndexTerm &T : E.terms()) {
    if (!T.Atom->isConstantFloorDiv())
      continue;
    IndexExpr M = T.Atom->operand();
    int64_t D = T.Atom->constantDivisor(), First = M.terms()[0].Coefficient;
    int64_t C = E.coefficientOf(M.terms()[0].Atom);
    if (C == 0 || C % First != 0)
      continue;
    Congruence Lattice = Domain.congruence(M);
    if (Lattice.modulus() % D != 0)
      continue;
    IndexExpr Exact = Context.add(Context.scale(Context.atom(T.Atom), D),
                                  floorMod(Lattice.residue(), D));
    IndexExpr Other = Context.add(E, Context.sub(Exact, M), C / First);
    if (Other && Other.terms().size() < E.terms().size())
      return Other;
  }
  return E;
}

/// Hermite's identity for two, floor(M/2N) + floor((M + N)/2N) = floor(M/N).
static IndexExpr withWholeHalves(FloorBasis &Basis, IndexExpr E) {
  IndexContext &Context = Basis.context();
  for (const IndexTerm &T : E.terms()) {
    IndexExpr M = T.Atom->operand();
    int64_t D = T.Atom->constantDivisor();
    if (!T.Atom->isConstantFloorDiv() || D % 2 != 0)
      continue;
    IndexExpr Upper = Context.add(M, D / 2);
    for (const IndexTerm &U : E.terms()) {
      if (!U.Atom->isConstantFloorDiv() || U.Atom->constantDivisor() != D ||
          U.Atom->operand() != Upper || U.Coefficient != T.Coefficient)
        continue;
      IndexExpr Rest = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
      Rest = Context.add(Rest, Context.atom(U.Atom), -U.Coefficient);
      if (IndexExpr Other =
              Context.add(Rest, Basis.floorDiv(M, D / 2), T.Coefficient))
        return Other;
    }
  }
  return E;
}

IndexExpr FloorBasis::joinQuotients(IndexExpr E) {
  return withWholeHalves(*this, withExactQuotients(Domain, E));
}

} // namespace unravel
