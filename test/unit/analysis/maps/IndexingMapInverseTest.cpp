//===- IndexingMapInverseTest.cpp - Injectivity and inverses --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapEquality.h"
#include "analysis/maps/IndexingMapOps.h"
#include "analysis/maps/MapElimination.h"
#include "test/unit/IndexingMapInverseTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class IndexingMapInverseTest : public IndexingMapFixture {
protected:
  IndexingMap parse(StringRef Text) {
    Expected<IndexingMap> Map = parseIndexingMap(Context, Text);
    if (Map)
      return *Map;
    ADD_FAILURE() << toString(Map.takeError());
    return IndexingMap(Context);
  }

  /// The inverse exists; if the box is small, it is exact at every point.
  IndexingMap invert(const IndexingMap &F) {
    std::string WhyNot;
    std::optional<IndexingMap> G = inverseOf(F, &WhyNot);
    EXPECT_TRUE(G) << toString(F) << ": " << WhyNot;
    if (!G)
      return IndexingMap(Context);
    std::optional<uint64_t> Here = F.boxSize(), There = G->boxSize();
    if (Here && There && *Here <= 1 << 14 && *There <= 1 << 16)
      expectExactInverse(F, *G);
    return *G;
  }

  void expectInverse(StringRef F, StringRef G) {
    EXPECT_EQ(toString(invert(parse(F))), toString(parse(G)));
  }
  /// In both directions.
  void expectInverses(StringRef F, StringRef G) {
    expectInverse(F, G);
    expectInverse(G, F);
  }

  std::string whyNot(StringRef F) {
    std::string WhyNot;
    EXPECT_EQ(inverseOf(parse(F), &WhyNot), std::nullopt) << F.str();
    return WhyNot;
  }

  /// Without looking at all points.
  Answer injective(StringRef Text) {
    IndexingMap F = parse(Text);
    Injectivity Found = injectivityOf(F, 0);
    if (Found.IsInjective == Answer::No)
      expectPair(F, Found);
    return Found.IsInjective;
  }
  Answer bijective(StringRef Text) { return isBijective(parse(Text), 0); }

  static void expectPair(const IndexingMap &F, const Injectivity &Found) {
    EXPECT_TRUE(F.contains(Found.First));
    EXPECT_TRUE(F.contains(Found.Second));
    EXPECT_NE(Found.First, Found.Second);
    EXPECT_TRUE(F.evaluate(Found.First));
    EXPECT_EQ(F.evaluate(Found.First), F.evaluate(Found.Second));
    size_t N = F.dimensions().size() + F.ranges().size();
    EXPECT_EQ(ArrayRef(Found.First).drop_front(N),
              ArrayRef(Found.Second).drop_front(N));
  }
};

//===----------------------------------------------------------------------===//
// Elimination
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapInverseTest, EliminationSolvesLinearEquations) {
  // 2x + 3y + 1 = p, x - y = q.
  MapEquation Equations[] = {
      {add(add(Context.scale(d(0), 2), d(1), 3), num(1)), s(0)},
      {add(d(0), d(1), -1), s(1)}};
  SmallVector<MapEquation, 8> Solved = eliminate(Context, Equations);
  ASSERT_EQ(Solved.size(), 2u);
  // Up to a factor: 5x + 1 = p + 3q, 5y + 1 = p - 2q.
  for (const MapEquation &E : Solved) {
    ASSERT_EQ(E.Left.terms().size(), 1u);
    int64_t Scale = E.Left.terms()[0].Coefficient / 5;
    int64_t OfQ = E.Left.terms()[0].Atom == d(0).asAtom() ? 3 : -2;
    EXPECT_EQ(Context.add(E.Left, num(-1), Scale),
              Context.scale(Context.atom(E.Left.terms()[0].Atom), 5 * Scale));
    EXPECT_EQ(E.Right, Context.scale(add(s(0), s(1), OfQ), Scale));
  }
}

