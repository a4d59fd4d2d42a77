//===- RewriteVerifier.h - Checks rewrites at points ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -index-simplify-verify: before a rewrite is committed, the old value and the
// planned one are computed at many points, by an evaluator that knows neither
// forms nor ranges (PointEvaluator.h). A rewrite that differs at one of them is
// refused and reported as what it is, a bug of this pass.
//
// A point counts if the program can be there: the branches and assumptions in
// front of the rewritten uses go the right way, evaluated like everything else,
// and no operation is undefined. Of loop counters the evaluator sees one
// iteration, so for values that a loop carries the ranges and lattices of the
// analysis are taken as they are.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_REWRITEVERIFIER_H
#define UNRAVEL_TRANSFORMS_REWRITEVERIFIER_H

#include "transforms/IndexRoots.h"
#include "transforms/PointEvaluator.h"
#include "transforms/PointSampler.h"

namespace llvm {
class OptimizationRemarkEmitter;
} // namespace llvm

namespace unravel {

class RewriteVerifier {
public:
  /// Looks at \p Points points for each rewrite; those that the program cannot
  /// reach are replaced by others, up to 32 times as many.
  RewriteVerifier(IndexRecovery &Recovery, unsigned Points);

  /// What became of one rewrite.
  struct Verdict {
    unsigned PointsCompared = 0;
    /// Empty, or the point and the two values there.
    std::string Difference;
  };
  Verdict verify(const IndexRoot &Root);

private:
  enum class Outcome { Impossible, Equal, Different };
  Outcome compareAt(const IndexRoot &Root, std::string &Difference);
  bool isReached(PointEvaluator &Evaluator, const IndexRoot &Root);
  bool holdsAt(PointEvaluator &Evaluator, const llvm::BasicBlock *BB);
  bool isTaken(PointEvaluator &Evaluator, const llvm::BasicBlock *From,
               const llvm::BasicBlock *To);
  bool respectsLoopFacts(PointEvaluator &Evaluator, const IndexRoot &Root);

  IndexRecovery &Recovery;
  unsigned Points;
  PointSampler Sampler;
};

/// Removes the rewrites from \p Chosen that are wrong at some point, with a
/// warning for each, and says in a remark how many points were compared.
void refuseWrongRewrites(std::vector<IndexRoot *> &Chosen,
                         IndexRecovery &Recovery, unsigned Points,
                         llvm::OptimizationRemarkEmitter &ORE);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_REWRITEVERIFIER_H
