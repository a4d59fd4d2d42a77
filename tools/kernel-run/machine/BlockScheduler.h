//===- BlockScheduler.h - Runs the threads of one block --------*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads whose kernel may wait for others (barriers, shuffles, votes) are
// fibers: each runs until it waits or returns, in the order of their numbers,
// and whoever waits goes on when all that it waits for are there. Otherwise one
// fiber runs thread after thread. Either way the order is always the same.
//
// What waits for whom follows PTX for sm_70 and later: a barrier waits for
// threads of the block, however they got there; a warp operation waits for the
// lanes of its mask that have not returned.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_BLOCKSCHEDULER_H
#define UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_BLOCKSCHEDULER_H

#include "tools/kernel-run/machine/Machine.h"
#include "tools/kernel-run/machine/WarpOperations.h"
#include "llvm/ADT/SmallVector.h"
#include <csetjmp>
#include <map>
#include <memory>
#include <ucontext.h>

namespace unravel {

enum class BarrierOperation : uint32_t { Sync, And, Or, Count };

class BlockScheduler {
public:
  using ThreadFunction = void (*)(void *const *Arguments);

  struct Settings {
    ThreadFunction Run = nullptr;
    void *const *Arguments = nullptr;
    unsigned Threads = 0;
    /// Whether a thread may wait for another.
    bool MayWait = false;
    /// Whether a thread that has returned counts at barriers.
    bool ExitedArrive = false;
  };

  static llvm::Expected<std::unique_ptr<BlockScheduler>>
  create(const Settings &S);

  /// Runs all threads. The machine's registers know the block.
  void runBlock();

  // What a running thread calls.
  uint32_t waitAtBarrier(BarrierOperation Operation, uint32_t Barrier,
                         uint32_t Count, bool Predicate, uint32_t Instruction);
  void arriveAtBarrier(uint32_t Barrier, uint32_t Count, uint32_t Instruction);
  uint64_t waitForLanes(WarpOperation Operation, uint32_t Mask,
                        const WarpOperand &Operand, uint32_t Instruction);

private:
  enum ThreadState { Ready, AtBarrier, InWarp, Exited };

  /// Where a fiber, or the scheduler, goes on.
  struct Place {
    ucontext_t Context;
    jmp_buf Jump;
    bool HasJump = false; ///< otherwise it begins at Context
  };

  struct Fiber {
    Place Next;
    uint8_t *Stack = nullptr;
    LocalMemory Local = LocalMemory(0, 0);
    ThreadState State = Exited;

    // Of one that waits.
    uint32_t Instruction = 0;
    BarrierOperation Barrier = BarrierOperation::Sync;
    uint32_t BarrierNumber = 0, BarrierCount = 0;
    bool Predicate = false;
    WarpOperation Warp = WarpOperation::Sync;
    uint32_t Mask = 0;
    WarpOperand Operand;
    uint64_t Result = 0;
  };

  explicit BlockScheduler(const Settings &S) : S(S) {}
  static void switchTo(Place &From, Place &To);
  static void fiberMain();
  void runOneAfterTheOther();
  void start(Fiber &F);
  void resume(unsigned Thread);
  void wait(Fiber &F, ThreadState State, uint32_t Instruction);
  bool releaseWarp(unsigned Warp);
  bool releaseActiveMask(unsigned Warp);
  bool releaseBarrier(uint32_t Barrier);
  uint32_t arrivedAt(uint32_t Barrier) const;
  [[noreturn]] void failDeadlock();
  unsigned warps() const { return (S.Threads + WarpSize - 1) / WarpSize; }
  llvm::MutableArrayRef<Fiber> lanes(unsigned Warp);

  Settings S;
  Pages Stacks, Locals;
  std::vector<Fiber> Fibers;
  Place Scheduler;
  unsigned Current = 0;
  /// Threads that arrived without waiting, by barrier.
  std::map<uint32_t, uint32_t> Arrivals;
};

namespace runtime {
uint32_t barrier(uint32_t Operation, uint32_t Barrier, uint32_t Count,
                 uint32_t Predicate, uint32_t Instruction);
void arrive(uint32_t Barrier, uint32_t Count, uint32_t Instruction);
uint64_t warp(uint32_t Operation, uint32_t Mask, uint64_t Value, uint32_t Lane,
              uint32_t Clamp, uint32_t Instruction);
} // namespace runtime

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_BLOCKSCHEDULER_H
