//===- Machine.cpp - Blocks and threads at work ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Machine.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel::ptx {

uint64_t scramble(uint64_t X) {
  X += 0x9e3779b97f4a7c15u;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
  return X ^ (X >> 31);
}

/// What memory and registers hold before they are written.
static void fillBytes(std::vector<uint8_t> &Bytes, size_t Size, uint64_t Seed) {
  Bytes.resize(Size);
  for (size_t K = 0; K != Size; ++K)
    Bytes[K] = scramble(Seed ^ (K / 8)) >> (8 * (K % 8));
}

ArrayRef<StringRef> specialRegisters() {
  static constexpr StringRef Names[] = {"tid.x",           "tid.y",
                                        "tid.z",           "ntid.x",
                                        "ntid.y",          "ntid.z",
                                        "ctaid.x",         "ctaid.y",
                                        "ctaid.z",         "nctaid.x",
                                        "nctaid.y",        "nctaid.z",
                                        "laneid",          "warpid",
                                        "nwarpid",         "lanemask_eq",
                                        "lanemask_le",     "lanemask_lt",
                                        "lanemask_ge",     "lanemask_gt",
                                        "total_smem_size", "dynamic_smem_size"};
  return Names;
}

Machine::Machine(const Program &P, const Launch &L, GlobalMemory &Global)
    : P(P), L(L), Global(Global), Constants(P.Constants) {
  Params.resize(P.ParamSize);
  for (auto [Offset, Bytes] : zip(P.ParamOffsets, L.Arguments))
    for (auto [K, Byte] : enumerate(Bytes))
      if (Offset + K < Params.size())
        Params[Offset + K] = Byte;
  for (auto [K, V] : enumerate(P.Globals))
    Global.add(GlobalMemory::FirstVariableRoom + K, V.Declared->Name.str(),
               V.Declared->Size,
               [Bytes = V.Contents](uint64_t Offset, GlobalMemory::Page &To) {
                 To.fill(0);
                 for (size_t K = 0; K != To.size(); ++K)
                   if (Offset + K < Bytes.size())
                     To[K] = Bytes[Offset + K];
               });
}

void Machine::fail(Outcome::Kind K, const Twine &What) {
  if (hasFailed())
    return;
  Result.K = K;
  StringRef Text = Current ? Current->Text : "";
  std::string Where = Text.empty() ? "" : "'" + Text.str() + "'";
  std::string Reason = What.str();
  if (!Where.empty() && !Reason.empty())
    Where += ": ";
  Result.Reason = Where + Reason;
  if (K == Outcome::Kind::NotModelled)
    Result.Reason = "not modelled: " + Result.Reason;
}

void Machine::startBlock(ArrayRef<uint32_t> Index) {
  fillBytes(Shared, P.SharedSize, L.Fill);
  fillBytes(DynamicShared, L.DynamicShared, ~L.Fill);
  uint32_t X = L.Block[0], Y = L.Block[1], Z = L.Block[2];
  uint64_t NumThreads = uint64_t(X) * Y * Z;
  Threads.assign(NumThreads, Thread());
  for (uint64_t K = 0; K != NumThreads; ++K) {
    Thread &T = Threads[K];
    T.Flags.ZeroQuotient = L.ZeroQuotient;
    T.Registers.resize(P.NumSlots);
    T.IsWritten.resize(P.NumSlots);
    for (unsigned Slot = 0; Slot != P.NumSlots; ++Slot)
      T.Registers[Slot] = scramble(L.Fill + Slot) & maskOf(P.SlotWidths[Slot]);
    fillBytes(T.Local, P.LocalSize, L.Fill);
    uint64_t Lane = K % WarpSize, Bit = uint64_t(1) << Lane;
    uint64_t Above = maskOf(32) & ~(2 * Bit - 1);
    T.Specials = {K % X,
                  K / X % Y,
                  K / X / Y,
                  X,
                  Y,
                  Z,
                  Index[0],
                  Index[1],
                  Index[2],
                  L.Grid[0],
                  L.Grid[1],
                  L.Grid[2],
                  Lane,
                  K / WarpSize,
                  (NumThreads + WarpSize - 1) / WarpSize,
                  Bit,
                  2 * Bit - 1,
                  Bit - 1,
                  Above | Bit,
                  Above,
                  P.SharedSize + L.DynamicShared,
                  L.DynamicShared};
  }
}

uint64_t Machine::laterValue(Thread &T, const Target &Register) const {
  for (const PendingWrite &W : reverse(T.Pending))
    if (W.To.Slot == Register.Slot)
      return W.Value & maskOf(Register.Width);
  Source S;
  S.K = Source::Kind::Register;
  S.Slot = Register.Slot;
  return read(T, S);
}

/// The numbers of the blocks that run, in order.
static std::vector<uint64_t> blocksOf(const Launch &L) {
  uint64_t Total =
      SaturatingMultiply<uint64_t>(uint64_t(L.Grid[0]) * L.Grid[1], L.Grid[2]);
  std::vector<uint64_t> Numbers;
  for (uint64_t K = 0; K != std::min(Total, L.MaxBlocks); ++K) {
    uint64_t Number = K;
    if (Total > L.MaxBlocks && K % 3 == 1)
      Number = Total - 1 - K;
    else if (Total > L.MaxBlocks && K % 3 == 2)
      Number = scramble(K) % Total;
    Numbers.push_back(Number);
  }
  llvm::sort(Numbers);
  Numbers.erase(llvm::unique(Numbers), Numbers.end());
  return Numbers;
}

