//===- IndexProverTest.cpp - Proofs of inequalities -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the prover finds that ranges do not, and (in the _negative twins) what
// it must not find; then whatever it claims about many small forms on domains
// with constraints, compared at every point.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexProver.h"
#include "test/unit/FloorBasisTestHelper.h"
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class IndexProverTest : public FloorBasisFixture {
protected:
  IndexExpr mul(IndexExpr A, IndexExpr B) { return Context.multiply(A, B); }
  IndexExpr sub(IndexExpr A, IndexExpr B) { return Context.sub(A, B); }
  void less(IndexExpr A, IndexExpr B) {
    Domain.constrain(sub(B, A), Interval::atLeast(1));
  }
  bool proves(IndexExpr E) { return provesNonNegative(Domain, E); }

  const Interval Natural = Interval::atLeast(0), Size = Interval::atLeast(1);
};

TEST_F(IndexProverTest, RangesAreProofs) {
  IndexExpr X = var("x", {3, 9});
  EXPECT_TRUE(proves(X));
  EXPECT_TRUE(proves(Context.add(X, -3)));
  EXPECT_TRUE(provesPositive(Domain, X));
  EXPECT_TRUE(proves(num(0)));
}
TEST_F(IndexProverTest, RangesAreProofs_negative) {
  IndexExpr X = var("x", {3, 9});
  EXPECT_FALSE(proves(Context.add(X, -4)));
  EXPECT_FALSE(provesPositive(Domain, Context.add(X, -3)));
  EXPECT_FALSE(proves(num(-1)));
  EXPECT_FALSE(proves(IndexExpr()));
  EXPECT_FALSE(provesPositive(Domain, IndexExpr()));
}

/// y < H and x < W: y*W + x < W*H.
TEST_F(IndexProverTest, RowMajorIndex) {
  IndexExpr X = var("x", Natural), Y = var("y", Natural);
  IndexExpr W = var("w", Size), H = var("h", Size);
  less(X, W);
  less(Y, H);
  IndexExpr Index = add(mul(Y, W), X);
  EXPECT_TRUE(proves(Context.add(sub(mul(W, H), Index), -1)));
}
TEST_F(IndexProverTest, RowMajorIndex_negative) {
  IndexExpr X = var("x", Natural), Y = var("y", Natural);
  IndexExpr W = var("w", Size), H = var("h", Size);
  less(X, W);
  less(Y, H);
  IndexExpr Index = add(mul(Y, W), X);
  EXPECT_FALSE(proves(Context.add(sub(mul(W, H), Index), -2)));
  EXPECT_FALSE(proves(Context.add(sub(mul(W, H), add(mul(Y, H), X)), -1)));
}
/// y < H says nothing about y*W < W*H if W may be negative.
TEST_F(IndexProverTest, MultiplierOfUnknownSign_negative) {
  IndexExpr Y = var("y", Natural), H = var("h", Size);
  IndexExpr W = var("w", Interval(-1, 100));
  less(Y, H);
  EXPECT_FALSE(proves(sub(mul(W, H), mul(Y, W))));
}
TEST_F(IndexProverTest, MultiplierOfKnownSign) {
  IndexExpr Y = var("y", Natural), H = var("h", Size);
  IndexExpr W = var("w", Interval(0, 100)), V = var("v", Interval(-100, 0));
  less(Y, H);
  EXPECT_TRUE(proves(sub(mul(W, H), mul(Y, W))));
  EXPECT_TRUE(proves(sub(mul(V, Y), mul(V, H))));
  EXPECT_FALSE(proves(sub(mul(V, H), mul(V, Y))));
}

TEST_F(IndexProverTest, CommonFactorRoundsTheConstant) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  less(Y, X);
  // 3*(x - y) - 1 >= 0 where x - y >= 1; also -3, but not -4.
  IndexExpr E = Context.scale(sub(X, Y), 3);
  EXPECT_TRUE(proves(Context.add(E, -3)));
  EXPECT_TRUE(proves(Context.add(E, -1)));
}
TEST_F(IndexProverTest, CommonFactorRoundsTheConstant_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  less(Y, X);
  EXPECT_FALSE(proves(Context.add(Context.scale(sub(X, Y), 3), -4)));
}

