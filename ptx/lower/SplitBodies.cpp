//===- SplitBodies.cpp - A module for each of two bodies ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/SplitBodies.h"
#include "transforms/late/TwoBodies.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace unravel;

/// The branch that chooses between the bodies: the second, the first.
static BranchInst &testOf(llvm::Function &F) {
  return *cast<BranchInst>(F.getEntryBlock().getTerminator());
}

static void keepFirstBody(llvm::Function &F) {
  F.removeFnAttr(VersionedMarker);
  BranchInst &Test = testOf(F);
  BasicBlock *First = Test.getSuccessor(1);
  Test.getSuccessor(0)->removePredecessor(Test.getParent());
  BranchInst::Create(First, Test.getIterator());
  Test.eraseFromParent();
  EliminateUnreachableBlocks(F);
  // The test, and what was computed for the second body.
  for (llvm::Instruction &I : make_early_inc_range(reverse(F.getEntryBlock())))
    if (isInstructionTriviallyDead(&I))
      I.eraseFromParent();
  MergeBlockIntoPredecessor(First);
}

static void markFirstBody(llvm::Function &F) {
  BasicBlock *Marker = BasicBlock::Create(F.getContext(), "fallback", &F);
  IRBuilder<> B(Marker);
  llvm::Type *Void = B.getVoidTy();
  B.CreateCall(InlineAsm::get(FunctionType::get(Void, false),
                              (Twine(ptx::FallbackMarker) + ";").str(),
                              "~{memory}",
                              /*hasSideEffects=*/true));
  B.CreateRetVoid();
  BranchInst &Test = testOf(F);
  Test.getSuccessor(1)->removePredecessor(Test.getParent());
  Test.setSuccessor(1, Marker);
  EliminateUnreachableBlocks(F);
}

PreservedAnalyses ptx::SplitBodiesPass::run(llvm::Function &F,
                                            FunctionAnalysisManager &) {
  if (Rest || !F.hasFnAttribute(VersionedMarker))
    return PreservedAnalyses::all();
  ValueToValueMapTy Copies;
  Rest = CloneModule(*F.getParent(), Copies);
  keepFirstBody(*cast<llvm::Function>(Copies[&F]));
  markFirstBody(F);
  return PreservedAnalyses::none();
}
