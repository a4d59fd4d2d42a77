//===- ExecuteInteger.cpp - Integer operations and addresses --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/interpreter/ExecuteOperation.h"
#include "tools/kernel-fuzz/interpreter/ThreadInput.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Binary operators
//===----------------------------------------------------------------------===//

/// add, sub and mul: \p Signed and \p Unsigned are the results without end.
static Outcome wrapping(UInt128 Unsigned, Int128 Signed, unsigned Width) {
  Outcome Out;
  Out.Value.Bits = lowBits(uint64_t(Unsigned), Width);
  if (Signed != asSigned(Out.Value.Bits, Width))
    Out.Violations |= SignedWrap;
  if (Unsigned != Out.Value.Bits)
    Out.Violations |= UnsignedWrap;
  return Out;
}

static Outcome divide(const Operation &Op, uint64_t X, uint64_t Y) {
  Outcome Out;
  if (Op.Opcode == Instruction::UDiv || Op.Opcode == Instruction::URem) {
    Out.Value.Bits = Op.Opcode == Instruction::UDiv ? X / Y : X % Y;
    Out.Violations = X % Y ? Inexact : NoViolation;
    return Out;
  }
  int64_t SX = asSigned(X, Op.Width), SY = asSigned(Y, Op.Width);
  if (SY == -1 && SX == asSigned(uint64_t(1) << (Op.Width - 1), Op.Width)) {
    Out.UndefinedBehavior = "division of the smallest number by -1";
    return Out;
  }
  Out.Value.Bits = lowBits(
      uint64_t(Op.Opcode == Instruction::SDiv ? SX / SY : SX % SY), Op.Width);
  Out.Violations = SX % SY ? Inexact : NoViolation;
  return Out;
}

static Outcome shift(const Operation &Op, uint64_t X, uint64_t Amount) {
  Outcome Out;
  if (Amount >= Op.Width) {
    Out.Value = Scalar::poison();
    return Out;
  }
  int64_t SX = asSigned(X, Op.Width);
  switch (Op.Opcode) {
  case Instruction::Shl:
    return wrapping(UInt128(X) << Amount, Int128(SX) * (Int128(1) << Amount),
                    Op.Width);
  case Instruction::LShr:
    Out.Value.Bits = X >> Amount;
    break;
  default:
    Out.Value.Bits = lowBits(uint64_t(SX >> Amount), Op.Width);
    break;
  }
  if (lowBits(Out.Value.Bits << Amount, Op.Width) != X)
    Out.Violations = Inexact;
  return Out;
}

Outcome executeBinary(const Operation &Op, Scalar A, Scalar B) {
  Outcome Out;
  bool IsDivision = Op.Inst->isIntDivRem();
  if (IsDivision && (B.IsPoison || B.Bits == 0)) {
    Out.UndefinedBehavior = "division by zero or poison";
    return Out;
  }
  if (A.IsPoison || B.IsPoison) {
    // Poison may be taken as any value, so as the smallest number, too.
    bool IsSigned =
        Op.Opcode == Instruction::SDiv || Op.Opcode == Instruction::SRem;
    if (IsSigned && asSigned(B.Bits, Op.Width) == -1)
      Out.UndefinedBehavior = "division of poison by -1";
    Out.Value = Scalar::poison();
    return Out;
  }
  if (IsDivision)
    return divide(Op, A.Bits, B.Bits);
  if (Op.Inst->isShift())
    return shift(Op, A.Bits, B.Bits);
  Int128 SX = asSigned(A.Bits, Op.Width), SY = asSigned(B.Bits, Op.Width);
  UInt128 UX = A.Bits, UY = B.Bits;
  switch (Op.Opcode) {
  case Instruction::Add:
    return wrapping(UX + UY, SX + SY, Op.Width);
  case Instruction::Sub:
    return wrapping(UX - UY, SX - SY, Op.Width);
  case Instruction::Mul:
    return wrapping(UX * UY, SX * SY, Op.Width);
  case Instruction::And:
    Out.Value.Bits = A.Bits & B.Bits;
    return Out;
  case Instruction::Or:
    Out.Value.Bits = A.Bits | B.Bits;
    Out.Violations = A.Bits & B.Bits ? NotDisjoint : NoViolation;
    return Out;
  case Instruction::Xor:
    Out.Value.Bits = A.Bits ^ B.Bits;
    return Out;
  default:
    Out.IsUnsupported = true;
    return Out;
  }
}

//===----------------------------------------------------------------------===//
// Comparisons and casts
//===----------------------------------------------------------------------===//

Outcome executeCompare(const Operation &Op, Scalar A, Scalar B) {
  Outcome Out;
  if (A.IsPoison || B.IsPoison) {
    Out.Value = Scalar::poison();
    return Out;
  }
  APInt X(Op.OperandWidth, A.Bits), Y(Op.OperandWidth, B.Bits);
  Out.Value.Bits = ICmpInst::compare(X, Y, Op.Predicate);
  if (X.isNegative() != Y.isNegative())
    Out.Violations = DifferentSigns;
  return Out;
}

