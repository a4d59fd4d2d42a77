//===- FloorBasisTest.cpp - Division, min and max, exhaustively -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every constructor is compared with the operation's definition at every point
// of small boxes, on forms with small coefficients and on nested operations.
// Then each rule of FloorBasis.cpp is tested alone: that it fires, and (in the
// test's _negative twin) that it does not where its condition does not hold.
//
//===----------------------------------------------------------------------===//

#include "test/unit/FloorBasisTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class FloorBasisTest : public FloorBasisFixture {};

//===----------------------------------------------------------------------===//
// Every constructor at every point
//===----------------------------------------------------------------------===//

TEST(FloorBasisValues, DivisionsOfOneVariable) {
  for (const auto &Ranges : BoxesOfOne) {
    Box B(Ranges);
    FloorBasis Basis(B.Domain);
    for (int64_t C = -7; C <= 7; ++C)
      for (int64_t K = -7; K <= 7; ++K)
        for (int64_t D : {-12, -5, -2, -1, 1, 2, 3, 4, 6, 7, 30}) {
          Sample S = B.linear({C}, K);
          for (const Division &Op : Divisions)
            B.check(Basis, Op(Basis, S, D));
        }
  }
}

TEST(FloorBasisValues, DivisionsOfTwoVariables) {
  for (const auto &Ranges : BoxesOfTwo) {
    Box B(Ranges);
    FloorBasis Basis(B.Domain);
    for (int64_t C0 : {-6, -3, 1, 2, 4, 9})
      for (int64_t C1 : {-8, -5, -1, 2, 3, 12})
        for (int64_t K : {-5, 0, 1, 7})
          for (int64_t D : {-4, 2, 3, 6, 12}) {
            Sample S = B.linear({C0, C1}, K);
            for (const Division &Op : Divisions)
              B.check(Basis, Op(Basis, S, D));
          }
  }
}

TEST(FloorBasisValues, DivisionsOnALattice) {
  for (const auto &Ranges : BoxesOfTwo)
    for (auto [Modulus, Residue] : {std::pair(2, 1), {2, 0}, {4, 2}, {3, 1}}) {
      Box B(Ranges, Congruence::of(Modulus, Residue));
      FloorBasis Basis(B.Domain);
      for (int64_t C : {-3, 1, 2, 6})
        for (int64_t K : {-1, 0, 1})
          for (int64_t D1 : {-2, 2, 3, 4, 6})
            for (const Division &Inner : Divisions) {
              Sample I = Inner(Basis, B.linear({C, 1}, K), D1);
              B.check(Basis, I);
              for (int64_t D2 : {2, 3, 4})
                for (const Division &Outer : Divisions)
                  B.check(Basis, Outer(Basis, I, D2));
            }
    }
}

TEST(FloorBasisValues, DivisionsOfThreeVariables) {
  for (const auto &Ranges : BoxesOfThree) {
    Box B(Ranges);
    FloorBasis Basis(B.Domain);
    for (int64_t C0 : {-4, 1, 6})
      for (int64_t C1 : {-3, 2, 12})
        for (int64_t C2 : {-5, 1, 3})
          for (int64_t K : {-2, 0, 3})
            for (int64_t D : {-3, 2, 4, 12}) {
              Sample S = B.linear({C0, C1, C2}, K);
              for (const Division &Op : Divisions)
                B.check(Basis, Op(Basis, S, D));
            }
  }
}

/// Every division of every division, with the inner one alone and as a part of
/// a sum.
TEST(FloorBasisValues, NestedDivisions) {
  for (ArrayRef<std::vector<Interval>> Boxes :
       {ArrayRef(BoxesOfOne), ArrayRef(BoxesOfTwo)})
    for (const auto &Ranges : Boxes) {
      Box B(Ranges);
      FloorBasis Basis(B.Domain);
      for (int64_t C : {-5, 1, 2, 6})
        for (int64_t K : {-1, 0, 3})
          for (int64_t D1 : {-3, 2, 4, 6})
            for (int64_t D2 : {-2, 2, 3, 6})
              for (const Division &Inner : Divisions)
                for (const Division &Outer : Divisions) {
                  Sample S = B.linear({C, 1}, K);
                  Sample I = Inner(Basis, S, D1);
                  B.check(Basis, Outer(Basis, I, D2));
                  for (int64_t Times : {-1, 2}) {
                    Sample Sum = B.add(B.Variables.back(), I, Times);
                    B.check(Basis, Outer(Basis, Sum, D2));
                  }
                }
    }
}

