//===- RangeFacts.cpp - What the IR says about a value's range ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/RangeFacts.h"
#include "analysis/facts/SpecialRegisters.h"
#include "analysis/facts/UniformValues.h"
#include "analysis/llvm/LLVMChanges.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

static Interval toInterval(const ConstantRange &CR, Reading R) {
  if (CR.isEmptySet() || CR.isFullSet())
    return wordRange(CR.getBitWidth(), R);
  if (R == Reading::Signed)
    return {CR.getSignedMin().getSExtValue(), CR.getSignedMax().getSExtValue()};
  APInt Lo = CR.getUnsignedMin(), Hi = CR.getUnsignedMax();
  return {
      Lo.isSignBitSet() && Lo.getBitWidth() == 64 ? Interval::PlusInfinity - 1
                                                  : int64_t(Lo.getZExtValue()),
      Hi.isSignBitSet() && Hi.getBitWidth() == 64 ? Interval::PlusInfinity
                                                  : int64_t(Hi.getZExtValue())};
}

//===----------------------------------------------------------------------===//
// Ranges of values
//===----------------------------------------------------------------------===//

/// LLVM 22's LazyValueInfo reads `(x ashr k) > C` as a range of x with
/// `((C + 1) << k) - 1`, which may wrap; the live arm of a select then has no
/// value at all. True if no comparison of F can meet that.
static bool isSafeForLVI(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Cmp = dyn_cast<ICmpInst>(&I);
    const APInt *Amount, *C;
    if (!Cmp || !match(Cmp->getOperand(0), m_AShr(m_Value(), m_APInt(Amount))))
      continue;
    if (!match(Cmp->getOperand(1), m_APInt(C)) || Amount->uge(C->getBitWidth()))
      return false;
    unsigned Room = C->getBitWidth() - Amount->getZExtValue();
    // C and its neighbours have to survive the shift.
    if (C->getSignificantBits() + 1 > Room)
      return false;
  }
  return true;
}

RangeFacts::RangeFacts(Function &F, FunctionAnalysisManager &AM)
    : F(F), AC(AM.getResult<AssumptionAnalysis>(F)),
      DT(AM.getResult<DominatorTreeAnalysis>(F)),
      LVI(AM.getResult<LazyValueAnalysis>(F)), TrustsLVI(isSafeForLVI(F)),
      SE(AM.getResult<ScalarEvolutionAnalysis>(F)) {
  collectConditions();
}

Interval RangeFacts::rangeOf(Value *V, Reading R) const {
  Interval Range = wordRange(V->getType()->getIntegerBitWidth(), R);
  auto Meet = [&Range](const Interval &Other) {
    Interval Both = Range.intersect(Other);
    if (!Both.isEmpty()) // contradictions mean dead code: any range is right
      Range = Both;
  };
  bool Signed = R == Reading::Signed;
  Meet(toInterval(constantRangeOf(V, Signed, F.getDataLayout()), R));
  if (std::optional<Interval> Launch = launchRange(V))
    Meet(*Launch);
  KnownBits Known = computeKnownBits(V, F.getDataLayout());
  if (!Known.hasConflict())
    Meet(toInterval(ConstantRange::fromKnownBits(Known, Signed), R));
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return Range;
  // Values that join control flow: ask the analyses that look along it. For
  // anything else they would only repeat what is known of its operands.
  if (TrustsLVI && (isa<PHINode>(I) || isa<SelectInst>(I)))
    Meet(toInterval(LVI.getConstantRange(I, I,
                                         /*UndefAllowed=*/false),
                    R));
  if (isa<PHINode>(I) && SE.isSCEVable(I->getType())) {
    const SCEV *S = SE.getSCEV(I);
    Meet(toInterval(Signed ? SE.getSignedRange(S) : SE.getUnsignedRange(S), R));
  }
  return Range;
}

