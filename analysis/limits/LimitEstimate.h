//===- LimitEstimate.h - Which resource bounds a kernel ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An estimate: each resource of a multiprocessor needs so many cycles for the
// work of a warp, all of them work at the same time and at their peak rate, and
// the slowest one bounds the kernel. Latency, occupancy and caches are left out
// (docs/limits.md).
//
// Traffic is a range, and so is the work of the two pipes that add integers. A
// resource may be the bound if, at its most, it takes as long as the others at
// their least: if only one may, the bound is certain within the model.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_LIMITS_LIMITESTIMATE_H
#define UNRAVEL_ANALYSIS_LIMITS_LIMITESTIMATE_H

#include "analysis/limits/GpuRates.h"
#include "analysis/limits/WarpWork.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>

namespace unravel {

enum class Resource : uint8_t {
  Issue,
  Integer,
  Fp32, ///< and the multiplications of integers
  Fp16,
  Fp64,
  Special,
  L1,
  Dram
};
inline constexpr unsigned ResourceCount = 8;

struct LimitEstimate {
  const GpuRates *Gpu = nullptr;
  /// Of an SM, for one warp.
  std::array<WorkRange, ResourceCount> Cycles;
  /// All at their least, and all at their most: the time of the slowest.
  WorkRange Time;
  /// How many times as fast the kernel is at most without any integer
  /// instruction: at least 1. Infinite if nothing else is in it.
  WorkRange IndexGain;

  const WorkRange &operator[](Resource R) const { return Cycles[unsigned(R)]; }

  /// Nothing to do.
  bool isEmpty() const { return Time.High == 0; }
  /// The resources that may be the slowest, likeliest first.
  llvm::SmallVector<Resource, 2> bounds() const;
  /// The cycles of \p R by the time: the least and the most that it can be. The
  /// most is 1 if the resource may be the bound.
  WorkRange share(Resource R) const;
};

LimitEstimate estimateLimits(const GpuRates &Gpu, const WarpWork &Work);

/// The times of \p After by those of \p Before, of two that are not empty. If
/// both have the same traffic, they have the same of it, and ptxas deals out
/// the sums of both alike.
WorkRange timeRatio(const LimitEstimate &Before, const LimitEstimate &After);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_LIMITS_LIMITESTIMATE_H
