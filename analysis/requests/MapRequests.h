//===- MapRequests.h - What the accesses of a thread map cost ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map says which elements of an array each thread accesses:
//
//     (thread, block ...)[step ...]{value ...} -> (number of the element)
//
// The first dimension is the number of a thread in its block, so 32 of its
// values that begin at a multiple of 32 are a warp. For each value of the other
// variables a warp makes one request, of the lanes that are in the domain.
//
// Where a range variable counts neighbours in memory, a thread accesses several
// of them at once, as a vector. Whether the code does so is another question:
// the width is what the addresses allow.
//
// A runtime variable shifts the lanes that read its value from one place;
// others are taken to be far away from these, as in analysis/warps. The array
// begins at a multiple of 128 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_REQUESTS_MAPREQUESTS_H
#define UNRAVEL_ANALYSIS_REQUESTS_MAPREQUESTS_H

#include "analysis/maps/IndexingMap.h"
#include "analysis/warps/RequestClasses.h"

namespace unravel {

struct ThreadElements {
  /// One result. It has a first dimension.
  IndexingMap Map;
  unsigned ElementBytes; ///< 1, 2, 4, 8 or 16
  /// For each runtime variable, the place that its value is read from: a map
  /// over the same variables.
  std::vector<IndexingMap> Places = {};
};

/// The least and the greatest of each number of some requests; these need not
/// be of the same request.
struct CostBounds {
  unsigned FewestBytes = ~0u, MostBytes = 0;
  unsigned FewestSectors = ~0u, MostSectors = 0;
  unsigned FewestIdeal = ~0u, MostIdeal = 0;
  unsigned FewestLines = ~0u, MostLines = 0;
  double LowestEfficiency = 1, HighestEfficiency = 0;

  void take(const CostRange &Cost);
  /// All requests cost the same.
  bool isOne() const {
    return FewestBytes == MostBytes && FewestSectors == MostSectors &&
           FewestLines == MostLines;
  }
};

/// Totals of many requests; 64 bits are enough for all threads of a grid.
struct RequestTotal {
  uint64_t Requests = 0, Bytes = 0, IdealSectors = 0;
  /// At best and at worst, if values of run time matter.
  uint64_t FewestSectors = 0, MostSectors = 0;

  double bestEfficiency() const {
    return FewestSectors ? double(Bytes) / (FewestSectors * 32.0) : 1;
  }
  double worstEfficiency() const {
    return MostSectors ? double(Bytes) / (MostSectors * 32.0) : 1;
  }
};

struct MapRequests {
  /// At most so many requests are looked at. Variables that only shift all
  /// lanes are looked at once for each residue modulo 128 bytes, so that these
  /// stand for many more.
  static constexpr uint64_t MaxRequests = 1 << 14;

  /// Why there are no numbers; empty if there are.
  std::string NotUnderstood;
  /// Neighbours that the addresses allow to access at once, 16 bytes at most.
  unsigned Vector = 1;
  /// The lanes in words: the most frequent pattern, then the next one.
  std::string Pattern;
  CostBounds First; ///< of the first warp with an active lane
  CostBounds All;
  /// Of all requests, or of those looked at if these are not all.
  RequestTotal Total;
  bool IsComplete = true;
  /// All requests of a warp together, a sector counted once: what is left if
  /// the cache keeps sectors between them. Null requests if there is only one.
  RequestTotal Together;

  /// On average, requests move at most one sector more than their bytes need.
  bool isCoalesced() const {
    return Total.MostSectors <= Total.IdealSectors + Total.Requests;
  }
};

/// \p Threads.Map need not be simplified.
MapRequests requestsOf(const ThreadElements &Threads);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_REQUESTS_MAPREQUESTS_H
