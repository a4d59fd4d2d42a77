//===- BitOperationsTest.cpp - Exclusive or, and, of index forms ----------===//
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

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Sample andOf(FloorBasis &Basis, const Sample &A, const Sample &B) {
  Sample S = {Basis.bitAnd(A.E, B.E), A.Values,
              "(" + A.Text + ") & (" + B.Text + ")"};
  for (auto [V, W] : zip(S.Values, B.Values))
    V &= W;
  return S;
}

Sample xorOf(FloorBasis &Basis, const Sample &A, const Sample &B) {
  Sample S = {Basis.bitXor(A.E, B.E), A.Values,
              "(" + A.Text + ") xor (" + B.Text + ")"};
  for (auto [V, W] : zip(S.Values, B.Values))
    V ^= W;
  return S;
}

TEST(BitOperationsValues, WithConstants) {
  for (const auto &Ranges : BoxesOfOne) {
    Box B(Ranges);
    FloorBasis Basis(B.Domain);
    for (int64_t C : {-4, -1, 1, 2, 3, 8})
      for (int64_t K : {-3, -1, 0, 1, 7})
        for (int64_t M = -9; M <= 17; ++M) {
          Sample S = xorOf(Basis, B.linear({C}, K), B.linear({0}, M));
          B.check(Basis, S);
          B.check(Basis, andOf(Basis, B.linear({C}, K), B.linear({0}, M)));
          for (int64_t D : {2, 3, 4, 8, 12, 24})
            for (const Division &Op : Divisions)
              B.check(Basis, Op(Basis, S, D));
        }
  }
}

TEST(BitOperationsValues, OfTwoForms) {
  for (ArrayRef<std::vector<Interval>> Boxes :
       {ArrayRef(BoxesOfTwo), ArrayRef(BoxesOfThree)})
    for (const auto &Ranges : Boxes) {
      Box B(Ranges);
      FloorBasis Basis(B.Domain);
      for (int64_t C : {-2, 1, 4})
        for (int64_t K : {-1, 0, 5})
          for (int64_t E : {-1, 1, 8})
            for (int64_t D : {2, 4, 6}) {
              Sample X = B.linear({C, 1}, K), Y = B.linear({1, E}, 0);
              Sample S = xorOf(Basis, X, Y);
              B.check(Basis, S);
              B.check(Basis, andOf(Basis, X, Y));
              for (const Division &Op : Divisions) {
                B.check(Basis, Op(Basis, S, D));
                Sample Digit = Op(Basis, X, D);
                B.check(Basis, xorOf(Basis, Digit, Y));
                // A digit and the rest of its number are X xor Y, if Y is less.
                for (const Division &Rest : Divisions)
                  B.check(Basis, xorOf(Basis,
                                       B.add(xorOf(Basis, Digit, Y),
                                             Rest(Basis, X, D), D),
                                       Y));
                B.check(Basis, xorOf(Basis, xorOf(Basis, Digit, S), Digit));
                B.check(Basis, Op(Basis, B.add(Digit, S, 4), 8));
              }
            }
    }
}

TEST(BitOperationsValues, OnALattice) {
  for (const auto &Ranges : BoxesOfTwo)
    for (auto [Modulus, Residue] : {std::pair(2, 1), {2, 0}, {4, 2}, {3, 1}}) {
      Box B(Ranges, Congruence::of(Modulus, Residue));
      FloorBasis Basis(B.Domain);
      for (int64_t C : {-3, 1, 2, 6})
        for (int64_t K : {-1, 0, 4}) {
          Sample S = xorOf(Basis, B.linear({C, 1}, K), B.linear({2, C}, 0));
          B.check(Basis, S);
          B.check(Basis, xorOf(Basis, S, B.linear({0, 4}, K)));
        }
    }
}

