//===- OpaqueSteps.cpp - Matrices: any function of the operands -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What matrix units compute is not modelled, and need not be to compare two
// versions of a kernel: results are some function of the opcode, of the
// thread's operands, and of the 16 bytes at an address of shared memory. Two
// kernels that pass other operands, or in another order, get other results. A
// thread keeps a note of what has effects besides its results.
//
// Registers that are written later (wgmma.mma_async) have other bits until a
// wait completes them, and get their values then, whatever was written to them
// in between. tcgen05.ld is complete at once, as ptxas has it: compilers rely
// on that.
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Decoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace llvm;

namespace unravel::ptx {

static uint64_t mix(uint64_t Hash, uint64_t Value) {
  return scramble(Hash ^ scramble(Value));
}

static uint64_t hashOf(StringRef Text) {
  uint64_t Hash = Text.size();
  for (char C : Text)
    Hash = mix(Hash, uint8_t(C));
  return Hash;
}

/// In the order in which they stand.
void Decoder::addSources(const Operand &O, SmallVectorImpl<Address> &To) {
  if (O.K == Operand::Kind::Address) {
    To.push_back(address(O, Space::Generic));
    return;
  }
  if (O.K == Operand::Kind::Vector) {
    for (const Operand &Part : O.Parts)
      addSources(Part, To);
    return;
  }
  const Symbol *Known = O.Name.empty() ? nullptr : N.find(O.Name);
  unsigned Width = Known            ? Known->IsRegister ? Known->Width : 64
                   : O.Name.empty() ? (O.Width ? O.Width : 64)
                                    : 32;
  To.emplace_back();
  To.back().Base = source(O, Width);
}

void Decoder::addTargets(const Operand &O, SmallVectorImpl<Target> &To) {
  if (O.K == Operand::Kind::Vector)
    for (const Operand &Part : O.Parts)
      addTargets(Part, To);
  else if (const Symbol *Known = N.find(O.Name))
    To.push_back(target(O, Known->Width));
  else
    To.push_back(target(O, 32));
}

/// The instruction, and what it reads besides memory.
uint64_t Decoder::hashOfSources(uint64_t Opcode, const Machine &M, Thread &T,
                                ArrayRef<Address> Sources) {
  uint64_t Hash = Opcode;
  for (const Address &A : Sources)
    Hash = mix(Hash, valueOf(M, T, A));
  return Hash;
}

static void writeResults(const Machine &M, Thread &T, ArrayRef<Target> Targets,
                         uint64_t Hash) {
  for (auto [Number, To] : enumerate(Targets))
    M.write(T, To, mix(Hash, Number));
}

/// How many rows of 16 bytes a warp addresses: a thread each.
static unsigned numRows(const Instruction &I) {
  return 8 * (I.has("x4") ? 4 : I.has("x2") ? 2 : 1);
}

Decoder::Run Decoder::decodeMatrixAccess(const Instruction &I) {
  bool IsStore = I.base() == "stmatrix";
  if (I.Operands.size() != 2)
    return failMalformed("it needs 2 operands");
  Address At = address(I.Operands[IsStore ? 0 : 1], Space::Shared);
  SmallVector<Address, 4> Values;
  SmallVector<Target, 4> Targets;
  if (IsStore)
    addSources(I.Operands[1], Values);
  else
    addTargets(I.Operands[0], Targets);
  unsigned Rows = numRows(I);
  return [=, Opcode = hashOf(I.Opcode)](Machine &M, Thread &T) {
    uint64_t Hash = hashOfSources(Opcode, M, T, Values);
    if (M.laneOf(T) < Rows) {
      uint8_t *Row = M.memory(T, At.In, valueOf(M, T, At), 16, IsStore);
      if (!Row)
        return;
      for (unsigned Word = 0; Word != 2; ++Word) {
        uint64_t Bits;
        std::memcpy(&Bits, Row + 8 * Word, 8);
        uint64_t Stored = mix(Hash, Word);
        if (IsStore)
          std::memcpy(Row + 8 * Word, &Stored, 8);
        else
          Hash = mix(Hash, Bits);
      }
    }
    writeResults(M, T, Targets, Hash);
  };
}

/// wgmma and tcgen05.
Decoder::Run Decoder::decodeAsync(const Instruction &I) {
  StringRef What = I.Words.size() > 1 ? I.Words[1] : "";
  if (What == "commit_group")
    return [](Machine &, Thread &T) { ++T.NumGroups; };
  if (What == "wait_group") {
    if (I.Operands.size() != 1 || !I.Operands[0].isInteger())
      return failMalformed("it needs a number of groups");
    return [=, NumLeft = I.Operands[0].Value](Machine &M, Thread &T) {
      erase_if(T.Pending, [&](const PendingWrite &W) {
        bool IsDone = W.Group + NumLeft < T.NumGroups;
        if (IsDone)
          M.write(T, W.To, W.Value);
        return IsDone;
      });
    };
  }
  bool IsLoad = What == "ld", IsProduct = What == "mma_async";
  SmallVector<Target, 16> Targets;
  SmallVector<Address, 16> Sources;
  std::optional<Source> IsAdded;
  if (IsLoad || IsProduct) {
    if (I.Operands.size() < (IsLoad ? 2 : 4))
      return failMalformed("it lacks operands");
    addTargets(I.Operands[0], Targets);
    if (IsProduct && !I.has("sp")) {
      const Operand &O = I.Operands[3];
      IsAdded = source(O, O.isInteger() ? 64 : 1);
    }
  }
  for (const Operand &O : drop_begin(I.Operands, !Targets.empty()))
    addSources(O, Sources);
  return [=, Opcode = hashOf(I.Opcode)](Machine &M, Thread &T) {
    uint64_t Hash = hashOfSources(Opcode, M, T, Sources);
    bool ReadsTargets = IsProduct && (!IsAdded || M.read(T, *IsAdded));
    for (const Target &To : Targets)
      if (ReadsTargets)
        Hash = mix(Hash, M.laterValue(T, To));
    T.Notes = mix(T.Notes, Hash);
    for (auto [Number, To] : enumerate(Targets)) {
      uint64_t Value = mix(Hash, Number);
      M.write(T, To, IsLoad ? Value : scramble(Value));
      if (IsProduct)
        T.Pending.push_back({To, Value, T.NumGroups});
    }
  };
}

/// Barriers in memory (mbarrier): no thread waits at one.
Decoder::Run Decoder::decodeMemoryBarrier(const Instruction &I) {
  StringRef What = I.Words.size() > 1 ? I.Words[1] : "";
  bool IsWait = What == "test_wait" || What == "try_wait";
  bool HasResult =
      !I.Operands.empty() && (IsWait || What.starts_with("arrive"));
  SmallVector<Target, 1> Targets;
  SmallVector<Address, 4> Sources;
  if (HasResult)
    addTargets(I.Operands[0], Targets);
  for (const Operand &O : drop_begin(I.Operands, HasResult))
    addSources(O, Sources);
  return [=, Opcode = hashOf(I.Opcode)](Machine &M, Thread &T) {
    T.Notes = mix(T.Notes, hashOfSources(Opcode, M, T, Sources));
    for (const Target &To : Targets)
      M.write(T, To, IsWait ? 1 : T.Notes);
  };
}

Decoder::Run Decoder::decodeOpaque(const Instruction &I) {
  StringRef Base = I.base();
  if (Base == "ldmatrix" || Base == "stmatrix")
    return decodeMatrixAccess(I);
  if (Base == "wgmma" || Base == "tcgen05")
    return decodeAsync(I);
  if (Base == "mbarrier")
    return decodeMemoryBarrier(I);
  bool IsProduct = Base == "wmma" && I.Words.size() > 1 && I.Words[1] == "mma";
  if (Base != "mma" && Base != "movmatrix" && !IsProduct)
    return nullptr;
  if (I.Operands.size() < 2)
    return failMalformed("it needs 2 operands");
  SmallVector<Target, 8> Targets;
  SmallVector<Address, 16> Sources;
  addTargets(I.Operands[0], Targets);
  for (const Operand &O : drop_begin(I.Operands))
    addSources(O, Sources);
  return [=, Opcode = hashOf(I.Opcode)](Machine &M, Thread &T) {
    uint64_t Hash = hashOfSources(Opcode, M, T, Sources);
    writeResults(M, T, Targets, Hash);
  };
}

} // namespace unravel::ptx
