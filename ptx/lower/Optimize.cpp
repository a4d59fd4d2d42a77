//===- Optimize.cpp - Raise and simplify a lifted kernel ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/backend/AnalysisManagers.h"
#include "ptx/lower/CutFallback.h"
#include "ptx/lower/KernelLowering.h"
#include "ptx/raise/MergeCounters.h"
#include "ptx/raise/RaiseAddresses.h"
#include "ptx/raise/RaiseBypasses.h"
#include "ptx/raise/RaiseDivisions.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

bool unravel::ptx::optimize(LiftedKernel &Kernel,
                            const IndexSimplifyPasses &Passes,
                            const Backend &Target) {
  // ptxas unrolls and schedules; what LLVM would unroll here, it would again.
  PipelineTuningOptions Tuning;
  Tuning.LoopUnrolling = false;
  Tuning.LoopInterleaving = false;
  Tuning.LoopVectorization = false;
  Tuning.SLPVectorization = false;
  PassBuilder PB(&Target.machine(Kernel.HasShortPointers), Tuning);
  addIndexSimplifyCallbacks(PB, Passes);
  bool HasSecondBody = false;
  PB.registerVectorizerEndEPCallback(
      [&](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(CutFallbackPass(HasSecondBody));
      });
  AnalysisManagers Managers(PB);

  // Before LLVM rewrites the patterns that tell what the code computes.
  llvm::Function &F = *Kernel.Kernel;
  raiseAddresses(F);
  FunctionPassManager Clean;
  Clean.addPass(InstSimplifyPass());
  Clean.addPass(EarlyCSEPass());
  Clean.run(F, Managers.Functions);
  Kernel.HasBypasses = raiseBypasses(F);
  if (Kernel.HasBypasses)
    Managers.Functions.invalidate(F, PreservedAnalyses::none());
  // A multiplication by a reciprocal is a division in a range of dividends,
  // which the first compiler knew, and facts may bring back.
  FunctionPassManager Facts;
  recordIndexFacts(Facts, Passes);
  Facts.run(F, Managers.Functions);
  if (raiseDivisions(F, Managers.Functions))
    Managers.Functions.invalidate(F, PreservedAnalyses::none());
  if (mergeCounters(F, Managers.Functions))
    Managers.Functions.invalidate(F, PreservedAnalyses::none());

  ModulePassManager MPM =
      PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
  MPM.run(*Kernel.IR, Managers.Modules);
  return HasSecondBody;
}
