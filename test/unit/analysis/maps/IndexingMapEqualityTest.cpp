//===- IndexingMapEqualityTest.cpp - Do two maps mean the same? -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapEquality.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/maps/MapProof.h"
#include "analysis/maps/MapSampler.h"
#include "test/unit/IndexingMapTestHelper.h"
#include <set>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// A counterexample has to be one.
void expectDifference(const IndexingMap &A, const IndexingMap &B,
                      const MapEquality &Found) {
  ArrayRef<int64_t> P = Found.Counterexample;
  ASSERT_EQ(P.size(), A.numVariables());
  if (Found.Reason == "only in the domain of the first map") {
    EXPECT_TRUE(A.contains(P) && !B.contains(P));
  } else if (Found.Reason == "only in the domain of the second map") {
    EXPECT_TRUE(!A.contains(P) && B.contains(P));
  } else {
    EXPECT_TRUE(A.contains(P) && B.contains(P));
    unsigned Number = ~0u;
    ASSERT_EQ(sscanf(Found.Reason.c_str(), "result %u differs", &Number), 1);
    EXPECT_NE(A.evaluate(A.result(Number), P), B.evaluate(B.result(Number), P));
  }
}

class IndexingMapEqualityTest : public IndexingMapFixture {
protected:
  IndexingMap parse(StringRef Text) {
    Expected<IndexingMap> Map = parseIndexingMap(Context, Text);
    if (Map)
      return *Map;
    ADD_FAILURE() << toString(Map.takeError());
    return IndexingMap(Context);
  }

  /// Compares both ways, without looking at all points.
  void expectEqual(StringRef A, StringRef B) {
    SCOPED_TRACE(A.str() + "\n" + B.str());
    EXPECT_EQ(compareMaps(parse(A), parse(B), 0).AreEqual, Answer::Yes);
    EXPECT_EQ(compareMaps(parse(B), parse(A), 0).AreEqual, Answer::Yes);
  }
  std::string difference(StringRef A, StringRef B, uint64_t MaxPoints = 0) {
    IndexingMap First = parse(A), Second = parse(B);
    MapEquality Found = compareMaps(First, Second, MaxPoints);
    EXPECT_EQ(Found.AreEqual, Answer::No) << A.str() << "\n" << B.str();
    if (Found.AreEqual == Answer::No && !Found.Counterexample.empty())
      expectDifference(First, Second, Found);
    return Found.Reason;
  }
};

TEST_F(IndexingMapEqualityTest, Shapes) {
  EXPECT_EQ(difference("(d0) -> (d0)", "(d0) -> (d0, 0)"),
            "different numbers of results");
  EXPECT_EQ(difference("(d0) -> (d0)", "(d0, d1) -> (d0)"),
            "different numbers of dimensions");
  EXPECT_EQ(difference("(d0) -> (d0)", "(d0)[s0] -> (d0)"),
            "different numbers of ranges");
  EXPECT_EQ(difference("(d0) -> (d0)", "(d0){rt0} -> (d0)"),
            "different numbers of runtime variables");
  EXPECT_TRUE(compareMaps(parse("(d0) -> (d0)"), parse("() -> ()"))
                  .Counterexample.empty());
}

TEST_F(IndexingMapEqualityTest, TheSameWrittenDifferently) {
  expectEqual("(d0) -> (d0)", "(d0) -> ((d0 floordiv 8) * 8 + d0 mod 8)");
  expectEqual("(d0) -> (d0 floordiv 6), domain: d0 in [0, 99999]",
              "(d0) -> ((d0 floordiv 2) floordiv 3), domain: d0 in [0, 99999]");
  expectEqual("(d0) -> (d0 mod 1000), domain: d0 in [0, 999]",
              "(d0) -> (d0), domain: d0 in [0, 999]");
  expectEqual("(d0, d1) -> (min(d0, d1)), domain: d0 in [0, 99999], "
              "d1 in [0, 99999], d0 < d1",
              "(d0, d1) -> (d0), domain: d0 in [0, 99999], "
              "d1 in [0, 99999], d1 - d0 in [1, inf]");
  // Names do not matter.
  expectEqual("(x, y) -> (x + y)", "(a, b) -> (b + a)");
}

