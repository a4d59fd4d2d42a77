//===- PassRunner.cpp - Pipelines with and without the plugin -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/PassRunner.h"
#include "ptx/backend/AnalysisManagers.h"
#include "ptx/backend/NvptxTarget.h"

using namespace llvm;

namespace unravel {

Expected<PassRunner> PassRunner::create(std::vector<PassPlugin> Plugins) {
  Expected<NvptxTarget> Target = NvptxTarget::create();
  if (!Target)
    return createStringError(
        toString(Target.takeError()) +
        "; this needs an LLVM that was built with it, as the packages of "
        "apt.llvm.org are");
  PassRunner Runner;
  Runner.Target = Target->createMachine("sm_90");
  Runner.Plugins = std::move(Plugins);
  return Runner;
}

/// Parses a pipeline, and runs it if there is a module.
Error PassRunner::build(StringRef Pipeline, bool WithPlugins, Module *M) const {
  PassBuilder PB(Target.get());
  if (WithPlugins)
    for (const PassPlugin &Plugin : Plugins)
      Plugin.registerPassBuilderCallbacks(PB);
  AnalysisManagers Managers(PB);
  ModulePassManager MPM;
  if (Error E = PB.parsePassPipeline(MPM, Pipeline))
    return E;
  if (M)
    MPM.run(*M, Managers.Modules);
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
