//===- AccessPatterns.h - How warps access memory ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What access-report says, as passes. The block is the one that the kernel
// requires or is bound to, else 256 threads.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PRINTERS_ACCESSPATTERNS_H
#define UNRAVEL_ANALYSIS_PRINTERS_ACCESSPATTERNS_H

#include "llvm/IR/PassManager.h"

namespace unravel {

/// `opt -passes='print<access-patterns>'`.
class AccessPatternsPrinterPass
    : public llvm::PassInfoMixin<AccessPatternsPrinterPass> {
public:
  explicit AccessPatternsPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

/// `-Rpass-analysis=access-patterns`: a remark for each access of a kernel to
/// global or shared memory, and each that is not understood. Costs nothing
/// where nobody asks for it.
class AccessRemarksPass : public llvm::PassInfoMixin<AccessRemarksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PRINTERS_ACCESSPATTERNS_H
