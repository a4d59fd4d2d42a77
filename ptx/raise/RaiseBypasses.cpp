//===- RaiseBypasses.cpp - Divisions with a short cut ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/RaiseBypasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned Half = 32;

/// A test whether words of 64 bits have an upper half, and what follows:
/// divisions of their lower halves, or divisions of all of them.
class Bypass {
public:
  /// The one that \p Join ends, if it does.
  static std::optional<Bypass> before(BasicBlock &Join);

  /// Whether both sides compute the same wherever the short one runs, and the
  /// long one may run in its place.
  bool isOneDivision();
  /// Leaves the long side alone.
  void remove();

private:
  BasicBlock *Test = nullptr, *Short = nullptr, *Long = nullptr,
             *Join = nullptr;
  /// Their upper halves are zero where Short runs.
  SmallVector<Value *, 2> Tested;
  /// Divisions of the long side whose divisor the short one divides by as well.
  SmallPtrSet<const Value *, 4> Divided;

  bool hasNoUpperHalf(Value *V) const;
  bool isLowerHalf(Value *Low, Value *V) const;
  bool isSame(Value *Low, Value *V);
};

} // namespace

/// What the divisor \p D of \p N is without a guard against zero, max(d, 1) or
/// d == 0 ? 1 : d; and of 64 bits without (N == lowest && d == -1) ? 1 : d
/// around one, which chooses d where the words have no upper half.
static Value *withoutGuards(Value *D, Value *N) {
  Value *Inner, *Zero = D, *LowestTest, *MinusOneTest;
  if (match(D, m_UMax(m_Value(Inner), m_One())))
    return Inner;
  auto IsLowest =
      m_SpecificICmp(ICmpInst::ICMP_EQ, m_Specific(N), m_SignMask());
  auto IsMinusOne = m_SpecificICmp(ICmpInst::ICMP_EQ, m_Value(), m_AllOnes());
  // A promise of equal signs would not hold for words without upper halves.
  if (N->getType()->isIntegerTy(2 * Half) &&
      match(D, m_Select(m_And(m_CombineAnd(m_Value(LowestTest), IsLowest),
                              m_CombineAnd(m_Value(MinusOneTest), IsMinusOne)),
                        m_One(), m_Value(Inner))) &&
      !cast<ICmpInst>(LowestTest)->hasSameSign() &&
      !cast<ICmpInst>(MinusOneTest)->hasSameSign())
    Zero = Inner;
  if (match(Zero, m_Select(m_SpecificICmp(ICmpInst::ICMP_EQ, m_Value(Inner),
                                          m_Zero()),
                           m_One(), m_Deferred(Inner))))
    return Inner;
  return D;
}

std::optional<Bypass> Bypass::before(BasicBlock &Join) {
  if (!Join.hasNPredecessors(2) || !isa<PHINode>(Join.begin()))
    return std::nullopt;
  BasicBlock *First = *pred_begin(&Join),
             *Second = *std::next(pred_begin(&Join));
  Bypass B;
  B.Test = First->getSinglePredecessor();
  if (!B.Test || First == Second || Second->getSinglePredecessor() != B.Test ||
      !First->getSingleSuccessor() || !Second->getSingleSuccessor())
    return std::nullopt;
  // Conditions as nvcc prints them, and as LLVM writes them afterwards.
  Value *Words;
  CmpPredicate Predicate;
  bool IsShortIfTrue;
  auto *Branch = dyn_cast<BranchInst>(B.Test->getTerminator());
  if (!Branch || !Branch->isConditional())
    return std::nullopt;
  APInt Upper = APInt::getHighBitsSet(2 * Half, Half);
  Value *Condition = Branch->getCondition();
  if (match(Condition,
            m_ICmp(Predicate, m_And(m_Value(Words), m_SpecificInt(Upper)),
                   m_Zero())) &&
      ICmpInst::isEquality(Predicate)) {
    IsShortIfTrue = Predicate == ICmpInst::ICMP_EQ;
  } else if (match(Condition, m_SpecificICmp(ICmpInst::ICMP_ULT, m_Value(Words),
                                             m_SpecificInt(APInt::getOneBitSet(
                                                 2 * Half, Half))))) {
    IsShortIfTrue = true;
  } else {
    return std::nullopt;
  }
  B.Short = Branch->getSuccessor(IsShortIfTrue ? 0 : 1);
  B.Long = Branch->getSuccessor(IsShortIfTrue ? 1 : 0);
  B.Join = &Join;
  Value *One, *Other;
  if (match(Words, m_Or(m_Value(One), m_Value(Other))))
    B.Tested = {One, Other};
  else
    B.Tested = {Words};
  return B;
}

bool Bypass::hasNoUpperHalf(Value *V) const {
  return is_contained(Tested, V) ||
         computeKnownBits(V, Test->getDataLayout()).countMinLeadingZeros() >=
             Half;
}

