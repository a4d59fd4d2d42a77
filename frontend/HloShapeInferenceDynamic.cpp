//===- HloShapeInferenceDynamic.cpp - Places known at run time ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic-slice, dynamic-update-slice, gather and scatter.
//
//===----------------------------------------------------------------------===//

#include "frontend/HloShapeInference.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

/// The operands from \p First on are scalar integers, one for each dimension of
/// operand 0.
static Error checkStartIndices(const HloInstruction &I, size_t First) {
  size_t Rank = I.operand(0).shape().rank();
  if (I.operands().size() != First + Rank)
    return createStringError("needs a start index for each of the " +
                             Twine(Rank) + " dimensions, found " +
                             Twine(I.operands().size() - First));
  for (const HloInstruction *Start : I.operands().drop_front(First)) {
    const HloShape &Shape = Start->shape();
    if (!Shape.isScalar() || !isInteger(Shape.elementType()))
      return createStringError("the start index '" + Start->name() + "' is " +
                               Shape.str(false) +
                               "; it has to be a scalar integer, one for each "
                               "dimension");
  }
  return Error::success();
}

static Error checkSizes(ArrayRef<int64_t> Sizes, const HloShape &Operand,
                        StringRef Name) {
  if (Sizes.size() != Operand.rank())
    return createStringError(Name + " has " + Twine(Sizes.size()) +
                             " dimensions, the operand " +
                             Twine(Operand.rank()));
  for (size_t D = 0; D < Sizes.size(); ++D)
    if (Sizes[D] < 0 || Sizes[D] > Operand.dimension(D))
      return createStringError(
          Name + " has size " + Twine(Sizes[D]) + " in dimension " + Twine(D) +
          ", where the operand has " + Twine(Operand.dimension(D)));
  return Error::success();
}

static Expected<HloShape> inferDynamicSlice(const HloInstruction &I) {
  if (I.operands().empty())
    return createStringError("needs an operand");
  const HloShape &Operand = I.operand(0).shape();
  const HloNumbers &Sizes = I.attributes<HloDynamicSlice>().Sizes;
  if (Error E = checkSizes(Sizes, Operand, "dynamic_slice_sizes="))
    return E;
  if (Error E = checkStartIndices(I, 1))
    return E;
  return HloShape::array(Operand.elementType(), Sizes);
}

