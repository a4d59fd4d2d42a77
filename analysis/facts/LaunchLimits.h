//===- LaunchLimits.h - How large grids and blocks may be -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits of the programming model: CUDA C++ Programming Guide, table of compute
// capabilities. A launch with more, or with none, fails.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_LAUNCHLIMITS_H
#define UNRAVEL_ANALYSIS_FACTS_LAUNCHLIMITS_H

#include <cstdint>

namespace unravel {

/// In x, y and z.
inline constexpr int64_t MaxGrid[] = {INT32_MAX, 65535, 65535};
inline constexpr int64_t MaxBlock[] = {1024, 1024, 64};
/// Over all dimensions.
inline constexpr int64_t MaxThreadsOfBlock = 1024;

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_LAUNCHLIMITS_H
