//===- GridRunner.cpp - Runs the blocks of a grid -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/launch/GridRunner.h"
#include "tools/kernel-run/launch/KernelFinding.h"
#include "tools/kernel-run/launch/ProgressBar.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace unravel;

// 1. Which blocks.

void BlockSelection::add(uint64_t First, uint64_t Last) {
  Ranges.push_back({First, Last});
  Size += Last - First + 1;
}

BlockSelection BlockSelection::all(const LaunchShape &Shape) {
  BlockSelection Result;
  Result.add(0, Shape.blocks() - 1);
  return Result;
}

BlockSelection BlockSelection::sample(const LaunchShape &Shape,
                                      uint64_t Count) {
  uint64_t Last = Shape.blocks() - 1;
  if (Count > Last)
    return all(Shape);
  BlockSelection Result;
  for (uint64_t I = 0; I != Count; ++I) {
    auto Offset = static_cast<unsigned __int128>(Last) * I /
                  std::max<uint64_t>(Count - 1, 1);
    Result.add(uint64_t(Offset), uint64_t(Offset));
  }
  return Result;
}

Expected<BlockSelection> BlockSelection::parse(StringRef Text,
                                               const LaunchShape &Shape) {
  BlockSelection Result;
  SmallVector<StringRef, 8> Parts;
  Text.split(Parts, ',');
  uint64_t End = Shape.blocks();
  auto Read = [&](StringRef Word, uint64_t &Block) {
    Block = End - 1;
    return Word.trim() == "last" || !Word.trim().getAsInteger(10, Block);
  };
  for (StringRef Part : Parts) {
    auto [From, To] = Part.split('-');
    uint64_t First, Last;
    if (!Read(From, First) || !Read(Part.contains('-') ? To : From, Last))
      return createStringError("--blocks: '" + Part +
                               "' is no block: give numbers, ranges as 5-9, or "
                               "'last'");
    if (First > Last || Last >= End)
      return createStringError("--blocks: '" + Part + "' is outside the " +
                               Twine(End) + " blocks of the grid");
    Result.add(First, Last);
  }
  return Result;
}

uint64_t BlockSelection::operator[](uint64_t Index) const {
  for (const Range &R : Ranges) {
    uint64_t Count = R.Last - R.First + 1;
    if (Index < Count)
      return R.First + Index;
    Index -= Count;
  }
  llvm_unreachable("not that many blocks are selected");
}

// 2. One worker.

namespace {
struct Worker {
  pid_t Process = -1;
  uint64_t First, Last;
  WorkerStatus *Status;
  int ExitStatus = 0;
};
} // namespace

/// Everything that translated code will ask the machine about.
static void prepareMachine(Machine &M, const HostKernel &Kernel,
                           const KernelLaunch &Launch,
                           const LaunchMemory &Memory, uint64_t DynamicShared) {
  M.Registers = SpecialRegisters();
  M.Registers.setGrid(Launch.Shape.Grid, Kernel.clusterExtent());
  M.Registers.BlockExtent = Launch.Shape.Block;
  M.Registers.Warps = divideCeil(Launch.Shape.threadsPerBlock(), WarpSize);
  M.Registers.DynamicShared = Launch.SharedBytes;
  M.Registers.TotalShared = Launch.SharedBytes + Kernel.staticSharedBytes();
  M.Regions = MemoryRegions();
  for (const LaunchMemory::Buffer &B : Memory.buffers())
    M.Regions.add({reinterpret_cast<uintptr_t>(B.Begin), B.size(),
                   MemorySpace::Global, B.name()});
  for (const ModuleVariable &V : Kernel.variables())
    M.Regions.add(V.Region);
  if (Kernel.usesDynamicShared())
    M.Regions.add({DynamicShared, Launch.SharedBytes, MemorySpace::Shared,
                   "the dynamic shared memory (--shared)"});
}

/// Runs a slice of the blocks; does not come back.
[[noreturn]] static void runWorker(const Worker &W, const HostKernel &Kernel,
                                   const BlockSelection &Blocks,
                                   const LaunchMemory &Memory,
                                   const RunSettings &Settings) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Machine &M = Machine::get();
  std::vector<CheckedInstruction> Instructions = Kernel.instructions();
  M.Instructions = Instructions;
  M.Status = W.Status;
  M.WatchedAddress = Settings.Watch;
  M.Listener = Settings.Listener;
  const auto &Extent = M.Registers.BlockExtent;
  unsigned Threads = Extent[0] * Extent[1] * Extent[2];
  Expected<std::unique_ptr<BlockScheduler>> Scheduler = BlockScheduler::create(
      {Kernel.threadFunction(), Memory.arguments().data(), Threads,
       Kernel.mayWait(), Settings.ExitedArrive});
  if (!Scheduler)
    M.failBlock(toString(Scheduler.takeError()));
  M.Scheduler = Scheduler->get();
  for (uint64_t I = W.First; I != W.Last; ++I) {
    uint64_t Block = Blocks[I];
    M.Status->Block = Block;
    M.Registers.setBlock(Block);
    for (const MemoryRegion &R : M.Regions.all())
      if (R.Space == MemorySpace::Shared)
        std::memset(reinterpret_cast<void *>(R.Begin), FillPattern, R.Size);
    M.Scheduler->runBlock();
    if (M.Listener)
      M.Listener->endBlock();
    ++M.Status->BlocksDone;
  }
  M.Status->State = WorkerStatus::Finished;
  _exit(0);
}

