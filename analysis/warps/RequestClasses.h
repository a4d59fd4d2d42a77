//===- RequestClasses.h - The best and the worst of a request ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost of a request whose addresses are known but for symbols. Lanes with
// the same coefficients are a group: their distances are numbers, and what they
// share has some residue modulo 128, one of those that the coefficients and the
// alignment of the instruction leave. Groups are taken to be far apart.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_REQUESTCLASSES_H
#define UNRAVEL_ANALYSIS_WARPS_REQUESTCLASSES_H

#include "analysis/warps/AccessReport.h"
#include "analysis/warps/LanePattern.h"

namespace unravel {

struct CostRange {
  /// By how much of what is moved would have to be moved in any order.
  RequestCost Best, Worst;
  /// Number by number.
  RequestCost Least, Most;
  /// Bytes asked for per byte moved: few lanes may need a whole sector.
  double LowestEfficiency = 1, HighestEfficiency = 0;

  CostRange() = default;
  /// Of requests with the same lanes, which differ in their place.
  CostRange(const RequestCost &Best, const RequestCost &Worst)
      : Best(Best), Worst(Worst), Least(Best), Most(Worst) {
    takeEfficiencies();
  }
  /// Those of Best and Worst.
  void takeEfficiencies() {
    LowestEfficiency = std::min(Best.efficiency(), Worst.efficiency());
    HighestEfficiency = std::max(Best.efficiency(), Worst.efficiency());
  }
  /// Takes in another class; requests without lanes say nothing.
  void unite(const CostRange &Other);
};

/// Nullopt if a distance leaves 64 bits. \p Alignment is a power of two.
std::optional<CostRange> globalCostOf(const LaneAddressForm &Lanes,
                                      uint64_t Alignment);
/// The same; \p Evaluator may ask for a restart.
std::optional<CostRange> sharedCostOf(const LaneAddressForm &Lanes,
                                      uint64_t Alignment,
                                      WarpEvaluator &Evaluator);

/// The same for lanes whose addresses are not known, but are one of \p Ways in
/// each of them (any address if there are none): the least and the most.
/// Nullopt if these are what any addresses have, but for a gather.
std::optional<CostRange> costWithin(const WarpWays &Ways, bool IsGather,
                                    const LaneAddressForm &Lanes,
                                    uint64_t Alignment, bool IsShared,
                                    WarpEvaluator &Evaluator);

/// The symbols that tell groups apart.
llvm::SmallVector<unsigned, 2> symbolsBetween(const LaneAddressForm &Lanes);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_REQUESTCLASSES_H
