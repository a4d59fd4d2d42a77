//===- PlanRecognition.h - Plans that are in the IR already -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_PLANRECOGNITION_H
#define UNRAVEL_TRANSFORMS_PLAN_PLANRECOGNITION_H

#include "transforms/plan/IndexPlan.h"
#include "llvm/ADT/DenseMap.h"

namespace unravel {

/// Recognises plans that would emit the code that is there: what an earlier run
/// left, say. Code that is computed twice is not recognised, because a plan has
/// it once.
class PlanRecognition {
public:
  /// Whether \p V is what emitting \p Node would make, with these flags or
  /// more.
  bool isAlready(const PlanNode *Node, const llvm::Value *V);

private:
  bool matches(const PlanNode &Node, const llvm::Value *V);

  llvm::DenseMap<const PlanNode *, const llvm::Value *> Known;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_PLANRECOGNITION_H
