//===- HoistedReciprocals.h - Divisions that share a reciprocal -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_RECIPROCAL_HOISTEDRECIPROCALS_H
#define UNRAVEL_TRANSFORMS_RECIPROCAL_HOISTEDRECIPROCALS_H

#include "llvm/IR/PassManager.h"

namespace unravel {

/// Computes floor((2^32 - 1) / d) once, in front of the loop or of the first
/// division, for the 32-bit divisions by a run-time divisor d, and divides by
/// multiplying with it. Does nothing on modules that are not NVPTX.
class HoistedReciprocalsPass
    : public llvm::PassInfoMixin<HoistedReciprocalsPass> {
public:
  /// On a copy, which is only to be priced, nothing is reported.
  explicit HoistedReciprocalsPass(bool IsTrial = false) : IsTrial(IsTrial) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);

private:
  bool IsTrial;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_RECIPROCAL_HOISTEDRECIPROCALS_H
