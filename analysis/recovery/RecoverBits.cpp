//===- RecoverBits.cpp - Operations on bits as forms ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Masks are digits, and what sets bits adds them; InstCombine's shorter masks
// are made whole again.
//
//===----------------------------------------------------------------------===//

#include "analysis/recovery/RecoverOperation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace unravel {

/// The bits that may be set in \p E: those of its residue by a power of two,
/// and above them those of its range.
uint64_t OperationRecovery::possibleBits(IndexExpr E) const {
  Interval R = Basis.domain().range(E);
  Congruence C = Basis.domain().congruence(E);
  uint64_t Residue = C.residue(), Above = 0; // of a constant, itself
  if (C.modulus() != 0) {
    uint64_t Power = C.modulus() & -C.modulus();
    Residue &= Power - 1;
    Above = -Power;
    if (R.isNonNegative() && R.isBoundedAbove())
      Above &= maskTrailingOnes<uint64_t>(llvm::bit_width(uint64_t(R.hi())));
  }
  return Above | Residue;
}

/// If the bits of A and B are disjoint, `or` adds them without any carry, under
/// both readings. Known from the flag, or because no bit may be set in both.
RecoveredValue OperationRecovery::bitOr(Instruction *I) {
  if (RecoveredValue Result = withDecidedMask(I); Result.Signed)
    return Result;
  const RecoveredValue &A = FormsOf(I->getOperand(0));
  const RecoveredValue &B = FormsOf(I->getOperand(1));
  bool Proved = A.Unsigned && B.Unsigned &&
                (possibleBits(A.Unsigned) & possibleBits(B.Unsigned)) == 0;
  auto *Or = cast<PossiblyDisjointInst>(I);
  if (!Proved && !Or->isDisjoint())
    return setBits(I);
  RecoveredValue Result = poisonOfOperands(I);
  Result.Signed = Basis.add(A.Signed, B.Signed);
  Result.Unsigned = Basis.add(A.Unsigned, B.Unsigned);
  Result.Ring = Basis.add(A.Ring, B.Ring);
  Result.MayBePoison |= !Proved;
  return Result;
}

/// The bits in the gaps of \p Mask, between its lowest and its highest one,
/// that are known of \p Masked. InstCombine takes bits out of a mask that are
/// zero anyway, and some that are one: of (4*x + 1) & 31 is left & 29, of (16*x
/// + 6) & 63 is left & 52.
static KnownBits knownInGaps(const APInt &Mask, const Value *Masked,
                             const DataLayout &DL) {
  if (Mask.isZero() || Mask.isShiftedMask() || Mask.isNegative())
    return KnownBits(Mask.getBitWidth());
  KnownBits Known = computeKnownBits(Masked, DL);
  APInt Gaps = APInt::getBitsSet(Mask.getBitWidth(), Mask.countr_zero(),
                                 Mask.getActiveBits()) &
               ~Mask;
  Known.Zero &= Gaps;
  Known.One &= Gaps;
  return Known;
}

/// x & 0 = 0 and x & -1 = x, x | 0 = x and x | -1 = -1, for a constant that is
/// known in the scope alone: a condition that is decided there.
RecoveredValue OperationRecovery::withDecidedMask(Instruction *I) {
  for (unsigned Masks : {0u, 1u}) {
    IndexExpr Mask = FormsOf(I->getOperand(Masks)).Signed;
    if (!Mask.isConstant(0) && !Mask.isConstant(-1))
      continue;
    bool Keeps = Mask.isConstant(-1) == (I->getOpcode() == Instruction::And);
    const RecoveredValue &Kept =
        FormsOf(I->getOperand(Keeps ? 1 - Masks : Masks));
    RecoveredValue Result = poisonOfOperands(I);
    Result.Signed = Kept.Signed;
    Result.Unsigned = Kept.Unsigned;
    Result.Ring = Kept.Ring;
    auto *Or = dyn_cast<PossiblyDisjointInst>(I);
    Result.MayBePoison |= Or && Or->isDisjoint();
    return Result;
  }
  return {};
}

RecoveredValue OperationRecovery::bitAnd(Instruction *I) {
  if (RecoveredValue Result = withDecidedMask(I); Result.Signed)
    return Result;
  auto *Mask = dyn_cast<ConstantInt>(I->getOperand(1));
  return Mask && !Mask->isZero()
             ? keptBits(I, I->getOperand(0), Mask->getValue())
             : RecoveredValue();
}

/// The bits of \p X, an operand of \p I, in \p Mask: those in a mask without
/// gaps, less the ones that are known to be in its gaps.
RecoveredValue OperationRecovery::keptBits(Instruction *I, Value *X,
                                           const APInt &Mask) {
  unsigned Width = widthOf(I);
  KnownBits InGaps = knownInGaps(Mask, X, I->getDataLayout());
  APInt Bits = Mask | InGaps.Zero | InGaps.One;
  unsigned Low = Bits.countr_zero();
  if (!Bits.lshr(Low).isMask() || Low > 61)
    return {};
  const RecoveredValue &A = FormsOf(X);
  auto LowBits = [&](IndexExpr E, unsigned Count) {
    // (For those who ask which divisions there are.)
    quotient(E, int64_t(1) << Count, false);
    return Basis.floorMod(E, int64_t(1) << Count);
  };
  RecoveredValue Result = poisonOfOperands(I);
  if (Low + Bits.popcount() == Width) {
    // The mask keeps all high bits: a - (a mod 2^k), under either reading.
    Result.Signed = Context.sub(A.Signed, LowBits(A.Signed, Low));
    Result.Unsigned = Context.sub(A.Unsigned, LowBits(A.Unsigned, Low));
    return Result;
  }
  if (Bits.getActiveBits() > 61)
    return {};
  int64_t Ones = InGaps.One.getZExtValue();
  // ((a / 2^low) mod 2^n) * 2^low; any number congruent to a will do.
  unsigned Count = Bits.popcount();
  IndexExpr Whole = isBetterRead(A, Width) ? A.Ring : A.Unsigned;
  IndexExpr Number = Context.add(
      Basis.scale(LowBits(quotient(Whole, int64_t(1) << Low, false), Count),
                  int64_t(1) << Low),
      -Ones);
  if (!Number)
    return {};
  Result = fromNumber(Number, I);
  Result.Signed = Result.Unsigned = Number;
  return Result;
}

