//===- BlockScheduler.cpp - Runs the threads of one block -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/machine/BlockScheduler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <set>

// Those who check jumps take one to another stack for an error.
#if defined(__SANITIZE_ADDRESS__) || __USE_FORTIFY_LEVEL > 0
#define UNRAVEL_CHECKED_JUMPS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNRAVEL_CHECKED_JUMPS
#endif
#endif

using namespace llvm;
using namespace unravel;

namespace {
// Local variables are not on the stack, so a fiber needs little of it. PTX
// gives a thread up to 512 KiB of local memory; gaps take the rest.
constexpr uint64_t FiberStackBytes = 256 << 10, LongStackBytes = 8 << 20;
constexpr uint64_t StackReserve = 64 << 10;
constexpr uint64_t LocalBytes = 1 << 20;
} // namespace

// 1. Fibers.

Expected<std::unique_ptr<BlockScheduler>>
BlockScheduler::create(const Settings &S) {
  std::unique_ptr<BlockScheduler> Result(new BlockScheduler(S));
  unsigned Count = S.MayWait ? S.Threads : 1;
  uint64_t StackBytes = S.MayWait ? FiberStackBytes : LongStackBytes;
  Expected<Pages> Stacks = Pages::create(Count * StackBytes, false);
  if (!Stacks)
    return Stacks.takeError();
  Expected<Pages> Locals = Pages::createLow(Count * LocalBytes, false);
  if (!Locals)
    return Locals.takeError();
  Result->Stacks = std::move(*Stacks);
  Result->Locals = std::move(*Locals);
  Result->Fibers.resize(Count);
  uint64_t Local = reinterpret_cast<uintptr_t>(Result->Locals.begin());
  for (auto [I, F] : enumerate(Result->Fibers)) {
    F.Stack = Result->Stacks.begin() + I * StackBytes;
    F.Local = LocalMemory(Local + I * LocalBytes, LocalBytes);
    getcontext(&F.Next.Context);
    F.Next.Context.uc_stack.ss_sp = F.Stack;
    F.Next.Context.uc_stack.ss_size = StackBytes;
    F.Next.Context.uc_link = nullptr; // fiberMain() does not return
    makecontext(&F.Next.Context, fiberMain, 0);
  }
  return Result;
}

void BlockScheduler::start(Fiber &F) {
  F.Local.release(0);
  F.State = Ready;
}

/// Returns when something switches to \p From.
void BlockScheduler::switchTo(Place &From, Place &To) {
#ifdef UNRAVEL_CHECKED_JUMPS
  swapcontext(&From.Context, &To.Context);
#else
  // swapcontext() takes system calls, for the mask of signals, and would cost
  // more than what most kernels do between two barriers.
  From.HasJump = true;
  if (_setjmp(From.Jump))
    return;
  if (To.HasJump)
    _longjmp(To.Jump, 1);
  setcontext(&To.Context);
#endif
}

/// Runs a thread of each block.
void BlockScheduler::fiberMain() {
  BlockScheduler &B = *Machine::get().Scheduler;
  Fiber &F = B.Fibers[B.Current];
  while (true) {
    if (B.S.MayWait)
      B.S.Run(B.S.Arguments);
    else
      B.runOneAfterTheOther();
    F.State = Exited;
    switchTo(F.Next, B.Scheduler);
  }
}

void BlockScheduler::runOneAfterTheOther() {
  Machine &M = Machine::get();
  for (unsigned Thread = 0; Thread != S.Threads; ++Thread) {
    M.Status->Thread.store(Thread, std::memory_order_relaxed);
    M.Registers.setThread(Thread);
    M.Local->release(0);
    S.Run(S.Arguments);
  }
}

void BlockScheduler::resume(unsigned Thread) {
  Machine &M = Machine::get();
  Fiber &F = Fibers[Thread];
  Current = Thread;
  M.Status->Thread.store(Thread, std::memory_order_relaxed);
  M.Registers.setThread(Thread);
  M.Local = &F.Local;
  M.StackLimit = reinterpret_cast<uintptr_t>(F.Stack) + StackReserve;
  switchTo(Scheduler, F.Next);
}

void BlockScheduler::wait(Fiber &F, ThreadState State, uint32_t Instruction) {
  F.State = State;
  F.Instruction = Instruction;
  switchTo(F.Next, Scheduler);
}

