//===- IndexDigits.cpp - The remainders inside a linear form --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/IndexDigits.h"

using namespace llvm;

namespace unravel {

SmallVector<IndexDigit, 2> digitsOf(IndexContext &Context, IndexExpr E,
                                    const IndexTerm &T) {
  SmallVector<IndexDigit, 2> Digits;
  if (!T.Atom->isDivision())
    return Digits;
  // Scale*(Dividend - Radix*t) + Rest = E, where t is T's atom.
  auto TryDigit = [&](IndexExpr Dividend, int64_t Radix) {
    if (T.Coefficient % Radix != 0)
      return;
    int64_t Scale = -(T.Coefficient / Radix);
    IndexExpr Rest = Context.add(E, Dividend, -Scale);
    Rest = Context.add(Rest, Context.atom(T.Atom), -T.Coefficient);
    if (!Rest || Rest.terms().size() > E.terms().size() ||
        Rest.coefficientOf(T.Atom) != 0)
      return;
    Digits.push_back({Dividend, Radix, Scale, Rest, T.Atom->isTruncDiv()});
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
