//===- IndexEmitter.cpp - Code for indices --------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/IndexEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

static bool isLarge(uint64_t Value) { return Value > uint64_t(INT32_MAX); }

/// Positions that placeInInput() of the evaluator computes; each part alone, so
/// that their sums fit as well if none of them is beyond a quarter.
static bool isLarge(const HloWindowDimension &W, int64_t OutputSize) {
  auto Magnitude = [](int64_t A, int64_t B) {
    return SaturatingMultiply(AbsoluteValue(A), AbsoluteValue(B));
  };
  for (uint64_t Part :
       {Magnitude(OutputSize, W.Stride), Magnitude(W.Size, W.WindowDilation),
        Magnitude(W.PadLow, 1), Magnitude(W.PadHigh, 1),
        Magnitude(W.BaseDilation, 1)})
    if (isLarge(SaturatingMultiply(Part, uint64_t(4))))
      return true;
  return false;
}

bool IndexEmitter::needsWideIndex(const HloInstruction &I) {
  auto IsLargeArray = [](const HloShape &Shape) {
    if (Shape.isArray())
      return isLarge(Shape.elementCount()) ||
             any_of(Shape.dimensions(), [](int64_t D) { return isLarge(D); });
    return any_of(Shape.elements(), [](const HloShape &Element) {
      return isLarge(Element.elementCount());
    });
  };
  if (IsLargeArray(I.shape()) ||
      any_of(I.operands(), [&](const HloInstruction *Operand) {
        return IsLargeArray(Operand->shape());
      }))
    return true;
  const HloShape &Shape =
      I.shape().isTuple() ? I.shape().elements()[0] : I.shape();
  switch (I.opcode()) {
  case HloOpcode::Pad:
    return any_of(
        I.attributes<HloPad>().Dimensions, [](const HloPadDimension &D) {
          return any_of(ArrayRef({D.Low, D.High, D.Interior}), [](int64_t N) {
            return AbsoluteValue(N) > INT32_MAX / 4;
          });
        });
  case HloOpcode::ReduceWindow:
    for (auto [W, Size] :
         zip_equal(I.attributes<HloReduceWindow>().Window, Shape.dimensions()))
      if (isLarge(W, Size))
        return true;
    return false;
  case HloOpcode::SelectAndScatter: {
    uint64_t Places = 1; // of a window, which are numbered
    for (auto [W, Size] : zip_equal(I.attributes<HloSelectAndScatter>().Window,
                                    I.operand(1).shape().dimensions())) {
      Places = SaturatingMultiply(Places, uint64_t(W.Size));
      if (isLarge(W, Size) || isLarge(Places))
        return true;
    }
    return false;
  }
  case HloOpcode::Convolution: {
    const auto &C = I.attributes<HloConvolution>();
    for (auto [W, Dimension] : zip_equal(C.Window, C.Output.Spatial))
      if (isLarge(W, Shape.dimension(Dimension)))
        return true;
    return false;
  }
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Naive
//===----------------------------------------------------------------------===//

/// Sizes of 0 have no index; code for them is never executed.
static int64_t divisorOf(const HloShape &Shape, int64_t Dimension) {
  return std::max<int64_t>(1, Shape.dimension(Dimension));
}

ElementIndex NaiveIndexEmitter::delinearize(IRBuilderBase &B,
                                            const HloShape &Shape,
                                            ArrayRef<int64_t> Order,
                                            Value *Linear) {
  ElementIndex Index(Shape.rank());
  int64_t Stride = 1;
  for (int64_t Dimension : Order) {
    Value *Quotient =
        Stride == 1 ? Linear : B.CreateUDiv(Linear, constant(Stride));
    int64_t Size = divisorOf(Shape, Dimension);
    bool IsMajor = Dimension == Order.back();
    Index[Dimension] =
        IsMajor ? Quotient : B.CreateURem(Quotient, constant(Size));
    Stride *= Size;
  }
  return Index;
}

/// No product or sum overflows: each is the place of an element.
Value *NaiveIndexEmitter::linearize(IRBuilderBase &B, const HloShape &Shape,
                                    ArrayRef<int64_t> Order,
                                    const ElementIndex &Index) {
  Value *Linear = nullptr;
  for (int64_t Dimension : reverse(Order)) {
    if (!Linear) {
      Linear = Index[Dimension];
      continue;
    }
    Linear = B.CreateMul(Linear, constant(divisorOf(Shape, Dimension)), "",
                         /*HasNUW=*/true, /*HasNSW=*/true);
    Linear = B.CreateAdd(Linear, Index[Dimension], "", true, true);
  }
  return Linear ? Linear : constant(0);
}

ElementIndex NaiveIndexEmitter::fromOffset(IRBuilderBase &B,
                                           const HloShape &Shape,
                                           Value *Offset) {
  return delinearize(B, Shape, Shape.minorToMajor(), Offset);
}

Value *NaiveIndexEmitter::toOffset(IRBuilderBase &B, const HloShape &Shape,
                                   const ElementIndex &Index) {
  return linearize(B, Shape, Shape.minorToMajor(), Index);
}

ElementIndex NaiveIndexEmitter::throughTransform(IRBuilderBase &B,
                                                 const HloInstruction &I,
                                                 const ElementIndex &Index) {
  const HloShape &From = I.operand(0).shape();
  ElementIndex Result(From.rank());
  switch (I.opcode()) {
  case HloOpcode::Bitcast:
    return fromOffset(B, From, toOffset(B, I.shape(), Index));
  case HloOpcode::Reshape:
    return delinearize(
        B, From, From.withDescendingLayout().minorToMajor(),
        linearize(B, I.shape(), I.shape().withDescendingLayout().minorToMajor(),
                  Index));
  case HloOpcode::Broadcast:
    for (auto [K, Dimension] : enumerate(I.dimensions()))
      Result[K] = Index[Dimension];
    return Result;
  case HloOpcode::Transpose:
    for (auto [K, Dimension] : enumerate(I.dimensions()))
      Result[Dimension] = Index[K];
    return Result;
  case HloOpcode::Reverse:
    Result = Index;
    for (int64_t D : I.dimensions())
      Result[D] = B.CreateSub(constant(From.dimension(D) - 1), Index[D], "",
                              true, true);
    return Result;
  case HloOpcode::Slice:
    for (auto [D, Range] : enumerate(I.attributes<HloSlice>().Dimensions)) {
      Value *Scaled = Index[D];
      if (Range.Stride != 1)
        Scaled = B.CreateMul(Scaled, constant(Range.Stride), "", true, true);
      Result[D] = Range.Start == 0 ? Scaled
                                   : B.CreateAdd(Scaled, constant(Range.Start),
                                                 "", true, true);
    }
    return Result;
  default:
    llvm_unreachable("not a transformation of indices");
  }
}

} // namespace unravel
