//===- ptx-compare.cpp - What the pass changes in a kernel's PTX ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles CUDA or LLVM IR to PTX without and with the plugin and compares the
// instructions of every kernel:
//
//   ptx-compare kernel.cu
//   ptx-compare *.ll --html report.html --fail-if-worse
//   ptx-compare --before nvcc.ptx --after clang.ptx
//
// Exit status: 0 done, 1 a kernel got more expensive (with --fail-if-worse),
// 2 an error. A file it writes is complete or untouched.
//
//===----------------------------------------------------------------------===//

#include "tools/files/OutputFile.h"
#include "tools/ptx-compare/Estimates.h"
#include "tools/ptx-compare/Pipeline.h"
#include "tools/ptx-compare/Regressions.h"
#include "tools/ptx-compare/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static cl::OptionCategory Category("ptx-compare options");

static cl::list<std::string>
    Inputs(cl::Positional, cl::desc("FILE.cu|FILE.ll|FILE.bc|FILE.ptx ..."),
           cl::cat(Category));
static cl::opt<std::string> BeforePtx("before", cl::value_desc("A.ptx"),
                                      cl::desc("Compare two PTX files"),
                                      cl::cat(Category));
static cl::opt<std::string> AfterPtx("after", cl::value_desc("B.ptx"),
                                     cl::desc("The other PTX file"),
                                     cl::cat(Category));
static cl::opt<std::string> Arch("arch", cl::init("sm_90"),
                                 cl::desc("GPU to compile for (sm_90)"),
                                 cl::cat(Category));
static cl::opt<std::string> OptLevel("O", cl::Prefix, cl::init("3"),
                                     cl::value_desc("level"),
                                     cl::desc("Optimisation level, 0 to 3, "
                                              "for clang++ and llc (3)"),
                                     cl::cat(Category));
static cl::opt<std::string> OptPasses(
    "pipeline", cl::value_desc("passes"),
    cl::desc("For IR: run these passes on both sides, such as 'default<O3>', "
             "with the plugin at its extension point, in place of those named "
             "above"),
    cl::cat(Category));
static cl::opt<std::string>
    PluginPath("plugin", cl::value_desc("path"),
               cl::desc("The plugin (default: the one built or installed with "
                        "this program)"),
               cl::cat(Category));
static cl::opt<std::string>
    PassOptions("pass-options", cl::value_desc("words"),
                cl::desc("Options of the pass, for the version after"),
                cl::cat(Category));
static cl::opt<std::string>
    FactsPath("facts", cl::value_desc("file"),
              cl::desc("Facts about the kernels, for the version after "
                       "(docs/facts.md)"),
              cl::cat(Category));
static cl::opt<std::string>
    ClangOptions("clang-options", cl::value_desc("words"),
                 cl::desc("More options for clang++ on a .cu: -I, -D, -std"),
                 cl::cat(Category));
static cl::opt<std::string>
    CudaPath("cuda-path", cl::value_desc("dir"),
             cl::desc("CUDA toolkit (CUDA_PATH, then /usr/local/cuda)"),
             cl::cat(Category));
static cl::opt<std::string> KernelRegex(
    "kernel", cl::value_desc("regex"),
    cl::desc("Only kernels whose mangled, demangled or shown name matches"),
    cl::cat(Category));
static cl::opt<std::string> JsonPath("json", cl::value_desc("file"),
                                     cl::desc("Write JSON; '-' for stdout, "
                                              "then without the table"),
                                     cl::cat(Category));
static cl::opt<std::string>
    HtmlPath("html", cl::value_desc("file"),
             cl::desc("Write a page with both PTX texts side by side, "
                      "remarks, indexing maps and facts to state"),
             cl::cat(Category));
static cl::opt<std::string> KeepDir("keep", cl::value_desc("dir"),
                                    cl::desc("Keep both PTX texts there"),
                                    cl::cat(Category));
static cl::opt<bool>
    Estimate("estimate",
             cl::desc("Add an estimate of what bounds each kernel on sm_80, "
                      "sm_90 and sm_100 (docs/limits.md)"),
             cl::cat(Category));
