//===- IntegerSums.cpp - Sums of integer variables and their bounds -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerTranslation.h"
#include "WideNumbers.h"
#include "llvm/ADT/SmallString.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

static std::string text(const APInt &N) {
  SmallString<48> Text;
  N.toStringSigned(Text);
  return Text.str().str();
}

expr IntegerTranslation::literal(const APInt &N) {
  return C.int_val(text(N).c_str());
}

expr IntegerTranslation::expression(const Number &N) {
  z3::expr_vector Parts(C);
  if (N.isConstant() || !N.Constant.isZero())
    Parts.push_back(literal(N.Constant));
  for (const auto &[Index, Factor] : N.Terms)
    Parts.push_back(Factor.isOne() ? Integers[Index].E
                                   : literal(Factor) * Integers[Index].E);
  return Parts.size() == 1 ? Parts[0] : z3::sum(Parts);
}

IntegerTranslation::Number IntegerTranslation::constant(const APInt &N) {
  return {{}, N, N, N};
}

IntegerTranslation::Number IntegerTranslation::variable(const expr &E,
                                                        const APInt &Low,
                                                        const APInt &High) {
  APInt Zero(Low.getBitWidth(), 0), One(Low.getBitWidth(), 1);
  unsigned Id = Z3_get_ast_id(C, E);
  auto [It, IsNew] = IndexOf.try_emplace(Id, Integers.size());
  if (IsNew) {
    Integers.push_back({E, {Low, High}});
    define(E >= literal(Low));
    define(E <= literal(High));
  }
  const Range &R = Integers[It->second].Bounds;
  return {{{It->second, One}}, Zero, R.Low, R.High};
}

IntegerTranslation::Number IntegerTranslation::fresh(const APInt &Low,
                                                     const APInt &High) {
  if (Low == High)
    return constant(Low);
  return variable(C.int_const(("i!" + std::to_string(Count++)).c_str()), Low,
                  High);
}

IntegerTranslation::Number
IntegerTranslation::opaque(const std::string &Name,
                           const std::vector<Number> &Arguments,
                           const APInt &Low, const APInt &High) {
  z3::sort_vector Sorts(C);
  z3::expr_vector Operands(C);
  for (const Number &A : Arguments) {
    Operands.push_back(expression(A));
    Sorts.push_back(C.int_sort());
  }
  return variable(C.function(Name.c_str(), Sorts, C.int_sort())(Operands), Low,
                  High);
}

std::pair<std::string, APInt> IntegerTranslation::shapeOf(const Number &N) {
  APInt Common(N.Constant.getBitWidth(), 0);
  for (const auto &Term : N.Terms)
    Common = APIntOps::GreatestCommonDivisor(Common, Term.second.abs());
  if (!N.Terms.empty() && N.Terms.begin()->second.isNegative())
    Common.negate();
  std::string Shape;
  for (const auto &[Index, Factor] : N.Terms)
    Shape += std::to_string(Index) + "*" + text(Factor.sdiv(Common)) + " ";
  return {Shape, Common};
}

/// Uses what is known about the variables and about the whole sum.
void IntegerTranslation::tighten(Number &N) {
  if (N.isConstant()) {
    N.Low = N.High = N.Constant;
    return;
  }
  APInt Low = N.Constant, High = N.Constant;
  auto Add = [&](const Range &R, const APInt &Factor) {
    Low += (Factor.isNegative() ? R.High : R.Low) * Factor;
    High += (Factor.isNegative() ? R.Low : R.High) * Factor;
  };
  for (const auto &[Index, Factor] : N.Terms)
    Add(Integers[Index].Bounds, Factor);
  N.Low = larger(N.Low, Low);
  N.High = smaller(N.High, High);
  auto [Shape, Factor] = shapeOf(N);
  if (auto It = Known.find(Shape); It != Known.end()) {
    Low = High = N.Constant;
    Add(It->second, Factor);
    N.Low = larger(N.Low, Low);
    N.High = smaller(N.High, High);
  }
  if (N.Low.sgt(N.High)) // the facts contradict: the solver will see it
    N.High = N.Low;
}

/// \p N lies in [Low, High]: a fact, or defined so.
void IntegerTranslation::learn(const Number &N, const APInt &Low,
                               const APInt &High) {
  if (N.isConstant())
    return;
  auto [Shape, Factor] = shapeOf(N);
  // Low <= Factor * s + Constant <= High
  APInt From = Low - N.Constant, To = High - N.Constant;
  if (Factor.isNegative()) {
    std::swap(From, To);
    From.negate();
    To.negate();
  }
  APInt Divisor = Factor.abs();
  Range R{-floorDiv(-From, Divisor), floorDiv(To, Divisor)};
  auto Narrow = [&](Range &Old) {
    Range New{larger(Old.Low, R.Low), smaller(Old.High, R.High)};
    if (New.Low.sle(New.High))
      std::swap(Old, New);
  };
  Narrow(Known.try_emplace(Shape, R).first->second);
  if (N.Terms.size() == 1)
    Narrow(Integers[N.Terms.begin()->first].Bounds);
}

IntegerTranslation::Number
IntegerTranslation::sum(const Number &A, const Number &B, bool Negated) {
  APInt Sign(A.Constant.getBitWidth(), Negated ? -1 : 1, /*isSigned=*/true);
  Number Result = A;
  for (const auto &[Index, Factor] : B.Terms) {
    auto It =
        Result.Terms.try_emplace(Index, A.Constant.getBitWidth(), 0).first;
    It->second += Factor * Sign;
    if (It->second.isZero())
      Result.Terms.erase(It);
  }
  Result.Constant += B.Constant * Sign;
  Result.Low += Negated ? -B.High : B.Low;
  Result.High += Negated ? -B.Low : B.High;
  tighten(Result);
  return Result;
}

IntegerTranslation::Number IntegerTranslation::scaled(const Number &A,
                                                      const APInt &Factor) {
  if (Factor.isZero())
    return constant(Factor);
  Number Result = A;
  for (auto &Term : Result.Terms)
    Term.second *= Factor;
  Result.Constant *= Factor;
  APInt X = A.Low * Factor, Y = A.High * Factor;
  Result.Low = smaller(X, Y);
  Result.High = larger(X, Y);
  tighten(Result);
  return Result;
}

std::pair<IntegerTranslation::Number, IntegerTranslation::Number>
IntegerTranslation::floorDivide(const Number &A, const APInt &Divisor) {
  if (Divisor.isOne())
    return {A, constant(APInt(Divisor.getBitWidth(), 0))};
  std::string Key = shapeOf(A).first + text(shapeOf(A).second) + "+" +
                    text(A.Constant) + "/" + text(Divisor);
  auto It = Quotients.find(Key);
  if (It == Quotients.end()) {
    Number Quotient =
        fresh(floorDiv(A.Low, Divisor), floorDiv(A.High, Divisor));
    Number Rest = sum(A, scaled(Quotient, Divisor), /*Negated=*/true);
    APInt Zero(Divisor.getBitWidth(), 0), Most = Divisor - 1;
    if (Rest.Low.isNegative())
      define(expression(Rest) >= 0);
    if (Rest.High.sgt(Most))
      define(expression(Rest) <= literal(Most));
    learn(Rest, Zero, Most);
    It = Quotients.try_emplace(Key, Quotient).first;
  }
  const Number &Quotient = It->second;
  return {Quotient, sum(A, scaled(Quotient, Divisor), /*Negated=*/true)};
}

} // namespace unravel::refinement
