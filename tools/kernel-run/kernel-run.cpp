//===- kernel-run.cpp - Runs GPU kernels on this CPU ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel of an NVVM IR module, checks everything that it does to memory,
// and compares what several versions of it leave behind.
//
//   kernel-run k.ll --grid 4 --block 128 --args in:f32:512,out:f32:512,i32:512
//   kernel-run before.ll --compare after.ll --launches launches.json
//   kernel-run k.ll --passes index-simplify --load-pass-plugin Unravel.so ...
//
// Exit status: 0 it ran, and all versions left the same; 1 the kernel did
// something illegal, or versions differ; 2 the run could not be made.
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/KernelNames.h"
#include "tools/files/OutputFile.h"
#include "tools/kernel-run/launch/KernelFinding.h"
#include "tools/kernel-run/launch/KernelModule.h"
#include "tools/kernel-run/launch/RunReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;
using namespace unravel;

// 1. Options.

static cl::OptionCategory Category("kernel-run options");

static cl::list<std::string>
    ModulePaths(cl::Positional, cl::OneOrMore,
                cl::desc("<module> [<other version>...]"), cl::cat(Category));
static cl::opt<std::string>
    KernelName("kernel", cl::value_desc("name"),
               cl::desc("The kernel to run, by its mangled, demangled or plain "
                        "name; the only one by default"),
               cl::cat(Category));
static cl::opt<bool> List("list",
                          cl::desc("Print the kernels and their parameters"),
                          cl::cat(Category));

// What a launch is.
static cl::opt<std::string>
    LaunchesPath("launches", cl::value_desc("file"),
                 cl::desc("JSON with the kernel's launch"), cl::cat(Category));
static cl::list<std::string>
    Grids("grid", cl::value_desc("x,y,z"),
          cl::desc("Blocks of the grid; given again, another run"),
          cl::cat(Category));
static cl::list<std::string>
    BlockExtents("block", cl::value_desc("x,y,z"),
                 cl::desc("Threads of a block; once, or once a grid"),
                 cl::cat(Category));
static cl::opt<std::string> Arguments(
    "args", cl::value_desc("list"),
    cl::desc("Arguments: in|out|inout|buf:TYPE:COUNT[:align=N][:min=N][:max=N]"
             "[:values=N;N...][:file=PATH] or TYPE:VALUE[:also=N], with commas "
             "between"),
    cl::cat(Category));
static cl::opt<uint64_t> SharedBytes("shared", cl::value_desc("bytes"),
                                     cl::desc("Dynamic shared memory"),
                                     cl::cat(Category));
static cl::opt<uint64_t> Seed("seed", cl::init(0x756e726176656cULL),
                              cl::desc("Of the values in buffers"),
                              cl::cat(Category));
static cl::opt<bool> Variants(
    "variants",
    cl::desc("Also run a single thread, odd blocks, and other scalars"),
    cl::cat(Category));

// What of it is run, and how.
static cl::opt<std::string>
    Blocks("blocks", cl::value_desc("list"),
           cl::desc("Run only these blocks: 0,7-9,last"), cl::cat(Category));
static cl::opt<uint64_t>
    SampleBlocks("sample-blocks", cl::value_desc("count"),
                 cl::desc("Run only so many blocks, evenly spread"),
                 cl::cat(Category));
static cl::opt<unsigned> Jobs("jobs", cl::init(1),
                              cl::desc("Blocks that run at the same time"),
                              cl::cat(Category));
static cl::opt<unsigned> Timeout("timeout", cl::value_desc("seconds"),
                                 cl::init(600),
                                 cl::desc("Give up a run after this; 0: never"),
                                 cl::cat(Category));
static cl::opt<bool>
    ExitedArrive("exited-arrive",
                 cl::desc("Barriers do not wait for threads that returned"),
                 cl::cat(Category));

// What it is compared with.
static cl::list<std::string>
    Compare("compare", cl::value_desc("module"),
            cl::desc("Another version, which must leave the same memory; "
                     "also as a further argument"),
            cl::cat(Category));
static cl::list<std::string>
    AlsoKernels("also-kernel", cl::value_desc("name"),
                cl::desc("A kernel of the same modules that is to compute the "
                         "same"),
                cl::cat(Category));
