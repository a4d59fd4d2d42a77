//===- IndexRoots.cpp - Where index arithmetic leaves its world -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/IndexRoots.h"
#include "transforms/plan/CommonDominator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace unravel {

/// Index values computed below V that are looked at for a division.
static constexpr unsigned MaxTreeSize = 64;

/// Whether computing V takes a division (or a remainder).
static bool containsDivision(Instruction *V) {
  SmallVector<Instruction *, 8> Work{V};
  SmallPtrSet<Instruction *, 16> Seen{V};
  while (!Work.empty() && Seen.size() < MaxTreeSize) {
    Instruction *I = Work.pop_back_val();
    if (I->isIntDivRem())
      return true;
    for (Value *Operand : I->operands())
      if (auto *Op = dyn_cast<Instruction>(Operand);
          Op &&
          (IndexRecovery::isIndexOperation(Op) || isa<GetElementPtrInst>(Op)) &&
          Seen.insert(Op).second)
        Work.push_back(Op);
  }
  return false;
}

/// Where a use needs its value.
static Instruction *placeOf(const Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  if (auto *Phi = dyn_cast<PHINode>(User))
    return Phi->getIncomingBlock(U)->getTerminator();
  return User;
}

/// Recovery stops at shifts by amounts of run time and at masks that are no
/// constants: they need their operands as values.
static bool isOpaqueOperation(const Instruction *I) {
  if (I->isShift())
    return !isa<ConstantInt>(I->getOperand(1));
  return I->isBitwiseLogicOp() && none_of(I->operands(), [](const Value *V) {
           return isa<ConstantInt>(V);
         });
}

/// Whether an index of the last link of \p Address takes a division.
static bool dividesItself(const User &Address) {
  return any_of(drop_begin(Address.operands()), [](Value *Index) {
    auto *I = dyn_cast<Instruction>(Index);
    return I && containsDivision(I);
  });
}

/// Whether \p Address takes a division, and several addresses are relative to
/// it with none of their own, which might cancel.
static bool isDividedRow(const Instruction &Address) {
  unsigned NumRelative = 0;
  for (const User *U : Address.users())
    if (isa<GetElementPtrInst>(U)) {
      if (dividesItself(*U))
        return false;
      ++NumRelative;
    }
  return NumRelative > 1 && dividesItself(Address);
}

/// Whether the use is by code that recovery looks through, so that the user
/// (or its user) is a root in its own right. \p IsRow is isDividedRow() of an
/// address, asked once for all uses.
static bool isInternalUse(const IndexRoot &Root, const Use &U, bool IsRow) {
  auto *User = cast<Instruction>(U.getUser());
  if (Root.Kind == RootKind::Comparison)
    return false;
  // A row that several accesses share may be better simplified alone, as each
  // access adds to it what it has of its own.
  if (Root.Kind == RootKind::Address)
    return isa<GetElementPtrInst>(User) && !IsRow;
  // A select or a freeze may end up as a variable: then it needs the value.
  if (isa<SelectInst>(User) || isa<FreezeInst>(User) || isOpaqueOperation(User))
    return false;
  return IndexRecovery::isIndexOperation(User) || isa<GetElementPtrInst>(User);
}

/// Links of a chain of GEPs that are looked through for the array; in dead code
/// a GEP can use itself.
static constexpr unsigned MaxPointerChain = 64;

/// ptxas puts an array of a thread in registers, with a chain of selects for
/// each access, where it understands the addresses. Which form of an address
/// it understands is its own affair, so the source's choice stands.
static bool isPrivateAddress(const GetElementPtrInst &Address) {
  return isa<AllocaInst>(getUnderlyingObject(&Address, MaxPointerChain));
}

/// Of values that are worth new code. InstCombine computes what is small in
/// bytes and half words.
static constexpr unsigned WordWidths[] = {8, 16, 32, 64};

static std::optional<RootKind> rootKind(Instruction &I,
                                        const IndexSimplifyOptions &Options) {
  if (auto *Gep = dyn_cast<GetElementPtrInst>(&I);
      Gep && I.getType()->isPointerTy())
    return Options.Addresses &&
                   (!isPrivateAddress(*Gep) || containsDivision(&I))
               ? std::optional(RootKind::Address)
               : std::nullopt;
  if (auto *Cmp = dyn_cast<ICmpInst>(&I))
    return Options.Comparisons &&
                   IndexRecovery::isIndexValue(Cmp->getOperand(0)) &&
                   Cmp->getType()->isIntegerTy(1)
               ? std::optional(RootKind::Comparison)
               : std::nullopt;
  auto IsWord = [&](unsigned Width) { return I.getType()->isIntegerTy(Width); };
  if (Options.Values && any_of(WordWidths, IsWord) &&
      IndexRecovery::isIndexOperation(&I) && containsDivision(&I))
    return RootKind::Value;
  return std::nullopt;
}

