//===- FusionPasses.cpp - What becomes of emitted IR ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/fusion-emit/FusionPasses.h"
#include "ptx/backend/AnalysisManagers.h"
#include "ptx/backend/NvptxTarget.h"
#include "transforms/AddIndexSimplifyPasses.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

// In plugin/Plugin.cpp, for the options.
PassPluginLibraryInfo getUnravelPluginInfo();
unravel::IndexSimplifyPasses passesOfCommandLine();

namespace unravel {

Expected<std::unique_ptr<TargetMachine>> gpuMachine(StringRef Arch) {
  Expected<NvptxTarget> Target = NvptxTarget::create();
  if (!Target)
    return Target.takeError();
  if (!Target->info().isCPUStringValid(Arch))
    return createStringError("--arch: '" + Arch +
                             "' is no architecture that LLVM knows; give one "
                             "like sm_90");
  return Target->createMachine(Arch);
}

void runPasses(Module &M, FusionPasses Passes, TargetMachine &Target) {
  if (Passes == FusionPasses::None)
    return;
  PassBuilder PB(&Target);
  // The same as loading the plugin; LLVM's own pipeline does without.
  if (Passes != FusionPasses::Optimize)
    getUnravelPluginInfo().RegisterPassBuilderCallbacks(PB);
  AnalysisManagers Managers(PB);
  ModulePassManager MPM;
  if (Passes == FusionPasses::Alone) {
    IndexSimplifyPasses Simplify = passesOfCommandLine();
    Simplify.Simplify.Versioning = VersioningMode::Off;
    Simplify.Reciprocals = false;
    FunctionPassManager FPM;
    recordIndexFacts(FPM, Simplify);
    addIndexSimplifyPasses(FPM, Simplify);
    FPM.addPass(InstSimplifyPass());
    FPM.addPass(SimplifyCFGPass());
    MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  } else {
    MPM = PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
  }
  MPM.run(M, Managers.Modules);
}

} // namespace unravel
