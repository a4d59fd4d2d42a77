//===- kernel-fuzz.cpp - Looks for wrong rewrites -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates random index-heavy kernels, runs them before and after a pass with
// an interpreter that knows poison, and saves and shrinks what differs:
//
//   kernel-fuzz --load-pass-plugin=Unravel.so --from 1 --count 1000
//   kernel-fuzz --load-pass-plugin=Unravel.so --time 3600 --jobs 8 --reduce
//   kernel-fuzz --print 'kernel-fuzz v1 profile=reshape seed=123'
//   kernel-fuzz --load-pass-plugin=Unravel.so --functions a.ll b.ll
//   kernel-fuzz --load-pass-plugin=Unravel.so --check a.ll
//
// Exit status: 0 no finding, 1 findings, 2 a usage error. With --check, as
// llvm-reduce needs it: 0 if the pass is wrong on the file, 1 if it is not.
//
//===----------------------------------------------------------------------===//

#include "tools/files/OutputFile.h"
#include "tools/kernel-fuzz/Campaign.h"
#include "tools/kernel-fuzz/generator/KernelGenerator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static cl::OptionCategory Category("kernel-fuzz options");

static cl::list<std::string> Files(cl::Positional, cl::desc("[FILE.ll...]"),
                                   cl::cat(Category));
static cl::list<std::string> PluginPaths("load-pass-plugin",
                                         cl::value_desc("PLUGIN.so"),
                                         cl::desc("Load passes from here"),
                                         cl::cat(Category));
static cl::opt<std::string>
    Passes("passes", cl::init("function(index-simplify)"),
           cl::desc("What runs in the forms raw and o2 (default: "
                    "function(index-simplify))"),
           cl::cat(Category));
static cl::list<Form> Forms(
    "form", cl::CommaSeparated,
    cl::desc("Where the pass meets a kernel (default: all, --check: raw):"),
    cl::values(clEnumValN(Form::Raw, "raw", "as it is"),
               clEnumValN(Form::O2, "o2", "after default<O2>"),
               clEnumValN(Form::O3, "o3",
                          "the plugin at its extension point in default<O3>")),
    cl::cat(Category));
static cl::opt<std::string> Print("print", cl::value_desc("SEED LINE"),
                                  cl::desc("Print the kernel of a seed line"),
                                  cl::cat(Category));
static cl::opt<std::string>
    SeedFile("seed-file", cl::value_desc("FILE"),
             cl::desc("Examine the kernels of these seed lines"),
             cl::cat(Category));
static cl::opt<bool> Functions("functions",
                               cl::desc("Examine the functions of FILE.ll..."),
                               cl::cat(Category));
static cl::opt<bool>
    Check("check", cl::desc("Exit 0 if the pass is wrong on FILE.ll, 1 if not"),
          cl::cat(Category));
static cl::opt<std::string>
    Kind("kind", cl::value_desc("address"),
         cl::desc("With --check: wrong in this way only"), cl::cat(Category));
static cl::opt<uint64_t> From("from", cl::init(1),
                              cl::desc("Number of the first kernel"),
                              cl::cat(Category));
static cl::opt<uint64_t> Count("count", cl::init(1000),
                               cl::desc("Number of kernels (default: 1000, "
                                        "with --time no limit)"),
                               cl::cat(Category));
static cl::opt<std::string>
    OnlyProfile("profile", cl::value_desc("NAME"),
                cl::desc("Kernels of this profile only (default: all in turn)"),
                cl::cat(Category));
static cl::opt<uint64_t> Seconds("time", cl::value_desc("SECONDS"), cl::init(0),
                                 cl::desc("Stop after this time"),
                                 cl::cat(Category));
static cl::opt<unsigned> Jobs("jobs", cl::init(1),
                              cl::desc("Number of processes"),
                              cl::cat(Category));
static cl::alias JobsShort("j", cl::aliasopt(Jobs), cl::Prefix,
                           cl::desc("Same as --jobs"), cl::cat(Category));
static cl::opt<uint64_t> Inputs("inputs", cl::init(64),
                                cl::desc("Threads run for each kernel, of "
                                         "several launches (default: 64)"),
                                cl::cat(Category));
static cl::opt<std::string>
    Output("output", cl::init("kernel-fuzz-findings"), cl::value_desc("FOLDER"),
           cl::desc("Save findings here (default: kernel-fuzz-findings)"),
           cl::cat(Category));
