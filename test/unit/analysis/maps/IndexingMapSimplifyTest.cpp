//===- IndexingMapSimplifyTest.cpp - The simplest form of maps ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each step of ConstraintNormalizer.cpp and IndexingMapSimplify.cpp alone, with
// its _negative twin; each map keeps its points. Random maps are compared in
// IndexingMapBruteForceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexSubstitution.h"
#include "test/unit/IndexingMapTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class IndexingMapSimplifyTest : public IndexingMapFixture {
protected:
  /// The bounds of the simplified domain and its constraints as text; the
  /// domain keeps its points.
  std::string domain(const Ranges &Box,
                     std::vector<MapConstraint> Constraints) {
    IndexingMap Map = map(variables(Box), {num(0)}, std::move(Constraints));
    IndexingMap Simple = Map.simplified();
    EXPECT_TRUE(Simple.simplified() == Simple);
    std::vector<Point> Points;
    if (all_of(Box, [](const Interval &I) { return I.isBounded(); }))
      Points = pointsOfBox(Box);
    for (const Point &P : Points)
      EXPECT_EQ(Simple.contains(P), Map.contains(P))
          << testing::PrintToString(P);
    if (Simple.isKnownEmpty())
      return "empty";
    std::string Text;
    for (const Interval &I : boxOf(Simple))
      Text += I.str();
    for (const MapConstraint &C : Simple.constraints())
      Text += " " + toString(Context, named(C.Expr)) + " in " + C.Range.str();
    return Text;
  }
  /// Variables of maps have no names.
  IndexExpr named(IndexExpr E) {
    Replacements With;
    for (unsigned I = 0; I < 4; ++I) {
      if (!Names[I])
        Names[I] =
            Context.atom(Context.createVariable("d" + std::to_string(I)));
      With[d(I).asAtom()] = Names[I];
    }
    return IndexSubstitution(Context, With).apply(E);
  }
  IndexExpr plus(IndexExpr E, int64_t K) { return Context.add(E, K); }
  IndexExpr condition(IndexAtom::Kind Kind, IndexExpr E) {
    return Context.rawAtom(Kind, E);
  }
  IndexExpr quotient(IndexExpr E, IndexExpr D) {
    return Context.rawAtom(IndexAtom::Kind::FloorDiv, E, D);
  }

  IndexExpr Names[4];
  const Interval All = {-20, 20};
};

