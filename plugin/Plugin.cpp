//===- Plugin.cpp - Registers Unravel's passes with LLVM ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration and options only; see README.md for the load lines.
//
//===----------------------------------------------------------------------===//

#include "analysis/printers/AccessMaps.h"
#include "analysis/printers/AccessPatterns.h"
#include "analysis/printers/RangeFactsPrinter.h"
#include "plugin/HostCheck.h"
#include "plugin/LaunchRecording.h"
#include "transforms/AddIndexSimplifyPasses.h"
#include "transforms/BeforeUnrolling.h"
#include "transforms/PassParameters.h"
#include "transforms/facts/Contradictions.h"
#include "transforms/facts/WithFacts.h"
#include "transforms/late/HiddenQuotients.h"
#include "transforms/late/KnownAlignments.h"
#include "transforms/late/LatchBranches.h"
#include "transforms/late/MergedGuards.h"
#include "transforms/late/SharedChoices.h"
#include "transforms/late/WideProducts.h"
#include "transforms/launch/LaunchVersioning.h"
#include "transforms/reciprocal/HoistedReciprocals.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

static cl::OptionCategory Category("Unravel",
                                   "Simplification of GPU index arithmetic");

using Place = IndexSimplifyPlace;
static cl::opt<Place> ExtensionPoint(
    "index-simplify-at", cl::cat(Category), cl::init(Place::VectorizerEnd),
    cl::desc("Where the optimization pipeline runs index-simplify:"),
    cl::values(clEnumValN(Place::VectorizerEnd, "vectorizer-end",
                          "after loop unrolling (default)"),
               clEnumValN(Place::ScalarOptimizerLate, "scalar-optimizer-late",
                          "before loop unrolling"),
               clEnumValN(Place::None, "none",
                          "only where a pipeline names it")));

static cl::opt<bool>
    Verify("index-simplify-verify", cl::cat(Category),
           cl::desc("Compare each rewrite with the code it replaces at many "
                    "points, and refuse those that differ"));

static cl::opt<bool>
    Certify("index-simplify-certify", cl::cat(Category),
            cl::desc("Commit only rewrites that a proof by other means than "
                     "the algebra shows to be right"));

namespace {
/// Refuses what would make the pass useless or exhaust the stack.
struct LimitParser : cl::parser<unsigned> {
  using cl::parser<unsigned>::parser;
  unsigned Lowest = 0, Highest = 1u << 20;

  bool parse(cl::Option &O, StringRef Name, StringRef Text, unsigned &Value) {
    if (cl::parser<unsigned>::parse(O, Name, Text, Value))
      return true;
    if (Value < Lowest || Value > Highest)
      return O.error("'" + Text + "' is not in [" + Twine(Lowest) + ", " +
                     Twine(Highest) + "]");
    return false;
  }
};
} // namespace

static cl::opt<unsigned, false, LimitParser> VerifyPoints(
    "index-simplify-verify-points", cl::cat(Category),
    cl::init(IndexSimplifyOptions().VerifyPoints), cl::value_desc("number"),
    cl::desc("The points of -index-simplify-verify for each rewrite"));

static cl::opt<VersioningMode> Versioning(
    "index-simplify-versioning", cl::cat(Category),
    cl::init(IndexSimplifyOptions().Versioning),
    cl::desc("Whether kernels get a second, faster body for launches in which "
             "sizes are positive and indices fit 31 bits:"),
    cl::values(clEnumValN(VersioningMode::Auto, "auto",
                          "where it pays (default)"),
               clEnumValN(VersioningMode::Off, "off", "never"),
               clEnumValN(VersioningMode::Always, "always",
                          "wherever that tells something new; for tests"),
               clEnumValN(VersioningMode::FastOnly, "fast-only",
                          "likewise, and any other launch is UNDEFINED; only "
                          "for measuring the fast body")));

static cl::opt<unsigned> VersioningGrowth(
    "index-simplify-versioning-growth", cl::cat(Category),
    cl::init(IndexSimplifyOptions().MaxVersioningGrowth),
    cl::value_desc("percent"),
    cl::desc("The code that a second body may add to its kernel"));

