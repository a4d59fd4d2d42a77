//===- IndexingMapOpsTest.cpp - Maps out of maps --------------------------===//
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

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

using Values = std::vector<int64_t>;

class IndexingMapOpsTest : public IndexingMapFixture {};

//===----------------------------------------------------------------------===//
// substitute
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapOpsTest, SubstituteAgreesWithEvaluation) {
  unsigned Compared = 0, GaveUp = 0;
  for (uint64_t Seed = 0; Seed < 200; ++Seed) {
    RandomMaps Random(Context, Seed);
    IndexingMap::Variables Vars =
        variables({{-4, 4}, {-1, 5}}, {{0, 3}}, {{1, 2}});
    IndexingMap Box = map(Vars, {});
    IndexDomain Domain = Box.domain();
    Random.setVariables(Vars);
    IndexExpr E = Random.expr(3);
    DenseMap<const IndexAtom *, IndexExpr> With;
    // The divisors stay positive.
    for (IndexExpr Variable : {d(0), d(1), s(0)})
      if (!Random.oneIn(3))
        With[Variable.asAtom()] = Random.expr(1);
    IndexExpr Result = substitute(Domain, E, With);
    if (!Result) {
      ++GaveUp; // products of sums
      continue;
    }
    for (const Point &P : pointsOf(Box)) {
      Point Q = P;
      for (auto [Atom, Value] : With)
        Q[*Box.positionOf(Atom)] = *Box.evaluate(Value, P);
      EXPECT_EQ(Box.evaluate(Result, P), Box.evaluate(E, Q)) << "seed " << Seed;
      ++Compared;
    }
  }
  EXPECT_GT(Compared, 50000u);
  EXPECT_LT(GaveUp, 20u);
}

TEST_F(IndexingMapOpsTest, SubstituteIsSimultaneous) {
  IndexDomain Domain(Context);
  DenseMap<const IndexAtom *, IndexExpr> Swap = {{d(0).asAtom(), d(1)},
                                                 {d(1).asAtom(), d(0)}};
  EXPECT_EQ(substitute(Domain, add(d(0), floor(d(1), 3), 2), Swap),
            add(d(1), floor(d(0), 3), 2));
}

/// Any atom can be replaced; what is built again is simplified.
TEST_F(IndexingMapOpsTest, SubstituteOtherAtoms) {
  IndexDomain Domain(Context);
  IndexExpr Q = floor(d(0), 3);
  EXPECT_EQ(substitute(Domain, floor(add(Q, d(1)), 5), {{Q.asAtom(), s(0)}}),
            floor(add(s(0), d(1)), 5));
  IndexExpr TimesSix = Context.scale(d(1), 6);
  EXPECT_EQ(substitute(Domain, Q, {{d(0).asAtom(), TimesSix}}),
            Context.scale(d(1), 2));
}

TEST_F(IndexingMapOpsTest, SubstituteGivesUpAtOverflow) {
  IndexDomain Domain(Context);
  IndexExpr Large = Context.scale(d(1), Max);
  EXPECT_FALSE(
      substitute(Domain, Context.scale(d(0), 2), {{d(0).asAtom(), Large}}));
  EXPECT_FALSE(substitute(Domain, IndexExpr(), {{d(0).asAtom(), d(1)}}));
}

/// Thirty nested sums use their operand twice each: there are 2^30 paths.
TEST_F(IndexingMapOpsTest, SubstituteVisitsSharedAtomsOnce) {
  IndexContext Deep({/*MaxTerms=*/32, /*MaxDepth=*/64});
  IndexExpr X = IndexingMap::exprOf(Deep, VariableKind::Dimension, 0);
  IndexExpr Y = IndexingMap::exprOf(Deep, VariableKind::Dimension, 1);
  auto Nest = [&](IndexExpr E) {
    for (unsigned I = 0; I < 30; ++I) {
      IndexExpr A = Deep.rawAtom(IndexAtom::Kind::TruncDiv, E, 3);
      E = Deep.add(A, Deep.rawAtom(IndexAtom::Kind::NegativePart, A), 3);
    }
    return E;
  };
  IndexDomain Domain(Deep);
  EXPECT_TRUE(substitute(Domain, Nest(X), {{X.asAtom(), Y}}));
}

