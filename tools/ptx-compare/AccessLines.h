//===- AccessLines.h - The maps of a kernel's accesses ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_ACCESSLINES_H
#define UNRAVEL_TOOLS_PTXCOMPARE_ACCESSLINES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace unravel {

/// One memory access as `print<indexing-maps>` writes it.
struct AccessLine {
  std::string Function; ///< Mangled.
  std::string Access;   ///< "load float %in"
  std::string File;     ///< Empty without debug info.
  unsigned Line = 0;
  std::string Map; ///< More lines where words may wrap.
  std::string SourceLine;
};

/// Reads what the pass printed, with other messages in front of it.
std::vector<AccessLine> readAccessLines(llvm::StringRef Printed);

/// Adds the text of the lines that the accesses name.
void addSourceLines(std::vector<AccessLine> &Accesses);

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_ACCESSLINES_H
