//===- AssemblyMemory.cpp - Accesses that are PTX text --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/assembly/AssemblyExpander.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace unravel;
using ptx::Operand;

/// Words that say how caches treat an access, and how it is ordered: here, one
/// access happens after the other, and there are no caches.
static bool isHint(StringRef Word) {
  static constexpr StringRef Words[] = {
      "nc",      "ca",  "cg",      "cs",      "cv",      "lu",
      "wb",      "wt",  "weak",    "relaxed", "acquire", "release",
      "acq_rel", "cta", "cluster", "gpu",     "sys",     "volatile"};
  return is_contained(Words, Word) || Word.starts_with("L1::") ||
         Word.starts_with("L2::");
}

static std::optional<unsigned> spaceNamed(StringRef Word) {
  return StringSwitch<std::optional<unsigned>>(Word)
      .Case("global", 1)
      .Cases({"shared", "shared::cta"}, 3)
      .Case("const", 4)
      .Case("local", 5)
      .Default(std::nullopt);
}

/// 1 for a scalar; 0 if \p Word is no number of lanes.
static unsigned lanesNamed(StringRef Word) {
  return StringSwitch<unsigned>(Word)
      .Case("v2", 2)
      .Case("v4", 4)
      .Case("v8", 8)
      .Default(0);
}

bool AssemblyExpander::isAddress(const Operand &O) const {
  return O.K == Operand::Kind::Address && !O.Name.empty() &&
         Types.contains(O.Name);
}

Value *AssemblyExpander::address(const Operand &O, const Instruction &I) {
  unsigned Space = 0;
  for (StringRef Word : I.Words)
    if (std::optional<unsigned> Named = spaceNamed(Word))
      Space = *Named;
  Value *Base = Values.lookup(O.Name);
  if (!Base->getType()->isPointerTy())
    Base = convert(Base, PointerType::get(Context, Space));
  return O.Value ? B.CreateGEP(B.getInt8Ty(), Base, B.getInt64(O.Value)) : Base;
}

void AssemblyExpander::enterGuard() {
  if (!Guard)
    return;
  Before = Call.getParent();
  B.SetInsertPoint(
      SplitBlockAndInsertIfThen(Guard, &Call, /*Unreachable=*/false));
  // (Splitting moves the call: what is emitted behind stands in front of it.)
  Before = B.GetInsertBlock()->getSinglePredecessor();
}

void AssemblyExpander::leaveGuard(ArrayRef<Operand> Written,
                                  ArrayRef<Value *> NewValues, bool IsSigned) {
  if (!Guard) {
    for (auto [O, V] : zip_equal(Written, NewValues))
      write(O, V, IsSigned);
    return;
  }
  SmallVector<Value *, 8> Converted;
  for (auto [O, V] : zip_equal(Written, NewValues)) {
    Type *Ty = Types.lookup(O.Name);
    Converted.push_back(convert(V, Ty ? Ty : V->getType(), IsSigned));
  }
  BasicBlock *Guarded = B.GetInsertBlock();
  B.SetInsertPoint(Call.getParent(), Call.getParent()->begin());
  SmallVector<PHINode *, 8> Merged;
  for (Value *V : Converted) {
    Merged.push_back(B.CreatePHI(V->getType(), 2));
    Merged.back()->addIncoming(V, Guarded);
  }
  B.SetInsertPoint(&Call);
  for (auto [O, Phi] : zip_equal(Written, Merged)) {
    Value *Old = Values.lookup(O.Name);
    Phi->addIncoming(Old ? Old : Constant::getNullValue(Phi->getType()),
                     Before);
    if (O.Name == "_")
      continue;
    Values[O.Name] = Phi;
    Types[O.Name] = Phi->getType();
  }
}

namespace {
/// What a load or store moves.
struct Access {
  unsigned Lanes = 1;
  ptx::Type Lane;
  bool IsVolatile = false;
};
} // namespace

