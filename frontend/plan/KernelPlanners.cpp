//===- KernelPlanners.cpp - Which kernel kind suits some outputs ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/KernelPlanners.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace unravel {

PlannedKernel::PlannedKernel(ArrayRef<KernelOutput> Outputs)
    : Name(Outputs[0].Value->name()) {
  for (const KernelOutput &Output : Outputs)
    Written.push_back(Output.Buffer);
}

const HloInstruction &KernelScope::sameMemory(const HloInstruction &I) const {
  return unravel::sameMemory(
      I, [&](const HloInstruction &Other) { return isInMemory(Other); });
}

bool KernelScope::isIn(unsigned Buffer, const HloInstruction &I) const {
  const HloInstruction &Same = sameMemory(I);
  return isInMemory(Same) && Memory.BufferOf.lookup(&Same) == Buffer;
}

std::vector<HloShape>
KernelScope::shapesOf(ArrayRef<KernelOutput> Outputs) const {
  std::vector<HloShape> Shapes;
  for (const KernelOutput &Output : Outputs)
    Shapes.push_back(Memory.Buffers[Output.Buffer].Shape);
  return Shapes;
}

void KernelScope::partition(PlannedKernel &Kernel) const {
  Kernel.Partition =
      HloPartition(Kernel.Roots, Kernel.Places, [&](const HloInstruction &I) {
        return isInMemory(I) || is_contained(Kernel.Given, &I);
      });
  Kernel.Loaded =
      filter_to_vector(Kernel.Partition.instructions(),
                       [&](const HloInstruction *I) { return isInMemory(*I); });
}

