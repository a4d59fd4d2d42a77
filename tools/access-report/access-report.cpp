//===- access-report.cpp - What the memory accesses of kernels cost -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   access-report kernel.cu --block 16,16
//   access-report --jsonl requests.jsonl
//
// Exit status: 0 done, 1 an access below --fail-below, 2 an error.
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/RaiseDivisions.h"
#include "tools/access-report/BatchMode.h"
#include "tools/access-report/KernelInput.h"
#include "tools/access-report/Page.h"
#include "tools/access-report/Report.h"
#include "tools/files/OutputFile.h"
#include "transforms/facts/FactsFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static cl::OptionCategory Category("access-report options");

static cl::opt<std::string> InputPath(cl::Positional, cl::init("-"),
                                      cl::desc("FILE"), cl::cat(Category));
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
/// LLVM's analyses.
struct Analyses {
  Analyses() {
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }
  PassBuilder PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
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

static KernelReport reportKernel(const InputKernel &Kernel, Analyses &With,
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
  applyKernelFacts(F, Stated, With.FAM.getResult<AssumptionAnalysis>(F),
                   Errors);
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
  // Only what is in memory is an access.
  With.FAM.invalidate(F, SROAPass(SROAOptions::PreserveCFG).run(F, With.FAM));
  With.FAM.invalidate(F, EarlyCSEPass().run(F, With.FAM));
  if (Kernel.IsPtx && ptx::raiseDivisions(F, With.FAM))
    With.FAM.invalidate(F, PreservedAnalyses::none());
  Report.Accesses = reportAccesses(F, With.FAM, Report.Block);
  return Report;
}

/// The back end ends the program where it has no way to report an error.
static void reportFatal(void *, const char *Why, bool) {
  exit(report("--html: the back end of LLVM fails: " + Twine(Why)));
}

static Error writePage(ArrayRef<KernelReport> Reports, const KernelInput &Input,
                       const CudaOptions &Cuda, Analyses &With) {
  ScopedFatalErrorHandler Handler(reportFatal);
  Expected<std::string> Page =
      renderPage(Reports, Input, With.FAM, InputPath, Cuda);
  if (!Page)
    return Page.takeError();
  return writeFile(HtmlPath, *Page);
}

static int runReport() {
  Expected<std::optional<BlockShape>> Given = blockOfCommandLine();
  if (!Given)
    return report(Given.takeError());
  if (!(FailBelow >= 0 && FailBelow <= 1))
    return report("--fail-below: an efficiency is between 0 and 1");
  if (HtmlPath == "-")
    return report("--html -: the report goes to stdout; give a file");
  if (HtmlPath.getNumOccurrences())
    if (Error E = checkOutputs({{"--html", HtmlPath}},
                               {{"", InputPath}, {"--facts", FactsPath}}))
      return report(std::move(E));
  std::optional<FactsFile> Facts;
  if (!FactsPath.empty()) {
    Expected<FactsFile> Read = FactsFile::read(FactsPath);
    if (!Read)
      return report(Read.takeError());
    Facts = std::move(*Read);
  }
  CudaOptions Cuda{Arch, CudaPath, {}};
  SmallVector<StringRef, 8> Words;
  SplitString(ClangOptions, Words);
  for (StringRef Word : Words)
    Cuda.ClangOptions.push_back(Word.str());
  Expected<KernelInput> Input = KernelInput::read(InputPath, Cuda);
  if (!Input)
    return report(Input.takeError());
  // Managers go before the modules.
  Analyses With;
  FactErrors Errors;
  std::vector<KernelReport> Reports;
  bool IsBelowAny = false;
  for (const InputKernel &Kernel : Input->Kernels) {
    Reports.push_back(
        reportKernel(Kernel, With, Facts ? &*Facts : nullptr, Errors, *Given));
    for (const AccessReport &Access : Reports.back().Accesses)
      IsBelowAny |= isBelow(Access, FailBelow);
  }
  if (Facts)
    for (const std::unique_ptr<Module> &M : Input->Modules)
      Facts->warnOfUnknown(*M, Errors);
  if (HtmlPath.getNumOccurrences())
    if (Error E = writePage(Reports, *Input, Cuda, With))
      return report(std::move(E));
  if (Json)
    printJson(Reports, outs());
  else
    printText(Reports, outs());
  return IsBelowAny ? IsBelowLimit : Done;
}

static int runBatch() {
  if (Block.getNumOccurrences() || FactsPath.getNumOccurrences() ||
      Json.getNumOccurrences() || HtmlPath.getNumOccurrences() ||
      FailBelow.getNumOccurrences())
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
  int Status = Jsonl ? runBatch() : runReport();
  outs().flush();
  if (std::error_code EC = outs().error()) {
    outs().clear_error();
    return report("<stdout>: cannot write: " + EC.message());
  }
  return Status;
}
