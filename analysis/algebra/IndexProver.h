//===- IndexProver.h - Proving inequalities between forms -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A range bounds each atom on its own, so it cannot compare two of them. The
// prover writes a form as a sum of products of things that are known not to be
// negative: to show W*H - 1 - (y*W + x) >= 0 from y < H and x < W,
//
//     W*H - 1 - y*W - x = W*(H - 1 - y) + (W - 1 - x).
//
// It searches for such a sum, subtracting a fact times a monomial of known sign
// wherever that cancels a term that could be negative. (Handelman's theorem
// says that such a sum exists for every polynomial that is positive on a
// bounded polyhedron; the search is cut off early.)
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_INDEXPROVER_H
#define UNRAVEL_ANALYSIS_ALGEBRA_INDEXPROVER_H

#include "analysis/algebra/IndexDomain.h"

namespace unravel {

/// True only if \p E >= 0 at every point of the domain at which it has a
/// value. The facts are the bounds of atoms, the domain's constraints, and what
/// quotients and minima satisfy by definition.
bool provesNonNegative(const IndexDomain &Domain, IndexExpr E);

/// E > 0.
inline bool provesPositive(const IndexDomain &Domain, IndexExpr E) {
  return provesNonNegative(Domain, Domain.context().add(E, -1));
}

/// Whether E is proved to lie between the ends of \p Range that are finite.
bool provesEnds(const IndexDomain &Domain, IndexExpr E, const Interval &Range);

/// Whether \p E, a form with products, stays in \p Word. For forms without
/// products IndexDomain::range() is as good, and this returns false.
bool provesProductWithin(const IndexDomain &Domain, IndexExpr E,
                         const Interval &Word);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_INDEXPROVER_H
