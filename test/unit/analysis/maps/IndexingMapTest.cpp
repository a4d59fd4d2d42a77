//===- IndexingMapTest.cpp - Maps as values -------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMap.h"
#include "test/unit/IndexingMapTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class IndexingMapTest : public IndexingMapFixture {
protected:
  /// (d0, d1)[s0]{rt0} -> (d0 floordiv 8, d1 + s0 + rt0)
  IndexingMap example() {
    return map(variables({{0, 9}, {0, 4}}, {{0, 1}}, {{0, 7}}),
               {floor(d(0), 8), add(add(d(1), s(0)), rt(0))},
               {{add(d(0), d(1)), {0, 11}}});
  }
};

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapTest, VariablesAreTheSameInAllMaps) {
  const IndexAtom *S7 =
      IndexingMap::variableOf(Context, VariableKind::Range, 7);
  const IndexAtom *D3 =
      IndexingMap::variableOf(Context, VariableKind::Dimension, 3);
  EXPECT_EQ(S7, s(7).asAtom());
  EXPECT_EQ(D3, d(3).asAtom());
  EXPECT_NE(D3, s(3).asAtom());
  EXPECT_NE(s(3), rt(3));
  // Ordered by kind and number, not by which was made first.
  EXPECT_LT(D3->id(), S7->id());
  EXPECT_LT(S7->id(), rt(0).asAtom()->id());
  EXPECT_LT(d(IndexingMap::MaxOfKind - 1).asAtom()->id(), s(0).asAtom()->id());
  EXPECT_LT(rt(IndexingMap::MaxOfKind - 1).asAtom()->id(),
            Context.createVariable("x")->id());
}

TEST_F(IndexingMapTest, PositionsInAPoint) {
  IndexingMap M = example();
  IndexExpr All[] = {d(0), d(1), s(0), rt(0)};
  EXPECT_EQ(M.numVariables(), 4u);
  for (size_t I = 0; I < 4; ++I) {
    EXPECT_EQ(M.atomAt(I), All[I].asAtom());
    EXPECT_EQ(M.positionOf(All[I].asAtom()), I);
  }
  for (IndexExpr Other : {d(2), s(1), rt(1), floor(d(0), 2)})
    EXPECT_EQ(M.positionOf(Other.asAtom()), std::nullopt);
  EXPECT_EQ(M.positionOf(Context.createVariable("d0")), std::nullopt);
  EXPECT_EQ(M.variableAt(0).Bounds, Interval(0, 9));
  EXPECT_EQ(M.variableAt(2).Bounds, Interval(0, 1));
  EXPECT_EQ(M.variableAt(3).Bounds, Interval(0, 7));
}

TEST_F(IndexingMapTest, Names) {
  IndexingMap::Variables Vars = variables({{0, 9}, {0, 4}}, {{0, 1}}, {{0, 7}});
  Vars.Dimensions[1].Name = "th_x";
  IndexingMap M = map(Vars, {});
  EXPECT_EQ(M.nameOf(VariableKind::Dimension, 0), "d0");
  EXPECT_EQ(M.nameOf(VariableKind::Dimension, 1), "th_x");
  EXPECT_EQ(M.nameOf(VariableKind::Range, 0), "s0");
  EXPECT_EQ(M.nameOf(VariableKind::Runtime, 0), "rt0");
  EXPECT_EQ(M.nameOf(d(1).asAtom()), "th_x");
  EXPECT_EQ(M.nameOf(rt(0).asAtom()), "rt0");
  EXPECT_EQ(M.nameOf(rt(1).asAtom()), "?");
  EXPECT_EQ(M.nameOf(floor(d(0), 2).asAtom()), "?");
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapTest, NoVariables) {
  IndexingMap M(Context);
  EXPECT_EQ(M.numVariables(), 0u);
  EXPECT_TRUE(M.results().empty());
  EXPECT_FALSE(M.isKnownEmpty());
  EXPECT_EQ(M, map({}, {}));
  EXPECT_EQ(M.boxSize(), 1u);
  EXPECT_TRUE(M.contains({}));
  EXPECT_EQ(pointsOf(M), std::vector<Point>{{}});
  EXPECT_EQ(M.evaluate(ArrayRef<int64_t>()), std::vector<int64_t>());
  EXPECT_FALSE(M.domain().isKnownEmpty());
}