TEST_F(IndexingMapEqualityTest, TheSameDomainWrittenDifferently) {
  expectEqual("(d0) -> (d0), domain: d0 in [0, 99999], d0 mod 3 in [0, 0]",
              "(d0) -> (d0), domain: d0 in [-2, 100001], d0 mod 3 in [0, 0]");
  expectEqual("(d0) -> (d0), domain: d0 in [8, 87]",
              "(d0) -> (d0), domain: d0 in [0, 99999], "
              "d0 floordiv 8 in [1, 10]");
  expectEqual("(d0, d1) -> (d0), domain: d0 in [0, 999], d1 in [0, 999], "
              "d0 + d1 in [0, 500]",
              "(d0, d1) -> (d0), domain: d0 in [0, 500], d1 in [0, 500], "
              "d0 * 2 + d1 * 2 in [-5, 1001]");
  expectEqual("(d0) -> (1), domain: d0 in [0, 99999], d0 * 2 in [3, 3]",
              "(d0) -> (2), domain: d0 in [5, 99999], d0 in [0, 3]");
}

TEST_F(IndexingMapEqualityTest, DifferentResults) {
  EXPECT_EQ(difference("(d0) -> (0, d0 floordiv 7), domain: d0 in [0, 99999]",
                       "(d0) -> (0, d0 floordiv 8), domain: d0 in [0, 99999]"),
            "result 1 differs");
  // Only in one point of many.
  EXPECT_EQ(difference("(d0, d1) -> (d0 + d1), domain: d0 in [0, 99999], "
                       "d1 in [0, 99999]",
                       "(d0, d1) -> (min(d0 + d1, 199997)), domain: d0 in "
                       "[0, 99999], d1 in [0, 99999]"),
            "result 0 differs");
  EXPECT_EQ(difference("(d0) -> (d0)", "(d0) -> (max(d0, -d0))"),
            "result 0 differs");
}

TEST_F(IndexingMapEqualityTest, DifferentDomains) {
  EXPECT_EQ(difference("(d0) -> (d0), domain: d0 in [0, 99999]",
                       "(d0) -> (d0), domain: d0 in [0, 99998]"),
            "only in the domain of the first map");
  EXPECT_EQ(difference("(d0, d1) -> (d0), domain: d0 in [0, 9999], "
                       "d1 in [0, 9999], d0 + d1 in [0, 11000]",
                       "(d0, d1) -> (d0), domain: d0 in [0, 9999], "
                       "d1 in [0, 9999], d0 + d1 in [0, 11001]"),
            "only in the domain of the second map");
  EXPECT_EQ(difference("(d0) -> (d0), domain: d0 in [0, 99999]",
                       "(d0) -> (d0), domain: d0 in [0, 99999], "
                       "d0 mod 5 in [1, 4]"),
            "only in the domain of the first map");
  EXPECT_EQ(difference("(d0) -> (d0), domain: d0 in [1, 0]",
                       "(d0) -> (d0), domain: d0 in [7, inf]"),
            "only in the domain of the second map");
  EXPECT_EQ(difference("(d0) -> (d0), domain: d0 in [1, 0]",
                       "(d0) -> (d0), domain: d0 in [7, 8]", 100),
            "only in the domain of the second map");
}

TEST_F(IndexingMapEqualityTest, RuntimeVariables) {
  expectEqual("(d0){rt0} -> ((d0 * rt0 + rt0) floordiv rt0), "
              "domain: d0 in [0, 99999], rt0 in [1, inf]",
              "(d0){rt0} -> (d0 + 1), "
              "domain: d0 in [0, 99999], rt0 in [1, inf]");
  EXPECT_EQ(difference("(d0){rt0} -> (d0), domain: d0 in [0, inf], "
                       "rt0 in [1, inf], d0 < rt0",
                       "(d0){rt0} -> (d0), domain: d0 in [0, inf], "
                       "rt0 in [1, inf], d0 <= rt0"),
            "only in the domain of the second map");
  EXPECT_EQ(difference("(d0){rt0} -> (d0 mod rt0), domain: d0 in [0, inf], "
                       "rt0 in [1, inf]",
                       "(d0){rt0} -> (d0), domain: d0 in [0, inf], "
                       "rt0 in [1, inf]"),
            "result 0 differs");
}

TEST_F(IndexingMapEqualityTest, WithoutAValue) {
  // Where rt0 is 0 the first map has no value, and the second any.
  StringRef Divided = "(d0){rt0} -> ((d0 * rt0) floordiv rt0), "
                      "domain: d0 in [0, 9], rt0 in [0, 9]";
  StringRef Plain = "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 9]";
  expectEqual(Divided, Plain);
  // A constraint without a value is not satisfied.
  StringRef Constrained = "(d0){rt0} -> (d0), domain: d0 in [0, 9], "
                          "rt0 in [0, 9], d0 floordiv rt0 in [0, 9]";
  StringRef Whole = "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 9]";
  EXPECT_EQ(difference(Constrained, Whole, 100),
            "only in the domain of the second map");
  EXPECT_NE(compareMaps(parse(Constrained), parse(Whole), 0).AreEqual,
            Answer::Yes);
  EXPECT_EQ(compareMaps(parse(Constrained), parse(Constrained), 0).AreEqual,
            Answer::Yes);
}