static cl::list<Rule> FailIfWorse(
    "fail-if-worse", cl::ValueOptional, cl::CommaSeparated,
    cl::desc("Exit with status 1 if any kernel is worse, or gone, by (cost):"),
    cl::values(clEnumValN(Rule::Cost, "cost", "more loopcost or inner"),
               clEnumValN(Rule::Registers, "registers", "more registers"),
               clEnumValN(Rule::Warps, "warps", "fewer warps"),
               clEnumValN(Rule::Spills, "spills", "more bytes of spills"),
               clEnumValN(Rule::Cost, "", "")),
    cl::cat(Category));
static cl::opt<unsigned> Jobs("jobs", cl::value_desc("N"), cl::init(0),
                              cl::desc("Files in parallel (number of cores)"),
                              cl::cat(Category));

static const char Overview[] =
    R"(compares the PTX of every kernel without and with the plugin

  ptx-compare kernel.cu ...
  ptx-compare kernel.ll ...
  ptx-compare kernel.ptx ...            (after: what ptx-simplify makes of it)
  ptx-compare --before A.ptx --after B.ptx

Columns, all of them static counts, before -> after:
  int     integer instructions: arithmetic, shifts, logic, comparisons, selects
          and conversions on .s .u .b types; no mov, cvta, ld, st, branch,
          atomic, float or .pred instruction
  div     integer div and rem, one each
  mulhi   mul.hi and mad.hi, which a division by a constant becomes
  int64   integer instructions with a 64-bit type; mul.wide.u32 is none
  ld+st   loads and stores outside .param, whatever their width
  regs    registers, from ptxas -v ('-' without ptxas, and for functions)
  warps   warps that a multiprocessor (SM) holds at a time: more is better. Of
          the registers and the static shared memory that ptxas reports, blocks
          as large as .reqntid or .maxntid says, otherwise of 256 threads, and
          no dynamic shared memory
  spillB  bytes of spill stores and loads, from ptxas -v
  cost    all of these as SASS instructions, by the price list that the pass
          decides by: a 32-bit integer instruction counts as one, a load or
          store too, a 64-bit one or a division as several
  inner   the cost of innermost loops, those without another loop inside
  loopcost  the cost with an instruction in a loop counted 10 times, in a loop of
          a loop 100 times, and so on: the weights that the pass decides by
The ratio is that of loopcost. Kernels that one side lacks have a '-' and are
left out of the totals. In geometric means a zero counts as one.

Loops are found in the control flow of the PTX (bra, brx.idx, ret, exit, trap).
A loop that is entered at several places counts as one. How often a loop runs is
unknown: a loop that LLVM unrolled on one side only looks more expensive there,
and less per iteration (--clang-options=-fno-unroll-loops avoids it).

A kernel to which the pass gave a second body has two lines: an ordinary launch,
that is the test and the fast body, and the general body alone. No thread
executes both. Totals are those of ordinary launches.

--fail-if-worse: a kernel is worse if its loopcost or its inner grew, for
ordinary launches or in the general body, or if only the version before has it.
Fewer instructions around a loop do not make up for more inside.
--fail-if-worse=cost,registers,warps,spills judges by what ptxas says, too.

If a kernel NAME_ideal stands beside a kernel NAME, it is taken for the same
kernel written by hand with the least arithmetic: the column 'ideal' has its
integer instructions without the pass, the mean is after / ideal, and its own
row comes below the totals, which leave it out.

CUDA goes through clang++. IR should be what clang++ -O3 has at the pass: opt
runs 'instsimplify,simplifycfg' on it, the clean-up that the pipeline has behind
the pass, with the pass in front of them on the side after; then llc.

Exit status: 0 done; 1 a kernel is worse (--fail-if-worse); 2 an error.
)";

namespace {

enum ExitCode { Done = 0, Worse = 1, Failed = 2 };

/// One thing to compare: a source file, or a pair of PTX files.
struct Job {
  std::string Label;
  std::string Source; ///< Empty for a pair of PTX files.
  std::string KeepStem;
};

} // namespace

