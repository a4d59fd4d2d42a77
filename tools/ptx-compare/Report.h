//===- Report.h - Comparisons as a table, JSON or HTML ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_REPORT_H
#define UNRAVEL_TOOLS_PTXCOMPARE_REPORT_H

#include "tools/ptx-compare/Comparison.h"
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace unravel {

/// An aligned table: one line a kernel, totals, geometric means, then the
/// ideals if there are any, and the loads and stores by width.
void printTable(llvm::raw_ostream &OS, llvm::ArrayRef<FileComparison> Files);

/// The same and all names and widths, for programs. Title says what was
/// compared, for example "sm_90".
std::string renderJson(llvm::ArrayRef<FileComparison> Files,
                       llvm::StringRef Title);

/// One page without external resources: the numbers, and per kernel both PTX
/// texts side by side with changed lines marked.
std::string renderHtml(llvm::ArrayRef<FileComparison> Files,
                       llvm::StringRef Title);

/// "27", or "-" if it is not known.
std::string formatCount(std::optional<unsigned> Count);

/// "0.33", or an empty string if it is not known.
std::string formatRatio(std::optional<double> Ratio);

/// "4 b32, 1 v4.b32", or "none".
std::string formatAccesses(const AccessCounts &Accesses);

/// What the user reads as the kernel's name: short where that is unambiguous
/// within its file, with a mark on device functions.
std::string displayName(const FileComparison &File, const KernelPair &Pair);

/// Whether the kernels' names alone do not tell the file: they do if every file
/// has one kernel (and perhaps its ideal) of the file's own name.
bool needFileNames(llvm::ArrayRef<FileComparison> Files);

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_REPORT_H
