//===- KernelEmitter.cpp - HLO as GPU kernels ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/KernelEmitter.h"
#include "frontend/hlo/HloTuples.h"
#include "frontend/kernels/ModuleEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace unravel {

const HloInstruction &ModuleEmitter::sameMemory(const HloInstruction &I) const {
  return unravel::sameMemory(
      I, [&](const HloInstruction &Other) { return isInMemory(Other); });
}

bool ModuleEmitter::isIn(unsigned Buffer, const HloInstruction &I) const {
  const HloInstruction &Same = sameMemory(I);
  return isInMemory(Same) && Plan.BufferOf.lookup(&Same) == Buffer;
}

/// Outputs with the same number of elements. What is reduced is read more often
/// than what is transposed beside it.
void ModuleEmitter::emitOutputs(std::vector<KernelOutput> Outputs) {
  erase_if(Outputs, [&](const KernelOutput &Output) {
    return isIn(Output.Buffer, *Output.Value);
  });
  if (Outputs.empty() || emitUpdateSliceKernel(*this, Outputs) ||
      emitReductionKernel(*this, Outputs) ||
      emitTransposeKernel(*this, Outputs) ||
      emitConcatenateKernel(*this, Outputs))
    return;
  emitLoopKernel(*this, Outputs);
}

void ModuleEmitter::run() {
  Result.Buffers = Plan.Buffers;
  Written.insert_range(Flat.Body->parameters());
  for (const PlannedKernel &Kernel : Plan.Kernels) {
    if (Kernel.Scatter)
      emitScatterKernels(*this, *Kernel.Scatter, Kernel.Outputs);
    else
      emitOutputs(Kernel.Outputs);
    for (const KernelOutput &Output : Kernel.Outputs)
      if (Plan.BufferOf.contains(Output.Value))
        Written.insert(Output.Value);
  }
}

/// The aliases of the module, whose arrays have numbers once tuples are taken
/// apart.
static std::vector<OutputAlias> aliasesOf(const HloModule &Module,
                                          const HloComputation &Entry) {
  std::vector<OutputAlias> Aliases;
  if (&Entry != &Module.entry())
    return Aliases;
  std::vector<size_t> ArraysBefore = arraysBeforeParameters(Entry);
  for (const HloAlias &Alias : Module.Aliases) {
    const HloShape &From = Entry.parameter(Alias.Parameter).shape();
    Aliases.push_back(
        {arrayNumber(Entry.root().shape(), Alias.Output),
         ArraysBefore[Alias.Parameter] + arrayNumber(From, Alias.InParameter),
         Alias.IsMust});
  }
  return Aliases;
}

/// Says of inputs and outputs where they are in tuples, if their order does not
/// say it.
static void placeInTuples(const HloComputation &Entry,
                          std::vector<KernelBuffer> &Buffers) {
  bool HasTuples = any_of(Entry.parameters(), [](const HloInstruction *P) {
    return P->shape().isTuple();
  });
  auto Next = Buffers.begin();
  for (auto [Number, Parameter] : enumerate(Entry.parameters()))
    forEachArray(Parameter->shape(),
                 [&, P = Number](ArrayRef<int64_t> Index, const HloShape &) {
                   if (HasTuples)
                     Next->InTuples = {P, Index.vec()};
                   ++Next;
                 });
  const HloShape &Root = Entry.root().shape();
  if (Root.isArray() || Root.nesting() == 1)
    return;
  forEachArray(Root, [&](ArrayRef<int64_t> Index, const HloShape &) {
    Next++->InTuples = {std::nullopt, Index.vec()};
  });
}

Expected<EmittedModule> emitKernels(const HloModule &Module,
                                    const HloComputation &Entry,
                                    LLVMContext &Context,
                                    const KernelEmitterOptions &Options) {
  Expected<FlatComputation> Flat = flatten(Module, Entry);
  if (!Flat)
    return Flat.takeError();
  FlatCallees Callees;
  if (Error E = checkSupported(Module, *Flat, Callees))
    return E;
  EmittedModule Result;
  Result.IR = std::make_unique<llvm::Module>(Module.name(), Context);
  Result.IR->setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  Result.IR->setDataLayout(Result.IR->getTargetTriple().computeDataLayout());
  KernelPlan Plan = planKernels(*Flat, aliasesOf(Module, Entry));
  placeInTuples(Entry, Plan.Buffers);
  ModuleEmitter(*Flat, Plan, Callees, Options, Result).run();
  std::string Message;
  raw_string_ostream Stream(Message);
  if (verifyModule(*Result.IR, &Stream))
    return createStringError(Module.BufferName +
                             ": error: what was emitted is no LLVM IR; report "
                             "this: " +
                             Message);
  return Result;
}

} // namespace unravel
