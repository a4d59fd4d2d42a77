//===- SymbolicDivisionTest.cpp - Division by sizes of run time -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule of SymbolicDivision.cpp alone, with its _negative twin, then all of
// them at every point of small boxes whose divisors may be negative or zero (a
// quotient has no value there).
//
//===----------------------------------------------------------------------===//

#include "test/unit/FloorBasisTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class SymbolicDivisionTest : public FloorBasisFixture {
protected:
  IndexExpr mul(IndexExpr A, IndexExpr B) { return Context.multiply(A, B); }
  IndexExpr mul(IndexExpr A, int64_t B) { return Context.scale(A, B); }
  void less(IndexExpr A, IndexExpr B) {
    Domain.constrain(Context.sub(B, A), Interval::atLeast(1));
  }
  std::string floorText(IndexExpr F, IndexExpr D) {
    return text(Basis.floorDiv(F, D));
  }
  std::string truncText(IndexExpr F, IndexExpr D) {
    return text(Basis.truncDiv(F, D));
  }

  const Interval Natural = Interval::atLeast(0), Size = Interval::atLeast(1);
};

TEST_F(SymbolicDivisionTest, ConstantDivisors) {
  IndexExpr X = var("x", Interval()), P = var("p", {7, 7});
  IndexExpr Q = var("q", {-7, -7});
  EXPECT_EQ(Basis.floorDiv(X, num(7)), Basis.floorDiv(X, 7));
  EXPECT_EQ(Basis.floorDiv(X, P), Basis.floorDiv(X, 7));
  EXPECT_EQ(Basis.floorDiv(X, Q), Basis.floorDiv(X, -7));
  EXPECT_EQ(Basis.truncDiv(X, num(7)), Basis.truncDiv(X, 7));
  EXPECT_EQ(Basis.truncDiv(X, Q), Basis.truncDiv(X, -7));
  EXPECT_EQ(Basis.simplify(Basis.floorMod(X, P)), Basis.floorMod(X, 7));
  EXPECT_FALSE(Basis.floorDiv(X, num(0)));
  EXPECT_FALSE(Basis.truncDiv(X, var("z", {0, 0})));
  EXPECT_FALSE(Basis.floorDiv(X, IndexExpr()));
  EXPECT_FALSE(Basis.floorDiv(IndexExpr(), X));
  EXPECT_FALSE(Basis.truncDiv(IndexExpr(), X));
  EXPECT_FALSE(Basis.truncDiv(X, IndexExpr()));
  EXPECT_FALSE(Basis.euclidDiv(X, IndexExpr()));
  EXPECT_FALSE(Basis.euclidMod(IndexExpr(), X));
}

TEST_F(SymbolicDivisionTest, CommonFactorCancels) {
  IndexExpr X = var("x", Interval()), N = var("n", Interval());
  IndexExpr M = var("m", Interval());
  EXPECT_EQ(Basis.floorDiv(mul(X, 6), mul(N, 4)),
            Basis.floorDiv(mul(X, 3), mul(N, 2)));
  EXPECT_EQ(Basis.floorDiv(mul(X, N), N), X);
  EXPECT_EQ(Basis.floorDiv(mul(X, N), mul(M, N)), Basis.floorDiv(X, M));
  EXPECT_EQ(Basis.floorDiv(num(0), N), num(0));
  EXPECT_EQ(Basis.floorDiv(N, N), num(1));
  EXPECT_EQ(floorText(mul(X, N), mul(N, 3)), "x floordiv 3");
  EXPECT_EQ(Basis.truncDiv(mul(X, N), mul(M, N)), Basis.truncDiv(X, M));
  EXPECT_EQ(truncText(mul(X, N), mul(N, 3)), "tdiv(x, 3)");
}
TEST_F(SymbolicDivisionTest, CommonFactorCancels_negative) {
  IndexExpr X = var("x", Interval()), N = var("n", Interval());
  EXPECT_EQ(floorText(X, mul(N, X)), "(1) floordiv n");
  EXPECT_EQ(floorText(Context.add(mul(X, 2), 1), mul(N, 2)),
            "(2 * x + 1) floordiv (2 * n)");
  EXPECT_EQ(truncText(Context.add(mul(X, N), 1), mul(N, N)),
            "tdiv(x * n + 1, n * n)");
}

