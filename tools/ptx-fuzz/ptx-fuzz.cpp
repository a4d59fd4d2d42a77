//===- ptx-fuzz.cpp - Executes PTX to compare two versions ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ptx-fuzz --compare old.ptx new.ptx
//   ptx-fuzz --generate 123 --kernels 6 > random.ptx
//   ptx-fuzz --campaign 1000 --seed 1 --simplify build/bin/ptx-simplify
//
// Exit status: 0 no difference; 1 a difference or a finding; 2 an error, or
// nothing was compared.
//
//===----------------------------------------------------------------------===//

#include "ptx/text/PtxParser.h"
#include "tools/files/OutputFile.h"
#include "tools/ptx-fuzz/Campaign.h"
#include "tools/ptx-fuzz/Comparison.h"
#include "tools/ptx-fuzz/generator/PtxGenerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

static cl::OptionCategory Category("ptx-fuzz options");

static cl::list<std::string> Files(cl::Positional, cl::desc("[FILE.ptx...]"),
                                   cl::cat(Category));
static cl::opt<bool>
    Compare("compare",
            cl::desc("Execute the kernels of two files on the same inputs"),
            cl::cat(Category));
static cl::opt<uint64_t> Generate("generate", cl::value_desc("SEED"),
                                  cl::desc("Print a module of random kernels"),
                                  cl::cat(Category));
static cl::opt<uint64_t>
    Campaign("campaign", cl::value_desc("N"),
             cl::desc("Compare N random modules before and after --simplify"),
             cl::cat(Category));
static cl::opt<unsigned> Seconds("time", cl::value_desc("SECONDS"), cl::init(0),
                                 cl::desc("With --campaign: stop after this "
                                          "time"),
                                 cl::cat(Category));
static cl::opt<std::string>
    Simplify("simplify", cl::value_desc("PROGRAM"),
             cl::desc("What rewrites in.ptx to out.ptx, as PROGRAM in.ptx -o "
                      "out.ptx (default: the ptx-simplify beside ptx-fuzz)"),
             cl::cat(Category));
static cl::list<std::string> SimplifyArguments("simplify-arg",
                                               cl::value_desc("WORD"),
                                               cl::desc("An argument for it"),
                                               cl::cat(Category));
static cl::opt<std::string> Assembler("ptxas", cl::value_desc("PROGRAM"),
                                      cl::desc("Assemble what it writes, too"),
                                      cl::cat(Category));
static cl::opt<std::string>
    Output("output", cl::init("ptx-fuzz-findings"), cl::value_desc("FOLDER"),
           cl::desc("Save findings here (default: ptx-fuzz-findings)"),
           cl::cat(Category));
static cl::opt<bool>
    Alias("alias", cl::desc("With --compare: all pointers are one buffer"),
          cl::cat(Category));
static cl::opt<bool> ZeroDivisors(
    "zero-divisors",
    cl::desc("Compare, too, where the old code divides by zero and what that "
             "gives does not matter (default: skip such inputs)"),
    cl::cat(Category));
static cl::opt<bool> Reduce("reduce",
                            cl::desc("Take lines out of what is found"),
                            cl::cat(Category));
static cl::opt<uint64_t>
    BufferBytes("buffer-bytes", cl::init(ptx::GlobalMemory::NoEnd),
                cl::value_desc("N"),
                cl::desc("The size of each buffer (default: without end)"),
                cl::cat(Category));
static cl::opt<unsigned>
    Kernels("kernels", cl::init(6),
            cl::desc("Kernels of a random module (default: 6)"),
            cl::cat(Category));
static cl::opt<std::string>
    ProfileName("profile", cl::value_desc("NAME"),
                cl::desc("What random kernels are mostly made of: arithmetic, "
                         "bits, division, index, memory, control (default: all "
                         "in turn)"),
                cl::cat(Category));
static cl::opt<std::string> KernelName("kernel", cl::value_desc("NAME"),
                                       cl::desc("This kernel only"),
                                       cl::cat(Category));
