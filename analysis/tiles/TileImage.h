//===- TileImage.h - What a tile touches ------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements that one tile of an index space touches through an indexing map.
// A tile of a dimension with bounds [lo, hi] is
//
//     lo + Offset + Stride * j   for 0 <= j < Size, as far as that is <= hi,
//
// all in elements of the dimension. Range variables run over all their values,
// constraints hold. The elements are a set: those that are touched twice, by
// windows that overlap, are in it once.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_TILEIMAGE_H
#define UNRAVEL_ANALYSIS_TILES_TILEIMAGE_H

#include "analysis/tiles/ImageBox.h"
#include "llvm/Support/Error.h"

namespace unravel {

/// A tile along one dimension.
struct TileAxis {
  /// At least 1.
  int64_t Size = 1;
  /// From the lower bound of the dimension; at least 0.
  int64_t Offset = 0;
  /// At least 1.
  int64_t Stride = 1;
};

/// Tile number \p Index, counted from 0, of tiles with \p Size elements that
/// follow each other. Errors: a number out of range, an offset beyond 64 bits.
llvm::Expected<TileAxis> tileAt(int64_t Index, int64_t Size);

/// What \p Tile, with an axis for each dimension of \p Map, touches. Errors: a
/// wrong number of axes, numbers out of range, a dimension without a lower
/// bound.
llvm::Expected<ImageAnswer> tileImageOf(const IndexingMap &Map,
                                        llvm::ArrayRef<TileAxis> Tile,
                                        const ImageLimits &Limits = {});

/// For each dimension the number of elements that \p Tile and the next tile
/// along it both touch; 0 where there is no next tile. nullopt where one of
/// the two is no box, or beyond 64 bits. Errors as above.
llvm::Expected<llvm::SmallVector<std::optional<uint64_t>, 4>>
reuseAlongDimensions(const IndexingMap &Map, llvm::ArrayRef<TileAxis> Tile,
                     const ImageLimits &Limits = {});

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_TILEIMAGE_H
