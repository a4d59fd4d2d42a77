//===- HloIndexingDynamic.cpp - Maps with places known at run time --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic-slice, dynamic-update-slice, gather and scatter. A start that can
// only be clamped to 0 is 0 and needs no variable.
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloSliceDimensions.h"
#include "frontend/indexing/HloIndexingOps.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

/// The starts of a slice of \p Sizes, from the scalar operands \p FirstStart
/// and following of \p I.
static std::vector<IndexExpr> addStarts(OperandMapBuilder &B,
                                        const HloInstruction &I,
                                        size_t FirstStart,
                                        ArrayRef<int64_t> Sizes) {
  std::vector<IndexExpr> Starts;
  for (auto [D, Size] : enumerate(Sizes)) {
    int64_t Last = I.operand(0).shape().dimension(D) - Size;
    Starts.push_back(Last == 0 ? B.context().constant(0)
                               : B.addRuntime(I.operand(FirstStart + D), {},
                                              {0, Last}, /*IsClamped=*/true));
  }
  return Starts;
}

/// From the elements of a slice of \p Slice to the whole array.
static OperandIndexing fromSlice(const HloInstruction &I, size_t FirstStart,
                                 const HloShape &Slice, IndexContext &Context) {
  OperandMapBuilder B(Context, Slice.dimensions());
  auto Starts = addStarts(B, I, FirstStart, Slice.dimensions());
  for (auto [D, Start] : enumerate(Starts))
    B.addResult(Context.add(B.dim(D), Start));
  return B.build();
}

