//===- access-report.cpp - What the memory accesses of kernels cost -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   access-report kernel.cu --block 16,16
//   access-report --before old.cu --after new.cu
//   access-report --jsonl requests.jsonl
//
// Exit status: 0 done, 1 an access below --fail-below, 2 an error.
//
//===----------------------------------------------------------------------===//

#include "ptx/backend/AnalysisManagers.h"
#include "ptx/raise/RaiseDivisions.h"
#include "tools/access-report/BatchMode.h"
#include "tools/access-report/Estimates.h"
#include "tools/access-report/KernelComparison.h"
#include "tools/access-report/KernelInput.h"
#include "tools/access-report/Page.h"
#include "tools/access-report/Report.h"
#include "tools/files/OutputFile.h"
#include "transforms/facts/FactsFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static cl::OptionCategory Category("access-report options");

static cl::opt<std::string> InputPath(cl::Positional, cl::init("-"),
                                      cl::desc("FILE"), cl::cat(Category));
static cl::opt<std::string>
    BeforePath("before", cl::value_desc("FILE"),
               cl::desc("Compare with --after: what changed, access by access"),
               cl::cat(Category));
static cl::opt<std::string> AfterPath("after", cl::value_desc("FILE"),
                                      cl::desc("The file to compare"),
                                      cl::cat(Category));
static cl::opt<std::string>
    Block("block", cl::value_desc("N[,M[,K]]"),
          cl::desc("Threads of a block in x, y and z (what the kernel "
                   "requires, else 256)"),
          cl::cat(Category));
static cl::opt<std::string>
    FactsPath("facts", cl::value_desc("FILE"),
              cl::desc("What holds of launches and arguments (docs/facts.md)"),
              cl::cat(Category));
static cl::opt<std::string> Arch("arch", cl::init("sm_90"),
                                 cl::desc("GPU to compile a .cu for (sm_90)"),
                                 cl::cat(Category));
static cl::opt<std::string>
    CudaPath("cuda-path", cl::value_desc("dir"),
             cl::desc("CUDA toolkit (CUDA_PATH, then /usr/local/cuda)"),
             cl::cat(Category));
static cl::opt<std::string>
    ClangOptions("clang-options", cl::value_desc("words"),
                 cl::desc("More options for clang++ on a .cu: -I, -D, -std"),
                 cl::cat(Category));
static cl::opt<bool>
    Estimate("estimate",
             cl::desc("Add an estimate of what bounds each kernel on sm_80, "
                      "sm_90 and sm_100 (docs/limits.md)"),
             cl::cat(Category));
static cl::opt<bool> Json("json", cl::desc("Print JSON"), cl::cat(Category));
static cl::opt<std::string>
    HtmlPath("html", cl::value_desc("PAGE"),
             cl::desc("Write an HTML page with pictures of the requests"),
             cl::cat(Category));
static cl::opt<double> FailBelow(
    "fail-below", cl::value_desc("X"), cl::init(0),
    cl::desc("Exit with 1 if the efficiency of an access is below X at best, "
             "and another order of the data would do better"),
    cl::cat(Category));
static cl::opt<bool> Jsonl("jsonl",
                           cl::desc("Answer requests, one JSON object a line"),
                           cl::cat(Category));

static const char Overview[] =
    R"TEXT(reports what the memory accesses of GPU kernels cost

  access-report kernel.cu --block 16,16
  access-report --before old.cu --after new.cu
  access-report --jsonl requests.jsonl

Reads CUDA (.cu), LLVM IR (.ll, .bc) or PTX (.ptx) and says of each access how the lanes of
a warp lie in memory, how many sectors of 32 bytes a request needs, how many
would do, and which bank conflicts there are in shared memory.

Exit status: 0 done; 1 an access is below --fail-below; 2 an error.
)TEXT";

namespace {
enum ExitCode { Done = 0, IsBelowLimit = 1, Failed = 2 };
} // namespace

static int report(const Twine &What) {
  errs() << "access-report: " << What << '\n';
  return Failed;
}

static int report(Error E) { return report(toString(std::move(E))); }

static Expected<std::optional<BlockShape>> blockOfCommandLine() {
  if (Block.getNumOccurrences() == 0)
    return std::nullopt;
  SmallVector<StringRef, 3> Parts;
  StringRef(Block).split(Parts, ',');
  unsigned Sizes[3] = {1, 1, 1};
  bool IsValid = Parts.size() <= 3;
  uint64_t Threads = 1;
  for (size_t I = 0; I < Parts.size() && IsValid; ++I) {
    IsValid = !Parts[I].getAsInteger(10, Sizes[I]) && Sizes[I] > 0 &&
              Sizes[I] <= 1024;
    Threads *= Sizes[I];
  }
  if (!IsValid || Threads > 1024)
    return createStringError("--block=" + Block +
                             ": not a block of at most 1024 threads; write for "
                             "example --block 256 or --block 16,16");
  return BlockShape{Sizes[0], Sizes[1], Sizes[2]};
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
struct Analyses {
  PassBuilder PB;
  AnalysisManagers Managers{PB};
};
} // namespace

