//===- BeforeUnrolling.cpp - Loops as small as they will be ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/BeforeUnrolling.h"
#include "transforms/late/TrialCopy.h"
#include "transforms/simplify/RemarkSink.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace unravel {

BeforeUnrollingPass::BeforeUnrollingPass(const IndexSimplifyPasses &Passes)
    : Lend(Passes.factsPass(IndexFactsOptions::Mode::Lend)),
      Withdraw(Passes.factsPass(IndexFactsOptions::Mode::Withdraw)),
      Options(Passes.Simplify) {
  Options.RunsAgain = true;
}

/// Whether LLVM decides about the loop by its size.
static bool mayBeUnrolled(const Loop &L, ScalarEvolution &SE) {
  return L.isInnermost() && hasUnrollTransformation(&L) == TM_Unspecified &&
         SE.getSmallConstantMaxTripCount(&L) > 1;
}

/// How large \p Copy has the loops that begin at the copies of \p Headers, by
/// the measure of unrolling and as that will find them: the pipeline has
/// cleaned up, which adds instructions too. 0 if a loop is gone or cannot be
/// unrolled.
static SmallVector<uint64_t, 8> sizesOfLoops(TrialCopy &Copy,
                                             ArrayRef<BasicBlock *> Headers,
                                             FunctionAnalysisManager &AM) {
  Copy.run(InstCombinePass());
  Copy.run(SimplifyCFGPass());
  Function &F = Copy.function();
  const LoopInfo &LI = AM.getResult<LoopAnalysis>(F);
  SmallVector<uint64_t, 8> Sizes;
  for (BasicBlock *Header : Headers) {
    auto *Block = cast_or_null<BasicBlock>(Copy.copyOf(Header));
    const Loop *L = Block ? LI.getLoopFor(Block) : nullptr;
    if (!L || L->getHeader() != Block) {
      Sizes.push_back(0);
      continue;
    }
    SmallPtrSet<const Value *, 32> Ephemeral;
    CodeMetrics::collectEphemeralValues(L, &AM.getResult<AssumptionAnalysis>(F),
                                        Ephemeral);
    constexpr unsigned OfBackEdge = 2; // the test and the branch
    UnrollCostEstimator Size(L, AM.getResult<TargetIRAnalysis>(F), Ephemeral,
                             OfBackEdge);
    Sizes.push_back(Size.canUnroll() ? Size.getRolledLoopSize() : 0);
  }
  return Sizes;
}

/// InstCombine would freeze the pointer itself, and nothing sees its address
/// space behind that.
static unsigned countFrozenPointers(Function &F) {
  return count_if(instructions(F), [](const Instruction &I) {
    return isa<FreezeInst>(I) && isa<PtrToIntInst>(I.getOperand(0));
  });
}

bool BeforeUnrollingPass::makesLoopsSmall(Function &F,
                                          ArrayRef<BasicBlock *> Headers,
                                          FunctionAnalysisManager &AM) const {
  // One copy after the other: each removes what was declared since it was made.
  auto SizesOfNew = [&]() -> SmallVector<uint64_t, 8> {
    TrialCopy Copy(F, AM);
    Copy.run(Lend);
    Function &Simplified = Copy.function();
    RewriteTrial Trial(Simplified, AM, /*RunsAgain=*/true);
    RemarkSink Silent(RemarkSink::When::Never);
    if (!simplifyIndices(Simplified, Options, AM, Trial, Silent).Changed)
      return {};
    Copy.run(Withdraw);
    if (countFrozenPointers(Simplified) > countFrozenPointers(F))
      return {};
    return sizesOfLoops(Copy, Headers, AM);
  };
  SmallVector<uint64_t, 8> New = SizesOfNew();
  if (New.empty())
    return false;
  TrialCopy Copy(F, AM);
  // For less than an eighth, loops that stay loops are better left alone.
  return any_of(zip_equal(New, sizesOfLoops(Copy, Headers, AM)),
                [](const auto &Sizes) {
                  return 8 * std::get<0>(Sizes) < 7 * std::get<1>(Sizes);
                });
}

PreservedAnalyses BeforeUnrollingPass::run(Function &F,
                                           FunctionAnalysisManager &AM) {
  const LoopInfo &LI = AM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return PreservedAnalyses::all();
  ScalarEvolution &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<BasicBlock *, 8> Headers;
  for (const Loop *L : LI.getLoopsInPreorder())
    if (mayBeUnrolled(*L, SE))
      Headers.push_back(L->getHeader());
  if (Headers.empty() || !makesLoopsSmall(F, Headers, AM))
    return PreservedAnalyses::all();
  FunctionPassManager Passes;
  Passes.addPass(IndexFactsPass(Lend));
  Passes.addPass(IndexSimplifyPass(Options));
  Passes.addPass(IndexFactsPass(Withdraw));
  return Passes.run(F, AM);
}

} // namespace unravel
