//===- ValueLoops.cpp - Joins and loops as integers -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/ValueEncoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Joins and loops
//===----------------------------------------------------------------------===//

const BasicBlock *ValueEncoder::entryOf(const BasicBlock *BB) {
  auto [It, IsNew] = Entries.try_emplace(BB, nullptr);
  if (!IsNew)
    return It->second;
  SmallVector<const BasicBlock *, 4> Edges;
  for (const BasicBlock *Pred : predecessors(BB))
    if (View.DT.isReachableFromEntry(Pred) && !is_contained(Edges, Pred))
      Edges.push_back(Pred);
  if (Edges.empty())
    return nullptr;
  const BasicBlock *Pred = Edges[C.choose(Edges.size())];
  if (C.isDoubtful()) {
    Entries.erase(BB);
    return Pred;
  }
  Entries[BB] = Pred;
  // What is known on this way holds now.
  std::vector<Fact> Facts;
  auto *Branch = dyn_cast<BranchInst>(Pred->getTerminator());
  if (Branch && Branch->isConditional() &&
      Branch->getSuccessor(0) != Branch->getSuccessor(1))
    Facts.push_back({Branch->getCondition(), Branch->getSuccessor(0) == BB});
  const DomTreeNode *Above = View.DT.getNode(BB)->getIDom();
  collectFacts(Pred, Above ? Above->getBlock() : nullptr, Facts);
  for (const Fact &Known : Facts)
    withoutSplits([&] { learn(Known); });
  return Pred;
}

Word ValueEncoder::computePhi(const PHINode &Phi, Trust T) {
  const BasicBlock *BB = Phi.getParent();
  bool IsCut = View.Cuts.contains(&Phi);
  if (View.LI.isLoopHeader(BB)) {
    Word W = IsCut ? leaf(&Phi, T) : computeRecurrence(Phi, T);
    if (HasLearned && (T == Trust::Believed || isNeverPoison(&Phi)))
      learnRepetition(Phi, W);
    return W;
  }
  const BasicBlock *Pred = IsCut ? nullptr : entryOf(BB);
  if (!Pred)
    return leaf(&Phi, T); // cut, or of code that is never executed
  return valueOf(Phi.getIncomingValueForBlock(Pred), T);
}