TEST_F(IndexingMapInverseTest, EliminationPutsDigitsTogether) {
  MapEquation Equations[] = {{mod(d(0), 8), s(0)}, {floor(d(0), 8), s(1)}};
  SmallVector<MapEquation, 8> Solved = eliminate(Context, Equations);
  ASSERT_EQ(Solved.size(), 1u);
  EXPECT_EQ(Solved[0].Left, d(0));
  EXPECT_EQ(Solved[0].Right, add(s(0), s(1), 8));
}

TEST_F(IndexingMapInverseTest, EliminationGivesUpRowsThatOverflow) {
  int64_t Big = (int64_t(1) << 62) + 1, Odd = (int64_t(1) << 61) - 1;
  MapEquation Equations[] = {
      {add(Context.scale(d(0), Big), d(1), Odd), s(0)},
      {add(Context.scale(d(0), Odd), d(1), Big - 2), s(1)},
      {add(d(2), d(3)), s(2)},
      {add(d(2), d(3), -1), s(3)}};
  for (const MapEquation &E : eliminate(Context, Equations))
    EXPECT_TRUE(E.Left.isConstant() ||
                E.Left.coefficientOf(d(0).asAtom()) == 0);
  EXPECT_TRUE(eliminate(Context, {}).empty());
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapInverseTest, LinearizeAndDelinearize) {
  expectInverses("(d0, d1) -> (d0 * 75 + d1), "
                 "domain: d0 in [0, 9], d1 in [0, 74]",
                 "(d0) -> (d0 floordiv 75, d0 mod 75), domain: d0 in [0, 749]");
  expectInverses("(d0, d1, d2) -> (d0 * 77 + d1 * 11 + d2), "
                 "domain: d0 in [0, 99999], d1 in [0, 6], d2 in [0, 10]",
                 "(d0) -> (d0 floordiv 77, (d0 floordiv 11) mod 7, d0 mod 11), "
                 "domain: d0 in [0, 7699999]");
  expectInverses(
      "(d0, d1, d2, d3) -> (d0 * 165 + d1 * 15 + d2 * 3 + d3), domain: "
      "d0 in [0, 6], d1 in [0, 10], d2 in [0, 4], d3 in [0, 2]",
      "(d0) -> (d0 floordiv 165, (d0 floordiv 15) mod 11, (d0 floordiv 3) mod "
      "5, d0 mod 3), domain: d0 in [0, 1154]");
  expectInverses(
      "(d0, d1, d2, d3, d4) -> (d0 * 315 + d1 * 45 + d2 * 9 + d3 * 3 + d4), "
      "domain: d0 in [0, 9], d1 in [0, 6], d2 in [0, 4], d3 in [0, 2], "
      "d4 in [0, 2]",
      "(d0) -> (d0 floordiv 315, (d0 floordiv 45) mod 7, (d0 floordiv 9) mod "
      "5, (d0 floordiv 3) mod 3, d0 mod 3), domain: d0 in [0, 3149]");
}

TEST_F(IndexingMapInverseTest, ReshapeBetweenShapesWithoutCommonFactors) {
  expectInverses("(d0, d1) -> ((d0 * 15 + d1) floordiv 7, (d0 + d1) mod 7), "
                 "domain: d0 in [0, 6], d1 in [0, 14]",
                 "(d0, d1) -> ((d0 * 7 + d1) floordiv 15, (d0 * 7 + d1) mod "
                 "15), domain: d0 in [0, 14], d1 in [0, 6]");
}

TEST_F(IndexingMapInverseTest, DigitsShareResults) {
  expectInverses("(d0, d1) -> (d0 floordiv 4, d1 * 4 + d0 mod 4), "
                 "domain: d0 in [0, 9999], d1 in [0, 99]",
                 "(d0, d1) -> (d0 * 4 + d1 mod 4, d1 floordiv 4), "
                 "domain: d0 in [0, 2499], d1 in [0, 399]");
}

