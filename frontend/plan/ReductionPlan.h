//===- ReductionPlan.h - How threads share a reduction ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With a thread for each result, neighbouring threads read elements that are
// far apart (rows), or there are too few threads (columns). So the threads of a
// block form groups of Height x Width:
//
//     thread in the grid = (group * Height + y) * Width + x
//
// A group computes Width neighbouring results; Height threads share the
// elements of each. If the minor dimensions in memory are reduced, the threads
// of a row read neighbours, and Width is 1. If they are kept, the threads of
// neighbouring columns do.
//
// The dimensions of the input form four groups. A thread reads
//
//     for outer in Outer                      // all of them
//       for step                              // its share of Shared
//         vector = step * Height + y
//         for place in vector                 // neighbours in memory
//           input[Kept and Columns of the group and x;
//                 outer; vector * Vector + place]
//
// Height is no larger than the number of vectors, so every thread has one: its
// sum starts with that, and the reducer needs no neutral element.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_REDUCTIONPLAN_H
#define UNRAVEL_FRONTEND_PLAN_REDUCTIONPLAN_H

#include "analysis/maps/IndexingMap.h"
#include "frontend/indexing/ThreadMaps.h"
#include "llvm/ADT/SmallVector.h"

namespace unravel {

/// Some dimensions of an array, as an array of their own with the same order in
/// memory. Without dimensions it has one element.
struct DimensionGroup {
  llvm::SmallVector<int64_t, 4> Dimensions; ///< ascending
  HloShape Shape;

  int64_t size() const { return Shape.elementCount(); }
};

struct ReductionPlan {
  static constexpr int64_t WarpSize = 32;

  /// The kept dimensions. Columns are neighbours in memory; there are none if
  /// the minor dimensions are reduced.
  DimensionGroup Kept, Columns;
  /// The reduced dimensions.
  DimensionGroup Outer, Shared;
  int64_t Vector = 1;
  int64_t Height = 1, Width = 1; ///< powers of two
  int64_t BlockSize = 1;         ///< a power of two, at least a warp

  int64_t vectors() const { return Shared.size() / Vector; }
  /// The groups that cover the columns.
  int64_t groupsAcross() const { return (Columns.size() + Width - 1) / Width; }
  int64_t groups() const { return Kept.size() * groupsAcross(); }
  int64_t groupsOfBlock() const { return BlockSize / (Height * Width); }
  int64_t blocks() const {
    return (groups() + groupsOfBlock() - 1) / groupsOfBlock();
  }
  /// Of a block.
  int64_t warps() const { return BlockSize / WarpSize; }
  bool isGroupInWarp() const { return Height * Width <= WarpSize; }
  bool isRow() const { return Columns.Dimensions.empty(); }
};

/// How threads reduce an array of shape \p Input in the dimensions \p Reduced;
/// nullopt if a thread for each result is better. \p Bytes is the size of the
/// widest element.
std::optional<ReductionPlan> planReduction(const HloShape &Input,
                                           llvm::ArrayRef<int64_t> Reduced,
                                           int64_t Bytes,
                                           const LaunchLimits &Limits = {});

/// The map from threads to the results that they write, as those of
/// ThreadMaps.h:
///
///     (th_x, th_y, th_z, bl_x, bl_y, bl_z) -> (index in the result)
///
/// The threads of a group with y > 0 are outside the domain. Simplified;
/// nullopt if the grid has a second dimension.
std::optional<IndexingMap> reductionResultMap(const ReductionPlan &Plan,
                                              IndexContext &Context);
/// The map from threads to the elements of the input that they read:
///
///     (th_x, ..., bl_z)[outer, step, place] -> (index in the input)
std::optional<IndexingMap> reductionInputMap(const ReductionPlan &Plan,
                                             IndexContext &Context);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_REDUCTIONPLAN_H
