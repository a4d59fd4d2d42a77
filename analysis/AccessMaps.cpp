//===- AccessMaps.cpp - Every memory access as a map ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/AccessMaps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

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

std::vector<AccessMap> accessMapsOf(IndexRecovery &Recovery) {
  std::vector<AccessMap> Maps;
  IndexContext &Context = Recovery.context();
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
    AccessMap Map{&I, P->Base, P->Offset, 1, {}};
    uint64_t Size = I.getDataLayout().getTypeStoreSize(Ty).getKnownMinValue();
    if (IndexExpr Element =
            Size ? Context.divideExactly(P->Offset, Size) : IndexExpr()) {
      Map.Index = Element;
      Map.UnitSize = Size;
    }
    forEachAtom(Map.Index, [&](const IndexAtom *A) {
      if (A->isVariable())
        Map.Domain.push_back({A, Scope.Domain.range(Context.atom(A))});
    });
    Maps.push_back(std::move(Map));
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
                         AM.getResult<LoopAnalysis>(F));
  OS << "Indexing maps of " << F.getName() << ":\n";
  for (const AccessMap &Map : accessMapsOf(Recovery)) {
    OS << "  " << accessName(*Map.Access) << ' ';
    accessedType(*Map.Access)->print(OS);
    OS << ' ';
    Map.Base->printAsOperand(OS, /*PrintType=*/false);
    OS << (Map.UnitSize == 1 ? " bytes: (" : ": (");
    ListSeparator Comma;
    for (auto &[Variable, Range] : Map.Domain)
      OS << Comma << Variable->name();
    OS << ") -> (";
    print(OS, Recovery.context(), Map.Index);
    OS << ')';
    StringRef Separator = ", domain: ";
    for (auto &[Variable, Range] : Map.Domain) {
      OS << Separator << Variable->name() << " in " << Range;
      Separator = ", ";
    }
    OS << '\n';
  }
  return PreservedAnalyses::all();
}

} // namespace unravel
