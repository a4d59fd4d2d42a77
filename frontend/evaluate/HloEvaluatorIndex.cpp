//===- HloEvaluatorIndex.cpp - Elements at other places -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloEvaluatorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

void forEachIndex(ArrayRef<int64_t> Dimensions,
                  function_ref<bool(ArrayRef<int64_t>)> F) {
  if (is_contained(Dimensions, 0))
    return;
  std::vector<int64_t> Index(Dimensions.size());
  do
    if (!F(Index))
      return;
  while (nextIndex(Index, Dimensions));
}

namespace {
/// Fills an array: for each of its indices, an element of a literal.
class Mover {
public:
  explicit Mover(const HloShape &Shape) : Result(Shape) {}

  /// \p Fill sets OperandIndex for each Index of the result and returns the
  /// literal to take from.
  template <typename F> HloLiteral fill(F Fill) {
    forEachIndex(Result.shape().dimensions(), [&](ArrayRef<int64_t> Index) {
      const HloLiteral &From = Fill(Index);
      Result.copyAtOffset(Result.offsetOf(Index), From,
                          From.offsetOf(OperandIndex));
      return true;
    });
    return std::move(Result);
  }

  HloLiteral Result;
  std::vector<int64_t> OperandIndex;
};
} // namespace

static HloLiteral evaluateBroadcast(const HloInstruction &I,
                                    const HloLiteral &Operand) {
  Mover M(I.shape());
  M.OperandIndex.resize(Operand.shape().rank());
  return M.fill([&](ArrayRef<int64_t> Index) -> const HloLiteral & {
    for (size_t D = 0; D < M.OperandIndex.size(); ++D)
      M.OperandIndex[D] = Index[I.dimensions()[D]];
    return Operand;
  });
}

static HloLiteral evaluateTranspose(const HloInstruction &I,
                                    const HloLiteral &Operand) {
  Mover M(I.shape());
  M.OperandIndex.resize(Operand.shape().rank());
  return M.fill([&](ArrayRef<int64_t> Index) -> const HloLiteral & {
    for (size_t D = 0; D < Index.size(); ++D)
      M.OperandIndex[I.dimensions()[D]] = Index[D];
    return Operand;
  });
}

static HloLiteral evaluateReverse(const HloInstruction &I,
                                  const HloLiteral &Operand) {
  Mover M(I.shape());
  return M.fill([&](ArrayRef<int64_t> Index) -> const HloLiteral & {
    M.OperandIndex = Index.vec();
    for (int64_t D : I.dimensions())
      M.OperandIndex[D] = Operand.shape().dimension(D) - 1 - Index[D];
    return Operand;
  });
}

static HloLiteral evaluateSlice(const HloInstruction &I,
                                const HloLiteral &Operand) {
  const auto &Ranges = I.attributes<HloSlice>().Dimensions;
  Mover M(I.shape());
  M.OperandIndex.resize(Operand.shape().rank());
  return M.fill([&](ArrayRef<int64_t> Index) -> const HloLiteral & {
    for (size_t D = 0; D < Index.size(); ++D)
      M.OperandIndex[D] = Ranges[D].Start + Index[D] * Ranges[D].Stride;
    return Operand;
  });
}

static HloLiteral evaluateConcatenate(const HloInstruction &I,
                                      HloOperands Operands) {
  size_t Along = I.dimensions()[0];
  Mover M(I.shape());
  return M.fill([&](ArrayRef<int64_t> Index) -> const HloLiteral & {
    M.OperandIndex = Index.vec();
    const HloLiteral *const *Operand = Operands.begin();
    while (M.OperandIndex[Along] >= (*Operand)->shape().dimension(Along))
      M.OperandIndex[Along] -= (*Operand++)->shape().dimension(Along);
    return **Operand;
  });
}