static cl::opt<bool> Reciprocals(
    "index-simplify-reciprocals", cl::cat(Category), cl::init(true),
    cl::desc("Run index-reciprocals behind index-simplify in the pipelines"));

static cl::opt<std::string> FactsPath(
    "index-simplify-facts", cl::cat(Category), cl::value_desc("file"),
    cl::desc("A JSON file with facts about kernels: sizes of grids and blocks, "
             "ranges of arguments (docs/facts.md)"));

static cl::opt<bool> PromiseIndexFits(
    "index-simplify-promise-index-fits", cl::cat(Category),
    cl::desc("PROMISE, not checked: blockIdx * blockDim + threadIdx is below "
             "2^31 in every launch; otherwise the kernel is wrong"));

static cl::opt<bool> PromisePositiveSizes(
    "index-simplify-promise-positive-sizes", cl::cat(Category),
    cl::desc("PROMISE, not checked: integer arguments that are divided by, or "
             "factors of what is, are above 0 in every launch; otherwise the "
             "kernel is wrong"));

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

namespace {
/// The default is the member's own.
struct Limit : cl::opt<unsigned, false, LimitParser> {
  Limit(StringRef Name, unsigned Default, StringRef Description)
      : opt(Name, cl::init(Default), cl::desc(Description), cl::Hidden,
            cl::cat(Category)) {}
  Limit(StringRef Name, unsigned Default, unsigned Lowest, unsigned Highest,
        StringRef Description)
      : Limit(Name, Default, Description) {
    getParser().Lowest = Lowest;
    getParser().Highest = Highest;
  }
};
} // namespace

static const IndexSimplifyLimits Defaults;
static Limit MaxTerms("index-simplify-max-terms",
                      Defaults.Recovery.Forms.MaxTerms, 1, 1u << 16,
                      "Terms of a form before its value is taken as opaque");
static Limit MaxDepth("index-simplify-max-depth",
                      Defaults.Recovery.Forms.MaxDepth, 0, 64,
                      "Divisions inside each other before a value is opaque");
static Limit MaxConstraints("index-simplify-max-constraints",
                            Defaults.Recovery.Forms.MaxConstraints,
                            "Relations between values that are consulted, "
                            "innermost guards first");
static Limit MaxValues("index-simplify-max-values",
                       Defaults.Recovery.MaxValuesPerInstruction,
                       "Values looked at per instruction of a function, over "
                       "all guards, before every further one is opaque");
static Limit MaxGuards("index-simplify-max-guards", Defaults.Recovery.MaxGuards,
                       "Nested guards whose conditions are used");
static Limit MaxPointerChain("index-simplify-max-pointer-chain",
                             Defaults.Recovery.MaxPointerChain,
                             "Address computations read as one offset");
static Limit MaxAlternatives("index-simplify-max-alternatives",
                             Defaults.MaxAlternatives,
                             "Ways tried to write one address, comparison or "
                             "value");
static Limit MaxGroup("index-simplify-max-group", Defaults.MaxGroup,
                      "Rewrites that share code of which those that lose are "
                      "left out one by one");
static Limit MaxRounds("index-simplify-max-rounds", Defaults.MaxRounds,
                       "Runs over a function as long as something changes");

static RecoveryLimits recoveryLimits() {
  RecoveryLimits L;
  L.Forms.MaxTerms = MaxTerms;
  L.Forms.MaxDepth = MaxDepth;
  L.Forms.MaxConstraints = MaxConstraints;
  L.MaxValuesPerInstruction = MaxValues;
  L.MaxGuards = MaxGuards;
  L.MaxPointerChain = MaxPointerChain;
  return L;
}

/// What the command line says, for a pass without parameters.
static IndexSimplifyOptions optionsOfCommandLine() {
  IndexSimplifyOptions Options;
  Options.Verify = Verify;
  Options.Certify = Certify;
  Options.VerifyPoints = VerifyPoints;
  Options.Versioning = Versioning;
  Options.MaxVersioningGrowth = VersioningGrowth;
  Options.Limits = {recoveryLimits(), MaxAlternatives, MaxGroup, MaxRounds};
  return Options;
}

