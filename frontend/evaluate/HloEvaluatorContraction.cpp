//===- HloEvaluatorContraction.cpp - Sums of many elements ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reduce, reduce-window, dot and convolution.
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloEvaluatorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// Reduces several operands together.
class Reduction {
public:
  Reduction(const HloInstruction &I, HloOperands Operands,
            HloScalarFunction Callee)
      : Inputs(Operands.take_front(Operands.size() / 2)),
        Initial(Operands.drop_front(Operands.size() / 2)), Callee(Callee) {
    if (I.shape().isTuple())
      for (const HloShape &Shape : I.shape().elements())
        Results.emplace_back(Shape);
    else
      Results.emplace_back(I.shape());
  }

  /// The results. \p ForEachInput calls its second argument with each index of
  /// the inputs that takes part in the result at its first one, until that
  /// returns false.
  template <typename F> Expected<HloLiteral> reduce(F ForEachInput) {
    Error Failure = Error::success();
    forEachIndex(Results[0].shape().dimensions(), [&](ArrayRef<int64_t> Index) {
      Error E =
          reduceInto(Index, [&](auto Add) { return ForEachInput(Index, Add); });
      bool HasFailed = bool(E);
      Failure = joinErrors(std::move(Failure), std::move(E));
      return !HasFailed;
    });
    if (Failure)
      return Failure;
    if (Results.size() == 1)
      return std::move(Results[0]);
    return HloLiteral::tuple(std::move(Results));
  }

private:
  template <typename F>
  Error reduceInto(ArrayRef<int64_t> Index, F ForEachInput) {
    HloElements Sum;
    for (const HloLiteral *Value : Initial)
      Sum.push_back(Value->atOffset(0));
    Error Failure = Error::success();
    ForEachInput([&](ArrayRef<int64_t> InputIndex) {
      HloElements Arguments = Sum;
      for (const HloLiteral *Input : Inputs)
        Arguments.push_back(Input->at(InputIndex));
      Expected<HloElements> Next = Callee(Arguments);
      if (!Next) {
        Failure = joinErrors(std::move(Failure), Next.takeError());
        return false;
      }
      Sum = std::move(*Next);
      return true;
    });
    for (size_t K = 0; K < Results.size(); ++K)
      Results[K].set(Index, Sum[K]);
    return Failure;
  }

  HloOperands Inputs, Initial;
  HloScalarFunction Callee;
  std::vector<HloLiteral> Results;
};
} // namespace

static Expected<HloLiteral> evaluateReduce(const HloInstruction &I,
                                           HloOperands Operands,
                                           HloScalarFunction Callee) {
  Reduction R(I, Operands, Callee);
  ArrayRef<int64_t> Sizes = Operands[0]->shape().dimensions();
  std::vector<int64_t> Kept, Reduced, ReducedSizes;
  for (size_t D = 0; D < Sizes.size(); ++D) {
    if (is_contained(I.dimensions(), int64_t(D))) {
      Reduced.push_back(D);
      ReducedSizes.push_back(Sizes[D]);
    } else {
      Kept.push_back(D);
    }
  }
  std::vector<int64_t> InputIndex(Sizes.size());
  return R.reduce([&](ArrayRef<int64_t> Index, auto Add) {
    for (size_t K = 0; K < Kept.size(); ++K)
      InputIndex[Kept[K]] = Index[K];
    forEachIndex(ReducedSizes, [&](ArrayRef<int64_t> Place) {
      for (size_t K = 0; K < Reduced.size(); ++K)
        InputIndex[Reduced[K]] = Place[K];
      return Add(InputIndex);
    });
  });
}

/// Where window element \p InWindow of output element \p Output lies in a
/// dimension of \p Size elements; nullopt for padding and holes.
static std::optional<int64_t> placeInInput(const HloWindowDimension &W,
                                           int64_t Output, int64_t InWindow,
                                           int64_t Size) {
  int64_t Position = Output * W.Stride + InWindow * W.WindowDilation - W.PadLow;
  if (Position < 0 || Position % W.BaseDilation != 0 ||
      Position / W.BaseDilation >= Size)
    return std::nullopt;
  return Position / W.BaseDilation;
}