/// ld.SPACE.HINTS.vN.TYPE
static std::optional<Access> accessOf(const ptx::Instruction &I) {
  std::optional<ptx::Type> Lane = I.type();
  if (!Lane || Lane->Width < 8 || Lane->Width > 64)
    return std::nullopt;
  Access A{1, *Lane};
  for (StringRef Word : ArrayRef(I.Words).drop_front().drop_back()) {
    if (unsigned Lanes = lanesNamed(Word))
      A.Lanes = Lanes;
    else if (!isHint(Word) && !spaceNamed(Word))
      return std::nullopt;
    A.IsVolatile |= Word == "volatile";
  }
  return A;
}

/// The registers that \p O names, one for each lane.
static std::optional<ArrayRef<Operand>> lanesOf(const Operand &O,
                                                unsigned Lanes) {
  ArrayRef<Operand> Parts =
      O.K == Operand::Kind::Vector ? ArrayRef(O.Parts) : ArrayRef(O);
  if (Parts.size() != Lanes)
    return std::nullopt;
  return Parts;
}

bool AssemblyExpander::expandLoad(const Instruction &I) {
  std::optional<Access> A = accessOf(I);
  if (!A || I.Operands.size() < 2 || !isAddress(I.Operands[1]))
    return false;
  auto Lanes = lanesOf(I.Operands[0], A->Lanes);
  if (!Lanes || !all_of(*Lanes, [&](const Operand &O) {
        return O.Name == "_" || Types.contains(O.Name);
      }))
    return false;
  enterGuard();
  Type *Lane = B.getIntNTy(A->Lane.Width);
  Type *All =
      A->Lanes == 1 ? Lane : cast<Type>(FixedVectorType::get(Lane, A->Lanes));
  Value *V =
      B.CreateAlignedLoad(All, address(I.Operands[1], I),
                          Align(A->Lanes * A->Lane.Width / 8), A->IsVolatile);
  SmallVector<Value *, 8> Loaded{V};
  if (A->Lanes > 1) {
    Loaded.clear();
    for (unsigned L = 0; L != A->Lanes; ++L)
      Loaded.push_back(B.CreateExtractElement(V, L));
  }
  leaveGuard(*Lanes, Loaded, A->Lane.isSigned());
  return true;
}

bool AssemblyExpander::expandStore(const Instruction &I) {
  std::optional<Access> A = accessOf(I);
  if (!A || I.Operands.size() < 2 || !isAddress(I.Operands[0]))
    return false;
  auto Lanes = lanesOf(I.Operands[1], A->Lanes);
  if (!Lanes || !all_of(*Lanes, [&](const Operand &O) { return canRead(O); }))
    return false;
  enterGuard();
  Type *Lane = B.getIntNTy(A->Lane.Width);
  Value *V = read(Lanes->front(), Lane);
  if (A->Lanes > 1) {
    Value *All = PoisonValue::get(FixedVectorType::get(Lane, A->Lanes));
    for (auto [L, O] : enumerate(*Lanes))
      All = B.CreateInsertElement(All, read(O, Lane), L);
    V = All;
  }
  B.CreateAlignedStore(V, address(I.Operands[0], I),
                       Align(A->Lanes * A->Lane.Width / 8), A->IsVolatile);
  leaveGuard({}, {}, false);
  return true;
}

