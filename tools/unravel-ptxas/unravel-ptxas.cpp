//===- unravel-ptxas.cpp - ptxas that simplifies first --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the place of NVIDIA's assembler: simplifies each PTX file of the
// command line with ptx-simplify, and runs the real ptxas with all other
// arguments as they are. Whatever goes wrong here, the original is assembled,
// and one line on stderr says why. Nothing is kept between runs, so that
// parallel builds are safe.
//
//   unravel-ptxas ARGUMENTS...
//   unravel-ptxas --unravel-fatbinary=PROGRAM ARGUMENTS...
//
// The second one takes the place of fatbinary, which embeds PTX in programs
// (--image3=kind=ptx,sm=90,file=k.ptx), and runs PROGRAM.
//
//===----------------------------------------------------------------------===//

#include "tools/files/InputFile.h"
#include "tools/files/Subprocess.h"
#include "tools/files/TemporaryFolder.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"
#include <cstdlib>

using namespace llvm;
using namespace unravel;

/// Set for the assembler: one that is set already means that this program was
/// told to run itself.
static constexpr const char *RunningVariable = "UNRAVEL_PTXAS_RUNNING";

static constexpr const char *HelpText =
    R"(OVERVIEW: runs ptxas on simplified PTX

In the place of NVIDIA's assembler: simplifies each PTX file of the command line
with ptx-simplify, and runs the real ptxas with all other arguments as they are.
Whatever goes wrong with that, the original is assembled, and one line on stderr
says why. Nothing is kept between runs, so that parallel builds are safe.

Environment:
  UNRAVEL_PTXAS       the real ptxas (default: that of CUDA_HOME, CUDA_PATH,
                      /usr/local/cuda, or PATH)
  UNRAVEL_LOG         a file to which each run adds a line for each PTX file
  UNRAVEL_VERSIONING  off or auto, as ptx-simplify --versioning
  UNRAVEL_JUDGE       1 takes a kernel only if its machine code is no worse
  UNRAVEL_OPTIONS     more options for ptx-simplify, as in a shell
  UNRAVEL_TIMEOUT     seconds for one file (60)

USAGE: unravel-ptxas [options of ptxas] FILE.ptx ...

OPTIONS:

  --unravel-help              - Print this text; --help is that of ptxas
  --unravel-fatbinary=PROGRAM - Take the place of fatbinary, which embeds PTX in
                                programs, and run PROGRAM
)";

/// What happens to PTX that cannot be simplified.
static StringRef Otherwise = "assembled as it was";

static void warn(const Twine &What) {
  errs() << "unravel-ptxas: " << What << "\n";
}

//===----------------------------------------------------------------------===//
// The programs
//===----------------------------------------------------------------------===//

static Expected<std::string> realPtxas(StringRef Self) {
  if (std::optional<std::string> Named =
          sys::Process::GetEnv("UNRAVEL_PTXAS")) {
    if (!sys::fs::can_execute(*Named))
      return makeError(*Named, "UNRAVEL_PTXAS names no program");
    return *Named;
  }
  SmallVector<std::string, 4> Candidates;
  for (const char *Variable : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> Root = sys::Process::GetEnv(Variable))
      Candidates.push_back(*Root + "/bin/ptxas");
  Candidates.push_back("/usr/local/cuda/bin/ptxas");
  if (ErrorOr<std::string> OnPath = sys::findProgramByName("ptxas"))
    Candidates.push_back(*OnPath);
  for (const std::string &Candidate : Candidates)
    if (sys::fs::can_execute(Candidate) &&
        !sys::fs::equivalent(Candidate, Self))
      return Candidate;
  return makeError("ptxas", "not found; set UNRAVEL_PTXAS to NVIDIA's ptxas");
}