/// The result is full of the padding value, then each element of the operand
/// goes to its place, if that is inside.
static HloLiteral evaluatePad(const HloInstruction &I,
                              const HloLiteral &Operand,
                              const HloLiteral &Value) {
  const auto &Padding = I.attributes<HloPad>().Dimensions;
  HloLiteral Result(I.shape());
  for (int64_t Offset = 0; Offset < I.shape().elementCount(); ++Offset)
    Result.copyAtOffset(Offset, Value, 0);
  std::vector<int64_t> Place(Operand.shape().rank());
  forEachIndex(Operand.shape().dimensions(), [&](ArrayRef<int64_t> Index) {
    bool IsInside = true;
    for (size_t D = 0; D < Index.size(); ++D) {
      Place[D] = Padding[D].Low + Index[D] * (Padding[D].Interior + 1);
      IsInside &= Place[D] >= 0 && Place[D] < I.shape().dimension(D);
    }
    if (IsInside)
      Result.copyAtOffset(Result.offsetOf(Place), Operand,
                          Operand.offsetOf(Index));
    return true;
  });
  return Result;
}

/// Both shapes are gone through in row-major order, side by side.
static HloLiteral evaluateReshape(const HloInstruction &I,
                                  const HloLiteral &Operand) {
  Mover M(I.shape());
  return M.fill([&](ArrayRef<int64_t>) -> const HloLiteral & {
    if (M.OperandIndex.size() != Operand.shape().rank())
      M.OperandIndex.assign(Operand.shape().rank(), 0); // at the first index
    else
      nextIndex(M.OperandIndex, Operand.shape().dimensions());
    return Operand;
  });
}

static HloLiteral evaluateIota(const HloInstruction &I) {
  HloLiteral Result(I.shape());
  ElementType Type = I.shape().elementType();
  size_t Along = I.attributes<HloIota>().Dimension;
  forEachIndex(I.shape().dimensions(), [&](ArrayRef<int64_t> Index) {
    Result.set(Index, isInteger(Type)
                          ? HloElement::integer(Type, Index[Along])
                          : HloElement::number(Type, double(Index[Along])));
    return true;
  });
  return Result;
}

/// The bits of an element are those of several others, the first of which has
/// the lowest ones.
static HloLiteral evaluateBitcastConvert(const HloInstruction &I,
                                         const HloLiteral &Operand) {
  HloLiteral Result(I.shape());
  unsigned From = bitWidth(Operand.shape().elementType());
  unsigned To = bitWidth(I.shape().elementType());
  const HloShape &Longer = From < To ? Operand.shape() : I.shape();
  forEachIndex(Longer.dimensions(), [&](ArrayRef<int64_t> Index) {
    if (From == To) {
      Result.copyAtOffset(Result.offsetOf(Index), Operand,
                          Operand.offsetOf(Index));
      return true;
    }
    ArrayRef<int64_t> WideIndex = Index.drop_back();
    if (From > To) {
      APInt Bits = Operand.bitsAtOffset(Operand.offsetOf(WideIndex));
      Result.setBitsAtOffset(Result.offsetOf(Index),
                             Bits.extractBits(To, unsigned(Index.back()) * To));
    } else {
      APInt Bits = Result.bitsAtOffset(Result.offsetOf(WideIndex));
      Bits.insertBits(Operand.bitsAtOffset(Operand.offsetOf(Index)),
                      unsigned(Index.back()) * From);
      Result.setBitsAtOffset(Result.offsetOf(WideIndex), Bits);
    }
    return true;
  });
  return Result;
}

HloLiteral evaluateIndexTransform(const HloInstruction &I,
                                  HloOperands Operands) {
  switch (I.opcode()) {
  case HloOpcode::Bitcast: // the same memory
    return HloLiteral(I.shape(), Operands[0]->bytes().vec());
  case HloOpcode::BitcastConvert:
    return evaluateBitcastConvert(I, *Operands[0]);
  case HloOpcode::Broadcast:
    return evaluateBroadcast(I, *Operands[0]);
  case HloOpcode::Concatenate:
    return evaluateConcatenate(I, Operands);
  case HloOpcode::Iota:
    return evaluateIota(I);
  case HloOpcode::Pad:
    return evaluatePad(I, *Operands[0], *Operands[1]);
  case HloOpcode::Reshape:
    return evaluateReshape(I, *Operands[0]);
  case HloOpcode::Reverse:
    return evaluateReverse(I, *Operands[0]);
  case HloOpcode::Slice:
    return evaluateSlice(I, *Operands[0]);
  case HloOpcode::Transpose:
    return evaluateTranspose(I, *Operands[0]);
  default:
    llvm_unreachable("not an index transform");
  }
}

} // namespace unravel
