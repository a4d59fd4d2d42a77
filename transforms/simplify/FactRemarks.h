//===- FactRemarks.h - The facts that divisions are missing -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -Rpass-missed=index-simplify: for each fact that would make divisions of the
// finished code cheaper one remark, with their number and with the line that
// states it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_FACTREMARKS_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_FACTREMARKS_H

#include "transforms/simplify/IndexSimplifyOptions.h"

namespace unravel {

class FactTrials;

/// Tells what is missing in \p F, or in the body of a versioned kernel that
/// begins with \p Region. With \p Trials, what each fact saves, the smallest
/// set of them, and nothing of facts that save nothing. Costs nothing if
/// remarks are off.
void reportMissingFacts(llvm::Function &F, const IndexSimplifyOptions &Options,
                        llvm::FunctionAnalysisManager &AM, FactTrials *Trials,
                        const llvm::BasicBlock *Region = nullptr);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_FACTREMARKS_H