/// Splits \p Flat into digits for \p Shape.
std::vector<IndexExpr> delinearize(FloorBasis &Basis, IndexExpr Flat,
                                   ArrayRef<int64_t> Shape) {
  std::vector<IndexExpr> Digits;
  for (size_t I = Shape.size(); I-- > 1;) {
    Digits.insert(Digits.begin(), Basis.floorMod(Flat, Shape[I]));
    Flat = Basis.floorDiv(Flat, Shape[I]);
  }
  Digits.insert(Digits.begin(), Flat);
  return Digits;
}

IndexExpr linearize(IndexContext &Context, ArrayRef<IndexExpr> Digits,
                    ArrayRef<int64_t> Shape) {
  IndexExpr Flat = Context.constant(0);
  for (auto [Digit, Size] : zip_equal(Digits, Shape))
    Flat = Context.add(Context.scale(Flat, Size), Digit);
  return Flat;
}

/// Deals out \p Factors to \p Rank dimensions.
std::vector<int64_t> randomShape(std::mt19937_64 &Random,
                                 ArrayRef<int64_t> Factors, size_t Rank) {
  std::vector<int64_t> Shape(Rank, 1);
  for (int64_t Factor : Factors)
    Shape[Random() % Rank] *= Factor;
  return Shape;
}

TEST_F(IndexingMapInverseTest, ReshapeChains) {
  std::mt19937_64 Random(1);
  const std::vector<int64_t> Small = {2, 3, 3, 5, 7},
                             Large = {2, 3, 5, 7, 11, 13, 16};
  unsigned Unknown = 0;
  for (unsigned Round = 0; Round < 120; ++Round) {
    ArrayRef<int64_t> Factors = Round % 2 == 0 ? Small : Large;
    std::vector<int64_t> From = randomShape(Random, Factors, 1 + Random() % 5);
    IndexingMap Identity = IndexingMap::identity(Context, From);
    IndexDomain Domain = Identity.domain();
    FloorBasis Basis(Domain);
    // One reshape after the other, each with the digits of the one before.
    std::vector<IndexExpr> Digits = Identity.results();
    std::vector<int64_t> Shape = From;
    for (unsigned Step = 0; Step < 1 + Random() % 2; ++Step) {
      IndexExpr Flat = linearize(Context, Digits, Shape);
      Shape = randomShape(Random, Factors, 1 + Random() % 5);
      Digits = delinearize(Basis, Flat, Shape);
    }
    IndexingMap F = map(Identity.variables(), Digits);
    SCOPED_TRACE(toString(F));
    IndexingMap G = invert(F);
    // There and back, at any size.
    std::optional<IndexingMap> Loop = compose(F, G);
    ASSERT_TRUE(Loop);
    EXPECT_EQ(compareMaps(*Loop, Identity, 0).AreEqual, Answer::Yes);
    Answer Bijective = isBijective(F, 0);
    EXPECT_NE(Bijective, Answer::No);
    Unknown += Bijective == Answer::Unknown;
  }
  RecordProperty("Unknown", Unknown);
  EXPECT_LE(Unknown, 3u);
}

//===----------------------------------------------------------------------===//
// Other layouts
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapInverseTest, Transpose) {
  expectInverses("(d0, d1, d2) -> (d2, d0, d1), "
                 "domain: d0 in [0, 4], d1 in [0, 5], d2 in [0, 6]",
                 "(d0, d1, d2) -> (d1, d2, d0), "
                 "domain: d0 in [0, 6], d1 in [0, 4], d2 in [0, 5]");
}

TEST_F(IndexingMapInverseTest, ReversedAndShifted) {
  expectInverses("(d0, d1) -> (9 - d0, d1 + 3), "
                 "domain: d0 in [0, 9], d1 in [0, 14]",
                 "(d0, d1) -> (9 - d0, d1 - 3), "
                 "domain: d0 in [0, 9], d1 in [3, 17]");
  // The whole buffer backwards.
  expectInverse("(d0, d1) -> (-d0 * 1000 + d1), "
                "domain: d0 in [0, 1000], d1 in [-5, 994]",
                "(d0) -> (-((d0 + 5) floordiv 1000), (d0 + 5) mod 1000 - 5), "
                "domain: d0 in [-1000005, 994]");
}

