//===- HloEvaluatorDynamic.cpp - Places that are operands -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic-slice, dynamic-update-slice, gather and scatter.
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloEvaluatorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

/// \p Start moved as little as possible, so that \p Size elements from there on
/// are inside of a dimension of \p OperandSize.
static int64_t clampStart(int64_t Start, int64_t OperandSize, int64_t Size) {
  return std::max<int64_t>(0, std::min(Start, OperandSize - Size));
}

/// The start of a slice of \p Sizes, from the scalars \p Starts.
static std::vector<int64_t> clampStarts(HloOperands Starts,
                                        const HloShape &Operand,
                                        ArrayRef<int64_t> Sizes) {
  std::vector<int64_t> Start;
  for (size_t D = 0; D < Starts.size(); ++D)
    Start.push_back(clampStart(Starts[D]->atOffset(0).asInt64(),
                               Operand.dimension(D), Sizes[D]));
  return Start;
}

static HloLiteral evaluateDynamicSlice(const HloInstruction &I,
                                       HloOperands Operands) {
  const HloLiteral &Operand = *Operands[0];
  ArrayRef<int64_t> Sizes = I.shape().dimensions();
  std::vector<int64_t> Start =
      clampStarts(Operands.drop_front(1), Operand.shape(), Sizes);
  HloLiteral Result(I.shape());
  std::vector<int64_t> From(Start.size());
  forEachIndex(Sizes, [&](ArrayRef<int64_t> Index) {
    for (size_t D = 0; D < Index.size(); ++D)
      From[D] = Start[D] + Index[D];
    Result.copyAtOffset(Result.offsetOf(Index), Operand,
                        Operand.offsetOf(From));
    return true;
  });
  return Result;
}

