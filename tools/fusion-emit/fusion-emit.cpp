//===- fusion-emit.cpp - HLO text as GPU kernels --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits kernels for a module of HLO text, simplifies them, and can run them on
// this CPU and compare what they compute with the reference evaluator.
//
//   fusion-emit softmax.hlo -o softmax.ptx        and softmax.ptx.json
//   fusion-emit softmax.hlo --emit=llvm --passes=none
//   fusion-emit softmax.hlo --run --inputs=random:1
//   fusion-emit softmax.hlo --check
//
// Exit status: 0 done; 1 a kernel did something illegal, or computed something
// wrong; 2 the module is not valid, or there is no code for it.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapText.h"
#include "frontend/evaluate/HloEvaluator.h"
#include "frontend/indexing/HloTiles.h"
#include "frontend/indexing/HloUtilisation.h"
#include "frontend/plan/KernelMaps.h"
#include "frontend/text/HloParser.h"
#include "frontend/text/HloPrinter.h"
#include "frontend/verify/HloVerifier.h"
#include "ptx/backend/NvptxTarget.h"
#include "tools/files/OutputFile.h"
#include "tools/fusion-emit/AccessText.h"
#include "tools/fusion-emit/FusionCheck.h"
#include "tools/fusion-emit/FusionPasses.h"
#include "tools/fusion-emit/FusionRunner.h"
#include "tools/fusion-emit/FusionValues.h"
#include "tools/fusion-emit/UtilisationText.h"
#include "tools/kernel-run/launch/KernelFinding.h"
#include "tools/tile-page/TileTable.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;
using namespace unravel;

// 1. Options.

static cl::OptionCategory Category("fusion-emit options");

namespace {
enum class Form { Guess, LLVM, PTX, HLO, Maps, Tiles, Access, Utilisation };
} // namespace

static cl::opt<std::string> Input(cl::Positional, cl::init("-"),
                                  cl::desc("<module.hlo>; - is stdin"),
                                  cl::cat(Category));
static cl::opt<std::string> OutputPath("o", cl::value_desc("file"),
                                       cl::init("-"),
                                       cl::desc("Write there; - is stdout"),
                                       cl::cat(Category));
static cl::opt<Form> Emit(
    "emit", cl::init(Form::Guess), cl::cat(Category),
    cl::desc("What to write (by the end of -o's name, or llvm):"),
    cl::values(clEnumValN(Form::LLVM, "llvm", "NVVM IR"),
               clEnumValN(Form::PTX, "ptx", "PTX"),
               clEnumValN(Form::HLO, "hlo", "the module as it was understood"),
               clEnumValN(Form::Maps, "maps",
                          "which elements each fusion, and each thread, "
                          "reads and writes"),
               clEnumValN(Form::Tiles, "tiles",
                          "what tiles of each fusion need of its "
                          "parameters"),
               clEnumValN(Form::Access, "access",
                          "what the memory requests of each kernel cost"),
               clEnumValN(Form::Utilisation, "utilisation",
                          "how much of each parameter is read, and how "
                          "often")));
static cl::opt<bool>
    Json("json",
         cl::desc("With --emit=tiles, access or utilisation: the same as JSON"),
         cl::cat(Category));
static cl::opt<std::string>
    PagePath("html", cl::value_desc("page"),
             cl::desc("With --emit=tiles --tile: draw the tiles on a page"),
             cl::cat(Category));
static cl::list<int64_t>
    TileSizes("tile", cl::CommaSeparated, cl::value_desc("size,..."),
              cl::desc("With --emit=tiles: the tile of a block, one size for "
                       "each dimension; in symbols by default"),
              cl::cat(Category));
static cl::opt<bool>
    Readable("readable",
             cl::desc("With --emit=maps: indices as strides and digits"),
             cl::cat(Category));
static cl::opt<bool> PrintMaps("print-maps",
                               cl::desc("The same as --emit=maps"),
                               cl::cat(Category));
