//===- HloShapeInferenceIndex.cpp - Other places for the elements ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that move elements: broadcast, transpose, reverse, reshape,
// bitcast, concatenate, slice and pad.
//
//===----------------------------------------------------------------------===//

#include "frontend/shapes/HloShapeInference.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// The result has as many elements, each of as many bits.
static Expected<HloShape> inferReshape(const HloInstruction &I) {
  const HloShape &From = I.operand(0).shape(), &To = I.shape();
  bool IsBitcast = I.opcode() == HloOpcode::Bitcast;
  if (To.isTuple())
    return createStringError("the result has to be an array");
  if (From.elementCount() != To.elementCount())
    return createStringError("the operand has " + Twine(From.elementCount()) +
                             " elements, the result " +
                             Twine(To.elementCount()) +
                             "; both need the same number");
  if (IsBitcast ? bitWidth(From.elementType()) != bitWidth(To.elementType())
                : From.elementType() != To.elementType())
    return createStringError(
        "the elements of the operand are " + nameOf(From.elementType()) +
        ", those of the result " + nameOf(To.elementType()) +
        (IsBitcast ? "; they need the same number of bits"
                   : "; a reshape does not change them, convert does"));
  return To;
}

static Expected<HloShape> inferBroadcast(const HloInstruction &I) {
  const HloShape &Operand = I.operand(0).shape(), &Result = I.shape();
  ArrayRef<int64_t> Dimensions = I.dimensions();
  if (Result.isTuple())
    return createStringError("the result has to be an array");
  if (Dimensions.size() != Operand.rank())
    return createStringError("dimensions= has " + Twine(Dimensions.size()) +
                             " numbers, but the operand has " +
                             Twine(Operand.rank()) +
                             " dimensions; each goes to one of the result");
  if (Error E = checkDimensions(Dimensions, Result.rank(), "dimensions="))
    return E;
  for (size_t D = 0; D < Dimensions.size(); ++D)
    if (Operand.dimension(D) != Result.dimension(Dimensions[D]))
      return createStringError(
          "dimension " + Twine(D) + " of the operand has " +
          Twine(Operand.dimension(D)) + " elements, but dimension " +
          Twine(Dimensions[D]) + " of the result, to which it goes, " +
          Twine(Result.dimension(Dimensions[D])));
  return Result.withElementType(Operand.elementType());
}

static Expected<HloShape> inferTranspose(const HloInstruction &I) {
  const HloShape &Operand = I.operand(0).shape();
  ArrayRef<int64_t> Dimensions = I.dimensions();
  if (Dimensions.size() != Operand.rank())
    return createStringError("dimensions= has " + Twine(Dimensions.size()) +
                             " numbers, but the operand has " +
                             Twine(Operand.rank()) + " dimensions");
  if (Error E = checkDimensions(Dimensions, Operand.rank(), "dimensions="))
    return E;
  std::vector<int64_t> Sizes;
  for (int64_t D : Dimensions)
    Sizes.push_back(Operand.dimension(D));
  return HloShape::array(Operand.elementType(), Sizes);
}

static Expected<HloShape> inferConcatenate(const HloInstruction &I) {
  if (I.operands().empty())
    return createStringError("concatenate takes one operand or more");
  const HloShape &First = I.operand(0).shape();
  if (I.dimensions().size() != 1)
    return createStringError("dimensions= has to be one dimension, found " +
                             Twine(I.dimensions().size()));
  if (Error E = checkDimensions(I.dimensions(), First.rank(), "dimensions="))
    return E;
  size_t Along = I.dimensions()[0];
  std::vector<int64_t> Sizes = First.dimensions().vec();
  for (const HloInstruction *Operand : I.operands().drop_front()) {
    const HloShape &Shape = Operand->shape();
    bool Fits = Shape.elementType() == First.elementType() &&
                Shape.rank() == First.rank();
    for (size_t D = 0; Fits && D < First.rank(); ++D)
      Fits = D == Along || Shape.dimension(D) == First.dimension(D);
    if (!Fits)
      return createStringError("the operand '" + Operand->name() + "' is " +
                               Shape.str(false) + ", which differs from '" +
                               I.operand(0).name() + "' " + First.str(false) +
                               " in more than dimension " + Twine(Along));
    if (AddOverflow(Sizes[Along], Shape.dimension(Along), Sizes[Along]))
      return createStringError("the result has 2^63 elements or more");
  }
  return HloShape::array(First.elementType(), Sizes);
}

