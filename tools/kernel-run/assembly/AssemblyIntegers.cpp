//===- AssemblyIntegers.cpp - Integer arithmetic that is PTX text ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/assembly/AssemblyExpander.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace unravel;
using ptx::Operand;

/// `add.cc.u32`, `madc.hi.u64`: a sum, a product, or both, perhaps with the
/// carry of the instruction in front, and one for the next. In twice the width,
/// which holds all of them.
bool AssemblyExpander::expandSum(const Instruction &I, const ptx::Type &T) {
  StringRef Base = I.base();
  bool TakesCarry = is_contained({"addc", "subc", "madc"}, Base);
  if (TakesCarry)
    Base = Base.drop_back();
  bool IsProduct = Base == "mul" || Base == "mad", IsSub = Base == "sub";
  auto Has = [&](StringRef Word) { return is_contained(I.Words, Word); };
  bool IsHigh = Has("hi"), IsWide = Has("wide"), LeavesCarry = Has("cc");
  size_t Words = 2 + (IsHigh || IsWide || Has("lo")) + LeavesCarry;
  size_t Sources = Base == "mad" ? 3 : 2;
  if (I.Words.size() != Words || I.Operands.size() != Sources + 1 ||
      IsProduct != (IsHigh || IsWide || Has("lo")) ||
      // A guard would have to hold for the carry, too.
      ((TakesCarry || LeavesCarry) && (Guard || IsWide)) ||
      (TakesCarry && !Carry))
    return false;
  Type *Ty = B.getIntNTy(T.Width), *Twice = B.getIntNTy(2 * T.Width);
  auto Extended = [&](unsigned N, bool IsSigned) {
    return B.CreateIntCast(read(I.Operands[N], Ty), Twice, IsSigned);
  };
  Value *V = Extended(1, IsProduct && T.isSigned());
  if (IsProduct) {
    V = B.CreateMul(V, Extended(2, T.isSigned()));
    if (IsHigh)
      V = B.CreateLShr(V, T.Width);
    if (!IsWide)
      V = B.CreateZExt(B.CreateTrunc(V, Ty), Twice);
  }
  if (Base != "mul") {
    Value *Last = IsWide ? read(I.Operands[Sources], Twice)
                         : Extended(Sources, /*IsSigned=*/false);
    V = IsSub ? B.CreateSub(V, Last) : B.CreateAdd(V, Last);
  }
  if (TakesCarry)
    V = IsSub ? B.CreateSub(V, B.CreateZExt(Carry, Twice))
              : B.CreateAdd(V, B.CreateZExt(Carry, Twice));
  if (LeavesCarry)
    Carry = B.CreateTrunc(B.CreateLShr(V, T.Width), B.getInt1Ty());
  write(I.Operands[0], IsWide ? V : B.CreateTrunc(V, Ty));
  return true;
}

Intrinsic::ID AssemblyExpander::extremeNamed(StringRef Name, bool IsSigned) {
  return StringSwitch<Intrinsic::ID>(Name)
      .Case("min", IsSigned ? Intrinsic::smin : Intrinsic::umin)
      .Case("max", IsSigned ? Intrinsic::smax : Intrinsic::umax)
      .Default(Intrinsic::not_intrinsic);
}

/// Bits and shifts, and the smaller and the larger of two numbers.
bool AssemblyExpander::expandBits(const Instruction &I, const ptx::Type &T) {
  Type *Ty = B.getIntNTy(T.Width);
  StringRef Base = I.base();
  if (I.Words.size() != 2)
    return false;
  if (I.Operands.size() == 2 && (Base == "not" || Base == "neg")) {
    Value *V = read(I.Operands[1], Ty);
    write(I.Operands[0], Base == "not" ? B.CreateNot(V) : B.CreateNeg(V));
    return true;
  }
  if (I.Operands.size() != 3)
    return false;
  Value *V = read(I.Operands[1], Ty);
  if (Base == "shl" || Base == "shr") {
    // By a word; beyond the width, nothing is left but the sign.
    Value *By = read(I.Operands[2], B.getInt32Ty());
    Value *Fits = B.CreateICmpULT(By, B.getInt32(T.Width));
    bool KeepsSign = Base == "shr" && T.isSigned();
    By = B.CreateIntCast(B.CreateSelect(Fits, By, B.getInt32(T.Width - 1)), Ty,
                         /*isSigned=*/false);
    Value *Shifted = Base == "shl" ? B.CreateShl(V, By)
                     : KeepsSign   ? B.CreateAShr(V, By)
                                   : B.CreateLShr(V, By);
    write(I.Operands[0],
          KeepsSign ? Shifted
                    : B.CreateSelect(Fits, Shifted, ConstantInt::get(Ty, 0)));
    return true;
  }
  Value *Other = read(I.Operands[2], Ty);
  if (Intrinsic::ID ID = extremeNamed(Base, T.isSigned())) {
    write(I.Operands[0], B.CreateBinaryIntrinsic(ID, V, Other));
    return true;
  }
  auto Opcode = StringSwitch<unsigned>(Base)
                    .Case("and", llvm::Instruction::And)
                    .Case("or", llvm::Instruction::Or)
                    .Case("xor", llvm::Instruction::Xor)
                    .Default(0);
  if (!Opcode)
    return false;
  write(I.Operands[0],
        B.CreateBinOp(llvm::Instruction::BinaryOps(Opcode), V, Other));
  return true;
}

bool AssemblyExpander::expandInteger(const Instruction &I) {
  std::optional<ptx::Type> T = I.type();
  if (!T || !T->isInteger() || !is_contained({16u, 32u, 64u}, T->Width) ||
      I.Operands.size() < 2 || !I.Operands[0].isName() ||
      !all_of(ArrayRef(I.Operands).drop_front(),
              [&](const Operand &O) { return canRead(O); }))
    return false;
  bool IsSum = is_contained(
      {"add", "addc", "sub", "subc", "mul", "mad", "madc"}, I.base());
  return IsSum ? expandSum(I, *T) : expandBits(I, *T);
}
