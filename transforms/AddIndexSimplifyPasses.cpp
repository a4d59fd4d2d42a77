//===- AddIndexSimplifyPasses.cpp - For compilers that adopt them ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/AddIndexSimplifyPasses.h"
#include "transforms/BeforeUnrolling.h"
#include "transforms/facts/Contradictions.h"
#include "transforms/late/HiddenQuotients.h"
#include "transforms/late/KnownAlignments.h"
#include "transforms/late/LatchBranches.h"
#include "transforms/late/MergedGuards.h"
#include "transforms/late/SharedChoices.h"
#include "transforms/late/WideProducts.h"
#include "transforms/launch/LaunchVersioning.h"
#include "transforms/reciprocal/HoistedReciprocals.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace unravel {

using FactsMode = enum IndexFactsOptions::Mode;

IndexFactsPass IndexSimplifyPasses::factsPass(FactsMode Mode) const {
  IndexFactsOptions Options = Facts;
  Options.Mode = Mode;
  return IndexFactsPass(std::move(Options), State);
}

/// For the divisions that are left.
static void addDivisionPasses(FunctionPassManager &FPM,
                              const IndexSimplifyPasses &Passes) {
  if (Passes.PrepareDivisions)
    Passes.PrepareDivisions(FPM);
  FPM.addPass(HoistedReciprocalsPass());
  FPM.addPass(HiddenQuotientsPass());
}

void recordIndexFacts(FunctionPassManager &FPM,
                      const IndexSimplifyPasses &Passes) {
  FPM.addPass(Passes.factsPass(FactsMode::Record));
}

void addIndexSimplifyPasses(FunctionPassManager &FPM,
                            const IndexSimplifyPasses &Passes) {
  FPM.addPass(Passes.factsPass(FactsMode::State));
  IndexSimplifyOptions Simplify = Passes.Simplify;
  if (Passes.Reciprocals)
    Simplify.TryDivisionPasses = [](Function &F, FunctionAnalysisManager &AM) {
      return HoistedReciprocalsPass(/*IsTrial=*/true).run(F, AM);
    };
  FPM.addPass(LaunchVersioningPass(std::move(Simplify)));
  FPM.addPass(Passes.factsPass(FactsMode::Forget));
  if (Passes.Reciprocals)
    addDivisionPasses(FPM, Passes);
}

void addIndexSimplifyCallbacks(PassBuilder &PB,
                               const IndexSimplifyPasses &Passes,
                               IndexSimplifyPlace Place) {
  if (Place == IndexSimplifyPlace::None)
    return;
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          MPM.addPass(NoteAssumptionsPass());
      });
  // The first of these comes in front of everything that erases flags and drops
  // assumptions, later ones see what was inlined.
  PB.registerPeepholeEPCallback(
      [=](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          recordIndexFacts(FPM, Passes);
      });
  PB.registerScalarOptimizerLateEPCallback(
      [=](FunctionPassManager &FPM, OptimizationLevel Level) {
        IndexSimplifyPasses Early = Passes;
        Early.Reciprocals = false; // the copies of unrolled loops share them
        if (Level != OptimizationLevel::O0 &&
            Place == IndexSimplifyPlace::ScalarOptimizerLate)
          addIndexSimplifyPasses(FPM, Early);
      });
  PB.registerVectorizerStartEPCallback(
      [=](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0 && Passes.BeforeUnrolling &&
            Place == IndexSimplifyPlace::VectorizerEnd)
          FPM.addPass(BeforeUnrollingPass(Passes));
      });
  PB.registerVectorizerEndEPCallback(
      [=](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (Level == OptimizationLevel::O0)
          return;
        if (Place == IndexSimplifyPlace::VectorizerEnd)
          addIndexSimplifyPasses(FPM, Passes);
        else if (Passes.Reciprocals)
          addDivisionPasses(FPM, Passes);
      });
  // Nothing stays: not behind a late peephole point, nor in front of a link or
  // behind it.
  auto Forget = [=](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(createModuleToFunctionPassAdaptor(
          Passes.factsPass(FactsMode::Forget)));
  };
  PB.registerOptimizerLastEPCallback([=](ModulePassManager &MPM,
                                         OptimizationLevel Level,
                                         ThinOrFullLTOPhase Phase) {
    Forget(MPM, Level);
    if (Level == OptimizationLevel::O0)
      return;
    FunctionPassManager FPM;
    FPM.addPass(MergedGuardsPass());
    FPM.addPass(SharedChoicesPass());
    FPM.addPass(KnownAlignmentsPass());
    FPM.addPass(LatchBranchesPass());
    // The passes of a link look into products.
    if (Phase != ThinOrFullLTOPhase::ThinLTOPreLink &&
        Phase != ThinOrFullLTOPhase::FullLTOPreLink)
      FPM.addPass(WideProductsPass());
    MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  });
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [=](ModulePassManager &MPM, OptimizationLevel Level) {
        Forget(MPM, Level);
        if (Level != OptimizationLevel::O0)
          MPM.addPass(createModuleToFunctionPassAdaptor(WideProductsPass()));
      });
}

} // namespace unravel
