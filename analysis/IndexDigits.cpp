//===- IndexDigits.cpp - The remainders inside a linear form --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/IndexDigits.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// The number of terms of E - Scale*M, without building it.
static size_t countTermsWithout(IndexExpr E, IndexExpr M, int64_t Scale) {
  size_t Count = E.terms().size();
  const IndexTerm *T = E.terms().begin(), *End = E.terms().end();
  for (const IndexTerm &U : M.terms()) {
    while (T != End && T->Atom->id() < U.Atom->id())
      ++T;
    if (T == End || T->Atom != U.Atom) {
      ++Count;
      continue;
    }
    int64_t Product;
    if (!MulOverflow(U.Coefficient, Scale, Product) &&
        Product == T->Coefficient)
      --Count;
  }
  return Count;
}

SmallVector<IndexDigit, 2> digitsOf(IndexContext &Context, IndexExpr E,
                                    const IndexTerm &T) {
  SmallVector<IndexDigit, 2> Digits;
  if (!T.Atom->isDivision())
    return Digits;
  auto TryScale = [&](IndexExpr Dividend, int64_t Radix, int64_t Scale) {
    // At best t goes as well.
    if (countTermsWithout(E, Dividend, Scale) > E.terms().size() + 1)
      return;
    // E - Scale*(Dividend - Radix*t), where t is T's atom.
    IndexExpr Rest = Context.add(E, Dividend, -Scale);
    Rest = Context.add(Rest, Context.scale(Context.atom(T.Atom), Radix), Scale);
    if (!Rest)
      return;
    // Either t is gone, or something else without a replacement.
    size_t Most = E.terms().size() - (Rest.coefficientOf(T.Atom) != 0 ? 1 : 0);
    if (Rest.terms().size() <= Most)
      Digits.push_back({Dividend, Radix, Scale, Rest, T.Atom->isTruncDiv()});
  };
  auto TryDigit = [&](IndexExpr Dividend, int64_t Radix) {
    if (Dividend.isConstant())
      return;
    // As many digits as t's coefficient has room for, or as many as the
    // dividend occurs in E.
    int64_t ByQuotient =
        T.Coefficient % Radix == 0 ? -(T.Coefficient / Radix) : 0;
    const IndexTerm &Lead = Dividend.terms()[0];
    int64_t Occurs = E.coefficientOf(Lead.Atom);
    int64_t ByDividend =
        Occurs % Lead.Coefficient == 0 ? Occurs / Lead.Coefficient : 0;
    if (ByQuotient != 0)
      TryScale(Dividend, Radix, ByQuotient);
    if (ByDividend != 0 && ByDividend != ByQuotient)
      TryScale(Dividend, Radix, ByDividend);
  };
  IndexExpr M = T.Atom->operand();
  int64_t D = T.Atom->divisor();
  TryDigit(M, D);
  // floor(M/d) = floor(floor(M/p) / (d/p)), likewise for truncation.
  for (const IndexTerm &U : E.terms())
    if (U.Atom != T.Atom && U.Atom->kind() == T.Atom->kind() &&
        U.Atom->operand() == M && D % U.Atom->divisor() == 0)
      TryDigit(Context.atom(U.Atom), D / U.Atom->divisor());
  return Digits;
}

} // namespace unravel
