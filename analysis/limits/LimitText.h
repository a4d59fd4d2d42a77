//===- LimitText.h - Estimates as text and as JSON --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each line says that it is an estimate.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_LIMITS_LIMITTEXT_H
#define UNRAVEL_ANALYSIS_LIMITS_LIMITTEXT_H

#include "analysis/limits/LimitEstimate.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace unravel {

/// What bounds a kernel on each GPU, or why that is not known.
struct KernelEstimate {
  std::string NotEstimated; ///< why; empty if it is
  unsigned NotUnderstood = 0;
  std::vector<LimitEstimate> Gpus;
};

/// Of \p Work on all GPUs of the table.
KernelEstimate limitsOf(const WarpWork &Work);

/// One line a GPU, or the line that says why there is none.
std::vector<std::string> linesOf(const KernelEstimate &Limits);

/// The same of two versions of a kernel.
std::vector<std::string> linesOf(const KernelEstimate &Before,
                                 const KernelEstimate &After);

llvm::json::Value asJson(const KernelEstimate &Limits);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_LIMITS_LIMITTEXT_H
