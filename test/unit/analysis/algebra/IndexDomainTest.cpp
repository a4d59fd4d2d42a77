//===- IndexDomainTest.cpp - Ranges of forms under constraints ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexDomain.h"
#include "analysis/algebra/FloorBasis.h"
#include "test/unit/AlgebraTestHelper.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class IndexDomainTest : public testing::Test {
protected:
  IndexExpr var(StringRef Name, const Interval &Range,
                const Congruence &Lattice = {}) {
    const IndexAtom *A = Context.createVariable(Name);
    Domain.declare(A, Range, Lattice);
    return Context.atom(A);
  }
  IndexExpr add(IndexExpr A, IndexExpr B, int64_t Times = 1) {
    return Context.add(A, B, Times);
  }
  IndexExpr floor(IndexExpr E, int64_t D) {
    return Context.rawAtom(IndexAtom::Kind::FloorDiv, E, D);
  }
  IndexExpr mod(IndexExpr E, int64_t D) { return add(E, floor(E, D), -D); }
  IndexExpr trunc(IndexExpr E, int64_t D) {
    return Context.rawAtom(IndexAtom::Kind::TruncDiv, E, D);
  }
  IndexExpr min(IndexExpr A, IndexExpr B) {
    return add(
        B, Context.rawAtom(IndexAtom::Kind::NegativePart, Context.sub(A, B)));
  }

  IndexContext Context;
  IndexDomain Domain{Context};
};

//===----------------------------------------------------------------------===//
// Ranges that see through the floor basis
//===----------------------------------------------------------------------===//

TEST_F(IndexDomainTest, Remainders) {
  IndexExpr X = var("x", {0, 299999}), U = var("u", Interval());
  EXPECT_EQ(Domain.range(mod(X, 75)), Interval(0, 74));
  EXPECT_EQ(Domain.range(mod(U, 75)), Interval(0, 74));
  // (x/75) mod 40, in its flattened form.
  EXPECT_EQ(Domain.range(add(floor(X, 75), floor(X, 3000), -40)),
            Interval(0, 39));
  // Scaled, negated, and next to other terms.
  IndexExpr Y = var("y", {0, 3});
  EXPECT_EQ(Domain.range(add(Y, mod(X, 75), 4)), Interval(0, 299));
  EXPECT_EQ(Domain.range(add(Y, mod(X, 75), -4)), Interval(-296, 3));
  EXPECT_EQ(Domain.range(add(mod(X, 75), mod(U, 6), 100)), Interval(0, 574));
  // A delinearized index, three digits at once.
  IndexExpr Digits =
      add(mod(X, 75), add(floor(X, 75), floor(X, 3000), -40), 75);
  EXPECT_EQ(Domain.range(Digits), Interval(0, 2999));
}

/// Two quotients of one number, each in a normal form of its own: cancelled,
/// with multiples of its divisor moved out.
TEST_F(IndexDomainTest, DigitsOfQuotientsInNormalForm) {
  constexpr int64_t Size = 40;
  IndexExpr X = var("x", {0, Size - 1}), Y = var("y", {0, Size - 1});
  FloorBasis Basis(Domain);
  unsigned Narrow = 0;
  for (int64_t A : {1, 2, 4, 6})
    for (int64_t B : {1, 4, 9, 128})
      for (int64_t Offset : {0, 1, 3})
        for (int64_t P : {2, 3, 4, 6, 25})
          for (int64_t K : {2, 3, 10}) {
            IndexExpr N = Context.add(add(Context.scale(X, A), Y, B), Offset);
            IndexExpr Digit =
                add(Basis.floorDiv(N, P), Basis.floorDiv(N, P * K), -K);
            Interval Range = Domain.range(Digit);
            Interval Exact = Interval::empty();
            for (int64_t I = 0; I < Size; ++I)
              for (int64_t J = 0; J < Size; ++J)
                Exact = Exact.unite(
                    Interval::point((A * I + B * J + Offset) / P % K));
            SCOPED_TRACE(
                formatv("({0}*x + {1}*y + {2}) / {3} % {4}", A, B, Offset, P, K)
                    .str());
            EXPECT_EQ(Range.intersect(Exact), Exact);
            Narrow += Range.intersect(Interval(0, K - 1)) == Range;
          }
  EXPECT_EQ(Narrow, 4u * 4 * 3 * 5 * 3);
}

