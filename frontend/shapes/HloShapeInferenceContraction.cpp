//===- HloShapeInferenceContraction.cpp - Many elements make one ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reduce, reduce-window, select-and-scatter, dot and convolution.
//
//===----------------------------------------------------------------------===//

#include "frontend/shapes/HloShapeInference.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// How often the window fits the padded, dilated dimension of \p Size elements.
static Expected<int64_t> windowCount(const HloWindowDimension &W, int64_t Size,
                                     size_t Dimension) {
  constexpr int64_t Limit = int64_t(1) << 61;
  if (W.Size < 1 || W.Stride < 1 || W.BaseDilation < 1 || W.WindowDilation < 1)
    return createStringError("size, stride and dilations of the window have to "
                             "be positive, but are not in dimension " +
                             Twine(Dimension));
  // 128 bits hold the products of numbers of 64.
  __int128 Dilated = Size == 0 ? 0 : __int128(Size - 1) * W.BaseDilation + 1;
  __int128 Padded = Dilated + W.PadLow + W.PadHigh;
  __int128 Window = __int128(W.Size - 1) * W.WindowDilation + 1;
  auto IsTooLarge = [](__int128 N) { return N > Limit || N < -Limit; };
  if (IsTooLarge(W.PadLow) || IsTooLarge(W.PadHigh) || IsTooLarge(Dilated) ||
      IsTooLarge(Padded) || IsTooLarge(Window) || IsTooLarge(W.Stride) ||
      IsTooLarge(W.BaseDilation))
    return createStringError("the window of dimension " + Twine(Dimension) +
                             " is too large");
  return Padded < Window ? 0 : int64_t((Padded - Window) / W.Stride + 1);
}

//===----------------------------------------------------------------------===//
// Reduce and reduce-window
//===----------------------------------------------------------------------===//

/// Operands with equal dimensions, then an initial value for each; the callee
/// takes two sets of their elements and yields one.
static Error checkReduction(const HloInstruction &I) {
  size_t Count = I.operands().size() / 2;
  if (Count == 0 || I.operands().size() % 2 != 0)
    return createStringError("takes operands and as many initial values, found "
                             "an odd number, or none");
  std::vector<ElementType> Types;
  for (size_t K = 0; K < Count; ++K) {
    const HloShape &Shape = I.operand(K).shape();
    const HloShape &Initial = I.operand(Count + K).shape();
    if (Shape.dimensions() != I.operand(0).shape().dimensions())
      return createStringError("the operands '" + I.operand(0).name() +
                               "' and '" + I.operand(K).name() +
                               "' have different dimensions");
    if (!Initial.isCompatible(HloShape::scalar(Shape.elementType())))
      return createStringError("the initial value '" +
                               I.operand(Count + K).name() + "' is " +
                               Initial.str(false) + "; it has to be a scalar " +
                               nameOf(Shape.elementType()));
    Types.push_back(Shape.elementType());
  }
  std::vector<ElementType> Parameters = Types;
  append_range(Parameters, Types);
  return checkScalarCallee(*I.callee(), Parameters, Types);
}

/// An array of these sizes for each operand.
static Expected<HloShape> reductionShape(const HloInstruction &I,
                                         ArrayRef<int64_t> Sizes) {
  std::vector<HloShape> Shapes;
  for (size_t K = 0; K < I.operands().size() / 2; ++K) {
    Expected<HloShape> Shape =
        HloShape::array(I.operand(K).shape().elementType(), Sizes);
    if (!Shape)
      return Shape;
    Shapes.push_back(std::move(*Shape));
  }
  return oneOrTuple(std::move(Shapes));
}

static Expected<HloShape> inferReduce(const HloInstruction &I) {
  if (Error E = checkReduction(I))
    return E;
  const HloShape &Operand = I.operand(0).shape();
  if (Error E = checkDimensions(I.dimensions(), Operand.rank(), "dimensions="))
    return E;
  std::vector<bool> IsReduced(Operand.rank());
  for (int64_t D : I.dimensions())
    IsReduced[D] = true;
  std::vector<int64_t> Sizes;
  for (size_t D = 0; D < Operand.rank(); ++D)
    if (!IsReduced[D])
      Sizes.push_back(Operand.dimension(D));
  return reductionShape(I, Sizes);
}