SmallVector<IndexExpr, 2> IndexRoot::forms() const {
  SmallVector<IndexExpr, 2> Forms;
  for (IndexExpr E : {Form, Limit, Pointer ? Pointer->Offset : IndexExpr()})
    if (E)
      Forms.push_back(E);
  return Forms;
}

bool IndexRoot::decidesLoop(const LoopInfo &LI) const {
  return !containsDivision(Old) && any_of(Uses, [&](const Use *U) {
    auto *Branch = dyn_cast<BranchInst>(U->getUser());
    const Loop *L = Branch ? LI.getLoopFor(Branch->getParent()) : nullptr;
    return L && L->isLoopExiting(Branch->getParent());
  });
}

/// Has the root replaced in \p U, unless that is never executed.
static void addUse(IndexRoot &Root, Use &U, DominatorTree &DT) {
  Instruction *Place = placeOf(U);
  if (!DT.isReachableFromEntry(Place->getParent()))
    return;
  Root.Uses.push_back(&U);
  Root.At = Root.At ? commonDominator(Root.At, Place, DT) : Place;
}

std::vector<IndexRoot> collectDigits(Function &F, DominatorTree &DT) {
  std::vector<IndexRoot> Roots;
  for (Instruction &I : instructions(F)) {
    bool IsWord = I.getType()->isIntegerTy(32) || I.getType()->isIntegerTy(64);
    if (!I.isIntDivRem() || !IsWord || isa<Constant>(I.getOperand(1)) ||
        !DT.isReachableFromEntry(I.getParent()))
      continue;
    IndexRoot Root;
    Root.Kind = RootKind::Value;
    Root.Old = &I;
    for (Use &U : I.uses())
      addUse(Root, U, DT);
    if (!Root.Uses.empty())
      Roots.push_back(std::move(Root));
  }
  // One alone has nothing to be made from.
  if (Roots.size() < 2)
    Roots.clear();
  return Roots;
}

std::vector<IndexRoot> collectRoots(Function &F,
                                    const IndexSimplifyOptions &Options,
                                    DominatorTree &DT, AssumptionCache &AC) {
  SmallPtrSet<const Value *, 16> Ephemeral;
  CodeMetrics::collectEphemeralValues(&F, &AC, Ephemeral);
  std::vector<IndexRoot> Roots;
  for (Instruction &I : instructions(F)) {
    std::optional<RootKind> Kind = rootKind(I, Options);
    if (!Kind || Ephemeral.contains(&I) ||
        !DT.isReachableFromEntry(I.getParent()))
      continue;
    IndexRoot Root;
    Root.Kind = *Kind;
    Root.Old = &I;
    bool FeedsAssumption = false;
    bool IsRow = *Kind == RootKind::Address && isDividedRow(I);
    for (Use &U : I.uses()) {
      FeedsAssumption |=
          isa<AssumeInst>(U.getUser()) || Ephemeral.contains(U.getUser());
      if (!isInternalUse(Root, U, IsRow))
        addUse(Root, U, DT);
    }
    // Folding the comparison of an assumption to `true` would lose the fact.
    if (!Root.Uses.empty() &&
        !(FeedsAssumption && Root.Kind == RootKind::Comparison))
      Roots.push_back(std::move(Root));
  }
  return Roots;
}

bool recoverRoot(IndexRoot &Root, IndexRecovery &Recovery) {
  RecoveryScope &Scope = Recovery.scopeOf(Root.At->getParent());
  if (Scope.Domain.isKnownEmpty())
    return false;
  switch (Root.Kind) {
  case RootKind::Address:
    Root.Pointer = Recovery.recoverPointer(Root.Old, Scope);
    return Root.Pointer.has_value();
  case RootKind::Comparison:
    if (auto Check = Recovery.rangeCheckOf(*cast<ICmpInst>(Root.Old), Scope)) {
      Root.Form = Check->Index;
      Root.Limit = Check->Limit;
      return true;
    }
    Root.Form = Recovery.differenceOf(*cast<ICmpInst>(Root.Old), Scope);
    return static_cast<bool>(Root.Form);
  case RootKind::Value:
    Root.Form = Recovery.anyReading(Recovery.recover(Root.Old, Scope), Scope);
    return true;
  }
  llvm_unreachable("covered switch");
}

} // namespace unravel
