//===- HoistedReciprocals.cpp - Divisions that share a reciprocal ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid-stride loop that takes its index apart,
//
//     loop:
//       %i = phi i32 [ %first, %entry ], [ %next, %loop ]
//       %q = udiv i32 %i, %d
//       %r = urem i32 %i, %d
//
// becomes
//
//     entry:
//       %m = <floor((2^32 - 1) / %d), by Reciprocal.cpp>
//       %n = sub i32 0, %d
//     loop:
//       %q0 = call i32 @llvm.nvvm.mulhi.ui(i32 %i, i32 %m)
//       %r0 = %q0 * %n + %i               ; the remainder, or %d more
//       %c = icmp uge i32 %r0, %d
//       %q = select i1 %c, %q0 + 1, %q0
//       %r = umin(%r0, %r0 - %d)
//
// What that is worth, in SASS instructions for sm_90 (bench/loop_divisions.py):
// ptxas computes an approximate reciprocal, in 8 instructions, at best in front
// of the loop, and leaves two corrections and a test for zero in each division.
// An exact reciprocal takes 11 to 13 and leaves one correction.
//
//                            quotient   remainder   both
//     as ptxas divides       9          8           11
//     unsigned, here         4          3           5
//     signed, ptxas          14         11          15
//     signed, here           8          6           9
//
// In a chain, x / d / e, the second division starts from the magnitude of the
// first quotient, before it gets its sign: one less.
//
// So it pays from the second division on, and with the first one in a loop even
// if that goes round once. Divisions of copies behind guards do not dominate
// each other; ptxas gives each its own reciprocal: 862 instructions for 16
// copies of a slice, here 343.
//
// Left out: a multiplier normalised to 32 significant bits (Robison), which
// needs no correction but 10 instructions more in front; 64 bits, where the
// multiplier would cost a division by the same slow call; and digits carried
// from one index to the next (docs/ARCHITECTURE.md).
//
//===----------------------------------------------------------------------===//

#include "transforms/reciprocal/HoistedReciprocals.h"
#include "analysis/facts/DeviceCode.h"
#include "analysis/facts/RangeFacts.h"
#include "transforms/late/HiddenValues.h"
#include "transforms/late/LatePrices.h"
#include "transforms/reciprocal/OverflowGuard.h"
#include "transforms/reciprocal/Reciprocal.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DebugCounter.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

#define DEBUG_TYPE "index-reciprocals"

DEBUG_COUNTER(DivisorCounter, "index-reciprocals-divisor",
              "Controls which divisors get a reciprocal");

namespace unravel {

/// Different dividends, outside of loops, from which on a reciprocal pays.
static constexpr unsigned MinDividends = 2;
/// Different dividends from which on a reciprocal is computed where it may turn
/// out to be of no use: in front of the guards of unrolled copies. If no guard
/// lets through, that is lost; two that do make up for it.
static constexpr unsigned MinGuardedDividends = 4;
/// A reciprocal takes three registers. It has to save one part in so many of
/// the code behind it, weighted by loop depth: divisions in front of a long
/// inner loop do not show.
static constexpr unsigned LeastShare = 20;
/// Reciprocals that are looked through for one that is computed already.
static constexpr unsigned MaxCandidates = 16;

namespace {
struct Division {
  BinaryOperator *I;
  /// Without a guard against overflow, which no reciprocal needs. It may itself
  /// be a quotient, which a reciprocal replaces.
  WeakTrackingVH Divisor;
  bool MayBeNegative; ///< signed, and the dividend may be negative
  bool DividendMayBeUndef;
  bool DivisorMayBeUndef; ///< in some bits: it is not zero
  bool TakesMagnitude;    ///< signed, and the divisor may be negative
  Instruction *Place;     ///< where the reciprocal could be: I, or out of loops
  unsigned Order;         ///< dominators come first
};

/// The divisions that share a reciprocal.
struct Group {
  bool TakesMagnitude; ///< the reciprocal is that of the divisor's magnitude
  Instruction *At;     ///< it is computed in front of this
  bool IsHoisted;      ///< out of a loop, or in front of guards
  SmallVector<Division, 4> Divisions;
};

/// The magnitudes of signed quotients and remainders, for those that divide
/// them again: |+-m| = m. (m is at most 2^31, and -2^31 is 2^31 in 32 bits.)
class KnownMagnitudes {
public:
  void add(Value *Result, Value *Magnitude) { Known[Result] = Magnitude; }
  /// \p V is the magnitude of a dividend, operand 0.
  void addUse(Value *V) {
    if (auto *I = dyn_cast<Instruction>(V))
      Uses.push_back(I);
  }
  /// Once all divisions are replaced: a dividend may be a quotient of a group
  /// that came later.
  void use();

private:
  DenseMap<Value *, Value *> Known;
  SmallVector<Instruction *, 8> Uses;
};

class ReciprocalHoister {
public:
  ReciprocalHoister(Function &F, FunctionAnalysisManager &AM, bool IsTrial)
      : F(F), AM(AM), IsTrial(IsTrial),
        DT(AM.getResult<DominatorTreeAnalysis>(F)),
        LI(AM.getResult<LoopAnalysis>(F)),
        BFI(AM.getResult<BlockFrequencyAnalysis>(F)),
        AC(AM.getResult<AssumptionAnalysis>(F)), Facts(F, AM), Hidden(F) {}
  bool run();

private:
  void collect();
  void addToGroup(const Division &D);
  Instruction *leaveLoops(Instruction *At, const Value *Divisor) const;
  void mergeGuarded(ArrayRef<unsigned> Candidates);
  void addWeights();
  bool showsBehind(const Group &G) const;
  void replace(const Group &G);
  void report(const Group &G);
  bool isNonNegative(Value *V, const Instruction &At) const;

