//===- ModuleSimplifier.cpp - Simplify the kernels of a PTX module --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/simplify/ModuleSimplifier.h"
#include "ptx/lower/KernelLowering.h"
#include "ptx/simplify/DebugPlaces.h"
#include "ptx/simplify/RemarkPrinter.h"
#include "ptx/text/PtxParser.h"
#include "ptx/text/PtxPrinter.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

/// Where it counts: by loop depth, and not worse in the innermost loops, nor as
/// a whole. Where a loop is gone, the one around it is innermost.
static bool isCheaper(const PtxCounts &New, const PtxCounts &Old) {
  return New.LoopCost < Old.LoopCost && New.Cost <= Old.Cost &&
         (New.InnermostCost <= Old.InnermostCost || New.Loops < Old.Loops);
}

/// Whether \p Fast is worth the room beside \p Rest: as in the passes.
static bool paysBeside(const PtxCounts &Fast, const PtxCounts &Rest) {
  static constexpr unsigned LeastGain = 8, LeastGainPercent = 5;
  return Fast.LoopCost < Rest.LoopCost &&
         Fast.InnermostCost <= Rest.InnermostCost &&
         Fast.LoopCost + LeastGain <= Rest.LoopCost &&
         uint64_t(Fast.LoopCost) * 100 <=
             uint64_t(Rest.LoopCost) * (100 - LeastGainPercent);
}

namespace {

/// Simplifies one kernel.
class KernelSimplifier {
public:
  KernelSimplifier(const ptx::Module &M, const ptx::Function &Kernel,
                   const DebugPlaces &Debug, const SourcePlaces &Source,
                   const SimplifierOptions &Options, const Backend &Target)
      : M(M), Kernel(Kernel), Debug(Debug), Source(Source), Options(Options),
        Target(Target) {
    Report.Name = Kernel.Name.str();
    Report.Old = countInstructions(Kernel);
  }

  KernelReport run();
  /// What stands between the braces, if the kernel is simplified.
  std::string body() { return std::move(Body); }

private:
  Error simplify();
  /// Has \p Statements between the braces.
  void take(const LiftedKernel &Lifted, StringRef Statements);
  /// Takes \p New if it is cheaper.
  void considerAlone(const LiftedKernel &Lifted, const LoweredBody &New);
  /// Finishes and lowers \p Simplified.
  Expected<LoweredBody> finish(KernelOptimizer &Optimizer,
                               LiftedKernel &Simplified);
  /// Considers the kernel with its divisions as they were, in place of \p
  /// Guarded, which is expected to cost \p WithGuards. Returns false if that
  /// costs more, or cannot be made.
  bool considerWithoutGuards(const LiftedKernel &Guarded,
                             const EstimatedCost &WithGuards);
  Error considerSecondBody(const LiftedKernel &Lifted, const LoweredBody &New);

  LLVMContext Context;
  const ptx::Module &M;
  const ptx::Function &Kernel;
  const DebugPlaces &Debug;
  const SourcePlaces &Source;
  const SimplifierOptions &Options;
  const Backend &Target;
  KernelReport Report;
  std::string Body;
  /// Those that were taken; empty if they are the old ones.
  std::string Taken;
};

} // namespace

void KernelSimplifier::take(const LiftedKernel &Lifted, StringRef Statements) {
  Report.Result = KernelReport::Outcome::Simplified;
  Body = Debug.addTo(composeBody(Lifted, Statements), Kernel);
}

void KernelSimplifier::considerAlone(const LiftedKernel &Lifted,
                                     const LoweredBody &New) {
  Report.New = New.Counts;
  Report.Result = KernelReport::Outcome::NotCheaper;
  if (!Options.TakeAll && !isCheaper(New.Judged, Report.Old))
    return;
  Taken = New.Statements;
  take(Lifted, Taken);
}

Expected<LoweredBody> KernelSimplifier::finish(KernelOptimizer &Optimizer,
                                               LiftedKernel &Simplified) {
  Optimizer.finish(Simplified);
  return lower(Simplified, M, Kernel, Target);
}

bool KernelSimplifier::considerWithoutGuards(const LiftedKernel &Guarded,
                                             const EstimatedCost &WithGuards) {
  // What is known of quotients saves divisions, or nothing.
  if (Guarded.GuardedDivisions.empty() ||
      WithGuards.Divisions < Report.Old.Division)
    return false;
  Expected<LiftedKernel> Lifted = liftKernel(
      M, Kernel, Context, Options.Division, Guarded.GuardedDivisions);
  if (!Lifted) {
    consumeError(Lifted.takeError());
    return false;
  }
  // Its remarks would be those of the first attempt again.
  std::unique_ptr<DiagnosticHandler> Remarks = Context.getDiagnosticHandler();
  Context.setDiagnosticHandler(std::make_unique<RemarkSilencer>());
  scope_exit Restore([&] {
    Context.setDiagnosticHandler(std::move(Remarks), /*RespectFilters=*/true);
  });
  IndexSimplifyPasses Passes = Options.Passes;
  Passes.Simplify.Versioning = VersioningMode::Off;
  KernelOptimizer Optimizer(*Lifted, Passes, Target,
                            /*KeepHiddenCounters=*/bool(Options.IsWorse));
  Optimizer.simplify();
  if (!(Optimizer.estimate(*Lifted).Price < WithGuards.Price))
    return false;
  Expected<LoweredBody> New = finish(Optimizer, *Lifted);
  if (!New) {
    consumeError(New.takeError());
    return false;
  }
  if (Report.New && !isCheaper(New->Judged, *Report.New))
    return false;
  considerAlone(*Lifted, *New);
  return true;
}

