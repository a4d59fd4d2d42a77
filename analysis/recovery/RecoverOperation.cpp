//===- RecoverOperation.cpp - The form of one IR operation ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/recovery/RecoverOperation.h"
#include "analysis/algebra/IndexProver.h"
#include "analysis/facts/UniformValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace unravel {

static bool isRecoverableIntrinsic(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
  case Intrinsic::usub_sat:
  case Intrinsic::nvvm_mulhi_ui:
    return true;
  default:
    return false;
  }
}

bool isRecoverableOperation(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !IndexRecovery::isIndexValue(I))
    return false;
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Freeze:
  case Instruction::Select:
    return true;
  case Instruction::ICmp:
    return IndexRecovery::isIndexValue(I->getOperand(0));
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    return IndexRecovery::isIndexValue(I->getOperand(0));
  case Instruction::Call:
    return isRecoverableIntrinsic(cast<CallInst>(I)->getIntrinsicID());
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// If E stays between two multiples of 2^Width, the word is E minus the lower.
IndexExpr OperationRecovery::asWord(IndexExpr E, unsigned Width,
                                    Reading R) const {
  if (!E)
    return {};
  Interval Word = wordRange(Width, R), Range = Basis.domain().range(E);
  // Infinite ends stand for "may leave int64_t", so 64-bit words need both.
  if (Range.isBounded() && Word.contains(Range))
    return E;
  if (provesProductWithin(Basis.domain(), E, Word))
    return E;
  if (Width > 61)
    return {};
  int64_t Period = int64_t(1) << Width;
  IndexExpr FromZero = Context.add(E, -Word.lo());
  std::optional<int64_t> Q =
      FromZero ? Basis.domain().constantQuotient(FromZero, Period)
               : std::nullopt;
  return Q ? Context.add(E, Context.constant(*Q), -Period) : IndexExpr();
}

RecoveredValue OperationRecovery::fromNumber(IndexExpr E, Instruction *I) {
  if (E)
    Domain.learnRange(E, Basis.rangeOf(E));
  RecoveredValue Result = poisonOfOperands(I);
  Result.Signed = asWord(E, widthOf(I), Reading::Signed);
  Result.Unsigned = asWord(E, widthOf(I), Reading::Unsigned);
  return Result;
}

/// No forms yet, and the poison and undef bits that the operands hand on. A
/// range attribute that is violated makes poison as well.
RecoveredValue OperationRecovery::poisonOfOperands(Instruction *I) const {
  RecoveredValue Result;
  Result.MayBePoison = Result.MayBeUndef = false;
  for (Value *Operand : I->operands()) {
    if (isa<Function>(Operand))
      continue; // the callee of an intrinsic
    bool IsIndex = IndexRecovery::isIndexValue(Operand);
    Result.MayBePoison |= !IsIndex || FormsOf(Operand).MayBePoison;
    Result.MayBeUndef |= !IsIndex || FormsOf(Operand).MayBeUndef;
  }
  if (auto *Call = dyn_cast<CallInst>(I))
    Result.MayBePoison |=
        Call->getRange() && !Call->hasRetAttr(Attribute::NoUndef);
  return Result;
}

//===----------------------------------------------------------------------===//
// Linear operations
//===----------------------------------------------------------------------===//

