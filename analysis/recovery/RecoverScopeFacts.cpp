//===- RecoverScopeFacts.cpp - The facts of a scope -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What guards, assumptions, loop bounds and the hardware say of the forms in a
// scope.
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/SpecialRegisters.h"
#include "analysis/recovery/IndexRecovery.h"
#include "analysis/recovery/RecoverOperation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

void IndexRecovery::addConditions(RecoveryScope &Scope, const BasicBlock *BB) {
  ArrayRef<KnownCondition> Conditions = Facts.conditionsAt(BB);
  SmallVector<KnownRelation, 4> Again = outerToReadAgain(Scope, BB);
  bool IsAlone = Conditions.size() == 1 && Again.empty() &&
                 isa<ICmpInst>(Conditions[0].Condition);
  // Twice: a later condition can make the operands of an earlier one exact, and
  // a conjunction has its parts in any order.
  for (unsigned Round = 0; Round < 2; ++Round) {
    Scope.Unread.clear();
    for (const KnownCondition &C : Conditions)
      assumeCondition(Scope, C.Condition, C.Holds, /*Depth=*/0);
    auto AssumeRelation = [&](const KnownRelation &R) {
      assumeComparison(Scope, const_cast<Value *>(R.A),
                       const_cast<Value *>(R.B), R.Predicate);
    };
    for_each(Facts.invariantsAt(BB), AssumeRelation);
    if (std::optional<KnownCase> Case = Facts.caseAt(BB))
      assumeComparison(Scope, const_cast<Value *>(Case->Value),
                       const_cast<ConstantInt *>(Case->Case), CmpInst::ICMP_EQ);
    for_each(Again, AssumeRelation);
    assumeRecurrences(Scope, Facts.recurrencesAt(BB));
    Scope.Domain.propagate();
    // (Operands of guards are values of the blocks in front of this one.)
    forgetValues(Scope);
    if (Conditions.size() <= 1 && (IsAlone || Scope.Unread.empty()))
      break;
  }
  keepOuterUnread(Scope, Again);
}

/// What was recovered so far is no longer the best there is.
void IndexRecovery::forgetValues(RecoveryScope &Scope) {
  Scope.Values.clear();
  Scope.Order.clear();
  Scope.Choices.clear();
  Scope.Basis.forget();
}

/// Conjunctions of guards are short; deeper ones are left out.
static constexpr unsigned MaxConditionDepth = 8;

void IndexRecovery::assumeCondition(RecoveryScope &Scope,
                                    const Value *Condition, bool Holds,
                                    unsigned Depth) {
  if (Depth > MaxConditionDepth)
    return;
  Value *C = const_cast<Value *>(Condition), *A, *B;
  if (match(C, m_Not(m_Value(A))))
    return assumeCondition(Scope, A, !Holds, Depth + 1);
  // A true `and` makes both operands true, a false `or` both false. The second
  // operand of the select forms may be poison only if the first decides.
  if (Holds ? match(C, m_LogicalAnd(m_Value(A), m_Value(B)))
            : match(C, m_LogicalOr(m_Value(A), m_Value(B)))) {
    assumeCondition(Scope, A, Holds, Depth + 1);
    assumeCondition(Scope, B, Holds, Depth + 1);
    return;
  }
  if (auto *Cmp = dyn_cast<ICmpInst>(C)) {
    CmpInst::Predicate Pred =
        Holds ? Cmp->getPredicate() : Cmp->getInversePredicate();
    assumeComparison(Scope, Cmp->getOperand(0), Cmp->getOperand(1), Pred);
    assumeFactorsNotZero(Scope, Cmp->getOperand(0), Cmp->getOperand(1), Pred);
    if (Pred == CmpInst::ICMP_NE && match(Cmp->getOperand(1), m_Zero()))
      assumeAnyNotZero(Scope, Cmp->getOperand(0));
    assumeMergedBounds(Scope, Cmp->getOperand(0), Cmp->getOperand(1), Pred,
                       Depth + 1);
    if (Pred == CmpInst::ICMP_EQ)
      assumeMergedBits(Scope, Cmp->getOperand(0), Cmp->getOperand(1));
  }
}