/// Of D and -D the one that is positive is kept, else the one whose first
/// coefficient is.
TEST_F(SymbolicDivisionTest, SignOfTheDivisor) {
  IndexExpr X = var("x", Interval()), N = var("n", Interval());
  IndexExpr M = var("m", Interval::atMost(-1)), K = var("k", Interval());
  EXPECT_EQ(Basis.floorDiv(X, Context.negate(N)),
            Basis.floorDiv(Context.negate(X), N));
  EXPECT_EQ(Basis.truncDiv(X, Context.negate(N)),
            Basis.truncDiv(Context.negate(X), N));
  EXPECT_EQ(floorText(X, M), "(-x) floordiv (-m)");
  EXPECT_EQ(floorText(X, Context.sub(K, N)), "(-x) floordiv (n - k)");
}
TEST_F(SymbolicDivisionTest, SignOfTheDivisor_negative) {
  IndexExpr X = var("x", Interval()), N = var("n", Interval());
  IndexExpr M = var("m", {1, 9});
  EXPECT_EQ(floorText(X, N), "x floordiv n");
  EXPECT_EQ(floorText(X, Context.sub(num(10), M)), "x floordiv (-m + 10)");
}

/// floor((-1 - x)/n) = -1 - floor(x/n): the dividend is the one that is not
/// negative, or that is no complement.
TEST_F(SymbolicDivisionTest, Mirrors) {
  IndexExpr X = var("x", Interval()), N = var("n", Natural);
  IndexExpr Low = var("low", Interval::atMost(-1));
  EXPECT_EQ(floorText(Context.add(Context.negate(X), -1), N),
            "-(x floordiv n) - 1");
  EXPECT_EQ(floorText(Low, N), "-((-low - 1) floordiv n) - 1");
  EXPECT_EQ(floorText(Context.add(Context.negate(Low), -1), N),
            "(-low - 1) floordiv n");
}
TEST_F(SymbolicDivisionTest, Mirrors_negative) {
  IndexExpr X = var("x", Interval()), N = var("n", Natural);
  IndexExpr Any = var("any", Interval()), High = var("high", {0, 1});
  EXPECT_EQ(floorText(Context.negate(X), N), "(-x) floordiv n");
  EXPECT_EQ(floorText(Context.add(X, -1), N), "(x - 1) floordiv n");
  EXPECT_EQ(floorText(Context.add(Context.negate(X), -1), Any),
            "(-x - 1) floordiv any");
  EXPECT_EQ(floorText(Context.add(Context.negate(High), 2), N),
            "(-high + 2) floordiv n");
}

TEST_F(SymbolicDivisionTest, MultiplesMoveOut) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr N = var("n", Interval()); // of either sign
  EXPECT_EQ(floorText(add(X, mul(Y, N)), N), "y + x floordiv n");
  EXPECT_EQ(floorText(add(X, N, -3), N), "x floordiv n - 3");
  IndexExpr D = Context.add(N, 1);
  EXPECT_EQ(Basis.floorDiv(add(add(mul(Y, N), Y), X), D),
            add(Y, Basis.floorDiv(X, D)));
  EXPECT_EQ(Basis.truncDiv(add(mul(Y, N), Y), D), Y); // exact
  EXPECT_EQ(Basis.floorMod(add(X, mul(Y, N)), N), Basis.floorMod(X, N));
}
TEST_F(SymbolicDivisionTest, MultiplesMoveOut_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr N = var("n", Interval());
  EXPECT_EQ(countDivisions(Basis.floorDiv(add(X, mul(Y, N)), mul(N, 2))), 1u);
  // Truncation depends on the sign of the whole dividend.
  EXPECT_EQ(truncText(add(X, mul(Y, N)), N), "tdiv(x + y * n, n)");
}

