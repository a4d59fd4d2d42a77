//===- Optimize.cpp - Raise and simplify a lifted kernel ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/BypassedDivisions.h"
#include "ptx/forms/ExitTests.h"
#include "ptx/forms/PlainDivisions.h"
#include "ptx/forms/PrivateArrays.h"
#include "ptx/forms/PureText.h"
#include "ptx/forms/UnwrittenRegisters.h"
#include "ptx/lower/KernelLowering.h"
#include "ptx/lower/SplitBodies.h"
#include "ptx/raise/MergeCounters.h"
#include "ptx/raise/RaiseAddresses.h"
#include "ptx/raise/RaiseBypasses.h"
#include "ptx/raise/RaiseDivisions.h"
#include "transforms/late/HiddenValues.h"
#include "transforms/late/TrialCopy.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/DivRemPairs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Vectorize/VectorCombine.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

static PipelineTuningOptions tuning() {
  // ptxas unrolls and schedules; what LLVM would unroll here, it would again.
  PipelineTuningOptions Tuning;
  Tuning.LoopUnrolling = false;
  Tuning.LoopInterleaving = false;
  Tuning.LoopVectorization = false;
  Tuning.SLPVectorization = false;
  return Tuning;
}

/// \p PB with the passes for indices, and SplitBodiesPass behind them.
static PassBuilder &withIndexPasses(PassBuilder &PB, const LiftedKernel &Kernel,
                                    IndexSimplifyPasses Passes,
                                    std::unique_ptr<llvm::Module> &RestIR) {
  Passes.PrepareDivisions = [&Kernel](FunctionPassManager &FPM) {
    if (Kernel.HasBypasses)
      FPM.addPass(BypassedDivisionsPass());
  };
  Passes.BeforeUnrolling = false; // see tuning()
  addIndexSimplifyCallbacks(PB, Passes);
  PB.registerVectorizerEndEPCallback(
      [&](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(SplitBodiesPass(RestIR));
      });
  return PB;
}

/// What the iterations of \p L, or of a loop in it, hand on, in registers of 32
/// bits.
static unsigned carriedWords(const Loop &L) {
  constexpr unsigned Word = 32;
  unsigned Words = 0;
  for (const PHINode &P : L.getHeader()->phis())
    Words += divideCeil(P.getType()->getPrimitiveSizeInBits(), Word);
  for (const Loop *Inner : L)
    Words = std::max(Words, carriedWords(*Inner));
  return Words;
}

/// As many registers has each thread of a full multiprocessor. Loops that hand
/// on more, such as the accumulators of matrices, spill soon.
static constexpr unsigned MaxCarriedWords = 32;

KernelOptimizer::KernelOptimizer(LiftedKernel &Kernel,
                                 const IndexSimplifyPasses &Passes,
                                 const Backend &Target, bool KeepHiddenCounters)
    : Kernel(Kernel), Passes(Passes), KeepHiddenCounters(KeepHiddenCounters),
      PB(&Target.machine(Kernel.HasShortPointers), tuning(), {}, &Callbacks),
      Managers(withIndexPasses(PB, Kernel, Passes, RestIR)) {
  Callbacks.registerShouldRunOptionalPassCallback(
      [this](StringRef Pass, Any Of) { return shouldRun(Pass, Of); });
}

bool KernelOptimizer::shouldRun(StringRef Pass, const Any &Of) {
  // It takes vector loads apart without saying of the parts that they read what
  // does not change: they would no longer be ld.global.nc.
  if (Pass == VectorCombinePass::name())
    return false;
  // What leaves a loop needs a register in all of it.
  const auto *const *L = any_cast<const Loop *>(&Of);
  if (L && Pass == LICMPass::name() && carriedWords(**L) > MaxCarriedWords)
    return false;
  bool IsInFront = !HasPassed;
  HasPassed |= Pass == SplitBodiesPass::name();
  return IsFinishing ? !IsInFront : IsInFront;
}

/// Before LLVM rewrites the patterns that tell what the code computes.
void KernelOptimizer::raise() {
  llvm::Function &F = *Kernel.Kernel;
  if (KeepHiddenCounters)
    keepHiddenCounters(F);
  markUnwritten(F);
  noteArrayPlaces(F);
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
}

std::optional<LiftedKernel> KernelOptimizer::simplify() {
  raise();
  MPM = PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
  MPM.run(*Kernel.IR, Managers.Modules);
  if (!RestIR)
    return std::nullopt;
  return Kernel.with(std::move(RestIR));
}

void KernelOptimizer::finish(LiftedKernel &Simplified) {
  IsFinishing = true;
  HasPassed = false;
  MPM.run(*Simplified.IR, Managers.Modules);
}

EstimatedCost KernelOptimizer::estimate(const LiftedKernel &Simplified) {
  TrialCopy Copy(*Simplified.Kernel, Managers.Functions);
  Copy.run(DivRemPairsPass());
  // Their guards are not printed.
  makePlainDivisions(Copy.function());
  Copy.run(DCEPass());
  EstimatedCost Cost;
  Cost.Price = priceNow(Copy.function(), Managers.Functions);
  auto &LI = Managers.Functions.getResult<LoopAnalysis>(Copy.function());
  for (llvm::Instruction &I : instructions(Copy.function())) {
    Cost.Divisions += I.isIntDivRem() && !isa<Constant>(I.getOperand(1)) &&
                      !HiddenValues::isHidden(I);
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->isInlineAsm())
      continue;
    PtxInstClass Class = classifyPtxOpcode(opcodeOf(*Call));
    if (!Class.Division)
      continue;
    ++Cost.Divisions;
    Cost.Price.Plain += Class.Cost;
    Cost.Price.Weighted +=
        uint64_t(Class.Cost) * loopWeight(LI.getLoopDepth(I.getParent()));
  }
  return Cost;
}
