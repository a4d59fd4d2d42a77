//===- ReductionFusion.cpp - Fusions around reductions --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outputs that are computed elementwise from reductions of arrays of one size
// in the same dimensions. Each reduction is used at the index of the outputs
// only, and its inputs at one index of theirs.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/KernelPlanners.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

using Instructions = SmallPtrSet<const HloInstruction *, 16>;

/// What is computed at the index of the outputs, down to reductions. These are
/// added to \p Reductions.
static Instructions
elementwiseOf(const KernelScope &Scope, ArrayRef<KernelOutput> Outputs,
              SmallVectorImpl<const HloInstruction *> &Reductions) {
  Instructions Found;
  SmallVector<const HloInstruction *, 16> Worklist;
  for (const KernelOutput &Output : Outputs)
    Worklist.push_back(Output.Value);
  while (!Worklist.empty()) {
    const HloInstruction *I = Worklist.pop_back_val();
    if (!Found.insert(I).second || Scope.isInMemory(*I))
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

/// Whether what is computed from the reductions is used at the index of the
/// outputs only, and is no function.
static bool isAtOneIndex(const KernelScope &Scope,
                         const HloPartition &Partition,
                         const Instructions &Elementwise,
                         ArrayRef<const HloInstruction *> Reductions) {
  // Operands come before users.
  Instructions Reduced(Reductions.begin(), Reductions.end());
  for (const HloInstruction *I : Partition.instructions()) {
    if (Reduced.contains(I) || Scope.isInMemory(*I))
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

/// Of the tables in which warps exchange their sums.
static uint64_t sharedBytes(const ReductionKernel &Reduction) {
  const ReductionPlan &Plan = Reduction.Plan;
  uint64_t Sum = 0;
  if (!Plan.isGroupInWarp())
    for (const HloInstruction *Input : Reduction.Inputs)
      Sum += alignTo(Plan.warps() * Plan.Width *
                         byteWidth(Input->shape().elementType()),
                     SharedAlignment);
  return Sum;
}

KernelOrReason planReductions(const KernelScope &Scope,
                              ArrayRef<KernelOutput> Outputs) {
  ReductionKernel Reduction;
  Instructions Elementwise =
      elementwiseOf(Scope, Outputs, Reduction.Reductions);
  if (Reduction.Reductions.empty())
    return "no reduction: none at the index of the outputs";
  const HloInstruction &First = *Reduction.Reductions[0];
  int64_t Bytes = 1; // of the widest element
  for (const HloInstruction *I : Reduction.Reductions) {
    size_t Count = I->operands().size() / 2;
    append_range(Reduction.Inputs, I->operands().take_front(Count));
    append_range(Reduction.Initial, I->operands().drop_front(Count));
    for (const HloInstruction *Operand : I->operands())
      Bytes =
          std::max<int64_t>(Bytes, byteWidth(Operand->shape().elementType()));
    if (I->operand(0).shape().dimensions() != Reduction.input().dimensions() ||
        !std::is_permutation(I->dimensions().begin(), I->dimensions().end(),
                             First.dimensions().begin(),
                             First.dimensions().end()))
      return "no reduction: several sizes or dimensions are reduced";
  }
  const HloShape &Result =
      First.shape().isTuple() ? First.shape().elements()[0] : First.shape();
  PlannedKernel Kernel(Outputs);
  Kernel.Given = {Reduction.Reductions.begin(), Reduction.Reductions.end()};
  for (const KernelOutput &Output : Outputs) {
    if (Output.Value->shape().dimensions() != Result.dimensions())
      return "no reduction: an output has another size";
    Kernel.addRoot(*Output.Value, 0);
  }
  auto AddInputs = [&](unsigned Place) {
    for (const HloInstruction *I : Reduction.Inputs)
      Kernel.addRoot(*I, Place);
    for (const HloInstruction *I : Reduction.Initial)
      Kernel.addRoot(*I, 1);
    Scope.partition(Kernel);
  };
  AddInputs(2);
  bool IsCheap = isCheapToRepeat(Kernel.Partition, Kernel.Given);
  // What is used at two indices is a function, so its code is there once.
  if (!IsCheap)
    AddInputs(3);
  if (!isAtOneIndex(Scope, Kernel.Partition, Elementwise, Reduction.Reductions))
    return "no reduction: one is used at other indices as well";

  std::optional<ReductionPlan> Plan =
      planReduction(Reduction.input(), Reduction.reduced(), Bytes,
                    Scope.launchLimits(IsCheap));
  if (!Plan)
    return "no reduction: a thread for each result is better";
  Reduction.Plan = std::move(*Plan);
  if (sharedBytes(Reduction) > MaxStaticSharedBytes)
    return "no reduction: the sums of the warps exceed shared memory";
  Kernel.BlockSize = Reduction.Plan.BlockSize;
  Kernel.Threads =
      Reduction.Plan.groups() * Reduction.Plan.Height * Reduction.Plan.Width;
  Kernel.Kind = std::move(Reduction);
  return Kernel;
}

} // namespace unravel
