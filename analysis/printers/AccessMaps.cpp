//===- AccessMaps.cpp - Every memory access as a map ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/printers/AccessMaps.h"
#include "analysis/algebra/IndexSubstitution.h"
#include "analysis/maps/IndexingMapText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ModuleSlotTracker.h"

using namespace llvm;

namespace unravel {

/// The type that a memory access moves, or null if \p I is none.
static Type *accessedType(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->getType();
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getValueOperand()->getType();
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getValOperand()->getType();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Exchange->getNewValOperand()->getType();
  return nullptr;
}

static VariableKind kindOf(const Value *V) {
  if (isa<IntrinsicInst>(V))
    return VariableKind::Dimension;
  return isa<PHINode>(V) ? VariableKind::Range : VariableKind::Runtime;
}

/// A name that the text of a map can hold, and that is not taken; else none.
static std::string nameFor(StringRef Name, StringSet<> &Taken) {
  bool Valid =
      !Name.empty() && (isAlpha(Name[0]) || Name[0] == '_') &&
      all_of(Name, [](char C) { return isAlnum(C) || C == '_' || C == '.'; });
  return Valid && Taken.insert(Name).second ? Name.str() : "";
}

/// The map with the one result \p Index, over the variables that occur in it
/// and with the constraints of \p Domain that are about no others.
static std::optional<IndexingMap> mapOf(const IndexRecovery &Recovery,
                                        const IndexDomain &Domain,
                                        IndexExpr Index) {
  IndexContext &Context = Domain.context();
  IndexingMap::Variables Vars;
  Replacements Numbered;
  StringSet<> Taken;
  forEachAtom(Index, [&](const IndexAtom *A) {
    if (!A->isVariable())
      return;
    VariableKind Kind = kindOf(Recovery.valueOf(A).first);
    std::vector<MapVariable> &Same =
        Kind == VariableKind::Dimension ? Vars.Dimensions
        : Kind == VariableKind::Range   ? Vars.Ranges
                                        : Vars.Runtimes;
    Numbered[A] = IndexingMap::exprOf(Context, Kind, Same.size());
    Same.push_back({Domain.range(Context.atom(A)), nameFor(A->name(), Taken)});
  });
  auto IsAboutThese = [&](IndexExpr E) {
    bool All = true;
    forEachAtom(E, [&](const IndexAtom *A) {
      All &= !A->isVariable() || Numbered.count(A);
    });
    return All;
  };
  IndexSubstitution Rename(Context, Numbered);
  std::vector<MapConstraint> Constraints;
  for (const IndexConstraint &C : Domain.visibleConstraints())
    if (IsAboutThese(C.Expr))
      Constraints.push_back({Rename.apply(C.Expr), C.Range});
  IndexExpr Result = Rename.apply(Index);
  if (!Result)
    return std::nullopt;
  return IndexingMap(Context, std::move(Vars), {Result}, std::move(Constraints))
      .simplified();
}

std::vector<AccessMap> accessMapsOf(IndexRecovery &Recovery) {
  std::vector<AccessMap> Maps;
  for (Instruction &I : instructions(Recovery.function())) {
    Type *Ty = accessedType(I);
    if (!Ty || !Recovery.dominatorTree().isReachableFromEntry(I.getParent()))
      continue;
    RecoveryScope &Scope = Recovery.scopeOf(I.getParent());
    auto *Pointer = const_cast<Value *>(getLoadStorePointerOperand(&I));
    if (!Pointer)
      Pointer = I.getOperand(0);
    std::optional<RecoveredPointer> P = Recovery.recoverPointer(Pointer, Scope);
    if (!P)
      continue;
    uint64_t Unit = I.getDataLayout().getTypeStoreSize(Ty).getKnownMinValue();
    IndexExpr Index =
        Unit ? Recovery.context().divideExactly(P->Offset, Unit) : IndexExpr();
    if (!Index) {
      Index = P->Offset;
      Unit = 1;
    }
    if (std::optional<IndexingMap> Map = mapOf(Recovery, Scope.Domain, Index))
      Maps.push_back({&I, P->Base, std::move(*Map), Unit});
  }
  return Maps;
}

static StringRef accessName(const Instruction &I) {
  return isa<LoadInst>(I) ? "load" : isa<StoreInst>(I) ? "store" : "atomic";
}

PreservedAnalyses AccessMapsPrinterPass::run(Function &F,
                                             FunctionAnalysisManager &AM) {
  RangeFacts Facts(F, AM);
  IndexRecovery Recovery(Facts, AM.getResult<DominatorTreeAnalysis>(F),
                         AM.getResult<LoopAnalysis>(F), Limits);
  ModuleSlotTracker Slots(F.getParent(), false);
  Slots.incorporateFunction(F);
  OS << "Indexing maps of " << F.getName() << ":\n";
  for (const AccessMap &Map : accessMapsOf(Recovery)) {
    OS << "  " << accessName(*Map.Access) << ' ';
    accessedType(*Map.Access)->print(OS);
    OS << ' ';
    Map.Base->printAsOperand(OS, /*PrintType=*/false, Slots);
    OS << (Map.UnitSize == 1 ? " bytes: " : ": ");
    print(OS, Map.Map);
    OS << '\n';
  }
  return PreservedAnalyses::all();
}

} // namespace unravel
