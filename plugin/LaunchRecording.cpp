//===- LaunchRecording.cpp - Records launches in host pipelines -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "plugin/LaunchRecording.h"
#include "tools/files/OutputFile.h"
#include "transforms/host/RecordLaunches.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<std::string> Path(
    "index-simplify-record-launches", cl::value_desc("file"),
    cl::desc("For the host's code: write what all launches of static kernels "
             "agree on as a facts file (docs/facts.md)"));

/// To the file of the option, which must not be the source.
static Error writeLaunches(const Module &M,
                           function_ref<Error(raw_ostream &)> Print) {
  if (Error E = unravel::checkOutputs({{"-" + Path.ArgStr.str(), Path}},
                                      {{"", M.getSourceFileName()}}))
    return E;
  return unravel::writeFile(Path, Print);
}

// At all levels: where nothing is optimised the file says little, but a build
// that waits for it goes on.
void unravel::addLaunchRecording(PassBuilder &PB) {
  if (Path.empty())
    return;
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(KeepLaunchStubsPass());
      });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
        MPM.addPass(RecordLaunchesPass(writeLaunches));
      });
}
