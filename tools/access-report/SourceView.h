//===- SourceView.h - Code with its accesses marked -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_SOURCEVIEW_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_SOURCEVIEW_H

#include "tools/access-report/Report.h"
#include <map>

namespace unravel {

/// Some lines of a text, and which accesses (from 0) are on which.
struct SourceView {
  std::string Title;
  unsigned FirstLine = 1;
  std::vector<std::string> Lines;
  std::map<unsigned, std::vector<unsigned>> Accesses;
};

/// The code of a kernel as its file has it, as far as that is known, and as
/// LLVM IR. Only \p Path, the input itself, is shown, with its text \p Text: a
/// file may name any other as its source.
std::vector<SourceView> viewsOf(const KernelReport &Report,
                                llvm::StringRef Path, llvm::StringRef Text);

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_SOURCEVIEW_H