/// How often \p Window, which has to have as many dimensions as \p Operand,
/// fits in each of them.
static Expected<HloNumbers> windowCounts(const HloWindow &Window,
                                         const HloShape &Operand) {
  if (Window.size() != Operand.rank())
    return createStringError("the window has " + Twine(Window.size()) +
                             " dimensions, the operand " +
                             Twine(Operand.rank()));
  HloNumbers Sizes;
  for (size_t D = 0; D < Window.size(); ++D) {
    Expected<int64_t> Count = windowCount(Window[D], Operand.dimension(D), D);
    if (!Count)
      return Count.takeError();
    Sizes.push_back(*Count);
  }
  return Sizes;
}

static Expected<HloShape> inferReduceWindow(const HloInstruction &I) {
  if (Error E = checkReduction(I))
    return E;
  Expected<HloNumbers> Sizes = windowCounts(
      I.attributes<HloReduceWindow>().Window, I.operand(0).shape());
  return Sizes ? reductionShape(I, *Sizes) : Sizes.takeError();
}

/// An operand, an element of the source for each window, an initial value.
static Expected<HloShape> inferSelectAndScatter(const HloInstruction &I) {
  const HloShape &Operand = I.operand(0).shape();
  const HloShape &Source = I.operand(1).shape();
  const HloWindow &Window = I.attributes<HloSelectAndScatter>().Window;
  ElementType T = Operand.elementType();
  if (Source.elementType() != T ||
      !I.operand(2).shape().isCompatible(HloShape::scalar(T)))
    return createStringError("the source and the initial value, a scalar, have "
                             "to have the operand's elements, " +
                             Twine(nameOf(T)));
  for (const HloWindowDimension &W : Window)
    if (W.BaseDilation != 1 || W.WindowDilation != 1 || W.Reversal)
      return createStringError("the window has dilations or reversals, which "
                               "this operation has no meaning for; leave them "
                               "out");
  Expected<HloNumbers> Sizes = windowCounts(Window, Operand);
  if (!Sizes)
    return Sizes.takeError();
  if (Source.dimensions() != ArrayRef<int64_t>(*Sizes))
    return createStringError(
        "the source '" + I.operand(1).name() + "' is " + Source.str(false) +
        "; the window fits the operand in other numbers of places");
  if (Error E = checkScalarCallee(*I.callees()[0], {T, T}, ElementType::Pred))
    return E;
  if (Error E = checkScalarCallee(*I.callees()[1], {T, T}, T))
    return E;
  return Operand;
}

//===----------------------------------------------------------------------===//
// Dot and convolution
//===----------------------------------------------------------------------===//

/// The products are formed in the type of the result, which is written.
static Error checkProductTypes(const HloInstruction &I) {
  if (I.shape().isTuple())
    return createStringError("the result has to be an array");
  ElementType Result = I.shape().elementType();
  for (const HloInstruction *Operand : I.operands()) {
    ElementType Type = Operand->shape().elementType();
    // A number may become one of a larger set: an integer a float.
    auto Set = [](ElementType T) {
      return isComplex(T) ? 3 : isFloat(T) ? 2 : isInteger(T) ? 1 : 0;
    };
    if (Set(Type) > Set(Result) || (isPred(Type) && !isPred(Result)))
      return createStringError("the operand '" + Operand->name() + "' is " +
                               Operand->shape().str(false) + ", the result " +
                               nameOf(Result) + "; convert the operand");
  }
  return Error::success();
}

static Expected<HloShape> inferDot(const HloInstruction &I) {
  if (Error E = checkProductTypes(I))
    return E;
  const auto &D = I.attributes<HloDot>();
  const HloShape &Lhs = I.operand(0).shape(), &Rhs = I.operand(1).shape();
  HloNumbers LhsUsed = D.LhsBatch, RhsUsed = D.RhsBatch;
  append_range(LhsUsed, D.LhsContracting);
  append_range(RhsUsed, D.RhsContracting);
  if (Error E = checkDimensions(LhsUsed, Lhs.rank(),
                                "lhs_batch_dims= with lhs_contracting_dims="))
    return E;
  if (Error E = checkDimensions(RhsUsed, Rhs.rank(),
                                "rhs_batch_dims= with rhs_contracting_dims="))
    return E;
  if (D.LhsBatch.size() != D.RhsBatch.size() ||
      D.LhsContracting.size() != D.RhsContracting.size())
    return createStringError("the operands have different numbers of batch or "
                             "contracting dimensions");
  for (size_t K = 0; K < LhsUsed.size(); ++K)
    if (Lhs.dimension(LhsUsed[K]) != Rhs.dimension(RhsUsed[K]))
      return createStringError(
          "dimension " + Twine(LhsUsed[K]) + " of the left operand has " +
          Twine(Lhs.dimension(LhsUsed[K])) + " elements, dimension " +
          Twine(RhsUsed[K]) + " of the right one, which belongs to it, " +
          Twine(Rhs.dimension(RhsUsed[K])));
  std::vector<int64_t> Sizes;
  for (int64_t Batch : D.LhsBatch)
    Sizes.push_back(Lhs.dimension(Batch));
  auto AddFree = [&](const HloShape &Shape, const HloNumbers &Used) {
    for (size_t K = 0; K < Shape.rank(); ++K)
      if (!is_contained(Used, int64_t(K)))
        Sizes.push_back(Shape.dimension(K));
  };
  AddFree(Lhs, LhsUsed);
  AddFree(Rhs, RhsUsed);
  return HloShape::array(I.shape().elementType(), Sizes);
}

