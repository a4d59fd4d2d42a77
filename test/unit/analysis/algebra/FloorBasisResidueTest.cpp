//===- FloorBasisResidueTest.cpp - Which residue a quotient is over -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A coefficient can be taken modulo the divisor in several ways, and a dividend
// can be mirrored: what is chosen decides whether the rules fire.
//
//===----------------------------------------------------------------------===//

#include "test/unit/FloorBasisTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class FloorBasisResidueTest : public FloorBasisFixture {};

/// Every residue of three coefficients, beside a quotient of one variable.
TEST(FloorBasisResidues, AtEveryPoint) {
  Box B({Interval(0, 11), Interval(0, 2)});
  FloorBasis Basis(B.Domain);
  for (int64_t Radix : {2, 3, 4})
    for (int64_t Factor : {2, 3})
      for (int64_t C0 = 0; C0 < 6; ++C0)
        for (int64_t C1 = 0; C1 < 12; ++C1)
          for (int64_t C2 : {0, 1, 6})
            for (int64_t K : {0, 1, 5}) {
              Sample X = B.linear({C0, C2}, K);
              Sample Quotient = Divisions[0](Basis, B.linear({1, 0}, 0), Radix);
              Sample F = B.add(X, Quotient, C1);
              B.check(Basis, Divisions[0](Basis, F, Radix * Factor));
            }
}

/// The remainder in 12*x - 11*(x mod 72) + 72*y = 864*(x/72) + (x mod 72) +
/// 72*y shows in the residue -72 of 792 only.
TEST_F(FloorBasisResidueTest, CommonFactorBesideARemainder) {
  IndexExpr X = var("x", {0, 2951}), Y = var("y", Index);
  IndexExpr F =
      add(add(Context.scale(X, 12), Basis.floorMod(X, 72), -11), Y, 72);
  EXPECT_EQ(Basis.floorDiv(F, 864),
            add(Basis.floorDiv(X, 72), Basis.floorDiv(Y, 12)));
}
TEST_F(FloorBasisResidueTest, CommonFactorBesideARemainder_negative) {
  IndexExpr X = var("x", {0, 2951}), Y = var("y", Index);
  // One more, and the remainder may fill the factor.
  IndexExpr F = Context.add(
      add(add(Context.scale(X, 12), Basis.floorMod(X, 72), -11), Y, 72), 1);
  EXPECT_NE(Basis.floorDiv(F, 864),
            add(Basis.floorDiv(X, 72), Basis.floorDiv(Y, 12)));
}

/// [14,330] of [21,10,22] of [10,21,22] of [6,35,22]: x + 440*floor(x/22) +
/// 22*y is 22*(21*floor(x/22) + y) + (x mod 22), also where x is a quotient,
/// its own remainder is one of another number, and 463 is 1 modulo 22.
TEST_F(FloorBasisResidueTest, CommonFactorOverAHiddenRemainder) {
  IndexExpr X = var("x", {0, 329}), Y = var("y", Index), T = var("t", Index);
  IndexExpr Line = Basis.floorDiv(X, 22);
  IndexExpr F = add(add(X, Line, 440), Y, 22);
  EXPECT_EQ(Basis.floorDiv(F, 770), Basis.floorDiv(add(Y, Line, 21), 35));

  IndexExpr Row = Basis.floorDiv(T, 14), Block = Basis.floorDiv(T, 308);
  F = add(add(add(Context.scale(T, 22), Row, 463), Block, 440), Y, 22);
  IndexExpr A = add(add(add(T, Row, 21), Block, 21), Y);
  EXPECT_EQ(Basis.floorDiv(F, 770), Basis.floorDiv(A, 35));

  // 2*(x mod 11) + w is in the second period.
  IndexExpr W = var("w", {22, 23});
  Line = Basis.floorDiv(X, 11);
  F = add(add(add(Context.scale(X, 2), Line, 440), W), Y, 22);
  EXPECT_EQ(Basis.floorDiv(F, 770),
            Basis.floorDiv(Context.add(add(Y, Line, 21), 1), 35));
}
TEST_F(FloorBasisResidueTest, CommonFactorOverAHiddenRemainder_negative) {
  IndexExpr X = var("x", {0, 329}), Y = var("y", Index);
  // The remainder reaches 22.
  IndexExpr Line = Basis.floorDiv(X, 23);
  IndexExpr F = add(add(X, Line, 440), Y, 22);
  EXPECT_NE(Basis.floorDiv(F, 770), Basis.floorDiv(add(Y, Line, 21), 35));
  Line = Basis.floorDiv(X, 22);
  F = Context.add(add(add(X, Line, 440), Y, 22), 1);
  EXPECT_NE(Basis.floorDiv(F, 770), Basis.floorDiv(add(Y, Line, 21), 35));
}

