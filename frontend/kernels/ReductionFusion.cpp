//===- ReductionFusion.cpp - Fusions around reductions --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/ReductionFusion.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

int64_t ReductionFusion::bytes() const {
  int64_t Widest = 1;
  for (const HloInstruction *I : Reductions)
    for (const HloInstruction *Operand : I->operands())
      Widest =
          std::max<int64_t>(Widest, byteWidth(Operand->shape().elementType()));
  return Widest;
}

using Instructions = SmallPtrSet<const HloInstruction *, 16>;

/// What is computed at the index of the outputs, down to reductions, which are
/// added to \p Reductions.
static Instructions
elementwiseOf(const ModuleEmitter &M, ArrayRef<KernelOutput> Outputs,
              SmallVectorImpl<const HloInstruction *> &Reductions) {
  Instructions Found;
  SmallVector<const HloInstruction *, 16> Worklist;
  for (const KernelOutput &Output : Outputs)
    Worklist.push_back(Output.Value);
  while (!Worklist.empty()) {
    const HloInstruction *I = Worklist.pop_back_val();
    if (!Found.insert(I).second || M.isInMemory(*I))
      continue;
    if (I->opcode() == HloOpcode::Reduce) {
      Reductions.push_back(I);
      continue;
    }
    for (size_t K = 0; K < I->operands().size(); ++K)
      if (operandPlace(*I, K) == 0u)
        Worklist.push_back(&I->operand(K));
  }
  llvm::sort(Reductions, [](const auto *L, const auto *R) {
    return L->index() < R->index();
  });
  return Found;
}

/// Whether what is made of the reductions is wanted at the index of the outputs
/// only, and is no function.
static bool isAtOneIndex(const ModuleEmitter &M, const HloPartition &Partition,
                         const Instructions &Elementwise,
                         ArrayRef<const HloInstruction *> Reductions) {
  // Operands come before users.
  Instructions Reduced(Reductions.begin(), Reductions.end());
  for (const HloInstruction *I : Partition.instructions()) {
    if (Reduced.contains(I) || M.isInMemory(*I))
      continue;
    for (size_t K = 0; K < I->operands().size(); ++K) {
      if (!Reduced.contains(&I->operand(K)))
        continue;
      if (!Elementwise.contains(I) || operandPlace(*I, K) != 0u ||
          Partition.isFunction(*I))
        return false;
      Reduced.insert(I);
    }
  }
  return none_of(Reductions, [&](const HloInstruction *I) {
    return any_of(I->operands(), [&](const HloInstruction *Operand) {
      return Reduced.contains(Operand);
    });
  });
}

std::optional<ReductionFusion> findReductions(const ModuleEmitter &M,
                                              ArrayRef<KernelOutput> Outputs) {
  ReductionFusion Fusion;
  Instructions Elementwise = elementwiseOf(M, Outputs, Fusion.Reductions);
  if (Fusion.Reductions.empty())
    return std::nullopt;
  const HloInstruction &First = *Fusion.Reductions[0];
  for (const HloInstruction *I : Fusion.Reductions)
    if (I->operand(0).shape().dimensions() != Fusion.input().dimensions() ||
        !std::is_permutation(I->dimensions().begin(), I->dimensions().end(),
                             First.dimensions().begin(),
                             First.dimensions().end()))
      return std::nullopt;
  const HloShape &Result =
      First.shape().isTuple() ? First.shape().elements()[0] : First.shape();
  KernelFrame &Frame = Fusion.Frame;
  Frame.Name = Outputs[0].Value->name().str();
  Frame.Given = {Fusion.Reductions.begin(), Fusion.Reductions.end()};
  auto AddRoot = [&](const HloInstruction &Root, unsigned Place) {
    Frame.Roots.push_back(&Root);
    Frame.Places.push_back(Place);
  };
  for (const KernelOutput &Output : Outputs) {
    if (Output.Value->shape().dimensions() != Result.dimensions())
      return std::nullopt;
    AddRoot(*Output.Value, 0);
    Frame.Written.push_back(Output.Buffer);
  }
  auto AddInputs = [&](unsigned Place) {
    for (const HloInstruction *I : Fusion.Reductions)
      for (size_t K = 0; K < I->operands().size(); ++K)
        AddRoot(I->operand(K), K < I->operands().size() / 2 ? Place : 1);
  };
  AddInputs(2);
  Fusion.IsCheap = isCheapToRepeat(M.partition(Frame), Frame.Given);
  // What is wanted at two indices is a function, and its code is there once.
  if (!Fusion.IsCheap)
    AddInputs(3);
  if (!isAtOneIndex(M, M.partition(Frame), Elementwise, Fusion.Reductions))
    return std::nullopt;
  return Fusion;
}

} // namespace unravel
