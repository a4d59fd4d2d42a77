//===- IntervalTest.cpp - Ranges and congruences, exhaustively ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation is compared with the set of results it stands for, on all
// intervals with ends in [-6, 6] or infinite, all congruences with a modulus up
// to 12, and at the ends of 64 bits.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/Interval.h"
#include "test/unit/AlgebraTestHelper.h"
#include "gtest/gtest.h"
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

using namespace unravel;
using namespace unravel::test;

namespace {

//===----------------------------------------------------------------------===//
// The sets
//===----------------------------------------------------------------------===//

/// All intervals with ends in [-6, 6], with infinite ends, and the empty one.
std::vector<Interval> smallIntervals() {
  std::vector<Interval> All = {Interval(), Interval::empty()};
  for (int64_t Lo = -6; Lo <= 6; ++Lo) {
    All.push_back(Interval::atLeast(Lo));
    All.push_back(Interval::atMost(Lo));
    for (int64_t Hi = Lo; Hi <= 6; ++Hi)
      All.push_back({Lo, Hi});
  }
  return All;
}

/// The smallest interval around a set of integers, in which numbers beyond
/// \p Near stand for infinity.
class Hull {
public:
  explicit Hull(int64_t Near) : Near(Near) {}
  void add(int64_t V) {
    All = All.unite({V < -Near ? Min : V, V > Near ? Max : V});
  }
  Interval get() const { return All; }

private:
  int64_t Near;
  Interval All = Interval::empty();
};

/// All empty intervals are the same set.
Interval normal(const Interval &I) {
  return I.isEmpty() ? Interval::empty() : I;
}

/// The members of \p I between -Far and Far.
std::vector<int64_t> members(const Interval &I, int64_t Far) {
  std::vector<int64_t> Values;
  for (int64_t V = -Far; V <= Far; ++V)
    if (I.contains(V))
      Values.push_back(V);
  return Values;
}

void expectExact(const std::function<Interval(const Interval &)> &Operation,
                 const std::function<int64_t(int64_t)> &OnValues,
                 const std::string &What) {
  for (const Interval &I : smallIntervals()) {
    Hull Exact(/*Near=*/60);
    for (int64_t V : members(I, /*Far=*/900))
      Exact.add(OnValues(V));
    EXPECT_EQ(normal(Operation(I)), Exact.get()) << What << " of " << I.str();
  }
}

//===----------------------------------------------------------------------===//
// Interval
//===----------------------------------------------------------------------===//

TEST(IntervalTest, FloorDivisionOfIntegers) {
  for (int64_t A = -20; A <= 20; ++A)
    for (int64_t D = 1; D <= 9; ++D) {
      int64_t Q = floorDiv(A, D), R = floorMod(A, D);
      EXPECT_EQ(Q * D + R, A);
      EXPECT_TRUE(0 <= R && R < D) << A << " mod " << D;
    }
  EXPECT_EQ(floorDiv(Min, 1), Min);
  EXPECT_EQ(floorDiv(Min, Max), -2);
  EXPECT_EQ(floorMod(Min, Max), Max - 1);
}

TEST(IntervalTest, Predicates) {
  for (const Interval &I : smallIntervals()) {
    std::vector<int64_t> Values = members(I, 9);
    EXPECT_EQ(I.isEmpty(), Values.empty());
    EXPECT_EQ(I.isPoint(), Values.size() == 1) << I.str();
    EXPECT_EQ(I.isBoundedBelow(), !I.contains(-9)) << I.str();
    EXPECT_EQ(I.isBoundedAbove(), !I.contains(9)) << I.str();
    EXPECT_EQ(I.size().has_value(), I.isBounded()) << I.str();
    EXPECT_EQ(I.size().value_or(0), I.isBounded() ? Values.size() : 0)
        << I.str();
    EXPECT_TRUE(I.isEmpty() || I.isNonNegative() == (Values.front() >= 0))
        << I.str();
  }
  EXPECT_EQ(Interval(Min + 1, Max - 1).size(), UINT64_MAX - 1);
  EXPECT_EQ(Interval(Min, Max), Interval());
}

TEST(IntervalTest, SumDifferenceUnionIntersection) {
  constexpr int64_t Far = 20; // stands for infinity
  for (const Interval &A : smallIntervals())
    for (const Interval &B : smallIntervals()) {
      Hull Sum(12), Difference(12), Either(6), Both(6);
      bool IsSubset = true;
      for (int64_t X : members(A, Far)) {
        for (int64_t Y : members(B, Far)) {
          Sum.add(X + Y);
          Difference.add(X - Y);
        }
        Either.add(X);
        IsSubset &= B.contains(X);
        if (B.contains(X))
          Both.add(X);
      }
      for (int64_t Y : members(B, Far))
        Either.add(Y);
      auto Expect = [&](const Interval &Result, const Hull &Exact, char Op) {
        EXPECT_EQ(normal(Result), Exact.get()) << A.str() << Op << B.str();
      };
      Expect(A + B, Sum, '+');
      Expect(A - B, Difference, '-');
      Expect(A.unite(B), Either, '|');
      Expect(A.intersect(B), Both, '&');
      EXPECT_EQ(B.contains(A), IsSubset) << A.str() << " in " << B.str();
      EXPECT_EQ(A != B, !(A == B));
    }
}

TEST(IntervalTest, UnaryOperations) {
  for (int64_t Factor = -9; Factor <= 9; ++Factor)
    expectExact([=](const Interval &I) { return I * Factor; },
                [=](int64_t V) { return V * Factor; },
                "times " + std::to_string(Factor));
  for (int64_t D = 1; D <= 14; ++D) {
    expectExact([=](const Interval &I) { return I.floorDivBy(D); },
                [=](int64_t V) { return (V - floorMod(V, D)) / D; },
                "floor by " + std::to_string(D));
    expectExact([=](const Interval &I) { return I.truncDivBy(D); },
                [=](int64_t V) { return V / D; },
                "quotient by " + std::to_string(D));
  }
  expectExact([](const Interval &I) { return -I; },
              [](int64_t V) { return -V; }, "negation");
  expectExact([](const Interval &I) { return I.negativePart(); },
              [](int64_t V) { return std::min<int64_t>(V, 0); },
              "negative part");
}

/// Near the ends of 64 bits nothing may wrap: a result contains the exact value
/// of every pair of members, and is exact where that is representable.
TEST(IntervalTest, SaturationIsSound) {
  const int64_t Ends[] = {Min, Min + 1, Min + 2, Min / 2, -3,      -1, 0,
                          1,   2,       Max / 2, Max - 2, Max - 1, Max};
  using Wide = __int128;
  auto Holds = [](const Interval &R, Wide V) {
    return (!R.isBoundedBelow() || R.lo() <= V) &&
           (!R.isBoundedAbove() || V <= R.hi());
  };
  std::vector<Interval> All;
  for (int64_t Lo : Ends)
    for (int64_t Hi : Ends)
      if (Lo <= Hi)
        All.push_back({Lo, Hi});
  for (const Interval &A : All)
    for (int64_t X : Ends) {
      if (!A.contains(X))
        continue;
      for (const Interval &B : All)
        for (int64_t Y : Ends)
          if (B.contains(Y)) {
            EXPECT_TRUE(Holds(A + B, Wide(X) + Y)) << A.str() << '+' << B.str();
            EXPECT_TRUE(Holds(A - B, Wide(X) - Y)) << A.str() << '-' << B.str();
          }
      for (int64_t Factor : Ends)
        EXPECT_TRUE(Holds(A * Factor, Wide(X) * Factor))
            << A.str() << '*' << Factor;
      for (int64_t D : {int64_t(1), int64_t(2), Max}) {
        EXPECT_TRUE(Holds(A.floorDivBy(D), floorDiv(X, D))) << A.str() << D;
        EXPECT_TRUE(Holds(A.truncDivBy(D), X / D)) << A.str() << D;
      }
      EXPECT_TRUE(Holds(-A, -Wide(X))) << A.str();
      EXPECT_TRUE(Holds(A.negativePart(), std::min<int64_t>(X, 0))) << A.str();
      for (int64_t Modulus : {int64_t(2), int64_t(8), Max - 1, Max}) {
        Congruence C = Congruence::of(Modulus, X);
        EXPECT_TRUE(Holds(tighten(A, C), X)) << A.str() << " mod " << Modulus;
      }
    }
  EXPECT_EQ(Interval(1, Max - 2) + Interval::point(1), Interval(2, Max - 1));
  EXPECT_EQ(Interval(1, Max - 1) + Interval::point(1), Interval::atLeast(2));
  EXPECT_EQ(Interval(Min + 1, 0) - Interval::point(1), Interval::atMost(-1));
  EXPECT_EQ(Interval(1, Max / 2) * 2, Interval(2, Max - 1));
  EXPECT_EQ(Interval(1, Max / 2 + 1) * 2, Interval::atLeast(2));
  EXPECT_EQ(Interval(1, Max / 2 + 2) * -2, Interval::atMost(-2));
  // The next multiple of 8 is out of reach.
  EXPECT_EQ(tighten(Interval::atLeast(Max - 1), Congruence::of(8, 0)),
            Interval::atLeast(Max - 1));
  EXPECT_EQ(tighten(Interval::atMost(Min + 1), Congruence::of(8, 7)),
            Interval::atMost(Min + 1));
}

TEST(IntervalTest, Text) {
  EXPECT_EQ(Interval(-3, 74).str(), "[-3, 74]");
  EXPECT_EQ(Interval().str(), "[-inf, inf]");
  EXPECT_EQ(Interval::atLeast(Min + 1).str(), "[-9223372036854775807, inf]");
}

//===----------------------------------------------------------------------===//
// Interval by Interval
//===----------------------------------------------------------------------===//

using Binary = std::function<Interval(const Interval &, const Interval &)>;

/// Compares with the results for all pairs of members; \p OnValues has no value
/// where it is not defined.
void expectExact(
    const Binary &Operation,
    const std::function<std::optional<int64_t>(int64_t, int64_t)> &OnValues,
    const std::string &What) {
  // Members beyond 40 do what 40 does, or tell infinity.
  const std::vector<Interval> All = smallIntervals();
  std::vector<std::vector<int64_t>> Members;
  for (const Interval &I : All)
    Members.push_back(members(I, /*Far=*/40));
  for (size_t A = 0; A < All.size(); ++A)
    for (size_t B = 0; B < All.size(); ++B) {
      // 6 * 6 is reached by finite ends, 7 * 40 only by infinite ones.
      Hull Exact(/*Near=*/36);
      for (int64_t X : Members[A])
        for (int64_t Y : Members[B])
          if (std::optional<int64_t> V = OnValues(X, Y))
            Exact.add(*V);
      ASSERT_EQ(normal(Operation(All[A], All[B])), Exact.get())
          << All[A].str() << " " << What << " " << All[B].str();
    }
}

TEST(IntervalTest, ProductsOfIntervalsAreExact) {
  expectExact([](auto &A, auto &B) { return A * B; },
              [](int64_t X, int64_t Y) { return std::optional(X * Y); }, "*");
}

TEST(IntervalTest, QuotientsOfIntervalsAreSound) {
  // Infinity over infinity is compared by hand below; here the dividend or
  // the divisor is bounded, and 40 is far enough.
  auto Floor = [](int64_t X, int64_t D) {
    return D > 0 ? floorDiv(X, D) : floorDiv(-X, -D);
  };
  auto Trunc = [](int64_t X, int64_t D) { return X / D; };
  for (const Interval &A : smallIntervals())
    for (const Interval &B : smallIntervals()) {
      Interval F = A.floorDivBy(B), T = A.truncDivBy(B);
      Interval ExactF = Interval::empty(), ExactT = Interval::empty();
      auto Add = [](Interval &To, int64_t V) {
        To = To.unite({V < -30 ? Min : V, V > 30 ? Max : V});
      };
      for (int64_t X : members(A, 300))
        for (int64_t D : members(B, 400))
          if (D != 0) {
            Add(ExactF, Floor(X, D));
            Add(ExactT, Trunc(X, D));
          }
      std::string What = A.str() + " / " + B.str();
      ASSERT_EQ(normal(F), ExactF) << "floor of " << What;
      ASSERT_EQ(normal(T), ExactT) << "trunc of " << What;
    }
}

/// The largest finite numbers are numbers, too, not infinities that nothing
/// changes.
TEST(IntervalTest, QuotientsOfExtremes) {
  for (int64_t D : {1, 2, 3, 7})
    for (Interval Divisor : {Interval::point(D), Interval(D, D + 1)}) {
      Interval High = Interval::point(Max), Low = Interval::point(Min + 1);
      EXPECT_TRUE(High.floorDivBy(Divisor).contains(Max / D));
      EXPECT_TRUE(High.truncDivBy(Divisor).contains(Max / D));
      EXPECT_TRUE(
          High.floorDivBy(-Divisor).contains(-(Max / D) - (Max % D != 0)));
      EXPECT_TRUE(High.truncDivBy(-Divisor).contains(-(Max / D)));
      EXPECT_TRUE(Low.truncDivBy(Divisor).contains(-(Max / D)));
      EXPECT_TRUE(Low.truncDivBy(-Divisor).contains(Max / D));
      EXPECT_TRUE(Low.floorDivBy(-Divisor).contains(Max / D));
    }
  EXPECT_TRUE(Interval::point(5).floorDivBy(Interval::point(Max)).contains(0));
  EXPECT_TRUE(
      Interval::point(-5).floorDivBy(Interval::point(Max)).contains(-1));
  EXPECT_TRUE(Interval::point(-5).truncDivBy(Interval()).contains(5));
  EXPECT_EQ(Interval::point(-5).floorDivBy(Interval::atLeast(2)),
            Interval(-3, -1));
  EXPECT_EQ(Interval::point(5).truncDivBy(Interval::atLeast(2)),
            Interval(0, 2));
}

/// Products that leave 64 bits are infinite, and never empty.
TEST(IntervalTest, ProductsOfExtremes) {
  const int64_t Ends[] = {Min, Min + 1, -3, -1, 0, 1, 2, Max - 1, Max};
  for (int64_t A : Ends)
    for (int64_t B : Ends)
      for (int64_t C : Ends)
        for (int64_t D : Ends) {
          if (A > B || C > D || A == Max || B == Min || C == Max || D == Min)
            continue;
          Interval Product = Interval(A, B) * Interval(C, D);
          ASSERT_FALSE(Product.isEmpty());
          for (int64_t X : Ends)
            for (int64_t Y : Ends) {
              if (X == Min || Y == Min || !Interval(A, B).contains(X) ||
                  !Interval(C, D).contains(Y))
                continue;
              __int128 V = __int128(X) * Y;
              ASSERT_TRUE(!Product.isBoundedBelow() || Product.lo() <= V)
                  << X << " * " << Y << " in " << Product.str();
              ASSERT_TRUE(!Product.isBoundedAbove() || V <= Product.hi())
                  << X << " * " << Y << " in " << Product.str();
            }
        }
}

//===----------------------------------------------------------------------===//
// Congruence
//===----------------------------------------------------------------------===//

/// All congruences with a modulus up to 12, constants in [-12, 12].
std::vector<Congruence> smallCongruences() {
  std::vector<Congruence> All;
  for (int64_t V = -12; V <= 12; ++V)
    All.push_back(Congruence::constant(V));
  for (int64_t M = 1; M <= 12; ++M)
    for (int64_t R = 0; R < M; ++R)
      All.push_back(Congruence::of(M, R));
  return All;
}

std::vector<int64_t> members(const Congruence &C, int64_t Far) {
  std::vector<int64_t> Values;
  for (int64_t V = -Far; V <= Far; ++V)
    if (C.contains(V))
      Values.push_back(V);
  return Values;
}

TEST(CongruenceTest, Constructors) {
  EXPECT_TRUE(Congruence().isTrivial());
  EXPECT_EQ(Congruence(), Congruence::of(1, 5));
  EXPECT_EQ(Congruence::of(4, -1), Congruence::of(4, 7));
  EXPECT_FALSE(Congruence::of(4, 1) == Congruence::of(4, 2));
  EXPECT_FALSE(Congruence::of(4, 1) == Congruence::of(8, 1));
  for (const Congruence &C : smallCongruences())
    for (int64_t V = -30; V <= 30; ++V)
      EXPECT_EQ(C.contains(V), C.modulus() == 0
                                   ? V == C.residue()
                                   : (V - C.residue()) % C.modulus() == 0);
}

/// \p Result is exactly \p Set, as far as the window [-Near, Near] tells.
void expectExact(const Congruence &Result, const std::vector<bool> &Seen,
                 int64_t Near, const std::string &What) {
  for (int64_t V = -Near; V <= Near; ++V)
    EXPECT_EQ(Result.contains(V), Seen[V + Near]) << What << " at " << V;
}

TEST(CongruenceTest, SumIsExact) {
  constexpr int64_t Near = 24, Far = 90;
  for (const Congruence &A : smallCongruences())
    for (const Congruence &B : smallCongruences()) {
      std::vector<bool> Seen(2 * Near + 1);
      for (int64_t X : members(A, Far))
        for (int64_t Y : members(B, Far))
          if (std::abs(X + Y) <= Near)
            Seen[X + Y + Near] = true;
      expectExact(A + B, Seen, Near,
                  testing::PrintToString(A) + " + " +
                      testing::PrintToString(B));
    }
}

TEST(CongruenceTest, ProductIsExact) {
  constexpr int64_t Near = 60;
  for (const Congruence &C : smallCongruences())
    for (int64_t Factor = -5; Factor <= 5; ++Factor) {
      std::vector<bool> Seen(2 * Near + 1);
      for (int64_t V : members(C, Near))
        if (std::abs(V * Factor) <= Near)
          Seen[V * Factor + Near] = true;
      expectExact(C * Factor, Seen, Near,
                  testing::PrintToString(C) + " * " + std::to_string(Factor));
    }
}

TEST(CongruenceTest, FloorDivisionIsSoundAndExactForDivisorsOfTheModulus) {
  constexpr int64_t Near = 12;
  for (const Congruence &C : smallCongruences())
    for (int64_t D = 1; D <= 12; ++D) {
      Congruence Result = C.floorDivBy(D);
      std::vector<bool> Seen(2 * Near + 1);
      for (int64_t V : members(C, (Near + 1) * 12)) {
        int64_t Q = (V - floorMod(V, D)) / D;
        EXPECT_TRUE(Result.contains(Q))
            << testing::PrintToString(C) << " / " << D << " at " << V;
        if (std::abs(Q) <= Near)
          Seen[Q + Near] = true;
      }
      if (C.modulus() % D == 0)
        expectExact(Result, Seen, Near,
                    testing::PrintToString(C) + " / " + std::to_string(D));
    }
}

TEST(CongruenceTest, IntersectionIsExact) {
  constexpr int64_t Near = 144; // more than any common multiple
  for (const Congruence &A : smallCongruences())
    for (const Congruence &B : smallCongruences()) {
      std::vector<bool> Seen(2 * Near + 1);
      for (int64_t V : members(A, Near))
        Seen[V + Near] = B.contains(V);
      bool Contradiction =
          std::find(Seen.begin(), Seen.end(), true) == Seen.end();
      std::string What =
          testing::PrintToString(A) + " and " + testing::PrintToString(B);
      std::optional<Congruence> Both = A.intersect(B);
      EXPECT_EQ(!Both, Contradiction) << What;
      if (Both)
        expectExact(*Both, Seen, Near, What);
    }
}

TEST(CongruenceTest, OverflowKeepsLess) {
  constexpr int64_t Big = int64_t(1) << 62;
  EXPECT_TRUE(
      (Congruence::constant(Max) + Congruence::constant(1)).isTrivial());
  EXPECT_TRUE((Congruence::of(Big, 1) * 2).isTrivial());
  EXPECT_TRUE((Congruence::constant(Big) * -4).isTrivial());
  EXPECT_TRUE((Congruence::of(2, 1) * Min).isTrivial());
  // The combined modulus 3 * 2^62 leaves 64 bits: the stronger fact stays.
  EXPECT_EQ(Congruence::of(Big, 5).intersect(Congruence::of(3, 2)),
            Congruence::of(Big, 5));
  EXPECT_EQ(Congruence::of(3, 2).intersect(Congruence::of(Big, 5)),
            Congruence::of(Big, 5));
  // A contradiction shows even so.
  EXPECT_EQ(Congruence::of(Big, 5).intersect(Congruence::of(6, 2)),
            std::nullopt);
}

/// Large moduli whose combination still fits.
TEST(CongruenceTest, IntersectionOfLargeModuli) {
  const int64_t Moduli[] = {6, 75, 3000, 1 << 20, 1000003, (1 << 30) - 35};
  for (int64_t A : Moduli)
    for (int64_t B : Moduli)
      for (int64_t V : {int64_t(0), int64_t(123456789), int64_t(-77)}) {
        auto Both = Congruence::of(A, V).intersect(Congruence::of(B, V));
        EXPECT_EQ(Both, Congruence::of(std::lcm(A, B), V)) << A << ' ' << B;
      }
}

TEST(CongruenceTest, TightenIsExact) {
  for (const Interval &I : smallIntervals())
    for (const Congruence &C : smallCongruences()) {
      Hull Exact(/*Near=*/40);
      for (int64_t V : members(I, /*Far=*/80))
        if (C.contains(V))
          Exact.add(V);
      Interval Result = tighten(I, C);
      std::string What = I.str() + " on " + testing::PrintToString(C);
      EXPECT_EQ(normal(Result), Exact.get()) << What;
      EXPECT_EQ(normal(tighten(Result, C)), normal(Result))
          << "not idempotent: " << What;
    }
}

/// All of (m*i + r)*(n*j + s) is on the lattice, and on none that is finer.
TEST(CongruenceTest, ProductOfTwoIsExact) {
  for (const Congruence &A : smallCongruences())
    for (const Congruence &B : smallCongruences()) {
      Congruence Product = A * B;
      int64_t First = 0, Step = 0;
      bool Any = false;
      for (int64_t X : members(A, 40))
        for (int64_t Y : members(B, 40)) {
          ASSERT_TRUE(Product.contains(X * Y))
              << testing::PrintToString(A) << " * "
              << testing::PrintToString(B);
          if (!Any)
            First = X * Y;
          Any = true;
          Step = std::gcd(Step, X * Y - First);
        }
      EXPECT_EQ(Product.modulus(), Step)
          << testing::PrintToString(A) << " * " << testing::PrintToString(B);
    }
  // What leaves 64 bits says nothing.
  constexpr int64_t Big = int64_t(1) << 40;
  EXPECT_TRUE((Congruence::of(Big, 1) * Congruence::of(Big, 1)).isTrivial());
  EXPECT_TRUE(
      (Congruence::constant(Big) * Congruence::constant(Big)).isTrivial());
  EXPECT_EQ(Congruence() * Congruence::constant(0), Congruence::constant(0));
}

TEST(CongruenceTest, SolveForIsExact) {
  constexpr int64_t Near = 40;
  for (const Congruence &C : smallCongruences())
    for (int64_t Factor = -9; Factor <= 9; ++Factor) {
      if (Factor == 0)
        continue;
      std::vector<bool> Seen(2 * Near + 1);
      bool Any = false;
      for (int64_t X = -Near; X <= Near; ++X)
        Any |= Seen[X + Near] = C.contains(Factor * X);
      std::string What =
          std::to_string(Factor) + "*x on " + testing::PrintToString(C);
      std::optional<Congruence> X = C.solveFor(Factor);
      ASSERT_EQ(X.has_value(), Any) << What;
      if (X)
        expectExact(*X, Seen, Near, What);
    }
}

TEST(CongruenceTest, SolveForOfLargeNumbers) {
  constexpr int64_t Prime = 9223372036854775783; // the largest below 2^63
  for (int64_t Factor : {int64_t(2), int64_t(-3), Prime - 1, Prime + 1, Max})
    for (int64_t R : {int64_t(1), Prime / 2, Prime - 1}) {
      std::optional<Congruence> X = Congruence::of(Prime, R).solveFor(Factor);
      ASSERT_TRUE(X);
      __int128 Product = __int128(X->residue()) * Factor - R;
      EXPECT_TRUE(Product % Prime == 0) << Factor << "*x = " << R;
      EXPECT_EQ(X->modulus(), Prime);
    }
  // -x = -2^63 has a solution that is no 64-bit number.
  EXPECT_TRUE(Congruence::constant(Min).solveFor(-1)->isTrivial());
}

} // namespace
