//===- RewriteRemarks.cpp - What the pass did with each index ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/RewriteRemarks.h"
#include "analysis/facts/SourcePlaces.h"
#include "transforms/plan/PlanPrices.h"
#include "transforms/simplify/FormText.h"
#include "transforms/simplify/RemarkSink.h"
#include "llvm/ADT/SmallPtrSet.h"
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
  FormText Form(Recovery);
  std::string Text = Form.text(
      Root.Kind == RootKind::Address ? Root.Pointer->Offset : Root.Form);
  if (Root.Limit) {
    auto Predicate = cast<ICmpInst>(Root.Old)->getPredicate();
    bool IsInside = ICmpInst::isLT(Predicate) || ICmpInst::isLE(Predicate);
    Text +=
        (IsInside ? " in [0, " : " not in [0, ") + Form.text(Root.Limit) + ")";
  }
  return Text + Form.legend();
}

namespace {
/// Says what happened to the roots of one round.
class RootRemarks {
public:
  RootRemarks(IndexRecovery &Recovery, RemarkSink &Remarks,
              OptimizationRemarkEmitter &ORE, bool IsFastBody)
      : Recovery(Recovery), Remarks(Remarks), ORE(ORE), IsFastBody(IsFastBody) {
  }
  void emitAnalysis(const IndexRoot &Root, bool IsChosen, PlanPrices &Prices);
  void emitRewritten(const IndexRoot &Root);
  void emitLimits();

private:
  void emitLimit(StringRef Name, StringRef What, unsigned Limit,
                 StringRef Option);
  /// Of a kernel with two bodies, what is said is of one of them.
  template <typename RemarkT> void sayWhichBody(RemarkT &R) const {
    if (IsFastBody)
      R << ", in the " << ore::NV("Body", "fast") << " body";
  }

  IndexRecovery &Recovery;
  RemarkSink &Remarks;
  OptimizationRemarkEmitter &ORE;
  bool IsFastBody;
};
} // namespace

void RootRemarks::emitRewritten(const IndexRoot &Root) {
  Remarks.emit(ORE, [&] {
    OptimizationRemark R(DEBUG_TYPE, "Rewritten", remarkPlace(*Root.Old),
                         Root.Old->getParent());
    R << ore::NV("Kind", kindName(Root.Kind));
    if (Root.Constant) {
      R << " is always "
        << ore::NV("Outcome", *Root.Constant ? "true" : "false");
    } else {
      R << " simplified to ";
      if (Root.Kind == RootKind::Address)
        R << "base + ";
      R << ore::NV("Form", describe(Root, Recovery));
      if (Root.Kind == RootKind::Comparison && !Root.Limit)
        R << " compared with 0";
    }
    sayWhichBody(R);
    return R;
  });
}

void RootRemarks::emitLimit(StringRef Name, StringRef What, unsigned Limit,
                            StringRef Option) {
  Remarks.emit(ORE, [&] {
    const Instruction &First = *inst_begin(Recovery.function());
    return OptimizationRemarkMissed(DEBUG_TYPE, Name, remarkPlace(First),
                                    First.getParent())
           << What << ore::NV("Limit", Limit)
           << ". To try more: "
              "-Xarch_device -mllvm=-"
           << Option << "=" << ore::NV("More", 2 * Limit + 1);
  });
}

/// Limits were reached: the one case in which more can be had without any
/// change of the source.
void RootRemarks::emitLimits() {
  if (Recovery.ranOutOfValues())
    emitLimit("ManyValues",
              "not all of this function is simplified: it has so many guards "
              "that its values were looked at more often per instruction than ",
              Recovery.limits().MaxValuesPerInstruction,
              "index-simplify-max-values");
  if (Recovery.ranOutOfGuards())
    emitLimit("DeepGuards",
              "guards in this function are not used where they are nested "
              "deeper than ",
              Recovery.limits().MaxGuards, "index-simplify-max-guards");
}

/// What the pass saw, for every root: -Rpass-analysis=index-simplify.
void RootRemarks::emitAnalysis(const IndexRoot &Root, bool IsChosen,
                               PlanPrices &Prices) {
  Remarks.emit(ORE, [&] {
    OptimizationRemarkAnalysis R(DEBUG_TYPE, "IndexForm",
                                 remarkPlace(*Root.Old), Root.Old->getParent());
    R << ore::NV("Kind", kindName(Root.Kind)) << " is "
      << ore::NV("Form", describe(Root, Recovery));
    if (!Root.hasPlan())
      R << "; no new code for it";
    else
      R << "; new code costs "
        << ore::NV("Cost", Root.Constant ? 0 : Prices.cost(Root.New))
        << (IsChosen ? " and replaces the old" : ", the old is kept");
    sayWhichBody(R);
    return R;
  });
}

void emitRemarks(std::vector<IndexRoot> &Roots, ArrayRef<IndexRoot *> Chosen,
                 IndexRecovery &Recovery, PlanPrices &Prices,
                 RemarkSink &Remarks, OptimizationRemarkEmitter &ORE,
                 bool IsFastBody) {
  if (!Remarks.wants(ORE, DEBUG_TYPE))
    return;
  RootRemarks Say(Recovery, Remarks, ORE, IsFastBody);
  SmallPtrSet<const IndexRoot *, 16> IsChosen(Chosen.begin(), Chosen.end());
  for (const IndexRoot &Root : Roots)
    Say.emitAnalysis(Root, IsChosen.contains(&Root), Prices);
  for (const IndexRoot *Root : Chosen)
    Say.emitRewritten(*Root);
  // Told once, by the round that finds nothing more to do.
  if (Chosen.empty())
    Say.emitLimits();
}

} // namespace unravel
