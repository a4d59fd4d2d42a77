//===- ResultCount.h - How many elements a map leads to ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counting is exact. It looks at the points of domains of at most MaxPoints;
// parts of a map that have no variable in common are counted apart, and
// injective ones without constraints without looking at points.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_RESULTCOUNT_H
#define UNRAVEL_ANALYSIS_TILES_RESULTCOUNT_H

#include "analysis/maps/IndexingMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace unravel {

/// Calls \p Visit with the results at each point of the domain. Returns false
/// if there are too many points, or a result has no value.
bool forEachResult(const IndexingMap &Map, uint64_t MaxPoints,
                   llvm::function_ref<void(llvm::ArrayRef<int64_t>)> Visit);

/// The number of different results of \p Map; nullopt if they cannot be
/// counted.
std::optional<uint64_t> countResults(const IndexingMap &Map,
                                     uint64_t MaxPoints = 1 << 20);

/// The number of points of the domain of \p Map.
std::optional<uint64_t> countPoints(const IndexingMap &Map,
                                    uint64_t MaxPoints = 1 << 20);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_RESULTCOUNT_H
