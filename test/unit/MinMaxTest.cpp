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

#include "FloorBasisTestHelper.h"

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

} // namespace
