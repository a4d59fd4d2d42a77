//===- FunctionPair.cpp - Which instruction became which ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionPair.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace unravel::refinement {

/// A call that only computes: no memory, no exception, comes back.
static bool isPure(const CallBase &Call) {
  return Call.doesNotAccessMemory() && Call.doesNotThrow() &&
         Call.hasFnAttr(Attribute::WillReturn) && !Call.isConvergent();
}

bool isEvent(const Instruction &I) {
  if (isa<AssumeInst>(I) || isa<DbgInfoIntrinsic>(I))
    return false;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return !isPure(*Call);
  return I.isTerminator() || I.mayReadOrWriteMemory() || isa<AllocaInst>(I);
}

bool mayStop(const Instruction &I) {
  if (I.isTerminator())
    return false; // returning ends the paths that go on, too
  return !isGuaranteedToTransferExecutionToSuccessor(&I);
}

static Error unlike(const Twine &What) {
  return createStringError(inconvertibleErrorCode(), What);
}

static bool mayHaveGone(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return (Load && Load->isSimple()) || isa<AllocaInst>(I);
}

/// The same operation on other values. What it says of its address may be
/// different: that is proved.
static bool isSameEvent(const Instruction &A, const Instruction &B) {
  // Promises that are not looked into.
  for (StringRef Kind : {"invariant.load", "dereferenceable",
                         "dereferenceable_or_null", "nofpclass"})
    if (MDNode *New = B.getMetadata(Kind); New && New != A.getMetadata(Kind))
      return false;
  if (!A.isSameOperationAs(&B, Instruction::CompareIgnoringAlignment))
    return false;
  auto *Old = dyn_cast<CallBase>(&A);
  if (!Old)
    return true;
  auto &New = cast<CallBase>(B);
  // (Fast-math flags are optional data, rounding modes metadata.)
  return Old->getCalledOperand()->getName() ==
             New.getCalledOperand()->getName() &&
         Old->hasSameSubclassOptionalData(&New) &&
         all_of(zip(Old->args(), New.args()), [](auto Pair) {
           auto [X, Y] = Pair;
           return !isa<MetadataAsValue>(X) || X.get() == Y.get();
         });
}

static Error pairEvents(FunctionPair &Pair, const BasicBlock &Before,
                        const BasicBlock &After) {
  auto Old = Before.begin();
  for (const Instruction &New : After) {
    if (!isEvent(New))
      continue;
    for (;; ++Old) {
      if (Old == Before.end())
        return unlike(Twine("the transformed function has another ") +
                      New.getOpcodeName());
      if (!isEvent(*Old))
        continue;
      bool SameName = Old->getName() == New.getName();
      if (isSameEvent(*Old, New) && (SameName || !mayHaveGone(*Old)))
        break;
      if (!mayHaveGone(*Old))
        return unlike(Twine(Old->getOpcodeName()) + " became " +
                      New.getOpcodeName());
    }
    Pair.Partner[&New] = &*Old++;
  }
  return Error::success();
}

/// Phis by name; in the headers of loops each needs its partner.
static Error pairPhis(FunctionPair &Pair, const BasicBlock &Before,
                      const BasicBlock &After, bool IsHeader) {
  for (const PHINode &New : After.phis()) {
    const PHINode *Found = nullptr;
    for (const PHINode &Old : Before.phis())
      if (Old.getName() == New.getName() && Old.getType() == New.getType())
        Found = &Old;
    if (Found)
      Pair.Partner[&New] = Found;
    else if (IsHeader)
      return unlike("a loop has a new phi, " + New.getName());
  }
  return Error::success();
}

static void pairFreezes(FunctionPair &Pair, const BasicBlock &Before,
                        const BasicBlock &After) {
  for (const Instruction &New : After)
    if (isa<FreezeInst>(New) && New.hasName())
      for (const Instruction &Old : Before)
        if (isa<FreezeInst>(Old) && Old.getName() == New.getName() &&
            Old.getType() == New.getType())
          Pair.Partner[&New] = &Old;
}

Expected<FunctionPair> pairFunctions(const Function &Before,
                                     const Function &After) {
  FunctionPair Pair;
  Pair.Before = &Before;
  Pair.After = &After;
  if (Before.getFunctionType() != After.getFunctionType())
    return unlike("the types of the functions differ");
  ReversePostOrderTraversal<const Function *> OldOrder(&Before),
      NewOrder(&After);
  Pair.BeforeBlocks.assign(OldOrder.begin(), OldOrder.end());
  Pair.AfterBlocks.assign(NewOrder.begin(), NewOrder.end());
  if (Pair.BeforeBlocks.size() != Pair.AfterBlocks.size())
    return unlike("control flow differs");
  for (unsigned I = 0; I < Pair.BeforeBlocks.size(); ++I) {
    Pair.Position[Pair.BeforeBlocks[I]] = I;
    Pair.Position[Pair.AfterBlocks[I]] = I;
  }
  DominatorTree DT(const_cast<Function &>(Before));
  for (unsigned I = 0; I < Pair.BeforeBlocks.size(); ++I) {
    const Instruction *Old = Pair.BeforeBlocks[I]->getTerminator();
    const Instruction *New = Pair.AfterBlocks[I]->getTerminator();
    if (Old->getOpcode() != New->getOpcode() ||
        Old->getNumSuccessors() != New->getNumSuccessors())
      return unlike("control flow differs");
    for (unsigned S = 0; S < Old->getNumSuccessors(); ++S) {
      const BasicBlock *To = Old->getSuccessor(S);
      if (Pair.Position.lookup(To) !=
          Pair.Position.lookup(New->getSuccessor(S)))
        return unlike("control flow differs");
      if (!Pair.isBackEdge(Old->getParent(), To))
        continue;
      if (!DT.dominates(To, Old->getParent()))
        return unlike("a loop with more than one entry");
      Pair.Headers.insert(Pair.Position.lookup(To));
    }
    if (!isa<ReturnInst>(Old) && !isa<BranchInst>(Old) &&
        !isa<SwitchInst>(Old) && !isa<UnreachableInst>(Old))
      return unlike(Twine("terminator ") + Old->getOpcodeName());
  }
  for (unsigned I = 0; I < Pair.BeforeBlocks.size(); ++I) {
    const BasicBlock &Old = *Pair.BeforeBlocks[I], &New = *Pair.AfterBlocks[I];
    if (Error E = pairPhis(Pair, Old, New, Pair.Headers.count(I)))
      return E;
    if (Error E = pairEvents(Pair, Old, New))
      return E;
    pairFreezes(Pair, Old, New);
  }
  return Pair;
}

} // namespace unravel::refinement
