//===- RewriteCertifier.cpp - Decides rewrites ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/RewriteCertifier.h"
#include "analysis/facts/SourcePlaces.h"
#include "transforms/certify/PlanEncoder.h"
#include "transforms/simplify/RemarkSink.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

using namespace llvm;

#define DEBUG_TYPE "index-simplify"

namespace unravel {

/// Cases of one rewrite, and entries of linear programs that they look at.
static constexpr unsigned MaxCases = 64;
static constexpr int64_t MaxWork = 4'000'000;
/// Splits, for a case that may contradict itself.
static constexpr unsigned SplitsForContradiction = 48;

/// Proves one case. What is missing is in the case.
static void proveCase(const IndexRoot &Root, const FunctionView &View,
                      const LeafRanges &Ranges, Case &C) {
  ValueEncoder Values(View, C, Root.At, Ranges);
  Values.learn();
  Values.words().fixMultiples();
  Word Old = Values.valueOf(Root.Old, Trust::Believed);
  // The decisions that were missing have been made.
  Values.learn();
  if (!C.reason().empty())
    return;
  PlanEncoder Plan(View, C, Values, Root.Old);
  Word New = Root.Constant ? Values.words().truth(*Root.Constant)
                           : Plan.valueOf(Root.New);
  Values.words().fixQuotients();
  if (C.reason().empty() && !Values.words().areEqual(Old, New))
    C.giveUp("a proof that the new value is the old one");
}

RewriteProof proveRewrite(const IndexRoot &Root, const FunctionView &Function) {
  RewriteProof Result;
  FunctionView View = Function;
  if (Root.New) {
    std::optional<ValueSet> Opaque = opaqueValues(Root.New);
    if (!Opaque) {
      Result.Missing = "a value that may be undef is used twice";
      return Result;
    }
    View.Opaque = *Opaque;
  }
  LeafRanges Ranges = ValueEncoder::rangesAt(View, Root.At);
  if (Root.New) {
    Case Anywhere({}, View.Memo);
    ValueEncoder Values(View, Anywhere, Root.At, Ranges);
    PlanEncoder(View, Anywhere, Values, Root.Old).checkDivisions(Root.New);
    Result.Missing = Anywhere.reason().str();
    if (!Result.Missing.empty())
      return Result;
  }
  Case::Script Script;
  int64_t Work = 0;
  do {
    if (++Result.Cases > MaxCases || Work > MaxWork) {
      Result.Missing = "too many cases";
      return Result;
    }
    Case C(Script, View.Memo);
    proveCase(Root, View, Ranges, C);
    // What cannot happen needs no proof.
    if (!C.reason().empty() && !C.Proofs.isImpossible(SplitsForContradiction))
      Result.Missing = C.reason().str();
    if (!C.followsScript())
      Result.Missing = "cases that fit together";
    Result.Certificates += C.Proofs.effort().Proofs;
    Result.Nodes += C.Proofs.effort().Nodes;
    Work += C.Proofs.effort().Work;
    if (C.Proofs.effort().CheckFailed)
      Result.Missing =
          "a certificate is wrong; this is a bug, please report it";
    if (!Result.Missing.empty())
      return Result;
    Script = C.nextScript();
  } while (!Script.empty());
  return Result;
}

void refuseUndecidedRewrites(std::vector<IndexRoot *> &Chosen,
                             const FunctionView &View, RemarkSink &Remarks,
                             OptimizationRemarkEmitter &ORE) {
  if (Chosen.empty())
    return;
  using NV = OptimizationRemarkMissed::Argument;
  ReversePostOrderTraversal<const Function *> Order(&View.F);
  bool HasStrangeCycles =
      containsIrreducibleCFG<const BasicBlock *>(Order, View.LI);
  RewriteProof Sum;
  std::vector<IndexRoot *> Proved;
  for (IndexRoot *Root : Chosen) {
    RewriteProof Proof;
    if (HasStrangeCycles)
      Proof.Missing = "a cycle that is no natural loop";
    else
      Proof = proveRewrite(*Root, View);
    Sum.Cases += Proof.Cases;
    Sum.Certificates += Proof.Certificates;
    Sum.Nodes += Proof.Nodes;
    if (Proof.Missing.empty()) {
      Proved.push_back(Root);
      continue;
    }
    Remarks.emit(ORE, [&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, "Undecided",
                                      remarkPlace(*Root->Old),
                                      Root->Old->getParent())
             << "not rewritten, for want of a proof: "
             << NV("Missing", Proof.Missing);
    });
  }
  Remarks.emit(ORE, [&] {
    return OptimizationRemarkAnalysis(DEBUG_TYPE, "Certified",
                                      View.F.getSubprogram(),
                                      &View.F.getEntryBlock())
           << NV("Proved", unsigned(Proved.size())) << " of "
           << NV("Rewrites", unsigned(Chosen.size())) << " rewrites proved, in "
           << NV("Cases", Sum.Cases) << " cases with "
           << NV("Certificates", Sum.Certificates) << " certificates of "
           << NV("Nodes", Sum.Nodes) << " nodes";
  });
  Chosen = std::move(Proved);
}

} // namespace unravel