/// Comparisons are decided by the range of the difference: never wrongly.
TEST(FloorBasisValues, Comparisons) {
  unsigned Decided = 0;
  for (const auto &Ranges : BoxesOfTwo) {
    Box B(Ranges);
    FloorBasis Basis(B.Domain);
    std::vector<Sample> Forms;
    for (int64_t C : {-1, 1, 4})
      for (int64_t K : {-2, 0, 1}) {
        Forms.push_back(B.linear({C, 1}, K));
        for (const Division &Op : Divisions)
          for (int64_t D : {2, 4})
            Forms.push_back(Op(Basis, Forms.back(), D));
      }
    for (const Sample &X : Forms)
      for (const Sample &Y : Forms) {
        Sample Difference = B.add(X, Y, -1);
        Interval R = B.Domain.range(Difference.E);
        auto [Least, Most] = std::minmax_element(Difference.Values.begin(),
                                                 Difference.Values.end());
        ASSERT_TRUE(R.contains(Interval(*Least, *Most))) << Difference.Text;
        Decided += R.lo() > 0 || R.hi() < 0 || R.isPoint();
      }
  }
  EXPECT_GT(Decided, 1500u);
}

//===----------------------------------------------------------------------===//
// Simplifying with more facts
//===----------------------------------------------------------------------===//

/// Forms built where little is known, simplified where their variables are in
/// a box: right at every point of it, and the same the second time.
TEST(FloorBasisValues, SimplifyInAChild) {
  for (const Interval &Known :
       {Interval(), Interval::atLeast(-11), Interval(-20, 60)})
    for (const auto &Ranges : BoxesOfTwo) {
      Box B(Ranges);
      IndexDomain Parent(B.Context);
      for (const Sample &V : B.Variables)
        Parent.declare(V.E.asAtom(), Known);
      FloorBasis Wide(Parent);
      IndexDomain Child(Parent);
      for (auto [V, R] : zip(B.Variables, Ranges))
        Child.constrain(V.E, R);
      FloorBasis Narrow(Child);
      for (int64_t C : {-3, 1, 4})
        for (int64_t D1 : {-3, 2, 6})
          for (int64_t D2 : {2, 4})
            for (const Division &Inner : Divisions)
              for (const Division &Outer : Divisions) {
                Sample I = Inner(Wide, B.linear({C, 1}, 2), D1);
                I = minOf(Wide, I, B.Variables[0]);
                B.check(Narrow, Outer(Wide, B.add(I, I, D1), D2));
              }
    }
}

TEST_F(FloorBasisTest, SimplifyUsesTheChildsFacts) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Forms[] = {Basis.floorMod(X, 75), Basis.truncDiv(X, 75),
                       Basis.min(X, Y), add(X, Y, 3)};
  IndexDomain Child(Domain);
  Child.constrain(X, {0, 149});
  Child.constrain(Y, {5, 5});
  FloorBasis Narrow(Child);
  EXPECT_EQ(text(Narrow.simplify(Forms[0])), "x mod 75");
  EXPECT_EQ(text(Narrow.simplify(Forms[1])), "x floordiv 75");
  EXPECT_EQ(text(Narrow.simplify(Forms[2])), "min(x - 5, 0) + 5");
  EXPECT_EQ(text(Narrow.simplify(Forms[3])), "x + 15");
  IndexDomain Grandchild(Child);
  Grandchild.constrain(X, {3, 74});
  FloorBasis Narrower(Grandchild);
  EXPECT_EQ(Narrower.simplify(Forms[0]), X);
  EXPECT_EQ(Narrower.simplify(Narrow.simplify(Forms[0])), X);
  EXPECT_EQ(Narrower.simplify(Forms[1]), num(0));
  for (IndexExpr E : Forms)
    EXPECT_EQ(Basis.simplify(E), E) << text(E); // nothing new here
  EXPECT_FALSE(Basis.simplify(IndexExpr()));
}