Congruence RangeFacts::latticeOf(Value *V) const {
  KnownBits Known = computeKnownBits(V, F.getDataLayout());
  unsigned Low = std::min((Known.Zero | Known.One).countr_one(), 62u);
  Congruence Lattice;
  if (!Known.hasConflict() && Low > 0)
    Lattice = Congruence::of(int64_t(1) << Low,
                             int64_t(Known.One.extractBitsAsZExtValue(
                                 std::min(Low, Known.getBitWidth()), 0)));
  Lattice = Lattice.intersect(launchLattice(V)).value_or(Lattice);
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || !SE.isSCEVable(Phi->getType()))
    return Lattice;
  // start + k*step, where the recurrence does not wrap under either reading.
  auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Phi));
  if (!Rec || !Rec->isAffine() || !SE.getSignedRangeMin(Rec).isNonNegative() ||
      !(Rec->hasNoSignedWrap() || Rec->hasNoUnsignedWrap()))
    return Lattice;
  auto *Start = dyn_cast<SCEVConstant>(Rec->getStart());
  auto *Step = dyn_cast<SCEVConstant>(Rec->getOperand(1));
  if (!Start || !Step || Step->getAPInt().getSignificantBits() > 32 ||
      Start->getAPInt().getSignificantBits() > 63 || Step->isZero())
    return Lattice;
  int64_t Stride = std::abs(Step->getAPInt().getSExtValue());
  return Lattice
      .intersect(Congruence::of(Stride, Start->getAPInt().getSExtValue()))
      .value_or(Lattice);
}

bool RangeFacts::isNeverPoison(const Value *V) const {
  return isGuaranteedNotToBePoison(V);
}

/// Whether \p V reads a kernel's copy of a structure, which came from outside
/// of the module and is not written to: it has the same bits each time.
static bool isReadOfParameter(const Value *V) {
  auto *Load = dyn_cast<LoadInst>(V);
  std::optional<UniformLoad> Uniform = Load ? uniformLoad(*Load) : std::nullopt;
  auto *Parameter = Uniform ? dyn_cast<Argument>(Uniform->Base) : nullptr;
  return Parameter &&
         Parameter->getParent()->getCallingConv() == CallingConv::PTX_Kernel;
}

/// LLVM's own query gives up on recurrences. Undef is only made by memory,
/// calls and arguments; a cycle of phis and arithmetic hands on what enters it.
static bool nothingMakesUndef(const Value *V) {
  static constexpr unsigned MaxVisited = 64;
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 16> Seen{V};
  while (!Work.empty()) {
    const Value *Top = Work.pop_back_val();
    if (isGuaranteedNotToBeUndef(Top) || isReadOfParameter(Top))
      continue;
    auto *I = dyn_cast<Instruction>(Top);
    bool HandsOn = I && (isa<PHINode>(I) || isa<BinaryOperator>(I) ||
                         isa<CastInst>(I) || isa<CmpInst>(I) ||
                         isa<SelectInst>(I) || isa<GetElementPtrInst>(I));
    if (!HandsOn || Seen.size() > MaxVisited)
      return false;
    for (const Value *Operand : I->operands())
      if (Seen.insert(Operand).second)
        Work.push_back(Operand);
  }
  return true;
}