/// The chain a <= b <= c <= d.
TEST_F(IndexProverTest, Chains) {
  IndexExpr A = var("a", Interval()), B = var("b", Interval());
  IndexExpr C = var("c", Interval()), D = var("d", Interval());
  Domain.constrain(sub(B, A), Natural);
  Domain.constrain(sub(C, B), Natural);
  Domain.constrain(sub(D, C), Natural);
  EXPECT_TRUE(proves(sub(D, A)));
  EXPECT_TRUE(proves(sub(Context.scale(D, 2), add(A, B))));
}
TEST_F(IndexProverTest, Chains_negative) {
  IndexExpr A = var("a", Interval()), B = var("b", Interval());
  IndexExpr C = var("c", Interval());
  Domain.constrain(sub(B, A), Natural);
  Domain.constrain(sub(B, C), Natural);
  EXPECT_FALSE(proves(sub(C, A)));
  EXPECT_FALSE(proves(sub(A, C)));
}

/// A constraint from above: a - b <= 5.
TEST_F(IndexProverTest, UpperEndsOfConstraints) {
  IndexExpr A = var("a", Interval()), B = var("b", Interval());
  IndexExpr C = var("c", Interval());
  Domain.constrain(sub(A, B), Interval::atMost(5));
  Domain.constrain(sub(B, C), Interval::atMost(2));
  EXPECT_TRUE(proves(Context.add(sub(C, A), 7)));
}
TEST_F(IndexProverTest, UpperEndsOfConstraints_negative) {
  IndexExpr A = var("a", Interval()), B = var("b", Interval());
  IndexExpr C = var("c", Interval());
  Domain.constrain(sub(A, B), Interval::atMost(5));
  Domain.constrain(sub(B, C), Interval::atMost(2));
  EXPECT_FALSE(proves(Context.add(sub(C, A), 6)));
}

/// x <= 9 bounds x*n by 9*n, and x >= 3 from below.
TEST_F(IndexProverTest, BoundsOfAtoms) {
  IndexExpr X = var("x", {3, 9}), N = var("n", Natural), M = var("m", Natural);
  Domain.constrain(sub(N, M), Natural); // m <= n
  EXPECT_TRUE(proves(sub(Context.scale(N, 9), mul(X, M))));
  EXPECT_TRUE(proves(sub(mul(X, N), Context.scale(M, 3))));
}
TEST_F(IndexProverTest, BoundsOfAtoms_negative) {
  IndexExpr X = var("x", {3, 9}), N = var("n", Natural), M = var("m", Natural);
  Domain.constrain(sub(N, M), Natural);
  EXPECT_FALSE(proves(sub(Context.scale(N, 8), mul(X, M))));
  EXPECT_FALSE(proves(sub(mul(X, N), Context.scale(M, 4))));
}

TEST_F(IndexProverTest, QuotientsByDefinition) {
  IndexExpr X = var("x", Natural), N = var("n", Size), M = var("m", Interval());
  IndexExpr Q = Context.rawAtom(IndexAtom::Kind::FloorDiv, X, N);
  less(X, M);
  EXPECT_TRUE(proves(sub(X, mul(N, Q))));
  EXPECT_TRUE(proves(sub(M, mul(N, Q)))); // n*q <= x < m
  EXPECT_TRUE(proves(sub(add(mul(N, Q), N), Context.add(X, 1))));
  IndexExpr Half = Context.rawAtom(IndexAtom::Kind::FloorDiv, X, 2);
  EXPECT_TRUE(proves(sub(M, Context.scale(Half, 2))));
}
TEST_F(IndexProverTest, QuotientsByDefinition_negative) {
  IndexExpr X = var("x", Natural), N = var("n", Size);
  IndexExpr K = var("k", Interval()), M = var("m", Interval());
  IndexExpr Q = Context.rawAtom(IndexAtom::Kind::FloorDiv, X, N);
  IndexExpr R = Context.rawAtom(IndexAtom::Kind::FloorDiv, X, K);
  IndexExpr T = Context.rawAtom(IndexAtom::Kind::TruncDiv, M, N);
  EXPECT_FALSE(proves(sub(add(mul(N, Q), N), Context.add(X, 2))));
  EXPECT_FALSE(proves(sub(Context.add(X, -1), mul(N, Q))));
  EXPECT_FALSE(proves(sub(X, mul(K, R)))); // k may be negative
  EXPECT_FALSE(proves(sub(M, mul(N, T)))); // C's remainder may be negative
}

