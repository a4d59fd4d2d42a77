//===- WordProduct.h - Products of words, as text ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_WORDPRODUCT_H
#define UNRAVEL_ANALYSIS_FACTS_WORDPRODUCT_H

#include "llvm/IR/IRBuilder.h"

namespace unravel {

/// `mul.wide.s32 $0, $1, $2;` or `mul.wide.u32`: A * B, both i32 and read as
/// signed or as unsigned numbers, in i64, where the product always fits. LLVM
/// has no instruction for it.
struct WordProduct {
  llvm::Value *A, *B;
  bool IsSigned;
};

llvm::CallInst *createWordProduct(llvm::IRBuilderBase &B,
                                  const WordProduct &Product);

/// What createWordProduct() made \p Call of; nothing for other calls.
std::optional<WordProduct> asWordProduct(const llvm::CallBase &Call);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_WORDPRODUCT_H
