//===- EqualDivisions.h - Divisions that are there already ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM merges equal instructions early. Then it narrows divisions one by one,
// and makes remainders of quotients and products: the same division is there
// twice until the code generator finds out. To the rewrites the second one
// seems to be worth what it costs.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_EQUALDIVISIONS_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_EQUALDIVISIONS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
}

namespace unravel {

/// Replaces divisions that an equal one dominates, in \p F or in what \p Region
/// dominates. Returns whether the function changed; the CFG stays as it is.
bool mergeEqualDivisions(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
                         const llvm::BasicBlock *Region);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_EQUALDIVISIONS_H
