//===- ProofSearchTest.cpp - What is proved is true -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random systems whose solutions can be counted: what is proved of one holds
// for all of its solutions, and most of what holds is proved. Then what index
// arithmetic asks for.
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/ProofSearch.h"
#include "test/unit/ProofTestHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

Polynomial operator*(int64_t Factor, const Polynomial &P) {
  return P * DynamicAPInt(Factor);
}

/// A search that shows its variables as polynomials.
class Problem : public ProofSearch {
public:
  Polynomial variable(int64_t Low, int64_t High) {
    return v(addVariable(DynamicAPInt(Low), DynamicAPInt(High)));
  }
  /// floor(N / D), for D > 0.
  Polynomial quotient(const Polynomial &N, const Polynomial &D, int64_t High) {
    Polynomial Q = variable(0, High), Rest = N - D * Q;
    assume(Rest);
    assume(D - 1 - Rest);
    return Q;
  }
  Polynomial quotient(const Polynomial &N, int64_t D, int64_t High) {
    return quotient(N, Polynomial(D), High);
  }
  bool provesEqual(const Polynomial &P, const Polynomial &Q) {
    return proves(P - Q, Splits) && proves(Q - P, Splits);
  }
};

//===----------------------------------------------------------------------===//
// Random systems
//===----------------------------------------------------------------------===//

/// A system in a small box, as it is given to a search and by itself.
class RandomSystem {
public:
  RandomSystem(std::mt19937 &Random, bool IsLinear)
      : Random(Random), IsLinear(IsLinear) {
    for (unsigned V = 0, End = 2 + Random() % 3; V < End; ++V) {
      int64_t Low = int64_t(Random() % 11) - 6, High = Low + Random() % 6;
      Box.push_back({Low, High});
      Search.addVariable(DynamicAPInt(Low), DynamicAPInt(High));
    }
    for (unsigned H = Random() % 4; H > 0; --H) {
      Polynomial P = polynomial();
      Hypotheses.push_back(P);
      Search.assume(P);
      if (Random() % 4 == 0)
        Search.addFactor(P);
    }
  }

  Polynomial polynomial() {
    Polynomial Sum(int64_t(Random() % 21) - 10);
    for (unsigned Terms = 1 + Random() % 3; Terms > 0; --Terms) {
      Polynomial Term = v(Random() % Box.size());
      if (!IsLinear && Random() % 2)
        Term = Term * v(Random() % Box.size());
      Sum = Sum + (int64_t(Random() % 9) - 4) * Term;
    }
    return Sum;
  }

  /// Calls \p Visit with each solution.
  void forEachSolution(function_ref<void(ArrayRef<int64_t>)> Visit) const {
    std::vector<int64_t> Point;
    for (const auto &[Low, High] : Box)
      Point.push_back(Low);
    while (true) {
      if (all_of(Hypotheses,
                 [&](const Polynomial &P) { return at(P, Point) >= 0; }))
        Visit(Point);
      size_t V = 0;
      for (; V < Box.size() && Point[V] == Box[V].second; ++V)
        Point[V] = Box[V].first;
      if (V == Box.size())
        return;
      ++Point[V];
    }
  }
  /// The least value of \p P in a solution, if there is one.
  std::optional<int64_t> least(const Polynomial &P) const {
    std::optional<int64_t> Least;
    forEachSolution([&](ArrayRef<int64_t> Point) {
      int64_t Value = at(P, Point);
      Least = Least ? std::min(*Least, Value) : Value;
    });
    return Least;
  }
  static int64_t at(const Polynomial &P, ArrayRef<int64_t> Point) {
    int64_t Sum = 0;
    for (const auto &[M, C] : P.terms()) {
      int64_t Term = int64_t(C);
      for (unsigned V : M)
        Term *= Point[V];
      Sum += Term;
    }
    return Sum;
  }
  std::string text() const {
    std::string Text;
    for (const auto &[Low, High] : Box)
      Text += "[" + std::to_string(Low) + ", " + std::to_string(High) + "] ";
    for (const Polynomial &P : Hypotheses)
      Text += P.text() + " >= 0; ";
    return Text;
  }

  ProofSearch Search;
  std::vector<std::pair<int64_t, int64_t>> Box;
  std::vector<Polynomial> Hypotheses;

private:
  std::mt19937 &Random;
  bool IsLinear;
};

/// How many of the true statements were asked and proved.
struct Score {
  unsigned True = 0, Proved = 0, False = 0;
};