/// |x - d*tdiv(x, d)| < d.
TEST_F(IndexProverTest, TruncatingQuotientsByDefinition) {
  IndexExpr X = var("x", Interval()), D = var("d", Natural);
  IndexExpr R = Basis.truncMod(X, D);
  EXPECT_TRUE(proves(Context.add(sub(D, R), -1)));
  EXPECT_TRUE(proves(Context.add(add(D, R), -1)));
}
TEST_F(IndexProverTest, TruncatingQuotientsByDefinition_negative) {
  IndexExpr X = var("x", Interval()), D = var("d", Natural);
  IndexExpr Any = var("any", Interval()), R = Basis.truncMod(X, D);
  EXPECT_FALSE(proves(R));
  EXPECT_FALSE(proves(Context.add(sub(D, R), -2)));
  EXPECT_FALSE(proves(Context.add(add(D, R), -2)));
  EXPECT_FALSE(proves(Context.add(sub(Any, Basis.truncMod(X, Any)), -1)));
}

TEST_F(IndexProverTest, MinimaByDefinition) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Z = var("z", Interval()), Least = Basis.min(X, Y);
  Domain.constrain(sub(Z, X), Natural);
  EXPECT_TRUE(proves(sub(Z, Least)));
  EXPECT_TRUE(proves(sub(Basis.max(X, Y), Y)));
}
TEST_F(IndexProverTest, MinimaByDefinition_negative) {
  IndexExpr X = var("x", Interval()), Y = var("y", Interval());
  IndexExpr Z = var("z", Interval());
  Domain.constrain(sub(Z, X), Natural);
  EXPECT_FALSE(proves(sub(Z, Basis.max(X, Y))));
  EXPECT_FALSE(proves(sub(Context.add(Z, -1), Basis.min(X, Y))));
}

/// A child's facts are not the parent's, and not a sibling's.
TEST_F(IndexProverTest, FactsOfTheirScopeOnly) {
  IndexExpr A = var("a", Interval()), B = var("b", Interval());
  IndexExpr C = var("c", Interval());
  Domain.constrain(sub(B, A), Natural);
  IndexExpr E = sub(C, A);
  {
    IndexDomain Child(Domain);
    Child.constrain(sub(C, B), Natural);
    EXPECT_TRUE(provesNonNegative(Child, E));
    IndexDomain Grandchild(Child);
    EXPECT_TRUE(provesNonNegative(Grandchild, E));
  }
  EXPECT_FALSE(proves(E));
  IndexDomain Sibling(Domain);
  EXPECT_FALSE(provesNonNegative(Sibling, E));
  Sibling.constrain(sub(B, C), Natural);
  EXPECT_FALSE(provesNonNegative(Sibling, E));
}