TEST(BitOperationsValues, Ranges) {
  for (int64_t Lo = -9; Lo <= 9; ++Lo)
    for (int64_t Hi = Lo; Hi <= 9; ++Hi)
      for (int64_t Low = -9; Low <= 9; ++Low)
        for (int64_t High = Low; High <= 9; ++High) {
          Interval R = Interval(Lo, Hi).bitXor({Low, High});
          for (int64_t A = Lo; A <= Hi; ++A)
            for (int64_t B = Low; B <= High; ++B)
              ASSERT_TRUE(R.contains(A ^ B)) << A << " xor " << B;
        }
  EXPECT_EQ(Interval(0, 5).bitXor({0, 7}), Interval(0, 7));
  EXPECT_EQ(Interval(8, 9).bitXor({0, 3}), Interval(5, 12));
  EXPECT_EQ(Interval(0, 5).bitXor(Interval::atLeast(0)), Interval::atLeast(0));
  EXPECT_EQ(Interval(0, 5).bitXor(Interval::atMost(-1)), Interval::atMost(-1));
  EXPECT_EQ(Interval::atMost(-1).bitXor(Interval::atMost(-1)),
            Interval::atLeast(0));
  EXPECT_EQ(Interval().bitXor({0, 0}), Interval());
  EXPECT_TRUE(Interval::empty().bitXor({0, 1}).isEmpty());
  // The ends of 64 bits stand for no number.
  const int64_t Most = std::numeric_limits<int64_t>::max() - 1;
  EXPECT_EQ(Interval(0, Most).bitXor({0, 1}).hi(), Interval::PlusInfinity);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

class BitOperationsTest : public FloorBasisFixture {};

TEST_F(BitOperationsTest, CancelsAndFolds) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Both = Basis.bitXor(X, Y);
  EXPECT_EQ(Both, Basis.bitXor(Y, X));
  EXPECT_EQ(Basis.bitXor(Both, Y), X);
  EXPECT_EQ(Basis.bitXor(X, X), num(0));
  EXPECT_EQ(Basis.bitXor(X, num(0)), X);
  EXPECT_EQ(Basis.bitXor(X, num(-1)), Context.sub(num(-1), X));
  EXPECT_EQ(Basis.bitXor(Basis.bitXor(X, num(5)), num(3)),
            Basis.bitXor(X, num(6)));
  EXPECT_EQ(Basis.bitXor(num(12), num(-7)), num(12 ^ -7));
  EXPECT_EQ(Basis.bitXor(X, num(-4)),
            Context.sub(num(-1), Basis.bitXor(X, num(3))));
  EXPECT_FALSE(Basis.bitXor(X, IndexExpr()));
}
TEST_F(BitOperationsTest, CancelsAndFolds_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  EXPECT_NE(Basis.bitXor(Basis.bitXor(X, Y), add(X, num(1))), Y);
  EXPECT_EQ(text(Basis.bitXor(X, Y)), "(x xor y)");
}

TEST_F(BitOperationsTest, DisjointBitsAdd) {
  IndexExpr X = var("x", Interval()), Y = var("y", {0, 7});
  EXPECT_EQ(Basis.bitXor(Context.scale(X, 8), Y), add(Y, X, 8));
  EXPECT_EQ(Basis.bitXor(Y, num(24)), Context.add(Y, 24));
}
TEST_F(BitOperationsTest, DisjointBitsAdd_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", {0, 8});
  EXPECT_NE(Basis.bitXor(Context.scale(X, 8), Y), add(Y, X, 8));
  EXPECT_NE(Basis.bitXor(Y, num(24)), Context.add(Y, 24));
  IndexExpr Z = var("z", {-1, 6});
  EXPECT_NE(Basis.bitXor(Context.scale(X, 8), Z), add(Z, X, 8));
}

TEST_F(BitOperationsTest, OnesAreSubtractedFrom) {
  IndexExpr X = var("x", {0, 7}), Y = var("y", {0, 5});
  EXPECT_EQ(Basis.bitXor(X, num(7)), Context.sub(num(7), X));
  EXPECT_EQ(Basis.bitXor(Context.sub(num(7), X), Y),
            Context.sub(num(7), Basis.bitXor(X, Y)));
}
TEST_F(BitOperationsTest, OnesAreSubtractedFrom_negative) {
  IndexExpr X = var("x", {0, 8}), Y = var("y", {0, 7}), Z = var("z", {-1, 7});
  EXPECT_NE(Basis.bitXor(X, num(7)), Context.sub(num(7), X));
  EXPECT_NE(Basis.bitXor(Z, num(7)), Context.sub(num(7), Z));
  EXPECT_NE(Basis.bitXor(Y, num(6)), Context.sub(num(6), Y));
}

