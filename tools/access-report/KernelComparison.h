//===- KernelComparison.h - Accesses before and after -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of one name are compared. Accesses of one kind, space and width in
// the same line of the source belong together, in their order; where lines are
// missing or moved, those that are left belong together in their order, too.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_KERNELCOMPARISON_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_KERNELCOMPARISON_H

#include "tools/access-report/Report.h"

namespace unravel {

/// An access and what became of it; one of both may be missing.
struct AccessPair {
  const AccessReport *Before = nullptr, *After = nullptr;
  /// Both are there, with the same lanes at the same cost.
  bool isSame() const;
};

struct KernelComparison {
  const KernelReport *Before = nullptr, *After = nullptr;
  std::vector<AccessPair> Accesses;
};

/// In the order of \p Before; then those that only \p After has.
std::vector<KernelComparison>
compareKernels(llvm::ArrayRef<KernelReport> Before,
               llvm::ArrayRef<KernelReport> After);

/// The accesses that differ, and sums.
void printText(llvm::ArrayRef<KernelComparison> Kernels, llvm::raw_ostream &OS);
void printJson(llvm::ArrayRef<KernelComparison> Kernels, llvm::raw_ostream &OS);

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_KERNELCOMPARISON_H