/// Quotients of neighbouring numbers make no digit.
TEST_F(IndexDomainTest, DigitsOfQuotientsInNormalForm_negative) {
  IndexExpr X = var("x", {0, 99});
  for (int64_t Scale : {1, 2, 3})
    for (int64_t Offset : {-1, 1, 2, 3}) {
      IndexExpr N = Context.add(Context.scale(X, Scale), Offset);
      Interval Range = Domain.range(add(floor(N, 2 * Scale), floor(X, 6), -3));
      for (int64_t I = 0; I < 100; ++I)
        EXPECT_TRUE(Range.contains(floorDiv(Scale * I + Offset, 2 * Scale) -
                                   3 * (I / 6)));
    }
}

// Sums of more digits than are split off in every order: what they are for each
// number, compared with the range.
TEST_F(IndexDomainTest, ManyDigitsOfOneNumber) {
  constexpr int64_t Size = 1440;
  constexpr int64_t Divisors[] = {1, 2, 6, 12, 24, 120, 360, 720};
  IndexExpr X = var("x", {0, Size - 1});
  for (unsigned Case = 0; Case < 400; ++Case) {
    // Coefficients from -4 to 5, without 0.
    auto Coefficient = [Case](unsigned K) {
      int64_t C = int64_t((Case * 7919 + K * K * 104729 + K * 31) % 9) - 4;
      return C >= 0 ? C + 1 : C;
    };
    IndexExpr Sum = Context.constant(Case % 3);
    for (unsigned K = 0; K < std::size(Divisors); ++K)
      Sum = add(Sum, K == 0 ? X : floor(X, Divisors[K]), Coefficient(K));
    Interval Values = Interval::empty();
    for (int64_t N = 0; N < Size; ++N) {
      int64_t Value = Case % 3;
      for (unsigned K = 0; K < std::size(Divisors); ++K)
        Value += Coefficient(K) * (N / Divisors[K]);
      Values = Values.unite(Interval::point(Value));
    }
    EXPECT_EQ(Domain.range(Sum), Values) << Case;
  }
}

// Bits are counted so, in kernels that have nothing to do with indices.
TEST_F(IndexDomainTest, ManyBits) {
  IndexExpr X = var("x", {0, UINT32_MAX}), Bits = mod(X, 2);
  for (unsigned Bit = 1; Bit < 11; ++Bit)
    Bits = add(Bits, add(floor(X, 1 << Bit), floor(X, 2 << Bit), -2));
  EXPECT_EQ(Domain.range(Bits), Interval(0, 11));
}

TEST_F(IndexDomainTest, RemaindersInsideOnePeriod) {
  IndexExpr X = var("x", {150, 160});
  EXPECT_EQ(Domain.range(mod(X, 75)), Interval(0, 10));
  EXPECT_EQ(Domain.range(mod(add(X, Context.constant(-1)), 75)),
            Interval(0, 74)); // 149 mod 75 is 74
}

TEST_F(IndexDomainTest, TruncatingRemaindersHaveTheSignOfTheDividend) {
  auto Mod = [&](IndexExpr E, int64_t D) { return add(E, trunc(E, D), -D); };
  EXPECT_EQ(Domain.range(Mod(var("a", Interval()), 8)), Interval(-7, 7));
  EXPECT_EQ(Domain.range(Mod(var("b", {0, 100}), 8)), Interval(0, 7));
  EXPECT_EQ(Domain.range(Mod(var("c", {-100, 0}), 8)), Interval(-7, 0));
  EXPECT_EQ(Domain.range(Mod(var("d", {-3, 100}), 8)), Interval(-3, 7));
  // tdiv(x, 3) tmod 5
  IndexExpr X = var("x", Interval());
  EXPECT_EQ(Domain.range(add(trunc(X, 3), trunc(X, 15), -5)), Interval(-4, 4));
}

