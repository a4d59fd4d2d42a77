//===- Report.h - Accesses as text and as JSON ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_REPORT_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_REPORT_H

#include "analysis/limits/LimitText.h"
#include "analysis/warps/AccessReport.h"
#include "tools/access-report/KernelInput.h"

namespace llvm::json {
class OStream;
}

namespace unravel {

struct KernelReport {
  const InputKernel *Kernel;
  BlockShape Block;
  /// Where the shape is from: "--block", "required by the kernel", ...
  std::string BlockSource;
  std::vector<AccessReport> Accesses;
  /// What bounds the kernel, if asked for.
  std::optional<KernelEstimate> Estimate;
};

/// Whether some order of the data is better, and the best case is below
/// \p Threshold. Not if the back end makes one consecutive access of this one
/// and those beside it; in PTX it is too late for that.
bool isBelow(const KernelReport &Report, const AccessReport &Access,
             double Threshold);

/// The accesses of one kernel as the value of an attribute, an object.
void writeKernel(llvm::json::OStream &J, const KernelReport &Report);

void printText(llvm::ArrayRef<KernelReport> Reports, llvm::raw_ostream &OS);
void printJson(llvm::ArrayRef<KernelReport> Reports, llvm::raw_ostream &OS);

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_REPORT_H
