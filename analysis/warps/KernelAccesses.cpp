//===- KernelAccesses.cpp - The memory accesses of a kernel ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/KernelAccesses.h"
#include "analysis/access/RequestCost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace unravel {

StringRef nameOf(AccessKind Kind) {
  switch (Kind) {
  case AccessKind::Load:
    return "load";
  case AccessKind::Store:
    return "store";
  case AccessKind::Atomic:
    return "atomic";
  case AccessKind::Copy:
    return "async copy";
  case AccessKind::Other:
    return "other";
  }
  return "other";
}

StringRef nameOf(AccessSpace Space) {
  switch (Space) {
  case AccessSpace::Global:
    return "global";
  case AccessSpace::Shared:
    return "shared";
  case AccessSpace::Constant:
    return "constant";
  case AccessSpace::Local:
    return "local";
  case AccessSpace::Parameter:
    return "parameter";
  case AccessSpace::Generic:
    return "generic";
  }
  return "generic";
}

std::string MemoryAccess::whyNoRequest() const {
  if (!isLaneWidth(Bytes))
    return ("it moves " + Twine(Bytes) +
            " bytes a lane, which is no single request")
        .str();
  if (Alignment < Bytes)
    return ("it is aligned to " + Twine(Alignment) +
            " bytes only, so that its " + Twine(Bytes) +
            " bytes are moved in pieces")
        .str();
  return "";
}

/// Casts, and GEPs between two of them. In code that cannot be reached a
/// pointer may be computed from itself.
static constexpr unsigned MaxSteps = 64;

const Value *objectOf(const Value *Pointer) {
  for (unsigned Steps = 0; Steps < MaxSteps; ++Steps) {
    const Value *Object = getUnderlyingObject(Pointer, MaxSteps);
    auto *Op = dyn_cast<Operator>(Object);
    bool IsCast = Op && (Op->getOpcode() == Instruction::IntToPtr ||
                         Op->getOpcode() == Instruction::PtrToInt ||
                         Op->getOpcode() == Instruction::Freeze ||
                         Op->getOpcode() == Instruction::AddrSpaceCast);
    if (!IsCast)
      return Object;
    Pointer = Op->getOperand(0);
  }
  return Pointer;
}

static AccessSpace spaceOf(const Value *Pointer) {
  switch (Pointer->getType()->getPointerAddressSpace()) {
  case 1:
    return AccessSpace::Global;
  case 3:
    return AccessSpace::Shared;
  case 4:
    return AccessSpace::Constant;
  case 5:
    return AccessSpace::Local;
  case 101:
    return AccessSpace::Parameter;
  default:
    break;
  }
  const Value *Object = objectOf(Pointer);
  if (isa<AllocaInst>(Object))
    return AccessSpace::Local;
  // Pointers among the arguments of a kernel point to global memory; so the
  // backend assumes (NVPTXLowerArgs).
  if (auto *A = dyn_cast<Argument>(Object))
    return A->hasByValAttr() ? AccessSpace::Parameter : AccessSpace::Global;
  if (Object != Pointer && Object->getType()->isPointerTy() &&
      Object->getType()->getPointerAddressSpace() != 0)
    return spaceOf(Object);
  return AccessSpace::Generic;
}

/// An access with a pointer and a type.
static MemoryAccess plainAccess(const Instruction &I, AccessKind Kind,
                                const Value *Pointer, const Type *Moved,
                                Align Alignment) {
  MemoryAccess A;
  A.Instruction = &I;
  A.Kind = Kind;
  A.Pointer = Pointer;
  A.Space = spaceOf(Pointer);
  A.Alignment = Alignment.value();
  TypeSize Size = I.getDataLayout().getTypeStoreSize(const_cast<Type *>(Moved));
  if (Size.isScalable())
    A.NotUnderstood = "it moves a scalable vector";
  else
    A.Bytes = Size.getFixedValue();
  return A;
}