//===----------------------------------------------------------------------===//
// Round trips
//===----------------------------------------------------------------------===//

const std::vector<int64_t> Shapes[] = {
    {7, 5},         {40, 75},        {75, 40},      {300, 12},   {2, 2, 2},
    {3, 40, 75},    {100, 40, 75},   {12, 300, 5},  {7, 11, 13}, {4, 3, 5, 2},
    {8, 12, 75, 4}, {6, 10, 15, 14}, {16, 3, 32, 9}};

int64_t product(ArrayRef<int64_t> Shape) {
  int64_t P = 1;
  for (int64_t Radix : Shape)
    P *= Radix;
  return P;
}

using Digits = std::vector<IndexExpr>;
using Constructor = IndexExpr (FloorBasis::*)(IndexExpr, int64_t);

/// The coordinates of element \p X of a row-major array of this shape.
Digits delinearize(FloorBasis &Basis, IndexExpr X, ArrayRef<int64_t> Shape,
                   Constructor Div = &FloorBasis::floorDiv,
                   Constructor Mod = &FloorBasis::floorMod) {
  Digits Result;
  for (; !Shape.empty(); Shape = Shape.drop_front()) {
    IndexExpr Q = (Basis.*Div)(X, product(Shape.drop_front()));
    Result.push_back((Basis.*Mod)(Q, Shape.front()));
  }
  return Result;
}

IndexExpr linearize(IndexContext &Context, ArrayRef<IndexExpr> Digits,
                    ArrayRef<int64_t> Shape) {
  IndexExpr Sum = Context.constant(0);
  for (auto [D, Radix] : zip_equal(Digits, Shape))
    Sum = Context.add(D, Sum, Radix);
  return Sum;
}

TEST_F(FloorBasisTest, LinearizeOfDelinearizeIsTheIndex) {
  for (ArrayRef<int64_t> Shape : Shapes) {
    IndexExpr X = var("x", {0, product(Shape) - 1});
    EXPECT_EQ(linearize(Context, delinearize(Basis, X, Shape), Shape), X);
  }
}

/// One element too many: the top digit wraps around.
TEST_F(FloorBasisTest, LinearizeOfDelinearizeIsTheIndex_negative) {
  for (ArrayRef<int64_t> Shape : Shapes) {
    IndexExpr X = var("x", {0, product(Shape)});
    EXPECT_EQ(linearize(Context, delinearize(Basis, X, Shape), Shape),
              Basis.floorMod(X, product(Shape)));
    EXPECT_NE(Basis.floorMod(X, product(Shape)), X);
  }
}

TEST_F(FloorBasisTest, DelinearizeOfLinearizeIsTheDigits) {
  for (ArrayRef<int64_t> Shape : Shapes) {
    Digits D;
    for (int64_t Radix : Shape)
      D.push_back(var("d", {0, Radix - 1}));
    EXPECT_EQ(delinearize(Basis, linearize(Context, D, Shape), Shape), D);
  }
}

TEST_F(FloorBasisTest, DelinearizeOfLinearizeIsTheDigits_negative) {
  for (ArrayRef<int64_t> Shape : Shapes) {
    Digits D;
    for (int64_t Radix : Shape)
      D.push_back(var("d", {0, Radix}));
    EXPECT_NE(delinearize(Basis, linearize(Context, D, Shape), Shape), D);
  }
}

/// A reshape in between changes nothing, and leaves no division of its own.
TEST_F(FloorBasisTest, ReshapeThereAndBack) {
  const std::vector<int64_t> From[] = {{40, 75}, {6, 10, 15, 14}, {300, 12}};
  const std::vector<int64_t> Via[] = {{12, 250}, {3, 7, 60, 10}, {3600}};
  for (auto [Shape, Other] : zip_equal(From, Via)) {
    ASSERT_EQ(product(Shape), product(Other));
    IndexExpr X = var("x", {0, product(Shape) - 1});
    Digits Direct = delinearize(Basis, X, Shape);
    IndexExpr Y = linearize(Context, delinearize(Basis, X, Other), Other);
    EXPECT_EQ(delinearize(Basis, Y, Shape), Direct);
    EXPECT_EQ(countDivisions(Direct), Shape.size() - 1);
  }
}

