//===- LiftMove.cpp - Moves and conversions -------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Lifter.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

bool Lifter::liftMove(const ptx::Instruction &I) {
  if (I.base() == "cvt")
    return liftConversion(I);
  if (I.base() == "cvta")
    return liftAddressConversion(I);
  std::optional<ptx::Type> T = I.type();
  if (I.base() != "mov" || I.Words.size() != 2 || !T || I.Operands.size() != 2)
    return false;
  const Operand &To = I.Operands[0], &From = I.Operands[1];
  if (From.K == Operand::Kind::Vector)
    return liftPack(I);
  if (To.K == Operand::Kind::Vector)
    return liftUnpack(I);
  // %clock and the like stay text.
  if (From.isName() && isSpecialRegister(From.Name) && !lookUp(From.Name) &&
      !specialRegister(From.Name))
    return false;
  llvm::Type *Ty = typeOf(*T);
  if (const Symbol *S = registerNamed(To);
      S && S->Ty->getPrimitiveSizeInBits() == T->Width)
    Ty = S->Ty;
  // The address of a variable is a number.
  if (From.K == Operand::Kind::Name && !registerNamed(From))
    Ty = intType(T->Width);
  write(To, read(From, Ty));
  return true;
}

Value *Lifter::pack(ArrayRef<Value *> Parts) {
  unsigned PartWidth = Parts.front()->getType()->getIntegerBitWidth();
  unsigned Width = PartWidth * Parts.size();
  Value *V = nullptr;
  for (auto [Number, Part] : enumerate(Parts)) {
    Value *Bits = B.CreateZExt(Part, intType(Width));
    V = V ? B.CreateOr(V, B.CreateShl(Bits, Number * PartWidth)) : Bits;
  }
  PartsOf[V].assign(Parts.begin(), Parts.end());
  return V;
}

SmallVector<Value *, 2> Lifter::unpack(Value *V, unsigned Count) {
  if (auto It = PartsOf.find(V); It != PartsOf.end())
    if (It->second.size() == Count)
      return It->second;
  unsigned PartWidth = V->getType()->getIntegerBitWidth() / Count;
  SmallVector<Value *, 2> Parts;
  for (unsigned Number = 0; Number < Count; ++Number)
    Parts.push_back(
        B.CreateTrunc(B.CreateLShr(V, Number * PartWidth), intType(PartWidth)));
  return Parts;
}

/// mov.b64 d, {lo, hi}.
bool Lifter::liftPack(const ptx::Instruction &I) {
  ArrayRef<Operand> Parts = I.Operands[1].Parts;
  unsigned Width = I.type()->Width;
  if (Parts.empty() || Width % Parts.size() != 0)
    return false;
  SmallVector<Value *, 4> Values;
  for (const Operand &Part : Parts)
    Values.push_back(readInt(Part, Width / Parts.size()));
  write(I.Operands[0], pack(Values));
  return true;
}

bool Lifter::liftUnpack(const ptx::Instruction &I) {
  ArrayRef<Operand> Parts = I.Operands[0].Parts;
  unsigned Width = I.type()->Width;
  if (Parts.empty() || Width % Parts.size() != 0)
    return false;
  Value *V = readInt(I.Operands[1], Width);
  for (auto [Part, Bits] : zip_equal(Parts, unpack(V, Parts.size())))
    write(Part, Bits);
  return true;
}

/// Between integers, without saturation. The source's type says how it is
/// extended, the destination's how a wider register is filled.
bool Lifter::liftConversion(const ptx::Instruction &I) {
  if (I.Words.size() != 3 || I.Operands.size() != 2)
    return false;
  std::optional<ptx::Type> To = parseType(I.Words[1]), From = I.type();
  if (!To || !From || !To->isInteger() || !From->isInteger() ||
      To->Width > 64 || From->Width > 64)
    return false;
  Value *V = readInt(I.Operands[1], From->Width);
  V = From->isSigned() ? B.CreateSExtOrTrunc(V, intType(To->Width))
                       : B.CreateZExtOrTrunc(V, intType(To->Width));
  write(I.Operands[0], V, To->isSigned());
  return true;
}

/// cvta.SPACE.u64 makes a generic address, cvta.to.SPACE.u64 one of the space.
/// For global memory both are the same number.
bool Lifter::liftAddressConversion(const ptx::Instruction &I) {
  constexpr unsigned Generic = NVPTXAS::ADDRESS_SPACE_GENERIC;
  if (I.Opcode == "cvta.param.u64" && I.Operands.size() == 2) {
    // The address of a parameter is the generic one already; finish() looks
    // for the casts.
    Value *Address = B.CreateIntToPtr(readInt(I.Operands[1], 64),
                                      PointerType::get(Context, Generic));
    for (unsigned To : {unsigned(NVPTXAS::ADDRESS_SPACE_PARAM), Generic})
      Address = B.CreateAddrSpaceCast(Address, PointerType::get(Context, To));
    write(I.Operands[0], B.CreatePtrToInt(Address, intType(64)));
    return true;
  }
  std::optional<unsigned> Space = addressSpaceOf(I);
  if (I.Operands.size() != 2 || !Space || *Space == Generic || !I.type() ||
      I.type()->Width != 64)
    return false;
  bool IsToSpace = I.has("to");
  unsigned FromSpace = IsToSpace ? Generic : *Space;
  unsigned ToSpace = IsToSpace ? *Space : Generic;
  Value *V = readInt(I.Operands[1], 64);
  if (*Space == NVPTXAS::ADDRESS_SPACE_GLOBAL) {
    // Says that it is an address, for RaiseAddresses.
    if (IsToSpace && !isa<PtrToIntInst>(V))
      V = B.CreatePtrToInt(
          B.CreateIntToPtr(V, PointerType::get(Context, *Space)), intType(64));
  } else {
    V = B.CreateTrunc(V, intType(pointerWidth(FromSpace)));
    V = B.CreateIntToPtr(V, PointerType::get(Context, FromSpace));
    V = B.CreateAddrSpaceCast(V, PointerType::get(Context, ToSpace));
    V = B.CreatePtrToInt(V, intType(pointerWidth(ToSpace)));
    V = B.CreateZExt(V, intType(64));
  }
  write(I.Operands[0], V);
  return true;
}
