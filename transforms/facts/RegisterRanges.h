//===- RegisterRanges.h - What is known of a launch's registers -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_REGISTERRANGES_H
#define UNRAVEL_TRANSFORMS_FACTS_REGISTERRANGES_H

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"

namespace unravel {

/// Narrows the reads in \p F of a size, gridDim or blockDim, which is in
/// \p Range, and of the index that is below it. Only reads that \p IsKnownAt
/// accepts. True if one changed.
bool narrowReads(llvm::Function &F, llvm::Intrinsic::ID Size,
                 const llvm::ConstantRange &Range,
                 llvm::function_ref<bool(const llvm::Instruction &)> IsKnownAt);

/// Turns `__builtin_assume(gridDim.x == 469)` into `range(i32 0, 469)` on the
/// reads of blockIdx.x, by ctaid.x < nctaid.x (and likewise for the other
/// dimensions and for threads), wherever the assumption is sure to be executed.
bool narrowAssumedReads(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

/// Narrows the reads in \p F, a kernel with a size of clusters, of the
/// registers of clusters and of the grid. The others have their ranges from
/// LLVM.
bool narrowClusterReads(llvm::Function &F);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_REGISTERRANGES_H
