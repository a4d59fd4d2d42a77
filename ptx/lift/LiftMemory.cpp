//===- LiftMemory.cpp - Plain loads and stores ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain means: of weak order and without hints for caches. All others stay
// text, and so do those with a guard, which LLVM would turn into branches.
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Lifter.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

std::optional<unsigned>
unravel::ptx::addressSpaceOf(const ptx::Instruction &I) {
  for (StringRef Word : ArrayRef(I.Words).drop_front()) {
    auto Space = StringSwitch<std::optional<unsigned>>(Word)
                     .Case("global", 1)
                     .Cases({"shared", "shared::cta"}, 3)
                     .Case("const", 4)
                     .Case("local", 5)
                     .Default(std::nullopt);
    if (Space)
      return Space;
    if (Word.starts_with("shared") || Word.starts_with("param"))
      return std::nullopt;
  }
  return 0;
}

/// 1, 2, 4 or 8.
static unsigned numLanes(const ptx::Instruction &I) {
  return I.has("v2") ? 2 : I.has("v4") ? 4 : I.has("v8") ? 8 : 1;
}

static bool isPlain(const ptx::Instruction &I) {
  for (StringRef Word : ArrayRef(I.Words).drop_front().drop_back())
    if (!is_contained({"weak", "global", "shared", "shared::cta", "const",
                       "local", "nc", "v2", "v4", "v8"},
                      Word))
      return false;
  return true;
}

bool Lifter::liftMemory(const ptx::Instruction &I) {
  bool IsLoad = I.base() == "ld", IsStore = I.base() == "st";
  if ((!IsLoad && !IsStore) || I.Operands.size() != 2 || !I.type())
    return false;
  if (IsLoad && I.Words.size() > 1 &&
      (I.Words[1] == "param" || I.Words[1] == "param::entry"))
    return liftParameterLoad(I);
  std::optional<unsigned> Space = addressSpaceOf(I);
  if (Guard || !Space || !isPlain(I) || I.type()->Width == 128)
    return false;
  const Operand &At = I.Operands[IsLoad ? 1 : 0];
  if (At.K != Operand::Kind::Address)
    return false;
  Value *Address = address(At, *Space);
  if (isRefused())
    return true;
  if (IsLoad)
    liftLoad(I, Address);
  else
    liftStore(I, Address);
  return true;
}

/// `[register+offset]`, `[variable+offset]`
Value *Lifter::address(const Operand &O, unsigned Space) {
  PointerType *Ptr = PointerType::get(Context, Space);
  Value *Address = nullptr;
  const Symbol *S = O.Name.empty() ? nullptr : lookUp(O.Name);
  if (S && S->K == Symbol::Kind::Register && S->Ty->isIntegerTy() &&
      S->Ty->getPrimitiveSizeInBits() >= 32)
    Address =
        B.CreateIntToPtr(B.CreateZExtOrTrunc(B.CreateLoad(S->Ty, S->V),
                                             intType(pointerWidth(Space))),
                         Ptr);
  else if (S && S->V &&
           (S->K == Symbol::Kind::Global || S->K == Symbol::Kind::Local) &&
           S->V->getType() == Ptr)
    Address = S->V;
  if (!Address) {
    refuse("address '" + O.Text + "'");
    return nullptr;
  }
  return O.Value ? B.CreatePtrAdd(Address, offset(O, Space)) : Address;
}

/// The type of a lane in memory: as the register is declared, where that has as
/// many bits.
static llvm::Type *laneType(const Symbol *S, llvm::Type *Stated) {
  bool Fits =
      S && S->Ty->getPrimitiveSizeInBits() == Stated->getPrimitiveSizeInBits();
  return Fits ? S->Ty : Stated;
}

void Lifter::liftLoad(const ptx::Instruction &I, Value *Address) {
  ptx::Type T = *I.type();
  unsigned Lanes = numLanes(I);
  const Operand &To = I.Operands[0];
  bool IsVector = To.K == Operand::Kind::Vector;
  ArrayRef<Operand> Parts = IsVector ? ArrayRef(To.Parts) : ArrayRef(To);
  if (Parts.size() != Lanes)
    return refuse("destination '" + To.Text + "'");
  llvm::Type *Lane = laneType(registerNamed(Parts.front()), typeOf(T));
  llvm::Type *Ty =
      Lanes == 1 ? Lane
                 : static_cast<llvm::Type *>(FixedVectorType::get(Lane, Lanes));
  LoadInst *Load = B.CreateAlignedLoad(
      Ty, Address, Align(std::max(T.Width / 8, 1u) * Lanes));
  // What .nc and const memory hold does not change while a kernel runs.
  if (I.has("nc") || I.has("const"))
    Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Context, {}));
  Value *V = Load;
  // An array that nothing was stored to has some values, not undef.
  if (I.has("local"))
    V = B.CreateFreeze(V);
  for (auto [Number, Part] : enumerate(Parts))
    write(Part, Lanes == 1 ? V : B.CreateExtractElement(V, Number),
          T.isSigned());
}

void Lifter::liftStore(const ptx::Instruction &I, Value *Address) {
  ptx::Type T = *I.type();
  unsigned Lanes = numLanes(I);
  const Operand &From = I.Operands[1];
  bool IsVector = From.K == Operand::Kind::Vector;
  ArrayRef<Operand> Parts = IsVector ? ArrayRef(From.Parts) : ArrayRef(From);
  if (Parts.size() != Lanes)
    return refuse("value '" + From.Text + "'");
  llvm::Type *Lane = laneType(registerNamed(Parts.front()), typeOf(T));
  Value *V;
  if (Lanes == 1) {
    V = read(Parts.front(), Lane);
  } else {
    V = PoisonValue::get(FixedVectorType::get(Lane, Lanes));
    for (auto [Number, Part] : enumerate(Parts))
      V = B.CreateInsertElement(V, read(Part, Lane), Number);
  }
  B.CreateAlignedStore(V, Address, Align(std::max(T.Width / 8, 1u) * Lanes));
}

bool Lifter::liftParameterLoad(const ptx::Instruction &I) {
  const Operand &At = I.Operands[1];
  const Symbol *S = At.Name.empty() ? nullptr : lookUp(At.Name);
  if (At.K != Operand::Kind::Address || !S || S->K != Symbol::Kind::Parameter) {
    refuse("the address '" + At.Text + "' of a parameter");
    return true;
  }
  ptx::Type T = *I.type();
  llvm::Type *ArgumentType = S->V->getType();
  if (ArgumentType->isPointerTy() &&
      ArgumentType->getPointerAddressSpace() == 0) {
    liftLoad(I, B.CreatePtrAdd(S->V, B.getInt64(At.Value)));
    return true;
  }
  Value *V =
      ArgumentType->isPointerTy() ? B.CreatePtrToInt(S->V, intType(64)) : S->V;
  write(I.Operands[0], V, T.isSigned());
  return true;
}
