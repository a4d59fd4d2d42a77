//===- IndexingMapVariablesTest.cpp - Other variables of maps -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation is compared with its meaning at all points of random maps;
// the XLA_ tests are XLA's own (indexing_map_test.cc), up to simplification.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapOps.h"
#include "test/unit/IndexingMapTestHelper.h"
#include <map>
#include <set>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

using Values = std::vector<int64_t>;

class IndexingMapVariablesTest : public IndexingMapFixture {};

//===----------------------------------------------------------------------===//
// Fewer variables
//===----------------------------------------------------------------------===//

/// \p P without the removed variables.
Point withoutRemoved(const Point &P, const BitVector &Removed) {
  Point Rest;
  for (size_t I = 0; I < P.size(); ++I)
    if (!Removed.test(I))
      Rest.push_back(P[I]);
  return Rest;
}

TEST_F(IndexingMapVariablesTest, RemoveUnusedAgreesWithEvaluation) {
  unsigned NumRemoved = 0;
  for (uint64_t Seed = 0; Seed < 600; ++Seed) {
    RandomMaps Random(Context, Seed);
    IndexingMap M = Random.map(Random.between(0, 3), Random.between(0, 1));
    for (bool SymbolsOnly : {false, true}) {
      ReducedMap R =
          SymbolsOnly ? removeUnusedSymbols(M) : removeUnusedVariables(M);
      ASSERT_EQ(R.Removed.size(), M.numVariables());
      ASSERT_EQ(R.Map.numVariables() + R.Removed.count(), M.numVariables());
      if (SymbolsOnly) {
        EXPECT_EQ(R.Map.dimensions().size(), M.dimensions().size());
      }
      NumRemoved += R.Removed.count();
      // What is left of the domain is its projection.
      std::vector<Point> Domain = pointsOf(M);
      std::map<Point, Values> Projection;
      for (const Point &P : Domain) {
        Values V = *M.evaluate(P);
        auto [It, New] =
            Projection.try_emplace(withoutRemoved(P, R.Removed), V);
        ASSERT_EQ(It->second, V) << "a removed variable is used";
      }
      if (Domain.empty())
        continue; // then the removed part may be empty
      ASSERT_EQ(pointsOf(R.Map).size(), Projection.size()) << "seed " << Seed;
      for (const auto &[P, V] : Projection) {
        ASSERT_TRUE(R.Map.contains(P)) << "seed " << Seed;
        ASSERT_EQ(R.Map.evaluate(P), V);
      }
    }
  }
  EXPECT_GT(NumRemoved, 500u);
}

TEST_F(IndexingMapVariablesTest, XLA_RemoveUnusedVars_ConstraintUsesDim) {
  IndexingMap M =
      map(variables({{0, 49}, {0, 59}}, {{0, 69}, {0, 19}}), {d(1), s(0), s(1)},
          {{add(d(0), s(0)), {1, 100}}, {mod(s(0), 3), {0, 0}}});
  ReducedMap R = removeUnusedVariables(M);
  EXPECT_EQ(R.Map, M);
  EXPECT_TRUE(R.Removed.none());
}

TEST_F(IndexingMapVariablesTest,
       XLA_RemoveUnusedSymbols_ConstraintsWithRTVars) {
  auto Result = [&](IndexExpr S) {
    return Context.add(add(add(S, d(0), 4), rt(0)), -42);
  };
  auto Constrained = [&](IndexExpr S) {
    return MapConstraint{add(add(S, d(0), 4), rt(0)), {24, 459}};
  };
  IndexingMap M =
      map(variables({{0, 31}}, {{0, 0}, {0, 1}, {0, 2}}, {{0, 3}, {0, 4}}),
          {Result(s(1))}, {Constrained(s(1))});
  EXPECT_EQ(removeUnusedSymbols(M).Map,
            map(variables({{0, 31}}, {{0, 1}}, {{0, 3}}), {Result(s(0))},
                {Constrained(s(0))}));
}

TEST_F(IndexingMapVariablesTest, XLA_RemoveUnusedVars_ConstraintsWithManyDims) {
  auto Sum = [&](IndexExpr S, IndexExpr A, IndexExpr B) {
    return add(add(Context.scale(S, 4), A), B);
  };
  IndexingMap M =
      map(variables({{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}},
                    {{0, 31}, {0, 63}, {0, 95}}),
          {Context.add(Sum(s(0), d(1), d(3)), -42)},
          {{Sum(s(0), d(1), d(3)), {24, 459}}, {add(s(0), s(2)), {0, 512}}});
  ReducedMap R = removeUnusedVariables(M);
  EXPECT_EQ(R.Map, map(variables({{0, 1}, {0, 3}}, {{0, 31}, {0, 95}}),
                       {Context.add(Sum(s(0), d(0), d(1)), -42)},
                       {{Sum(s(0), d(0), d(1)), {24, 459}},
                        {add(s(0), s(1)), {0, 512}}}));
  for (size_t I = 0; I < 8; ++I)
    EXPECT_EQ(R.Removed.test(I), I % 2 == 0);
}

