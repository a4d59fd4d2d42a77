//===- NarrowCounters.cpp - 32-bit loop counters --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A counter is a phi P = [Start, Next] with Next = P + Step and a Step that the
// loop does not change. Let p = [low(Start), p + low(Step)] be the narrow one.
// Wherever P is not poison, zext(p) = P: Start is in [0, 2^32), because P is
// wherever the header is executed; and if zext(p) = P in one iteration, then
// p + low(Step) = low(Next), which is all of Next. Where P is poison, so is
// what comes after it, and p may be anything.
//
// None of the values may be undef: what is known of one use of it says nothing
// of another.
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/NarrowCounters.h"
#include "analysis/algebra/IndexProver.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/DebugCounter.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

DEBUG_COUNTER(NarrowCounter, "index-simplify-counter",
              "Controls which loop counters index-simplify narrows");

namespace unravel {

static const Interval Low32{0, (int64_t(1) << 32) - 1};

namespace {
struct Counter {
  PHINode *Phi;
  BinaryOperator *Next;
  Value *Start, *Step;
  BasicBlock *Outside;
  /// The narrow sum does not wrap, read as unsigned or as signed.
  bool NoUnsignedWrap = false, NoSignedWrap = false;
};

/// Finds the counters that can be narrowed; changes nothing.
class CounterFinder {
public:
  CounterFinder(Function &F, const RecoveryLimits &Limits,
                FunctionAnalysisManager &AM)
      : LI(AM.getResult<LoopAnalysis>(F)), Facts(F, AM),
        Recovery(Facts, AM.getResult<DominatorTreeAnalysis>(F), LI, Limits) {}

  /// \p Phi as a counter, if it and the next value fit 32 bits.
  std::optional<Counter> find(PHINode &Phi);
  /// Whether \p V is in [0, 2^32) in \p BB.
  bool isLow(Value *V, const BasicBlock *BB) {
    return hasLowHalf(V) && isWithin(V, BB, Low32);
  }

private:
  /// Not undef, and there is a place behind its definition.
  bool hasLowHalf(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return Facts.isNeverUndef(V) && (!I || I->getInsertionPointAfterDef());
  }
  bool isWithin(Value *V, const BasicBlock *BB, const Interval &Range) {
    RecoveryScope &Scope = Recovery.scopeOf(BB);
    IndexExpr E = Recovery.recover(V, Scope).Unsigned;
    return Scope.Domain.isWithin(E, Range) ||
           provesEnds(Scope.Domain, E, Range);
  }

  LoopInfo &LI;
  RangeFacts Facts;
  IndexRecovery Recovery;
};
} // namespace

/// A phi of 64 bits in a loop header that grows by an invariant step, whatever
/// its values are.
static std::optional<Counter> matchCounter(PHINode &Phi, const LoopInfo &LI) {
  Loop *L = LI.getLoopFor(Phi.getParent());
  if (!Phi.getType()->isIntegerTy(64) || !L ||
      L->getHeader() != Phi.getParent() || Phi.getNumIncomingValues() != 2)
    return std::nullopt;
  BasicBlock *Outside = L->getLoopPredecessor(), *Latch = L->getLoopLatch();
  if (!Outside || !Latch)
    return std::nullopt;
  Value *Start = Phi.getIncomingValueForBlock(Outside), *Step;
  auto *Next = dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(Latch));
  if (!Next || !match(Next, m_c_Add(m_Specific(&Phi), m_Value(Step))) ||
      !L->contains(Next) || !L->isLoopInvariant(Step))
    return std::nullopt;
  // A grid-stride loop. (Uses of a constant are those of other functions, too.)
  if (isa<Constant>(Start) || isa<Constant>(Step))
    return std::nullopt;
  return Counter{&Phi, Next, Start, Step, Outside};
}

/// A counter that is only multiplied and added costs nothing in 64 bits: each
/// address grows by a constant from iteration to iteration. One that is divided
/// has low halves in use, or will have.
static bool isWantedNarrow(const Counter &C) {
  auto IsHalved = [](const User *U) {
    auto *I = cast<Instruction>(U);
    return I->isIntDivRem() || isa<TruncInst>(I);
  };
  return any_of(C.Phi->users(), IsHalved) || any_of(C.Next->users(), IsHalved);
}

std::optional<Counter> CounterFinder::find(PHINode &Phi) {
  std::optional<Counter> C = matchCounter(Phi, LI);
  const BasicBlock *Place = C ? C->Next->getParent() : nullptr;
  if (!C || !hasLowHalf(C->Start) || !hasLowHalf(C->Step) ||
      !isLow(&Phi, Phi.getParent()) || !isLow(C->Next, Place))
    return std::nullopt;
  // With a step in [0, 2^32) the sum is the number that Next is.
  C->NoUnsignedWrap = isWithin(C->Step, Place, Low32);
  C->NoSignedWrap =
      C->NoUnsignedWrap && isWithin(C->Next, Place, Interval(0, INT32_MAX));
  return C;
}

namespace {
/// Makes counters narrow.
class CounterNarrower {
public:
  explicit CounterNarrower(DominatorTree &DT) : DT(DT) {}
  void narrow(const Counter &C, ArrayRef<ICmpInst *> Comparisons);
  void deleteWideCounters() {
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Wide);
  }

private:
  Value *lowHalf(Value *V);
  void narrowComparison(ICmpInst &Cmp);

