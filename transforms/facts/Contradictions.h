//===- Contradictions.h - Assumptions that leave no execution ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `w <= 8` and `w >= 10` at the top of a kernel are undefined behaviour, for
// which LLVM deletes the kernel's code without a word. Long before the first
// place where we could compare the two, both are gone. What is left is a kernel
// that never ends, and that tells: a kernel that has assumptions, that was not
// written to be undefined, and of which nothing can be executed.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_CONTRADICTIONS_H
#define UNRAVEL_TRANSFORMS_FACTS_CONTRADICTIONS_H

#include "transforms/facts/KernelFacts.h"
#include "llvm/IR/PassManager.h"

namespace unravel {

/// Marks kernels whose end is to be looked at, in the module as the front end
/// emitted it: those with assumptions, of modules in which no code says by
/// itself that it is never reached (__builtin_unreachable).
class NoteAssumptionsPass : public llvm::PassInfoMixin<NoteAssumptionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Reports \p F if it is marked and every way through it is undefined now.
/// Takes the mark off; returns whether there was one.
bool reportContradiction(llvm::Function &F, FactErrors &Errors);

/// What else contradicts the assumptions of \p F was reported: that its code
/// goes follows from that.
void expectContradiction(llvm::Function &F);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_CONTRADICTIONS_H
