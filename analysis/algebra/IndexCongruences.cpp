//===- IndexCongruences.cpp - The evaluator of congruences ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The questions of IndexDomain.h about congruences.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FormMultiple.h"
#include "analysis/algebra/IndexDomain.h"
#include <numeric>

using namespace llvm;

namespace unravel {

Congruence IndexDomain::congruenceOfTerm(const IndexAtom *Atom) const {
  if (int64_t D = Atom->constantDivisor(); D != 0 && Atom->isFloorDiv()) {
    Congruence C = congruence(Atom->operand()).floorDivBy(D);
    return C.intersect(congruenceOf(Atom)).value_or(C);
  }
  if (Atom->isProduct()) {
    Congruence Product = Congruence::constant(1);
    for (const IndexAtom *Factor : Atom->factors())
      Product = Product * congruenceOfTerm(Factor);
    return Product;
  }
  if (Atom->isBitXor()) {
    // Below the highest power of two that divides both moduli, the bits of the
    // operands are known.
    Congruence A = congruence(Atom->operand());
    Congruence B = congruence(Atom->divisor());
    int64_t Moduli = std::gcd(A.modulus(), B.modulus());
    if (int64_t Power = Moduli & -Moduli; Power > 0)
      return Congruence::of(Power, (A.residue() ^ B.residue()) & (Power - 1))
          .intersect(congruenceOf(Atom))
          .value_or(congruenceOf(Atom));
    return congruenceOf(Atom);
  }
  if (Atom->isNegativePart()) {
    // Either the operand or zero.
    Congruence C = congruence(Atom->operand());
    return Congruence::of(
        std::max<int64_t>(std::gcd(C.modulus(), C.residue()), 1), 0);
  }
  return congruenceOf(Atom);
}

/// A fact about deeper atoms than E's is not used: the rest would not be
/// simpler than E.
std::optional<Congruence>
IndexDomain::congruenceThrough(const LatticeFact &Fact, IndexExpr E) const {
  if (Fact.Expr.depth() > E.depth())
    return std::nullopt;
  std::optional<FormMultiple> M = multipleIn(Context, E, Fact.Expr);
  if (!M)
    return std::nullopt;
  return Fact.Lattice * M->Times + congruence(M->Rest);
}

Congruence IndexDomain::congruence(IndexExpr E) const {
  if (!addsFacts())
    return Parent->congruence(E);
  auto It = Lattices.find(E);
  if (It != Lattices.end())
    return It->second;
  Congruence Sum = Congruence::constant(E.constant());
  for (const IndexTerm &T : E.terms()) {
    Sum = Sum + congruenceOfTerm(T.Atom) * T.Coefficient;
  }
  for (const IndexDomain *D = this; D; D = D->Parent)
    for (const LatticeFact &Fact : D->LatticeFacts)
      if (std::optional<Congruence> Via = congruenceThrough(Fact, E))
        // Contradictory facts mean dead code: either answer is right.
        Sum = Sum.intersect(*Via).value_or(Sum);
  Lattices[E] = Sum;
  return Sum;
}

} // namespace unravel