TEST_F(SymbolicDivisionTest, OnePeriod) {
  IndexExpr N = var("n", Size), X = var("x", Natural), Y = var("y", Interval());
  less(X, N);
  EXPECT_EQ(Basis.floorDiv(X, N), num(0));
  EXPECT_EQ(Basis.floorMod(X, N), X);
  EXPECT_EQ(Basis.floorDiv(Context.sub(num(-1), X), N), num(-1));
  EXPECT_EQ(Basis.floorDiv(add(X, mul(Y, N)), N), Y);
  EXPECT_EQ(Basis.floorMod(add(X, mul(Y, N)), N), X);
  EXPECT_EQ(Basis.ceilDiv(Context.add(X, 1), N), num(1));
  EXPECT_EQ(Basis.truncDiv(X, N), num(0));
}
TEST_F(SymbolicDivisionTest, OnePeriod_negative) {
  IndexExpr N = var("n", Size), X = var("x", Natural);
  IndexExpr Z = var("z", Interval::atLeast(-1)), M = var("m", Interval());
  less(X, N);
  less(Z, N);
  less(X, M);
  EXPECT_EQ(floorText(Context.add(X, 1), N), "(x + 1) floordiv n");
  EXPECT_EQ(floorText(Z, N), "z floordiv n");
  // 0 <= x < m makes m positive.
  EXPECT_EQ(Basis.floorDiv(X, M), num(0));
  EXPECT_EQ(countDivisions(Basis.floorDiv(Context.negate(X), N)), 1u);
}
/// Facts on one divisor say nothing of another, or of a parent domain.
TEST_F(SymbolicDivisionTest, OnePeriodOfItsScope_negative) {
  IndexExpr N = var("n", Size), X = var("x", Natural), M = var("m", Size);
  IndexDomain Child(Domain);
  Child.constrain(Context.sub(N, X), Interval::atLeast(1));
  FloorBasis Narrow(Child);
  EXPECT_EQ(Narrow.floorDiv(X, N), num(0));
  EXPECT_EQ(text(Narrow.floorDiv(X, M)), "x floordiv m");
  EXPECT_EQ(floorText(X, N), "x floordiv n");
  IndexExpr Whole = Basis.floorMod(X, N);
  EXPECT_EQ(Narrow.simplify(Whole), X);
  EXPECT_EQ(Basis.simplify(Whole), Whole);
}

/// x*n + b with b < n, by n*m: floor(x/m).
TEST_F(SymbolicDivisionTest, CommonFactorOfAPart) {
  IndexExpr N = var("n", Size), M = var("m", Size), B = var("b", Natural);
  IndexExpr X = var("x", Interval());
  less(B, N);
  EXPECT_EQ(Basis.floorDiv(add(B, mul(X, N)), mul(N, M)), Basis.floorDiv(X, M));
  EXPECT_EQ(floorText(add(B, mul(X, N)), mul(N, 5)), "x floordiv 5");
  IndexExpr C = var("c", {0, 3});
  EXPECT_EQ(floorText(add(C, X, 4), mul(N, 4)), "x floordiv n");
  // In the period before: b - n.
  EXPECT_EQ(Basis.floorDiv(Context.sub(add(B, mul(X, N)), N), mul(N, M)),
            Basis.floorDiv(Context.add(X, -1), M));
}
TEST_F(SymbolicDivisionTest, CommonFactorOfAPart_negative) {
  IndexExpr N = var("n", Size), M = var("m", Size), B = var("b", Natural);
  IndexExpr X = var("x", Interval()), K = var("k", Interval());
  Domain.constrain(Context.sub(N, B), Natural); // b <= n
  EXPECT_EQ(floorText(add(B, mul(X, N)), mul(N, M)),
            "(b + n * x) floordiv (n * m)");
  IndexExpr C = var("c", {0, 4});
  EXPECT_EQ(floorText(add(C, X, 4), mul(N, 4)), "(4 * x + c) floordiv (4 * n)");
  // m of unknown sign.
  EXPECT_EQ(floorText(add(var("c", {0, 3}), X, 4), mul(K, 4)),
            "(4 * x + c) floordiv (4 * k)");
}

