//===- KernelEmitter.cpp - HLO as GPU kernels ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/KernelEmitter.h"
#include "frontend/ModuleEmitter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace unravel {

unsigned ModuleEmitter::addBuffer(KernelBuffer::Kind Kind, const Twine &Name,
                                  const HloShape &Shape) {
  Result.Buffers.push_back({Kind, Name.str(), Shape});
  return Result.Buffers.size() - 1;
}

void ModuleEmitter::addBuffers() {
  using Kind = KernelBuffer::Kind;
  for (const HloInstruction *Parameter : Flat.Body->parameters()) {
    BufferOf[Parameter] =
        addBuffer(Kind::Input, Parameter->name(), Parameter->shape());
    Written.insert(Parameter);
  }
  for (auto [K, Output] : enumerate(Flat.Outputs)) {
    unsigned Buffer =
        addBuffer(Kind::Output, "out" + Twine(K), Output->shape());
    if (Flat.InMemory.contains(Output))
      BufferOf.try_emplace(Output, Buffer);
  }
  for (const HloInstruction *I : Flat.InMemory)
    if (!BufferOf.contains(I))
      BufferOf[I] = addBuffer(Kind::Temporary, "temp_" + I->name(), I->shape());
}

/// \p I, or the operation that yields it together with others.
static const HloInstruction *producerOf(const HloInstruction *I) {
  return I->opcode() == HloOpcode::GetTupleElement ? &I->operand(0) : I;
}

/// Outputs with the same number of elements. What is reduced is read more often
/// than what is transposed beside it.
void ModuleEmitter::emitOutputs(ArrayRef<KernelOutput> Outputs) {
  if (!emitReductionKernel(*this, Outputs) &&
      !emitTransposeKernel(*this, Outputs))
    emitLoopKernel(*this, Outputs);
}

void ModuleEmitter::run() {
  addBuffers();
  // What nothing depends on is not computed.
  std::vector<bool> IsLive(Flat.Body->instructions().size());
  for (const HloInstruction *Output : Flat.Outputs)
    IsLive[Output->index()] = true;
  for (size_t Index = IsLive.size(); Index-- > 0;)
    if (IsLive[Index])
      for (const HloInstruction *Operand :
           Flat.Body->instructions()[Index].operands())
        IsLive[Operand->index()] = true;

  // Parts of one operation together, and results of one fusion with equally
  // many elements.
  std::vector<const HloInstruction *> Live;
  for (const HloInstruction *I : Flat.InMemory)
    if (IsLive[I->index()])
      Live.push_back(I);
  llvm::sort(Live, [](const auto *L, const auto *R) {
    return L->index() < R->index();
  });
  using Key = std::tuple<const HloInstruction *, unsigned, int64_t>;
  MapVector<Key, std::vector<KernelOutput>, std::map<Key, unsigned>> Together;
  for (const HloInstruction *I : Live) {
    const HloInstruction *Producer = producerOf(I);
    auto Fusion = Flat.FusionOf.find(I);
    Key K = {Producer, 0, 0};
    if (Fusion != Flat.FusionOf.end() &&
        Producer->opcode() != HloOpcode::Scatter)
      K = {nullptr, Fusion->second, I->shape().elementCount()};
    Together[K].push_back({I, BufferOf.lookup(I)});
  }
  // In the order of their computation: whoever reads from memory what another
  // kernel writes comes behind all that this one writes.
  auto Kernels = Together.takeVector();
  llvm::stable_sort(Kernels, [](const auto &L, const auto &R) {
    return L.second.back().Value->index() < R.second.back().Value->index();
  });
  for (const auto &[Key, Group] : Kernels) {
    const HloInstruction *Producer = producerOf(Group[0].Value);
    if (Producer->opcode() == HloOpcode::Scatter)
      emitScatterKernels(*this, *Producer, Group[0].Buffer);
    else
      emitOutputs(Group);
    for (const KernelOutput &Output : Group)
      Written.insert(Output.Value);
  }

  // The outputs that are left, those of one size together.
  std::vector<std::pair<int64_t, std::vector<KernelOutput>>> Groups;
  unsigned Inputs = Flat.Body->parameters().size();
  for (auto [K, Output] : enumerate(Flat.Outputs)) {
    unsigned Buffer = Inputs + K;
    auto Own = BufferOf.find(Output);
    if (Own != BufferOf.end() && Own->second == Buffer)
      continue;
    int64_t Size = Output->shape().elementCount();
    auto Group =
        find_if(Groups, [&](const auto &G) { return G.first == Size; });
    if (Group == Groups.end())
      Group = Groups.insert(Group, {Size, {}});
    Group->second.push_back({Output, Buffer});
  }
  for (const auto &[Size, Outputs] : Groups)
    emitOutputs(Outputs);
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
  ModuleEmitter(*Flat, Callees, Options, Result).run();
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