Error KernelSimplifier::considerSecondBody(const LiftedKernel &Lifted,
                                           const LoweredBody &New) {
  Report.Fast = New.Counts;
  if (!Options.TakeAll &&
      !paysBeside(New.Counts, Taken.empty() ? Report.Old : *Report.New))
    return Error::success();
  Expected<std::string> Both = withFallback(
      New.Statements, Taken.empty() ? oldStatements(Kernel) : Taken);
  if (!Both)
    return Both.takeError();
  Report.HasSecondBody = true;
  take(Lifted, *Both);
  return Error::success();
}

Error KernelSimplifier::simplify() {
  if (Kernel.BodyText.contains(SimplifiedComment)) {
    Report.Result = KernelReport::Outcome::NothingToGain;
    Report.Reason = "it was simplified before";
    return Error::success();
  }
  if (Error E = Debug.check(Kernel))
    return E;
  Expected<LiftedKernel> Lifted =
      liftKernel(M, Kernel, Context, Options.Division);
  if (!Lifted)
    return Lifted.takeError();
  Context.setDiagnosticHandler(
      std::make_unique<RemarkPrinter>(Source, Lifted->Places),
      /*RespectFilters=*/true);
  // Copies of a loop make longer code.
  KernelOptimizer Optimizer(*Lifted, Options.Passes, Target,
                            /*KeepHiddenCounters=*/bool(Options.IsWorse));
  std::optional<LiftedKernel> Rest = Optimizer.simplify();
  EstimatedCost WithGuards;
  if (!Lifted->GuardedDivisions.empty())
    WithGuards = Optimizer.estimate(Rest ? *Rest : *Lifted);
  if (!Rest && considerWithoutGuards(*Lifted, WithGuards))
    return Error::success();
  Expected<LoweredBody> New = finish(Optimizer, *Lifted);
  if (!New)
    return New.takeError();
  if (!Rest) {
    considerAlone(*Lifted, *New);
    return Error::success();
  }
  Expected<LoweredBody> Alone = finish(Optimizer, *Rest);
  if (!Alone)
    return Alone.takeError();
  considerAlone(*Rest, *Alone);
  // Without a second body, what was taken stays.
  if (Error E = considerSecondBody(*Lifted, *New))
    Report.Reason = toString(std::move(E));
  // For other launches than the ordinary ones that is not worth the time.
  if (!Report.HasSecondBody)
    considerWithoutGuards(*Rest, WithGuards);
  return Error::success();
}

KernelReport KernelSimplifier::run() {
  if (Error E = simplify()) {
    Report.Result = KernelReport::Outcome::NotUnderstood;
    Report.Reason = toString(std::move(E));
  }
  return Report;
}

Expected<SimplifiedModule>
unravel::ptx::simplifyModule(StringRef Text, StringRef BufferName,
                             const SimplifierOptions &Options) {
  Expected<ptx::Module> M = parseModule(Text, BufferName);
  if (!M)
    return M.takeError();
  Expected<Backend> Target = Backend::create(*M);
  if (!Target)
    return createStringError(BufferName +
                             ": error: " + toString(Target.takeError()));
  DebugPlaces Debug(*M);
  SourcePlaces Source(*M, BufferName);
  SimplifiedModule Result;
  std::map<const ptx::Function *, std::string> Bodies;
  std::vector<const ptx::Function *> Kernels;
  IndexFactsState &Facts = *Options.Passes.State;
  Facts.WholeFile = BufferName.str();
  Facts.KernelsOfFile.clear();
  for (const Item &I : M->Items)
    if (auto *F = I.as<ptx::Function>(); F && F->HasBody) {
      if (!F->IsKernel) {
        Result.OtherFunctions.push_back(F->Name.str());
        continue;
      }
      Kernels.push_back(F);
      Facts.KernelsOfFile.push_back(F->Name.str());
    }
  for (const ptx::Function *F : Kernels) {
    KernelSimplifier Simplifier(*M, *F, Debug, Source, Options, *Target);
    Result.Kernels.push_back(Simplifier.run());
    if (Result.Kernels.back().Result == KernelReport::Outcome::Simplified)
      Bodies[F] = Simplifier.body();
  }
  auto Splice = [&] {
    return splice(*M, [&](const ptx::Function &F) {
      auto It = Bodies.find(&F);
      return It == Bodies.end() ? std::nullopt
                                : std::optional<StringRef>(It->second);
    });
  };
  Result.Target = M->Target.str();
  Result.Text = Splice();
  if (!Options.IsWorse || Bodies.empty())
    return Result;
  Expected<StringSet<>> Worse = Options.IsWorse(Text, Result);
  if (!Worse)
    return Worse.takeError();
  for (KernelReport &K : Result.Kernels)
    if (K.Result == KernelReport::Outcome::Simplified &&
        Worse->contains(K.Name)) {
      K.Result = KernelReport::Outcome::Worse;
      Bodies.erase(M->find(K.Name));
    }
  Result.Text = Splice();
  return Result;
}