/// The bits that \p V may have: below the highest of its range, and not known
/// to be zero.
APInt OperationRecovery::possibleBits(Value *V, const KnownBits &Known) const {
  unsigned Width = widthOf(V), Active = Width;
  Interval Range = Basis.domain().range(FormsOf(V).Unsigned);
  if (Range.isBoundedAbove())
    Active = std::min(Active, unsigned(llvm::bit_width(uint64_t(Range.hi()))));
  return APInt::getLowBitsSet(Width, Active) & ~Known.Zero;
}

/// x | y = (x & ~ones) + y, with the bits that y has anyway, if y has none of
/// those left of x: then nothing carries, and both readings add up. InstCombine
/// takes the mask away, which clears what y sets: of 112 + x % 16 it makes
/// x | 112 if x is below 128, of b / 2 * 32 + (16 + t) it makes b * 16 | 16 +
/// t.
RecoveredValue OperationRecovery::setBits(Instruction *I) {
  const DataLayout &DL = I->getDataLayout();
  for (unsigned Setter : {1u, 0u}) {
    Value *X = I->getOperand(1 - Setter), *Y = I->getOperand(Setter);
    KnownBits KnownY = computeKnownBits(Y, DL);
    if (KnownY.One.isZero())
      continue;
    APInt Left = possibleBits(X, computeKnownBits(X, DL)) & ~KnownY.One;
    if (Left.intersects(possibleBits(Y, KnownY)))
      continue;
    RecoveredValue Result = keptBits(I, X, Left);
    if (!Result.Signed && !Result.Unsigned)
      continue;
    Result.Signed = Basis.add(Result.Signed, FormsOf(Y).Signed);
    Result.Unsigned = Basis.add(Result.Unsigned, FormsOf(Y).Unsigned);
    return Result;
  }
  return {};
}

/// x ^ (2^k - 1) = 2^k - 1 - x for x in [0, 2^k), x ^ -1 = -1 - x and x ^ 0 =
/// x. The mask may be a value that is constant in the scope: ~x where x < 0, x
/// elsewhere, arrives as x ^ (x >> 31).
RecoveredValue OperationRecovery::bitXor(Instruction *I) {
  unsigned Masks = FormsOf(I->getOperand(0)).Signed.isConstant() ? 0 : 1;
  const RecoveredValue &A = FormsOf(I->getOperand(1 - Masks));
  IndexExpr Constant = FormsOf(I->getOperand(Masks)).Signed;
  // (A constant outside the type is the form of what is always poison.)
  if (!Constant.isConstant() || !isIntN(widthOf(I), Constant.constant()))
    return {};
  APInt Mask(widthOf(I), Constant.constant(), /*isSigned=*/true);
  if (Mask.isZero()) {
    RecoveredValue Result = poisonOfOperands(I);
    Result.Signed = A.Signed;
    Result.Unsigned = A.Unsigned;
    Result.Ring = A.Ring;
    return Result;
  }
  if (Mask.isAllOnes()) {
    RecoveredValue Result =
        fromNumber(Context.sub(Context.constant(-1), A.Signed), I);
    Result.Signed = Context.sub(Context.constant(-1), A.Signed);
    if (unsigned Width = widthOf(I); !Result.Unsigned && Width <= 61)
      Result.Unsigned =
          Context.sub(Context.constant((int64_t(1) << Width) - 1), A.Unsigned);
    return Result;
  }
  if (!Mask.isMask() || Mask.getActiveBits() > 61)
    return {};
  int64_t Top = Mask.getZExtValue();
  if (!Basis.domain().isWithin(A.Unsigned, Interval(0, Top)))
    return {};
  return fromNumber(Context.sub(Context.constant(Top), A.Unsigned), I);
}

/// Under either reading, the bits of a word go on without end: as zeros, or as
/// its sign. So the operation on words is the one on numbers.
RecoveredValue OperationRecovery::withAnyBits(Instruction *I,
                                              RecoveredValue Result) {
  if (!ReadsBits || (Result.Signed && Result.Unsigned))
    return Result;
  const RecoveredValue &A = FormsOf(I->getOperand(0));
  const RecoveredValue &B = FormsOf(I->getOperand(1));
  auto NumberOf = [&](IndexExpr X, IndexExpr Y) {
    if (I->getOpcode() == Instruction::Xor)
      return Basis.bitXor(X, Y);
    return I->getOpcode() == Instruction::And ? Basis.bitAnd(X, Y)
                                              : Basis.bitOr(X, Y);
  };
  if (!Result.Signed && !Result.Unsigned)
    Result = poisonOfOperands(I);
  if (!Result.Signed)
    Result.Signed = NumberOf(A.Signed, B.Signed);
  if (!Result.Unsigned)
    Result.Unsigned = NumberOf(A.Unsigned, B.Unsigned);
  return Result;
}

} // namespace unravel