TEST_F(IndexingMapSimplifyTest, LinearConstraintsOfOneVariable) {
  EXPECT_EQ(domain({All}, {{plus(Context.scale(d(0), 3), 1), {-2, 9}}}),
            "[-1, 2]");
  EXPECT_EQ(domain({All}, {{plus(Context.scale(d(0), -3), 1), {-2, 9}}}),
            "[-2, 1]");
  EXPECT_EQ(domain({All}, {{plus(Context.scale(d(0), 3), 1), {2, 3}}}),
            "empty");
  EXPECT_EQ(domain({All}, {{num(3), {4, 5}}}), "empty");
  EXPECT_EQ(domain({All}, {{num(3), {3, 5}}}), "[-20, 20]");
  EXPECT_EQ(domain({All}, {{d(0), {21, 30}}}), "empty");
}
TEST_F(IndexingMapSimplifyTest, Quotients) {
  EXPECT_EQ(domain({{0, 99}}, {{floor(d(0), 8), {5, 11}}}), "[40, 95]");
  EXPECT_EQ(domain({All}, {{floor(d(0), 8), {-2, -1}}}), "[-16, -1]");
  auto Trunc = [&](int64_t Lo, int64_t Hi) {
    return domain({All}, {{Context.rawAtom(IndexAtom::Kind::TruncDiv, d(0), 4),
                           {Lo, Hi}}});
  };
  EXPECT_EQ(Trunc(1, 2), "[4, 11]");
  EXPECT_EQ(Trunc(0, 0), "[-3, 3]");
  EXPECT_EQ(Trunc(-2, -1), "[-11, -4]");
  EXPECT_EQ(Trunc(-1, 2), "[-7, 11]");
}
TEST_F(IndexingMapSimplifyTest, Minima) {
  auto Least = [&](int64_t Lo, int64_t Hi) {
    return domain({All}, {{Context.rawAtom(IndexAtom::Kind::NegativePart, d(0)),
                           {Lo, Hi}}});
  };
  EXPECT_EQ(Least(-3, 0), "[-3, 20]");
  EXPECT_EQ(Least(-3, 7), "[-3, 20]");
  EXPECT_EQ(Least(-3, -1), "[-3, -1]");
  EXPECT_EQ(Least(1, 7), "empty");
}
TEST_F(IndexingMapSimplifyTest, Conditions) {
  IndexExpr N = condition(IndexAtom::Kind::NonNegative, plus(d(0), -3));
  IndexExpr Z = condition(IndexAtom::Kind::Zero, plus(d(0), -3));
  IndexExpr M = condition(IndexAtom::Kind::NonNegative, d(1));
  EXPECT_EQ(domain({All}, {{N, {1, 1}}}), "[3, 20]");
  EXPECT_EQ(domain({All}, {{N, {0, 0}}}), "[-20, 2]");
  EXPECT_EQ(domain({All}, {{N, {1, 5}}}), "[3, 20]");
  EXPECT_EQ(domain({All}, {{N, {0, 1}}}), "[-20, 20]");
  EXPECT_EQ(domain({All}, {{N, {2, 5}}}), "empty");
  EXPECT_EQ(domain({All}, {{Z, {1, 1}}}), "[3, 3]");
  EXPECT_EQ(domain({All, All}, {{Context.multiply(N, M), {1, 1}}}),
            "[3, 20][0, 20]");
}
TEST_F(IndexingMapSimplifyTest, Conditions_negative) {
  IndexExpr N = condition(IndexAtom::Kind::NonNegative, plus(d(0), -3));
  IndexExpr Z = condition(IndexAtom::Kind::Zero, plus(d(0), -3));
  IndexExpr M = condition(IndexAtom::Kind::NonNegative, d(1));
  EXPECT_EQ(domain({All}, {{Z, {0, 0}}}), "[-20, 20] (d0 - 3 == 0) in [0, 0]");
  EXPECT_EQ(domain({All, All}, {{Context.multiply(N, M), {0, 0}}}),
            "[-20, 20][-20, 20] (d0 - 3 >= 0) * (d1 >= 0) in [0, 0]");
  // A product with a factor that is no condition.
  std::string Text = domain({All, All}, {{Context.multiply(N, d(1)), {1, 5}}});
  EXPECT_NE(Text.find(" in "), std::string::npos) << Text;
}

TEST_F(IndexingMapSimplifyTest, Congruences) {
  EXPECT_EQ(
      domain({{0, 20}}, {{mod(plus(Context.scale(d(0), 2), 1), 6), {3, 3}}}),
      "[1, 19] d0 mod 3 in [1, 1]");
  EXPECT_EQ(
      domain({{0, 20}}, {{mod(plus(Context.scale(d(0), 2), 1), 6), {2, 2}}}),
      "empty");
  EXPECT_EQ(domain({{0, 20}}, {{mod(d(0), 6), {6, 6}}}), "empty");
  EXPECT_EQ(domain({{0, 20}}, {{mod(d(0), 4), {1, 1}}, {mod(d(0), 6), {3, 3}}}),
            "[9, 9]");
  EXPECT_EQ(domain({{0, 40}}, {{mod(d(0), 4), {1, 1}}, {mod(d(0), 6), {3, 3}}}),
            "[9, 33] d0 mod 12 in [9, 9]");
  EXPECT_EQ(domain({{0, 40}}, {{mod(d(0), 4), {1, 1}}, {mod(d(0), 6), {2, 2}}}),
            "empty");
  EXPECT_EQ(domain({{0, 5}}, {{mod(d(0), 4), {2, 2}}}), "[2, 2]");
  // Of two variables.
  EXPECT_EQ(domain({{0, 9}, {0, 9}},
                   {{mod(add(Context.scale(d(0), 2), d(1), 8), 6), {4, 4}}}),
            "[0, 9][0, 9] (d0 + d1) mod 3 in [2, 2]");
}
TEST_F(IndexingMapSimplifyTest, Congruences_negative) {
  // More than one residue is no congruence.
  EXPECT_EQ(domain({{0, 20}}, {{mod(d(0), 6), {2, 3}}}),
            "[2, 20] d0 mod 6 in [2, 3]");
  // C's remainder of an unknown sign is not either.
  IndexExpr Rem =
      add(d(0), Context.rawAtom(IndexAtom::Kind::TruncDiv, d(0), 6), -6);
  EXPECT_NE(domain({All}, {{Rem, {2, 2}}}).find(" in "), std::string::npos);
}

