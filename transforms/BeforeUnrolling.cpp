//===- BeforeUnrolling.cpp - Loops as small as they will be ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/BeforeUnrolling.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace unravel {

BeforeUnrollingPass::BeforeUnrollingPass(const IndexSimplifyPasses &Passes) {
  IndexFactsOptions Facts = Passes.Facts;
  Facts.Mode = IndexFactsOptions::Mode::Lend;
  Simplify.addPass(IndexFactsPass(Facts, Passes.State));
  IndexSimplifyOptions Options = Passes.Simplify;
  Options.RunsAgain = true;
  Simplify.addPass(IndexSimplifyPass(std::move(Options)));
  Facts.Mode = IndexFactsOptions::Mode::Withdraw;
  Simplify.addPass(IndexFactsPass(std::move(Facts), Passes.State));
}

static bool mayBeUnrolled(const Loop &L, ScalarEvolution &SE) {
  return L.isInnermost() && !(hasUnrollTransformation(&L) & TM_Disable) &&
         SE.getSmallConstantMaxTripCount(&L) > 1;
}

PreservedAnalyses BeforeUnrollingPass::run(Function &F,
                                           FunctionAnalysisManager &AM) {
  const LoopInfo &LI = AM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return PreservedAnalyses::all();
  ScalarEvolution &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  if (none_of(LI.getLoopsInPreorder(),
              [&](const Loop *L) { return mayBeUnrolled(*L, SE); }))
    return PreservedAnalyses::all();
  return Simplify.run(F, AM);
}

} // namespace unravel