/// ((x/3000)*40 + (x/75)%40)*300 + (x%75)*4 + v = 4*x + v.
TEST_F(FloorBasisTest, TheExampleOfTheDesign) {
  IndexExpr X = var("x", {0, 299999}), V = var("v", {0, 3});
  IndexExpr Row = add(Basis.floorMod(Basis.floorDiv(X, 75), 40),
                      Basis.floorDiv(X, 3000), 40);
  IndexExpr E = add(add(V, Basis.floorMod(X, 75), 4), Row, 300);
  EXPECT_EQ(text(E), "4 * x + v");
  // And the way back, from the address.
  EXPECT_EQ(Basis.floorDiv(E, 4), X);
  EXPECT_EQ(Basis.floorMod(E, 4), V);
  EXPECT_EQ(Basis.floorDiv(E, 300), Basis.floorDiv(X, 75));
}

TEST_F(FloorBasisTest, Comparisons) {
  IndexExpr X = var("x", Index);
  IndexExpr Q = Basis.floorDiv(X, 75), R = Basis.floorMod(X, 75);
  EXPECT_EQ(Domain.range(Context.sub(R, num(75))).hi(), -1);
  EXPECT_EQ(Domain.range(add(X, Q, -75)).lo(), 0);  // 75 * (x/75) <= x
  EXPECT_EQ(Domain.range(add(X, Q, -75)).hi(), 74); // x < 75 * (x/75) + 75
  // (x/75) mod 40 < 40 and equals itself whichever way it was made.
  IndexExpr Digit = Basis.floorMod(Q, 40);
  EXPECT_EQ(Domain.range(Digit), Interval(0, 39));
  EXPECT_EQ(Digit, Basis.floorDiv(Basis.floorMod(X, 3000), 75));
}

/// With C's division, and nothing known about the sign.
TEST_F(FloorBasisTest, TruncatingRoundTrip) {
  for (ArrayRef<int64_t> Shape : Shapes) {
    IndexExpr X = var("x", Interval());
    Digits D = delinearize(Basis, X, Shape, &FloorBasis::truncDiv,
                           &FloorBasis::truncMod);
    EXPECT_EQ(linearize(Context, D, Shape), Basis.truncMod(X, product(Shape)));
    D[0] = Basis.truncDiv(X, product(Shape.drop_front())); // no wrap-around
    EXPECT_EQ(linearize(Context, D, Shape), X);
  }
}

//===----------------------------------------------------------------------===//
// The rules, one by one
//===----------------------------------------------------------------------===//

TEST_F(FloorBasisTest, TrivialDivisors) {
  IndexExpr X = var("x", Interval());
  EXPECT_EQ(Basis.floorDiv(X, 1), X);
  EXPECT_EQ(Basis.truncDiv(X, 1), X);
  EXPECT_EQ(Basis.floorMod(X, 1), num(0));
  EXPECT_EQ(Basis.floorDiv(X, -1), Context.negate(X));
  EXPECT_EQ(Basis.truncDiv(X, -1), Context.negate(X));
  EXPECT_EQ(Basis.floorDiv(X, -3), Basis.floorDiv(Context.negate(X), 3));
  EXPECT_EQ(Basis.truncDiv(X, -3), Context.negate(Basis.truncDiv(X, 3)));
  EXPECT_EQ(Basis.truncMod(X, -3), Basis.truncMod(X, 3));
}