TEST_F(IndexingMapTest, Identity) {
  IndexingMap M = IndexingMap::identity(Context, {3, 2});
  EXPECT_EQ(M, map(variables({{0, 2}, {0, 1}}), {d(0), d(1)}));
  for (const Point &P : pointsOf(M))
    EXPECT_EQ(M.evaluate(P), P);
  EXPECT_TRUE(IndexingMap::identity(Context, {3, 0}).isKnownEmpty());
  EXPECT_EQ(IndexingMap::identity(Context, {}), IndexingMap(Context));
  EXPECT_EQ(IndexingMap::identity(Context, {Max}).boxSize(), uint64_t(Max));
}

TEST_F(IndexingMapTest, ContradictionsGiveTheEmptyMap) {
  IndexingMap::Variables Vars = variables({{2, 9}}, {{3, 4}}, {{5, 6}});
  IndexingMap Empty = IndexingMap::empty(Context, Vars, 2);
  std::vector<IndexExpr> Results = {d(0), s(0)};
  EXPECT_EQ(map(Vars, Results, {{d(0), Interval::empty()}}), Empty);
  EXPECT_EQ(map(Vars, Results, {{num(3), {4, 5}}}), Empty);
  EXPECT_EQ(map(variables({{1, 0}}, {{3, 4}}, {{5, 6}}), Results), Empty);
  EXPECT_EQ(map(variables({{2, 9}}, {{7, -7}}, {{5, 6}}), Results), Empty);
  EXPECT_TRUE(
      map(variables({{2, 9}}, {{3, 4}}, {{6, 5}}), Results).isKnownEmpty());
  // Anything that takes a thought is left to simplified().
  EXPECT_FALSE(map(Vars, Results, {{d(0), {20, 30}}}).isKnownEmpty());
  EXPECT_FALSE(map(Vars, Results, {{num(3), {3, 5}}}).isKnownEmpty());
}

TEST_F(IndexingMapTest, TheEmptyMap) {
  IndexingMap::Variables Vars = variables({{2, 9}}, {Interval()}, {{5, 6}});
  Vars.Dimensions[0].Name = "x";
  IndexingMap M = map(Vars, {d(0), num(4)}, {{num(1), {0, 0}}});
  EXPECT_TRUE(M.isKnownEmpty());
  EXPECT_EQ(M.dimensions()[0].Bounds, Interval(0, -1));
  EXPECT_EQ(M.ranges()[0].Bounds, Interval(0, -1));
  EXPECT_EQ(M.runtimes()[0].Bounds, Interval(5, 6));
  EXPECT_EQ(M.nameOf(VariableKind::Dimension, 0), "x");
  EXPECT_EQ(M.results(), ArrayRef<IndexExpr>({num(0), num(0)}));
  EXPECT_TRUE(M.constraints().empty());
  EXPECT_EQ(M.boxSize(), 0u);
  EXPECT_TRUE(pointsOf(M).empty());
  EXPECT_FALSE(M.contains({0, 0, 5}));
  EXPECT_TRUE(M.domain().isKnownEmpty());
  EXPECT_EQ(M.rangeOfResult(0), Interval::point(0));
}

