//===- GuardedDivisor.h - The divisor behind its guard ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that must not divide by zero, or not the lowest number by -1, divides by
// the unsigned max(d, 1), by d == 0 ? 1 : d, or by d == -1 && n == lowest ? 1 :
// d. Sizes are positive in ordinary launches, and there all of these are d.
// (The signed max(d, 1) is positive in any launch, and no guard that should
// go.)
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_GUARDEDDIVISOR_H
#define UNRAVEL_ANALYSIS_FACTS_GUARDEDDIVISOR_H

#include "llvm/IR/Value.h"

namespace unravel {

/// A value d that \p V is equal to wherever d > 0, read as a signed number;
/// \p V itself if there is no guard.
llvm::Value *divisorBehindGuard(llvm::Value *V);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_GUARDEDDIVISOR_H