/// Asks about the least value of random polynomials, and about one more, which
/// is false.
Score ask(unsigned Seed, bool IsLinear, unsigned Rounds, unsigned Splits) {
  std::mt19937 Random(Seed);
  Score Result;
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    RandomSystem System(Random, IsLinear);
    for (unsigned Question = 0; Question < 3; ++Question) {
      Polynomial P = System.polynomial();
      std::optional<int64_t> Least = System.least(P);
      if (!Least) {
        // Contradictions prove everything.
        ++Result.True;
        Result.Proved += System.Search.isImpossible(Splits);
        break;
      }
      ++Result.True;
      Result.Proved += System.Search.proves(P - *Least, Splits);
      ++Result.False;
      EXPECT_FALSE(System.Search.proves(P - *Least - 1, Splits))
          << System.text() << (P - *Least - 1).text();
      EXPECT_FALSE(System.Search.isImpossible(Splits)) << System.text();
      IntegerRange Range = System.Search.rangeOf(P);
      EXPECT_LE(Range.Low, *Least) << System.text() << P.text();
    }
    EXPECT_FALSE(System.Search.effort().CheckFailed) << System.text();
  }
  return Result;
}

TEST(ProofSearch, LinearSystems) {
  Score S = ask(4, /*IsLinear=*/true, 1500, Splits);
  EXPECT_GT(S.False, 1000u);
  // Nearly all of them, by splits.
  EXPECT_GT(S.Proved, S.True * 95 / 100) << S.Proved << " of " << S.True;
}

TEST(ProofSearch, LinearSystemsWithoutSplits) {
  Score S = ask(5, /*IsLinear=*/true, 1500, 0);
  // What the rationals say is often all there is to say.
  EXPECT_GT(S.Proved, S.True / 2) << S.Proved << " of " << S.True;
  EXPECT_LT(S.Proved, S.True);
}

TEST(ProofSearch, QuadraticSystems) {
  Score S = ask(6, /*IsLinear=*/false, 1500, Splits);
  EXPECT_GT(S.False, 1000u);
  EXPECT_GT(S.Proved, S.True / 3) << S.Proved << " of " << S.True;
}

