//===- AccessReport.cpp - What each access of a kernel costs --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/AccessReport.h"
#include "analysis/warps/AccessHints.h"
#include "analysis/warps/RequestClasses.h"
#include "analysis/warps/VectorWidths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace unravel {

/// What one access needs besides the evaluator.
namespace {
class AccessAnalysis {
public:
  AccessAnalysis(KernelAnalyses &With, const BlockShape &Block, unsigned Steps,
                 AccessReport &Report, bool KeepsForms)
      : Block(Block), Report(Report), Access(Report.Access),
        KeepsForms(KeepsForms), Evaluator(With, Block, Symbols, Steps) {}

  void run();
  unsigned stepsLeft() const { return Evaluator.stepsLeft(); }
  ArrayRef<RequestForm> forms() const { return Forms; }

private:
  bool isOutOfScope();
  bool visitClass();
  bool visitWarp(unsigned Warp);
  std::array<bool, LanesPerWarp> activeLanes();
  bool boundWarp(unsigned Warp, const WarpValue &Pointer);
  void noteAssumptions();
  void describe(unsigned Warp, const LaneAddressForm &Lanes);
  void giveUp(const Twine &Why) { Report.NotUnderstood = Why.str(); }

  BlockShape Block;
  AccessReport &Report;
  const MemoryAccess &Access;
  bool KeepsForms;
  std::vector<RequestForm> Forms;
  WarpSymbols Symbols;
  WarpEvaluator Evaluator;
  CostRange Range;
  /// The pointer in a class that is left out, and whether any class is not.
  WarpValue LeftOut;
  bool IsAnyKnown = false;
  std::optional<unsigned> DescribedWarp;
  /// Of all warps and classes, each once; more than two are not needed.
  SmallVector<std::string, 4> Patterns;
};
} // namespace

/// What no warp has to be looked at for.
bool AccessAnalysis::isOutOfScope() {
  if (!Access.NotUnderstood.empty()) {
    giveUp(Access.NotUnderstood);
  } else if (Access.Space == AccessSpace::Local) {
    Report.Pattern = "each lane has its own memory";
  } else if (Access.Space == AccessSpace::Parameter) {
    Report.Pattern = "the arguments of the kernel";
  } else {
    giveUp(Access.whyNoRequest());
    return !Report.NotUnderstood.empty();
  }
  return true;
}

void AccessAnalysis::run() {
  static constexpr unsigned MaxRestarts = 64;
  if (isOutOfScope())
    return;
  bool IsCoarse = false;
  for (unsigned Restarts = 0; Restarts < MaxRestarts;) {
    bool IsComplete = visitClass();
    bool HasTooMany =
        Symbols.hasTooManyClasses() || (!IsCoarse && Evaluator.isOutOfSteps());
    if (HasTooMany && !IsCoarse)
      Report.NotUnderstood.clear();
    if (!Report.NotUnderstood.empty())
      return;
    if (HasTooMany && IsCoarse)
      return giveUp("it depends on too many residues of unknown values");
    if (HasTooMany) {
      // Once more, without the residues of what all lanes share.
      IsCoarse = true;
      Evaluator.beCoarse();
      Symbols = WarpSymbols();
    }
    if (HasTooMany || !IsComplete) {
      ++Restarts;
      Symbols.restart();
      Range = {};
      LeftOut = {};
      IsAnyKnown = false;
      Forms.clear();
      Report.Assumptions.clear();
      DescribedWarp.reset();
      Report.LoopStep = 0;
      Report.IsBounded = Report.IsGather = false;
      Patterns.clear();
      continue;
    }
    if (Symbols.next())
      continue;
    if (!LeftOut.isKnown() && !IsAnyKnown)
      return giveUp(LeftOut.Unknown);
    if (!LeftOut.isKnown())
      Report.Assumptions.push_back("all lanes of a warp leave the loop of " +
                                   LeftOut.LoopThatLanesLeave + " together");
    bool HasLanes = Range.Best.ActiveLanes > 0;
    Report.Pattern = Patterns.empty() ? "no lane" : Patterns[0];
    if (Patterns.size() == 2)
      Report.Pattern += " or " + Patterns[1];
    else if (Patterns.size() > 2)
      Report.Pattern += ", or otherwise";
    Report.HasCost = HasLanes && Access.Space != AccessSpace::Constant;
    Report.Best = Range.Best;
    Report.Worst = Range.Worst;
    Report.Least = Range.Least;
    Report.Most = Range.Most;
    Report.LowestEfficiency = Range.LowestEfficiency;
    Report.HighestEfficiency = Range.HighestEfficiency;
    return;
  }
  giveUp("it depends on too many residues of unknown values");
}

