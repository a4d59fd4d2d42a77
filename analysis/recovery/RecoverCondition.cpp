//===- RecoverCondition.cpp - Comparisons and selects as forms ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a dividend stays below twice the divisor, LLVM divides by comparing:
// x / 420 becomes zext(x > 419), and (x / 84) mod 5 becomes
// select(x < 420, q, q - 5) with q = x / 84. Both are quotients by 420 again.
//
//===----------------------------------------------------------------------===//

#include "analysis/recovery/RecoverOperation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include <algorithm>

using namespace llvm;

namespace unravel {

/// 1 where G, which is in Range, is below 0, and 0 elsewhere. With G in [-d, d)
/// that is -floor(G/d), for every such d; the least one is the divisor that a
/// quotient written as a comparison had. Where G is a remainder by d + 1, whose
/// test for zero has one value less on one side, the radix itself takes the
/// quotient out of the remainder. Null where G has no such range in 32
/// bits: no source divides by that much, and the quotient would cost more than
/// the comparison.
IndexExpr OperationRecovery::isNegative(IndexExpr G, const Interval &Range) {
  if (!G || !Range.isBounded() ||
      !wordRange(32, Reading::Signed).contains(Range))
    return {};
  int64_t Divisor = std::max(-Range.lo(), Range.hi() + 1);
  if (any_of(G.terms(), [&](const IndexTerm &T) {
        return T.Atom->isConstantFloorDiv() &&
               (T.Coefficient == Divisor + 1 || T.Coefficient == -Divisor - 1);
      }))
    ++Divisor;
  return Context.negate(Basis.floorDiv(G, Divisor));
}

/// The outcome as a number, 0 or 1. Equality is an order where one side cannot
/// be exceeded.
IndexExpr OperationRecovery::outcome(const ICmpInst &Cmp) {
  CmpInst::Predicate Pred = Cmp.getPredicate();
  const RecoveredValue &X = FormsOf(Cmp.getOperand(0));
  const RecoveredValue &Y = FormsOf(Cmp.getOperand(1));
  Reading R = Cmp.isSigned() ? Reading::Signed : Reading::Unsigned;
  // Equality holds under both readings or neither.
  if (Cmp.isEquality())
    if (IndexExpr S = Context.sub(X.Signed, Y.Signed),
        U = Context.sub(X.Unsigned, Y.Unsigned);
        S && (!U || ExplainsMore(S, U)))
      R = Reading::Signed;
  IndexExpr A = X.exact(R), B = Y.exact(R);
  IndexExpr D = Context.sub(A, B);
  auto Not = [&](IndexExpr Outcome) {
    return Context.sub(Context.constant(1), Outcome);
  };
  if (!D)
    return {};
  // What is known of the sides is not always found again in their difference.
  Domain.learnRange(D, Domain.range(A) + Domain.range(B) * -1);
  Interval Range = Domain.range(D);
  // Whether D, or -D, is below a number.
  auto IsBelow = [&](bool Mirrored, int64_t Limit) {
    return isNegative(Context.add(Mirrored ? Context.negate(D) : D, -Limit),
                      Range * (Mirrored ? -1 : 1) + Interval::point(-Limit));
  };
  if (ICmpInst::isEquality(Pred)) {
    if (Range.lo() != 0 && Range.hi() != 0)
      return {};
    IndexExpr Equal = IsBelow(/*Mirrored=*/Range.lo() != 0, 1);
    return Pred == CmpInst::ICMP_EQ ? Equal : Not(Equal);
  }
  IndexExpr Less = IsBelow(ICmpInst::isGT(Pred) || ICmpInst::isLE(Pred), 0);
  return ICmpInst::isLT(Pred) || ICmpInst::isGT(Pred) ? Less : Not(Less);
}

RecoveredValue OperationRecovery::compare(Instruction *I) {
  auto *Cmp = cast<ICmpInst>(I);
  RecoveredValue Result = poisonOfOperands(I);
  Result.MayBePoison |=
      Cmp->hasSameSign() && !all_of(Cmp->operands(), [&](const Use &U) {
        return Basis.domain().isNonNegative(FormsOf(U.get()).Signed);
      });
  Result.Unsigned = outcome(*Cmp);
  // As a signed bit, true is -1.
  Result.Signed = Context.negate(Result.Unsigned);
  return Result;
}

/// select(c, b + k, b) = b + k*c, for the number c, 0 or 1, of the condition.
/// Whatever the arms are, the value is one of the two forms: it fits where they
/// do. A condition of which nothing is known stays one, in a select; one that
/// is decided here leaves one arm.
RecoveredValue OperationRecovery::select(Instruction *I) {
  const RecoveredValue &C = FormsOf(I->getOperand(0));
  const RecoveredValue &A = FormsOf(I->getOperand(1));
  const RecoveredValue &B = FormsOf(I->getOperand(2));
  const IndexAtom *Bit = C.Unsigned.asAtom();
  auto Choose = [&](IndexExpr OnTrue, IndexExpr OnFalse) -> IndexExpr {
    if (OnTrue == OnFalse || C.Unsigned.isConstant(1))
      return OnTrue;
    if (C.Unsigned.isConstant(0))
      return OnFalse;
    IndexExpr Step = Context.sub(OnTrue, OnFalse);
    if (!Step || !Step.isConstant() || (Bit && Bit->isVariable()))
      return {};
    return Context.add(OnFalse, C.Unsigned, Step.constant());
  };
  RecoveredValue Result = poisonOfOperands(I);
  Result.Signed = Choose(A.Signed, B.Signed);
  Result.Unsigned = Choose(A.Unsigned, B.Unsigned);
  unsigned Width = I->getType()->getIntegerBitWidth();
  if (!Result.Signed)
    Result.Signed = asWord(Result.Unsigned, Width, Reading::Signed);
  if (!Result.Unsigned)
    Result.Unsigned = asWord(Result.Signed, Width, Reading::Unsigned);
  Result.Ring = betterRing(Choose(A.Ring, B.Ring), Result, /*Divides=*/true);
  return Result;
}

} // namespace unravel