/// What facts say exactly of blockDim; dimensions that they leave out are 1.
static std::optional<BlockShape> blockOf(const KernelFacts &Facts) {
  unsigned Sizes[3] = {1, 1, 1};
  for (unsigned I = 0; I < 3; ++I)
    if (std::optional<SizeFact> Fact = Facts.Block[I]) {
      if (Fact->Least != Fact->Most || Fact->Most > 1024)
        return std::nullopt;
      Sizes[I] = Fact->Most;
    } else if (I == 0) {
      return std::nullopt;
    }
  if (uint64_t(Sizes[0]) * Sizes[1] * Sizes[2] > 1024)
    return std::nullopt;
  return BlockShape{Sizes[0], Sizes[1], Sizes[2]};
}

static KernelReport reportKernel(const InputKernel &Kernel,
                                 FunctionAnalysisManager &AM,
                                 const FactsFile *Facts, FactErrors &Errors,
                                 std::optional<BlockShape> Given) {
  KernelReport Report;
  Report.Kernel = &Kernel;
  if (!Kernel.Function)
    return Report;
  Function &F = *Kernel.Function;
  // Facts about the block become attributes, too.
  std::optional<KnownBlock> OfKernel = blockOf(F);
  if (Facts)
    Facts->applyTo(F, Errors);
  KernelFacts Stated = readKernelFacts(F, Errors);
  applyKernelFacts(F, Stated, AM.getResult<AssumptionAnalysis>(F), Errors);
  std::optional<BlockShape> OfFacts = blockOf(Stated);
  if (Given) {
    Report.Block = *Given;
    Report.BlockSource = "--block";
  } else if (OfKernel && OfKernel->IsExact) {
    Report.Block = OfKernel->Shape;
    Report.BlockSource = "required by the kernel";
  } else if (OfFacts) {
    Report.Block = *OfFacts;
    Report.BlockSource = "stated as a fact";
  } else if (OfKernel) {
    Report.Block = OfKernel->Shape;
    Report.BlockSource = "assumed: the launch bound of the kernel";
  } else {
    Report.BlockSource = "assumed; --block says otherwise";
  }
  keepValuesInRegisters(F, AM);
  if (Kernel.IsPtx && ptx::raiseDivisions(F, AM))
    AM.invalidate(F, PreservedAnalyses::none());
  Report.Accesses = reportAccesses(F, AM, Report.Block);
  return Report;
}

/// With the facts that the report is based on. In PTX arguments have other
/// names, and structures have no fields.
static void addEstimate(KernelReport &Report, const Estimator &Estimates,
                        FactErrors &Errors) {
  KernelFacts Stated = readKernelFacts(*Report.Kernel->Function, Errors);
  Report.Estimate = Estimates.estimate(
      Report.Kernel->Name, Report.Block,
      [&](Function &F, FunctionAnalysisManager &AM) {
        KernelFacts Facts = Stated;
        for (const auto &[Index, Fact] : Stated.Arguments)
          if (!whyWrong(Fact, Index, F).empty())
            Facts.Arguments.erase(Index);
        applyKernelFacts(F, Facts, AM.getResult<AssumptionAnalysis>(F), Errors);
      });
}

namespace {
/// A file with what its kernels do.
struct FileReport {
  KernelInput Input;
  std::vector<KernelReport> Kernels;
  // Managers go before the modules.
  std::unique_ptr<Analyses> With = std::make_unique<Analyses>();
};
/// The options, read.
struct Request {
  std::optional<BlockShape> Block;
  std::optional<FactsFile> Facts;
  CudaOptions Cuda;
};
} // namespace

static Expected<Request> requestOfCommandLine() {
  Request R;
  if (Error E = blockOfCommandLine().moveInto(R.Block))
    return E;
  if (!(FailBelow >= 0 && FailBelow <= 1))
    return createStringError("--fail-below: an efficiency is between 0 and 1");
  if (!FactsPath.empty()) {
    Expected<FactsFile> Read = FactsFile::read(FactsPath);
    if (!Read)
      return Read.takeError();
    R.Facts = std::move(*Read);
  }
  R.Cuda = {Arch, CudaPath, {}};
  SmallVector<StringRef, 8> Words;
  SplitString(ClangOptions, Words);
  for (StringRef Word : Words)
    R.Cuda.ClangOptions.push_back(Word.str());
  return R;
}

static Expected<FileReport> reportFile(StringRef Path, const Request &R) {
  Expected<KernelInput> Input = KernelInput::read(Path, R.Cuda);
  if (!Input)
    return Input.takeError();
  FileReport Report{std::move(*Input), {}};
  std::optional<Estimator> Estimates;
  if (Estimate)
    if (Error E =
            Estimator::create(Path, Report.Input, Arch).moveInto(Estimates))
      return E;
  FactErrors Errors;
  for (const InputKernel &Kernel : Report.Input.Kernels) {
    Report.Kernels.push_back(
        reportKernel(Kernel, Report.With->Managers.Functions,
                     R.Facts ? &*R.Facts : nullptr, Errors, R.Block));
    if (Estimates && Kernel.Function)
      addEstimate(Report.Kernels.back(), *Estimates, Errors);
  }
  if (R.Facts && !Report.Input.Modules.empty()) {
    std::vector<std::string> Names; // each kernel of PTX is a module
    for (const InputKernel &Kernel : Report.Input.Kernels)
      Names.push_back(Kernel.Name);
    R.Facts->warnOfUnknown(Report.Input.Modules.front()->getContext(), Path,
                           Names, Errors);
  }
  return Report;
}

