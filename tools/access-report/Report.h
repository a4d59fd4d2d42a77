//===- Report.h - Accesses as text and as JSON ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_REPORT_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_REPORT_H

#include "analysis/warps/AccessReport.h"
#include "tools/access-report/KernelInput.h"

namespace unravel {

struct KernelReport {
  const InputKernel *Kernel;
  BlockShape Block;
  /// Where the shape is from: "--block", "required by the kernel", ...
  std::string BlockSource;
  std::vector<AccessReport> Accesses;
};

/// Whether some order of the data is better, and the best case is below
/// \p Threshold.
bool isBelow(const AccessReport &Access, double Threshold);

/// "load, global, 4 bytes a lane".
std::string accessText(const MemoryAccess &Access);
/// "sectors: 4, ideal: 4, efficiency: 1.00", of an access that has a cost.
std::string costText(const AccessReport &Access);

void printText(llvm::ArrayRef<KernelReport> Reports, llvm::raw_ostream &OS);
void printJson(llvm::ArrayRef<KernelReport> Reports, llvm::raw_ostream &OS);

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_REPORT_H