/// Moduli whose product leaves 64 bits: both congruences stay.
TEST_F(IndexingMapSimplifyTest, LargeModuli_negative) {
  const int64_t A = (int64_t(1) << 62) - 57, B = (int64_t(1) << 61) - 1;
  IndexingMap Map = map(variables({Interval(0, Max - 1)}), {num(0)},
                        {{mod(d(0), A), {5, 5}}, {mod(d(0), B), {3, 3}}});
  IndexingMap Simple = Map.simplified();
  for (int64_t V : {int64_t(5), int64_t(3), A + 5, B + 3, 2 * (B + 3) - 3})
    EXPECT_EQ(Simple.contains({V}), Map.contains({V})) << V;
}

TEST_F(IndexingMapSimplifyTest, SymbolicQuotients) {
  // d0 floordiv d1 in [2, 4]
  EXPECT_EQ(domain({{0, 20}, {1, 4}}, {{quotient(d(0), d(1)), {2, 4}}}),
            "[2, 19][1, 4] d0 - 5 * d1 in [-18, -1] d0 - 2 * d1 in [0, 17]");
}
TEST_F(IndexingMapSimplifyTest, SymbolicQuotients_negative) {
  for (Interval Divisor : {Interval(0, 4), Interval(-2, 2)}) {
    std::string Text =
        domain({{-9, 9}, Divisor}, {{quotient(d(0), d(1)), {2, 4}}});
    EXPECT_NE(Text.find("floordiv"), std::string::npos) << Text;
  }
}

/// The floor basis writes these as a sum with a quotient.
TEST_F(IndexingMapSimplifyTest, SumsWithQuotients) {
  // (3 * d0) floordiv 2
  EXPECT_EQ(domain({{0, 99}}, {{floor(Context.scale(d(0), 3), 2), {4, 9}}}),
            "[3, 6]");
  // (d0 - d1) floordiv 3
  EXPECT_EQ(
      domain({{0, 99}, {0, 9}}, {{floor(Context.sub(d(0), d(1)), 3), {4, 9}}}),
      "[12, 38][0, 9] d0 - d1 in [12, 29]");
  // d0 - d0 floordiv 4, which is (3 * d0) ceildiv 4
  EXPECT_EQ(domain({{0, 99}}, {{Context.sub(d(0), floor(d(0), 4)), {4, 6}}}),
            "[5, 8]");
  // Every dividend, divisor and range of a small box.
  for (int64_t A = -7; A <= 7; ++A)
    for (int64_t D : {2, 3, 5})
      for (int64_t Low = -4; Low <= 4; ++Low) {
        IndexingMap Map = map(
            variables({{-9, 9}, {-3, 3}}), {num(0)},
            {{floor(plus(Context.add(d(1), d(0), A), 1), D), {Low, Low + 2}}});
        IndexingMap Simple = Map.simplified();
        for (const Point &P : pointsOfBox({{-9, 9}, {-3, 3}}))
          EXPECT_EQ(Simple.contains(P), Map.contains(P));
      }
}
TEST_F(IndexingMapSimplifyTest, SumsWithQuotients_negative) {
  // Twice a quotient is no quotient of the sum, and two do not go together.
  for (IndexExpr E : {Context.add(d(0), floor(d(0), 5), 2),
                      Context.add(floor(d(0), 5), floor(d(1), 3))}) {
    std::string Text = domain({{0, 99}, {0, 99}}, {{E, {4, 9}}});
    EXPECT_NE(Text.find("floordiv"), std::string::npos) << Text;
  }
}

