//===- RunComparison.h - Is one function refined by another? ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the original has undefined behavior or poison, anything goes. Where it
// has not, the transformed function has to do the same.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_RUNCOMPARISON_H
#define UNRAVEL_TOOLS_KERNELFUZZ_RUNCOMPARISON_H

#include "tools/kernel-fuzz/FuzzCounters.h"
#include "llvm/IR/Function.h"
#include <optional>

namespace unravel {

enum class CompareBy {
  Events, ///< the same stores and calls in the same order
  Memory  ///< the same bytes at the end, and the same calls
};

struct Difference {
  std::string Kind; ///< one word
  std::string Text; ///< what differs, and the input that shows it
};

/// Runs both functions with \p Inputs threads of several launches; notes in
/// \p Counters how many were compared. The reason goes to \p Unsupported if a
/// function cannot be run.
std::optional<Difference> compareFunctions(const llvm::Function &Before,
                                           const llvm::Function &After,
                                           CompareBy How, uint64_t Inputs,
                                           FuzzCounters &Counters,
                                           std::string &Unsupported);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_RUNCOMPARISON_H
