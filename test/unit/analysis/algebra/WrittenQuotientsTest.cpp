//===- WrittenQuotientsTest.cpp - Digits of sums as they are written ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/WrittenSums.h"
#include "test/unit/FloorBasisTestHelper.h"
#include <numeric>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

using Shape = std::vector<int64_t>;
using Order = std::vector<size_t>;

/// All shapes of \p Count elements without dimensions of one.
std::vector<Shape> shapesOf(int64_t Count) {
  if (Count == 1)
    return {{}};
  std::vector<Shape> All;
  for (int64_t First = 2; First <= Count; ++First)
    if (Count % First == 0)
      for (Shape Rest : shapesOf(Count / First)) {
        Rest.insert(Rest.begin(), First);
        All.push_back(Rest);
      }
  return All;
}

/// Numbers, and what programs do with them.
class Chain {
public:
  Chain(FloorBasis &Basis, IndexExpr Start) : Basis(Basis), Number(Start) {}

  /// Reads the number in \p S, and writes its digits in the order \p O.
  void transpose(const Shape &S, const Order &O) {
    std::vector<IndexExpr> Digits = digitsIn(S), Permuted;
    Shape To;
    for (size_t I : O) {
      Permuted.push_back(Digits[I]);
      To.push_back(S[I]);
    }
    Number = write(Permuted, To);
  }
  void transposeBack(const Shape &S, const Order &O) {
    Shape From;
    for (size_t I : O)
      From.push_back(S[I]);
    std::vector<IndexExpr> Digits = digitsIn(From), Back(S.size());
    for (auto [I, Digit] : zip_equal(O, Digits))
      Back[I] = Digit;
    Number = write(Back, S);
  }
  /// Adds \p By to the number modulo \p Count.
  void roll(int64_t By, int64_t Count) {
    Number =
        Basis.floorMod(Basis.add(Number, Basis.context().constant(By)), Count);
  }
  IndexExpr number() const { return Number; }

private:
  std::vector<IndexExpr> digitsIn(const Shape &S) {
    std::vector<IndexExpr> Digits(S.size());
    int64_t Stride = 1;
    for (size_t I = S.size(); I-- > 0; Stride *= S[I])
      Digits[I] = Basis.floorMod(Basis.floorDiv(Number, Stride), S[I]);
    return Digits;
  }
  IndexExpr write(ArrayRef<IndexExpr> Digits, const Shape &S) {
    IndexExpr Sum = Basis.context().constant(0);
    for (auto [Digit, Size] : zip_equal(Digits, S))
      Sum = Basis.add(Basis.scale(Sum, Size), Digit);
    return Sum;
  }

  FloorBasis &Basis;
  IndexExpr Number;
};

Order reversed(const Shape &S) {
  Order O(S.size());
  std::iota(O.rbegin(), O.rend(), 0);
  return O;
}
Order rotated(const Shape &S) {
  Order O(S.size());
  std::iota(O.begin(), O.end(), 0);
  std::rotate(O.begin(), O.begin() + 1, O.end());
  return O;
}

/// Every pair of shapes of 24 elements and two orders each: transposed twice
/// and back, the number is what it was.
TEST(WrittenQuotients, TransposesCancelInAllShapes) {
  std::vector<Shape> Shapes = shapesOf(24);
  for (const Shape &A : Shapes)
    for (const Shape &B : Shapes)
      for (auto OrderOf : {reversed, rotated}) {
        Box Points(Interval(0, 23));
        FloorBasis Basis(Points.Domain);
        IndexExpr X = Points.Variables[0].E;
        Chain C(Basis, X);
        C.transpose(A, OrderOf(A));
        C.transpose(B, reversed(B));
        C.transposeBack(B, reversed(B));
        C.transposeBack(A, OrderOf(A));
        EXPECT_EQ(C.number(), X) << toString(Basis.context(), C.number());
      }
}

/// A shape with another number of elements is no way back. What is made of it
/// still has the right values.
TEST(WrittenQuotients, TransposesCancelInAllShapes_negative) {
  Box Points(Interval(0, 23));
  FloorBasis Basis(Points.Domain);
  IndexExpr X = Points.Variables[0].E;
  Chain C(Basis, X);
  C.transpose({4, 6}, {1, 0});
  C.transposeBack({4, 5}, {1, 0});
  EXPECT_NE(C.number(), X);
  for (int64_t I = 0; I < 24; ++I) {
    int64_t Number = I % 6 * 4 + I / 6;
    EXPECT_EQ(Points.valueAt(C.number(), I), Number % 4 * 5 + Number / 4 % 5);
  }
}

TEST(WrittenQuotients, RollsCancel) {
  for (int64_t By : {1, 5, 23}) {
    Box Points(Interval(0, 23));
    FloorBasis Basis(Points.Domain);
    IndexExpr X = Points.Variables[0].E;
    Chain C(Basis, X);
    C.transpose({2, 3, 4}, {2, 0, 1});
    C.roll(By, 24);
    C.transpose({8, 3}, {1, 0});
    C.transposeBack({8, 3}, {1, 0});
    C.roll(-By, 24);
    C.transposeBack({2, 3, 4}, {2, 0, 1});
    EXPECT_EQ(C.number(), X) << toString(Basis.context(), C.number());
  }
}