static int report(Error E) {
  handleAllErrors(std::move(E), [](const ErrorInfoBase &Info) {
    errs() << "ptx-compare: error: " << Info.message() << '\n';
  });
  return Failed;
}

/// Warns of options that no input listens to.
static void checkEffects() {
  const std::pair<const cl::Option &, const char *> Listeners[] = {
      {ClangOptions, ".cu"},
      {OptPasses, ".ll .bc"},
      {Arch, ".cu .ll .bc"},
      {OptLevel, ".cu .ll .bc"},
      {PassOptions, ".cu .ll .bc .ptx"},
      {FactsPath, ".cu .ll .bc .ptx"}};
  for (const auto &[Option, Kinds] : Listeners) {
    if (Option.getNumOccurrences() == 0 || (&Option == &FactsPath && Estimate))
      continue;
    SmallVector<StringRef, 4> Endings;
    StringRef(Kinds).split(Endings, ' ');
    if (none_of(Inputs, [&](StringRef File) {
          return is_contained(Endings, sys::path::extension(File));
        }))
      errs() << "ptx-compare: warning: --" << Option.ArgStr
             << " has no effect on "
             << (Inputs.empty() ? "two PTX files" : "these files")
             << ", only on " << join(Endings, ", ") << '\n';
  }
}

static Error checkOptions() {
  bool IsPair = !BeforePtx.empty() || !AfterPtx.empty();
  if (IsPair && (BeforePtx.empty() || AfterPtx.empty()))
    return makeError(BeforePtx.empty() ? "--after" : "--before",
                     "one PTX file alone; give both --before and --after");
  if (IsPair && !Inputs.empty())
    return makeError(Inputs.front(), "a source file beside --before and "
                                     "--after; compare one or the other");
  if (!IsPair && Inputs.empty())
    return makeError("command line", "no input; give FILE.cu or FILE.ll, or "
                                     "see --help");
  if (!Regex("^sm_[0-9]+[af]?$").match(Arch))
    return makeError("--arch=" + Arch, "no GPU; give for example sm_90");
  if (!Regex("^[0-3]$").match(OptLevel))
    return makeError("-O" + OptLevel, "no such level; give 0, 1, 2 or 3");
  std::string Problem;
  if (!KernelRegex.empty() && !Regex(KernelRegex).isValid(Problem))
    return makeError("--kernel=" + KernelRegex,
                     Problem + "; give an extended regular expression");
  checkEffects();
  return Error::success();
}

/// The words of an option that holds several.
static std::vector<std::string> splitWords(StringRef Text) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 8> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  return std::vector<std::string>(Words.begin(), Words.end());
}

/// The folder above that of this program: of the build, or where all is
/// installed.
static std::string rootFolder(const char *Argv0) {
  std::string Self =
      sys::fs::getMainExecutable(Argv0, reinterpret_cast<void *>(&rootFolder));
  return sys::path::parent_path(sys::path::parent_path(Self)).str();
}

static std::string defaultPlugin(StringRef Root) {
  SmallString<128> Built(Root), Installed(Root);
  sys::path::append(Built, "plugin", "Unravel.so");
  sys::path::append(Installed, "lib", "unravel", "Unravel.so");
  return (sys::fs::exists(Installed) ? Installed : Built).str().str();
}

