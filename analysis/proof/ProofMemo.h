//===- ProofMemo.h - Questions that were answered before --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites of one block rest on the same facts, and those that are refused are
// proposed again, in other rounds and bodies. Their questions are the same,
// variable by variable, and are answered once. What is known is a number here:
// two searches that were told the same things in the same order have the same.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PROOF_PROOFMEMO_H
#define UNRAVEL_ANALYSIS_PROOF_PROOFMEMO_H

#include "analysis/proof/Polynomial.h"
#include <map>
#include <optional>
#include <tuple>

namespace unravel {

class ProofMemo {
public:
  enum Kind { Fact, Factor };
  /// The number of what is known after \p P was added to what \p Known is the
  /// number of. 0 is the number of nothing.
  unsigned after(unsigned Known, Kind K, const Polynomial &P) {
    return States.try_emplace({Known, K, P}, unsigned(States.size()) + 1)
        .first->second;
  }

  /// Whether it was found to be contradictory, with so many splits.
  std::optional<bool> answer(unsigned Known, unsigned Splits) const {
    auto It = Answers.find({Known, Splits});
    if (It == Answers.end())
      return std::nullopt;
    return It->second;
  }
  void remember(unsigned Known, unsigned Splits, bool Answer) {
    Answers[{Known, Splits}] = Answer;
  }

private:
  std::map<std::tuple<unsigned, Kind, Polynomial>, unsigned> States;
  std::map<std::pair<unsigned, unsigned>, bool> Answers;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PROOF_PROOFMEMO_H
