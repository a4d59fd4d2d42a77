//===- CanonicalCopy.cpp - Forms without their history --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/CanonicalCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <tuple>

using namespace llvm;

namespace unravel {

bool CanonicalCopy::Rank::operator<(const Rank &Other) const {
  return std::tie(LastVariable, FirstVariable, Depth, Kind, Number, Hash) <
         std::tie(Other.LastVariable, Other.FirstVariable, Other.Depth,
                  Other.Kind, Other.Number, Other.Hash);
}

/// The finalizer of SplitMix64: mixes all bits.
static uint64_t mix(uint64_t X) {
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
  return X ^ (X >> 31);
}

/// Adds what \p To depends on; the terms of E count in any order.
void CanonicalCopy::addRank(Rank &To, IndexExpr E) {
  uint64_t Sum = mix(E.constant() + 1);
  for (const IndexTerm &T : E.terms()) {
    Rank R = rankOf(T.Atom);
    To.LastVariable = std::max(To.LastVariable, R.LastVariable);
    To.FirstVariable = std::min(To.FirstVariable, R.FirstVariable);
    Sum += mix(R.Hash * 31 + T.Coefficient);
  }
  To.Hash = mix(To.Hash * 31 + Sum);
}

const CanonicalCopy::Rank &CanonicalCopy::rankOf(const IndexAtom *Atom) {
  auto It = Ranks.find(Atom);
  if (It != Ranks.end())
    return It->second;
  Rank R{0, ~0u, Atom->depth(), Atom->kindRank(), Atom->constantDivisor(), 0};
  if (Atom->isCondition())
    R.Number = -Atom->operand().constant(); // no form has the least constant
  R.Hash = mix(uint64_t(R.Kind) * 31 + Atom->constantDivisor());
  if (Atom->isVariable()) {
    R.LastVariable = R.FirstVariable = Atom->id();
    R.Hash = mix(R.Hash + Atom->id());
  }
  if (Atom->operand())
    addRank(R, Atom->operand());
  if (Atom->divisor() && !Atom->isConstantDivision())
    addRank(R, Atom->divisor());
  for (const IndexAtom *Factor : Atom->factors()) {
    const Rank &Part = rankOf(Factor);
    R.LastVariable = std::max(R.LastVariable, Part.LastVariable);
    R.FirstVariable = std::min(R.FirstVariable, Part.FirstVariable);
    R.Hash += mix(Part.Hash);
  }
  return Ranks.try_emplace(Atom, R).first->second;
}

IndexExpr CanonicalCopy::build(const IndexAtom *Atom) {
  if (Atom->isProduct()) {
    SmallVector<const IndexAtom *, 4> Factors(Atom->factors());
    for (const IndexAtom *Factor : Factors)
      rankOf(Factor); // no insertions while sorting
    llvm::sort(Factors, [&](const IndexAtom *A, const IndexAtom *B) {
      return rankOf(A) < rankOf(B);
    });
    IndexExpr Product = Context.constant(1);
    for (const IndexAtom *Factor : Factors)
      Product = Context.multiply(Product, copy(Factor));
    return Product;
  }
  IndexExpr Divisor;
  if (Atom->divisor())
    Divisor = copy(Atom->divisor());
  return Context.rawAtom(Atom->kind(), copy(Atom->operand()), Divisor);
}

IndexExpr CanonicalCopy::copy(const IndexAtom *Atom) {
  auto It = Copies.find(Atom);
  if (It != Copies.end())
    return It->second;
  IndexExpr E = build(Atom);
  Copies[Atom] = E;
  return E;
}

IndexExpr CanonicalCopy::copy(IndexExpr E) {
  SmallVector<IndexTerm, 8> Terms(E.terms()), Result;
  for (const IndexTerm &T : Terms)
    rankOf(T.Atom); // no insertions while sorting
  llvm::sort(Terms, [&](const IndexTerm &A, const IndexTerm &B) {
    return rankOf(A.Atom) < rankOf(B.Atom);
  });
  int64_t Constant = E.constant();
  for (const IndexTerm &T : Terms) {
    IndexExpr Part = Context.scale(copy(T.Atom), T.Coefficient);
    if (!Part)
      return {};
    Constant += Part.constant(); // a product of conditions may be constant: 0
    append_range(Result, Part.terms());
  }
  return Context.linear(Result, Constant);
}

CanonicalCopy::CanonicalCopy(const IndexContext &From, IndexExpr E)
    : Context(From.limits()) {
  SmallVector<const IndexAtom *, 8> Variables;
  forEachAtom(E, [&](const IndexAtom *A) {
    if (A->isVariable())
      Variables.push_back(A);
  });
  llvm::sort(Variables, [](const IndexAtom *A, const IndexAtom *B) {
    return A->id() < B->id();
  });
  for (const IndexAtom *V : Variables) {
    const IndexAtom *Own = V->id() < IndexContext::NumSlots
                               ? Context.numberedVariable(V->id())
                               : Context.createVariable(V->name());
    Copies[V] = Context.atom(Own);
    Originals[Own] = V;
  }
  Copy = copy(E);
}

} // namespace unravel
