//===- ImageBox.h - The box that a map fills --------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether the results of a map, over its whole domain, are a box of
// elements, and which one. In this order:
//
//   * Results that share no variable are independent: each part of the map is
//     decided alone.
//   * A result that is a sum of variables is a progression or not
//     (progressionOfSum). Two such results that depend on one variable are no
//     box: the box would have an element with one result at its largest and
//     the other at its smallest value, or with both at their largest, and each
//     extreme needs another end of the variable.
//   * Small domains are decided point by point.
//   * Other domains are rewritten over other variables, with the same set of
//     results, until one of the above applies (IndependentDigits.h).
//
// Time is near-linear in the size of the map, and in the number of points where
// points decide.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_IMAGEBOX_H
#define UNRAVEL_ANALYSIS_TILES_IMAGEBOX_H

#include "analysis/maps/IndexingMap.h"
#include "analysis/tiles/ElementBox.h"
#include <string>

namespace unravel {

struct ImageAnswer {
  enum Shape {
    Empty,   ///< the domain has no points
    Box,     ///< Axes says which
    NoBox,   ///< the results are certainly no box
    Unknown, ///< nothing was proved
  };
  Shape Kind = Unknown;
  /// One for each result, in their order, for Box.
  ElementBox Axes;
  /// In plain English, for NoBox and Unknown.
  std::string Reason;
};

/// What `imageBoxOf` may spend.
struct ImageLimits {
  /// Parts of the domain with at most so many points in their bounds are
  /// decided point by point where no rule applies; about 0.1 microseconds for
  /// each point and operation.
  uint64_t MaxPoints = 1 << 20;
  /// Parts with at most so many points are decided so at once.
  uint64_t MaxPointsAtOnce = 1 << 10;
};

/// All variables of \p Map run over all their values; runtime variables that
/// matter give Unknown.
ImageAnswer imageBoxOf(const IndexingMap &Map, const ImageLimits &Limits = {});

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_IMAGEBOX_H