/// Also for tools that link this file instead of loading the plugin.
IndexSimplifyPasses passesOfCommandLine() {
  IndexSimplifyPasses Passes;
  Passes.Simplify = optionsOfCommandLine();
  Passes.Facts.IndexFits = PromiseIndexFits;
  Passes.Facts.PositiveSizes = PromisePositiveSizes;
  Passes.Facts.FactsFile = FactsPath;
  Passes.Reciprocals = Reciprocals;
  return Passes;
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// Adds a pass that changes functions, or one that prints, which see all facts.
template <typename PassT>
static bool addPass(FunctionPassManager &FPM, const IndexSimplifyPasses &Passes,
                    PassT Pass) {
  FPM.addPass(WithFacts<PassT>(std::move(Pass), Passes.Facts, Passes.State));
  return true;
}
template <typename PassT>
static bool addPrinter(FunctionPassManager &FPM,
                       const IndexSimplifyPasses &Passes, PassT Pass) {
  FPM.addPass(
      PrinterWithFacts<PassT>(std::move(Pass), Passes.Facts, Passes.State));
  return true;
}

static bool parseFunctionPass(StringRef Name, FunctionPassManager &FPM,
                              const IndexSimplifyPasses &Passes) {
  if (Name == "print<indexing-maps>" || Name == "print<indexing-maps;readable>")
    return addPrinter(FPM, Passes,
                      AccessMapsPrinterPass(errs(), recoveryLimits(),
                                            Name.contains("readable")));
  if (Name == "print<range-facts>")
    return addPrinter(FPM, Passes,
                      RangeFactsPrinterPass(errs(), recoveryLimits()));
  if (Name == "print<access-patterns>")
    return addPrinter(FPM, Passes, AccessPatternsPrinterPass(errs()));
  if (Name == "access-patterns") {
    FPM.addPass(AccessRemarksPass());
    return true;
  }
  if (PassBuilder::checkParametrizedPassName(Name, "index-facts")) {
    IndexFactsOptions Options = Passes.Facts;
    auto Mode = PassBuilder::parsePassParameters(parseIndexFactsMode, Name,
                                                 "index-facts");
    if (!Mode) {
      errs() << toString(Mode.takeError()) << '\n';
      return false;
    }
    Options.Mode = *Mode;
    FPM.addPass(IndexFactsPass(std::move(Options), Passes.State));
    return true;
  }
  if (Name == "launch-versioning")
    return addPass(FPM, Passes, LaunchVersioningPass(Passes.Simplify));
  if (Name == "before-unrolling") {
    FPM.addPass(BeforeUnrollingPass(Passes));
    return true;
  }
  if (Name == "index-reciprocals") {
    FPM.addPass(HoistedReciprocalsPass());
    return true;
  }
  if (Name == "index-hidden-quotients") {
    FPM.addPass(HiddenQuotientsPass());
    return true;
  }
  if (Name == "merged-guards") {
    FPM.addPass(MergedGuardsPass());
    return true;
  }
  if (Name == "shared-choices") {
    FPM.addPass(SharedChoicesPass());
    return true;
  }
  if (Name == "known-alignments") {
    FPM.addPass(KnownAlignmentsPass());
    return true;
  }
  if (Name == "latch-branches") {
    FPM.addPass(LatchBranchesPass());
    return true;
  }
  if (Name == "wide-products") {
    FPM.addPass(WideProductsPass());
    return true;
  }
  if (!PassBuilder::checkParametrizedPassName(Name, "index-simplify"))
    return false;
  auto Parse = [&](StringRef Parameters) {
    return parseIndexSimplifyParameters(Parameters, Passes.Simplify);
  };
  Expected<IndexSimplifyOptions> Options =
      PassBuilder::parsePassParameters(Parse, Name, "index-simplify");
  if (!Options) {
    errs() << toString(Options.takeError()) << '\n';
    return false;
  }
  return addPass(FPM, Passes, IndexSimplifyPass(*Options));
}

static void registerPasses(PassBuilder &PB) {
  if (PassInstrumentationCallbacks *PIC =
          PB.getPassInstrumentationCallbacks()) {
    PIC->addClassToPassName(IndexSimplifyPass::name(), "index-simplify");
    PIC->addClassToPassName(BeforeUnrollingPass::name(), "before-unrolling");
    PIC->addClassToPassName(HoistedReciprocalsPass::name(),
                            "index-reciprocals");
    PIC->addClassToPassName(HiddenQuotientsPass::name(),
                            "index-hidden-quotients");
    PIC->addClassToPassName(KnownAlignmentsPass::name(), "known-alignments");
    PIC->addClassToPassName(LatchBranchesPass::name(), "latch-branches");
    PIC->addClassToPassName(MergedGuardsPass::name(), "merged-guards");
    PIC->addClassToPassName(SharedChoicesPass::name(), "shared-choices");
    PIC->addClassToPassName(WideProductsPass::name(), "wide-products");
    PIC->addClassToPassName(LaunchVersioningPass::name(), "launch-versioning");
    PIC->addClassToPassName(IndexFactsPass::name(), "index-facts");
    PIC->addClassToPassName(NoteAssumptionsPass::name(), "note-assumptions");
    PIC->addClassToPassName(AccessMapsPrinterPass::name(),
                            "print<indexing-maps>");
    PIC->addClassToPassName(RangeFactsPrinterPass::name(),
                            "print<range-facts>");
    PIC->addClassToPassName(AccessPatternsPrinterPass::name(),
                            "print<access-patterns>");
    PIC->addClassToPassName(AccessRemarksPass::name(), "access-patterns");
  }
  IndexSimplifyPasses Passes = passesOfCommandLine();
  PB.registerPipelineParsingCallback(
      [=](StringRef Name, FunctionPassManager &FPM,
          ArrayRef<PassBuilder::PipelineElement>) {
        return parseFunctionPass(Name, FPM, Passes);
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "note-assumptions")
          return false;
        MPM.addPass(NoteAssumptionsPass());
        return true;
      });
  addIndexSimplifyCallbacks(PB, Passes, ExtensionPoint);
#ifndef LLVM_UNRAVEL_LINK_INTO_TOOLS
  addLaunchRecording(PB); // tools compile no host code
#endif
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
        MPM.addPass(createModuleToFunctionPassAdaptor(AccessRemarksPass()));
      });
}