static MemoryAccess notUnderstood(const Instruction &I, const Twine &Why) {
  MemoryAccess A;
  A.Instruction = &I;
  A.NotUnderstood = Why.str();
  return A;
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

static uint64_t bytesOfType(StringRef Type) {
  unsigned Bits;
  if (Type.size() < 2 || Type.drop_front().getAsInteger(10, Bits))
    return StringSwitch<uint64_t>(Type)
        .Cases({"f16x2", "bf16x2"}, 4)
        .Case("bf16", 2)
        .Default(0);
  return Bits % 8 == 0 ? Bits / 8 : 0;
}

/// The argument that `$NUMBER` in the text is; null for a result, and for other
/// text.
static const Value *argumentNamed(const CallInst &Call, StringRef Name) {
  unsigned Number;
  if (!Name.consume_front("$") || Name.getAsInteger(10, Number))
    return nullptr;
  // Results come before the arguments.
  Type *Result = Call.getType();
  unsigned Results = Result->isVoidTy()     ? 0
                     : Result->isStructTy() ? Result->getStructNumElements()
                                            : 1;
  if (Number < Results || Number - Results >= Call.arg_size())
    return nullptr;
  return Call.getArgOperand(Number - Results);
}

namespace {
/// One instruction of inline assembly, or of PTX that was lifted.
class AssemblyReader {
public:
  AssemblyReader(const CallInst &Call, StringRef Text);
  void addTo(std::vector<MemoryAccess> &List);

private:
  MemoryAccess plainAccess();
  void addCopy(std::vector<MemoryAccess> &List);
  /// Takes `[$4+16]` from the front of the operands, or says why not.
  std::string takeAddress(MemoryAccess &A);
  std::string readPredicate(MemoryAccess &A) const;
  MemoryAccess notUnderstood(MemoryAccess A, const Twine &Why) const;

  const CallInst &Call;
  StringRef Predicate, Mnemonic, Operands;
  SmallVector<StringRef, 8> Parts; ///< of the mnemonic
};
} // namespace

/// What an instruction leaves alone if its predicate is false may be set in
/// front of it: `mov.u32 $0, 0; @$2 ld.global.u32 $0, [$1];`.
AssemblyReader::AssemblyReader(const CallInst &Call, StringRef Text)
    : Call(Call) {
  Text = Text.trim().trim(";").trim();
  while (Text.starts_with("mov.") && Text.contains(';'))
    Text = Text.split(';').second.trim();
  if (Text.consume_front("@")) {
    Predicate = Text.take_until(isSpace);
    Text = Text.drop_front(Predicate.size()).trim();
  }
  Mnemonic = Text.take_until([](char C) { return isSpace(C) || C == '{'; });
  Operands = Text.drop_front(Mnemonic.size());
  Mnemonic.split(Parts, '.');
}

MemoryAccess AssemblyReader::notUnderstood(MemoryAccess A,
                                           const Twine &Why) const {
  A.Pointer = nullptr;
  // (Calls are in a block.)
  StringRef Name = Mnemonic.empty() ? "{ ... }" : Mnemonic;
  A.NotUnderstood = ("the PTX '" + Name + "' " + Why).str();
  return A;
}

std::string AssemblyReader::readPredicate(MemoryAccess &A) const {
  if (Predicate.empty())
    return "";
  StringRef Name = Predicate;
  A.GuardHolds = !Name.consume_front("!");
  A.Guard = argumentNamed(Call, Name);
  return A.Guard && A.Guard->getType()->isIntegerTy(1)
             ? ""
             : "has a predicate that is not an argument";
}

std::string AssemblyReader::takeAddress(MemoryAccess &A) {
  StringRef Inside;
  std::tie(Inside, Operands) = Operands.split('[').second.split(']');
  auto [Operand, Offset] = Inside.split('+');
  int64_t Bytes = 0;
  if (!Operand.trim().starts_with("$") ||
      (!Offset.empty() && Offset.trim().getAsInteger(10, Bytes)))
    return "has an address that is not a plain operand";
  A.Pointer = argumentNamed(Call, Operand.trim());
  if (!A.Pointer)
    return "has an address that is not an argument";
  A.Offset = Bytes;
  if (A.Space == AccessSpace::Generic && A.Pointer->getType()->isPointerTy())
    A.Space = spaceOf(A.Pointer);
  return "";
}

/// `ld.global.nc.v4.f32 {$0, ...}, [$4+16];` and the like.
MemoryAccess AssemblyReader::plainAccess() {
  MemoryAccess A;
  A.Instruction = &Call;
  A.Kind = StringSwitch<AccessKind>(Parts[0])
               .Cases({"ld", "ldu"}, AccessKind::Load)
               .Case("st", AccessKind::Store)
               .Cases({"atom", "red"}, AccessKind::Atomic)
               .Default(AccessKind::Other);
  if (A.Kind == AccessKind::Other || Operands.contains(';'))
    return notUnderstood(A, "is not a plain load, store or atomic");
  A.Space = AccessSpace::Generic;
  uint64_t Lanes = 1;
  for (StringRef Part : ArrayRef(Parts).drop_front()) {
    if (Part == "v2" || Part == "v4" || Part == "v8")
      Lanes = Part[1] - '0';
    A.Space = StringSwitch<AccessSpace>(Part)
                  .Case("global", AccessSpace::Global)
                  .StartsWith("shared", AccessSpace::Shared)
                  .Case("const", AccessSpace::Constant)
                  .Case("local", AccessSpace::Local)
                  .StartsWith("param", AccessSpace::Parameter)
                  .Default(A.Space);
  }
  A.Bytes = bytesOfType(Parts.back()) * Lanes;
  A.Alignment = A.Bytes; // PTX demands it
  std::string Why = readPredicate(A);
  if (Why.empty())
    Why = takeAddress(A);
  if (Why.empty() && Operands.contains('['))
    Why = "has an address that is not a plain operand";
  if (Why.empty() && A.Bytes == 0)
    Why = "has an unknown width";
  return Why.empty() ? A : notUnderstood(A, Why);
}

/// `cp.async.cg.shared.global [$0], [$1], 16;` reads one address and writes the
/// other. With fewer bytes to read, it fills up with zeros.
void AssemblyReader::addCopy(std::vector<MemoryAccess> &List) {
  MemoryAccess To, From;
  for (MemoryAccess *A : {&To, &From}) {
    A->Instruction = &Call;
    A->Kind = AccessKind::Copy;
  }
  To.Space = AccessSpace::Shared;
  From.Space = AccessSpace::Global;
  std::string Why = readPredicate(To);
  From.Guard = To.Guard;
  From.GuardHolds = To.GuardHolds;
  for (MemoryAccess *A : {&To, &From})
    if (Why.empty())
      Why = takeAddress(*A);
  uint64_t Bytes = 0;
  if (Why.empty() && (Operands.contains('[') || Operands.contains(';') ||
                      Operands.ltrim(" \t,").consumeInteger(0, Bytes) ||
                      !is_contained({4, 8, 16}, Bytes)))
    Why = "has an unknown width";
  if (!Why.empty())
    return List.push_back(notUnderstood(From, Why));
  From.Bytes = From.Alignment = To.Bytes = To.Alignment = Bytes;
  List.push_back(From);
  List.push_back(To);
}

void AssemblyReader::addTo(std::vector<MemoryAccess> &List) {
  bool IsCopy = Mnemonic.starts_with("cp.async.ca.shared") ||
                Mnemonic.starts_with("cp.async.cg.shared");
  if (IsCopy)
    addCopy(List);
  else
    List.push_back(plainAccess());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// One of the sides of a copy, aligned to its size.
static MemoryAccess sideOfCopy(const IntrinsicInst &Call, AccessKind Kind,
                               const Value *Pointer, uint64_t Bytes) {
  MemoryAccess A;
  A.Instruction = &Call;
  A.Kind = Kind;
  A.Pointer = Pointer;
  A.Space = spaceOf(Pointer);
  A.Bytes = A.Alignment = Bytes;
  return A;
}

static void addCopy(std::vector<MemoryAccess> &List, const IntrinsicInst &Call,
                    uint64_t Bytes) {
  for (unsigned Argument : {1, 0})
    List.push_back(sideOfCopy(Call, AccessKind::Copy,
                              Call.getArgOperand(Argument), Bytes));
}

/// `a[i] = b[i]` of a structure that is aligned as a vector is: the backend
/// makes one load and one store of it.
static bool addStructureCopy(std::vector<MemoryAccess> &List,
                             const MemCpyInst &Call) {
  auto *Length = dyn_cast<ConstantInt>(Call.getLength());
  uint64_t Bytes = Length ? Length->getLimitedValue() : 0;
  constexpr uint64_t LongestVector = 16;
  if (!isPowerOf2_64(Bytes) || Bytes > LongestVector || Call.isVolatile() ||
      Call.getSourceAlign().valueOrOne() < Bytes ||
      Call.getDestAlign().valueOrOne() < Bytes)
    return false;
  List.push_back(
      sideOfCopy(Call, AccessKind::Load, Call.getRawSource(), Bytes));
  List.push_back(sideOfCopy(Call, AccessKind::Store, Call.getRawDest(), Bytes));
  return true;
}

static bool hasPointerArgument(const CallBase &Call) {
  return any_of(Call.args(),
                [](const Use &U) { return U->getType()->isPointerTy(); });
}

static void addCall(std::vector<MemoryAccess> &List, const CallInst &Call) {
  if (auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    StringRef Text = Assembly->getAsmString();
    if (Text.contains('[') || Call.mayReadOrWriteMemory()) {
      bool IsPlain = Text.contains('[');
      // What orders memory but has no address, such as a barrier, accesses
      // nothing itself.
      if (IsPlain)
        AssemblyReader(Call, Text).addTo(List);
    }
    return;
  }
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  if (!Intrinsic) {
    if (Call.mayReadOrWriteMemory()) {
      const Function *Callee = Call.getCalledFunction();
      List.push_back(notUnderstood(
          Call, "a call of " +
                    (Callee ? Callee->getName() : StringRef("a pointer")) +
                    ", which may access memory"));
    }
    return;
  }
  if (Call.isLifetimeStartOrEnd() || Intrinsic->isAssumeLikeIntrinsic() ||
      !Call.mayReadOrWriteMemory() || !hasPointerArgument(Call))
    return;
  if (auto *Copy = dyn_cast<MemCpyInst>(Intrinsic);
      Copy && addStructureCopy(List, *Copy))
    return;
  switch (Intrinsic->getIntrinsicID()) {
  case Intrinsic::nvvm_cp_async_ca_shared_global_4:
    return addCopy(List, *Intrinsic, 4);
  case Intrinsic::nvvm_cp_async_ca_shared_global_8:
    return addCopy(List, *Intrinsic, 8);
  case Intrinsic::nvvm_cp_async_ca_shared_global_16:
  case Intrinsic::nvvm_cp_async_cg_shared_global_16:
    return addCopy(List, *Intrinsic, 16);
  case Intrinsic::nvvm_ldu_global_i:
  case Intrinsic::nvvm_ldu_global_f:
  case Intrinsic::nvvm_ldu_global_p: {
    auto *Alignment = dyn_cast<ConstantInt>(Call.getArgOperand(1));
    Align Promised(Alignment && isPowerOf2_64(Alignment->getZExtValue())
                       ? Alignment->getZExtValue()
                       : 1);
    MemoryAccess A = plainAccess(Call, AccessKind::Load, Call.getArgOperand(0),
                                 Call.getType(), Promised);
    A.Space = AccessSpace::Global;
    List.push_back(A);
    return;
  }
  case Intrinsic::memcpy:
    List.push_back(notUnderstood(
        Call, "a copy that is not of 1, 2, 4, 8 or 16 bytes, aligned to as "
              "many, which is no single request"));
    return;
  default:
    List.push_back(notUnderstood(
        Call, "a call of " + Call.getCalledFunction()->getName()));
  }
}

std::vector<MemoryAccess> accessesOf(const Function &F) {
  std::vector<MemoryAccess> List;
  for (const Instruction &I : instructions(F)) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      List.push_back(plainAccess(I, AccessKind::Load, Load->getPointerOperand(),
                                 Load->getType(), Load->getAlign()));
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      List.push_back(
          plainAccess(I, AccessKind::Store, Store->getPointerOperand(),
                      Store->getValueOperand()->getType(), Store->getAlign()));
    else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
      List.push_back(plainAccess(I, AccessKind::Atomic,
                                 RMW->getPointerOperand(), RMW->getType(),
                                 RMW->getAlign()));
    else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      List.push_back(plainAccess(
          I, AccessKind::Atomic, Exchange->getPointerOperand(),
          Exchange->getNewValOperand()->getType(), Exchange->getAlign()));
    else if (auto *Call = dyn_cast<CallInst>(&I))
      addCall(List, *Call);
    else if (isa<CallBase>(I))
      List.push_back(notUnderstood(I, "a call that may not return"));
  }
  return List;
}

} // namespace unravel
