//===- HloSliceDimensions.cpp - What gather and scatter share -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloSliceDimensions.h"

using namespace llvm;

namespace unravel {

HloSliceDimensions HloSliceDimensions::of(const HloInstruction &I) {
  const HloInstruction &Indices = I.operand(I.operands().size() / 2);
  size_t Rank = I.operand(0).shape().rank();
  if (const auto *G = I.attributesIf<HloGather>())
    return {Indices,
            Rank,
            G->IndexVectorDim,
            G->OffsetDims,
            G->CollapsedSliceDims,
            G->OperandBatchingDims,
            G->StartIndicesBatchingDims,
            G->StartIndexMap};
  const auto &S = I.attributes<HloScatter>();
  return {Indices,
          Rank,
          S.IndexVectorDim,
          S.UpdateWindowDims,
          S.InsertedWindowDims,
          S.InputBatchingDims,
          S.ScatterIndicesBatchingDims,
          S.ScatterDimsToOperandDims};
}

std::vector<int64_t> HloSliceDimensions::windowDimOf() const {
  std::vector<int64_t> DimOf(OperandRank, -1);
  auto Next = Window.begin();
  for (size_t D = 0; D < OperandRank; ++D)
    if (!is_contained(Removed, int64_t(D)) &&
        !is_contained(OperandBatching, int64_t(D)))
      DimOf[D] = *Next++;
  return DimOf;
}

} // namespace unravel
