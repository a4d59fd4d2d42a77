//===- MergedGuards.cpp - One block for what one condition guards ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/MergedGuards.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace unravel {

namespace {

/// `if (Condition) Then; Join`, where the test stands at the end of Test and
/// nothing else leads to Then or Join.
struct Guard {
  BranchInst *Branch = nullptr;
  BasicBlock *Test = nullptr, *Then = nullptr, *Join = nullptr;
  bool IsNegated = false;

  static Guard at(BasicBlock &Test);
  explicit operator bool() const { return Branch; }
};

/// Two guards of one condition, the second one at the end of the first one's
/// join, of which the second's code can move into the first's.
class Merge {
public:
  Merge(const Guard &First, const Guard &Second)
      : First(First), Second(Second) {}

  /// Instructions of the first join in front of \p Begin may be crossed.
  bool isPossible(BasicBlock::iterator Begin);
  void perform();

private:
  const Guard First, Second;
  /// Of the first join, which move in front of the first test, in their order.
  SmallVector<Instruction *, 8> Hoisted;
  SmallPtrSet<const Instruction *, 8> IsHoisted;

  bool canHoist(Value *V, unsigned Depth = 0);
  bool isAvailable(Value *V, const BasicBlock *From);
  bool canMove(Instruction &I);
  Value *asSeenFrom(Value *V, const BasicBlock *From) const;
};

} // namespace

Guard Guard::at(BasicBlock &Test) {
  Guard G;
  auto *Branch = dyn_cast<BranchInst>(Test.getTerminator());
  if (!Branch || !Branch->isConditional())
    return G;
  for (unsigned Side : {0u, 1u}) {
    BasicBlock *Then = Branch->getSuccessor(Side);
    BasicBlock *Join = Branch->getSuccessor(1 - Side);
    if (Then == Join || Then->getSinglePredecessor() != &Test ||
        Then->getSingleSuccessor() != Join || !Join->hasNPredecessors(2) ||
        Join == &Test)
      continue;
    return {Branch, &Test, Then, Join, Side == 1};
  }
  return G;
}

/// Whether loads may move in front of \p I: it writes nothing, and what stands
/// behind it is reached.
static bool mayCross(const Instruction &I) {
  return !I.mayHaveSideEffects() &&
         isGuaranteedToTransferExecutionToSuccessor(&I);
}

/// Whether \p V, if the first join computes it, can be computed in front of the
/// first test. Notes what has to move for it.
bool Merge::canHoist(Value *V, unsigned Depth) {
  constexpr unsigned MaxDepth = 16;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != First.Join || IsHoisted.contains(I))
    return true;
  if (Depth == MaxDepth || isa<PHINode>(I) || I->mayReadOrWriteMemory() ||
      !isSafeToSpeculativelyExecute(I) ||
      !all_of(I->operands(),
              [&](Value *Of) { return canHoist(Of, Depth + 1); }))
    return false;
  if (IsHoisted.insert(I).second)
    Hoisted.push_back(I);
  return true;
}

/// Whether \p V is known at the end of \p From, a predecessor of the first
/// join, if what it needs of that join is hoisted.
bool Merge::isAvailable(Value *V, const BasicBlock *From) {
  return canHoist(asSeenFrom(V, From));
}

/// \p V at the end of \p From, where a phi of the first join chooses it.
Value *Merge::asSeenFrom(Value *V, const BasicBlock *From) const {
  auto *Phi = dyn_cast<PHINode>(V);
  return Phi && Phi->getParent() == First.Join
             ? Phi->getIncomingValueForBlock(From)
             : V;
}

/// Whether \p I, of the second guarded block, can move into the first one.
bool Merge::canMove(Instruction &I) {
  if (isa<PHINode>(I))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!Load->isSimple())
      return false;
  } else if (I.mayReadOrWriteMemory() || I.mayHaveSideEffects() ||
             // Calls may be convergent.
             (isa<CallBase>(I) && !isSafeToSpeculativelyExecute(&I))) {
    return false;
  }
  return all_of(I.operands(),
                [&](Value *Of) { return isAvailable(Of, First.Then); });
}