/// Even a map without variables, or with runtime variables only, can be empty.
TEST_F(IndexingMapTest, TheEmptyMapWithoutBounds) {
  for (const Ranges &Runtimes : {Ranges{}, Ranges{Interval()}}) {
    IndexingMap::Variables Vars = variables({}, {}, Runtimes);
    IndexingMap M = map(Vars, {}, {{num(1), {0, 0}}});
    EXPECT_TRUE(M.isKnownEmpty());
    EXPECT_NE(M, map(Vars, {}));
    EXPECT_EQ(M.boxSize(), 0u);
    EXPECT_TRUE(M.domain().isKnownEmpty());
    EXPECT_FALSE(M.contains(Point(Runtimes.size(), 0)));
    EXPECT_TRUE(M.forEachPoint(0, [](ArrayRef<int64_t>) { return false; }));
  }
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapTest, EqualityIgnoresNamesAndTheOrderOfConstraints) {
  MapConstraint A{add(d(0), s(0)), {0, 5}}, B{floor(d(0), 2), {1, 2}},
      C{floor(d(0), 2), {1, 3}};
  IndexingMap::Variables Vars = variables({{0, 9}}, {{0, 4}}), Named = Vars;
  Named.Ranges[0].Name = "k";
  IndexingMap M = map(Vars, {d(0)}, {A, B, C});
  for (const IndexingMap &Same :
       {map(Vars, {d(0)}, {C, A, B}), map(Vars, {d(0)}, {B, A, C, A}),
        map(Named, {d(0)}, {A, B, C})}) {
    EXPECT_EQ(M, Same);
    EXPECT_FALSE(M != Same);
    EXPECT_EQ(hash_value(M), hash_value(Same));
  }
}

TEST_F(IndexingMapTest, DifferentMapsDiffer) {
  MapConstraint A{add(d(0), s(0)), {0, 5}}, B{floor(d(0), 2), {1, 2}};
  IndexingMap::Variables Vars = variables({{0, 9}}, {{0, 4}});
  IndexingMap All[] = {map(Vars, {d(0)}, {A, B}),
                       map(Vars, {d(0)}, {A}),
                       map(Vars, {d(0)}, {B}),
                       map(Vars, {d(0)}),
                       map(Vars, {s(0)}),
                       map(Vars, {d(0), s(0)}),
                       map(Vars, {s(0), d(0)}),
                       map(Vars, {}),
                       map(variables({{0, 9}}, {{0, 5}}), {d(0)}),
                       map(variables({{0, 9}, {0, 4}}), {d(0)}),
                       map(variables({{0, 9}}, {}, {{0, 4}}), {d(0)}),
                       map(variables({{0, 9}}), {d(0)}),
                       map(Vars, {d(0)}, {{A.Expr, {0, 6}}}),
                       map(Vars, {d(0)}, {{B.Expr, {0, 5}}}),
                       IndexingMap::empty(Context, Vars, 1),
                       IndexingMap::empty(Context, Vars, 2),
                       IndexingMap(Context)};
  for (const IndexingMap &X : All)
    for (const IndexingMap &Y : All) {
      EXPECT_EQ(X == Y, &X == &Y);
      EXPECT_EQ(hash_value(X) == hash_value(Y), &X == &Y);
    }
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapTest, Evaluate) {
  IndexingMap M = example();
  using Values = std::vector<int64_t>;
  EXPECT_EQ(M.evaluate(Point{9, 2, 1, 5}), (Values{1, 8}));
  // In the domain or not.
  EXPECT_EQ(M.evaluate(Point{-9, 100, 1, 0}), (Values{-2, 101}));
  EXPECT_EQ(M.evaluate(add(rt(0), s(0), 10), {0, 0, 3, 4}), 34);
  // Variables of other maps have no value.
  EXPECT_EQ(M.evaluate(d(2), {0, 0, 0, 0}), std::nullopt);
  EXPECT_EQ(M.evaluate(s(1), {0, 0, 0, 0}), std::nullopt);
  EXPECT_EQ(M.evaluate(Point{0, Max, 1, 0}), std::nullopt);
}

TEST_F(IndexingMapTest, SymbolicDivisors) {
  IndexExpr Quotient = Context.rawAtom(IndexAtom::Kind::FloorDiv, d(0), rt(0));
  IndexingMap::Variables Vars = variables({{-5, 5}}, {}, {{-1, 3}});
  IndexingMap M = map(Vars, {Quotient});
  EXPECT_EQ(M.evaluate(Point{-5, 2}), std::vector<int64_t>{-3});
  EXPECT_EQ(M.evaluate(Point{-5, 0}), std::nullopt);
  EXPECT_TRUE(M.contains({-5, 0}));
  // A constraint without a value is not satisfied.
  IndexingMap Guarded = map(Vars, {d(0)}, {{Quotient, Interval()}});
  EXPECT_FALSE(Guarded.contains({-5, 0}));
  EXPECT_TRUE(Guarded.contains({-5, 1}));
  EXPECT_EQ(pointsOf(Guarded).size(), 44u);
}

