//===- FunctionEmitterIndex.cpp - Elements at other places ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/FunctionEmitter.h"
#include "frontend/hlo/HloSliceDimensions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Value *FunctionEmitter::bitcast(const HloInstruction &I, ElementPlace &Place) {
  ElementPlace Operand(Indices.throughTransform(B, I, Place.Index));
  Value *V = element(I.operand(0), Operand);
  ElementType From = I.operand(0).shape().elementType();
  ElementType To = I.shape().elementType();
  if (From == To)
    return V;
  return Elements.fromBits(B, To, Elements.toBits(B, From, V));
}

Value *FunctionEmitter::bitcastConvert(const HloInstruction &I,
                                       ElementPlace &Place) {
  ElementType From = I.operand(0).shape().elementType();
  ElementType To = I.shape().elementType();
  unsigned FromBits = bitWidth(From), ToBits = bitWidth(To);
  auto BitsAt = [&](ElementIndex Index) {
    ElementPlace Operand(std::move(Index));
    return Elements.toBits(B, From, element(I.operand(0), Operand));
  };
  if (FromBits == ToBits)
    return Elements.fromBits(B, To, BitsAt(Place.Index));
  Type *Wide = B.getIntNTy(std::max(FromBits, ToBits));
  if (FromBits > ToBits) { // the first part has the lowest bits
    ElementIndex Index = Place.Index;
    Value *Part = B.CreateZExtOrTrunc(Index.pop_back_val(), Wide);
    Value *Shift = B.CreateMul(Part, ConstantInt::get(Wide, ToBits));
    Value *Bits = B.CreateLShr(BitsAt(std::move(Index)), Shift);
    return Elements.fromBits(B, To, B.CreateTrunc(Bits, B.getIntNTy(ToBits)));
  }
  Value *Bits = ConstantInt::get(Wide, 0);
  for (unsigned Part = 0; Part < ToBits / FromBits; ++Part) {
    ElementIndex Index = Place.Index;
    Index.push_back(Indices.constant(Part));
    Value *Own = B.CreateZExt(BitsAt(std::move(Index)), Wide);
    Bits = B.CreateOr(Bits, B.CreateShl(Own, Part * FromBits));
  }
  return Elements.fromBits(B, To, Bits);
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

Value *FunctionEmitter::concatenate(const HloInstruction &I,
                                    ElementPlace &Place) {
  size_t Along = I.dimensions()[0];
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Join = BasicBlock::Create(F->getContext(), "join", F);
  SmallVector<std::pair<Value *, BasicBlock *>, 4> Pieces;
  int64_t Begin = 0, Whole = I.shape().dimension(Along);
  for (const HloInstruction *Operand : I.operands()) {
    int64_t End = Begin + Operand->shape().dimension(Along);
    // Of nothing only nothing is concatenated, and never executed.
    if (End == Begin && Whole != 0)
      continue;
    BasicBlock *Else = nullptr;
    if (End != Whole) {
      BasicBlock *Then = BasicBlock::Create(F->getContext(), "piece", F);
      Else = BasicBlock::Create(F->getContext(), "next", F);
      B.CreateCondBr(B.CreateICmpULT(Place.Index[Along], Indices.constant(End)),
                     Then, Else);
      B.SetInsertPoint(Then);
    }
    ElementPlace Inside(Place.Index);
    if (Begin != 0)
      Inside.Index[Along] = B.CreateSub(
          Place.Index[Along], Indices.constant(Begin), "", true, true);
    Value *V = element(*Operand, Inside);
    Pieces.push_back({V, B.GetInsertBlock()});
    B.CreateBr(Join);
    if (!Else)
      break;
    B.SetInsertPoint(Else);
    Begin = End;
  }
  B.SetInsertPoint(Join);
  PHINode *Phi = B.CreatePHI(Pieces[0].first->getType(), Pieces.size());
  for (auto [V, Block] : Pieces)
    Phi->addIncoming(V, Block);
  return Phi;
}

Value *FunctionEmitter::pad(const HloInstruction &I, ElementPlace &Place) {
  const HloShape &From = I.operand(0).shape();
  auto Value = [&]() -> ElementValues {
    ElementPlace Scalar;
    return {element(I.operand(1), Scalar)};
  };
  if (From.elementCount() == 0)
    return Value().front();
  ElementPlace Inside;
  llvm::Value *IsInside = B.getTrue();
  for (auto [D, Padding] : enumerate(I.attributes<HloPad>().Dimensions)) {
    llvm::Value *Position = Place.Index[D];
    if (Padding.Low != 0)
      Position = B.CreateSub(Position, Indices.constant(Padding.Low), "",
                             /*HasNUW=*/false, /*HasNSW=*/true);
    IsInside =
        B.CreateAnd(IsInside, B.CreateICmpSGE(Position, Indices.constant(0)));
    if (Padding.Interior != 0) {
      llvm::Value *Step = Indices.constant(Padding.Interior + 1);
      IsInside =
          B.CreateAnd(IsInside, B.CreateIsNull(B.CreateURem(Position, Step)));
      Position = B.CreateUDiv(Position, Step);
    }
    IsInside = B.CreateAnd(
        IsInside,
        B.CreateICmpSLT(Position, Indices.constant(From.dimension(D))));
    Inside.Index.push_back(Position);
  }
  return branch(
             IsInside,
             [&]() -> ElementValues { return {element(I.operand(0), Inside)}; },
             Value)
      .front();
}

//===----------------------------------------------------------------------===//
// Places that are operands
//===----------------------------------------------------------------------===//

/// An integer of any type as an i64 that is less than 0, or more than any size,
/// where the integer is.
Value *FunctionEmitter::wideStart(Value *Start, ElementType T) {
  if (isSigned(T))
    return B.CreateSExt(Start, B.getInt64Ty());
  if (bitWidth(T) == 64)
    return B.CreateBinaryIntrinsic(Intrinsic::umin, Start,
                                   B.getInt64(INT64_MAX));
  return B.CreateZExt(Start, B.getInt64Ty());
}

/// In [0, Last], which fits the index type. In that type if \p Start does.
Value *FunctionEmitter::clampStart(Value *Start, ElementType T, int64_t Last) {
  unsigned Bits = Indices.type()->getBitWidth();
  Value *Own;
  if (isSigned(T) && bitWidth(T) <= Bits)
    Own = B.CreateSExt(Start, Indices.type());
  else if (!isSigned(T) && bitWidth(T) < Bits)
    Own = B.CreateZExt(Start, Indices.type());
  else
    Own = wideStart(Start, T);
  Type *Wide = Own->getType();
  Own = B.CreateBinaryIntrinsic(Intrinsic::smin, Own,
                                ConstantInt::get(Wide, Last));
  Own =
      B.CreateBinaryIntrinsic(Intrinsic::smax, Own, ConstantInt::get(Wide, 0));
  return B.CreateTrunc(Own, Indices.type());
}

Value *FunctionEmitter::dynamicSlice(const HloInstruction &I,
                                     ElementPlace &Place) {
  ElementPlace Scalars, Operand;
  const HloShape &From = I.operand(0).shape();
  for (size_t D = 0; D < From.rank(); ++D) {
    const HloInstruction &Start = I.operand(1 + D);
    Value *First =
        clampStart(element(Start, Scalars), Start.shape().elementType(),
                   From.dimension(D) - I.shape().dimension(D));
    Operand.Index.push_back(B.CreateAdd(First, Place.Index[D], "", true, true));
  }
  return element(I.operand(0), Operand);
}

Value *FunctionEmitter::dynamicUpdateSlice(const HloInstruction &I,
                                           ElementPlace &Place) {
  const HloShape &Update = I.operand(1).shape();
  ElementPlace Scalars, Inside, Old;
  Value *IsInside = B.getInt1(Update.elementCount() != 0);
  for (size_t D = 0; D < Update.rank(); ++D) {
    const HloInstruction &Start = I.operand(2 + D);
    Value *First =
        clampStart(element(Start, Scalars), Start.shape().elementType(),
                   I.shape().dimension(D) - Update.dimension(D));
    Value *End = B.CreateAdd(First, Indices.constant(Update.dimension(D)), "",
                             true, true);
    IsInside = B.CreateAnd(IsInside, B.CreateICmpSGE(Place.Index[D], First));
    IsInside = B.CreateAnd(IsInside, B.CreateICmpSLT(Place.Index[D], End));
    Inside.Index.push_back(B.CreateSub(Place.Index[D], First, "", false, true));
  }
  Old.Index = Place.Index;
  return branch(
             IsInside,
             [&]() -> ElementValues { return {element(I.operand(1), Inside)}; },
             [&]() -> ElementValues { return {element(I.operand(0), Old)}; })
      .front();
}

ElementIndex FunctionEmitter::updatePlace(const HloInstruction &I,
                                          const ElementIndex &Index) {
  const HloShape &Update = I.operand(1).shape();
  ElementPlace Scalars;
  ElementIndex Place;
  for (size_t D = 0; D < Update.rank(); ++D) {
    const HloInstruction &Start = I.operand(2 + D);
    Value *First =
        clampStart(element(Start, Scalars), Start.shape().elementType(),
                   I.shape().dimension(D) - Update.dimension(D));
    Place.push_back(B.CreateAdd(First, Index[D], "", true, true));
  }
  return Place;
}

Value *FunctionEmitter::gather(const HloInstruction &I, ElementPlace &Place) {
  const auto &G = I.attributes<HloGather>();
  const HloShape &From = I.operand(0).shape();
  HloSliceDimensions Dims = HloSliceDimensions::of(I);
  const HloInstruction &Starts = Dims.Indices;
  ElementIndex Batch = Dims.batchOf(Place.Index);
  ElementPlace Operand;
  Operand.Index.assign(From.rank(), Indices.constant(0));
  for (auto [K, D] : enumerate(Dims.IndexMap)) {
    ElementPlace Component(Dims.place(Batch, Indices.constant(K)));
    Operand.Index[D] =
        clampStart(element(Starts, Component), Starts.shape().elementType(),
                   From.dimension(D) - G.SliceSizes[D]);
  }
  ElementIndex Vector = Dims.place(Batch, Indices.constant(0));
  for (auto [D, IndicesDim] :
       zip_equal(Dims.OperandBatching, Dims.IndicesBatching))
    Operand.Index[D] = Vector[IndicesDim];
  for (auto [D, Window] : enumerate(Dims.windowDimOf()))
    if (Window >= 0)
      Operand.Index[D] =
          B.CreateAdd(Operand.Index[D], Place.Index[Window], "", true, true);
  return element(I.operand(0), Operand);
}

/// Comparisons are done in 64 bits: the start is any number.
std::pair<ElementIndex, Value *>
FunctionEmitter::scatterPlace(const HloInstruction &I, ElementPlace &Update) {
  size_t Count = I.operands().size() / 2;
  const HloShape &Into = I.operand(0).shape();
  const HloShape &Updates = I.operand(Count + 1).shape();
  HloSliceDimensions Dims = HloSliceDimensions::of(I);
  const HloInstruction &Starts = Dims.Indices;
  ElementIndex Batch = Dims.batchOf(Update.Index);
  SmallVector<Value *, 6> First(Into.rank(), B.getInt64(0));
  for (auto [K, D] : enumerate(Dims.IndexMap)) {
    ElementPlace Component(Dims.place(Batch, Indices.constant(K)));
    First[D] =
        wideStart(element(Starts, Component), Starts.shape().elementType());
  }
  ElementIndex Vector = Dims.place(Batch, Indices.constant(0));
  for (auto [D, IndicesDim] :
       zip_equal(Dims.OperandBatching, Dims.IndicesBatching))
    First[D] = B.CreateZExt(Vector[IndicesDim], B.getInt64Ty());
  ElementIndex Place;
  Value *IsInside = B.getTrue();
  for (auto [D, WindowDim] : enumerate(Dims.windowDimOf())) {
    int64_t Size = WindowDim < 0 ? 1 : Updates.dimension(WindowDim);
    int64_t Last = Into.dimension(D) - Size; // negative: nothing is inside
    IsInside = B.CreateAnd(IsInside, B.CreateICmpSGE(First[D], B.getInt64(0)));
    IsInside =
        B.CreateAnd(IsInside, B.CreateICmpSLE(First[D], B.getInt64(Last)));
    Value *Start = B.CreateTrunc(First[D], Indices.type());
    Place.push_back(
        WindowDim < 0 ? Start : B.CreateAdd(Start, Update.Index[WindowDim]));
  }
  return {Place, IsInside};
}

} // namespace unravel
