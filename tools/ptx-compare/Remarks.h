//===- Remarks.h - What the pass said of kernels ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_REMARKS_H
#define UNRAVEL_TOOLS_PTXCOMPARE_REMARKS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace unravel {

/// One remark of an optimization record.
struct PassRemark {
  std::string Function; ///< Mangled.
  std::string Name;     ///< "MissingFact"
  bool IsMissed = false;
  std::string File; ///< Empty without debug info.
  unsigned Line = 0, Column = 0;
  std::string Text;
  /// The lines of the source that it suggests, or else a facts file and
  /// options; empty if it suggests nothing.
  std::string Fact;
  std::string SourceLine; ///< Text of the line, if the file can be read.
};

/// Reads the remarks of index-simplify in a YAML record, without those that
/// only say what was seen (analysis).
llvm::Expected<std::vector<PassRemark>> readRemarks(llvm::StringRef Yaml);

/// Adds the text of the lines that the remarks name.
void addSourceLines(std::vector<PassRemark> &Remarks);

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_REMARKS_H
