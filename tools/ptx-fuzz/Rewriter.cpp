//===- Rewriter.cpp - Run the program that rewrites PTX -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/files/OutputFile.h"
#include "tools/ptx-fuzz/Subject.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace unravel::ptx {

static constexpr unsigned MaxSeconds = 120;

/// What a program wrote of errors, on one line.
static std::string firstLines(StringRef Path) {
  Expected<std::string> Text = readFile(Path);
  if (!Text) {
    consumeError(Text.takeError());
    return "";
  }
  SmallVector<StringRef, 8> Lines;
  StringRef(*Text).trim().split(Lines, '\n', 4);
  Lines.truncate(std::min<size_t>(Lines.size(), 4));
  return join(Lines, " / ");
}

Expected<Rewriter::Result> Rewriter::rewrite(StringRef Text) const {
  std::string In = Folder + "/in.ptx", Out = Folder + "/out.ptx";
  std::string Log = Folder + "/log.txt", Binary = Folder + "/out.cubin";
  if (Error E = writeFile(In, Text))
    return E;
  sys::fs::remove(Out);
  auto Run = [&](StringRef Tool, ArrayRef<StringRef> Command) {
    std::optional<StringRef> Redirects[] = {StringRef(), StringRef(Log),
                                            StringRef(Log)};
    std::string Reason;
    int Status = sys::ExecuteAndWait(Tool, Command, std::nullopt, Redirects,
                                     MaxSeconds, /*MemoryLimit=*/0, &Reason);
    if (Status == 0)
      return std::string();
    return (Tool + ": " +
            (Reason.empty() ? "status " + std::to_string(Status) : Reason) +
            ": " + firstLines(Log))
        .str();
  };
  SmallVector<StringRef, 8> Command{Program};
  for (StringRef Argument : Arguments)
    Command.push_back(Argument);
  Command.append({In, "-o", Out});
  std::string Problem = Run(Program, Command);
  if (!Problem.empty())
    return Result{"", Problem};
  Expected<std::string> New = readFile(Out);
  if (!New)
    return Result{"", toString(New.takeError())};
  if (!Assembler.empty())
    Problem =
        Run(Assembler, {Assembler, "-arch=sm_90", "-O0", Out, "-o", Binary});
  return Result{std::move(*New), Problem};
}

} // namespace unravel::ptx
