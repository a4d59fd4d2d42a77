//===- IndexPolynomial.cpp - Forms as polynomials over atoms --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexPolynomial.h"
#include "analysis/algebra/Interval.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

static bool byId(const IndexAtom *A, const IndexAtom *B) {
  return A->id() < B->id();
}

std::optional<Monomial> divide(MonomialRef A, MonomialRef B) {
  if (A.size() < B.size() ||
      !std::includes(A.begin(), A.end(), B.begin(), B.end(), byId))
    return std::nullopt;
  Monomial Quotient;
  std::set_difference(A.begin(), A.end(), B.begin(), B.end(),
                      std::back_inserter(Quotient), byId);
  return Quotient;
}

Monomial commonFactor(MonomialRef A, MonomialRef B) {
  Monomial Common;
  std::set_intersection(A.begin(), A.end(), B.begin(), B.end(),
                        std::back_inserter(Common), byId);
  return Common;
}

//===----------------------------------------------------------------------===//
// Division with rest
//===----------------------------------------------------------------------===//

namespace {
struct LeadingTerm {
  int64_t Coefficient;
  MonomialRef Factors;
};
} // namespace

static LeadingTerm leadingTermOf(IndexExpr E) {
  LeadingTerm Lead{E.constant(), {}};
  for (const IndexTerm &T : E.terms())
    if (factorsOf(T.Atom).size() > Lead.Factors.size())
      Lead = {T.Coefficient, factorsOf(T.Atom)};
  return Lead;
}

PolynomialDivision divideWithRest(IndexContext &Context, IndexExpr E,
                                  IndexExpr Divisor) {
  LeadingTerm Lead = leadingTermOf(Divisor);
  PolynomialDivision Result{Context.constant(0), E};
  bool Single = Divisor.terms().size() == 1 && Divisor.constant() == 0;
  // Every step removes a term that the leading term divides and, for a divisor
  // of several terms, may add smaller ones; the number of steps is bounded all
  // the same.
  for (unsigned Step = 0; Step < 2 * Context.limits().MaxTerms; ++Step) {
    IndexExpr Part;
    for (const IndexTerm &T : Result.Rest.terms()) {
      std::optional<Monomial> Factors = divide(factorsOf(T.Atom), Lead.Factors);
      // A polynomial of several terms only divides exactly, so that what is
      // taken out of one term does not come back in another.
      if (!Factors || (!Single && T.Coefficient % Lead.Coefficient != 0))
        continue;
      int64_t D = Lead.Coefficient;
      int64_t Q =
          D > 0 ? floorDiv(T.Coefficient, D) : -floorDiv(T.Coefficient, -D);
      if (Q == 0)
        continue;
      Part = Context.product(*Factors, Q);
      break;
    }
    if (!Part)
      return Result;
    Result.Quotient = Context.add(Result.Quotient, Part);
    Result.Rest = Context.add(Result.Rest, Context.multiply(Part, Divisor), -1);
    if (!Result.Quotient || !Result.Rest)
      return {};
  }
  return {};
}

IndexExpr exactQuotient(IndexContext &Context, IndexExpr A, IndexExpr B) {
  if (B.isConstant())
    return Context.divideExactly(A, B.constant());
  // What a single term divides, it divides term by term.
  if (B.terms().size() == 1 && B.constant() == 0 &&
      B.terms()[0].Coefficient > 0) {
    Content C{B.terms()[0].Coefficient, Monomial(factorsOf(B.terms()[0].Atom))};
    auto Divides = [&](const IndexTerm &T) {
      return T.Coefficient % C.Coefficient == 0 &&
             divide(factorsOf(T.Atom), C.Factors);
    };
    return A.constant() == 0 && all_of(A.terms(), Divides)
               ? divideByContent(Context, A, C)
               : IndexExpr();
  }
  PolynomialDivision Division = divideWithRest(Context, A, B);
  return Division.Rest && Division.Rest.isConstant(0) ? Division.Quotient
                                                      : IndexExpr();
}

//===----------------------------------------------------------------------===//
// Common factors
//===----------------------------------------------------------------------===//

Content contentOf(ArrayRef<IndexExpr> Exprs) {
  Content C;
  bool First = true;
  auto AddTerm = [&](int64_t Coefficient, MonomialRef Factors) {
    C.Coefficient = std::gcd(C.Coefficient, Coefficient);
    C.Factors = First ? Monomial(Factors) : commonFactor(C.Factors, Factors);
    First = false;
  };
  for (IndexExpr E : Exprs) {
    for (const IndexTerm &T : E.terms())
      AddTerm(T.Coefficient, factorsOf(T.Atom));
    if (E.constant() != 0)
      AddTerm(E.constant(), {});
  }
  return C;
}

IndexExpr divideByContent(IndexContext &Context, IndexExpr E,
                          const Content &C) {
  assert(E.constant() % C.Coefficient == 0 && "not a common factor");
  SmallVector<IndexTerm, 8> Terms;
  int64_t Constant = E.constant() / C.Coefficient;
  for (const IndexTerm &T : E.terms()) {
    Monomial Left = *divide(factorsOf(T.Atom), C.Factors);
    int64_t Coefficient = T.Coefficient / C.Coefficient;
    if (Left.empty())
      Constant += Coefficient; // where E's constant is 0: no overflow
    else
      append_range(Terms, Context.product(Left, Coefficient).terms());
  }
  return Context.linear(Terms, Constant);
}

} // namespace unravel