TEST_F(SymbolicDivisionTest, NestedFloorsFlatten) {
  IndexExpr N = var("n", Size), M = var("m", Size), K = var("k", Interval());
  IndexExpr X = var("x", Interval());
  EXPECT_EQ(floorText(Basis.floorDiv(X, N), M), "x floordiv (n * m)");
  EXPECT_EQ(floorText(Basis.floorDiv(X, 3), M), "x floordiv (3 * m)");
  EXPECT_EQ(text(Basis.floorDiv(Basis.floorDiv(X, N), 3)),
            "x floordiv (3 * n)");
  EXPECT_EQ(floorText(Context.add(Basis.floorDiv(X, N), 2), M),
            "(2 * n + x) floordiv (n * m)");
  // The inner divisor may have either sign.
  EXPECT_EQ(countDivisions(Basis.floorDiv(Basis.floorDiv(X, K), M)), 1u);
}
TEST_F(SymbolicDivisionTest, NestedFloorsFlatten_negative) {
  IndexExpr N = var("n", Size), M = var("m", Size), K = var("k", Interval());
  IndexExpr X = var("x", Interval());
  // The outer divisor must be positive: floor(floor(1/2) / -1) is 0,
  // floor(1 / -2) is -1.
  EXPECT_EQ(countDivisions(Basis.floorDiv(Basis.floorDiv(X, N), K)), 2u);
  EXPECT_EQ(countDivisions(Basis.floorDiv(mul(Basis.floorDiv(X, N), 2), M)),
            2u);
  EXPECT_EQ(countDivisions(Basis.floorDiv(Basis.truncDiv(X, N), M)), 2u);
  EXPECT_EQ(countDivisions(Basis.floorDiv(Basis.truncDiv(X, 3), M)), 2u);
}
/// The product of the divisors leaves 64 bits: the quotients stay.
TEST_F(SymbolicDivisionTest, FlatteningOverflows_negative) {
  const int64_t Big = int64_t(1) << 40;
  IndexExpr N = var("n", Size), X = var("x", Interval());
  IndexExpr Inner = Basis.floorDiv(X, mul(N, Big));
  EXPECT_EQ(countDivisions(Basis.floorDiv(Inner, Big)), 2u);
  EXPECT_EQ(countDivisions(Basis.floorDiv(Inner, mul(N, Big))), 2u);
  EXPECT_EQ(countDivisions(Basis.floorDiv(Basis.floorDiv(X, Big), mul(N, Big))),
            2u);
}

TEST_F(SymbolicDivisionTest, TruncationOfAKnownSignIsAFloor) {
  IndexExpr N = var("n", Size), X = var("x", Natural);
  IndexExpr Y = var("y", Interval::atMost(0)),
            M = var("m", Interval::atMost(-1));
  EXPECT_EQ(Basis.truncDiv(X, N), Basis.floorDiv(X, N));
  EXPECT_EQ(Basis.truncDiv(Y, N), Basis.ceilDiv(Y, N));
  EXPECT_EQ(Basis.truncDiv(Y, M), Basis.floorDiv(Y, M));
  EXPECT_EQ(Basis.truncMod(X, N), Basis.floorMod(X, N));
}
TEST_F(SymbolicDivisionTest, TruncationOfAKnownSignIsAFloor_negative) {
  IndexExpr N = var("n", Size), X = var("x", Interval::atLeast(-1));
  IndexExpr K = var("k", Interval::atLeast(-1)), Y = var("y", Natural);
  EXPECT_EQ(truncText(X, N), "tdiv(x, n)");
  EXPECT_EQ(truncText(Context.negate(X), N), "-tdiv(x, n)");
  EXPECT_EQ(truncText(Y, K), "tdiv(y, k)");
}

TEST_F(SymbolicDivisionTest, TruncationOfTruncation) {
  // No sign is known.
  IndexExpr X = var("x", Interval()), N = var("n", Interval());
  IndexExpr M = var("m", Interval());
  EXPECT_EQ(Basis.truncDiv(Basis.truncDiv(X, N), M),
            Basis.truncDiv(X, mul(N, M)));
  EXPECT_EQ(Basis.truncDiv(Basis.truncDiv(X, M), N),
            Basis.truncDiv(X, mul(N, M)));
  EXPECT_EQ(Basis.truncDiv(Basis.truncDiv(X, N), -3),
            Context.negate(Basis.truncDiv(X, mul(N, 3))));
  EXPECT_EQ(Basis.truncDiv(Basis.truncDiv(X, 3), N),
            Basis.truncDiv(X, mul(N, 3)));
}
TEST_F(SymbolicDivisionTest, TruncationOfTruncation_negative) {
  IndexExpr X = var("x", Interval()), N = var("n", Interval());
  IndexExpr M = var("m", Interval());
  IndexExpr Q = Basis.truncDiv(X, N);
  // Beside something else the digits are others.
  EXPECT_EQ(countDivisions(Basis.truncDiv(Context.add(Q, 1), M)), 2u);
  EXPECT_EQ(countDivisions(Basis.truncDiv(mul(Q, 2), M)), 2u);
  // floor(-1/2) = -1, and tdiv(-1, 3) = 0 is no quotient of -1 by 6.
  EXPECT_EQ(countDivisions(Basis.truncDiv(Basis.floorDiv(X, N), M)), 2u);
  // The product of the divisors leaves 64 bits.
  const int64_t Big = int64_t(1) << 40;
  IndexExpr Inner = Basis.truncDiv(X, mul(N, Big));
  EXPECT_EQ(countDivisions(Basis.truncDiv(Inner, mul(M, Big))), 2u);
}

