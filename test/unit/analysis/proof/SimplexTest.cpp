//===- SimplexTest.cpp - Solutions and conflicts --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever it answers is looked at: the bounds of a conflict add up to less
// than nothing, and a system with a conflict has no solution among the points
// that are tried.
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/Simplex.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace llvm;
using namespace unravel;

namespace {

constexpr int64_t Plenty = 1'000'000;

/// Bounds of sums, with what they say: sum of Factors[i] * v(i) >= Value.
struct Inequality {
  std::vector<int64_t> Factors;
  int64_t Value;
};

/// A linear program that remembers its inequalities.
class Program {
public:
  explicit Program(unsigned Variables) {
    for (unsigned V = 0; V < Variables; ++V)
      Numbers.push_back(S.addVariable());
  }
  unsigned sum(const std::vector<int64_t> &Factors) {
    SmallVector<std::pair<unsigned, DynamicAPInt>, 4> Parts;
    for (unsigned V = 0; V < Factors.size(); ++V)
      if (Factors[V] != 0)
        Parts.emplace_back(Numbers[V], DynamicAPInt(Factors[V]));
    return S.addSum(Parts);
  }
  void below(unsigned Variable, std::vector<int64_t> Factors, int64_t Value) {
    S.boundBelow(Variable, DynamicAPInt(Value), All.size());
    All.push_back({std::move(Factors), Value});
  }
  void above(unsigned Variable, std::vector<int64_t> Factors, int64_t Value) {
    S.boundAbove(Variable, DynamicAPInt(Value), All.size());
    for (int64_t &Factor : Factors)
      Factor = -Factor;
    All.push_back({std::move(Factors), -Value});
  }
  Simplex::Outcome check() {
    int64_t Work = Plenty;
    return S.check(Work);
  }
  /// Whether the conflict is one: the sums add up to 0, which is above it.
  bool isConflict() const {
    std::vector<DynamicAPInt> Sum(Numbers.size(), DynamicAPInt(0));
    DynamicAPInt Value(0);
    for (const auto &[Reason, Times] : S.conflict()) {
      if (Reason >= All.size() || Times <= 0)
        return false;
      for (unsigned V = 0; V < Sum.size(); ++V)
        Sum[V] += Times * DynamicAPInt(All[Reason].Factors[V]);
      Value += Times * DynamicAPInt(All[Reason].Value);
    }
    return Value > 0 &&
           all_of(Sum, [](const DynamicAPInt &F) { return F == 0; });
  }
  bool isSolution(ArrayRef<int64_t> Values) const {
    return all_of(All, [&](const Inequality &I) {
      int64_t Sum = 0;
      for (unsigned V = 0; V < Values.size(); ++V)
        Sum += I.Factors[V] * Values[V];
      return Sum >= I.Value;
    });
  }