static Expected<HloShape> inferDynamicUpdateSlice(const HloInstruction &I) {
  if (I.operands().size() < 2)
    return createStringError("needs an operand and an update");
  const HloShape &Operand = I.operand(0).shape();
  const HloShape &Update = I.operand(1).shape();
  if (Operand.elementType() != Update.elementType())
    return createStringError("the update is " + Update.str(false) +
                             ", the operand " + Operand.str(false) +
                             "; both need one element type");
  if (Error E = checkSizes(Update.dimensions(), Operand, "the update"))
    return E;
  if (Error E = checkStartIndices(I, 2))
    return E;
  return Operand;
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

namespace {
/// What gather and scatter have in common, named for messages.
struct IndexVectors {
  const HloShape &Operand, &Indices;
  int64_t IndexVectorDim;
  const HloNumbers &RemovedDims; ///< collapsed, or inserted
  StringRef RemovedName;
  const HloNumbers &BatchingDims;
  StringRef BatchingName;
  const HloNumbers &IndicesBatchingDims;
  StringRef IndicesBatchingName;
  const HloNumbers &IndexMap;
  StringRef IndexMapName;

  Error check() const;
  /// The dimensions of Indices without IndexVectorDim.
  std::vector<int64_t> batchSizes() const;
  /// How many dimensions of the operand a window has.
  size_t windowRank() const {
    return Operand.rank() - RemovedDims.size() - BatchingDims.size();
  }
};
} // namespace

std::vector<int64_t> IndexVectors::batchSizes() const {
  std::vector<int64_t> Sizes = Indices.dimensions().vec();
  if (size_t(IndexVectorDim) < Sizes.size())
    Sizes.erase(Sizes.begin() + IndexVectorDim);
  return Sizes;
}

Error IndexVectors::check() const {
  if (!isInteger(Indices.elementType()))
    return createStringError("the indices are " + Indices.str(false) +
                             "; they have to be integers");
  // One more than the rank stands for vectors of a single component.
  if (IndexVectorDim < 0 || size_t(IndexVectorDim) > Indices.rank())
    return createStringError("index_vector_dim=" + Twine(IndexVectorDim) +
                             " is not in the range 0 to " +
                             Twine(Indices.rank()));
  int64_t Components = size_t(IndexVectorDim) == Indices.rank()
                           ? 1
                           : Indices.dimension(IndexVectorDim);
  if (int64_t(IndexMap.size()) != Components)
    return createStringError(IndexMapName + " has " + Twine(IndexMap.size()) +
                             " numbers, but the index vectors have " +
                             Twine(Components));
  if (Error E = checkDimensions(IndexMap, Operand.rank(), IndexMapName))
    return E;
  if (Error E = checkAscending(RemovedDims, Operand.rank(), RemovedName))
    return E;
  if (Error E = checkAscending(BatchingDims, Operand.rank(), BatchingName))
    return E;
  if (Error E = checkDimensions(IndicesBatchingDims, Indices.rank(),
                                IndicesBatchingName))
    return E;
  for (int64_t D : BatchingDims)
    if (is_contained(RemovedDims, D) || is_contained(IndexMap, D))
      return createStringError("dimension " + Twine(D) + " is in " +
                               BatchingName + " and also in " + RemovedName +
                               " or " + IndexMapName);
  if (BatchingDims.size() != IndicesBatchingDims.size())
    return createStringError(BatchingName + " and " + IndicesBatchingName +
                             " have different lengths");
  for (size_t K = 0; K < BatchingDims.size(); ++K) {
    int64_t D = IndicesBatchingDims[K];
    if (D == IndexVectorDim)
      return createStringError(IndicesBatchingName + " has " + Twine(D) +
                               ", which is index_vector_dim");
    if (Operand.dimension(BatchingDims[K]) != Indices.dimension(D))
      return createStringError("dimension " + Twine(BatchingDims[K]) +
                               " of the operand and dimension " + Twine(D) +
                               " of the indices are a batch, but have "
                               "different sizes");
  }
  return Error::success();
}

static Expected<HloShape> inferGather(const HloInstruction &I) {
  const auto &G = I.attributes<HloGather>();
  const HloShape &Operand = I.operand(0).shape();
  IndexVectors Vectors = {Operand,
                          I.operand(1).shape(),
                          G.IndexVectorDim,
                          G.CollapsedSliceDims,
                          "collapsed_slice_dims=",
                          G.OperandBatchingDims,
                          "operand_batching_dims=",
                          G.StartIndicesBatchingDims,
                          "start_indices_batching_dims=",
                          G.StartIndexMap,
                          "start_index_map="};
  if (Error E = Vectors.check())
    return E;
  if (Error E = checkSizes(G.SliceSizes, Operand, "slice_sizes="))
    return E;
  std::vector<bool> IsLeftOut(Operand.rank());
  for (const HloNumbers *Dims : {&G.CollapsedSliceDims, &G.OperandBatchingDims})
    for (int64_t D : *Dims) {
      if (G.SliceSizes[D] != 1)
        return createStringError("slice_sizes= has " + Twine(G.SliceSizes[D]) +
                                 " for the collapsed or batching dimension " +
                                 Twine(D) + "; it has to be 1");
      IsLeftOut[D] = true;
    }
  if (G.OffsetDims.size() != Vectors.windowRank())
    return createStringError("offset_dims= has " + Twine(G.OffsetDims.size()) +
                             " numbers, but the slices have " +
                             Twine(Vectors.windowRank()) + " dimensions");
  std::vector<int64_t> BatchSizes = Vectors.batchSizes();
  size_t Rank = BatchSizes.size() + G.OffsetDims.size();
  if (Error E = checkAscending(G.OffsetDims, Rank, "offset_dims="))
    return E;
  // Both kinds of dimensions keep their order.
  std::vector<int64_t> Sizes(Rank, -1);
  size_t D = 0;
  for (int64_t Place : G.OffsetDims) {
    while (IsLeftOut[D])
      ++D;
    Sizes[Place] = G.SliceSizes[D++];
  }
  auto NextBatchSize = BatchSizes.begin();
  for (int64_t &Size : Sizes)
    if (Size < 0)
      Size = *NextBatchSize++;
  return HloShape::array(Operand.elementType(), Sizes);
}

/// One update array: its window fits the operand, its other dimensions are
/// those of the indices.
static Error checkUpdate(const HloScatter &S, const IndexVectors &Vectors,
                         const HloInstruction &UpdateOperand) {
  const HloShape &Update = UpdateOperand.shape();
  std::vector<int64_t> BatchSizes = Vectors.batchSizes();
  if (Update.rank() != BatchSizes.size() + S.UpdateWindowDims.size())
    return createStringError(
        "the update '" + UpdateOperand.name() + "' has " +
        Twine(Update.rank()) + " dimensions, but needs " +
        Twine(BatchSizes.size()) + " for the indices and " +
        Twine(S.UpdateWindowDims.size()) + " in update_window_dims=");
  if (Error E = checkAscending(S.UpdateWindowDims, Update.rank(),
                               "update_window_dims="))
    return E;
  std::vector<bool> IsLeftOut(Vectors.Operand.rank());
  for (const HloNumbers *Dims : {&S.InsertedWindowDims, &S.InputBatchingDims})
    for (int64_t D : *Dims)
      IsLeftOut[D] = true;
  std::vector<bool> IsWindow(Update.rank());
  size_t D = 0;
  for (int64_t Place : S.UpdateWindowDims) {
    while (IsLeftOut[D])
      ++D;
    if (Update.dimension(Place) > Vectors.Operand.dimension(D))
      return createStringError("dimension " + Twine(Place) +
                               " of the update '" + UpdateOperand.name() +
                               "' is larger than dimension " + Twine(D) +
                               " of the operand, to which it belongs");
    IsWindow[Place] = true;
    ++D;
  }
  auto NextBatchSize = BatchSizes.begin();
  for (size_t Place = 0; Place < Update.rank(); ++Place)
    if (!IsWindow[Place] && Update.dimension(Place) != *NextBatchSize++)
      return createStringError(
          "dimension " + Twine(Place) + " of the update '" +
          UpdateOperand.name() + "' has " + Twine(Update.dimension(Place)) +
          " elements, the indices have " + Twine(NextBatchSize[-1]) + " there");
  return Error::success();
}

/// Operands, indices, as many updates as operands.
static Expected<HloShape> inferScatter(const HloInstruction &I) {
  const auto &S = I.attributes<HloScatter>();
  size_t Count = I.operands().size() / 2;
  if (I.operands().size() < 3 || I.operands().size() % 2 == 0)
    return createStringError("takes operands, indices, and as many updates as "
                             "operands, found " +
                             Twine(I.operands().size()) + " altogether");
  const HloShape &Operand = I.operand(0).shape();
  IndexVectors Vectors = {Operand,
                          I.operand(Count).shape(),
                          S.IndexVectorDim,
                          S.InsertedWindowDims,
                          "inserted_window_dims=",
                          S.InputBatchingDims,
                          "input_batching_dims=",
                          S.ScatterIndicesBatchingDims,
                          "scatter_indices_batching_dims=",
                          S.ScatterDimsToOperandDims,
                          "scatter_dims_to_operand_dims="};
  if (Error E = Vectors.check())
    return E;
  if (S.UpdateWindowDims.size() != Vectors.windowRank())
    return createStringError("update_window_dims= has " +
                             Twine(S.UpdateWindowDims.size()) +
                             " numbers, but the windows have " +
                             Twine(Vectors.windowRank()) + " dimensions");
  std::vector<HloShape> Results;
  std::vector<ElementType> Types;
  for (size_t K = 0; K < Count; ++K) {
    const HloInstruction &Update = I.operand(Count + 1 + K);
    if (I.operand(K).shape().dimensions() != Operand.dimensions() ||
        Update.shape().elementType() != I.operand(K).shape().elementType() ||
        Update.shape().dimensions() !=
            I.operand(Count + 1).shape().dimensions())
      return createStringError("operand and update number " + Twine(K) +
                               " need the dimensions of the first ones, and "
                               "one element type");
    Results.push_back(I.operand(K).shape());
    Types.push_back(I.operand(K).shape().elementType());
  }
  if (Error E = checkUpdate(S, Vectors, I.operand(Count + 1)))
    return E;
  // The old elements, then the updates.
  std::vector<ElementType> Parameters = Types;
  append_range(Parameters, Types);
  if (Error E = checkScalarCallee(I, Parameters, Types))
    return E;
  return oneOrTuple(std::move(Results));
}

Expected<HloShape> inferDynamicIndex(const HloInstruction &I) {
  if (Error E = checkOperandsAreArrays(I))
    return E;
  switch (I.opcode()) {
  case HloOpcode::DynamicSlice:
    return inferDynamicSlice(I);
  case HloOpcode::DynamicUpdateSlice:
    return inferDynamicUpdateSlice(I);
  case HloOpcode::Gather:
    return inferGather(I);
  default:
    return inferScatter(I);
  }
}

} // namespace unravel