//===----------------------------------------------------------------------===//
// compose
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapOpsTest, ComposeAgreesWithEvaluation) {
  unsigned Inside = 0, Outside = 0, GaveUp = 0;
  for (uint64_t Seed = 0; Seed < 400; ++Seed) {
    RandomMaps Random(Context, Seed);
    size_t NumDimensions = Random.between(0, 2);
    IndexingMap First = Random.map(Random.between(0, 2), NumDimensions);
    IndexingMap Second = Random.map(NumDimensions, Random.between(0, 2));
    std::optional<IndexingMap> Both = compose(First, Second);
    if (!Both) {
      ++GaveUp; // products of sums
      continue;
    }
    size_t D = First.dimensions().size();
    size_t S1 = First.ranges().size(), S2 = Second.ranges().size();
    size_t R1 = First.runtimes().size(), R2 = Second.runtimes().size();
    ASSERT_EQ(Both->dimensions().size(), D);
    ASSERT_EQ(Both->ranges().size(), S1 + S2);
    ASSERT_EQ(Both->runtimes().size(), R1 + R2);
    for (const Point &P : pointsOfBox(boxOf(*Both))) {
      Point InFirst = concat({slice(P, 0, D), slice(P, D + S2, S1),
                              slice(P, D + S2 + S1 + R2, R1)});
      Values Middle = *First.evaluate(InFirst);
      Point InSecond =
          concat({Middle, slice(P, D, S2), slice(P, D + S2 + S1, R2)});
      bool Expected = First.contains(InFirst) && Second.contains(InSecond);
      ASSERT_EQ(Both->contains(P), Expected) << "seed " << Seed;
      if (Expected) {
        ASSERT_EQ(Both->evaluate(P), Second.evaluate(InSecond));
      }
      ++(Expected ? Inside : Outside);
    }
  }
  EXPECT_GT(Inside, 5000u);
  EXPECT_GT(Outside, 10000u);
  EXPECT_LT(GaveUp, 5u);
}

TEST_F(IndexingMapOpsTest, XLA_Composition_Permutation) {
  IndexingMap Producer = map(variables({{0, 3}, {0, 3}}, {{0, 1}, {0, 1}}),
                             {d(1), d(0), s(1), s(0)});
  IndexingMap Consumer = map(variables({{0, 3}}, {{0, 3}}), {d(0), s(0)});
  EXPECT_EQ(compose(Consumer, Producer),
            map(variables({{0, 3}}, {{0, 1}, {0, 1}, {0, 3}}),
                {s(2), d(0), s(1), s(0)}));
}

TEST_F(IndexingMapOpsTest, XLA_Composition_ProducerAndConsumerHaveConstraints) {
  IndexingMap Producer = map(variables({{0, 49}, {0, 59}}, {{0, 69}, {0, 19}}),
                             {d(1), d(0), s(1), s(0)},
                             {{mod(d(0), 8), {0, 0}}, {mod(s(0), 3), {1, 1}}});
  IndexingMap Consumer =
      map(variables({{0, 9}}, {{0, 7}}), {d(0), s(0)},
          {{add(d(0), s(0)), {0, 20}}, {mod(s(0), 4), {0, 0}}});
  EXPECT_EQ(compose(Consumer, Producer),
            map(variables({{0, 9}}, {{0, 69}, {0, 19}, {0, 7}}),
                {s(2), d(0), s(1), s(0)},
                {{add(d(0), s(2)), {0, 20}},
                 {mod(d(0), 8), {0, 0}},
                 {mod(s(0), 3), {1, 1}},
                 {mod(s(2), 4), {0, 0}}}));
}

