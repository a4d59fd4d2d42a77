//===- ThreadMaps.h - Which thread computes which element -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that computes an array element by element numbers the elements in
// the order of memory. A thread computes a vector of neighbours, then, if the
// grid is too small for all of them, another one a whole grid further on:
//
//     number = chunk * (elements of the grid)
//            + (block * threads + thread) * vector + place in the vector
//
// The map from a thread to its elements takes this number apart:
//
//     (th_x, th_y, th_z, bl_x, bl_y, bl_z)[chunk, vector] -> (index)
//
// with `number < elements` as a constraint where the last block is not full.
//
// A map is simplified, so that constraint may have become a bound of a single
// variable: a block of 128 threads for 99 elements has th_x in [0, 98]. What a
// thread has to test is what the domain says and the launch does not, bounds
// included.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_INDEXING_THREADMAPS_H
#define UNRAVEL_FRONTEND_INDEXING_THREADMAPS_H

#include "frontend/indexing/HloIndexing.h"
#include <array>

namespace unravel {

/// What a launch may be like. The defaults are what every GPU since sm_50 can.
struct LaunchLimits {
  int64_t ThreadsPerBlock = 128;
  int64_t MaxVector = 4;       ///< a power of two
  int64_t MaxVectorBytes = 16; ///< the widest load or store
  int64_t MaxBlocksX = (int64_t(1) << 31) - 1;
  int64_t MaxBlocksY = 65535;
};

/// Sizes of blocks and grid; all of them positive. Only x of the threads and x
/// and y of the blocks are more than 1.
struct LaunchDimensions {
  int64_t Threads = 1, BlocksX = 1, BlocksY = 1;
  int64_t Vector = 1; ///< neighbouring elements of a thread
  int64_t Chunks = 1; ///< vectors of a thread

  /// Elements that all threads can compute.
  uint64_t capacity() const {
    return uint64_t(Threads) * BlocksX * BlocksY * Vector * Chunks;
  }
};

/// A launch for an array: one thread for each vector, blocks in x, if these are
/// too many in x and y, after that several vectors for a thread. No vector is
/// split by the end of the array, and a small array has none, so that there is
/// work for more threads.
LaunchDimensions launchFor(const HloShape &Array,
                           const LaunchLimits &Limits = {});

/// The grid of \p Blocks blocks, or of a few more, within the limits of every
/// GPU: in x, if these are too many in y, and then in z as well.
std::array<uint32_t, 3> gridOf(uint64_t Blocks);

/// The variables of a map from threads: their places in the launch, of which y
/// and z of the threads and z of the blocks are 0, and then ranges.
struct LaunchVariables {
  LaunchVariables(IndexContext &Context, int64_t Threads, int64_t BlocksX,
                  int64_t BlocksY);
  IndexExpr addRange(int64_t Size, const char *Name);

  IndexContext &Context;
  IndexingMap::Variables Vars;
  IndexExpr Thread, BlockX, BlockY;
};

/// The map from threads to the elements of \p Array, in the order of its
/// layout; simplified. The launch may be one for another array, with a capacity
/// that is not smaller. Nullopt if the numbers leave 64 bits.
std::optional<IndexingMap> threadMap(const HloShape &Array,
                                     const LaunchDimensions &Launch,
                                     IndexContext &Context);

/// Operands that are as long along a dimension as \p Sizes say, one behind the
/// other.
struct ConcatenatedSizes {
  size_t Along = 0;
  std::vector<int64_t> Sizes;

  static ConcatenatedSizes of(const HloInstruction &Concatenation);
  /// The shape of \p Whole, but as long as the longest operand.
  HloShape longest(const HloShape &Whole) const;
};

/// In a kernel in which a thread has the same index of every operand of a
/// concatenation, the map from threads to the elements of \p Whole; which
/// operand is a variable. The launch is one for the longest operand.
std::optional<IndexingMap>
threadMapOfConcatenation(const ConcatenatedSizes &Operands,
                         const HloShape &Whole, const LaunchDimensions &Launch,
                         IndexContext &Context);

/// The maps from threads to the elements that \p Indexing says an element of \p
/// Array is computed from.
OperandIndexing threadsToOperand(const IndexingMap &ThreadMap,
                                 const HloShape &Array,
                                 const OperandIndexing &Indexing);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_INDEXING_THREADMAPS_H
