//===- IndexPolynomial.h - Forms as polynomials over atoms ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With product atoms a form is a polynomial: a sum of monomials c * a1*...*an.
// This is the arithmetic of polynomials that symbolic sizes need: dividing
// monomials, dividing a polynomial by another, common factors.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_INDEXPOLYNOMIAL_H
#define UNRAVEL_ANALYSIS_ALGEBRA_INDEXPOLYNOMIAL_H

#include "analysis/algebra/IndexExpr.h"
#include "llvm/ADT/SmallVector.h"

namespace unravel {

/// A product of atoms, sorted by id; the empty one is 1.
using Monomial = llvm::SmallVector<const IndexAtom *, 4>;
/// The same, owned by the caller.
using MonomialRef = llvm::ArrayRef<const IndexAtom *>;
/// A / B, or nullopt if B does not divide A.
std::optional<Monomial> divide(MonomialRef A, MonomialRef B);
/// The greatest common factor.
Monomial commonFactor(MonomialRef A, MonomialRef B);

/// E = Divisor * Quotient + Rest.
struct PolynomialDivision {
  IndexExpr Quotient, Rest;
};
/// Divides by the leading term of \p Divisor (highest degree, then smallest
/// atom) as often as that goes. A coefficient that is no multiple of the
/// leading one leaves its least non-negative residue. Null on overflow.
PolynomialDivision divideWithRest(IndexContext &Context, IndexExpr E,
                                  IndexExpr Divisor);

/// A / B if B, which is not zero, divides every value of A as a polynomial;
/// else null.
IndexExpr exactQuotient(IndexContext &Context, IndexExpr A, IndexExpr B);

/// A common factor of several polynomials.
struct Content {
  int64_t Coefficient = 0; ///< gcd of all coefficients, 0 for zero polynomials
  Monomial Factors;        ///< what divides every term
};
Content contentOf(llvm::ArrayRef<IndexExpr> Exprs);
/// E / (Coefficient * Factors), which must be exact.
IndexExpr divideByContent(IndexContext &Context, IndexExpr E, const Content &C);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_INDEXPOLYNOMIAL_H