static std::vector<int64_t> sizesOf(const HloWindow &Window) {
  std::vector<int64_t> Sizes;
  for (const HloWindowDimension &W : Window)
    Sizes.push_back(W.Size);
  return Sizes;
}

static Expected<HloLiteral> evaluateReduceWindow(const HloInstruction &I,
                                                 HloOperands Operands,
                                                 HloScalarFunction Callee) {
  Reduction R(I, Operands, Callee);
  const HloWindow &Window = I.attributes<HloReduceWindow>().Window;
  std::vector<int64_t> WindowSizes = sizesOf(Window);
  ArrayRef<int64_t> Sizes = Operands[0]->shape().dimensions();
  std::vector<int64_t> InputIndex(Sizes.size());
  return R.reduce([&](ArrayRef<int64_t> Index, auto Add) {
    forEachIndex(WindowSizes, [&](ArrayRef<int64_t> InWindow) {
      for (size_t D = 0; D < Sizes.size(); ++D) {
        std::optional<int64_t> Place =
            placeInInput(Window[D], Index[D], InWindow[D], Sizes[D]);
        if (!Place)
          return true;
        InputIndex[D] = *Place;
      }
      return Add(InputIndex);
    });
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// A sum of products in the type of the result.
class SumOfProducts {
public:
  explicit SumOfProducts(ElementType Type)
      : Type(Type), Integer(bitWidth(Type), 0) {}

  void add(const HloElement &X, const HloElement &Y) {
    if (isFloat(Type))
      Number += numberOf(X).real() * numberOf(Y).real();
    else if (isComplex(Type))
      Number += numberOf(X) * numberOf(Y);
    else if (isPred(Type)) // "or" of "and"
      Integer |= X.Integer & Y.Integer;
    else
      Integer += extended(X) * extended(Y);
  }

  HloElement value() const {
    if (isFloat(Type) || isComplex(Type))
      return HloElement::number(Type, Number);
    return HloElement::integer(Type, Integer);
  }

private:
  static std::complex<double> numberOf(const HloElement &X) {
    if (isFloat(X.Type) || isComplex(X.Type))
      return X.Number;
    return isSigned(X.Type) ? APIntOps::RoundSignedAPIntToDouble(X.Integer)
                            : APIntOps::RoundAPIntToDouble(X.Integer);
  }
  APInt extended(const HloElement &X) const {
    return isSigned(X.Type) ? X.Integer.sextOrTrunc(bitWidth(Type))
                            : X.Integer.zextOrTrunc(bitWidth(Type));
  }

  ElementType Type;
  APInt Integer;
  std::complex<double> Number;
};
} // namespace

/// Output dimensions: batch, free ones of the left operand, of the right one.
static HloLiteral evaluateDot(const HloInstruction &I, HloOperands Operands) {
  const auto &D = I.attributes<HloDot>();
  const HloLiteral &Lhs = *Operands[0], &Rhs = *Operands[1];
  auto FreeDims = [](const HloLiteral &Operand, const HloNumbers &Batch,
                     const HloNumbers &Contracting) {
    HloNumbers Free;
    for (int64_t K = 0; K < int64_t(Operand.shape().rank()); ++K)
      if (!is_contained(Batch, K) && !is_contained(Contracting, K))
        Free.push_back(K);
    return Free;
  };
  HloNumbers LhsFree = FreeDims(Lhs, D.LhsBatch, D.LhsContracting);
  HloNumbers RhsFree = FreeDims(Rhs, D.RhsBatch, D.RhsContracting);
  std::vector<int64_t> ContractedSizes;
  for (int64_t K : D.LhsContracting)
    ContractedSizes.push_back(Lhs.shape().dimension(K));

  HloLiteral Result(I.shape());
  std::vector<int64_t> LhsIndex(Lhs.shape().rank()),
      RhsIndex(Rhs.shape().rank());
  forEachIndex(I.shape().dimensions(), [&](ArrayRef<int64_t> Index) {
    const int64_t *Next = Index.begin();
    for (size_t K = 0; K < D.LhsBatch.size(); ++K)
      LhsIndex[D.LhsBatch[K]] = RhsIndex[D.RhsBatch[K]] = *Next++;
    for (int64_t K : LhsFree)
      LhsIndex[K] = *Next++;
    for (int64_t K : RhsFree)
      RhsIndex[K] = *Next++;
    SumOfProducts Sum(I.shape().elementType());
    forEachIndex(ContractedSizes, [&](ArrayRef<int64_t> Place) {
      for (size_t K = 0; K < Place.size(); ++K)
        LhsIndex[D.LhsContracting[K]] = RhsIndex[D.RhsContracting[K]] =
            Place[K];
      Sum.add(Lhs.at(LhsIndex), Rhs.at(RhsIndex));
      return true;
    });
    Result.set(Index, Sum.value());
    return true;
  });
  return Result;
}

/// Groups split features (or batches) into equal consecutive parts; the output
/// features of part g see the input features (or batches) of part g.
static HloLiteral evaluateConvolution(const HloInstruction &I,
                                      HloOperands Operands) {
  const auto &C = I.attributes<HloConvolution>();
  const HloLiteral &Input = *Operands[0], &Kernel = *Operands[1];
  const HloShape &InputShape = Input.shape(), &KernelShape = Kernel.shape();
  int64_t OutputFeatures = KernelShape.dimension(C.Kernel.Feature);
  int64_t GroupFeatures = KernelShape.dimension(C.Kernel.Batch);
  int64_t GroupBatches =
      InputShape.dimension(C.Input.Batch) / C.BatchGroupCount;
  std::vector<int64_t> SummedSizes = sizesOf(C.Window);
  SummedSizes.push_back(GroupFeatures);

  HloLiteral Result(I.shape());
  std::vector<int64_t> InputIndex(InputShape.rank()),
      KernelIndex(KernelShape.rank());
  forEachIndex(I.shape().dimensions(), [&](ArrayRef<int64_t> Index) {
    int64_t OutputFeature = Index[C.Output.Feature];
    int64_t FeatureGroup =
        OutputFeature / (OutputFeatures / C.FeatureGroupCount);
    int64_t BatchGroup = OutputFeature / (OutputFeatures / C.BatchGroupCount);
    KernelIndex[C.Kernel.Feature] = OutputFeature;
    InputIndex[C.Input.Batch] =
        BatchGroup * GroupBatches + Index[C.Output.Batch];
    SumOfProducts Sum(I.shape().elementType());
    forEachIndex(SummedSizes, [&](ArrayRef<int64_t> Place) {
      for (size_t D = 0; D < C.Window.size(); ++D) {
        const HloWindowDimension &W = C.Window[D];
        std::optional<int64_t> InputPlace =
            placeInInput(W, Index[C.Output.Spatial[D]], Place[D],
                         InputShape.dimension(C.Input.Spatial[D]));
        if (!InputPlace)
          return true;
        InputIndex[C.Input.Spatial[D]] = *InputPlace;
        KernelIndex[C.Kernel.Spatial[D]] =
            W.Reversal ? W.Size - 1 - Place[D] : Place[D];
      }
      InputIndex[C.Input.Feature] = FeatureGroup * GroupFeatures + Place.back();
      KernelIndex[C.Kernel.Batch] = Place.back();
      Sum.add(Input.at(InputIndex), Kernel.at(KernelIndex));
      return true;
    });
    Result.set(Index, Sum.value());
    return true;
  });
  return Result;
}

Expected<HloLiteral> evaluateContraction(const HloInstruction &I,
                                         HloOperands Operands,
                                         HloScalarFunction Callee) {
  switch (I.opcode()) {
  case HloOpcode::Convolution:
    return evaluateConvolution(I, Operands);
  case HloOpcode::Dot:
    return evaluateDot(I, Operands);
  case HloOpcode::Reduce:
    return evaluateReduce(I, Operands, Callee);
  default:
    return evaluateReduceWindow(I, Operands, Callee);
  }
}

} // namespace unravel