static cl::opt<IndexSource>
    IndexCode("index", cl::init(IndexSource::Naive), cl::cat(Category),
              cl::desc("Where code for indices comes from:"),
              cl::values(clEnumValN(IndexSource::Naive, "naive",
                                    "each operation alone (default)"),
                         clEnumValN(IndexSource::Maps, "maps",
                                    "composed maps, simplified")));
static cl::opt<FusionPasses>
    Passes("passes", cl::init(FusionPasses::Simplify), cl::cat(Category),
           cl::desc("What is done to the IR:"),
           cl::values(clEnumValN(FusionPasses::None, "none", "nothing"),
                      clEnumValN(FusionPasses::Alone, "alone",
                                 "index-simplify, and nothing in front of it"),
                      clEnumValN(FusionPasses::Optimize, "optimize",
                                 "LLVM's pipeline at -O3"),
                      clEnumValN(FusionPasses::Simplify, "simplify",
                                 "the same with index-simplify (default)")));
static cl::opt<std::string> Arch("arch", cl::init("sm_90"),
                                 cl::value_desc("sm_N"),
                                 cl::desc("GPU to compile for (sm_90)"),
                                 cl::cat(Category));
static cl::opt<std::string>
    Entry("entry", cl::value_desc("name"),
          cl::desc("The computation to emit; the module's entry by default"),
          cl::cat(Category));
static cl::opt<unsigned> BlockSize("block", cl::init(KernelLimits().BlockSize),
                                   cl::value_desc("threads"),
                                   cl::desc("Threads of a block, 1 to 1024"),
                                   cl::cat(Category));
static cl::opt<unsigned> MaxVector(
    "vector", cl::init(KernelLimits().MaxVector), cl::value_desc("elements"),
    cl::desc("Neighbouring elements of a thread at most: 1, 2, 4, 8 or 16"),
    cl::cat(Category));
static cl::opt<std::string>
    ManifestPath("manifest", cl::value_desc("file"),
                 cl::desc("Where the JSON with launches and buffers goes; "
                          "beside the output by default"),
                 cl::cat(Category));
static cl::opt<bool> Run("run",
                         cl::desc("Run the kernels on this CPU and write the "
                                  "outputs"),
                         cl::cat(Category));
static cl::opt<bool> Check(
    "check",
    cl::desc("Run the kernels, as emitted and after each of --passes, and "
             "compare the outputs with those of the evaluator"),
    cl::cat(Category));
static cl::opt<std::string>
    InputsFrom("inputs", cl::init("random:1"), cl::value_desc("file|random:N"),
               cl::desc("Values of the parameters: a file with a literal for "
                        "each, or random ones"),
               cl::cat(Category));

// 2. Modules.

static Expected<std::unique_ptr<MemoryBuffer>> readInput(StringRef Path) {
  if (Error E = checkInput(Path))
    return E;
  ErrorOr<std::unique_ptr<MemoryBuffer>> File =
      MemoryBuffer::getFileOrSTDIN(Path, /*IsText=*/true);
  if (!File)
    return makeError(Path, "cannot read: " + File.getError().message());
  return std::move(*File);
}

static Expected<std::unique_ptr<HloModule>> readModule() {
  Expected<std::unique_ptr<MemoryBuffer>> Text = readInput(Input);
  if (!Text)
    return Text.takeError();
  std::vector<std::string> Warnings;
  StringRef EntryName = StringRef(Entry).ltrim('%');
  Expected<std::unique_ptr<HloModule>> Module =
      parseHlo((*Text)->getBuffer(), (*Text)->getBufferIdentifier(), Warnings,
               EntryName);
  for (const std::string &Warning : Warnings)
    errs() << Warning << "\n";
  if (!Module)
    return Module.takeError();
  if (!EntryName.empty() && !(*Module)->computationNamed(EntryName))
    return makeError((*Module)->BufferName,
                     "--entry: there is no computation '" + EntryName + "'");
  if (Error E = verifyHlo(**Module))
    return E;
  return Module;
}