/// `x >= 0 && y >= 0` arrives as `(x | y) > -1`: x | y is no smaller, as an
/// unsigned number, than x or y, and x & y no larger. So a bound of x | y from
/// above, or x & y from below, is one of both. Of the signed comparisons those
/// of the sign bit are such bounds.
void IndexRecovery::assumeMergedBounds(RecoveryScope &Scope, Value *Merged,
                                       Value *Bound, CmpInst::Predicate Pred,
                                       unsigned Depth) {
  bool FromAbove = Pred == CmpInst::ICMP_ULT || Pred == CmpInst::ICMP_ULE ||
                   (Pred == CmpInst::ICMP_EQ && match(Bound, m_Zero())) ||
                   (Pred == CmpInst::ICMP_SGT && match(Bound, m_AllOnes())) ||
                   (Pred == CmpInst::ICMP_SGE && match(Bound, m_Zero()));
  bool FromBelow = Pred == CmpInst::ICMP_UGT || Pred == CmpInst::ICMP_UGE ||
                   (Pred == CmpInst::ICMP_EQ && match(Bound, m_AllOnes())) ||
                   (Pred == CmpInst::ICMP_SLT && match(Bound, m_Zero())) ||
                   (Pred == CmpInst::ICMP_SLE && match(Bound, m_AllOnes()));
  Value *X, *Y;
  if (Depth > MaxConditionDepth ||
      !(FromAbove ? match(Merged, m_Or(m_Value(X), m_Value(Y)))
                  : FromBelow && match(Merged, m_And(m_Value(X), m_Value(Y)))))
    return;
  for (Value *Part : {X, Y}) {
    assumeComparison(Scope, Part, Bound, Pred);
    assumeMergedBounds(Scope, Part, Bound, Pred, Depth + 1);
  }
}

/// `0 <= x && x % 4 == 0` arrives as (x & 0x80000003) == 0; MaskedCompares
/// makes such tests as well. A mask without gaps keeps a number that has a
/// form; of one with gaps the bits at both ends say as much: those on top what
/// range x is in, under either reading, those at the bottom which residue it
/// has.
void IndexRecovery::assumeMergedBits(RecoveryScope &Scope, Value *Masked,
                                     Value *Bound) {
  Value *X;
  const APInt *Mask, *Bits;
  if (!match(Masked, m_And(m_Value(X), m_APInt(Mask))) ||
      !match(Bound, m_APInt(Bits)) || !isIndexValue(X) ||
      Mask->isShiftedMask() || !Bits->isSubsetOf(*Mask))
    return;
  // The form is recovered before the domain changes.
  RecoveredValue R = recover(X, Scope);
  IndexDomain &Domain = Scope.Domain;
  unsigned Before = Domain.revision(), Width = Mask->getBitWidth();
  unsigned Top = Mask->countl_one(), Bottom = Mask->countr_one();
  if (Top > 0) {
    APInt Least = *Bits & APInt::getHighBitsSet(Width, Top);
    APInt Most = Least | APInt::getLowBitsSet(Width, Width - Top);
    Domain.constrain(R.Signed, {Least.getSExtValue(), Most.getSExtValue()});
    // (An i64 above INT64_MAX is no bound of a form.)
    if (Width < 64 || !Most.isNegative())
      Domain.constrain(R.Unsigned, {int64_t(Least.getZExtValue()),
                                    int64_t(Most.getZExtValue())});
  }
  // Bits of a number of less than 62 bits stay in int64_t.
  if (Bottom > 0 && Bottom < 62) {
    Congruence Residue = Congruence::of(
        int64_t(1) << Bottom, int64_t(Bits->trunc(Bottom).getZExtValue()));
    Domain.constrainLattice(R.Signed, Residue);
    Domain.constrainLattice(R.Unsigned, Residue);
  }
  if (Domain.revision() != Before)
    forgetValues(Scope);
}

/// Branching on poison is UB, so what decides a branch is not poison; nor are
/// the operands of arithmetic that is not.
void IndexRecovery::assumeNotPoison(RecoveryScope &Scope, const Value *V) {
  SmallVector<const Value *, 8> Work{V};
  while (!Work.empty()) {
    const Value *Next = Work.pop_back_val();
    auto *I = dyn_cast<Instruction>(Next);
    if ((!I && !isa<Argument>(Next)) || !isIndexValue(Next) ||
        !Scope.NotPoison.insert(Next).second || !I ||
        !isRecoverableOperation(I) || isa<FreezeInst>(I) || isa<SelectInst>(I))
      continue;
    Work.append(I->op_begin(), I->op_end());
  }
}

