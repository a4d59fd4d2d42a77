//===- Arguments.h - What a kernel is launched with -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters have no types that say what they are for. One that is an address
// gets a buffer, an integer a small number: most are sizes.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_ARGUMENTS_H
#define UNRAVEL_TOOLS_PTX_FUZZ_ARGUMENTS_H

#include "tools/ptx-fuzz/interpreter/Interpreter.h"

namespace unravel::ptx {

/// A part of a parameter that the kernel loads.
struct ParameterPart {
  enum class Kind { Pointer, Integer, Float };
  Kind K;
  unsigned Parameter; ///< Its number.
  uint64_t Offset;
  unsigned Width; ///< In bits.
};

std::vector<ParameterPart> parameterParts(const Function &Kernel);

/// What a launch depends on.
struct Input {
  std::array<uint32_t, 3> Grid, Block;
  uint64_t Seed;
  uint64_t BufferBytes; ///< The size of each buffer.
  uint64_t MaxSteps;
  bool IsAliased = false; ///< All pointers are one buffer.
  /// Compare although the old code divides by zero, if its result is the same
  /// whatever that gives.
  bool KeepsZeroDivisors = false;
  /// Skip kernels that read registers before they are written, whatever comes
  /// of it.
  bool IsStrict = false;

  std::string str() const;
};

/// The launch of \p Kernel for \p In; adds the buffers to \p Global. The same
/// input gives the same launch.
Launch makeLaunch(const Function &Kernel, llvm::ArrayRef<ParameterPart> Parts,
                  const Input &In, GlobalMemory &Global);

/// The input number \p N for a kernel: shapes that its limits allow.
Input inputFor(const Function &Kernel, uint64_t Seed, unsigned N);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_ARGUMENTS_H