TEST_F(IndexingMapInverseTest, Strided) {
  StringRef F = "(d0, d1) -> (d0 * 3 + 1, d1 * 2), "
                "domain: d0 in [0, 9], d1 in [0, 14]";
  IndexingMap G = invert(parse(F));
  // Exactly the image.
  EXPECT_TRUE(G.contains({4, 6}));
  EXPECT_FALSE(G.contains({5, 6}));
  EXPECT_FALSE(G.contains({4, 7}));
  EXPECT_EQ(invert(G), parse(F));
  EXPECT_EQ(bijective(F), Answer::No);
  // A stride of the variables.
  G = invert(parse("(d0)[s0] -> (d0 + s0), "
                   "domain: d0 in [0, 99], s0 in [0, 8], d0 mod 9 in [0, 0]"));
  EXPECT_EQ(G, parse("(d0) -> ((d0 floordiv 9) * 9, d0 mod 9), "
                     "domain: d0 in [0, 107]"));
  invert(parse("(d0, d1) -> (d0 * 1000 + d1), domain: d0 in [0, 30], "
               "d1 in [0, 1500], d1 mod 3 in [0, 0], d0 mod 3 in [1, 1]"));
}

TEST_F(IndexingMapInverseTest, Swizzles) {
  IndexingMap F = parse("(d0, d1) -> (d0, (d0 + d1) mod 8), "
                        "domain: d0 in [0, 9], d1 in [0, 7]");
  EXPECT_EQ(invert(invert(F)), F);
  EXPECT_EQ(isBijective(F, 0), Answer::Yes);
  F = parse("(d0, d1) -> (d0 * 8 + (d0 * 3 + d1) mod 8), "
            "domain: d0 in [0, 99], d1 in [0, 7]");
  EXPECT_EQ(invert(invert(F)), F);
  EXPECT_EQ(isBijective(F, 0), Answer::Yes);
  // Rows of 32, each turned by its number, in a flat buffer.
  F = parse("(d0) -> ((d0 floordiv 32) * 32 + (d0 + d0 floordiv 32) mod 32), "
            "domain: d0 in [0, 1023]");
  EXPECT_EQ(isBijective(F, 0), Answer::Yes);
  invert(F);
}

TEST_F(IndexingMapInverseTest, SumsAndDifferences) {
  IndexingMap F = parse("(d0, d1) -> (d0 + d1, d0 - d1), "
                        "domain: d0 in [0, 9], d1 in [0, 14]");
  IndexingMap G = invert(F);
  EXPECT_EQ(invert(G), F);
  EXPECT_FALSE(G.contains({3, 2}));
  F = parse("(d0, d1, d2) -> (d0 + d1, d1 + d2, d0 + d2), "
            "domain: d0 in [0, 9], d1 in [0, 8], d2 in [0, 7]");
  EXPECT_EQ(invert(invert(F)), F);
  // A digit of a sum, after elimination.
  F = parse("(d0, d1, d2) -> (d0 + d1 + 8 * d2, d0 - d1), "
            "domain: d0 in [0, 3], d1 in [0, 3], d2 in [0, 9]");
  EXPECT_EQ(invert(invert(F)), F);
  expectInverses("(d0, d1) -> (d0 + d1, d0 + d1 * 2)",
                 "(d0, d1) -> (d0 * 2 - d1, d1 - d0)");
}

