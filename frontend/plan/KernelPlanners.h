//===- KernelPlanners.h - Which kernel kind suits some outputs --*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is a planner for each kernel kind. It returns a kernel, or the reason
// why its kind does not suit the outputs; planKernel() takes the first kernel.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_KERNELPLANNERS_H
#define UNRAVEL_FRONTEND_PLAN_KERNELPLANNERS_H

#include "frontend/plan/KernelPlan.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace unravel {

/// Every GPU has so much shared memory for arrays of a fixed size.
constexpr uint64_t MaxStaticSharedBytes = 48 * 1024;

/// What is known when a kernel is planned: the limits, and the arrays that are
/// in memory before the kernel starts.
class KernelScope {
public:
  KernelScope(const BufferPlan &Memory, const KernelLimits &Limits)
      : Memory(Memory), Limits(Limits) {}

  /// From now on \p I is in memory.
  void addToMemory(const HloInstruction &I) { InMemory.insert(&I); }
  /// \p I is loaded, not computed.
  bool isInMemory(const HloInstruction &I) const {
    return InMemory.contains(&I);
  }
  /// See KernelBuffers.h; up to what is loaded.
  const HloInstruction &sameMemory(const HloInstruction &I) const;
  /// Whether \p I is in memory already, and at the same places of \p Buffer.
  bool isIn(unsigned Buffer, const HloInstruction &I) const;
  std::vector<HloShape> shapesOf(llvm::ArrayRef<KernelOutput> Outputs) const;
  /// Determines what \p Kernel, which has all its roots, computes and loads.
  void partition(PlannedKernel &Kernel) const;
  /// Of threads and, if it is cheap to repeat their code, vectors.
  LaunchLimits launchLimits(bool HasVectors) const;

private:
  const BufferPlan &Memory;
  const KernelLimits &Limits;
  llvm::SmallPtrSet<const HloInstruction *, 16> InMemory;
};

/// Whether code for several neighbours may be emitted. They share what is
/// computed for their indices, and are loaded and stored as a vector. Beside a
/// loop for each of them this saves little, and it repeats the code in the
/// kernel. Elements of what is \p Given cost nothing.
bool isCheapToRepeat(const HloPartition &Partition,
                     llvm::ArrayRef<const HloInstruction *> Given = {});
/// A launch for arrays with equally many elements: its vectors suit all.
LaunchDimensions launchFor(llvm::ArrayRef<HloShape> Arrays,
                           LaunchLimits Limits);

/// A kernel, or why its kind does not suit the outputs.
using KernelOrReason = std::variant<PlannedKernel, const char *>;

KernelOrReason planReductions(const KernelScope &Scope,
                              llvm::ArrayRef<KernelOutput> Outputs);
/// Suits all outputs with equally many elements.
PlannedKernel planLoop(const KernelScope &Scope,
                       llvm::ArrayRef<KernelOutput> Outputs);
/// \p Loop is the alternative.
KernelOrReason planConcatenation(const KernelScope &Scope,
                                 llvm::ArrayRef<KernelOutput> Outputs,
                                 const PlannedKernel &Loop);
/// \p Outputs are all arrays of \p Scatter, and hold what it updates.
PlannedKernel planScatterKernel(const KernelScope &Scope,
                                llvm::ArrayRef<KernelOutput> Outputs,
                                const HloInstruction &Scatter,
                                ScatterPlan Plan);

/// \p Outputs are all arrays of \p Sort, and hold what it sorts.
PlannedKernel planSortKernel(const KernelScope &Scope,
                             llvm::ArrayRef<KernelOutput> Outputs,
                             const HloInstruction &Sort);

/// The kernel of the first kind that suits \p Outputs.
PlannedKernel planKernel(const KernelScope &Scope,
                         llvm::ArrayRef<KernelOutput> Outputs);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_KERNELPLANNERS_H