/// s2 is bound to the result over s1 only.
TEST_F(IndexingMapVariablesTest, RemoveUnusedFollowsChainsOfConstraints) {
  IndexingMap::Variables Vars = variables({}, {{0, 9}, {0, 9}, {0, 9}, {0, 9}});
  IndexingMap M =
      map(Vars, {s(0)}, {{add(s(2), s(1)), {9, 9}}, {add(s(0), s(1)), {9, 9}}});
  ReducedMap R = removeUnusedVariables(M);
  EXPECT_EQ(R.Removed.count(), 1u);
  EXPECT_TRUE(R.Removed.test(3));
  // Unused ones may constrain each other.
  R = removeUnusedVariables(
      map(Vars, {s(0)}, {{add(s(2), s(1)), {9, 9}}, {mod(s(2), 3), {1, 1}}}));
  EXPECT_EQ(R.Map, map(variables({}, {{0, 9}}), {s(0)}));
}

TEST_F(IndexingMapVariablesTest, RemoveUnusedFromEmptyMaps) {
  IndexingMap::Variables Vars = variables({{0, 9}}, {{0, 9}}, {{0, 9}});
  IndexingMap Empty = IndexingMap::empty(Context, Vars, 2);
  ReducedMap R = removeUnusedVariables(Empty);
  EXPECT_EQ(R.Map, IndexingMap::empty(Context, {}, 2));
  EXPECT_EQ(R.Removed.count(), 3u);
  R = removeUnusedSymbols(Empty);
  EXPECT_EQ(R.Map, IndexingMap::empty(Context, variables({{0, 9}}), 2));
  EXPECT_EQ(removeUnusedVariables(IndexingMap(Context)).Map,
            IndexingMap(Context));
}

/// Removing needs no arithmetic, so nothing can overflow.
TEST_F(IndexingMapVariablesTest, RemoveUnusedNeverGivesUp) {
  IndexExpr E = d(1), Renamed = d(0);
  for (IndexExpr *X : {&E, &Renamed})
    while (X->depth() < Context.limits().MaxDepth)
      *X = floor(Context.add(Context.scale(*X, Max), Max), Max);
  IndexExpr Product = Context.multiply(E, Context.scale(d(1), -Max));
  for (unsigned I = 2; I <= Context.limits().MaxTerms; ++I)
    Product = add(Product, d(I));
  ASSERT_TRUE(Product);
  Ranges Many(Context.limits().MaxTerms + 1, Interval());
  IndexingMap M = map(variables(Many), {E, Product});
  ReducedMap R = removeUnusedVariables(M);
  EXPECT_EQ(R.Map.dimensions().size(), Many.size() - 1);
  EXPECT_EQ(R.Map.result(0), Renamed);
}

TEST_F(IndexingMapVariablesTest, RemovePointVariablesAgreesWithEvaluation) {
  unsigned NumRemoved = 0;
  for (uint64_t Seed = 0; Seed < 300; ++Seed) {
    RandomMaps Random(Context, Seed);
    IndexingMap M = Random.map(Random.between(0, 3), Random.between(0, 2));
    std::optional<ReducedMap> R = removePointVariables(M);
    ASSERT_TRUE(R);
    NumRemoved += R->Removed.count();
    for (size_t I = 0; I < M.numVariables(); ++I)
      EXPECT_EQ(R->Removed.test(I), M.variableAt(I).Bounds.isPoint());
    for (const Point &P : pointsOfBox(boxOf(M))) {
      Point Rest = withoutRemoved(P, R->Removed);
      ASSERT_EQ(R->Map.contains(Rest), M.contains(P)) << "seed " << Seed;
      if (!R->Map.isKnownEmpty()) {
        ASSERT_EQ(R->Map.evaluate(Rest), M.evaluate(P));
      }
    }
  }
  EXPECT_GT(NumRemoved, 100u);
}

