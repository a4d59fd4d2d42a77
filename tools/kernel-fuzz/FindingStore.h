//===- FindingStore.h - Findings on disk ------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_FINDINGSTORE_H
#define UNRAVEL_TOOLS_KERNELFUZZ_FINDINGSTORE_H

#include "tools/kernel-fuzz/Examination.h"
#include "llvm/Support/Error.h"

namespace unravel {

struct Finding {
  std::string Subject; ///< a seed line or a file
  Form F;              ///< in which it was found
  ExaminationResult Result;
};

/// Writes each finding to a folder of its own: report.txt, before.ll, after.ll,
/// and reduced.ll if findings are shrunk.
class FindingStore {
public:
  /// What llvm-reduce has to call to see whether a smaller module still shows
  /// the same: this program and the options of --check.
  struct Checker {
    std::string Program;
    std::vector<std::string> Arguments;
  };
  FindingStore(std::string Folder, std::optional<Checker> Reduce)
      : Folder(std::move(Folder)), Reduce(std::move(Reduce)) {}

  /// What it writes in the folder of a finding.
  static llvm::ArrayRef<llvm::StringRef> fileNames();

  /// Prints one line for the finding and saves it.
  void record(const Finding &F) const;

private:
  llvm::Error save(const Finding &F, llvm::StringRef Path) const;
  llvm::Error shrink(const Finding &F, llvm::StringRef Path) const;
  std::string Folder;
  std::optional<Checker> Reduce;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_FINDINGSTORE_H