static cl::opt<std::string>
    Passes("passes", cl::value_desc("pipeline"),
           cl::desc("Compare with what these passes make of the module"),
           cl::cat(Category));
static cl::list<std::string> Plugins("load-pass-plugin",
                                     cl::value_desc("library"),
                                     cl::desc("Passes for --passes"),
                                     cl::cat(Category));
static cl::opt<std::string>
    SaveAfter("save-after", cl::value_desc("file"),
              cl::desc("Write the module after --passes"), cl::cat(Category));

// What comes out.
static cl::list<std::string>
    Outputs("output", cl::value_desc("argument=file"),
            cl::desc("Write a buffer, by number or name, after the run"),
            cl::cat(Category));
static cl::opt<std::string> TraceAccess(
    "trace-access", cl::value_desc("file"), cl::ValueOptional,
    cl::desc("Report what each access costs; write every request to the file, "
             "as JSON lines"),
    cl::cat(Category));
static cl::opt<bool> JSON("json", cl::desc("Print the report as JSON"),
                          cl::cat(Category));

// 2. Launches.

static Expected<std::vector<KernelLaunch>> launchesFromFile(StringRef Kernel) {
  Expected<std::vector<KernelLaunch>> Launches = readLaunches(LaunchesPath);
  if (!Launches)
    return Launches.takeError();
  erase_if(*Launches,
           [&](const KernelLaunch &L) { return !isNameOf(L.Kernel, Kernel); });
  if (Launches->empty())
    return createStringError(LaunchesPath + " has no launch of " + Kernel);
  return Launches;
}

static Expected<LaunchShape> shape(const LaunchShape &Default, size_t Index) {
  LaunchShape Result = Default;
  for (auto [Name, Option, Extent] :
       {std::tuple("--grid: ", &Grids, &Result.Grid),
        std::tuple("--block: ", &BlockExtents, &Result.Block)}) {
    if (Option->empty())
      continue;
    Expected<std::array<uint32_t, 3>> Parsed =
        parseExtent((*Option)[Option->size() == 1 ? 0 : Index]);
    if (!Parsed)
      return createStringError(Name + toString(Parsed.takeError()));
    *Extent = *Parsed;
  }
  return Result;
}

static Expected<std::vector<KernelLaunch>> launches(StringRef Kernel) {
  std::vector<KernelLaunch> Described(1);
  Described.front().Kernel = Kernel.str();
  if (!LaunchesPath.empty()) {
    Expected<std::vector<KernelLaunch>> Found = launchesFromFile(Kernel);
    if (!Found)
      return Found.takeError();
    Described = std::move(*Found);
  } else if (Grids.empty() || BlockExtents.empty() ||
             !Arguments.getNumOccurrences()) {
    return createStringError(
        "give --launches, or all of --grid, --block and --args");
  }
  if (Arguments.getNumOccurrences()) {
    Expected<std::vector<KernelArgument>> Parsed = parseArguments(Arguments);
    if (!Parsed)
      return createStringError("--args: " + toString(Parsed.takeError()));
    for (KernelLaunch &L : Described)
      L.Arguments = *Parsed;
  }
  if (SharedBytes.getNumOccurrences())
    for (KernelLaunch &L : Described)
      L.SharedBytes = SharedBytes;

  size_t Count = std::max({Grids.size(), BlockExtents.size(), size_t(1)});
  for (size_t Given : {Grids.size(), BlockExtents.size()})
    if (Given > 1 && Given != Count)
      return createStringError("give --grid and --block equally often, or one "
                               "of them once");
  std::vector<KernelLaunch> Result;
  for (const KernelLaunch &L : Described)
    for (size_t I = 0; I != Count; ++I) {
      Expected<LaunchShape> Shape = shape(L.Shape, I);
      if (!Shape)
        return Shape.takeError();
      Result.push_back(L);
      Result.back().Shape = *Shape;
    }
  return Result;
}

static Expected<BlockSelection> selectedBlocks(const KernelLaunch &Launch) {
  StringRef Given =
      Blocks.empty() ? StringRef(Launch.Blocks) : StringRef(Blocks);
  if (!Given.empty())
    return BlockSelection::parse(Given, Launch.Shape);
  uint64_t Sampled =
      SampleBlocks ? uint64_t(SampleBlocks) : Launch.SampledBlocks;
  return Sampled ? BlockSelection::sample(Launch.Shape, Sampled)
                 : BlockSelection::all(Launch.Shape);
}

