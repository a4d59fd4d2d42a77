//===- TrialCopy.cpp - A copy of a function to try passes on --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/TrialCopy.h"
#include "transforms/late/ClonedBody.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace unravel {

TrialCopy::TrialCopy(Function &F, FunctionAnalysisManager &AM)
    : TrialCopy(F, *F.getParent(), AM) {}

TrialCopy::TrialCopy(Function &F, Module &M, FunctionAnalysisManager &AM)
    : AM(AM),
      Copy(Function::Create(F.getFunctionType(), GlobalValue::PrivateLinkage,
                            F.getAddressSpace(), "", &M)) {
  Copy->copyAttributesFrom(&F);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDSOLocal(true);
  SmallVector<BasicBlock *, 16> Blocks = cloneBody(F, *Copy, Copies);
  // They would have to be remapped, and nothing here looks at them.
  for (Instruction &I : instructions(*Copy))
    I.dropDbgRecords();
  remapInstructionsInBlocks(Blocks, Copies);
}

void TrialCopy::keepOnly(const BasicBlock *Body) {
  auto *Nowhere = BasicBlock::Create(Copy->getContext(), "", Copy);
  new UnreachableInst(Copy->getContext(), Nowhere);
  Instruction *Choice = Copy->getEntryBlock().getTerminator();
  for (unsigned Successor : seq(Choice->getNumSuccessors()))
    if (Choice->getSuccessor(Successor) != Copies[Body])
      Choice->setSuccessor(Successor, Nowhere);
  removeUnreachableBlocks(*Copy);
}

// The passes may have declared intrinsics, behind the copy.
TrialCopy::~TrialCopy() {
  Module &M = *Copy->getParent();
  AM.clear(*Copy, Copy->getName());
  Copy->deleteBody();
  while (&M.getFunctionList().back() != Copy)
    M.getFunctionList().back().eraseFromParent();
  Copy->eraseFromParent();
}

} // namespace unravel
