//===- TestChains.cpp - Several tests in one predicate --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/TestChains.h"
#include "ptx/forms/PureText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// The operands of \p V if it is a conjunction, or else a disjunction, of
/// predicates.
static std::optional<std::pair<Value *, Value *>> operandsOf(Value *V,
                                                             bool IsAnd) {
  Value *A, *B;
  if (!isa<llvm::Instruction>(V) || !V->getType()->isIntegerTy(1))
    return std::nullopt;
  if (IsAnd ? match(V, m_LogicalAnd(m_Value(A), m_Value(B)))
            : match(V, m_LogicalOr(m_Value(A), m_Value(B))))
    return std::pair(A, B);
  return std::nullopt;
}

/// A comparison that ptxas makes together with the predicate beside it.
static bool isOwnTest(const Value *V, const BasicBlock &Block) {
  auto *Test = dyn_cast<ICmpInst>(V);
  return Test && Test->hasOneUse() && Test->getParent() == &Block;
}

/// What the chain above \p Root is made of, from the left.
static SmallVector<Value *, 8> leavesOf(llvm::Instruction &Root, bool IsAnd) {
  SmallVector<Value *, 8> Leaves, Work{&Root};
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    auto *I = dyn_cast<llvm::Instruction>(V);
    auto Operands = operandsOf(V, IsAnd);
    if (!Operands || (I != &Root && (!I->hasOneUse() ||
                                     I->getParent() != Root.getParent()))) {
      Leaves.push_back(V);
      continue;
    }
    Work.push_back(Operands->second);
    Work.push_back(Operands->first);
  }
  return Leaves;
}

/// Whether \p Root is the end of a chain, not a link.
static bool isChain(llvm::Instruction &Root, bool IsAnd) {
  if (!operandsOf(&Root, IsAnd))
    return false;
  auto *User = Root.hasOneUse()
                   ? dyn_cast<llvm::Instruction>(*Root.user_begin())
                   : nullptr;
  return !User || User->getParent() != Root.getParent() ||
         !operandsOf(User, IsAnd);
}

/// With its tests last, as text: the backend has an order of its own, and a
/// predicate that is not used is none to it.
static Value *inOrder(llvm::Instruction &Root, bool IsAnd) {
  SmallVector<Value *, 8> Leaves = leavesOf(Root, IsAnd);
  auto IsTest = [&](Value *V) { return isOwnTest(V, *Root.getParent()); };
  // Two are the same either way.
  if (Leaves.size() < 3 || none_of(Leaves, IsTest) || all_of(Leaves, IsTest))
    return nullptr;
  std::stable_partition(Leaves.begin(), Leaves.end(),
                        [&](Value *V) { return !IsTest(V); });
  IRBuilder<> B(&Root);
  Value *Known = Leaves.front();
  for (Value *Next : drop_begin(Leaves))
    Known = unravel::ptx::pureText(B, IsAnd ? "and.pred" : "or.pred",
                                   B.getInt1Ty(), {Next, Known});
  return Known;
}

void unravel::ptx::orderTestChains(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : instructions(F))
    for (bool IsAnd : {true, false})
      if (isChain(I, IsAnd))
        if (Value *Ordered = inOrder(I, IsAnd)) {
          I.replaceAllUsesWith(Ordered);
          Dead.push_back(&I);
        }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