TEST_F(FloorBasisTest, GivingUp) {
  IndexExpr X = var("x", Interval()), Null;
  for (const Division &Op : Divisions) {
    EXPECT_FALSE((Basis.*Op.Build)(Null, 3)) << Op.Name;
    EXPECT_FALSE((Basis.*Op.Build)(X, 0)) << Op.Name;
    EXPECT_FALSE((Basis.*Op.Build)(X, Interval::MinusInfinity)) << Op.Name;
    EXPECT_TRUE((Basis.*Op.Build)(X, Interval::PlusInfinity)) << Op.Name;
    EXPECT_TRUE((Basis.*Op.Build)(X, -Interval::PlusInfinity)) << Op.Name;
  }
  EXPECT_FALSE(Basis.min(X, Null));
  EXPECT_FALSE(Basis.max(Null, X));
  // x - d * floor(2*x/d) fits, the difference of opposite extremes does not.
  IndexExpr Huge = Context.scale(X, Interval::PlusInfinity);
  EXPECT_FALSE(Basis.min(Huge, Context.negate(Huge)));
  for (const Division &Op : Divisions) // no overflow on the way, whatever comes
    for (int64_t D : {int64_t(2), int64_t(3), Interval::PlusInfinity - 1})
      (Basis.*Op.Build)(Context.add(Huge, Interval::PlusInfinity), D);
}

TEST_F(FloorBasisTest, ConstantQuotient) {
  EXPECT_EQ(Basis.floorDiv(var("x", {150, 224}), 75), num(2));
  EXPECT_EQ(Basis.floorDiv(var("y", {-75, -1}), 75), num(-1));
  EXPECT_EQ(Basis.floorDiv(num(-1), 2), num(-1));
}
TEST_F(FloorBasisTest, ConstantQuotient_negative) {
  EXPECT_EQ(text(Basis.floorDiv(var("x", {149, 224}), 75)), "x floordiv 75");
  EXPECT_EQ(text(Basis.floorDiv(var("y", {-75, 0}), 75)), "y floordiv 75");
}

TEST_F(FloorBasisTest, MultiplesMoveOut) {
  IndexExpr X = var("x", Interval()), Y = var("y", {0, 74});
  EXPECT_EQ(Basis.floorDiv(add(Y, X, 75), 75), X);
  EXPECT_EQ(Basis.floorMod(add(Y, X, 75), 75), Y);
  EXPECT_EQ(Basis.floorDiv(Context.add(add(Y, X, -75), 150), 75),
            Context.sub(num(2), X));
}
TEST_F(FloorBasisTest, MultiplesMoveOut_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", {0, 75});
  EXPECT_EQ(text(Basis.floorDiv(add(Y, X, 75), 75)), "x + y floordiv 75");
  EXPECT_EQ(text(Basis.floorDiv(add(Y, X, 76), 75)), "x + (x + y) floordiv 75");
}

/// 999 = 1000 - 1: with b <= 0 the rest -b is in one period.
TEST_F(FloorBasisTest, SymmetricResidue) {
  IndexExpr A = var("a", Interval()), B = var("b", {-500, 0});
  EXPECT_EQ(Basis.floorDiv(add(Context.scale(A, 1000), B, 999), 1000),
            add(A, B));
}
TEST_F(FloorBasisTest, SymmetricResidue_negative) {
  IndexExpr A = var("a", Interval()), B = var("b", {0, 500});
  EXPECT_EQ(text(Basis.floorDiv(add(Context.scale(A, 1000), B, 999), 1000)),
            "a + b - (b + 999) floordiv 1000");
}

/// -600*b + c stays in one period though 400 is the smaller residue.
TEST_F(FloorBasisTest, SignKeepingResidue) {
  IndexExpr B = var("b", {-1, 0}), C = var("c", {0, 399});
  EXPECT_EQ(Basis.floorDiv(add(C, B, -600), 1000), num(0));
  IndexExpr A = var("a", Interval());
  EXPECT_EQ(Basis.floorDiv(add(add(C, B, -600), A, 1000), 1000), A);
}
TEST_F(FloorBasisTest, SignKeepingResidue_negative) {
  IndexExpr A = var("a", Interval());
  IndexExpr B = var("b", {-1, 0}), C = var("c", {0, 400});
  IndexExpr E = Basis.floorDiv(add(add(C, B, -600), A, 1000), 1000);
  EXPECT_EQ(countDivisions(E), 1u);
}