// 3. Runs.

namespace {
/// A version of the kernel that takes part.
struct Contender {
  std::string Name;
  HostKernel Kernel;
};

/// What all runs of this process have in common.
struct Session {
  std::vector<Contender> Contenders;
  RunSettings Settings;
  RunReport Report;
  /// Where requests are written; null if nowhere.
  raw_ostream *Requests = nullptr;
};
} // namespace

static bool isTraced() { return TraceAccess.getNumOccurrences() > 0; }

static std::string describeWriter(const Writer &W, const HostKernel &Kernel) {
  if (!W.Found)
    return "never written";
  return threadName(W.Thread, W.Block, Machine::get().Registers) +
         " wrote it last\n    at: " + Kernel.describe(W.Instruction);
}

/// Runs two versions once more to see who writes the byte.
static Error explain(const MemoryDifference &Difference, const Contender &Left,
                     const Contender &Right, const KernelLaunch &Launch,
                     const BlockSelection &Selected, LaunchMemory &Memory,
                     Session &S) {
  RunSettings Watching = S.Settings;
  Watching.Watch = Difference.Address;
  std::string Writers[2];
  for (auto [Version, Text] :
       {std::pair(&Left, &Writers[0]), std::pair(&Right, &Writers[1])}) {
    Expected<Writer> W =
        runGrid(Version->Kernel, Launch, Selected, Memory, Watching);
    if (!W)
      return prefixed(Version->Name + ": ", W.takeError());
    *Text = describeWriter(*W, Version->Kernel);
  }
  S.Report.Difference = DifferenceReport{Difference, Left.Name, Right.Name,
                                         Writers[0], Writers[1]};
  return make_error<KernelFinding>(S.Report.Difference->text());
}

static Error noBufferOf(StringRef Output) {
  return createStringError("--output: '" + Output +
                           "' does not begin with a buffer's number or name "
                           "and '='");
}

/// "3=x.bin" or "out=x.bin".
static Error writeOutput(StringRef Option, const LaunchMemory &Memory,
                         const HostKernel &Kernel) {
  auto [Name, Path] = Option.split('=');
  for (const LaunchMemory::Buffer &B : Memory.buffers()) {
    if (Name != utostr(B.Number) && Name != Kernel.parameters()[B.Number].Name)
      continue;
    if (Error E = writeFile(
            Path, StringRef(reinterpret_cast<char *>(B.Begin), B.size())))
      return prefixed("--output: ", std::move(E));
    return Error::success();
  }
  return noBufferOf(Option);
}

static json::Array scalarsOf(const KernelLaunch &Launch) {
  json::Array Values;
  for (const KernelArgument &A : Launch.Arguments)
    if (A.isBuffer())
      Values.push_back(nullptr);
    else if (isFloat(A.Type))
      Values.push_back(A.FloatValue);
    else
      Values.push_back(A.IntegerValue);
  return Values;
}

/// Runs a version, and traces it if that is wanted.
static Expected<std::optional<TraceReport>>
runVersion(const Contender &C, const KernelLaunch &Launch,
           const BlockSelection &Selected, LaunchMemory &Memory, Session &S) {
  RunSettings Settings = S.Settings;
  std::optional<TracedAccesses> Accesses;
  std::unique_ptr<AccessTrace> Trace;
  if (isTraced()) {
    Accesses.emplace(C.Kernel.source(), C.Kernel.instructions(),
                     C.Kernel.counters());
    Expected<std::unique_ptr<AccessTrace>> Created =
        AccessTrace::create(*Accesses, Launch.Shape.threadsPerBlock(),
                            C.Kernel.mayWait(), S.Requests);
    if (!Created)
      return Created.takeError();
    Trace = std::move(*Created);
    Settings.Listener = Trace.get();
    if (S.Requests)
      writeTraceHeader(*S.Requests, S.Report.Kernel, C.Name, Launch.Shape.Grid,
                       Launch.Shape.Block, scalarsOf(Launch), *Accesses);
  }
  Expected<Writer> Ran = runGrid(C.Kernel, Launch, Selected, Memory, Settings);
  if (!Ran)
    return prefixed(C.Name + ": ", Ran.takeError());
  if (!Trace)
    return std::nullopt;
  return TraceReport(*Accesses, *Trace);
}

