//===- MapCongruenceTest.cpp - Constraints that are congruences -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/MapCongruence.h"
#include "test/unit/IndexingMapTestHelper.h"
#include <numeric>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class MapCongruenceTest : public IndexingMapFixture {
protected:
  std::optional<VariableCongruence> congruence(IndexExpr E, Interval Range) {
    return asVariableCongruence(Context, {E, Range});
  }
  /// Whether the constraint holds for x = \p X.
  bool holds(IndexExpr E, const Interval &Range, int64_t X) {
    std::optional<int64_t> Value =
        evaluate(E, [&](const IndexAtom *) { return X; });
    return Range.contains(*Value);
  }
  /// What is found must say the same as the constraint, for all x nearby.
  void checkEquivalence(const VariableCongruence &Found, IndexExpr E,
                        const Interval &Range) {
    EXPECT_EQ(Found.Variable, X.asAtom());
    for (int64_t V = -20; V <= 20; ++V)
      EXPECT_EQ(Found.Lattice && Found.Lattice->contains(V), holds(E, Range, V))
          << toString(Context, E) << " in " << Range.str() << " at " << V;
  }

  IndexExpr X = s(0);
  IndexDomain Anywhere{Context};
  FloorBasis Basis{Anywhere};
};

/// Every remainder of every c*x + k, simplified or not, scaled and shifted.
TEST_F(MapCongruenceTest, AllRemainders) {
  unsigned Contradictions = 0;
  for (int64_t C : {-7, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 9})
    for (int64_t K = -4; K <= 4; ++K)
      for (int64_t M = 2; M <= 8; ++M)
        for (int64_t Scale : {-3, -1, 1, 2}) {
          IndexExpr Dividend = Context.add(Context.scale(X, C), K);
          IndexExpr Forms[] = {Basis.floorMod(Dividend, M), mod(Dividend, M)};
          for (IndexExpr Remainder : Forms) {
            if (Remainder.isConstant())
              continue; // m divides c
            IndexExpr E = add(num(K), Remainder, Scale);
            for (int64_t R = K - 3 * M - 1; R <= K + 3 * M + 1; ++R) {
              auto Found = congruence(E, Interval::point(R));
              ASSERT_TRUE(Found) << toString(Context, E) << " is " << R;
              checkEquivalence(*Found, E, Interval::point(R));
              Contradictions += !Found->Lattice;
            }
          }
        }
  EXPECT_GT(Contradictions, 1000u);
}

/// A range is a congruence if it leaves one remainder.
TEST_F(MapCongruenceTest, AllRanges) {
  unsigned Recognized = 0;
  for (int64_t C : {-2, 1, 3, 4})
    for (int64_t M = 2; M <= 6; ++M)
      for (int64_t Scale : {-2, 1, 3}) {
        IndexExpr Remainder = Basis.floorMod(Context.scale(X, C), M);
        if (Remainder.isConstant())
          continue;
        IndexExpr E = add(num(1), Remainder, Scale);
        std::vector<Interval> All = {Interval()};
        for (int64_t Lo = -14; Lo <= 20; ++Lo) {
          All.push_back(Interval::atLeast(Lo));
          All.push_back(Interval::atMost(Lo));
          for (int64_t Hi = Lo - 1; Hi <= 20; ++Hi)
            All.push_back({Lo, Hi});
        }
        int64_t Remainders = M / std::gcd(C, M);
        for (const Interval &Range : All) {
          std::vector<bool> Seen(Remainders);
          for (int64_t V = 0; V < Remainders; ++V)
            Seen[V] = holds(E, Range, V);
          auto Found = congruence(E, Range);
          EXPECT_EQ(bool(Found), std::count(Seen.begin(), Seen.end(), true) < 2)
              << toString(Context, E) << " in " << Range.str();
          if (Found)
            checkEquivalence(*Found, E, Range);
          Recognized += bool(Found);
        }
      }
  EXPECT_GT(Recognized, 1000u);
}

/// C's remainder is 0 on a lattice; other values are a matter of the sign, too.
TEST_F(MapCongruenceTest, TruncatingRemainders) {
  for (int64_t C : {-2, 1, 3, 4})
    for (int64_t K : {-1, 0, 2})
      for (int64_t M = 2; M <= 6; ++M) {
        IndexExpr Dividend = Context.add(Context.scale(X, C), K);
        IndexExpr E =
            add(Dividend,
                Context.rawAtom(IndexAtom::Kind::TruncDiv, Dividend, M), -M);
        for (int64_t R = -M - 1; R <= M + 1; ++R) {
          bool IsRemainder = false;
          for (int64_t V = -20; V <= 20; ++V)
            IsRemainder |= holds(E, Interval::point(R), V);
          auto Found = congruence(E, Interval::point(R));
          EXPECT_EQ(bool(Found), R == 0 || !IsRemainder)
              << toString(Context, E) << " is " << R;
          if (Found)
            checkEquivalence(*Found, E, Interval::point(R));
        }
      }
}

