//===- MergeCounters.cpp - Counters apart by a constant are one -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/MergeCounters.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Counters of one Step and Rest differ by their constants.
struct Counter {
  PHINode *Phi;
  const SCEV *Step;
  const SCEV *Rest; ///< what it starts at, less Constant
  APInt Constant;
};

} // namespace

/// x | 3 is x + 3 where x has none of these bits; scalar evolution relies on
/// LLVM's marks for that, which are not there so early.
static const SCEV *startOf(Value *V, ScalarEvolution &SE) {
  Value *X;
  const APInt *Bits;
  if (match(V, m_Or(m_Value(X), m_APInt(Bits))) &&
      MaskedValueIsZero(X, *Bits, SE.getDataLayout()))
    return SE.getAddExpr(SE.getSCEV(X), SE.getConstant(*Bits));
  return SE.getSCEV(V);
}

static std::optional<Counter> counterOf(PHINode &Phi, const Loop &L,
                                        ScalarEvolution &SE) {
  BasicBlock *Before = L.getLoopPredecessor();
  if (!Before || !Phi.getType()->isIntegerTy())
    return std::nullopt;
  auto *Values = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
  if (!Values || Values->getLoop() != &L || !Values->isAffine())
    return std::nullopt;
  const SCEV *Start = startOf(Phi.getIncomingValueForBlock(Before), SE);
  auto *Sum = dyn_cast<SCEVAddExpr>(Start);
  auto *Constant = dyn_cast<SCEVConstant>(Sum ? Sum->getOperand(0) : Start);
  return Counter{&Phi, Values->getStepRecurrence(SE),
                 Constant ? SE.getMinusSCEV(Start, Constant) : Start,
                 Constant ? Constant->getAPInt()
                          : APInt(Phi.getType()->getIntegerBitWidth(), 0)};
}

/// Whether the sum in each iteration is for nothing but the next one: an exit
/// test, say, would need it all the same.
static bool isCountedForItself(const Counter &C, const BasicBlock *Latch) {
  Value *Next = C.Phi->getIncomingValueForBlock(Latch);
  return isa<Instruction>(Next) && Next->hasOneUse();
}

static bool mergeCountersOf(const Loop &L, ScalarEvolution &SE) {
  BasicBlock *Latch = L.getLoopLatch(), *Header = L.getHeader();
  if (!Latch)
    return false;
  bool Changed = false;
  DenseMap<std::pair<const SCEV *, const SCEV *>, Counter> Counters;
  for (PHINode &Phi : make_early_inc_range(Header->phis())) {
    std::optional<Counter> C = counterOf(Phi, L, SE);
    if (!C)
      continue;
    auto [Base, IsFirst] = Counters.try_emplace({C->Step, C->Rest}, *C);
    if (IsFirst || !isCountedForItself(*C, Latch))
      continue;
    IRBuilder<> B(Header, Header->getFirstInsertionPt());
    SE.forgetValue(&Phi);
    Phi.replaceAllUsesWith(B.CreateAdd(
        Base->second.Phi, B.getInt(C->Constant - Base->second.Constant)));
    RecursivelyDeleteDeadPHINode(&Phi);
    Changed = true;
  }
  return Changed;
}

bool unravel::ptx::mergeCounters(Function &F, FunctionAnalysisManager &AM) {
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  for (const Loop *L : AM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    Changed |= mergeCountersOf(*L, SE);
  return Changed;
}
