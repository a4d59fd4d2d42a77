//===- LatchBranches.cpp - Loops that branch back where true --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/LatchBranches.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace unravel {

/// The branch of a loop of one block that leaves it if a comparison is true, or
/// null.
static BranchInst *leavesWhereTrue(const Loop &L) {
  if (L.getNumBlocks() != 1)
    return nullptr;
  auto *Branch = dyn_cast<BranchInst>(L.getHeader()->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(1) != L.getHeader() ||
      Branch->getSuccessor(0) == L.getHeader())
    return nullptr;
  return isa<CmpInst>(Branch->getCondition()) ? Branch : nullptr;
}

/// The opposite of \p Compare, for the branch \p User.
static Value *inverted(CmpInst &Compare, BranchInst &User) {
  // The opposite predicate is true exactly where this one is false, for
  // unordered operands as well; flags state facts about the operands.
  CmpInst::Predicate Opposite = Compare.getInversePredicate();
  if (Compare.hasOneUse() && !Compare.isUsedByMetadata()) {
    Compare.setPredicate(Opposite);
    return &Compare;
  }
  auto *New = cast<CmpInst>(Compare.clone());
  New->setPredicate(Opposite);
  New->setName(Compare.getName() + ".not");
  New->insertBefore(User.getIterator());
  return New;
}

PreservedAnalyses LatchBranchesPass::run(Function &F,
                                         FunctionAnalysisManager &AM) {
  if (!F.getParent()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  bool HasChanged = false;
  for (Loop *L : AM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (BranchInst *Branch = leavesWhereTrue(*L)) {
      Branch->setCondition(
          inverted(*cast<CmpInst>(Branch->getCondition()), *Branch));
      Branch->swapSuccessors();
      HasChanged = true;
    }
  if (!HasChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  // These keep a number for each successor.
  Preserved.abandon<BranchProbabilityAnalysis>();
  Preserved.abandon<BlockFrequencyAnalysis>();
  return Preserved;
}

} // namespace unravel
