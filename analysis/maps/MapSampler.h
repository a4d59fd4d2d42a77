//===- MapSampler.h - Points of a map to try --------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a box is too large to look at every point, a counterexample is searched
// where there is likely one: at corners of the domain, at its edges, in
// between. Deterministic: the same map gives the same points.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_MAPSAMPLER_H
#define UNRAVEL_ANALYSIS_MAPS_MAPSAMPLER_H

#include "analysis/maps/IndexingMap.h"
#include <random>

namespace unravel {

/// Whether a point is in the domain of \p Map; nullopt if a constraint has a
/// value that leaves 64 bits. (IndexingMap::contains says no there.)
std::optional<bool> isInDomain(const IndexingMap &Map,
                               llvm::ArrayRef<int64_t> P);

/// True if \p E has no value at \p P because it divides by zero, not because
/// the value is too large.
bool dividesByZero(const IndexingMap &Map, IndexExpr E,
                   llvm::ArrayRef<int64_t> P);

/// Like IndexingMap::forEachPoint, but visits the points of the whole *box*.
bool forEachPointOfBox(const IndexingMap &Map, uint64_t MaxPoints,
                       llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> Visit);

class MapSampler {
public:
  explicit MapSampler(const IndexingMap &Map)
      : Map(Map), Simplified(Map.simplified()) {}

  /// A point inside the bounds, most of the time one of the domain. The map
  /// must have such points.
  IndexingMap::Point next();

  /// A number from 0 to \p Count - 1.
  uint64_t below(uint64_t Count) { return Random() % Count; }

private:
  int64_t pickValue(const Interval &Bounds);
  void pull(IndexingMap::Point &P, const MapConstraint &C, bool ToTheEdge);
  bool tryMove(IndexingMap::Point &P, const MapConstraint &C, size_t Position,
               int64_t Value, int64_t Target);

  IndexingMap Map;
  /// Has the tightest bounds.
  IndexingMap Simplified;
  std::mt19937_64 Random{20240607};
  unsigned Drawn = 0;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_MAPSAMPLER_H