// 3. All of them.

/// Waits until every worker has ended, at most for the time allowed.
static Error waitForWorkers(MutableArrayRef<Worker> Workers, uint64_t Total,
                            const RunSettings &Settings) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point Start = Clock::now();
  ProgressBar Progress(Settings.ShowProgress, Total);
  auto Pause = std::chrono::microseconds(50);
  while (true) {
    bool AnyRuns = false;
    uint64_t Done = 0;
    for (Worker &W : Workers) {
      Done += W.Status->BlocksDone;
      if (W.Process < 0)
        continue;
      if (waitpid(W.Process, &W.ExitStatus, WNOHANG) == W.Process)
        W.Process = -1;
      else
        AnyRuns = true;
    }
    Progress.show(Done);
    if (!AnyRuns)
      return Error::success();
    if (Settings.TimeoutSeconds &&
        Clock::now() - Start > std::chrono::seconds(Settings.TimeoutSeconds))
      break;
    std::this_thread::sleep_for(Pause);
    Pause = std::min(Pause * 3 / 2, std::chrono::microseconds(10000));
  }
  const WorkerStatus *Late = nullptr;
  for (Worker &W : Workers)
    if (W.Process >= 0) {
      Late = Late ? Late : W.Status;
      kill(W.Process, SIGKILL);
      waitpid(W.Process, &W.ExitStatus, 0);
    }
  return createStringError(
      formatv("not finished after {0} s, at {1}: it may loop for ever or wait "
              "for a thread that runs later; give more time with --timeout, or "
              "fewer blocks with --blocks or --sample-blocks",
              Settings.TimeoutSeconds,
              threadName(Late->Thread, Late->Block, Machine::get().Registers)));
}

static Error faultOf(const Worker &W) {
  const WorkerStatus &S = *W.Status;
  if (S.State == WorkerStatus::Failed)
    return make_error<KernelFinding>(S.Message);
  if (S.State == WorkerStatus::Finished)
    return Error::success();
  std::string Thread = threadName(S.Thread, S.Block, Machine::get().Registers);
  if (WIFSIGNALED(W.ExitStatus))
    return make_error<KernelFinding>(
        Thread + " crashed: " + strsignal(WTERMSIG(W.ExitStatus)));
  return make_error<KernelFinding>(Thread + " ended the process");
}

Expected<Writer> unravel::runGrid(const HostKernel &Kernel,
                                  const KernelLaunch &Launch,
                                  const BlockSelection &Blocks,
                                  LaunchMemory &Memory,
                                  const RunSettings &Settings) {
  Memory.reset();
  Kernel.resetVariables();
  prepareMachine(Machine::get(), Kernel, Launch, Memory,
                 Kernel.dynamicSharedAddress());
  uint64_t Total = Blocks.size();
  unsigned Jobs = std::clamp<uint64_t>(Settings.Jobs, 1, Total);
  Expected<Pages> Shared = Pages::create(Jobs * sizeof(WorkerStatus), true);
  if (!Shared)
    return Shared.takeError();
  // What is buffered must not be written once more by each worker.
  outs().flush();
  errs().flush();
  std::vector<Worker> Workers(Jobs);
  for (auto [I, W] : enumerate(Workers)) {
    W.Status = new (Shared->begin() + I * sizeof(WorkerStatus)) WorkerStatus();
    W.First = Total / Jobs * I + std::min<uint64_t>(I, Total % Jobs);
    W.Last = W.First + Total / Jobs + (I < Total % Jobs);
    W.Process = fork();
    if (W.Process == 0)
      runWorker(W, Kernel, Blocks, Memory, Settings);
    if (W.Process < 0) {
      std::string Reason = std::strerror(errno);
      for (const Worker &Other : Workers)
        if (Other.Process > 0)
          kill(Other.Process, SIGKILL);
      return createStringError("cannot start a worker: " + Reason);
    }
  }
  if (Error E = waitForWorkers(Workers, Total, Settings))
    return E;
  Writer Last;
  for (const Worker &W : Workers) {
    // The first in the order of blocks, however many there are.
    if (Error E = faultOf(W))
      return E;
    if (W.Status->LastWriter.Found)
      Last = W.Status->LastWriter;
  }
  return Last;
}
