//===- LatchBranches.h - Loops that branch back where true ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_LATCHBRANCHES_H
#define UNRAVEL_TRANSFORMS_LATE_LATCHBRANCHES_H

#include "llvm/IR/PassManager.h"

namespace unravel {

/// Turns the branch of a loop of one block around, where it leaves the loop if
/// a comparison is true: then it goes back if the opposite comparison is true.
///
/// NVPTX cannot invert the condition of a branch when it has laid out the
/// blocks, and ends such a loop with a jump of its own:
///
///     setp.eq.b32 %p, %i, %n;         setp.ne.b32 %p, %i, %n;
///     @%p bra Exit;            for    @%p bra Header;
///     bra.uni Header;               Exit:
///   Exit:
///
/// ptxas does not unroll a loop of two jumps. LLVM prefers the comparison that
/// makes them: it writes equality for inequality wherever it can. Loops of more
/// blocks are left alone: the backend puts their last block in front of the
/// first one where it leaves the loop if the condition is true.
class LatchBranchesPass : public llvm::PassInfoMixin<LatchBranchesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_LATCHBRANCHES_H
