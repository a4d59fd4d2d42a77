//===- DomainSamplerTest.cpp - Some points of a domain
//---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which false claims the sample points of a domain refute, and (in the
// _negative twins) that they refute nothing that holds; then, on many small
// domains with constraints, that whatever is refuted fails at some point.
//
//===----------------------------------------------------------------------===//

#include "test/unit/FloorBasisTestHelper.h"
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class DomainSamplerTest : public FloorBasisFixture {
protected:
  IndexExpr mul(IndexExpr A, IndexExpr B) { return Context.multiply(A, B); }
  IndexExpr sub(IndexExpr A, IndexExpr B) { return Context.sub(A, B); }
  IndexExpr below(IndexExpr A, IndexExpr B) {
    return Context.add(sub(B, A), -1);
  }
  void assumeLess(IndexExpr A, IndexExpr B) {
    Domain.constrain(below(A, B), Interval::atLeast(0));
  }
  bool isRefuted(IndexExpr E) { return Domain.isRefuted(E); }

  const Interval Word{0, (int64_t(1) << 31) - 1}, Size{1, Word.hi()};
};

TEST_F(DomainSamplerTest, UnrelatedSizes) {
  IndexExpr A = var("a", Size), B = var("b", Size);
  EXPECT_TRUE(isRefuted(sub(A, B)));
  EXPECT_TRUE(isRefuted(sub(B, A)));
  EXPECT_TRUE(isRefuted(below(A, mul(A, B))));
}
TEST_F(DomainSamplerTest, UnrelatedSizes_negative) {
  IndexExpr A = var("a", Size), B = var("b", Size);
  EXPECT_FALSE(isRefuted(Context.add(A, -1)));
  EXPECT_FALSE(isRefuted(sub(mul(A, B), A)));
  EXPECT_FALSE(isRefuted(Context.add(add(A, B), -2)));
}

/// i < n says nothing of i and the factors of another size.
TEST_F(DomainSamplerTest, GuardsMovePoints) {
  IndexExpr I = var("i", Word), N = var("n", Size);
  IndexExpr H = var("h", Size), W = var("w", Size);
  assumeLess(I, N);
  EXPECT_TRUE(isRefuted(below(I, mul(H, W))));
  EXPECT_TRUE(isRefuted(below(Context.add(I, 1), N)));
}
/// No point has x = 1000*y + 17 by chance.
TEST_F(DomainSamplerTest, EquationsMovePoints) {
  IndexExpr X = var("x", Word), Y = var("y", Word);
  Domain.constrain(Context.add(X, Y, -1000), Interval::point(17));
  EXPECT_TRUE(isRefuted(sub(Y, num(5))));
  EXPECT_TRUE(isRefuted(sub(num(50), Y)));
}
TEST_F(DomainSamplerTest, EquationsMovePoints_negative) {
  IndexExpr X = var("x", Word), Y = var("y", Word);
  Domain.constrain(Context.add(X, Y, -1000), Interval::point(17));
  EXPECT_FALSE(isRefuted(sub(X, Y)));
  EXPECT_FALSE(isRefuted(sub(X, num(17))));
}
TEST_F(DomainSamplerTest, GuardsMovePoints_negative) {
  IndexExpr X = var("x", Word), Y = var("y", Word);
  IndexExpr H = var("h", Size), W = var("w", Size);
  assumeLess(X, W);
  assumeLess(Y, H);
  EXPECT_FALSE(isRefuted(below(X, W)));
  EXPECT_FALSE(isRefuted(below(add(mul(Y, W), X), mul(H, W))));
}

/// Words overflow at the ends of ranges, beyond 64 bits as well.
TEST_F(DomainSamplerTest, LargeProducts) {
  IndexExpr A = var("a", Size), B = var("b", Size), C = var("c", Size);
  auto Fits = [&](IndexExpr E, int64_t Limit) { return sub(num(Limit), E); };
  EXPECT_TRUE(isRefuted(Fits(A, 1 << 30)));
  EXPECT_TRUE(isRefuted(Fits(mul(A, B), INT32_MAX)));
  EXPECT_TRUE(isRefuted(Fits(mul(mul(A, B), C), INT64_MAX - 1)));
}
TEST_F(DomainSamplerTest, LargeProducts_negative) {
  IndexExpr A = var("a", Size), B = var("b", Size);
  Domain.constrain(mul(A, B), Interval::atMost(INT32_MAX));
  EXPECT_FALSE(isRefuted(sub(num(INT32_MAX), mul(A, B))));
  EXPECT_FALSE(isRefuted(sub(num(INT32_MAX), A)));
}

TEST_F(DomainSamplerTest, Quotients) {
  IndexExpr X = var("x", Word), D = var("d", Size);
  EXPECT_TRUE(isRefuted(below(Basis.floorDiv(X, D), num(5))));
  EXPECT_TRUE(isRefuted(below(Basis.floorDiv(X, 7), Basis.floorMod(X, 7))));
  EXPECT_TRUE(isRefuted(sub(Basis.min(X, D), num(3))));
  EXPECT_TRUE(isRefuted(Context.add(Basis.nonNegative(sub(X, D)), -1)));
}
TEST_F(DomainSamplerTest, Quotients_negative) {
  IndexExpr X = var("x", Word), D = var("d", {0, 9});
  EXPECT_FALSE(isRefuted(sub(X, Basis.min(X, D))));
  // No value where d = 0: nothing is refuted there.
  EXPECT_FALSE(isRefuted(sub(X, Basis.floorDiv(X, D))));
}