/// Of a quotient and its mirror image, with coefficients of the same size, the
/// one with the smaller constant is kept.
TEST_F(FloorBasisResidueTest, MirroredTie) {
  IndexExpr B = var("b", {0, 6}), T = var("t", {0, 127});
  EXPECT_EQ(text(Basis.floorDiv(add(T, B, 2), 3)), "(2 * b + t) floordiv 3");
  // floor((b + 2t + 2)/3) = -floor(-(b + 2t)/3) = b + t - floor((2b + t)/3)
  EXPECT_EQ(Basis.floorDiv(Context.add(add(B, T, 2), 2), 3),
            add(add(B, T), Basis.floorDiv(add(T, B, 2), 3), -1));
}
TEST_F(FloorBasisResidueTest, MirroredTie_negative) {
  IndexExpr B = var("b", {0, 6}), T = var("t", {0, 127});
  // The constant that both have leaves it to the first coefficient.
  EXPECT_EQ(text(Basis.floorDiv(Context.add(add(T, B, 2), 1), 3)),
            text(Context.negate(Basis.floorDiv(
                Context.add(Context.negate(add(T, B, 2)), 1), 3))));
}

/// With odd numbers, x + 3*y + 2 and its mirror image 3*x + y + 2 both become
/// that again by the constant that the lattice asks for: neither is better.
TEST_F(FloorBasisResidueTest, MirroredTieOnALattice) {
  IndexExpr X = var("x", Index), Y = var("y", Index);
  Domain.constrainLattice(X, Congruence::of(2, 1));
  Domain.constrainLattice(Y, Congruence::of(2, 0));
  EXPECT_EQ(text(Basis.floorDiv(Context.add(add(X, Y, 3), 2), 4)),
            "(x + 3 * y + 2) floordiv 4");
  // -floor((x + 3y + 2)/4) + x + y = floor((3x + y + 1)/4)
  EXPECT_EQ(
      Basis.floorDiv(Context.add(add(Y, X, 3), 1), 4),
      add(add(X, Y), Basis.floorDiv(Context.add(add(X, Y, 3), 2), 4), -1));
}
/// Every such tie on every lattice, whatever the constant is.
TEST(FloorBasisResidues, MirroredOnLattices) {
  for (int64_t Modulus : {2, 3, 4})
    for (int64_t Residue = 0; Residue < Modulus; ++Residue) {
      Box B({Interval(0, 11), Interval(-5, 11)},
            Congruence::of(Modulus, Residue));
      FloorBasis Basis(B.Domain);
      for (int64_t D : {2, 4, 6, 12})
        for (int64_t C0 = 0; C0 < D; ++C0)
          for (int64_t C1 = 0; C1 < D; ++C1)
            for (int64_t K = 0; K < D; ++K)
              for (unsigned Rounding : {0, 2}) // down and up
                B.check(Basis,
                        Divisions[Rounding](Basis, B.linear({C0, C1}, K), D));
    }
}

/// One quotient serves rounding up and rounding down.
TEST_F(FloorBasisResidueTest, RoundingUpWithAKnownRemainder) {
  IndexExpr Odd = var("odd", Interval(), Congruence::of(2, 1));
  IndexExpr Half = Basis.floorDiv(Odd, 2);
  EXPECT_EQ(Basis.simplify(Context.sub(Odd, Half)), Context.add(Half, 1));
  EXPECT_EQ(Basis.simplify(Basis.ceilDiv(Odd, 2)), Context.add(Half, 1));
  IndexExpr Four = var("four", Interval(), Congruence::of(6, 4));
  IndexExpr Third = Basis.floorDiv(Four, 3);
  EXPECT_EQ(Basis.simplify(add(Four, Third, -2)), Context.add(Third, 1));
}
TEST_F(FloorBasisResidueTest, RoundingUpWithAKnownRemainder_negative) {
  IndexExpr X = var("x", Interval(), Congruence::of(2, 1));
  IndexExpr Quarter = Context.sub(X, Basis.floorDiv(X, 4));
  EXPECT_EQ(Basis.simplify(Quarter), Quarter);
  IndexExpr Y = var("y", Interval());
  IndexExpr Half = Context.sub(Y, Basis.floorDiv(Y, 2));
  EXPECT_EQ(Basis.simplify(Half), Half);
}

} // namespace