/// With w*h <= 2^31 - 1 the product is an int.
TEST_F(IndexProverTest, ProductsWithinAWord) {
  IndexExpr W = var("w", {1, INT32_MAX}), H = var("h", {1, INT32_MAX});
  IndexExpr X = var("x", Natural);
  Domain.constrain(mul(W, H), Interval::atMost(INT32_MAX));
  EXPECT_TRUE(provesProductWithin(Domain, mul(W, H), {0, INT32_MAX}));
  EXPECT_TRUE(provesProductWithin(Domain, mul(W, H), {1, INT32_MAX}));
  // One row of it.
  less(X, H);
  EXPECT_TRUE(provesProductWithin(Domain, mul(W, X), {0, INT32_MAX}));
}
TEST_F(IndexProverTest, ProductsWithinAWord_negative) {
  IndexExpr W = var("w", {1, INT32_MAX}), H = var("h", {1, INT32_MAX});
  IndexExpr V = var("v", {-5, INT32_MAX}), X = var("x", Natural);
  // No fact about any product.
  EXPECT_FALSE(provesProductWithin(Domain, mul(W, H), {0, INT32_MAX}));
  Domain.constrain(mul(W, H), Interval::atMost(INT32_MAX));
  EXPECT_FALSE(provesProductWithin(Domain, mul(W, H), {0, INT32_MAX - 1}));
  EXPECT_FALSE(provesProductWithin(Domain, mul(W, H), {2, INT32_MAX}));
  // Another product, one row too many, no product, no form.
  EXPECT_FALSE(provesProductWithin(Domain, mul(W, V), {0, INT32_MAX}));
  EXPECT_FALSE(provesProductWithin(Domain, mul(W, W), {0, INT32_MAX}));
  Domain.constrain(sub(H, X), Natural);
  EXPECT_FALSE(
      provesProductWithin(Domain, Context.add(mul(W, X), 1), {0, INT32_MAX}));
  EXPECT_FALSE(provesProductWithin(Domain, IndexExpr(), {0, INT32_MAX}));
}
/// Facts of a scope are none of its parent.
TEST_F(IndexProverTest, ProductsWithinAWordOfTheScope) {
  IndexExpr W = var("w", {1, INT32_MAX}), H = var("h", {1, INT32_MAX});
  IndexDomain Child(Domain);
  Child.constrain(mul(W, H), Interval::atMost(INT32_MAX));
  EXPECT_TRUE(provesProductWithin(Child, mul(W, H), {0, INT32_MAX}));
  EXPECT_FALSE(provesProductWithin(Domain, mul(W, H), {0, INT32_MAX}));
}

/// A proof that is kept is that of its domain, and of the facts of the time.
TEST_F(IndexProverTest, KeptProofs) {
  IndexExpr A = var("a", Interval()), B = var("b", Interval());
  EXPECT_FALSE(proves(sub(B, A)));
  IndexDomain Child(Domain);
  Child.constrain(sub(B, A), Natural);
  EXPECT_TRUE(provesNonNegative(Child, sub(B, A)));
  EXPECT_FALSE(proves(sub(B, A)));
  Domain.constrain(sub(B, A), Natural);
  EXPECT_TRUE(proves(sub(B, A)));
  EXPECT_TRUE(proves(sub(B, A))); // as before
}
TEST_F(IndexProverTest, KeptProofs_negative) {
  IndexExpr A = var("a", Interval()), B = var("b", Interval());
  Domain.constrain(sub(B, A), Natural);
  EXPECT_TRUE(proves(sub(B, A)));
  EXPECT_FALSE(proves(sub(A, B)));
  EXPECT_FALSE(proves(Context.add(sub(B, A), -1)));
}

