//===- PointerChoices.h - Neighbours in one of two arrays -------*- C++ -*-===//
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
// code generator sees that they are neighbours: they become one vector.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_LATE_POINTERCHOICES_H
#define UNRAVEL_TRANSFORMS_LATE_POINTERCHOICES_H

#include "llvm/IR/PassManager.h"

namespace unravel {

/// Replaces such choices by one that dominates them. It belongs behind
/// simplifycfg, which makes them of branches.
class PointerChoicesPass : public llvm::PassInfoMixin<PointerChoicesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_LATE_POINTERCHOICES_H