  Function &F;
  FunctionAnalysisManager &AM;
  bool IsTrial;
  DominatorTree &DT;
  LoopInfo &LI;
  BlockFrequencyInfo &BFI;
  AssumptionCache &AC;
  RangeFacts Facts;
  std::vector<Division> Divisions;
  HiddenValues Hidden;
  KnownMagnitudes Magnitudes;
  std::vector<Group> Groups;
  /// The price of what each block dominates, weighted by loop depth.
  DenseMap<const BasicBlock *, uint64_t> WeightBehind;
  MapVector<Value *, SmallVector<unsigned, 2>> GroupsOfDivisor;
};
} // namespace

bool ReciprocalHoister::isNonNegative(Value *V, const Instruction &At) const {
  return isKnownNonNegative(V,
                            SimplifyQuery(F.getDataLayout(), &DT, &AC, &At)) ||
         Facts.rangeOf(V, Reading::Signed).isNonNegative();
}

/// From \p At to the front of the loops around it in which \p V does not
/// change, as far as \p MayLeave(where it is, the block to go to) lets it.
static Instruction *leaveLoopsOf(
    Instruction *At, const Value *V, const LoopInfo &LI,
    function_ref<bool(const BasicBlock *, const BasicBlock *)> MayLeave) {
  for (Loop *L = LI.getLoopFor(At->getParent()); L; L = L->getParentLoop()) {
    BasicBlock *Preheader = L->getLoopPreheader();
    if (!Preheader || !L->isLoopInvariant(V) ||
        !MayLeave(At->getParent(), Preheader))
      break;
    At = Preheader->getTerminator();
  }
  return At;
}

/// In front of the outermost loop around \p At in which the divisor does not
/// change, if \p At is expected to be executed at least once for each time that
/// control comes there. It need not be: no reciprocal does harm.
Instruction *ReciprocalHoister::leaveLoops(Instruction *At,
                                           const Value *Divisor) const {
  return leaveLoopsOf(At, Divisor, LI,
                      [this](const BasicBlock *From, const BasicBlock *To) {
                        return BFI.getBlockFreq(From) >= BFI.getBlockFreq(To);
                      });
}

static bool isCandidate(const Instruction &I) {
  return I.isIntDivRem() && I.getType()->isIntegerTy(32) &&
         !isa<Constant>(I.getOperand(1));
}

void ReciprocalHoister::collect() {
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &Each : *BB) {
      if (!isCandidate(Each))
        continue;
      auto *I = cast<BinaryOperator>(&Each);
      Value *Dividend = I->getOperand(0), *Divisor = withoutOverflowGuard(*I);
      if (!Divisor)
        Divisor = I->getOperand(1);
      Divisions.push_back(
          {I, Divisor, isSignedDivision(*I) && !isNonNegative(Dividend, *I),
           !Facts.isNeverUndef(Dividend), !Facts.isNeverUndef(Divisor),
           isSignedDivision(*I) && !isNonNegative(Divisor, *I),
           leaveLoops(I, Divisor), unsigned(Divisions.size())});
    }
}

/// Whether what \p From defines can be used in \p At without a phi of its own
/// where control leaves the loop in between.
static bool isAhead(const Instruction *From, const Instruction *At,
                    const DominatorTree &DT, const LoopInfo &LI) {
  const Loop *L = LI.getLoopFor(From->getParent());
  return DT.dominates(From, At) && (!L || L->contains(At));
}

