//===- HloUtilisation.h - How much of an operand is read --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_INDEXING_HLOUTILISATION_H
#define UNRAVEL_FRONTEND_INDEXING_HLOUTILISATION_H

#include "frontend/indexing/HloIndexing.h"

namespace unravel {

/// How many different elements of an array of shape \p Array the maps of \p
/// Indexing to its element number \p Element read, if all of the output is
/// computed. Exact. Nullopt if the number depends on values that are read at
/// run time, or cannot be counted: it is counted by looking at the points of
/// domains of at most \p MaxPoints, or from maps that are injective.
std::optional<uint64_t> elementsRead(const OperandIndexing &Indexing,
                                     const HloShape &Array, size_t Element = 0,
                                     uint64_t MaxPoints = 1 << 20);

/// The share of the elements, 1 for an array without any.
std::optional<double> utilisation(const OperandIndexing &Indexing,
                                  const HloShape &Array, size_t Element = 0);

/// A number that depends on values of run time, at least and at most.
struct UseCount {
  uint64_t Least = 0, Most = 0;
};

/// What is read of an array. Nullopt where a number depends on values of run
/// time that are too many to try, or cannot be counted.
struct OperandUse {
  std::optional<UseCount> Unique; ///< different elements
  std::optional<UseCount> Box;    ///< elements of the smallest box around them
  std::optional<UseCount> Repeated; ///< elements, each as often as it is read
};

/// The use of an array of shape \p Array by the maps of \p Indexing to its
/// element number \p Element. Values of run time that are not read for each
/// element again are tried, up to MaxRuntimeCases combinations.
constexpr uint64_t MaxRuntimeCases = 1 << 10;
OperandUse useOf(const OperandIndexing &Indexing, const HloShape &Array,
                 size_t Element = 0, uint64_t MaxPoints = 1 << 20);

/// The map with each runtime variable at its least value, if another value only
/// shifts all results: each is read once for all points, and no constraint is
/// about one.
std::optional<IndexingMap> withLeastRuntimes(const OperandMap &M);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_INDEXING_HLOUTILISATION_H