static PipelineOptions pipelineOptions(const char *Argv0) {
  PipelineOptions Options;
  Options.Arch = Arch;
  Options.CudaPath = CudaPath;
  std::string Root = rootFolder(Argv0);
  Options.Plugin = PluginPath.empty() ? defaultPlugin(Root) : PluginPath;
  Options.Simplifier = Root + "/bin/ptx-simplify";
  // Without a slash the loader would search its own path for the plugin.
  SmallString<128> Absolute(Options.Plugin);
  if (!sys::fs::make_absolute(Absolute))
    Options.Plugin = Absolute.str().str();
  Options.OptLevel = OptLevel;
  Options.ForPage = !HtmlPath.empty();
  Options.OptPasses = OptPasses;
  Options.PassOptions = splitWords(PassOptions);
  if (!FactsPath.empty())
    Options.PassOptions.push_back("-index-simplify-facts=" + FactsPath);
  Options.ClangOptions = splitWords(ClangOptions);
  return Options;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static std::vector<Job> planJobs() {
  if (!BeforePtx.empty())
    return {{BeforePtx + " -> " + AfterPtx, "",
             sys::path::filename(AfterPtx).str()}};
  std::vector<Job> Plan;
  StringSet<> Stems;
  for (const std::string &File : Inputs) {
    std::string Name = sys::path::filename(File).str();
    std::string Stem = Name;
    for (unsigned N = 2; !Stems.insert(Stem).second; ++N)
      Stem = Name + "-" + utostr(N);
    Plan.push_back({File, File, Stem});
  }
  return Plan;
}

static std::string keptPath(const Job &J, StringRef Side) {
  return (KeepDir + "/" + J.KeepStem + "." + Side + ".ptx").str();
}

/// Said before the compilers run: nothing that they read is written over.
static Error checkFiles(ArrayRef<Job> Plan) {
  if (Error E = checkOneStdout({{"--html", HtmlPath}, {"--json", JsonPath}}))
    return E;
  std::vector<NamedFile> Read, Written;
  for (const std::string &File : Inputs)
    Read.push_back({"", File});
  for (const auto *Option : {&BeforePtx, &AfterPtx, &FactsPath, &PluginPath})
    if (!Option->empty())
      Read.push_back({("--" + Option->ArgStr).str(), *Option});
  for (const auto *Option : {&HtmlPath, &JsonPath})
    if (!Option->empty())
      Written.push_back({("--" + Option->ArgStr).str(), *Option});
  if (!KeepDir.empty())
    if (Error E = checkOutputFolder("--keep", KeepDir))
      return E;
  if (sys::fs::is_directory(KeepDir))
    for (const Job &J : Plan)
      for (StringRef Side : {"before", "after"})
        Written.push_back({"--keep", keptPath(J, Side)});
  return checkOutputs(Written, Read);
}

static Expected<PtxTexts> readTexts(const Pipeline &P, const Job &J) {
  if (!J.Source.empty())
    return P.compile(J.Source);
  Expected<std::string> Before = readFile(BeforePtx);
  if (!Before)
    return Before.takeError();
  Expected<std::string> After = readFile(AfterPtx);
  if (!After)
    return After.takeError();
  return PtxTexts{std::move(*Before), std::move(*After), /*Messages=*/{},
                  /*Remarks=*/{}, /*Accesses=*/{}};
}

static Expected<PtxModule> parseSide(const Job &J, StringRef Path,
                                     StringRef Text) {
  Expected<PtxModule> Module = parsePtx(Text, Path);
  if (!Module) // It names the file; its picture of the line is left out.
    return createStringError(
        StringRef(toString(Module.takeError())).split('\n').first +
        (J.Source.empty() ? "; give PTX text" : "; please report this"));
  if (!Module->hasKernel())
    return makeError(Path, "no kernels; a kernel is a __global__ function "
                           "(instantiated, if a template), or one with the "
                           "calling convention ptx_kernel");
  return Module;
}

static Error keepTexts(const Job &J, const PtxTexts &Texts) {
  if (KeepDir.empty())
    return Error::success();
  if (std::error_code EC = sys::fs::create_directories(KeepDir))
    return makeError(KeepDir, "cannot create this folder: " + EC.message() +
                                  "; give another --keep");
  if (Error E = writeFile(keptPath(J, "before"), Texts.Before))
    return E;
  return writeFile(keptPath(J, "after"), Texts.After);
}

/// What ptxas says of both sides. If it refuses what it was given before, the
/// columns stay empty; if it refuses only what came after, that is an error.
static Error assembleBoth(const Pipeline &P, const Job &J,
                          const PtxTexts &Texts, const PtxModule &Before,
                          const PtxModule &After,
                          std::optional<UsageByName> &UsageBefore,
                          std::optional<UsageByName> &UsageAfter) {
  if (!P.hasPtxas())
    return Error::success();
  Expected<UsageByName> First = P.assemble(Texts.Before, Before.Target);
  if (!First && needPtxas(FailIfWorse))
    return makeError(J.Label, "--fail-if-worse needs register counts: " +
                                  toString(First.takeError()));
  if (!First) {
    // One write: other threads may be writing, too.
    errs() << "ptx-compare: warning: " + J.Label +
                  ": no register counts: " + toString(First.takeError()) + "\n";
    return Error::success();
  }
  Expected<UsageByName> Second = P.assemble(Texts.After, After.Target);
  if (!Second)
    return makeError(J.Label, "the version after does not assemble, the one "
                              "before does: " +
                                  toString(Second.takeError()));
  UsageBefore = std::move(*First);
  UsageAfter = std::move(*Second);
  return Error::success();
}

static Expected<FileComparison> compare(const Pipeline &P, const Job &J) {
  Expected<PtxTexts> Texts = readTexts(P, J);
  if (!Texts)
    return Texts.takeError();
  errs() << Texts->Messages;
  bool IsPair = J.Source.empty();
  Expected<PtxModule> Before =
      parseSide(J, IsPair ? BeforePtx : J.Source, Texts->Before);
  if (!Before)
    return Before.takeError();
  Expected<PtxModule> After =
      parseSide(J, IsPair ? AfterPtx : J.Source, Texts->After);
  if (!After)
    return After.takeError();
  if (none_of(Before->Functions, [&](const PtxFunction &F) {
        return F.IsKernel && After->find(F.Name);
      }))
    return makeError(J.Label, "no kernel is on both sides; compare versions of "
                              "the same kernels");
  std::optional<UsageByName> UsageBefore, UsageAfter;
  if (Error E =
          assembleBoth(P, J, *Texts, *Before, *After, UsageBefore, UsageAfter))
    return E;
  if (Error E = keepTexts(J, *Texts))
    return E;
  std::vector<KernelPair> Pairs =
      matchFunctions(*Before, *After, UsageBefore, UsageAfter);
  addSourceLines(Texts->Remarks);
  addSourceLines(Texts->Accesses);
  for (KernelPair &Pair : Pairs) {
    auto IsOfPair = [&](const auto &Said) {
      return Said.Function == Pair.Name;
    };
    copy_if(Texts->Remarks, std::back_inserter(Pair.Remarks), IsOfPair);
    copy_if(Texts->Accesses, std::back_inserter(Pair.Accesses), IsOfPair);
  }
  if (Estimate) {
    std::optional<FactsFile> Facts;
    if (!FactsPath.empty()) {
      Expected<FactsFile> Read = FactsFile::read(FactsPath);
      if (!Read)
        return Read.takeError();
      Facts = std::move(*Read);
    }
    addEstimates(Pairs, Texts->Before, Texts->After, Facts ? &*Facts : nullptr);
  }
  return FileComparison{J.Label, std::move(Pairs)};
}

/// Compares all jobs in parallel. The results are in the order of the jobs.
static Expected<std::vector<FileComparison>> compareAll(const Pipeline &P,
                                                        ArrayRef<Job> Plan) {
  std::vector<std::optional<Expected<FileComparison>>> Results(Plan.size());
  bool ShowProgress = Plan.size() > 1 && sys::Process::StandardErrIsDisplayed();
  std::mutex ProgressLock;
  size_t Finished = 0;
  DefaultThreadPool Pool(hardware_concurrency(Jobs));
  for (size_t I = 0; I < Plan.size(); ++I)
    Pool.async([&, I] {
      Results[I].emplace(compare(P, Plan[I]));
      std::lock_guard<std::mutex> Guard(ProgressLock);
      ++Finished;
      if (ShowProgress)
        errs() << "\r\033[K[" << Finished << '/' << Plan.size() << "] "
               << Plan[I].Label;
    });
  Pool.wait();
  if (ShowProgress)
    errs() << "\r\033[K";

  std::vector<FileComparison> Files;
  Error Problems = Error::success();
  for (std::optional<Expected<FileComparison>> &Result : Results) {
    if (*Result)
      Files.push_back(std::move(**Result));
    else
      Problems = joinErrors(std::move(Problems), Result->takeError());
  }
  if (Problems)
    return Problems;
  return Files;
}

/// Drops what --kernel does not ask for, and files of which nothing is left.
static Error selectKernels(std::vector<FileComparison> &Files) {
  if (KernelRegex.empty())
    return Error::success();
  Regex Wanted(KernelRegex);
  std::string Names;
  for (FileComparison &File : Files)
    erase_if(File.Pairs, [&](const KernelPair &Pair) {
      Names += (Names.empty() ? "" : ", ") + Pair.ShortName;
      std::string FullName = Pair.fullName();
      // A name as it is shown may have brackets, which a regular expression
      // takes for its own.
      return none_of(ArrayRef<StringRef>{Pair.Name, FullName, Pair.ShortName},
                     [&](StringRef Name) {
                       return Name == KernelRegex || Wanted.match(Name);
                     });
    });
  erase_if(Files, [](const FileComparison &F) { return F.Pairs.empty(); });
  if (Files.empty())
    return makeError("--kernel=" + KernelRegex,
                     "matches none of the kernels: " + Names);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

static Error writeReports(ArrayRef<FileComparison> Files) {
  std::string Title = BeforePtx.empty() ? "without and with Unravel, " + Arch
                                        : BeforePtx + " and " + AfterPtx;
  if (!HtmlPath.empty())
    if (Error E = writeFile(HtmlPath, renderHtml(Files, Title)))
      return E;
  if (!JsonPath.empty())
    if (Error E = writeFile(JsonPath, renderJson(Files, Title)))
      return E;
  if (JsonPath != "-")
    printTable(outs(), Files);

  outs().flush();
  if (std::error_code EC = outs().error()) {
    outs().clear_error();
    return makeError("stdout", "cannot write: " + EC.message());
  }
  return Error::success();
}

/// Names on stderr every kernel that is worse.
static Expected<bool> reportWorse(ArrayRef<FileComparison> Files) {
  if (FailIfWorse.empty())
    return false;
  bool AnyWorse = false;
  Error Problems = Error::success();
  forEachPair(Files, [&](const FileComparison &File, const KernelPair &Pair) {
    Expected<std::string> Worse = regressionsOf(Pair, FailIfWorse);
    if (!Worse) {
      Problems = joinErrors(std::move(Problems), Worse.takeError());
    } else if (!Worse->empty()) {
      AnyWorse = true;
      errs() << "ptx-compare: worse: " << File.Label << ": "
             << displayName(File, Pair) << ": " << *Worse << '\n';
    }
  });
  if (Problems)
    return Problems;
  return AnyWorse;
}

int main(int Argc, char **Argv) {
  sys::PrintStackTraceOnErrorSignal(Argv[0]);
  cl::HideUnrelatedOptions(Category);
  // With a stream for its errors the parser returns instead of exiting with 1,
  // which means "worse" here.
  if (!cl::ParseCommandLineOptions(Argc, Argv, Overview, &errs()))
    return Failed;
  if (Error E = checkOptions())
    return report(std::move(E));

  std::vector<Job> Plan = planJobs();
  if (Error E = checkFiles(Plan))
    return report(std::move(E));

  Pipeline P(pipelineOptions(Argv[0]));
  if (needPtxas(FailIfWorse) && !P.hasPtxas())
    return report(makeError("--fail-if-worse", "only ptxas knows that, and "
                                               "there is none; give "
                                               "--cuda-path"));
  Expected<std::vector<FileComparison>> Files = compareAll(P, Plan);
  if (!Files)
    return report(Files.takeError());
  if (Error E = selectKernels(*Files))
    return report(std::move(E));
  if (Error E = writeReports(*Files))
    return report(std::move(E));
  Expected<bool> IsWorse = reportWorse(*Files);
  if (!IsWorse)
    return report(IsWorse.takeError());
  return *IsWorse ? Worse : Done;
}
