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

#include "frontend/hlo/HloSliceDimensions.h"
#include "frontend/shapes/HloShapeInference.h"

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
/// The attributes of gather and scatter, for messages.
struct SliceAttributeNames {
  StringLiteral Removed, OperandBatching, IndicesBatching, IndexMap;
};
} // namespace

/// The dimensions of the indices without that of the vectors.
static std::vector<int64_t> batchSizes(const HloSliceDimensions &Dims) {
  std::vector<int64_t> Sizes = Dims.Indices.shape().dimensions().vec();
  if (Dims.hasVectorDim())
    Sizes.erase(Sizes.begin() + Dims.IndexVectorDim);
  return Sizes;
}

/// All but the window.
static Error checkSliceDimensions(const HloSliceDimensions &Dims,
                                  const HloShape &Operand,
                                  const SliceAttributeNames &Names) {
  const HloShape &Indices = Dims.Indices.shape();
  if (!isInteger(Indices.elementType()))
    return createStringError("the indices are " + Indices.str(false) +
                             "; they have to be integers");
  // One more than the rank stands for vectors of a single component.
  if (Dims.IndexVectorDim < 0 || size_t(Dims.IndexVectorDim) > Indices.rank())
    return createStringError("index_vector_dim=" + Twine(Dims.IndexVectorDim) +
                             " is not in the range 0 to " +
                             Twine(Indices.rank()));
  int64_t Components =
      Dims.hasVectorDim() ? Indices.dimension(Dims.IndexVectorDim) : 1;
  if (int64_t(Dims.IndexMap.size()) != Components)
    return createStringError(
        Names.IndexMap + " has " + Twine(Dims.IndexMap.size()) +
        " numbers, but the index vectors have " + Twine(Components));
  if (Error E = checkDimensions(Dims.IndexMap, Operand.rank(), Names.IndexMap))
    return E;
  if (Error E = checkAscending(Dims.Removed, Operand.rank(), Names.Removed))
    return E;
  if (Error E = checkAscending(Dims.OperandBatching, Operand.rank(),
                               Names.OperandBatching))
    return E;
  if (Error E = checkDimensions(Dims.IndicesBatching, Indices.rank(),
                                Names.IndicesBatching))
    return E;
  for (int64_t D : Dims.OperandBatching)
    if (is_contained(Dims.Removed, D) || is_contained(Dims.IndexMap, D))
      return createStringError("dimension " + Twine(D) + " is in " +
                               Names.OperandBatching + " and also in " +
                               Names.Removed + " or " + Names.IndexMap);
  if (Dims.OperandBatching.size() != Dims.IndicesBatching.size())
    return createStringError(Names.OperandBatching + " and " +
                             Names.IndicesBatching + " have different lengths");
  for (size_t K = 0; K < Dims.OperandBatching.size(); ++K) {
    int64_t D = Dims.IndicesBatching[K];
    if (D == Dims.IndexVectorDim)
      return createStringError(Names.IndicesBatching + " has " + Twine(D) +
                               ", which is index_vector_dim");
    if (Operand.dimension(Dims.OperandBatching[K]) != Indices.dimension(D))
      return createStringError("dimension " + Twine(Dims.OperandBatching[K]) +
                               " of the operand and dimension " + Twine(D) +
                               " of the indices are a batch, but have "
                               "different sizes");
  }
  return Error::success();
}