TEST_F(IndexingMapOpsTest, XLA_Composition_OnlyRTVars) {
  IndexingMap Producer =
      map(variables({{0, 24}, {0, 15}}, {}, {{0, 2}, {0, 1}}),
          {add(d(0), rt(0)), add(d(1), rt(1), 4)});
  IndexingMap Consumer =
      map(variables({{0, 24}, {0, 15}}, {}, {{0, 25}, {0, 16}}),
          {add(d(0), rt(0), 2), add(d(1), rt(1), 3)});
  IndexExpr A = add(d(0), rt(2), 2), B = add(d(1), rt(3), 3);
  EXPECT_EQ(
      compose(Consumer, Producer),
      map(variables({{0, 24}, {0, 15}}, {}, {{0, 2}, {0, 1}, {0, 25}, {0, 16}}),
          {add(A, rt(0)), add(B, rt(1), 4)}, {{A, {0, 24}}, {B, {0, 15}}}));
}

TEST_F(IndexingMapOpsTest, XLA_KnownEmpty_Composition) {
  IndexingMap Map = map(variables({{0, 49}}), {d(0)});
  IndexingMap Empty = map(variables({{0, -1}}), {d(0)});
  EXPECT_TRUE(compose(Map, Empty)->isKnownEmpty());
  EXPECT_TRUE(compose(Empty, Map)->isKnownEmpty());
  EXPECT_EQ(compose(Map, Empty), Empty);
}

TEST_F(IndexingMapOpsTest, ComposeWithIdentities) {
  IndexingMap M =
      map(variables({{0, 9}, {2, 7}}, {{0, 3}}, {{1, 2}}),
          {floor(add(d(0), s(0)), 3), d(1)}, {{add(d(0), rt(0)), {0, 8}}});
  EXPECT_EQ(compose(IndexingMap::identity(Context, {10, 8}), M),
            withConstraint(map({variables({{0, 9}, {0, 7}}).Dimensions,
                                M.variables().Ranges, M.variables().Runtimes},
                               M.results(), M.constraints()),
                           d(1), {2, 7}));
  // Into a box that holds all results; one of them takes a thought.
  EXPECT_EQ(compose(M, IndexingMap::identity(Context, {5, 8})),
            withConstraint(M, M.result(0), {0, 4}));
}

/// Results that are constants or variables are compared with the bounds at
/// once.
TEST_F(IndexingMapOpsTest, ComposeKeepsMapsSmall) {
  IndexingMap First =
      map(variables({{0, 9}}), {num(3), d(0), d(0), add(d(0), num(1))});
  auto ConstraintsInto = [&](const Ranges &Bounds) {
    std::optional<IndexingMap> Both =
        compose(First, map(variables(Bounds), {}));
    return std::vector<MapConstraint>(Both->constraints());
  };
  EXPECT_EQ(ConstraintsInto({{3, 3}, {0, 9}, Interval(), Interval()}),
            std::vector<MapConstraint>());
  std::vector<MapConstraint> Needed = {{d(0), {1, 9}},
                                       {add(d(0), num(1)), {0, 20}}};
  EXPECT_EQ(ConstraintsInto({{0, 5}, {1, 9}, {-5, 20}, {0, 20}}), Needed);
  EXPECT_TRUE(
      compose(First, map(variables({{4, 5}, {}, {}, {}}), {}))->isKnownEmpty());
}

TEST_F(IndexingMapOpsTest, ComposeNames) {
  IndexingMap First = map(named(variables({{0, 9}}, {{0, 1}, {0, 2}}, {{0, 3}}),
                                {"th_x", "j", "", "gpu"}),
                          {add(d(0), s(0))});
  IndexingMap Second =
      map(named(variables({{0, 9}}, {{0, 1}}, {{0, 3}}), {"", "j", ""}), {});
  // Second's j and First's j meet; the number of the other range has changed.
  EXPECT_EQ(namesOf(*compose(First, Second)),
            (std::vector<std::string>{"th_x", "j", "s1", "s2", "rt0", "gpu"}));
}

