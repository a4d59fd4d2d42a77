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
#include "llvm/IR/DebugInfo.h"
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
  /// By the accesses of the module that was copied.
  std::vector<std::string> mapsOf(const Function &F,
                                  ArrayRef<AccessReport> Accesses);
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
ModuleVersion::mapsOf(const Function &F, ArrayRef<AccessReport> Accesses) {
  std::vector<std::string> Maps(Accesses.size());
  auto *OfCopy = dyn_cast_or_null<Function>(Copies.lookup(&F));
  if (!OfCopy)
    return Maps;
  FunctionAnalysisManager &AM = Managers.Functions;
  RangeFacts Facts(*OfCopy, AM);
  IndexRecovery Recovery(Facts, AM.getResult<DominatorTreeAnalysis>(*OfCopy),
                         AM.getResult<LoopAnalysis>(*OfCopy), {});
  // Copies from memory to memory have two accesses.
  std::map<const Instruction *, SmallVector<std::string, 2>> Texts;
  for (const AccessMap &Map : accessMapsOf(Recovery))
    Texts[Map.Access.Instruction].push_back(mapText(Map));
  std::map<const Instruction *, unsigned> Taken;
  for (auto [Report, Map] : zip_equal(Accesses, Maps)) {
    const Instruction *Old = Report.Access.Instruction;
    auto *New = dyn_cast_or_null<Instruction>(Copies.lookup(Old));
    auto It = Texts.find(New);
    unsigned Number = Taken[Old]++;
    if (New && It != Texts.end() && Number < It->second.size())
      Map = It->second[Number];
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

Expected<std::vector<KernelVersions>> versionsOf(ArrayRef<KernelReport> Reports,
                                                 const KernelInput &Input,
                                                 StringRef Path,
                                                 StringRef Arch) {
  Expected<NvptxTarget> Target = NvptxTarget::create();
  if (!Target)
    return Target.takeError();
  if (!Target->info().isCPUStringValid(Arch))
    return createStringError("--arch: '" + Arch +
                             "' is no architecture that LLVM knows; give one "
                             "like sm_90");
  std::unique_ptr<TargetMachine> Machine = Target->createMachine(Arch);
  bool IsPtx = any_of(Input.Kernels,
                      [](const InputKernel &Kernel) { return Kernel.IsPtx; });
  std::vector<KernelVersions> Versions(Reports.size());
  PtxVersions Ptx;
  for (const std::unique_ptr<Module> &M : Input.Modules)
    for (bool WithPasses : {false, true}) {
      ModuleVersion Version(*M, *Machine);
      Version.run(WithPasses);
      for (auto [Report, Of] : zip_equal(Reports, Versions))
        if (Report.Kernel->Function &&
            Report.Kernel->Function->getParent() == M.get())
          (WithPasses ? Of.MapsAfter : Of.MapsBefore) =
              Version.mapsOf(*Report.Kernel->Function, Report.Accesses);
      if (IsPtx)
        continue;
      Ptx.take(Version.printPtx(*Machine), Path, WithPasses);
      for (const KernelReport &Report : Reports)
        Ptx.Names[Report.Kernel->Name] =
            Version.nameOf(*Report.Kernel->Function).str();
    }
  if (IsPtx) {
    Expected<std::string> Text = readFile(Path);
    if (!Text)
      return Text.takeError();
    Expected<ptx::SimplifiedModule> Simplified =
        ptx::simplifyModule(*Text, Path, {});
    if (!Simplified)
      return Simplified.takeError();
    Ptx.take(*Text, Path, /*IsAfter=*/false);
    Ptx.take(Simplified->Text, Path, /*IsAfter=*/true);
  }
  for (auto [Report, Of] : zip_equal(Reports, Versions))
    Ptx.fill(Report.Kernel->Name, Of);
  return Versions;
}

} // namespace unravel