LaunchLimits KernelScope::launchLimits(bool HasVectors) const {
  LaunchLimits Launch;
  Launch.ThreadsPerBlock = Limits.BlockSize;
  Launch.MaxVector = HasVectors ? Limits.MaxVector : 1;
  return Launch;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool isCheapToRepeat(const HloPartition &Partition,
                     ArrayRef<const HloInstruction *> Given) {
  constexpr size_t MaxInstructions = 64;
  return Partition.functions().empty() &&
         Partition.instructions().size() <= MaxInstructions &&
         none_of(Partition.instructions(), [&](const HloInstruction *I) {
           return is_contained({HloOpcode::Convolution, HloOpcode::Dot,
                                HloOpcode::Reduce, HloOpcode::ReduceWindow,
                                HloOpcode::SelectAndScatter},
                               I->opcode()) &&
                  !is_contained(Given, I);
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

PlannedKernel planLoop(const KernelScope &Scope,
                       ArrayRef<KernelOutput> Outputs) {
  PlannedKernel Kernel(Outputs);
  LoopKernel Loop;
  // Outputs of the same shape are computed at the same index.
  std::vector<HloShape> Shapes = Scope.shapesOf(Outputs);
  for (auto [Output, Shape] : zip_equal(Outputs, Shapes)) {
    auto Same = find_if(Loop.Shapes, [&, &Own = Shape](const HloShape &Other) {
      return haveSamePlaces(Other, Own);
    });
    Kernel.addRoot(*Output.Value, Same - Loop.Shapes.begin());
    if (Same == Loop.Shapes.end())
      Loop.Shapes.push_back(Shape);
  }
  uint64_t Count = Loop.Shapes[0].elementCount();
  if (Count == 0)
    return Kernel;
  Scope.partition(Kernel);
  Loop.Launch = launchFor(
      Loop.Shapes, Scope.launchLimits(isCheapToRepeat(Kernel.Partition)));
  Kernel.Threads = Count / Loop.Launch.Vector;
  Kernel.BlockSize = Loop.Launch.Threads;
  Kernel.Kind = std::move(Loop);
  return Kernel;
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

static KernelOrReason planUpdateSlice(const KernelScope &Scope,
                                      ArrayRef<KernelOutput> Outputs) {
  PlannedKernel Kernel(Outputs);
  UpdateSliceKernel Slices;
  for (const KernelOutput &Output : Outputs) {
    const HloInstruction &I = Scope.sameMemory(*Output.Value);
    if (Scope.isInMemory(I) || I.opcode() != HloOpcode::DynamicUpdateSlice)
      return "no update: an output is no dynamic-update-slice";
    if (!Scope.isIn(Output.Buffer, I.operand(0)))
      return "no update: the buffer of an output does not hold the operand";
    const HloInstruction &Update = I.operand(1);
    if (!Slices.Updates.empty() &&
        Update.shape().dimensions() != Slices.Order.dimensions())
      return "no update: the updates have several sizes";
    // Neighbours in the order of what is written.
    if (Slices.Updates.empty())
      Slices.Order = cantFail(HloShape::array(Update.shape().elementType(),
                                              Update.shape().dimensions(),
                                              I.shape().minorToMajor()));
    Slices.Updates.push_back(&I);
    // All updates at one index, and all starts.
    Kernel.addRoot(Update, 0);
    for (const HloInstruction *Start : I.operands().drop_front(2))
      Kernel.addRoot(*Start, 1);
  }
  Kernel.Threads = Slices.Order.elementCount();
  if (Kernel.Threads == 0)
    return Kernel;
  // No vectors: their places in the outputs are known at run time only.
  LaunchLimits Limits = Scope.launchLimits(/*HasVectors=*/false);
  Kernel.BlockSize = launchFor(Slices.Order, Limits).Threads;
  Scope.partition(Kernel);
  Kernel.Kind = std::move(Slices);
  return Kernel;
}

PlannedKernel planScatterKernel(const KernelScope &Scope,
                                ArrayRef<KernelOutput> Outputs,
                                const HloInstruction &Scatter,
                                ScatterPlan Plan) {
  size_t Arrays = Outputs.size();
  assert(Scatter.operands().size() == 2 * Arrays + 1 && "not all its arrays");
  PlannedKernel Kernel(Outputs);
  Kernel.Name = (Scatter.name() + "_update").str();
  for (const HloInstruction *Update : Scatter.operands().drop_front(Arrays + 1))
    Kernel.addRoot(*Update, 0);
  // Twice: components of index vectors are at several indices.
  for (unsigned Place : {1, 2})
    Kernel.addRoot(Scatter.operand(Arrays), Place);
  Kernel.Threads = Kernel.Roots[0]->shape().elementCount();
  Kernel.BlockSize = Scope.launchLimits(false).ThreadsPerBlock;
  Scope.partition(Kernel);
  Kernel.Kind = ScatterKernel{&Scatter, std::move(Plan)};
  return Kernel;
}

PlannedKernel planSortKernel(const KernelScope &Scope,
                             ArrayRef<KernelOutput> Outputs,
                             const HloInstruction &Sort) {
  PlannedKernel Kernel(Outputs);
  Kernel.Name = (Sort.name() + "_order").str();
  SortKernel Rows = {&Sort};
  int64_t Length = Rows.rowLength();
  uint64_t Count = Sort.operand(0).shape().elementCount();
  if (Length < 2 || Count == 0) // in order already
    return Kernel;
  // Half of the elements at most are compared with the other half at one time.
  constexpr uint64_t Warp = 32;
  uint64_t Most = Scope.launchLimits(false).ThreadsPerBlock;
  Kernel.BlockSize =
      std::min(Most, std::max(Warp, PowerOf2Ceil(divideCeil(Length, 2))));
  Kernel.Threads = Count / Length * Kernel.BlockSize;
  Kernel.Kind = Rows;
  return Kernel;
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

static unsigned spaceFor(std::vector<TransposeKernel::Space> &Spaces,
                         const HloShape &Shape, std::optional<size_t> Filling) {
  auto Same = find_if(Spaces, [&](const TransposeKernel::Space &S) {
    return S.Filling == Filling && haveSamePlaces(S.Shape, Shape);
  });
  if (Same == Spaces.end())
    Same = Spaces.insert(Same, {Shape, Filling});
  return Same - Spaces.begin();
}

static KernelOrReason planTransposes(const KernelScope &Scope,
                                     ArrayRef<KernelOutput> Outputs) {
  constexpr int64_t Edge = TransposeTiling::Edge;
  std::vector<const HloInstruction *> Roots;
  for (const KernelOutput &Output : Outputs)
    Roots.push_back(Output.Value);
  std::vector<HloShape> Shapes = Scope.shapesOf(Outputs);
  auto IsLoaded = [&](const HloInstruction &I) { return Scope.isInMemory(I); };
  std::optional<TransposePlan> Plan = planTranspose(Roots, Shapes, IsLoaded);
  if (!Plan)
    return "no transpose: no minor dimension changes, or tiles do not pay";
  uint64_t Shared = 0;
  for (const TransposeHero &Hero : Plan->Heroes)
    Shared += Edge * TransposeKernel::TileLine *
              byteWidth(Hero.Value->shape().elementType());
  if (Shared > MaxStaticSharedBytes)
    return "no transpose: the tiles exceed shared memory";

  PlannedKernel Kernel(Outputs);
  TransposeKernel Transpose = {std::move(*Plan), {}, false};
  const TransposePlan &Tiles = Transpose.Plan;
  // Eight lines at once took up to 1.15 times as long on an H200, sixteen 1.7.
  constexpr uint64_t MostLines = 4;
  uint64_t Lines = std::min<uint64_t>(
      Scope.launchLimits(false).ThreadsPerBlock / Edge, MostLines);
  Kernel.BlockSize = bit_floor(std::max<uint64_t>(1, Lines)) * Edge;
  Kernel.Threads = Tiles.Tiling.blocks() * Kernel.BlockSize;
  for (size_t K = 0; K < Outputs.size(); ++K)
    Kernel.addRoot(*Roots[K],
                   spaceFor(Transpose.Spaces, Shapes[K], Tiles.FilledWith[K]));
  for (auto [K, Hero] : enumerate(Tiles.Heroes)) {
    Kernel.addRoot(*Hero.Source,
                   spaceFor(Transpose.Spaces, Hero.SourceInMemory, K));
    Kernel.Given.push_back(Hero.Value);
  }
  Scope.partition(Kernel);
  // Parameters supply the elements of a function, not a tile.
  for (const HloInstruction *Function : Kernel.Partition.functions())
    if (!all_of(Kernel.Partition.buffersOf(*Function),
                [&](const auto *Read) { return Scope.isInMemory(*Read); }))
      return "no transpose: a function reads what a tile has";
  Transpose.IsUnrolled = isCheapToRepeat(Kernel.Partition);
  Kernel.Kind = std::move(Transpose);
  return Kernel;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

PlannedKernel planKernel(const KernelScope &Scope,
                         ArrayRef<KernelOutput> Outputs) {
  PlannedKernel Kernel;
  std::vector<StringRef> Rejected;
  auto Suits = [&](KernelOrReason Found) {
    if (const auto *Reason = std::get_if<const char *>(&Found)) {
      Rejected.push_back(*Reason);
      return false;
    }
    Kernel = std::move(std::get<PlannedKernel>(Found));
    return true;
  };
  // What is reduced is read more often than what is transposed beside it.
  if (!Suits(planUpdateSlice(Scope, Outputs)) &&
      !Suits(planReductions(Scope, Outputs)) &&
      !Suits(planTransposes(Scope, Outputs))) {
    PlannedKernel Loop = planLoop(Scope, Outputs);
    if (!Suits(planConcatenation(Scope, Outputs, Loop)))
      Kernel = std::move(Loop);
  }
  Kernel.Rejected = std::move(Rejected);
  return Kernel;
}

} // namespace unravel
