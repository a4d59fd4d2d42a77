//===- DisjointSums.cpp - Sums of products, not ors -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/DisjointSums.h"
#include "ptx/forms/PureText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace unravel::ptx;

/// A product or a shifted word that nothing else uses.
static bool isProduct(const Value *V) {
  return match(V, m_OneUse(m_CombineOr(m_Mul(m_Value(), m_Value()),
                                       m_Shl(m_Value(), m_ConstantInt()))));
}

void unravel::ptx::addDisjointProducts(llvm::Function &F) {
  const DataLayout &DL = F.getDataLayout();
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    Value *A, *B;
    if (!I.getType()->isIntegerTy(32) && !I.getType()->isIntegerTy(64))
      continue;
    bool IsOr = match(&I, m_DisjointOr(m_Value(A), m_Value(B)));
    if (!IsOr && !match(&I, m_Add(m_Value(A), m_Value(B))))
      continue;
    if (isa<Constant>(A) || isa<Constant>(B) ||
        (!isProduct(A) && !isProduct(B)) ||
        (!IsOr && !haveNoCommonBitsSet(A, B, SimplifyQuery(DL))))
      continue;
    IRBuilder<> Builder(&I);
    I.replaceAllUsesWith(
        pureText(Builder, I.getType()->isIntegerTy(64) ? "add.s64" : "add.s32",
                 I.getType(), {A, B}));
    Dead.push_back(&I);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
