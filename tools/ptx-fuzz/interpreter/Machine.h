//===- Machine.h - Blocks and threads at work -------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks run one after the other. A thread of a block runs until it comes to a
// barrier or to an operation of its warp, or ends; then the next one runs. The
// order is always the same.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_MACHINE_H
#define UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_MACHINE_H

#include "tools/ptx-fuzz/interpreter/Interpreter.h"
#include "tools/ptx-fuzz/interpreter/Operation.h"
#include "llvm/ADT/Twine.h"

namespace unravel::ptx {

inline constexpr unsigned WarpSize = 32;

/// A thread's part in an operation of its warp.
struct Lane {
  bool TakesPart = false;
  llvm::SmallVector<uint64_t, 4> Operands;
  Results Out;
};
/// Computes Out of all lanes that take part.
using Exchange = std::function<void(llvm::MutableArrayRef<Lane>)>;

/// What a thread waits for.
struct Waiting {
  enum class Kind : uint8_t { None, Warp, Barrier };
  Kind K = Kind::None;
  uint64_t Mask = 0;          ///< Warp: the lanes that take part.
  bool IsConvergence = false; ///< Warp: takes part with whoever is here.
  uint64_t Barrier = 0;       ///< Barrier: its number
  uint64_t Count = 0;         ///< Barrier: of threads; 0 for all
  const Exchange *Combine = nullptr;
  llvm::SmallVector<uint64_t, 4> Operands;
  Target First, Second;
};

/// What a wait will write to a register.
struct PendingWrite {
  Target To;
  uint64_t Value;
  uint64_t Group; ///< Of multiplications: the groups before it.
};

struct Thread {
  std::vector<uint64_t> Registers;
  std::vector<bool> IsWritten;
  bool ReadsUnwritten = false;
  std::vector<uint64_t> Specials;
  std::vector<uint8_t> Local;
  ThreadFlags Flags;
  /// The oldest first.
  std::vector<PendingWrite> Pending;
  uint64_t NumGroups = 0; ///< that were committed
  /// Of instructions with effects that are not modelled.
  uint64_t Notes = 0;
  size_t At = 0;
  bool IsDone = false;
  Waiting Waits;
};

class Machine {
public:
  Machine(const Program &P, const Launch &L, GlobalMemory &Global);

  Outcome run();

  // What steps use.

  uint64_t read(Thread &T, const Source &S) const {
    switch (S.K) {
    case Source::Kind::Register:
      T.ReadsUnwritten |= !T.IsWritten[S.Slot];
      return T.Registers[S.Slot] ^ uint64_t(S.IsNegated);
    case Source::Kind::Special:
      return T.Specials[S.Slot];
    case Source::Kind::Constant:
      return S.Value;
    }
    return 0;
  }
  void write(Thread &T, const Target &To, uint64_t Value) const {
    if (To.Slot == Target::None)
      return;
    T.Registers[To.Slot] = Value & maskOf(To.Width);
    T.IsWritten[To.Slot] = true;
  }
  /// What a register has when nothing is pending any more.
  uint64_t laterValue(Thread &T, const Target &Register) const;
  unsigned laneOf(const Thread &T) const {
    return (&T - Threads.data()) % WarpSize;
  }
  /// The bytes at an address, or null after a call of fail.
  uint8_t *memory(Thread &T, Space In, uint64_t Address, unsigned Size,
                  bool IsWrite);
  /// Between an address in a space and its generic one.
  uint64_t toGeneric(Space In, uint64_t Address) const;
  uint64_t fromGeneric(Space In, uint64_t Address) const;
  Space spaceOfGeneric(uint64_t Address) const;

  void fail(Outcome::Kind K, const llvm::Twine &What);
  bool hasFailed() const { return Result.K != Outcome::Kind::Finished; }
  const Program &program() const { return P; }
  const Launch &launch() const { return L; }

private:
  void startBlock(llvm::ArrayRef<uint32_t> Index);
  void runBlock();
  void runThread(Thread &T);
  /// Whether any thread goes on.
  bool exchangeInWarp(llvm::MutableArrayRef<Thread> Warp);
  bool exchange(llvm::MutableArrayRef<Thread> Warp, uint64_t Members);
  bool passBarriers();
  void complete(llvm::MutableArrayRef<Thread *> Threads);

  const Program &P;
  const Launch &L;
  GlobalMemory &Global;
  Outcome Result;
  std::vector<uint8_t> Shared, DynamicShared, Constants, Params;
  std::vector<Thread> Threads;
  const Step *Current = nullptr;
};

/// A number that looks like chance: the output function of SplitMix64.
uint64_t scramble(uint64_t X);

/// Where the number of a special register is its position: "tid.x", …
llvm::ArrayRef<llvm::StringRef> specialRegisters();

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_INTERPRETER_MACHINE_H