TEST_F(IndexingMapSimplifyTest, SmallTermsDecideNothing) {
  // 4*(d0 + d1) + d2, d2 in [0, 3]
  IndexExpr Four = Context.scale(Context.add(d(0), d(1)), 4);
  IndexExpr Sum = Context.add(Four, d(2));
  EXPECT_EQ(domain({{0, 9}, {0, 9}, {0, 3}}, {{Sum, {4, 39}}}),
            "[0, 9][0, 9][0, 3] d0 + d1 in [1, 9]");
  // From one side only, and with several small terms.
  EXPECT_EQ(domain({{0, 9}, {0, 9}, {0, 3}}, {{Sum, Interval::atLeast(8)}}),
            "[0, 9][0, 9][0, 3] d0 + d1 in [2, 18]");
  EXPECT_EQ(domain({{0, 9}, {0, 9}, {0, 1}, {0, 1}},
                   {{Context.add(Context.add(Four, d(2), 2), d(3), -1),
                     Interval::atMost(30)}}),
            "[0, 7][0, 7][0, 1][0, 1] d0 + d1 in [0, 7]");
  // Every range of a small box.
  for (int64_t Low = -9; Low <= 9; ++Low)
    for (int64_t High = Low; High <= 14; ++High)
      for (int64_t Small : {-2, -1, 1, 2}) {
        std::vector<Interval> Box = {{-2, 1}, {0, 2}, {-1, 1}};
        IndexingMap Map =
            map(variables(Box), {num(0)},
                {{Context.add(Context.scale(Context.sub(d(0), d(1)), 4), d(2),
                              Small),
                  {Low, High}}});
        IndexingMap Simple = Map.simplified();
        for (const Point &P : pointsOfBox(Box))
          EXPECT_EQ(Simple.contains(P), Map.contains(P)) << Low << " " << High;
      }
}
TEST_F(IndexingMapSimplifyTest, SmallTermsDecideNothing_negative) {
  IndexExpr Four = Context.scale(Context.add(d(0), d(1)), 4);
  // An end inside of a step, and a term as large as a step.
  EXPECT_EQ(
      domain({{0, 9}, {0, 9}, {0, 3}}, {{Context.add(Four, d(2)), {4, 38}}}),
      "[0, 9][0, 9][0, 3] 4 * d0 + 4 * d1 + d2 in [4, 38]");
  EXPECT_EQ(
      domain({{0, 9}, {0, 9}, {0, 4}}, {{Context.add(Four, d(2)), {4, 39}}}),
      "[0, 9][0, 9][0, 4] 4 * d0 + 4 * d1 + d2 in [4, 39]");
  // A quotient that may have no value stays.
  IndexExpr Q = quotient(d(2), d(3));
  std::string Text = domain({{0, 9}, {0, 9}, {0, 3}, {0, 3}},
                            {{Context.add(Four, Q), {4, 39}}});
  EXPECT_NE(Text.find("d2 floordiv d3"), std::string::npos) << Text;
}

/// The ends times the divisor leave 64 bits.
TEST_F(IndexingMapSimplifyTest, SymbolicQuotientsOverflow_negative) {
  const int64_t Big = int64_t(1) << 40;
  IndexExpr D = plus(Context.scale(d(1), Big), 1);
  for (Interval Range : {Interval::atLeast(Big), Interval::atMost(Big),
                         Interval(-Big, 0), Interval(Max - 1, Max - 1)}) {
    IndexingMap Map = map(variables({{0, 9}, {1, 4}}), {num(0)},
                          {{quotient(d(0), D), Range}});
    IndexingMap Simple = Map.simplified();
    for (const Point &P : pointsOfBox({{0, 9}, {1, 4}}))
      EXPECT_EQ(Simple.contains(P), Map.contains(P));
  }
}

