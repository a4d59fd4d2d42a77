//===- Estimates.h - What bounds the reported kernels -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates are of PTX. What is IR goes through llc first: it merges accesses
// and chooses instructions.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_ESTIMATES_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_ESTIMATES_H

#include "ptx/limits/KernelLimits.h"
#include "tools/access-report/KernelInput.h"

namespace unravel {

class Estimator {
public:
  /// Of a file at \p Path, before anything changes its kernels.
  static llvm::Expected<Estimator>
  create(llvm::StringRef Path, const KernelInput &Input, llvm::StringRef Arch);

  KernelEstimate estimate(llvm::StringRef Kernel, const BlockShape &Block,
                          FactsSource AddFacts) const;

private:
  std::unique_ptr<std::string> Text; ///< the tree points into it
  ptx::Module M;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_ESTIMATES_H