static Error runLaunch(const KernelLaunch &Launch, Session &S) {
  Expected<BlockSelection> Selected = selectedBlocks(Launch);
  if (!Selected)
    return Selected.takeError();
  constexpr uint64_t MostBlocks = uint64_t(1) << 32;
  if (Selected->size() > MostBlocks)
    return createStringError("the grid has " + Twine(Selected->size()) +
                             " blocks: run some of them with --blocks or "
                             "--sample-blocks");
  Expected<LaunchMemory> Memory = LaunchMemory::create(Launch, Seed);
  if (!Memory)
    return Memory.takeError();
  const Contender &Reference = S.Contenders.front();
  MemoryImage Expected;
  LaunchReport Report;
  for (const Contender &C : S.Contenders) {
    llvm::Expected<std::optional<TraceReport>> Ran =
        runVersion(C, Launch, *Selected, *Memory, S);
    if (!Ran)
      return Ran.takeError();
    if (&C == &Reference) {
      Report = describeRun(Launch, Selected->size(), *Memory, C.Kernel);
      for (const std::string &Output : Outputs)
        if (Error E = writeOutput(Output, *Memory, C.Kernel))
          return E;
      if (S.Contenders.size() > 1)
        Expected = Memory->image(C.Kernel);
    } else if (auto Difference =
                   firstDifference(Expected, Memory->image(C.Kernel))) {
      return explain(*Difference, Reference, C, Launch, *Selected, *Memory, S);
    }
    Report.Versions.push_back(C.Name);
    if (*Ran)
      Report.Traces.push_back(std::move(**Ran));
  }
  S.Report.Launches.push_back(std::move(Report));
  return Error::success();
}

static Error checkLaunch(const KernelLaunch &Launch, const Session &S) {
  for (const Contender &C : S.Contenders)
    if (Error E = C.Kernel.checkLaunch(Launch))
      return createStringError(C.Name + ": " + toString(std::move(E)));
  return Error::success();
}

// 4. What runs.

static Expected<std::string> chooseKernel(const KernelModule &Module) {
  if (!KernelName.empty())
    return Module.find(KernelName);
  std::vector<std::string> Known = Module.kernels();
  if (Known.size() == 1)
    return Known.front();
  return createStringError(
      Module.label() + (Known.empty()
                            ? " has no kernel"
                            : " has several kernels, choose with --kernel: " +
                                  join(Known, ", ")));
}

/// Said before anything runs: no output destroys what this run reads.
static Error checkFiles(ArrayRef<KernelLaunch> Launches) {
  std::vector<NamedFile> Read, Written;
  for (const std::string &Path : ModulePaths)
    Read.push_back({"", Path});
  for (const std::string &Path : Compare)
    Read.push_back({"--compare", Path});
  for (const std::string &Path : Plugins)
    Read.push_back({"--load-pass-plugin", Path});
  if (!LaunchesPath.empty())
    Read.push_back({"--launches", LaunchesPath});
  for (const KernelLaunch &L : Launches)
    for (const KernelArgument &A : L.Arguments)
      if (!A.File.empty())
        Read.push_back({"an argument", A.File});
  if (!SaveAfter.empty())
    Written.push_back({"--save-after", SaveAfter});
  if (!TraceAccess.empty())
    Written.push_back({"--trace-access", TraceAccess});
  for (StringRef Output : Outputs) {
    auto [Name, Path] = Output.split('=');
    if (Path.empty())
      return noBufferOf(Output);
    Written.push_back({"--output", Path.str()});
  }
  return checkOutputs(Written, Read);
}

/// Of several files, each under its name.
static Error listKernels() {
  for (const std::string &Path : ModulePaths) {
    Expected<KernelModule> Module = KernelModule::read(Path);
    if (!Module)
      return Module.takeError();
    if (ModulePaths.size() > 1)
      outs() << Path << ":\n";
    for (const std::string &Kernel : Module->kernels())
      outs() << Module->signature(Kernel) << "\n";
  }
  return Error::success();
}