TEST_F(IndexingMapOpsTest, ComposeGivesUpAtOverflow) {
  IndexingMap First = map(variables({Interval()}), {Context.scale(d(0), Max)});
  IndexingMap Second = map(variables({Interval()}), {Context.scale(d(0), 2)});
  EXPECT_FALSE(compose(First, Second));
  EXPECT_FALSE(compose(First, map(variables({Interval()}), {},
                                  {{Context.scale(d(0), 2), {0, 1}}})));
  EXPECT_TRUE(compose(Second, map(variables({Interval()}), {d(0)})));
}

TEST_F(IndexingMapOpsTest, ComposeWithoutVariables) {
  IndexingMap Nothing(Context);
  EXPECT_EQ(compose(Nothing, Nothing), Nothing);
  IndexingMap Constant = map({}, {num(7)});
  EXPECT_EQ(compose(Constant, map(variables({{0, 9}}), {add(d(0), d(0))})),
            map({}, {num(14)}));
  EXPECT_TRUE(
      compose(Constant, map(variables({{0, 6}}), {d(0)}))->isKnownEmpty());
  IndexingMap EmptyNothing = IndexingMap::empty(Context, {}, 0);
  EXPECT_EQ(compose(EmptyNothing, Nothing), EmptyNothing);
  EXPECT_EQ(compose(Nothing, EmptyNothing), EmptyNothing);
}

//===----------------------------------------------------------------------===//
// subMap, withConstraint
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapOpsTest, SubMap) {
  IndexingMap::Variables Vars = variables({{0, 9}}, {{0, 1}});
  std::vector<MapConstraint> C = {{add(d(0), s(0)), {0, 5}}};
  IndexingMap M = map(Vars, {d(0), s(0), num(3)}, C);
  EXPECT_EQ(subMap(M, {2, 0, 0}), map(Vars, {num(3), d(0), d(0)}, C));
  EXPECT_EQ(subMap(M, {}), map(Vars, {}, C));
  // A map may be empty without bounds that show it.
  IndexingMap Empty = IndexingMap::empty(Context, {}, 3);
  EXPECT_EQ(subMap(Empty, {1}), IndexingMap::empty(Context, {}, 1));
}

TEST_F(IndexingMapOpsTest, WithConstraint) {
  IndexingMap::Variables Vars = variables({{0, 9}});
  IndexingMap M = map(Vars, {d(0)});
  EXPECT_EQ(withConstraint(M, floor(d(0), 2), {1, 2}),
            map(Vars, {d(0)}, {{floor(d(0), 2), {1, 2}}}));
  EXPECT_EQ(withConstraint(M, d(0), Interval::empty()),
            IndexingMap::empty(Context, Vars, 1));
  EXPECT_TRUE(withConstraint(M, num(3), {4, 5}).isKnownEmpty());
  IndexingMap Empty = IndexingMap::empty(Context, {}, 3);
  EXPECT_EQ(withConstraint(Empty, num(3), {3, 3}), Empty);
}