/// Every form on the way has the value that the operations define.
TEST(WrittenQuotients, EveryValue) {
  unsigned Seed = 1;
  auto Random = [&](unsigned Below) {
    Seed = Seed * 1664525u + 1013904223u;
    return (Seed >> 16) % Below;
  };
  for (unsigned Round = 0; Round < 400; ++Round) {
    Box Points({{-7, 19}, {0, 5}});
    FloorBasis Basis(Points.Domain);
    std::vector<Sample> Known = Points.Variables;
    for (unsigned Step = 0; Step < 12; ++Step) {
      const Sample &A = Known[Random(Known.size())];
      const Sample &B = Known[Random(Known.size())];
      int64_t Number = int64_t(Random(13)) - 4;
      Sample S = A;
      switch (Random(4)) {
      case 0:
        S.E = Basis.add(A.E, B.E, Number);
        for (auto [V, W] : zip_equal(S.Values, B.Values))
          V += Number * W;
        break;
      case 1:
        S.E = Basis.scale(A.E, Number);
        for (int64_t &V : S.Values)
          V *= Number;
        break;
      default:
        S = Divisions[Random(3)](Basis, A, 2 + Random(9));
      }
      Points.check(Basis, S);
      Interval R = Basis.rangeOf(S.E);
      for (int64_t V : S.Values)
        ASSERT_TRUE(R.contains(V)) << toString(Basis.context(), S.E);
      if (all_of(S.Values, [](int64_t V) { return std::abs(V) < 10000; }))
        Known.push_back(S);
    }
  }
}

/// A summand may be a quotient of one number, and divided itself.
TEST(WrittenQuotients, QuotientsOfQuotientsInOneSum) {
  for (int64_t A : {-7, -1, 1, 2, 5})
    for (int64_t B : {-11, -2, 1, 3})
      for (int64_t C : {-9, -1, 2, 4}) {
        Box Points(Interval(0, 95));
        FloorBasis Basis(Points.Domain);
        const Sample &X = Points.Variables[0];
        const Division &Floor = Divisions[0];
        Sample S = Floor(Basis, X, 4), T = Floor(Basis, S, 3);
        Sample W = Floor(Basis, X, 8), Sum = S;
        Sum.E = Basis.sum({{S.E, A}, {T.E, B}, {W.E, C}}, 0);
        for (size_t I = 0; I < Points.points(); ++I)
          Sum.Values[I] = A * S.Values[I] + B * T.Values[I] + C * W.Values[I];
        Interval R = Basis.rangeOf(Sum.E);
        for (int64_t V : Sum.Values)
          ASSERT_TRUE(R.contains(V)) << A << " " << B << " " << C << R.str();
        for (int64_t D : {2, 3, 5, 6})
          Points.check(Basis, Floor(Basis, Sum, D));
      }
}

class WrittenSumsTest : public FloorBasisFixture {};

/// What InstCombine leaves of 12*(y mod 5) + floor(y/5), for a y of several
/// terms: 12*y - 59*floor(y/5), in which nothing else shows the range.
TEST_F(WrittenSumsTest, DigitsComeBack) {
  IndexExpr X = var("x", {0, 59});
  IndexExpr Y = Basis.add(Basis.scale(X, 6), Basis.floorDiv(X, 10), -59);
  IndexExpr Merged = Basis.add(Basis.scale(Y, 12), Basis.floorDiv(Y, 5), -59);
  EXPECT_EQ(Basis.rangeOf(Y), Interval(0, 59));
  EXPECT_EQ(Basis.rangeOf(Merged), Interval(0, 59));
  EXPECT_EQ(Basis.floorDiv(Merged, 12), Basis.floorMod(Y, 5));
}
/// 12*(y mod 5) + 13*floor(y/5) has no digits in radix 12.
TEST_F(WrittenSumsTest, DigitsComeBack_negative) {
  IndexExpr X = var("x", {0, 59});
  IndexExpr Y = Basis.add(Basis.scale(X, 6), Basis.floorDiv(X, 10), -59);
  IndexExpr Merged = Basis.add(Basis.scale(Y, 12), Basis.floorDiv(Y, 5), -47);
  EXPECT_NE(Basis.floorDiv(Merged, 12), Basis.floorMod(Y, 5));
}

/// A sum that was noted as something else is not believed.
TEST_F(WrittenSumsTest, WrongSums_negative) {
  IndexExpr X = var("x", {0, 99}), Y = var("y", {0, 99});
  WrittenSums Written(Domain);
  IndexExpr Digit = Context.add(X, Basis.floorDiv(X, 5), -5);
  Written.noteSum(add(X, Y, 3), {{Digit, 1}, {Y, 3}});
  WrittenSum Sum{{{add(X, Y, 3), 1}}, 0};
  EXPECT_FALSE(Written.expandSums(Sum));
  EXPECT_EQ(Written.rangeOf(add(X, Y, 3)), Interval(0, 396));
}

} // namespace
