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
// And a remainder of C is made one of a floor by its sign, by a size that is
// only known at run time as well: select(r < 0, r + n, r) with r = x % n.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexDigits.h"
#include "analysis/recovery/RecoverOperation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include <algorithm>

using namespace llvm;

namespace unravel {

/// If G is a remainder by a size d > 0 of run time, of either rounding and with
/// either sign, or one less: that size. G is in [-d, d) then, since a remainder
/// is in (-d, d).
IndexExpr OperationRecovery::sizeOfPeriod(IndexExpr G) const {
  for (const IndexTerm &T : G.terms())
    for (const SymbolicDigit &Digit : symbolicDigitsOf(Context, G, T))
      if ((Digit.Scale.isConstant(1) || Digit.Scale.isConstant(-1)) &&
          (Digit.Rest.isConstant(0) || Digit.Rest.isConstant(-1)) &&
          Domain.isNonNegative(Digit.Divisor))
        return Digit.Divisor;
  return {};
}

/// 1 where G, which is in Range, is below 0, and 0 elsewhere. With G in [-d, d)
/// that is -floor(G/d), for every such d. The divisor that a quotient written
/// as a comparison had is the number that is compared with, \p Compared, and
/// mostly the least one as well. Where G is a remainder by d + 1, whose test
/// for zero has one value less on one side, the radix itself takes the quotient
/// out of the remainder. Null where G has no such range in 32 bits: no source
/// divides by that much, and the quotient would cost more than the comparison.
IndexExpr OperationRecovery::isNegative(IndexExpr G, const Interval &Range,
                                        int64_t Compared) {
  if (!G)
    return {};
  if (IndexExpr Size = sizeOfPeriod(G))
    return Context.negate(Basis.floorDiv(G, Size));
  if (!Range.isBounded() || !wordRange(32, Reading::Signed).contains(Range))
    return {};
  int64_t Divisor = std::max(-Range.lo(), Range.hi() + 1);
  if (Compared > Divisor && isInt<32>(Compared))
    Divisor = Compared;
  else if (any_of(G.terms(), [&](const IndexTerm &T) {
             return T.Atom->isConstantFloorDiv() &&
                    (T.Coefficient == Divisor + 1 ||
                     T.Coefficient == -Divisor - 1);
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
  // Of the equivalent bounds of A on its lattice, the one in whole periods: an
  // odd A above 80 is one of at least 80.
  auto InPeriods = [&](int64_t Bound) {
    Congruence C = Basis.domain().congruence(A);
    if (C.modulus() <= 1)
      return Bound;
    int64_t First = Bound + floorMod(C.residue() - Bound, C.modulus());
    return First - floorMod(First, C.modulus());
  };
  // Whether D, or -D, is below a number. (c - A < n is A >= c + 1 - n.)
  auto IsBelow = [&](bool Mirrored, int64_t Limit) {
    int64_t Compared =
        B.isConstant() && isInt<32>(B.constant())
            ? InPeriods(B.constant() + (Mirrored ? 1 - Limit : Limit))
            : 0;
    return isNegative(Context.add(Mirrored ? Context.negate(D) : D, -Limit),
                      Range * (Mirrored ? -1 : 1) + Interval::point(-Limit),
                      Compared);
  };
  if (ICmpInst::isEquality(Pred)) {
    bool IsDecided = Range.isPoint() || !Range.contains(0);
    if (!IsDecided && Range.lo() != 0 && Range.hi() != 0)
      return {};
    IndexExpr Equal = IsDecided ? Context.constant(Range.contains(0) ? 1 : 0)
                                : IsBelow(/*Mirrored=*/Range.lo() != 0, 1);
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

/// Whether a quotient in Bit is by Size or -Size.
static bool dividesBy(IndexExpr Bit, IndexExpr Size, IndexContext &Context) {
  return any_of(Bit.terms(), [&](const IndexTerm &T) {
    return T.Atom->isSymbolicDivision() &&
           (T.Atom->divisor() == Size ||
            T.Atom->divisor() == Context.negate(Size));
  });
}

/// select(c, b + k, b) = b + k*c, for the number c, 0 or 1, of the condition.
/// For a k that is no constant this is done where quotients by k are in c: it
/// corrects a remainder then. Whatever the arms are, the value is one of the
/// two forms: it fits where they do. A condition of which nothing is known
/// stays one, in a select; one that is decided here leaves one arm.
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
    if (!Step || (Bit && Bit->isVariable()) ||
        !(Step.isConstant() || dividesBy(C.Unsigned, Step, Context)))
      return {};
    return Context.add(OnFalse, Context.multiply(C.Unsigned, Step));
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
