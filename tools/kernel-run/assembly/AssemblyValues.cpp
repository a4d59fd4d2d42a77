//===- AssemblyValues.cpp - Values that are PTX text ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/assembly/AssemblyExpander.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace unravel;
using ptx::Operand;

/// `mov.b64 d, {lo, hi}` and `mov.b64 {lo, hi}, d`.
bool AssemblyExpander::expandPack(const Instruction &I, unsigned Width) {
  const Operand &To = I.Operands[0], &From = I.Operands[1];
  bool Packs = From.K == Operand::Kind::Vector;
  ArrayRef<Operand> Parts = Packs ? From.Parts : To.Parts;
  if (Packs == (To.K == Operand::Kind::Vector) || Parts.empty() ||
      Width % Parts.size() != 0 ||
      !(Packs ? To.isName() &&
                    all_of(Parts, [&](const Operand &O) { return canRead(O); })
              : canRead(From)))
    return false;
  Type *Whole = B.getIntNTy(Width), *Part = B.getIntNTy(Width / Parts.size());
  Value *V = Packs ? ConstantInt::get(Whole, 0) : read(From, Whole);
  for (auto [Number, O] : enumerate(Parts)) {
    uint64_t Place = Number * (Width / Parts.size());
    if (Packs)
      V = B.CreateOr(V, B.CreateShl(B.CreateZExt(read(O, Part), Whole), Place));
    else
      write(O, B.CreateTrunc(B.CreateLShr(V, Place), Part));
  }
  if (Packs)
    write(To, V);
  return true;
}

/// mov and selp.
bool AssemblyExpander::expandMove(const Instruction &I) {
  std::optional<ptx::Type> T = I.type();
  if (!T || T->Width > 64)
    return false;
  if (I.base() == "mov" && I.Operands.size() == 2 && !T->isFloat() &&
      expandPack(I, T->Width))
    return true;
  Type *Ty = typeOf(*T);
  if (I.base() == "mov" && I.Operands.size() == 2 && I.Operands[0].isName() &&
      canRead(I.Operands[1])) {
    write(I.Operands[0], read(I.Operands[1], Ty));
    return true;
  }
  if (I.base() == "selp" && I.Operands.size() == 4 && canRead(I.Operands[1]) &&
      canRead(I.Operands[2]) && canRead(I.Operands[3])) {
    Value *First = read(I.Operands[1], Ty), *Second = read(I.Operands[2], Ty);
    write(I.Operands[0],
          B.CreateSelect(readPredicate(I.Operands[3]), First, Second));
    return true;
  }
  return false;
}

/// For floating point; and of integers those that are no order of unsigned
/// numbers.
static CmpInst::Predicate comparisonNamed(StringRef Name, const ptx::Type &T) {
  using P = CmpInst::Predicate;
  if (T.isFloat())
    return StringSwitch<P>(Name)
        .Case("eq", P::FCMP_OEQ)
        .Case("ne", P::FCMP_ONE)
        .Case("lt", P::FCMP_OLT)
        .Case("le", P::FCMP_OLE)
        .Case("gt", P::FCMP_OGT)
        .Case("ge", P::FCMP_OGE)
        .Case("equ", P::FCMP_UEQ)
        .Case("neu", P::FCMP_UNE)
        .Case("ltu", P::FCMP_ULT)
        .Case("leu", P::FCMP_ULE)
        .Case("gtu", P::FCMP_UGT)
        .Case("geu", P::FCMP_UGE)
        .Case("num", P::FCMP_ORD)
        .Case("nan", P::FCMP_UNO)
        .Default(P::BAD_FCMP_PREDICATE);
  bool S = T.isSigned();
  return StringSwitch<P>(Name)
      .Case("eq", P::ICMP_EQ)
      .Case("ne", P::ICMP_NE)
      .Case("lt", S ? P::ICMP_SLT : P::ICMP_ULT)
      .Case("le", S ? P::ICMP_SLE : P::ICMP_ULE)
      .Case("gt", S ? P::ICMP_SGT : P::ICMP_UGT)
      .Case("ge", S ? P::ICMP_SGE : P::ICMP_UGE)
      .Case("lo", P::ICMP_ULT)
      .Case("ls", P::ICMP_ULE)
      .Case("hi", P::ICMP_UGT)
      .Case("hs", P::ICMP_UGE)
      .Default(P::BAD_ICMP_PREDICATE);
}

/// setp.CMP{.and|or|xor}{.ftz}.TYPE p{|q}, a, b{, c}
bool AssemblyExpander::expandCompare(const Instruction &I) {
  std::optional<ptx::Type> T = I.type();
  if (I.base() != "setp" || !T || !(T->isInteger() || T->isFloat()) ||
      I.Words.size() < 3 || I.Operands.size() < 3 || !canRead(I.Operands[1]) ||
      !canRead(I.Operands[2]))
    return false;
  CmpInst::Predicate P = comparisonNamed(I.Words[1], *T);
  bool HasThird = I.Operands.size() == 4;
  StringRef Merge = HasThird ? I.Words[2] : "";
  if (P == CmpInst::BAD_FCMP_PREDICATE || P == CmpInst::BAD_ICMP_PREDICATE ||
      (HasThird && (!canRead(I.Operands[3]) ||
                    (Merge != "and" && Merge != "or" && Merge != "xor"))))
    return false;
  Type *Ty = typeOf(*T);
  Value *Is = B.CreateCmp(P, read(I.Operands[1], Ty), read(I.Operands[2], Ty));
  auto Merged = [&](Value *V) -> Value * {
    if (!HasThird)
      return V;
    Value *C = readPredicate(I.Operands[3]);
    return Merge == "and"  ? B.CreateAnd(V, C)
           : Merge == "or" ? B.CreateOr(V, C)
                           : B.CreateXor(V, C);
  };
  Value *First = Merged(Is), *Second = Merged(B.CreateNot(Is));
  const Operand &To = I.Operands[0];
  if (To.K != Operand::Kind::Pair) {
    write(To, First);
    return true;
  }
  write(To.Parts[0], First);
  write(To.Parts[1], Second);
  return true;
}

