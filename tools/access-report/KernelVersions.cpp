//===- KernelVersions.cpp - Kernels before and after the passes -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/KernelVersions.h"
#include "analysis/printers/AccessMaps.h"
#include "ptx/backend/AnalysisManagers.h"
#include "ptx/backend/NvptxTarget.h"
#include "ptx/simplify/ModuleSimplifier.h"
#include "ptx/text/PtxParser.h"
#include "tools/files/InputFile.h"
#include "transforms/AddIndexSimplifyPasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;

namespace unravel {

namespace {
/// A copy of a module, with or without the passes.
class ModuleVersion {
public:
  ModuleVersion(const Module &M, const TargetMachine &Target)
      : Copy(CloneModule(M, Copies)), PB(const_cast<TargetMachine *>(&Target)),
        Managers(PB) {}

  void run(bool WithPasses);
  /// By the accesses of the module that was copied, in the readable form as
  /// well.
  std::vector<std::string> mapsOf(const Function &F,
                                  ArrayRef<AccessReport> Accesses,
                                  std::vector<std::string> &Readable);
  /// Changes the copy.
  std::string printPtx(TargetMachine &Target);
  /// The name that the copy of a kernel has in PTX.
  StringRef nameOf(const Function &F) const {
    auto *OfCopy = dyn_cast_or_null<Function>(Copies.lookup(&F));
    return OfCopy ? OfCopy->getName() : StringRef();
  }

private:
  ValueToValueMapTy Copies;
  std::unique_ptr<Module> Copy;
  PassBuilder PB;
  AnalysisManagers Managers;
};
} // namespace

/// As ptx-compare treats LLVM IR.
void ModuleVersion::run(bool WithPasses) {
  StripDebugInfo(*Copy);
  FunctionPassManager FPM;
  if (WithPasses) {
    IndexSimplifyPasses Passes;
    Passes.Simplify.Versioning = VersioningMode::Off;
    Passes.Reciprocals = false;
    recordIndexFacts(FPM, Passes);
    addIndexSimplifyPasses(FPM, Passes);
  }
  FPM.addPass(InstSimplifyPass());
  FPM.addPass(SimplifyCFGPass());
  ModulePassManager MPM;
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  MPM.run(*Copy, Managers.Modules);
}

std::vector<std::string>
ModuleVersion::mapsOf(const Function &F, ArrayRef<AccessReport> Accesses,
                      std::vector<std::string> &Readable) {
  std::vector<std::string> Maps(Accesses.size());
  Readable.assign(Accesses.size(), "");
  auto *OfCopy = dyn_cast_or_null<Function>(Copies.lookup(&F));
  if (!OfCopy)
    return Maps;
  FunctionAnalysisManager &AM = Managers.Functions;
  RangeFacts Facts(*OfCopy, AM);
  RecoveryLimits Limits;
  Limits.ReadsBits = true;
  IndexRecovery Recovery(Facts, AM.getResult<DominatorTreeAnalysis>(*OfCopy),
                         AM.getResult<LoopAnalysis>(*OfCopy), Limits);
  // Copies from memory to memory have two accesses.
  std::map<const Instruction *, SmallVector<AccessMap, 2>> Found;
  for (AccessMap &Map : accessMapsOf(Recovery))
    Found[Map.Access.Instruction].push_back(std::move(Map));
  std::map<const Instruction *, unsigned> Taken;
  for (auto [Report, Map, Second] : zip_equal(Accesses, Maps, Readable)) {
    const Instruction *Old = Report.Access.Instruction;
    auto *New = dyn_cast_or_null<Instruction>(Copies.lookup(Old));
    auto It = Found.find(New);
    unsigned Number = Taken[Old]++;
    if (!New || It == Found.end() || Number >= It->second.size())
      continue;
    Map = mapText(It->second[Number]);
    Second = mapText(It->second[Number], /*Readable=*/true);
  }
  return Maps;
}

/// Names of IR may hold what the back end refuses.
std::string ModuleVersion::printPtx(TargetMachine &Target) {
  auto IsOfPtx = [](char C) {
    return isAlnum(C) || StringRef("_$.@").contains(C);
  };
  for (GlobalValue &G : Copy->global_values())
    if (!all_of(G.getName(), IsOfPtx)) {
      std::string Name = G.getName().str();
      for (char &C : Name)
        if (!IsOfPtx(C))
          C = '_';
      G.setName(Name);
    }
  return unravel::printPtx(*Copy, Target);
}

namespace {
/// The kernels of a module before and after, as text.
struct PtxVersions {
  void take(StringRef Text, StringRef BufferName, bool IsAfter);
  void fill(StringRef Kernel, KernelVersions &Versions) const;

