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
#include <chrono>
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

struct RunLimits {
  using Clock = std::chrono::steady_clock;
  uint64_t Inputs; ///< threads for each function
  std::optional<Clock::time_point> Deadline;
  /// Called now and then: many inputs take long and are no hang.
  void (*ShowLife)() = nullptr;
  bool isTimeOver() const { return Deadline && Clock::now() > *Deadline; }
};

/// Runs both functions with \p Limits.Inputs threads of several launches, or
/// fewer when the time is over; notes in \p Counters how many were compared.
/// The reason goes to \p Unsupported if a function cannot be run.
std::optional<Difference>
compareFunctions(const llvm::Function &Before, const llvm::Function &After,
                 CompareBy How, const RunLimits &Limits, FuzzCounters &Counters,
                 std::string &Unsupported);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_RUNCOMPARISON_H
