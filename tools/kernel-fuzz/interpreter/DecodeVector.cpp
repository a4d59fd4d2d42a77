//===- DecodeVector.cpp - Instructions on vectors, lane by lane -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/interpreter/ExecuteOperation.h"
#include "tools/kernel-fuzz/interpreter/FunctionDecoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace unravel {

unsigned countLanes(const Type *Ty) {
  auto *Vector = dyn_cast<FixedVectorType>(Ty);
  return Vector ? Vector->getNumElements() : 1;
}

bool hasVectors(const Instruction &I) {
  return I.getType()->isVectorTy() ||
         any_of(I.operand_values(),
                [](const Value *V) { return V->getType()->isVectorTy(); });
}

int FunctionDecoder::constantLanes(const Constant *C) {
  int First = int(D->Initial.size());
  for (unsigned Lane = 0, E = countLanes(C->getType()); Lane < E; ++Lane) {
    const Constant *Element = C->getAggregateElement(Lane);
    if (!Element) {
      fail("constant expression");
      return -1;
    }
    // It takes the next slot.
    if (constantSlot(Element) < 0)
      return -1;
  }
  return First;
}

/// The slots of all lanes of operand \p K of \p I.
static void addLanes(const Instruction &I, unsigned K, int First,
                     SmallVectorImpl<int> &Slots) {
  for (int Lane = 0, E = int(countLanes(I.getOperand(K)->getType())); Lane < E;
       ++Lane)
    Slots.push_back(First + Lane);
}

/// What acts on each lane by itself; scalars among the operands are the same
/// for all lanes.
void FunctionDecoder::decodeLaneByLane(const Instruction &I,
                                       const Operation &Op,
                                       DecodedBlock &Block) {
  auto IsVector = [&](unsigned K) {
    return I.getOperand(K)->getType()->isVectorTy();
  };
  const Type *Ty = isa<StoreInst>(I) ? I.getOperand(0)->getType() : I.getType();
  for (unsigned Lane = 0, E = countLanes(Ty); Lane < E; ++Lane) {
    Operation One = Op;
    One.Lane = Lane;
    if (One.Result >= 0)
      One.Result += int(Lane);
    for (unsigned K = 0; K < One.Operands.size(); ++K)
      if (IsVector(K))
        One.Operands[K] += int(Lane);
    for (unsigned K = 0; K < One.Steps.size(); ++K)
      if (One.Steps[K].Index >= 0 && IsVector(K + 1))
        One.Steps[K].Index += int(Lane);
    Block.Operations.push_back(std::move(One));
  }
}

bool FunctionDecoder::decodeShuffle(const Instruction &I, const Operation &Op,
                                    DecodedBlock &Block) {
  auto &Shuffle = cast<ShuffleVectorInst>(I);
  int Poison = slotOf(PoisonValue::get(I.getType()->getScalarType()));
  if (Poison < 0)
    return false;
  SmallVector<int, 16> Sources;
  addLanes(I, 0, Op.Operands[0], Sources);
  addLanes(I, 1, Op.Operands[1], Sources);
  for (auto [Lane, Source] : enumerate(Shuffle.getShuffleMask())) {
    Operation One = Op;
    One.Result += int(Lane);
    One.Operands = {Source < 0 ? Poison : Sources[unsigned(Source)]};
    Block.Operations.push_back(std::move(One));
  }
  return true;
}

bool FunctionDecoder::decodeVectorCall(const CallBase &Call,
                                       const Operation &Op,
                                       DecodedBlock &Block) {
  if (!Op.Unknown && !isReduction(Op.ID)) {
    if (Op.Callee)
      return fail("a call that takes or returns a vector");
    decodeLaneByLane(Call, Op, Block);
    return true;
  }
  if (Call.getType()->isVectorTy())
    return fail("a call that returns a vector");
  Operation Whole = Op;
  Whole.Operands.clear();
  for (unsigned K = 0; K < Op.Operands.size(); ++K)
    addLanes(Call, K, Op.Operands[K], Whole.Operands);
  Block.Operations.push_back(std::move(Whole));
  return true;
}

bool FunctionDecoder::decodeLanes(const Instruction &I, const Operation &Op,
                                  DecodedBlock &Block) {
  switch (I.getOpcode()) {
  case Instruction::Ret:
  case Instruction::AtomicRMW:
    return fail(Twine("instruction ") + I.getOpcodeName() + " of a vector");
  case Instruction::Load:
  case Instruction::Store:
    // Lanes of other sizes have no bytes of their own.
    if (Op.Width % 8 != 0)
      return fail("a vector of bits in memory");
    break;
  case Instruction::Call:
    return decodeVectorCall(cast<CallBase>(I), Op, Block);
  case Instruction::ShuffleVector:
    return decodeShuffle(I, Op, Block);
  case Instruction::ExtractElement: {
    Operation One = Op;
    One.Operands.clear();
    addLanes(I, 0, Op.Operands[0], One.Operands);
    One.Operands.push_back(Op.Operands[1]);
    Block.Operations.push_back(std::move(One));
    return true;
  }
  case Instruction::InsertElement:
    // Lane by lane: the old lane, the new element, its index.
    break;
  case Instruction::BitCast:
    if (Op.Width == Op.OperandWidth)
      break;
    for (unsigned Lane = 0, E = countLanes(I.getType()); Lane < E; ++Lane) {
      Operation One = Op;
      One.Lane = Lane;
      One.Result += int(Lane);
      One.Operands.clear();
      addLanes(I, 0, Op.Operands[0], One.Operands);
      Block.Operations.push_back(std::move(One));
    }
    return true;
  default:
    break;
  }
  decodeLaneByLane(I, Op, Block);
  return true;
}

} // namespace unravel
