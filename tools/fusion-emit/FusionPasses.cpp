//===- FusionPasses.cpp - What becomes of emitted IR ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/fusion-emit/FusionPasses.h"
#include "transforms/AddIndexSimplifyPasses.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

// In plugin/Plugin.cpp, for the options.
PassPluginLibraryInfo getUnravelPluginInfo();
unravel::IndexSimplifyPasses passesOfCommandLine();

namespace unravel {

Expected<std::unique_ptr<TargetMachine>> gpuMachine(StringRef Arch) {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  Triple GPU("nvptx64-nvidia-cuda");
  std::string Message;
  const Target *T = TargetRegistry::lookupTarget(GPU, Message);
  if (!T)
    return createStringError("this LLVM has no NVPTX target: " + Message);
  std::unique_ptr<MCSubtargetInfo> Info(T->createMCSubtargetInfo(GPU, "", ""));
  if (!Info->isCPUStringValid(Arch))
    return createStringError("--arch: '" + Arch +
                             "' is no architecture that LLVM knows; give one "
                             "like sm_90");
  return std::unique_ptr<TargetMachine>(
      T->createTargetMachine(GPU, Arch, "", TargetOptions(), std::nullopt));
}

void runPasses(Module &M, FusionPasses Passes, TargetMachine &Target) {
  if (Passes == FusionPasses::None)
    return;
  PassBuilder PB(&Target);
  // The same as loading the plugin; LLVM's own pipeline does without.
  if (Passes != FusionPasses::Optimize)
    getUnravelPluginInfo().RegisterPassBuilderCallbacks(PB);
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
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
  MPM.run(M, MAM);
}

std::string toPtx(Module &M, TargetMachine &Target) {
  SmallString<0> Text;
  raw_svector_ostream Stream(Text);
  legacy::PassManager PM;
  bool Failed = Target.addPassesToEmitFile(PM, Stream, nullptr,
                                           CodeGenFileType::AssemblyFile);
  assert(!Failed && "NVPTX emits text");
  (void)Failed;
  PM.run(M);
  return std::string(Text);
}

} // namespace unravel
