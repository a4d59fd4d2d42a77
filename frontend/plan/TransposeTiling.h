//===- TransposeTiling.h - Tiles of a transposed array ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array is read in one order and written in another, and input and output
// have different minor dimensions. A loop over the output would read each
// element from another sector of memory. So the array is cut into tiles of
// 32 x 32 elements:
//
//     columns  the last dimensions of the output: neighbours there
//     rows     the last dimensions of the input: neighbours there
//     batch    the other dimensions; a tile is at one index of them
//
// A block of threads fills a tile in shared memory, neighbouring threads with
// neighbouring rows, and writes it with neighbouring columns.
//
// Dimensions of size 1 are left out, and dimensions that are neighbours in the
// same order in output and inputs count as one. So f32[100,32,64] with its
// minor dimensions exchanged has batch 100, rows 64, columns 32.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_TRANSPOSETILING_H
#define UNRAVEL_FRONTEND_PLAN_TRANSPOSETILING_H

#include "frontend/indexing/HloIndexing.h"

namespace unravel {

class TransposeTiling {
public:
  static constexpr int64_t Edge = 32;

  /// Numbers of dimensions, the major one first.
  using Order = std::vector<unsigned>;

  /// \p Sizes are those of the output, the major dimension first; none is 0 or
  /// 1. \p Inputs are the same dimensions in the orders of the inputs. These
  /// have one minor dimension, another one than the output.
  TransposeTiling(std::vector<int64_t> Sizes, std::vector<Order> Inputs);

  /// With neighbours merged.
  llvm::ArrayRef<int64_t> sizes() const { return Sizes; }
  llvm::ArrayRef<unsigned> inputOrder(size_t Input) const {
    return Inputs[Input];
  }
  /// Dimensions, the major one first.
  const Order &batch() const { return Batch; }
  const Order &rows() const { return Rows; }
  const Order &columns() const { return Columns; }

  int64_t rowCount() const { return countOf(Rows); }
  int64_t columnCount() const { return countOf(Columns); }
  /// The sizes of the batch, the number of tiles along the rows, along the
  /// columns. Blocks are numbered in this order.
  std::vector<int64_t> grid() const;
  uint64_t blocks() const;

  /// In a loop kernel, a warp needs 32 sectors for a load. A warp that fills a
  /// tile needs as few as possible, but makes four accesses instead of two, and
  /// some of its lanes are idle if the tile is not full. Tiles pay if a quarter
  /// of the lanes has work.
  bool pays() const;

  std::vector<int64_t> sizesOf(llvm::ArrayRef<unsigned> Dimensions) const;

private:
  int64_t countOf(const Order &Dimensions) const;
  void mergeNeighbours();
  void choose();

  std::vector<int64_t> Sizes;
  std::vector<Order> Inputs;
  Order Batch, Rows, Columns;
};

/// The map from \p Threads threads of each block, in x, and the steps that they
/// take through a tile
///
///     (th_x, th_y, th_z, bl_x, bl_y, bl_z)[step] -> (index)
///
/// to the elements of \p Array that they write after the barrier or, with an
/// input, that they read (or write) while they fill the tile. The layout of \p
/// Array is its order there. Simplified; nullopt if the grid needs z.
std::optional<IndexingMap> transposeThreadMap(const TransposeTiling &Tiling,
                                              const HloShape &Array,
                                              std::optional<size_t> Input,
                                              int64_t Threads,
                                              IndexContext &Context);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_TRANSPOSETILING_H
