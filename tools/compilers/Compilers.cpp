//===- Compilers.cpp - Programs that tools call ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/compilers/Compilers.h"
#include "tools/files/InputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace unravel {

Expected<std::string> runTool(ArrayRef<StringRef> Command, StringRef Place,
                              const Twine &What) {
  Expected<FinishedProgram> Program = runProgram(Command);
  if (!Program)
    return Program.takeError();
  if (Program->succeeded())
    return std::move(Program->Messages);
  std::string Lines = Program->firstErrors(4);
  StringRef Tool = sys::path::filename(Command.front());
  if (Program->Status < 0)
    Lines = (Tool + " crashed or did not start (" + Program->Problem + ")" +
             (Lines.empty() ? "" : "\n  ") + Lines)
                .str();
  else if (Lines.empty())
    Lines = (Tool + " ended with status " + Twine(Program->Status)).str();
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
