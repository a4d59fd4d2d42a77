//===- IndexPolynomialTest.cpp - Division of polynomials ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Monomials, division with rest and contents by hand; division with rest also
// for all small polynomials, by its definition E = Divisor * Quotient + Rest.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexPolynomial.h"
#include "test/unit/FloorBasisTestHelper.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class IndexPolynomialTest : public FloorBasisFixture {
protected:
  void SetUp() override {
    X = var("x", Interval());
    Y = var("y", Interval());
    Z = var("z", Interval());
  }
  IndexExpr mul(IndexExpr A, IndexExpr B) { return Context.multiply(A, B); }
  IndexExpr add(IndexExpr A, int64_t K) { return Context.add(A, K); }
  using FloorBasisFixture::add;
  IndexExpr scale(IndexExpr A, int64_t K) { return Context.scale(A, K); }
  static Monomial monomial(IndexExpr E) {
    return Monomial(factorsOf(E.terms()[0].Atom));
  }
  std::string contentText(ArrayRef<IndexExpr> Exprs) {
    Content C = contentOf(Exprs);
    return std::to_string(C.Coefficient) + ": " +
           text(Context.product(C.Factors));
  }
  /// "Quotient, Rest".
  std::string division(IndexExpr E, IndexExpr D) {
    PolynomialDivision Result = divideWithRest(Context, E, D);
    if (!Result.Rest)
      return "null";
    EXPECT_EQ(Context.add(mul(D, Result.Quotient), Result.Rest), E);
    return text(Result.Quotient) + ", " + text(Result.Rest);
  }

  IndexExpr X, Y, Z;
};

TEST_F(IndexPolynomialTest, Monomials) {
  IndexExpr XY = mul(X, Y), XX = mul(X, X), XXY = mul(XX, Y);
  EXPECT_EQ(Context.product(monomial(XXY), 3), scale(XXY, 3));
  EXPECT_EQ(Context.product({}, -2), num(-2));
  EXPECT_EQ(Context.product(*divide(monomial(XXY), monomial(XY))), X);
  EXPECT_EQ(Context.product(*divide(monomial(XXY), monomial(XX))), Y);
  EXPECT_EQ(Context.product(*divide(monomial(XXY), {})), XXY);
  EXPECT_TRUE(divide(monomial(XY), monomial(XY))->empty());
  EXPECT_EQ(commonFactor(monomial(XXY), monomial(XX)), monomial(XX));
  EXPECT_EQ(commonFactor(monomial(XXY), monomial(mul(X, Z))), monomial(X));
  EXPECT_TRUE(commonFactor(monomial(XY), monomial(Z)).empty());
}
TEST_F(IndexPolynomialTest, Monomials_negative) {
  IndexExpr XY = mul(X, Y), XX = mul(X, X);
  EXPECT_FALSE(divide(monomial(XY), monomial(XX)));
  EXPECT_FALSE(divide(monomial(XY), monomial(Z)));
  EXPECT_FALSE(divide({}, monomial(X)));
}

TEST_F(IndexPolynomialTest, DivisionWithRest) {
  IndexExpr XY = mul(X, Y);
  EXPECT_EQ(division(add(XY, Z), X), "y, z");
  EXPECT_EQ(division(add(scale(XY, 3), Z), X), "3 * y, z");
  EXPECT_EQ(division(add(XY, X), add(Y, 1)), "x, 0");
  // (x + 1)*(y + 2)
  IndexExpr Product = mul(add(X, 1), add(Y, 2));
  EXPECT_EQ(division(Product, add(X, 1)), "y + 2, 0");
  EXPECT_EQ(division(Product, add(Y, 2)), "x + 1, 0");
  EXPECT_EQ(division(add(Product, 5), add(Y, 2)), "x + 1, 5");
  // A single term leaves the least residue of the coefficient.
  EXPECT_EQ(division(scale(XY, 7), scale(X, 3)), "2 * y, x * y");
  EXPECT_EQ(division(scale(XY, -7), scale(X, 3)), "-3 * y, 2 * x * y");
  EXPECT_EQ(division(scale(XY, 7), scale(X, -3)), "-2 * y, x * y");
  EXPECT_EQ(division(scale(XY, -7), scale(X, -3)), "3 * y, 2 * x * y");
  EXPECT_EQ(division(scale(XY, 2), scale(X, 3)), "0, 2 * x * y");
}
TEST_F(IndexPolynomialTest, DivisionWithRest_negative) {
  EXPECT_EQ(division(Y, X), "0, y");
  EXPECT_EQ(division(add(X, 1), mul(X, Y)), "0, x + 1");
  // The coefficient of the leading term must divide, for several terms.
  EXPECT_EQ(division(scale(X, 3), add(scale(X, 2), 1)), "0, 3 * x");
  EXPECT_EQ(division(scale(X, 4), add(scale(X, 2), 1)), "2, -2");
}

