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

/// Both halves of floor(x/8) are the whole.
TEST_F(FloorBasisNestingTest, HalvesAddUp) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Lower = Basis.floorDiv(X, 16);
  IndexExpr Upper = Basis.floorDiv(Context.add(X, 8), 16);
  EXPECT_EQ(Basis.simplify(add(Lower, Upper)), Basis.floorDiv(X, 8));
  EXPECT_EQ(Basis.simplify(add(Y, add(Lower, Upper), -3)),
            add(Y, Basis.floorDiv(X, 8), -3));
  for (int64_t V = -40; V <= 40; ++V)
    EXPECT_EQ(floorDiv(V, 16) + floorDiv(V + 8, 16), floorDiv(V, 8));
}
TEST_F(FloorBasisNestingTest, HalvesAddUp_negative) {
  IndexExpr X = var("x", Interval());
  IndexExpr Lower = Basis.floorDiv(X, 16);
  for (IndexExpr E : {add(Lower, Basis.floorDiv(Context.add(X, 7), 16)),
                      add(Lower, Basis.floorDiv(Context.add(X, 8), 16), 2),
                      add(Lower, Basis.floorDiv(Context.add(X, 8), 16), -1),
                      add(Lower, Basis.floorDiv(Context.add(X, 8), 32))})
    EXPECT_EQ(Basis.simplify(E), E);
}

/// 2*floor(x/2) - 16*floor(x/16) is 2*floor((x mod 16)/2), which the residues
/// of the coefficients modulo 6 would hide.
TEST_F(FloorBasisNestingTest, DigitsBesideACommonFactor) {
  IndexExpr X = var("x", Index);
  IndexExpr Digit = Basis.floorMod(X, 16);
  IndexExpr Even = Context.scale(Basis.floorDiv(Digit, 2), 2);
  EXPECT_EQ(Basis.floorDiv(Even, 6), Basis.floorDiv(Digit, 6));
}
TEST_F(FloorBasisNestingTest, DigitsBesideACommonFactor_negative) {
  IndexExpr X = var("x", Index);
  IndexExpr Digit = Basis.floorMod(X, 16);
  IndexExpr Even = Context.scale(Basis.floorDiv(Digit, 2), 2);
  EXPECT_NE(Basis.floorDiv(Context.add(Even, 2), 6), Basis.floorDiv(Digit, 6));
}

} // namespace
