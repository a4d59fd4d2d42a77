//===- CommonDominator.cpp - A place that two places share ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/CommonDominator.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace unravel {

Instruction *commonDominator(Instruction *A, Instruction *B,
                             DominatorTree &DT) {
  BasicBlock *BlockA = A->getParent(), *BlockB = B->getParent();
  if (BlockA == BlockB)
    return A == B || A->comesBefore(B) ? A : B;
  BasicBlock *Common = DT.findNearestCommonDominator(BlockA, BlockB);
  return Common == BlockA ? A : Common == BlockB ? B : Common->getTerminator();
}

} // namespace unravel