TEST_F(IndexingMapInverseTest, ArithmeticModulo) {
  IndexingMap F = parse("(d0) -> ((d0 * 3) mod 8), domain: d0 in [0, 7]");
  EXPECT_EQ(invert(F), F);
  invert(parse("(d0) -> ((d0 * 6 + 1) mod 16), domain: d0 in [-3, 4]"));
  F = parse("(d0) -> (d0 mod 3, d0 mod 5), domain: d0 in [0, 14]");
  EXPECT_EQ(isBijective(F, 0), Answer::Yes);
  EXPECT_EQ(invert(invert(F)), F);
  invert(parse("(d0) -> (d0 mod 4, d0 mod 6), domain: d0 in [0, 11]"));
  invert(parse("(d0) -> (d0 mod 4, d0 mod 6, d0 mod 10), "
               "domain: d0 in [7, 66]"));
  // Where a quotient leaves only some values.
  F = parse("(d0) -> (d0 mod 12, d0 floordiv 8), domain: d0 in [0, 99]");
  EXPECT_EQ(invert(invert(F)), F);
}

TEST_F(IndexingMapInverseTest, MixedQuotients) {
  // 11*floor(d0/8) + d0 mod 8.
  IndexingMap F = parse("(d0) -> (d0 + (d0 floordiv 8) * 3), "
                        "domain: d0 in [0, 99]");
  EXPECT_EQ(invert(invert(F)), F);
  // C's quotient and remainder.
  invert(parse("(d0) -> (tdiv(d0, 7), tmod(d0, 7)), domain: d0 in [-30, 40]"));
  // Three levels, out of order, with one digit twice.
  invert(parse("(d0) -> (d0 mod 3, d0 floordiv 60, (d0 floordiv 3) mod 4, "
               "(d0 floordiv 12) mod 5, d0 mod 12), domain: d0 in [0, 239]"));
}

TEST_F(IndexingMapInverseTest, PartialMaps) {
  expectInverse("(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 99], "
                "s0 in [0, 3], d0 + s0 in [0, 99]",
                "(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 396], "
                "d0 - (d0 floordiv 4) * 3 in [0, 99]");
  expectInverse("(d0, d1)[s0] -> (d0 * 128 + d1 * 4 + s0), domain: "
                "d0 in [0, 9999], d1 in [0, 31], s0 in [0, 3], "
                "d0 * 128 + d1 * 4 + s0 in [0, 1000000]",
                "(d0) -> (d0 floordiv 128, (d0 floordiv 4) mod 32, d0 mod 4), "
                "domain: d0 in [0, 1000000]");
  // Padding: only the part inside.
  invert(parse("(d0, d1) -> (d0 - 3, d1 * 2 - 1), domain: d0 in [0, 20], "
               "d1 in [0, 9], d0 - 3 in [0, 12], d1 * 2 - 1 in [0, 15]"));
  // An equation between variables counts as knowledge.
  invert(parse("(d0, d1)[s0] -> (d0 + d1 + s0), domain: d0 in [0, 40], "
               "d1 in [0, 30], s0 in [5, 5], d1 - d0 in [0, 0]"));
}

TEST_F(IndexingMapInverseTest, DependentResults) {
  IndexingMap F = parse("(d0) -> (d0, d0 * 2 + 1, d0 floordiv 3), "
                        "domain: d0 in [0, 20]");
  IndexingMap G = invert(F);
  EXPECT_TRUE(G.contains({4, 9, 1}));
  EXPECT_FALSE(G.contains({4, 9, 2}));
  EXPECT_FALSE(G.contains({4, 8, 1}));
  EXPECT_EQ(isBijective(F, 0), Answer::No);
}

TEST_F(IndexingMapInverseTest, Unbounded) {
  expectInverses("(d0, d1) -> (d0 * 1000 + d1), domain: d1 in [-5, 994]",
                 "(d0) -> ((d0 + 5) floordiv 1000, (d0 + 5) mod 1000 - 5)");
  EXPECT_EQ(bijective("(d0) -> (d0 - 7)"), Answer::Yes);
  EXPECT_EQ(bijective("(d0) -> (d0 * 2), domain: d0 in [0, inf]"), Answer::No);
}

