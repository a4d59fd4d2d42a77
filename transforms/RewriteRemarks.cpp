//===- RewriteRemarks.cpp - What was rewritten, what was missing ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/RewriteRemarks.h"
#include "transforms/IndexExpander.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

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

static IndexExpr formOf(const IndexRoot &Root) {
  return Root.Kind == RootKind::Address ? Root.Pointer->Offset : Root.Form;
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
    R << ore::NV("Form", toString(Recovery.context(), formOf(Root)));
    return Root.Kind == RootKind::Comparison ? R << " compared with 0" : R;
  });
}

/// One remark for each division that stays because a fact is missing.
static void emitMissed(const IndexRoot &Root, IndexRecovery &Recovery,
                       SmallPtrSetImpl<const IndexAtom *> &Reported,
                       OptimizationRemarkEmitter &ORE) {
  IndexContext &Context = Recovery.context();
  forEachAtom(formOf(Root), [&](const IndexAtom *A) {
    if (!A->isTruncDiv() || !Reported.insert(A).second)
      return;
    ORE.emit([&] {
      std::string Dividend = toString(Context, A->operand());
      return OptimizationRemarkMissed(DEBUG_TYPE, "UnknownSign", Root.Old)
             << "signed division by "
             << ore::NV("Divisor", static_cast<int>(A->divisor()))
             << " is kept: " << ore::NV("Dividend", Dividend)
             << " may be negative. Use an unsigned index, or state that it is "
                "not: __builtin_assume(index >= 0)";
    });
  });
}

/// What the pass saw, for every root: -Rpass-analysis=index-simplify.
static void emitAnalysis(const IndexRoot &Root, bool IsChosen,
                         IndexRecovery &Recovery, IndexExpander &Expander,
                         OptimizationRemarkEmitter &ORE) {
  ORE.emit([&] {
    OptimizationRemarkAnalysis R(DEBUG_TYPE, "IndexForm", Root.Old);
    R << kindName(Root.Kind) << " is "
      << ore::NV("Form", toString(Recovery.context(), formOf(Root)));
    if (!Root.hasPlan())
      return R << "; no new code for it";
    return R << "; new code costs "
             << ore::NV("Cost", Root.Constant ? 0 : Expander.priceOf(Root.New))
             << (IsChosen ? " and replaces the old" : ", the old is kept");
  });
}

void emitRemarks(std::vector<IndexRoot> &Roots, ArrayRef<IndexRoot *> Chosen,
                 IndexRecovery &Recovery, IndexExpander &Expander,
                 OptimizationRemarkEmitter &ORE) {
  if (!ORE.allowExtraAnalysis(DEBUG_TYPE))
    return;
  for (const IndexRoot *Root : Chosen)
    emitRewritten(*Root, Recovery, ORE);
  SmallPtrSet<const IndexAtom *, 8> Reported;
  for (const IndexRoot &Root : Roots)
    emitAnalysis(Root, is_contained(Chosen, &Root), Recovery, Expander, ORE);
  for (const IndexRoot &Root : Roots)
    emitMissed(Root, Recovery, Reported, ORE);
}

} // namespace unravel
