//===- IndexingMapEquality.h - Do two maps mean the same? -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two maps are the same function if they have the same number of variables of
// each kind, the same domain (as a set of points) and the same results on it.
// The answer is a proof, a counterexample, or "unknown". A result that divides
// by zero has no value, and simplifying may give it any: what the maps say at
// such points is not compared.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPEQUALITY_H
#define UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPEQUALITY_H

#include "analysis/maps/IndexingMapInverse.h"

namespace unravel {

struct MapEquality {
  Answer AreEqual = Answer::Unknown;
  /// If not equal, why: "different numbers of results", "result 2 differs",
  /// "only in the domain of the first map", ...
  std::string Reason;
  /// The point that shows it; empty if the shapes differ.
  IndexingMap::Point Counterexample;
};

/// Proved by simplifying, or by looking at every point of boxes of at most
/// \p MaxPoints; refuted by a point: corners of the domain, then random ones.
/// Deterministic.
MapEquality compareMaps(const IndexingMap &A, const IndexingMap &B,
                        uint64_t MaxPoints = 1 << 16);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPEQUALITY_H
