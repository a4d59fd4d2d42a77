//===- FloorBasisNestingTest.cpp - Quotients of quotients -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/FloorBasisTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class FloorBasisNestingTest : public FloorBasisFixture {};

TEST_F(FloorBasisNestingTest, NestedFloorsFlatten) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Q = Basis.floorDiv(X, 3);
  EXPECT_EQ(Basis.floorDiv(Q, 5), Basis.floorDiv(X, 15));
  EXPECT_EQ(text(Basis.floorDiv(add(Q, Y), 5)), "(x + 3 * y) floordiv 15");
  EXPECT_EQ(text(Basis.floorDiv(Context.add(Q, 2), 5)), "(x + 6) floordiv 15");
  // Of a thread's four elements; some of these quotients are mirrored, and have
  // the coefficient -1 then.
  IndexExpr First = add(Context.scale(X, 4), Y, 512);
  for (int64_t Next = 0; Next < 4; ++Next) {
    IndexExpr N = Context.add(First, Next);
    EXPECT_EQ(Basis.floorDiv(Basis.floorDiv(N, 3), 160),
              Basis.floorDiv(N, 480));
  }
}
TEST_F(FloorBasisNestingTest, NestedFloorsFlatten_negative) {
  IndexExpr X = var("x", Interval());
  IndexExpr Q = Basis.floorDiv(X, 3);
  EXPECT_EQ(text(Basis.floorDiv(Context.scale(Q, 2), 5)),
            "(2 * (x floordiv 3)) floordiv 5");
  // A swizzle; nothing says that the quotient was one of a whole.
  IndexExpr Row = Basis.floorDiv(X, 32);
  EXPECT_EQ(countDivisions(Basis.floorDiv(add(X, Row, -1), 32)), 2u);
  EXPECT_EQ(text(Basis.floorDiv(Basis.truncDiv(X, 3), 5)),
            "tdiv(x, 3) floordiv 5");
  // The product of the divisors leaves 64 bits.
  const int64_t Big = int64_t(1) << 40;
  EXPECT_EQ(countDivisions(Basis.floorDiv(Basis.floorDiv(X, Big), Big)), 2u);
}

/// With other floors around, flattening must save a division.
TEST_F(FloorBasisNestingTest, FlattenBesideOtherFloors) {
  IndexExpr X = var("x", Index);
  IndexExpr Third = Basis.floorDiv(X, 3), Sixth = Basis.floorDiv(X, 6);
  IndexExpr E = Basis.floorDiv(add(Sixth, Third, 3), 4);
  EXPECT_EQ(countDivisions(E), 2u); // x/3 and the outer one
}
TEST_F(FloorBasisNestingTest, FlattenBesideOtherFloors_negative) {
  IndexExpr X = var("x", Index), Y = var("y", Index);
  IndexExpr Sixth = Basis.floorDiv(X, 6);
  IndexExpr Other = Basis.floorDiv(add(Y, Sixth, 2), 5); // needs x/6 anyway
  IndexExpr E = Basis.floorDiv(add(Sixth, Other, 3), 4);
  EXPECT_EQ(
      E, Context.rawAtom(IndexAtom::Kind::FloorDiv, add(Sixth, Other, 3), 4));
}

} // namespace