TEST_F(IndexPolynomialTest, DivisionGivesUpAtOverflow) {
  const int64_t Max = Interval::PlusInfinity;
  // Max*x - Max*(x + 3): the constant leaves 64 bits.
  EXPECT_EQ(division(scale(X, Max), add(X, 3)), "null");
  EXPECT_EQ(division(scale(X, Max), add(X, 1)),
            std::to_string(Max) + ", -" + std::to_string(Max));
}

/// A condition is its own square, so that cancelling one is not dividing by it;
/// the definition holds all the same.
TEST_F(IndexPolynomialTest, DivisionByConditions) {
  IndexExpr C = Basis.nonNegative(X);
  EXPECT_EQ(division(mul(C, Y), C), "y, 0");
  division(add(mul(C, Y), C), add(C, Y));
  division(mul(C, mul(Y, Y)), add(mul(C, Y), 1));
}

TEST_F(IndexPolynomialTest, DivisionOfAllSmallPolynomials) {
  IndexExpr XY = mul(X, Y), XX = mul(X, X);
  std::vector<IndexExpr> All;
  for (int64_t A : {-2, 0, 1, 3})
    for (int64_t B : {-1, 0, 2})
      for (int64_t C : {-1, 0, 2})
        for (int64_t K : {-3, 0, 1})
          All.push_back(add(
              add(add(scale(X, A), scale(Y, B)), add(scale(XY, C), XX, C)), K));
  for (IndexExpr E : All)
    for (IndexExpr D : All) {
      if (D.isConstant())
        continue;
      EXPECT_NE(division(E, D), "null") << text(E) << " by " << text(D);
    }
}

TEST_F(IndexPolynomialTest, ExactQuotients) {
  EXPECT_EQ(exactQuotient(Context, mul(X, Y), Y), X);
  EXPECT_EQ(exactQuotient(Context, mul(X, Y), mul(X, Y)), num(1));
  EXPECT_EQ(exactQuotient(Context, scale(mul(X, Y), 6), scale(Y, -3)),
            scale(X, -2));
  EXPECT_EQ(exactQuotient(Context, add(scale(X, 6), 4), num(2)),
            add(scale(X, 3), 2));
  IndexExpr Sum = add(X, 1);
  EXPECT_EQ(exactQuotient(Context, add(mul(X, Y), Y), Sum), Y);
  EXPECT_EQ(exactQuotient(Context, num(0), X), num(0));
}
TEST_F(IndexPolynomialTest, ExactQuotients_negative) {
  EXPECT_FALSE(exactQuotient(Context, X, mul(X, Y)));
  EXPECT_FALSE(exactQuotient(Context, add(mul(X, Y), 1), Y));
  EXPECT_FALSE(exactQuotient(Context, scale(X, 3), scale(X, 2)));
  EXPECT_FALSE(exactQuotient(Context, add(scale(X, 6), 3), num(2)));
  EXPECT_FALSE(exactQuotient(Context, mul(X, Y), Z));
  EXPECT_FALSE(exactQuotient(Context, num(6), X));
}

TEST_F(IndexPolynomialTest, Contents) {
  IndexExpr XY = mul(X, Y), XZ = mul(X, Z);
  EXPECT_EQ(contentText({scale(XY, 6), scale(XZ, 4)}), "2: x");
  EXPECT_EQ(contentText({mul(mul(X, X), Y), XY}), "1: x * y");
  EXPECT_EQ(contentText({add(scale(X, 6), 9)}), "3: 1");
  EXPECT_EQ(contentText({XY, num(0)}), "1: x * y"); // zero holds every factor
  EXPECT_EQ(contentText({scale(X, -4)}), "4: x");
  IndexExpr E = add(scale(XY, 6), scale(X, -4));
  EXPECT_EQ(divideByContent(Context, E, {2, monomial(X)}),
            add(scale(Y, 3), -2));
  EXPECT_EQ(divideByContent(Context, E, {-2, monomial(X)}),
            add(scale(Y, -3), 2));
  EXPECT_EQ(divideByContent(Context, num(0), {2, monomial(X)}), num(0));
  EXPECT_EQ(divideByContent(Context, add(scale(X, 6), 9), {3, {}}),
            add(scale(X, 2), 3));
}
TEST_F(IndexPolynomialTest, Contents_negative) {
  IndexExpr XY = mul(X, Y);
  EXPECT_EQ(contentText({add(XY, 2)}), "1: 1"); // the constant holds no x
  EXPECT_EQ(contentText({XY, num(6)}), "1: 1");
  EXPECT_EQ(contentText({scale(XY, 6), scale(Z, 4)}), "2: 1");
  EXPECT_EQ(contentText({}), "0: 1");
}

} // namespace