static Expected<std::vector<HloLiteral>> readInputs(const HloComputation &C) {
  auto [Kind, Number] = StringRef(InputsFrom).split(':');
  uint64_t Seed;
  if (Kind == "random") {
    if (Number.getAsInteger(10, Seed))
      return makeError("--inputs",
                       "'" + InputsFrom +
                           "' has no seed; give a number, as in random:1");
    return randomInputs(C, Seed);
  }
  Expected<std::unique_ptr<MemoryBuffer>> Text = readInput(InputsFrom);
  if (!Text)
    return Text.takeError();
  return parseInputs(C, (*Text)->getBuffer(), InputsFrom);
}

// 3. What is done with them.

static Form formToEmit() {
  if (PrintMaps)
    return Form::Maps;
  if (Emit != Form::Guess)
    return Emit;
  return StringRef(OutputPath).ends_with(".ptx") ? Form::PTX : Form::LLVM;
}

static KernelEmitterOptions emitterOptions() {
  KernelEmitterOptions Options;
  Options.BlockSize = BlockSize;
  Options.MaxVector = MaxVector;
  Options.Indices = IndexCode;
  return Options;
}

/// Each fusion of the entry; the entry itself if it has none.
static void
forEachFusion(const HloModule &Module,
              function_ref<void(StringRef Name, const HloComputation &)> F) {
  const HloComputation &C = Module.entry();
  bool HasFusion = false;
  for (const HloInstruction &I : C.instructions())
    if (I.opcode() == HloOpcode::Fusion) {
      F(I.name(), *I.callee());
      HasFusion = true;
    }
  if (!HasFusion)
    F(C.name(), C);
}

/// A text with a group for each fusion.
static void printFusions(raw_string_ostream &OS, const HloModule &Module,
                         function_ref<void(const HloComputation &)> Print) {
  forEachFusion(Module, [&](StringRef Name, const HloComputation &Body) {
    OS << (OS.str().empty() ? "" : "\n") << "// " << Name << "\n";
    Print(Body);
  });
}

/// A group for the kernels of the entry, and of each computation that a loop or
/// a branch runs. A fusion that is planned alone may become other kernels.
static void printKernels(
    raw_ostream &OS, const HloModule &Module,
    function_ref<void(const HloComputation &, const KernelPlan &)> Print) {
  auto PrintGroup = [&](const PlannedComputation &C) {
    if (auto Plan = planKernels(Module, C, emitterOptions()))
      Print(*C.Body, *Plan);
    else
      OS << "unknown: " << toString(Plan.takeError()) << "\n";
  };
  for (const PlannedComputation &C : plannedComputations(Module.entry())) {
    OS << "\n// kernels";
    if (C.Body != &Module.entry())
      OS << " of " << C.Body->name();
    OS << "\n";
    PrintGroup(C);
  }
}

static std::string mapsOf(const HloModule &Module) {
  MapStyle Style = Readable ? MapStyle::Readable : MapStyle::Cheapest;
  std::string Text;
  raw_string_ostream OS(Text);
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  printFusions(OS, Module, [&](const HloComputation &Body) {
    printIndexing(OS, Body, Analysis, Style);
    printReverseIndexing(OS, Body, Analysis, Style);
  });
  printKernels(OS, Module,
               [&](const HloComputation &C, const KernelPlan &Plan) {
                 printKernelMaps(OS, C, Plan, Analysis, Style);
               });
  return Text;
}

static std::string toText(json::Object Object) {
  return formatv("{0:2}\n", json::Value(std::move(Object)));
}

/// The line of the tile for all sizes, with its conditions.
static std::string symbolsOf(HloTile Tile) {
  Expected<SymbolicTile> Symbols = symbolicTileOf(Tile.Map->Map);
  Tile.Grid.reset();
  Tile.WhyNot.clear();
  if (Symbols)
    Tile.Symbols = std::move(*Symbols);
  else
    Tile.WhyNot = toString(Symbols.takeError());
  return toText(Tile);
}