/// Ends that leave 64 bits when a divisor or a constant moves over do not
/// become weaker.
TEST_F(IndexingMapSimplifyTest, ExtremeRanges) {
  const int64_t Big = int64_t(1) << 62;
  std::vector<std::pair<IndexExpr, Interval>> Cases = {
      {floor(d(0), 2), Interval::atLeast(Big + 1)},
      {floor(d(0), 2), Interval::atMost(-Big - 1)},
      {Context.rawAtom(IndexAtom::Kind::TruncDiv, d(0), 2),
       Interval::atLeast(Big + 1)},
      {plus(d(0), -Max), Interval::atLeast(5)},
      {plus(d(0), Max), Interval::atMost(-5)}};
  for (auto &[E, Range] : Cases) {
    IndexingMap Map = map(variables({Interval()}), {num(0)}, {{E, Range}});
    IndexingMap Simple = Map.simplified();
    for (int64_t V :
         {Max - 2, Max - 1, Min + 1, Min + 2, int64_t(0), Big, -Big})
      EXPECT_EQ(Simple.contains({V}), Map.contains({V}))
          << V << " in " << Range.str();
  }
}

TEST_F(IndexingMapSimplifyTest, BoundsTightenEachOther) {
  EXPECT_EQ(domain({{0, 99}, {0, 15}}, {{add(d(1), d(0), 16), {0, 32}}}),
            "[0, 2][0, 15] 16 * d0 + d1 in [0, 32]");
}
TEST_F(IndexingMapSimplifyTest, ImpliedConstraintsGo) {
  EXPECT_EQ(domain({{0, 9}, {0, 9}}, {{add(d(0), d(1)), {0, 18}}}),
            "[0, 9][0, 9]");
  EXPECT_EQ(domain({{0, 9}, {0, 9}},
                   {{add(d(0), d(1)), {0, 7}}, {add(d(0), d(1)), {-3, 5}}}),
            "[0, 5][0, 5] d0 + d1 in [0, 5]");
  EXPECT_EQ(domain({{0, 9}, {0, 9}},
                   {{add(d(0), d(1)), {0, 3}}, {add(d(0), d(1)), {5, 9}}}),
            "empty");
  // x <= y and y <= z imply x <= z.
  Interval Order = Interval::atMost(0);
  EXPECT_EQ(
      domain({{0, 3}, {0, 3}, {0, 3}}, {{Context.sub(d(0), d(1)), Order},
                                        {Context.sub(d(1), d(2)), Order},
                                        {Context.sub(d(0), d(2)), Order}}),
      "[0, 3][0, 3][0, 3] d0 - d1 in [-3, 0] d1 - d2 in [-3, 0]");
}
TEST_F(IndexingMapSimplifyTest, ImpliedConstraintsGo_negative) {
  EXPECT_EQ(domain({{0, 9}, {0, 9}}, {{add(d(0), d(1)), {0, 17}}}),
            "[0, 9][0, 9] d0 + d1 in [0, 17]");
  EXPECT_EQ(domain({{0, 9}, {0, 9}}, {{add(d(0), d(1)), {1, 18}}}),
            "[0, 9][0, 9] d0 + d1 in [1, 18]");
}

TEST_F(IndexingMapSimplifyTest, ResultsKnowTheDomain) {
  IndexingMap Map = map(variables({{0, 99}}), {mod(d(0), 8), floor(d(0), 8)},
                        {{d(0), {8, 15}}});
  IndexingMap Simple = Map.simplified();
  EXPECT_EQ(Simple.result(0), plus(d(0), -8));
  EXPECT_EQ(Simple.result(1), num(1));
}
TEST_F(IndexingMapSimplifyTest, ResultsKnowTheDomain_negative) {
  IndexingMap Map =
      map(variables({{0, 99}}), {mod(d(0), 8)}, {{d(0), {8, 16}}});
  EXPECT_EQ(Map.simplified().result(0), mod(d(0), 8));
}

/// Bounds that tighten each other by one a round are left alone (or the time
/// limit of the test is exceeded).
TEST_F(IndexingMapSimplifyTest, TimeIsBounded) {
  std::vector<MapConstraint> Constraints = {
      {Context.sub(d(0), d(1)), Interval::atLeast(1)},
      {Context.sub(d(1), d(0)), Interval::atLeast(-2)}};
  for (unsigned I = 2; I < 6; ++I)
    Constraints.push_back(
        {add(d(I), Context.multiply(d(I - 1), d(I)), -1), {-3, 500}});
  Ranges Box(6, Interval(0, 1000000));
  IndexingMap Simple =
      map(variables(Box), {add(d(0), d(1))}, Constraints).simplified();
  EXPECT_FALSE(Simple.isKnownEmpty());
}

} // namespace
