//===- AccessMaps.cpp - Every memory access as a map ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/printers/AccessMaps.h"
#include "analysis/algebra/FloorBasis.h"
#include "analysis/algebra/IndexSubstitution.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/maps/ReadableMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace unravel {

/// The type that an instruction of LLVM moves; null for assembly and calls.
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

/// The map without bounds of runtime variables that only say what fits their
/// type: every `int` is in [-2^31, 2^31 - 1]. (A bound of a shorter type is
/// kept: in the code that a reader knows the value may be an `int`.)
static IndexingMap withoutVacuousBounds(const IndexingMap &Map,
                                        ArrayRef<unsigned> RuntimeWidths) {
  if (Map.isKnownEmpty())
    return Map;
  IndexingMap::Variables Vars = Map.variables();
  for (auto [Variable, Width] : zip_equal(Vars.Runtimes, RuntimeWidths))
    if (Width == 32 && Variable.Bounds == Interval(INT32_MIN, INT32_MAX))
      Variable.Bounds = Interval();
  return IndexingMap(Map.context(), std::move(Vars), Map.results().vec(),
                     Map.constraints().vec());
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
  SmallVector<unsigned, 8> RuntimeWidths;
  forEachAtom(Index, [&](const IndexAtom *A) {
    if (!A->isVariable())
      return;
    const Value *V = Recovery.valueOf(A).first;
    VariableKind Kind = kindOf(V);
    if (Kind == VariableKind::Runtime)
      RuntimeWidths.push_back(V->getType()->getScalarSizeInBits());
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
  // The steps of loop counters, and of what is known to be a multiple.
  FloorBasis Basis(Domain);
  forEachAtom(Index, [&](const IndexAtom *A) {
    Congruence C = A->isVariable() ? Domain.congruenceOf(A) : Congruence();
    if (C.modulus() <= 1)
      return;
    if (IndexExpr Rest = Basis.floorMod(Numbered[A], C.modulus()))
      Constraints.push_back({Rest, Interval::point(C.residue())});
  });
  IndexExpr Result = Rename.apply(Index);
  if (!Result)
    return std::nullopt;
  IndexingMap Map(Context, std::move(Vars), {Result}, std::move(Constraints));
  return withoutVacuousBounds(Map.simplified(), RuntimeWidths);
}

namespace {

/// Where an access is: bytes behind an object.
struct Place {
  Value *Base;
  IndexExpr Offset;
};

} // namespace

/// Looks through casts between address spaces and constant GEPs as well: the
/// place is only printed, never computed anew.
static std::optional<Place> placeOf(Value *Pointer, IndexRecovery &Recovery,
                                    RecoveryScope &Scope) {
  IndexContext &Context = Recovery.context();
  Place Result{Pointer, Context.constant(0)};
  while (true) {
    if (auto P = Recovery.recoverPointer(Result.Base, Scope)) {
      Result.Base = P->Base;
      Result.Offset = Context.add(Result.Offset, P->Offset);
    } else if (!isa<Constant>(Result.Base)) {
      return std::nullopt;
    }
    if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Result.Base)) {
      Result.Base = Cast->getPointerOperand();
    } else if (auto *GEP = dyn_cast<GEPOperator>(Result.Base);
               GEP && isa<Constant>(GEP)) {
      const DataLayout &Layout = Recovery.function().getDataLayout();
      APInt Bytes(Layout.getIndexTypeSizeInBits(GEP->getType()), 0);
      if (!GEP->accumulateConstantOffset(Layout, Bytes))
        return Result;
      Result.Base = GEP->getPointerOperand();
      Result.Offset =
          Context.add(Result.Offset, Context.constant(Bytes.getSExtValue()));
    } else {
      return Result.Offset ? std::optional<Place>(Result) : std::nullopt;
    }
    if (!Result.Offset)
      return std::nullopt;
  }
}

/// A form that is congruent to \p V modulo 2^width, over more basic variables
/// than recovery gives: that keeps sums whole which may wrap, because other
/// code divides them.
static IndexExpr expanded(IndexRecovery &Recovery, RecoveryScope &Scope,
                          Value *V, unsigned Depth = 0) {
  static constexpr unsigned MaxDepth = 8;
  IndexContext &Context = Recovery.context();
  auto *I = dyn_cast<BinaryOperator>(V);
  if (I && Depth < MaxDepth) {
    auto Operand = [&](unsigned Number) {
      return expanded(Recovery, Scope, I->getOperand(Number), Depth + 1);
    };
    auto *Amount = dyn_cast<ConstantInt>(I->getOperand(1));
    switch (I->getOpcode()) {
    case Instruction::Add:
      return Context.add(Operand(0), Operand(1));
    case Instruction::Sub:
      return Context.add(Operand(0), Operand(1), -1);
    case Instruction::Mul:
      return Context.multiply(Operand(0), Operand(1));
    case Instruction::Shl:
      if (Amount && Amount->getValue().ult(62))
        return Context.scale(Operand(0), int64_t(1) << Amount->getZExtValue());
      break;
    default:
      break;
    }
  }
  const RecoveredValue &R = Recovery.recover(V, Scope);
  return R.Ring ? R.Ring : R.Signed;
}

