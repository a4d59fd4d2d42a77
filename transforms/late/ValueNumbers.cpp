//===- ValueNumbers.cpp - Values that are the same ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/ValueNumbers.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace unravel {

Choice Choice::of(Instruction &I) {
  if (auto *Select = dyn_cast<SelectInst>(&I);
      Select && Select->getCondition()->getType()->isIntegerTy())
    return {Select->getCondition(), Select->getTrueValue(),
            Select->getFalseValue()};
  auto *Phi = dyn_cast<PHINode>(&I);
  BasicBlock *IfTrue, *IfFalse;
  BranchInst *Branch =
      Phi ? GetIfCondition(Phi->getParent(), IfTrue, IfFalse) : nullptr;
  if (!Branch)
    return {};
  return {Branch->getCondition(), Phi->getIncomingValueForBlock(IfTrue),
          Phi->getIncomingValueForBlock(IfFalse)};
}

/// Whether the operands are all that \p I depends on.
static bool isPure(const Instruction &I) {
  if (isa<PHINode, AllocaInst, FreezeInst>(I) || I.isTerminator() ||
      I.isEHPad() || I.mayReadOrWriteMemory() || I.mayHaveSideEffects() ||
      I.hasPoisonGeneratingMetadata() || I.getType()->isVoidTy())
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  return !Call || (!Call->isConvergent() && !Call->hasOperandBundles());
}

ValueNumbers::ValueNumbers(Function &F) {
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *Block)
      Numbers[&I] = numberOf(I);
}

unsigned ValueNumbers::of(const Value *V) {
  unsigned &Number = Numbers[V];
  if (Number == 0)
    Number = fresh();
  return Number;
}

/// Operands are numbered already, but for those of phis in loops.
unsigned ValueNumbers::numberOf(Instruction &I) {
  Key Operands;
  Choice C = Choice::of(I);
  if (C) {
    // As of a select, and never the same as another operation.
    Operands = {of(C.Condition), of(C.OnTrue), of(C.OnFalse)};
  } else if (isPure(I)) {
    for (const Value *Operand : I.operands())
      Operands.push_back(of(Operand));
    if (I.isCommutative() && Operands.size() == 2)
      sort(Operands);
  } else {
    return fresh();
  }
  bool IsChoice = bool(C);
  // (Two of all hashes are reserved by the map.)
  size_t Hash = size_t(hash_combine(IsChoice ? 0 : I.getOpcode(), I.getType(),
                                    hash_combine_range(Operands))) >>
                1;
  SmallVector<Operation, 1> &Similar = Operations[Hash];
  for (const Operation &O : Similar) {
    bool IsSame =
        IsChoice ? bool(Choice::of(*O.I)) : O.I->isSameOperationAs(&I);
    // The flags of choices are those of fast mathematics.
    if (IsSame && O.I->hasSameSubclassOptionalData(&I) &&
        O.I->getType() == I.getType() && O.Operands == Operands)
      return of(O.I);
  }
  Similar.push_back({&I, Operands});
  return fresh();
}

} // namespace unravel
