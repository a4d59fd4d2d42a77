//===- GpuRates.cpp - What a multiprocessor does in a clock ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/limits/GpuRates.h"

using namespace llvm;

namespace unravel {

ArrayRef<GpuRates> gpuRates() {
  static constexpr GpuRates Table[] = {
      // clang-format off
      // Name    SMs   MHz  GB/s  int mul fp32 fp16 fp64 special
      {"sm_80",  108, 1410, 1555,  64, 64,  64, 128,  32, 16},
      {"sm_90",  132, 1980, 3350,  64, 64, 128, 128,  64, 16},
      {"sm_100", 148, 1965, 8000,  64, 64, 128,  64,  64, 16},
      // clang-format on
  };
  return Table;
}

} // namespace unravel