/// The operation is exact on the readings of its operands if the result stays
/// in the word, or if the flag says so. Readings may be mixed: with x the
/// unsigned readings of the operands, op(x) is congruent to the result, so if
/// it fits into the signed word it *is* the signed reading of the result.
RecoveredValue OperationRecovery::linear(
    Instruction *I, function_ref<IndexExpr(IndexExpr, IndexExpr)> Op,
    function_ref<Interval(Interval, Interval)> RangeOp, bool NSW, bool NUW) {
  const RecoveredValue &A = FormsOf(I->getOperand(0));
  const RecoveredValue &B = FormsOf(I->getOperand(1));
  unsigned Width = widthOf(I);
  // Digits put in another order are hard to tell from their sum; the program
  // adds one after the other.
  auto Apply = [&](IndexExpr X, IndexExpr Y) {
    IndexExpr E = Op(X, Y);
    if (E)
      Domain.learnRange(E, Basis.rangeOf(E).intersect(
                               RangeOp(Basis.rangeOf(X), Basis.rangeOf(Y))));
    return E;
  };
  IndexExpr S = Apply(A.Signed, B.Signed), U = Apply(A.Unsigned, B.Unsigned);
  IndexExpr SWord = asWord(S, Width, Reading::Signed);
  IndexExpr UWord = asWord(U, Width, Reading::Unsigned);

  RecoveredValue Result = poisonOfOperands(I);
  Result.MayBePoison |=
      (NSW && (!SWord || SWord != S)) || (NUW && (!UWord || UWord != U));
  Result.Signed = SWord ? SWord : NSW ? S : asWord(U, Width, Reading::Signed);
  Result.Unsigned = UWord ? UWord
                    : NUW ? U
                          : asWord(S, Width, Reading::Unsigned);
  // With nsw S is the signed reading; if it is also non-negative, it is the
  // unsigned one. With nuw U is the unsigned reading; if it is also below
  // 2^(w-1), it is the signed one.
  if (!Result.Unsigned && NSW && S && Domain.isNonNegative(S))
    Result.Unsigned = S;
  if (!Result.Signed && NUW && U &&
      Domain.range(U).hi() <= wordRange(Width, Reading::Signed).hi() &&
      Domain.range(U).isBoundedAbove())
    Result.Signed = U;
  // What wraps in between may be back in the word at the end: 40*x -
  // 2999*(x/75) is 40*(x mod 75) + x/75, whatever 40*x alone does.
  IndexExpr Ring = withoutWholeWords(Op(A.Ring, B.Ring), Width);
  auto UseRing = [&](IndexExpr &Exact, Reading R) {
    IndexExpr Word = asWord(Ring, Width, R);
    if (Word && (!Exact || ExplainsMore(Word, Exact)))
      Exact = Word;
  };
  UseRing(Result.Signed, Reading::Signed);
  UseRing(Result.Unsigned, Reading::Unsigned);
  Result.Ring = betterRing(Ring, Result, A.Divides || B.Divides);
  return Result;
}

/// Congruent modulo 2^Width, with the coefficients next to 0: 4*(x + c*y) is
/// 4*x - 300*y for c = 2^30 - 75 and words of 32 bits.
IndexExpr OperationRecovery::withoutWholeWords(IndexExpr E,
                                               unsigned Width) const {
  if (!E || Width > 62)
    return E;
  auto Reduced = [&](int64_t C) { return SignExtend64(C, Width); };
  if (Reduced(E.constant()) == E.constant() &&
      all_of(E.terms(), [&](const IndexTerm &T) {
        return Reduced(T.Coefficient) == T.Coefficient;
      }))
    return E;
  SmallVector<IndexTerm, 8> Terms;
  for (const IndexTerm &T : E.terms())
    if (int64_t C = Reduced(T.Coefficient))
      Terms.push_back({T.Atom, C});
  return Context.linear(Terms, Reduced(E.constant()));
}

IndexExpr OperationRecovery::betterRing(IndexExpr Ring,
                                        const RecoveredValue &Value,
                                        bool Divides) const {
  IndexExpr Exact = Value.Signed ? Value.Signed : Value.Unsigned;
  // A sum of plain variables that may wrap (the thread index, say) is better
  // kept whole: other code divides it.
  if (!Ring ||
      (Ring.terms().size() > 1 && !Divides && countDivisions(Ring) == 0))
    return Exact;
  return !Exact || ExplainsMore(Ring, Exact) ? Ring : Exact;
}