TEST_F(MapCongruenceTest, OtherConstraints_negative) {
  IndexExpr Y = s(1);
  Interval Zero = Interval::point(0);
  EXPECT_FALSE(congruence(X, Zero));
  EXPECT_FALSE(congruence(num(0), Zero));
  EXPECT_FALSE(congruence(floor(X, 4), Zero));
  EXPECT_FALSE(congruence(add(X, floor(X, 4), -3), Zero));
  EXPECT_FALSE(congruence(mod(add(X, Y), 4), Zero));
  EXPECT_FALSE(congruence(add(X, floor(Y, 4), -4), Zero));
  EXPECT_FALSE(congruence(add(mod(X, 4), Y), Zero));
  EXPECT_FALSE(congruence(add(mod(X, 4), mod(X, 3)), Zero));
  // (x floordiv 4) mod 2 says something about x, but no congruence.
  EXPECT_FALSE(congruence(add(floor(X, 4), floor(X, 8), -2), Zero));
  EXPECT_FALSE(congruence(
      mod(Context.rawAtom(IndexAtom::Kind::NegativePart, X), 4), Zero));
  EXPECT_FALSE(congruence(mod(Context.multiply(X, Y), 4), Zero));
  EXPECT_FALSE(congruence(mod(X, 4), Interval(0, 1)));
}

TEST_F(MapCongruenceTest, LargeNumbers) {
  // Modulo 2^62: 3 * 6148914691236517205 = 2^64 - 1 = -1.
  int64_t M = int64_t(1) << 62;
  auto Found = congruence(mod(Context.scale(X, 3), M), Interval::point(M - 1));
  if (Found) { // giving up is fine, a wrong answer is not
    EXPECT_EQ(Found->Lattice, Congruence::of(M, 6148914691236517205 % M));
  }
  Found = congruence(mod(X, Max), Interval::point(Max - 1));
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Lattice, Congruence::of(Max, -1));
  // The ends leave 64 bits once the constant is on their side.
  IndexExpr E = Context.add(mod(X, 4), -5);
  EXPECT_FALSE(congruence(E, Interval(Min + 1, Max - 3)));
  EXPECT_FALSE(congruence(Context.add(mod(X, 4), 5), Interval(Min + 2, -1)));
  // No remainder is -2^63 + 1.
  Found = congruence(mod(X, 4), Interval::point(Min + 1));
  ASSERT_TRUE(Found);
  EXPECT_FALSE(Found->Lattice);
  Found = congruence(Context.negate(mod(X, 4)), Interval::point(-Max));
  ASSERT_TRUE(Found);
  EXPECT_FALSE(Found->Lattice);
}

//===----------------------------------------------------------------------===//
// Several of them
//===----------------------------------------------------------------------===//

TEST_F(MapCongruenceTest, AllCongruencesOfAVariable) {
  IndexExpr Y = d(0);
  MapCongruences All =
      congruencesOf(Context, {{mod(X, 6), Interval::point(3)},
                              {add(X, Y), Interval(0, 9)},
                              {mod(Y, 2), Interval::point(1)},
                              {mod(X, 7), Interval::point(5)}});
  EXPECT_FALSE(All.Contradictory);
  EXPECT_EQ(All.Lattices.lookup(X.asAtom()), Congruence::of(42, 33));
  EXPECT_EQ(All.Lattices.lookup(Y.asAtom()), Congruence::of(2, 1));
  EXPECT_EQ(All.Lattices.size(), 2u);
  std::vector<const IndexAtom *> Sources = {X.asAtom(), nullptr, Y.asAtom(),
                                            X.asAtom()};
  EXPECT_EQ(All.Sources, Sources);
}

TEST_F(MapCongruenceTest, Contradictions) {
  EXPECT_TRUE(congruencesOf(Context, {{mod(X, 4), Interval::point(1)},
                                      {mod(X, 6), Interval::point(2)}})
                  .Contradictory);
  EXPECT_TRUE(
      congruencesOf(Context, {{mod(X, 4), Interval::point(4)}}).Contradictory);
  EXPECT_FALSE(congruencesOf(Context, {{mod(X, 4), Interval::point(1)},
                                       {mod(X, 6), Interval::point(3)}})
                   .Contradictory);
  EXPECT_FALSE(congruencesOf(Context, {}).Contradictory);
}

/// Two lattices that have no common one in 64 bits: one of them stays a
/// constraint.
TEST_F(MapCongruenceTest, LatticesThatAreTooLargeTogether) {
  int64_t M = (int64_t(1) << 40) - 1, N = int64_t(1) << 40;
  MapCongruences All =
      congruencesOf(Context, {{mod(X, M), Interval::point(5)},
                              {mod(X, N), Interval::point(7)}});
  EXPECT_FALSE(All.Contradictory);
  EXPECT_EQ(All.Lattices.lookup(X.asAtom()), Congruence::of(M, 5));
  std::vector<const IndexAtom *> Sources = {X.asAtom(), nullptr};
  EXPECT_EQ(All.Sources, Sources);
}

} // namespace
