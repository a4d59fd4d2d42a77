//===- IndexExprTest.cpp - Uniquing, checked arithmetic and text ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexExpr.h"
#include "test/unit/AlgebraTestHelper.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class IndexExprTest : public testing::Test {
protected:
  IndexExpr num(int64_t Value) { return Context.constant(Value); }
  /// A + Times * B.
  IndexExpr add(IndexExpr A, IndexExpr B, int64_t Times = 1) {
    return Context.add(A, B, Times);
  }
  IndexExpr floor(IndexExpr E, int64_t D) {
    return Context.rawAtom(IndexAtom::Kind::FloorDiv, E, D);
  }
  IndexExpr trunc(IndexExpr E, int64_t D) {
    return Context.rawAtom(IndexAtom::Kind::TruncDiv, E, D);
  }
  std::string text(IndexExpr E) { return toString(Context, E); }

  IndexContext Context;
  const IndexAtom *XAtom = Context.createVariable("x");
  const IndexAtom *YAtom = Context.createVariable("y");
  IndexExpr X = Context.atom(XAtom), Y = Context.atom(YAtom);
};

//===----------------------------------------------------------------------===//
// Uniquing
//===----------------------------------------------------------------------===//

TEST_F(IndexExprTest, EqualFormsAreOnePointerInEveryOrder) {
  IndexTerm Terms[] = {
      {XAtom, 3}, {YAtom, -2}, {XAtom, 4}, {floor(X, 5).asAtom(), 1}};
  auto ByAtom = [](const IndexTerm &A, const IndexTerm &B) {
    return std::make_pair(A.Atom->id(), A.Coefficient) <
           std::make_pair(B.Atom->id(), B.Coefficient);
  };
  std::sort(std::begin(Terms), std::end(Terms), ByAtom);
  IndexExpr First = Context.linear(Terms, 9);
  unsigned Orders = 0;
  do {
    EXPECT_EQ(Context.linear(Terms, 9), First);
    ++Orders;
  } while (std::next_permutation(std::begin(Terms), std::end(Terms), ByAtom));
  EXPECT_EQ(Orders, 24u);
  EXPECT_EQ(First.terms().size(), 3u);
  EXPECT_EQ(First.coefficientOf(XAtom), 7);
}

TEST_F(IndexExprTest, DifferentFormsDiffer) {
  IndexExpr All[] = {num(0),
                     num(1),
                     X,
                     Y,
                     add(X, Y),
                     add(X, Y, 2),
                     add(X, Y, -1),
                     add(X, num(1)),
                     Context.scale(X, 2),
                     floor(X, 2),
                     floor(X, 3),
                     floor(Y, 2),
                     trunc(X, 2),
                     Context.rawAtom(IndexAtom::Kind::NegativePart, X)};
  for (IndexExpr &A : All)
    for (IndexExpr &B : All)
      EXPECT_EQ(A == B, &A == &B) << text(A) << " and " << text(B);
}

TEST_F(IndexExprTest, AtomsAreUniquedByKindOperandAndDivisor) {
  EXPECT_EQ(floor(add(X, Y), 7), floor(add(Y, X), 7));
  EXPECT_EQ(trunc(add(X, Y), 7), trunc(add(Y, X), 7));
  EXPECT_EQ(Context.rawAtom(IndexAtom::Kind::NegativePart, add(X, Y)),
            Context.rawAtom(IndexAtom::Kind::NegativePart, add(Y, X)));
  // Variables are not: the name does not identify them.
  EXPECT_NE(Context.atom(Context.createVariable("x")), X);
}

/// A quotient by a form that is the constant 5 is the quotient by 5.
TEST_F(IndexExprTest, DivisorsAreForms) {
  IndexAtom::Kind Kind = IndexAtom::Kind::FloorDiv;
  const IndexAtom *By5 = Context.rawAtom(Kind, X, num(5)).asAtom();
  const IndexAtom *ByY = Context.rawAtom(Kind, X, Y).asAtom();
  EXPECT_EQ(By5, floor(X, 5).asAtom());
  EXPECT_EQ(By5->divisor(), num(5));
  EXPECT_EQ(By5->constantDivisor(), 5);
  EXPECT_TRUE(By5->isConstantFloorDiv() && By5->isConstantDivision());
  EXPECT_FALSE(By5->isSymbolicDivision() || By5->isConstantTruncDiv());
  EXPECT_EQ(ByY->divisor(), Y);
  EXPECT_EQ(ByY->constantDivisor(), 0);
  EXPECT_TRUE(ByY->isFloorDiv() && ByY->isSymbolicDivision());
  EXPECT_FALSE(ByY->isConstantDivision() || ByY->isConstantFloorDiv());
  EXPECT_FALSE(Context.rawAtom(Kind, X));
}

