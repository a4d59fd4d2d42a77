//===- Replacement.h - Puts planned code in place of old --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_REPLACEMENT_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_REPLACEMENT_H

#include "transforms/plan/PlanEmitter.h"
#include "transforms/simplify/IndexRoots.h"

namespace unravel {

/// Emits the plans of roots and has their uses take the new values. What was
/// computed for the old ones stays until finish(), so that undo() can have it
/// back; one of the two ends a replacement.
class Replacement {
public:
  Replacement(llvm::ArrayRef<IndexRoot *> Roots, llvm::DominatorTree &DT,
              llvm::LoopInfo &LI);
  /// The function is what it was.
  void undo();
  /// The old code goes.
  void finish(llvm::AssumptionCache &AC);

private:
  llvm::ArrayRef<IndexRoot *> Roots;
  llvm::DominatorTree &DT;
  PlanEmitter Emitter;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_REPLACEMENT_H