/// (x % (a*b)) / b = (x/b) % a and (x % (a*b)) % b = x % b, for all signs.
TEST_F(SymbolicDivisionTest, TruncatedQuotientOfARemainder) {
  IndexExpr X = var("x", Interval()), A = var("a", Interval());
  IndexExpr B = var("b", Interval());
  IndexExpr Rem = Basis.truncMod(X, mul(A, B));
  EXPECT_EQ(Basis.truncDiv(Rem, B), Basis.truncMod(Basis.truncDiv(X, B), A));
  EXPECT_EQ(Basis.truncDiv(Rem, A), Basis.truncMod(Basis.truncDiv(X, A), B));
  EXPECT_EQ(Basis.truncMod(Rem, B), Basis.truncMod(X, B));
  EXPECT_EQ(Basis.truncMod(Basis.truncMod(X, mul(A, 6)), 2),
            Basis.truncMod(X, 2));
  EXPECT_EQ(Basis.truncDiv(Basis.truncMod(X, 12), 4),
            Basis.truncMod(Basis.truncDiv(X, 4), 3));
  // Of itself nothing is left.
  EXPECT_EQ(Basis.truncDiv(Basis.truncMod(X, A), A), num(0));
}
TEST_F(SymbolicDivisionTest, TruncatedQuotientOfARemainder_negative) {
  IndexExpr X = var("x", Interval()), A = var("a", Interval());
  IndexExpr B = var("b", Interval()), C = var("c", Interval());
  IndexExpr Rem = Basis.truncMod(X, mul(A, B));
  // c is no factor of a*b, and a*b + 1 no multiple of b.
  EXPECT_NE(Basis.truncMod(Rem, C), Basis.truncMod(X, C));
  EXPECT_NE(Basis.truncMod(Basis.truncMod(X, Context.add(mul(A, B), 1)), B),
            Basis.truncMod(X, B));
  // More than the remainder, or a multiple of it.
  EXPECT_EQ(countDivisions(Basis.truncDiv(Context.add(Rem, 1), B)), 2u);
  EXPECT_EQ(countDivisions(Basis.truncDiv(mul(Rem, 3), B)), 2u);
  // A floored remainder by divisors of unknown sign: (-1 mod 4) / 2 is 1, -1/2
  // is 0.
  IndexExpr Floored = Basis.floorMod(X, mul(A, B));
  EXPECT_NE(Basis.truncDiv(Floored, B),
            Basis.truncMod(Basis.truncDiv(X, B), A));
}

TEST_F(SymbolicDivisionTest, EuclideanDivision) {
  IndexExpr N = var("n", Size), X = var("x", Interval());
  IndexExpr M = var("m", Interval::atMost(-1));
  EXPECT_EQ(Basis.euclidDiv(X, N), Basis.floorDiv(X, N));
  EXPECT_EQ(Basis.euclidMod(X, N), Basis.floorMod(X, N));
  EXPECT_EQ(Basis.euclidDiv(X, M),
            Context.negate(Basis.floorDiv(X, Context.negate(M))));
  EXPECT_EQ(Basis.euclidMod(X, num(-5)), Basis.floorMod(X, 5));
  EXPECT_EQ(Basis.euclidDiv(X, num(-5)), Context.negate(Basis.floorDiv(X, 5)));
}

/// The largest 64-bit numbers are dividends like any other.
TEST_F(SymbolicDivisionTest, ExtremeDividends) {
  const int64_t Max = Interval::PlusInfinity;
  IndexExpr N = var("n", {2, 3});
  for (int64_t Value : {Max, Max - 1, -Max}) {
    IndexExpr F = Basis.floorDiv(num(Value), N);
    IndexExpr T = Basis.truncDiv(num(Value), N);
    for (int64_t D : {2, 3}) {
      auto At = [&](const IndexAtom *) { return std::optional(D); };
      ASSERT_TRUE(F && T);
      EXPECT_EQ(evaluate(F, At), floorOf(Value, D));
      EXPECT_EQ(evaluate(T, At), Value / D);
    }
  }
  IndexExpr X = var("x", Interval()), K = var("k", Interval());
  for (IndexExpr D : {mul(N, Max), Context.add(K, Max), mul(K, -Max)})
    for (IndexExpr F : {mul(X, Max), Context.add(X, -Max), add(X, K, Max)}) {
      Basis.floorDiv(F, D); // no overflow on the way, whatever comes
      Basis.truncDiv(F, D);
      Basis.floorMod(F, D);
      Basis.euclidMod(F, D);
      Basis.euclidDiv(F, D);
    }
}