void BlockScheduler::runBlock() {
  Arrivals.clear();
  for (Fiber &F : Fibers)
    start(F);
  while (true) {
    for (unsigned Thread = 0; Thread != Fibers.size(); ++Thread)
      if (Fibers[Thread].State == Ready)
        resume(Thread);
    if (all_of(Fibers, [](const Fiber &F) { return F.State == Exited; }))
      return;

    bool Released = false;
    for (unsigned Warp = 0; Warp != warps(); ++Warp)
      Released |= releaseWarp(Warp);
    std::set<uint32_t> Barriers;
    for (const Fiber &F : Fibers)
      if (F.State == AtBarrier)
        Barriers.insert(F.BarrierNumber);
    for (uint32_t Barrier : Barriers)
      Released |= releaseBarrier(Barrier);
    // The lanes that are active together are known only when all have come as
    // far as they can.
    for (unsigned Warp = 0; !Released && Warp != warps(); ++Warp)
      Released = releaseActiveMask(Warp);
    if (!Released)
      failDeadlock();
  }
}

// 2. Warps.

MutableArrayRef<BlockScheduler::Fiber> BlockScheduler::lanes(unsigned Warp) {
  MutableArrayRef<Fiber> All = Fibers;
  return All.drop_front(Warp * WarpSize).take_front(WarpSize);
}

uint64_t BlockScheduler::waitForLanes(WarpOperation Operation, uint32_t Mask,
                                      const WarpOperand &Operand,
                                      uint32_t Instruction) {
  Fiber &F = Fibers[Current];
  if (Operation != WarpOperation::ActiveMask &&
      !(Mask >> (Current % WarpSize) & 1))
    Machine::get().fail(
        formatv("takes part with the mask {0:x}, which leaves out its own "
                "lane {1}",
                Mask, Current % WarpSize),
        Instruction);
  F.Warp = Operation;
  F.Mask = Mask;
  F.Operand = Operand;
  wait(F, InWarp, Instruction);
  return F.Result;
}

/// Lets go on who has all the lanes it waits for.
bool BlockScheduler::releaseWarp(unsigned Warp) {
  MutableArrayRef<Fiber> Lanes = lanes(Warp);
  uint32_t Alive = 0;
  std::array<WarpOperand, WarpSize> Operands = {};
  for (auto [Lane, F] : enumerate(Lanes)) {
    Alive |= uint32_t(F.State != Exited) << Lane;
    Operands[Lane] = F.Operand;
  }
  bool Released = false;
  for (const Fiber &Leader : Lanes) {
    if (Leader.State != InWarp || Leader.Warp == WarpOperation::ActiveMask)
      continue;
    uint32_t Present = 0;
    for (auto [Lane, F] : enumerate(Lanes))
      if (F.State == InWarp && F.Warp == Leader.Warp && F.Mask == Leader.Mask)
        Present |= uint32_t(1) << Lane;
    if (Present != (Leader.Mask & Alive))
      continue;
    WarpOperation Operation = Leader.Warp;
    for (auto [Lane, F] : enumerate(Lanes))
      if (Present >> Lane & 1) {
        F.Result = warpResult(Operation, Present, Operands, Lane);
        F.State = Ready;
      }
    Released = true;
  }
  return Released;
}

/// Lanes at the same activemask are active together.
bool BlockScheduler::releaseActiveMask(unsigned Warp) {
  MutableArrayRef<Fiber> Lanes = lanes(Warp);
  auto Asks = [](const Fiber &F) {
    return F.State == InWarp && F.Warp == WarpOperation::ActiveMask;
  };
  const Fiber *First = find_if(Lanes, Asks);
  if (First == Lanes.end())
    return false;
  uint32_t Instruction = First->Instruction, Present = 0;
  for (auto [Lane, F] : enumerate(Lanes))
    if (Asks(F) && F.Instruction == Instruction)
      Present |= uint32_t(1) << Lane;
  for (auto [Lane, F] : enumerate(Lanes))
    if (Present >> Lane & 1) {
      F.Result = Present;
      F.State = Ready;
    }
  return true;
}

// 3. Barriers.

constexpr uint32_t Barriers = 16;

static void checkBarrier(uint32_t Barrier, uint32_t Count,
                         uint32_t Instruction) {
  if (Barrier >= Barriers)
    Machine::get().fail("uses barrier " + Twine(Barrier) +
                            "; a block has barriers 0 to 15",
                        Instruction);
  if (Count % WarpSize)
    Machine::get().fail("uses a barrier for " + Twine(Count) +
                            " threads, which is no multiple of 32",
                        Instruction);
}

uint32_t BlockScheduler::waitAtBarrier(BarrierOperation Operation,
                                       uint32_t Barrier, uint32_t Count,
                                       bool Predicate, uint32_t Instruction) {
  checkBarrier(Barrier, Count, Instruction);
  Fiber &F = Fibers[Current];
  F.Barrier = Operation;
  F.BarrierNumber = Barrier;
  F.BarrierCount = Count;
  F.Predicate = Predicate;
  wait(F, AtBarrier, Instruction);
  return F.Result;
}

void BlockScheduler::arriveAtBarrier(uint32_t Barrier, uint32_t Count,
                                     uint32_t Instruction) {
  checkBarrier(Barrier, Count, Instruction);
  ++Arrivals[Barrier];
}

