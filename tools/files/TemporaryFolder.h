//===- TemporaryFolder.h - A folder that goes with the run ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FILES_TEMPORARYFOLDER_H
#define UNRAVEL_TOOLS_FILES_TEMPORARYFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace unravel {

/// A folder in the system's temporary folder that goes with the object, with
/// all that is in it.
class TemporaryFolder {
public:
  /// A new, empty folder "Prefix-…".
  static llvm::Expected<TemporaryFolder> create(llvm::StringRef Prefix);
  TemporaryFolder(TemporaryFolder &&Other);
  ~TemporaryFolder();
  llvm::StringRef path() const { return Path; }
  /// The path of a file in it.
  std::string file(const llvm::Twine &Name) const;

  /// Removes it on Ctrl-C and the like, and ends the program with status 130.
  /// For one folder of a program, until it goes.
  void removeOnInterrupt() const;

private:
  explicit TemporaryFolder(llvm::StringRef Path) : Path(Path) {}
  std::string Path;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_FILES_TEMPORARYFOLDER_H
