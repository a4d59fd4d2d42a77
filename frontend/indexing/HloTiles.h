//===- HloTiles.h - What blocks load of parameters --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles of a computation: for a tile of each of its results, what that
// needs of every parameter.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_INDEXING_HLOTILES_H
#define UNRAVEL_FRONTEND_INDEXING_HLOTILES_H

#include "frontend/indexing/HloIndexing.h"

namespace unravel {

/// Prints a line for each different tile. With \p Sizes of the tiles of a
/// result, block number pid needs
///
///     root -> p0: offsets (pid) -> (pid floordiv 8 * 2, 0), domain: pid in
///       [0, 15], sizes (2, 8), strides (1, 1), shared with the next tiles
///       (0, 16)
///
/// where the last numbers are those of the elements that a tile in the middle
/// and the next one along each dimension of the result both need. And without,
/// tile i0, i1, ... of t0 x t1 x ... elements needs
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
void printTiles(llvm::raw_ostream &OS, const HloComputation &C,
                HloIndexingAnalysis &Analysis, llvm::ArrayRef<int64_t> Sizes);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_INDEXING_HLOTILES_H