/// cvt between integers and floating point, to whole numbers, and to tf32.
bool AssemblyExpander::expandConversion(const Instruction &I) {
  if (I.base() != "cvt" || I.Words.size() < 3 || I.Operands.size() != 2 ||
      !I.Operands[0].isName() || !canRead(I.Operands[1]))
    return false;
  if (I.Opcode == "cvt.rna.tf32.f32") {
    // Ten bits of the fraction, halves away from zero; NaN and infinity stay.
    Value *X = read(I.Operands[1], B.getInt32Ty());
    Value *Rounded = B.CreateAnd(B.CreateAdd(X, B.getInt32(1 << 12)),
                                 B.getInt32(~((1u << 13) - 1)));
    Value *Exponent = B.CreateAnd(X, B.getInt32(0x7F800000));
    Value *IsFinite = B.CreateICmpNE(Exponent, B.getInt32(0x7F800000));
    write(I.Operands[0], B.CreateSelect(IsFinite, Rounded, X));
    return true;
  }
  std::optional<ptx::Type> From = I.type(),
                           To = ptx::parseType(I.Words[I.Words.size() - 2]);
  if (!From || !To)
    return false;
  Intrinsic::ID Whole = Intrinsic::not_intrinsic;
  bool Saturates = false;
  for (StringRef Word : ArrayRef(I.Words).drop_front().drop_back(2)) {
    auto ID = StringSwitch<Intrinsic::ID>(Word)
                  .Case("rni", Intrinsic::roundeven)
                  .Case("rzi", Intrinsic::trunc)
                  .Case("rmi", Intrinsic::floor)
                  .Case("rpi", Intrinsic::ceil)
                  .Default(Intrinsic::not_intrinsic);
    if (ID)
      Whole = ID;
    else if (Word == "sat")
      Saturates = true;
    else if (Word != "rn" && Word != "rz" && Word != "rm" && Word != "rp" &&
             Word != "ftz")
      return false;
  }
  Type *FromTy = typeOf(*From), *ToTy = typeOf(*To);
  if (Saturates && From->isFloat() && To->isFloat()) {
    // NaN becomes 0.
    Value *V = B.CreateFPCast(read(I.Operands[1], FromTy), ToTy);
    if (Whole)
      V = B.CreateUnaryIntrinsic(Whole, V);
    V = B.CreateBinaryIntrinsic(Intrinsic::maxnum, V, ConstantFP::get(ToTy, 0));
    write(I.Operands[0], B.CreateBinaryIntrinsic(Intrinsic::minnum, V,
                                                 ConstantFP::get(ToTy, 1)));
    return true;
  }
  if (Saturates)
    return false;
  if (From->isInteger() && To->isFloat()) {
    Value *V = read(I.Operands[1], FromTy);
    write(I.Operands[0],
          From->isSigned() ? B.CreateSIToFP(V, ToTy) : B.CreateUIToFP(V, ToTy));
    return true;
  }
  if (!From->isFloat() || !Whole || !(To->isInteger() || To->isFloat()))
    return false;
  Value *V = B.CreateUnaryIntrinsic(Whole, read(I.Operands[1], FromTy));
  if (To->isFloat())
    V = B.CreateFPCast(V, ToTy);
  else
    V = B.CreateIntrinsic(To->isSigned() ? Intrinsic::fptosi_sat
                                         : Intrinsic::fptoui_sat,
                          {ToTy, FromTy}, {V});
  write(I.Operands[0], V, To->isSigned());
  return true;
}

/// Two lanes of 16 bits.
bool AssemblyExpander::expandPacked(const Instruction &I) {
  bool IsSigned = I.Words.back() == "s16x2";
  if ((!IsSigned && I.Words.back() != "u16x2") || I.Words.size() != 2 ||
      I.Operands.size() != 3 || !canRead(I.Operands[1]) ||
      !canRead(I.Operands[2]))
    return false;
  Intrinsic::ID ID = extremeNamed(I.base(), IsSigned);
  if (!ID && I.base() != "add")
    return false;
  Type *Lanes = FixedVectorType::get(B.getInt16Ty(), 2);
  Value *First = B.CreateBitCast(read(I.Operands[1], B.getInt32Ty()), Lanes);
  Value *Second = B.CreateBitCast(read(I.Operands[2], B.getInt32Ty()), Lanes);
  Value *V = ID ? B.CreateBinaryIntrinsic(ID, First, Second)
                : B.CreateAdd(First, Second);
  write(I.Operands[0], B.CreateBitCast(V, B.getInt32Ty()));
  return true;
}