TEST_F(IndexingMapEqualityTest, NumbersThatLeave64Bits) {
  // Nothing can be said about a value that is not known.
  IndexingMap A = map(variables({{Max - 5, Max - 1}}),
                      {add(Context.scale(d(0), 3), floor(d(0), 2))});
  IndexingMap B = map(variables({{Max - 5, Max - 1}}),
                      {add(Context.scale(d(0), 3), floor(d(0), 3))});
  EXPECT_EQ(compareMaps(A, B).AreEqual, Answer::Unknown);
  EXPECT_EQ(compareMaps(A, A).AreEqual, Answer::Yes);
  B = map(variables({{Max - 5, Max - 1}}), {d(0)},
          {{Context.scale(d(0), 3), {0, Max - 1}}});
  A = map(variables({{Max - 5, Max - 1}}), {d(0)});
  EXPECT_NE(compareMaps(A, B).AreEqual, Answer::Yes);
}

TEST_F(IndexingMapEqualityTest, NoVariables) {
  expectEqual("() -> (5)", "() -> (2 + 3)");
  EXPECT_EQ(compareMaps(parse("() -> (5)"), parse("() -> (6)"), 0).Reason,
            "result 0 differs");
}

//===----------------------------------------------------------------------===//
// Proofs and samples
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapEqualityTest, ConstraintsMultipliedOut) {
  // floor(d0/8) - d1 in [0, 3]  <=>  d0 - 8*d1 in [0, 31].
  MapConstraint C =
      multipliedOut(Context, {add(floor(d(0), 8), d(1), -1), {0, 3}});
  EXPECT_EQ(C, (MapConstraint{add(d(0), d(1), -8), {0, 31}}));
  // 1 + 2*(d1 - floor(d0/8)) in [0, 4]  <=>  floor(d0/8) - d1 in [-1, 0].
  C = multipliedOut(Context,
                    {add(num(1), add(d(1), floor(d(0), 8), -1), 2), {0, 4}});
  EXPECT_EQ(C, (MapConstraint{add(d(0), d(1), -8), {-8, 7}}));
  // 2*floor(d0/8) + 3*d1 stays.
  IndexExpr E = add(Context.scale(d(1), 3), floor(d(0), 8), 2);
  EXPECT_EQ(multipliedOut(Context, {E, {0, 3}}), (MapConstraint{E, {0, 3}}));
  // Infinite ends stay infinite; an end that would become so is kept.
  C = multipliedOut(Context, {floor(d(0), 8), Interval::atLeast(2)});
  EXPECT_EQ(C, (MapConstraint{d(0), Interval::atLeast(16)}));
  MapConstraint Far{floor(d(0), 8), {0, Max / 2}};
  EXPECT_EQ(multipliedOut(Context, Far), Far);
}

TEST_F(IndexingMapEqualityTest, ConstraintsMultipliedOutMeanTheSame) {
  test::RandomMaps Random(Context, 3);
  IndexingMap Box = map(variables({{-9, 9}, {-7, 8}}), {});
  Random.setVariables(Box.variables());
  for (unsigned I = 0; I < 300; ++I) {
    MapConstraint C{Random.expr(2), Random.interval(-6, 6, 9)};
    MapConstraint Other = multipliedOut(Context, C);
    for (const Point &P : pointsOf(Box))
      ASSERT_EQ(C.Range.contains(*Box.evaluate(C.Expr, P)),
                Other.Range.contains(*Box.evaluate(Other.Expr, P)));
  }
}

TEST_F(IndexingMapEqualityTest, ProofsAreTrue) {
  test::RandomMaps Random(Context, 5);
  unsigned Proved = 0, True = 0;
  for (unsigned I = 0; I < 400; ++I) {
    IndexingMap Map = Random.map(2, 1);
    if (Map.isKnownEmpty())
      continue;
    Interval Range = Random.interval(-9, 0, 20), Seen = Interval::empty();
    for (const Point &P : pointsOf(Map))
      if (std::optional<int64_t> Value = Map.evaluate(Map.result(0), P))
        Seen = Seen.unite(Interval::point(*Value));
    True += Range.contains(Seen);
    if (!provesWithin(Map.domain(), Map.result(0), Range))
      continue;
    ++Proved;
    ASSERT_TRUE(Range.contains(Seen)) << toString(Map);
  }
  EXPECT_GE(Proved, True / 3);
}

