//===- IndexSimplify.cpp - Simplifies index arithmetic --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that takes a linear index apart and puts it together again,
//
//     %c = udiv i32 %x, 75          ; x = 75*c + d
//     %d = urem i32 %x, 75
//     %m = mul nuw nsw i32 %c, 300
//     %n = shl nuw nsw i32 %d, 2
//     %i = add nuw nsw i32 %m, %n   ; 300*c + 4*d = 4*x
//     %e = zext nneg i32 %i to i64
//     %p = getelementptr inbounds float, ptr %in, i64 %e
//
// computes nothing but
//
//     %e = zext i32 %x to i64
//     %o = shl nuw nsw i64 %e, 4
//     %p = getelementptr inbounds nuw i8, ptr %in, i64 %o
//
// The pass collects the roots of index arithmetic (addresses, comparisons,
// quotients used by other code), recovers the form of each, plans cheaper
// arithmetic for all of them together, and replaces those where it pays.
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/IndexSimplify.h"
#include "analysis/facts/DeviceCode.h"
#include "analysis/recovery/IndexRecovery.h"
#include "transforms/late/HiddenQuotients.h"
#include "transforms/late/TwoBodies.h"
#include "transforms/plan/IndexExpander.h"
#include "transforms/plan/NVPTXCostModel.h"
#include "transforms/simplify/AlignedCompares.h"
#include "transforms/simplify/EqualDivisions.h"
#include "transforms/simplify/FactRemarks.h"
#include "transforms/simplify/FactTrials.h"
#include "transforms/simplify/IndexRoots.h"
#include "transforms/simplify/IndexVectors.h"
#include "transforms/simplify/MaskedCompares.h"
#include "transforms/simplify/NarrowCounters.h"
#include "transforms/simplify/RemarkSink.h"
#include "transforms/simplify/Replacement.h"
#include "transforms/simplify/RewriteCertifier.h"
#include "transforms/simplify/RewriteRemarks.h"
#include "transforms/simplify/RewriteSelection.h"
#include "transforms/simplify/RewriteVerifier.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DebugCounter.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

#define DEBUG_TYPE "index-simplify"

DEBUG_COUNTER(RewriteCounter, "index-simplify-rewrite",
              "Controls which roots index-simplify rewrites");