static cl::opt<bool> Reduce("reduce",
                            cl::desc("Shrink findings with llvm-reduce"),
                            cl::cat(Category));
static cl::opt<bool>
    Explain("explain",
            cl::desc("Say what cannot be run, and why, and what a second "
                     "run of the pass changes again"),
            cl::cat(Category));

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

static ExitOnError OrFail("kernel-fuzz: error: ", /*DefaultErrorExitCode=*/2);

static Error usageError(const Twine &Text) {
  return make_error<StringError>(Text, inconvertibleErrorCode());
}

static ExaminationOptions examinationOptions() {
  ExaminationOptions Options{Passes, {Inputs, std::nullopt, nullptr}, !Check};
  // A century at most: later times do not fit a clock.
  constexpr uint64_t MaxSeconds = 100ULL * 366 * 24 * 3600;
  if (Seconds && !Check)
    Options.Runs.Deadline =
        RunLimits::Clock::now() +
        std::chrono::seconds(std::min<uint64_t>(Seconds, MaxSeconds));
  return Options;
}

static int printKernel(const PassRunner &Runner) {
  LLVMContext Context;
  SeedLine Line = OrFail(SeedLine::parse(Print));
  generateKernel(Line, Context, Runner.target())->print(outs(), nullptr);
  return 0;
}

static int checkFile(const PassRunner &Runner) {
  if (Files.size() != 1)
    OrFail(usageError("--check takes one file"));
  if (!sys::fs::exists(Files[0]))
    OrFail(usageError(Files[0] + ": no such file"));
  Form F = Forms.empty() ? Form::Raw : Forms[0];
  auto Found = examineIsolated(IRFiles(Files), F, Runner, examinationOptions());
  if (!Found || (!Kind.empty() && Found->Kind != Kind))
    return 1;
  outs() << Found->Text;
  return 0;
}

/// Before it is read: a device has no end, and --time does not count here.
static Error checkSeedFile() {
  static constexpr uint64_t MaxBytes = 256 << 20; // millions of seed lines
  if (SeedFile == "-")
    return Error::success();
  Expected<uint64_t> Size = sizeOfRegularFile(SeedFile);
  if (!Size)
    return usageError(toString(Size.takeError()) +
                      "; --seed-file takes a file of seed lines");
  if (*Size > MaxBytes)
    return usageError(SeedFile + ": " + Twine(*Size) +
                      " bytes, more than the " + Twine(MaxBytes) +
                      " of a file of seed lines; split the file");
  return Error::success();
}

static Expected<std::vector<SeedLine>> readSeedFile() {
  if (Error E = checkSeedFile())
    return E;
  auto Buffer = MemoryBuffer::getFileOrSTDIN(SeedFile, /*IsText=*/true);
  if (!Buffer)
    return usageError(SeedFile + ": " + Buffer.getError().message() +
                      "; --seed-file takes a file of seed lines");
  std::vector<SeedLine> Lines;
  SmallVector<StringRef, 16> Texts;
  (*Buffer)->getBuffer().split(Texts, '\n');
  for (size_t K = 0; K < Texts.size(); ++K) {
    StringRef Text = Texts[K].trim();
    if (Text.empty() || Text.starts_with("#"))
      continue;
    Expected<SeedLine> Line = SeedLine::parse(Text);
    if (!Line)
      return usageError(SeedFile + ":" + Twine(K + 1) + ": " +
                        toString(Line.takeError()));
    Lines.push_back(*Line);
  }
  return Lines;
}

/// A folder with findings is a usual place of files to examine; a finding must
/// not be written over one of them.
static bool isWhereFindingsGo(StringRef Path) {
  StringRef Folder = sys::path::parent_path(Path);
  if (!sys::fs::equivalent(sys::path::parent_path(Folder), Output))
    return false;
  return any_of(Files, [&](StringRef File) {
    return Folder.ends_with(("-" + sys::path::stem(File)).str()) &&
           is_contained(FindingStore::fileNames(), sys::path::filename(Path));
  });
}

static Error checkFunctionFiles() {
  for (StringRef Path : Files) {
    if (!sys::fs::exists(Path))
      return usageError(Path + ": no such file; --functions takes files of "
                               "LLVM IR");
    if (Error E = checkInput(Path))
      return E;
    if (isWhereFindingsGo(Path))
      return usageError("--output: " + Output +
                        ": a finding may be written over "
                        "the input '" +
                        Path + "'; name another folder");
  }
  return Error::success();
}

