//===- TileGrid.h - The tiles of a grid of blocks ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel gives every block one tile of its output: block number pid, counted
// through the tiles of all dimensions, the last one fastest. This says where
// the tiles of what such a block touches through a map begin.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_TILEGRID_H
#define UNRAVEL_ANALYSIS_TILES_TILEGRID_H

#include "analysis/tiles/SymbolicTile.h"

namespace unravel {

struct GridTile {
  /// (pid){runtime variables of the tiled map} -> offsets, simplified. pid is
  /// below the number of blocks.
  IndexingMap Offsets;
  /// In elements, one for each result; the stride of one element is 1.
  llvm::SmallVector<int64_t, 4> Sizes, Strides;
};

/// What the blocks of a grid touch through \p Map, whose dimensions are those
/// of an array with \p Lengths, in tiles of \p Sizes, both at least 1. Tiles at
/// the end of a dimension may be larger than what is left of it. The error says
/// which condition the sizes do not satisfy, or why there is no symbolic tile.
llvm::Expected<GridTile> gridTileOf(const IndexingMap &Map,
                                    llvm::ArrayRef<int64_t> Lengths,
                                    llvm::ArrayRef<int64_t> Sizes);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_TILEGRID_H
