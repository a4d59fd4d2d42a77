//===- Machine.h - What running kernel code finds around it ----*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that translated code reads and calls into: special registers, the
// memory it may touch, the instructions that are checked. A process runs one
// kernel at a time, so there is one Machine; workers are forked and have a
// copy.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_MACHINE_H
#define UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_MACHINE_H

#include "tools/kernel-run/machine/MemoryRegions.h"
#include "llvm/IR/Instruction.h"
#include <array>
#include <atomic>
#include <optional>

namespace unravel {

class BlockScheduler;

/// The special registers that translated code loads.
struct SpecialRegisters {
  std::array<uint32_t, 3> Thread = {}, BlockExtent = {1, 1, 1};
  std::array<uint32_t, 3> Block = {}, GridExtent = {1, 1, 1};
  std::array<uint32_t, 3> Cluster = {}, NumClusters = {1, 1, 1};
  std::array<uint32_t, 3> BlockInCluster = {}, ClusterExtent = {1, 1, 1};
  uint32_t RankInCluster = 0, ClusterVolume = 1;
  uint32_t Lane = 0, Warp = 0, Warps = 0, DynamicShared = 0, TotalShared = 0;
  uint32_t Zero = 0, One = 1;

  /// The register that PTX calls \p Name ("tid.x", "laneid"), or null.
  uint32_t *find(llvm::StringRef Name);

  /// \p Clusters blocks are a cluster; the grid is made of whole ones.
  void setGrid(const std::array<uint32_t, 3> &Grid,
               const std::array<uint32_t, 3> &Clusters);
  void setThread(uint32_t Linear);
  void setBlock(uint64_t Linear);
};

/// An instruction of the source that translated code asks about as it runs.
struct CheckedInstruction {
  const llvm::Instruction *Source;
  uint64_t Align = 1;
  bool Writes = false;
  bool IsAccess = false;
  /// Where its last access went: the next one probably goes there as well.
  const MemoryRegion *Last = nullptr;
};

/// "store i32 %x, ptr %p in function f (file.cu:12:3)".
std::string describeInstruction(const llvm::Instruction &I);

/// The thread and the instruction that last wrote the watched byte.
struct Writer {
  bool Found = false;
  uint32_t Thread = 0, Instruction = 0;
  uint64_t Block = 0;
};

/// What a worker tells the process that started it; in memory of both.
struct WorkerStatus {
  enum WorkerState : uint32_t { Running, Finished, Failed };

  std::atomic<uint32_t> State;
  std::atomic<uint64_t> BlocksDone;
  std::atomic<uint64_t> Block;
  std::atomic<uint32_t> Thread;
  Writer LastWriter;
  /// Of a worker that failed: what it found.
  char Message[16384];
};

/// The local variables of one thread: a stack with a gap behind each.
class LocalMemory {
public:
  LocalMemory(uint64_t Begin, uint64_t Size)
      : Begin(Begin), End(Begin + Size), Top(Begin) {}

  /// Zero if there is no room.
  uint64_t allocate(uint64_t Size, uint64_t Align, uint32_t Instruction);

  uint32_t depth() const { return Variables.size(); }
  void release(uint32_t Depth);

  bool mayHold(uint64_t Address) const { return Address - Begin < End - Begin; }
  bool holds(uint64_t Address, uint64_t Bytes) const;

  struct Variable {
    uint64_t Begin, Size;
    uint32_t Instruction;
  };
  llvm::ArrayRef<Variable> variables() const { return Variables; }

private:
  uint64_t Begin, End, Top;
  std::vector<Variable> Variables;
};

/// Hears what threads do to memory, and in which iterations, as they run.
class AccessListener {
public:
  virtual ~AccessListener() = default;
  /// The thread that runs comes to the header of a loop: from outside if
  /// \p Starts. Or it enters a function, which never starts anew.
  virtual void count(uint32_t Counter, bool Starts) = 0;
  virtual void access(uint64_t Address, uint32_t Instruction) = 0;
  virtual void endBlock() = 0;
};

class Machine {
public:
  /// The one of this process.
  static Machine &get();

  SpecialRegisters Registers;

  // 1. Set up before a run.
  MemoryRegions Regions;
  llvm::MutableArrayRef<CheckedInstruction> Instructions;
  /// The byte whose last writer is wanted.
  std::optional<uint64_t> WatchedAddress;
  /// Null if nobody wants to hear.
  AccessListener *Listener = nullptr;

  // 2. Set up by a worker.
  WorkerStatus *Status = nullptr;
  BlockScheduler *Scheduler = nullptr;
  /// Of the thread that runs.
  LocalMemory *Local = nullptr;
  /// Code must not go below this with its stack.
  uintptr_t StackLimit = 0;

  /// Ends the worker: "thread (1, 0, 0) of block (2, 0, 0) WHAT", and where.
  [[noreturn]] void fail(const llvm::Twine &What, uint32_t Instruction);
  /// The same without a thread.
  [[noreturn]] void failBlock(const llvm::Twine &Message);

  /// Fails unless the access is legal.
  void access(uint64_t Address, uint64_t Bytes, uint32_t Instruction);

private:
  [[noreturn]] void failAccess(uint64_t Address, uint64_t Bytes,
                               uint32_t Instruction);
  const MemoryRegion *findSlow(uint64_t Address, uint64_t Bytes,
                               CheckedInstruction &I);
};

/// "thread (1, 0, 0) of block (2, 0, 0)", by linear numbers.
std::string threadName(uint32_t Thread, uint64_t Block,
                       const SpecialRegisters &Shape);

/// What translated code calls; the last parameter is the instruction.
namespace runtime {
void access(uint64_t Address, uint64_t Bytes, uint32_t Instruction);
void count(uint32_t Counter, uint32_t Starts);
void requireDivisor(uint32_t Fine, uint32_t Instruction);
void requireAssumption(uint32_t Fine, uint32_t Instruction);
void stop(uint32_t Instruction);
uint32_t enter(uint32_t Instruction);
void leave(uint32_t Depth);
uint64_t allocate(uint64_t Bytes, uint64_t Align, uint32_t Instruction);
uint32_t isInSpace(uint64_t Address, uint32_t Space);
uint32_t permuteBytes(uint32_t Low, uint32_t High, uint32_t Selector);
uint32_t print(uint64_t Format, uint64_t Arguments, uint32_t Instruction);
void failAssertion(uint64_t Condition, uint64_t File, uint32_t Line,
                   uint32_t Instruction);
} // namespace runtime

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_MACHINE_H
