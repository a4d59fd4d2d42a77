//===- HiddenQuotients.cpp - Quotients that loop passes leave alone -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/HiddenQuotients.h"
#include "analysis/facts/DeviceCode.h"
#include "transforms/late/HiddenValues.h"
#include "transforms/late/TwoBodies.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"

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
    double Weighted = P.Weighted + P.WeightedAddresses;
    double Plain = P.Plain + P.PlainAddresses;
    return Weighted * Weighted * Plain;
  };
  return Product(Hidden) < Product(Visible);
}

/// For the price of \p Blocks alone: null if they are the whole function.
static const BasicBlock *bodyOf(ArrayRef<BasicBlock *> Blocks) {
  return Blocks.front()->isEntryBlock() ? nullptr : Blocks.front();
}

std::optional<HiddenQuotients>
hideQuotients(Function &F, FunctionAnalysisManager &AM,
              ArrayRef<BasicBlock *> Blocks,
              function_ref<LatePrice()> Visible) {
  auto &LI = AM.getResult<LoopAnalysis>(F);
  if (!reducesLoops() || !canTry(F) ||
      none_of(Blocks, [&](BasicBlock *BB) { return LI.getLoopFor(BB); }))
    return std::nullopt;
  // All or none. What a loop begins with hides where its addresses begin; what
  // is in it, that they are sums with products of the quotient.
  SmallVector<Instruction *, 16> Quotients;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (isCandidate(I))
        Quotients.push_back(&I);
  if (Quotients.empty())
    return std::nullopt;
  TimeTraceScope Scope("HiddenQuotients", F.getName());
  LatePrice Before = Visible();
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
  LatePrice After = priceBehindLaterPasses(F, AM, bodyOf(Blocks));
  if (pays(After, Before))
    return HiddenQuotients{After, std::move(Hidden)};
  for_each(Hidden, HiddenValues::reveal);
  return std::nullopt;
}

/// The blocks of each body of \p F, which begin with its first one.
static SmallVector<SmallVector<BasicBlock *, 16>, 2>
bodiesOf(Function &F, FunctionAnalysisManager &AM) {
  if (!F.hasFnAttribute(VersionedMarker))
    return {SmallVector<BasicBlock *, 16>(make_pointer_range(F))};
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<SmallVector<BasicBlock *, 16>, 2> Bodies;
  for (BasicBlock *First : successors(&F.getEntryBlock())) {
    Bodies.push_back({First});
    for (BasicBlock &BB : F)
      if (&BB != First && DT.dominates(First, &BB))
        Bodies.back().push_back(&BB);
  }
  return Bodies;
}

PreservedAnalyses HiddenQuotientsPass::run(Function &F,
                                           FunctionAnalysisManager &AM) {
  if (!isDeviceCode(F) || F.hasPersonalityFn())
    return PreservedAnalyses::all();
  bool Changed = false;
  // Two bodies were looked at when they were made, but what divisions that
  // share a reciprocal became was not there then.
  for (ArrayRef<BasicBlock *> Blocks : bodiesOf(F, AM)) {
    auto Visible = [&] {
      return priceBehindLaterPasses(F, AM, bodyOf(Blocks));
    };
    Changed |= hideQuotients(F, AM, Blocks, Visible).has_value();
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace unravel