TEST_F(IndexDomainTest, RemaindersOnLattices) {
  // 4*u mod 12 is 0, 4 or 8; one more for 4*u + 1.
  IndexExpr U = var("u", Interval());
  IndexExpr Four = Context.scale(U, 4);
  EXPECT_EQ(Domain.range(mod(Four, 12)), Interval(0, 8));
  EXPECT_EQ(Domain.range(mod(Context.add(Four, 1), 12)), Interval(1, 9));
  EXPECT_EQ(Domain.range(mod(Four, 9)), Interval(0, 8)); // coprime: no help
  IndexExpr V = var("v", Interval(), Congruence::of(6, 2));
  EXPECT_EQ(Domain.range(mod(V, 4)), Interval(0, 2));
  EXPECT_EQ(Domain.congruence(Context.add(V, 1)), Congruence::of(6, 3));
  EXPECT_EQ(Domain.congruence(floor(V, 2)), Congruence::of(3, 1));
  EXPECT_EQ(Domain.congruence(add(Four, V, 3)), Congruence::of(2, 0));
  // The remainder's steps count beside other terms, and a sum's own steps.
  IndexExpr Small = var("s", {0, 2}),
            Even = var("e", {0, 6}, Congruence::of(2, 0));
  EXPECT_EQ(Domain.range(add(mod(Four, 12), Small)), Interval(0, 10));
  IndexDomain Child(Domain);
  Child.constrain(add(V, Even), {-7, 9});
  EXPECT_EQ(Child.range(add(V, Even)), Interval(-6, 8));
  // Declaring tightens the range.
  EXPECT_EQ(Domain.range(var("w", {1, 100}, Congruence::of(8, 0))),
            Interval(8, 96));
}

TEST_F(IndexDomainTest, MinimaAndMaxima) {
  IndexExpr X = var("x", {0, 100}), Y = var("y", {5, 7});
  EXPECT_EQ(Domain.range(min(X, Y)), Interval(0, 7));
  EXPECT_EQ(Domain.range(Context.sub(add(X, Y), min(X, Y))), // the maximum
            Interval(5, 100));
  EXPECT_EQ(Domain.range(Context.sub(X, min(X, Y))), Interval(0, 95));
  // min(max(u, 0), 31): a clamp.
  IndexExpr U = var("u", Interval());
  IndexExpr Max =
      Context.sub(U, Context.rawAtom(IndexAtom::Kind::NegativePart, U));
  EXPECT_EQ(Domain.range(Max), Interval::atLeast(0));
  EXPECT_EQ(Domain.range(min(Max, Context.constant(31))), Interval(0, 31));
}

