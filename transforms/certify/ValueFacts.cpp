//===- ValueFacts.cpp - What is known where a value is used ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/ValueEncoder.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// The conditions that hold in \p From because of the way to it, nearest first,
/// up to but not including those of \p End.
void ValueEncoder::collectFacts(const BasicBlock *From, const BasicBlock *End,
                                std::vector<Fact> &Facts) const {
  static constexpr size_t MaxFacts = 48;
  const DomTreeNode *Node = View.DT.getNode(From);
  for (; Node && Node->getBlock() != End && Facts.size() < MaxFacts;
       Node = Node->getIDom()) {
    const BasicBlock *BB = Node->getBlock();
    // The only edge into the block, or into the loop that begins here: its
    // condition was computed in front of the loop.
    const BasicBlock *Entry = nullptr;
    unsigned Edges = 0;
    for (const BasicBlock *Pred : predecessors(BB)) {
      if (View.DT.dominates(BB, Pred))
        continue;
      Entry = Pred;
      ++Edges;
    }
    if (Edges != 1)
      continue;
    auto *Branch = dyn_cast<BranchInst>(Entry->getTerminator());
    if (Branch && Branch->isConditional() &&
        Branch->getSuccessor(0) != Branch->getSuccessor(1))
      Facts.push_back({Branch->getCondition(), Branch->getSuccessor(0) == BB});
  }
}

void ValueEncoder::learn() {
  std::vector<Fact> Facts;
  collectFacts(At->getParent(), nullptr, Facts);
  for (auto &Handle : View.AC.assumptions())
    if (auto *Assume = cast_or_null<AssumeInst>(Handle))
      if (isValidAssumeForContext(Assume, At, &View.DT) || isReached(*Assume))
        Facts.push_back({Assume->getArgOperand(0), true});
  for (const Fact &Known : Facts)
    withoutSplits([&] { learn(Known); });
  // Switches: the only case that leads here.
  for (const DomTreeNode *Node = View.DT.getNode(At->getParent()); Node;
       Node = Node->getIDom()) {
    const BasicBlock *BB = Node->getBlock(), *Pred = BB->getSinglePredecessor();
    auto *Switch = Pred ? dyn_cast<SwitchInst>(Pred->getTerminator()) : nullptr;
    const ConstantInt *Number =
        Switch ? const_cast<SwitchInst *>(Switch)->findCaseDest(
                     const_cast<BasicBlock *>(BB))
               : nullptr;
    if (Number && Number->getBitWidth() <= 64)
      withoutSplits([&] {
        Words.assume(CmpInst::ICMP_EQ,
                     valueOf(Switch->getCondition(), Trust::Believed),
                     Words.constant(Number->getValue()));
      });
  }
  // The values of loops so far: the others follow when they are needed.
  for (size_t I = 0; I < Order.size() && !HasLearned; ++I)
    if (auto *Phi = dyn_cast<PHINode>(Order[I]);
        Phi && View.LI.isLoopHeader(Phi->getParent()))
      learnRepetition(*Phi, Word(Values[Phi]));
  HasLearned = true;
}

/// What \p Learn finds out counts only if no decision was missing; the values
/// that were made up are forgotten.
void ValueEncoder::withoutSplits(function_ref<void()> Learn) {
  if (C.isDoubtful())
    return;
  size_t Before = Order.size();
  bool May = C.setMaySplit(false);
  Learn();
  C.setMaySplit(May);
  if (C.isDoubtful())
    forgetFrom(Before);
  C.forgetLack();
  C.withdraw();
}

void ValueEncoder::forgetFrom(size_t Number) {
  for (; Order.size() > Number; Order.pop_back())
    Values.erase(Order.back());
}

std::pair<const WithOverflowInst *, unsigned> overflowOf(const Value *V) {
  auto *Extract = dyn_cast<ExtractValueInst>(V);
  if (!Extract)
    return {nullptr, 0};
  return {dyn_cast<WithOverflowInst>(Extract->getAggregateOperand()),
          Extract->getIndices()[0]};
}