//===----------------------------------------------------------------------===//
// Every constructor at every point
//===----------------------------------------------------------------------===//

struct SymbolicOperation {
  const char *Name;
  IndexExpr (FloorBasis::*Build)(IndexExpr, IndexExpr);
  int64_t (*Value)(int64_t, int64_t);
};
int64_t euclidOf(int64_t A, int64_t D) {
  int64_t Q = floorOf(A, std::abs(D));
  return D > 0 ? Q : -Q;
}
const SymbolicOperation Operations[] = {
    {"floorDiv", &FloorBasis::floorDiv, floorOf},
    {"floorMod", &FloorBasis::floorMod,
     [](int64_t A, int64_t D) { return A - D * floorOf(A, D); }},
    {"ceilDiv", &FloorBasis::ceilDiv,
     [](int64_t A, int64_t D) { return -floorOf(-A, D); }},
    {"truncDiv", &FloorBasis::truncDiv,
     [](int64_t A, int64_t D) { return A / D; }},
    {"truncMod", &FloorBasis::truncMod,
     [](int64_t A, int64_t D) { return A % D; }},
    {"euclidDiv", &FloorBasis::euclidDiv, euclidOf},
    {"euclidMod", &FloorBasis::euclidMod,
     [](int64_t A, int64_t D) { return A - D * euclidOf(A, D); }},
};

/// A sample without a value somewhere keeps what it has in Defined.
struct PartialSample {
  IndexExpr E;
  std::vector<std::optional<int64_t>> Values;
  std::string Text;
};

class SymbolicBox : public Box {
public:
  using Box::Box;
  std::vector<std::optional<int64_t>> valuesOf(IndexExpr E) const {
    std::vector<std::optional<int64_t>> Values;
    for (size_t I = 0; I < points(); ++I)
      Values.push_back(valueAt(E, I));
    return Values;
  }
  PartialSample apply(FloorBasis &Basis, const SymbolicOperation &Op,
                      const PartialSample &A, const PartialSample &B) const {
    PartialSample S = {(Basis.*Op.Build)(A.E, B.E),
                       {},
                       std::string(Op.Name) + "(" + A.Text + ", " + B.Text +
                           ")"};
    for (auto [X, D] : zip_equal(A.Values, B.Values))
      S.Values.push_back(X && D && *D != 0 ? std::optional(Op.Value(*X, *D))
                                           : std::nullopt);
    return S;
  }
  PartialSample sample(IndexExpr E) {
    return {E, valuesOf(E), toString(Context, E)};
  }
  /// Where S has a value, the form has it; so has its range, and simplifying
  /// keeps it.
  void check(FloorBasis &Basis, const PartialSample &S) {
    ASSERT_TRUE(S.E) << S.Text;
    IndexExpr Simple = Basis.simplify(S.E);
    ASSERT_TRUE(Simple) << S.Text;
    Interval R = Domain.range(S.E);
    Congruence C = Domain.congruence(S.E);
    std::string Where = S.Text + " = " + toString(Context, S.E) +
                        ", simplified " + toString(Context, Simple) + ", in " +
                        R.str();
    for (size_t I = 0; I < points(); ++I) {
      if (!S.Values[I])
        continue;
      ASSERT_EQ(valueAt(S.E, I), S.Values[I]) << Where << " at " << point(I);
      ASSERT_EQ(valueAt(Simple, I), S.Values[I]) << Where << " at " << point(I);
      ASSERT_TRUE(R.contains(*S.Values[I])) << Where << " at " << point(I);
      ASSERT_TRUE(C.contains(*S.Values[I])) << Where << " at " << point(I);
    }
  }
};

/// Divisors that are positive, negative, of both signs, with and without zero.
const std::vector<Interval> SymbolicBoxes[] = {{{0, 7}, {1, 3}, {1, 2}},
                                               {{-5, 5}, {-2, 3}, {0, 2}},
                                               {{-4, 3}, {-3, -1}, {-1, 1}},
                                               {{0, 5}, {0, 2}, {-2, 0}}};

