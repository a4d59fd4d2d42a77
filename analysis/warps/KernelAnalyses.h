//===- KernelAnalyses.h - What is known of a kernel -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_KERNELANALYSES_H
#define UNRAVEL_ANALYSIS_WARPS_KERNELANALYSES_H

#include "analysis/facts/RangeFacts.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include <string>

namespace llvm {
class AssumptionCache;
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace unravel {

/// What the analyses of LLVM and the facts know of a kernel that stays as it
/// is, and the names of its values.
class KernelAnalyses {
public:
  KernelAnalyses(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

  /// "%x", "@g", "3". (Value::printAsOperand numbers the whole function again
  /// for each value without a name.)
  std::string nameOf(const llvm::Value *V);

  RangeFacts Facts;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::AssumptionCache &AC;

private:
  llvm::ModuleSlotTracker Slots;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_KERNELANALYSES_H