TEST_F(IndexDomainTest, ConstantQuotients) {
  IndexExpr X = var("x", {150, 160});
  EXPECT_EQ(Domain.constantQuotient(X, 75), 2);
  EXPECT_EQ(Domain.constantQuotient(Context.negate(X), 80), -2);
  EXPECT_EQ(Domain.constantQuotient(X, 8), std::nullopt);
  EXPECT_EQ(Domain.constantQuotient(var("u", Interval()), 75), std::nullopt);
  EXPECT_TRUE(Domain.isNonNegative(X));
  EXPECT_TRUE(Domain.isWithin(X, {150, 160}));
  EXPECT_FALSE(Domain.isWithin(X, {151, 160}));
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

TEST_F(IndexDomainTest, ConstraintOnASum) {
  IndexExpr Th = var("th", {0, 127}), Bl = var("bl", {0, 1000});
  IndexExpr I = add(Th, Bl, 128);
  Domain.constrain(I, {0, 29});
  EXPECT_EQ(Domain.range(I), Interval(0, 29));
  EXPECT_EQ(Domain.range(Bl), Interval(0, 0));
  EXPECT_EQ(Domain.range(Th), Interval(0, 29));
}

TEST_F(IndexDomainTest, ConstraintOnASumKeepsItsTerms) {
  IndexExpr Th = var("th", {0, 127}), Bl = var("bl", {0, 1000});
  IndexExpr I = add(Th, Bl, 128);
  Domain.constrain(I, {0, 3000});
  EXPECT_EQ(Domain.range(I), Interval(0, 3000));
  EXPECT_EQ(Domain.range(Bl), Interval(0, 23));
  EXPECT_EQ(Domain.range(Th), Interval(0, 127));
  // Forms that contain the constrained one see it too.
  EXPECT_EQ(Domain.range(Context.add(Context.scale(I, -4), 7)),
            Interval(-11993, 7));
  EXPECT_EQ(Domain.range(floor(I, 1000)), Interval(0, 3));
}

TEST_F(IndexDomainTest, ConstraintsAreKeptInLowestTerms) {
  IndexExpr X = var("x", {0, 100}), Y = var("y", {0, 100});
  Domain.constrain(Context.add(add(Context.scale(X, -6), Y, -9), 1), {-100, 0});
  ASSERT_EQ(Domain.constraints().size(), 1u);
  EXPECT_EQ(Domain.constraints()[0].Expr, add(Context.scale(X, 2), Y, 3));
  EXPECT_EQ(Domain.constraints()[0].Range, Interval(1, 33));
  // Nothing new is not stored.
  Domain.constrain(add(Context.scale(X, 2), Y, 3), {0, 40});
  EXPECT_EQ(Domain.constraints().size(), 1u);
}

TEST_F(IndexDomainTest, ConstraintOnAQuotient) {
  IndexExpr I = var("i", Interval::atLeast(0));
  Domain.constrain(floor(I, 55), Interval::atMost(29));
  EXPECT_EQ(Domain.range(I), Interval(0, 1649));
  EXPECT_EQ(Domain.range(floor(I, 55)), Interval(0, 29));
}

TEST_F(IndexDomainTest, ConstraintOnATruncatedQuotientStaysThere) {
  IndexExpr I = var("i", Interval());
  Domain.constrain(trunc(I, 55), Interval(-2, 29));
  EXPECT_EQ(Domain.range(trunc(I, 55)), Interval(-2, 29));
  // tdiv rounds towards zero on both sides, [-2, 29] is not [-110, 1649].
  EXPECT_TRUE(Domain.range(I).contains(Interval(-164, 1649)));
}

TEST_F(IndexDomainTest, ConstraintOnAMinimum) {
  IndexExpr X = var("x", {-100, 100});
  Domain.constrain(Context.rawAtom(IndexAtom::Kind::NegativePart, X),
                   {-20, -5});
  EXPECT_EQ(Domain.range(X), Interval(-20, -5));
  IndexExpr Y = var("y", {-100, 100});
  Domain.constrain(Context.rawAtom(IndexAtom::Kind::NegativePart, Y), {-20, 0});
  EXPECT_TRUE(Domain.range(Y).contains(Interval(-20, 100)));
}

TEST_F(IndexDomainTest, PropagationReachesEarlierConstraints) {
  IndexExpr A = var("a", {0, 99}), B = var("b", {0, 99}), C = var("c", {0, 99});
  Domain.constrain(Context.sub(A, B), Interval::atMost(-1)); // a < b
  Domain.constrain(Context.sub(B, C), Interval::atMost(-1)); // b < c
  Domain.constrain(C, Interval::atMost(9));
  Domain.propagate();
  EXPECT_EQ(Domain.range(A), Interval(0, 7));
  EXPECT_EQ(Domain.range(B), Interval(1, 8));
  EXPECT_EQ(Domain.range(C), Interval(2, 9));
}

TEST_F(IndexDomainTest, ChildrenSeeTheirParentAndDoNotChangeIt) {
  IndexExpr X = var("x", {0, 1000}), Y = var("y", {0, 1000});
  Domain.constrain(add(X, Y), {0, 500});
  IndexDomain Child(Domain), Sibling(Domain);
  EXPECT_EQ(Child.range(add(X, Y)), Interval(0, 500));
  Child.constrain(X, Interval::atMost(9));
  Child.constrain(Context.sub(X, Y), Interval::atMost(0));
  IndexDomain Grandchild(Child);
  EXPECT_EQ(Grandchild.range(X), Interval(0, 9));
  EXPECT_EQ(Grandchild.range(Context.sub(X, Y)), Interval(-500, 0));
  EXPECT_EQ(Grandchild.boundsOf(X.asAtom()), Interval(0, 9));
  for (const IndexDomain *D : {&Domain, &Sibling}) {
    EXPECT_EQ(D->range(X), Interval(0, 500));
    EXPECT_EQ(D->range(Context.sub(X, Y)), Interval(-500, 500));
  }
  EXPECT_TRUE(Sibling.constraints().empty());
}

TEST_F(IndexDomainTest, VariablesCanBeDeclaredInAParentLater) {
  IndexDomain Child(Domain);
  IndexExpr X = var("x", {3, 5});
  EXPECT_EQ(Child.range(X), Interval(3, 5));
}

TEST_F(IndexDomainTest, QueriesAfterANewFactAreNotStale) {
  IndexExpr X = var("x", {0, 1000});
  EXPECT_EQ(Domain.range(mod(X, 75)), Interval(0, 74));
  Domain.constrain(X, Interval::atMost(9));
  EXPECT_EQ(Domain.range(mod(X, 75)), Interval(0, 9));
  EXPECT_EQ(Domain.range(floor(X, 75)), Interval(0, 0));
  // A relation that bounds no variable.
  IndexExpr Y = var("y", {0, 9});
  EXPECT_EQ(Domain.range(add(X, Y)), Interval(0, 18));
  Domain.constrain(add(X, Y), Interval::atMost(15));
  EXPECT_EQ(Domain.range(add(X, Y)), Interval(0, 15));
}

//===----------------------------------------------------------------------===//
// Contradictions
//===----------------------------------------------------------------------===//

TEST_F(IndexDomainTest, ContradictionsAreNoticed) {
  IndexExpr X = var("x", {0, 10}), Y = var("y", {0, 10});
  auto IsEmptyWith = [&](IndexExpr E, const Interval &Range) {
    IndexDomain Child(Domain);
    Child.constrain(E, Range);
    Child.propagate();
    EXPECT_FALSE(Child.range(X).isEmpty());
    EXPECT_EQ(IndexDomain(Child).isKnownEmpty(), Child.isKnownEmpty());
    return Child.isKnownEmpty();
  };
  EXPECT_TRUE(IsEmptyWith(X, Interval::atLeast(11)));
  EXPECT_TRUE(IsEmptyWith(add(X, Y), Interval::atLeast(21)));
  EXPECT_TRUE(IsEmptyWith(Context.scale(X, 4), {5, 7})); // no multiple of 4
  EXPECT_TRUE(IsEmptyWith(add(Context.scale(X, 2), Y, 4), {1, 1}));
  EXPECT_TRUE(IsEmptyWith(mod(X, 5), Interval::atLeast(5)));
  EXPECT_TRUE(IsEmptyWith(floor(X, 5), Interval::atMost(-1)));
  EXPECT_TRUE(IsEmptyWith(Context.constant(3), {4, 5}));
  EXPECT_FALSE(Domain.isKnownEmpty());
}

/// No multiple of 8 is in [1, 3].
/// FAILS: declare() does not look, and range() is empty.
TEST_F(IndexDomainTest, ContradictoryDeclaration) {
  IndexExpr X = var("x", {1, 3}, Congruence::of(8, 0));
  EXPECT_TRUE(Domain.isKnownEmpty());
  EXPECT_FALSE(Domain.range(X).isEmpty());
}

TEST_F(IndexDomainTest, ContradictionsAreNoticed_negative) {
  IndexExpr X = var("x", {0, 10}), Y = var("y", {0, 10});
  Domain.constrain(X, Interval::atLeast(10));
  Domain.constrain(add(X, Y), Interval::atLeast(20));
  Domain.constrain(Context.scale(X, 4), {39, 41});
  Domain.constrain(mod(X, 6), Interval::point(4));
  Domain.constrain(Context.constant(3), {3, 5});
  Domain.propagate();
  EXPECT_FALSE(Domain.isKnownEmpty());
  EXPECT_EQ(Domain.range(Y), Interval::point(10));
}

//===----------------------------------------------------------------------===//
// Size
//===----------------------------------------------------------------------===//

/// Ranges next to the ends of 64 bits saturate.
TEST_F(IndexDomainTest, HugeRanges) {
  const int64_t Max = Interval::PlusInfinity;
  IndexExpr X = var("x", {-Max, Max - 1});
  IndexExpr Y = var("y", Interval::atLeast(Max - 1));
  EXPECT_EQ(Domain.range(add(X, Y)), Interval::atLeast(-1));
  EXPECT_EQ(Domain.range(Context.scale(X, 4)), Interval());
  EXPECT_EQ(Domain.range(mod(X, 75)), Interval(0, 74));
  EXPECT_EQ(Domain.range(floor(Y, 2)), Interval::atLeast(Max / 2));
  Domain.constrain(add(X, Y, Max), {-Max, Max - 1});
  Domain.constrain(Context.add(X, Max), Interval::atMost(Max - 1));
  Domain.constrain(floor(Y, Max), {1, Max - 1});
  Domain.propagate();
  EXPECT_EQ(Domain.range(X).hi(), -1);
  EXPECT_TRUE(Domain.range(Y).contains(Max - 1));
}

/// Far more facts than are consulted: sound, and quick enough to finish.
TEST_F(IndexDomainTest, ManyConstraintsStayBounded) {
  std::vector<IndexExpr> Vars;
  for (unsigned I = 0; I < 12; ++I)
    Vars.push_back(var("v" + std::to_string(I), {0, 1000}));
  IndexExpr Sum = Context.constant(0);
  for (unsigned I = 0; I < 12; ++I)
    Sum = add(Sum, Vars[I], I % 3 + 1);
  for (unsigned I = 0; I < 12; ++I)
    for (unsigned J = 0; J < I; ++J)
      Domain.constrain(add(Vars[I], Vars[J], I % 3 + J % 2 + 1), {0, 500});
  Domain.propagate();
  Interval R = Domain.range(Sum);
  EXPECT_EQ(R.lo(), 0);
  EXPECT_LT(R.hi(), 12000);
}

//===----------------------------------------------------------------------===//
// Products, symbolic quotients, conditions
//===----------------------------------------------------------------------===//

TEST_F(IndexDomainTest, ProductsOfAtoms) {
  IndexExpr X = var("x", {-3, 2}), Y = var("y", {1, 4});
  auto Mul = [&](IndexExpr A, IndexExpr B) { return Context.multiply(A, B); };
  EXPECT_EQ(Domain.range(Mul(X, Y)), Interval(-12, 8));
  EXPECT_EQ(Domain.range(Mul(X, X)), Interval(0, 9));
  EXPECT_EQ(Domain.range(Mul(Mul(X, X), Y)), Interval(0, 36));
  EXPECT_EQ(Domain.range(Mul(Mul(X, X), X)), Interval(-27, 18));
  // x*y - 2*x is x*(y - 2): at the corners of the box.
  EXPECT_EQ(Domain.range(add(Mul(X, Y), X, -2)), Interval(-6, 4));
  EXPECT_EQ(Domain.range(add(Mul(X, X), X)), Interval(-3, 11)); // no corners
  IndexExpr N = var("n", Interval::atLeast(1));
  EXPECT_EQ(Domain.range(Mul(N, N)), Interval::atLeast(0 + 1));
  EXPECT_EQ(Domain.range(Mul(N, X)), Interval());
  IndexExpr E = var("e", Interval(), Congruence::of(4, 2));
  IndexExpr F = var("f", Interval(), Congruence::of(6, 3));
  EXPECT_EQ(Domain.congruence(Mul(E, F)), Congruence::of(12, 6));
}

TEST_F(IndexDomainTest, SymbolicRemainders) {
  IndexExpr X = var("x", Interval()), P = var("p", {1, 8});
  IndexExpr N = var("n", {-8, -2}), B = var("b", {-3, 5});
  auto Rest = [&](IndexExpr M, IndexExpr D, bool Floor) {
    IndexExpr Q = Context.rawAtom(
        Floor ? IndexAtom::Kind::FloorDiv : IndexAtom::Kind::TruncDiv, M, D);
    return Context.sub(M, Context.multiply(D, Q));
  };
  EXPECT_EQ(Domain.range(Rest(X, P, true)), Interval(0, 7));
  EXPECT_EQ(Domain.range(Rest(X, N, true)), Interval(-7, 0));
  EXPECT_EQ(Domain.range(Rest(X, B, true)), Interval(-2, 4));
  EXPECT_EQ(Domain.range(Context.scale(Rest(X, P, true), -3)),
            Interval(-21, 0));
  EXPECT_EQ(Domain.range(Rest(var("y", {2, 9}), B, false)), Interval(0, 9));
  EXPECT_EQ(Domain.range(Rest(var("z", {-4, 9}), B, false)), Interval(-4, 9));
  // (x floordiv p) mod k for p*k.
  IndexExpr K = var("k", {1, 5}), L = var("l", {-2, 5});
  auto Digit = [&](IndexExpr Radix) {
    IndexExpr Inner = Context.rawAtom(IndexAtom::Kind::FloorDiv, X, P);
    IndexExpr Outer = Context.rawAtom(IndexAtom::Kind::FloorDiv, X,
                                      Context.multiply(P, Radix));
    return Context.sub(Inner, Context.multiply(Radix, Outer));
  };
  EXPECT_EQ(Domain.range(Digit(K)), Interval(0, 4));
  // floor(floor(x/p) / l) is no floor(x/(p*l)) for a negative l.
  EXPECT_FALSE(Domain.range(Digit(L)).isBounded());
}

TEST_F(IndexDomainTest, ConditionsCaseByCase) {
  IndexExpr X = var("x", {0, 9}), Y = var("y", {20, 29});
  IndexExpr Z = var("z", Interval());
  IndexExpr C = Context.rawAtom(IndexAtom::Kind::NonNegative, Z);
  EXPECT_EQ(Domain.range(C), Interval(0, 1));
  // select(c, x, y), and 3*c*x - c*x + c
  IndexExpr Select = add(Y, Context.multiply(C, Context.sub(X, Y)));
  EXPECT_EQ(Domain.range(Select), Interval(0, 29));
  EXPECT_EQ(Domain.range(add(Context.multiply(C, X), C, -4)), Interval(-4, 5));
  Domain.constrain(C, Interval::point(1));
  EXPECT_EQ(Domain.range(Z), Interval::atLeast(0));
}
TEST_F(IndexDomainTest, FactsOfConditions) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  auto Condition = [&](IndexAtom::Kind Kind, IndexExpr E) {
    return Context.rawAtom(Kind, E);
  };
  IndexExpr N = Condition(IndexAtom::Kind::NonNegative, Context.add(X, -3));
  IndexExpr Z = Condition(IndexAtom::Kind::Zero, Context.add(Y, -4));
  auto Check = [&](IndexExpr E, int64_t Value, Interval OfX, Interval OfY) {
    IndexDomain Child(Domain);
    Child.constrain(E, Interval::point(Value));
    EXPECT_EQ(Child.range(X), OfX);
    EXPECT_EQ(Child.range(Y), OfY);
  };
  Check(N, 1, Interval::atLeast(3), Interval());
  Check(N, 0, Interval::atMost(2), Interval());
  Check(Z, 1, Interval(), {4, 4});
  Check(Z, 0, Interval(), Interval());
  Check(Context.multiply(N, Z), 1, Interval::atLeast(3), {4, 4});
  Check(Context.multiply(N, Z), 0, Interval(), Interval());
  // Not if a factor is no condition.
  Check(Context.multiply(N, Y), 1, Interval(), Interval());
  EXPECT_EQ(Domain.range(X), Interval()); // the children's facts are theirs
}

