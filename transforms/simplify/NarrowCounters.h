//===- NarrowCounters.h - 32-bit loop counters ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `for (size_t i = tid; i < n; i += stride)` counts in 64 bits, which a GPU
// adds and compares in two instructions each, and every index made of i is one
// of 64 bits. Where i and i + stride are known to stay in [0, 2^32), the
// counter becomes one of 32 bits, extended where it is used; comparisons with
// bounds in that range become 32-bit ones.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_NARROWCOUNTERS_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_NARROWCOUNTERS_H

#include "analysis/recovery/IndexRecovery.h"
#include "llvm/IR/PassManager.h"

namespace unravel {

/// Narrows the counters of the loops of \p F, or of those that \p Region
/// dominates. Returns whether the function changed; the CFG stays as it is.
bool narrowCounters(llvm::Function &F, const RecoveryLimits &Limits,
                    llvm::FunctionAnalysisManager &AM,
                    const llvm::BasicBlock *Region);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_NARROWCOUNTERS_H
