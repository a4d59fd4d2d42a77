//===- IndexConditionsTest.cpp - Comparisons as forms ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule of IndexConditions.cpp and of the products of conditions alone,
// with its _negative twin, then conditions of all small forms, and products of
// every two of them, at every point.
//
//===----------------------------------------------------------------------===//

#include "test/unit/FloorBasisTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class IndexConditionsTest : public FloorBasisFixture {
protected:
  std::string nonNegative(IndexExpr E) { return text(Basis.nonNegative(E)); }
  std::string zero(IndexExpr E) { return text(Basis.zero(E)); }
  IndexExpr plus(IndexExpr E, int64_t K) { return Context.add(E, K); }
  IndexExpr mul(IndexExpr A, IndexExpr B) { return Context.multiply(A, B); }
};

TEST_F(IndexConditionsTest, KnownConditions) {
  IndexExpr X = var("x", {3, 9});
  EXPECT_EQ(nonNegative(plus(X, -3)), "1");
  EXPECT_EQ(nonNegative(plus(X, -10)), "0");
  EXPECT_EQ(zero(plus(X, -10)), "0");
  EXPECT_EQ(zero(plus(X, -2)), "0");
  EXPECT_EQ(zero(num(0)), "1");
  EXPECT_EQ(zero(num(4)), "0");
  EXPECT_EQ(nonNegative(num(0)), "1");
  EXPECT_EQ(nonNegative(num(-1)), "0");
  EXPECT_FALSE(Basis.nonNegative(IndexExpr()));
  EXPECT_FALSE(Basis.zero(IndexExpr()));
  IndexExpr Even = var("e", Interval(), Congruence::of(2, 0));
  EXPECT_EQ(zero(plus(Even, 3)), "0");
  IndexExpr Y = var("y", Interval()), Z = var("z", Interval());
  Domain.constrain(Context.sub(Z, Y), Interval::atLeast(1));
  EXPECT_EQ(nonNegative(Context.sub(Z, Y)), "1");
  EXPECT_EQ(nonNegative(Context.sub(Y, Z)), "0");
  EXPECT_EQ(zero(Context.sub(Y, Z)), "0");
  EXPECT_EQ(zero(Context.sub(Z, Y)), "0");
}
TEST_F(IndexConditionsTest, KnownConditions_negative) {
  IndexExpr X = var("x", {3, 9}), N = var("n", Interval());
  EXPECT_EQ(nonNegative(plus(X, -4)), "(x - 4 >= 0)");
  EXPECT_EQ(nonNegative(plus(X, -9)), "(x - 9 >= 0)");
  EXPECT_EQ(zero(plus(N, 1)), "(n + 1 == 0)");
  IndexExpr Even = var("e", Interval(), Congruence::of(2, 0));
  EXPECT_EQ(zero(plus(Even, 2)), "(e + 2 == 0)");
  IndexExpr Y = var("y", Interval()), Z = var("z", Interval());
  Domain.constrain(Context.sub(Z, Y), Interval::atLeast(0));
  EXPECT_NE(nonNegative(Context.sub(Y, Z)), "0");
  EXPECT_NE(zero(Context.sub(Y, Z)), "0");
}

TEST_F(IndexConditionsTest, CommonFactorRounds) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  EXPECT_EQ(nonNegative(plus(Context.scale(X, 3), 4)), "(x + 1 >= 0)");
  EXPECT_EQ(nonNegative(plus(Context.scale(X, 3), -4)), "(x - 2 >= 0)");
  EXPECT_EQ(zero(plus(Context.scale(X, 3), 6)), "(x + 2 == 0)");
  EXPECT_EQ(zero(plus(Context.scale(X, -3), 6)), "(x - 2 == 0)");
  EXPECT_EQ(zero(plus(Context.scale(X, 3), 4)), "0");
  EXPECT_EQ(zero(Context.sub(Y, X)), "(x - y == 0)");
}
TEST_F(IndexConditionsTest, CommonFactorRounds_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  EXPECT_EQ(nonNegative(add(Context.scale(X, 3), Y, 2)),
            "(3 * x + 2 * y >= 0)");
  EXPECT_EQ(zero(plus(add(Context.scale(X, 3), Y, 2), 1)),
            "(3 * x + 2 * y + 1 == 0)");
}

