//===- Subprocess.cpp - Run a program and keep its messages ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/files/Subprocess.h"
#include "tools/files/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

using namespace llvm;
using namespace unravel;

Expected<std::unique_ptr<TemporaryFile>>
TemporaryFile::create(StringRef Prefix, StringRef Suffix) {
  SmallString<128> Path;
  if (std::error_code EC = sys::fs::createTemporaryFile(Prefix, Suffix, Path))
    return makeError(Path.empty() ? StringRef("the temporary folder")
                                  : StringRef(Path),
                     "cannot create a temporary file: " + EC.message() +
                         "; set TMPDIR to a folder with space");
  sys::RemoveFileOnSignal(Path);
  return std::unique_ptr<TemporaryFile>(new TemporaryFile(Path));
}

TemporaryFile::~TemporaryFile() {
  sys::fs::remove(Path);
  sys::DontRemoveFileOnSignal(Path);
}

std::string FinishedProgram::firstErrors(unsigned Count) const {
  SmallVector<StringRef, 32> Lines;
  StringRef(Messages).split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  ArrayRef<StringRef> Shown = Lines;
  auto Has = [](StringRef What) {
    return [What](StringRef Line) { return Line.contains(What); };
  };
  // Warnings come first; other lines in front of an error explain it.
  const StringRef *Error = find_if(Shown, Has("error"));
  if (Error != Shown.end() &&
      any_of(Shown.take_front(Error - Shown.begin()), Has("warning")))
    Shown = Shown.drop_front(Error - Shown.begin());
  return join(Shown.take_front(Count), "\n  ");
}

Expected<FinishedProgram> unravel::runProgram(ArrayRef<StringRef> Command,
                                              unsigned MaxSeconds) {
  Expected<std::unique_ptr<TemporaryFile>> Log =
      TemporaryFile::create("unravel", "log");
  if (!Log)
    return Log.takeError();
  std::optional<StringRef> Redirects[] = {StringRef(), (*Log)->path(),
                                          (*Log)->path()};
  FinishedProgram Result;
  Result.Status = sys::ExecuteAndWait(
      Command.front(), Command, /*Env=*/std::nullopt, Redirects, MaxSeconds,
      /*MemoryLimit=*/0, &Result.Problem);
  Expected<std::string> Messages = readFile((*Log)->path());
  if (!Messages)
    return Messages.takeError();
  Result.Messages = std::move(*Messages);
  return Result;
}
