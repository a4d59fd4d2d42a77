//===- BeforeUnrolling.h - Loops as small as they will be -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_BEFOREUNROLLING_H
#define UNRAVEL_TRANSFORMS_BEFOREUNROLLING_H

#include "transforms/AddIndexSimplifyPasses.h"

namespace unravel {

/// LLVM decides by the size of a loop whether and how often it unrolls it, and
/// index-simplify runs behind that, since copies with a constant in place of
/// the counter simplify best. So a loop that is small only without its
/// divisions would not be unrolled: a sum over the 12 elements of a window
/// stays a loop that divides twice in each iteration, where it could be twelve
/// loads at constant distances.
///
/// In front of unrolling, this simplifies functions with an innermost loop that
/// runs a bounded number of times, if a copy shows that one of them gets
/// smaller by an eighth. Recorded facts are used and stay. What is said of code
/// that does not change is left to the run that follows.
class BeforeUnrollingPass : public llvm::PassInfoMixin<BeforeUnrollingPass> {
public:
  explicit BeforeUnrollingPass(const IndexSimplifyPasses &Passes);
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);

private:
  /// Whether one of the loops of \p F that begin at \p Headers gets smaller.
  bool makesLoopsSmall(llvm::Function &F,
                       llvm::ArrayRef<llvm::BasicBlock *> Headers,
                       llvm::FunctionAnalysisManager &AM) const;

  IndexFactsPass Lend, Withdraw;
  IndexSimplifyOptions Options;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_BEFOREUNROLLING_H