TEST_F(FloorBasisTest, LinearOnBox) {
  IndexExpr A = var("a", {0, 1}), B = var("b", {0, 1});
  EXPECT_EQ(Basis.floorDiv(Context.add(A, 3), 4), A);
  EXPECT_EQ(text(Basis.floorDiv(add(Context.scale(A, 10), B, 5), 4)),
            "2 * a + b");
}
TEST_F(FloorBasisTest, LinearOnBox_negative) {
  IndexExpr A = var("a", {0, 2}); // 0, 1, 1
  EXPECT_EQ(text(Basis.floorDiv(Context.add(A, 3), 4)), "(a + 3) floordiv 4");
}

/// x + 4*floor(x/6) is 10*floor(x/6) and a digit below 6.
TEST_F(FloorBasisTest, MultiplesInDisguise) {
  IndexExpr X = var("x", Interval()), Q = Basis.floorDiv(X, 6);
  EXPECT_EQ(Basis.floorDiv(add(X, Q, 4), 10), Q);
  EXPECT_EQ(Basis.floorDiv(add(X, Q, -16), 10), Context.negate(Q));
}
TEST_F(FloorBasisTest, MultiplesInDisguise_negative) {
  IndexExpr X = var("x", Interval()), Q = Basis.floorDiv(X, 6);
  EXPECT_EQ(countDivisions(Basis.floorDiv(add(X, Q, 5), 10)), 2u);
  EXPECT_EQ(countDivisions(Basis.floorDiv(Context.add(add(X, Q, 4), 5), 10)),
            2u); // the digit reaches 10
}

/// 30*(x mod 3) + 2*(floor(x/3) mod 5) + 80*floor(x/15): modulo 80, no rule
/// sees x mod 3 in 30*x - 8*floor(x/3).
TEST_F(FloorBasisTest, MultiplesBehindResidues) {
  IndexExpr X = var("x", Interval(0, 999));
  IndexExpr Third = Basis.floorDiv(X, 3), Whole = Basis.floorDiv(X, 15);
  IndexExpr F = add(add(Context.scale(X, 30), Third, -88), Whole, 70);
  EXPECT_EQ(Basis.floorDiv(F, 80), Whole);
  for (int64_t V = 0; V < 1000; ++V)
    EXPECT_EQ((30 * V - 88 * (V / 3) + 70 * (V / 15)) / 80, V / 15);
}
TEST_F(FloorBasisTest, MultiplesBehindResidues_negative) {
  IndexExpr X = var("x", Interval(0, 999));
  IndexExpr Third = Basis.floorDiv(X, 3), Whole = Basis.floorDiv(X, 15);
  IndexExpr F = add(add(Context.scale(X, 30), Third, -88), Whole, 70);
  // 60 + 8 + 12 is the next multiple.
  EXPECT_NE(Basis.floorDiv(Context.add(F, 12), 80), Whole);
  EXPECT_EQ(Basis.floorDiv(Context.add(F, 11), 80), Whole);
}

/// v = 2 (mod 6): floor(v/3), floor((v-1)/3) and floor((v-2)/3) are the same.
TEST_F(FloorBasisTest, CongruenceDrop) {
  IndexExpr V = var("v", Interval(), Congruence::of(6, 2));
  EXPECT_EQ(text(Basis.floorDiv(V, 3)), "v floordiv 3");
  EXPECT_EQ(Basis.floorDiv(Context.add(V, -1), 3), Basis.floorDiv(V, 3));
  EXPECT_EQ(Basis.floorDiv(Context.add(V, -2), 3), Basis.floorDiv(V, 3));
  EXPECT_EQ(Domain.range(Basis.floorMod(V, 3)), Interval::point(2));
}
TEST_F(FloorBasisTest, CongruenceDrop_negative) {
  IndexExpr V = var("v", Interval(), Congruence::of(6, 2));
  EXPECT_NE(Basis.floorDiv(Context.add(V, 1), 3), Basis.floorDiv(V, 3));
  EXPECT_EQ(Domain.range(Basis.floorMod(V, 4)), Interval(0, 2));
  IndexExpr U = var("u", Interval());
  EXPECT_EQ(text(Basis.floorDiv(U, 3)), "u floordiv 3");
}

