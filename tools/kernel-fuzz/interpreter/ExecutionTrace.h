//===- ExecutionTrace.h - What runs saw of each instruction -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator runs a kernel first without flags, guards and assumptions that
// mean anything, and then sets those that held.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_EXECUTIONTRACE_H
#define UNRAVEL_TOOLS_KERNELFUZZ_EXECUTIONTRACE_H

#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <cstdint>

namespace llvm {
class Instruction;
} // namespace llvm

namespace unravel {

/// What a flag forbids.
enum Violation : unsigned {
  NoViolation = 0,
  SignedWrap = 1,
  UnsignedWrap = 2,
  Inexact = 4,
  NotDisjoint = 8,
  Negative = 16,
  OutOfBounds = 32,
  DifferentSigns = 64,
};

struct InstructionTrace {
  uint64_t Count = 0;
  unsigned Violations = 0;
  bool WasTrue = false, WasFalse = false; ///< of comparisons
  uint64_t AddressBits = 0;               ///< of all addresses, or-ed
  /// Of the left side for comparisons, else of the result.
  uint64_t UnsignedMin = UINT64_MAX, UnsignedMax = 0;
  int64_t SignedMin = INT64_MAX, SignedMax = INT64_MIN;

  void note(uint64_t Unsigned, int64_t Signed) {
    UnsignedMin = std::min(UnsignedMin, Unsigned);
    UnsignedMax = std::max(UnsignedMax, Unsigned);
    SignedMin = std::min(SignedMin, Signed);
    SignedMax = std::max(SignedMax, Signed);
  }
};

using ExecutionTrace =
    llvm::DenseMap<const llvm::Instruction *, InstructionTrace>;

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_EXECUTIONTRACE_H