TEST_F(IndexingMapInverseTest, SmallestMaps) {
  expectInverse("() -> (5)", "(d0) -> (), domain: d0 in [5, 5]");
  expectInverse("() -> ()", "() -> ()");
  expectInverse("(d0) -> (), domain: d0 in [3, 3]", "() -> (3)");
  EXPECT_EQ(bijective("() -> ()"), Answer::Yes);
  // Nothing is mapped to nothing.
  IndexingMap F = parse("(d0) -> (0, d0), domain: d0 in [0, 9], "
                        "d0 * 2 in [3, 3]");
  IndexingMap G = invert(F);
  EXPECT_TRUE(G.isKnownEmpty());
  EXPECT_EQ(G.dimensions().size(), 2u);
  EXPECT_EQ(G.results().size(), 1u);
  EXPECT_EQ(injectivityOf(F).IsInjective, Answer::Yes);
  EXPECT_EQ(injectivityOf(F, 0).IsInjective, Answer::Yes);
  EXPECT_EQ(isBijective(F), Answer::Yes);
  EXPECT_EQ(isBijective(F, 0), Answer::Yes);
}

TEST_F(IndexingMapInverseTest, VariablesOfTheInverse) {
  IndexingMap::Variables Vars = variables({{0, 9}}, {{0, 3}});
  Vars.Dimensions[0].Name = "x";
  IndexingMap G = invert(map(Vars, {add(Context.scale(d(0), 4), s(0))}));
  EXPECT_EQ(G.dimensions().size(), 1u);
  EXPECT_TRUE(G.ranges().empty());
  EXPECT_TRUE(G.runtimes().empty());
  EXPECT_EQ(G.dimensions()[0].Name, "");
  EXPECT_EQ(G.results().size(), 2u);
}

TEST_F(IndexingMapInverseTest, NumbersAtTheEdgeOf64Bits) {
  invert(map(variables({{Max - 9, Max - 1}}), {add(d(0), num(-5))}));
  invert(map(variables({{Min + 1, Min + 9}}), {d(0)}));
  // These may be given up, but not be wrong.
  std::vector<IndexingMap> Maps = {
      map(variables({{Max - 9, Max - 1}}), {Context.scale(d(0), 3)}),
      map(variables({{Min + 1, Min + 9}}), {Context.negate(d(0))}),
      map(variables({{0, 3}, {0, 3}}),
          {add(Context.scale(d(0), Max / 2), d(1), Max / 3)}),
      map(variables({{Max - 9, Max - 1}}), {mod(d(0), Max / 2)}),
      map(variables({{0, Max - 1}}), {floor(d(0), 7), mod(d(0), 7)}),
      map(variables({{Min + 1, Max - 1}, {0, 6}}),
          {add(Context.scale(d(0), 7), d(1))}),
      map(variables({{Min + 1, Min + 60}}), {floor(d(0), 7), mod(d(0), 7)},
          {{mod(d(0), 3), {1, 1}}}),
  };
  for (const IndexingMap &F : Maps)
    if (std::optional<IndexingMap> G = inverseOf(F))
      F.forEachPoint(64, [&](ArrayRef<int64_t> P) {
        if (std::optional<Point> Y = F.evaluate(P)) {
          EXPECT_TRUE(G->contains(*Y)) << toString(F) << toString(*G);
          EXPECT_EQ(G->evaluate(*Y), Point(P));
        }
        return true;
      });
}

//===----------------------------------------------------------------------===//
// No inverse
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapInverseTest, WhyNot) {
  EXPECT_EQ(whyNot("(d0) -> (d0 floordiv 2), domain: d0 in [0, 99]"),
            "not injective: points (0) and (1) have the same results");
  EXPECT_EQ(whyNot("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], "
                   "rt0 in [0, 9]"),
            "the map has runtime variables");
  EXPECT_EQ(whyNot("(d0, d1)[s0] -> (d0, s0 * s0), domain: d0 in [0, 9], "
                   "d1 in [2, 2], s0 in [0, 999999]"),
            "result 1 does not determine s0: cannot take s0 * s0 apart");
  EXPECT_EQ(inverseOf(parse("(d0) -> (d0 mod 3), domain: d0 in [0, 9]")),
            std::nullopt);
}