TEST_F(IndexingMapEqualityTest, SamplesAreInsideAndDeterministic) {
  for (StringRef Text :
       {"(d0, d1) -> (), domain: d0 in [0, 99999], d1 in [5, inf], "
        "d0 + d1 * 3 in [7, 7000]",
        "(d0, d1) -> (), domain: d0 in [0, 99999], d0 mod 32 in [3, 3], "
        "(d0 + d1) mod 7 in [2, 2]",
        "(d0, d1) -> (), domain: d0 in [0, 99999], d1 in [0, 99999], "
        "d0 - d1 in [0, 0]",
        "(d0){rt0} -> (), domain: d0 in [0, inf], rt0 in [-inf, 500], "
        "d0 < rt0"}) {
    IndexingMap Map = parse(Text);
    MapSampler Sampler(Map), Again(Map);
    unsigned Inside = 0;
    std::set<Point> Distinct;
    for (unsigned I = 0; I < 200; ++I) {
      Point P = Sampler.next();
      EXPECT_EQ(P, Again.next());
      for (size_t J = 0; J < P.size(); ++J)
        EXPECT_TRUE(Map.variableAt(J).Bounds.contains(P[J]));
      Inside += Map.contains(P);
      Distinct.insert(P);
    }
    EXPECT_GE(Inside, 150u) << Text.str();
    EXPECT_GE(Distinct.size(), 50u) << Text.str();
  }
}

//===----------------------------------------------------------------------===//
// Random maps against brute force
//===----------------------------------------------------------------------===//

bool areEqualEverywhere(const IndexingMap &A, const IndexingMap &B) {
  for (const IndexingMap *From : {&A, &B})
    for (const Point &P : pointsOf(*From)) {
      if (!A.contains(P) || !B.contains(P) || A.evaluate(P) != B.evaluate(P))
        return false;
    }
  return true;
}

/// \p Map with something changed.
IndexingMap mutated(const IndexingMap &Map, RandomMaps &Random) {
  IndexContext &Context = Map.context();
  IndexingMap::Variables Vars = Map.variables();
  std::vector<IndexExpr> Results = Map.results();
  std::vector<MapConstraint> Constraints = Map.constraints();
  switch (Random.between(0, 3)) {
  case 0:
    Results[0] = Context.add(Results[0], Random.between(-1, 1));
    break;
  case 1:
    Constraints.push_back({Random.expr(1), Random.interval(-20, -9, 40)});
    break;
  case 2:
    if (!Vars.Dimensions.empty())
      Vars.Dimensions[0].Bounds =
          Vars.Dimensions[0].Bounds + Interval(0, Random.between(0, 2));
    break;
  default:
    Results[0] = Random.expr(2);
  }
  return IndexingMap(Context, Vars, Results, Constraints);
}

TEST_F(IndexingMapEqualityTest, RandomMaps) {
  unsigned Pairs = 0, Unknown = 0, Equal = 0;
  for (unsigned Seed = 0; Seed < 5; ++Seed) {
    IndexContext Fresh;
    test::RandomMaps Random(Fresh, Seed);
    for (unsigned I = 0; I < 200; ++I) {
      IndexingMap A = Random.map(Random.between(1, 2), Random.between(1, 2));
      IndexingMap B = Random.oneIn(3) ? A.simplified() : mutated(A, Random);
      SCOPED_TRACE(toString(A) + "\n" + toString(B));
      bool AreEqual = areEqualEverywhere(A, B);
      Answer Truth = AreEqual ? Answer::Yes : Answer::No;
      MapEquality ByPoints = compareMaps(A, B), Symbolic = compareMaps(A, B, 0);
      EXPECT_EQ(ByPoints.AreEqual, Truth);
      if (Symbolic.AreEqual != Answer::Unknown) {
        EXPECT_EQ(Symbolic.AreEqual, Truth);
      }
      for (const MapEquality &Found : {ByPoints, Symbolic})
        if (Found.AreEqual == Answer::No)
          expectDifference(A, B, Found);
      ++Pairs;
      Equal += AreEqual;
      Unknown += Symbolic.AreEqual == Answer::Unknown;
    }
  }
  RecordProperty("Unknown", Unknown);
  RecordProperty("Equal", Equal);
  EXPECT_GE(Equal, Pairs / 4);
  EXPECT_LE(Unknown, Pairs / 10);
}

} // namespace