/// Names the accesses that are on stderr. Returns the exit code.
static ExitCode reportBelow(const FileReport &Report) {
  ExitCode Code = Done;
  for (const KernelReport &Kernel : Report.Kernels)
    for (const AccessReport &Access : Kernel.Accesses)
      if (isBelow(Kernel, Access, FailBelow)) {
        Code = IsBelowLimit;
        std::string Place = Kernel.Kernel->placeOf(*Access.Access.Instruction);
        errs() << "access-report: --fail-below: "
               << demangle(Kernel.Kernel->Name) << ": "
               << (Place.empty() ? "" : Place + ": ")
               << nameOf(Access.Access.Kind) << ", "
               << nameOf(Access.Access.Space) << ": efficiency "
               << format("%.2f", Access.HighestEfficiency) << " at best\n";
      }
  return Code;
}

/// The back end ends the program where it has no way to report an error.
static void reportFatal(void *, const char *Why, bool) {
  exit(report("--html: the back end of LLVM fails: " + Twine(Why)));
}

static Error writePage(const FileReport &Report, const CudaOptions &Cuda) {
  ScopedFatalErrorHandler Handler(reportFatal);
  Expected<std::string> Page =
      renderPage(Report.Kernels, Report.Input, Report.With->Managers.Functions,
                 InputPath, Cuda, FactsPath);
  if (!Page)
    return Page.takeError();
  return writeFile(HtmlPath, *Page);
}

static int runReport() {
  Expected<Request> R = requestOfCommandLine();
  if (!R)
    return report(R.takeError());
  if (HtmlPath == "-")
    return report("--html -: the report goes to stdout; give a file");
  if (HtmlPath.getNumOccurrences())
    if (Error E = checkOutputs({{"--html", HtmlPath}},
                               {{"", InputPath}, {"--facts", FactsPath}}))
      return report(std::move(E));
  Expected<FileReport> Report = reportFile(InputPath, *R);
  if (!Report)
    return report(Report.takeError());
  if (HtmlPath.getNumOccurrences())
    if (Error E = writePage(*Report, R->Cuda))
      return report(std::move(E));
  if (Json)
    printJson(Report->Kernels, outs());
  else
    printText(Report->Kernels, outs());
  return reportBelow(*Report);
}

static int runComparison() {
  if (BeforePath.empty() || AfterPath.empty() || InputPath.getNumOccurrences())
    return report("--before and --after go together, and take the place of "
                  "the file");
  if (HtmlPath.getNumOccurrences())
    return report("--html shows one file; --before and --after compare two");
  Expected<Request> R = requestOfCommandLine();
  if (!R)
    return report(R.takeError());
  Expected<FileReport> Before = reportFile(BeforePath, *R);
  if (!Before)
    return report(Before.takeError());
  Expected<FileReport> After = reportFile(AfterPath, *R);
  if (!After)
    return report(After.takeError());
  std::vector<KernelComparison> Kernels =
      compareKernels(Before->Kernels, After->Kernels);
  if (Json)
    printJson(Kernels, outs());
  else
    printText(Kernels, outs());
  return reportBelow(*After);
}

static int runBatch() {
  if (Block.getNumOccurrences() || FactsPath.getNumOccurrences() ||
      Json.getNumOccurrences() || BeforePath.getNumOccurrences() ||
      AfterPath.getNumOccurrences() || FailBelow.getNumOccurrences() ||
      Estimate.getNumOccurrences() || HtmlPath.getNumOccurrences())
    return report("--jsonl goes with no other option");
  if (InputPath != "-")
    if (Error E = checkInput(InputPath))
      return report(std::move(E));
  ErrorOr<std::unique_ptr<MemoryBuffer>> Input =
      MemoryBuffer::getFileOrSTDIN(InputPath);
  if (std::error_code EC = Input.getError())
    return report(InputPath + ": cannot read: " + EC.message() +
                  "; check the path");
  answerRequests(**Input, outs());
  return Done;
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  cl::HideUnrelatedOptions(Category);
  // With a stream for its errors the parser returns instead of exiting with 1,
  // which means "below" here.
  if (!cl::ParseCommandLineOptions(Argc, Argv, Overview, &errs()))
    return Failed;
  bool IsComparison =
      BeforePath.getNumOccurrences() || AfterPath.getNumOccurrences();
  int Status = Jsonl          ? runBatch()
               : IsComparison ? runComparison()
                              : runReport();
  outs().flush();
  if (std::error_code EC = outs().error()) {
    outs().clear_error();
    return report("<stdout>: cannot write: " + EC.message());
  }
  return Status;
}
