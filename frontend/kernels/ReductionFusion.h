//===- ReductionFusion.h - Fusions around reductions ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outputs that are computed elementwise from reductions of equally large arrays
// in the same dimensions:
//
//     what the inputs are made of -> reduce, reduce -> elementwise -> outputs
//
// Each reduction is wanted at the index of the outputs, nowhere else, and its
// inputs at one index of theirs.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_KERNELS_REDUCTIONFUSION_H
#define UNRAVEL_FRONTEND_KERNELS_REDUCTIONFUSION_H

#include "frontend/kernels/ModuleEmitter.h"

namespace unravel {

struct ReductionFusion {
  /// Operations with opcode Reduce, at least one.
  llvm::SmallVector<const HloInstruction *, 2> Reductions;
  /// What the kernel computes, the outputs first; its launch is left open.
  KernelFrame Frame;
  /// Code for an element of the inputs is short.
  bool IsCheap = false;

  /// Of all inputs; their layout is that of the first.
  const HloShape &input() const { return Reductions[0]->operand(0).shape(); }
  llvm::ArrayRef<int64_t> reduced() const {
    return Reductions[0]->dimensions();
  }
  llvm::ArrayRef<const HloInstruction *> outputs() const {
    return llvm::ArrayRef(Frame.Roots).take_front(Frame.Written.size());
  }
  /// Of the widest element that is reduced.
  int64_t bytes() const;
};

/// Nullopt if the outputs are not of that kind.
std::optional<ReductionFusion>
findReductions(const ModuleEmitter &M, llvm::ArrayRef<KernelOutput> Outputs);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_KERNELS_REDUCTIONFUSION_H