static cl::list<unsigned>
    Grid("grid", cl::CommaSeparated, cl::value_desc("X,Y,Z"),
         cl::desc("Blocks; of many, a dozen run (default: several "
                  "shapes)"),
         cl::cat(Category));
static cl::list<unsigned>
    Block("block", cl::CommaSeparated, cl::value_desc("X,Y,Z"),
          cl::desc("Threads of a block (default: several shapes)"),
          cl::cat(Category));
static cl::opt<uint64_t> Seed("seed", cl::init(1),
                              cl::desc("Decides all inputs (default: 1)"),
                              cl::cat(Category));
static cl::opt<unsigned> Inputs("inputs", cl::init(4),
                                cl::desc("Inputs for each kernel (default: 4)"),
                                cl::cat(Category));
static cl::opt<uint64_t>
    MaxSteps("max-steps", cl::init(5'000'000), cl::value_desc("N"),
             cl::desc("Instructions of a run, of all threads together "
                      "(default: 5000000)"),
             cl::cat(Category));

namespace {
enum ExitCode { Same = 0, Different = 1, Failed = 2 };
} // namespace

static ExitOnError OrFail("ptx-fuzz: error: ", Failed);

static Error usageError(const Twine &Text) {
  return make_error<StringError>(Text, inconvertibleErrorCode());
}

static void setShape(StringRef Option, ArrayRef<unsigned> Values,
                     std::array<uint32_t, 3> &Shape) {
  if (Values.empty())
    return;
  if (Values.size() > 3 || is_contained(Values, 0u))
    OrFail(usageError("--" + Option + " takes one to three sizes above 0"));
  uint64_t Product = 1;
  for (unsigned Value : Values)
    Product = SaturatingMultiply<uint64_t>(Product, Value);
  if (Option == "block" && Product > 1024)
    OrFail(usageError("--block: a block has 1024 threads at most, not " +
                      Twine(Product)));
  Shape = {1, 1, 1};
  for (auto [To, From] : zip(Shape, Values))
    To = From;
}

static int compareFiles() {
  if (Inputs == 0)
    OrFail(usageError("--inputs 0 compares nothing; give 1 or more"));
  if (Files.size() != 2)
    OrFail(usageError("--compare takes two files, the old and the new one"));
  std::string Texts[2];
  std::vector<ptx::Module> Modules;
  for (unsigned K = 0; K != 2; ++K) {
    Texts[K] = OrFail(readFile(Files[K]));
    Modules.push_back(OrFail(ptx::parseModule(Texts[K], Files[K])));
  }
  unsigned NumKernels = 0, NumDifferent = 0, NumErrors = 0, NumCompared = 0;
  for (const ptx::Item &I : Modules[0].Items) {
    const auto *F = I.as<ptx::Function>();
    if (!F || !F->IsKernel || !F->HasBody ||
        (!KernelName.empty() && F->Name != KernelName))
      continue;
    ++NumKernels;
    outs() << F->Name << ": ";
    Expected<ptx::KernelPair> Pair =
        ptx::KernelPair::create(Modules[0], Modules[1], F->Name);
    if (!Pair) {
      outs() << "error\n";
      errs() << "ptx-fuzz: error: " << toString(Pair.takeError()) << '\n';
      ++NumErrors;
      continue;
    }
    unsigned NumSame = 0;
    std::string Notes;
    bool IsDifferent = false;
    for (unsigned N = 0; N != Inputs && !IsDifferent; ++N) {
      ptx::Input In = ptx::inputFor(*F, Seed, N);
      In.MaxSteps = MaxSteps;
      In.BufferBytes = BufferBytes;
      In.KeepsZeroDivisors = ZeroDivisors;
      if (Alias || !Grid.empty() || !Block.empty())
        In.IsAliased = Alias;
      setShape("grid", Grid, In.Grid);
      setShape("block", Block, In.Block);
      ptx::Verdict V = Pair->compareOn(In);
      std::string At = "\n  " + In.str() + ": ";
      if (V.K == ptx::Verdict::Kind::Same) {
        ++NumSame;
      } else if (V.K == ptx::Verdict::Kind::Different) {
        IsDifferent = true;
        Notes += At + "different: " + V.Text;
      } else {
        Notes += At + "skipped: " + V.Text;
      }
    }
    NumDifferent += IsDifferent;
    NumCompared += IsDifferent || NumSame;
    outs() << (IsDifferent ? "different"
               : NumSame   ? "same"
                           : "not compared")
           << " (" << NumSame << (NumSame == 1 ? " input" : " inputs")
           << " the same)" << Notes << '\n';
    outs().flush();
  }
  if (NumKernels == 0)
    OrFail(usageError(Files[0] + ": there is no kernel" +
                      (KernelName.empty() ? "" : " '" + KernelName + "'")));
  // Nothing said is not the same.
  if (NumErrors == 0 && NumCompared == 0)
    OrFail(usageError("nothing was compared; raise --max-steps, or give other "
                      "inputs with --seed and --inputs"));
  return NumDifferent ? Different : NumErrors ? Failed : Same;
}

