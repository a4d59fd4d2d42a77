//===- KernelPlan.h - Which kernels there are, and their memory -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before any code is emitted it is decided which kernels are launched, in which
// order, and which buffer each array that they write is in.
//
// Two arrays may be in one buffer, the later one over the earlier one:
//
// * a result over a parameter, because the module says so (HloAliases.h),
// * what dynamic-update-slice or scatter makes of an array that nobody needs
//   any more over that array: then only what changes has to be written.
//
// That is right if nobody reads the earlier array once the later one is being
// written, but for threads of the kernel that writes it, each of which reads no
// element but the one in whose place it writes, and before it does. So it is
// noted of each kernel what it reads, and whether every path from an element of
// its results to an element that it reads stays at one place in memory.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_KERNELPLAN_H
#define UNRAVEL_FRONTEND_PLAN_KERNELPLAN_H

#include "frontend/plan/HloFlatten.h"
#include "frontend/plan/KernelBuffers.h"
#include "llvm/ADT/DenseMap.h"

namespace unravel {

/// Elements of an instruction are written into a buffer.
struct KernelOutput {
  const HloInstruction *Value;
  unsigned Buffer;
};

struct PlannedKernel {
  /// With equally many elements.
  std::vector<KernelOutput> Outputs;
  /// If that is what yields them, all of its arrays in their order; it is two
  /// kernels.
  const HloInstruction *Scatter = nullptr;
};

/// Result number Output has to, or may, have the memory of a parameter.
struct OutputAlias {
  size_t Output, Parameter;
  bool IsMust;
};

struct KernelPlan {
  std::vector<KernelBuffer> Buffers;
  /// Where each array is that kernels load.
  llvm::DenseMap<const HloInstruction *, unsigned> BufferOf;
  std::vector<PlannedKernel> Kernels;
};

/// What computes the outputs of \p Flat. A result that must have the memory of
/// a parameter, but cannot be written there at once, is computed elsewhere and
/// copied; if it is a parameter itself, a copy of it is added to \p Flat.
KernelPlan planKernels(FlatComputation &Flat,
                       llvm::ArrayRef<OutputAlias> Aliases);

/// The instruction whose elements \p I has, bit by bit and each at the same
/// place in memory: through bitcasts, copies and reshapes that move nothing, up
/// to what \p IsLoaded.
const HloInstruction &
sameMemory(const HloInstruction &I,
           llvm::function_ref<bool(const HloInstruction &)> IsLoaded);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_KERNELPLAN_H