/// From the elements of the whole array that are in the slice to the slice.
static OperandIndexing toSlice(const HloInstruction &I, size_t FirstStart,
                               const HloShape &Slice, IndexContext &Context) {
  OperandMapBuilder B(Context, I.operand(0).shape().dimensions());
  auto Starts = addStarts(B, I, FirstStart, Slice.dimensions());
  for (auto [D, Start] : enumerate(Starts)) {
    IndexExpr Place = Context.sub(B.dim(D), Start);
    B.addResult(Place);
    B.constrain(Place, {0, Slice.dimension(D) - 1});
  }
  return B.build();
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// The starts: elements of the indices, the batch, and 0 elsewhere. The one of
/// dimension D is in [0, Last[D]], or clamped to that.
static std::vector<IndexExpr> addStarts(OperandMapBuilder &B,
                                        const HloSliceDimensions &Dims,
                                        const std::vector<IndexExpr> &Batch,
                                        ArrayRef<int64_t> Last,
                                        bool IsClamped) {
  IndexContext &Context = B.context();
  std::vector<IndexExpr> Starts(Dims.OperandRank, Context.constant(0));
  for (auto [K, D] : enumerate(Dims.IndexMap))
    if (!IsClamped || Last[D] != 0)
      Starts[D] =
          B.addRuntime(Dims.Indices, Dims.place(Batch, Context.constant(K)),
                       {0, Last[D]}, IsClamped);
  std::vector<IndexExpr> Vector = Dims.place(Batch, Context.constant(0));
  for (auto [D, IndicesDim] :
       zip_equal(Dims.OperandBatching, Dims.IndicesBatching))
    Starts[D] = Vector[IndicesDim];
  return Starts;
}

static std::vector<OperandIndexing> gather(const HloInstruction &I,
                                           IndexContext &Context) {
  const auto &G = I.attributes<HloGather>();
  const HloShape &Operand = I.operand(0).shape();
  HloSliceDimensions Dims = HloSliceDimensions::of(I);
  std::vector<int64_t> WindowDimOf = Dims.windowDimOf();
  std::vector<int64_t> Last;
  for (size_t D = 0; D < Operand.rank(); ++D)
    Last.push_back(Operand.dimension(D) - G.SliceSizes[D]);
  OperandMapBuilder B(Context, I.shape().dimensions());
  std::vector<IndexExpr> Index =
      addStarts(B, Dims, Dims.batchOf(B.dims()), Last, /*IsClamped=*/true);
  for (size_t D = 0; D < Operand.rank(); ++D)
    if (WindowDimOf[D] >= 0)
      Index[D] = Context.add(Index[D], B.dim(WindowDimOf[D]));
  B.addResults(Index);

  OperandMapBuilder ToIndices(Context, I.shape().dimensions());
  IndexExpr Component = ToIndices.addRange(Dims.IndexMap.size());
  ToIndices.addResults(Dims.place(Dims.batchOf(ToIndices.dims()), Component));
  return {B.build(), ToIndices.build()};
}

/// From an element of the operand to the slices, which have shape \p Slices,
/// that contain it: for each slice a place in its window, if that is one. A
/// slice takes \p Sizes elements. Starts are clamped, or those outside of their
/// bounds have no point in the domain.
static OperandIndexing toSlices(const HloInstruction &I, const HloShape &Slices,
                                ArrayRef<int64_t> Sizes, bool AreClamped,
                                IndexContext &Context) {
  const HloShape &Operand = I.operand(0).shape();
  HloSliceDimensions Dims = HloSliceDimensions::of(I);
  std::vector<int64_t> WindowDimOf = Dims.windowDimOf();
  OperandMapBuilder B(Context, Operand.dimensions());
  std::vector<IndexExpr> Index(Slices.rank()), Batch;
  for (size_t D = 0; D < Slices.rank(); ++D)
    if (!is_contained(Dims.Window, int64_t(D))) {
      Index[D] = B.addRange(Slices.dimension(D));
      Batch.push_back(Index[D]);
    }
  std::vector<int64_t> Last;
  for (size_t D = 0; D < Operand.rank(); ++D)
    Last.push_back(Operand.dimension(D) - Sizes[D]);
  std::vector<IndexExpr> Starts = addStarts(B, Dims, Batch, Last, AreClamped);
  for (size_t D = 0; D < Operand.rank(); ++D) {
    IndexExpr InWindow = Context.sub(B.dim(D), Starts[D]);
    B.constrain(InWindow, {0, Sizes[D] - 1});
    if (WindowDimOf[D] >= 0)
      Index[WindowDimOf[D]] = InWindow;
  }
  B.addResults(Index);
  return B.build();
}

/// The sizes of the windows of a scatter.
static std::vector<int64_t> updateSizes(const HloInstruction &I) {
  const HloShape &Updates = I.operands().back()->shape();
  std::vector<int64_t> Sizes;
  for (int64_t D : HloSliceDimensions::of(I).windowDimOf())
    Sizes.push_back(D < 0 ? 1 : Updates.dimension(D));
  return Sizes;
}

/// From an element of the indices of a gather: the whole slice that it is the
/// start of.
static OperandIndexing indexToSlice(const HloInstruction &I,
                                    IndexContext &Context) {
  HloSliceDimensions Dims = HloSliceDimensions::of(I);
  OperandMapBuilder B(Context, Dims.Indices.shape().dimensions());
  std::vector<IndexExpr> Batch = B.dims();
  if (Dims.hasVectorDim())
    Batch.erase(Batch.begin() + Dims.IndexVectorDim);
  auto Next = Batch.begin();
  for (size_t D = 0; D < I.shape().rank(); ++D)
    B.addResult(is_contained(Dims.Window, int64_t(D))
                    ? B.addRange(I.shape().dimension(D))
                    : *Next++);
  return B.build();
}

/// From an element of an update to the element that it goes to. An update that
/// is dropped has no point in the domain.
static OperandIndexing updateToOperand(const HloInstruction &I,
                                       IndexContext &Context) {
  const HloShape &Operand = I.operand(0).shape();
  const HloShape &Updates = I.operand(I.operands().size() / 2 + 1).shape();
  HloSliceDimensions Dims = HloSliceDimensions::of(I);
  std::vector<int64_t> WindowDimOf = Dims.windowDimOf();
  OperandMapBuilder B(Context, Updates.dimensions());
  std::vector<int64_t> Last;
  for (auto [D, Size] : enumerate(updateSizes(I)))
    Last.push_back(Operand.dimension(D) - Size);
  std::vector<IndexExpr> Index =
      addStarts(B, Dims, Dims.batchOf(B.dims()), Last, /*IsClamped=*/false);
  for (size_t D = 0; D < Operand.rank(); ++D)
    if (WindowDimOf[D] >= 0)
      Index[D] = Context.add(Index[D], B.dim(WindowDimOf[D]));
  B.addResults(Index);
  return B.build();
}

/// All of the indices decide whether, and how, an element is updated.
static OperandIndexing scatterIndices(const HloInstruction &I,
                                      IndexContext &Context) {
  OperandMapBuilder B(Context, I.operand(0).shape().dimensions());
  for (int64_t Size : HloSliceDimensions::of(I).Indices.shape().dimensions())
    B.addResult(B.addRange(Size));
  return B.build();
}

static OperandIndexing fromScatterIndices(const HloInstruction &I,
                                          IndexContext &Context) {
  OperandMapBuilder B(Context,
                      HloSliceDimensions::of(I).Indices.shape().dimensions());
  for (int64_t Size : I.operand(0).shape().dimensions())
    B.addResult(B.addRange(Size));
  return B.build();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

std::vector<OperandIndexing> dynamicOutputToInput(const HloInstruction &I,
                                                  IndexContext &Context) {
  const HloShape &Operand = I.operand(0).shape();
  size_t Count = I.operands().size();
  std::vector<OperandIndexing> Result;
  switch (I.opcode()) {
  case HloOpcode::Gather:
    return gather(I, Context);
  case HloOpcode::Scatter:
    // The callee may combine all operands and all updates of an element.
    Result.assign(Count / 2, identityIndexing(Context, Operand));
    Result.push_back(scatterIndices(I, Context));
    Result.resize(Count,
                  toSlices(I, I.operands().back()->shape(), updateSizes(I),
                           /*AreClamped=*/false, Context));
    return Result;
  case HloOpcode::DynamicSlice:
    Result = {fromSlice(I, 1, I.shape(), Context)};
    break;
  default:
    Result = {identityIndexing(Context, Operand),
              toSlice(I, 2, I.operand(1).shape(), Context)};
    break;
  }
  Result.resize(Count, scalarIndexing(Context, I.shape()));
  return Result;
}

OperandIndexing dynamicInputToOutput(const HloInstruction &I, size_t Operand,
                                     IndexContext &Context) {
  size_t Count = I.operands().size();
  switch (I.opcode()) {
  case HloOpcode::DynamicSlice:
    if (Operand == 0)
      return toSlice(I, 1, I.shape(), Context);
    break;
  case HloOpcode::DynamicUpdateSlice:
    if (Operand == 0)
      return identityIndexing(Context, I.shape());
    if (Operand == 1)
      return fromSlice(I, 2, I.operand(1).shape(), Context);
    break;
  case HloOpcode::Gather:
    return Operand == 0
               ? toSlices(I, I.shape(), I.attributes<HloGather>().SliceSizes,
                          /*AreClamped=*/true, Context)
               : indexToSlice(I, Context);
  default:
    if (Operand < Count / 2)
      return identityIndexing(Context, I.operand(0).shape());
    if (Operand > Count / 2)
      return updateToOperand(I, Context);
    return fromScatterIndices(I, Context);
  }
  // A start index moves the whole slice.
  OperandMapBuilder B(Context, ArrayRef<int64_t>());
  for (int64_t Size : I.shape().dimensions())
    B.addResult(B.addRange(Size));
  return B.build();
}

} // namespace unravel