TEST_F(IndexConditionsTest, MirroredConditions) {
  IndexExpr X = var("x", Interval());
  EXPECT_EQ(nonNegative(Context.sub(num(5), X)), "-(x - 6 >= 0) + 1");
  EXPECT_EQ(
      add(Basis.nonNegative(X), Basis.nonNegative(plus(Context.negate(X), -1))),
      num(1));
}

TEST_F(IndexConditionsTest, QuotientsAreMultipliedOut) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr N = var("n", Interval::atLeast(1));
  IndexExpr Q = Basis.floorDiv(X, 4), S = Basis.floorDiv(X, N);
  EXPECT_EQ(nonNegative(plus(Q, -3)), "(x - 12 >= 0)");
  EXPECT_EQ(Basis.nonNegative(Context.sub(num(3), Q)),
            Basis.nonNegative(Context.sub(num(15), X)));
  EXPECT_EQ(nonNegative(Context.sub(Y, Q)), "-(x - 4 * y - 4 >= 0) + 1");
  EXPECT_EQ(Basis.nonNegative(plus(S, -3)), Basis.nonNegative(add(X, N, -3)));
  EXPECT_EQ(Basis.nonNegative(Context.sub(Y, S)),
            Basis.nonNegative(plus(Context.sub(mul(N, plus(Y, 1)), X), -1)));
}
TEST_F(IndexConditionsTest, QuotientsAreMultipliedOut_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr K = var("k", Interval()), N = var("n", Interval::atLeast(1));
  IndexExpr Q = Basis.floorDiv(X, 4);
  EXPECT_EQ(countDivisions(Basis.nonNegative(add(Y, Q, 3))), 1u);
  // The quotient occurs in a product, too: it would not go.
  EXPECT_EQ(nonNegative(add(Q, mul(Q, Y))).find("x +"), std::string::npos);
  // A divisor of unknown sign, and C's quotient.
  EXPECT_EQ(countDivisions(Basis.nonNegative(Basis.floorDiv(X, K))), 1u);
  EXPECT_EQ(countDivisions(Basis.nonNegative(Basis.truncDiv(X, N))), 1u);
  // Another quotient that stays would be multiplied: no gain.
  EXPECT_EQ(
      countDivisions(Basis.nonNegative(add(Q, Basis.floorDiv(plus(X, 1), 3)))),
      1u);
}

TEST_F(IndexConditionsTest, TruncatingQuotients) {
  IndexExpr X = var("x", Interval()), Q = Basis.truncDiv(X, 4);
  EXPECT_EQ(nonNegative(plus(Q, -2)), "(x - 8 >= 0)");
  EXPECT_EQ(nonNegative(Q), "(x + 3 >= 0)");
  EXPECT_EQ(nonNegative(plus(Q, 2)), "(x + 11 >= 0)");
  // q <= 2, q <= -2
  EXPECT_EQ(Basis.nonNegative(Context.sub(num(2), Q)),
            Basis.nonNegative(Context.sub(num(11), X)));
  EXPECT_EQ(Basis.nonNegative(Context.sub(num(-2), Q)),
            Basis.nonNegative(Context.sub(num(-8), X)));
}
TEST_F(IndexConditionsTest, TruncatingQuotients_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Q = Basis.truncDiv(X, 4);
  EXPECT_EQ(countDivisions(Basis.nonNegative(add(Q, Y))), 1u);
  const int64_t Max = Interval::PlusInfinity; // no overflow
  Basis.nonNegative(plus(Q, Max));
  Basis.nonNegative(plus(Q, -Max));
  Basis.nonNegative(plus(Context.negate(Q), Max));
  Basis.nonNegative(plus(Context.negate(Q), -Max));
  EXPECT_EQ(countDivisions(Basis.nonNegative(plus(Q, -Max / 2))), 1u);
}

