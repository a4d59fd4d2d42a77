//===- LiftBits.cpp - Logic, shifts and bit fields ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Lifter.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

bool Lifter::liftBits(const ptx::Instruction &I) {
  StringRef Base = I.base();
  if (Base == "shl" || Base == "shr")
    return liftShift(I);
  if (Base == "shf")
    return liftFunnelShift(I);
  if (Base == "bfe" || Base == "bfi")
    return liftBitField(I);
  if (Base == "lop3")
    return liftLogic3(I);
  std::optional<ptx::Type> T = I.type();
  bool IsBits = T && (T->isInteger() || T->K == ptx::Type::Kind::Predicate) &&
                T->Width <= 64 && I.Words.size() == 2;
  ArrayRef<Operand> Operands = I.Operands;
  auto In = [&](unsigned Number) {
    return T->Width == 1 ? readPredicate(Operands[Number])
                         : readInt(Operands[Number], T->Width);
  };
  Value *V = nullptr;
  if (IsBits && Operands.size() == 3) {
    if (Base == "and")
      V = B.CreateAnd(In(1), In(2));
    else if (Base == "or")
      V = B.CreateOr(In(1), In(2));
    else if (Base == "xor")
      V = B.CreateXor(In(1), In(2));
  } else if (IsBits && Operands.size() == 2) {
    if (Base == "not") {
      V = B.CreateNot(In(1));
    } else if (Base == "cnot") {
      Value *X = In(1);
      V = B.CreateZExt(B.CreateIsNull(X), X->getType());
    } else if (Base == "brev") {
      V = B.CreateUnaryIntrinsic(Intrinsic::bitreverse, In(1));
    } else if (Base == "popc") { // the result has 32 bits
      V = B.CreateZExtOrTrunc(B.CreateUnaryIntrinsic(Intrinsic::ctpop, In(1)),
                              intType(32));
    } else if (Base == "clz") {
      V = B.CreateZExtOrTrunc(
          B.CreateBinaryIntrinsic(Intrinsic::ctlz, In(1), B.getFalse()),
          intType(32));
    }
  } else if (Base == "prmt" && IsBits && Operands.size() == 4) {
    V = B.CreateIntrinsic(Intrinsic::nvvm_prmt, {In(1), In(2), In(3)});
    if (auto *Selector = dyn_cast<ConstantInt>(In(3)))
      notePermutedHalves(V, In(1), In(2), Selector->getZExtValue());
  }
  if (!V)
    return false;
  write(Operands[0], V);
  return true;
}

/// Each of the four lowest hexadecimal digits of \p Selector names a byte of Y
/// and X, 7 to 0 (and above, copies of its sign): 5410 puts their lower halves
/// together. \p V stays one instruction for those who want it whole.
void Lifter::notePermutedHalves(Value *V, Value *X, Value *Y,
                                uint64_t Selector) {
  SmallVector<Value *, 2> Halves;
  for (unsigned Shift : {0, 8}) {
    unsigned Low = Selector >> Shift & 0xf, High = Selector >> Shift >> 4 & 0xf;
    if (Low % 2 != 0 || High != Low + 1 || High > 7)
      return;
    Halves.push_back(unpack(Low < 4 ? X : Y, 2)[Low / 2 % 2]);
  }
  PartsOf[V] = Halves;
}

/// Amounts beyond the width count as the width: 0 comes out, or the sign.
bool Lifter::liftShift(const ptx::Instruction &I) {
  std::optional<ptx::Type> T = I.type();
  if (!T || !T->isInteger() || T->Width > 64 || I.Words.size() != 2 ||
      I.Operands.size() != 3)
    return false;
  bool IsLeft = I.base() == "shl", IsSigned = !IsLeft && T->isSigned();
  Value *X = readInt(I.Operands[1], T->Width);
  Value *Amount = readInt(I.Operands[2], 32);
  unsigned Width = T->Width;
  auto Shifted = [&](Value *By) {
    By = B.CreateZExtOrTrunc(By, X->getType());
    return IsLeft     ? B.CreateShl(X, By)
           : IsSigned ? B.CreateAShr(X, By)
                      : B.CreateLShr(X, By);
  };
  Value *Zero = ConstantInt::get(X->getType(), 0);
  Value *V;
  if (auto *C = dyn_cast<ConstantInt>(Amount)) {
    uint64_t By = C->getZExtValue();
    V = By < Width ? Shifted(C)
        : IsSigned ? Shifted(B.getInt32(Width - 1))
                   : Zero;
  } else if (IsSigned) {
    V = Shifted(B.CreateBinaryIntrinsic(Intrinsic::umin, Amount,
                                        B.getInt32(Width - 1)));
  } else {
    Value *Fits = B.CreateICmpULT(Amount, B.getInt32(Width));
    V = B.CreateSelect(Fits, Shifted(B.CreateAnd(Amount, Width - 1)), Zero);
  }
  write(I.Operands[0], V);
  return true;
}