bool Merge::isPossible(BasicBlock::iterator Begin) {
  if (First.Branch->getCondition() != Second.Branch->getCondition() ||
      First.IsNegated != Second.IsNegated)
    return false;
  auto Code = make_range(Second.Then->begin(),
                         Second.Then->getTerminator()->getIterator());
  return any_of(Code, [](Instruction &I) { return isa<LoadInst>(I); }) &&
         all_of(make_range(Begin, Second.Branch->getIterator()), mayCross) &&
         all_of(Code, [&](Instruction &I) { return canMove(I); }) &&
         all_of(Second.Join->phis(), [&](PHINode &Phi) {
           return isAvailable(Phi.getIncomingValueForBlock(Second.Then),
                              First.Then) &&
                  isAvailable(Phi.getIncomingValueForBlock(Second.Test),
                              First.Test);
         });
}

void Merge::perform() {
  for (Instruction *I : Hoisted) {
    I->moveBeforePreserving(First.Branch->getIterator());
    // It may run where it did not: noundef and the like were promised there.
    I->dropUBImplyingAttrsAndMetadata();
  }
  for (Instruction &I : make_early_inc_range(*Second.Then)) {
    if (I.isTerminator())
      break;
    for (Use &Of : I.operands())
      Of.set(asSeenFrom(Of, First.Then));
    I.moveBeforePreserving(First.Then->getTerminator()->getIterator());
  }
  for (PHINode &Phi : make_early_inc_range(Second.Join->phis())) {
    Value *Loaded =
        asSeenFrom(Phi.getIncomingValueForBlock(Second.Then), First.Then);
    Value *Other =
        asSeenFrom(Phi.getIncomingValueForBlock(Second.Test), First.Test);
    Phi.moveBefore(*First.Join, First.Join->begin());
    Phi.setIncomingBlock(0, First.Then);
    Phi.setIncomingValue(0, Loaded);
    Phi.setIncomingBlock(1, First.Test);
    Phi.setIncomingValue(1, Other);
  }
  BranchInst::Create(Second.Join, Second.Branch->getIterator());
  Second.Branch->eraseFromParent();
  // Records at the end of a block outlive it.
  Second.Then->getTerminator()->dropDbgRecords();
  Second.Then->getTerminator()->eraseFromParent();
  Second.Then->eraseFromParent();
  MergeBlockIntoPredecessor(Second.Join);
}

/// Merges guards into the one at the end of \p Test, if there is one. Notes the
/// blocks that are gone.
static bool mergeInto(BasicBlock &Test, SmallPtrSetImpl<BasicBlock *> &Gone) {
  Guard First = Guard::at(Test);
  if (!First)
    return false;
  bool HasChanged = false;
  BasicBlock::iterator Unchecked = First.Join->getFirstNonPHIIt();
  while (Guard Second = Guard::at(*First.Join)) {
    Merge M(First, Second);
    if (!M.isPossible(Unchecked))
      break;
    // What the second join has will follow what was checked.
    Unchecked = Second.Join->getFirstNonPHIIt();
    Gone.insert_range(ArrayRef{Second.Then, Second.Join});
    M.perform();
    HasChanged = true;
  }
  return HasChanged;
}

PreservedAnalyses MergedGuardsPass::run(Function &F,
                                        FunctionAnalysisManager &) {
  if (!F.getParent()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  bool HasChanged = false;
  // A guard before those that merge into it, wherever they stand: what has been
  // merged is not merged again. A second join that is the first test, which
  // would be a loop without an entry, is not reached.
  ReversePostOrderTraversal<Function *> Order(&F);
  SmallPtrSet<BasicBlock *, 8> Gone;
  for (BasicBlock *Block : Order)
    if (!Gone.contains(Block))
      HasChanged |= mergeInto(*Block, Gone);
  return HasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace unravel
