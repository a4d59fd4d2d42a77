//===- FusionRunner.cpp - Runs emitted kernels on this CPU ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel is a run of kernel-run's machinery. It checks what the kernel
// promises and touches, and outputs begin with a pattern: an element that no
// thread writes is seen.
//
//===----------------------------------------------------------------------===//

#include "tools/fusion-emit/FusionRunner.h"
#include "tools/kernel-run/launch/GridRunner.h"
#include "tools/kernel-run/launch/KernelFinding.h"
#include "tools/kernel-run/launch/KernelModule.h"
#include "tools/kernel-run/launch/LaunchMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

/// Before anything is written to a buffer.
constexpr uint8_t Untouched = 0xa5;

static Error runOne(const EmittedKernel &Kernel, const KernelModule &Module,
                    std::vector<std::vector<uint8_t>> &Buffers,
                    const FusionRunLimits &Limits) {
  Expected<VariableMemory> Variables = VariableMemory::create();
  if (!Variables)
    return Variables.takeError();
  Expected<HostKernel> Host = Module.compile(Kernel.Name, *Variables);
  if (!Host)
    return Host.takeError();
  KernelLaunch Launch;
  Launch.Kernel = Kernel.Name;
  Launch.Shape.Grid = Kernel.Grid;
  Launch.Shape.Block = {Kernel.Block, 1, 1};
  for (unsigned Number : Kernel.Arguments) {
    KernelArgument &A = Launch.Arguments.emplace_back();
    A.Kind = is_contained(Kernel.Written, Number) ? KernelArgument::InOut
                                                  : KernelArgument::In;
    A.Type = ArgumentType::U8;
    A.Bytes = Buffers[Number];
    if (A.Bytes.empty()) // of an empty array; there is always memory
      A.Bytes.push_back(Untouched);
    A.Count = A.Bytes.size();
  }
  if (Error E = checkShape(Launch.Shape))
    return E;
  if (Error E = Host->checkLaunch(Launch))
    return E;
  Expected<LaunchMemory> Memory = LaunchMemory::create(Launch, /*Seed=*/0);
  if (!Memory)
    return Memory.takeError();
  RunSettings Settings;
  Settings.TimeoutSeconds = Limits.TimeoutSeconds;
  Expected<Writer> Ran = runGrid(
      *Host, Launch, BlockSelection::all(Launch.Shape), *Memory, Settings);
  if (!Ran)
    return Ran.takeError();
  for (const LaunchMemory::Buffer &B : Memory->buffers()) {
    std::vector<uint8_t> &Bytes = Buffers[Kernel.Arguments[B.Number]];
    std::copy(B.Begin, B.Begin + Bytes.size(), Bytes.begin());
  }
  return Error::success();
}

Expected<std::vector<HloLiteral>> runKernels(const EmittedModule &Emitted,
                                             const Module &IR, StringRef Label,
                                             ArrayRef<HloLiteral> Inputs,
                                             const FusionRunLimits &Limits) {
  uint64_t Threads = 0;
  for (const EmittedKernel &Kernel : Emitted.Kernels)
    Threads = SaturatingAdd(Threads, Kernel.Threads);
  if (Threads > Limits.MaxThreads)
    return createStringError(Label + ": " + Twine(Threads) +
                             " threads, more than the " +
                             Twine(Limits.MaxThreads) +
                             " that are run on a CPU; make the shapes smaller");
  std::string Text;
  raw_string_ostream(Text) << IR;
  Expected<KernelModule> Module =
      KernelModule::parse(MemoryBufferRef(Text, Label));
  if (!Module)
    return Module.takeError();

  std::vector<const HloLiteral *> Arrays = arraysOf(Inputs);
  std::vector<std::vector<uint8_t>> Buffers;
  for (const KernelBuffer &Buffer : Emitted.Buffers)
    if (Buffer.BufferKind == KernelBuffer::Kind::Input)
      Buffers.push_back(
          Arrays[Buffers.size()]->relaidOut(Buffer.Shape).bytes().vec());
    else
      Buffers.push_back(
          std::vector<uint8_t>(Buffer.Shape.byteSize(), Untouched));
  for (const EmittedKernel &Kernel : Emitted.Kernels)
    if (Error E = runOne(Kernel, *Module, Buffers, Limits))
      return prefixed(Label + ": ", std::move(E));

  std::vector<HloLiteral> Outputs;
  for (auto [Number, Buffer] : enumerate(Emitted.Buffers))
    if (Buffer.BufferKind == KernelBuffer::Kind::Output)
      Outputs.push_back(
          HloLiteral(Buffer.Shape, Buffers[Buffer.AliasOf.value_or(Number)]));
  return Outputs;
}

} // namespace unravel
