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
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

/// Before anything is written to a buffer.
constexpr uint8_t Untouched = 0xa5;

namespace {
using Bytes = std::vector<uint8_t>;

class Runner {
public:
  Runner(const EmittedModule &Emitted, const KernelModule &Module,
         FusionLibrary Library, const FusionRunLimits &Limits)
      : Emitted(Emitted), Module(Module), Library(Library), Limits(Limits) {}

  /// The outputs of \p C. The recursion is as deep as computations call each
  /// other.
  Expected<std::vector<Bytes>> run(const EmittedComputation &C,
                                   std::vector<Bytes> Inputs);

private:
  struct Compiled {
    VariableMemory Variables;
    std::optional<HostKernel> Host;
  };

  Expected<const HostKernel *> compiled(StringRef Name);
  Error launch(const EmittedKernel &Kernel, std::vector<Bytes> &Buffers);
  Error runWhile(const EmittedStep &Step, std::vector<Bytes> &Buffers);
  Error runConditional(const EmittedStep &Step, std::vector<Bytes> &Buffers);
  Error call(const EmittedComputation &C, const EmittedStep &Step,
             std::vector<Bytes> &Buffers);
  Error runStep(const EmittedComputation &C, const EmittedStep &Step,
                std::vector<Bytes> &Buffers);

  const EmittedModule &Emitted;
  const KernelModule &Module;
  FusionLibrary Library;
  const FusionRunLimits &Limits;
  /// By name. A loop launches a kernel often.
  StringMap<std::unique_ptr<Compiled>> Kernels;
  uint64_t Threads = 0;
  unsigned Iterations = 0;
};
} // namespace

Expected<const HostKernel *> Runner::compiled(StringRef Name) {
  std::unique_ptr<Compiled> &Kernel = Kernels[Name];
  if (!Kernel) {
    Expected<VariableMemory> Variables = VariableMemory::create();
    if (!Variables)
      return Variables.takeError();
    auto New = std::make_unique<Compiled>(
        Compiled{std::move(*Variables), std::nullopt});
    Expected<HostKernel> Host = Module.compile(Name, New->Variables);
    if (!Host)
      return Host.takeError();
    New->Host.emplace(std::move(*Host));
    Kernel = std::move(New);
  }
  return &*Kernel->Host;
}

