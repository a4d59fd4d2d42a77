//===- MergedGuards.h - One block for what one condition guards -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_MERGEDGUARDS_H
#define UNRAVEL_TRANSFORMS_LATE_MERGEDGUARDS_H

#include "llvm/IR/PassManager.h"

namespace unravel {

/// Moves loads that one condition guards into one block:
///
///     if (c) a = x[i];              if (c) { a = x[i]; b = x[i + 1]; }
///     if (c) b = x[i + 1];   for
///
/// The code of several elements has such guards, of which index-simplify finds
/// that they are one. In one block the loads are in flight together, and the
/// backend makes a vector of neighbours. LLVM merges no guards for targets
/// whose branches diverge.
class MergedGuardsPass : public llvm::PassInfoMixin<MergedGuardsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_MERGEDGUARDS_H
