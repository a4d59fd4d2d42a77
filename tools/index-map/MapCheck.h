//===- MapCheck.h - Is the printed map the map as written? ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares two texts by evaluating them: what the user wrote, by the
// definitions of the operators alone, and what is printed, parsed again. So an
// error anywhere on the way from one text to the other shows.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_INDEX_MAP_MAPCHECK_H
#define UNRAVEL_TOOLS_INDEX_MAP_MAPCHECK_H

#include "tools/index-map/MapPoint.h"

namespace unravel {

struct CheckResult {
  /// Where the maps differ, and how; empty if they agree.
  std::string Difference;
  uint64_t Points = 0;
  uint64_t PointsInDomain = 0;
};

/// Looks at every point inside the bounds that \p Written gives its variables
/// if they are at most \p MaxPoints, otherwise at so many of them: corners
/// first, then random ones. And at some that are just outside. What has no
/// value as written is not compared. \p Lowered is the map as written, to find
/// points of its domain.
CheckResult checkText(const MapSyntax &Written, const IndexingMap &Lowered,
                      llvm::StringRef Printed, uint64_t MaxPoints);

} // namespace unravel

#endif // UNRAVEL_TOOLS_INDEX_MAP_MAPCHECK_H
