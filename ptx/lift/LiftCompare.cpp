//===- LiftCompare.cpp - Comparisons and selections -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Lifter.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

/// Nothing for a word that does not compare such types.
static std::optional<CmpInst::Predicate> comparison(StringRef Word,
                                                    const ptx::Type &T) {
  using Result = std::optional<CmpInst::Predicate>;
  if (T.isFloat())
    return StringSwitch<Result>(Word)
        .Case("eq", CmpInst::FCMP_OEQ)
        .Case("ne", CmpInst::FCMP_ONE)
        .Case("lt", CmpInst::FCMP_OLT)
        .Case("le", CmpInst::FCMP_OLE)
        .Case("gt", CmpInst::FCMP_OGT)
        .Case("ge", CmpInst::FCMP_OGE)
        .Case("equ", CmpInst::FCMP_UEQ)
        .Case("neu", CmpInst::FCMP_UNE)
        .Case("ltu", CmpInst::FCMP_ULT)
        .Case("leu", CmpInst::FCMP_ULE)
        .Case("gtu", CmpInst::FCMP_UGT)
        .Case("geu", CmpInst::FCMP_UGE)
        .Case("num", CmpInst::FCMP_ORD)
        .Case("nan", CmpInst::FCMP_UNO)
        .Default(std::nullopt);
  if (!T.isInteger())
    return std::nullopt;
  bool S = T.isSigned();
  return StringSwitch<Result>(Word)
      .Case("eq", CmpInst::ICMP_EQ)
      .Case("ne", CmpInst::ICMP_NE)
      .Case("lt", S ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
      .Case("le", S ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
      .Case("gt", S ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
      .Case("ge", S ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
      .Case("lo", CmpInst::ICMP_ULT)
      .Case("ls", CmpInst::ICMP_ULE)
      .Case("hi", CmpInst::ICMP_UGT)
      .Case("hs", CmpInst::ICMP_UGE)
      .Default(std::nullopt);
}

bool Lifter::liftCompare(const ptx::Instruction &I) {
  std::optional<ptx::Type> T = I.type();
  ArrayRef<Operand> Operands = I.Operands;
  if (I.base() == "setp")
    return liftSetPredicate(I);
  if (I.base() == "selp" && T && I.Words.size() == 2 && Operands.size() == 4) {
    llvm::Type *Ty = typeOf(*T);
    // What a register is declared as saves conversions.
    if (const Symbol *S = registerNamed(Operands[0]);
        S && S->Ty->getPrimitiveSizeInBits() == T->Width)
      Ty = S->Ty;
    Value *X = read(Operands[1], Ty), *Y = read(Operands[2], Ty);
    Value *Chosen = B.CreateSelect(readPredicate(Operands[3]), X, Y);
    if (auto *Select = dyn_cast<SelectInst>(Chosen); Select && T->isFloat())
      Select->setMetadata(ChoosesFloats, MDNode::get(Context, {}));
    write(Operands[0], Chosen);
    return true;
  }
  if (I.base() == "slct" && I.Words.size() == 3 && I.Words[2] == "s32" &&
      Operands.size() == 4) {
    std::optional<ptx::Type> Moved = parseType(I.Words[1]);
    if (!Moved)
      return false;
    llvm::Type *Ty = typeOf(*Moved);
    Value *X = read(Operands[1], Ty), *Y = read(Operands[2], Ty);
    Value *IsX = B.CreateICmpSGE(readInt(Operands[3], 32), B.getInt32(0));
    write(Operands[0], B.CreateSelect(IsX, X, Y));
    return true;
  }
  if (I.base() == "set" && I.Words.size() == 4 && Operands.size() == 3 &&
      (I.Words[2] == "u32" || I.Words[2] == "s32")) {
    std::optional<CmpInst::Predicate> P =
        T ? comparison(I.Words[1], *T) : std::nullopt;
    if (!P)
      return false;
    llvm::Type *Ty = typeOf(*T);
    Value *X = read(Operands[1], Ty), *Y = read(Operands[2], Ty);
    write(Operands[0], B.CreateSExt(B.CreateCmp(*P, X, Y), intType(32)));
    return true;
  }
  return false;
}

/// setp.CMP.TYPE p[|q], a, b and setp.CMP.BOOL.TYPE p[|q], a, b, [!]c: q is
/// BOOL of the opposite comparison and c.
bool Lifter::liftSetPredicate(const ptx::Instruction &I) {
  std::optional<ptx::Type> T = I.type();
  bool HasThird = I.Words.size() == 4;
  if (!T || (I.Words.size() != 3 && !HasThird) ||
      I.Operands.size() != (HasThird ? 4 : 3))
    return false;
  std::optional<CmpInst::Predicate> P = comparison(I.Words[1], *T);
  StringRef Bool = HasThird ? I.Words[2] : "";
  if (!P || (HasThird && Bool != "and" && Bool != "or" && Bool != "xor"))
    return false; // .ftz
  const Operand &To = I.Operands[0];
  llvm::Type *Ty = typeOf(*T);
  Value *X = read(I.Operands[1], Ty), *Y = read(I.Operands[2], Ty);
  Value *Is = B.CreateCmp(*P, X, Y);
  Value *Third = HasThird ? readPredicate(I.Operands[3]) : nullptr;
  auto Combined = [&](Value *V) {
    return !Third          ? V
           : Bool == "and" ? B.CreateAnd(V, Third)
           : Bool == "or"  ? B.CreateOr(V, Third)
                           : B.CreateXor(V, Third);
  };
  if (To.K != Operand::Kind::Pair) {
    write(To, Combined(Is));
    return true;
  }
  Value *Opposite = Combined(B.CreateNot(Is));
  write(To.Parts[0], Combined(Is));
  write(To.Parts[1], Opposite);
  return true;
}
