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
// A point says what the arguments, the loads and the launch are. From there the
// control flow follows: the kernel is walked from its entry, and the rewrites
// in each block that is passed are compared, unless the old code is poison
// there or the program undefined. Of a loop the walk sees one iteration, any
// one: for values that a loop carries the ranges and lattices of the analysis
// are taken as they are.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITEVERIFIER_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITEVERIFIER_H

#include "transforms/simplify/IndexRoots.h"

namespace llvm {
class OptimizationRemarkEmitter;
} // namespace llvm

namespace unravel {

/// The verdict on one rewrite.
struct RewriteVerdict {
  unsigned PointsCompared = 0;
  /// Empty, or the point and the two values there.
  std::string Difference;
};

/// Compares each of \p Roots with its plan at \p Points points. Points that do
/// not get to it are replaced by others, up to 32 times as many.
std::vector<RewriteVerdict> verifyRewrites(llvm::ArrayRef<IndexRoot *> Roots,
                                           IndexRecovery &Recovery,
                                           unsigned Points);

/// Removes the rewrites from \p Chosen that are wrong at some point, with a
/// warning for each, and says in a remark how many points were compared.
void refuseWrongRewrites(std::vector<IndexRoot *> &Chosen,
                         IndexRecovery &Recovery, unsigned Points,
                         llvm::OptimizationRemarkEmitter &ORE);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITEVERIFIER_H
