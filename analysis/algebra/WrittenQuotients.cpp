//===- WrittenQuotients.cpp - Quotients of sums as they are written -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that puts digits together and takes other digits out of the number
// needs the digits, which the number's form need not show (WrittenSums.h). With
// them, every chain of reshapes and transposes cancels with its inverse, in
// whatever shapes the number is read in between.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

IndexExpr FloorBasis::add(IndexExpr A, IndexExpr B, int64_t Times) {
  IndexExpr Sum = Context.add(A, B, Times);
  Written.noteSum(Sum, {{A, 1}, {B, Times}});
  return Sum;
}

IndexExpr FloorBasis::scale(IndexExpr A, int64_t Factor) {
  IndexExpr Product = Context.scale(A, Factor);
  Written.noteSum(Product, Summand{A, Factor});
  return Product;
}

IndexExpr FloorBasis::multiply(IndexExpr A, IndexExpr B) {
  if (!A || !B)
    return {};
  return B.isConstant()   ? scale(A, B.constant())
         : A.isConstant() ? scale(B, A.constant())
                          : Context.multiply(A, B);
}

/// All at once: adding them one by one would take quadratic time.
IndexExpr FloorBasis::sum(ArrayRef<Summand> Summands, int64_t Constant) {
  SmallVector<IndexTerm, 16> Terms;
  for (const Summand &S : Summands) {
    int64_t Offset, Coefficient;
    if (!S.Form || MulOverflow(S.Form.constant(), S.Factor, Offset) ||
        AddOverflow(Constant, Offset, Constant))
      return {};
    for (const IndexTerm &T : S.Form.terms()) {
      if (MulOverflow(T.Coefficient, S.Factor, Coefficient))
        return {};
      Terms.push_back({T.Atom, Coefficient});
    }
  }
  IndexExpr Sum = Context.linear(Terms, Constant);
  Written.noteSum(Sum, Summands);
  return Sum;
}

IndexExpr FloorBasis::mapTerms(IndexExpr E,
                               function_ref<IndexExpr(const IndexAtom *)> Of) {
  SmallVector<Summand, 8> Summands;
  for (const IndexTerm &T : E.terms())
    Summands.push_back({Of(T.Atom), T.Coefficient});
  return sum(Summands, E.constant());
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

/// floor(floor(y/n) / D) = floor(y / (n*D)), for a quotient whose form does not
/// show that it is one. Null if E is no such quotient, or if that quotient of y
/// is being built from this one.
IndexExpr FloorBasis::quotientOfQuotient(IndexExpr E, int64_t D) {
  if (E.terms().size() < 2 || Floors.contains({E, D}))
    return {};
  std::optional<WrittenSums::Quotient> Inner = Written.quotientOf(E);
  int64_t Divisor;
  if (!Inner || MulOverflow(Inner->Divisor, D, Divisor))
    return {};
  auto Outer = Floors.find({Inner->Dividend, Divisor});
  if (Outer != Floors.end() && !Outer->second)
    return {};
  return floorDiv(Inner->Dividend, Divisor);
}

/// By whole periods of a divisor G of D (see wholePeriods): with the factors
/// G*q + r, U is the sum with the factors q, and B that with the factors r.
IndexExpr FloorBasis::wholePeriodsOfSum(const WrittenSum &Sum, int64_t D,
                                        int64_t G) {
  for (bool Symmetric : {false, true}) {
    SmallVector<Summand, 4> Whole;
    int64_t Offset = unravel::floorDiv(Sum.Constant, G);
    Interval B = Interval::point(unravel::floorMod(Sum.Constant, G));
    for (const Summand &S : Sum.Summands) {
      int64_t Q = unravel::floorDiv(S.Factor, G);
      int64_t R = unravel::floorMod(S.Factor, G);
      if (Symmetric && R > G - R) {
        Q += 1;
        R -= G;
      }
      if (R != 0)
        B = B + rangeOf(S.Form) * R;
      if (Q != 0)
        Whole.push_back({S.Form, Q});
    }
    if (!B.isBounded() || (Whole.empty() && G != D))
      continue;
    int64_t J = unravel::floorDiv(B.lo(), G);
    if (J == unravel::floorDiv(B.hi(), G) && !AddOverflow(Offset, J, Offset))
      return floorDiv(sum(Whole, Offset), D / G);
  }
  return {};
}

/// Sums in sums that are looked into. (Some number is needed: of a + b the
/// difference to b is a, so a sum may be a summand of its own summands.)
static constexpr size_t MaxLevels = 8;

IndexExpr FloorBasis::quotientOfSum(IndexExpr F, int64_t D) {
  // F as a summand of its own: it may be known to be in one period.
  SmallVector<WrittenSum, 4> Ways{{{{F, 1}}, 0}};
  while (Ways.size() < MaxLevels) {
    WrittenSum Next = Ways.back();
    if (!Written.expandSums(Next))
      break;
    Ways.push_back(std::move(Next));
  }
  SmallVector<int64_t, 8> Factors{D};
  for (const WrittenSum &Sum : Ways)
    for (const Summand &S : Sum.Summands)
      if (int64_t G = std::gcd(S.Factor, D); G > 1 && !is_contained(Factors, G))
        Factors.push_back(G);
  // The largest one leaves the smallest quotient: D itself leaves none.
  llvm::sort(Factors, std::greater<int64_t>());
  for (int64_t G : Factors)
    for (const WrittenSum &Sum : Ways) {
      if (IndexExpr Quotient = wholePeriodsOfSum(Sum, D, G))
        return Quotient;
      WrittenSum Expanded = Sum;
      if (Written.expandRemainders(Expanded, G))
        if (IndexExpr Quotient = wholePeriodsOfSum(Expanded, D, G))
          return Quotient;
    }
  return {};
}

} // namespace unravel
