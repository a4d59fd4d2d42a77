//===- KernelAnalyses.cpp - What is known of a kernel ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/KernelAnalyses.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

KernelAnalyses::KernelAnalyses(Function &F, FunctionAnalysisManager &AM)
    : Facts(F, AM), DT(AM.getResult<DominatorTreeAnalysis>(F)),
      LI(AM.getResult<LoopAnalysis>(F)),
      SE(AM.getResult<ScalarEvolutionAnalysis>(F)),
      AC(AM.getResult<AssumptionAnalysis>(F)),
      Slots(F.getParent(), /*ShouldInitializeAllMetadata=*/false) {
  Slots.incorporateFunction(F);
}

std::string KernelAnalyses::nameOf(const Value *V) {
  std::string Name;
  raw_string_ostream OS(Name);
  V->printAsOperand(OS, /*PrintType=*/false, Slots);
  return Name;
}

} // namespace unravel
