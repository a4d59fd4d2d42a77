//===- PolynomialTest.cpp - Sums and products of polynomials --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/Polynomial.h"
#include "test/unit/ProofTestHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// The value of \p P where the variables have these.
DynamicAPInt at(const Polynomial &P, ArrayRef<int64_t> Values) {
  DynamicAPInt Sum(0);
  for (const auto &[M, C] : P.terms()) {
    DynamicAPInt Term = C;
    for (unsigned V : M)
      Term *= DynamicAPInt(Values[V]);
    Sum += Term;
  }
  return Sum;
}

/// Up to four terms of up to three of three variables.
Polynomial random(std::mt19937 &Random) {
  Polynomial Sum;
  for (unsigned Terms = Random() % 5; Terms > 0; --Terms) {
    Polynomial Term(int64_t(Random() % 11) - 5);
    for (unsigned Factors = Random() % 4; Factors > 0; --Factors)
      Term = Term * v(Random() % 3);
    Sum = Sum + Term;
  }
  return Sum;
}

/// What the class promises of the terms: in order, none twice, none 0.
bool isNormal(const Polynomial &P) {
  for (size_t I = 0; I < P.terms().size(); ++I) {
    const auto &[M, C] = P.terms()[I];
    if (C == 0 || !is_sorted(M))
      return false;
    if (I == 0)
      continue;
    const Monomial &Before = P.terms()[I - 1].first;
    if (Before.size() > M.size() ||
        (Before.size() == M.size() && !(Before < M)))
      return false;
  }
  return true;
}

TEST(Polynomial, TermsAreCollected) {
  EXPECT_EQ((v(0) + v(1)) * (v(0) - v(1)), v(0) * v(0) - v(1) * v(1));
  EXPECT_EQ((v(1) * v(0)), (v(0) * v(1)));
  EXPECT_TRUE((v(0) - v(0)).terms().empty());
  EXPECT_TRUE((v(0) * Polynomial(0)).terms().empty());
  EXPECT_EQ(Polynomial::monomial({0, 1}), v(0) * v(1));
  EXPECT_TRUE(Polynomial(0).terms().empty());
}

TEST(Polynomial, TermsAreCollectedNegative) {
  EXPECT_NE((v(0) + v(1)) * (v(0) + v(1)), v(0) * v(0) + v(1) * v(1));
  EXPECT_NE(v(0), v(1));
  EXPECT_NE(v(0) * v(0), v(0));
  EXPECT_NE(v(0), v(0) * DynamicAPInt(2));
}

TEST(Polynomial, OperationsAreThoseOfTheValues) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round < 2000; ++Round) {
    Polynomial P = random(Random), Q = random(Random);
    int64_t Values[3];
    for (int64_t &Value : Values)
      Value = int64_t(Random() % 21) - 10;
    DynamicAPInt A = at(P, Values), B = at(Q, Values);
    EXPECT_EQ(at(P + Q, Values), A + B) << P.text() << ", " << Q.text();
    EXPECT_EQ(at(P - Q, Values), A - B) << P.text() << ", " << Q.text();
    EXPECT_EQ(at(P * Q, Values), A * B) << P.text() << ", " << Q.text();
    EXPECT_EQ(at(-P, Values), -A) << P.text();
    EXPECT_EQ(at(P * DynamicAPInt(-3), Values), A * DynamicAPInt(-3));
    EXPECT_EQ(at(P + 7, Values), A + 7);
    for (const Polynomial &Result : {P, P + Q, P - Q, P * Q, -P})
      EXPECT_TRUE(isNormal(Result)) << Result.text();
    // Polynomials with the same text are the same.
    EXPECT_EQ(P == Q, P.text() == Q.text());
    EXPECT_EQ((P < Q) + (Q < P) + (P == Q), 1) << P.text() << ", " << Q.text();
  }
}

TEST(Polynomial, TheOrderIsTransitive) {
  std::mt19937 Random(2);
  for (unsigned Round = 0; Round < 2000; ++Round) {
    Polynomial P = random(Random), Q = random(Random), R = random(Random);
    EXPECT_TRUE(!(P < Q && Q < R) || P < R)
        << P.text() << ", " << Q.text() << ", " << R.text();
  }
}

TEST(Polynomial, ConstantAndDegree) {
  Polynomial P = v(2) * v(0) * DynamicAPInt(6) - v(1) * DynamicAPInt(4) + 7;
  EXPECT_EQ(P.constant(), 7);
  EXPECT_EQ(P.degree(), 2u);
  EXPECT_EQ(P.gcdOfCoefficients(), 2);
  EXPECT_FALSE(P.isConstant());
  EXPECT_EQ((P - 7).constant(), 0);
  EXPECT_TRUE(Polynomial(-3).isConstant());
  EXPECT_TRUE(Polynomial(0).isConstant());
  EXPECT_EQ(Polynomial(-3).gcdOfCoefficients(), 0);
  EXPECT_EQ(Polynomial(-3).degree(), 0u);
}

TEST(Polynomial, MappedDropsWhatBecomesZero) {
  Polynomial P = v(0) * DynamicAPInt(3) + v(1) - 1;
  EXPECT_EQ(P.mapped([](const Monomial &, const DynamicAPInt &C) {
    return floorDiv(C, DynamicAPInt(2));
  }),
            v(0) - 1);
}

TEST(Polynomial, CoefficientsHaveNoLimit) {
  Polynomial P = v(0) + 1;
  Polynomial Power(1);
  for (unsigned I = 0; I < 100; ++I)
    Power = Power * P;
  // 2^100, by the binomial coefficients.
  DynamicAPInt Expected(1);
  for (unsigned I = 0; I < 100; ++I)
    Expected *= 2;
  EXPECT_EQ(at(Power, {1}), Expected);
  EXPECT_EQ(at(Power, {-1}), 0);
}

TEST(Polynomial, Text) {
  EXPECT_EQ((v(0) * v(1) * DynamicAPInt(3) - v(2) + 7).text(),
            "3*v0*v1 - v2 + 7");
  EXPECT_EQ((-v(2) - 1).text(), "-v2 - 1");
  EXPECT_EQ(Polynomial(0).text(), "0");
  EXPECT_EQ(Polynomial(-1).text(), "-1");
}

} // namespace