bool RangeFacts::isNeverUndef(const Value *V) const {
  auto [It, IsNew] = NeverUndef.try_emplace(V, false);
  if (IsNew)
    It->second = nothingMakesUndef(V);
  return It->second;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

ArrayRef<KnownCondition> RangeFacts::conditionsAt(const BasicBlock *BB) const {
  auto It = Conditions.find(BB);
  if (It == Conditions.end())
    return {};
  return It->second;
}

std::optional<KnownCase> RangeFacts::caseAt(const BasicBlock *BB) const {
  const BasicBlock *Pred = BB->getSinglePredecessor();
  auto *Switch = Pred ? dyn_cast<SwitchInst>(Pred->getTerminator()) : nullptr;
  if (!Switch)
    return std::nullopt;
  // The only edge into the block, and not the default one.
  const ConstantInt *Case = const_cast<SwitchInst *>(Switch)->findCaseDest(
      const_cast<BasicBlock *>(BB));
  if (!Case)
    return std::nullopt;
  return KnownCase{Switch->getCondition(), Case};
}

ArrayRef<KnownRelation> RangeFacts::invariantsAt(const BasicBlock *BB) const {
  auto It = Invariants.find(BB);
  if (It == Invariants.end())
    return {};
  return It->second;
}

/// Whether a branch that dominates \p BB, or an assumption, says that \p R
/// holds there.
bool RangeFacts::isGuarded(const BasicBlock *BB, const KnownRelation &R) const {
  // Rotated loops have their guard right in front of them, or a few blocks up.
  static constexpr unsigned MaxBlocks = 16;
  auto IsRelation = [&](const KnownCondition &Known) {
    auto *Cmp = dyn_cast<ICmpInst>(Known.Condition);
    if (!Cmp)
      return false;
    CmpInst::Predicate P =
        Known.Holds ? Cmp->getPredicate() : Cmp->getInversePredicate();
    return (P == R.Predicate && Cmp->getOperand(0) == R.A &&
            Cmp->getOperand(1) == R.B) ||
           (CmpInst::getSwappedPredicate(P) == R.Predicate &&
            Cmp->getOperand(1) == R.A && Cmp->getOperand(0) == R.B);
  };
  const DomTreeNode *Node = DT.getNode(BB);
  for (unsigned I = 0; Node && I < MaxBlocks; ++I, Node = Node->getIDom())
    if (any_of(conditionsAt(Node->getBlock()), IsRelation))
      return true;
  return false;
}

/// A rotated loop `if (i0 < n) do { ... i += s; } while (i < n)` compares what
/// the phi becomes on both edges; its phi itself is compared nowhere.
void RangeFacts::collectInvariants(BasicBlock &Header) {
  BasicBlock *Entry = nullptr, *Latch = nullptr;
  for (BasicBlock *Pred : predecessors(&Header)) {
    BasicBlock *&Which = DT.dominates(&Header, Pred) ? Latch : Entry;
    if (Which || !DT.isReachableFromEntry(Pred))
      return;
    Which = Pred;
  }
  auto *Branch =
      Latch && Entry ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return;
  auto *Cmp = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Cmp)
    return;
  CmpInst::Predicate Predicate = Branch->getSuccessor(0) == &Header
                                     ? Cmp->getPredicate()
                                     : Cmp->getInversePredicate();
  for (PHINode &Phi : Header.phis()) {
    KnownRelation OnLatch{Cmp->getOperand(0), Cmp->getOperand(1), Predicate};
    const Value *Next = Phi.getIncomingValueForBlock(Latch);
    if (OnLatch.B == Next) {
      std::swap(OnLatch.A, OnLatch.B);
      OnLatch.Predicate = CmpInst::getSwappedPredicate(Predicate);
    }
    // The bound has to be the same in every iteration.
    auto *Bound = dyn_cast<Instruction>(OnLatch.B);
    if (OnLatch.A != Next || OnLatch.B == Next ||
        (Bound && !DT.properlyDominates(Bound->getParent(), &Header)))
      continue;
    KnownRelation OnEntry{Phi.getIncomingValueForBlock(Entry), OnLatch.B,
                          OnLatch.Predicate};
    if (isGuarded(&Header, OnEntry))
      Invariants[&Header].push_back({&Phi, OnLatch.B, OnLatch.Predicate});
  }
}

ArrayRef<KnownRecurrence>
RangeFacts::recurrencesAt(const BasicBlock *BB) const {
  auto It = Recurrences.find(BB);
  if (It == Recurrences.end())
    return {};
  return It->second;
}

