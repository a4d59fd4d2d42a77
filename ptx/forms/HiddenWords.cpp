//===- HiddenWords.cpp - Words strength reduction must not see ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/HiddenWords.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// Whether ScalarEvolution may know more of \p V than that it is a value: not
/// of what is read, passed or computed by an instruction of the GPU.
static bool isTransparent(const Value *V) {
  if (auto *Call = dyn_cast<IntrinsicInst>(V))
    return !Intrinsic::isTargetIntrinsic(Call->getIntrinsicID());
  return isa<llvm::Instruction>(V) && !isa<LoadInst, CallInst, FreezeInst>(V);
}

void unravel::ptx::hideWords(llvm::Function &F) {
  DenseMap<Value *, Value *> FrozenOf;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isa<SExtInst, ZExtInst>(I) || !isTransparent(I.getOperand(0)))
      continue;
    Value *&Frozen = FrozenOf[I.getOperand(0)];
    if (!Frozen) {
      auto *Word = cast<llvm::Instruction>(I.getOperand(0));
      IRBuilder<> B(Word->getParent(), *Word->getInsertionPointAfterDef());
      Frozen = B.CreateFreeze(Word);
    }
    I.setOperand(0, Frozen);
  }
}
