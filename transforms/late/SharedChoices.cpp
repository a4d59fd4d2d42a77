//===- SharedChoices.cpp - What is chosen twice is chosen once ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/SharedChoices.h"
#include "transforms/late/ValueNumbers.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace unravel {

namespace {
/// Pointers as `Base + Offset` bytes, each of which is looked at once.
class ConstantOffsets {
public:
  struct Place {
    Value *Base;
    APInt Offset;
  };

  explicit ConstantOffsets(const DataLayout &DL) : DL(DL) {}

  Place of(Value *Pointer);
  /// What leads from the base to \p Pointer says nothing any more.
  void dropFlags(Value *Pointer);

private:
  const DataLayout &DL;
  DenseMap<GetElementPtrInst *, Place> Known;
  SmallPtrSet<GetElementPtrInst *, 8> Dropped;
};
} // namespace

ConstantOffsets::Place ConstantOffsets::of(Value *Pointer) {
  unsigned Width = DL.getIndexTypeSizeInBits(Pointer->getType());
  SmallVector<std::pair<GetElementPtrInst *, APInt>, 8> Links;
  Place At{Pointer, APInt(Width, 0)};
  while (auto *Gep = dyn_cast<GetElementPtrInst>(At.Base)) {
    if (auto Found = Known.find(Gep); Found != Known.end()) {
      At = Found->second;
      break;
    }
    APInt Step(Width, 0);
    if (!Gep->accumulateConstantOffset(DL, Step))
      break;
    Known.try_emplace(Gep, At); // in dead code it may be its own base
    Links.push_back({Gep, std::move(Step)});
    At.Base = Gep->getPointerOperand();
  }
  for (auto &[Gep, Step] : reverse(Links)) {
    At.Offset += Step;
    Known.find(Gep)->second = At;
  }
  return At;
}

void ConstantOffsets::dropFlags(Value *Pointer) {
  while (auto *Gep = dyn_cast<GetElementPtrInst>(Pointer)) {
    if (!Known.contains(Gep) || !Dropped.insert(Gep).second)
      return;
    Gep->setNoWrapFlags(GEPNoWrapFlags::none());
    Pointer = Gep->getPointerOperand();
  }
}

namespace {
/// A choice that later ones may be made from.
struct KnownChoice {
  Instruction *I;
  Choice Values;
  APInt Offset; ///< of a pointer on the true side from its base

  KnownChoice(Instruction &I, const Choice &Values, APInt Offset)
      : I(&I), Values(Values), Offset(std::move(Offset)) {}
};

class Sharing {
public:
  Sharing(Function &F, const DominatorTree &DT)
      : DT(DT), Numbers(F), Offsets(F.getDataLayout()) {}

  /// Those that dominate others come first.
  void see(Instruction &I);
  /// Removes what is not needed any more. True if there was anything.
  bool finish();

private:
  void replace(Instruction &I, KnownChoice &First, const APInt &Offset);

  const DominatorTree &DT;
  ValueNumbers Numbers;
  ConstantOffsets Offsets;
  /// By condition, bases, how far the offsets are apart, type, and flags, which
  /// may make poison of one choice only. Behind a block that a choice does not
  /// dominate none comes that it dominates.
  using Key =
      std::tuple<unsigned, unsigned, unsigned, int64_t, Type *, unsigned>;
  DenseMap<Key, KnownChoice> Known;
  SmallVector<WeakTrackingVH, 8> Dead;
  SmallSetVector<BasicBlock *, 8> Joins; ///< that had phis which are gone
};
} // namespace

void Sharing::see(Instruction &I) {
  Choice Values = Choice::of(I);
  if (!Values)
    return;
  APInt Zero = APInt::getZero(64);
  ConstantOffsets::Place True{Values.OnTrue, Zero}, False{Values.OnFalse, Zero};
  if (I.getType()->isPointerTy()) {
    True = Offsets.of(Values.OnTrue);
    False = Offsets.of(Values.OnFalse);
  }
  Key K = {Numbers.of(Values.Condition),
           Numbers.of(True.Base),
           Numbers.of(False.Base),
           (True.Offset - False.Offset).getSExtValue(),
           I.getType(),
           I.getRawSubclassOptionalData()};
  auto [Found, IsNew] = Known.try_emplace(K, I, Values, True.Offset);
  KnownChoice &First = Found->second;
  if (IsNew)
    return;
  // (Of one block, this one comes behind; asking would number it again.)
  if (First.I->getParent() != I.getParent() && !DT.dominates(First.I, &I))
    First = KnownChoice(I, Values, True.Offset);
  else
    replace(I, First, True.Offset);
}

/// \p I is as far from \p First on both sides.
void Sharing::replace(Instruction &I, KnownChoice &First, const APInt &Offset) {
  Value *Same = First.I;
  if (I.getType()->isPointerTy()) {
    // The first pointers may be poison where the new ones are not, but for
    // their flags they are not.
    Offsets.dropFlags(First.Values.OnTrue);
    Offsets.dropFlags(First.Values.OnFalse);
    BasicBlock &Block = *I.getParent();
    IRBuilder<> Builder(&Block, isa<PHINode>(I) ? Block.getFirstInsertionPt()
                                                : I.getIterator());
    if (APInt Distance = Offset - First.Offset; !Distance.isZero())
      Same = Builder.CreatePtrAdd(Same, Builder.getInt(Distance));
  }
  if (isa<PHINode>(I))
    Joins.insert(I.getParent());
  I.replaceAllUsesWith(Same);
  Dead.push_back(&I);
}

/// Makes selects of an if-else that does nothing but choose, in front of
/// \p Join.
static void removeEmptyBranches(BasicBlock &Join) {
  BasicBlock *IfTrue, *IfFalse;
  BranchInst *Branch = GetIfCondition(&Join, IfTrue, IfFalse);
  if (!Branch)
    return;
  SmallVector<BasicBlock *, 2> Sides;
  for (BasicBlock *Side : {IfTrue, IfFalse})
    if (Side != Branch->getParent())
      Sides.push_back(Side);
  if (any_of(Sides, [](BasicBlock *Side) {
        return &Side->front() != Side->getTerminator();
      }))
    return;
  IRBuilder<> Builder(Branch);
  for (PHINode &Phi : make_early_inc_range(Join.phis())) {
    Choice Of = Choice::of(Phi);
    Phi.replaceAllUsesWith(Builder.CreateSelect(Of.Condition, Of.OnTrue,
                                                Of.OnFalse, Phi.getName()));
    Phi.eraseFromParent();
  }
  WeakTrackingVH Condition = Branch->getCondition();
  BranchInst::Create(&Join, Branch->getIterator());
  Branch->eraseFromParent();
  for (BasicBlock *Side : Sides) {
    Side->getTerminator()->dropDbgRecords();
    Side->getTerminator()->eraseFromParent();
    Side->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructions(Condition);
  MergeBlockIntoPredecessor(&Join);
}

bool Sharing::finish() {
  if (Dead.empty())
    return false;
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
  for (BasicBlock *Join : Joins)
    removeEmptyBranches(*Join);
  return true;
}

PreservedAnalyses SharedChoicesPass::run(Function &F,
                                         FunctionAnalysisManager &AM) {
  if (!F.getParent()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  Sharing Choices(F, DT);
  for (DomTreeNode *Node : depth_first(DT.getRootNode()))
    for (Instruction &I : make_early_inc_range(*Node->getBlock()))
      Choices.see(I);
  return Choices.finish() ? PreservedAnalyses::none()
                          : PreservedAnalyses::all();
}

} // namespace unravel