TEST_F(IndexingMapVariablesTest, RemovePointVariables) {
  IndexingMap M =
      map(variables({{3, 3}, {0, 9}}, {{Max - 1, Max - 1}}, {{0, 4}, {-2, -2}}),
          {add(d(0), d(1)), s(0), rt(1)},
          {{add(d(1), rt(1)), {0, 5}}, {d(0), {0, 5}}});
  std::optional<ReducedMap> R = removePointVariables(M);
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Map, map(variables({{0, 9}}, {}, {{0, 4}}),
                        {Context.add(d(0), 3), num(Max - 1), num(-2)},
                        {{Context.add(d(0), -2), {0, 5}}}));
  // It would need a number with more than 64 bits.
  EXPECT_FALSE(removePointVariables(
      map(variables({}, {{Max - 1, Max - 1}}), {add(s(0), s(0))})));
  // Contradictions come to light.
  EXPECT_TRUE(
      removePointVariables(map(variables({{3, 3}}), {d(0)}, {{d(0), {4, 5}}}))
          ->Map.isKnownEmpty());
  R = removePointVariables(
      IndexingMap::empty(Context, variables({{0, 9}}, {}, {{4, 4}}), 1));
  EXPECT_EQ(R->Map, IndexingMap::empty(Context, variables({{0, 9}}), 1));
}

//===----------------------------------------------------------------------===//
// rescaleSymbols
//===----------------------------------------------------------------------===//

/// The results for each value of dimensions and runtime variables, with how
/// often they occur.
std::map<Point, std::multiset<Values>> imagesOf(const IndexingMap &Map) {
  std::map<Point, std::multiset<Values>> Images;
  size_t D = Map.dimensions().size(), S = Map.ranges().size();
  for (const Point &P : pointsOf(Map))
    Images[concat({slice(P, 0, D), slice(P, D + S, P.size() - D - S)})].insert(
        *Map.evaluate(P));
  return Images;
}

TEST_F(IndexingMapVariablesTest, RescaleKeepsTheResults) {
  unsigned Points = 0, Rescaled = 0;
  for (uint64_t Seed = 0; Seed < 500; ++Seed) {
    RandomMaps Random(Context, Seed);
    IndexingMap M = Random.map(Random.between(0, 1), 2);
    for (unsigned I = 0; I < M.ranges().size(); ++I)
      if (Random.oneIn(2)) {
        MapConstraint C = Random.congruence(VariableKind::Range, I);
        M = withConstraint(M, C.Expr, C.Range);
      }
    std::optional<IndexingMap> R = rescaleSymbols(M);
    ASSERT_TRUE(R);
    EXPECT_EQ(imagesOf(*R), imagesOf(M)) << "seed " << Seed;
    EXPECT_LE(*R->boxSize(), *M.boxSize());
    Points += pointsOf(M).size();
    Rescaled += *R->boxSize() > 0 && *R->boxSize() < *M.boxSize();
  }
  EXPECT_GT(Points, 1000u);
  EXPECT_GT(Rescaled, 100u);
}

/// All bounds against all lattices: every number is hit once.
TEST_F(IndexingMapVariablesTest, RescaleAllBounds) {
  for (int64_t Lo = -9; Lo <= 9; ++Lo)
    for (int64_t Hi = Lo; Hi <= 12; ++Hi)
      for (int64_t M = 2; M <= 5; ++M)
        for (int64_t R = 0; R < M; ++R) {
          IndexingMap Old =
              map(variables({}, {{Lo, Hi}}), {s(0)}, {{mod(s(0), M), {R, R}}});
          IndexingMap New = *rescaleSymbols(Old);
          EXPECT_TRUE(New.constraints().empty());
          EXPECT_EQ(rescaleSymbols(New), New);
          std::vector<Values> Expected, Actual;
          for (const Point &P : pointsOf(Old))
            Expected.push_back(P);
          for (const Point &P : pointsOf(New))
            Actual.push_back(*New.evaluate(P));
          EXPECT_EQ(Actual, Expected);
        }
}

TEST_F(IndexingMapVariablesTest,
       XLA_RescaleSymbols_SymbolInOtherNonModConstraint) {
  std::optional<IndexingMap> R = rescaleSymbols(map(
      variables({{0, 3}}, {{0, 9}, {0, 1}, {0, 5}}), {s(2), d(0), s(1), s(0)},
      {{Context.multiply(s(0), s(2)), {0, 28}}, {mod(s(0), 6), {3, 3}}}));
  IndexExpr S = Context.add(Context.scale(s(0), 6), 3);
  EXPECT_EQ(R,
            map(variables({{0, 3}}, {{0, 1}, {0, 1}, {0, 5}}),
                {s(2), d(0), s(1), S}, {{Context.multiply(S, s(2)), {0, 28}}}));
}

