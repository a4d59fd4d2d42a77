//===- HloTiles.h - What blocks load of parameters --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles of a computation: for a tile of each of its results, what that
// needs of every parameter; for a tile of a parameter, what it takes part in;
// for a block that computes a tile of the first result, what it may store of
// another one.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_INDEXING_HLOTILES_H
#define UNRAVEL_FRONTEND_INDEXING_HLOTILES_H

#include "analysis/tiles/TileGrid.h"
#include "frontend/indexing/HloIndexing.h"
#include "llvm/Support/JSON.h"

namespace unravel {

/// What the tiles of an array lead to in another array.
struct HloTile {
  /// "root", "root#1", "p0", "p0#2"; To is empty where no tile fits the result.
  std::string From, To;
  /// Why there is no tile, or empty.
  std::string WhyNot;
  /// Null where there is no map: nothing is read, or WhyNot says why.
  std::optional<OperandMap> Map;
  /// The shapes of From and To.
  HloShape Output, Input;
  /// One of them, if there is a tile: for given sizes, or for all sizes.
  std::optional<GridTile> Grid;
  std::optional<SymbolicTile> Symbols;
  /// With Grid: for each dimension of the result the elements that a tile in
  /// the middle and the next one along it both need; empty if not known.
  llvm::SmallVector<uint64_t, 4> Shared;
};

/// The different tiles of all maps from the root to the parameters, for tiles
/// of \p Sizes, and of those from its first array to other ones; if there are
/// no sizes, for all sizes, and also from the parameters to the root.
std::vector<HloTile> tilesOf(const HloComputation &C,
                             HloIndexingAnalysis &Analysis,
                             llvm::ArrayRef<int64_t> Sizes);

/// A line. For given sizes, block number pid needs
///
///     root -> p0: offsets (pid) -> (pid floordiv 8 * 2, 0), domain: pid in
///       [0, 15], sizes (2, 8), strides (1, 1), shared with the next tiles
///       (0, 16)
///
/// and for all sizes, tile i0, i1, ... of t0 x t1 x ... elements needs
///
///     root -> p0: offsets (t0 * i0, 0), sizes (t0, 8), strides (1, 1)
///
/// followed by `, if CONDITIONS` where not all sizes will do. What only a part
/// of the result needs, such as an operand of a concatenation, has `, for d1 in
/// [0, 17]` at the end: elements of the tile outside of that need nothing. Or
///
///     root -> p0: no tile: WHY
///
/// Elements outside of the parameter are not read.
std::string toText(const HloTile &Tile);

/// The same as docs/kernel-accesses.md describes it.
llvm::json::Object toJson(const HloTile &Tile);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_INDEXING_HLOTILES_H
