//===- LiftArithmetic.cpp - Sums, products, quotients of integers ---------===//
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

/// What words have and pairs of halves as well.
static bool isSumOrExtreme(StringRef Base) {
  return Base == "add" || Base == "min" || Base == "max";
}

static Value *sumOrExtreme(IRBuilder<> &B, StringRef Base, bool IsSigned,
                           Value *X, Value *Y) {
  if (Base == "add")
    return B.CreateAdd(X, Y);
  if (Base == "min")
    return B.CreateBinaryIntrinsic(IsSigned ? Intrinsic::smin : Intrinsic::umin,
                                   X, Y);
  return B.CreateBinaryIntrinsic(IsSigned ? Intrinsic::smax : Intrinsic::umax,
                                 X, Y);
}

/// BASE.u16x2 and BASE.s16x2, without .relu, of halves that were put together
/// for it: Triton's LLVM computes indices so, two at a time. Each half is a
/// number of its own here. Words from memory are data, for which two at a time
/// is best: they stay text.
bool Lifter::liftPacked(const ptx::Instruction &I) {
  StringRef Word = I.Words.back();
  if ((Word != "u16x2" && Word != "s16x2") || I.Words.size() != 2 ||
      I.Operands.size() != 3 || !isSumOrExtreme(I.base()))
    return false;
  Value *Left = readInt(I.Operands[1], 32), *Right = readInt(I.Operands[2], 32);
  auto HasParts = [&](Value *V) {
    return isa<Constant>(V) || PartsOf.contains(V);
  };
  if (!HasParts(Left) || !HasParts(Right))
    return false;
  SmallVector<Value *, 2> X = unpack(Left, 2), Y = unpack(Right, 2);
  SmallVector<Value *, 2> Halves;
  for (auto [A, C] : zip_equal(X, Y))
    Halves.push_back(sumOrExtreme(B, I.base(), Word == "s16x2", A, C));
  write(I.Operands[0], pack(Halves));
  return true;
}

bool Lifter::liftArithmetic(const ptx::Instruction &I) {
  std::optional<ptx::Type> T = I.type();
  if (T && T->K == ptx::Type::Kind::Packed)
    return liftPacked(I);
  if (!T || !T->isInteger() || T->Width == 128)
    return false;
  StringRef Base = I.base();
  if (Base == "mul" || Base == "mad")
    return liftMultiplication(I);
  if (Base == "mul24" || Base == "mad24")
    return liftMultiply24(I);
  if (Base == "div" || Base == "rem")
    return liftDivision(I);

  // BASE.TYPE and nothing between, so no .sat, .cc, .relu.
  ArrayRef<Operand> Operands = I.Operands;
  if (I.Words.size() != 2)
    return false;
  auto In = [&](unsigned Number) {
    return readInt(Operands[Number], T->Width);
  };
  auto Extreme = [&](StringRef Base, Value *X, Value *Y) {
    return sumOrExtreme(B, Base, T->isSigned(), X, Y);
  };
  Value *V = nullptr;
  if (Operands.size() == 3) {
    if (isSumOrExtreme(Base))
      V = Extreme(Base, In(1), In(2));
    else if (Base == "sub")
      V = B.CreateSub(In(1), In(2));
  } else if (Operands.size() == 2) {
    if (Base == "neg")
      V = B.CreateNeg(In(1));
    else if (Base == "abs" && T->isSigned())
      V = B.CreateBinaryIntrinsic(Intrinsic::abs, In(1), B.getFalse());
  } else if (Operands.size() == 4 && Base == "sad") {
    // c + |a - b|
    Value *X = In(1), *Y = In(2);
    V = B.CreateAdd(B.CreateSub(Extreme("max", X, Y), Extreme("min", X, Y)),
                    In(3));
  }
  if (!V)
    return false;
  write(Operands[0], V);
  return true;
}

static Intrinsic::ID highHalf(const ptx::Type &T) {
  switch (T.Width) {
  case 16:
    return T.isSigned() ? Intrinsic::nvvm_mulhi_s : Intrinsic::nvvm_mulhi_us;
  case 32:
    return T.isSigned() ? Intrinsic::nvvm_mulhi_i : Intrinsic::nvvm_mulhi_ui;
  case 64:
    return T.isSigned() ? Intrinsic::nvvm_mulhi_ll : Intrinsic::nvvm_mulhi_ull;
  }
  return Intrinsic::not_intrinsic;
}