/// The rules of constants need divisors above 1.
TEST_F(IndexExprTest, DivisorsAreForms_negative) {
  for (int64_t D : {1, 0, -1, -5}) {
    EXPECT_EQ(floor(X, D).asAtom()->constantDivisor(), 0) << D;
    EXPECT_TRUE(trunc(X, D).asAtom()->isSymbolicDivision()) << D;
  }
  const IndexAtom *Part =
      Context.rawAtom(IndexAtom::Kind::NegativePart, X).asAtom();
  for (const IndexAtom *A : {XAtom, Part})
    EXPECT_FALSE(A->isDivision() || A->isSymbolicDivision() || A->divisor());
}

TEST_F(IndexExprTest, KindRank) {
  using Kind = IndexAtom::Kind;
  const IndexAtom *Ascending[] = {
      XAtom,
      floor(X, 5).asAtom(),
      trunc(X, 5).asAtom(),
      Context.rawAtom(Kind::NegativePart, X).asAtom(),
      Context.multiply(X, Y).asAtom(),
      Context.rawAtom(Kind::FloorDiv, X, Y).asAtom(),
      Context.rawAtom(Kind::TruncDiv, X, Y).asAtom(),
      Context.rawAtom(Kind::NonNegative, X).asAtom(),
      Context.rawAtom(Kind::Zero, X).asAtom()};
  for (unsigned I = 0; I < std::size(Ascending); ++I)
    EXPECT_EQ(Ascending[I]->kindRank(), I);
}