/// floor(x/4) + y is floor((x + 4*y)/4), which a fact may be about.
TEST_F(IndexDomainTest, WholeDividends) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr E = add(floor(X, 4), Y);
  EXPECT_EQ(Domain.range(E), Interval());
  Domain.constrain(add(X, Y, 4), {0, 39});
  EXPECT_EQ(Domain.range(E), Interval(0, 9));
  EXPECT_EQ(Domain.range(Context.scale(E, -2)), Interval(-18, 0));
  EXPECT_EQ(Domain.range(add(floor(X, 4), Y, 2)), Interval());
  EXPECT_EQ(Domain.range(add(trunc(X, 4), Y)), Interval());
}

TEST_F(IndexDomainTest, LatticeFacts) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  Domain.constrainLattice(Context.add(add(X, Y, 2), 1), Congruence::of(6, 3));
  EXPECT_EQ(Domain.congruence(add(X, Y, 2)), Congruence::of(6, 2));
  EXPECT_EQ(Domain.congruence(add(X, Y, 8)), Congruence::of(6, 2));
  EXPECT_EQ(Domain.congruence(Context.scale(add(X, Y, 2), -2)),
            Congruence::of(12, 8));
  EXPECT_TRUE(Domain.congruence(add(X, Y, 3)).isTrivial());
  EXPECT_TRUE(Domain.congruence(X).isTrivial());
  IndexExpr Z = var("z", {0, 50});
  Domain.constrainLattice(Context.add(Context.scale(Z, 4), 1),
                          Congruence::of(6, 3));
  EXPECT_EQ(Domain.congruence(Z), Congruence::of(3, 2));
  EXPECT_EQ(Domain.range(Z), Interval(2, 50));
  IndexDomain Child(Domain);
  Child.constrain(mod(X, 4), Interval::point(3));
  EXPECT_EQ(Child.congruence(X), Congruence::of(4, 3));
  EXPECT_TRUE(Domain.congruence(X).isTrivial());
  IndexDomain Contradictory(Domain);
  Contradictory.constrainLattice(Context.scale(Z, 4), Congruence::of(6, 1));
  EXPECT_TRUE(Contradictory.isKnownEmpty());
  EXPECT_FALSE(Domain.isKnownEmpty());
}