/// Puts \p D into the group of a reciprocal that is computed ahead of it, or
/// into a new one.
void ReciprocalHoister::addToGroup(const Division &D) {
  SmallVector<unsigned, 2> &Candidates = GroupsOfDivisor[D.Divisor];
  for (unsigned Index :
       ArrayRef<unsigned>(Candidates).take_back(MaxCandidates)) {
    Group &G = Groups[Index];
    if (G.TakesMagnitude == D.TakesMagnitude &&
        (G.At == D.I || isAhead(G.At, D.I, DT, LI))) {
      G.Divisions.push_back(D);
      return;
    }
  }
  Candidates.push_back(Groups.size());
  Groups.push_back({D.TakesMagnitude, D.Place, D.Place != D.I, {D}});
}

/// Whether the divisions have at least \p Count different dividends.
static bool hasDividends(ArrayRef<Division> Divisions, unsigned Count) {
  SmallPtrSet<Value *, 4> Dividends;
  return any_of(Divisions, [&](const Division &D) {
    return Dividends.insert(D.I->getOperand(0)).second &&
           Dividends.size() == Count;
  });
}

/// Copies of a loop body, each behind its guard, do not dominate each other.
/// Joins those of the groups \p Candidates, all of one divisor, that are in the
/// same loop, in front of their guards.
void ReciprocalHoister::mergeGuarded(ArrayRef<unsigned> Candidates) {
  MapVector<std::pair<Loop *, unsigned>, SmallVector<unsigned, 4>> Siblings;
  for (unsigned Index : Candidates) {
    const Group &G = Groups[Index];
    Siblings[{LI.getLoopFor(G.At->getParent()), G.TakesMagnitude}].push_back(
        Index);
  }
  for (auto &[Key, Indices] : Siblings) {
    if (Indices.size() < 2)
      continue;
    Group Joined = Groups[Indices.front()];
    for (unsigned Index : drop_begin(Indices)) {
      Joined.At = DT.findNearestCommonDominator(Joined.At, Groups[Index].At);
      append_range(Joined.Divisions, Groups[Index].Divisions);
    }
    if (!hasDividends(Joined.Divisions, MinGuardedDividends))
      continue;
    Value *Divisor = Joined.Divisions.front().Divisor;
    Joined.At = leaveLoops(Joined.At, Divisor);
    Joined.IsHoisted = true;
    for (unsigned Index : Indices)
      Groups[Index].Divisions.clear();
    Groups[Indices.front()] = std::move(Joined);
  }
}

void ReciprocalHoister::addWeights() {
  for (const DomTreeNode *Node : post_order(DT.getRootNode())) {
    const BasicBlock *BB = Node->getBlock();
    LatePrice Price;
    for (const Instruction &I : *BB)
      Price.add(I, LI.getLoopDepth(BB));
    for (const DomTreeNode *Child : Node->children())
      Price.Weighted += WeightBehind.lookup(Child->getBlock());
    WeightBehind[BB] = Price.Weighted;
  }
}

/// Whether the divisions are a share of the code behind the reciprocal that one
/// can notice. (What they save is about two thirds of what they cost.)
bool ReciprocalHoister::showsBehind(const Group &G) const {
  LatePrice Price;
  for (const Division &D : G.Divisions)
    Price.add(*D.I, LI.getLoopDepth(D.I->getParent()));
  return Price.Weighted * LeastShare >= WeightBehind.lookup(G.At->getParent());
}

namespace {
/// A dividend that has been divided, and the results; null if nothing asked for
/// them.
struct DividedOnce {
  bool MayBeNegative;
  bool IsSigned; ///< what the first division was
  Value *Dividend;
  QuotientEstimate Estimate;
  Value *Quotient = nullptr; ///< signed, beside the estimate
  Instruction *LastQuotient = nullptr, *LastRemainder = nullptr;
};

/// Divides by the divisor of a group.
class Divider {
public:
  Divider(const Group &G, const DominatorTree &DT, const LoopInfo &LI,
          HiddenValues &Hidden, KnownMagnitudes &Magnitudes);
  Value *divide(const Division &D);
  Value *divisor() const { return Divisor; }

private:
  Instruction *leaveLoops(const Division &D) const;
  DividedOnce &dividedAhead(const Division &D);
  DividedOnce divideOnce(const Division &D);
  Value *applySign(Value *Magnitude, Value *Sign, bool IsSigned);
  /// \p V is not more visible to scalar evolution than what it replaces.
  Value *hide(Value *V, bool IsSigned) {
    return IsSigned ? Hidden.hide(B, V) : Hidden.hideAsQuotient(B, V);
  }
  Value *quotient(const DividedOnce &X);
  Value *remainder(const DividedOnce &X);

