//===- MinMaxTest.cpp - Minimum and maximum of forms ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every pair of forms at every point of small boxes, then each rule of
// MinMax.cpp alone, with its _negative twin.
//
//===----------------------------------------------------------------------===//

#include "test/unit/FloorBasisTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class MinMaxTest : public FloorBasisFixture {};

TEST(MinMaxValues, EveryPairOfForms) {
  for (const auto &Ranges : BoxesOfTwo) {
    Box B(Ranges);
    FloorBasis Basis(B.Domain);
    std::vector<Sample> Forms;
    for (int64_t C0 : {-3, 0, 1, 2})
      for (int64_t C1 : {-2, 0, 1})
        for (int64_t K : {-3, 0, 4})
          Forms.push_back(B.linear({C0, C1}, K));
    for (int64_t D : {2, 3})
      for (const Division &Op : Divisions)
        Forms.push_back(Op(Basis, B.linear({1, 2}, -1), D));
    for (const Sample &X : Forms)
      for (const Sample &Y : Forms) {
        Sample Least = minOf(Basis, X, Y), Most = maxOf(Basis, X, Y);
        B.check(Basis, Least);
        B.check(Basis, Most);
        EXPECT_EQ(B.Context.add(Least.E, Most.E), B.Context.add(X.E, Y.E))
            << Least.Text;
        EXPECT_EQ(Basis.min(X.E, Y.E), Basis.min(Y.E, X.E)) << Least.Text;
        B.check(Basis, Divisions[0](Basis, Least, 3));
        B.check(Basis, minOf(Basis, Most, B.Variables[0]));
      }
  }
}

TEST_F(MinMaxTest, MinimumOfAKnownOrder) {
  IndexExpr X = var("x", {0, 10}), Y = var("y", {10, 20});
  EXPECT_EQ(Basis.min(X, Y), X);
  EXPECT_EQ(Basis.max(X, Y), Y);
  EXPECT_EQ(Basis.min(X, X), X);
  EXPECT_EQ(Basis.min(Basis.floorMod(Y, 7), num(6)), Basis.floorMod(Y, 7));
}

TEST_F(MinMaxTest, MinimumOfAKnownOrder_negative) {
  IndexExpr X = var("x", {0, 11}), Y = var("y", {10, 20});
  EXPECT_NE(Basis.min(X, Y), X);
  EXPECT_NE(Basis.max(X, Y), Y);
  EXPECT_NE(Basis.min(Basis.floorMod(Y, 7), num(5)), Basis.floorMod(Y, 7));
}

/// A sum of quotients is not their difference.
TEST(MinMax, MinimumOfQuotientsThatAddUp_negative) {
  Box B({{-7, 7}, {-7, 7}});
  FloorBasis Basis(B.Domain);
  Box::Sample X = Divisions[0](Basis, B.Variables[0], 3);
  Box::Sample Y = Divisions[0](Basis, B.Variables[1], 3);
  B.check(Basis, minOf(Basis, B.add(X, Y, 2), Y));
  B.check(Basis, minOf(Basis, X, B.add(X, Y, -1)));
}

TEST_F(MinMaxTest, MinimumKeepsWhatBothShare) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Least = Basis.min(X, Y);
  EXPECT_EQ(Basis.min(Y, X), Least);
  EXPECT_EQ(Basis.min(add(X, Y), add(X, X)), add(X, Basis.min(Y, X)));
  EXPECT_EQ(Basis.min(Context.scale(X, 6), Context.scale(Y, 6)),
            Context.scale(Least, 6));
  EXPECT_EQ(Basis.max(Context.negate(X), Context.negate(Y)),
            Context.negate(Least));
  EXPECT_EQ(text(Basis.min(X, num(31))), "min(x - 31, 0) + 31");
}

TEST_F(MinMaxTest, MinimumKeepsWhatBothShare_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  EXPECT_NE(Basis.min(Context.scale(X, 6), Context.scale(Y, 4)),
            Context.scale(Basis.min(X, Y), 2));
}

