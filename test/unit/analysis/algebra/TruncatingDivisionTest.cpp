//===- TruncatingDivisionTest.cpp - C's quotient, rule by rule ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule of TruncatingDivision.cpp alone, with its _negative twin; the
// values are compared in FloorBasisTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "test/unit/FloorBasisTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class TruncatingDivisionTest : public FloorBasisFixture {};

TEST_F(TruncatingDivisionTest, TruncationOfAKnownSignIsAFloor) {
  IndexExpr X = var("x", {0, 1000}), Y = var("y", {-1000, 0});
  EXPECT_EQ(Basis.truncDiv(X, 75), Basis.floorDiv(X, 75));
  EXPECT_EQ(Basis.truncDiv(Y, 75), Basis.ceilDiv(Y, 75));
  EXPECT_EQ(Basis.truncDiv(var("z", {-74, 74}), 75), num(0));
}

TEST_F(TruncatingDivisionTest, TruncationOfAKnownSignIsAFloor_negative) {
  EXPECT_EQ(text(Basis.truncDiv(var("x", {-1, 1000}), 75)), "tdiv(x, 75)");
  EXPECT_EQ(text(Basis.truncDiv(var("y", {-1000, 1}), 75)), "tdiv(y, 75)");
  EXPECT_EQ(text(Basis.truncDiv(var("z", {-75, 74}), 75)), "tdiv(z, 75)");
}

TEST_F(TruncatingDivisionTest, TruncationCancelsFactorsAndSigns) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr F = Context.add(Context.scale(X, 4), 8);
  EXPECT_EQ(text(Basis.truncDiv(F, 12)), "tdiv(x + 2, 3)");
  EXPECT_EQ(Basis.truncDiv(F, 4), Context.add(X, 2));
  EXPECT_EQ(Basis.truncDiv(Context.sub(Y, X), 3),
            Context.negate(Basis.truncDiv(Context.sub(X, Y), 3)));
}

TEST_F(TruncatingDivisionTest, TruncationCancelsFactorsAndSigns_negative) {
  IndexExpr X = var("x", Interval());
  IndexExpr F = Context.add(Context.scale(X, 4), 3);
  EXPECT_EQ(text(Basis.truncDiv(F, 12)), "tdiv(4 * x + 3, 12)");
  // (12*x - 1)/12 is not x - 1 + ...: no multiple moves out of a tdiv.
  F = Context.add(Context.scale(X, 12), -1);
  EXPECT_EQ(text(Basis.truncDiv(F, 12)), "tdiv(12 * x - 1, 12)");
}

TEST_F(TruncatingDivisionTest, TruncationOfTruncation) {
  IndexExpr X = var("x", Interval());
  EXPECT_EQ(Basis.truncDiv(Basis.truncDiv(X, 3), 5), Basis.truncDiv(X, 15));
  EXPECT_EQ(Basis.truncDiv(Basis.truncDiv(X, -3), 5),
            Context.negate(Basis.truncDiv(X, 15)));
}

TEST_F(TruncatingDivisionTest, TruncationOfTruncation_negative) {
  IndexExpr X = var("x", Interval());
  IndexExpr Q = Basis.truncDiv(X, 3);
  EXPECT_EQ(text(Basis.truncDiv(Context.add(Q, 1), 5)),
            "tdiv(tdiv(x, 3) + 1, 5)");
  EXPECT_EQ(text(Basis.truncDiv(Basis.floorDiv(X, 3), 5)),
            "tdiv(x floordiv 3, 5)");
  const int64_t Big = int64_t(1) << 40;
  EXPECT_EQ(countDivisions(Basis.truncDiv(Basis.truncDiv(X, Big), Big)), 2u);
}

TEST_F(TruncatingDivisionTest, TruncatedQuotientOfARemainder) {
  IndexExpr X = var("x", Interval());
  IndexExpr Rem = Basis.truncMod(X, 3000);
  EXPECT_EQ(Basis.truncDiv(Rem, 75),
            add(Basis.truncDiv(X, 75), Basis.truncDiv(X, 3000), -40));
  EXPECT_EQ(text(Basis.truncDiv(Rem, 75)), "tmod(tdiv(x, 75), 40)");
  EXPECT_EQ(Basis.truncMod(Rem, 75), Basis.truncMod(X, 75));
}

TEST_F(TruncatingDivisionTest, TruncatedQuotientOfARemainder_negative) {
  IndexExpr X = var("x", Interval());
  IndexExpr Rem = Basis.truncMod(X, 3000);
  EXPECT_EQ(text(Basis.truncDiv(Rem, 77)), "tdiv(tmod(x, 3000), 77)");
  EXPECT_EQ(text(Basis.truncDiv(Context.add(Rem, 1), 75)),
            "tdiv(tmod(x, 3000) + 1, 75)");
}

} // namespace