TEST_F(DomainSamplerTest, Lattices) {
  IndexExpr X = var("x", Word, Congruence::of(4, 1));
  EXPECT_TRUE(isRefuted(sub(X, num(2))));
  EXPECT_TRUE(isRefuted(sub(Basis.floorMod(X, 8), num(2))));
}
TEST_F(DomainSamplerTest, Lattices_negative) {
  IndexExpr X = var("x", Word, Congruence::of(4, 1));
  EXPECT_FALSE(isRefuted(sub(num(1), Basis.floorMod(X, 4))));
  EXPECT_FALSE(isRefuted(sub(X, num(1))));
  // (x - 2)*(x - 4) is negative at 3 only.
  EXPECT_FALSE(isRefuted(mul(sub(X, num(2)), sub(X, num(4)))));
}

/// A child moves its parent's points; the parent's stay where they are. What a
/// domain learns later moves them again.
TEST_F(DomainSamplerTest, NestedDomains) {
  IndexExpr A = var("a", Size), B = var("b", Size);
  EXPECT_TRUE(isRefuted(below(A, B)));
  IndexDomain Child(Domain);
  Child.constrain(below(A, B), Interval::atLeast(0));
  EXPECT_FALSE(Child.isRefuted(below(A, B)));
  EXPECT_TRUE(Child.isRefuted(below(Context.add(A, 5), B)));
  EXPECT_TRUE(isRefuted(below(A, B)));
  assumeLess(Context.add(A, 5), B);
  EXPECT_FALSE(isRefuted(below(Context.add(A, 5), B)));
}

/// Where no point satisfies the facts, nothing about them is refuted; other
/// variables are no concern of theirs.
TEST_F(DomainSamplerTest, Contradictions_negative) {
  IndexExpr A = var("a", Word), B = var("b", Word), C = var("c", Word);
  Domain.constrain(sub(mul(A, A), mul(B, B)), Interval::point(2));
  EXPECT_FALSE(isRefuted(sub(A, B)));
  EXPECT_TRUE(isRefuted(sub(num(3), C)));
}

/// Whatever is refuted fails at some point: three variables, up to two
/// constraints, one of them perhaps about a product or a quotient.
class RandomDomains : public testing::TestWithParam<unsigned> {};

TEST_P(RandomDomains, WhatIsRefutedFails) {
  std::mt19937 Random(GetParam());
  auto Pick = [&](int Low, int High) {
    return std::uniform_int_distribution<int>(Low, High)(Random);
  };
  unsigned Refuted = 0, False = 0;
  for (unsigned Trial = 0; Trial < 400; ++Trial) {
    SmallVector<Interval, 3> Ranges;
    for (unsigned I = 0; I < 3; ++I) {
      int Low = Pick(-3, 2);
      Ranges.push_back({Low, Low + Pick(0, 6)});
    }
    Box B(Ranges);
    FloorBasis Basis(B.Domain);
    auto RandomForm = [&] {
      IndexExpr E = B.Context.constant(Pick(-4, 4));
      for (const Sample &V : B.Variables)
        E = B.Context.add(E, V.E, Pick(-2, 2));
      if (Pick(0, 2) == 0)
        E = B.Context.add(
            E, B.Context.multiply(B.Variables[0].E, B.Variables[1].E),
            Pick(-1, 1));
      if (Pick(0, 3) == 0)
        E = B.Context.add(E, Basis.floorDiv(B.Variables[2].E, Pick(2, 4)),
                          Pick(-3, 3));
      return E;
    };
    SmallVector<std::pair<IndexExpr, Interval>, 2> Known;
    for (int I = Pick(0, 2); I > 0; --I)
      Known.push_back({RandomForm(), Interval::atLeast(Pick(-2, 2))});
    for (auto &[E, Range] : Known)
      B.Domain.constrain(E, Range);
    SmallVector<size_t> Points;
    for (size_t P = 0; P < B.points(); ++P)
      if (all_of(Known, [&](const std::pair<IndexExpr, Interval> &K) {
            return K.second.contains(*B.valueAt(K.first, P));
          }))
        Points.push_back(P);
    // Code that never runs may be refuted as well as proved.
    for (unsigned Claims = 0; Claims < 8 && !Points.empty(); ++Claims) {
      IndexExpr Claim = RandomForm();
      bool Fails =
          any_of(Points, [&](size_t P) { return *B.valueAt(Claim, P) < 0; });
      bool IsRefuted = B.Domain.isRefuted(Claim);
      EXPECT_TRUE(Fails || !IsRefuted) << toString(B.Context, Claim);
      Refuted += IsRefuted;
      False += Fails;
    }
  }
  // A few points find nearly all of them.
  EXPECT_GE(Refuted * 100, False * 90) << Refuted << " of " << False;
}

INSTANTIATE_TEST_SUITE_P(DomainSampler, RandomDomains, testing::Range(1u, 5u));

} // namespace
