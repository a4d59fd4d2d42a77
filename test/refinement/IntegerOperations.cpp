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
  expr First = X.Linear, Second = Y.Linear;
  if (Z3_get_ast_id(C, First) > Z3_get_ast_id(C, Second))
    std::swap(First, Second);
  Number Result{function("and" + std::to_string(Width), {First, Second}),
                APInt(Bits, 0), X.High.slt(Y.High) ? X.High : Y.High};
  Definitions.push_back(Result.Linear >= 0);
  Definitions.push_back(Result.Linear <= X.Linear);
  Definitions.push_back(Result.Linear <= Y.Linear);
  // Below the lowest bit of the other: nothing in common.
  auto Separate = [&](const expr &E, const Number &Other) {
    if (unsigned Zeros = trailingZeros(E))
      Definitions.push_back(z3::implies(
          Other.Linear < literal(APInt::getOneBitSet(Bits, Zeros)),
          Result.Linear == 0));
  };
  Separate(A, Y);
  Separate(B, X);
  return Result;
}

IntegerTranslation::Number IntegerTranslation::product(const expr &A,
                                                       const expr &B) {
  Number X = word(A), Y = word(B);
  if (X.isConstant())
    return scaled(Y, X.Low);
  if (Y.isConstant())
    return scaled(X, Y.Low);
  X = unsignedValue(A);
  Y = unsignedValue(B);
  if (Z3_get_ast_id(C, X.Linear) > Z3_get_ast_id(C, Y.Linear))
    std::swap(X, Y);
  Number Result{function("product", {X.Linear, Y.Linear}), X.Low * Y.Low,
                X.High * Y.High};
  Definitions.push_back(Result.Linear >= literal(Result.Low));
  Definitions.push_back(Result.Linear <= literal(Result.High));
  Definitions.push_back((Result.Linear == 0) ==
                        (X.Linear == 0 || Y.Linear == 0));
  // At least each factor, unless the other one is zero.
  Definitions.push_back(z3::implies(Y.Linear >= 1, Result.Linear >= X.Linear));
  Definitions.push_back(z3::implies(X.Linear >= 1, Result.Linear >= Y.Linear));
  // At most a factor times the other's bound.
  Definitions.push_back(Result.Linear <= literal(Y.High) * X.Linear);
  Definitions.push_back(Result.Linear <= literal(X.High) * Y.Linear);
  return Result;
}

IntegerTranslation::Number
IntegerTranslation::divideUnsigned(const expr &E, bool WantsRemainder) {
  Number X = unsignedValue(E.arg(0)), Y = unsignedValue(E.arg(1));
  unsigned Width = widthOf(E);
  if (Y.isConstant()) {
    if (Y.Low.isZero())
      return unknown(Width);
    auto [Quotient, Rest] = floorDivide(X, Y.Low);
    return WantsRemainder ? Rest : Quotient;
  }
  // X = Y * Quotient + Rest, with the same product as elsewhere.
  APInt Zero(X.Low.getBitWidth(), 0);
  APInt All = APInt::getOneBitSet(X.Low.getBitWidth(), Width) - 1;
  Number Quotient{function("udiv" + std::to_string(Width), {X.Linear, Y.Linear}),
                  Zero, All};
  Number Rest{function("urem" + std::to_string(Width), {X.Linear, Y.Linear}),
              Zero, All};
  for (const Number &N : {Quotient, Rest}) {
    Definitions.push_back(N.Linear >= 0);
    Definitions.push_back(N.Linear <= literal(All));
  }
  expr First = Quotient.Linear, Second = Y.Linear;
  if (Z3_get_ast_id(C, First) > Z3_get_ast_id(C, Second))
    std::swap(First, Second);
  expr Product = function("product", {First, Second});
  Definitions.push_back(
      z3::implies(Y.Linear >= 1,
                  X.Linear == Product + Rest.Linear &&
                      Rest.Linear < Y.Linear && Quotient.Linear <= X.Linear &&
                      Product >= 0));
  return WantsRemainder ? Rest : Quotient;
}

IntegerTranslation::Number
IntegerTranslation::divideSigned(const expr &E, bool WantsRemainder) {
  Number X = signedValue(E.arg(0)), Y = signedValue(E.arg(1));
  unsigned Width = widthOf(E);
  if (!Y.isConstant()) {
    APInt Zero(X.Low.getBitWidth(), 0);
    APInt All = APInt::getOneBitSet(X.Low.getBitWidth(), Width) - 1;
    Number Result{function((WantsRemainder ? "srem" : "sdiv") +
                               std::to_string(Width),
                           {X.Linear, Y.Linear}),
                  Zero, All};
    Definitions.push_back(Result.Linear >= 0);
    Definitions.push_back(Result.Linear <= literal(All));
    return Result;
  }
  if (Y.Low.isZero())
    return unknown(Width);
  APInt Divisor = Y.Low.abs();
  APInt Zero(X.Low.getBitWidth(), 0);
  auto Finish = [&](const Number &Quotient, const Number &Rest) {
    if (WantsRemainder)
      return Rest;
    return Y.Low.isNegative() ? sum(constant(Zero), Quotient, true) : Quotient;
  };
  if (!X.Low.isNegative()) {
    auto [Quotient, Rest] = floorDivide(X, Divisor);
    return Finish(Quotient, Rest);
  }
  // Towards zero: the rest has the sign of the dividend.
  std::string Key = "s" + std::to_string(Z3_get_ast_id(C, X.Linear));
  Alive.push_back(X.Linear);
  SmallString<48> Text;
  Divisor.toStringSigned(Text);
  Key += "/" + Text.str().str();
  auto It = Quotients.find({0, Key});
  if (It == Quotients.end()) {
    Number Quotient = fresh(X.Low.sdiv(Divisor), X.High.sdiv(Divisor));
    Number Rest = fresh(-(Divisor - 1), X.High.sgt(0) ? Divisor - 1 : Zero);
    Definitions.push_back(X.Linear ==
                          literal(Divisor) * Quotient.Linear + Rest.Linear);
    Definitions.push_back(z3::implies(X.Linear >= 0, Rest.Linear >= 0));
    Definitions.push_back(z3::implies(X.Linear <= 0, Rest.Linear <= 0));
    It = Quotients.try_emplace({0, Key}, Quotient, Rest).first;
  }
  return Finish(It->second.first, It->second.second);
}

} // namespace unravel::refinement
