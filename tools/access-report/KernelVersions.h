//===- KernelVersions.h - Kernels before and after the passes ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_KERNELVERSIONS_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_KERNELVERSIONS_H

#include "tools/access-report/Report.h"

namespace unravel {

struct KernelVersions {
  /// The indexing map of each access, as print<indexing-maps> writes it; empty
  /// where the access is no more, or nothing reaches it.
  std::vector<std::string> MapsBefore, MapsAfter;
  /// MapsBefore as strides and digits.
  std::vector<std::string> Readable;
  std::string PtxBefore, PtxAfter;
  /// Why there is none; else empty.
  std::string PtxProblem;
};

/// One for each report. \p Path is the file that \p Input was read from, with
/// \p Cuda. The PTX of CUDA is that of clang -O3 without and with the passes in
/// its pipeline; IR goes through index-simplify as it is, and PTX through what
/// ptx-simplify does. With \p FactsPath, the passes know a facts file.
llvm::Expected<std::vector<KernelVersions>>
versionsOf(llvm::ArrayRef<KernelReport> Reports, const KernelInput &Input,
           llvm::StringRef Path, const CudaOptions &Cuda,
           llvm::StringRef FactsPath);

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_KERNELVERSIONS_H
