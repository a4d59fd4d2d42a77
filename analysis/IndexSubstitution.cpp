//===- IndexSubstitution.cpp - Expressions for atoms ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/IndexSubstitution.h"

using namespace llvm;

namespace unravel {

IndexExpr IndexSubstitution::apply(IndexExpr E) {
  if (!E)
    return {};
  IndexExpr Sum = Context.constant(E.constant());
  for (const IndexTerm &T : E.terms())
    Sum = Context.add(Sum, apply(T.Atom), T.Coefficient);
  return Sum;
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
  IndexExpr Divisor = apply(Atom->symbolicDivisor());
  return Basis ? simplest(Atom, Operand, Divisor)
               : unchanged(Atom, Operand, Divisor);
}

/// An atom of \p Atom's kind on new operands, with all rules of the algebra.
IndexExpr IndexSubstitution::simplest(const IndexAtom *Atom, IndexExpr Operand,
                                      IndexExpr Divisor) {
  switch (Atom->kind()) {
  case IndexAtom::Kind::Variable:
  case IndexAtom::Kind::Product:
    break;
  case IndexAtom::Kind::FloorDiv:
    return Basis->floorDiv(Operand, Atom->divisor());
  case IndexAtom::Kind::TruncDiv:
    return Basis->truncDiv(Operand, Atom->divisor());
  case IndexAtom::Kind::NegativePart:
    return Basis->min(Operand, Context.constant(0));
  case IndexAtom::Kind::SymbolicFloorDiv:
    return Basis->floorDiv(Operand, Divisor);
  case IndexAtom::Kind::SymbolicTruncDiv:
    return Basis->truncDiv(Operand, Divisor);
  case IndexAtom::Kind::NonNegative:
    return Basis->nonNegative(Operand);
  case IndexAtom::Kind::Zero:
    return Basis->zero(Operand);
  }
  llvm_unreachable("has no operand");
}

/// The same without any rule.
IndexExpr IndexSubstitution::unchanged(const IndexAtom *Atom, IndexExpr Operand,
                                       IndexExpr Divisor) {
  switch (Atom->kind()) {
  case IndexAtom::Kind::Variable:
  case IndexAtom::Kind::Product:
    break;
  case IndexAtom::Kind::FloorDiv:
    return Context.rawFloorDiv(Operand, Atom->divisor());
  case IndexAtom::Kind::TruncDiv:
    return Context.rawTruncDiv(Operand, Atom->divisor());
  case IndexAtom::Kind::NegativePart:
    return Context.rawNegativePart(Operand);
  case IndexAtom::Kind::SymbolicFloorDiv:
  case IndexAtom::Kind::SymbolicTruncDiv:
    return Context.rawSymbolicDivision(Atom->kind(), Operand, Divisor);
  case IndexAtom::Kind::NonNegative:
  case IndexAtom::Kind::Zero:
    return Context.rawCondition(Atom->kind(), Operand);
  }
  llvm_unreachable("has no operand");
}

} // namespace unravel