  IRBuilder<> B;
  const DominatorTree &DT;
  const LoopInfo &LI;
  HiddenValues &Hidden;
  KnownMagnitudes &Magnitudes;
  Instruction *ReciprocalAt;
  Value *Divisor;
  bool TakesMagnitude;
  Reciprocal R;
  Value *NegatedDivisor; ///< null if the group has no use for it
  DenseMap<Value *, SmallVector<DividedOnce, 1>> Divided;
  /// Signed quotients in the code, which make the remainder cheaper.
  DenseSet<std::pair<Value *, BasicBlock *>> Quotients;
};
} // namespace

void KnownMagnitudes::use() {
  for (Instruction *I : Uses)
    if (Value *Magnitude = Known.lookup(I->getOperand(0))) {
      I->replaceAllUsesWith(Magnitude);
      I->eraseFromParent();
    }
}

Divider::Divider(const Group &G, const DominatorTree &DT, const LoopInfo &LI,
                 HiddenValues &Hidden, KnownMagnitudes &Magnitudes)
    : B(G.At), DT(DT), LI(LI), Hidden(Hidden), Magnitudes(Magnitudes),
      ReciprocalAt(G.At), Divisor(G.Divisions.front().Divisor),
      TakesMagnitude(G.TakesMagnitude) {
  B.SetCurrentDebugLocation(G.Divisions.front().I->getDebugLoc());
  // LLVM lets divide by an undef | 1; all uses here have to agree about it.
  if (G.Divisions.front().DivisorMayBeUndef)
    Divisor = B.CreateFreeze(Divisor, Divisor->getName() + ".fr");
  // The least integer has itself as magnitude, which is right for 2^31.
  R = emitReciprocal(
      B, TakesMagnitude
             ? B.CreateBinaryIntrinsic(Intrinsic::abs, Divisor, B.getFalse())
             : Divisor);
  for (const Division &D : G.Divisions)
    if (D.MayBeNegative && isQuotient(*D.I))
      Quotients.insert({D.I->getOperand(0), D.I->getParent()});
  NegatedDivisor = R.Negated;
  if (TakesMagnitude)
    NegatedDivisor = Quotients.empty() ? nullptr : B.CreateNeg(Divisor);
}

Value *Divider::applySign(Value *Magnitude, Value *Sign, bool IsSigned) {
  Value *IsNegative = B.CreateIsNeg(Sign);
  Value *Result = hide(
      B.CreateSelect(IsNegative, B.CreateNeg(Magnitude), Magnitude), IsSigned);
  Magnitudes.add(Result, Magnitude);
  return Result;
}

/// The quotient is negative if one of the two numbers is.
Value *Divider::quotient(const DividedOnce &X) {
  Value *Magnitude = emitQuotient(B, R, X.Estimate);
  Value *Sign = X.MayBeNegative ? X.Dividend : nullptr;
  if (TakesMagnitude)
    Sign = Sign ? B.CreateXor(Sign, Divisor) : Divisor;
  return Sign ? applySign(Magnitude, Sign, X.IsSigned)
              : hide(Magnitude, X.IsSigned);
}

/// The remainder is negative if the dividend is. With the quotient at hand one
/// product gives both, magnitude and sign.
Value *Divider::remainder(const DividedOnce &X) {
  if (X.Quotient)
    return hide(
        B.CreateAdd(B.CreateMul(X.Quotient, NegatedDivisor), X.Dividend),
        X.IsSigned);
  Value *Magnitude = emitRemainder(B, R, X.Estimate);
  return X.MayBeNegative ? applySign(Magnitude, X.Dividend, X.IsSigned)
                         : Magnitude;
}

DividedOnce Divider::divideOnce(const Division &D) {
  DividedOnce X;
  X.MayBeNegative = D.MayBeNegative;
  X.IsSigned = isSignedDivision(*D.I);
  X.Dividend = D.I->getOperand(0);
  bool HasQuotient = Quotients.contains({X.Dividend, D.I->getParent()});
  // It gets more uses, which have to agree about its value.
  if (D.DividendMayBeUndef)
    X.Dividend = B.CreateFreeze(X.Dividend, X.Dividend->getName() + ".fr");
  Value *Magnitude = X.Dividend;
  if (D.MayBeNegative) {
    Magnitude =
        B.CreateBinaryIntrinsic(Intrinsic::abs, X.Dividend, B.getFalse());
    Magnitudes.addUse(Magnitude);
  }
  X.Estimate = emitEstimate(B, R, Magnitude);
  X.Estimate.Remainder = hide(X.Estimate.Remainder, X.IsSigned);
  if (D.MayBeNegative && HasQuotient)
    X.Quotient = quotient(X);
  return X;
}

