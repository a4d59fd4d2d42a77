//===- WarpOperations.h - What the lanes of a warp tell each other --*- C++
//-*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results of shuffles, votes, matches and reductions of one warp, as PTX
// defines them. Pure functions: who waits for whom is BlockScheduler's matter.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_WARPOPERATIONS_H
#define UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_WARPOPERATIONS_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>

namespace unravel {

constexpr unsigned WarpSize = 32;

enum class WarpOperation : uint32_t {
  Sync,
  ShuffleUp,
  ShuffleDown,
  ShuffleButterfly,
  ShuffleIndex,
  VoteAll,
  VoteAny,
  VoteUniform,
  VoteBallot,
  MatchAny,
  MatchAll,
  ReduceAdd,
  ReduceAnd,
  ReduceOr,
  ReduceXor,
  ReduceMin,
  ReduceMax,
  ReduceUnsignedMin,
  ReduceUnsignedMax,
  Elect,
  ActiveMask,
};

/// The operation of an intrinsic: "shfl.sync.down", "vote.all.sync", ...
std::optional<WarpOperation> warpOperationNamed(llvm::StringRef Name);

/// What one lane brings.
struct WarpOperand {
  uint64_t Value = 0;
  /// Of shuffles: the lane or distance, and the clamp with the segment mask.
  uint32_t Lane = 0, Clamp = 0;
};

/// The second result of predicated forms, next to 32 bits of the first.
constexpr uint64_t WarpPredicate = uint64_t(1) << 32;

/// What \p Lane gets when all lanes of \p Present take part. A shuffle that
/// reads a lane which is not present gets the fill pattern.
uint64_t warpResult(WarpOperation Operation, uint32_t Present,
                    const std::array<WarpOperand, WarpSize> &Operands,
                    unsigned Lane);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_MACHINE_WARPOPERATIONS_H
