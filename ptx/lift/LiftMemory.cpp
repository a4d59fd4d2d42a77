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
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

std::optional<unsigned> unravel::ptx::addressSpaceNamed(StringRef Word) {
  return StringSwitch<std::optional<unsigned>>(Word)
      .Case("global", NVPTXAS::ADDRESS_SPACE_GLOBAL)
      .Cases({"shared", "shared::cta"}, NVPTXAS::ADDRESS_SPACE_SHARED)
      .Case("const", NVPTXAS::ADDRESS_SPACE_CONST)
      .Case("local", NVPTXAS::ADDRESS_SPACE_LOCAL)
      .Default(std::nullopt);
}

std::optional<unsigned>
unravel::ptx::addressSpaceOf(const ptx::Instruction &I) {
  for (StringRef Word : ArrayRef(I.Words).drop_front()) {
    if (std::optional<unsigned> Space = addressSpaceNamed(Word))
      return Space;
    if (Word.starts_with("shared") || Word.starts_with("param"))
      return std::nullopt;
  }
  return NVPTXAS::ADDRESS_SPACE_GENERIC;
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
    Address = B.CreateIntToPtr(
        B.CreateZExtOrTrunc(valueOf(*S), intType(pointerWidth(Space))), Ptr);
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

std::optional<Lifter::Lanes> Lifter::lanesOf(const ptx::Instruction &I,
                                             const Operand &Registers) {
  bool IsVector = Registers.K == Operand::Kind::Vector;
  unsigned Count = numLanes(I);
  Lanes L;
  L.Parts = IsVector ? ArrayRef(Registers.Parts) : ArrayRef(Registers);
  if (L.Parts.size() != Count) {
    refuse("operand '" + Registers.Text + "'");
    return std::nullopt;
  }
  L.Lane = typeOf(*I.type());
  if (const Symbol *S = registerNamed(L.Parts.front());
      S && S->Ty->getPrimitiveSizeInBits() == L.Lane->getPrimitiveSizeInBits())
    L.Lane = S->Ty;
  L.All = Count == 1 ? L.Lane : FixedVectorType::get(L.Lane, Count);
  L.Alignment = Align(std::max(I.type()->Width / 8, 1u) * Count);
  return L;
}

void Lifter::liftLoad(const ptx::Instruction &I, Value *Address) {
  std::optional<Lanes> To = lanesOf(I, I.Operands[0]);
  if (!To)
    return;
  LoadInst *Load = B.CreateAlignedLoad(To->All, Address, To->Alignment);
  // What .nc and const memory hold does not change while a kernel runs.
  if (I.has("nc") || I.has("const"))
    Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Context, {}));
  Value *V = Load;
  // An array that nothing was stored to has some values, not undef. LLVM knows
  // nothing of what other memory held.
  if (I.has("local") ||
      (HasLocalArrays && addressSpaceOf(I) == NVPTXAS::ADDRESS_SPACE_GENERIC))
    V = B.CreateFreeze(V);
  else
    Load->setMetadata(LLVMContext::MD_noundef, MDNode::get(Context, {}));
  bool IsVector = To->All != To->Lane;
  for (auto [Number, Part] : enumerate(To->Parts))
    write(Part, IsVector ? B.CreateExtractElement(V, Number) : V,
          I.type()->isSigned());
}

void Lifter::liftStore(const ptx::Instruction &I, Value *Address) {
  std::optional<Lanes> From = lanesOf(I, I.Operands[1]);
  if (!From)
    return;
  Value *V = PoisonValue::get(From->All);
  bool IsVector = From->All != From->Lane;
  for (auto [Number, Part] : enumerate(From->Parts)) {
    Value *Lane = read(Part, From->Lane);
    V = IsVector ? B.CreateInsertElement(V, Lane, Number) : Lane;
  }
  B.CreateAlignedStore(V, Address, From->Alignment);
}

bool Lifter::liftParameterLoad(const ptx::Instruction &I) {
  const Operand &At = I.Operands[1];
  const Symbol *S = At.Name.empty() ? nullptr : lookUp(At.Name);
  if (At.K == Operand::Kind::Address && S && !Guard &&
      S->K == Symbol::Kind::Register) {
    // Of a structure; finish() looks where such addresses go.
    if (Value *Address = address(At, NVPTXAS::ADDRESS_SPACE_GENERIC))
      liftLoad(I, Address);
    return true;
  }
  if (At.K != Operand::Kind::Address || !S || S->K != Symbol::Kind::Parameter) {
    refuse("the address '" + At.Text + "' of a parameter");
    return true;
  }
  ptx::Type T = *I.type();
  llvm::Type *ArgumentType = S->V->getType();
  if (ArgumentType->isPointerTy() && ArgumentType->getPointerAddressSpace() ==
                                         NVPTXAS::ADDRESS_SPACE_GENERIC) {
    liftLoad(I, B.CreatePtrAdd(S->V, B.getInt64(At.Value)));
    return true;
  }
  Value *V =
      ArgumentType->isPointerTy() ? B.CreatePtrToInt(S->V, intType(64)) : S->V;
  write(I.Operands[0], V, T.isSigned());
  return true;
}