Outcome executeCast(const Operation &Op, Scalar A) {
  Outcome Out;
  if (A.IsPoison) {
    Out.Value = Scalar::poison();
    return Out;
  }
  switch (Op.Opcode) {
  case Instruction::ZExt:
    Out.Value.Bits = A.Bits;
    Out.Violations =
        asSigned(A.Bits, Op.OperandWidth) < 0 ? Negative : NoViolation;
    return Out;
  case Instruction::SExt:
    Out.Value.Bits =
        lowBits(uint64_t(asSigned(A.Bits, Op.OperandWidth)), Op.Width);
    return Out;
  case Instruction::Trunc:
    Out.Value.Bits = lowBits(A.Bits, Op.Width);
    if (Out.Value.Bits != A.Bits)
      Out.Violations |= UnsignedWrap;
    if (asSigned(A.Bits, Op.Width) != asSigned(A.Bits, Op.OperandWidth))
      Out.Violations |= SignedWrap;
    return Out;
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
    Out.Value.Bits = lowBits(A.Bits, Op.Width);
    return Out;
  case Instruction::IntToPtr:
    Out.Value.Bits = A.Bits;
    return Out;
  case Instruction::AddrSpaceCast:
  case Instruction::BitCast:
    Out.Value = A;
    return Out;
  default:
    Out.IsUnsupported = true;
    return Out;
  }
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

static APInt compute(Intrinsic::ID ID, const APInt &X, const APInt &Y,
                     const APInt &Z, unsigned Width) {
  switch (ID) {
  case Intrinsic::smin:
    return X.slt(Y) ? X : Y;
  case Intrinsic::smax:
    return X.sgt(Y) ? X : Y;
  case Intrinsic::umin:
    return X.ult(Y) ? X : Y;
  case Intrinsic::umax:
    return X.ugt(Y) ? X : Y;
  case Intrinsic::abs:
    return X.abs();
  case Intrinsic::usub_sat:
    return X.usub_sat(Y);
  case Intrinsic::uadd_sat:
    return X.uadd_sat(Y);
  case Intrinsic::ssub_sat:
    return X.ssub_sat(Y);
  case Intrinsic::sadd_sat:
    return X.sadd_sat(Y);
  case Intrinsic::expect:
    return X;
  case Intrinsic::nvvm_mulhi_ui:
    return APIntOps::mulhu(X, Y);
  case Intrinsic::ctpop:
    return APInt(Width, X.popcount());
  case Intrinsic::ctlz:
    return APInt(Width, X.countl_zero());
  case Intrinsic::cttz:
    return APInt(Width, X.countr_zero());
  case Intrinsic::bswap:
    return X.byteSwap();
  case Intrinsic::bitreverse:
    return X.reverseBits();
  case Intrinsic::fshl:
  case Intrinsic::fshr: {
    unsigned Amount = unsigned(Z.urem(Width));
    APInt Both = X.concat(Y);
    return ID == Intrinsic::fshl ? Both.shl(Amount).extractBits(Width, Width)
                                 : Both.lshr(Amount).trunc(Width);
  }
  case Intrinsic::scmp:
    return APInt(Width, X.slt(Y) ? -1 : X.sgt(Y), /*isSigned=*/true);
  case Intrinsic::ucmp:
    return APInt(Width, X.ult(Y) ? -1 : X.ugt(Y), /*isSigned=*/true);
  default:
    llvm_unreachable("not decoded");
  }
}

Outcome executeIntrinsic(const Operation &Op, ArrayRef<Scalar> Operands) {
  Outcome Out;
  for (const Scalar &Operand : Operands)
    if (Operand.IsPoison) {
      Out.Value = Scalar::poison();
      return Out;
    }
  auto Word = [&](size_t K) {
    return K < Operands.size()
               ? APInt(Op.OperandWidth, Operands[K].Bits,
                       /*isSigned=*/false, /*implicitTrunc=*/true)
               : APInt(Op.OperandWidth, 0);
  };
  APInt X = Word(0);
  Out.Value.Bits = compute(Op.ID, X, Word(1), Word(2), Op.Width).getZExtValue();
  // The second operand of these says that the exception is poison.
  bool IsException = Op.ID == Intrinsic::abs ? X.isMinSignedValue()
                                             : (Op.ID == Intrinsic::ctlz ||
                                                Op.ID == Intrinsic::cttz) &&
                                                   X.isZero();
  if (IsException && Operands[1].Bits)
    Out.Value = Scalar::poison();
  return Out;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Outcome executeAddress(const Operation &Op, Scalar Base, ArrayRef<Scalar> Slots,
                       ArrayRef<MemoryObject> Objects) {
  Outcome Out;
  Out.Value = Base;
  Int128 SignedSum = 0;
  UInt128 UnsignedSum = 0;
  uint64_t Address = Base.Bits;
  bool IsPoison = Base.IsPoison;
  for (const PointerStep &Step : Op.Steps) {
    Scalar Index = Step.Index < 0 ? Scalar{1, false, -1} : Slots[Step.Index];
    if (Index.IsPoison) {
      IsPoison = true;
      continue;
    }
    int64_t Count = Step.Index < 0 ? 1 : asSigned(Index.Bits, Step.IndexWidth);
    uint64_t Bytes = uint64_t(Count) * uint64_t(Step.Scale);
    SignedSum += int64_t(Bytes);
    UnsignedSum += Bytes;
    Int128 SignedAddress = Int128(Address) + int64_t(Bytes);
    if (Int128(Count) * Step.Scale != int64_t(Bytes) ||
        SignedSum != int64_t(SignedSum) || SignedAddress < 0 ||
        SignedAddress > Int128(UINT64_MAX))
      Out.Violations |= SignedWrap;
    if (UInt128(uint64_t(Count)) * uint64_t(Step.Scale) != Bytes ||
        UnsignedSum != uint64_t(UnsignedSum) ||
        UInt128(Address) + Bytes > UInt128(UINT64_MAX))
      Out.Violations |= UnsignedWrap;
    Address += Bytes;
    if (Base.Object >= 0) {
      const MemoryObject &Object = Objects[Base.Object];
      if (Base.Bits - Object.Base > Object.Size ||
          Address - Object.Base > Object.Size)
        Out.Violations |= OutOfBounds;
    }
  }
  Out.Value.Bits = Address;
  if (IsPoison)
    Out.Value = Scalar::poison();
  return Out;
}

} // namespace unravel
