//===- SourceTexts.h - Lines of sources -------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTXCOMPARE_SOURCETEXTS_H
#define UNRAVEL_TOOLS_PTXCOMPARE_SOURCETEXTS_H

#include "llvm/ADT/StringMap.h"
#include <string>

namespace unravel {

/// The files that debug info names, each read once.
class SourceTexts {
public:
  /// Line \p Line, from 1; empty if there is none, or the file cannot be read.
  std::string line(llvm::StringRef File, unsigned Line);

private:
  llvm::StringMap<std::string> Texts;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_PTXCOMPARE_SOURCETEXTS_H