/// Of one file. What is no number of seconds is an error.
static Expected<unsigned> timeoutSeconds() {
  std::optional<std::string> Text = sys::Process::GetEnv("UNRAVEL_TIMEOUT");
  unsigned Seconds = 60;
  if (Text && (StringRef(*Text).getAsInteger(10, Seconds) || Seconds == 0))
    return makeError("UNRAVEL_TIMEOUT=" + *Text,
                     "expected a number of seconds, at least 1");
  return Seconds;
}

/// The mode, or nothing if the variable is not set.
static Expected<std::optional<std::string>> versioningMode() {
  std::optional<std::string> Mode = sys::Process::GetEnv("UNRAVEL_VERSIONING");
  if (Mode && *Mode != "auto" && *Mode != "off")
    return makeError("UNRAVEL_VERSIONING=" + *Mode, "expected auto or off");
  return Mode;
}

static bool isSwitchedOn(const char *Variable) {
  std::optional<std::string> Text = sys::Process::GetEnv(Variable);
  return Text && !Text->empty() && *Text != "0";
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// Whether it is a file whose first word, behind comments, is that of PTX.
/// Options and other files are not.
static bool isPtx(StringRef Path) {
  if (Path.starts_with("-") || !sys::fs::is_regular_file(Path))
    return false;
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return false;
  StringRef Rest = (*Buffer)->getBuffer().ltrim();
  while (Rest.starts_with("//") || Rest.starts_with("/*")) {
    StringRef End = Rest.starts_with("//") ? "\n" : "*/";
    Rest = Rest.drop_front(2).split(End).second.ltrim();
  }
  return Rest.starts_with(".version");
}

/// One line, so that parallel runs do not mix theirs.
static void addToLog(StringRef LogPath, StringRef Report) {
  std::string Line;
  for (char C : Report)
    Line += C == '\n' ? ' ' : C;
  Line += '\n';
  std::error_code EC;
  raw_fd_ostream Log(LogPath, EC, sys::fs::OF_Append);
  if (EC)
    return warn(LogPath + ": cannot write: " + EC.message());
  Log.SetBufferSize(Line.size() + 1);
  Log << Line;
  Log.flush();
  // A full disk is no reason to assemble nothing.
  if (Log.has_error())
    warn(LogPath + ": cannot write: " + Log.error().message());
  Log.clear_error();
}

static void reportFailure(StringRef Input, StringRef Reason) {
  warn(Reason + "; " + Otherwise);
  if (auto LogPath = sys::Process::GetEnv("UNRAVEL_LOG"))
    addToLog(*LogPath, formatv("{0}", json::Value(json::Object{
                                          {"input", json::fixUTF8(Input)},
                                          {"error", json::fixUTF8(Reason)}}))
                           .str());
}

/// Returns the path of the simplified file, or why there is none.
static Expected<std::string> simplify(StringRef Input, StringRef Simplifier,
                                      StringRef Ptxas,
                                      const TemporaryFolder &Work,
                                      unsigned Number) {
  std::string Folder = Work.file(Twine(Number));
  if (std::error_code EC = sys::fs::create_directory(Folder))
    return makeError(Folder, EC.message());
  std::string Output = Folder + "/" + sys::path::filename(Input).str();
  std::string Report = Folder + "/report.json";
  SmallVector<StringRef, 8> Arguments = {Simplifier, Input,      "-o",
                                         Output,     "--report", Report};
  Expected<unsigned> Seconds = timeoutSeconds();
  if (!Seconds)
    return Seconds.takeError();
  Expected<std::optional<std::string>> Mode = versioningMode();
  if (!Mode)
    return Mode.takeError();
  std::string Versioning = "--versioning=" + Mode->value_or("");
  if (*Mode)
    Arguments.push_back(Versioning);
  if (isSwitchedOn("UNRAVEL_JUDGE"))
    append_range(Arguments, ArrayRef<StringRef>{"--judge", Ptxas});
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 8> Words;
  if (auto Options = sys::Process::GetEnv("UNRAVEL_OPTIONS"))
    cl::TokenizeGNUCommandLine(*Options, Saver, Words);
  append_range(Arguments, Words);
  Expected<FinishedProgram> Program = runProgram(Arguments, *Seconds);
  if (!Program)
    return Program.takeError();
  if (!Program->succeeded()) {
    std::string Reason = Program->firstErrors(1);
    if (Program->Status < 0 || Reason.empty())
      Reason = Program->Problem;
    return makeError(Input, Reason.empty() ? "it failed" : Reason);
  }
  if (auto LogPath = sys::Process::GetEnv("UNRAVEL_LOG"))
    if (auto Text = MemoryBuffer::getFile(Report))
      addToLog(*LogPath, (*Text)->getBuffer());
  return Output;
}

/// The PTX file that \p Argument names: a part of it at the end. Empty for
/// other arguments.
static StringRef inputIn(StringRef Argument) {
  StringRef Path = Argument;
  if (Argument.starts_with("--image")) {
    auto [Keys, File] = Argument.split(",file=");
    if (!Keys.contains("kind=ptx"))
      return {};
    Path = File;
  }
  return isPtx(Path) ? Path : StringRef();
}

/// The arguments with simplified files in place of PTX files.
static std::vector<std::string> replaceInputs(ArrayRef<char *> Arguments,
                                              StringRef Simplifier,
                                              StringRef Ptxas,
                                              const TemporaryFolder &Work) {
  std::vector<std::string> Result;
  bool IsOutput = false;
  for (auto [Number, Argument] : enumerate(Arguments)) {
    Result.emplace_back(Argument);
    std::string &Text = Result.back();
    std::string Input = IsOutput ? "" : inputIn(Text).str();
    if (Input.empty()) {
      IsOutput = Text == "-o" || Text == "--output-file";
      continue;
    }
    Expected<std::string> Simplified =
        simplify(Input, Simplifier, Ptxas, Work, Number);
    if (Simplified)
      Text.replace(Text.size() - Input.size(), Input.size(), *Simplified);
    else
      reportFailure(Input, toString(Simplified.takeError()));
    IsOutput = false;
  }
  return Result;
}

int main(int argc, char **argv) {
  sys::PrintStackTraceOnErrorSignal(argv[0]);
  if (argc == 2 && StringRef(argv[1]) == "--unravel-help") {
    outs() << HelpText;
    return 0;
  }
  std::string Self =
      sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&main));
  if (sys::Process::GetEnv(RunningVariable)) {
    warn("UNRAVEL_PTXAS names unravel-ptxas itself; set it to NVIDIA's ptxas");
    return 1;
  }
  Expected<std::string> Ptxas = realPtxas(Self);
  if (!Ptxas) {
    warn(toString(Ptxas.takeError()));
    return 1;
  }
  SmallString<128> Simplifier(sys::path::parent_path(Self));
  sys::path::append(Simplifier, "ptx-simplify");

  ArrayRef<char *> Given(argv + 1, argc - 1);
  std::string Program = *Ptxas;
  if (StringRef First = Given.empty() ? "" : Given.front();
      First.consume_front("--unravel-fatbinary=")) {
    Program = First.str();
    Otherwise = "embedded as it was";
    Given = Given.drop_front();
  }
  std::vector<std::string> Arguments;
  Expected<TemporaryFolder> Work = TemporaryFolder::create("unravel");
  if (!Work) {
    warn(toString(Work.takeError()) + "; " + Otherwise);
    Arguments.assign(Given.begin(), Given.end());
  } else {
    Work->removeOnInterrupt();
    Arguments = replaceInputs(Given, Simplifier, *Ptxas, *Work);
  }
  SmallVector<StringRef, 16> Command{Program};
  append_range(Command, Arguments);
  setenv(RunningVariable, "1", /*overwrite=*/1);
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(Program, Command, std::nullopt, {},
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Problem);
  if (!Problem.empty())
    warn(Program + ": " + Problem);
  return Status < 0 ? 1 : Status;
}
