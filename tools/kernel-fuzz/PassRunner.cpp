//===- PassRunner.cpp - Pipelines with and without the plugin -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/PassRunner.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace unravel {

Expected<PassRunner> PassRunner::create(std::vector<PassPlugin> Plugins) {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  std::string Reason;
  Triple NVPTX("nvptx64-nvidia-cuda");
  const llvm::Target *T = TargetRegistry::lookupTarget(NVPTX, Reason);
  if (!T)
    return make_error<StringError>(
        "no NVPTX target: " + Reason +
            "; this needs an LLVM that was built with it, as the packages of "
            "apt.llvm.org are",
        inconvertibleErrorCode());
  PassRunner Runner;
  Runner.Target.reset(T->createTargetMachine(NVPTX, "sm_90", "",
                                             TargetOptions(), std::nullopt));
  Runner.Plugins = std::move(Plugins);
  return Runner;
}

/// Parses a pipeline, and runs it if there is a module.
Error PassRunner::build(StringRef Pipeline, bool WithPlugins, Module *M) const {
  PassBuilder PB(Target.get());
  if (WithPlugins)
    for (const PassPlugin &Plugin : Plugins)
      Plugin.registerPassBuilderCallbacks(PB);
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
  if (Error E = PB.parsePassPipeline(MPM, Pipeline))
    return E;
  if (M)
    MPM.run(*M, MAM);
  return Error::success();
}

Error PassRunner::check(StringRef Pipeline) const {
  return build(Pipeline, /*WithPlugins=*/true, nullptr);
}

void PassRunner::run(Module &M, StringRef Pipeline, bool WithPlugins) const {
  if (Error E = build(Pipeline, WithPlugins, &M))
    report_fatal_error(std::move(E));
}

} // namespace unravel
