//===- SymbolicTile.h - Tiles of all sizes at once --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tiles touch through an indexing map, in symbols. Dimension k is cut into
// tiles of t_k elements; tile i_k of it holds the elements
//
//     i_k * t_k + j    for 0 <= j < t_k,
//
// counted from 0, wherever the bounds of the dimension begin. For all sizes
// that satisfy the conditions and all tiles inside of the bounds, of the map
// as simplified() leaves them, the results are
//
//     offset + stride * j  for 0 <= j < size,
//
// independently of each other, as far as that is inside of the lower and the
// upper bound of the result: elements outside are those at which a constraint
// of the map does not hold. A tile that the bounds of a dimension cut touches
// some of the elements inside of the bounds of the results. Sizes that do not
// satisfy the conditions may have a box all the same; each condition says what
// suffices.
//
// Range variables run over all their values. Runtime variables are parameters.
//
// How it is done: a dimension d that occurs in floor(d/6) and d mod 6 becomes
// two digits, under the condition that t divides 6 or is a multiple of it; so
// does a group of dimensions such as 8*d0 + d1. Where nothing of that kind
// applies, a dimension has to have tiles of size 1. Then every result is a sum
// of runs (RunningSum.h).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_SYMBOLICTILE_H
#define UNRAVEL_ANALYSIS_TILES_SYMBOLICTILE_H

#include "analysis/tiles/TileConditions.h"
#include "llvm/Support/Error.h"

namespace unravel {

/// Of one result. Forms are over the symbols of the tile.
struct SymbolicAxis {
  /// Of the first tile, with all tile indices 0, and of any tile.
  IndexExpr Offset, OffsetAt;
  IndexExpr Size, Stride;
  /// Inclusive; null for minus infinity. All elements inside of the domain are
  /// at least this.
  IndexExpr LowerBound;
  /// Exclusive; null for infinity. May depend on tile indices: a sum of several
  /// dimensions ends where these end.
  IndexExpr UpperBound;
};

struct SymbolicTile {
  /// A map without results that has the symbols as variables: its dimensions
  /// are the tile sizes t0, t1, ..., all at least 1, and then the tile indices
  /// i0, i1, ..., at least 0 unless their dimension begins below 0; its runtime
  /// variables are those of the tiled map.
  IndexingMap Symbols;
  /// One for each result.
  std::vector<SymbolicAxis> Axes;
  TileConditions Conditions;

  unsigned numDimensions() const { return Symbols.dimensions().size() / 2; }
  /// A point of Symbols.
  IndexingMap::Point pointAt(llvm::ArrayRef<int64_t> Sizes,
                             llvm::ArrayRef<int64_t> Indices,
                             llvm::ArrayRef<int64_t> Runtimes = {}) const;
  std::string text(IndexExpr E) const;
};

/// With \p Strides, one for each dimension, the elements of a tile are i_k *
/// t_k
/// + stride_k * j. The error says in plain English why there is no answer.
llvm::Expected<SymbolicTile>
symbolicTileOf(const IndexingMap &Map, llvm::ArrayRef<int64_t> Strides = {});

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_SYMBOLICTILE_H
