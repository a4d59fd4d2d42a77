//===- FunctionEmitterContraction.cpp - Sums of many elements -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loop nests, in row-major order as the evaluator goes. Sums of products are
// rounded at each step, in float for smaller types, where the evaluator adds up
// in double: they differ by rounding.
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/FunctionEmitter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

ElementValues FunctionEmitter::reduceStep(const HloInstruction &I,
                                          ElementIndex Input,
                                          const ElementValues &Sum) {
  ElementPlace Place(std::move(Input));
  SmallVector<Value *, 4> Arguments(Sum.begin(), Sum.end());
  for (size_t K = 0; K < I.operands().size() / 2; ++K)
    Arguments.push_back(element(I.operand(K), Place));
  return apply(*I.callee(), Arguments);
}

ElementValues FunctionEmitter::reduce(const HloInstruction &I,
                                      ElementPlace &Place) {
  size_t Count = I.operands().size() / 2;
  ArrayRef<int64_t> InputSizes = I.operand(0).shape().dimensions();
  ElementPlace Scalars;
  ElementValues Initial;
  for (size_t K = 0; K < Count; ++K)
    Initial.push_back(element(I.operand(Count + K), Scalars));
  ElementIndex Input(InputSizes.size());
  SmallVector<int64_t, 4> Reduced, Sizes;
  size_t Kept = 0;
  for (size_t D = 0; D < InputSizes.size(); ++D) {
    if (is_contained(I.dimensions(), int64_t(D))) {
      Reduced.push_back(D);
      Sizes.push_back(InputSizes[D]);
    } else {
      Input[D] = Place.Index[Kept++];
    }
  }
  return loopNest(Sizes, Initial,
                  [&](const ElementIndex &Index, const ElementValues &Sum) {
                    for (auto [D, V] : zip_equal(Reduced, Index))
                      Input[D] = V;
                    return reduceStep(I, Input, Sum);
                  });
}

std::pair<Value *, Value *>
FunctionEmitter::placeInWindow(const HloWindowDimension &W, Value *Output,
                               Value *InWindow, int64_t Size) {
  // All of it fits: IndexEmitter::needsWideIndex() has looked.
  auto Times = [&](Value *V, int64_t Factor) {
    return Factor == 1 ? V
                       : B.CreateMul(V, Indices.constant(Factor), "",
                                     /*HasNUW=*/false, /*HasNSW=*/true);
  };
  Value *First = Times(Output, W.Stride);
  Value *Position =
      B.CreateAdd(First, Times(InWindow, W.WindowDilation), "", false, true);
  if (W.PadLow != 0)
    Position =
        B.CreateSub(Position, Indices.constant(W.PadLow), "", false, true);
  Value *IsThere = B.CreateICmpSGE(Position, Indices.constant(0));
  if (W.BaseDilation != 1) {
    Value *Dilation = Indices.constant(W.BaseDilation);
    IsThere =
        B.CreateAnd(IsThere, B.CreateIsNull(B.CreateURem(Position, Dilation)));
    Position = B.CreateUDiv(Position, Dilation);
  }
  IsThere =
      B.CreateAnd(IsThere, B.CreateICmpSLT(Position, Indices.constant(Size)));
  return {Position, IsThere};
}

static SmallVector<int64_t, 4> sizesOf(const HloWindow &Window) {
  SmallVector<int64_t, 4> Sizes;
  for (const HloWindowDimension &W : Window)
    Sizes.push_back(W.Size);
  return Sizes;
}

ElementValues FunctionEmitter::reduceWindow(const HloInstruction &I,
                                            ElementPlace &Place) {
  size_t Count = I.operands().size() / 2;
  const HloWindow &Window = I.attributes<HloReduceWindow>().Window;
  const HloShape &Input = I.operand(0).shape();
  ElementPlace Scalars;
  ElementValues Initial;
  for (size_t K = 0; K < Count; ++K)
    Initial.push_back(element(I.operand(Count + K), Scalars));
  return loopNest(sizesOf(Window), Initial,
                  [&](const ElementIndex &InWindow, const ElementValues &Sum) {
                    ElementIndex InputIndex;
                    Value *IsThere = B.getTrue();
                    for (auto [D, W] : enumerate(Window)) {
                      auto [At, Exists] = placeInWindow(
                          W, Place.Index[D], InWindow[D], Input.dimension(D));
                      InputIndex.push_back(At);
                      IsThere = B.CreateAnd(IsThere, Exists);
                    }
                    return branch(
                        IsThere, [&] { return reduceStep(I, InputIndex, Sum); },
                        [&] { return Sum; });
                  });
}

