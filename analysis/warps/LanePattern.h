//===- LanePattern.h - Lanes in words ---------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_LANEPATTERN_H
#define UNRAVEL_ANALYSIS_WARPS_LANEPATTERN_H

#include "analysis/warps/WarpSymbols.h"

namespace unravel {

/// The addresses of a request.
struct LaneAddressForm {
  WarpForm Form;
  std::array<bool, LanesPerWarp> Active;
  unsigned Bytes; ///< a lane
};

/// The distance of neighbouring active lanes, for each step of one lane, if it
/// is a number and everywhere the same; 0 for a single lane.
std::optional<int64_t> strideOf(const LaneAddressForm &Lanes);

/// "consecutive, 4 bytes apart", "same address", "stride 128 bytes", "permuted
/// within 128 bytes", "rows of 16 lanes, 4 * %n bytes apart", "irregular".
std::string patternOf(const LaneAddressForm &Lanes, const WarpSymbols &Symbols);

/// "%in + 1024 * ctaid.x + 4 * lane", or empty where the lanes have no common
/// distance.
std::string textOf(const LaneAddressForm &Lanes, const WarpSymbols &Symbols);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_LANEPATTERN_H
