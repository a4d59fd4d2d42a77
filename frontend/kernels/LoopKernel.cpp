//===- LoopKernel.cpp - One element after the other ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/ModuleEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

bool isCheapToRepeat(const HloPartition &Partition,
                     ArrayRef<const HloInstruction *> Given) {
  constexpr size_t MaxInstructions = 64;
  return Partition.functions().empty() &&
         Partition.instructions().size() <= MaxInstructions &&
         none_of(Partition.instructions(), [&](const HloInstruction *I) {
           switch (I->opcode()) {
           case HloOpcode::Convolution:
           case HloOpcode::Dot:
           case HloOpcode::Reduce:
           case HloOpcode::ReduceWindow:
             return !is_contained(Given, I);
           default:
             return false;
           }
         });
}

LaunchDimensions launchFor(ArrayRef<HloShape> Shapes, LaunchLimits Limits) {
  LaunchDimensions Launch;
  for (const HloShape &Shape : Shapes) {
    Launch = launchFor(Shape, Limits);
    Limits.MaxVector = Launch.Vector;
  }
  return Launch;
}

void emitLoopKernel(ModuleEmitter &M, ArrayRef<KernelOutput> Outputs) {
  KernelFrame Frame;
  Frame.Name = Outputs[0].Value->name().str();
  // Outputs of the same shape are computed at the same index.
  std::vector<HloShape> Shapes;
  for (const KernelOutput &Output : Outputs) {
    HloShape Shape = M.shapeOf(Output.Buffer);
    auto SameIndex = find_if(Shapes, [&](const HloShape &Other) {
      return Other.dimensions() == Shape.dimensions() &&
             Other.minorToMajor() == Shape.minorToMajor();
    });
    Frame.Places.push_back(SameIndex - Shapes.begin());
    if (SameIndex == Shapes.end())
      Shapes.push_back(Shape);
    Frame.Roots.push_back(Output.Value);
    Frame.Written.push_back(Output.Buffer);
  }
  uint64_t Count = Shapes[0].elementCount();
  if (Count == 0)
    return;
  LaunchLimits Limits;
  Limits.ThreadsPerBlock = M.options().BlockSize;
  Limits.MaxVector =
      isCheapToRepeat(M.partition(Frame)) ? M.options().MaxVector : 1;
  LaunchDimensions Launch = launchFor(Shapes, Limits);
  uint64_t Vectors = Count / Launch.Vector;
  Frame.BlockSize = Launch.Threads;
  Frame.Blocks = divideCeil(Vectors, uint64_t(Launch.Threads));
  Frame.Threads = Vectors;
  Frame.ThreadMap = [Launch](const HloShape &Array, IndexContext &Context) {
    return threadMap(Array, Launch, Context);
  };
  M.emitKernel(Frame, [&](KernelCode &Code) {
    IRBuilder<> &B = Code.B;
    Value *Vector = Code.threadInGrid();
    Code.exitUnless(B.CreateICmpULT(Vector, Code.Indices.constant(Vectors)));
    Value *First = Vector;
    if (Launch.Vector != 1)
      First = B.CreateMul(Vector, Code.Indices.constant(Launch.Vector), "",
                          /*HasNUW=*/true, /*HasNSW=*/true);
    for (int64_t Next = 0; Next < Launch.Vector; ++Next) {
      Value *Offset = First;
      if (Next != 0)
        Offset =
            B.CreateAdd(First, Code.Indices.constant(Next), "", true, true);
      std::vector<ElementPlace> At(Shapes.size());
      for (auto [Shape, Place] : zip_equal(Shapes, At))
        Place.Index = Code.Indices.fromOffset(B, Shape, Offset);
      // All is read before anything is written: it may be the same memory.
      SmallVector<Value *, 4> Values;
      for (auto [Root, Place] : zip_equal(Frame.Roots, Frame.Places))
        Values.push_back(Code.Emitter.element(*Root, At[Place]));
      for (auto [K, Root] : enumerate(Frame.Roots))
        Code.Elements.store(B, Root->shape().elementType(), Code.Written[K],
                            Offset, Values[K]);
    }
  });
}

} // namespace unravel