/// Quotients by the same divisor grow with their dividends.
TEST_F(MinMaxTest, MinimumOfQuotients) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr P = Basis.floorDiv(X, 4), Q = Basis.floorDiv(Y, 4);
  EXPECT_EQ(Basis.min(P, Q), Basis.floorDiv(Basis.min(X, Y), 4));
  EXPECT_EQ(Basis.max(P, Q), Basis.floorDiv(Basis.max(X, Y), 4));
  EXPECT_EQ(Basis.min(Context.add(P, 2), Q),
            Basis.floorDiv(Basis.min(Context.add(X, 8), Y), 4));
  EXPECT_EQ(Basis.max(add(P, X), add(Q, X)),
            add(X, Basis.floorDiv(Basis.max(X, Y), 4)));
  EXPECT_EQ(Basis.min(Context.negate(P), Context.negate(Q)),
            Context.negate(Basis.floorDiv(Basis.max(X, Y), 4)));
  EXPECT_EQ(
      Basis.min(Context.sub(num(3), P), Context.negate(Q)),
      Context.negate(Basis.floorDiv(Basis.max(Context.add(X, -12), Y), 4)));
  IndexExpr S = Basis.truncDiv(X, 4), T = Basis.truncDiv(Y, 4);
  EXPECT_EQ(Basis.min(S, T), Basis.truncDiv(Basis.min(X, Y), 4));
  EXPECT_EQ(Basis.max(S, T), Basis.truncDiv(Basis.max(X, Y), 4));
}
TEST_F(MinMaxTest, MinimumOfQuotients_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr P = Basis.floorDiv(X, 4), Q = Basis.floorDiv(Y, 4);
  EXPECT_EQ(countDivisions(Basis.min(P, Basis.floorDiv(Y, 5))), 2u);
  EXPECT_EQ(countDivisions(Basis.min(P, Basis.truncDiv(Y, 4))), 2u);
  EXPECT_EQ(countDivisions(Basis.min(P, Context.scale(Q, 2))), 2u);
  EXPECT_EQ(countDivisions(Basis.min(P, add(Q, X))), 2u);
  // tdiv(x, 4) + 1 is not tdiv(x + 4, 4).
  EXPECT_EQ(countDivisions(Basis.min(Context.add(Basis.truncDiv(X, 4), 1),
                                     Basis.truncDiv(Y, 4))),
            2u);
  // Coefficients at the ends of 64 bits (UBSan).
  const int64_t Max = Interval::PlusInfinity;
  Basis.min(Context.scale(P, Max), Context.scale(Q, -Max));
  Basis.min(Context.add(P, Max), Q);
  Basis.max(Context.add(P, -Max), Q);
}
TEST(MinMaxValues, Quotients) {
  Box B({Interval(-9, 9), Interval(-7, 8)});
  FloorBasis Basis(B.Domain);
  for (const Division &Op : Divisions)
    for (int64_t D : {2, 3, -4})
      for (int64_t K : {-5, -1, 0, 1, 4})
        for (int64_t S : {-1, 1}) {
          Sample P = Op(Basis, B.Variables[0], D);
          Sample Q = Op(Basis, B.linear({0, 1}, 2), D);
          Sample R = B.add(B.add(P, P, S - 1), B.linear({0, 0}, K));
          Sample T = B.add(Q, Q, S - 1);
          B.check(Basis, minOf(Basis, R, T));
          B.check(Basis, maxOf(Basis, R, T));
          B.check(Basis, minOf(Basis, B.add(R, P, 2), B.add(T, P, 2)));
        }
}

/// min(min(x, 5), y) with an operand that is never the least.
TEST_F(MinMaxTest, NestedMinima) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Least = Basis.min(X, num(5));
  EXPECT_EQ(Basis.min(Least, num(3)), Basis.min(X, num(3)));
  EXPECT_EQ(Basis.min(Least, num(9)), Least);
  EXPECT_EQ(Basis.min(num(3), Least), Basis.min(X, num(3)));
  EXPECT_EQ(Basis.max(Basis.max(X, num(5)), num(3)), Basis.max(X, num(5)));
  EXPECT_EQ(Basis.min(Basis.min(X, Y), add(X, num(1))), Basis.min(X, Y));
}
TEST_F(MinMaxTest, NestedMinima_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Least = Basis.min(X, num(5));
  EXPECT_NE(Basis.min(Least, Y), Basis.min(X, Y));
  EXPECT_NE(Basis.min(Least, num(4)), Least);
  EXPECT_NE(Basis.max(Least, num(3)), num(5));
  EXPECT_NE(Basis.max(Least, num(4)), Least);
}
TEST(MinMaxValues, NestedMinima) {
  Box B({Interval(-6, 6), Interval(-4, 5)});
  FloorBasis Basis(B.Domain);
  std::vector<Sample> Forms;
  for (int64_t K : {-4, 0, 3})
    for (int64_t C : {-1, 0, 2})
      Forms.push_back(B.linear({1, C}, K));
  for (int64_t K : {-6, -2, 1, 5})
    Forms.push_back(B.linear({}, K));
  for (const Sample &X : Forms)
    for (const Sample &Y : Forms) {
      Sample Least = minOf(Basis, X, Y), Most = maxOf(Basis, X, Y);
      for (const Sample &Z : Forms) {
        B.check(Basis, minOf(Basis, Least, Z));
        B.check(Basis, maxOf(Basis, Least, Z));
        B.check(Basis, minOf(Basis, Most, Z));
        B.check(Basis, maxOf(Basis, Most, Z));
      }
    }
}

} // namespace