TEST_F(BitOperationsTest, QuotientsLoseShortOperands) {
  IndexExpr X = var("x", Index), Y = var("y", {0, 7});
  IndexExpr E = Basis.bitXor(X, Y);
  EXPECT_EQ(Basis.floorDiv(E, 8), Basis.floorDiv(X, 8));
  EXPECT_EQ(Basis.floorDiv(E, 24), Basis.floorDiv(X, 24));
  EXPECT_EQ(Basis.floorMod(E, 8), Basis.bitXor(Basis.floorMod(X, 8), Y));
  IndexExpr Unknown = var("u", Interval());
  EXPECT_EQ(Basis.floorDiv(Basis.bitXor(Unknown, Y), 8),
            Basis.floorDiv(Unknown, 8));
}
TEST_F(BitOperationsTest, QuotientsLoseShortOperands_negative) {
  IndexExpr X = var("x", Index), Y = var("y", {0, 8});
  IndexExpr E = Basis.bitXor(X, Y);
  EXPECT_NE(Basis.floorDiv(E, 8), Basis.floorDiv(X, 8));
  IndexExpr Z = var("z", {0, 7});
  EXPECT_NE(Basis.floorDiv(Basis.bitXor(X, Z), 12), Basis.floorDiv(X, 12));
  EXPECT_NE(Basis.floorDiv(Basis.bitXor(X, Z), 4), Basis.floorDiv(X, 4));
}

/// 128-byte rows, pieces of 16 bytes: the bank of a piece depends on its row.
TEST_F(BitOperationsTest, SwizzlesAreDigits) {
  IndexExpr X = var("x", Index);
  IndexExpr Row = Basis.floorMod(Basis.floorDiv(X, 128), 8);
  IndexExpr E = Basis.bitXor(X, Context.scale(Row, 16));
  EXPECT_EQ(Basis.floorDiv(E, 128), Basis.floorDiv(X, 128));
  EXPECT_EQ(Basis.floorMod(E, 16), Basis.floorMod(X, 16));
  EXPECT_EQ(Basis.floorMod(Basis.floorDiv(E, 16), 8),
            Basis.bitXor(Basis.floorMod(Basis.floorDiv(X, 16), 8), Row));
  EXPECT_EQ(Basis.bitXor(E, Context.scale(Row, 16)), X);
}

/// What was split is put together before more is combined with it.
TEST_F(BitOperationsTest, SplitOperandsCancel) {
  IndexExpr X = var("x", {0, 31}), Y = var("y", {0, 3});
  EXPECT_EQ(Basis.bitXor(Basis.bitXor(X, num(12)), num(24)),
            Basis.bitXor(X, num(20)));
  IndexExpr E = Basis.bitXor(X, Context.scale(Y, 4));
  EXPECT_EQ(Basis.bitXor(E, X), Context.scale(Y, 4));
  EXPECT_EQ(Basis.bitXor(E, Context.scale(Y, 4)), X);
}
TEST_F(BitOperationsTest, SplitOperandsCancel_negative) {
  IndexExpr X = var("x", {0, 31}), Y = var("y", {0, 3});
  IndexExpr E = Basis.bitXor(X, Context.scale(Y, 4));
  // Four times as far apart, it is no part of one number.
  EXPECT_NE(Basis.bitXor(add(E, X), X), Context.scale(Y, 4));
}

TEST_F(BitOperationsTest, KnownLowBits) {
  IndexExpr X = var("x", Interval(), Congruence::of(8, 3));
  IndexExpr Y = var("y", Interval(), Congruence::of(12, 2));
  EXPECT_EQ(Domain.congruence(Basis.bitXor(X, Y)), Congruence::of(4, 1));
}

} // namespace
