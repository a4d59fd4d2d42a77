//===- MaskedCompares.h - Tests of one index's bits are one -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where lengths and strides are powers of two, guards test bits: the column of
// i = 16*row + column is in [4, 8) and the row is odd if (i & 0x1c) == 0x14.
// What stands between the index and the test (row - 1, i / 16) hides that from
// LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_MASKEDCOMPARES_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_MASKEDCOMPARES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
}

namespace unravel {

/// Merges tests that have to hold together, (x & mask) == bits, and their
/// negations, in \p F or in what \p Region dominates. Returns whether the
/// function changed; the CFG stays as it is.
bool mergeMaskedCompares(llvm::Function &F, llvm::FunctionAnalysisManager &AM,
                         const llvm::BasicBlock *Region);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_MASKEDCOMPARES_H