/// 8*x + r >= 0 with r in one period of 8.
TEST_F(IndexConditionsTest, SmallParts) {
  IndexExpr X = var("x", Interval()), R = var("r", {0, 7}),
            S = var("s", {-8, -1});
  EXPECT_EQ(nonNegative(add(R, X, 8)), "(x >= 0)");
  EXPECT_EQ(nonNegative(add(S, X, 8)), "(x - 1 >= 0)");
  EXPECT_EQ(nonNegative(plus(add(R, X, 8), -16)), "(x - 2 >= 0)");
}
TEST_F(IndexConditionsTest, SmallParts_negative) {
  IndexExpr X = var("x", Interval()), R = var("r", {0, 8}),
            S = var("s", {-8, 0});
  EXPECT_EQ(nonNegative(add(R, X, 8)), "(8 * x + r >= 0)");
  EXPECT_EQ(nonNegative(add(S, X, 8)), "(8 * x + s >= 0)");
}

TEST_F(IndexConditionsTest, ZeroWhereOneSideIsKnown) {
  IndexExpr X = var("x", Interval::atLeast(0)),
            Y = var("y", Interval::atMost(4));
  EXPECT_EQ(zero(X), "-(x - 1 >= 0) + 1");
  EXPECT_EQ(zero(plus(Y, -4)), "(y - 4 >= 0)");
  IndexExpr Q = Basis.floorDiv(var("z", Interval()), 4);
  EXPECT_EQ(countDivisions(Basis.zero(plus(Q, -2))), 0u);
}
TEST_F(IndexConditionsTest, ZeroWhereOneSideIsKnown_negative) {
  IndexExpr X = var("x", Interval::atLeast(-1));
  EXPECT_EQ(zero(X), "(x == 0)");
}

TEST_F(IndexConditionsTest, AtomsWithOneKnownValue) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Less = Context.rawAtom(IndexAtom::Kind::Zero, Context.sub(X, Y));
  Domain.constrain(Less, Interval::point(0)); // x != y
  EXPECT_EQ(zero(Context.sub(X, Y)), "0");
}

