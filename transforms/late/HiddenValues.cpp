//===- HiddenValues.cpp - Values that loop passes leave alone -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/HiddenValues.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace unravel {

HiddenValues::HiddenValues(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (isHidden(I)) {
      auto *Call = cast<IntrinsicInst>(I.getOperand(1));
      auto *N = cast<ConstantInt>(Call->getArgOperand(1));
      Number = std::max<unsigned>(Number, N->getLimitedValue(~0u));
    }
}

/// \p C, which passes read as any number.
Value *HiddenValues::expected(IRBuilderBase &B, Type *Ty, unsigned C) {
  return B.CreateIntrinsic(
      Intrinsic::expect, {Ty},
      {ConstantInt::get(Ty, C), ConstantInt::get(Ty, ++Number)});
}

// (A builder might fold the operations.)
Instruction *HiddenValues::hide(IRBuilderBase &B, Value *V) {
  return B.Insert(BinaryOperator::CreateXor(V, expected(B, V->getType(), 0)));
}

Instruction *HiddenValues::hideAsQuotient(IRBuilderBase &B, Value *V) {
  return B.Insert(BinaryOperator::CreateUDiv(V, expected(B, V->getType(), 1)));
}

void HiddenValues::reveal(Instruction *Hidden) {
  auto *Call = cast<CallInst>(Hidden->getOperand(1));
  Function *Expect = Call->getCalledFunction();
  Hidden->replaceAllUsesWith(Hidden->getOperand(0));
  Hidden->eraseFromParent();
  Call->eraseFromParent();
  if (Expect->use_empty())
    Expect->eraseFromParent();
}

bool HiddenValues::isHidden(const Instruction &I) {
  if (I.getOpcode() != Instruction::Xor && I.getOpcode() != Instruction::UDiv)
    return false;
  auto *Call = dyn_cast<IntrinsicInst>(I.getOperand(1));
  return Call && Call->getIntrinsicID() == Intrinsic::expect &&
         isa<ConstantInt>(Call->getArgOperand(0)) &&
         isa<ConstantInt>(Call->getArgOperand(1));
}

} // namespace unravel
