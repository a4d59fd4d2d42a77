//===- KernelPlan.h - The kernels of a module -------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every decision about kernels is made here, before any code is emitted: which
// buffers they use and in which order they run (KernelBuffers.h), what each of
// them computes, its launch, its kind, and all that the emitter of this kind
// needs to know. The emitters of frontend/kernels decide nothing.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_KERNELPLAN_H
#define UNRAVEL_FRONTEND_PLAN_KERNELPLAN_H

#include "frontend/indexing/ThreadMaps.h"
#include "frontend/plan/HloPartition.h"
#include "frontend/plan/KernelBuffers.h"
#include "frontend/plan/ReductionPlan.h"
#include "frontend/plan/ScatterPlan.h"
#include "frontend/plan/TransposeHeroes.h"
#include "llvm/Support/MathExtras.h"
#include <variant>

namespace unravel {

/// Of arrays in shared memory.
constexpr uint64_t SharedAlignment = 16;

/// A thread computes one or some neighbouring elements of each output, each
/// element for itself.
struct LoopKernel {
  /// PlannedKernel::Places are numbers of these.
  std::vector<HloShape> Shapes;
  LaunchDimensions Launch;
};

/// All outputs are updates of what their buffers hold already. A thread writes
/// one element of each update; the other elements stay as they are.
struct UpdateSliceKernel {
  /// Operations with opcode DynamicUpdateSlice, one for each output.
  std::vector<const HloInstruction *> Updates;
  /// The shape of the updates, in the order of the threads.
  HloShape Order;
};

/// Several threads share each element of reductions:
///
///     what the inputs are made of -> reduce, reduce -> elementwise -> outputs
///
/// All reductions reduce the same dimensions of inputs of one size.
struct ReductionKernel {
  /// Operations with opcode Reduce, at least one.
  llvm::SmallVector<const HloInstruction *, 2> Reductions;
  /// Of the first reduction, then of the second, and so on.
  llvm::SmallVector<const HloInstruction *, 4> Inputs, Initial;
  ReductionPlan Plan;

  /// The shape of all inputs; their layout is that of the first.
  const HloShape &input() const { return Inputs[0]->shape(); }
  llvm::ArrayRef<int64_t> reduced() const {
    return Reductions[0]->dimensions();
  }
};

/// Elements change their places on the way to the outputs, through tiles in
/// shared memory.
struct TransposeKernel {
  static constexpr int64_t TileLine = TransposeTiling::Edge + 1;

  /// Arrays of this shape are read or written together: at one place of a tile,
  /// their elements have the same offset.
  struct Space {
    HloShape Shape;
    /// The hero, while tiles are filled; nullopt after the barrier.
    std::optional<size_t> Filling;
  };

  TransposePlan Plan;
  /// PlannedKernel::Places are numbers of these.
  std::vector<Space> Spaces;
  /// Code for all lines of a thread, instead of a loop over them.
  bool IsUnrolled = false;
};

/// The outputs are computed element by element from one concatenation. A thread
/// computes the elements at one index, or some neighbours, of every operand.
struct ConcatenateKernel {
  const HloInstruction *Concatenation;
  size_t Along; ///< the dimension
  /// The shape of the outputs, but as long as the longest operand.
  HloShape Longest;
  LaunchDimensions Launch;

  int64_t sizeOf(const HloInstruction &Operand) const {
    return Operand.shape().dimension(Along);
  }
  bool isShorter(const HloInstruction &Operand) const {
    return sizeOf(Operand) < Longest.dimension(Along);
  }
};

/// A thread for each update; all outputs hold what is updated.
struct ScatterKernel {
  const HloInstruction *Scatter;
  ScatterPlan Plan;
};

/// A block for each row along the dimension, whose elements it puts in order;
/// all outputs hold what is sorted.
struct SortKernel {
  const HloInstruction *Sort;

  size_t along() const {
    return Sort->attributes<HloSort>().Dimensions.front();
  }
  int64_t rowLength() const {
    return Sort->operand(0).shape().dimension(along());
  }
};

using KernelKind =
    std::variant<LoopKernel, UpdateSliceKernel, ReductionKernel,
                 TransposeKernel, ConcatenateKernel, ScatterKernel, SortKernel>;

struct PlannedKernel {
  PlannedKernel() = default;
  explicit PlannedKernel(llvm::ArrayRef<KernelOutput> Outputs);

  void addRoot(const HloInstruction &I, unsigned Place) {
    Roots.push_back(&I);
    Places.push_back(Place);
  }

  std::string Name;
  /// What is computed, see HloPartition. The outputs are in front, except for
  /// updates of slices and scatters.
  std::vector<const HloInstruction *> Roots;
  std::vector<unsigned> Places;
  /// What is not computed from operands: the emitter supplies these elements by
  /// FunctionEmitter::setElements().
  std::vector<const HloInstruction *> Given;
  /// The buffers that are written, one for each output.
  std::vector<unsigned> Written;

  /// The threads that have work. With none, there is no such kernel.
  uint64_t Threads = 0;
  unsigned BlockSize = 1;

  KernelKind Kind;
  /// Why each kind that was considered before this one does not suit.
  std::vector<llvm::StringRef> Rejected;

  /// Of the roots.
  HloPartition Partition;
  /// The instructions of the partition that are loaded.
  llvm::SmallVector<const HloInstruction *> Loaded;

  uint64_t blocks() const {
    return llvm::divideCeil(Threads, uint64_t(BlockSize));
  }
};

struct KernelLimits {
  /// Threads of a block; at most 1024. Half as many took up to 1.7 times as
  /// long on an H200 (bench/gpu), which begins only so many blocks in a time.
  unsigned BlockSize = 256;
  /// Neighbouring elements that a thread computes at most, if they have no more
  /// than 16 bytes; a power of two.
  unsigned MaxVector = 16;
};

/// Something to be done between kernels, or a kernel.
struct PlannedStep {
  /// Of the flat computation: while, conditional or custom-call; null for a
  /// kernel.
  const HloInstruction *Operation = nullptr;
  /// Otherwise.
  size_t Kernel = 0;
  /// Of the operation, in order.
  std::vector<unsigned> Operands{}, Results{};
};

struct KernelPlan {
  FlatComputation Flat;
  FlatCallees Callees;
  BufferPlan Memory;
  std::vector<PlannedKernel> Kernels;
  /// In their order. The computations that loops and branches run have plans of
  /// their own.
  std::vector<PlannedStep> Steps;
};

/// What is planned on its own.
struct PlannedComputation {
  const HloComputation *Body = nullptr;
  HloBoundary Boundary;
};

/// \p Entry, and what its loops and branches, and those of the calls in it,
/// run; each once.
std::vector<PlannedComputation>
plannedComputations(const HloComputation &Entry);

/// The kernels of \p C, a computation of the verified \p Module. Errors:
/// unsupported operations, with their places.
llvm::Expected<KernelPlan> planKernels(const HloModule &Module,
                                       const PlannedComputation &C,
                                       const KernelLimits &Limits);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_KERNELPLAN_H