static std::optional<ptx::PtxProfile> wantedProfile() {
  if (ProfileName.empty())
    return std::nullopt;
  ArrayRef<StringRef> Names = ptx::ptxProfileNames();
  auto It = find(Names, ProfileName);
  if (It == Names.end())
    OrFail(usageError("--profile: no profile is called '" + ProfileName +
                      "', there are " + join(Names, ", ")));
  return ptx::PtxProfile(It - Names.begin());
}

static std::string findTool(StringRef Path) {
  ErrorOr<std::string> Found = sys::findProgramByName(Path);
  std::error_code EC = Found.getError();
  if (Found && !sys::fs::can_execute(*Found))
    EC = std::make_error_code(sys::fs::exists(*Found)
                                  ? std::errc::permission_denied
                                  : std::errc::no_such_file_or_directory);
  if (EC)
    OrFail(usageError(Path + ": cannot run it: " + EC.message() +
                      "; name the program with --simplify or --ptxas"));
  return *Found;
}

static int runCampaign(const char *Program) {
  ptx::CampaignOptions Options;
  Options.Seed = Seed;
  Options.NumModules = Campaign;
  Options.Seconds = Seconds;
  Options.KeepsZeroDivisors = ZeroDivisors;
  Options.KernelsPerModule = Kernels;
  Options.NumInputs = Inputs;
  Options.Profile = wantedProfile();
  std::string Path = Simplify;
  if (Path.empty()) {
    Path = sys::fs::getMainExecutable(Program,
                                      reinterpret_cast<void *>(&compareFiles));
    Path = (sys::path::parent_path(Path) + "/ptx-simplify").str();
  }
  Options.Program = findTool(Path);
  if (!Assembler.empty())
    Options.Assembler = findTool(Assembler);
  Options.Arguments = SimplifyArguments;
  Options.Output = Output;
  Options.Reduces = Reduce;
  OrFail(checkOutputFolder("--output", Output));
  return OrFail(ptx::runCampaign(Options)) ? Different : Same;
}

int main(int Argc, char **Argv) {
  sys::PrintStackTraceOnErrorSignal(Argv[0]);
  cl::HideUnrelatedOptions(Category);
  // With a stream for its errors the parser returns instead of exiting with 1,
  // which means "different" here.
  if (!cl::ParseCommandLineOptions(
          Argc, Argv,
          "Executes kernels of PTX to see whether two versions do the same\n",
          &errs()))
    return Failed;
  if (Compare)
    return compareFiles();
  if (Generate.getNumOccurrences()) {
    outs() << ptx::generateModule(Generate, Kernels, wantedProfile());
    return 0;
  }
  if (Campaign.getNumOccurrences())
    return runCampaign(Argv[0]);
  OrFail(usageError("say what to do: --compare OLD.ptx NEW.ptx, --generate "
                    "SEED or --campaign N"));
}
