//===- IndexingMapInverse.h - Injectivity and inverses ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a map takes different points to different results, and the map back.
// An inverse is found by taking the results apart in mixed radix and proved by
// composing: a candidate G is right if G(F(x)) simplifies to x, whatever guess
// it came from. Small domains are decided by looking at every point.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPINVERSE_H
#define UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPINVERSE_H

#include "analysis/maps/IndexingMap.h"

namespace unravel {

enum class Answer : uint8_t { No, Yes, Unknown };

/// Runtime variables are parameters here: a map is injective if it is for each
/// of their values.
struct Injectivity {
  Answer IsInjective = Answer::Unknown;
  /// If not: two points of the domain with the same results.
  IndexingMap::Point First, Second;
};

/// Looks at every point of boxes of at most \p MaxPoints.
Injectivity injectivityOf(const IndexingMap &Map, uint64_t MaxPoints = 1 << 16);

/// Whether \p Map is a bijection between its domain and a box: injective, and
/// the results are all the points of the smallest box that holds them, for each
/// value that the runtime variables have in the domain.
Answer isBijective(const IndexingMap &Map, uint64_t MaxPoints = 1 << 16);

/// The inverse of an injective map without runtime variables: its dimensions
/// are the results of \p Map (named after nothing), its results the dimensions
/// and then the ranges of \p Map, its domain the image of the domain. It is
/// simplified. nullopt if none was found, with the reason in \p WhyNot.
std::optional<IndexingMap> inverseOf(const IndexingMap &Map,
                                     std::string *WhyNot = nullptr);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPINVERSE_H
