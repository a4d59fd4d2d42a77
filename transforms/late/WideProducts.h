//===- WideProducts.h - Products that extend their words --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU multiplies two words into 64 bits in one instruction (mul.wide). Two
// numbers of 64 bits take three, even if both are extended words. The code
// generator uses mul.wide where it sees the words: not if the extension is in
// another block, such as in front of a loop, nor part of a load, nor if a word
// that is signed meets one that is known not to be negative. This pass writes
// the instruction there.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_WIDEPRODUCTS_H
#define UNRAVEL_TRANSFORMS_LATE_WIDEPRODUCTS_H

#include "llvm/IR/PassManager.h"

namespace unravel {

/// Leaves products as they are that the code generator makes sums of, from one
/// iteration of a loop or one row to the next.
class WideProductsPass : public llvm::PassInfoMixin<WideProductsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_WIDEPRODUCTS_H
