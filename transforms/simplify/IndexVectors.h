//===- IndexVectors.h - Vectors of indices become scalars ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's SLP vectorizer puts the indices of neighbouring elements into vectors:
//
//     %v0 = insertelement <2 x i32> poison, i32 %i, i64 0
//     %v = insertelement <2 x i32> %v0, i32 %j, i64 1
//     %q = sdiv <2 x i32> %v, splat (i32 75)
//     %a = extractelement <2 x i32> %q, i64 0    ; is sdiv i32 %i, 75
//
// A GPU has no such instructions: instruction selection takes them apart. Here
// that happens before indices are recovered, which are numbers and no vectors.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXVECTORS_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXVECTORS_H

#include "llvm/IR/PassManager.h"

namespace unravel {

/// Takes apart the vectors of indices in \p F, or those in the blocks that
/// \p Region dominates. Vectors that come from memory or other operations on
/// data stay. Returns whether the function changed; the CFG stays as it is.
bool splitIndexVectors(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
                       const llvm::BasicBlock *Region);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_INDEXVECTORS_H
