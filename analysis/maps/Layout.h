//===- Layout.h - Layouts of sizes and strides ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout is a map from [0, size) to offsets that takes a number apart into
// digits, the first mode fastest, and adds up a stride for each:
//
//     (4,8):(1,32)    i -> (i mod 4) * 1 + (i floordiv 4) * 32,  i in [0, 31]
//
// as in CuTe (CUTLASS documentation, "CuTe Layout Algebra"), whose operations
// are here for flat layouts of known sizes. CuTe computes something also where
// the operation has no answer; here that is an error with the reason.
//
// Sizes are at least 1, strides at least 0; no offset and no size times its
// stride leaves 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_LAYOUT_H
#define UNRAVEL_ANALYSIS_MAPS_LAYOUT_H

#include "analysis/maps/IndexingMap.h"
#include "llvm/Support/Error.h"

namespace unravel {

struct LayoutMode {
  int64_t Size, Stride;
  bool operator==(const LayoutMode &Other) const {
    return Size == Other.Size && Stride == Other.Stride;
  }
};

class Layout {
public:
  /// Checks the modes: sizes, strides, and that nothing leaves 64 bits.
  static llvm::Expected<Layout> of(llvm::ArrayRef<LayoutMode> Modes);
  /// "(4,8):(1,32)" or "4:1"; parentheses inside each other mean nothing.
  static llvm::Expected<Layout> parse(llvm::StringRef Text);
  std::string str() const;

  llvm::ArrayRef<LayoutMode> modes() const { return Modes; }
  /// The number of offsets, with repetitions.
  int64_t size() const { return Size; }
  /// One more than the largest offset.
  int64_t cosize() const { return Cosize; }
  /// The offset of \p I in [0, size).
  int64_t operator()(int64_t I) const;

private:
  llvm::SmallVector<LayoutMode, 4> Modes;
  int64_t Size = 1, Cosize = 1;
};

/// The same function with as few modes as possible.
Layout coalesce(const Layout &A);

/// I -> \p A(\p B(I)). An error if B leaves the domain of A, or if its modes do
/// not end where digits of A or of one another do.
llvm::Expected<Layout> compose(const Layout &A, const Layout &B);

/// The layout that counts what \p A does not reach: each number in
/// [0, \p Cosize) is the sum of an offset of A and one of the complement in
/// exactly one way (offsets that repeat, with stride 0, counted once).
llvm::Expected<Layout> complement(const Layout &A, int64_t Cosize);

struct LayoutPair {
  Layout Inner, Outer;
};
/// \p A cut into tiles: Inner walks in the first tile as \p Tile says, Outer
/// from tile to tile.
llvm::Expected<LayoutPair> logicalDivide(const Layout &A, const Layout &Tile);
/// \p A repeated as \p Places says: Inner is A, Outer walks from copy to copy.
llvm::Expected<LayoutPair> logicalProduct(const Layout &A,
                                          const Layout &Places);

/// The map (d0) -> (offset), with its domain.
IndexingMap mapOf(IndexContext &Context, const Layout &A);
/// The layout of a map with one dimension from 0 up and one result, coalesced;
/// an error with the reason where it is none.
llvm::Expected<Layout> layoutOf(const IndexingMap &Map);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_LAYOUT_H
