//===- ElementBox.h - Boxes of array elements -------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements that a tile touches, where they form a box: along each axis of
// the array an arithmetic progression, and all combinations of these. Numbers
// are counted in elements of the array.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_ELEMENTBOX_H
#define UNRAVEL_ANALYSIS_TILES_ELEMENTBOX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace unravel {

/// Offset + Stride * j for 0 <= j < Size. The stride is positive, and 1 where
/// the size is below 2. All elements fit into 64 bits.
struct Progression {
  int64_t Offset = 0;
  uint64_t Size = 0;
  int64_t Stride = 1;

  /// Modulo 2^64, because the product alone may leave 64 bits.
  int64_t last() const {
    return int64_t(uint64_t(Offset) + (Size - 1) * uint64_t(Stride));
  }
  bool operator==(const Progression &Other) const {
    return Offset == Other.Offset && Size == Other.Size &&
           Stride == Other.Stride;
  }
};

/// One progression for each axis.
using ElementBox = llvm::SmallVector<Progression, 4>;

/// `Coefficient * x` for 0 <= x < Count.
struct SpannedTerm {
  int64_t Coefficient;
  uint64_t Count;
};

enum class SumShape {
  Progression, ///< the values are an arithmetic progression
  Gaps,        ///< they are none
  TooLarge,    ///< the values do not fit into 64 bits
};

/// The values of Base + the sum of \p Terms, for all combinations of their x.
/// They are a progression with the stride g exactly if the smallest
/// |coefficient| is g, all others are its multiples, and in ascending order
/// none is larger than g + sum of |coefficient| * (count - 1) of those before
/// it: a larger one leaves out the value after that sum. \p Out is set for
/// SumShape::Progression only.
SumShape progressionOfSum(int64_t Base, llvm::ArrayRef<SpannedTerm> Terms,
                          Progression &Out);

/// The number of elements in both boxes, which have the same number of axes;
/// nullopt if it leaves 64 bits. Two tiles that follow each other share so many
/// elements: the second one need not load them again.
std::optional<uint64_t> countShared(llvm::ArrayRef<Progression> A,
                                    llvm::ArrayRef<Progression> B);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_ELEMENTBOX_H