static Expected<HloShape> inferSlice(const HloInstruction &I) {
  const HloShape &Operand = I.operand(0).shape();
  const auto &Ranges = I.attributes<HloSlice>().Dimensions;
  if (Ranges.size() != Operand.rank())
    return createStringError("slice= has " + Twine(Ranges.size()) +
                             " ranges, but the operand has " +
                             Twine(Operand.rank()) + " dimensions");
  std::vector<int64_t> Sizes;
  for (size_t D = 0; D < Ranges.size(); ++D) {
    const HloSliceDimension &R = Ranges[D];
    if (R.Start < 0 || R.Limit < R.Start || R.Limit > Operand.dimension(D) ||
        R.Stride < 1)
      return createStringError(
          "the range [" + Twine(R.Start) + ":" + Twine(R.Limit) + ":" +
          Twine(R.Stride) + "] of dimension " + Twine(D) +
          " is not inside of its " + Twine(Operand.dimension(D)) +
          " elements with a positive stride");
    Sizes.push_back(
        divideCeil(uint64_t(R.Limit - R.Start), uint64_t(R.Stride)));
  }
  return HloShape::array(Operand.elementType(), Sizes);
}

static Expected<HloShape> inferPad(const HloInstruction &I) {
  const HloShape &Operand = I.operand(0).shape();
  const HloShape &Value = I.operand(1).shape();
  const auto &Padding = I.attributes<HloPad>().Dimensions;
  if (!Value.isCompatible(HloShape::scalar(Operand.elementType())))
    return createStringError("the padding value is " + Value.str(false) +
                             "; it has to be a scalar " +
                             nameOf(Operand.elementType()));
  if (Padding.size() != Operand.rank())
    return createStringError("padding= is for " + Twine(Padding.size()) +
                             " dimensions, but the operand has " +
                             Twine(Operand.rank()));
  std::vector<int64_t> Sizes;
  for (size_t D = 0; D < Padding.size(); ++D) {
    const HloPadDimension &P = Padding[D];
    constexpr int64_t Limit = int64_t(1) << 61;
    auto IsTooLarge = [](int64_t Pad) { return Pad < -Limit || Pad > Limit; };
    if (P.Interior < 0 || IsTooLarge(P.Interior) || IsTooLarge(P.Low) ||
        IsTooLarge(P.High))
      return createStringError("the padding of dimension " + Twine(D) +
                               " is too large, or negative between elements");
    // 128 bits hold the product of two numbers of 64.
    __int128 Holes =
        __int128(std::max<int64_t>(Operand.dimension(D) - 1, 0)) * P.Interior;
    __int128 Size = Holes + Operand.dimension(D) + P.Low + P.High;
    if (Size < 0 || Size > Limit || Holes > Limit)
      return createStringError("the padding makes dimension " + Twine(D) +
                               (Size < 0 ? " negative" : " too large"));
    Sizes.push_back(int64_t(Size));
  }
  return HloShape::array(Operand.elementType(), Sizes);
}

Expected<HloShape> inferIndexTransform(const HloInstruction &I) {
  if (Error E = checkOperandsAreArrays(I))
    return E;
  switch (I.opcode()) {
  case HloOpcode::Broadcast:
    return inferBroadcast(I);
  case HloOpcode::Concatenate:
    return inferConcatenate(I);
  case HloOpcode::Pad:
    return inferPad(I);
  case HloOpcode::Reverse:
    if (Error E = checkDimensions(I.dimensions(), I.operand(0).shape().rank(),
                                  "dimensions="))
      return E;
    return I.operand(0).shape();
  case HloOpcode::Slice:
    return inferSlice(I);
  case HloOpcode::Transpose:
    return inferTranspose(I);
  default: // reshape and bitcast
    return inferReshape(I);
  }
}

} // namespace unravel
