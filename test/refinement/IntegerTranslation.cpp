//===- IntegerTranslation.cpp - Bit vectors as integers -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerTranslation.h"
#include "SymbolicValue.h"
#include "WideNumbers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

//===----------------------------------------------------------------------===//
// Bounds that facts state
//===----------------------------------------------------------------------===//

/// Comparisons of words with numbers.
void IntegerTranslation::learnBounds(const expr &Fact) {
  bool Holds = true;
  expr E = Fact;
  for (; E.is_not(); E = E.arg(0))
    Holds = !Holds;
  if (!E.is_app() || E.num_args() != 2 || !E.arg(0).is_bv())
    return;
  bool IsSwapped = bool(numberIn(E.arg(0)));
  expr Word = E.arg(IsSwapped ? 1 : 0);
  std::optional<APInt> N = numberIn(E.arg(IsSwapped ? 0 : 1));
  if (!N || numberIn(Word))
    return;
  Z3_decl_kind Kind = E.decl().decl_kind();
  if (Kind == Z3_OP_EQ) {
    if (Holds)
      learn(unsignedValue(Word), N->zext(WideBits), N->zext(WideBits));
    return;
  }
  auto IsAny = [&](std::initializer_list<Z3_decl_kind> Kinds) {
    return is_contained(Kinds, Kind);
  };
  bool Signed = IsAny({Z3_OP_SLEQ, Z3_OP_SLT, Z3_OP_SGEQ, Z3_OP_SGT});
  if (!Signed && !IsAny({Z3_OP_ULEQ, Z3_OP_ULT, Z3_OP_UGEQ, Z3_OP_UGT}))
    return;
  bool Less = IsAny({Z3_OP_SLEQ, Z3_OP_SLT, Z3_OP_ULEQ, Z3_OP_ULT});
  bool Strict = IsAny({Z3_OP_SLT, Z3_OP_SGT, Z3_OP_ULT, Z3_OP_UGT});
  if (IsSwapped)
    Less = !Less;
  if (!Holds) {
    Less = !Less;
    Strict = !Strict;
  }
  Number V = value(Word, Signed);
  APInt Limit = Signed ? N->sext(WideBits) : N->zext(WideBits);
  if (Strict && Less)
    --Limit;
  else if (Strict)
    ++Limit;
  learn(V, Less ? V.Low : Limit, Less ? Limit : V.High);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

std::vector<expr>
IntegerTranslation::translate(const std::vector<expr> &Facts) {
  for (const expr &Fact : Facts)
    learnBounds(Fact);
  std::vector<expr> Result;
  for (const expr &Fact : Facts)
    Result.push_back(condition(Fact));
  Result.insert(Result.end(), Definitions.begin(), Definitions.end());
  return Result;
}

expr IntegerTranslation::condition(const expr &E) {
  unsigned Id = Z3_get_ast_id(C, E);
  if (auto It = Conditions.find(Id); It != Conditions.end())
    return It->second;
  Alive.push_back(E);
  return Conditions.try_emplace(Id, conditionUncached(E)).first->second;
}

expr IntegerTranslation::isEqual(const expr &A, const expr &B) {
  APInt Modulus = power(widthOf(A));
  Number D = sum(word(A), word(B), /*Negated=*/true);
  if (D.isConstant())
    return C.bool_val(D.Constant.srem(Modulus).isZero());
  if (D.Low.sgt(-Modulus) && D.High.slt(Modulus))
    return expression(D) == 0;
  return expression(floorDivide(D, Modulus).second) == 0;
}

expr IntegerTranslation::conditionUncached(const expr &E) {
  if (!E.is_app())
    return C.bool_const(("b!" + std::to_string(Count++)).c_str());
  auto Compare = [&](bool Signed) {
    return std::pair(expression(value(E.arg(0), Signed)),
                     expression(value(E.arg(1), Signed)));
  };
  Z3_decl_kind Kind = E.decl().decl_kind();
  switch (Kind) {
  case Z3_OP_TRUE:
  case Z3_OP_FALSE:
    return E;
  case Z3_OP_NOT:
    return !condition(E.arg(0));
  case Z3_OP_AND:
  case Z3_OP_OR: {
    z3::expr_vector Parts(C);
    for (unsigned I = 0; I < E.num_args(); ++I)
      Parts.push_back(condition(E.arg(I)));
    return Kind == Z3_OP_AND ? z3::mk_and(Parts) : z3::mk_or(Parts);
  }
  case Z3_OP_ITE:
    return z3::ite(condition(E.arg(0)), condition(E.arg(1)),
                   condition(E.arg(2)));
  case Z3_OP_EQ:
    return E.arg(0).is_bool() ? condition(E.arg(0)) == condition(E.arg(1))
                              : isEqual(E.arg(0), E.arg(1));
  case Z3_OP_DISTINCT:
    if (E.num_args() == 2)
      return E.arg(0).is_bool() ? condition(E.arg(0)) != condition(E.arg(1))
                                : !isEqual(E.arg(0), E.arg(1));
    break;
  case Z3_OP_ULEQ:
  case Z3_OP_SLEQ: {
    auto [A, B] = Compare(Kind == Z3_OP_SLEQ);
    return A <= B;
  }
  case Z3_OP_ULT:
  case Z3_OP_SLT: {
    auto [A, B] = Compare(Kind == Z3_OP_SLT);
    return A < B;
  }
  case Z3_OP_UGEQ:
  case Z3_OP_SGEQ: {
    auto [A, B] = Compare(Kind == Z3_OP_SGEQ);
    return A >= B;
  }
  case Z3_OP_UGT:
  case Z3_OP_SGT: {
    auto [A, B] = Compare(Kind == Z3_OP_SGT);
    return A > B;
  }
  case Z3_OP_UNINTERPRETED: {
    if (!E.num_args())
      return E;
    return expression(opaque(E.decl().name().str() + "!b", arguments(E),
                             small(0), small(1))) == 1;
  }
  default:
    break;
  }
  return C.bool_const(("b!" + std::to_string(Count++)).c_str());
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

IntegerTranslation::Number IntegerTranslation::word(const expr &E) {
  unsigned Id = Z3_get_ast_id(C, E);
  if (auto It = Words.find(Id); It != Words.end()) {
    tighten(It->second);
    return It->second;
  }
  Alive.push_back(E);
  Number N = wordUncached(E);
  return Words.try_emplace(Id, N).first->second;
}

/// The number in [0, 2^w) or [-2^(w-1), 2^(w-1)) that a word is.
IntegerTranslation::Number IntegerTranslation::value(const expr &E,
                                                     bool Signed) {
  unsigned Width = widthOf(E), Id = Z3_get_ast_id(C, E);
  if (auto It = Values[Signed].find(Id); It != Values[Signed].end()) {
    tighten(It->second);
    return It->second;
  }
  Number N = word(E);
  tighten(N);
  APInt Modulus = power(Width);
  APInt Low = Signed ? -power(Width - 1) : small(0);
  APInt High = Low + Modulus - 1;
  auto Remember = [&](const Number &Result) {
    Alive.push_back(E);
    return Values[Signed].try_emplace(Id, Result).first->second;
  };
  if (N.Low.sge(Low) && N.High.sle(High))
    return Remember(N);
  APInt First = floorDiv(N.Low - Low, Modulus);
  APInt Last = floorDiv(N.High - Low, Modulus);
  if (First == Last)
    return Remember(sum(N, constant(-(First * Modulus))));
  // The other reading is known: they differ by 0 or 2^w.
  if (auto Other = Values[!Signed].find(Id); Other != Values[!Signed].end()) {
    N = Other->second;
    if (N.Low.sge(Low) && N.High.sle(High))
      return Remember(N);
    First = floorDiv(N.Low - Low, Modulus);
    Last = floorDiv(N.High - Low, Modulus);
  }
  Number Result = sum(N, scaled(fresh(First, Last), Modulus), true);
  define(expression(Result) >= literal(Low));
  define(expression(Result) <= literal(High));
  learn(Result, Low, High);
  tighten(Result);
  return Remember(Result);
}

IntegerTranslation::Number IntegerTranslation::unknown(unsigned Width) {
  return fresh(small(0), power(Width) - 1);
}

IntegerTranslation::Number IntegerTranslation::wordUncached(const expr &E) {
  unsigned Width = widthOf(E);
  if (std::optional<APInt> N = numberIn(E))
    return constant(Width > 1 ? N->sext(WideBits) : N->zext(WideBits));
  if (!E.is_app())
    return unknown(Width);
  auto Fold = [&](auto Combine) {
    Number Result = word(E.arg(0));
    for (unsigned I = 1; I < E.num_args(); ++I)
      Result = Combine(Result, word(E.arg(I)));
    return Result;
  };
  switch (E.decl().decl_kind()) {
  case Z3_OP_BADD:
    return Fold([&](auto &A, auto B) { return sum(A, B); });
  case Z3_OP_BSUB:
    return Fold([&](auto &A, auto B) { return sum(A, B, true); });
  case Z3_OP_BNEG:
    return scaled(word(E.arg(0)), small(-1));
  case Z3_OP_BNOT:
    return sum(constant(small(-1)), word(E.arg(0)), true);
  case Z3_OP_BMUL:
    if (E.num_args() == 2)
      return product(E.arg(0), E.arg(1));
    break;
  case Z3_OP_BAND:
    if (E.num_args() == 2)
      return bitAnd(E.arg(0), E.arg(1));
    break;
  case Z3_OP_BOR: // a + b is what is in one plus what is in both, twice
    if (E.num_args() == 2)
      return sum(sum(unsignedValue(E.arg(0)), unsignedValue(E.arg(1))),
                 bitAnd(E.arg(0), E.arg(1)), true);
    break;
  case Z3_OP_BXOR:
    if (E.num_args() == 2)
      return sum(sum(unsignedValue(E.arg(0)), unsignedValue(E.arg(1))),
                 scaled(bitAnd(E.arg(0), E.arg(1)), small(-2)));
    break;
  case Z3_OP_BSHL:
    if (auto Amount = numberIn(E.arg(1)))
      return Amount->uge(Width)
                 ? constant(small(0))
                 : scaled(word(E.arg(0)), power(Amount->getZExtValue()));
    break;
  case Z3_OP_BLSHR:
    if (auto Amount = numberIn(E.arg(1)))
      return Amount->uge(Width) ? constant(small(0))
                                : floorDivide(unsignedValue(E.arg(0)),
                                              power(Amount->getZExtValue()))
                                      .first;
    break;
  case Z3_OP_BASHR:
    if (auto Amount = numberIn(E.arg(1)))
      return floorDivide(signedValue(E.arg(0)),
                         power(std::min<uint64_t>(Amount->getLimitedValue(),
                                                  Width - 1)))
          .first;
    break;
  case Z3_OP_BUDIV:
  case Z3_OP_BUDIV_I:
    return divideUnsigned(E, false);
  case Z3_OP_BUREM:
  case Z3_OP_BUREM_I:
    return divideUnsigned(E, true);
  case Z3_OP_BSDIV:
  case Z3_OP_BSDIV_I:
    return divideSigned(E, false);
  case Z3_OP_BSREM:
  case Z3_OP_BSREM_I:
    return divideSigned(E, true);
  case Z3_OP_ZERO_EXT:
    return unsignedValue(E.arg(0));
  case Z3_OP_SIGN_EXT:
    return signedValue(E.arg(0));
  case Z3_OP_CONCAT: {
    Number Result = constant(small(0));
    for (unsigned I = 0; I < E.num_args(); ++I)
      Result = sum(scaled(Result, power(widthOf(E.arg(I)))),
                   unsignedValue(E.arg(I)));
    return Result;
  }
  case Z3_OP_EXTRACT:
    return extract(E);
  case Z3_OP_ITE:
    return chosen(E);
  case Z3_OP_UNINTERPRETED:
    return application(E);
  default:
    break;
  }
  return unknown(Width);
}

IntegerTranslation::Number IntegerTranslation::extract(const expr &E) {
  unsigned High = E.hi(), Low = E.lo();
  if (Low == 0) // arithmetic modulo 2^w is arithmetic modulo fewer bits
    return word(E.arg(0));
  Number Shifted = floorDivide(unsignedValue(E.arg(0)), power(Low)).first;
  if (High + 1 == widthOf(E.arg(0)))
    return Shifted;
  return floorDivide(Shifted, power(High - Low + 1)).second;
}

IntegerTranslation::Number IntegerTranslation::chosen(const expr &E) {
  expr Condition = condition(E.arg(0));
  Number Then = word(E.arg(1)), Else = word(E.arg(2));
  Number Result =
      fresh(smaller(Then.Low, Else.Low), larger(Then.High, Else.High));
  expr Value = expression(Result);
  define(z3::implies(Condition, Value == expression(Then)));
  define(z3::implies(!Condition, Value == expression(Else)));
  return Result;
}

std::vector<IntegerTranslation::Number>
IntegerTranslation::arguments(const expr &E) {
  std::vector<Number> Result;
  for (unsigned I = 0; I < E.num_args(); ++I) {
    if (!E.arg(I).is_bool()) {
      Result.push_back(unsignedValue(E.arg(I)));
      continue;
    }
    expr Bit = z3::ite(condition(E.arg(I)), C.int_val(1), C.int_val(0));
    Result.push_back(variable(Bit, small(0), small(1)));
  }
  return Result;
}

IntegerTranslation::Number IntegerTranslation::application(const expr &E) {
  APInt Most = power(widthOf(E)) - 1;
  std::string Name = E.decl().name().str() + "!i";
  if (E.num_args())
    return opaque(Name, arguments(E), small(0), Most);
  Number Result = variable(C.int_const(Name.c_str()), small(0), Most);
  Variables.emplace_back(E, expression(Result));
  return Result;
}

} // namespace unravel::refinement