static Expected<std::optional<Profile>> wantedProfile() {
  if (OnlyProfile.empty())
    return std::nullopt;
  Expected<SeedLine> Line = SeedLine::parse(
      "kernel-fuzz v1 profile=" + OnlyProfile.getValue() + " seed=0");
  if (!Line)
    return Line.takeError();
  return Line->Kind;
}

static Expected<std::unique_ptr<Subjects>> subjects(const PassRunner &Runner) {
  if (Functions) {
    if (Files.empty())
      return usageError("--functions needs files");
    if (Error E = checkFunctionFiles())
      return E;
    return std::make_unique<IRFiles>(Files);
  }
  if (!Files.empty())
    return usageError("'" + Files[0] + "': files need --functions or --check");
  if (!SeedFile.empty()) {
    Expected<std::vector<SeedLine>> Lines = readSeedFile();
    if (!Lines)
      return Lines.takeError();
    return std::make_unique<ListedKernels>(std::move(*Lines), Runner.target());
  }
  bool HasEnd = Count.getNumOccurrences() > 0 || Seconds == 0;
  Expected<std::optional<Profile>> Only = wantedProfile();
  if (!Only)
    return Only.takeError();
  return std::make_unique<GeneratedKernels>(
      From, HasEnd ? Count.getValue() : UINT64_MAX, *Only, Runner.target());
}

static FindingStore findingStore(const char *Program) {
  if (!Reduce)
    return FindingStore(Output, std::nullopt);
  FindingStore::Checker Checker;
  Checker.Program = sys::fs::getMainExecutable(
      Program, reinterpret_cast<void *>(&findingStore));
  for (const std::string &Path : PluginPaths)
    Checker.Arguments.push_back("--load-pass-plugin=" + Path);
  Checker.Arguments.push_back("--passes=" + Passes);
  Checker.Arguments.push_back("--inputs=" + std::to_string(Inputs));
  return FindingStore(Output, std::move(Checker));
}

static int runAll(const PassRunner &Runner, const char *Program) {
  if (Jobs == 0 || Inputs == 0)
    OrFail(usageError("--jobs and --inputs have to be at least 1"));
  CampaignOptions Options;
  Options.Examination = examinationOptions();
  Options.Forms = Forms;
  if (Options.Forms.empty())
    Options.Forms = {Form::Raw, Form::O2, Form::O3};
  if (Options.Forms.size() > 3)
    OrFail(usageError("--form names each form once at most"));
  Options.Jobs = Jobs;
  Options.Explains = Explain;
  OrFail(checkOutputFolder("--output", Output));
  std::unique_ptr<Subjects> List = OrFail(subjects(Runner));
  CampaignResult Result =
      runCampaign(*List, Runner, findingStore(Program), Options);
  FuzzCounters Sum;
  for (const auto &[F, Counters] : Result) {
    outs() << "form=" << nameOf(F) << ' ' << Counters.str() << '\n';
    Sum += Counters;
  }
  outs() << "total " << Sum.str() << '\n';
  if (Sum.Kernels == 0 && Sum.Crashes == 0 && Sum.NotLoaded > 0)
    OrFail(usageError(Twine("none of the files is LLVM IR for NVPTX") +
                      (Explain ? "" : "; --explain says why")));
  return Sum.Findings + Sum.Crashes > 0 ? 1 : 0;
}

int main(int Argc, char **Argv) {
  sys::PrintStackTraceOnErrorSignal(Argv[0]);
  std::vector<PassPlugin> Plugins;
  // While parsing: the options behind a plugin may be its own.
  PluginPaths.setCallback([&](const std::string &Path) {
    Plugins.push_back(OrFail(PassPlugin::Load(Path)));
  });
  cl::HideUnrelatedOptions(Category);
  if (!cl::ParseCommandLineOptions(
          Argc, Argv, "Looks for wrong rewrites in random kernels\n", &errs()))
    return 2;
  PassRunner Runner = OrFail(PassRunner::create(std::move(Plugins)));
  if (!Print.empty())
    return printKernel(Runner);
  if (Error E = Runner.check(Passes))
    OrFail(usageError(toString(std::move(E)) +
                      "; is --load-pass-plugin=build/plugin/Unravel.so "
                      "missing, or --passes wrong?"));
  return Check ? checkFile(Runner) : runAll(Runner, Argv[0]);
}