static std::string tilesOf(const HloModule &Module) {
  std::string Text;
  raw_string_ostream OS(Text);
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  ArrayRef<int64_t> Sizes(TileSizes);
  if (!Json) {
    printFusions(OS, Module, [&](const HloComputation &Body) {
      for (const HloTile &Tile : tilesOf(Body, Analysis, Sizes))
        OS << toText(Tile) << '\n';
    });
    return Text;
  }
  json::Array Fusions;
  forEachFusion(Module, [&](StringRef Name, const HloComputation &Body) {
    json::Array Tiles;
    for (const HloTile &Tile : tilesOf(Body, Analysis, Sizes))
      Tiles.push_back(toJson(Tile));
    Fusions.push_back(json::Object{{"name", json::fixUTF8(Name)},
                                   {"tiles", std::move(Tiles)}});
  });
  return toText(json::Object{{"fusions", std::move(Fusions)}});
}

static bool hasRank(const HloShape &Shape, size_t Rank) {
  return Shape.isArray() ? Shape.rank() == Rank
                         : any_of(Shape.elements(), [&](const HloShape &S) {
                             return hasRank(S, Rank);
                           });
}

/// --tile has to fit the output of some fusion.
static Error checkTile(const HloModule &Module) {
  bool Fits = TileSizes.empty();
  forEachFusion(Module, [&](StringRef, const HloComputation &Body) {
    Fits |= hasRank(Body.root().shape(), TileSizes.size());
  });
  return Fits ? Error::success()
              : makeError("--tile", "of " + Twine(TileSizes.size()) +
                                        " sizes, but no output has as many "
                                        "dimensions; give one for each");
}

/// The tiles of all maps, drawn. A map whose runtime variables do more than
/// shift the tiles has none; those that only shift have their least values.
static Expected<std::string> tilePageOf(const HloModule &Module) {
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  ArrayRef<int64_t> Sizes(TileSizes);
  json::Array Tables;
  Error Failed = Error::success();
  forEachFusion(Module, [&](StringRef Name, const HloComputation &Body) {
    for (const HloTile &Tile : tilesOf(Body, Analysis, Sizes)) {
      if (!Tile.Map || Sizes.size() != Tile.Output.rank())
        continue;
      std::optional<IndexingMap> Map = withLeastRuntimes(*Tile.Map);
      if (!Map || Map->isKnownEmpty() || Tile.Output.elementCount() == 0)
        continue;
      std::vector<TiledDimension> Dimensions;
      for (auto [Length, Size] : zip_equal(Tile.Output.dimensions(), Sizes))
        Dimensions.push_back({0, Length, Size});
      Expected<json::Object> Table =
          tileTableOf(*Map, Dimensions, Tile.Input.dimensions(),
                      (Name + ": " + Tile.From + " -> " + Tile.To).str(),
                      {{"map", toSimplestString(*Map)},
                       {"tile", toText(Tile)},
                       {"for all sizes", symbolsOf(Tile)}});
      if (Table)
        Tables.push_back(std::move(*Table));
      else
        Failed = joinErrors(std::move(Failed),
                            makeError("--html", toString(Table.takeError())));
    }
  });
  if (Failed)
    return Failed;
  return renderTilePage("Tiles of " + Module.name().str(), std::move(Tables));
}

static std::string utilisationOf(const HloModule &Module) {
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  if (!Json) {
    std::string Text;
    raw_string_ostream OS(Text);
    printFusions(OS, Module, [&](const HloComputation &Body) {
      for (const ArrayUse &Use : arrayUsesOf(Body, Analysis))
        print(OS, Use);
    });
    printKernels(OS, Module,
                 [&](const HloComputation &, const KernelPlan &Plan) {
                   for (const BlockReuse &Reuse : blockReuseOf(Plan, Analysis))
                     print(OS, Reuse);
                 });
    return Text;
  }
  json::Array Fusions, Loads;
  forEachFusion(Module, [&](StringRef Name, const HloComputation &Body) {
    json::Array Arrays;
    for (const ArrayUse &Use : arrayUsesOf(Body, Analysis))
      Arrays.push_back(toJson(Use));
    Fusions.push_back(json::Object{{"name", json::fixUTF8(Name)},
                                   {"arrays", std::move(Arrays)}});
  });
  json::Object All = json::Object{{"fusions", std::move(Fusions)}};
  PlannedComputation Entry = {&Module.entry(), boundaryOf(Module.entry())};
  if (auto Plan = planKernels(Module, Entry, emitterOptions())) {
    for (const BlockReuse &Reuse : blockReuseOf(*Plan, Analysis))
      Loads.push_back(toJson(Reuse));
    All["loads"] = std::move(Loads);
  } else {
    All["no_kernels"] = json::fixUTF8(toString(Plan.takeError()));
  }
  return toText(std::move(All));
}