/// Digits put in another order: the range of their sum is not found, but the
/// caller who adds them up knows it.
TEST_F(IndexDomainTest, LearnedRanges) {
  IndexExpr B = var("b", {0, 6}), T = var("t", {0, 127});
  IndexExpr X = add(T, B, 128); // the quotients of x are
  IndexExpr By6 = add(floor(add(T, B, 2), 6), B, 21);
  IndexExpr By12 = add(floor(add(T, B, 8), 12), B, 10);
  IndexExpr By84 = add(floor(add(T, B, 44), 84), B);
  Domain.constrain(X, Interval::atMost(839));
  // 7*(2*(x/84) + (x/6) mod 2) + (x/12) mod 7
  IndexExpr Row = Context.scale(add(add(By6, By12, -2), By84, 2), 7);
  IndexExpr E = add(Row, add(By12, By84, -7));
  EXPECT_FALSE(Domain.isWithin(E, Interval(0, 139)));
  Domain.learnRange(E, Domain.range(Row) + Interval(0, 6));
  EXPECT_EQ(Domain.range(E), Interval(0, 139));
  // What is wider, or contradicts what is known, changes nothing.
  Domain.learnRange(E, Interval(-5, 1000));
  EXPECT_EQ(Domain.range(E), Interval(0, 139));
  Domain.learnRange(E, Interval::atLeast(140));
  EXPECT_EQ(Domain.range(E), Interval(0, 139));
  // It holds for multiples, and stays when the domain learns more.
  EXPECT_EQ(Domain.range(add(Context.constant(5), E, -3)), Interval(-412, 5));
  Domain.constrain(X, Interval::atMost(799));
  EXPECT_EQ(Domain.range(E), Interval(0, 139));
  EXPECT_FALSE(IndexDomain(Context).isWithin(E, Interval(0, 139)));
}

/// a*b <= 100 bounds a*b*c by 100 times what bounds c.
TEST_F(IndexDomainTest, ProductsOfBoundedProducts) {
  IndexExpr A = var("a", {1, 50}), B = var("b", {1, 50}), C = var("c", {1, 7});
  IndexExpr AB = Context.multiply(A, B), ABC = Context.multiply(AB, C);
  EXPECT_EQ(Domain.range(ABC), Interval(1, 50 * 50 * 7));
  Domain.constrain(AB, Interval::atMost(100));
  EXPECT_EQ(Domain.range(ABC), Interval(1, 700));
}
TEST_F(IndexDomainTest, ProductsOfBoundedProducts_negative) {
  IndexExpr A = var("a", {1, 50}), B = var("b", {1, 50}), C = var("c", {-7, 7});
  IndexExpr AB = Context.multiply(A, B), ABC = Context.multiply(AB, C);
  Domain.constrain(AB, Interval::atMost(100));
  EXPECT_EQ(Domain.range(ABC), Interval(-700, 700));
  // a alone bounds nothing of b*c.
  EXPECT_EQ(Domain.range(Context.multiply(B, C)), Interval(-350, 350));
}

} // namespace