static HloLiteral evaluateDynamicUpdateSlice(const HloInstruction &I,
                                             HloOperands Operands) {
  const HloLiteral &Update = *Operands[1];
  ArrayRef<int64_t> Sizes = Update.shape().dimensions();
  std::vector<int64_t> Start =
      clampStarts(Operands.drop_front(2), I.shape(), Sizes);
  HloLiteral Result = Operands[0]->relaidOut(I.shape());
  std::vector<int64_t> To(Start.size());
  forEachIndex(Sizes, [&](ArrayRef<int64_t> Index) {
    for (size_t D = 0; D < Index.size(); ++D)
      To[D] = Start[D] + Index[D];
    Result.copyAtOffset(Result.offsetOf(To), Update, Update.offsetOf(Index));
    return true;
  });
  return Result;
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

namespace {
/// How an index of the slices (the result of gather, the updates of scatter)
/// names a place in the operand: the sum of a start, read from the indices, and
/// a place in the window.
struct SliceIndexing {
  const HloLiteral &Indices;
  size_t OperandRank;
  int64_t IndexVectorDim;
  const HloNumbers &WindowDims;  ///< of the slices
  const HloNumbers &RemovedDims; ///< of the operand
  const HloNumbers &OperandBatchingDims;
  const HloNumbers &IndicesBatchingDims;
  const HloNumbers &IndexMap;

  /// The part of \p Index that is not in WindowDims.
  std::vector<int64_t> batchIndex(ArrayRef<int64_t> Index) const {
    std::vector<int64_t> Batch;
    for (size_t D = 0; D < Index.size(); ++D)
      if (!is_contained(WindowDims, int64_t(D)))
        Batch.push_back(Index[D]);
    return Batch;
  }

  /// The start in the operand: the index vector's components at the dimensions
  /// of IndexMap, the batch at the batching ones, elsewhere 0.
  std::vector<int64_t> start(ArrayRef<int64_t> Index) const {
    std::vector<int64_t> Batch = batchIndex(Index);
    std::vector<int64_t> Start(OperandRank);
    bool HasVectorDim = size_t(IndexVectorDim) < Indices.shape().rank();
    std::vector<int64_t> Place = Batch;
    if (HasVectorDim)
      Place.insert(Place.begin() + IndexVectorDim, 0);
    for (size_t K = 0; K < IndexMap.size(); ++K) {
      if (HasVectorDim)
        Place[IndexVectorDim] = K;
      Start[IndexMap[K]] = Indices.at(Place).asInt64();
    }
    for (size_t K = 0; K < OperandBatchingDims.size(); ++K)
      Start[OperandBatchingDims[K]] = Place[IndicesBatchingDims[K]];
    return Start;
  }

  /// For each dimension of the operand, the dimension of the slices that runs
  /// over its window, or -1 if the window is one element there.
  std::vector<int64_t> windowDimOf() const {
    std::vector<int64_t> DimOf(OperandRank, -1);
    auto Next = WindowDims.begin();
    for (size_t D = 0; D < OperandRank; ++D)
      if (!is_contained(RemovedDims, int64_t(D)) &&
          !is_contained(OperandBatchingDims, int64_t(D)))
        DimOf[D] = *Next++;
    return DimOf;
  }
};
} // namespace

static HloLiteral evaluateGather(const HloInstruction &I,
                                 HloOperands Operands) {
  const auto &G = I.attributes<HloGather>();
  const HloLiteral &Operand = *Operands[0];
  SliceIndexing Indexing = {*Operands[1],
                            Operand.shape().rank(),
                            G.IndexVectorDim,
                            G.OffsetDims,
                            G.CollapsedSliceDims,
                            G.OperandBatchingDims,
                            G.StartIndicesBatchingDims,
                            G.StartIndexMap};
  std::vector<int64_t> WindowDimOf = Indexing.windowDimOf();
  HloLiteral Result(I.shape());
  forEachIndex(I.shape().dimensions(), [&](ArrayRef<int64_t> Index) {
    std::vector<int64_t> From = Indexing.start(Index);
    for (size_t D = 0; D < From.size(); ++D) {
      From[D] =
          clampStart(From[D], Operand.shape().dimension(D), G.SliceSizes[D]);
      if (WindowDimOf[D] >= 0)
        From[D] += Index[WindowDimOf[D]];
    }
    Result.copyAtOffset(Result.offsetOf(Index), Operand,
                        Operand.offsetOf(From));
    return true;
  });
  return Result;
}

static Expected<HloLiteral> evaluateScatter(const HloInstruction &I,
                                            HloOperands Operands,
                                            HloScalarFunction Callee) {
  const auto &S = I.attributes<HloScatter>();
  size_t Count = Operands.size() / 2;
  const HloShape &Shape = Operands[0]->shape();
  HloOperands Updates = Operands.drop_front(Count + 1);
  ArrayRef<int64_t> UpdateSizes = Updates[0]->shape().dimensions();
  SliceIndexing Indexing = {*Operands[Count],
                            Shape.rank(),
                            S.IndexVectorDim,
                            S.UpdateWindowDims,
                            S.InsertedWindowDims,
                            S.InputBatchingDims,
                            S.ScatterIndicesBatchingDims,
                            S.ScatterDimsToOperandDims};
  std::vector<int64_t> WindowDimOf = Indexing.windowDimOf();
  std::vector<HloLiteral> Results;
  for (size_t K = 0; K < Count; ++K)
    Results.push_back(Operands[K]->relaidOut(
        Count == 1 ? I.shape() : I.shape().elements()[K]));

  // One window after the other: the dimensions in the order of the loops.
  std::vector<int64_t> Order, Sizes, Index(UpdateSizes.size());
  for (size_t D = 0; D < UpdateSizes.size(); ++D)
    if (!is_contained(S.UpdateWindowDims, int64_t(D)))
      Order.push_back(D);
  append_range(Order, S.UpdateWindowDims);
  for (int64_t D : Order)
    Sizes.push_back(UpdateSizes[D]);

  Error Failure = Error::success();
  forEachIndex(Sizes, [&](ArrayRef<int64_t> Ordered) {
    for (size_t K = 0; K < Order.size(); ++K)
      Index[Order[K]] = Ordered[K];
    std::vector<int64_t> To = Indexing.start(Index);
    for (size_t D = 0; D < To.size(); ++D) {
      int64_t Window = WindowDimOf[D] < 0 ? 1 : UpdateSizes[WindowDimOf[D]];
      if (To[D] < 0 || To[D] > Shape.dimension(D) - Window)
        return true; // dropped
      if (WindowDimOf[D] >= 0)
        To[D] += Index[WindowDimOf[D]];
    }
    HloElements Arguments; // the old elements, then the updates
    for (const HloLiteral &Result : Results)
      Arguments.push_back(Result.at(To));
    for (const HloLiteral *Update : Updates)
      Arguments.push_back(Update->at(Index));
    Expected<HloElements> New = Callee(Arguments);
    if (!New) {
      Failure = joinErrors(std::move(Failure), New.takeError());
      return false;
    }
    for (size_t K = 0; K < Count; ++K)
      Results[K].set(To, (*New)[K]);
    return true;
  });
  if (Failure)
    return Failure;
  if (Count == 1)
    return std::move(Results[0]);
  return HloLiteral::tuple(std::move(Results));
}

Expected<HloLiteral> evaluateDynamicIndex(const HloInstruction &I,
                                          HloOperands Operands,
                                          HloScalarFunction Callee) {
  switch (I.opcode()) {
  case HloOpcode::DynamicSlice:
    return evaluateDynamicSlice(I, Operands);
  case HloOpcode::DynamicUpdateSlice:
    return evaluateDynamicUpdateSlice(I, Operands);
  case HloOpcode::Gather:
    return evaluateGather(I, Operands);
  default:
    return evaluateScatter(I, Operands, Callee);
  }
}

} // namespace unravel