  std::map<std::string, std::string> Kernels[2];
  /// In PTX, of kernels that have another name there.
  std::map<std::string, std::string> Names;
  std::string Problem;
};
} // namespace

void PtxVersions::take(StringRef Text, StringRef BufferName, bool IsAfter) {
  Expected<ptx::Module> M = ptx::parseModule(Text, BufferName);
  if (!M) {
    // Such as a kernel whose name PTX cannot have.
    Problem = toString(M.takeError());
    return;
  }
  for (const ptx::Item &Item : M->Items)
    if (auto *F = Item.as<ptx::Function>(); F && F->IsKernel && F->HasBody)
      Kernels[IsAfter][F->Name.str()] = Item.Text.str();
}

void PtxVersions::fill(StringRef Kernel, KernelVersions &Versions) const {
  Versions.PtxProblem = Problem;
  auto Renamed = Names.find(Kernel.str());
  std::string Name = Renamed == Names.end() ? Kernel.str() : Renamed->second;
  auto Before = Kernels[0].find(Name), After = Kernels[1].find(Name);
  if (Before != Kernels[0].end() && After != Kernels[1].end()) {
    Versions.PtxBefore = Before->second;
    Versions.PtxAfter = After->second;
  } else if (Problem.empty()) {
    Versions.PtxProblem = "its PTX has another name";
  }
}

/// Both versions as clang -O3 compiles them, the one after with the plugin.
static Error compileBoth(StringRef Path, const CudaOptions &Cuda,
                         const IndexSimplifyPasses &Passes,
                         TargetMachine &Machine, PtxVersions &Ptx) {
  Expected<std::unique_ptr<MemoryBuffer>> Bitcode =
      compileToBitcode(Path, Cuda, {"-Xclang", "-disable-llvm-passes"});
  if (!Bitcode)
    return Bitcode.takeError();
  // clang's defaults for CUDA.
  Machine.Options.AllowFPOpFusion = FPOpFusion::Fast;
  PipelineTuningOptions Tuning;
  Tuning.SLPVectorization = true;
  for (bool WithPasses : {false, true}) {
    LLVMContext Context;
    Expected<std::unique_ptr<Module>> M =
        parseBitcodeFile((*Bitcode)->getMemBufferRef(), Context);
    if (!M)
      return M.takeError();
    PassBuilder PB(&Machine, Tuning);
    if (WithPasses)
      addIndexSimplifyCallbacks(PB, Passes);
    AnalysisManagers Managers(PB);
    PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
        .run(**M, Managers.Modules);
    Ptx.take(printPtx(**M, Machine), Path, WithPasses);
  }
  return Error::success();
}

static Error simplifyPtx(StringRef Path, const IndexSimplifyPasses &Passes,
                         PtxVersions &Ptx) {
  Expected<std::string> Text = readFile(Path);
  if (!Text)
    return Text.takeError();
  ptx::SimplifierOptions Options;
  Options.Passes = Passes;
  Expected<ptx::SimplifiedModule> Simplified =
      ptx::simplifyModule(*Text, Path, Options);
  if (!Simplified)
    return Simplified.takeError();
  Ptx.take(*Text, Path, /*IsAfter=*/false);
  Ptx.take(Simplified->Text, Path, /*IsAfter=*/true);
  return Error::success();
}

Expected<std::vector<KernelVersions>>
versionsOf(ArrayRef<KernelReport> Reports, const KernelInput &Input,
           StringRef Path, const CudaOptions &Cuda, StringRef FactsPath) {
  Expected<NvptxTarget> Target = NvptxTarget::create();
  if (!Target)
    return Target.takeError();
  if (!Target->info().isCPUStringValid(Cuda.Arch))
    return createStringError("--arch: '" + Cuda.Arch +
                             "' is no architecture that LLVM knows; give one "
                             "like sm_90");
  std::unique_ptr<TargetMachine> Machine = Target->createMachine(Cuda.Arch);
  Machine->setOptLevel(CodeGenOptLevel::Aggressive); // that of -O3
  StringRef Ending = sys::path::extension(Path);
  bool IsOfIR = Ending == ".ll" || Ending == ".bc";
  std::vector<KernelVersions> Versions(Reports.size());
  PtxVersions Ptx;
  for (const std::unique_ptr<Module> &M : Input.Modules)
    for (bool WithPasses : {false, true}) {
      ModuleVersion Version(*M, *Machine);
      Version.run(WithPasses);
      for (auto [Report, Of] : zip_equal(Reports, Versions))
        if (Report.Kernel->Function &&
            Report.Kernel->Function->getParent() == M.get()) {
          std::vector<std::string> Readable;
          (WithPasses ? Of.MapsAfter : Of.MapsBefore) = Version.mapsOf(
              *Report.Kernel->Function, Report.Accesses, Readable);
          if (!WithPasses)
            Of.Readable = std::move(Readable);
        }
      if (!IsOfIR)
        continue;
      Ptx.take(Version.printPtx(*Machine), Path, WithPasses);
      for (const KernelReport &Report : Reports)
        Ptx.Names[Report.Kernel->Name] =
            Version.nameOf(*Report.Kernel->Function).str();
    }
  IndexSimplifyPasses Passes;
  Passes.Facts.FactsFile = FactsPath.str();
  if (Ending == ".cu")
    if (Error E = compileBoth(Path, Cuda, Passes, *Machine, Ptx))
      return E;
  if (Ending == ".ptx")
    if (Error E = simplifyPtx(Path, Passes, Ptx))
      return E;
  for (auto [Report, Of] : zip_equal(Reports, Versions))
    Ptx.fill(Report.Kernel->Name, Of);
  return Versions;
}

} // namespace unravel
