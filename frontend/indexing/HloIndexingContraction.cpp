//===- HloIndexingContraction.cpp - Maps of sums of many elements ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reduce, reduce-window, dot and convolution: the elements that are added up
// are numbered by range variables, in the order of the evaluator's loops. The
// operands of one operation have the same ranges and the same constraints, so
// one nest of loops serves all of them.
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloIndexingOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// The sizes of the output's arrays, which are all the same.
static ArrayRef<int64_t> outputSizes(const HloInstruction &I) {
  return arrayAt(I.shape(), 0).dimensions();
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

static OperandIndexing reduceInput(const HloInstruction &I,
                                   IndexContext &Context) {
  const HloShape &Input = I.operand(0).shape();
  OperandMapBuilder B(Context, outputSizes(I));
  unsigned Kept = 0;
  for (size_t D = 0; D < Input.rank(); ++D)
    B.addResult(is_contained(I.dimensions(), int64_t(D))
                    ? B.addRange(Input.dimension(D))
                    : B.dim(Kept++));
  return B.build();
}

static OperandIndexing reduceOutput(const HloInstruction &I,
                                    IndexContext &Context) {
  const HloShape &Input = I.operand(0).shape();
  OperandMapBuilder B(Context, Input.dimensions());
  for (size_t D = 0; D < Input.rank(); ++D)
    if (!is_contained(I.dimensions(), int64_t(D)))
      B.addResult(B.dim(D));
  return B.build();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The place in an input dimension of \p Size elements at which window element
/// \p InWindow of output element \p Output is. Constrains \p B to where there
/// is one.
static IndexExpr placeInInput(OperandMapBuilder &B, const HloWindowDimension &W,
                              IndexExpr Output, IndexExpr InWindow,
                              int64_t Size) {
  IndexContext &Context = B.context();
  IndexExpr Position =
      Context.add(Context.scale(Output, W.Stride), InWindow, W.WindowDilation);
  if (!Position)
    return Position;
  Position = Context.sub(Position, Context.constant(W.PadLow));
  // floor(p / b) in [0, Size - 1] where b divides p.
  Interval Inside =
      Size == 0 ? Interval::empty() : Interval(0, Size - 1) * W.BaseDilation;
  B.constrain(Position, Inside);
  if (W.BaseDilation == 1)
    return Position;
  B.constrain(B.basis().floorMod(Position, W.BaseDilation), Interval::point(0));
  return B.basis().floorDiv(Position, W.BaseDilation);
}

static OperandIndexing reduceWindowInput(const HloInstruction &I,
                                         IndexContext &Context) {
  const HloShape &Input = I.operand(0).shape();
  OperandMapBuilder B(Context, outputSizes(I));
  for (auto [D, W] : enumerate(I.attributes<HloReduceWindow>().Window)) {
    IndexExpr InWindow = B.addRange(W.Size);
    B.addResult(placeInInput(B, W, B.dim(D), InWindow, Input.dimension(D)));
  }
  return B.build();
}

/// The other way round: the output element, of \p Size of them, whose window
/// element \p InWindow is input element \p Input.
static IndexExpr placeInOutput(OperandMapBuilder &B,
                               const HloWindowDimension &W, IndexExpr Input,
                               IndexExpr InWindow, int64_t Size) {
  IndexContext &Context = B.context();
  IndexExpr Distance = Context.sub(Context.scale(Input, W.BaseDilation),
                                   Context.scale(InWindow, W.WindowDilation));
  if (Distance)
    Distance = Context.add(Distance, W.PadLow);
  if (!Distance)
    return Distance;
  Interval Inside =
      Size == 0 ? Interval::empty() : Interval(0, Size - 1) * W.Stride;
  B.constrain(Distance, Inside);
  if (W.Stride == 1)
    return Distance;
  B.constrain(B.basis().floorMod(Distance, W.Stride), Interval::point(0));
  return B.basis().floorDiv(Distance, W.Stride);
}

static OperandIndexing reduceWindowOutput(const HloInstruction &I,
                                          IndexContext &Context) {
  OperandMapBuilder B(Context, I.operand(0).shape().dimensions());
  for (auto [D, W] : enumerate(I.attributes<HloReduceWindow>().Window))
    B.addResult(
        placeInOutput(B, W, B.dim(D), B.addRange(W.Size), outputSizes(I)[D]));
  return B.build();
}

static std::vector<OperandIndexing> convolution(const HloInstruction &I,
                                                IndexContext &Context) {
  const auto &C = I.attributes<HloConvolution>();
  const HloShape &Input = I.operand(0).shape();
  const HloShape &Kernel = I.operand(1).shape();
  int64_t OutputFeatures = Kernel.dimension(C.Kernel.Feature);
  int64_t GroupFeatures = Kernel.dimension(C.Kernel.Batch);
  int64_t GroupBatches = Input.dimension(C.Input.Batch) / C.BatchGroupCount;
  OperandMapBuilder InputMap(Context, outputSizes(I));
  OperandMapBuilder KernelMap(Context, outputSizes(I));
  std::vector<IndexExpr> InputIndex(Input.rank(), Context.constant(0));
  std::vector<IndexExpr> KernelIndex(Kernel.rank(), Context.constant(0));
  for (auto [D, W] : enumerate(C.Window)) {
    // A variable is the same atom in both maps.
    int64_t Size = Input.dimension(C.Input.Spatial[D]);
    for (OperandMapBuilder *B : {&InputMap, &KernelMap}) {
      IndexExpr InWindow = B->addRange(W.Size);
      InputIndex[C.Input.Spatial[D]] =
          placeInInput(*B, W, B->dim(C.Output.Spatial[D]), InWindow, Size);
      KernelIndex[C.Kernel.Spatial[D]] =
          W.Reversal ? Context.sub(Context.constant(W.Size - 1), InWindow)
                     : InWindow;
    }
  }
  // Part g of the output features sees part g of the features, or batches. (No
  // features at all: the output is empty, and a divisor of 1 as good as any.)
  IndexExpr OutputFeature = InputMap.dim(C.Output.Feature);
  auto GroupOf = [&](int64_t Groups) {
    return Groups == 1 ? Context.constant(0)
                       : InputMap.basis().floorDiv(
                             OutputFeature,
                             std::max<int64_t>(OutputFeatures / Groups, 1));
  };
  IndexExpr Feature = InputMap.addRange(GroupFeatures);
  KernelMap.addRange(GroupFeatures); // the same variable
  InputIndex[C.Input.Feature] =
      Context.add(Feature, GroupOf(C.FeatureGroupCount), GroupFeatures);
  InputIndex[C.Input.Batch] = Context.add(
      InputMap.dim(C.Output.Batch), GroupOf(C.BatchGroupCount), GroupBatches);
  KernelIndex[C.Kernel.Batch] = Feature;
  KernelIndex[C.Kernel.Feature] = OutputFeature;
  InputMap.addResults(InputIndex);
  KernelMap.addResults(KernelIndex);
  return {InputMap.build(), KernelMap.build()};
}

/// From an element of the input to the output. Its batch, or its features, say
/// which part of the output features sees it.
static OperandIndexing convolutionOfInput(const HloInstruction &I,
                                          IndexContext &Context) {
  const auto &C = I.attributes<HloConvolution>();
  const HloShape &Input = I.operand(0).shape();
  OperandMapBuilder B(Context, Input.dimensions());
  std::vector<IndexExpr> Index(I.shape().rank());
  for (auto [D, W] : enumerate(C.Window)) {
    int64_t Output = C.Output.Spatial[D];
    Index[Output] = placeInOutput(B, W, B.dim(C.Input.Spatial[D]),
                                  B.addRange(W.Size), outputSizes(I)[Output]);
  }
  IndexExpr Batch = B.dim(C.Input.Batch), Group = Context.constant(0);
  int64_t Groups = std::max(C.FeatureGroupCount, C.BatchGroupCount);
  // Nothing to divide: there is no element, and any divisor will do.
  auto PartOf = [&](int64_t Whole, int64_t Parts) {
    return std::max<int64_t>(Whole / Parts, 1);
  };
  if (C.FeatureGroupCount > 1)
    Group =
        B.basis().floorDiv(B.dim(C.Input.Feature),
                           PartOf(Input.dimension(C.Input.Feature), Groups));
  if (C.BatchGroupCount > 1) {
    int64_t Batches = PartOf(Input.dimension(C.Input.Batch), Groups);
    Group = B.basis().floorDiv(Batch, Batches);
    Batch = B.basis().floorMod(Batch, Batches);
  }
  int64_t Features = outputSizes(I)[C.Output.Feature] / Groups;
  IndexExpr InGroup = B.addRange(Features);
  Index[C.Output.Feature] =
      Group ? Context.add(InGroup, Group, Features) : Group;
  Index[C.Output.Batch] = Batch;
  B.addResults(Index);
  return B.build();
}

/// From an element of the kernel: every place of the window that has an element
/// of the input under it.
static OperandIndexing convolutionOfKernel(const HloInstruction &I,
                                           IndexContext &Context) {
  const auto &C = I.attributes<HloConvolution>();
  const HloShape &Input = I.operand(0).shape();
  OperandMapBuilder B(Context, I.operand(1).shape().dimensions());
  std::vector<IndexExpr> Index(I.shape().rank());
  for (auto [D, W] : enumerate(C.Window)) {
    IndexExpr InWindow = B.dim(C.Kernel.Spatial[D]);
    if (W.Reversal)
      InWindow = Context.sub(Context.constant(W.Size - 1), InWindow);
    int64_t Output = C.Output.Spatial[D];
    Index[Output] = B.addRange(outputSizes(I)[Output]);
    if (!placeInInput(B, W, Index[Output], InWindow,
                      Input.dimension(C.Input.Spatial[D])))
      Index[Output] = IndexExpr(); // it leaves 64 bits
  }
  Index[C.Output.Feature] = B.dim(C.Kernel.Feature);
  Index[C.Output.Batch] = B.addRange(outputSizes(I)[C.Output.Batch]);
  B.addResults(Index);
  return B.build();
}

//===----------------------------------------------------------------------===//
// Dot
//===----------------------------------------------------------------------===//

namespace {
/// One operand of a dot and where its dimensions are in the output: batch, free
/// dimensions of the left operand, of the right one.
struct DotSide {
  const HloShape &Shape;
  const HloNumbers &Batch, &Contracting;
  size_t FirstFree; ///< in the output

  DotSide(const HloInstruction &I, size_t Operand)
      : DotSide(I, I.attributes<HloDot>(), Operand) {}

  /// Calls one of the functions with each dimension of the operand that is not
  /// contracted and its output dimension, or each that is and its number.
  template <typename F, typename G>
  void forEachDimension(F Outer, G Contracted) const {
    size_t NextFree = FirstFree;
    for (size_t D = 0; D < Shape.rank(); ++D) {
      auto InBatch = find(Batch, int64_t(D));
      auto InContracting = find(Contracting, int64_t(D));
      if (InBatch != Batch.end())
        Outer(D, size_t(InBatch - Batch.begin()));
      else if (InContracting != Contracting.end())
        Contracted(D, size_t(InContracting - Contracting.begin()));
      else
        Outer(D, NextFree++);
    }
  }

private:
  DotSide(const HloInstruction &I, const HloDot &Dot, size_t Operand)
      : Shape(I.operand(Operand).shape()),
        Batch(Operand == 0 ? Dot.LhsBatch : Dot.RhsBatch),
        Contracting(Operand == 0 ? Dot.LhsContracting : Dot.RhsContracting),
        FirstFree(Operand == 0 ? Dot.LhsBatch.size()
                               : I.operand(0).shape().rank() -
                                     Dot.LhsContracting.size()) {}
};
} // namespace

static OperandIndexing dotInput(const HloInstruction &I, size_t Operand,
                                IndexContext &Context) {
  DotSide Side(I, Operand);
  OperandMapBuilder B(Context, outputSizes(I));
  std::vector<IndexExpr> Ranges;
  for (int64_t D : Side.Contracting)
    Ranges.push_back(B.addRange(Side.Shape.dimension(D)));
  std::vector<IndexExpr> Index(Side.Shape.rank());
  Side.forEachDimension(
      [&](size_t D, size_t Output) { Index[D] = B.dim(Output); },
      [&](size_t D, size_t Number) { Index[D] = Ranges[Number]; });
  B.addResults(Index);
  return B.build();
}

static OperandIndexing dotOutput(const HloInstruction &I, size_t Operand,
                                 IndexContext &Context) {
  DotSide Side(I, Operand);
  OperandMapBuilder B(Context, Side.Shape.dimensions());
  std::vector<IndexExpr> Index(I.shape().rank());
  Side.forEachDimension(
      [&](size_t D, size_t Output) { Index[Output] = B.dim(D); },
      [](size_t, size_t) {});
  for (auto [D, Result] : enumerate(Index))
    if (!Result)
      Result = B.addRange(I.shape().dimension(D));
  B.addResults(Index);
  return B.build();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

std::vector<OperandIndexing> contractionOutputToInput(const HloInstruction &I,
                                                      IndexContext &Context) {
  if (I.opcode() == HloOpcode::Dot)
    return {dotInput(I, 0, Context), dotInput(I, 1, Context)};
  if (I.opcode() == HloOpcode::Convolution)
    return convolution(I, Context);
  // Every result depends on all inputs and all initial values.
  size_t Count = I.operands().size() / 2;
  OperandIndexing Input = I.opcode() == HloOpcode::Reduce
                              ? reduceInput(I, Context)
                              : reduceWindowInput(I, Context);
  std::vector<OperandIndexing> Result(Count, Input);
  Result.resize(2 * Count, scalarIndexing(Context, arrayAt(I.shape(), 0)));
  return Result;
}

OperandIndexing contractionInputToOutput(const HloInstruction &I,
                                         size_t Operand,
                                         IndexContext &Context) {
  if (I.opcode() == HloOpcode::Dot)
    return dotOutput(I, Operand, Context);
  if (I.opcode() == HloOpcode::Convolution)
    return Operand == 0 ? convolutionOfInput(I, Context)
                        : convolutionOfKernel(I, Context);
  if (Operand >= I.operands().size() / 2) {
    OperandMapBuilder B(Context, ArrayRef<int64_t>());
    for (int64_t Size : outputSizes(I))
      B.addResult(B.addRange(Size));
    return B.build();
  }
  return I.opcode() == HloOpcode::Reduce ? reduceOutput(I, Context)
                                         : reduceWindowOutput(I, Context);
}

} // namespace unravel
