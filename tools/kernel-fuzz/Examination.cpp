//===- Examination.cpp - A module before and after the pass ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/Examination.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace unravel {

StringRef nameOf(Form F) {
  static constexpr StringRef Names[] = {"raw", "o2", "o3"};
  return Names[unsigned(F)];
}

static std::string textOf(const Module &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  M.print(OS, nullptr);
  return Text;
}

/// The text without the names of values, which are no change.
static std::string textWithoutNames(const Module &M) {
  std::unique_ptr<Module> Copy = CloneModule(M);
  for (Function &F : *Copy) {
    for (Argument &A : F.args())
      A.setName("");
    for (BasicBlock &BB : F) {
      BB.setName("");
      for (Instruction &I : BB)
        I.setName("");
    }
  }
  return textOf(*Copy);
}

namespace {

/// Drops what is said. Errors are no end: the pass reports a kernel that no
/// thread could execute, and the comparison finds out whether one does. May
/// want every remark, so that the code behind them runs.
class DroppedDiagnostics : public DiagnosticHandler {
public:
  explicit DroppedDiagnostics(bool WantsRemarks) : WantsRemarks(WantsRemarks) {}
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
  bool isAnalysisRemarkEnabled(StringRef) const override {
    return WantsRemarks;
  }
  bool isMissedOptRemarkEnabled(StringRef) const override {
    return WantsRemarks;
  }
  bool isPassedOptRemarkEnabled(StringRef) const override {
    return WantsRemarks;
  }
  bool isAnyRemarkEnabled() const override { return WantsRemarks; }

private:
  bool WantsRemarks;
};

class Examination {
public:
  Examination(Form F, const PassRunner &Runner,
              const ExaminationOptions &Options, FuzzCounters &Counters)
      : F(F), Runner(Runner), Options(Options), Counters(Counters) {}
  ExaminationResult run(std::unique_ptr<Module> M);

private:
  std::unique_ptr<Module> transformed(const Module &M, StringRef Pipeline,
                                      bool WithPlugins) const {
    std::unique_ptr<Module> Copy = CloneModule(M);
    Runner.run(*Copy, Pipeline, WithPlugins);
    return Copy;
  }
  std::optional<Difference> compare(const Module &Old, const Module &New,
                                    FuzzCounters &Counters);

  Form F;
  const PassRunner &Runner;
  const ExaminationOptions &Options;
  FuzzCounters &Counters;
  ExaminationResult Result;
};

} // namespace

std::optional<Difference> Examination::compare(const Module &Old,
                                               const Module &New,
                                               FuzzCounters &Counters) {
  CompareBy How = F == Form::O3 ? CompareBy::Memory : CompareBy::Events;
  for (const Function &Function : Old) {
    const llvm::Function *Other = New.getFunction(Function.getName());
    // LLVM may inline and drop functions that are not visible outside.
    if (Function.isDeclaration() || !Other || Other->isDeclaration() ||
        (F == Form::O3 && Function.hasLocalLinkage()))
      continue;
    std::string Unsupported;
    auto D = compareFunctions(Function, *Other, How, Options.Runs, Counters,
                              Unsupported);
    if (!Unsupported.empty())
      Result.Unsupported.push_back(
          (Function.getName() + ": " + Unsupported).str());
    if (D)
      return D;
  }
  return std::nullopt;
}

ExaminationResult Examination::run(std::unique_ptr<Module> M) {
  ++Counters.Kernels;
  bool AtExtensionPoint = F == Form::O3;
  M->getContext().setDiagnosticHandler(
      std::make_unique<DroppedDiagnostics>(/*WantsRemarks=*/F == Form::Raw));
  if (F == Form::O2)
    Runner.run(*M, "default<O2>", /*WithPlugins=*/false);
  StringRef Pipeline = Options.Passes;
  if (AtExtensionPoint)
    Pipeline = "default<O3>";
  std::unique_ptr<Module> After =
      transformed(*M, Pipeline, /*WithPlugins=*/true);
  Result.Rerun = AtExtensionPoint ? F : Form::Raw;
  std::string Broken;
  raw_string_ostream BrokenStream(Broken);
  if (verifyModule(*After, &BrokenStream)) {
    ++Counters.Findings;
    Result.Finding = Difference{"invalid-ir", "invalid IR: " + Broken + "\n"};
    Result.Before = textOf(*M);
    Result.After = textOf(*After);
    return std::move(Result);
  }
  std::unique_ptr<Module> Plain =
      AtExtensionPoint ? transformed(*M, Pipeline, /*WithPlugins=*/false)
                       : nullptr;
  std::string AfterText = textOf(*After);
  if (AfterText == textOf(Plain ? *Plain : *M))
    return std::move(Result);
  ++Counters.Changed;
  Result.Finding = compare(*M, *After, Counters);
  if (Result.Finding && Plain) {
    FuzzCounters Ignored;
    if (compare(*M, *Plain, Ignored)) {
      ++Counters.LLVMFindings;
      Result.Finding->Kind = "llvm-" + Result.Finding->Kind;
    }
  }
  if (Result.Finding) {
    Counters.Findings += !StringRef(Result.Finding->Kind).starts_with("llvm-");
    Result.Before = textOf(*M);
    Result.After = std::move(AfterText);
    return std::move(Result);
  }
  if (!AtExtensionPoint && Options.TestsIdempotence) {
    auto Twice = transformed(*After, Pipeline, /*WithPlugins=*/true);
    Result.IsIdempotent = textWithoutNames(*Twice) == textWithoutNames(*After);
    Counters.NotIdempotent += !Result.IsIdempotent;
  }
  return std::move(Result);
}

ExaminationResult examine(std::unique_ptr<Module> M, Form F,
                          const PassRunner &Runner,
                          const ExaminationOptions &Options,
                          FuzzCounters &Counters) {
  return Examination(F, Runner, Options, Counters).run(std::move(M));
}

} // namespace unravel