/// A product that is not 0 has no factor that is 0, even where it wraps: 0
/// times anything is 0. Extended, truncated and shifted values are alike. So `i
/// < n*h*w` says of sizes what divisions by them have to know.
void IndexRecovery::assumeFactorsNotZero(RecoveryScope &Scope, Value *A,
                                         Value *B, CmpInst::Predicate Pred) {
  if (!isIndexValue(A))
    return;
  if (ICmpInst::isGT(Pred) || ICmpInst::isGE(Pred)) {
    std::swap(A, B);
    Pred = CmpInst::getSwappedPredicate(Pred);
  }
  // Which of them is not 0.
  Value *NotZero = nullptr;
  if (Pred == CmpInst::ICMP_ULT ||
      (Pred == CmpInst::ICMP_SLT &&
       Scope.Domain.isNonNegative(recover(A, Scope).Signed)))
    NotZero = B;
  else if (Pred == CmpInst::ICMP_NE && match(B, m_Zero()))
    NotZero = A;
  if (!NotZero)
    return;
  static constexpr unsigned MaxOperations = 16;
  SmallVector<Value *, 8> Work{NotZero};
  for (unsigned Seen = 0; Seen < MaxOperations && !Work.empty(); ++Seen) {
    Value *V = Work.pop_back_val(), *X, *Y;
    if (V != NotZero && isa<Instruction, Argument>(V) && isIndexValue(V))
      assumeComparison(Scope, V, Constant::getNullValue(V->getType()),
                       CmpInst::ICMP_NE);
    if (match(V, m_Mul(m_Value(X), m_Value(Y))))
      Work.append({X, Y});
    else if (match(V, m_ZExtOrSExt(m_Value(X))) ||
             match(V, m_Trunc(m_Value(X))) ||
             match(V, m_Shl(m_Value(X), m_Value())))
      Work.push_back(X);
  }
}

/// `x + y >= 1` of numbers that are not negative arrives as `(x | y) != 0`: one
/// of them is not 0, so their sum, unsigned and without wrapping, is not
/// either.
void IndexRecovery::assumeAnyNotZero(RecoveryScope &Scope, Value *Merged) {
  static constexpr unsigned MaxParts = 8;
  if (!isIndexValue(Merged) || !match(Merged, m_Or(m_Value(), m_Value())))
    return;
  SmallVector<Value *, MaxParts> Work{Merged};
  IndexExpr Sum = Context.constant(0);
  for (unsigned Seen = 0; Seen < 2 * MaxParts && !Work.empty(); ++Seen) {
    Value *V = Work.pop_back_val(), *X, *Y;
    if (match(V, m_Or(m_Value(X), m_Value(Y))))
      Work.append({X, Y});
    else
      Sum = Context.add(Sum, recover(V, Scope).Unsigned);
  }
  if (!Work.empty() || !Sum)
    return;
  unsigned Before = Scope.Domain.revision();
  Scope.Domain.constrain(Sum, Interval::atLeast(1));
  if (Scope.Domain.revision() != Before)
    forgetValues(Scope);
}

