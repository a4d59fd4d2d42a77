//===- RunningSum.h - Sums of symbolic runs ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result of a map, over one tile, is a sum of runs: c * (Offset + j) for 0 <=
// j < Extent, where offset and extent are forms over tile sizes and tile
// indices. This finds for which tile sizes the sum is an arithmetic
// progression, and which one: progressionOfSum (ElementBox.h) in symbols.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_RUNNINGSUM_H
#define UNRAVEL_ANALYSIS_TILES_RUNNINGSUM_H

#include "analysis/algebra/FloorBasis.h"
#include "analysis/tiles/TileConditions.h"

namespace unravel {

struct Run {
  /// Not zero.
  int64_t Coefficient;
  /// The first value, and how many follow it in steps of 1: at least 1.
  IndexExpr Offset, Extent;
  /// The extent is never larger; nullopt if that is not known.
  std::optional<int64_t> Length;
};

/// Offset + Stride * j for 0 <= j < Size. Negative strides keep the order of
/// the elements in the tile.
struct SymbolicProgression {
  IndexExpr Offset, Size, Stride;
};

/// \p Base + the sum of \p Runs. Adds to \p Conditions what it takes for that
/// to be a progression. nullopt if nothing suffices, beyond 64 bits, and for
/// sums of too many runs.
std::optional<SymbolicProgression> sumOfRuns(FloorBasis &Basis, IndexExpr Base,
                                             llvm::ArrayRef<Run> Runs,
                                             TileConditions &Conditions);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_RUNNINGSUM_H
