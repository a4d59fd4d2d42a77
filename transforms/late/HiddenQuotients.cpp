//===- HiddenQuotients.cpp - Quotients that loop passes leave alone -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/HiddenQuotients.h"
#include "transforms/late/HiddenValues.h"
#include "transforms/late/LatePrices.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace unravel {

/// Whether \p I is a quotient or remainder that is not hidden yet.
static bool isCandidate(const Instruction &I) {
  return (I.getOpcode() == Instruction::UDiv ||
          I.getOpcode() == Instruction::URem) &&
         (I.getType()->isIntegerTy(32) || I.getType()->isIntegerTy(64)) &&
         none_of(I.users(), [](const User *U) {
           return HiddenValues::isHidden(*cast<Instruction>(U));
         });
}

/// More induction variables make loops cheaper, and the code in front of them
/// longer; they take registers. So half of what is added to the code has to be
/// saved in loops, each in proportion.
static bool pays(const LatePrice &Hidden, const LatePrice &Visible) {
  auto Product = [](const LatePrice &P) {
    double Weighted = P.Weighted, Plain = P.Plain;
    return Weighted * Weighted * Plain;
  };
  return Product(Hidden) < Product(Visible);
}

bool hideQuotients(Function &F, FunctionAnalysisManager &AM,
                   ArrayRef<BasicBlock *> Blocks) {
  SmallVector<Instruction *, 16> Quotients;
  auto Collect = [&](BasicBlock &BB) {
    for (Instruction &I : BB)
      if (isCandidate(I))
        Quotients.push_back(&I);
  };
  const BasicBlock *Body = Blocks.empty() ? nullptr : Blocks.front();
  if (Body)
    for (BasicBlock *BB : Blocks)
      Collect(*BB);
  else
    for (BasicBlock &BB : F)
      Collect(BB);
  if (Quotients.empty() || AM.getResult<LoopAnalysis>(F).empty())
    return false;
  TimeTraceScope Scope("HiddenQuotients", F.getName());
  LatePrice Visible = priceBehindLaterPasses(F, AM, Body);
  HiddenValues Values(F);
  SmallVector<Instruction *, 16> Hidden;
  for (Instruction *I : Quotients) {
    IRBuilder<> B(I->getNextNode());
    B.SetCurrentDebugLocation(I->getDebugLoc());
    Hidden.push_back(Values.hide(B, I));
    I->replaceUsesWithIf(Hidden.back(), [&](const Use &U) {
      return U.getUser() != Hidden.back();
    });
  }
  if (pays(priceBehindLaterPasses(F, AM, Body), Visible))
    return true;
  for (auto [I, H] : zip(Quotients, Hidden)) {
    auto *Zero = cast<CallInst>(H->getOperand(1));
    Function *Expect = Zero->getCalledFunction();
    H->replaceAllUsesWith(I);
    H->eraseFromParent();
    Zero->eraseFromParent();
    if (Expect->use_empty())
      Expect->eraseFromParent();
  }
  return false;
}

PreservedAnalyses HiddenQuotientsPass::run(Function &F,
                                           FunctionAnalysisManager &AM) {
  if (!F.getParent()->getTargetTriple().isNVPTX() || F.hasPersonalityFn())
    return PreservedAnalyses::all();
  if (!hideQuotients(F, AM))
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace unravel