/// x + k with x = 2 (mod 6), by 12: only how many sixes 2 + k holds counts.
TEST_F(FloorBasisTest, CongruenceConstant) {
  IndexExpr V = var("v", Interval(), Congruence::of(6, 2));
  IndexExpr Q = Basis.floorDiv(V, 12),
            R = Basis.floorDiv(Context.add(V, 6), 12);
  for (int64_t K = -2; K <= 3; ++K)
    EXPECT_EQ(Basis.floorDiv(Context.add(V, K), 12), Q) << K;
  for (int64_t K = 4; K <= 9; ++K)
    EXPECT_EQ(Basis.floorDiv(Context.add(V, K), 12), R) << K;
  EXPECT_EQ(Basis.floorDiv(Context.add(V, 10), 12), Context.add(Q, 1));
}
TEST_F(FloorBasisTest, CongruenceConstant_negative) {
  IndexExpr V = var("v", Interval(), Congruence::of(6, 2));
  EXPECT_NE(Basis.floorDiv(Context.add(V, 4), 12), Basis.floorDiv(V, 12));
  EXPECT_NE(Basis.floorDiv(Context.add(V, -3), 12), Basis.floorDiv(V, 12));
  EXPECT_NE(Basis.floorDiv(Context.add(V, 1), 4),
            Basis.floorDiv(Context.add(V, 3), 4));
}
/// The numbers of the rule add up to more than 64 bits.
TEST_F(FloorBasisTest, CongruenceConstantOfLargeModuli) {
  const int64_t D = 3 * (int64_t(1) << 61);
  IndexExpr V = var("v", Interval(), Congruence::of(D, D - 1));
  for (int64_t K : {int64_t(0), int64_t(1), D - 1}) {
    IndexExpr E = Basis.floorDiv(Context.add(V, K), D);
    ASSERT_TRUE(E);
    EXPECT_EQ(evaluate(E, [&](const IndexAtom *) { return std::optional(-1); }),
              unravel::floorDiv(-1 + K, D));
  }
}

TEST_F(FloorBasisTest, Parity) {
  IndexExpr X = var("x", Interval());
  EXPECT_EQ(text(Basis.floorDiv(Context.add(X, 1), 2)), "x - x floordiv 2");
  EXPECT_EQ(add(Basis.floorDiv(X, 2), Basis.ceilDiv(X, 2)), X);
}
TEST_F(FloorBasisTest, Parity_negative) {
  IndexExpr X = var("x", Interval());
  EXPECT_EQ(text(Basis.floorDiv(Context.add(X, 1), 3)), "(x + 1) floordiv 3");
  EXPECT_NE(add(Basis.floorDiv(X, 2), Basis.floorDiv(X, 2)), X);
}

/// The half of a quotient and one is one quotient.
TEST_F(FloorBasisTest, ParityOfAQuotient) {
  IndexExpr X = var("x", Interval());
  IndexExpr Quotient = Basis.floorDiv(X, 3);
  EXPECT_EQ(text(Basis.floorDiv(Context.add(Quotient, 1), 2)),
            "(x + 3) floordiv 6");
  EXPECT_EQ(text(Basis.floorDiv(Context.add(Basis.floorDiv(X, 2), 1), 2)),
            "(x + 2) floordiv 4");
}
TEST_F(FloorBasisTest, ParityOfAQuotient_negative) {
  // With another term in it, a half is expressed by the other one.
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Sum = add(Basis.floorDiv(X, 3), Y);
  EXPECT_EQ(add(Basis.floorDiv(Sum, 2), Basis.ceilDiv(Sum, 2)), Sum);
}

/// v is odd: neither (v - 1)/2 nor (v + 1)/2 leaves a remainder.
TEST_F(FloorBasisTest, ParityOfAKnownRemainder) {
  IndexExpr V = var("v", Interval(), Congruence::of(2, 1));
  IndexExpr Half = Basis.floorDiv(V, 2);
  EXPECT_EQ(countDivisions(Half), 1u);
  EXPECT_EQ(Basis.floorDiv(Context.add(V, 1), 2), Context.add(Half, 1));
  EXPECT_EQ(Basis.floorDiv(Context.add(V, -1), 2), Half);
  EXPECT_EQ(Domain.range(Basis.floorMod(V, 2)), Interval::point(1));
}

