//===- TrialCopy.h - A copy of a function to try passes on ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_TRIALCOPY_H
#define UNRAVEL_TRANSFORMS_LATE_TRIALCOPY_H

#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class BasicBlock;
class Module;
} // namespace llvm

namespace unravel {

/// A copy of a function without debug records, in a module for as long as the
/// copy lives. What is declared in the module meanwhile is removed with it.
class TrialCopy {
public:
  TrialCopy(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
  /// \p F need not be in \p M, which the copy is added to.
  TrialCopy(llvm::Function &F, llvm::Module &M,
            llvm::FunctionAnalysisManager &AM);
  ~TrialCopy();
  TrialCopy(const TrialCopy &) = delete;
  TrialCopy &operator=(const TrialCopy &) = delete;

  /// Runs a pass as a pass manager does, but unseen by those who watch passes
  /// (-print-after-all, -opt-bisect-limit).
  template <typename Pass> void run(Pass P) {
    AM.invalidate(*Copy, P.run(*Copy, AM));
  }
  llvm::Function &function() { return *Copy; }
  /// The copy of an argument, block or instruction of the function.
  llvm::Value *copyOf(const llvm::Value *V) const { return Copies.lookup(V); }
  /// Leaves of the blocks that the entry chooses from only \p Body.
  void keepOnly(const llvm::BasicBlock *Body);

private:
  llvm::FunctionAnalysisManager &AM;
  llvm::Function *Copy;
  llvm::ValueToValueMapTy Copies;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_TRIALCOPY_H