/// All warps of a block; false if all has to begin again.
bool AccessAnalysis::visitClass() {
  return all_of(seq(Block.warps()),
                [&](unsigned Warp) { return visitWarp(Warp); });
}

bool AccessAnalysis::visitWarp(unsigned Warp) {
  Evaluator.startWarp(Warp, Access.Instruction->getParent());
  WarpValue Pointer = Evaluator.valueOf(Access.Pointer);
  if (Symbols.needsRestart())
    return false;
  // There are other classes, perhaps: those in which lanes stay together.
  if (!Pointer.isKnown() && !Pointer.LoopThatLanesLeave.empty()) {
    LeftOut = Pointer;
    return true;
  }
  if (!Pointer.isKnown())
    return boundWarp(Warp, Pointer);
  LaneAddressForm Lanes;
  Lanes.Bytes = Access.Bytes;
  Lanes.Active = activeLanes();
  std::optional<WarpForm> Form =
      add(Pointer.Form, WarpForm::constant(Access.Offset));
  std::optional<CostRange> Cost;
  if (Form) {
    Lanes.Form = *Form;
    Cost = Access.Space == AccessSpace::Shared
               ? sharedCostOf(Lanes, Access.Alignment, Evaluator)
               : globalCostOf(Lanes, Access.Alignment);
  }
  if (Symbols.needsRestart())
    return false;
  if (!Cost) {
    giveUp("its arithmetic leaves 64 bits");
    return true;
  }
  Range.unite(*Cost);
  IsAnyKnown = true;
  if (KeepsForms)
    Forms.push_back({Warp, Lanes, Cost->Best, Cost->Worst});
  for (unsigned S : symbolsBetween(Lanes)) {
    if (Symbols.enumerate(S))
      return false;
    Evaluator.assume("lanes that are a multiple of " + Symbols[S].Name +
                     " apart share no sector and no word");
  }
  noteAssumptions();
  if (Cost->Best.ActiveLanes == 0)
    return true;
  std::string Pattern = patternOf(Lanes, Symbols);
  if (Patterns.size() <= 2 && !is_contained(Patterns, Pattern))
    Patterns.push_back(std::move(Pattern));
  describe(Warp, Lanes);
  return true;
}

void AccessAnalysis::noteAssumptions() {
  if (Evaluator.hasUnknownGuard())
    Evaluator.assume("all lanes of a warp pass the conditions that depend on "
                     "what is not known");
  for (const std::string &What : Evaluator.assumptions())
    if (!is_contained(Report.Assumptions, What))
      Report.Assumptions.push_back(What);
}

std::array<bool, LanesPerWarp> AccessAnalysis::activeLanes() {
  auto Active = Evaluator.activeLanes(Access.Instruction->getParent());
  if (Access.Guard)
    Evaluator.restrictLanes(Active, Access.Guard, Access.GuardHolds);
  return Active;
}

/// A pointer that is not known: only what bounds it counts. False if all has to
/// begin again.
bool AccessAnalysis::boundWarp(unsigned Warp, const WarpValue &Pointer) {
  LaneAddressForm Lanes;
  Lanes.Bytes = Access.Bytes;
  Lanes.Active = activeLanes();
  WarpWays Ways = Pointer.Ways;
  for (WarpWay &Way : Ways)
    Way.Own = Way.Own + Interval::point(Access.Offset);
  auto Within = [&](bool IsGather) {
    return costWithin(Ways, IsGather, Lanes, Access.Alignment,
                      Access.Space == AccessSpace::Shared, Evaluator);
  };
  std::optional<CostRange> Cost = Within(/*IsGather=*/false);
  if (Symbols.needsRestart())
    return false;
  bool IsGather = !Cost && Pointer.IsLoaded;
  if (IsGather)
    Cost = Within(/*IsGather=*/true);
  if (!Cost) {
    giveUp(Pointer.Unknown);
    return true;
  }
  Range.unite(*Cost);
  IsAnyKnown = true;
  Report.IsBounded = true;
  if (KeepsForms)
    Forms.push_back({Warp, Lanes, Cost->Least, Cost->Most, true});
  noteAssumptions();
  if (Cost->Best.ActiveLanes == 0)
    return true;
  Report.IsGather |= IsGather;
  std::string Pattern =
      (IsGather ? "gather: " : "differs between lanes: ") + Pointer.Unknown;
  if (Patterns.size() <= 2 && !is_contained(Patterns, Pattern))
    Patterns.push_back(std::move(Pattern));
  Report.Address.clear();
  Report.Stride.reset();
  DescribedWarp = Warp;
  return true;
}