RecoveredValue OperationRecovery::addLike(Instruction *I) {
  int64_t Times = I->getOpcode() == Instruction::Sub ? -1 : 1;
  RecoveredValue Result = linear(
      I, [&](IndexExpr A, IndexExpr B) { return Basis.add(A, B, Times); },
      [&](Interval A, Interval B) { return A + B * Times; },
      I->hasNoSignedWrap(), I->hasNoUnsignedWrap());
  // In (j + s)*n + i%n a quotient cancels, but the product may wrap: to the
  // sum, which may not, it would be a value of its own.
  IndexExpr Ring = Result.Ring;
  auto Terms = [&](unsigned Operand) {
    return FormsOf(I->getOperand(Operand)).Ring.terms().size();
  };
  if (Ring && Ring.terms().size() < Terms(0) + Terms(1) && Result.Signed &&
      Ring != Result.Signed && ExplainsMore(Ring, Result.Signed))
    Result.Signed = {};
  return Result;
}

RecoveredValue OperationRecovery::multiply(Instruction *I) {
  return linear(
      I, [&](IndexExpr A, IndexExpr B) { return Basis.multiply(A, B); },
      [&](Interval A, Interval B) { return A * B; }, I->hasNoSignedWrap(),
      I->hasNoUnsignedWrap());
}