/// The accesses of the kernels of the entry, and of the computations that loops
/// and branches run.
static Expected<std::string> accessesOf(const HloModule &Module) {
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  PlannedAccesses All;
  for (const PlannedComputation &C : plannedComputations(Module.entry())) {
    Expected<KernelPlan> Plan = planKernels(Module, C, emitterOptions());
    if (!Plan)
      return Plan.takeError();
    PlannedAccesses Found = plannedAccesses(*C.Body, *Plan, Analysis);
    append_range(All.Kernels, std::move(Found.Kernels));
    if (C.Body == &Module.entry())
      All.NotRead = std::move(Found.NotRead);
  }
  if (Json)
    return toText(toJson(All));
  std::string Text;
  raw_string_ostream OS(Text);
  printAccesses(OS, All);
  return Text;
}

/// Empty: the manifest is not written.
static std::string manifestPath() {
  if (!ManifestPath.empty())
    return ManifestPath;
  return OutputPath == "-" ? "" : OutputPath + ".json";
}

/// Said before the work: no output destroys the module or the values.
static Error checkFiles() {
  std::vector<NamedFile> Read = {{"", Input}}, Written = {{"-o", OutputPath}};
  bool EmitsCode = !Run && !Check &&
                   (formToEmit() == Form::LLVM || formToEmit() == Form::PTX);
  if (EmitsCode && !manifestPath().empty())
    Written.push_back({"--manifest", manifestPath()});
  if (!PagePath.empty())
    Written.push_back({"--html", PagePath});
  if ((Run || Check) && StringRef(InputsFrom).split(':').first != "random")
    Read.push_back({"--inputs", InputsFrom});
  return checkOutputs(Written, Read);
}

/// The kernels alone do not compute what the module does.
static void warnOfCalls(const EmittedComputation &C) {
  for (const EmittedStep &Step : C.Steps)
    if (Step.StepKind == EmittedStep::Kind::Call)
      errs() << Input << ": warning: there is no code for '" << Step.Target
             << "', which '" << Step.Name << "' of '" << C.Name
             << "' calls; the manifest has the call with its buffers\n";
}

static Error emit(EmittedModule &Emitted, TargetMachine &Target) {
  warnOfCalls(Emitted);
  for (const EmittedComputation &C : Emitted.Computations)
    warnOfCalls(C);
  runPasses(*Emitted.IR, Passes, Target);
  std::string Text, Manifest;
  raw_string_ostream(Manifest) << formatv("{0:2}\n", Emitted.manifest());
  if (formToEmit() == Form::PTX)
    Text = printPtx(*Emitted.IR, Target);
  else
    raw_string_ostream(Text) << *Emitted.IR;
  if (Error E = writeFile(OutputPath, Text))
    return E;
  std::string Path = manifestPath();
  return Path.empty() ? Error::success() : writeFile(Path, Manifest);
}

static Error run(const HloModule &Module, EmittedModule &Emitted,
                 TargetMachine &Target) {
  Expected<std::vector<HloLiteral>> Inputs = readInputs(Module.entry());
  if (!Inputs)
    return Inputs.takeError();
  runPasses(*Emitted.IR, Passes, Target);
  Expected<std::vector<HloLiteral>> Outputs =
      runKernels(Emitted, *Emitted.IR, Module.name(), *Inputs);
  if (!Outputs)
    return Outputs.takeError();
  std::string Text;
  raw_string_ostream OS(Text);
  for (auto [K, Output] : enumerate(*Outputs))
    printValue(OS, ("out" + Twine(K)).str(), Output);
  return writeFile(OutputPath, Text);
}

