//===- Optimize.cpp - Raise and simplify a lifted kernel ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/backend/AnalysisManagers.h"
#include "ptx/lower/BypassedDivisions.h"
#include "ptx/lower/ExitTests.h"
#include "ptx/lower/KernelLowering.h"
#include "ptx/lower/SplitBodies.h"
#include "ptx/raise/MergeCounters.h"
#include "ptx/raise/RaiseAddresses.h"
#include "ptx/raise/RaiseBypasses.h"
#include "ptx/raise/RaiseDivisions.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

std::optional<LiftedKernel>
unravel::ptx::optimize(LiftedKernel &Kernel, const IndexSimplifyPasses &Passes,
                       const Backend &Target, bool KeepHiddenCounters) {
  // ptxas unrolls and schedules; what LLVM would unroll here, it would again.
  PipelineTuningOptions Tuning;
  Tuning.LoopUnrolling = false;
  Tuning.LoopInterleaving = false;
  Tuning.LoopVectorization = false;
  Tuning.SLPVectorization = false;
  PassInstrumentationCallbacks Callbacks;
  PassBuilder PB(&Target.machine(Kernel.HasShortPointers), Tuning, {},
                 &Callbacks);
  IndexSimplifyPasses WithBypasses = Passes;
  WithBypasses.PrepareDivisions = [&Kernel](FunctionPassManager &FPM) {
    if (Kernel.HasBypasses)
      FPM.addPass(BypassedDivisionsPass());
  };
  addIndexSimplifyCallbacks(PB, WithBypasses);
  std::unique_ptr<llvm::Module> RestIR;
  PB.registerVectorizerEndEPCallback(
      [&](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(SplitBodiesPass(RestIR));
      });
  AnalysisManagers Managers(PB);

  // Before LLVM rewrites the patterns that tell what the code computes.
  llvm::Function &F = *Kernel.Kernel;
  if (KeepHiddenCounters)
    keepHiddenCounters(F);
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
  if (!RestIR)
    return std::nullopt;
  // The other body has passed everything in front of the place where it was
  // split off.
  bool HasPassed = true;
  Callbacks.registerShouldRunOptionalPassCallback([&](StringRef Pass, Any) {
    HasPassed &= Pass != SplitBodiesPass::name();
    return !HasPassed;
  });
  LiftedKernel Rest = Kernel.with(std::move(RestIR));
  MPM.run(*Rest.IR, Managers.Modules);
  return Rest;
}