/// Whether \p Low is the lower half of \p V, which has no upper one, and is
/// poison only with it.
bool Bypass::isLowerHalf(Value *Low, Value *V) const {
  if (!V->getType()->isIntegerTy(2 * Half) ||
      !Low->getType()->isIntegerTy(Half))
    return false;
  const APInt *A, *B;
  bool IsHalf = match(Low, m_Trunc(m_Specific(V))) ||
                (match(V, m_ZExtOrSExt(m_Specific(Low))) &&
                 !cast<Instruction>(V)->hasPoisonGeneratingFlags()) ||
                (match(Low, m_APInt(A)) && match(V, m_APInt(B)) &&
                 A->zext(2 * Half) == *B);
  return IsHalf && hasNoUpperHalf(V);
}

/// Whether \p V of the long side is zext(\p Low) of the short one, where that
/// runs: operands without upper half are not negative, so that signed and
/// unsigned division are one, and quotient and remainder have no upper half
/// either. Guards give the quotient by 0 as by 1 on both sides. No product or
/// difference of such operands wraps, whatever the long side promises of it.
bool Bypass::isSame(Value *Low, Value *V) {
  Value *A, *D, *LowA, *LowD, *Q, *LowQ;
  bool IsQuotient = match(V, m_IDiv(m_Value(A), m_Value(D))) &&
                    match(Low, m_UDiv(m_Value(LowA), m_Value(LowD)));
  bool IsRemainder = match(V, m_IRem(m_Value(A), m_Value(D))) &&
                     match(Low, m_URem(m_Value(LowA), m_Value(LowD)));
  if (IsQuotient || IsRemainder) {
    Value *Divisor = withoutGuards(D, A);
    Value *LowDivisor = withoutGuards(LowD, LowA);
    bool AreGuarded = Divisor != D, AreBoth = LowDivisor != LowD;
    Divided.insert(V);
    // An exact division is poison where it leaves a remainder.
    return !cast<Instruction>(V)->hasPoisonGeneratingAnnotations() &&
           AreGuarded == AreBoth && isLowerHalf(LowA, A) &&
           isLowerHalf(LowDivisor, Divisor);
  }
  // a - a / d * d, with the divisor as it was; by 0, the quotient is a, and all
  // of it a. Of another quotient it could be negative, and have an upper half.
  if (!match(V, m_Sub(m_Value(A), m_Mul(m_Value(Q), m_Value(D)))) ||
      !match(Low, m_Sub(m_Value(LowA), m_Mul(m_Value(LowQ), m_Value(LowD)))))
    return false;
  auto IsOfThese = [](Value *Q, Value *A, Value *D) {
    Value *Divisor;
    return match(Q, m_IDiv(m_Specific(A), m_Value(Divisor))) &&
           withoutGuards(Divisor, A) == D;
  };
  if (!IsOfThese(Q, A, D))
    std::swap(Q, D);
  if (!IsOfThese(LowQ, LowA, LowD))
    std::swap(LowQ, LowD);
  return IsOfThese(Q, A, D) && IsOfThese(LowQ, LowA, LowD) && isSame(LowQ, Q);
}

bool Bypass::isOneDivision() {
  auto IsPure = [](const Instruction &I) {
    return I.isTerminator() || (!isa<PHINode>(I) && !I.mayReadOrWriteMemory() &&
                                !I.mayHaveSideEffects());
  };
  bool AreSame = all_of(Join->phis(), [&](PHINode &Phi) {
    Value *Low;
    return match(Phi.getIncomingValueForBlock(Short), m_ZExt(m_Value(Low))) &&
           isSame(Low, Phi.getIncomingValueForBlock(Long));
  });
  return AreSame && all_of(*Short, IsPure) &&
         all_of(*Long, [&](const Instruction &I) {
           return I.isTerminator() ||
                  (IsPure(I) &&
                   (Divided.contains(&I) || isSafeToSpeculativelyExecute(&I)));
         });
}

void Bypass::remove() {
  for (PHINode &Phi : make_early_inc_range(Join->phis())) {
    Phi.replaceAllUsesWith(Phi.getIncomingValueForBlock(Long));
    Phi.eraseFromParent();
  }
  Instruction *End = Test->getTerminator();
  BranchInst::Create(Long, End->getIterator());
  End->eraseFromParent();
  DeleteDeadBlock(Short);
  MergeBlockIntoPredecessor(Join);
  MergeBlockIntoPredecessor(Long);
}

bool unravel::ptx::raiseBypasses(Function &F) {
  bool Changed = false;
  SmallVector<WeakVH, 32> Blocks(make_pointer_range(F));
  for (WeakVH &Block : Blocks) {
    if (!Block)
      continue; // It was part of another one.
    std::optional<Bypass> B = Bypass::before(*cast<BasicBlock>(Block));
    if (!B || !B->isOneDivision())
      continue;
    B->remove();
    Changed = true;
  }
  return Changed;
}
