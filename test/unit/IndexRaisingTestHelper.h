//===- IndexRaisingTestHelper.h - Trees to compare with ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rendering of forms without any thought.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_INDEXRAISINGTESTHELPER_H
#define UNRAVEL_TEST_UNIT_INDEXRAISINGTESTHELPER_H

#include "analysis/syntax/IndexRaising.h"

namespace unravel::test {

inline std::string nameOf(const IndexAtom *Variable) {
  return Variable->name().str();
}

inline SyntaxTree naive(IndexExpr E);

inline SyntaxTree naive(const IndexAtom *Atom) {
  SyntaxTree Zero = syntaxNumber(0);
  if (Atom->isVariable())
    return syntaxName(Atom->name());
  if (Atom->isProduct()) {
    llvm::SmallVector<SyntaxTree, 4> Factors;
    for (const IndexAtom *Factor : Atom->factors())
      Factors.push_back(naive(Factor));
    return syntaxNode(SyntaxOp::Multiply, Factors);
  }
  SyntaxTree Operand = naive(Atom->operand());
  SyntaxTree Divisor = Atom->divisor() ? naive(Atom->divisor()) : Zero;
  switch (Atom->kind()) {
  case IndexAtom::Kind::FloorDiv:
    return syntaxNode(SyntaxOp::FloorDiv, {Operand, Divisor});
  case IndexAtom::Kind::TruncDiv:
    return syntaxNode(SyntaxOp::TruncDiv, {Operand, Divisor});
  case IndexAtom::Kind::NegativePart:
    return syntaxNode(SyntaxOp::Min, {Operand, Zero});
  case IndexAtom::Kind::BitXor:
    return syntaxNode(SyntaxOp::BitXor, {Operand, Divisor});
  default: {
    SyntaxOp Op = Atom->kind() == IndexAtom::Kind::Zero
                      ? SyntaxOp::Equal
                      : SyntaxOp::GreaterEqual;
    return syntaxNode(SyntaxOp::Select,
                      {syntaxNode(Op, {Operand, Zero}), syntaxNumber(1), Zero});
  }
  }
}

inline SyntaxTree naive(IndexExpr E) {
  llvm::SmallVector<SyntaxTree, 8> Terms;
  for (const IndexTerm &T : E.terms()) {
    SyntaxTree Term = naive(T.Atom);
    int64_t Size = std::abs(T.Coefficient);
    if (Size != 1)
      Term = syntaxNode(SyntaxOp::Multiply, {Term, syntaxNumber(Size)});
    if (T.Coefficient < 0)
      Term = syntaxNode(SyntaxOp::Negate, Term);
    Terms.push_back(Term);
  }
  if (E.constant() != 0 || Terms.empty())
    Terms.push_back(syntaxNumber(E.constant()));
  return Terms.size() == 1 ? Terms[0] : syntaxNode(SyntaxOp::Add, Terms);
}

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_INDEXRAISINGTESTHELPER_H