/// block < grid and grid * size <= limit bound block * size. The bounds of
/// single variables, which are looked at first, lead away from that.
TEST(IndexProverLimits, ShortProofsFirst) {
  IndexLimits Limits;
  Limits.MaxProofForms = 48;
  IndexContext Context(Limits);
  IndexDomain Domain(Context);
  auto Variable = [&](StringRef Name, const Interval &Range) {
    const IndexAtom *A = Context.createVariable(Name);
    Domain.declare(A, Range);
    return Context.atom(A);
  };
  IndexExpr Block = Variable("block", {0, INT32_MAX - 1});
  IndexExpr Size = Variable("size", {1, 1024});
  IndexExpr Grid = Variable("grid", {1, INT32_MAX});
  IndexExpr Other = Variable("other", {0, INT32_MAX - 1});
  Domain.constrain(Context.sub(Grid, Block), Interval::atLeast(1));
  Domain.constrain(Context.multiply(Grid, Size), Interval::atMost(INT32_MAX));
  auto Fits = [&](IndexExpr Index) {
    return provesProductWithin(Domain, Context.multiply(Index, Size),
                               {INT32_MIN, INT32_MAX});
  };
  EXPECT_TRUE(Fits(Block));
  EXPECT_FALSE(Fits(Other));
}

TEST_F(IndexProverTest, MayRelate) {
  IndexExpr A = var("a", Interval()), B = var("b", Interval());
  IndexExpr C = var("c", Interval());
  EXPECT_TRUE(Domain.mayRelate(A, mul(A, B)));
  EXPECT_TRUE(Domain.mayRelate(Basis.truncDiv(C, A), add(A, B)));
  // By one constraint, and by two.
  less(A, B);
  EXPECT_TRUE(Domain.mayRelate(A, B));
  less(B, C);
  EXPECT_TRUE(Domain.mayRelate(C, A));
}
TEST_F(IndexProverTest, MayRelate_negative) {
  IndexExpr A = var("a", Interval()), B = var("b", Interval());
  IndexExpr C = var("c", Interval()), D = var("d", Interval());
  EXPECT_FALSE(Domain.mayRelate(A, B));
  less(C, D);
  EXPECT_FALSE(Domain.mayRelate(A, C));
  less(A, D);
  EXPECT_FALSE(Domain.mayRelate(mul(A, D), B));
  EXPECT_FALSE(Domain.mayRelate(A, num(7)));
  IndexDomain Child(Domain);
  Child.constrain(sub(A, B), Natural);
  EXPECT_TRUE(Child.mayRelate(A, B));
  EXPECT_FALSE(Domain.mayRelate(A, B));
}

/// Coefficients at the ends of 64 bits: no proof, no overflow (UBSan).
TEST_F(IndexProverTest, Extremes) {
  IndexExpr X = var("x", Interval()), Y = var("y", Natural);
  less(Y, X);
  const int64_t Max = Interval::PlusInfinity;
  EXPECT_TRUE(proves(sub(Context.scale(X, Max), Context.scale(Y, Max))));
  EXPECT_FALSE(proves(sub(Context.scale(Y, Max), Context.scale(X, Max))));
  EXPECT_FALSE(proves(Context.add(Context.scale(sub(Y, X), Max), Max - 1)));
  EXPECT_FALSE(proves(Context.add(sub(Y, X), Max)));
}

/// Long forms with many constraints: a search without bound would exceed the
/// time limit of the test.
TEST_F(IndexProverTest, TimeIsBounded) {
  std::vector<IndexExpr> V;
  for (unsigned I = 0; I < 14; ++I)
    V.push_back(var("v" + std::to_string(I), Interval()));
  for (size_t I = 0; I < V.size(); ++I)
    for (size_t J : {I + 1, I + 3, I + 5})
      if (J < V.size())
        Domain.constrain(
            add(add(V[I], V[J], -1), mul(V[J], V[(J + 1) % V.size()])),
            Interval(-7, 9 + int64_t(J)));
  IndexExpr E = num(-5000);
  for (unsigned I = 0; I < 8; ++I)
    E = add(E, mul(V[I], V[I + 1]), I % 2 ? 1 : -1);
  EXPECT_FALSE(proves(E));
  EXPECT_FALSE(proves(sub(V[0], V[13])));
}

//===----------------------------------------------------------------------===//
// Soundness
//===----------------------------------------------------------------------===//