/// fix() narrows a variable to what all solutions have.
TEST(ProofSearch, FixedVariablesHaveOneValue) {
  std::mt19937 Random(7);
  unsigned Fixed = 0, Single = 0;
  for (unsigned Round = 0; Round < 1500; ++Round) {
    RandomSystem System(Random, /*IsLinear=*/true);
    unsigned V = Random() % System.Box.size();
    std::optional<int64_t> Least = System.least(v(V)),
                           Most = System.least(-v(V));
    if (!Least)
      continue;
    bool HasOne = *Least == -*Most;
    Single += HasOne;
    if (!System.Search.fix(V, Splits))
      continue;
    ++Fixed;
    EXPECT_TRUE(HasOne) << System.text();
    IntegerRange Range = System.Search.rangeOf(v(V));
    EXPECT_EQ(Range.Low, *Least) << System.text();
    EXPECT_EQ(Range.High, *Least) << System.text();
    EXPECT_FALSE(System.Search.effort().CheckFailed);
  }
  EXPECT_GT(Single, 100u);
  EXPECT_GT(Fixed, Single * 8 / 10) << Fixed << " of " << Single;
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

TEST(ProofSearch, RangesFollowFromTheBounds) {
  Problem P;
  Polynomial X = P.variable(-2, 3), Y = P.variable(1, 4);
  EXPECT_EQ(P.rangeOf(X * Y).Low, -8);
  EXPECT_EQ(P.rangeOf(X * Y).High, 12);
  EXPECT_EQ(P.rangeOf(X - Y + 1).Low, -5);
  P.assume(X - 1);
  EXPECT_EQ(P.rangeOf(X).Low, 1);
  // Looser bounds change nothing.
  P.assume(X + 5);
  P.assume(Polynomial(9) - X);
  EXPECT_EQ(P.rangeOf(X).Low, 1);
  EXPECT_EQ(P.rangeOf(X).High, 3);
}

TEST(ProofSearch, QuotientsOfQuotients) {
  Problem P;
  Polynomial X = P.variable(0, 1'000'000);
  Polynomial Inner = P.quotient(X, 75, 1'000'000),
             Outer = P.quotient(Inner, 40, 1'000'000),
             Whole = P.quotient(X, 3000, 1'000'000);
  EXPECT_TRUE(P.provesEqual(Outer, Whole));
  EXPECT_FALSE(P.effort().CheckFailed);
}

TEST(ProofSearch, AFewHypothesesAreEnough) {
  ProofSearch P;
  Polynomial N = Polynomial::variable(
                 P.addVariable(DynamicAPInt(0), DynamicAPInt(1'000'000))),
             D = Polynomial::variable(
                 P.addVariable(DynamicAPInt(1), DynamicAPInt(1000))),
             K = Polynomial::variable(
                 P.addVariable(DynamicAPInt(1), DynamicAPInt(1000))),
             Q = Polynomial::variable(
                 P.addVariable(DynamicAPInt(0), DynamicAPInt(1'000'000)));
  Polynomial Few[] = {K * D - 1 - N, N - D * Q, D - 1};
  // What was not said is no hypothesis.
  P.assume(Few[0]);
  EXPECT_FALSE(P.provesFrom(Few, D - 1, K - 1 - Q));
  P.assume(Few[1]);
  EXPECT_TRUE(P.provesFrom(Few, D - 1, K - 1 - Q));
  EXPECT_FALSE(P.provesFrom(Few, D - 1, K - 2 - Q));
  EXPECT_FALSE(P.effort().CheckFailed);
}

TEST(ProofSearch, QuotientsOfQuotientsNegative) {
  for (int64_t Other : {2999, 3001}) {
    Problem P;
    Polynomial X = P.variable(0, 1'000'000);
    Polynomial Inner = P.quotient(X, 75, 1'000'000),
               Outer = P.quotient(Inner, 40, 1'000'000),
               Whole = P.quotient(X, Other, 1'000'000);
    EXPECT_FALSE(P.provesEqual(Outer, Whole));
    // Of small numbers they are the same.
    P.assume(Polynomial(2998) - X);
    EXPECT_TRUE(P.provesEqual(Outer, Whole));
  }
}

TEST(ProofSearch, HalvesAddUp) {
  Problem P;
  Polynomial X = P.variable(0, 1000);
  Polynomial Lower = P.quotient(X, 2, 1000), Upper = P.quotient(X + 1, 2, 1000);
  EXPECT_TRUE(P.provesEqual(Lower + Upper, X));
  EXPECT_FALSE(P.effort().CheckFailed);
}

TEST(ProofSearch, HalvesAddUpNegative) {
  Problem P;
  Polynomial X = P.variable(0, 1000);
  Polynomial Lower = P.quotient(X, 2, 1000), Upper = P.quotient(X + 2, 2, 1000);
  EXPECT_FALSE(P.provesEqual(Lower + Upper, X));
  EXPECT_FALSE(P.provesEqual(Lower + Upper, X + 1));
  EXPECT_TRUE(P.provesEqual(Upper, Lower + 1));
}

/// Rows of W elements, H of them: y < H and x < W.
struct Grid : Problem {
  Polynomial H = variable(1, 1 << 20), W = variable(1, 1 << 20),
             Y = variable(0, (1 << 20) - 1), X = variable(0, (1 << 20) - 1);
  explicit Grid(bool WithFactors) {
    assume(H - 1 - Y);
    assume(W - 1 - X);
    if (!WithFactors)
      return;
    addFactor(W - 1);
    addFactor(H - 1 - Y);
  }
};

TEST(ProofSearch, ElementsAreInTheirGrid) {
  Grid P(/*WithFactors=*/true);
  EXPECT_TRUE(P.proves(P.H * P.W - 1 - P.Y * P.W - P.X, Splits));
  EXPECT_FALSE(P.effort().CheckFailed);
}

TEST(ProofSearch, ElementsAreInTheirGridNegative) {
  Grid P(/*WithFactors=*/true);
  // The last one, and by columns.
  EXPECT_FALSE(P.proves(P.H * P.W - 2 - P.Y * P.W - P.X, Splits));
  EXPECT_FALSE(P.proves(P.H * P.W - 1 - P.Y * P.H - P.X, Splits));
  // Nothing is multiplied without a reason, or without splits.
  Grid Plain(/*WithFactors=*/false);
  EXPECT_FALSE(Plain.proves(Plain.H * Plain.W - 1 - Plain.Y * Plain.W - Plain.X,
                            Splits));
  EXPECT_FALSE(P.proves(P.H * P.W - 1 - P.Y * P.W - P.X, 0));
}

TEST(ProofSearch, FactorsThatAreNoFactsAreNotBelieved) {
  // Whether 5 - x is negative is not known.
  Problem P;
  Polynomial X = P.variable(0, 10), Y = P.variable(0, 10);
  P.addFactor(Polynomial(5) - X);
  EXPECT_FALSE(P.proves(Polynomial(5) - X, Splits));
  EXPECT_FALSE(P.proves(5 * Y - X * Y, Splits));
  P.assume(Polynomial(5) - X);
  EXPECT_TRUE(P.proves(5 * Y - X * Y, Splits));
}

TEST(ProofSearch, ContradictionsAreFound) {
  Problem P;
  Polynomial X = P.variable(0, 100), Y = P.variable(0, 100);
  P.assume(2 * X - 2 * Y - 1);
  EXPECT_FALSE(P.isImpossible(Splits));
  P.assume(2 * Y - 2 * X + 1);
  EXPECT_TRUE(P.isImpossible(Splits));
  // An empty range is one, and a negative constant as well.
  Problem Empty, Constant;
  Empty.variable(3, 2);
  EXPECT_TRUE(Empty.isImpossible(Splits));
  Constant.assume(Polynomial(0));
  EXPECT_FALSE(Constant.isImpossible(Splits));
  Constant.assume(Polynomial(-2));
  EXPECT_TRUE(Constant.isImpossible(Splits));
}

TEST(ProofSearch, FactorsOfWhatIsNotZeroAreNot) {
  Problem P;
  Polynomial X = P.variable(-9, 9), Y = P.variable(-9, 9),
             Z = P.variable(-9, 9), Product = P.variable(-2000, 2000);
  P.assume(Product - X * Y * Z);
  P.assume(X * Y * Z - Product);
  EXPECT_FALSE(P.provesNotZero(X, Splits));
  EXPECT_FALSE(P.provesNotZero(Product, Splits));
  // Whatever sign it has.
  P.assume(Product * Product - 1);
  for (const Polynomial &Factor : {X, Y, Z, X * Y, Product})
    EXPECT_TRUE(P.provesNotZero(Factor, Splits)) << Factor.text();
  EXPECT_FALSE(P.provesNotZero(X - Y, Splits));
  EXPECT_FALSE(P.provesNotBothZero(X - 1, Y + 1, Splits));
  P.assume((X - 1) * (X - 1) + (Y + 1) * (Y + 1) - 1);
  EXPECT_TRUE(P.provesNotBothZero(X - 1, Y + 1, Splits));
  EXPECT_FALSE(P.provesNotZero(X - 1, Splits));
  EXPECT_FALSE(P.isImpossible(Splits));
  EXPECT_FALSE(P.effort().CheckFailed);
}

TEST(ProofSearch, QuotientsOfQuotientsBySizes) {
  Problem P;
  Polynomial X = P.variable(0, 1 << 30), W = P.variable(1, 1 << 20),
             H = P.variable(1, 1 << 20);
  Polynomial Row = P.quotient(X, W, 1 << 30),
             Page = P.quotient(X, W * H, 1 << 30);
  P.addFactor(W - 1);
  P.assume(W - 1);
  EXPECT_TRUE(P.proves(Row - H * Page, 2));
  EXPECT_TRUE(P.proves(H - 1 - Row + H * Page, 2));
  EXPECT_FALSE(P.proves(H - 2 - Row + H * Page, Splits));
  EXPECT_FALSE(P.proves(Row - H * Page - 1, Splits));
  EXPECT_FALSE(P.effort().CheckFailed);
}

/// What a memo answers is what was asked: of the same facts.
TEST(ProofSearch, AnswersAreRememberedWithTheirFacts) {
  ProofMemo Memo;
  auto Ask = [&](int64_t Low, int64_t Fact, bool WithFact) {
    ProofSearch P(&Memo);
    Polynomial X = v(P.addVariable(DynamicAPInt(Low), DynamicAPInt(100))),
               Y = v(P.addVariable(DynamicAPInt(0), DynamicAPInt(100)));
    if (WithFact)
      P.assume(X - Y - Fact);
    return P.proves(X - Y - 5, Splits);
  };
  for (unsigned Round = 0; Round < 2; ++Round) {
    EXPECT_TRUE(Ask(0, 5, true));
    EXPECT_FALSE(Ask(0, 5, false));
    EXPECT_FALSE(Ask(0, 4, true));
    EXPECT_TRUE(Ask(0, 6, true));
    EXPECT_FALSE(Ask(10, 4, true));
  }
}

} // namespace
