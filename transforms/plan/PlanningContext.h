//===- PlanningContext.h - What the plans of a function share ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_PLANNINGCONTEXT_H
#define UNRAVEL_TRANSFORMS_PLAN_PLANNINGCONTEXT_H

#include "transforms/plan/PlanPrices.h"
#include "transforms/plan/SourceValues.h"
#include "transforms/plan/WantedQuotients.h"
#include <memory>

namespace unravel {

class PlanningContext {
public:
  /// \p Wanted knows the forms that plans will be asked for. With
  /// \p ReuseSources, sums and quotients that the source computes for other
  /// code as well are used as they are.
  PlanningContext(IndexRecovery &Recovery, const WantedQuotients &Wanted,
                  bool ReuseSources, unsigned MaxAlternatives)
      : Recovery(Recovery), Wanted(Wanted), Prices(Recovery.loopInfo()),
        ReuseSources(ReuseSources), MaxAlternatives(MaxAlternatives),
        AlternativesLeft(AlternativesOfFunction +
                         AlternativesPerInstruction *
                             Recovery.function().getInstructionCount()) {}

  IndexRecovery &Recovery;
  const WantedQuotients &Wanted;
  IndexPlan Plan;
  PlanPrices Prices;
  const bool ReuseSources;
  /// Whether a plan would look different if no source had been reused.
  bool UsedSources = false;

  /// Alternatives that the next root may try.
  unsigned budgetOfRoot() const {
    return std::min(MaxAlternatives,
                    std::max(MinAlternatives, AlternativesLeft));
  }
  /// A root has tried \p Count of them.
  void spend(unsigned Count) {
    AlternativesLeft -= std::min(Count, AlternativesLeft);
  }

  /// What the source computes in \p Scope; null if it is not reused.
  const SourceValues *sourcesOf(const RecoveryScope &Scope) {
    if (!ReuseSources)
      return nullptr;
    std::unique_ptr<SourceValues> &Sources = SourcesOf[&Scope];
    if (!Sources)
      Sources = std::make_unique<SourceValues>(Scope);
    return Sources.get();
  }

private:
  /// Planning takes time in proportion to the function: a root may try
  /// MaxAlternatives until all together have tried these, and a few from there
  /// on.
  static constexpr unsigned AlternativesOfFunction = 512,
                            AlternativesPerInstruction = 2, MinAlternatives = 8;
  const unsigned MaxAlternatives;
  unsigned AlternativesLeft;
  llvm::DenseMap<const RecoveryScope *, std::unique_ptr<SourceValues>>
      SourcesOf;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_PLANNINGCONTEXT_H
