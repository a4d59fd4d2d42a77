//===- AlignedCompares.h - Guards of neighbours are one ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread with four neighbouring elements compares 4*x, 4*x + 1, 4*x + 2 and
// 4*x + 3 with a size. If the size is a multiple of 4, all four hold or none
// does. Here they become one comparison, behind which LLVM needs one branch.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_ALIGNEDCOMPARES_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_ALIGNEDCOMPARES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
}

namespace unravel {

/// Takes low bits that are known out of the comparisons by order of \p F, or of
/// what \p Region dominates, and makes one of those that are equal then.
/// Returns whether the function changed; the CFG stays as it is.
bool alignCompares(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
                   const llvm::BasicBlock *Region);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_ALIGNEDCOMPARES_H