static Error check(const HloModule &Module, const EmittedModule &Emitted,
                   TargetMachine &Target) {
  if (Error E = checkHloSteps(Module))
    return E;
  Expected<std::vector<HloLiteral>> Inputs = readInputs(Module.entry());
  if (!Inputs)
    return Inputs.takeError();
  Expected<std::string> Report = checkKernels(Module, Emitted, Target, *Inputs);
  return Report ? writeFile(OutputPath, *Report) : Report.takeError();
}

static Error runAll() {
  if (BlockSize < 1 || BlockSize > 1024)
    return makeError("--block", "'" + Twine(BlockSize) +
                                    "' is no size of a block; give 1 to 1024");
  if (!isPowerOf2_32(MaxVector) || MaxVector > 16)
    return makeError("--vector", "'" + Twine(MaxVector) +
                                     "' is no length of a vector; give 1, 2, "
                                     "4, 8 or 16");
  if (!TileSizes.empty() && formToEmit() != Form::Tiles)
    return makeError("--tile", "is for --emit=tiles; give both");
  if (Json && formToEmit() != Form::Tiles && formToEmit() != Form::Access &&
      formToEmit() != Form::Utilisation)
    return makeError("--json", "is for --emit=tiles, --emit=access and "
                               "--emit=utilisation; give one of them");
  if (Readable && formToEmit() != Form::Maps)
    return makeError("--readable", "is for --emit=maps; give both");
  if (!PagePath.empty() && (formToEmit() != Form::Tiles || TileSizes.empty()))
    return makeError("--html", "draws tiles of given sizes; give "
                               "--emit=tiles and --tile=SIZE,... as well");
  for (int64_t Size : TileSizes)
    if (Size < 1)
      return makeError("--tile", "'" + Twine(Size) +
                                     "' is no size of a tile; give 1 or more");
  if (Run && Check)
    return makeError("--check", "runs the kernels itself; leave out --run");
  if (Error E = checkFiles())
    return E;
  Expected<std::unique_ptr<HloModule>> Module = readModule();
  if (!Module)
    return Module.takeError();
  if (formToEmit() == Form::HLO)
    return writeFile(OutputPath, toString(**Module));
  if (formToEmit() == Form::Maps)
    return writeFile(OutputPath, mapsOf(**Module));
  if (Error E = checkTile(**Module))
    return E;
  if (!PagePath.empty()) {
    Expected<std::string> Page = tilePageOf(**Module);
    if (!Page)
      return Page.takeError();
    if (Error E = writeFile(PagePath, *Page))
      return E;
  }
  if (formToEmit() == Form::Tiles)
    return writeFile(OutputPath, tilesOf(**Module));
  if (formToEmit() == Form::Utilisation)
    return writeFile(OutputPath, utilisationOf(**Module));
  if (formToEmit() == Form::Access) {
    Expected<std::string> Text = accessesOf(**Module);
    return Text ? writeFile(OutputPath, *Text) : Text.takeError();
  }
  Expected<std::unique_ptr<TargetMachine>> Target = gpuMachine(Arch);
  if (!Target)
    return Target.takeError();
  LLVMContext Context;
  Expected<EmittedModule> Emitted =
      emitKernels(**Module, (*Module)->entry(), Context, emitterOptions());
  if (!Emitted)
    return Emitted.takeError();
  if (Check)
    return check(**Module, *Emitted, **Target);
  return Run ? run(**Module, *Emitted, **Target) : emit(*Emitted, **Target);
}

/// LLVM's code generator gives up on some valid IR.
static void exitOnFatalError(void *, const char *Reason, bool) {
  errs() << "fusion-emit: LLVM gave up on the module: " << Reason << "\n";
  _exit(2);
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  install_fatal_error_handler(exitOnFatalError);
  cl::HideUnrelatedOptions(Category);
  if (!cl::ParseCommandLineOptions(Argc, Argv,
                                   "Emits GPU kernels for HLO text\n", &errs()))
    return 2;
  int Status = 0;
  auto Report = [&](const ErrorInfoBase &E, int How) {
    errs() << "fusion-emit: " << E.message() << "\n";
    Status = How;
  };
  handleAllErrors(
      runAll(), [&](const KernelFinding &Finding) { Report(Finding, 1); },
      [&](const ErrorInfoBase &E) { Report(E, 2); });
  return Status;
}