Outcome Machine::run() {
  uint64_t X = L.Grid[0], Y = L.Grid[1];
  for (uint64_t Number : blocksOf(L)) {
    startBlock({uint32_t(Number % X), uint32_t(Number / X % Y),
                uint32_t(Number / X / Y)});
    runBlock();
    for (const Thread &T : Threads) {
      Result.DividedByZero |= T.Flags.DividedByZero;
      Result.ReadsUnwritten |= T.ReadsUnwritten;
      Result.Notes = scramble(Result.Notes ^ T.Notes);
    }
    if (hasFailed())
      break;
  }
  return Result;
}

void Machine::runThread(Thread &T) {
  while (!T.IsDone && T.Waits.K == Waiting::Kind::None) {
    if (T.At == P.Steps.size()) {
      T.IsDone = true;
      return;
    }
    Current = &P.Steps[T.At++];
    if (++Result.Steps > L.MaxSteps)
      fail(Outcome::Kind::TooLong,
           "more than " + Twine(L.MaxSteps) + " instructions");
    if (hasFailed())
      return;
    if (Current->Guard && !read(T, *Current->Guard))
      continue;
    Current->Run(*this, T);
  }
}

void Machine::runBlock() {
  bool GoesOn = true;
  while (GoesOn && !hasFailed()) {
    for (size_t First = 0; First < Threads.size(); First += WarpSize) {
      MutableArrayRef<Thread> Warp = MutableArrayRef(Threads).slice(
          First, std::min<size_t>(WarpSize, Threads.size() - First));
      do {
        for (Thread &T : Warp)
          runThread(T);
      } while (!hasFailed() && exchangeInWarp(Warp));
      if (hasFailed())
        return;
    }
    GoesOn = passBarriers();
  }
  if (hasFailed() || all_of(Threads, [](const Thread &T) { return T.IsDone; }))
    return;
  for (const Thread &T : Threads)
    if (!T.IsDone)
      Current = &P.Steps[T.At - 1];
  fail(Outcome::Kind::Fault, "threads wait here for others for ever");
}

//===----------------------------------------------------------------------===//
// Waiting for others
//===----------------------------------------------------------------------===//

void Machine::complete(MutableArrayRef<Thread *> Waiting) {
  SmallVector<Lane, WarpSize> Lanes(Waiting.size());
  const Exchange *Combine = nullptr;
  for (auto [L, T] : zip(Lanes, Waiting)) {
    if (!T)
      continue;
    L.TakesPart = true;
    L.Operands = T->Waits.Operands;
    Combine = T->Waits.Combine;
  }
  if (Combine)
    (*Combine)(Lanes);
  for (auto [L, T] : zip(Lanes, Waiting)) {
    if (!T)
      continue;
    write(*T, T->Waits.First, L.Out.First);
    write(*T, T->Waits.Second, L.Out.Second);
    T->Waits = ptx::Waiting();
  }
}

/// Threads that have ended are not waited for.
bool Machine::exchange(MutableArrayRef<Thread> Warp, uint64_t Members) {
  const Thread *First = nullptr;
  std::array<Thread *, WarpSize> Taking = {};
  for (auto [K, T] : enumerate(Warp)) {
    if (!(Members >> K & 1) || T.IsDone)
      continue;
    bool IsHere = T.Waits.K == Waiting::Kind::Warp && !T.Waits.IsConvergence &&
                  T.Waits.Mask == Members;
    if (!IsHere)
      return false;
    if (!First)
      First = &T;
    StringRef Here = P.Steps[T.At - 1].Origin->Opcode;
    if (Here != P.Steps[First->At - 1].Origin->Opcode) {
      Current = &P.Steps[T.At - 1];
      fail(Outcome::Kind::Fault, "other threads of the warp are at '" +
                                     P.Steps[First->At - 1].Text + "'");
      return false;
    }
    Taking[K] = &T;
  }
  complete(Taking);
  return true;
}

bool Machine::exchangeInWarp(MutableArrayRef<Thread> Warp) {
  bool GoesOn = false;
  for (auto [K, T] : enumerate(Warp)) {
    if (T.Waits.K != Waiting::Kind::Warp || T.Waits.IsConvergence)
      continue;
    if (!(T.Waits.Mask >> K & 1)) {
      Current = &P.Steps[T.At - 1];
      fail(Outcome::Kind::Fault, "the thread is not in its own mask");
      return false;
    }
    GoesOn |= exchange(Warp, T.Waits.Mask);
    if (hasFailed())
      return false;
  }
  if (GoesOn)
    return true;
  // Only those that ask who is here can move.
  for (Thread &T : Warp) {
    if (!T.Waits.IsConvergence)
      continue;
    std::array<Thread *, WarpSize> Taking = {};
    for (auto [K, Other] : enumerate(Warp))
      if (Other.Waits.IsConvergence && Other.At == T.At)
        Taking[K] = &Other;
    complete(Taking);
    return true;
  }
  return false;
}

bool Machine::passBarriers() {
  size_t NumLive =
      llvm::count_if(Threads, [](const Thread &T) { return !T.IsDone; });
  for (const Thread &T : Threads) {
    if (T.Waits.K != Waiting::Kind::Barrier)
      continue;
    std::vector<Thread *> Taking;
    for (Thread &Other : Threads)
      if (Other.Waits.K == Waiting::Kind::Barrier &&
          Other.Waits.Barrier == T.Waits.Barrier)
        Taking.push_back(&Other);
    uint64_t Needed = T.Waits.Count ? T.Waits.Count : NumLive;
    if (Taking.size() < Needed)
      continue;
    complete(Taking);
    return true;
  }
  return false;
}

Outcome execute(const Program &P, const Launch &L, GlobalMemory &Global) {
  return Machine(P, L, Global).run();
}

} // namespace unravel::ptx