RecoveredValue OperationRecovery::shiftLeft(Instruction *I) {
  unsigned Width = widthOf(I);
  auto Shift = [&](IndexExpr A, IndexExpr B) -> IndexExpr {
    // The last bit is excluded: 2^(w-1) is negative as a signed factor.
    if (!A || !B || !B.isConstant() || B.constant() < 0 ||
        B.constant() >= std::min<int64_t>(Width - 1, 62))
      return {};
    return Basis.scale(A, int64_t(1) << B.constant());
  };
  // (Asked for only where there is a form.)
  auto ShiftRange = [&](Interval A, Interval B) {
    return A * (int64_t(1) << B.lo());
  };
  RecoveredValue Result = linear(I, Shift, ShiftRange, I->hasNoSignedWrap(),
                                 I->hasNoUnsignedWrap());
  // Shifting by the width or more is poison.
  Result.MayBePoison |= !Basis.domain().isWithin(
      FormsOf(I->getOperand(1)).Unsigned, Interval(0, Width - 1));
  return Result;
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

IndexExpr OperationRecovery::quotient(IndexExpr Dividend, int64_t Divisor,
                                      bool Truncating) {
  IndexExpr Q = Truncating ? Basis.truncDiv(Dividend, Divisor)
                           : Basis.floorDiv(Dividend, Divisor);
  // Noted are floors: a truncating quotient is one if nothing is cut off below.
  if (Q && Divisor > 1 &&
      (!Truncating || Basis.domain().isNonNegative(Dividend)))
    NoteDivision(Dividend, Divisor, Q);
  return Q;
}

/// floor(High / Divisor) for the upper half \p High of a product by a constant,
/// if that is a division of the other factor. Null for other products, which
/// say nothing of it that is simpler than \p High.
IndexExpr OperationRecovery::quotientByMagicNumber(Value *High,
                                                   int64_t Divisor) {
  auto *Call = dyn_cast<IntrinsicInst>(High);
  if (!Call || Call->getIntrinsicID() != Intrinsic::nvvm_mulhi_ui ||
      !isInt<31>(Divisor))
    return {};
  IndexExpr X = FormsOf(Call->getArgOperand(0)).Unsigned;
  IndexExpr Factor = FormsOf(Call->getArgOperand(1)).Unsigned;
  if (!X || !Factor || !Factor.isConstant())
    return {};
  return Basis.quotientByMagicNumber(X, Factor.constant(), Divisor << 32);
}

RecoveredValue OperationRecovery::divide(Instruction *I) {
  bool IsSigned = isSignedDivision(*I);
  bool IsRem = !isQuotient(*I);
  Reading R = IsSigned ? Reading::Signed : Reading::Unsigned;
  IndexExpr Dividend = FormsOf(I->getOperand(0)).exact(R);
  IndexExpr Divisor = FormsOf(I->getOperand(1)).exact(R);
  if (Divisor.isConstant(0))
    return {};
  IndexExpr Q;
  if (Divisor.isConstant()) {
    if (!IsSigned && !IsRem)
      Q = quotientByMagicNumber(I->getOperand(0), Divisor.constant());
    if (!Q)
      Q = quotient(Dividend, Divisor.constant(), /*Truncating=*/IsSigned);
  } else {
    NoteRuntimeDivision(cast<BinaryOperator>(I));
    Q = IsSigned ? Basis.truncDiv(Dividend, Divisor)
                 : Basis.floorDiv(Dividend, Divisor);
  }
  IndexExpr Number = Q;
  if (IsRem)
    Number = Divisor.isConstant() && Divisor.constant() > 0 &&
                     (!IsSigned || Basis.domain().isNonNegative(Dividend))
                 ? Basis.floorMod(Dividend, Divisor)
                 : Context.sub(Dividend, Context.multiply(Divisor, Q));
  if (!Number)
    return {};
  RecoveredValue Result = fromNumber(Number, I);
  // The quotient and the remainder of a word fit into the word, whatever the
  // range analysis says; only INT_MIN / -1 does not, and that is UB.
  (IsSigned ? Result.Signed : Result.Unsigned) = Number;
  // A remainder is below its divisor and a quotient not above its dividend, if
  // nothing is negative. Then the other reading is the same number.
  Interval Most = Domain.range(IsRem ? Divisor : Dividend);
  if (!IsSigned && Most.isBoundedAbove() &&
      Most.hi() <= wordRange(widthOf(I), Reading::Signed).hi())
    Result.Signed = Number;
  if (IsSigned && Domain.isNonNegative(Dividend) &&
      (IsRem || Domain.isNonNegative(Divisor)))
    Result.Unsigned = Number;
  if (auto *Exact = dyn_cast<PossiblyExactOperator>(I))
    Result.MayBePoison |= Exact->isExact();
  // A size that may wrap is a variable; as a factor it is what it was computed
  // from, so that x mod (h*w) and the multiples of h*w cancel.
  IndexExpr DivisorRing = FormsOf(I->getOperand(1)).Ring;
  if (IsRem && DivisorRing != Divisor)
    Result.Ring = betterRing(Context.sub(FormsOf(I->getOperand(0)).Ring,
                                         Context.multiply(DivisorRing, Q)),
                             Result, /*Divides=*/true);
  return Result;
}

/// Whether bits of a word are better taken from the number that it is congruent
/// to than from its unsigned reading, which is a variable: a number of digits
/// that is negative at some points. InstCombine leaves them where it takes the
/// bits of a sum from its parts.
bool OperationRecovery::isBetterRead(const RecoveredValue &A,
                                     unsigned Width) const {
  return Width <= 61 && countDivisions(A.Ring) > 0 &&
         ExplainsMore(A.Ring, A.Unsigned) &&
         Interval(-(int64_t(1) << Width), (int64_t(1) << Width) - 1)
             .contains(Basis.rangeOf(A.Ring));
}

/// The bits from \p Low on, by the number E: E mod 2^w is E - 2^w *
/// floor(E / 2^w), so they are floor(E / 2^Low) - 2^(w - Low) * floor(E / 2^w).
/// (4*x - 47*q) >> 2 has become x + (-47*q >> 2) and a mask, which takes away
/// the second part of that.
IndexExpr OperationRecovery::highBits(const Instruction &I, int64_t Low) {
  const RecoveredValue &A = FormsOf(I.getOperand(0));
  unsigned Width = widthOf(&I);
  if (!isBetterRead(A, Width))
    return {};
  return Context.add(quotient(A.Ring, int64_t(1) << Low, /*Truncating=*/false),
                     Basis.floorDiv(A.Ring, int64_t(1) << Width),
                     -(int64_t(1) << (Width - Low)));
}

/// lshr and ashr are floors by 2^k of the unsigned and of the signed reading.
RecoveredValue OperationRecovery::shiftRight(Instruction *I) {
  bool IsSigned = I->getOpcode() == Instruction::AShr;
  Reading R = IsSigned ? Reading::Signed : Reading::Unsigned;
  IndexExpr Amount = FormsOf(I->getOperand(1)).Unsigned;
  if (!Amount.isConstant() || Amount.constant() < 0 ||
      Amount.constant() >= widthOf(I))
    return {};
  IndexExpr Dividend = FormsOf(I->getOperand(0)).exact(R);
  // The sign bit everywhere says what a comparison with zero says: one form
  // for both.
  IndexExpr Q;
  if (IsSigned && Amount.constant() == int64_t(widthOf(I)) - 1)
    Q = Context.negate(isNegative(Dividend, Domain.range(Dividend)));
  if (!IsSigned && Amount.constant() < 30)
    Q = quotientByMagicNumber(I->getOperand(0), int64_t(1)
                                                    << Amount.constant());
  if (!Q && !IsSigned)
    Q = highBits(*I, Amount.constant());
  if (!Q && Amount.constant() < 62)
    Q = quotient(Dividend, int64_t(1) << Amount.constant(),
                 /*Truncating=*/false);
  if (!Q)
    return {};
  RecoveredValue Result = fromNumber(Q, I);
  (IsSigned ? Result.Signed : Result.Unsigned) = Q;
  Result.MayBePoison |= cast<PossiblyExactOperator>(I)->isExact();
  return Result;
}

//===----------------------------------------------------------------------===//
// Casts and the rest
//===----------------------------------------------------------------------===//

RecoveredValue OperationRecovery::extend(Instruction *I) {
  const RecoveredValue &A = FormsOf(I->getOperand(0));
  bool IsNonNeg = isa<ZExtInst>(I) && I->hasNonNeg();
  IndexExpr Number = isa<SExtInst>(I) ? A.Signed : A.Unsigned;
  // `zext nneg`: poison if negative, so both readings agree. Take the form
  // that explains more.
  if (IsNonNeg && ExplainsMore(A.Signed, A.Unsigned))
    Number = A.Signed;
  RecoveredValue Result = fromNumber(Number, I);
  Result.Signed = Number; // a wider word holds every value of the narrow one
  if (isa<ZExtInst>(I))
    Result.Unsigned = Number;
  Result.MayBePoison |= IsNonNeg && !Basis.domain().isNonNegative(A.Signed);
  return Result;
}

RecoveredValue OperationRecovery::truncate(Instruction *I) {
  auto *Trunc = cast<TruncInst>(I);
  const RecoveredValue &A = FormsOf(I->getOperand(0));
  unsigned Width = widthOf(I);
  RecoveredValue Result = poisonOfOperands(I);
  for (IndexExpr Number : {A.Signed, A.Unsigned, A.Ring}) {
    if (!Result.Signed)
      Result.Signed = asWord(Number, Width, Reading::Signed);
    if (!Result.Unsigned)
      Result.Unsigned = asWord(Number, Width, Reading::Unsigned);
  }
  if (Trunc->hasNoSignedWrap()) {
    Result.MayBePoison |= Result.Signed != A.Signed;
    Result.Signed = A.Signed;
  }
  if (Trunc->hasNoUnsignedWrap()) {
    Result.MayBePoison |= Result.Unsigned != A.Unsigned;
    Result.Unsigned = A.Unsigned;
  }
  // The lowest bit, which conditions are made of, is x mod 2.
  if (Width == 1 && !Result.Unsigned) {
    Result.Unsigned = Basis.floorMod(A.Ring, 2);
    Result.Signed = Context.negate(Result.Unsigned);
  }
  Result.Ring = betterRing(A.Ring, Result, A.Divides);
  return Result;
}

/// freeze of a value that is neither undef nor poison is that value. Otherwise
/// it is one arbitrary value: nothing that relied on flags holds for it.
RecoveredValue OperationRecovery::freeze(Instruction *I) {
  const RecoveredValue &A = FormsOf(I->getOperand(0));
  RecoveredValue Result;
  if (!A.MayBePoison && !A.MayBeUndef)
    Result = A;
  Result.MayBePoison = Result.MayBeUndef = false;
  return Result;
}

/// Whether \p MinMax is max(size, 1) or the like, a symbol of its own: as a
/// form, max(x, 1)*y is x*y - min(x - 1, 0)*y, whose sign no rule proves. This
/// serves kernels that guard their sizes against zero, as the fast divisions of
/// tensor libraries and the sizes of empty arrays do.
static bool isBoundedSize(const Instruction &MinMax, IndexExpr Number) {
  return isa<MinMaxIntrinsic>(MinMax) &&
         any_of(Number.terms(),
                [](const IndexTerm &T) { return T.Atom->isNegativePart(); }) &&
         any_of(MinMax.operands(),
                [](const Use &U) { return isa<ConstantInt>(U); }) &&
         isUniform(&MinMax);
}

RecoveredValue OperationRecovery::intrinsic(Instruction *I) {
  auto *Call = cast<IntrinsicInst>(I);
  const RecoveredValue &A = FormsOf(Call->getArgOperand(0));
  if (Call->getIntrinsicID() == Intrinsic::abs) {
    IndexExpr Number = Basis.max(A.Signed, Context.negate(A.Signed));
    RecoveredValue Result = fromNumber(Number, I);
    bool MinIsPoison = cast<ConstantInt>(Call->getArgOperand(1))->isOne();
    Result.MayBePoison |= MinIsPoison && (!Number || Result.Signed != Number);
    return Result;
  }
  const RecoveredValue &B = FormsOf(Call->getArgOperand(1));
  IndexExpr Number;
  bool IsSigned = false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::smin:
    IsSigned = true;
    Number = Basis.min(A.Signed, B.Signed);
    break;
  case Intrinsic::smax:
    IsSigned = true;
    Number = Basis.max(A.Signed, B.Signed);
    break;
  case Intrinsic::umin:
    Number = Basis.min(A.Unsigned, B.Unsigned);
    break;
  case Intrinsic::umax:
    Number = Basis.max(A.Unsigned, B.Unsigned);
    break;
  case Intrinsic::nvvm_mulhi_ui:
    Number = quotientByMagicNumber(I, 1);
    if (!Number)
      return poisonOfOperands(I);
    break;
  case Intrinsic::usub_sat:
    Number =
        Basis.max(Context.sub(A.Unsigned, B.Unsigned), Context.constant(0));
    break;
  default:
    return {};
  }
  if (!Number)
    return {};
  if (isBoundedSize(*I, Number))
    return poisonOfOperands(I);
  RecoveredValue Result = fromNumber(Number, I);
  (IsSigned ? Result.Signed : Result.Unsigned) = Number;
  return Result;
}

RecoveredValue OperationRecovery::recover(Instruction *I) {
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return addLike(I);
  case Instruction::Mul:
    return multiply(I);
  case Instruction::Shl:
    return shiftLeft(I);
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return divide(I);
  case Instruction::LShr:
  case Instruction::AShr:
    return shiftRight(I);
  case Instruction::Or:
    return withAnyBits(I, bitOr(I));
  case Instruction::And:
    return withAnyBits(I, bitAnd(I));
  case Instruction::Xor:
    return withAnyBits(I, bitXor(I));
  case Instruction::ZExt:
  case Instruction::SExt:
    return extend(I);
  case Instruction::Trunc:
    return truncate(I);
  case Instruction::Freeze:
    return freeze(I);
  case Instruction::ICmp:
    return compare(I);
  case Instruction::Select:
    return select(I);
  case Instruction::Call:
    return intrinsic(I);
  default:
    return {};
  }
}

} // namespace unravel
