//===- IntegerTranslation.h - Bit vectors as integers -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// States a question about bit vectors in linear integer arithmetic, where
// x = 75 * q + r with 0 <= r < 75 is easy and a 32-bit divider is not. A word
// is a linear expression modulo 2^w; it is reduced, with a variable for the
// multiple of 2^w, only where its value matters. What is not linear becomes an
// uninterpreted function, so the integer question has every solution that the
// bit vectors have, and maybe more: "unsatisfiable" carries over, nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_REFINEMENT_INTEGERTRANSLATION_H
#define UNRAVEL_TEST_REFINEMENT_INTEGERTRANSLATION_H

#include "llvm/ADT/APInt.h"
#include <functional>
#include <map>
#include <optional>
#include <vector>
#include <z3++.h>

namespace unravel::refinement {

class IntegerTranslation {
public:
  explicit IntegerTranslation(z3::context &C) : C(C) {}

  /// The facts in integers, with the definitions that they need.
  std::vector<z3::expr> translate(const std::vector<z3::expr> &Facts);

  /// The bit vector variables and the integers that stand for them.
  std::vector<std::pair<z3::expr, z3::expr>> Variables;

private:
  /// A sum over integer variables that is congruent to a word, and lies in
  /// [Low, High].
  struct Number {
    std::map<unsigned, llvm::APInt> Terms; // variable -> coefficient
    llvm::APInt Constant, Low, High;
    bool isConstant() const { return Terms.empty(); }
  };
  struct Range {
    llvm::APInt Low, High;
  };

  void learnBounds(const z3::expr &Fact);
  void learn(const Number &N, const llvm::APInt &Low, const llvm::APInt &High);

  z3::expr condition(const z3::expr &E);
  z3::expr conditionUncached(const z3::expr &E);
  z3::expr isEqual(const z3::expr &A, const z3::expr &B);
  Number word(const z3::expr &E);
  Number wordUncached(const z3::expr &E);
  Number value(const z3::expr &E, bool Signed);
  Number unsignedValue(const z3::expr &E) { return value(E, false); }
  Number signedValue(const z3::expr &E) { return value(E, true); }

  Number bitAnd(const z3::expr &A, const z3::expr &B);
  Number product(const z3::expr &A, const z3::expr &B);
  Number times(const Number &X, const Number &Y);
  std::vector<Number> inOrder(const Number &X, const Number &Y);
  Number divideUnsigned(const z3::expr &E, bool WantsRemainder);
  Number divideSigned(const z3::expr &E, bool WantsRemainder);
  Number extract(const z3::expr &E);
  Number chosen(const z3::expr &E);
  Number application(const z3::expr &E);
  std::vector<Number> arguments(const z3::expr &E);
  Number unknown(unsigned Width);
  unsigned trailingZeros(const z3::expr &E);

  // Integers.
  Number constant(const llvm::APInt &N);
  Number sum(const Number &A, const Number &B, bool Negated = false);
  Number scaled(const Number &A, const llvm::APInt &Factor);
  /// The quotient, rounded down, and the remainder by a positive number.
  std::pair<Number, Number> floorDivide(const Number &A,
                                        const llvm::APInt &Divisor);
  Number variable(const z3::expr &E, const llvm::APInt &Low,
                  const llvm::APInt &High);
  Number fresh(const llvm::APInt &Low, const llvm::APInt &High);
  /// The result of a function that is only known to be one.
  Number opaque(const std::string &Name, const std::vector<Number> &Arguments,
                const llvm::APInt &Low, const llvm::APInt &High);
  z3::expr literal(const llvm::APInt &N);
  z3::expr expression(const Number &N);
  void define(const z3::expr &E) { Definitions.push_back(E); }
  void tighten(Number &N);
  /// The terms without a common factor, whose sign is that of the first one,
  /// and that factor.
  std::pair<std::string, llvm::APInt> shapeOf(const Number &N);

  z3::context &C;
  struct Variable {
    z3::expr E;
    Range Bounds;
  };
  std::vector<Variable> Integers;
  std::map<unsigned, unsigned> IndexOf; // term of Z3 -> index in Integers
  std::vector<z3::expr> Definitions;
  std::map<unsigned, Number> Words, Values[2];
  std::map<unsigned, z3::expr> Conditions;
  std::map<std::string, Range> Known; // shape of a sum -> its bounds
  std::map<std::string, Number> Quotients;
  std::vector<z3::expr> Alive; // keeps the ids above unique
  unsigned Count = 0;
};

} // namespace unravel::refinement

#endif // UNRAVEL_TEST_REFINEMENT_INTEGERTRANSLATION_H
