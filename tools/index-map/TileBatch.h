//===- TileBatch.h - Tiles, one JSON object a line --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `index-map --tile --jsonl`: each line of the input is
//
//     {"id": any, "map": "(d0) -> (d0 floordiv 4), domain: d0 in [0, 31]",
//      "tile": [8], "at": [1]}
//
// with one number for each dimension, and gives one line, either of
//
//     {"id": any, "box": true, "offset": [2], "size": [2], "stride": [1]}
//     {"id": any, "box": false, "reason": "..."}
//
// with one number for each result; all sizes are 0 where the tile has no
// points. "at" counts tiles and is 0 where it is left out. In its place,
// "offset" counts elements, and "stride" is the distance of the tile's
// elements. `"reuse": true` adds "reuse": for each dimension how many elements
// the next tile touches again, or null where that is not known. Without "tile"
// the answer is symbolic (SymbolicTile.h).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_INDEX_MAP_TILEBATCH_H
#define UNRAVEL_TOOLS_INDEX_MAP_TILEBATCH_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace unravel {

/// The answer to one line, without its id.
llvm::Expected<llvm::json::Object> answerTile(const llvm::json::Object &Line);

/// All tiles of the size that the line has, for a page (TileTable.h). Errors: a
/// line without "tile", or with "offset" or "stride", and a map with a
/// dimension that has no end.
llvm::Expected<llvm::json::Object> tileTable(const llvm::json::Object &Line);

} // namespace unravel

#endif // UNRAVEL_TOOLS_INDEX_MAP_TILEBATCH_H
