//===- RewriteSelection.h - Which planned rewrites pay ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roots share old code as well as new code, so they are judged in groups: what
// dies if all of a group are replaced, against what has to be emitted. A group
// is replaced only if it gets strictly cheaper, counted plainly and counted by
// loop depth; so a second run finds nothing left to do.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITESELECTION_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITESELECTION_H

#include "transforms/simplify/IndexRoots.h"

namespace llvm {
class AssumptionCache;
class LoopInfo;
} // namespace llvm

namespace unravel {

class PlanPrices;

/// What to replace, in the order of the IR.
struct SelectedRewrites {
  /// As far as prices say that it pays.
  std::vector<IndexRoot *> ByPrice;
  /// Of these, only what saves operations that are not affine: what is affine
  /// is left to the passes behind, which may make less of the new code.
  std::vector<IndexRoot *> Careful;
  /// What replacing them saves, weighted by loop depth.
  int64_t GainByPrice = 0, GainOfCareful = 0;
};

/// \p Roots, of one function, are not empty.
SelectedRewrites selectRewrites(std::vector<IndexRoot> &Roots,
                                PlanPrices &Prices, llvm::LoopInfo &LI,
                                llvm::AssumptionCache &AC, unsigned MaxGroup);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITESELECTION_H