static Expected<HloShape> inferGather(const HloInstruction &I) {
  const auto &G = I.attributes<HloGather>();
  const HloShape &Operand = I.operand(0).shape();
  HloSliceDimensions Dims = HloSliceDimensions::of(I);
  if (Error E = checkSliceDimensions(
          Dims, Operand,
          {"collapsed_slice_dims=", "operand_batching_dims=",
           "start_indices_batching_dims=", "start_index_map="}))
    return E;
  if (Error E = checkSizes(G.SliceSizes, Operand, "slice_sizes="))
    return E;
  for (ArrayRef<int64_t> LeftOut : {Dims.Removed, Dims.OperandBatching})
    for (int64_t D : LeftOut)
      if (G.SliceSizes[D] != 1)
        return createStringError("slice_sizes= has " + Twine(G.SliceSizes[D]) +
                                 " for the collapsed or batching dimension " +
                                 Twine(D) + "; it has to be 1");
  if (Dims.Window.size() != Dims.windowRank())
    return createStringError("offset_dims= has " + Twine(Dims.Window.size()) +
                             " numbers, but the slices have " +
                             Twine(Dims.windowRank()) + " dimensions");
  std::vector<int64_t> BatchSizes = batchSizes(Dims);
  size_t Rank = BatchSizes.size() + Dims.Window.size();
  if (Error E = checkAscending(Dims.Window, Rank, "offset_dims="))
    return E;
  // Both kinds of dimensions keep their order.
  std::vector<int64_t> Sizes(Rank, -1);
  for (auto [D, Place] : enumerate(Dims.windowDimOf()))
    if (Place >= 0)
      Sizes[Place] = G.SliceSizes[D];
  auto NextBatchSize = BatchSizes.begin();
  for (int64_t &Size : Sizes)
    if (Size < 0)
      Size = *NextBatchSize++;
  return HloShape::array(Operand.elementType(), Sizes);
}

/// One update array: its window fits the operand, its other dimensions are
/// those of the indices.
static Error checkUpdate(const HloSliceDimensions &Dims,
                         const HloShape &Operand,
                         const HloInstruction &UpdateOperand) {
  const HloShape &Update = UpdateOperand.shape();
  std::vector<int64_t> BatchSizes = batchSizes(Dims);
  if (Update.rank() != BatchSizes.size() + Dims.Window.size())
    return createStringError(
        "the update '" + UpdateOperand.name() + "' has " +
        Twine(Update.rank()) + " dimensions, but needs " +
        Twine(BatchSizes.size()) + " for the indices and " +
        Twine(Dims.Window.size()) + " in update_window_dims=");
  if (Error E =
          checkAscending(Dims.Window, Update.rank(), "update_window_dims="))
    return E;
  for (auto [D, Place] : enumerate(Dims.windowDimOf()))
    if (Place >= 0 && Update.dimension(Place) > Operand.dimension(D))
      return createStringError("dimension " + Twine(Place) +
                               " of the update '" + UpdateOperand.name() +
                               "' is larger than dimension " + Twine(D) +
                               " of the operand, to which it belongs");
  auto NextBatchSize = BatchSizes.begin();
  for (size_t Place = 0; Place < Update.rank(); ++Place)
    if (!is_contained(Dims.Window, int64_t(Place)) &&
        Update.dimension(Place) != *NextBatchSize++)
      return createStringError(
          "dimension " + Twine(Place) + " of the update '" +
          UpdateOperand.name() + "' has " + Twine(Update.dimension(Place)) +
          " elements, the indices have " + Twine(NextBatchSize[-1]) + " there");
  return Error::success();
}

/// Operands, indices, as many updates as operands.
static Expected<HloShape> inferScatter(const HloInstruction &I) {
  size_t Count = I.operands().size() / 2;
  if (I.operands().size() < 3 || I.operands().size() % 2 == 0)
    return createStringError("takes operands, indices, and as many updates as "
                             "operands, found " +
                             Twine(I.operands().size()) + " altogether");
  const HloShape &Operand = I.operand(0).shape();
  HloSliceDimensions Dims = HloSliceDimensions::of(I);
  if (Error E = checkSliceDimensions(
          Dims, Operand,
          {"inserted_window_dims=", "input_batching_dims=",
           "scatter_indices_batching_dims=", "scatter_dims_to_operand_dims="}))
    return E;
  if (Dims.Window.size() != Dims.windowRank())
    return createStringError("update_window_dims= has " +
                             Twine(Dims.Window.size()) +
                             " numbers, but the windows have " +
                             Twine(Dims.windowRank()) + " dimensions");
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
  if (Error E = checkUpdate(Dims, Operand, I.operand(Count + 1)))
    return E;
  // The old elements, then the updates.
  std::vector<ElementType> Parameters = Types;
  append_range(Parameters, Types);
  if (Error E = checkScalarCallee(*I.callee(), Parameters, Types))
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
