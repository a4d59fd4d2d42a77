//===- FindingStore.cpp - Findings on disk --------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/FindingStore.h"
#include "tools/files/OutputFile.h"
#include "tools/kernel-fuzz/random/SeedLine.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

/// value-raw-reshape-123
static std::string folderName(const Finding &F) {
  std::string Name = F.Result.Finding->Kind + "-" + nameOf(F.F).str() + "-";
  Expected<SeedLine> Line = SeedLine::parse(F.Subject);
  if (Line)
    return Name + profileNames()[unsigned(Line->Kind)].str() + "-" +
           std::to_string(Line->Seed);
  consumeError(Line.takeError());
  return Name + sys::path::stem(F.Subject).str();
}

ArrayRef<StringRef> FindingStore::fileNames() {
  static constexpr StringRef Names[] = {"report.txt", "before.ll", "after.ll",
                                        "reduced.ll", "reduce.log"};
  return Names;
}

Error FindingStore::save(const Finding &F, StringRef Path) const {
  if (std::error_code EC = sys::fs::create_directories(Path))
    return makeError(Path, "cannot make the folder: " + EC.message() +
                               "; name another one with --output");
  std::string Report =
      F.Subject + "\n" + "form " + nameOf(F.F).str() +
      "; before.ll shows it with --form=" + nameOf(F.Result.Rerun).str() +
      "\n" + F.Result.Finding->Text;
  if (Error E = writeFile((Path + "/report.txt").str(), Report))
    return E;
  if (Error E = writeFile((Path + "/before.ll").str(), F.Result.Before))
    return E;
  return writeFile((Path + "/after.ll").str(), F.Result.After);
}

Error FindingStore::shrink(const Finding &F, StringRef Path) const {
  static constexpr unsigned MaxSeconds = 900;
  std::string Tool = UNRAVEL_LLVM_TOOLS_DIR "/llvm-reduce";
  std::vector<std::string> Command{
      Tool, "--test=" + Reduce->Program, "--test-arg=--check",
      "--test-arg=--form=" + nameOf(F.Result.Rerun).str(),
      "--test-arg=--kind=" + F.Result.Finding->Kind};
  for (const std::string &Argument : Reduce->Arguments)
    Command.push_back("--test-arg=" + Argument);
  std::string Log = (Path + "/reduce.log").str();
  Command.push_back((Path + "/before.ll").str());
  Command.push_back("-o=" + (Path + "/reduced.ll").str());
  SmallVector<StringRef, 16> Arguments(Command.begin(), Command.end());
  std::optional<StringRef> Redirects[] = {StringRef(), StringRef(Log),
                                          StringRef(Log)};
  std::string Reason;
  int Status = sys::ExecuteAndWait(Tool, Arguments, std::nullopt, Redirects,
                                   MaxSeconds, /*MemoryLimit=*/0, &Reason);
  if (Status != 0)
    return makeError(Path, "not shrunk: llvm-reduce " +
                               (Reason.empty() ? "failed" : Reason) + "; see " +
                               Log);
  sys::fs::remove(Log);
  return Error::success();
}

void FindingStore::record(const Finding &F) const {
  SmallString<128> Path(Folder);
  sys::path::append(Path, folderName(F));
  Error E = save(F, Path);
  if (!E && Reduce)
    E = shrink(F, Path);
  // One write: several processes share the terminal.
  std::string Line = "finding: " + F.Result.Finding->Kind + " in form " +
                     nameOf(F.F).str() + ": " + F.Subject + " (" +
                     Path.str().str() + ")\n";
  outs() << Line;
  outs().flush();
  if (E)
    errs() << "kernel-fuzz: error: " << toString(std::move(E)) << '\n';
}

} // namespace unravel