Error Runner::launch(const EmittedKernel &Kernel, std::vector<Bytes> &Buffers) {
  Expected<const HostKernel *> Host = compiled(Kernel.Name);
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
  if (Error E = (*Host)->checkLaunch(Launch))
    return E;
  Expected<LaunchMemory> Memory = LaunchMemory::create(Launch, /*Seed=*/0);
  if (!Memory)
    return Memory.takeError();
  RunSettings Settings;
  Settings.TimeoutSeconds = Limits.TimeoutSeconds;
  Expected<Writer> Ran = runGrid(
      **Host, Launch, BlockSelection::all(Launch.Shape), *Memory, Settings);
  if (!Ran)
    return Ran.takeError();
  for (const LaunchMemory::Buffer &B : Memory->buffers()) {
    Bytes &Contents = Buffers[Kernel.Arguments[B.Number]];
    std::copy(B.Begin, B.Begin + Contents.size(), Contents.begin());
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Between kernels
//===----------------------------------------------------------------------===//

static std::vector<Bytes> contentsOf(ArrayRef<unsigned> Numbers,
                                     ArrayRef<Bytes> Buffers) {
  std::vector<Bytes> Contents;
  for (unsigned Number : Numbers)
    Contents.push_back(Buffers[Number]);
  return Contents;
}

static void copyTo(ArrayRef<unsigned> Numbers, std::vector<Bytes> Contents,
                   std::vector<Bytes> &Buffers) {
  for (auto [Number, Bytes] : zip_equal(Numbers, Contents))
    Buffers[Number] = std::move(Bytes);
}

Error Runner::runWhile(const EmittedStep &Step, std::vector<Bytes> &Buffers) {
  copyTo(Step.Results, contentsOf(Step.Operands, Buffers), Buffers);
  while (Iterations++ < Limits.MaxIterations) {
    auto Continues = run(Emitted.Computations[Step.Computations[0]],
                         contentsOf(Step.Results, Buffers));
    if (!Continues)
      return Continues.takeError();
    if (Continues->front().front() == 0)
      return Error::success();
    auto State = run(Emitted.Computations[Step.Computations[1]],
                     contentsOf(Step.Results, Buffers));
    if (!State)
      return State.takeError();
    copyTo(Step.Results, std::move(*State), Buffers);
  }
  return createStringError("with those of '" + Step.Name +
                           "', there are more than " +
                           Twine(Limits.MaxIterations) +
                           " iterations of loops between kernels, too many for "
                           "a CPU; give the loops fewer");
}

static size_t inputCount(const EmittedComputation &C) {
  return count_if(C.Buffers, [](const KernelBuffer &Buffer) {
    return Buffer.BufferKind == KernelBuffer::Kind::Input;
  });
}

Error Runner::runConditional(const EmittedStep &Step,
                             std::vector<Bytes> &Buffers) {
  const Bytes &Chooser = Buffers[Step.Operands.front()];
  size_t Last = Step.Computations.size() - 1, Branch;
  if (Chooser.size() == 1) {
    Branch = Chooser.front() != 0 ? 0 : 1;
  } else {
    // A negative number is none of the branches.
    uint32_t Number = support::endian::read32le(Chooser.data());
    Branch = std::min<size_t>(Number, Last);
  }
  ArrayRef<unsigned> Operands = ArrayRef(Step.Operands).drop_front();
  for (unsigned Before : ArrayRef(Step.Computations).take_front(Branch))
    Operands = Operands.drop_front(inputCount(Emitted.Computations[Before]));
  const EmittedComputation &Chosen =
      Emitted.Computations[Step.Computations[Branch]];
  auto Outputs =
      run(Chosen, contentsOf(Operands.take_front(inputCount(Chosen)), Buffers));
  if (!Outputs)
    return Outputs.takeError();
  copyTo(Step.Results, std::move(*Outputs), Buffers);
  return Error::success();
}

Error Runner::call(const EmittedComputation &C, const EmittedStep &Step,
                   std::vector<Bytes> &Buffers) {
  if (!Library)
    return createStringError("there is no code here for '" + Step.Target +
                             "', which '" + Step.Name +
                             "' calls; --check gives the call random values");
  std::vector<HloLiteral> Operands;
  for (unsigned Number : Step.Operands)
    Operands.push_back(HloLiteral(C.Buffers[Number].Shape, Buffers[Number]));
  Expected<std::vector<HloLiteral>> Results = Library(Step, Operands);
  if (!Results)
    return Results.takeError();
  for (auto [Number, Result] : zip_equal(Step.Results, *Results))
    Buffers[Number] = Result.relaidOut(C.Buffers[Number].Shape).bytes().vec();
  return Error::success();
}

Error Runner::runStep(const EmittedComputation &C, const EmittedStep &Step,
                      std::vector<Bytes> &Buffers) {
  switch (Step.StepKind) {
  case EmittedStep::Kind::Launch:
    return launch(C.Kernels[Step.Kernel], Buffers);
  case EmittedStep::Kind::While:
    return runWhile(Step, Buffers);
  case EmittedStep::Kind::Conditional:
    return runConditional(Step, Buffers);
  case EmittedStep::Kind::Call:
    return call(C, Step, Buffers);
  }
  llvm_unreachable("all kinds are above");
}

Expected<std::vector<Bytes>> Runner::run(const EmittedComputation &C,
                                         std::vector<Bytes> Inputs) {
  for (const EmittedKernel &Kernel : C.Kernels)
    Threads = SaturatingAdd(Threads, Kernel.Threads);
  if (Threads > Limits.MaxThreads)
    return createStringError(Twine(Threads) + " threads, more than the " +
                             Twine(Limits.MaxThreads) +
                             " that are run on a CPU; make the shapes smaller");
  std::vector<Bytes> Buffers = std::move(Inputs);
  for (const KernelBuffer &Buffer :
       ArrayRef(C.Buffers).drop_front(Buffers.size()))
    Buffers.push_back(Bytes(Buffer.Shape.byteSize(), Untouched));
  for (const EmittedStep &Step : C.Steps)
    if (Error E = runStep(C, Step, Buffers))
      return E;
  std::vector<Bytes> Outputs;
  for (auto [Number, Buffer] : enumerate(C.Buffers))
    if (Buffer.BufferKind == KernelBuffer::Kind::Output)
      Outputs.push_back(Buffers[Buffer.AliasOf.value_or(Number)]);
  return Outputs;
}

Expected<std::vector<HloLiteral>> runKernels(const EmittedModule &Emitted,
                                             const Module &IR, StringRef Label,
                                             ArrayRef<HloLiteral> Inputs,
                                             FusionLibrary Library,
                                             const FusionRunLimits &Limits) {
  std::string Text;
  raw_string_ostream(Text) << IR;
  Expected<KernelModule> Module =
      KernelModule::parse(MemoryBufferRef(Text, Label));
  if (!Module)
    return Module.takeError();
  std::vector<Bytes> Arrays;
  for (auto [Array, Buffer] : zip(arraysOf(Inputs), Emitted.Buffers))
    Arrays.push_back(Array->relaidOut(Buffer.Shape).bytes().vec());
  auto Outputs =
      Runner(Emitted, *Module, Library, Limits).run(Emitted, std::move(Arrays));
  if (!Outputs)
    return prefixed(Label + ": ", Outputs.takeError());
  std::vector<HloLiteral> Results;
  for (const KernelBuffer &Buffer : Emitted.Buffers)
    if (Buffer.BufferKind == KernelBuffer::Kind::Output)
      Results.push_back(
          HloLiteral(Buffer.Shape, std::move((*Outputs)[Results.size()])));
  return Results;
}

} // namespace unravel
