//===- FactSuggestion.h - Which facts are worth stating ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_FACTSUGGESTION_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_FACTSUGGESTION_H

#include "transforms/simplify/WantedFact.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace unravel {

class FactTrials;

/// What is not worth a fact: one part in so many of the kernel's cost.
static constexpr uint64_t LeastShareOfKernel = 100;

/// Facts that together save what all missing facts would save, up to a
/// twentieth. None of them can be left out, and none can be weaker.
struct FactSuggestion {
  std::vector<WantedFact> Facts;  ///< What saves most comes first.
  uint64_t Before = 0, After = 0; ///< The cost without them and with them.

  uint64_t saving() const { return Before - After; }
};

/// Tries \p Candidates; no facts are suggested if all of them together save
/// less than one part in a hundred. Absent if no trial was possible, or if
/// prices are no guide.
std::optional<FactSuggestion>
suggestFacts(llvm::ArrayRef<const WantedFact *> Candidates, FactTrials &Trials);

/// How the facts can be stated together: the lines of a source, or a facts file
/// and options. Empty if there is a fact without a name that only a line could
/// state.
std::string waysToState(llvm::ArrayRef<WantedFact> Facts,
                        llvm::StringRef KernelName);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_FACTSUGGESTION_H
