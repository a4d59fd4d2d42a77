//===- ExitTests.cpp - Counters by themselves in exit tests ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/ExitTests.h"
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

/// The tests by which \p L ends, of those that compare numbers.
static SmallVector<ICmpInst *, 4> testsOf(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  SmallVector<ICmpInst *, 4> Tests;
  for (BasicBlock *Block : Exiting)
    if (auto *Branch = dyn_cast<BranchInst>(Block->getTerminator()))
      if (auto *Test = dyn_cast<ICmpInst>(Branch->getCondition()))
        if (L.contains(Test))
          Tests.push_back(Test);
  return Tests;
}

void unravel::ptx::isolateCounters(llvm::Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->getLoopPreheader())
      for (ICmpInst *Test : testsOf(*L))
        if (Test->isEquality())
          isolateCounter(*Test, *L, DT);
}

/// Whether each iteration of \p L adds the same to \p V, which it holds in a
/// register of its own.
static bool isCounter(const Value *V, const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch)
    return false;
  return any_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
    const Value *Next = Phi.getIncomingValueForBlock(Latch);
    const Value *Step;
    return (V == &Phi || V == Next) &&
           (match(Next, m_c_Add(m_Specific(&Phi), m_Value(Step))) ||
            match(Next, m_Sub(m_Specific(&Phi), m_Value(Step)))) &&
           L.isLoopInvariant(Step);
  });
}

/// \p V without what \p L adds of numbers that it does not change.
static const Value *withoutInvariants(const Value *V, const Loop &L) {
  const Value *A, *B;
  while (!isCounter(V, L) &&
         (match(V, m_Add(m_Value(A), m_Value(B))) ||
          match(V, m_Sub(m_Value(A), m_Value(B)))) &&
         L.isLoopInvariant(A) != L.isLoopInvariant(B))
    V = L.isLoopInvariant(A) ? B : A;
  return V;
}

void unravel::ptx::keepHiddenCounters(llvm::Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder()) {
    bool IsCounted = false, IsHidden = false;
    for (const ICmpInst *Test : testsOf(*L))
      for (const Value *Side : Test->operands()) {
        const Value *Counter = withoutInvariants(Side, *L);
        if (isCounter(Counter, *L))
          (Counter == Side ? IsCounted : IsHidden) = true;
      }
    if (IsHidden && !IsCounted)
      L->setLoopAlreadyUnrolled();
  }
}