/// A condition that was branched on, or assumed, is not poison.
void ValueEncoder::learn(const Fact &Known, unsigned Level) {
  const Value *V = Known.Condition;
  const Value *A, *B;
  using namespace PatternMatch;
  if (Level > 8 || isa<Constant>(V))
    return;
  if (match(V, m_Not(m_Value(A))))
    return learn({A, !Known.Holds}, Level + 1);
  if (Known.Holds ? match(V, m_LogicalAnd(m_Value(A), m_Value(B)))
                  : match(V, m_LogicalOr(m_Value(A), m_Value(B)))) {
    learn({A, Known.Holds}, Level + 1);
    learn({B, Known.Holds}, Level + 1);
    return;
  }
  if (auto *Freeze = dyn_cast<FreezeInst>(V)) {
    const Value *Operand = Freeze->getOperand(0);
    if (sourcesOfUndef(Operand).empty() && valueUnlessPoison(Operand))
      learn({Operand, Known.Holds}, Level + 1);
    return;
  }
  if (auto [Exact, Part] = overflowOf(V); Exact && Part == 1) {
    // An operation that does not overflow.
    unsigned Width = widthOf(Exact->getLHS());
    PoisonFlags Flags;
    Flags.NoSignedWrap = Exact->isSigned();
    Flags.NoUnsignedWrap = !Exact->isSigned();
    if (Known.Holds || Width == 0 || Width > 64)
      return;
    Word X = valueOf(Exact->getLHS(), Trust::Believed);
    Word Y = valueOf(Exact->getRHS(), Trust::Believed);
    Words.binary(Exact->getBinaryOp(), X, Y, Flags, Trust::Believed);
    return;
  }
  auto *Compare = dyn_cast<ICmpInst>(V);
  if (!Compare) {
    // Some value of one bit.
    if (!isa<Instruction>(V) || isa<PHINode, SelectInst, BinaryOperator>(V))
      return;
    Word W = valueOf(V, Trust::Believed);
    Words.assume(CmpInst::ICMP_EQ, W, Words.truth(Known.Holds));
    return;
  }
  unsigned Width = widthOf(Compare->getOperand(0));
  if (Width == 0 || Width > 64)
    return;
  Word X = valueOf(Compare->getOperand(0), Trust::Believed);
  Word Y = valueOf(Compare->getOperand(1), Trust::Believed);
  CmpInst::Predicate P =
      Known.Holds ? Compare->getPredicate() : Compare->getInversePredicate();
  Words.assume(P, X, Y);
  if (Compare->hasSameSign() && ICmpInst::isRelational(P))
    Words.assume(ICmpInst::getFlippedSignednessPredicate(P), X, Y);
}

LeafRanges ValueEncoder::rangesAt(const FunctionView &View,
                                  const Instruction *At) {
  Case Facts({}, View.Memo);
  LeafRanges None, Ranges;
  ValueEncoder Values(View, Facts, At, None);
  Values.learn();
  Values.learnDivisors();
  Values.Words.fixMultiples();
  for (const Value *V : Values.Leaves) {
    auto It = Values.Values.find(V);
    if (It == Values.Values.end() || V->getType()->isPointerTy())
      continue;
    const Word &W = It->second;
    bool IsSigned = W.Signed.has_value();
    const Polynomial &N = IsSigned ? *W.Signed : *W.Unsigned;
    if (N.terms().size() != 1 || N.terms()[0].second != 1)
      continue; // with low bits that are known
    Polynomial HighestSigned(WordEncoder::highest(W.Width, true));
    for (const Polynomial &P : {N, N - 1, HighestSigned - N})
      if (Facts.Proofs.proves(P, 4))
        Facts.Proofs.assume(P);
    IntegerRange Range = Facts.Proofs.rangeOf(N);
    if (Range.Low <= Range.High)
      Ranges[V] = {IsSigned && Range.Low < 0, Range};
  }
  return Ranges;
}

/// Whether whoever comes to the instruction has divided, or will divide: what
/// is undefined later on is undefined.
bool ValueEncoder::isDividedBy(const Instruction &Division) const {
  return &Division == At || View.DT.dominates(&Division, At) ||
         isReached(Division);
}

bool ValueEncoder::isReached(const Instruction &Later) const {
  return Later.getParent() == At->getParent() && At->comesBefore(&Later) &&
         isGuaranteedToTransferExecutionToSuccessor(
             At->getIterator(), Later.getIterator(), /*ScanLimit=*/64);
}

void ValueEncoder::learnDivisionsToCome(bool IsSigned) {
  for (const Instruction &I :
       make_range(At->getIterator(), At->getParent()->end()))
    if (I.isIntDivRem() && !I.getType()->isVectorTy() && isDividedBy(I)) {
      Word D = valueOf(I.getOperand(1), Trust::Believed);
      if (I.getOpcode() != Instruction::SDiv &&
          I.getOpcode() != Instruction::SRem)
        continue;
      // The least number is not divided by -1.
      Polynomial Zero = Words.signedOf(D) + 1;
      IntegerRange Range = C.Proofs.rangeOf(Zero);
      if (!IsSigned || Range.Low > 0 || Range.High < 0)
        continue;
      // A dividend may be poison: that is undefined only where D is -1.
      std::optional<Word> N = valueUnlessPoison(I.getOperand(0));
      if (!N)
        continue;
      Polynomial Least =
          Words.signedOf(*N) - Polynomial(WordEncoder::lowest(D.Width, true));
      if (C.Proofs.rangeOf(Least).Low > 0)
        continue;
      C.assume(Least * Least + Zero * Zero - 1);
    }
}

void ValueEncoder::learnDivisors() {
  for (size_t I = 0; I < Order.size(); ++I) {
    const Value *V = Order[I];
    for (const User *U : V->users()) {
      auto *Division = dyn_cast<Instruction>(U);
      if (!Division || !Division->isIntDivRem() ||
          Division->getOperand(1) != V || Division->getFunction() != &View.F ||
          !isDividedBy(*Division))
        continue;
      withoutSplits([&] {
        Words.learnNotZero(Values[V],
                           Division->getOpcode() == Instruction::SDiv ||
                               Division->getOpcode() == Instruction::SRem);
      });
      break;
    }
  }
}

} // namespace unravel