/// A loop is repeated only where a condition holds for the next value of a phi.
/// If it holds for the first one as well, it holds for all of them, whether
/// something wraps on the way or not.
void ValueEncoder::learnRepetition(const PHINode &Phi, const Word &W) {
  const Loop *L = View.LI.getLoopFor(Phi.getParent());
  const BasicBlock *Latch = L->getLoopLatch(),
                   *Preheader = L->getLoopPredecessor();
  auto *Branch = Latch ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  if (!Preheader || !Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return;
  auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  const Value *Next = Phi.getIncomingValueForBlock(Latch);
  if (!Compare || Compare->getOperand(0) == Compare->getOperand(1) ||
      !is_contained(Compare->operands(), Next))
    return;
  bool IsLeft = Compare->getOperand(0) == Next;
  const Value *Limit = Compare->getOperand(IsLeft ? 1 : 0);
  if (!L->isLoopInvariant(Limit) || !Limit->getType()->isIntegerTy() ||
      W.Width > 64)
    return;
  CmpInst::Predicate P =
      IsLeft ? Compare->getPredicate() : Compare->getSwappedPredicate();
  if (Branch->getSuccessor(0) != L->getHeader())
    P = CmpInst::getInversePredicate(P);
  withoutSplits([&] {
    // In the first iteration nothing has been compared: the limit may be
    // poison.
    std::optional<Word> Most = valueUnlessPoison(Limit);
    std::optional<Word> First =
        valueUnlessPoison(Phi.getIncomingValueForBlock(Preheader));
    if (Most && First && Words.follows(P, *First, *Most))
      Words.assume(P, W, *Most);
  });
}

/// The number of the iteration: 0 in the first one, and never above the number
/// of times that the loop is repeated.
Polynomial ValueEncoder::iterationOf(const Loop *L) {
  auto It = Iterations.find(L);
  if (It != Iterations.end())
    return It->second;
  Polynomial N = Polynomial::variable(
      C.Proofs.addVariable(DynamicAPInt(0), WordEncoder::highest(64, false)));
  Iterations[L] = N;
  const SCEV *Repeated = View.SE.getBackedgeTakenCount(L);
  if (!isa<SCEVCouldNotCompute>(Repeated)) {
    Repeated = View.SE.applyLoopGuards(Repeated, L);
    withoutSplits([&] {
      if (std::optional<Word> Most = invariantValue(Repeated))
        C.learn(Words.unsignedOf(*Most) - N);
    });
  }
  const SCEV *Bound = View.SE.getConstantMaxBackedgeTakenCount(L);
  if (auto *Constant = dyn_cast<SCEVConstant>(Bound))
    C.learn(Polynomial(DynamicAPInt(Constant->getAPInt().zext(
                Constant->getAPInt().getBitWidth() + 1))) -
            N);
  return N;
}

/// What LLVM computes from values that do not change in a loop. Flags of its
/// forms are not believed. None where it would take facts to be no poison.
std::optional<Word> ValueEncoder::invariantValue(const SCEV *S) {
  if (!S->getType()->isIntegerTy() || S->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  unsigned Width = S->getType()->getIntegerBitWidth();
  if (auto *Constant = dyn_cast<SCEVConstant>(S))
    return Words.constant(Constant->getAPInt());
  if (auto *Unknown = dyn_cast<SCEVUnknown>(S)) {
    const Value *V = Unknown->getValue();
    if (!Values.count(V) && !isNeverPoison(V))
      return std::nullopt;
    return valueOf(V, Trust::Believed);
  }
  std::vector<Word> Operands;
  for (const SCEV *Operand : S->operands()) {
    std::optional<Word> W =
        isa<SCEVAddRecExpr>(S) ? std::nullopt : invariantValue(Operand);
    if (!W)
      return std::nullopt;
    Operands.push_back(*W);
  }
  if (Operands.empty())
    return std::nullopt;
  Word Result = Operands[0];
  for (const Word &Other : drop_begin(Operands)) {
    switch (S->getSCEVType()) {
    case scAddExpr:
      Result = Words.binary(Instruction::Add, Result, Other, {}, Trust::Proved);
      break;
    case scMulExpr:
      if (Result.Bits.degree() + Other.Bits.degree() > 3)
        return std::nullopt;
      Result = Words.binary(Instruction::Mul, Result, Other, {}, Trust::Proved);
      break;
    case scUDivExpr:
      if (!C.Proofs.proves(Words.unsignedOf(Other) - 1, 0))
        return std::nullopt;
      Result =
          Words.binary(Instruction::UDiv, Result, Other, {}, Trust::Proved);
      break;
    case scUMaxExpr:
    case scSMaxExpr:
      // Numbers that only a bound of a loop speaks of are of little use.
      if (!Words.isOrdered(Result, Other, S->getSCEVType() == scSMaxExpr))
        return std::nullopt;
      Result = Words.greater(Result, Other, S->getSCEVType() == scSMaxExpr);
      break;
    case scUMinExpr:
    case scSMinExpr:
      if (!Words.isOrdered(Result, Other, S->getSCEVType() == scSMinExpr))
        return std::nullopt;
      Result = Words.lesser(Result, Other, S->getSCEVType() == scSMinExpr);
      break;
    default:
      return std::nullopt;
    }
  }
  switch (S->getSCEVType()) {
  case scZeroExtend:
    return Words.zeroExtended(Result, Width);
  case scSignExtend:
    return Words.signExtended(Result, Width);
  case scTruncate:
    return Words.truncated(Result, Width, {}, Trust::Proved);
  case scAddExpr:
  case scMulExpr:
  case scUDivExpr:
  case scUMaxExpr:
  case scSMaxExpr:
  case scUMinExpr:
  case scSMinExpr:
    return Result;
  default:
    return std::nullopt;
  }
}

/// start + iteration * step, modulo 2^w. All counters of a loop speak of one
/// iteration.
Word ValueEncoder::computeRecurrence(const PHINode &Phi, Trust T) {
  const Loop *L = View.LI.getLoopFor(Phi.getParent());
  const BasicBlock *Preheader = L->getLoopPredecessor();
  const SCEV *S = View.SE.isSCEVable(Phi.getType())
                      ? View.SE.getSCEV(const_cast<PHINode *>(&Phi))
                      : nullptr;
  auto *Rec = dyn_cast_or_null<SCEVAddRecExpr>(S);
  if (!Rec || !Rec->isAffine() || Rec->getLoop() != L || !Preheader ||
      !Phi.getType()->isIntegerTy())
    return leaf(&Phi, T);
  if (T == Trust::Proved && !isNeverPoison(&Phi))
    C.giveUp("a value of the new code that may be poison");
  std::optional<Word> Step = invariantValue(Rec->getOperand(1));
  if (!Step)
    return leaf(&Phi, T);
  // Poison that enters the loop stays.
  Word Start = valueOf(Phi.getIncomingValueForBlock(Preheader), T);
  Polynomial N = iterationOf(L);
  Word W;
  W.Width = Start.Width;
  W.Bits = Start.Bits + Step->Bits * N;
  if (Rec->hasNoSignedWrap()) {
    W.Signed = Words.signedOf(Start) + Words.signedOf(*Step) * N;
    W.Bits = *W.Signed;
    Words.requireRange(W.Bits, W.Width, /*IsSigned=*/true, Trust::Believed);
  }
  if (Rec->hasNoUnsignedWrap()) {
    W.Unsigned = Words.unsignedOf(Start) + Words.unsignedOf(*Step) * N;
    if (!W.Signed)
      W.Bits = *W.Unsigned;
    Words.requireRange(*W.Unsigned, W.Width, /*IsSigned=*/false,
                       Trust::Believed);
  }
  // What LLVM knows of the range.
  ConstantRange Range = View.SE.getSignedRange(S);
  if (!Range.isFullSet() && !Range.isEmptySet() && W.Signed) {
    C.learn(*W.Signed - Polynomial(DynamicAPInt(Range.getSignedMin())));
    C.learn(Polynomial(DynamicAPInt(Range.getSignedMax())) - *W.Signed);
  }
  return W;
}

} // namespace unravel