/// atom.HINTS.SPACE.OP.TYPE d, [a], b{, c}; red without d.
bool AssemblyExpander::expandAtomic(const Instruction &I) {
  std::optional<ptx::Type> T = I.type();
  bool HasResult = I.base() == "atom";
  StringRef Name;
  for (StringRef Word : ArrayRef(I.Words).drop_front().drop_back())
    if (!isHint(Word) && !spaceNamed(Word)) {
      if (!Name.empty())
        return false;
      Name = Word;
    }
  ArrayRef<Operand> Operands = I.Operands;
  if (HasResult && !Operands.empty())
    Operands = Operands.drop_front();
  if (!T || !(T->isInteger() || T->isFloat()) || T->Width < 32 ||
      Operands.size() != (Name == "cas" ? 3 : 2) || !isAddress(Operands[0]) ||
      !all_of(
          Operands.drop_front(), [&](const Operand &O) { return canRead(O); }))
    return false;
  using RMW = AtomicRMWInst;
  auto Operation = StringSwitch<RMW::BinOp>(Name)
                       .Case("add", T->isFloat() ? RMW::FAdd : RMW::Add)
                       .Case("inc", RMW::UIncWrap)
                       .Case("dec", RMW::UDecWrap)
                       .Case("exch", RMW::Xchg)
                       .Case("and", RMW::And)
                       .Case("or", RMW::Or)
                       .Case("xor", RMW::Xor)
                       .Case("max", T->isSigned() ? RMW::Max : RMW::UMax)
                       .Case("min", T->isSigned() ? RMW::Min : RMW::UMin)
                       .Default(RMW::BAD_BINOP);
  if (Name != "cas" &&
      (Operation == RMW::BAD_BINOP ||
       (T->isFloat() && Operation != RMW::FAdd && Operation != RMW::Xchg)))
    return false;
  enterGuard();
  Type *Ty = typeOf(*T);
  Align Natural(T->Width / 8);
  constexpr AtomicOrdering Order = AtomicOrdering::SequentiallyConsistent;
  Value *To = address(Operands[0], I), *Old;
  if (Name == "cas") {
    Type *Bits = B.getIntNTy(T->Width);
    Old = B.CreateExtractValue(
        B.CreateAtomicCmpXchg(To, read(Operands[1], Bits),
                              read(Operands[2], Bits), Natural, Order, Order),
        0);
  } else {
    Old =
        B.CreateAtomicRMW(Operation, To, read(Operands[1], Ty), Natural, Order);
  }
  if (HasResult)
    leaveGuard(I.Operands[0], Old, T->isSigned());
  else
    leaveGuard({}, {}, false);
  return true;
}

/// cp.async.ca.shared.global [to], [from], BYTES{, bytes of from}: the rest is
/// zero. It is done at once.
bool AssemblyExpander::expandAsynchronousCopy(const Instruction &I) {
  if (I.Operands.size() < 3 || !isAddress(I.Operands[0]) ||
      !isAddress(I.Operands[1]) || !I.Operands[2].isInteger() ||
      (I.Operands.size() > 3 && !canRead(I.Operands[3])) || I.has("ignore-src"))
    return false;
  uint64_t Bytes = I.Operands[2].Value;
  if (Bytes != 4 && Bytes != 8 && Bytes != 16)
    return false;
  enterGuard();
  auto Place = [&](const Operand &O, unsigned Space) {
    Value *Base = Values.lookup(O.Name);
    if (!Base->getType()->isPointerTy())
      Base = convert(Base, PointerType::get(Context, Space));
    return B.CreateGEP(B.getInt8Ty(), Base, B.getInt64(O.Value));
  };
  Value *To = Place(I.Operands[0], 3), *From = Place(I.Operands[1], 1);
  Value *Count = B.getInt64(Bytes);
  if (I.Operands.size() > 3) {
    B.CreateMemSet(To, B.getInt8(0), Bytes, Align(Bytes));
    Count = read(I.Operands[3], B.getInt64Ty());
  }
  B.CreateMemCpy(To, Align(Bytes), From, Align(Bytes), Count);
  leaveGuard({}, {}, false);
  return true;
}

bool AssemblyExpander::expandMemory(const Instruction &I) {
  StringRef Base = I.base();
  if (Base == "ld" || Base == "ldu")
    return expandLoad(I);
  if (Base == "st")
    return expandStore(I);
  if (Base == "atom" || Base == "red")
    return expandAtomic(I);
  if (Base == "createpolicy" && I.Operands.front().isName()) {
    write(I.Operands.front(), B.getInt64(0));
    return true;
  }
  if (I.Opcode.starts_with("cp.async.ca.shared") ||
      I.Opcode.starts_with("cp.async.cg.shared"))
    return expandAsynchronousCopy(I);
  // Without effect here: nothing overlaps, and there are no caches.
  return Base == "membar" || Base == "fence" || Base == "prefetch" ||
         Base == "prefetchu" || Base == "nanosleep" ||
         Base == "griddepcontrol" || Base == "applypriority" ||
         I.Opcode == "cp.async.commit_group" ||
         I.Opcode == "cp.async.wait_group" || I.Opcode == "cp.async.wait_all";
}
