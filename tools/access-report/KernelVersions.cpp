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
  Module &module() { return *Copy; }

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

/// The kernels of a module of PTX, as text.
static Expected<std::map<std::string, std::string>>
kernelsOf(StringRef Text, StringRef BufferName) {
  Expected<ptx::Module> M = ptx::parseModule(Text, BufferName);
  if (!M)
    return M.takeError();
  std::map<std::string, std::string> Kernels;
  for (const ptx::Item &Item : M->Items)
    if (auto *F = Item.as<ptx::Function>(); F && F->IsKernel && F->HasBody)
      Kernels[F->Name.str()] = Item.Text.str();
  return Kernels;
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
  std::map<std::string, std::string> Before, After;
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
      auto Kernels = kernelsOf(printPtx(Version.module(), *Machine), Path);
      if (!Kernels)
        return Kernels.takeError();
      (WithPasses ? After : Before) = std::move(*Kernels);
    }
  if (IsPtx) {
    Expected<std::string> Text = readFile(Path);
    if (!Text)
      return Text.takeError();
    Expected<ptx::SimplifiedModule> Simplified =
        ptx::simplifyModule(*Text, Path, {});
    if (!Simplified)
      return Simplified.takeError();
    for (auto [Of, From] : {std::pair(&Before, StringRef(*Text)),
                            std::pair(&After, StringRef(Simplified->Text))}) {
      auto Kernels = kernelsOf(From, Path);
      if (!Kernels)
        return Kernels.takeError();
      *Of = std::move(*Kernels);
    }
  }
  for (auto [Report, Of] : zip_equal(Reports, Versions)) {
    Of.PtxBefore = Before[Report.Kernel->Name];
    Of.PtxAfter = After[Report.Kernel->Name];
  }
  return Versions;
}

} // namespace unravel