TEST_F(IndexConditionsTest, Select) {
  IndexExpr X = var("x", Interval()), Y = var("y", {0, 9}),
            Z = var("z", {5, 30});
  IndexExpr C = Basis.nonNegative(X);
  EXPECT_EQ(Basis.select(num(1), Y, Z), Y);
  EXPECT_EQ(Basis.select(num(0), Y, Z), Z);
  EXPECT_EQ(Basis.select(C, Y, Y), Y);
  EXPECT_EQ(Domain.range(Basis.select(C, Y, Z)), Interval(0, 30));
  EXPECT_FALSE(Basis.select(C, Y, IndexExpr()));
  EXPECT_FALSE(Basis.select(IndexExpr(), Y, Z));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

TEST_F(IndexConditionsTest, ProductsOfConditions) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  auto AtLeast = [&](int64_t K) { return Basis.nonNegative(plus(X, -K)); };
  auto AtMost = [&](int64_t K) {
    return Context.rawAtom(IndexAtom::Kind::NonNegative,
                           Context.sub(num(K), X));
  };
  auto Is = [&](int64_t K) { return Basis.zero(plus(X, -K)); };
  EXPECT_EQ(mul(AtLeast(3), AtLeast(3)), AtLeast(3));
  EXPECT_EQ(mul(AtLeast(3), AtLeast(5)), AtLeast(5));
  EXPECT_EQ(mul(AtLeast(5), AtLeast(3)), AtLeast(5));
  EXPECT_EQ(mul(AtLeast(5), AtMost(4)), num(0));
  EXPECT_EQ(mul(Is(3), Is(4)), num(0));
  EXPECT_EQ(mul(Is(3), AtLeast(3)), Is(3));
  EXPECT_EQ(mul(AtLeast(4), Is(3)), num(0));
  EXPECT_EQ(mul(Is(3), AtMost(3)), Is(3));
  EXPECT_EQ(mul(AtMost(2), Is(3)), num(0));
  // The stronger condition takes the place of x >= 0, before x <= 5.
  IndexExpr First = AtLeast(0), Second = AtMost(5);
  EXPECT_EQ(mul(mul(First, Second), AtLeast(7)), num(0));
  // Among other factors, too.
  EXPECT_EQ(mul(mul(AtLeast(3), Y), mul(AtLeast(5), Y)),
            mul(AtLeast(5), mul(Y, Y)));
  EXPECT_EQ(mul(mul(AtLeast(3), Basis.zero(Y)), AtLeast(5)),
            mul(Basis.zero(Y), AtLeast(5)));
  EXPECT_EQ(mul(mul(mul(AtLeast(3), Basis.zero(Y)), Y), Is(2)), num(0));
}
TEST_F(IndexConditionsTest, ProductsOfConditions_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr C = Basis.nonNegative(X), D = Basis.nonNegative(Y);
  IndexExpr Both = mul(C, D);
  EXPECT_EQ(Both.terms()[0].Atom->factors().size(), 2u);
  EXPECT_EQ(mul(Both, C), Both);
  IndexExpr Square = mul(X, X); // no condition: no idempotence
  EXPECT_NE(Square, X);
  EXPECT_EQ(mul(C, mul(X, X)).terms()[0].Atom->factors().size(), 3u);
  // 0 <= x <= 0 is possible.
  EXPECT_NE(
      mul(C, Context.rawAtom(IndexAtom::Kind::NonNegative, Context.negate(X))),
      num(0));
}

TEST_F(IndexConditionsTest, ProductsGiveUp) {
  IndexExpr X = var("x", Interval());
  const int64_t Max = Interval::PlusInfinity;
  EXPECT_FALSE(mul(Context.scale(X, Max), Context.scale(X, 2)));
  EXPECT_FALSE(mul(plus(X, Max), plus(X, 2)));
  EXPECT_FALSE(mul(IndexExpr(), X));
  EXPECT_FALSE(mul(X, IndexExpr()));
  IndexExpr Power = X;
  for (unsigned I = 0; I < 40 && Power; ++I)
    Power = mul(Power, X);
  EXPECT_FALSE(Power);
  IndexExpr Sum = num(0);
  for (unsigned I = 0; I < 6; ++I)
    Sum = add(Sum, var("v" + std::to_string(I), Interval()));
  EXPECT_FALSE(mul(Sum, Sum)); // 36 products
}

/// Conditions on conditions on ...: each level only once (or the time limit of
/// the test is exceeded).
TEST_F(IndexConditionsTest, NestedConditionsTakeLittleTime) {
  IndexExpr E = var("x", Interval());
  for (unsigned I = 0; I < 16; ++I) {
    IndexExpr Y = var("y" + std::to_string(I), Interval());
    IndexExpr C = Basis.nonNegative(Context.sub(E, Y));
    E = Basis.select(C, Y, add(Y, C, 3));
    if (!E)
      break;
  }
}

//===----------------------------------------------------------------------===//
// Every condition at every point
//===----------------------------------------------------------------------===//

const std::vector<Interval> Boxes[] = {
    {{-4, 4}, {-3, 3}}, {{0, 6}, {1, 3}}, {{-6, 0}, {-2, -1}}};