/// XLA rescales by one of the two; together they are s0 = 33 (mod 42).
TEST_F(IndexingMapVariablesTest,
       XLA_RescaleSymbols_TwoModConstraintsForTheSameSymbol) {
  std::optional<IndexingMap> R = rescaleSymbols(
      map(variables({{0, 3}}, {{0, 99}, {0, 1}}), {d(0), s(1), s(0)},
          {{mod(s(0), 6), {3, 3}}, {mod(s(0), 7), {5, 5}}}));
  EXPECT_EQ(R, map(variables({{0, 3}}, {{0, 1}, {0, 1}}),
                   {d(0), s(1), Context.add(Context.scale(s(0), 42), 33)}));
}

TEST_F(IndexingMapVariablesTest, RescaleLeavesTheRest) {
  // Dimensions and runtime variables have gaps for a reason.
  IndexingMap M =
      map(variables({{0, 9}}, {{0, 9}}, {{0, 9}}), {d(0), s(0), rt(0)},
          {{mod(d(0), 3), {1, 1}},
           {mod(rt(0), 3), {1, 1}},
           {mod(s(0), 3), {0, 1}},
           {mod(add(s(0), d(0)), 3), {1, 1}}});
  EXPECT_EQ(rescaleSymbols(M), M);
  IndexingMap Empty = IndexingMap::empty(Context, variables({}, {{0, 9}}), 1);
  EXPECT_EQ(rescaleSymbols(Empty), Empty);
}

TEST_F(IndexingMapVariablesTest, RescaleFindsContradictions) {
  IndexingMap::Variables Vars = variables({{0, 4}}, {{4, 6}}, {{1, 2}});
  for (const std::vector<MapConstraint> &Constraints :
       {std::vector<MapConstraint>{{mod(s(0), 4), {3, 3}}},
        {{mod(s(0), 4), {1, 1}}, {mod(s(0), 2), {0, 0}}},
        {{mod(s(0), 4), {4, 9}}}})
    EXPECT_EQ(rescaleSymbols(map(Vars, {s(0)}, Constraints)),
              IndexingMap::empty(Context, Vars, 1));
}

TEST_F(IndexingMapVariablesTest, RescaleInfiniteAndExtremeBounds) {
  auto Rescaled = [&](const Interval &Bounds, int64_t M, int64_t R) {
    std::optional<IndexingMap> Map = rescaleSymbols(
        map(variables({}, {Bounds}), {s(0)}, {{mod(s(0), M), {R, R}}}));
    return Map->ranges()[0].Bounds;
  };
  EXPECT_EQ(Rescaled(Interval(), 4, 1), Interval());
  EXPECT_EQ(Rescaled(Interval::atLeast(-2), 4, 1), Interval::atLeast(0));
  EXPECT_EQ(Rescaled(Interval::atMost(-2), 4, 1), Interval::atMost(-1));
  // -2^63 + 1 = 1 and 2^63 - 2 = 2 modulo 4.
  int64_t Quarter = int64_t(1) << 61;
  EXPECT_EQ(Rescaled({Min + 1, Max - 1}, 4, 1),
            Interval(-Quarter, Quarter - 1));
  EXPECT_EQ(Rescaled({Min + 1, Max - 1}, 4, 3),
            Interval(-Quarter, Quarter - 2));
  EXPECT_EQ(Rescaled({Min + 1, Max - 1}, 4, 0),
            Interval(-Quarter + 1, Quarter - 1));
  EXPECT_EQ(Rescaled({Min + 1, Max - 1}, Max, 0), Interval(-1, 0));
  EXPECT_EQ(Rescaled({Min + 1, Max - 1}, Max, 1), Interval(-1, 0));
  EXPECT_FALSE(rescaleSymbols(map(variables({}, {Interval()}),
                                  {Context.scale(s(0), Max)},
                                  {{mod(s(0), 2), {0, 0}}})));
}

/// A congruence that has no place in the common lattice stays a constraint.
TEST_F(IndexingMapVariablesTest, RescaleByLatticesThatAreTooLargeTogether) {
  int64_t M = (int64_t(1) << 40) - 1, N = int64_t(1) << 40;
  std::optional<IndexingMap> R =
      rescaleSymbols(map(variables({}, {Interval()}), {num(0)},
                         {{mod(s(0), M), {5, 5}}, {mod(s(0), N), {7, 7}}}));
  ASSERT_TRUE(R);
  ASSERT_EQ(R->constraints().size(), 1u);
  // s0 = 5 + M*t = 7 (mod N), and M = -1 (mod N): t = -2 (mod N).
  EXPECT_TRUE(R->contains({-2}));
  EXPECT_TRUE(R->contains({N - 2}));
  for (int64_t T : {-3, -1, 0, 1, 2})
    EXPECT_FALSE(R->contains({T}));
}