TEST_F(IndexingMapTest, Contains) {
  IndexingMap M = example();
  for (const Point &P : pointsOfBox({{-1, 10}, {-1, 5}, {-1, 2}, {-1, 8}})) {
    bool InBox = P[0] >= 0 && P[0] <= 9 && P[1] >= 0 && P[1] <= 4 &&
                 P[2] >= 0 && P[2] <= 1 && P[3] >= 0 && P[3] <= 7;
    EXPECT_EQ(M.contains(P), InBox && P[0] + P[1] <= 11);
  }
  IndexingMap Infinite = map(variables({Interval::atLeast(3)}), {});
  EXPECT_TRUE(Infinite.contains({Max}));
  EXPECT_FALSE(Infinite.contains({2}));
}

TEST_F(IndexingMapTest, BoxSize) {
  auto SizeOf = [&](const Ranges &R) {
    return map(variables(R), {}).boxSize();
  };
  EXPECT_EQ(SizeOf({{-2, 2}, {7, 7}, {0, 2}}), 15u);
  EXPECT_EQ(example().boxSize(), 800u); // the constraint does not matter
  EXPECT_EQ(SizeOf({{0, 3}, Interval::atLeast(0)}), std::nullopt);
  EXPECT_EQ(SizeOf({Interval(), {0, -1}}), 0u);
  EXPECT_EQ(SizeOf({{0, -1}, Interval()}), 0u);
  uint64_t Half = uint64_t(1) << 32;
  EXPECT_EQ(SizeOf({{0, int64_t(Half) - 1}, {1, int64_t(Half)}}), std::nullopt);
  EXPECT_EQ(SizeOf({{0, int64_t(Half) - 1}, {2, int64_t(Half)}}),
            Half * (Half - 1));
  EXPECT_EQ(SizeOf({{Min + 1, Max - 1}}), ~uint64_t(0) - 1);
  EXPECT_EQ(SizeOf({{Min + 1, Max - 1}, {0, 1}}), std::nullopt);
}

TEST_F(IndexingMapTest, ForEachPointCountsInOrder) {
  IndexingMap M =
      map(variables({{-1, 1}}, {{5, 5}}, {{0, 1}}), {}, {{d(0), {-1, 0}}});
  EXPECT_EQ(pointsOf(M),
            (std::vector<Point>{{-1, 5, 0}, {-1, 5, 1}, {0, 5, 0}, {0, 5, 1}}));
}

TEST_F(IndexingMapTest, ForEachPointVisitsTheDomain) {
  for (uint64_t Seed = 0; Seed < 100; ++Seed) {
    RandomMaps Random(Context, Seed);
    IndexingMap M = Random.map(Seed % 3, 1);
    std::vector<Point> Expected;
    for (const Point &P : pointsOfBox(boxOf(M)))
      if (M.contains(P))
        Expected.push_back(P);
    EXPECT_EQ(pointsOf(M), Expected);
  }
}

TEST_F(IndexingMapTest, ForEachPointAtTheEndsOfTheIntegers) {
  IndexingMap M = map(variables({{Max - 2, Max - 1}, {Min + 1, Min + 2}}), {});
  EXPECT_EQ(pointsOf(M), (std::vector<Point>{{Max - 2, Min + 1},
                                             {Max - 2, Min + 2},
                                             {Max - 1, Min + 1},
                                             {Max - 1, Min + 2}}));
}

