//===- IntegerOperations.cpp - Products, quotients and bits as integers ---===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerTranslation.h"
#include "SymbolicValue.h"
#include "llvm/ADT/SmallString.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

/// How many low bits of a word are zero for sure.
unsigned IntegerTranslation::trailingZeros(const expr &E) {
  if (auto N = numberIn(E))
    return N->countr_zero();
  if (!E.is_app())
    return 0;
  switch (E.decl().decl_kind()) {
  case Z3_OP_BMUL:
    return std::min(widthOf(E),
                    trailingZeros(E.arg(0)) + trailingZeros(E.arg(1)));
  case Z3_OP_BSHL:
    if (auto Amount = numberIn(E.arg(1)))
      return std::min<uint64_t>(widthOf(E),
                                trailingZeros(E.arg(0)) +
                                    Amount->getLimitedValue(widthOf(E)));
    return trailingZeros(E.arg(0));
  case Z3_OP_BADD:
  case Z3_OP_BSUB:
  case Z3_OP_BOR:
  case Z3_OP_BXOR: {
    unsigned Least = widthOf(E);
    for (unsigned I = 0; I < E.num_args(); ++I)
      Least = std::min(Least, trailingZeros(E.arg(I)));
    return Least;
  }
  case Z3_OP_BAND:
    return std::max(trailingZeros(E.arg(0)), trailingZeros(E.arg(1)));
  case Z3_OP_ZERO_EXT:
  case Z3_OP_SIGN_EXT:
    return std::min(trailingZeros(E.arg(0)), widthOf(E.arg(0)));
  case Z3_OP_ITE:
    return std::min(trailingZeros(E.arg(1)), trailingZeros(E.arg(2)));
  default:
    return 0;
  }
}

IntegerTranslation::Number IntegerTranslation::bitAnd(const expr &A,
                                                      const expr &B) {
  if (numberIn(A) && !numberIn(B))
    return bitAnd(B, A);
  unsigned Width = widthOf(A);
  Number X = unsignedValue(A);
  unsigned Bits = X.Low.getBitWidth();
  if (auto Mask = numberIn(B)) {
    if (Mask->isZero())
      return constant(APInt(Bits, 0));
    unsigned Low = Mask->countr_zero(), Ones = Mask->lshr(Low).countr_one();
    if (Mask->lshr(Low) == APInt::getLowBitsSet(Width, Ones)) {
      // One field of the word.
      Number Field = floorDivide(X, APInt::getOneBitSet(Bits, Low)).first;
      if (Low + Ones < Width)
        Field = floorDivide(Field, APInt::getOneBitSet(Bits, Ones)).second;
      return scaled(Field, APInt::getOneBitSet(Bits, Low));
    }
  }
  Number Y = unsignedValue(B);
  APInt Zero(Bits, 0);
  Number Result = opaque("and" + std::to_string(Width), inOrder(X, Y), Zero,
                         X.High.slt(Y.High) ? X.High : Y.High);
  expr Value = expression(Result);
  define(Value <= expression(X));
  define(Value <= expression(Y));
  // Below the lowest bit of the other: nothing in common.
  auto Separate = [&](const expr &E, const Number &Other) {
    if (unsigned Zeros = trailingZeros(E))
      define(z3::implies(expression(Other) <
                             literal(APInt::getOneBitSet(Bits, Zeros)),
                         Value == 0));
  };
  Separate(A, Y);
  Separate(B, X);
  return Result;
}

/// For operations where the order means nothing.
std::vector<IntegerTranslation::Number>
IntegerTranslation::inOrder(const Number &X, const Number &Y) {
  bool Swap = shapeOf(Y).first < shapeOf(X).first;
  return Swap ? std::vector{Y, X} : std::vector{X, Y};
}

/// X * Y for numbers that are not negative.
IntegerTranslation::Number IntegerTranslation::times(const Number &X,
                                                     const Number &Y) {
  if (X.isConstant())
    return scaled(Y, X.Constant);
  if (Y.isConstant())
    return scaled(X, Y.Constant);
  Number Result =
      opaque("product", inOrder(X, Y), X.Low * Y.Low, X.High * Y.High);
  expr P = expression(Result), A = expression(X), B = expression(Y);
  define((P == 0) == (A == 0 || B == 0));
  // At least each factor, unless the other one is zero.
  define(z3::implies(B >= 1, P >= A));
  define(z3::implies(A >= 1, P >= B));
  // At most a factor times the other's bound.
  define(P <= literal(Y.High) * A);
  define(P <= literal(X.High) * B);
  return Result;
}