  DominatorTree &DT;
  /// One for each value: a loop and the guard in front of it have to compare
  /// the same.
  DenseMap<Value *, Value *> LowHalves;
  /// The counters that were. They stay until the end: others know them as their
  /// start or step, and no new value may take the place of a key of LowHalves.
  SmallVector<WeakTrackingVH, 8> Wide;
};
} // namespace

/// The low half of a value of 64 bits, made where the value is.
Value *CounterNarrower::lowHalf(Value *V) {
  Value *&Low = LowHalves[V];
  Value *Narrow;
  if (!Low && match(V, m_ZExtOrSExt(m_Value(Narrow))) &&
      Narrow->getType()->isIntegerTy(32))
    Low = Narrow;
  if (!Low) {
    auto *I = dyn_cast<Instruction>(V);
    BasicBlock::iterator Place =
        I ? *I->getInsertionPointAfterDef()
          : DT.getRoot()->getFirstNonPHIOrDbgOrAlloca();
    IRBuilder<> B(Place->getParent(), Place);
    Low = B.CreateTrunc(V, B.getInt32Ty(), "idx.lo");
  }
  return Low;
}

/// Both sides are in [0, 2^32): the order of the low halves is the same, read
/// as unsigned.
void CounterNarrower::narrowComparison(ICmpInst &Cmp) {
  CmpInst::Predicate Pred =
      Cmp.isSigned() ? ICmpInst::getUnsignedPredicate(Cmp.getPredicate())
                     : Cmp.getPredicate();
  Value *Left = lowHalf(Cmp.getOperand(0)), *Right = lowHalf(Cmp.getOperand(1));
  Value *New = IRBuilder<>(&Cmp).CreateICmp(Pred, Left, Right);
  New->takeName(&Cmp);
  Cmp.replaceAllUsesWith(New);
  Cmp.eraseFromParent();
}

void CounterNarrower::narrow(const Counter &C,
                             ArrayRef<ICmpInst *> Comparisons) {
  IRBuilder<> B(C.Phi);
  Value *Start = lowHalf(C.Start), *Step = lowHalf(C.Step);
  PHINode *Phi = B.CreatePHI(B.getInt32Ty(), 2);
  B.SetInsertPoint(C.Next);
  Value *Next = B.CreateAdd(Phi, Step, "", C.NoUnsignedWrap, C.NoSignedWrap);
  for (BasicBlock *From : C.Phi->blocks())
    Phi->addIncoming(From == C.Outside ? Start : Next, From);
  LowHalves[C.Phi] = Phi;
  LowHalves[C.Next] = Next;
  for (ICmpInst *Cmp : Comparisons)
    narrowComparison(*Cmp);
  Value *WideNext = B.CreateZExt(Next, C.Next->getType());
  BasicBlock *Header = C.Phi->getParent();
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  Value *WidePhi = B.CreateZExt(Phi, C.Phi->getType());
  Phi->takeName(C.Phi);
  Next->takeName(C.Next);
  C.Phi->replaceAllUsesWith(WidePhi);
  C.Next->replaceAllUsesWith(WideNext);
  Wide.append({C.Phi, C.Next});
}

bool narrowCounters(Function &F, const RecoveryLimits &Limits,
                    FunctionAnalysisManager &AM, const BasicBlock *Region) {
  auto &LI = AM.getResult<LoopAnalysis>(F);
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<PHINode *, 4> Phis;
  auto IsInRegion = [&](const BasicBlock *BB) {
    return DT.isReachableFromEntry(BB) && (!Region || DT.dominates(Region, BB));
  };
  for (Loop *L : LI.getLoopsInPreorder())
    if (IsInRegion(L->getHeader()))
      for (PHINode &Phi : L->getHeader()->phis())
        if (std::optional<Counter> C = matchCounter(Phi, LI);
            C && isWantedNarrow(*C))
          Phis.push_back(&Phi);
  if (Phis.empty())
    return false;
  // Everything is found before anything changes: the facts are those of the
  // function as it is.
  SmallVector<std::pair<Counter, SmallVector<ICmpInst *, 2>>, 4> Found;
  SmallPtrSet<ICmpInst *, 4> Taken;
  {
    CounterFinder Finder(F, Limits, AM);
    for (PHINode *Phi : Phis)
      if (std::optional<Counter> C = Finder.find(*Phi);
          C && DebugCounter::shouldExecute(NarrowCounter)) {
        SmallVector<ICmpInst *, 2> Comparisons;
        for (Value *Wide :
             {cast<Value>(C->Phi), cast<Value>(C->Next), C->Start})
          for (User *U : Wide->users())
            if (auto *Cmp = dyn_cast<ICmpInst>(U);
                Cmp && IsInRegion(Cmp->getParent()) &&
                all_of(Cmp->operands(),
                       [&](Value *V) {
                         return Finder.isLow(V, Cmp->getParent());
                       }) &&
                Taken.insert(Cmp).second)
              Comparisons.push_back(Cmp);
        Found.push_back({*C, std::move(Comparisons)});
      }
  }
  CounterNarrower Narrower(DT);
  for (auto &[C, Comparisons] : Found)
    Narrower.narrow(C, Comparisons);
  Narrower.deleteWideCounters();
  return !Found.empty();
}

} // namespace unravel