/// Features and batches, which the groups divide.
static Error checkGroups(const HloConvolution &C, const HloShape &Input,
                         const HloShape &Kernel) {
  int64_t FeatureGroups = C.FeatureGroupCount, BatchGroups = C.BatchGroupCount;
  if (FeatureGroups < 1 || BatchGroups < 1 ||
      (FeatureGroups > 1 && BatchGroups > 1))
    return createStringError("feature_group_count= and batch_group_count= have "
                             "to be positive, and one of them 1");
  int64_t Features = Input.dimension(C.Input.Feature);
  if (Features % FeatureGroups != 0 ||
      Features / FeatureGroups != Kernel.dimension(C.Kernel.Batch))
    return createStringError(
        "the input has " + Twine(Features) + " features in " +
        Twine(FeatureGroups) + " groups, but the kernel takes " +
        Twine(Kernel.dimension(C.Kernel.Batch)) + " for each group");
  int64_t Outputs = Kernel.dimension(C.Kernel.Feature);
  if (Outputs % FeatureGroups != 0 || Outputs % BatchGroups != 0)
    return createStringError("the groups do not divide the " + Twine(Outputs) +
                             " output features");
  if (Input.dimension(C.Input.Batch) % BatchGroups != 0)
    return createStringError("batch_group_count= does not divide the " +
                             Twine(Input.dimension(C.Input.Batch)) +
                             " batches");
  return Error::success();
}

static Expected<HloShape> inferConvolution(const HloInstruction &I) {
  if (Error E = checkProductTypes(I))
    return E;
  const auto &C = I.attributes<HloConvolution>();
  const HloShape &Input = I.operand(0).shape(), &Kernel = I.operand(1).shape();
  size_t SpatialRank = C.Input.Spatial.size();
  if (Input.rank() != SpatialRank + 2 || Kernel.rank() != SpatialRank + 2 ||
      C.Window.size() != SpatialRank)
    return createStringError("dim_labels= has " + Twine(SpatialRank) +
                             " spatial dimensions, the operands " +
                             Twine(Input.rank()) + " and " +
                             Twine(Kernel.rank()) +
                             " dimensions (two are not spatial), the window " +
                             Twine(C.Window.size()));
  if (Error E = checkGroups(C, Input, Kernel))
    return E;
  std::vector<int64_t> Sizes(SpatialRank + 2);
  Sizes[C.Output.Batch] = Input.dimension(C.Input.Batch) / C.BatchGroupCount;
  Sizes[C.Output.Feature] = Kernel.dimension(C.Kernel.Feature);
  for (size_t D = 0; D < SpatialRank; ++D) {
    if (C.Window[D].Size != Kernel.dimension(C.Kernel.Spatial[D]))
      return createStringError(
          "the window has size " + Twine(C.Window[D].Size) +
          " in spatial dimension " + Twine(D) + ", the kernel " +
          Twine(Kernel.dimension(C.Kernel.Spatial[D])));
    Expected<int64_t> Count =
        windowCount(C.Window[D], Input.dimension(C.Input.Spatial[D]), D);
    if (!Count)
      return Count.takeError();
    Sizes[C.Output.Spatial[D]] = *Count;
  }
  return HloShape::array(I.shape().elementType(), Sizes);
}

Expected<HloShape> inferContraction(const HloInstruction &I) {
  if (Error E = checkOperandsAreArrays(I))
    return E;
  switch (I.opcode()) {
  case HloOpcode::Reduce:
    return inferReduce(I);
  case HloOpcode::ReduceWindow:
    return inferReduceWindow(I);
  case HloOpcode::SelectAndScatter:
    return inferSelectAndScatter(I);
  case HloOpcode::Dot:
    return inferDot(I);
  default:
    return inferConvolution(I);
  }
}

} // namespace unravel