/// The words a (low) and b (high), shifted together: .l gives the high word of
/// the result, .r the low one. `.wrap` takes the amount modulo 32.
bool Lifter::liftFunnelShift(const ptx::Instruction &I) {
  if (I.Words.size() != 4 || I.Words[3] != "b32" || I.Operands.size() != 4)
    return false;
  bool IsLeft = I.Words[1] == "l";
  Value *Low = readInt(I.Operands[1], 32), *High = readInt(I.Operands[2], 32);
  Value *Amount = readInt(I.Operands[3], 32);
  Value *V =
      B.CreateIntrinsic(intType(32), IsLeft ? Intrinsic::fshl : Intrinsic::fshr,
                        {High, Low, Amount});
  if (I.Words[2] == "clamp")
    V = B.CreateSelect(B.CreateICmpULT(Amount, B.getInt32(32)), V,
                       IsLeft ? Low : High);
  else if (I.Words[2] != "wrap")
    return false;
  write(I.Operands[0], V);
  return true;
}

/// Fields whose place is constant and that lie within the word. Place and
/// length are the lowest 8 bits of their operands.
bool Lifter::liftBitField(const ptx::Instruction &I) {
  bool IsInsert = I.base() == "bfi";
  std::optional<ptx::Type> T = I.type();
  if (!T || !T->isInteger() || I.Words.size() != 2 ||
      (T->Width != 32 && T->Width != 64) ||
      I.Operands.size() != (IsInsert ? 5 : 4))
    return false;
  const Operand &At = I.Operands[IsInsert ? 3 : 2];
  const Operand &Length = I.Operands[IsInsert ? 4 : 3];
  if (!At.isInteger() || !Length.isInteger())
    return false;
  unsigned Begin = At.Value & 0xff, Size = Length.Value & 0xff;
  if (Size == 0 || Begin + Size > T->Width)
    return false;
  Value *X = readInt(I.Operands[1], T->Width);
  Value *V;
  if (IsInsert) {
    APInt Mask = APInt::getBitsSet(T->Width, Begin, Begin + Size);
    V = B.CreateOr(B.CreateAnd(B.CreateShl(X, Begin), Mask),
                   B.CreateAnd(readInt(I.Operands[2], T->Width), ~Mask));
  } else if (T->isSigned()) {
    V = B.CreateAShr(B.CreateShl(X, T->Width - Begin - Size), T->Width - Size);
  } else {
    V = B.CreateAnd(B.CreateLShr(X, Begin),
                    APInt::getLowBitsSet(T->Width, Size));
  }
  write(I.Operands[0], V);
  return true;
}

/// lop3 is any function of three bits, given by its table. Those that two
/// operations make become operations; others stay text, as they would become
/// more expensive.
bool Lifter::liftLogic3(const ptx::Instruction &I) {
  if (I.Opcode != "lop3.b32" || I.Operands.size() != 5 ||
      !I.Operands[4].isInteger())
    return false;
  // The tables of the operands themselves, by which the ISA defines the rest.
  const unsigned Tables[] = {0xF0, 0xCC, 0xAA};
  const unsigned Wanted = I.Operands[4].Value & 0xff;
  auto Apply = [](unsigned Op, unsigned X, unsigned Y) {
    return Op == 0 ? X & Y : Op == 1 ? X | Y : X ^ Y;
  };
  auto Emit = [&](unsigned Op, Value *X, Value *Y) {
    return Op == 0   ? B.CreateAnd(X, Y)
           : Op == 1 ? B.CreateOr(X, Y)
                     : B.CreateXor(X, Y);
  };
  auto In = [&](unsigned Number) {
    return readInt(I.Operands[1 + Number], 32);
  };
  for (unsigned A = 0; A < 3; ++A)
    for (unsigned Op1 = 0; Op1 < 3; ++Op1) {
      unsigned Second = (A + 1) % 3, Third = (A + 2) % 3;
      unsigned Pair = Apply(Op1, Tables[A], Tables[Second]);
      if (Pair == Wanted) {
        write(I.Operands[0], Emit(Op1, In(A), In(Second)));
        return true;
      }
      for (unsigned Op2 = 0; Op2 < 3; ++Op2)
        if (Apply(Op2, Pair, Tables[Third]) == Wanted) {
          write(I.Operands[0],
                Emit(Op2, Emit(Op1, In(A), In(Second)), In(Third)));
          return true;
        }
    }
  return false;
}