namespace unravel {

/// Plans new code for one root under the facts that hold where it is used.
/// Leaves the root without a plan if there is none.
static void planRoot(IndexRoot &Root, PlanningContext &Planning) {
  IndexRecovery &Recovery = Planning.Recovery;
  RecoveryScope &Scope = Recovery.scopeOf(Root.At->getParent());
  RootFacts Facts(Root.Old, Recovery, Scope);
  VariableSet Variables;
  for (IndexExpr Form : Root.forms())
    addVariables(Variables, Form);
  IndexExpander Expander(Planning,
                         {Scope, Root.At, Facts, std::move(Variables)});
  switch (Root.Kind) {
  case RootKind::Address:
    if (Root.Pointer)
      Root.New = Expander.planAddress(*Root.Pointer);
    break;
  case RootKind::Comparison: {
    auto *Cmp = cast<ICmpInst>(Root.Old);
    PlannedComparison P =
        Root.Limit
            ? Expander.planRangeCheck(ICmpInst::isLT(Cmp->getPredicate()) ||
                                          ICmpInst::isLE(Cmp->getPredicate()),
                                      Root.Form, Root.Limit)
            : Expander.planComparison(Cmp->getPredicate(), Root.Form);
    Root.Constant = P.Constant;
    // Loop strength reduction wants the exit test as it is.
    if (!Root.decidesLoop(Recovery.loopInfo()))
      Root.New = P.Node;
    break;
  }
  case RootKind::Value:
    Root.New = Expander.planValue(Root.Form,
                                  Root.Old->getType()->getIntegerBitWidth());
    break;
  }
  // A value planned as itself is no rewrite.
  if (Root.New && Root.New->Leaf == Root.Old)
    Root.New = nullptr;
  if (Root.New)
    Planning.Prices.keep(Root.New);
}

namespace {
/// New code for the roots of a function, and which of it pays.
struct Proposal {
  Proposal(std::vector<IndexRoot> AllRoots, IndexRecovery &Recovery,
           const WantedQuotients &Wanted, bool ReuseSources,
           const IndexSimplifyLimits &Limits, AssumptionCache &AC)
      : Roots(std::move(AllRoots)),
        Planning(Recovery, Wanted, ReuseSources, Limits.MaxAlternatives) {
    std::vector<PlanPrices::Answers> Prices;
    for (IndexRoot &Root : Roots) {
      planRoot(Root, Planning);
      Prices.push_back(Planning.Prices.takeAnswers());
    }
    auto Select = [&](std::vector<IndexRoot> &Planned) {
      return selectRewrites(Planned, Planning.Prices, Recovery.loopInfo(), AC,
                            Limits.MaxGroup);
    };
    Selected = Select(Roots);
    if (Roots.size() == 1)
      return;
    // The first ones could not know what later ones need as well: once more,
    // where that makes another price.
    std::vector<IndexRoot> Again = Roots;
    bool Differs = false;
    for (auto [Root, First, Price] : zip_equal(Again, Roots, Prices)) {
      Planning.Prices.drop(Root.New);
      if (Planning.Prices.areSame(Price)) {
        Planning.Prices.keep(Root.New);
        continue;
      }
      Root.New = nullptr;
      planRoot(Root, Planning);
      Differs |= Root.New != First.New;
    }
    if (!Differs)
      return;
    SelectedRewrites Better = Select(Again);
    if (Better.GainByPrice > Selected.GainByPrice) {
      Roots = std::move(Again);
      Selected = std::move(Better);
    }
  }
  std::vector<IndexRoot> Roots;
  PlanningContext Planning;
  SelectedRewrites Selected; ///< of Roots
};
} // namespace

/// Plans the roots in the body of \p Trial and commits what pays. Returns
/// whether anything changed.
static bool simplifyRoots(std::vector<IndexRoot> Roots, IndexRecovery &Recovery,
                          const IndexSimplifyOptions &Options,
                          const FunctionView &View, RefusedRewrites &Refused,
                          OptimizationRemarkEmitter &ORE, RewriteTrial &Trial,
                          RemarkSink &Remarks) {
  DominatorTree &DT = View.DT;
  const BasicBlock *Region = Trial.body();
  erase_if(Roots, [&](IndexRoot &R) {
    return (Region && !DT.dominates(Region, R.At->getParent())) ||
           !recoverRoot(R, Recovery);
  });
  if (Roots.empty())
    return false;
  WantedQuotients Wanted(Recovery);
  for (const IndexRoot &Root : Roots)
    for (IndexExpr Form : Root.forms())
      Wanted.add(Form, Recovery.scopeOf(Root.At->getParent()));
  // What the source computes for its comparisons is free if it stays, and in
  // the way if it could go as well: try both.
  Proposal Reusing(Roots, Recovery, Wanted, /*ReuseSources=*/true,
                   Options.Limits, View.AC);
  std::optional<Proposal> Fresh;
  if (Reusing.Planning.UsedSources)
    Fresh.emplace(Roots, Recovery, Wanted, /*ReuseSources=*/false,
                  Options.Limits, View.AC);
  Proposal &Best =
      Fresh && Fresh->Selected.GainByPrice > Reusing.Selected.GainByPrice
          ? *Fresh
          : Reusing;
  std::vector<IndexRoot *> Chosen = Trial.choose(Best.Selected);
  // The counter counts what may stay, not what is only tried.
  if (!Remarks.isSilent())
    erase_if(Chosen, [](IndexRoot *) {
      return !DebugCounter::shouldExecute(RewriteCounter);
    });
  if (Options.Verify)
    refuseWrongRewrites(Chosen, Recovery, Options.VerifyPoints, ORE);
  if (Options.Certify)
    refuseUndecidedRewrites(Chosen, View, Refused, Remarks, ORE);
  emitRemarks(Best.Roots, Chosen, Recovery, Best.Planning.Prices, Remarks, ORE,
              /*IsFastBody=*/Region != nullptr);
  if (Chosen.empty())
    return false;
  Replacement(Chosen, DT, View.LI).finish(View.AC);
  return true;
}

/// One round: over all roots or, if nothing pays there, over the digits that
/// they are made of.
static Simplification simplifyOnce(Function &F,
                                   const IndexSimplifyOptions &Options,
                                   FunctionAnalysisManager &AM,
                                   RefusedRewrites &Refused,
                                   RewriteTrial &Trial, RemarkSink &Remarks) {
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = AM.getResult<LoopAnalysis>(F);
  auto &AC = AM.getResult<AssumptionAnalysis>(F);
  auto &ORE = AM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  RangeFacts Facts(F, AM);
  IndexRecovery Recovery(Facts, DT, LI, Options.Limits.Recovery);
  FunctionView View{F,  DT,
                    LI, AM.getResult<ScalarEvolutionAnalysis>(F),
                    AC, Options.Proofs.get()};
  bool Changed = simplifyRoots(collectRoots(F, Options, DT, AC), Recovery,
                               Options, View, Refused, ORE, Trial, Remarks) ||
                 simplifyRoots(collectDigits(F, DT), Recovery, Options, View,
                               Refused, ORE, Trial, Remarks);
  return {Changed, Recovery.context().work()};
}

Simplification simplifyIndices(Function &F, const IndexSimplifyOptions &Options,
                               FunctionAnalysisManager &AM, RewriteTrial &Trial,
                               RemarkSink &Remarks) {
  const BasicBlock *Region = Trial.body();
  Simplification Result;
  // Facts about values that are gone must not survive into the next step.
  auto Note = [&](bool StepChanged) {
    if (!StepChanged)
      return false;
    PreservedAnalyses PA;
    PA.preserveSet<CFGAnalyses>();
    AM.invalidate(F, PA);
    return Result.Changed = true;
  };
  // Of these, nothing proves by other means that they are right.
  if (!Options.Certify) {
    Note(splitIndexVectors(F, AM, Region));
    Note(Options.Comparisons && mergeMaskedCompares(F, AM, Region));
    Note(narrowCounters(F, Options.Limits.Recovery, AM, Region));
  }
  RefusedRewrites Refused;
  for (unsigned Round = 0; Round < Options.Limits.MaxRounds; ++Round) {
    // In each round: new code may divide as old code does, and what is compared
    // may be a multiple only once rewritten.
    if (!Options.Certify)
      Note(mergeEqualDivisions(F, AM, Region));
    if (!Options.Certify && Options.Comparisons)
      Note(alignCompares(F, AM, Region));
    Simplification Once = simplifyOnce(F, Options, AM, Refused, Trial, Remarks);
    Result.Work += Once.Work;
    if (!Note(Once.Changed))
      break;
  }
  return Result;
}

LatePrice priceBehindPipeline(Function &F, FunctionAnalysisManager &AM,
                              RewriteTrial &Trial) {
  SmallVector<BasicBlock *, 16> Blocks(make_pointer_range(F));
  std::optional<HiddenQuotients> Hidden =
      hideQuotients(F, AM, Blocks, [&Trial] { return Trial.price(); });
  return Hidden ? Hidden->Price : Trial.price();
}

FactTrials::Result priceSimplified(Function &Copy,
                                   const IndexSimplifyOptions &Options,
                                   FunctionAnalysisManager &AM) {
  RewriteTrial Trial(Copy, AM);
  RemarkSink Silent(RemarkSink::When::Never);
  uint64_t Work = simplifyIndices(Copy, Options, AM, Trial, Silent).Work;
  return {priceBehindPipeline(Copy, AM, Trial), Work};
}

PreservedAnalyses IndexSimplifyPass::run(Function &F,
                                         FunctionAnalysisManager &AM) {
  // With -fpass-plugin clang runs the pass on the host side as well.
  if (!isDeviceCode(F))
    return PreservedAnalyses::all();
  // No GPU has exceptions, and a block that begins (or ends) with a handler has
  // no room for new code.
  if (F.hasPersonalityFn())
    return PreservedAnalyses::all();
  // Each of two bodies is finished; what they have in common stays where it is.
  if (F.hasFnAttribute(VersionedMarker))
    return PreservedAnalyses::all();
  TimeTraceScope Scope("IndexSimplify", F.getName());
  std::optional<FactTrials> Facts =
      tryMissingFacts(F, AM, Options, priceSimplified);
  RewriteTrial Trial(F, AM, Options.RunsAgain);
  RemarkSink Remarks(Options.RunsAgain ? RemarkSink::When::OfChanges
                                       : RemarkSink::When::Now);
  bool Changed = simplifyIndices(F, Options, AM, Trial, Remarks).Changed;
  reportMissingFacts(F, Options, AM, Facts ? &*Facts : nullptr);
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace unravel
