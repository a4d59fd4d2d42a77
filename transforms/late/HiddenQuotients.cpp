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
    double Weighted = P.Weighted, Plain = P.Plain;
    return Weighted * Weighted * Plain;
  };
  return Product(Hidden) < Product(Visible);
}

/// What loops use and do not contain, and what that is computed from. Only
/// there does it matter what scalar evolution knows: within one loop it finds
/// no steps in a quotient either way.
static SmallPtrSet<const Instruction *, 32>
startsOfLoops(ArrayRef<BasicBlock *> Blocks, const LoopInfo &LI) {
  SmallVector<const Instruction *, 32> Work;
  auto AddOperands = [&](const Instruction &I, const Loop *Inside) {
    for (const Value *Operand : I.operands())
      if (auto *Op = dyn_cast<Instruction>(Operand);
          Op && !(Inside && Inside->contains(Op)))
        Work.push_back(Op);
  };
  for (const BasicBlock *BB : Blocks)
    if (const Loop *L = LI.getLoopFor(BB))
      for (const Instruction &I : *BB)
        AddOperands(I, L);
  SmallPtrSet<const Instruction *, 32> Starts;
  while (!Work.empty())
    if (const Instruction *I = Work.pop_back_val(); Starts.insert(I).second)
      AddOperands(*I, nullptr);
  return Starts;
}

std::optional<HiddenQuotients>
hideQuotients(Function &F, FunctionAnalysisManager &AM,
              ArrayRef<BasicBlock *> Blocks,
              function_ref<LatePrice()> Visible) {
  if (!reducesLoops() || !canTry(F))
    return std::nullopt;
  auto Starts = startsOfLoops(Blocks, AM.getResult<LoopAnalysis>(F));
  SmallVector<Instruction *, 16> Quotients;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (isCandidate(I) && Starts.contains(&I))
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
  bool IsWhole = Blocks.front() == &F.getEntryBlock();
  LatePrice After =
      priceBehindLaterPasses(F, AM, IsWhole ? nullptr : Blocks.front());
  if (pays(After, Before))
    return HiddenQuotients{After, std::move(Hidden)};
  for_each(Hidden, HiddenValues::reveal);
  return std::nullopt;
}

PreservedAnalyses HiddenQuotientsPass::run(Function &F,
                                           FunctionAnalysisManager &AM) {
  // (The second body was looked at when it was made.)
  if (!isDeviceCode(F) || F.hasPersonalityFn() ||
      F.hasFnAttribute(VersionedMarker))
    return PreservedAnalyses::all();
  SmallVector<BasicBlock *, 16> Blocks(make_pointer_range(F));
  auto Visible = [&] { return priceBehindLaterPasses(F, AM); };
  if (!hideQuotients(F, AM, Blocks, Visible))
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace unravel
