//===- GpuRates.h - What a multiprocessor does in a clock -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Peak rates of one multiprocessor (SM), by GPU. docs/limits.md has the same
// table, and what is not from NVIDIA. The sources:
//
// * Lanes a clock: "Throughput of Native Arithmetic Instructions", CUDA C++
//   Programming Guide and (from 13.0) Best Practices Guide, columns 8.0, 9.0
//   and 10.0. A pair of 16-bit numbers counts as one lane here.
// * Which pipe an instruction goes to: Nsight Compute's documentation, "Metrics
//   Decoder", Pipelines. `alu` has integer instructions without
//   multiplications, `fma` has FP32 and integer multiplications. From 9.0 on
//   only one half of `fma`, its heavy one, multiplies integers.
// * Four warp schedulers, one instruction a clock each; 128 bytes a clock from
//   L1 and shared memory: the white papers of V100, A100 and H100.
// * SMs, clock and DRAM bandwidth: the white paper of A100 (version 1.0, table
//   4: SXM4 40 GB), the data sheet of H100 SXM5 with the boost clock that its
//   peak of 67 TFLOPS follows from, and of HGX B200 (8 TB/s).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_LIMITS_GPURATES_H
#define UNRAVEL_ANALYSIS_LIMITS_GPURATES_H

#include "llvm/ADT/ArrayRef.h"

namespace unravel {

struct GpuRates {
  const char *Name; ///< "sm_90"
  // Of the whole GPU.
  unsigned Multiprocessors;
  double ClockMHz;
  double DramGBs;
  // Lanes that one SM processes in a clock.
  unsigned Integer;  ///< all but multiplications
  unsigned Multiply; ///< of integers, in the FP32 pipe
  unsigned Fp32;
  unsigned Fp16; ///< single numbers or pairs
  unsigned Fp64;
  unsigned Special; ///< functions such as reciprocals; conversions

  static constexpr unsigned IssuedPerClock = 4; ///< instructions of warps
  static constexpr unsigned L1BytesPerClock = 128;

  /// What DRAM gives one SM in a clock, if all of them ask.
  double dramBytesPerClock() const {
    return DramGBs * 1e3 / (Multiprocessors * ClockMHz);
  }
};

/// A100, H100 and B200.
llvm::ArrayRef<GpuRates> gpuRates();

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_LIMITS_GPURATES_H
