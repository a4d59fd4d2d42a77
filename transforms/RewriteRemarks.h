//===- RewriteRemarks.h - What was rewritten, what was missing --*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -Rpass=index-simplify tells what became of each rewritten root;
// -Rpass-missed=index-simplify names the fact that keeps a division (a signed
// dividend that may be negative, an index that may wrap) and how to state it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_REWRITEREMARKS_H
#define UNRAVEL_TRANSFORMS_REWRITEREMARKS_H

#include "transforms/IndexRoots.h"

namespace llvm {
class OptimizationRemarkEmitter;
} // namespace llvm

namespace unravel {

class IndexExpander;

/// To be called before \p Chosen are replaced.
void emitRemarks(std::vector<IndexRoot> &Roots,
                 llvm::ArrayRef<IndexRoot *> Chosen, IndexRecovery &Recovery,
                 IndexExpander &Expander, llvm::OptimizationRemarkEmitter &ORE);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_REWRITEREMARKS_H