/// By the first warp that takes part, in all classes.
void AccessAnalysis::describe(unsigned Warp, const LaneAddressForm &Lanes) {
  if (DescribedWarp) {
    if (Warp == *DescribedWarp && Report.Address != textOf(Lanes, Symbols))
      Report.Address.clear();
    if (Warp == *DescribedWarp && Report.Stride != strideOf(Lanes))
      Report.Stride.reset();
    return;
  }
  DescribedWarp = Warp;
  if (!Symbols.isAnyEnumerated())
    Report.Address = textOf(Lanes, Symbols);
  Report.Stride = strideOf(Lanes);
  for (const WarpTerm &T : Lanes.Form.Terms) {
    const WarpSymbols::Symbol &S = Symbols[T.Symbol];
    // In each class the iterations are Split apart.
    int64_t Step = T.Coefficients[0] / S.Split;
    if (S.IsLoopCounter && T.isUniform() && Step > 0 &&
        (Report.LoopStep == 0 || Step < Report.LoopStep))
      Report.LoopStep = Step;
  }
}

void keepValuesInRegisters(Function &F, FunctionAnalysisManager &AM) {
  AM.invalidate(F, SROAPass(SROAOptions::PreserveCFG).run(F, AM));
  AM.invalidate(F, EarlyCSEPass().run(F, AM));
}

std::vector<AccessReport> reportAccesses(Function &F,
                                         FunctionAnalysisManager &AM,
                                         const BlockShape &Block,
                                         RequestVisitor Visit) {
  // One access may take WarpEvaluator::MaxSteps.
  static constexpr unsigned MaxStepsOfKernel = 8000000;
  KernelAnalyses Analyses(F, AM);
  unsigned Left = MaxStepsOfKernel;
  std::vector<AccessReport> Reports;
  for (MemoryAccess &Access : accessesOf(F)) {
    AccessReport Report;
    Report.Access = std::move(Access);
    if (Analyses.DT.isReachableFromEntry(
            Report.Access.Instruction->getParent())) {
      unsigned Steps = std::min(Left, WarpEvaluator::MaxSteps);
      AccessAnalysis Analysis(Analyses, Block, Steps, Report, bool(Visit));
      Analysis.run();
      Left -= Steps - Analysis.stepsLeft();
      if (Visit)
        Visit(Report, Report.NotUnderstood.empty() ? Analysis.forms()
                                                   : ArrayRef<RequestForm>());
    } else {
      Report.NotUnderstood = "nothing reaches it";
      if (Visit)
        Visit(Report, {});
    }
    Reports.push_back(std::move(Report));
  }
  addVectorWidths(Reports, Analyses.SE);
  addHints(Reports);
  return Reports;
}

std::optional<KnownBlock> blockOf(const Function &F) {
  for (StringRef Name : {"nvvm.reqntid", "nvvm.maxntid"}) {
    Attribute A = F.getFnAttribute(Name);
    if (!A.isValid())
      continue;
    unsigned Sizes[3] = {1, 1, 1};
    SmallVector<StringRef, 3> Parts;
    A.getValueAsString().split(Parts, ',');
    bool IsValid = Parts.size() <= 3;
    uint64_t Threads = 1;
    for (size_t I = 0; I < Parts.size() && IsValid; ++I) {
      IsValid = !Parts[I].trim().getAsInteger(10, Sizes[I]) && Sizes[I] > 0 &&
                Sizes[I] <= 1024;
      Threads *= Sizes[I];
    }
    if (IsValid && Threads <= 1024)
      return KnownBlock{{Sizes[0], Sizes[1], Sizes[2]}, Name == "nvvm.reqntid"};
  }
  return std::nullopt;
}

} // namespace unravel
