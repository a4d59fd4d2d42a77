//===- WarpWork.h - What a warp asks of a multiprocessor --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions and the memory traffic of one warp that runs once through a
// kernel. What is in loops counts more often, all of it by the same weights, so
// only ratios of these numbers mean something.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_LIMITS_WARPWORK_H
#define UNRAVEL_ANALYSIS_LIMITS_WARPWORK_H

namespace unravel {

/// Instructions of a warp, by the pipe that they go to.
struct PipeCounts {
  /// Of integers: logic, shifts to the right, comparisons, selections.
  double Integer = 0;
  /// Of integers: sums and shifts to the left. ptxas writes them as plain
  /// instructions or as multiplications, as it suits the pipes.
  double Sum = 0;
  double Multiply = 0; ///< of integers
  double Fp32 = 0;
  double Fp16 = 0;
  double Fp64 = 0;
  double Special = 0; ///< functions such as reciprocals; conversions
  double Other = 0;   ///< branches, barriers, accesses: only issued

  double total() const {
    return Integer + Sum + Multiply + Fp32 + Fp16 + Fp64 + Special + Other;
  }
  void add(const PipeCounts &More, double Times) {
    Integer += Times * More.Integer;
    Sum += Times * More.Sum;
    Multiply += Times * More.Multiply;
    Fp32 += Times * More.Fp32;
    Fp16 += Times * More.Fp16;
    Fp64 += Times * More.Fp64;
    Special += Times * More.Special;
    Other += Times * More.Other;
  }
};

/// What is only known to lie between two numbers.
struct WorkRange {
  double Low = 0, High = 0;
  void add(const WorkRange &More, double Times) {
    Low += Times * More.Low;
    High += Times * More.High;
  }
};

struct WarpWork {
  /// Of integer instructions: indices, and integers that are data.
  PipeCounts Index;
  /// Of all others.
  PipeCounts Rest;
  /// Passes over L1 and shared memory.
  WorkRange Wavefronts;
  WorkRange DramBytes;
  /// Accesses of which only the bounds of any access are known.
  unsigned NotUnderstood = 0;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_LIMITS_WARPWORK_H
