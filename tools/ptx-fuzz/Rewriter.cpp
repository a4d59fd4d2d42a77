//===- Rewriter.cpp - Run the program that rewrites PTX -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/files/OutputFile.h"
#include "tools/files/Subprocess.h"
#include "tools/ptx-fuzz/Subject.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace unravel::ptx {

static constexpr unsigned MaxSeconds = 120;

/// Why \p Command failed, on one line; empty if it did not.
static Expected<std::string> problemOf(ArrayRef<StringRef> Command) {
  Expected<FinishedProgram> Program = runProgram(Command, MaxSeconds);
  if (!Program)
    return Program.takeError();
  if (Program->succeeded())
    return std::string();
  std::string Lines = Program->firstErrors(4);
  std::replace(Lines.begin(), Lines.end(), '\n', ' ');
  return (Command.front() + ": " +
          (Program->Problem.empty()
               ? "status " + std::to_string(Program->Status)
               : Program->Problem) +
          ": " + Lines)
      .str();
}

Expected<Rewriter::Result> Rewriter::rewrite(StringRef Text) const {
  std::string In = Folder + "/in.ptx", Out = Folder + "/out.ptx";
  std::string Binary = Folder + "/out.cubin";
  if (Error E = writeFile(In, Text))
    return E;
  sys::fs::remove(Out);
  SmallVector<StringRef, 8> Command{Program};
  for (StringRef Argument : Arguments)
    Command.push_back(Argument);
  Command.append({In, "-o", Out});
  Expected<std::string> Problem = problemOf(Command);
  if (!Problem)
    return Problem.takeError();
  if (!Problem->empty())
    return Result{"", *Problem};
  Expected<std::string> New = readFile(Out);
  if (!New)
    return Result{"", toString(New.takeError())};
  if (!Assembler.empty())
    Problem = problemOf({Assembler, "-arch=sm_90", "-O0", Out, "-o", Binary});
  if (!Problem)
    return Problem.takeError();
  return Result{std::move(*New), *Problem};
}

} // namespace unravel::ptx
