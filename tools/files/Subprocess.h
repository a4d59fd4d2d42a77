//===- Subprocess.h - Run a program and keep its messages -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FILES_SUBPROCESS_H
#define UNRAVEL_TOOLS_FILES_SUBPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace unravel {

/// A file in the system's temporary folder that goes with the object, and on a
/// signal.
class TemporaryFile {
public:
  /// A new, empty file "Prefix-….Suffix".
  static llvm::Expected<std::unique_ptr<TemporaryFile>>
  create(llvm::StringRef Prefix, llvm::StringRef Suffix);
  ~TemporaryFile();
  llvm::StringRef path() const { return Path; }

private:
  explicit TemporaryFile(llvm::StringRef Path) : Path(Path) {}
  std::string Path;
};

/// A program that ended, or did not start.
struct FinishedProgram {
  /// Below 0: it did not start, or a signal or the time limit ended it.
  int Status;
  /// Why, if the system says so.
  std::string Problem;
  /// What it wrote to stdout and stderr.
  std::string Messages;

  bool succeeded() const { return Status == 0; }
  /// The part of the messages that a user needs: from the first error on, at
  /// most \p Count lines.
  std::string firstErrors(unsigned Count) const;
};

/// Runs the program Command[0], which is a path. \p MaxSeconds: 0 for no limit.
/// Fails only if there is no room for the messages.
llvm::Expected<FinishedProgram>
runProgram(llvm::ArrayRef<llvm::StringRef> Command, unsigned MaxSeconds = 0);

} // namespace unravel

#endif // UNRAVEL_TOOLS_FILES_SUBPROCESS_H