/// Scalar evolution bounds recurrences by what it knows of their starts, which
/// leaves out guards around the loop and relations between indices.
void RangeFacts::collectRecurrences(BasicBlock &Header) {
  SmallVector<KnownRecurrence, 2> Found;
  for (PHINode &Phi : Header.phis()) {
    if (!Phi.getType()->isIntegerTy() || !SE.isSCEVable(Phi.getType()) ||
        Phi.getType()->getIntegerBitWidth() > 64)
      continue;
    auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (!Rec || !Rec->isAffine() || Rec->getLoop()->getHeader() != &Header)
      continue;
    // A step of 32 bits, and as many times: their product is no surprise.
    auto *Step = dyn_cast<SCEVConstant>(Rec->getOperand(1));
    const BasicBlock *Entry = Rec->getLoop()->getLoopPredecessor();
    if (!Step || !Entry || Step->getAPInt().getSignificantBits() > 32)
      continue;
    auto *Trips = dyn_cast<SCEVConstant>(
        SE.getConstantMaxBackedgeTakenCount(Rec->getLoop()));
    bool IsBounded = Trips && Trips->getAPInt().getActiveBits() <= 31;
    Found.push_back({&Phi, Phi.getIncomingValueForBlock(Entry),
                     Step->getAPInt().getSExtValue(),
                     IsBounded ? int64_t(Trips->getAPInt().getZExtValue())
                               : Interval::PlusInfinity});
  }
  if (any_of(Found,
             [](const KnownRecurrence &R) { return !isa<Constant>(R.Start); }))
    Recurrences[&Header] = std::move(Found);
}

/// The predecessor that every first entry of \p BB comes from: the others, if
/// any, are back edges. What the edge says of values in front of a loop stays
/// true in all of it.
static const BasicBlock *entryPredecessor(const BasicBlock *BB,
                                          const DominatorTree &DT) {
  const BasicBlock *Entry = nullptr;
  for (const BasicBlock *Pred : predecessors(BB)) {
    if (DT.dominates(BB, Pred))
      continue;
    if (Entry)
      return nullptr; // two, or the same one over two edges
    Entry = Pred;
  }
  return Entry;
}

/// The first instruction behind which execution may not come; null if there is
/// none.
static const Instruction *firstStop(const BasicBlock &BB) {
  auto It = find_if_not(BB, [](const Instruction &I) {
    return isGuaranteedToTransferExecutionToSuccessor(&I);
  });
  return It == BB.end() ? nullptr : &*It;
}

void RangeFacts::collectConditions() {
  for (BasicBlock &BB : F) {
    if (!DT.isReachableFromEntry(&BB))
      continue;
    // The block is entered over one edge only: the branch went this way. Since
    // branching on undef is UB, the fact holds for every use of the operands.
    const BasicBlock *Pred = entryPredecessor(&BB, DT);
    auto *Branch = Pred ? dyn_cast<BranchInst>(Pred->getTerminator()) : nullptr;
    if (Branch && Branch->isConditional() &&
        Branch->getSuccessor(0) != Branch->getSuccessor(1))
      Conditions[&BB].push_back(
          {Branch->getCondition(), Branch->getSuccessor(0) == &BB});
  }
  DenseMap<const BasicBlock *, const Instruction *> Stops;
  for (auto &Handle : AC.assumptions()) {
    auto *Assume = cast_or_null<AssumeInst>(Handle);
    if (!Assume || !DT.isReachableFromEntry(Assume->getParent()))
      continue;
    // Whoever enters the block reaches the assumption: it holds in all of it.
    BasicBlock *BB = Assume->getParent();
    KnownCondition Fact{Assume->getArgOperand(0), true};
    auto [Stop, IsNew] = Stops.try_emplace(BB, nullptr);
    if (IsNew)
      Stop->second = firstStop(*BB);
    if (!Stop->second || Assume->comesBefore(Stop->second)) {
      Conditions[BB].push_back(Fact);
      continue;
    }
    // Otherwise only in the blocks behind it. (Of many assumptions that so
    // many blocks are behind, the first ones.)
    static constexpr size_t MaxInherited = 64;
    for (DomTreeNode *Child : *DT.getNode(BB))
      if (auto &Known = Conditions[Child->getBlock()];
          Known.size() < MaxInherited)
        Known.push_back(Fact);
  }
  for (BasicBlock &BB : F)
    if (isa<PHINode>(BB.begin()) && DT.isReachableFromEntry(&BB)) {
      collectInvariants(BB);
      collectRecurrences(BB);
    }
}

} // namespace unravel