TEST_F(IndexingMapTest, ForEachPointStops) {
  IndexingMap M = map(variables({{0, 9}, {0, 9}}), {}, {{d(0), {0, 0}}});
  unsigned Visited = 0;
  auto Visit = [&](ArrayRef<int64_t> P) {
    ++Visited;
    return P[1] < 3;
  };
  // What counts is the box, not the domain.
  EXPECT_FALSE(M.forEachPoint(99, Visit));
  EXPECT_EQ(Visited, 0u);
  EXPECT_FALSE(M.forEachPoint(100, Visit));
  EXPECT_EQ(Visited, 4u);
  IndexingMap Infinite = map(variables({Interval::atMost(0)}), {});
  EXPECT_FALSE(Infinite.forEachPoint(~uint64_t(0), Visit));
  EXPECT_EQ(Visited, 4u);
  EXPECT_TRUE(IndexingMap(Context).forEachPoint(
      1, [](ArrayRef<int64_t>) { return true; }));
  EXPECT_FALSE(IndexingMap(Context).forEachPoint(
      0, [](ArrayRef<int64_t>) { return true; }));
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapTest, DomainKnowsBoundsConstraintsAndLattices) {
  IndexingMap M =
      map(variables({{0, 9}, {0, 9}}, {{0, 30}}), {},
          {{add(d(0), d(1)), {14, 14}}, {mod(add(s(0), num(1)), 5), {3, 3}}});
  IndexDomain Domain = M.domain();
  EXPECT_FALSE(Domain.isKnownEmpty());
  EXPECT_EQ(Domain.range(d(0)), Interval(5, 9));
  EXPECT_EQ(Domain.range(s(0)), Interval(2, 27));
  EXPECT_EQ(Domain.congruence(s(0)), Congruence::of(5, 2));
  EXPECT_EQ(Domain.range(add(d(0), d(1))), Interval::point(14));
}

TEST_F(IndexingMapTest, DomainSeesContradictions) {
  IndexingMap::Variables Vars = variables({{0, 9}}, {{0, 30}});
  for (const std::vector<MapConstraint> &Constraints :
       {std::vector<MapConstraint>{{d(0), {10, 12}}},
        {{mod(s(0), 4), {1, 1}}, {mod(s(0), 6), {2, 2}}},
        {{mod(s(0), 40), {35, 35}}},
        {{mod(s(0), 4), {5, 7}}},
        {{mod(add(s(0), s(0)), 4), {1, 1}}},
        {{add(d(0), s(0)), {40, 50}}}}) {
    IndexingMap M = map(Vars, {d(0)}, Constraints);
    EXPECT_FALSE(M.isKnownEmpty());
    EXPECT_TRUE(pointsOf(M).empty());
    EXPECT_TRUE(M.domain().isKnownEmpty());
  }
}

TEST_F(IndexingMapTest, RangesOfResultsHoldTheImage) {
  unsigned Points = 0;
  for (uint64_t Seed = 0; Seed < 400; ++Seed) {
    RandomMaps Random(Context, Seed);
    IndexingMap M = Random.map(Seed % 3, 3);
    std::vector<Interval> Ranges = M.rangesOfResults();
    ASSERT_EQ(Ranges.size(), 3u);
    EXPECT_EQ(M.rangeOfResult(1), Ranges[1]);
    IndexDomain Domain = M.domain();
    for (const Point &P : pointsOf(M)) {
      ++Points;
      ASSERT_FALSE(Domain.isKnownEmpty()) << "seed " << Seed;
      std::vector<int64_t> Values = *M.evaluate(P);
      for (size_t I = 0; I < 3; ++I)
        EXPECT_TRUE(Ranges[I].contains(Values[I]))
            << "seed " << Seed << ": " << toString(Context, M.result(I))
            << " in " << Ranges[I].str() << " is " << Values[I];
      for (size_t I = 0; I < M.numVariables(); ++I)
        EXPECT_TRUE(
            Domain.congruence(Context.atom(M.atomAt(I))).contains(P[I]));
    }
  }
  EXPECT_GT(Points, 2000u);
}

TEST_F(IndexingMapTest, InfiniteBounds) {
  IndexingMap M = map(variables({Interval::atLeast(0), Interval()}),
                      {floor(d(0), 4), add(d(1), num(2))},
                      {{add(d(0), d(1), -1), Interval::atMost(-1)}});
  EXPECT_EQ(M.rangeOfResult(0), Interval::atLeast(0));
  EXPECT_EQ(M.rangeOfResult(1), Interval::atLeast(3)); // d0 < d1
  EXPECT_TRUE(M.contains({0, 1}));
  EXPECT_FALSE(M.contains({1, 1}));
}

} // namespace
