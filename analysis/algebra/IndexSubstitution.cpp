//===- IndexSubstitution.cpp - Expressions for atoms ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexSubstitution.h"

using namespace llvm;

namespace unravel {

IndexExpr IndexSubstitution::apply(IndexExpr E) {
  if (!E)
    return {};
  auto Of = [&](const IndexAtom *A) { return apply(A); };
  return Basis ? Basis->mapTerms(E, Of) : Context.mapTerms(E, Of);
}

IndexExpr IndexSubstitution::apply(const IndexAtom *Atom) {
  auto It = Known.find(Atom);
  if (It != Known.end())
    return It->second;
  IndexExpr Result = rebuild(Atom);
  Known[Atom] = Result;
  return Result;
}

IndexExpr IndexSubstitution::rebuild(const IndexAtom *Atom) {
  if (Atom->isVariable())
    return Context.atom(Atom);
  if (Atom->isProduct()) {
    IndexExpr Product = Context.constant(1);
    for (const IndexAtom *Factor : Atom->factors())
      Product = Context.multiply(Product, apply(Factor));
    return Product;
  }
  IndexExpr Operand = apply(Atom->operand());
  IndexExpr Divisor = apply(Atom->divisor());
  return Basis ? Basis->rebuild(Atom, Operand, Divisor)
               : Context.rawAtom(Atom->kind(), Operand, Divisor);
}

} // namespace unravel