IntegerTranslation::Number IntegerTranslation::product(const expr &A,
                                                       const expr &B) {
  Number X = word(A), Y = word(B);
  if (X.isConstant())
    return scaled(Y, X.Constant);
  if (Y.isConstant())
    return scaled(X, Y.Constant);
  return times(unsignedValue(A), unsignedValue(B));
}

IntegerTranslation::Number
IntegerTranslation::divideUnsigned(const expr &E, bool WantsRemainder) {
  Number X = unsignedValue(E.arg(0)), Y = unsignedValue(E.arg(1));
  unsigned Width = widthOf(E);
  if (Y.isConstant()) {
    if (Y.Constant.isZero())
      return unknown(Width);
    auto [Quotient, Rest] = floorDivide(X, Y.Constant);
    return WantsRemainder ? Rest : Quotient;
  }
  // X = Y * Quotient + Rest, with the same product as elsewhere.
  APInt Zero(X.Low.getBitWidth(), 0);
  APInt All = APInt::getOneBitSet(X.Low.getBitWidth(), Width) - 1;
  Number Quotient = opaque("udiv" + std::to_string(Width), {X, Y}, Zero, All);
  Number Rest = opaque("urem" + std::to_string(Width), {X, Y}, Zero, All);
  Number Product = times(Quotient, Y);
  define(z3::implies(expression(Y) >= 1,
                     expression(X) == expression(sum(Product, Rest)) &&
                         expression(Rest) < expression(Y)));
  return WantsRemainder ? Rest : Quotient;
}

IntegerTranslation::Number
IntegerTranslation::divideSigned(const expr &E, bool WantsRemainder) {
  Number X = signedValue(E.arg(0)), Y = signedValue(E.arg(1));
  unsigned Width = widthOf(E);
  APInt Zero(X.Low.getBitWidth(), 0);
  if (!Y.isConstant())
    return opaque((WantsRemainder ? "srem" : "sdiv") + std::to_string(Width),
                  {X, Y}, Zero,
                  APInt::getOneBitSet(X.Low.getBitWidth(), Width) - 1);
  if (Y.Constant.isZero())
    return unknown(Width);
  APInt Divisor = Y.Constant.abs();
  auto Finish = [&](const Number &Quotient, const Number &Rest) {
    if (WantsRemainder)
      return Rest;
    return Y.Constant.isNegative() ? sum(constant(Zero), Quotient, true)
                                   : Quotient;
  };
  if (!X.Low.isNegative()) {
    auto [Quotient, Rest] = floorDivide(X, Divisor);
    return Finish(Quotient, Rest);
  }
  // Towards zero: the rest has the sign of the dividend.
  SmallString<48> Text;
  Divisor.toStringSigned(Text);
  expr Dividend = expression(X);
  Alive.push_back(Dividend);
  std::string Key = "signed " + std::to_string(Z3_get_ast_id(C, Dividend)) +
                    "/" + Text.str().str();
  auto It = Quotients.find(Key);
  if (It == Quotients.end()) {
    Number Quotient = fresh(X.Low.sdiv(Divisor), X.High.sdiv(Divisor));
    Number Rest = sum(X, scaled(Quotient, Divisor), /*Negated=*/true);
    APInt Least = -(Divisor - 1);
    APInt Most = X.High.sgt(0) ? Divisor - 1 : Zero;
    expr R = expression(Rest);
    define(R >= literal(Least));
    define(R <= literal(Most));
    define(z3::implies(Dividend >= 0, R >= 0));
    define(z3::implies(Dividend <= 0, R <= 0));
    learn(Rest, Least, Most);
    It = Quotients.try_emplace(Key, Quotient).first;
  }
  return Finish(It->second,
                sum(X, scaled(It->second, Divisor), /*Negated=*/true));
}

} // namespace unravel::refinement