PassPluginLibraryInfo getUnravelPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Unravel", UNRAVEL_VERSION, registerPasses,
          nullptr};
}

#ifndef LLVM_UNRAVEL_LINK_INTO_TOOLS
namespace unravel {
/// A PassPluginLibraryInfo that is built in the caller's memory, which a
/// foreign host may have made for fewer members: LLVM 21 knows four. So the
/// last one is left alone there. (A type without copies is one that every
/// calling convention returns in memory, like the original.)
struct PluginEntry {
  uint32_t APIVersion;
  const char *PluginName;
  const char *PluginVersion;
  decltype(PassPluginLibraryInfo::RegisterPassBuilderCallbacks) Register;
  decltype(PassPluginLibraryInfo::PreCodeGenCallback) PreCodeGen;

  explicit PluginEntry(void *Caller) {
    PassPluginLibraryInfo Info = getUnravelPluginInfo();
    PluginName = Info.PluginName;
    PluginVersion = Info.PluginVersion;
    if (isOwnHost(Caller)) {
      APIVersion = Info.APIVersion;
      Register = Info.RegisterPassBuilderCallbacks;
      PreCodeGen = Info.PreCodeGenCallback;
      return;
    }
    reportForeignHost(Caller);
    APIVersion = 0; // which no host accepts
    Register = nullptr;
  }
  PluginEntry(const PluginEntry &) = delete;
};
} // namespace unravel

static_assert(sizeof(PluginEntry) == sizeof(PassPluginLibraryInfo));

// The header declares the function with the type of this LLVM.
LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PluginEntry
enterPlugin() __asm__("llvmGetPassPluginInfo");

PluginEntry enterPlugin() { return PluginEntry(__builtin_return_address(0)); }
#endif