void IndexRecovery::assumeComparison(RecoveryScope &Scope, Value *A, Value *B,
                                     CmpInst::Predicate Pred) {
  if (!isIndexValue(A))
    return;
  IndexDomain &Domain = Scope.Domain;
  auto KnownSoFar = [&] {
    return std::pair(Domain.revision(), Scope.NotPoison.size());
  };
  auto KnownBefore = KnownSoFar();
  assumeNotPoison(Scope, A);
  assumeNotPoison(Scope, B);
  // Every form below is recovered before the domain changes.
  RecoveredValue L = recover(A, Scope), R = recover(B, Scope);
  bool IsRead = true;
  auto Constrain = [&](IndexExpr X, IndexExpr Y, CmpInst::Predicate P) {
    IndexExpr D = Context.sub(X, Y);
    IsRead &= D && opacityOf(D) == 0;
    if (!D)
      return;
    switch (P) {
    case CmpInst::ICMP_SLT:
      return Domain.constrain(D, Interval::atMost(-1));
    case CmpInst::ICMP_SLE:
      return Domain.constrain(D, Interval::atMost(0));
    case CmpInst::ICMP_SGT:
      return Domain.constrain(D, Interval::atLeast(1));
    case CmpInst::ICMP_SGE:
      return Domain.constrain(D, Interval::atLeast(0));
    case CmpInst::ICMP_EQ:
      return Domain.constrain(D, Interval::point(0));
    case CmpInst::ICMP_NE: {
      // Only the ends of a range can be cut off.
      Interval Range = Domain.range(D);
      if (Range.lo() == 0)
        Domain.constrain(D, Interval::atLeast(1));
      else if (Range.hi() == 0)
        Domain.constrain(D, Interval::atMost(-1));
      else
        IsRead &= Range.lo() > 0 || Range.hi() < 0;
      return;
    }
    default:
      llvm_unreachable("not a signed or equality predicate");
    }
  };
  if (ICmpInst::isEquality(Pred)) {
    Constrain(L.Signed, R.Signed, Pred);
    Constrain(L.Unsigned, R.Unsigned, Pred);
  } else if (ICmpInst::isSigned(Pred)) {
    Constrain(L.Signed, R.Signed, Pred);
  } else {
    CmpInst::Predicate Signed = ICmpInst::getSignedPredicate(Pred);
    Constrain(L.Unsigned, R.Unsigned, Signed);
    // x <u n with n in the non-negative half puts x there too: both readings
    // agree, and the signed form learns its bounds.
    bool Less = ICmpInst::isLT(Pred) || ICmpInst::isLE(Pred);
    IndexExpr SmallSigned = Less ? L.Signed : R.Signed;
    IndexExpr Large = Less ? R.Unsigned : L.Unsigned;
    unsigned Width = A->getType()->getIntegerBitWidth();
    Interval Half = wordRange(Width, Reading::Signed);
    if (Domain.range(Large).hi() <= Half.hi() &&
        Domain.range(Large).isBoundedAbove()) {
      Domain.constrain(SmallSigned, Interval::atLeast(0));
      if (Less)
        Constrain(L.Signed, R.Unsigned, Signed);
      else
        Constrain(L.Unsigned, R.Signed, Signed);
    } else {
      IsRead = false;
    }
  }
  if (!IsRead)
    noteUnread(Scope, {A, B, Pred});
  if (KnownSoFar() != KnownBefore)
    forgetValues(Scope);
}

/// Whether \p Bound has been read, and is not poison, wherever \p Smaller is
/// used: only then is what is known of it a fact about the launch.
static bool isReadBefore(const IntrinsicInst &Bound,
                         const IntrinsicInst &Smaller,
                         const DominatorTree &DT) {
  if (Bound.hasRetAttr(Attribute::Range) &&
      !Bound.hasRetAttr(Attribute::NoUndef))
    return false;
  if (DT.dominates(&Bound, &Smaller))
    return true;
  return Bound.getParent() == Smaller.getParent() &&
         isGuaranteedToTransferExecutionToSuccessor(
             Smaller.getIterator(), Bound.getIterator(), /*ScanLimit=*/64);
}

/// tid < ntid and ctaid < nctaid hold by the hardware, in every dimension.
void IndexRecovery::addLaunchRelations(RecoveryScope &Root) {
  SmallVector<IntrinsicInst *, 8> Registers;
  for (Instruction &I : instructions(function()))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      if (launchRange(Call) && DT.isReachableFromEntry(I.getParent()))
        Registers.push_back(Call);
  // The reads of a register are merged by then; many of them mean raw IR.
  static constexpr size_t MaxReads = 32;
  if (Registers.size() > MaxReads)
    return;
  for (IntrinsicInst *Smaller : Registers)
    for (IntrinsicInst *Bound : Registers)
      if (boundingRegister(Smaller->getIntrinsicID()) ==
              Bound->getIntrinsicID() &&
          isReadBefore(*Bound, *Smaller, DT)) {
        // In two statements: the order in which variables are made is part of
        // the output, and that of arguments is up to the compiler.
        IndexExpr Above = recover(Bound, Root).Signed;
        IndexExpr Below = recover(Smaller, Root).Signed;
        Root.Domain.constrain(Context.sub(Below, Above), Interval::atMost(-1));
      }
  Root.Domain.propagate();
  Root.Values.clear();
  Root.Order.clear();
  Root.Basis.forget();
}

} // namespace unravel