/// How many threads \p Barrier counts. Hardware counts whole warps: the lanes
/// that the last warp of the block does not have come with those it has.
uint32_t BlockScheduler::arrivedAt(uint32_t Barrier) const {
  uint32_t Arrived = 0, OfLastWarp = 0;
  for (auto [Thread, F] : enumerate(Fibers)) {
    bool IsHere = F.State == AtBarrier && F.BarrierNumber == Barrier;
    if (!IsHere && !(S.ExitedArrive && F.State == Exited))
      continue;
    ++Arrived;
    OfLastWarp += Thread / WarpSize == warps() - 1;
  }
  auto Known = Arrivals.find(Barrier);
  if (Known != Arrivals.end())
    Arrived += Known->second;
  uint32_t Present = S.Threads - (warps() - 1) * WarpSize;
  return Arrived + (OfLastWarp == Present ? WarpSize - Present : 0);
}

bool BlockScheduler::releaseBarrier(uint32_t Barrier) {
  auto IsHere = [&](const Fiber &F) {
    return F.State == AtBarrier && F.BarrierNumber == Barrier;
  };
  uint32_t Count = find_if(Fibers, IsHere)->BarrierCount;
  if (arrivedAt(Barrier) < (Count ? Count : warps() * WarpSize))
    return false;
  bool All = true, Any = false;
  uint32_t True = 0;
  for (const Fiber &F : make_filter_range(Fibers, IsHere)) {
    All &= F.Predicate;
    Any |= F.Predicate;
    True += F.Predicate;
  }
  for (Fiber &F : Fibers) {
    if (!IsHere(F))
      continue;
    F.Result = F.Barrier == BarrierOperation::And  ? All
               : F.Barrier == BarrierOperation::Or ? Any
                                                   : True;
    F.State = Ready;
  }
  Arrivals.erase(Barrier);
  return true;
}

// 4. Deadlocks.

/// "threads 0, 1, 2, 5 and 12 more".
static std::string listThreads(ArrayRef<unsigned> Threads) {
  constexpr size_t Shown = 8;
  std::string Text = Threads.size() == 1 ? "thread " : "threads ";
  ListSeparator Comma;
  for (unsigned Thread : Threads.take_front(Shown))
    Text += formatv("{0}{1}", StringRef(Comma), Thread);
  if (Threads.size() > Shown)
    Text += formatv(" and {0} more", Threads.size() - Shown);
  return Text;
}

void BlockScheduler::failDeadlock() {
  Machine &M = Machine::get();
  // By what they wait for; those that have returned last.
  std::map<std::pair<uint32_t, uint32_t>, SmallVector<unsigned, 8>> Waiting;
  SmallVector<unsigned, 8> Returned;
  for (auto [Thread, F] : enumerate(Fibers))
    if (F.State == Exited)
      Returned.push_back(Thread);
    else
      Waiting[{F.Instruction, F.State == InWarp ? F.Mask : 0}].push_back(
          Thread);
  const auto &B = M.Registers.Block;
  std::string Text = formatv("deadlock in block ({0}, {1}, {2}): no thread can "
                             "go on",
                             B[0], B[1], B[2]);
  for (const auto &[What, Threads] : Waiting) {
    const Fiber &F = Fibers[Threads.front()];
    Text += "\n  " + listThreads(Threads) + " (of the block) wait";
    if (Threads.size() == 1)
      Text += "s";
    if (F.State == InWarp)
      Text += formatv(" for the lanes {0:x} of the warp", F.Mask);
    else
      Text += formatv(" at barrier {0} for {1} threads", F.BarrierNumber,
                      F.BarrierCount ? F.BarrierCount : S.Threads);
    Text += "\n    at: " +
            describeInstruction(*M.Instructions[F.Instruction].Source);
  }
  if (!Returned.empty())
    Text += "\n  " + listThreads(Returned) +
            (Returned.size() == 1 ? " has" : " have") + " returned";
  M.failBlock(Text);
}

// 5. What translated code calls.

uint32_t runtime::barrier(uint32_t Operation, uint32_t Barrier, uint32_t Count,
                          uint32_t Predicate, uint32_t Instruction) {
  return Machine::get().Scheduler->waitAtBarrier(
      BarrierOperation(Operation), Barrier, Count, Predicate, Instruction);
}

void runtime::arrive(uint32_t Barrier, uint32_t Count, uint32_t Instruction) {
  Machine::get().Scheduler->arriveAtBarrier(Barrier, Count, Instruction);
}

uint64_t runtime::warp(uint32_t Operation, uint32_t Mask, uint64_t Value,
                       uint32_t Lane, uint32_t Clamp, uint32_t Instruction) {
  return Machine::get().Scheduler->waitForLanes(
      WarpOperation(Operation), Mask, {Value, Lane, Clamp}, Instruction);
}
