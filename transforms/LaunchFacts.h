//===- LaunchFacts.h - Keeps what is assumed about a launch -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LAUNCHFACTS_H
#define UNRAVEL_TRANSFORMS_LAUNCHFACTS_H

#include "llvm/IR/PassManager.h"

namespace unravel {

/// Turns `__builtin_assume(gridDim.x == 469)` into `range(i32 0, 469)` on the
/// reads of blockIdx.x, by ctaid.x < nctaid.x (and likewise for the other
/// dimensions and for threads). LLVM 22 drops an assumption about a value that
/// nothing else uses before the vectorizers run, which is before
/// index-simplify; so this has to run early.
class LaunchFactsPass : public llvm::PassInfoMixin<LaunchFactsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LAUNCHFACTS_H
