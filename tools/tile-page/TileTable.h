//===- TileTable.h - All tiles of a map, one by one -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each tile of an index space touches through a map, and what it shares
// with the next tile along each dimension: what a page draws.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_TILE_PAGE_TILETABLE_H
#define UNRAVEL_TOOLS_TILE_PAGE_TILETABLE_H

#include "analysis/tiles/TileImage.h"
#include "llvm/Support/JSON.h"

namespace unravel {

/// Tiles of Size elements along a dimension, the first one at Begin, the last
/// one with element Begin + Length - 1.
struct TiledDimension {
  int64_t Begin, Length, Size;

  int64_t count() const { return (Length - 1) / Size + 1; }
};

/// A page has no more tiles of one map: each takes about 30 bytes of it.
constexpr int64_t MaxDrawnTiles = 1 << 14;

/// One map with its tiles, as the script of the page reads it:
///
///     {"title": "root -> p0", "facts": [["map", "(d0) -> (d0)"]],
///      "counts": [4],                     tiles along each dimension
///      "first": [0], "sizes": [16],       the array: first index, elements
///      "tiles": [{"box": [[0, 4, 1]], "shared": [0]},  offset, size, stride
///                {"why": "..."}]}         of each tile, the last dimension
///                                         fastest
///
/// \p Array has the bounds of each result; without them the array is what the
/// tiles touch. Errors: too many tiles, or a tile that tileImageOf() does not
/// take.
llvm::Expected<llvm::json::Object>
tileTableOf(const IndexingMap &Map, llvm::ArrayRef<TiledDimension> Dimensions,
            std::optional<llvm::ArrayRef<int64_t>> ArraySizes,
            llvm::StringRef Title,
            llvm::ArrayRef<std::pair<std::string, std::string>> Facts);

/// The page of some of these. The text can be written as it is.
std::string renderTilePage(llvm::StringRef Title, llvm::json::Array Tables);

} // namespace unravel

#endif // UNRAVEL_TOOLS_TILE_PAGE_TILETABLE_H
