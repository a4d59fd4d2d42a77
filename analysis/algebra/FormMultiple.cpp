//===- FormMultiple.cpp - A form as a multiple of another -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FormMultiple.h"

namespace unravel {

std::optional<FormMultiple> multipleIn(IndexContext &Context, IndexExpr E,
                                       IndexExpr Fact) {
  const IndexTerm &First = Fact.terms()[0];
  int64_t C = E.coefficientOf(First.Atom);
  if (C == 0 || C % First.Coefficient != 0)
    return std::nullopt;
  int64_t Times = C / First.Coefficient;
  IndexExpr Rest = Context.add(E, Fact, -Times);
  if (!Rest || Rest.terms().size() >= E.terms().size())
    return std::nullopt;
  return FormMultiple{Times, Rest};
}

} // namespace unravel
