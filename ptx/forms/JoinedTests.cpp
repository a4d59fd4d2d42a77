//===- JoinedTests.cpp - Selections by two tests --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/JoinedTests.h"
#include "ptx/forms/PureText.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel::ptx;

void unravel::ptx::joinTests(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : instructions(F)) {
    auto *Selection = dyn_cast<SelectInst>(&I);
    if (!Selection || I.getType()->isIntOrIntVectorTy(1))
      continue;
    Value *Both = Selection->getCondition(), *P, *Q;
    if (!Both->hasOneUse() || !Both->getType()->isIntegerTy(1))
      continue;
    bool IsAnd = match(Both, m_LogicalAnd(m_Value(P), m_Value(Q)));
    if (!IsAnd && !match(Both, m_LogicalOr(m_Value(P), m_Value(Q))))
      continue;
    IRBuilder<> B(cast<llvm::Instruction>(Both));
    Both->replaceAllUsesWith(
        pureText(B, IsAnd ? "and.pred" : "or.pred", B.getInt1Ty(), {P, Q}));
    Dead.push_back(Both);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