/// mul and mad, .lo, .hi and .wide. The high half is an intrinsic, so that what
/// nothing recognises is printed as it was.
bool Lifter::liftMultiplication(const ptx::Instruction &I) {
  bool IsSum = I.base() == "mad";
  if (I.Words.size() != 3 || I.Operands.size() != (IsSum ? 4 : 3))
    return false;
  StringRef Part = I.Words[1];
  ptx::Type T = *I.type();
  Value *X = readInt(I.Operands[1], T.Width);
  Value *Y = readInt(I.Operands[2], T.Width);
  Value *V;
  if (Part == "lo") {
    V = B.CreateMul(X, Y);
  } else if (Part == "hi" && T.Width != 8) {
    V = B.CreateIntrinsic(X->getType(), highHalf(T), {X, Y});
  } else if (Part == "wide" && T.Width <= 32) {
    // A product of two words fits into twice their width.
    llvm::Type *Wide = intType(2 * T.Width);
    V = T.isSigned()
            ? B.CreateNSWMul(B.CreateSExt(X, Wide), B.CreateSExt(Y, Wide))
            : B.CreateNUWMul(B.CreateZExt(X, Wide), B.CreateZExt(Y, Wide));
  } else {
    return false;
  }
  if (IsSum)
    V = B.CreateAdd(V, read(I.Operands[3], V->getType()));
  write(I.Operands[0], V);
  return true;
}

/// Of the 48 bits of the product of the lowest 24 bits: .lo takes bits 0 to 31,
/// .hi bits 16 to 47.
bool Lifter::liftMultiply24(const ptx::Instruction &I) {
  bool IsSum = I.base() == "mad24";
  if (I.Words.size() != 3 || I.Operands.size() != (IsSum ? 4 : 3) ||
      I.type()->Width != 32 || (I.Words[1] != "lo" && I.Words[1] != "hi"))
    return false;
  auto Extended = [&](const Operand &O) {
    Value *Low = B.CreateTrunc(readInt(O, 32), intType(24));
    return I.type()->isSigned() ? B.CreateSExt(Low, intType(64))
                                : B.CreateZExt(Low, intType(64));
  };
  Value *V = B.CreateMul(Extended(I.Operands[1]), Extended(I.Operands[2]));
  if (I.Words[1] == "hi")
    V = B.CreateLShr(V, 16);
  V = B.CreateTrunc(V, intType(32));
  if (IsSum)
    V = B.CreateAdd(V, readInt(I.Operands[3], 32));
  write(I.Operands[0], V);
  return true;
}

/// A division by zero has some result in PTX, and is undefined in LLVM: where
/// the divisor may be 0, 1 stands in its place. (Not whatever the hardware
/// gives: all that LLVM concludes of the quotient has to be true.)
///
/// The lowest number by -1 is undefined in LLVM, too. PTX has no trap: the
/// quotient is the lowest number again, and the remainder 0, as by 1.
/// \c lower() prints this as the division that it was.
///
/// Guards stand beside their divisors (finish()), so that all divisions by one
/// size have one divisor.
Value *Lifter::guardedDivisor(Value *N, Value *D, bool IsSigned) {
  auto Note = [&](Value *Guard) {
    DivisorGuards.emplace_back(Guard);
    return Guard;
  };
  Value *One = ConstantInt::get(D->getType(), 1);
  auto *Constant = dyn_cast<ConstantInt>(D);
  bool MayBeZero = !Constant || Constant->isZero();
  if (!IsSigned)
    return MayBeZero ? Note(B.CreateBinaryIntrinsic(Intrinsic::umax, D, One))
                     : D;
  if (!MayBeZero && !Constant->isMinusOne())
    return D;
  Value *IsZero = Note(B.CreateIsNull(D));
  D = Note(B.CreateSelect(IsZero, One, D));
  unsigned Width = D->getType()->getIntegerBitWidth();
  Value *IsLowest = B.CreateICmpEQ(
      N, ConstantInt::get(Context, APInt::getSignedMinValue(Width)));
  Value *IsMinusOne =
      B.CreateICmpEQ(D, ConstantInt::getAllOnesValue(D->getType()));
  return B.CreateSelect(B.CreateAnd(IsLowest, IsMinusOne), One, D);
}

bool Lifter::liftDivision(const ptx::Instruction &I) {
  ptx::Type T = *I.type();
  if (I.Words.size() != 2 || I.Operands.size() != 3 || T.Width == 8 ||
      AsText.contains(&I))
    return false;
  Value *N = readInt(I.Operands[1], T.Width);
  Value *Plain = readInt(I.Operands[2], T.Width), *D = Plain;
  // What is not executed promises nothing. In the IR it is computed always, and
  // chosen where the predicate holds.
  bool MayBeBad = Division == BadDivision::Defined || Guard;
  if (MayBeBad)
    D = guardedDivisor(N, D, T.isSigned());
  Value *V;
  if (I.base() == "div")
    V = T.isSigned() ? B.CreateSDiv(N, D) : B.CreateUDiv(N, D);
  else
    V = T.isSigned() ? B.CreateSRem(N, D) : B.CreateURem(N, D);
  if (MayBeBad && !isa<Constant>(Plain))
    Guarded.push_back({&I, V, Plain});
  write(I.Operands[0], V);
  return true;
}
