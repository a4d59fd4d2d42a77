//===- ExitTests.cpp - Counters by themselves in exit tests ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/ExitTests.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// `Varying == Bound`, where the loop does not change the bound.
struct Equality {
  Value *Varying;
  Value *Bound;
};

} // namespace

/// Moves one operation of the varying side, if another operand of it does not
/// change in \p L. \p Front is in front of the loop.
static bool moveOne(Equality &E, const Loop &L, IRBuilderBase &Front) {
  Value *A, *B;
  if (match(E.Varying, m_OneUse(m_Add(m_Value(A), m_Value(B))))) {
    if (L.isLoopInvariant(A))
      std::swap(A, B);
    if (!L.isLoopInvariant(B))
      return false;
    E = {A, Front.CreateSub(E.Bound, B)};
    return true;
  }
  if (!match(E.Varying, m_OneUse(m_Sub(m_Value(A), m_Value(B)))))
    return false;
  if (L.isLoopInvariant(B))
    E = {A, Front.CreateAdd(E.Bound, B)};
  else if (L.isLoopInvariant(A))
    E = {B, Front.CreateSub(A, E.Bound)};
  else
    return false;
  return true;
}

/// The counter's next value ends its life in the test; its old value would have
/// to be kept for it.
static void preferNext(Equality &E, const Loop &L, const ICmpInst &Test,
                       const DominatorTree &DT, IRBuilderBase &Front) {
  auto *Counter = dyn_cast<PHINode>(E.Varying);
  BasicBlock *Latch = L.getLoopLatch();
  if (!Counter || Counter->getParent() != L.getHeader() || !Latch)
    return;
  Value *Next = Counter->getIncomingValueForBlock(Latch);
  Value *Step;
  if (match(Next, m_c_Add(m_Specific(Counter), m_Value(Step))) &&
      L.isLoopInvariant(Step) && DT.dominates(Next, &Test))
    E = {Next, Front.CreateAdd(E.Bound, Step)};
}

static void isolateCounter(ICmpInst &Test, const Loop &L,
                           const DominatorTree &DT) {
  Equality E{Test.getOperand(0), Test.getOperand(1)};
  if (L.isLoopInvariant(E.Varying))
    std::swap(E.Varying, E.Bound);
  if (!L.isLoopInvariant(E.Bound) || !E.Varying->getType()->isIntegerTy())
    return;
  IRBuilder<> Front(L.getLoopPreheader()->getTerminator());
  Value *Old = E.Varying;
  while (moveOne(E, L, Front)) {
  }
  if (E.Varying == Old)
    return;
  preferNext(E, L, Test, DT, Front);
  Test.setOperand(0, E.Varying);
  Test.setOperand(1, E.Bound);
  Test.dropPoisonGeneratingFlags();
  RecursivelyDeleteTriviallyDeadInstructions(Old);
}

void unravel::ptx::isolateCounters(llvm::Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->getLoopPreheader())
      continue;
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    for (BasicBlock *Block : Exiting) {
      auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
      auto *Test =
          Branch ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
      if (Test && Test->isEquality() && L->contains(Test))
        isolateCounter(*Test, *L, DT);
    }
  }
}
