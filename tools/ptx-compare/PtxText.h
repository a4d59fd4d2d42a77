//===- PtxText.h - Read PTX text and count its instructions -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits a PTX module into its kernels (.entry) and device functions (.func
// with a body) and counts the instructions of each by class. It reads text and
// does no I/O, so it works on PTX from any compiler.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_PTXTEXT_H
#define UNRAVEL_TOOLS_PTXCOMPARE_PTXTEXT_H

#include "ptx/price/PtxPaths.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace unravel {

/// One .entry, or one .func that has a body.
struct PtxFunction {
  std::string Name; ///< As in the PTX: mangled.
  bool IsKernel = false;
  std::string Text; ///< From its first directive to the closing brace.
  /// What .reqntid or .maxntid says of a kernel.
  std::optional<unsigned> BlockThreads;
  PtxCounts Counts; ///< Of all code.
  /// Of each body, if there are two.
  std::optional<PtxPaths> Paths;

  /// What an ordinary launch executes.
  const PtxCounts &ordinary() const { return Paths ? Paths->Ordinary : Counts; }
  const PtxCounts &general() const { return Paths ? Paths->General : Counts; }
};

struct PtxModule {
  std::string Target; ///< The first word of .target, such as "sm_90".
  std::vector<PtxFunction> Functions;

  /// Returns the function of that name, or null.
  const PtxFunction *find(llvm::StringRef Name) const;
  bool hasKernel() const;
};

/// Reads a PTX module. Fails, naming the line, on text that is not PTX or that
/// ends inside a function.
llvm::Expected<PtxModule> parsePtx(llvm::StringRef Text,
                                   llvm::StringRef BufferName);

/// What `ptxas -v` says about one kernel or function.
struct PtxasUsage {
  /// Absent for a device function: registers belong to the kernel.
  std::optional<unsigned> Registers;
  unsigned SpillStoreBytes = 0;
  unsigned SpillLoadBytes = 0;
  unsigned SharedBytes = 0; ///< Static shared memory.

  unsigned spillBytes() const { return SpillStoreBytes + SpillLoadBytes; }
};

/// Reads the log of `ptxas -v`, by function name.
std::map<std::string, PtxasUsage> parsePtxasLog(llvm::StringRef Log);

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_PTXTEXT_H
