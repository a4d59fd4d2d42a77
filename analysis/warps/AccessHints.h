//===- AccessHints.h - How to do better -------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_ACCESSHINTS_H
#define UNRAVEL_ANALYSIS_WARPS_ACCESSHINTS_H

#include "analysis/warps/AccessReport.h"

namespace unravel {

/// Fills in the hints of accesses of one kernel that can improve.
void addHints(llvm::MutableArrayRef<AccessReport> Reports);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_ACCESSHINTS_H
