//===- Compilers.cpp - Programs that tools call
//----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/compilers/Compilers.h"
#include "tools/files/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Subprocesses
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<TemporaryFile>>
TemporaryFile::create(StringRef Prefix, StringRef Suffix) {
  SmallString<128> Path;
  if (std::error_code EC = sys::fs::createTemporaryFile(Prefix, Suffix, Path))
    return makeError(Path, "cannot create a temporary file: " + EC.message() +
                               "; set TMPDIR to a folder with space");
  sys::RemoveFileOnSignal(Path);
  return std::unique_ptr<TemporaryFile>(new TemporaryFile(Path));
}

TemporaryFile::~TemporaryFile() {
  sys::fs::remove(Path);
  sys::DontRemoveFileOnSignal(Path);
}

/// The part of a compiler's messages that a user needs: from the first error
/// on, at most four lines.
static std::string firstErrorLines(StringRef Log) {
  SmallVector<StringRef, 32> Lines;
  Log.split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  ArrayRef<StringRef> Shown = Lines;
  auto IsError = [](StringRef Line) { return Line.contains("error"); };
  if (auto *It = find_if(Shown, IsError);
      It != Shown.end() &&
      any_of(Shown.take_front(It - Shown.begin()),
             [](StringRef Line) { return Line.contains("warning"); }))
    Shown = Shown.drop_front(It - Shown.begin());
  return join(Shown.take_front(4), "\n  ");
}

Expected<std::string> runProgram(ArrayRef<StringRef> Command, StringRef Place,
                                 const Twine &What) {
  Expected<std::unique_ptr<TemporaryFile>> Log =
      TemporaryFile::create("unravel", "log");
  if (!Log)
    return Log.takeError();
  std::optional<StringRef> Redirects[] = {StringRef(), (*Log)->path(),
                                          (*Log)->path()};
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(Command.front(), Command,
                          /*Env=*/std::nullopt, Redirects,
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Problem);
  Expected<std::string> Text = readFile((*Log)->path());
  if (!Text || Status == 0)
    return Text;
  std::string Lines = firstErrorLines(*Text);
  StringRef Tool = sys::path::filename(Command.front());
  if (Status < 0) // It did not start, or a signal ended it.
    Lines = (Tool + " crashed or did not start (" + Problem + ")" +
             (Lines.empty() ? "" : "\n  ") + Lines)
                .str();
  else if (Lines.empty())
    Lines = (Tool + " ended with status " + Twine(Status)).str();
  return makeError(Place, What + ": " + Lines);
}

Expected<std::string> findLLVMTool(StringRef Name) {
  SmallString<128> Own(UNRAVEL_LLVM_TOOLS_DIR);
  sys::path::append(Own, Name);
  if (sys::fs::can_execute(Own))
    return Own.str().str();
  std::string Versioned = (Name + "-" + Twine(LLVM_VERSION_MAJOR)).str();
  if (ErrorOr<std::string> Found = sys::findProgramByName(Versioned))
    return *Found;
  return makeError(Name, "not found in " UNRAVEL_LLVM_TOOLS_DIR " and no '" +
                             Versioned + "' on PATH; install " +
                             (Name.starts_with("clang") ? "clang-" : "llvm-") +
                             Twine(LLVM_VERSION_MAJOR) +
                             " (scripts/setup.sh does)");
}

//===----------------------------------------------------------------------===//
// The CUDA toolkit
//===----------------------------------------------------------------------===//

static bool isToolkit(StringRef Path) {
  return sys::fs::exists(Path + "/include/cuda_runtime.h");
}

std::vector<std::string> toolkitCandidates(StringRef CudaPath) {
  if (!CudaPath.empty())
    return {CudaPath.str()};
  std::vector<std::string> Paths;
  if (std::optional<std::string> Env = sys::Process::GetEnv("CUDA_PATH");
      Env && !Env->empty())
    Paths.push_back(*Env);
  Paths.push_back("/usr/local/cuda");
  return Paths;
}

Expected<std::string> findToolkit(StringRef File, StringRef CudaPath) {
  std::vector<std::string> Candidates = toolkitCandidates(CudaPath);
  for (const std::string &Path : Candidates)
    if (isToolkit(Path))
      return Path;
  return makeError(File, "no CUDA toolkit in " + join(Candidates, " or ") +
                             ": set CUDA_PATH or --cuda-path; .ll inputs work "
                             "without one");
}

} // namespace unravel