TEST_F(IndexingMapInverseTest, NotInjective) {
  for (StringRef Text :
       {"(d0) -> (d0 floordiv 2), domain: d0 in [0, 99999]",
        "(d0) -> (d0 mod 1000), domain: d0 in [0, 99999]",
        "(d0, d1) -> (d0 + d1), domain: d0 in [0, 99999], d1 in [0, 3]",
        "(d0, d1) -> (d0 * 2 + d1 * 3), domain: d0 in [0, 999], d1 in [0, 999]",
        "(d0, d1) -> (d0 * 1000 + d1), domain: d0 in [0, 999], d1 in [0, 1500]",
        "(d0, d1) -> (d0), domain: d0 in [0, 99999], d1 in [0, 1]",
        "(d0, d1) -> (max(d0, d1), min(d0, d1)), "
        "domain: d0 in [0, 999], d1 in [0, 999]",
        "(d0) -> (d0 * d0), domain: d0 in [-3, 99999]",
        "(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 9999], s0 in [0, 8], "
        "s0 mod 4 in [0, 0]",
        "(d0)[s0]{rt0} -> (d0 * rt0 + s0), "
        "domain: d0 in [0, 999], s0 in [0, 999], rt0 in [1, 100]",
        "(d0, d1) -> (d0 + d1)",
        "(d0, d1) -> (d0 + d1), domain: d0 in [0, 999], d1 in [0, 999], "
        "d0 - d1 in [-1, 1]"}) {
    EXPECT_EQ(injective(Text), Answer::No) << Text.str();
    EXPECT_EQ(bijective(Text), Answer::No) << Text.str();
    EXPECT_NE(whyNot(Text), "");
  }
}

//===----------------------------------------------------------------------===//
// Runtime variables
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapInverseTest, RuntimeVariablesAreParameters) {
  EXPECT_EQ(injective("(d0){rt0} -> (d0 + rt0), "
                      "domain: d0 in [0, 9999], rt0 in [0, 9999]"),
            Answer::Yes);
  EXPECT_EQ(injective("(d0){rt0} -> (d0 + rt0 * 100), domain: d0 in [0, 9999]"),
            Answer::Yes);
  // y*W + x with x < W.
  StringRef Flat = "(d0, d1){rt0} -> (d0 * rt0 + d1), domain: d0 in [0, 999], "
                   "d1 in [0, inf], rt0 in [0, inf], d1 < rt0";
  EXPECT_EQ(injective(Flat), Answer::Yes);
  EXPECT_EQ(injective("(d0){rt0} -> (d0 floordiv rt0, d0 mod rt0), "
                      "domain: d0 in [0, 9999], rt0 in [1, 100]"),
            Answer::Yes);
  // Different for each value: 0 to 9, 1 to 10 ...
  EXPECT_EQ(bijective("(d0){rt0} -> (d0 + rt0), "
                      "domain: d0 in [0, 9999], rt0 in [0, 9999]"),
            Answer::No);
  EXPECT_EQ(bijective("(d0){rt0} -> (d0), "
                      "domain: d0 in [0, 9999], rt0 in [0, 9999]"),
            Answer::Yes);
}

TEST_F(IndexingMapInverseTest, AFactorThatMayBeZero) {
  // With rt0 = 0 all results are 0.
  for (StringRef Text :
       {"(d0){rt0} -> (d0 * rt0), domain: d0 in [0, 999], rt0 in [0, 999]",
        "(d0){rt0} -> (d0 * rt0), domain: d0 in [0, 9], rt0 in [0, 3]",
        "(d0, d1){rt0} -> (d0 * rt0 + d1), "
        "domain: d0 in [0, 999], d1 in [0, 0], rt0 in [-5, 999]"})
    EXPECT_NE(injective(Text), Answer::Yes) << Text.str();
  EXPECT_EQ(injective("(d0){rt0} -> (d0 * rt0), "
                      "domain: d0 in [0, 999], rt0 in [1, 999]"),
            Answer::Yes);
}

} // namespace
