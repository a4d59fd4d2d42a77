//===- KernelBuffers.h - Which kernels write which buffers ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which arrays kernels write, in which order, and into which buffers.
//
// Two arrays share a buffer, the later one over the earlier one:
//
// * a result and a parameter, because the module says so (HloAliases.h),
// * the result and the operand of a dynamic-update-slice or a scatter, if the
//   operand has no later use: then only the elements that change are written.
//
// This is correct if no kernel reads the earlier array once the later one is
// being written. The kernel that writes it may read the earlier array if each
// of its threads reads only the elements that it replaces, before it replaces
// them. So the plan records what each kernel reads, and whether every path from
// an element of its results to an element that it reads stays at one place in
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_KERNELBUFFERS_H
#define UNRAVEL_FRONTEND_PLAN_KERNELBUFFERS_H

#include "frontend/plan/HloFlatten.h"

namespace unravel {

/// Where an array is in the tuples among the parameters or results.
struct TupleIndex {
  /// Of an input.
  std::optional<size_t> Parameter;
  std::vector<int64_t> Index;
};

/// An array in memory that kernels take.
struct KernelBuffer {
  enum class Kind { Input, Output, Temporary };
  Kind BufferKind = Kind::Input;
  std::string Name;
  HloShape Shape;
  /// Of an output: the input whose memory it uses. Kernels take that input.
  std::optional<unsigned> AliasOf;
  /// Of an input if a parameter is a tuple, of an output if the root has tuples
  /// in its tuple.
  std::optional<TupleIndex> InTuples = std::nullopt;
};

/// Elements of an instruction are written into a buffer.
struct KernelOutput {
  const HloInstruction *Value;
  unsigned Buffer;
};

/// Arrays that are computed together.
struct OutputGroup {
  /// With equally many elements. None if the operation has only an effect.
  std::vector<KernelOutput> Outputs;
  /// The operation that yields them to memory, if one does: all its arrays, in
  /// order.
  const HloInstruction *Operation = nullptr;
};

/// Result number Output has to, or may, use the memory of a parameter.
struct OutputAlias {
  size_t Output, Parameter;
  bool IsMust;
};

struct BufferPlan {
  std::vector<KernelBuffer> Buffers;
  /// The buffer of each array that kernels load.
  llvm::DenseMap<const HloInstruction *, unsigned> BufferOf;
  /// In the order in which they are computed.
  std::vector<OutputGroup> Groups;
};

/// What computes the outputs of \p Flat. A result that must use the memory of a
/// parameter, but cannot be written there at once, is computed elsewhere and
/// copied; if it is itself a parameter, a copy of it is added to \p Flat.
BufferPlan planBuffers(FlatComputation &Flat,
                       llvm::ArrayRef<OutputAlias> Aliases);

/// Whether elements with the same index are at the same place in memory.
bool haveSamePlaces(const HloShape &A, const HloShape &B);

/// The instruction that has the elements of \p I bit by bit, each at the same
/// place in memory: looks through bitcasts, copies and reshapes that move
/// nothing, and stops at what \p IsLoaded.
const HloInstruction &
sameMemory(const HloInstruction &I,
           llvm::function_ref<bool(const HloInstruction &)> IsLoaded);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_KERNELBUFFERS_H