/// What is known of the dividend of \p D ahead of it.
DividedOnce &Divider::dividedAhead(const Division &D) {
  SmallVector<DividedOnce, 1> &Known = Divided[D.I->getOperand(0)];
  for (DividedOnce &X : Known)
    if (X.MayBeNegative == D.MayBeNegative &&
        isAhead(cast<Instruction>(X.Estimate.Remainder), D.I, DT, LI))
      return X;
  Known.push_back(divideOnce(D));
  return Known.back();
}

/// In front of the loops around \p D in which neither of its numbers changes:
/// these operations do not trap, and as many as they are, the passes behind
/// would leave some of them in the loop.
Instruction *Divider::leaveLoops(const Division &D) const {
  return leaveLoopsOf(D.I, D.I->getOperand(0), LI,
                      [this](const BasicBlock *, const BasicBlock *To) {
                        const Instruction *End = To->getTerminator();
                        return ReciprocalAt == End ||
                               DT.dominates(ReciprocalAt, End);
                      });
}

Value *Divider::divide(const Division &D) {
  B.SetInsertPoint(leaveLoops(D));
  DividedOnce &X = dividedAhead(D);
  if (isQuotient(*D.I) && X.Quotient)
    return X.Quotient;
  Instruction *&Last = isQuotient(*D.I) ? X.LastQuotient : X.LastRemainder;
  if (!Last || !isAhead(Last, D.I, DT, LI))
    Last = cast<Instruction>(isQuotient(*D.I) ? quotient(X) : remainder(X));
  return Last;
}

void ReciprocalHoister::replace(const Group &G) {
  Divider Divide(G, DT, LI, Hidden, Magnitudes);
  for (const Division &D : G.Divisions) {
    Value *Result = Divide.divide(D);
    if (!Result->hasName())
      Result->takeName(D.I);
    if (isQuotient(*D.I) && D.Divisor != D.I->getOperand(1))
      multiplyByPlainDivisor(*D.I, Divide.divisor());
    D.I->replaceAllUsesWith(Result);
  }
  for (const Division &D : G.Divisions)
    D.I->eraseFromParent();
}

void ReciprocalHoister::report(const Group &G) {
  AM.getResult<OptimizationRemarkEmitterAnalysis>(F).emit([&] {
    return OptimizationRemark(DEBUG_TYPE, "Reciprocal", G.Divisions.front().I)
           << ore::NV("Divisions", unsigned(G.Divisions.size()))
           << " divisions by one run-time divisor share a reciprocal"
           << (G.IsHoisted ? ", computed once in front of them" : "");
  });
}

bool ReciprocalHoister::run() {
  collect();
  // Those that leave loops first: others find a reciprocal ahead of them then.
  for (bool LeavesLoop : {true, false})
    for (const Division &D : Divisions)
      if ((D.Place != D.I) == LeavesLoop)
        addToGroup(D);
  for (auto &[Divisor, Candidates] : GroupsOfDivisor)
    mergeGuarded(Candidates);
  erase_if(Groups, [&](const Group &G) {
    return G.Divisions.empty() ||
           (!G.IsHoisted && !hasDividends(G.Divisions, MinDividends));
  });
  if (Groups.empty())
    return false;
  addWeights();
  erase_if(Groups, [&](const Group &G) {
    return !showsBehind(G) ||
           (!IsTrial && !DebugCounter::shouldExecute(DivisorCounter));
  });
  if (Groups.empty())
    return false;
  for (Group &G : Groups) {
    sort(G.Divisions, [](const Division &A, const Division &B) {
      return A.Order < B.Order;
    });
    if (!IsTrial)
      report(G);
    replace(G);
  }
  Magnitudes.use();
  return true;
}

PreservedAnalyses HoistedReciprocalsPass::run(Function &F,
                                              FunctionAnalysisManager &AM) {
  if (!isDeviceCode(F) || F.hasPersonalityFn())
    return PreservedAnalyses::all();
  TimeTraceScope Scope("HoistedReciprocals", F.getName());
  // Most functions need no analysis to see that there is nothing to do.
  if (none_of(instructions(F), isCandidate) ||
      !ReciprocalHoister(F, AM, IsTrial).run())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace unravel