TEST_F(IndexExprTest, Queries) {
  IndexExpr E = Context.linear({{YAtom, -6}, {XAtom, 4}}, 5);
  ASSERT_EQ(E.terms().size(), 2u);
  EXPECT_EQ(E.terms()[0].Atom, XAtom); // creation order
  EXPECT_EQ(E.terms()[1].Atom, YAtom);
  EXPECT_EQ(E.constant(), 5);
  EXPECT_EQ(E.gcdOfCoefficients(), 2);
  EXPECT_EQ(E.coefficientOf(YAtom), -6);
  EXPECT_EQ(floor(X, 2).coefficientOf(XAtom), 0); // not at the top level
  EXPECT_EQ(num(6).gcdOfCoefficients(), 0);
  EXPECT_EQ(X.asAtom(), XAtom);
  EXPECT_EQ(Context.scale(X, 2).asAtom(), nullptr);
  EXPECT_EQ(add(X, num(1)).asAtom(), nullptr);
  EXPECT_EQ(num(1).asAtom(), nullptr);
  EXPECT_TRUE(num(3).isConstant(3));
  EXPECT_FALSE(num(3).isConstant(4));
  EXPECT_FALSE(X.isConstant());
  EXPECT_EQ(num(3).depth(), 0u);
  EXPECT_EQ(E.depth(), 1u);
  EXPECT_EQ(floor(add(floor(X, 2), Y), 3).depth(), 3u);
  IndexExpr Late = Context.atom(Context.createVariable("late"));
  EXPECT_EQ(add(floor(X, 2), Late).depth(), 2u);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

TEST_F(IndexExprTest, Cancellation) {
  EXPECT_EQ(Context.sub(add(X, Y), Y), X);
  EXPECT_EQ(Context.sub(X, X), num(0));
  EXPECT_EQ(Context.scale(X, 0), num(0));
  EXPECT_EQ(Context.negate(Context.negate(add(X, Y, 3))), add(X, Y, 3));
  // 75*floor(x/75) + (x mod 75) = x
  IndexExpr Q = floor(X, 75);
  IndexExpr Mod = add(X, Q, -75);
  EXPECT_EQ(add(Mod, Q, 75), X);
  // Sums agree however they are bracketed.
  EXPECT_EQ(add(add(X, Y), num(4)), add(X, add(num(4), Y)));
  EXPECT_EQ(Context.scale(add(X, Y, 2), 3),
            Context.linear({{XAtom, 3}, {YAtom, 6}}, 0));
}

TEST_F(IndexExprTest, DivideExactly) {
  IndexExpr E = Context.linear({{XAtom, 12}, {YAtom, -8}}, 20);
  EXPECT_EQ(Context.divideExactly(E, 4),
            Context.linear({{XAtom, 3}, {YAtom, -2}}, 5));
  EXPECT_EQ(Context.divideExactly(E, -4),
            Context.linear({{XAtom, -3}, {YAtom, 2}}, -5));
  EXPECT_EQ(Context.divideExactly(E, 1), E);
  EXPECT_FALSE(Context.divideExactly(E, 8));              // the 12 and the 20
  EXPECT_FALSE(Context.divideExactly(E, 3));              // the -8 and the 20
  EXPECT_FALSE(Context.divideExactly(add(E, num(2)), 4)); // the constant
  // All quotients that exist, and no others.
  for (int64_t C = -12; C <= 12; ++C)
    for (int64_t K = -12; K <= 12; ++K)
      for (int64_t D = 1; D <= 6; ++D) {
        IndexExpr F = add(num(K), X, C);
        IndexExpr Q = Context.divideExactly(F, D);
        EXPECT_EQ(bool(Q), C % D == 0 && K % D == 0) << text(F) << " by " << D;
        if (Q) {
          EXPECT_EQ(Context.scale(Q, D), F);
        }
      }
}

TEST_F(IndexExprTest, DivideMultiples) {
  IndexExpr E = add(Context.scale(X, 6), Y, -4);
  EXPECT_EQ(Context.divideMultiples(add(E, num(-1)), 2),
            add(add(Context.scale(X, 3), Y, -2), num(-1)));
  EXPECT_EQ(Context.divideMultiples(add(E, num(7)), 3),
            add(Context.scale(X, 2), num(2)));
  EXPECT_EQ(Context.divideMultiples(E, 5), num(0));
}

TEST_F(IndexExprTest, OverflowGivesUp) {
  EXPECT_FALSE(add(num(Max), num(1)));
  EXPECT_FALSE(add(Context.scale(X, Max), X));
  EXPECT_FALSE(Context.scale(X, Min)); // its negation would overflow
  EXPECT_FALSE(num(Min));
  EXPECT_FALSE(add(num(-Max), num(-1)));
  EXPECT_FALSE(Context.scale(add(X, num(2)), Max));
  EXPECT_FALSE(add(X, Context.scale(Y, 2), Max));
  EXPECT_FALSE(Context.linear({{XAtom, Max}, {YAtom, 1}, {XAtom, 1}}, 0));
  // The last values that fit.
  EXPECT_EQ(add(num(Max - 1), num(1)).constant(), Max);
  EXPECT_EQ(Context.negate(Context.scale(X, Max)).coefficientOf(XAtom), -Max);
  EXPECT_EQ(Context.sub(Context.scale(X, Max), Context.scale(X, Max)), num(0));
}

TEST_F(IndexExprTest, NullIsPassedOn) {
  IndexExpr Null;
  EXPECT_FALSE(Null);
  EXPECT_FALSE(add(Null, X));
  EXPECT_FALSE(add(X, Null));
  EXPECT_FALSE(add(X, Null, 0));
  EXPECT_FALSE(Context.add(Null, 1));
  EXPECT_FALSE(Context.sub(Null, Null));
  EXPECT_FALSE(Context.scale(Null, 2));
  EXPECT_FALSE(Context.negate(Null));
  EXPECT_FALSE(Context.divideExactly(Null, 2));
  EXPECT_FALSE(floor(Null, 2));
  EXPECT_FALSE(trunc(Null, 2));
  EXPECT_FALSE(Context.rawAtom(IndexAtom::Kind::NegativePart, Null));
  EXPECT_EQ(text(Null), "<gave up>");
}

TEST_F(IndexExprTest, NumberOfTermsIsCapped) {
  IndexExpr Sum = num(0);
  for (unsigned I = 0; I < IndexLimits().MaxTerms; ++I) {
    Sum = add(Sum, Context.atom(Context.createVariable("v")));
    ASSERT_TRUE(Sum) << I;
  }
  EXPECT_EQ(Sum.terms().size(), size_t(IndexLimits().MaxTerms));
  EXPECT_FALSE(add(Sum, X));
  EXPECT_TRUE(add(Sum, Sum)); // what counts are distinct atoms
  EXPECT_EQ(Context.sub(Sum, Sum), num(0));
}

TEST_F(IndexExprTest, DepthIsCapped) {
  IndexExpr E = X;
  while (E.depth() < IndexLimits().MaxDepth) {
    E = floor(add(E, Y), 3);
    ASSERT_TRUE(E);
  }
  EXPECT_FALSE(floor(E, 3));
  EXPECT_FALSE(trunc(E, 3));
  EXPECT_FALSE(Context.rawAtom(IndexAtom::Kind::NegativePart, E));
  EXPECT_TRUE(add(E, X)); // a sum is no deeper than its terms
}

//===----------------------------------------------------------------------===//
// Questions about a whole expression
//===----------------------------------------------------------------------===//

TEST_F(IndexExprTest, Evaluate) {
  IndexExpr E = add(add(num(5), floor(add(X, Y), 3), 2), trunc(X, 4), -7);
  E = add(E, Context.rawAtom(IndexAtom::Kind::NegativePart, Context.sub(X, Y)),
          10);
  for (int64_t XV = -9; XV <= 9; ++XV)
    for (int64_t YV = -9; YV <= 9; ++YV) {
      int64_t Sum = XV + YV;
      int64_t Floor = Sum / 3 - (Sum % 3 < 0 ? 1 : 0);
      EXPECT_EQ(evaluate(E,
                         [&](const IndexAtom *A) -> std::optional<int64_t> {
                           return A == XAtom ? XV : YV;
                         }),
                5 + 2 * Floor - 7 * (XV / 4) +
                    10 * std::min<int64_t>(XV - YV, 0));
    }
}

TEST_F(IndexExprTest, EvaluateGivesUp) {
  auto At = [](std::optional<int64_t> V) {
    return [V](const IndexAtom *) { return V; };
  };
  EXPECT_EQ(evaluate(X, At(Max)), Max);
  EXPECT_EQ(evaluate(add(X, num(1)), At(Max)), std::nullopt);
  EXPECT_EQ(evaluate(Context.scale(X, 2), At(Max)), std::nullopt);
  EXPECT_EQ(evaluate(floor(Context.scale(X, 2), 2), At(Max)), std::nullopt);
  EXPECT_EQ(evaluate(X, At(std::nullopt)), std::nullopt);
  EXPECT_EQ(evaluate(floor(X, 2), At(std::nullopt)), std::nullopt);
  EXPECT_EQ(evaluate(floor(X, 2), At(Min)), Min / 2);
}

TEST_F(IndexExprTest, CountDivisionsCountsEachOnce) {
  IndexExpr Q = floor(X, 75);
  EXPECT_EQ(countDivisions(add(X, Y)), 0u);
  EXPECT_EQ(countDivisions(Q), 1u);
  EXPECT_EQ(countDivisions(add(X, Q, -75)), 1u);
  EXPECT_EQ(countDivisions({Q, add(X, Q, -75)}), 1u); // shared by both
  EXPECT_EQ(countDivisions({Q, trunc(X, 75)}), 2u);
  EXPECT_EQ(countDivisions(floor(add(Q, Y), 3)), 2u); // the inner one counts
  EXPECT_EQ(countDivisions(Context.rawAtom(IndexAtom::Kind::NegativePart, Q)),
            1u);
  EXPECT_EQ(countDivisions(Context.rawAtom(IndexAtom::Kind::NegativePart, X)),
            0u);
  EXPECT_EQ(countDivisions({}), 0u);
}

TEST_F(IndexExprTest, ForEachAtomVisitsOperandsFirst) {
  IndexExpr Inner = floor(X, 2);
  IndexExpr E = add(floor(add(Inner, Y), 3), Inner);
  std::vector<const IndexAtom *> Seen;
  forEachAtom(E, [&](const IndexAtom *A) { Seen.push_back(A); });
  EXPECT_EQ(Seen.size(), 4u);
  auto Position = [&](const IndexAtom *A) {
    return std::find(Seen.begin(), Seen.end(), A) - Seen.begin();
  };
  const IndexAtom *Outer = floor(add(Inner, Y), 3).asAtom();
  EXPECT_LT(Position(XAtom), Position(Inner.asAtom()));
  EXPECT_LT(Position(Inner.asAtom()), Position(Outer));
  EXPECT_LT(Position(YAtom), Position(Outer));
  EXPECT_LT(Position(Outer), 4);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST_F(IndexExprTest, TextOfSums) {
  EXPECT_EQ(text(num(0)), "0");
  EXPECT_EQ(text(num(-7)), "-7");
  EXPECT_EQ(text(add(X, num(1))), "x + 1");
  EXPECT_EQ(text(add(X, num(-1))), "x - 1");
  EXPECT_EQ(text(Context.negate(X)), "-x");
  EXPECT_EQ(text(Context.linear({{XAtom, -2}, {YAtom, -3}}, -4)),
            "-2 * x - 3 * y - 4");
  EXPECT_EQ(text(Context.scale(X, -Max)), "-9223372036854775807 * x");
}

TEST_F(IndexExprTest, TextOfQuotients) {
  IndexExpr Q = floor(X, 75);
  EXPECT_EQ(text(Q), "x floordiv 75");
  EXPECT_EQ(text(Context.scale(Q, 2)), "2 * (x floordiv 75)");
  EXPECT_EQ(text(floor(add(X, Y), 3)), "(x + y) floordiv 3");
  EXPECT_EQ(text(floor(Context.scale(X, 2), 3)), "(2 * x) floordiv 3");
  EXPECT_EQ(text(floor(Q, 3)), "(x floordiv 75) floordiv 3");
  EXPECT_EQ(text(trunc(add(X, Y), 3)), "tdiv(x + y, 3)");
  EXPECT_EQ(text(Context.scale(trunc(X, 3), 2)), "2 * tdiv(x, 3)");
  EXPECT_EQ(text(floor(trunc(X, 3), 2)), "tdiv(x, 3) floordiv 2");
}

TEST_F(IndexExprTest, TextOfRemainders) {
  IndexExpr Q = floor(X, 75);
  EXPECT_EQ(text(add(X, Q, -75)), "x mod 75");
  EXPECT_EQ(text(add(add(X, Q, -75), Y)), "x mod 75 + y");
  EXPECT_EQ(text(add(Y, add(X, Q, -75), 4)), "4 * (x mod 75) + y");
  EXPECT_EQ(text(add(Y, add(X, Q, -75), -4)), "-4 * (x mod 75) + y");
  // A digit in the middle: (x floordiv 75) mod 40.
  EXPECT_EQ(text(add(Q, floor(X, 3000), -40)), "(x floordiv 75) mod 40");
  // The dividend of the remainder is a sum.
  IndexExpr Sum = add(X, Y);
  EXPECT_EQ(text(add(Sum, floor(Sum, 8), -8)), "(x + y) mod 8");
  // Two remainders.
  EXPECT_EQ(text(add(add(X, Q, -75), add(Y, floor(Y, 6), -6), 2)),
            "x mod 75 + 2 * (y mod 6)");
  IndexExpr T = trunc(X, 75);
  EXPECT_EQ(text(add(X, T, -75)), "tmod(x, 75)");
  EXPECT_EQ(text(add(Y, add(X, T, -75), 4)), "4 * tmod(x, 75) + y");
}

/// A remainder that would not shorten the sum stays a floor.
TEST_F(IndexExprTest, TextOfRemainders_negative) {
  IndexExpr Q = floor(X, 75);
  EXPECT_EQ(text(Context.scale(Q, -75)), "-75 * (x floordiv 75)");
  EXPECT_EQ(text(add(X, Q, -74)), "x - 74 * (x floordiv 75)");
  EXPECT_EQ(text(add(Y, Q, -75)), "y - 75 * (x floordiv 75)");
}

/// `-x mod 75` would be (-x) mod 75 to whoever reads it back.
/// FAILS: prints "-x mod 75" and "-x floordiv 75".
TEST_F(IndexExprTest, TextOfNegatedDivisions) {
  IndexExpr Q = floor(X, 75);
  EXPECT_EQ(text(Context.negate(Q)), "-(x floordiv 75)");
  EXPECT_EQ(text(Context.negate(add(X, Q, -75))), "-(x mod 75)");
  EXPECT_EQ(text(Context.sub(num(74), add(X, Q, -75))), "-(x mod 75) + 74");
  EXPECT_EQ(text(Context.sub(X, floor(Y, 2))), "x - y floordiv 2");
  EXPECT_EQ(text(Context.negate(trunc(X, 75))), "-tdiv(x, 75)");
}

TEST_F(IndexExprTest, TextOfMinima) {
  IndexExpr M =
      Context.rawAtom(IndexAtom::Kind::NegativePart, Context.sub(X, Y));
  EXPECT_EQ(text(M), "min(x - y, 0)");
  EXPECT_EQ(text(add(X, M, -3)), "x - 3 * min(x - y, 0)");
  EXPECT_EQ(text(floor(M, 2)), "min(x - y, 0) floordiv 2");
}

} // namespace