/// Goes through the windows that the element is in, in row-major order, and
/// looks for the element that each of them chooses.
ElementValues FunctionEmitter::selectAndScatter(const HloInstruction &I,
                                                ElementPlace &Place) {
  const HloWindow &Window = I.attributes<HloSelectAndScatter>().Window;
  const HloInstruction &Operand = I.operand(0), &Source = I.operand(1);
  SmallVector<int64_t, 4> Sizes = sizesOf(Window);
  // The number of a place in a window.
  auto Number = [&](const ElementIndex &InWindow) {
    Value *Sum = Indices.constant(0);
    for (auto [W, V] : zip_equal(Window, InWindow))
      Sum = B.CreateAdd(
          B.CreateMul(Sum, Indices.constant(W.Size), "", true, true), V, "",
          true, true);
    return Sum;
  };
  // The element of the window that `select` prefers, and its number.
  auto Choose = [&](const ElementIndex &OfWindow) {
    ElementValues None = {B.getFalse(),
                          Elements.zero(Operand.shape().elementType()),
                          Indices.constant(0)};
    return loopNest(
        Sizes, None,
        [&](const ElementIndex &InWindow, const ElementValues &Chosen) {
          ElementIndex At;
          Value *IsThere = B.getTrue();
          for (auto [D, W] : enumerate(Window)) {
            auto [Position, Exists] = placeInWindow(
                W, OfWindow[D], InWindow[D], Operand.shape().dimension(D));
            At.push_back(Position);
            IsThere = B.CreateAnd(IsThere, Exists);
          }
          return branch(
              IsThere,
              [&]() -> ElementValues {
                ElementPlace Here(At);
                Value *V = element(Operand, Here);
                Value *Stays = apply(*I.callees()[0], {Chosen[1], V}).front();
                Stays = B.CreateAnd(Stays, Chosen[0]);
                return {B.getTrue(), B.CreateSelect(Stays, Chosen[1], V),
                        B.CreateSelect(Stays, Chosen[2], Number(InWindow))};
              },
              [&] { return Chosen; });
        });
  };
  ElementPlace Scalars;
  ElementValues Initial = {element(I.operand(2), Scalars)};
  return loopNest(
      Sizes, Initial,
      [&](const ElementIndex &Back, const ElementValues &Sum) -> ElementValues {
        // The later the element is in a window, the earlier is the window.
        ElementIndex InWindow, OfWindow;
        Value *IsThere = B.getTrue();
        for (auto [D, W] : enumerate(Window)) {
          InWindow.push_back(B.CreateSub(Indices.constant(W.Size - 1), Back[D],
                                         "", true, true));
          Value *First = B.CreateSub(
              B.CreateAdd(Place.Index[D], Indices.constant(W.PadLow), "",
                          /*HasNUW=*/false, /*HasNSW=*/true),
              InWindow.back(), "", /*HasNUW=*/false, /*HasNSW=*/true);
          Value *Stride = Indices.constant(W.Stride);
          Value *Exists =
              B.CreateAnd(B.CreateICmpSGE(First, Indices.constant(0)),
                          B.CreateIsNull(B.CreateURem(First, Stride)));
          OfWindow.push_back(B.CreateUDiv(First, Stride));
          Exists = B.CreateAnd(
              Exists,
              B.CreateICmpULT(OfWindow.back(),
                              Indices.constant(Source.shape().dimension(D))));
          IsThere = B.CreateAnd(IsThere, Exists);
        }
        return branch(
            IsThere,
            [&]() -> ElementValues {
              Value *Chosen = Choose(OfWindow)[2];
              return branch(
                  B.CreateICmpEQ(Chosen, Number(InWindow)),
                  [&]() -> ElementValues {
                    ElementPlace OfSource(OfWindow);
                    return apply(*I.callees()[1],
                                 {element(Source, OfSource), Sum[0]});
                  },
                  [&] { return Sum; });
            },
            [&] { return Sum; });
      });
}

Value *FunctionEmitter::product(const HloInstruction &I, ElementIndex Lhs,
                                ElementIndex Rhs, Value *Sum) {
  ElementType Type = ElementEmitter::accumulator(I.shape().elementType());
  ElementPlace LhsPlace(std::move(Lhs)), RhsPlace(std::move(Rhs));
  Value *X = Elements.convert(B, Type, I.operand(0).shape().elementType(),
                              element(I.operand(0), LhsPlace));
  Value *Y = Elements.convert(B, Type, I.operand(1).shape().elementType(),
                              element(I.operand(1), RhsPlace));
  return Elements.multiplyAdd(B, Type, Sum, X, Y);
}