/// Small forms over three variables with products, quotients, minima and
/// conditions; constraints that are true at some of the points.
TEST(IndexProverValues, EveryClaimIsTrue) {
  std::mt19937_64 Random(7);
  auto Between = [&](int64_t Lo, int64_t Hi) {
    return Lo + int64_t(Random() % uint64_t(Hi - Lo + 1));
  };
  unsigned Proofs = 0, Beyond = 0;
  for (unsigned Round = 0; Round < 60; ++Round) {
    std::vector<Interval> Ranges;
    for (unsigned I = 0; I < 3; ++I) {
      int64_t Lo = Between(-3, 1);
      Ranges.push_back({Lo, Lo + Between(1, 5)});
    }
    Box B(Ranges);
    // The prover knows less: some bounds are infinite.
    IndexDomain Domain(B.Context);
    for (const Sample &V : B.Variables) {
      Interval R = Ranges[&V - B.Variables.data()];
      int64_t Kind = Between(0, 3);
      Domain.declare(V.E.asAtom(), Kind == 0   ? Interval::atLeast(R.lo())
                                   : Kind == 1 ? Interval::atMost(R.hi())
                                   : Kind == 2 ? Interval()
                                               : R);
    }
    FloorBasis Basis(Domain);
    std::vector<IndexExpr> Forms;
    for (const Sample &V : B.Variables)
      Forms.push_back(V.E);
    auto Pick = [&] { return Forms[Between(0, Forms.size() - 1)]; };
    for (unsigned I = 0; I < 9; ++I) {
      IndexExpr P = Pick(), Q = Pick(), E;
      switch (Between(0, 7)) {
      case 0:
        E = B.Context.multiply(P, Q);
        break;
      case 1:
        E = B.Context.rawAtom(IndexAtom::Kind::FloorDiv, P, Between(2, 4));
        break;
      case 2:
        E = P.isConstant() || Q.isConstant()
                ? P
                : B.Context.rawAtom(Between(0, 2) ? IndexAtom::Kind::FloorDiv
                                                  : IndexAtom::Kind::TruncDiv,
                                    P, Q);
        break;
      case 3:
        E = Basis.min(P, Q);
        break;
      case 4:
        E = Basis.nonNegative(P);
        break;
      default:
        E = B.Context.add(B.Context.add(P, Q, Between(-2, 2)), Between(-3, 3));
      }
      if (E && E.terms().size() < 8)
        Forms.push_back(E);
    }
    std::vector<size_t> Points;
    for (size_t I = 0; I < B.points(); ++I)
      Points.push_back(I);
    for (int64_t N = Between(0, 3); N > 0 && !Points.empty(); --N) {
      IndexExpr E = Pick();
      std::optional<int64_t> At =
          B.valueAt(E, Points[Between(0, Points.size() - 1)]);
      if (!At)
        continue;
      Interval Fact = Between(0, 1) ? Interval::atLeast(*At)
                                    : Interval(*At - Between(0, 2), *At);
      Domain.constrain(E, Fact);
      erase_if(Points, [&](size_t I) {
        std::optional<int64_t> V = B.valueAt(E, I);
        return !V || !Fact.contains(*V);
      });
    }
    Domain.propagate();
    for (size_t A = 0; A < Forms.size(); ++A)
      for (size_t C = 0; C < Forms.size(); ++C)
        for (int64_t K : {-1, 0, 2}) {
          IndexExpr E = B.Context.add(B.Context.sub(Forms[A], Forms[C]), K);
          if (!E || !provesNonNegative(Domain, E))
            continue;
          ++Proofs;
          Beyond += !Domain.isNonNegative(E);
          for (size_t I : Points) {
            std::optional<int64_t> V = B.valueAt(E, I);
            ASSERT_TRUE(!V || *V >= 0)
                << toString(B.Context, E) << " is " << *V << " at "
                << B.point(I) << " in round " << Round;
          }
        }
  }
  EXPECT_GT(Proofs, 2000u);
  EXPECT_GT(Beyond, 50u) << "the ranges alone would do";
}

} // namespace