TEST_F(FloorBasisTest, CommonFactor) {
  IndexExpr X = var("x", Index), Y = var("y", {0, 3}), Z = var("z", {4, 7});
  EXPECT_EQ(text(Basis.floorDiv(add(Y, X, 4), 12)), "x floordiv 3");
  EXPECT_EQ(text(Basis.floorDiv(add(Z, X, 4), 12)), "(x + 1) floordiv 3");
  EXPECT_EQ(text(Basis.floorDiv(Context.add(Context.scale(X, 4), 3), 12)),
            "x floordiv 3");
  // The factor of two terms of three.
  IndexExpr W = var("w", Index);
  EXPECT_EQ(text(Basis.floorDiv(add(add(Y, X, 4), W, 8), 12)),
            "(x + 2 * w) floordiv 3");
}
TEST_F(FloorBasisTest, CommonFactor_negative) {
  IndexExpr X = var("x", Index), Y = var("y", {0, 4}), Z = var("z", {-1, 2});
  EXPECT_EQ(text(Basis.floorDiv(add(Y, X, 4), 12)), "(4 * x + y) floordiv 12");
  EXPECT_EQ(text(Basis.floorDiv(add(Z, X, 4), 12)), "(4 * x + z) floordiv 12");
  IndexExpr B = var("b", {0, 3});
  EXPECT_EQ(text(Basis.floorDiv(add(B, X, 5), 12)), // 5 does not divide 12
            "(5 * x + b) floordiv 12");
}

/// 21846 = ceil(2^16 / 3), and 3 * 21846 = 2^16 + 2: right for 2*x < 2^16.
TEST_F(FloorBasisTest, MagicNumbersAreDivisions) {
  IndexExpr X = var("x", {0, 32767});
  EXPECT_EQ(Basis.floorDiv(Context.scale(X, 21846), 65536),
            Basis.floorDiv(X, 3));
}

TEST_F(FloorBasisTest, MagicNumbersAreDivisions_negative) {
  IndexExpr Large = var("x", {0, 32768}), Negative = var("y", {-3, 10});
  EXPECT_NE(Basis.floorDiv(Context.scale(Large, 21846), 65536),
            Basis.floorDiv(Large, 3)); // 10923, not 10922
  EXPECT_NE(Basis.floorDiv(Context.scale(Negative, 21846), 65536),
            Basis.floorDiv(Negative, 3)); // -2, not -1
}

/// floor((F + d*G)/d) = G + floor(F/d) for every F and G.
TEST_F(FloorBasisTest, MultiplesDoNotChangeTheForm) {
  IndexExpr X = var("x", Index);
  IndexExpr Third = Basis.floorDiv(X, 3), Sixth = Basis.floorDiv(X, 6);
  IndexExpr F = add(Sixth, Third, 3), G = add(Sixth, Third);
  IndexExpr E = Basis.floorDiv(add(F, G, 4), 4);
  EXPECT_EQ(E, add(G, Basis.floorDiv(F, 4))) << text(E);
  EXPECT_EQ(E, Basis.simplify(E)) << text(E);
  // Where the first simplify() makes the sum, it takes two to finish.
  IndexExpr A = var("a", Interval());
  IndexExpr Outer = Context.rawAtom(
      IndexAtom::Kind::FloorDiv,
      add(Context.scale(Basis.truncDiv(A, 3), 7), Basis.truncDiv(A, 6), 5), 4);
  IndexDomain Child(Domain);
  Child.constrain(A, Index);
  FloorBasis Narrow(Child);
  IndexExpr Once = Narrow.simplify(Outer);
  EXPECT_EQ(Narrow.simplify(Once), Once) << text(Once);
}

TEST_F(FloorBasisTest, AtomsWithOneKnownValue) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  Domain.constrain(Context.rawAtom(IndexAtom::Kind::TruncDiv, X, 55),
                   Interval::point(2));
  Domain.constrain(
      Context.rawAtom(IndexAtom::Kind::NegativePart, Context.sub(X, Y)),
      Interval::point(0)); // x >= y
  EXPECT_EQ(Basis.truncDiv(X, 55), num(2));
  EXPECT_EQ(Basis.min(X, Y), Y);
  EXPECT_EQ(Basis.max(X, Y), X);
}

} // namespace