Value *FunctionEmitter::dot(const HloInstruction &I, ElementPlace &Place) {
  const auto &D = I.attributes<HloDot>();
  const HloShape &LhsShape = I.operand(0).shape();
  const HloShape &RhsShape = I.operand(1).shape();
  ElementIndex Lhs(LhsShape.rank()), Rhs(RhsShape.rank());
  Value *const *Next = Place.Index.begin();
  for (auto [L, R] : zip_equal(D.LhsBatch, D.RhsBatch))
    Lhs[L] = Rhs[R] = *Next++;
  auto PlaceFree = [&](ElementIndex &Index, const HloNumbers &Batch,
                       const HloNumbers &Contracting) {
    for (size_t K = 0; K < Index.size(); ++K)
      if (!is_contained(Batch, int64_t(K)) &&
          !is_contained(Contracting, int64_t(K)))
        Index[K] = *Next++;
  };
  PlaceFree(Lhs, D.LhsBatch, D.LhsContracting);
  PlaceFree(Rhs, D.RhsBatch, D.RhsContracting);
  SmallVector<int64_t, 2> Sizes;
  for (int64_t K : D.LhsContracting)
    Sizes.push_back(LhsShape.dimension(K));
  ElementType Type = I.shape().elementType();
  ElementType Accumulator = ElementEmitter::accumulator(Type);
  Value *Sum = loopNest(Sizes, {Elements.zero(Accumulator)},
                        [&](const ElementIndex &Index,
                            const ElementValues &Carried) -> ElementValues {
                          for (auto [K, V] : enumerate(Index))
                            Lhs[D.LhsContracting[K]] =
                                Rhs[D.RhsContracting[K]] = V;
                          return {product(I, Lhs, Rhs, Carried[0])};
                        })
                   .front();
  return Elements.convert(B, Type, Accumulator, Sum);
}

Value *FunctionEmitter::convolution(const HloInstruction &I,
                                    ElementPlace &Place) {
  const auto &C = I.attributes<HloConvolution>();
  const HloShape &InputShape = I.operand(0).shape();
  const HloShape &KernelShape = I.operand(1).shape();
  int64_t OutputFeatures = KernelShape.dimension(C.Kernel.Feature);
  int64_t GroupFeatures = KernelShape.dimension(C.Kernel.Batch);
  int64_t GroupBatches =
      InputShape.dimension(C.Input.Batch) / C.BatchGroupCount;
  // The part of a group in the output features; there is one if any is.
  auto GroupOf = [&](int64_t Groups) {
    return B.CreateUDiv(
        Place.Index[C.Output.Feature],
        Indices.constant(std::max<int64_t>(1, OutputFeatures / Groups)));
  };
  auto Within = [&](Value *Group, int64_t Size, Value *V) {
    Value *First = B.CreateMul(Group, Indices.constant(Size), "", true, true);
    return B.CreateAdd(First, V, "", true, true);
  };
  ElementIndex Input(InputShape.rank()), Kernel(KernelShape.rank());
  Kernel[C.Kernel.Feature] = Place.Index[C.Output.Feature];
  Input[C.Input.Batch] = Place.Index[C.Output.Batch];
  if (C.BatchGroupCount != 1)
    Input[C.Input.Batch] =
        Within(GroupOf(C.BatchGroupCount), GroupBatches, Input[C.Input.Batch]);
  Value *FeatureGroup =
      C.FeatureGroupCount == 1 ? nullptr : GroupOf(C.FeatureGroupCount);
  SmallVector<int64_t, 4> Sizes = sizesOf(C.Window);
  Sizes.push_back(GroupFeatures);

  ElementType Type = I.shape().elementType();
  ElementType Accumulator = ElementEmitter::accumulator(Type);
  auto Step = [&](const ElementIndex &Index,
                  const ElementValues &Carried) -> ElementValues {
    Value *IsThere = B.getTrue();
    for (auto [D, W] : enumerate(C.Window)) {
      auto [At, Exists] =
          placeInWindow(W, Place.Index[C.Output.Spatial[D]], Index[D],
                        InputShape.dimension(C.Input.Spatial[D]));
      Input[C.Input.Spatial[D]] = At;
      IsThere = B.CreateAnd(IsThere, Exists);
      Kernel[C.Kernel.Spatial[D]] =
          W.Reversal ? B.CreateSub(Indices.constant(W.Size - 1), Index[D], "",
                                   true, true)
                     : Index[D];
    }
    Input[C.Input.Feature] = Kernel[C.Kernel.Batch] = Index.back();
    if (FeatureGroup)
      Input[C.Input.Feature] =
          Within(FeatureGroup, GroupFeatures, Index.back());
    return branch(
        IsThere,
        [&]() -> ElementValues {
          return {product(I, Input, Kernel, Carried[0])};
        },
        [&] { return Carried; });
  };
  Value *Sum = loopNest(Sizes, {Elements.zero(Accumulator)}, Step).front();
  return Elements.convert(B, Type, Accumulator, Sum);
}

} // namespace unravel
