//===- CutFallback.cpp - The body for other launches is elsewhere ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/CutFallback.h"
#include "transforms/late/TwoBodies.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace unravel;

PreservedAnalyses ptx::CutFallbackPass::run(llvm::Function &F,
                                            FunctionAnalysisManager &) {
  if (HasSecondBody || !F.hasFnAttribute(VersionedMarker))
    return PreservedAnalyses::all();
  auto *Test = cast<BranchInst>(F.getEntryBlock().getTerminator());
  BasicBlock *Marker = BasicBlock::Create(F.getContext(), "fallback", &F);
  IRBuilder<> B(Marker);
  llvm::Type *Void = B.getVoidTy();
  B.CreateCall(InlineAsm::get(FunctionType::get(Void, false),
                              (Twine(FallbackMarker) + ";").str(), "~{memory}",
                              /*hasSideEffects=*/true));
  B.CreateRetVoid();
  BasicBlock *First = Test->getSuccessor(1);
  First->removePredecessor(Test->getParent());
  Test->setSuccessor(1, Marker);
  EliminateUnreachableBlocks(F);
  HasSecondBody = true;
  return PreservedAnalyses::none();
}
