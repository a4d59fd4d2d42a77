//===- KernelBuffers.h - Arrays in memory that kernels take -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_PLAN_KERNELBUFFERS_H
#define UNRAVEL_FRONTEND_PLAN_KERNELBUFFERS_H

#include "frontend/hlo/HloShape.h"
#include <optional>
#include <string>
#include <vector>

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
  /// Of an output: the input whose memory it has. Kernels know that only.
  std::optional<unsigned> AliasOf;
  /// Of an input if there are tuples among the parameters, of an output if
  /// there are tuples in the root's.
  std::optional<TupleIndex> InTuples = std::nullopt;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_PLAN_KERNELBUFFERS_H