  Simplex S;
  std::vector<unsigned> Numbers;
  std::vector<Inequality> All;
};

TEST(Simplex, ASolutionIsWithinTheBounds) {
  Program P(2);
  unsigned Sum = P.sum({1, 1}), Difference = P.sum({1, -1});
  P.below(Sum, {1, 1}, 10);
  P.above(Sum, {1, 1}, 10);
  P.below(Difference, {1, -1}, 4);
  EXPECT_EQ(P.check(), Simplex::Outcome::Feasible);
  DynamicAPInt X = P.S.floorOf(P.Numbers[0]), Y = P.S.floorOf(P.Numbers[1]);
  EXPECT_EQ(X + Y, 10);
  EXPECT_GE(X - Y, 4);
  EXPECT_EQ(P.S.floorOf(Sum), 10);
}

TEST(Simplex, ASolutionIsWithinTheBoundsNegative) {
  Program P(2);
  unsigned Sum = P.sum({1, 1});
  P.below(P.Numbers[0], {1, 0}, 6);
  P.below(P.Numbers[1], {0, 1}, 5);
  P.above(Sum, {1, 1}, 10);
  EXPECT_EQ(P.check(), Simplex::Outcome::Infeasible);
  EXPECT_TRUE(P.isConflict());
}

TEST(Simplex, BoundsOfOneVariableContradict) {
  Program P(1);
  P.below(P.Numbers[0], {1}, 3);
  P.above(P.Numbers[0], {1}, 2);
  EXPECT_EQ(P.check(), Simplex::Outcome::Infeasible);
  EXPECT_TRUE(P.isConflict());
}

TEST(Simplex, BoundsOfOneVariableContradictNegative) {
  Program P(1);
  P.below(P.Numbers[0], {1}, 3);
  P.above(P.Numbers[0], {1}, 3);
  EXPECT_EQ(P.check(), Simplex::Outcome::Feasible);
  EXPECT_EQ(P.S.floorOf(P.Numbers[0]), 3);
}

TEST(Simplex, TheTighterBoundStays) {
  Program P(1);
  P.below(P.Numbers[0], {1}, 3);
  P.below(P.Numbers[0], {1}, 1);
  P.above(P.Numbers[0], {1}, 5);
  P.above(P.Numbers[0], {1}, 9);
  EXPECT_EQ(P.S.widthOf(P.Numbers[0]), DynamicAPInt(2));
  EXPECT_EQ(P.check(), Simplex::Outcome::Feasible);
  P.below(P.Numbers[0], {1}, 5);
  EXPECT_EQ(P.check(), Simplex::Outcome::Feasible);
  P.below(P.Numbers[0], {1}, 6);
  EXPECT_EQ(P.check(), Simplex::Outcome::Infeasible);
  std::vector<unsigned> Reasons;
  for (const auto &[Reason, Factor] : P.S.conflict())
    Reasons.push_back(Reason);
  llvm::sort(Reasons);
  EXPECT_EQ(Reasons, (std::vector<unsigned>{2, 5}));
}

/// 2^100 * x + y with x in 1..2^100, where 128 bits are too few.
TEST(Simplex, NumbersHaveNoLimit) {
  DynamicAPInt Large(APInt::getOneBitSet(256, 100));
  for (bool IsFeasible : {true, false}) {
    Simplex S;
    unsigned X = S.addVariable(), Y = S.addVariable();
    S.boundBelow(X, DynamicAPInt(1), 0);
    S.boundAbove(X, Large, 1);
    S.boundBelow(Y, DynamicAPInt(0), 2);
    S.boundAbove(Y, Large, 3);
    unsigned Sum = S.addSum({{X, Large}, {Y, DynamicAPInt(1)}});
    S.boundBelow(Sum, Large * Large + Large + (IsFeasible ? 0 : 1), 4);
    int64_t Work = Plenty;
    EXPECT_EQ(S.check(Work), IsFeasible ? Simplex::Outcome::Feasible
                                        : Simplex::Outcome::Infeasible);
    if (IsFeasible) {
      EXPECT_EQ(S.floorOf(X), Large);
      EXPECT_EQ(S.widthOf(Y), Large);
      continue;
    }
    // Of 2^100 * x + y > 2^200 + 2^100, x <= 2^100 and y <= 2^100.
    std::map<unsigned, DynamicAPInt> Conflict(S.conflict().begin(),
                                              S.conflict().end());
    EXPECT_EQ(Conflict.size(), 3u);
    EXPECT_EQ(Conflict[1], Conflict[4] * Large);
    EXPECT_EQ(Conflict[3], Conflict[4]);
  }
}

TEST(Simplex, FractionsAreRoundedDown) {
  Program P(1);
  unsigned Twice = P.sum({2});
  P.below(Twice, {2}, -3);
  P.above(Twice, {2}, -3);
  EXPECT_EQ(P.check(), Simplex::Outcome::Feasible);
  EXPECT_EQ(P.S.floorOfFraction(P.Numbers[0]), DynamicAPInt(-2));
  EXPECT_EQ(P.S.floorOf(P.Numbers[0]), -2);
}

TEST(Simplex, FractionsAreRoundedDownNegative) {
  Program P(1);
  unsigned Twice = P.sum({2});
  P.below(Twice, {2}, -4);
  P.above(Twice, {2}, -4);
  EXPECT_EQ(P.check(), Simplex::Outcome::Feasible);
  EXPECT_EQ(P.S.floorOfFraction(P.Numbers[0]), std::nullopt);
  EXPECT_EQ(P.S.floorOf(P.Numbers[0]), -2);
}

TEST(Simplex, WorkIsLimited) {
  Program P(3);
  unsigned Sum = P.sum({1, 1, 1});
  P.below(Sum, {1, 1, 1}, 3);
  int64_t Work = 0;
  EXPECT_EQ(P.S.check(Work), Simplex::Outcome::TooLong);
  Work = Plenty;
  EXPECT_EQ(P.S.check(Work), Simplex::Outcome::Feasible);
  EXPECT_LT(Work, Plenty);
}

TEST(Simplex, RandomSystems) {
  std::mt19937 Random(3);
  unsigned Feasible = 0, Infeasible = 0;
  for (unsigned Round = 0; Round < 3000; ++Round) {
    unsigned Variables = 2 + Random() % 3;
    Program P(Variables);
    std::vector<std::vector<int64_t>> Factors;
    std::vector<unsigned> Sums;
    for (unsigned I = 0; I < 5; ++I) {
      std::vector<int64_t> Row;
      for (unsigned V = 0; V < Variables; ++V)
        Row.push_back(int64_t(Random() % 7) - 3);
      Factors.push_back(Row);
      Sums.push_back(P.sum(Row));
    }
    // Bounds come one after the other, with an answer in between, as the
    // search asks.
    bool HasConflict = false;
    for (unsigned Step = 0; Step < 8 && !HasConflict; ++Step) {
      unsigned I = Random() % Sums.size();
      int64_t Value = int64_t(Random() % 13) - 6;
      if (Random() % 2)
        P.below(Sums[I], Factors[I], Value);
      else
        P.above(Sums[I], Factors[I], Value);
      Simplex::Outcome Outcome = P.check();
      ASSERT_NE(Outcome, Simplex::Outcome::TooLong);
      HasConflict = Outcome == Simplex::Outcome::Infeasible;
      if (HasConflict) {
        EXPECT_TRUE(P.isConflict()) << "round " << Round;
        continue;
      }
      // Where all are integers, they are a solution.
      std::vector<int64_t> Values;
      bool AreIntegers = true;
      for (unsigned V : P.Numbers) {
        AreIntegers &= !P.S.floorOfFraction(V);
        Values.push_back(int64_t(P.S.floorOf(V)));
      }
      EXPECT_TRUE(!AreIntegers || P.isSolution(Values)) << "round " << Round;
    }
    ++(HasConflict ? Infeasible : Feasible);
  }
  // Both happen.
  EXPECT_GT(Feasible, 300u);
  EXPECT_GT(Infeasible, 300u);
}

} // namespace