TEST(SymbolicDivisionValues, Divisions) {
  for (const auto &Ranges : SymbolicBoxes) {
    SymbolicBox B(Ranges);
    FloorBasis Basis(B.Domain);
    IndexExpr X = B.Variables[0].E, N = B.Variables[1].E, M = B.Variables[2].E;
    IndexContext &C = B.Context;
    std::vector<PartialSample> Dividends, Divisors;
    for (int64_t K : {-1, 0, 2}) {
      for (IndexExpr E :
           {X, C.scale(X, 2), C.multiply(X, N), C.add(C.multiply(X, N), M),
            C.add(C.multiply(N, M), X, -3), C.sub(N, X)})
        Dividends.push_back(B.sample(C.add(E, K)));
      for (IndexExpr E : {N, C.scale(N, -2), C.multiply(N, M), C.sub(M, N),
                          C.multiply(N, N), C.add(C.scale(M, 2), N)})
        Divisors.push_back(B.sample(C.add(E, K)));
    }
    for (const PartialSample &F : Dividends)
      for (const PartialSample &D : Divisors)
        for (const SymbolicOperation &Op : Operations)
          B.check(Basis, B.apply(Basis, Op, F, D));
  }
}

TEST(SymbolicDivisionValues, NestedDivisions) {
  for (const auto &Ranges : SymbolicBoxes) {
    SymbolicBox B(Ranges);
    FloorBasis Basis(B.Domain);
    IndexExpr X = B.Variables[0].E, N = B.Variables[1].E, M = B.Variables[2].E;
    IndexContext &C = B.Context;
    for (IndexExpr Inner : {N, C.multiply(N, M)})
      for (IndexExpr Outer : {M, C.scale(M, -2), C.constant(2), C.add(M, 1)})
        for (const SymbolicOperation &First : Operations)
          for (const SymbolicOperation &Second : Operations)
            for (IndexExpr F : {X, C.add(C.multiply(X, M), N)}) {
              PartialSample I =
                  B.apply(Basis, First, B.sample(F), B.sample(Inner));
              PartialSample O = B.apply(Basis, Second, I, B.sample(Outer));
              B.check(Basis, O);
              // The quotient as part of a sum, and times a divisor.
              PartialSample Sum = I;
              Sum.E = C.add(C.multiply(I.E, M), X);
              for (size_t P = 0; P < B.points(); ++P)
                if (Sum.Values[P])
                  *Sum.Values[P] =
                      *Sum.Values[P] * *B.valueAt(M, P) + *B.valueAt(X, P);
              B.check(Basis, Sum);
              B.check(Basis, B.apply(Basis, Second, Sum, B.sample(Outer)));
            }
  }
}

/// Remainders by products and what divides them, as chains of divisions make
/// them, for divisors of every sign.
TEST(SymbolicDivisionValues, ChainsOfDivisors) {
  for (const auto &Ranges :
       {std::vector<Interval>{{-13, 13}, {-2, 3}, {-3, 2}},
        std::vector<Interval>{{-25, 25}, {0, 3}, {-2, 2}}}) {
    SymbolicBox B(Ranges);
    FloorBasis Basis(B.Domain);
    IndexExpr X = B.Variables[0].E, N = B.Variables[1].E, M = B.Variables[2].E;
    IndexContext &C = B.Context;
    IndexExpr NM = C.multiply(N, M);
    const SymbolicOperation &Quotient = Operations[3];
    const SymbolicOperation &Remainder = Operations[4];
    for (IndexExpr Whole : {NM, C.scale(NM, 2), C.scale(N, -6), C.constant(6),
                            C.multiply(NM, N), C.add(NM, 1)})
      for (IndexExpr Part : {N, M, C.scale(N, 2), C.scale(N, -3), NM,
                             C.constant(2), C.constant(-3), C.multiply(N, N)})
        for (const SymbolicOperation *First : {&Quotient, &Remainder})
          for (const SymbolicOperation *Second : {&Quotient, &Remainder}) {
            PartialSample Digit =
                B.apply(Basis, *First, B.sample(X), B.sample(Whole));
            PartialSample Last = B.apply(Basis, *Second, Digit, B.sample(Part));
            B.check(Basis, Digit);
            B.check(Basis, Last);
            B.check(Basis, B.apply(Basis, Remainder, Last, B.sample(N)));
          }
  }
}

} // namespace
