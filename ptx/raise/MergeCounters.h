//===- MergeCounters.h - Counters apart by a constant are one ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that nvcc unrolls by 4 may count i and i + 3, each by 4: one for its
// first element, one for the others. Of one counter, all of them have addresses
// that differ by a constant.
//
// Proof: two counters with one step differ in each iteration by what they
// differ by in the first, modulo 2^n.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_RAISE_MERGECOUNTERS_H
#define UNRAVEL_PTX_RAISE_MERGECOUNTERS_H

#include "llvm/IR/PassManager.h"

namespace unravel::ptx {

/// Returns whether \p F changed; the CFG stays as it is.
bool mergeCounters(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_RAISE_MERGECOUNTERS_H
