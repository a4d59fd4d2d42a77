//===- AccessText.h - What the accesses of planned kernels cost -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `fusion-emit --emit=access`: for each load and store of each kernel the cost
// of its requests, from the maps of the plan, before there is any code.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FUSION_EMIT_ACCESSTEXT_H
#define UNRAVEL_TOOLS_FUSION_EMIT_ACCESSTEXT_H

#include "analysis/requests/MapRequests.h"
#include "frontend/plan/KernelMaps.h"
#include "llvm/Support/JSON.h"

namespace unravel {

/// The elements of an array of shape \p Array that \p Map leads to, by their
/// numbers in memory. Nullopt if these leave 64 bits.
std::optional<ThreadElements> elementsInMemory(const OperandMap &Map,
                                               const HloShape &Array);

/// One map of a load or a store of a kernel.
struct PlannedAccess {
  ThreadAction Kind;
  std::string Array;
  /// Why there is no map, or a number leaves 64 bits; empty otherwise.
  std::string NoMap;
  std::string Element; ///< the map to the number of the element in memory
  unsigned ElementBytes = 0;
  MapRequests Requests;
};

struct PlannedKernelAccesses {
  std::string Name;
  llvm::StringRef Kind;
  int64_t Blocks;
  unsigned Threads; ///< of a block
  std::vector<PlannedAccess> Accesses;
};

struct PlannedAccesses {
  std::vector<PlannedKernelAccesses> Kernels;
  std::vector<std::string> NotRead; ///< parameters
};

PlannedAccesses plannedAccesses(const HloComputation &C, const KernelPlan &Plan,
                                HloIndexingAnalysis &Analysis);

/// Prints for each access
///
///     load p0, 16 bytes a lane: consecutive, 16 bytes apart
///       element: (th_x, bl_x)[vector] -> (...), domain: ...
///       sectors: 16, ideal: 16, lines: 4, efficiency: 1.00
///       first warp: sectors: 16, ideal: 16, lines: 4, efficiency: 1.00
///       kernel: 1875 requests, 30000 sectors, efficiency: 1.00
///       requests of a warp together: efficiency: 1.00
///       vector: 4 elements, coalesced: yes
void printAccesses(llvm::raw_ostream &OS, const PlannedAccesses &All);

/// The same numbers as docs/kernel-accesses.md describes them.
llvm::json::Object toJson(const PlannedAccesses &All);

} // namespace unravel

#endif // UNRAVEL_TOOLS_FUSION_EMIT_ACCESSTEXT_H