//===----------------------------------------------------------------------===//
// Other kinds of variables
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapVariablesTest, ConvertAgreesWithEvaluation) {
  for (uint64_t Seed = 0; Seed < 300; ++Seed) {
    RandomMaps Random(Context, Seed);
    IndexingMap M = Random.map(Random.between(0, 2), Random.between(0, 2));
    // All symbols: points stay what they are.
    std::optional<IndexingMap> All = convertSymbolsToDimensions(M);
    ASSERT_TRUE(All);
    EXPECT_EQ(All->dimensions().size(), M.numVariables());
    EXPECT_EQ(All->numVariables(), M.numVariables());
    for (const Point &P : pointsOfBox(boxOf(M))) {
      ASSERT_EQ(All->contains(P), M.contains(P));
      if (M.contains(P)) {
        ASSERT_EQ(All->evaluate(P), M.evaluate(P));
      }
    }
    // The last range: it moves in front of the others.
    if (M.ranges().empty())
      continue;
    size_t D = M.dimensions().size(), S = M.ranges().size();
    std::optional<IndexingMap> One =
        convertRangesToDimensions(M, {unsigned(S - 1)});
    ASSERT_TRUE(One);
    EXPECT_EQ(One->dimensions().size(), D + 1);
    EXPECT_EQ(One->ranges().size(), S - 1);
    for (const Point &P : pointsOfBox(boxOf(M))) {
      Point Q = concat({slice(P, 0, D), slice(P, D + S - 1, 1),
                        slice(P, D, S - 1), slice(P, D + S, P.size() - D - S)});
      ASSERT_EQ(One->contains(Q), M.contains(P));
      if (M.contains(P)) {
        ASSERT_EQ(One->evaluate(Q), M.evaluate(P));
      }
    }
  }
}

TEST_F(IndexingMapVariablesTest, XLA_ConvertRangeVariablesToDimensions) {
  auto Sum = [&](ArrayRef<IndexExpr> Vars) {
    IndexExpr E = num(0);
    for (auto [I, Variable] : enumerate(Vars))
      E = add(E, Variable, I + 1);
    return E;
  };
  IndexingMap M =
      map(named(variables({{0, 3}, {0, 3}}, {{0, 2}, {0, 1}, {0, 3}}),
                {"", "", "to_convert_0", "range", "to_convert_1"}),
          {d(1), d(0), add(s(1), s(2)), s(0)},
          {{Sum({d(0), d(1), s(0), s(2), s(1)}), {0, 100}}});
  std::optional<IndexingMap> R = convertRangesToDimensions(M, {0, 2});
  EXPECT_EQ(R, map(variables({{0, 3}, {0, 3}, {0, 2}, {0, 3}}, {{0, 1}}),
                   {d(1), d(0), add(s(0), d(3)), d(2)},
                   {{Sum({d(0), d(1), d(2), d(3), s(0)}), {0, 100}}}));
  EXPECT_EQ(namesOf(*R), (std::vector<std::string>{"d0", "d1", "to_convert_0",
                                                   "to_convert_1", "range"}));
}

TEST_F(IndexingMapVariablesTest, ConvertNames) {
  IndexingMap M = map(named(variables({{0, 3}}, {{0, 2}, {0, 1}}, {{0, 1}}),
                            {"", "", "d1", "gpu"}),
                      {});
  // s0 becomes d1, whatever has called itself so before.
  EXPECT_EQ(namesOf(*convertRangesToDimensions(M, {0})),
            (std::vector<std::string>{"d0", "d1", "s0", "gpu"}));
  EXPECT_EQ(namesOf(*convertSymbolsToDimensions(M)),
            (std::vector<std::string>{"d0", "d1", "d2", "gpu"}));
}

TEST_F(IndexingMapVariablesTest, ConvertEmptyMaps) {
  IndexingMap Empty =
      IndexingMap::empty(Context, variables({{0, 1}}, {{0, 1}}, {{0, 1}}), 2);
  EXPECT_EQ(convertSymbolsToDimensions(Empty),
            IndexingMap::empty(Context, variables({{}, {}, {}}), 2));
  EXPECT_EQ(convertRangesToDimensions(Empty, {0}),
            IndexingMap::empty(Context, variables({{}, {}}, {}, {{0, 1}}), 2));
  IndexingMap Nothing(Context);
  EXPECT_EQ(convertSymbolsToDimensions(Nothing), Nothing);
  EXPECT_EQ(convertRangesToDimensions(Nothing, {}), Nothing);
}

} // namespace