TEST(IndexConditionsValues, EveryPoint) {
  for (const auto &Ranges : Boxes) {
    Box B(Ranges);
    FloorBasis Basis(B.Domain);
    IndexContext &C = B.Context;
    IndexExpr X = B.Variables[0].E, Y = B.Variables[1].E;
    std::vector<IndexExpr> Forms;
    for (int64_t K = -4; K <= 4; ++K)
      for (IndexExpr E :
           {X, C.negate(X), C.scale(X, 2), C.add(C.scale(X, 3), Y, 2),
            C.add(C.scale(X, 8), Y), C.multiply(X, Y), Basis.floorDiv(X, 3),
            C.negate(Basis.floorDiv(X, 2)), Basis.truncDiv(X, 2),
            C.sub(Y, Basis.truncDiv(X, 2)), C.negate(Basis.truncDiv(X, 3)),
            C.add(Y, Basis.floorDiv(X, 3)), C.sub(Y, Basis.floorDiv(X, 2)),
            Basis.floorMod(X, 3), Basis.min(X, Y),
            C.add(X, Basis.floorDiv(X, C.add(C.multiply(Y, Y), 1))),
            C.sub(Y, Basis.floorDiv(X, C.add(C.multiply(Y, Y), 1)))})
        Forms.push_back(C.add(E, K));
    std::vector<std::pair<IndexExpr, std::vector<int64_t>>> Conditions;
    for (IndexExpr E : Forms) {
      ASSERT_TRUE(E);
      IndexExpr N = Basis.nonNegative(E), Z = Basis.zero(E);
      std::vector<int64_t> NonNegative, Zero;
      for (size_t I = 0; I < B.points(); ++I) {
        int64_t V = *B.valueAt(E, I);
        NonNegative.push_back(V >= 0);
        Zero.push_back(V == 0);
      }
      B.check(Basis, {N, NonNegative, toString(C, E) + " >= 0"});
      B.check(Basis, {Z, Zero, toString(C, E) + " == 0"});
      Conditions.push_back({N, NonNegative});
      Conditions.push_back({Z, Zero});
    }
    for (size_t I = 0; I < Conditions.size(); I += 3)
      for (size_t J = 0; J < I; J += 2) {
        auto &[P, PValues] = Conditions[I];
        auto &[Q, QValues] = Conditions[J];
        IndexExpr Product = C.multiply(P, Q);
        ASSERT_TRUE(Product);
        for (size_t At = 0; At < B.points(); ++At)
          ASSERT_EQ(B.valueAt(Product, At), PValues[At] * QValues[At])
              << toString(C, P) << " and " << toString(C, Q) << " at "
              << B.point(At);
      }
  }
}

/// Products of three raw conditions of the same and of other forms, times a
/// number.
TEST(IndexConditionsValues, ProductsOfRawConditions) {
  Box B({Interval(-4, 4), Interval(-2, 2)});
  IndexContext &C = B.Context;
  IndexExpr X = B.Variables[0].E, Y = B.Variables[1].E;
  std::vector<IndexExpr> Conditions;
  for (int64_t K : {-2, -1, 0, 1, 2})
    for (IndexExpr E : {X, C.negate(X), C.sub(X, Y), C.sub(Y, X)})
      for (IndexAtom::Kind Kind :
           {IndexAtom::Kind::Zero, IndexAtom::Kind::NonNegative})
        Conditions.push_back(C.rawAtom(Kind, C.add(E, K)));
  for (IndexExpr P : Conditions)
    for (IndexExpr Q : Conditions)
      for (size_t I = 0; I < Conditions.size(); I += 3) {
        IndexExpr R = Conditions[I];
        IndexExpr Product = C.multiply(C.multiply(C.multiply(P, X), Q), R);
        ASSERT_TRUE(Product);
        for (size_t At = 0; At < B.points(); ++At)
          ASSERT_EQ(B.valueAt(Product, At),
                    *B.valueAt(P, At) * *B.valueAt(Q, At) * *B.valueAt(R, At) *
                        *B.valueAt(X, At))
              << toString(C, P) << toString(C, Q) << toString(C, R) << " = "
              << toString(C, Product) << " at " << B.point(At);
      }
}

} // namespace
