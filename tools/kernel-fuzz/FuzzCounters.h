//===- FuzzCounters.h - What a run has done so far --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_FUZZCOUNTERS_H
#define UNRAVEL_TOOLS_KERNELFUZZ_FUZZCOUNTERS_H

#include <cstdint>
#include <string>

namespace unravel {

/// Plain numbers: they lie in memory that processes share.
struct FuzzCounters {
  uint64_t NotLoaded = 0; ///< files that are no IR for NVPTX
  uint64_t Kernels = 0;   ///< examined, each form counted
  uint64_t Functions = 0; ///< of which at least one thread was compared
  uint64_t Changed = 0;   ///< by the pass
  uint64_t Compared = 0, Skipped = 0; ///< threads; skipped are undefined ones
  uint64_t Unsupported = 0; ///< functions that the interpreter cannot run
  uint64_t Findings = 0;
  uint64_t LLVMFindings = 0;  ///< LLVM's own pipeline differs in the same way
  uint64_t NotIdempotent = 0; ///< a second run of the pass changes more
  uint64_t Crashes = 0;       ///< also hangs

  FuzzCounters &operator+=(const FuzzCounters &Other);
  /// kernels=10 changed=3 ...
  std::string str() const;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_FUZZCOUNTERS_H
