//===- RewriteRemarks.cpp - What the pass did with each index ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/RewriteRemarks.h"
#include "transforms/plan/PlanPrices.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

#define DEBUG_TYPE "index-simplify"

namespace unravel {

static StringRef kindName(RootKind Kind) {
  switch (Kind) {
  case RootKind::Address:
    return "address";
  case RootKind::Comparison:
    return "comparison";
  case RootKind::Value:
    return "value";
  }
  llvm_unreachable("covered switch");
}

static std::string describe(const IndexRoot &Root, IndexRecovery &Recovery) {
  std::string Text = toString(Recovery.context(), Root.Kind == RootKind::Address
                                                      ? Root.Pointer->Offset
                                                      : Root.Form);
  if (!Root.Limit)
    return Text;
  auto Predicate = cast<ICmpInst>(Root.Old)->getPredicate();
  bool IsInside = ICmpInst::isLT(Predicate) || ICmpInst::isLE(Predicate);
  return Text + (IsInside ? " in [0, " : " not in [0, ") +
         toString(Recovery.context(), Root.Limit) + ")";
}

static void emitRewritten(const IndexRoot &Root, IndexRecovery &Recovery,
                          OptimizationRemarkEmitter &ORE) {
  ORE.emit([&] {
    OptimizationRemark R(DEBUG_TYPE, "Rewritten", Root.Old);
    if (Root.Constant)
      return R << "comparison is always "
               << ore::NV("Outcome", *Root.Constant ? "true" : "false");
    R << kindName(Root.Kind) << " simplified to ";
    if (Root.Kind == RootKind::Address)
      R << "base + ";
    R << ore::NV("Form", describe(Root, Recovery));
    return Root.Kind == RootKind::Comparison && !Root.Limit
               ? R << " compared with 0"
               : R;
  });
}

/// Limits were reached: the one case in which more can be had without any
/// change of the source.
static void emitLimits(IndexRecovery &Recovery,
                       OptimizationRemarkEmitter &ORE) {
  auto Emit = [&](StringRef Name, StringRef What, unsigned Limit,
                  StringRef Option) {
    ORE.emit([&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, Name,
                                      &*inst_begin(Recovery.function()))
             << What << ore::NV("Limit", Limit)
             << ". To try more: "
                "-Xarch_device -mllvm=-"
             << Option << "=" << ore::NV("More", 2 * Limit + 1);
    });
  };
  if (Recovery.ranOutOfValues())
    Emit("ManyValues",
         "not all of this function is simplified: it has so many guards that "
         "its values were looked at more often per instruction than ",
         Recovery.limits().MaxValuesPerInstruction,
         "index-simplify-max-values");
  if (Recovery.ranOutOfGuards())
    Emit("DeepGuards",
         "guards in this function are not used where they are nested deeper "
         "than ",
         Recovery.limits().MaxGuards, "index-simplify-max-guards");
}

/// What the pass saw, for every root: -Rpass-analysis=index-simplify.
static void emitAnalysis(const IndexRoot &Root, bool IsChosen,
                         IndexRecovery &Recovery, PlanPrices &Prices,
                         OptimizationRemarkEmitter &ORE) {
  ORE.emit([&] {
    OptimizationRemarkAnalysis R(DEBUG_TYPE, "IndexForm", Root.Old);
    R << kindName(Root.Kind) << " is "
      << ore::NV("Form", describe(Root, Recovery));
    if (!Root.hasPlan())
      return R << "; no new code for it";
    return R << "; new code costs "
             << ore::NV("Cost", Root.Constant ? 0 : Prices.cost(Root.New))
             << (IsChosen ? " and replaces the old" : ", the old is kept");
  });
}

void emitRemarks(std::vector<IndexRoot> &Roots, ArrayRef<IndexRoot *> Chosen,
                 IndexRecovery &Recovery, PlanPrices &Prices,
                 OptimizationRemarkEmitter &ORE) {
  if (!ORE.allowExtraAnalysis(DEBUG_TYPE))
    return;
  SmallPtrSet<const IndexRoot *, 16> IsChosen(Chosen.begin(), Chosen.end());
  for (const IndexRoot &Root : Roots)
    emitAnalysis(Root, IsChosen.contains(&Root), Recovery, Prices, ORE);
  for (const IndexRoot *Root : Chosen)
    emitRewritten(*Root, Recovery, ORE);
  // Told once, by the round that finds nothing more to do.
  if (Chosen.empty())
    emitLimits(Recovery, ORE);
}

} // namespace unravel
