//===- ReadableMap.h - Maps as strides and digits ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cheapest text of a map hides what it does: `x + (x floordiv 32) * 968` is
// a row of 1000 elements and a column of 32. The readable text has
//
// - digits with their strides, the largest stride first:
//   `(x floordiv 32) * 1000 + x mod 32`;
// - names for rows and columns, where a row is longer than the columns that
//   occur, and for what several results share, in a clause
//   `where row = ..., column = ...`.
//
// The parser reads it. It means the same on the domain of the map.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_READABLEMAP_H
#define UNRAVEL_ANALYSIS_MAPS_READABLEMAP_H

#include "analysis/maps/IndexingMap.h"

namespace unravel {

/// The readable text of \p Map, on one line.
std::string toReadableString(const IndexingMap &Map);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_READABLEMAP_H
