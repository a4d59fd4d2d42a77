//===- MapProof.h - Proving facts about the domains of maps -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simplifying brings equal forms to one form most of the time. These are the
// proofs for the other times.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_MAPPROOF_H
#define UNRAVEL_ANALYSIS_MAPS_MAPPROOF_H

#include "analysis/maps/IndexingMap.h"

namespace unravel {

/// An equivalent constraint with fewer divisions: for a quotient with the
/// coefficient 1 or -1,
///
///     floor(N/d) + K in [a, b]  <=>  N + d*K in [a*d, b*d + d - 1].
MapConstraint multipliedOut(IndexContext &Context, MapConstraint C);

/// Whether \p E is in \p Range wherever it has a value on the domain.
bool provesWithin(const IndexDomain &Domain, IndexExpr E,
                  const Interval &Range);

/// Whether no divisor in \p E can be zero.
bool provesValue(const IndexDomain &Domain, IndexExpr E);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_MAPPROOF_H
