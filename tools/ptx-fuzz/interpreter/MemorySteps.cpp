//===- MemorySteps.cpp - Loads, stores, addresses -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Decoder.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace llvm;

namespace unravel::ptx {

/// What says how an access is ordered or cached, not what it does.
static bool isHint(StringRef Word) {
  return Word.starts_with("L1") || Word.starts_with("L2") ||
         Word.starts_with("level") ||
         is_contained({"weak",    "volatile", "relaxed", "acquire", "release",
                       "acq_rel", "mmio",     "cta",     "cluster", "gpu",
                       "sys",     "ca",       "cg",      "cs",      "lu",
                       "cv",      "wb",       "wt",      "nc",      "unified",
                       "noftz"},
                      Word);
}

static Space takeSpace(OpcodeReader &R) {
  Space In = Space::Generic;
  R.takeIf([&](StringRef Word) {
    std::optional<Space> S = spaceOf(Word);
    if (S)
      In = *S;
    return S.has_value();
  });
  return In;
}

static uint64_t loadBytes(const uint8_t *From, unsigned Size) {
  uint64_t Value = 0;
  std::memcpy(&Value, From, Size); // the host is little-endian, as GPUs are
  return Value;
}

Decoder::Address Decoder::address(const Operand &O, Space In) {
  Address A;
  A.In = In;
  if (O.K != Operand::Kind::Address) {
    fail(Outcome::Kind::NotModelled, "operand '" + O.Text + "'");
    return A;
  }
  A.Offset = O.Value;
  if (O.Name.empty())
    return A;
  Operand Name;
  Name.K = Operand::Kind::Name;
  Name.Name = Name.Text = O.Name;
  const Symbol *Known = N.find(O.Name);
  if (Known && !Known->IsRegister) {
    A.Base = source(Name, 64);
    if (In == Space::Generic)
      A.In = Known->In; // the address of a variable itself is not generic
    else if (In != Known->In)
      failMalformed("'" + O.Name + "' is of another space");
    return A;
  }
  A.Base = source(Name, Known ? Known->Width : 64);
  if (Known && Known->Width < 32)
    failMalformed("'" + O.Name + "' is too narrow for an address");
  return A;
}

uint64_t Decoder::valueOf(const Machine &M, Thread &T, const Address &A) {
  return (M.read(T, A.Base) + A.Offset) & maskOf(A.Base.Width);
}

/// Destination or value: one operand, or as many as `.v4` says in braces.
/// Triton writes braces around one, too.
static std::optional<ArrayRef<Operand>> partsOf(const Operand &O,
                                                StringRef Vector) {
  unsigned Count = Vector.empty() ? 1 : Vector.back() - '0';
  bool IsVector = O.K == Operand::Kind::Vector;
  ArrayRef<Operand> Parts = IsVector ? ArrayRef(O.Parts) : ArrayRef(O);
  if (Parts.size() != Count)
    return std::nullopt;
  return Parts;
}

namespace {

/// The opcode of a load or a store.
struct PlainAccess {
  Type Of;
  StringRef Vector;
  Space In;
};

} // namespace

/// Nothing for other opcodes.
static std::optional<PlainAccess> plainAccess(const Instruction &I) {
  OpcodeReader R(I);
  std::optional<Type> T = R.takeType();
  StringRef Vector = R.takeOneOf({"v2", "v4", "v8"});
  Space In = takeSpace(R);
  R.takeIf(isHint);
  if (!T || !R.isDone() || T->Width > 64 || T->Width < 8)
    return std::nullopt;
  return PlainAccess{*T, Vector, In};
}

Decoder::Run Decoder::decodeLoad(const Instruction &I) {
  std::optional<PlainAccess> A = plainAccess(I);
  if (!A)
    return nullptr;
  if (I.Operands.size() < 2)
    return failMalformed("it needs 2 operands");
  std::optional<ArrayRef<Operand>> Parts = partsOf(I.Operands[0], A->Vector);
  if (!Parts)
    return failMalformed("it needs as many registers as its vector has parts");
  unsigned Width = A->Of.Width, Size = Width / 8;
  SmallVector<Target, 4> Targets;
  for (const Operand &Part : *Parts)
    Targets.push_back(target(Part, Width, Fit::MayBeWider));
  Address From = address(I.Operands[1], A->In);
  bool IsSigned = A->Of.isSigned();
  return [=](Machine &M, Thread &T) {
    const uint8_t *Bytes =
        M.memory(T, From.In, valueOf(M, T, From), Size * Targets.size(), false);
    if (!Bytes)
      return;
    for (auto [K, To] : enumerate(Targets)) {
      uint64_t Value = loadBytes(Bytes + K * Size, Size);
      M.write(T, To, IsSigned ? uint64_t(signedOf(Value, Width)) : Value);
    }
  };
}

Decoder::Run Decoder::decodeStore(const Instruction &I) {
  std::optional<PlainAccess> A = plainAccess(I);
  if (!A)
    return nullptr;
  if (I.Operands.size() < 2)
    return failMalformed("it needs 2 operands");
  std::optional<ArrayRef<Operand>> Parts = partsOf(I.Operands[1], A->Vector);
  if (!Parts)
    return failMalformed("it needs as many values as its vector has parts");
  unsigned Size = A->Of.Width / 8;
  SmallVector<Source, 4> Sources;
  for (const Operand &Part : *Parts)
    Sources.push_back(source(Part, A->Of.Width, Fit::MayBeWider));
  Address To = address(I.Operands[0], A->In);
  return [=](Machine &M, Thread &T) {
    uint8_t *Bytes =
        M.memory(T, To.In, valueOf(M, T, To), Size * Sources.size(), true);
    if (!Bytes)
      return;
    for (auto [K, From] : enumerate(Sources)) {
      uint64_t Value = M.read(T, From);
      std::memcpy(Bytes + K * Size, &Value, Size);
    }
  };
}

/// cp.async.cg.shared.global [dst], [src], size{, src-size}: as if it were done
/// at once. What is not read of the source is zero.
Decoder::Run Decoder::decodeCopy(const Instruction &I) {
  if (I.Opcode.starts_with("cp.async.commit_group") ||
      I.Opcode.starts_with("cp.async.wait_"))
    return [](Machine &, Thread &) {};
  OpcodeReader R(I);
  R.takeIf(isHint);
  bool IsCopy = R.take("async");
  Space To = Space::Generic, From = Space::Generic;
  R.takeIf([&](StringRef Word) {
    bool IsShared = Word.split("::").first == "shared";
    (IsShared ? To : From) = IsShared ? Space::Shared : Space::Global;
    return IsShared || Word == "global";
  });
  if (!IsCopy || !R.isDone() || To != Space::Shared || I.Operands.size() < 3 ||
      I.Operands.size() > 4 || !I.Operands[2].isInteger())
    return nullptr;
  Address Destination = address(I.Operands[0], To);
  Address Origin = address(I.Operands[1], From);
  unsigned Size = I.Operands[2].Value;
  if (Size != 4 && Size != 8 && Size != 16)
    return failMalformed("it copies 4, 8 or 16 bytes");
  Source Taken;
  Taken.Value = Size;
  if (I.Operands.size() == 4)
    Taken = source(I.Operands[3], 32);
  return [=](Machine &M, Thread &T) {
    unsigned Read = std::min<uint64_t>(M.read(T, Taken), Size);
    uint8_t Bytes[16] = {};
    if (Read) {
      const uint8_t *Found =
          M.memory(T, Origin.In, valueOf(M, T, Origin), Size, false);
      if (!Found)
        return;
      std::memcpy(Bytes, Found, Read);
    }
    if (uint8_t *At =
            M.memory(T, Destination.In, valueOf(M, T, Destination), Size, true))
      std::memcpy(At, Bytes, Size);
  };
}

/// cvta, isspacep
Decoder::Run Decoder::decodeAddress(const Instruction &I) {
  OpcodeReader R(I);
  bool IsTest = R.base() == "isspacep", IsTo = R.take("to");
  Space In = takeSpace(R);
  std::optional<Type> T = R.takeType();
  unsigned Width = T ? T->Width : 64;
  if (!R.isDone() || In == Space::Generic || IsTest == T.has_value())
    return nullptr;
  if (I.Operands.size() != 2)
    return failMalformed("it needs 2 operands");
  Target To = target(I.Operands[0], IsTest ? 1 : Width);
  Source From = source(I.Operands[1], Width);
  if (Width != 64)
    return fail(Outcome::Kind::NotModelled, "generic addresses of 32 bits");
  if (IsTest)
    return [=](Machine &M, Thread &T) {
      M.write(T, To, M.spaceOfGeneric(M.read(T, From)) == In);
    };
  return [=](Machine &M, Thread &T) {
    uint64_t Value = M.read(T, From);
    M.write(T, To, IsTo ? M.fromGeneric(In, Value) : M.toGeneric(In, Value));
  };
}

Decoder::Run Decoder::decodeMemory(const Instruction &I) {
  StringRef Base = I.base();
  if (Base == "ld" || Base == "ldu")
    return decodeLoad(I);
  if (Base == "st")
    return decodeStore(I);
  if (Base == "cp")
    return decodeCopy(I);
  if (Base == "cvta" || Base == "isspacep")
    return decodeAddress(I);
  // What it makes is read by hints alone.
  if (Base == "createpolicy" && !I.Operands.empty()) {
    Target To = target(I.Operands[0], 64);
    return [=](Machine &M, Thread &T) { M.write(T, To, 0); };
  }
  return nullptr;
}

} // namespace unravel::ptx