//===----------------------------------------------------------------------===//
// foldRuntimeVariable
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapOpsTest, FoldAgreesWithEvaluation) {
  unsigned Inside = 0, Outside = 0, GaveUp = 0;
  for (uint64_t Seed = 0; Seed < 80; ++Seed) {
    RandomMaps Random(Context, Seed);
    IndexingMap::Variables Vars = variables({{-2, 3}}, {{0, 3}});
    std::vector<Interval> Runtimes = {{1, 3}, {1, 2}, {2, 5}};
    for (const Interval &I : Runtimes)
      Vars.Runtimes.push_back({I, ""});
    Random.setVariables(Vars);
    IndexingMap M = map(Vars, {Random.expr(2), Random.expr(1)},
                        {{Random.expr(1), Random.interval(-9, 2, 12)}});
    // Folds the one in the middle, over the variables around it.
    Random.setVariables(variables({{}}, {{}}));
    IndexExpr Value = add(Random.expr(2), Random.oneIn(2) ? rt(0) : rt(2),
                          Random.between(0, 1));
    for (bool Clamped : {false, true}) {
      std::optional<IndexingMap> R = foldRuntimeVariable(M, 1, Value, Clamped);
      if (!R) {
        ++GaveUp; // products of sums
        continue;
      }
      ASSERT_EQ(R->runtimes().size(), 2u);
      for (const Point &P : pointsOfBox({{-2, 3}, {0, 3}, {1, 3}, {2, 5}})) {
        Point Q = {P[0], P[1], P[2], 0, P[3]};
        Q[3] = *M.evaluate(Value, Q);
        if (Clamped)
          Q[3] = std::clamp<int64_t>(Q[3], 1, 2);
        ASSERT_EQ(R->contains(P), M.contains(Q)) << "seed " << Seed;
        if (M.contains(Q)) {
          ASSERT_EQ(R->evaluate(P), M.evaluate(Q)) << "seed " << Seed;
        }
        ++(M.contains(Q) ? Inside : Outside);
      }
    }
  }
  EXPECT_GT(Inside, 10000u);
  EXPECT_GT(Outside, 10000u);
  EXPECT_LT(GaveUp, 5u);
}

TEST_F(IndexingMapOpsTest, FoldConstants) {
  IndexingMap M =
      map(variables({{0, 9}}, {}, {{0, 7}, {0, 3}}), {add(d(0), rt(0)), rt(1)});
  EXPECT_EQ(
      foldRuntimeVariable(M, 0, num(5)),
      map(variables({{0, 9}}, {}, {{0, 3}}), {Context.add(d(0), 5), rt(0)}));
  EXPECT_EQ(foldRuntimeVariable(M, 0, num(9)),
            IndexingMap::empty(Context, variables({{0, 9}}, {}, {{0, 3}}), 2));
  EXPECT_EQ(
      foldRuntimeVariable(M, 0, num(9), /*Clamped=*/true),
      map(variables({{0, 9}}, {}, {{0, 3}}), {Context.add(d(0), 7), rt(0)}));
}

TEST_F(IndexingMapOpsTest, FoldIntoInfiniteBounds) {
  IndexingMap M = map(variables({Interval()}, {}, {Interval()}), {rt(0)});
  IndexingMap Copy = map(variables({Interval()}), {d(0)});
  EXPECT_EQ(foldRuntimeVariable(M, 0, d(0)), Copy);
  EXPECT_EQ(foldRuntimeVariable(M, 0, d(0), /*Clamped=*/true), Copy);
  IndexingMap Half =
      map(variables({Interval()}, {}, {Interval::atLeast(0)}), {rt(0)});
  EXPECT_EQ(foldRuntimeVariable(Half, 0, d(0)),
            withConstraint(Copy, d(0), Interval::atLeast(0)));
  EXPECT_EQ(
      foldRuntimeVariable(Half, 0, d(0), /*Clamped=*/true)->evaluate(Point{-3}),
      Values{0});
}

TEST_F(IndexingMapOpsTest, FoldGivesUpAtOverflow) {
  IndexingMap M =
      map(variables({Interval()}, {}, {Interval()}), {Context.scale(rt(0), 2)});
  EXPECT_FALSE(foldRuntimeVariable(M, 0, Context.scale(d(0), Max)));
  IndexingMap Empty =
      IndexingMap::empty(Context, variables({}, {}, {{0, 1}, {0, 2}}), 1);
  EXPECT_EQ(foldRuntimeVariable(Empty, 0, rt(1)),
            IndexingMap::empty(Context, variables({}, {}, {{0, 2}}), 1));
}

} // namespace