static Error runAll(Session &S) {
  if (List)
    return listKernels();
  Expected<KernelModule> Before = KernelModule::read(ModulePaths.front());
  if (!Before)
    return Before.takeError();
  Expected<std::string> Kernel = chooseKernel(*Before);
  if (!Kernel)
    return Kernel.takeError();
  S.Report.Module = ModulePaths.front();
  S.Report.Kernel = *Kernel;
  Expected<std::vector<KernelLaunch>> Launches = launches(*Kernel);
  if (!Launches)
    return Launches.takeError();
  if (Error E = checkFiles(*Launches))
    return E;
  if (isTraced() && Jobs > 1)
    return createStringError("--trace-access goes with --jobs 1 only");

  std::vector<KernelModule> Modules;
  Modules.push_back(std::move(*Before));
  std::vector<std::string> Others(ModulePaths.begin() + 1, ModulePaths.end());
  Others.insert(Others.end(), Compare.begin(), Compare.end());
  for (const std::string &Path : Others) {
    Expected<KernelModule> Other = KernelModule::read(Path);
    if (!Other)
      return Other.takeError();
    Modules.push_back(std::move(*Other));
  }
  if (!Passes.empty()) {
    Expected<KernelModule> After = Modules.front().transformed(Passes, Plugins);
    if (!After)
      return After.takeError();
    if (!SaveAfter.empty())
      if (Error E = After->save(SaveAfter))
        return prefixed("--save-after: ", std::move(E));
    Modules.push_back(std::move(*After));
  } else if (!SaveAfter.empty() || !Plugins.empty()) {
    return createStringError(
        "--save-after and --load-pass-plugin go with --passes");
  }

  Expected<VariableMemory> Variables = VariableMemory::create();
  if (!Variables)
    return Variables.takeError();
  std::vector<std::string> Names = {*Kernel};
  Names.insert(Names.end(), AlsoKernels.begin(), AlsoKernels.end());
  for (const std::string &Name : Names)
    for (const KernelModule &M : Modules) {
      Expected<HostKernel> Compiled = M.compile(Name, *Variables, isTraced());
      if (!Compiled)
        return Compiled.takeError();
      std::string Label = M.label().str();
      if (Name != *Kernel)
        Label = Name + " of " + Label;
      S.Contenders.push_back({std::move(Label), std::move(*Compiled)});
    }
  for (const KernelLaunch &Given : *Launches) {
    if (Error E = checkLaunch(Given, S))
      return E;
    for (const KernelLaunch &Launch :
         Variants ? variants(Given) : std::vector{Given}) {
      // A kernel may be compiled for one block only.
      if (Error E = checkLaunch(Launch, S)) {
        consumeError(std::move(E));
        continue;
      }
      if (Error E = runLaunch(Launch, S))
        return E;
    }
  }
  return Error::success();
}

static Error runAllTraced(Session &S) {
  return writeFile(TraceAccess, [&](raw_ostream &OS) {
    S.Requests = &OS;
    return runAll(S);
  });
}

/// LLVM's code generator gives up on some valid IR.
static void exitOnFatalError(void *, const char *Reason, bool) {
  errs() << "kernel-run: LLVM gave up on the module: " << Reason << "\n";
  _exit(2);
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  install_fatal_error_handler(exitOnFatalError);
  cl::HideUnrelatedOptions(Category);
  if (!cl::ParseCommandLineOptions(Argc, Argv, "Runs GPU kernels on this CPU\n",
                                   &errs()))
    return 2;
  Session S;
  S.Settings.Jobs = Jobs;
  S.Settings.TimeoutSeconds = Timeout;
  S.Settings.ExitedArrive = ExitedArrive;
  S.Settings.ShowProgress = sys::Process::StandardErrIsDisplayed();
  int Status = 0;
  handleAllErrors(
      TraceAccess.empty() || List ? runAll(S) : runAllTraced(S),
      [&](const KernelFinding &Finding) {
        S.Report.Finding = Finding.message();
        Status = 1;
      },
      [&](const ErrorInfoBase &E) {
        errs() << "kernel-run: " << E.message() << "\n";
        Status = 2;
      });
  if (Status != 2 && !List) {
    if (JSON)
      S.Report.printJSON(outs());
    else
      S.Report.printText(outs());
  }
  return Status;
}
