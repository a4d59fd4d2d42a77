//===- TemporaryFolder.cpp - A folder that goes with the run --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/files/TemporaryFolder.h"
#include "tools/files/InputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <unistd.h>
#include <utility>

using namespace llvm;
using namespace unravel;

/// What an interrupt removes. A signal finds nothing but globals.
static std::string ToRemove;

Expected<TemporaryFolder> TemporaryFolder::create(StringRef Prefix) {
  SmallString<128> Path;
  if (std::error_code EC = sys::fs::createUniqueDirectory(Prefix, Path))
    return makeError(Path.empty() ? StringRef("the temporary folder")
                                  : StringRef(Path),
                     "cannot make a folder: " + EC.message() +
                         "; set TMPDIR to one that you may write to");
  return TemporaryFolder(Path);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&Other)
    : Path(std::exchange(Other.Path, {})) {}

TemporaryFolder::~TemporaryFolder() {
  if (Path.empty())
    return;
  if (ToRemove == Path)
    sys::SetInterruptFunction(nullptr);
  sys::fs::remove_directories(Path);
}

std::string TemporaryFolder::file(const Twine &Name) const {
  SmallString<128> Result(Path);
  sys::path::append(Result, Name);
  return std::string(Result);
}

void TemporaryFolder::removeOnInterrupt() const {
  ToRemove = Path;
  sys::SetInterruptFunction([] {
    sys::fs::remove_directories(ToRemove);
    _exit(130);
  });
}
