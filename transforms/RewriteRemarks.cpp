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
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

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

/// tdiv stands where the sign of the dividend is not known.
static void reportUnknownSign(const IndexRoot &Root, const IndexAtom *Division,
                              IndexContext &Context,
                              OptimizationRemarkEmitter &ORE) {
  ORE.emit([&] {
    return OptimizationRemarkMissed(DEBUG_TYPE, "UnknownSign", Root.Old)
           << "signed division by "
           << ore::NV("Divisor", std::to_string(Division->divisor()))
           << " is kept: "
           << ore::NV("Dividend", toString(Context, Division->operand()))
           << " may be negative. Make the index unsigned, or state the missing "
              "fact: __builtin_assume(index >= 0)";
  });
}

static void reportRuntimeDivisor(const IndexRoot &Root, const Instruction *I,
                                 OptimizationRemarkEmitter &ORE) {
  ORE.emit([&] {
    return OptimizationRemarkMissed(DEBUG_TYPE, "RuntimeDivisor", I)
           << "division by a value that is not a constant is kept in the "
           << kindName(Root.Kind)
           << ". If the size is fixed, make it constexpr or a template "
              "parameter";
  });
}

static void reportMayWrap(const IndexRoot &Root, const Instruction *I,
                          IndexRecovery &Recovery, RecoveryScope &Scope,
                          OptimizationRemarkEmitter &ORE) {
  ORE.emit([&] {
    auto Operand = [&](unsigned Index) {
      return toString(Recovery.context(),
                      Recovery.recover(I->getOperand(Index), Scope).Signed);
    };
    return OptimizationRemarkMissed(DEBUG_TYPE, "MayWrap", I)
           << "nothing cancels through this " << I->getOpcodeName() << " of "
           << ore::NV("Left", Operand(0)) << " and "
           << ore::NV("Right", Operand(1)) << " in the " << kindName(Root.Kind)
           << ": it may wrap around its "
           << ore::NV("Width",
                      std::to_string(I->getType()->getIntegerBitWidth()))
           << " bits. Check the index against its bound first, or state the "
              "missing fact: __builtin_assume(blockIdx.x < number_of_blocks)";
  });
}

/// Whether a division is computed for one of the operands of \p I.
static bool joinsDigits(const Instruction *I, IndexRecovery &Recovery,
                        RecoveryScope &Scope) {
  return any_of(I->operands(), [&](Value *V) {
    return IndexRecovery::isIndexValue(V) &&
           countDivisions(Recovery.recover(V, Scope).Signed) > 0;
  });
}

/// One remark for each fact that keeps a division in the form of Root.
static void emitMissed(const IndexRoot &Root, IndexRecovery &Recovery,
                       SmallPtrSetImpl<const IndexAtom *> &Reported,
                       OptimizationRemarkEmitter &ORE) {
  RecoveryScope &Scope = Recovery.scopeOf(Root.At->getParent());
  SmallVector<const IndexAtom *, 8> Atoms;
  forEachAtom(formOf(Root), [&](const IndexAtom *A) { Atoms.push_back(A); });
  for (const IndexAtom *A : Atoms) {
    if (!Reported.insert(A).second)
      continue;
    if (A->isTruncDiv())
      reportUnknownSign(Root, A, Recovery.context(), ORE);
    if (!A->isVariable())
      continue;
    auto *I = dyn_cast<Instruction>(Recovery.valueOf(A).first);
    if (!I || !IndexRecovery::isIndexOperation(I))
      continue;
    if (I->isIntDivRem() && !isa<ConstantInt>(I->getOperand(1)))
      reportRuntimeDivisor(Root, I, ORE);
    else if (isa<OverflowingBinaryOperator>(I) &&
             joinsDigits(I, Recovery, Scope))
      reportMayWrap(Root, I, Recovery, Scope, ORE);
  }
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
             << What << ore::NV("Limit", Limit) << ". To try more: -mllvm -"
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
  SmallPtrSet<const IndexRoot *, 16> IsChosen(Chosen.begin(), Chosen.end());
  for (const IndexRoot &Root : Roots)
    emitAnalysis(Root, IsChosen.contains(&Root), Recovery, Expander, ORE);
  for (const IndexRoot *Root : Chosen)
    emitRewritten(*Root, Recovery, ORE);
  // What is missing is told once, by the round that finds nothing more to do.
  SmallPtrSet<const IndexAtom *, 8> Reported;
  if (!Chosen.empty())
    return;
  for (const IndexRoot &Root : Roots)
    emitMissed(Root, Recovery, Reported, ORE);
  emitLimits(Recovery, ORE);
}

} // namespace unravel
