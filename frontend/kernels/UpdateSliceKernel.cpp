//===- UpdateSliceKernel.cpp - A thread for each element of an update -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// dynamic-update-slice leaves most of its operand as it is. Where KernelPlan
// puts the result over the operand, only the update is written; nothing of the
// operand is read.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/ModuleEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

bool emitUpdateSliceKernel(ModuleEmitter &M, ArrayRef<KernelOutput> Outputs) {
  KernelFrame Frame;
  Frame.Name = Outputs[0].Value->name().str();
  std::vector<const HloInstruction *> Updated;
  for (const KernelOutput &Output : Outputs) {
    const HloInstruction &I = M.sameMemory(*Output.Value);
    if (M.isInMemory(I) || I.opcode() != HloOpcode::DynamicUpdateSlice ||
        !M.isIn(Output.Buffer, I.operand(0)))
      return false;
    const HloInstruction &Update = I.operand(1);
    if (!Updated.empty() && Update.shape().dimensions() !=
                                Updated[0]->operand(1).shape().dimensions())
      return false;
    Updated.push_back(&I);
    Frame.Written.push_back(Output.Buffer);
    // All updates at one index, and all starts.
    Frame.Roots.push_back(&Update);
    Frame.Places.push_back(0);
    for (const HloInstruction *Start : I.operands().drop_front(2)) {
      Frame.Roots.push_back(Start);
      Frame.Places.push_back(1);
    }
  }
  const HloShape &Update = Updated[0]->operand(1).shape();
  uint64_t Count = Update.elementCount();
  if (Count == 0)
    return true;
  // Neighbours in the order of what is written.
  HloShape Order =
      cantFail(HloShape::array(Update.elementType(), Update.dimensions(),
                               Updated[0]->shape().minorToMajor()));
  LaunchLimits Limits;
  Limits.ThreadsPerBlock = M.options().BlockSize;
  Limits.MaxVector = 1; // where they are written is known at run time only
  LaunchDimensions Launch = launchFor(Order, Limits);
  Frame.BlockSize = Launch.Threads;
  Frame.Blocks = divideCeil(Count, uint64_t(Launch.Threads));
  Frame.Threads = Count;
  M.emitKernel(Frame, [&](KernelCode &Code) {
    IRBuilder<> &B = Code.B;
    Value *Thread = Code.threadInGrid();
    Code.exitUnless(B.CreateICmpULT(Thread, Code.Indices.constant(Count)));
    ElementPlace Place(Code.Indices.fromOffset(B, Order, Thread));
    // All is read before anything is written: it may be the same memory.
    SmallVector<std::pair<Value *, Value *>, 2> ToWrite;
    for (const HloInstruction *I : Updated) {
      Value *New = Code.Emitter.element(I->operand(1), Place);
      Value *Offset = Code.Indices.toOffset(
          B, I->shape(), Code.Emitter.updatePlace(*I, Place.Index));
      ToWrite.push_back({Offset, New});
    }
    for (auto [K, I] : enumerate(Updated))
      Code.Elements.store(B, I->shape().elementType(), Code.Written[K],
                          ToWrite[K].first, ToWrite[K].second);
  });
  return true;
}

} // namespace unravel
