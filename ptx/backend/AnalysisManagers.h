//===- AnalysisManagers.h - What a pass pipeline needs ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs and tests that run passes; the plugin gets its own from whoever
// loads it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_BACKEND_ANALYSISMANAGERS_H
#define UNRAVEL_PTX_BACKEND_ANALYSISMANAGERS_H

#include "llvm/Passes/PassBuilder.h"

namespace unravel {

/// All analyses that \p PB knows, with the plugins that are registered there.
struct AnalysisManagers {
  explicit AnalysisManagers(llvm::PassBuilder &PB) {
    PB.registerModuleAnalyses(Modules);
    PB.registerCGSCCAnalyses(CallGraph);
    PB.registerFunctionAnalyses(Functions);
    PB.registerLoopAnalyses(Loops);
    PB.crossRegisterProxies(Loops, Functions, CallGraph, Modules);
  }
  AnalysisManagers(const AnalysisManagers &) = delete;

  // Destroyed in the opposite order: modules' results point to the others.
  llvm::LoopAnalysisManager Loops;
  llvm::FunctionAnalysisManager Functions;
  llvm::CGSCCAnalysisManager CallGraph;
  llvm::ModuleAnalysisManager Modules;
};

} // namespace unravel

#endif // UNRAVEL_PTX_BACKEND_ANALYSISMANAGERS_H
