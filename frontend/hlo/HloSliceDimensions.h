//===- HloSliceDimensions.h - What gather and scatter share -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which dimension is what: an index of the slices (the result of gather, the
// updates of scatter) has a part that runs over a window of the operand, and a
// batch, which says where among the indices the start of that window stands.
//
// The evaluator has its own words for this; they are compared with these.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_HLO_HLOSLICEDIMENSIONS_H
#define UNRAVEL_FRONTEND_HLO_HLOSLICEDIMENSIONS_H

#include "frontend/hlo/HloModule.h"
#include "llvm/ADT/STLExtras.h"

namespace unravel {

/// Refers to the attributes of a gather or scatter.
struct HloSliceDimensions {
  const HloInstruction &Indices;
  size_t OperandRank;
  int64_t IndexVectorDim;
  llvm::ArrayRef<int64_t> Window;  ///< of the slices
  llvm::ArrayRef<int64_t> Removed; ///< of the operand: collapsed, or inserted
  llvm::ArrayRef<int64_t> OperandBatching, IndicesBatching;
  llvm::ArrayRef<int64_t> IndexMap;

  /// \p I need not be verified.
  static HloSliceDimensions of(const HloInstruction &I);

  /// Otherwise vectors have a single component.
  bool hasVectorDim() const {
    return size_t(IndexVectorDim) < Indices.shape().rank();
  }
  /// How many dimensions of the operand a window has.
  size_t windowRank() const {
    return OperandRank - Removed.size() - OperandBatching.size();
  }
  /// For each dimension of the operand, the dimension of the slices that runs
  /// over its window, or -1 if the window is one element there. Window has as
  /// many as it has to.
  std::vector<int64_t> windowDimOf() const;

  /// The part of \p Slice, an index of the slices, that is not in the window.
  template <typename Index> Index batchOf(const Index &Slice) const {
    Index Batch;
    for (auto [D, Part] : llvm::enumerate(Slice))
      if (!llvm::is_contained(Window, int64_t(D)))
        Batch.push_back(Part);
    return Batch;
  }
  /// The element of the indices that is component \p Component of the vector
  /// for \p Batch. Its dimensions are what IndicesBatching refers to.
  template <typename Index>
  Index place(Index Batch, typename Index::value_type Component) const {
    if (hasVectorDim())
      Batch.insert(Batch.begin() + IndexVectorDim, Component);
    return Batch;
  }
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_HLO_HLOSLICEDIMENSIONS_H
