//===- RewriteRemarks.h - What the pass did with each index ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -Rpass=index-simplify reports each rewritten root,
// -Rpass-analysis=index-simplify what the pass saw of every root, and
// -Rpass-missed=index-simplify which limits were reached.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITEREMARKS_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITEREMARKS_H

#include "transforms/simplify/IndexRoots.h"

namespace llvm {
class OptimizationRemarkEmitter;
} // namespace llvm

namespace unravel {

class PlanPrices;
class RemarkSink;

/// To be called before \p Chosen are replaced. \p IsFastBody says that the
/// roots are those of a second body.
void emitRemarks(std::vector<IndexRoot> &Roots,
                 llvm::ArrayRef<IndexRoot *> Chosen, IndexRecovery &Recovery,
                 PlanPrices &Prices, RemarkSink &Remarks,
                 llvm::OptimizationRemarkEmitter &ORE, bool IsFastBody);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_REWRITEREMARKS_H
