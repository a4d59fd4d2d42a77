//===- SharedChoices.h - What is chosen twice is chosen once ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a row is in one of two arrays, as after a concatenation or an update of
// a slice, each of its elements chooses its address:
//
//   select(c, x, y),  select(c, x + 4, y + 4),  select(c, x + 8, y + 8)
//
// The others are the first one and a number, so one choice serves all, and the
// code generator sees that they are neighbours: they become one vector. Where
// the sides take longer to compute, an element is an if-else instead, and its
// phis choose. LLVM does not compare what stands in different branches.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_SHAREDCHOICES_H
#define UNRAVEL_TRANSFORMS_LATE_SHAREDCHOICES_H

#include "llvm/IR/PassManager.h"

namespace unravel {

/// Replaces choices by one that dominates them and that is the same, or as far
/// away on both sides. An if-else of which nothing else is left goes.
class SharedChoicesPass : public llvm::PassInfoMixin<SharedChoicesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_SHAREDCHOICES_H