/// Adds to \p Result, the map of \p Index, what words that may wrap are
/// congruent to.
static void addCongruent(AccessMap &Result, IndexRecovery &Recovery,
                         RecoveryScope &Scope, IndexExpr Index) {
  Replacements Words;
  unsigned Narrowest = 64;
  bool HasQuotient = countDivisions(Index) != 0;
  forEachAtom(Index, [&](const IndexAtom *A) {
    Value *V = A->isVariable() ? Recovery.valueOf(A).first : nullptr;
    if (!V || !isa<BinaryOperator>(V))
      return;
    IndexExpr Ring = expanded(Recovery, Scope, V);
    if (!Ring || Ring.asAtom() == A)
      return;
    Words[A] = Ring;
    unsigned Width = V->getType()->getIntegerBitWidth();
    Narrowest = std::min(Narrowest, Width);
    // Inside of a quotient, a congruent number is another one.
    StringSet<> Taken;
    std::string Name = nameFor(A->name(), Taken);
    if (!HasQuotient || Name.empty())
      return;
    if (auto Map = mapOf(Recovery, Scope.Domain, Ring))
      Result.Words.push_back({std::move(Name), Width, std::move(*Map)});
  });
  if (Words.empty() || HasQuotient)
    return;
  if (IndexExpr Ring =
          IndexSubstitution(Recovery.context(), Words).apply(Index))
    Result.Congruent = mapOf(Recovery, Scope.Domain, Ring);
  Result.CongruentWidth = Narrowest;
}

static AccessMap accessMapOf(const MemoryAccess &A, IndexRecovery &Recovery) {
  AccessMap Result;
  Result.Access = A;
  Result.NotUnderstood = A.NotUnderstood;
  if (!A.Pointer || !A.NotUnderstood.empty())
    return Result;
  auto *Pointer = const_cast<Value *>(A.Pointer);
  RecoveryScope &Scope =
      Recovery.scopeOf(const_cast<BasicBlock *>(A.Instruction->getParent()));
  if (Scope.Domain.isKnownEmpty())
    return Result;
  std::optional<Place> P = Pointer->getType()->isPointerTy()
                               ? placeOf(Pointer, Recovery, Scope)
                               : std::nullopt;
  if (!P) {
    Result.NotUnderstood =
        "its address is not the sum of a pointer and numbers";
    return Result;
  }
  Result.Base = P->Base;
  IndexContext &Context = Recovery.context();
  IndexExpr Bytes = Context.add(P->Offset, Context.constant(A.Offset));
  Result.UnitSize = A.Bytes;
  IndexExpr Index =
      Bytes && A.Bytes ? Context.divideExactly(Bytes, A.Bytes) : IndexExpr();
  if (!Index) {
    Index = Bytes;
    Result.UnitSize = 1;
  }
  if (Index)
    Result.Map = mapOf(Recovery, Scope.Domain, Index);
  if (!Result.Map) {
    Result.NotUnderstood = "its index leaves 64 bits";
    return Result;
  }
  addCongruent(Result, Recovery, Scope, Index);
  return Result;
}

std::vector<AccessMap> accessMapsOf(IndexRecovery &Recovery) {
  std::vector<AccessMap> Maps;
  for (const MemoryAccess &A : accessesOf(Recovery.function()))
    if (Recovery.dominatorTree().isReachableFromEntry(
            A.Instruction->getParent()))
      Maps.push_back(accessMapOf(A, Recovery));
  return Maps;
}

std::string mapText(const AccessMap &Map, bool Readable) {
  if (!Map.Map)
    return Map.NotUnderstood.empty() ? "never executed"
                                     : "not understood: " + Map.NotUnderstood;
  std::string Text;
  raw_string_ostream OS(Text);
  auto TextOf = [&](const IndexingMap &M) {
    return Readable ? toReadableString(M) : toString(M);
  };
  OS << TextOf(*Map.Map);
  if (Map.Congruent)
    OS << "\n    modulo 2^" << Map.CongruentWidth << ": "
       << TextOf(*Map.Congruent);
  for (const AccessMap::Word &W : Map.Words)
    OS << "\n    " << W.Name << " modulo 2^" << W.Width << ": "
       << TextOf(W.Map);
  return Text;
}

static void printAccess(const AccessMap &Map, bool Readable,
                        ModuleSlotTracker &Slots, raw_ostream &OS) {
  const MemoryAccess &A = Map.Access;
  OS << "  " << nameOf(A.Kind);
  if (Type *Ty = accessedType(*A.Instruction)) {
    OS << ' ';
    Ty->print(OS);
  } else if (A.Bytes) {
    OS << ' ' << A.Bytes << " bytes";
  }
  if (const Value *Base = Map.Base ? Map.Base : A.Pointer) {
    OS << ' ';
    Base->printAsOperand(OS, /*PrintType=*/false, Slots);
  }
  if (const DILocation *L = sourcePlace(*A.Instruction))
    OS << " at " << L->getFilename() << ':' << L->getLine();
  bool IsInBytes = Map.Map && Map.UnitSize == 1 && A.Bytes != 1;
  OS << (IsInBytes ? " bytes: " : ": ") << mapText(Map, Readable) << '\n';
}

PreservedAnalyses AccessMapsPrinterPass::run(Function &F,
                                             FunctionAnalysisManager &AM) {
  RangeFacts Facts(F, AM);
  IndexRecovery Recovery(Facts, AM.getResult<DominatorTreeAnalysis>(F),
                         AM.getResult<LoopAnalysis>(F), Limits);
  ModuleSlotTracker Slots(F.getParent(), false);
  Slots.incorporateFunction(F);
  OS << "Indexing maps of " << F.getName() << ":\n";
  for (const AccessMap &Map : accessMapsOf(Recovery))
    printAccess(Map, Readable, Slots, OS);
  return PreservedAnalyses::all();
}

} // namespace unravel
