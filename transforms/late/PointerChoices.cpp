//===- PointerChoices.cpp - Neighbours in one of two arrays ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/late/PointerChoices.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
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

PreservedAnalyses PointerChoicesPass::run(Function &F,
                                          FunctionAnalysisManager &AM) {
  if (!F.getParent()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  ConstantOffsets Offsets(F.getDataLayout());
  // By condition, bases, and how far the offsets are apart. Behind a block that
  // a choice does not dominate none comes that it dominates.
  struct Choice {
    SelectInst *Select;
    APInt Offset;
  };
  DenseMap<std::tuple<Value *, Value *, Value *, int64_t>, Choice> Known;
  SmallVector<WeakTrackingVH, 8> Dead;
  for (DomTreeNode *Node :
       depth_first(DT.getRootNode())) // dominating blocks first
    for (Instruction &I : *Node->getBlock()) {
      auto *Select = dyn_cast<SelectInst>(&I);
      if (!Select || !Select->getType()->isPointerTy())
        continue;
      auto [TrueBase, Offset] = Offsets.of(Select->getTrueValue());
      auto [FalseBase, OnFalse] = Offsets.of(Select->getFalseValue());
      auto [Found, IsNew] =
          Known.try_emplace({Select->getCondition(), TrueBase, FalseBase,
                             (Offset - OnFalse).getSExtValue()},
                            Choice{Select, Offset});
      Choice &First = Found->second;
      if (IsNew)
        continue;
      // (Of one block, this one comes behind; asking would number it again.)
      if (First.Select->getParent() != Select->getParent() &&
          !DT.dominates(First.Select, Select)) {
        First = {Select, Offset};
        continue;
      }
      // Both arms are as far from the first ones. Those may be poison where the
      // new ones are not, but for their flags they are not.
      Offsets.dropFlags(First.Select->getTrueValue());
      Offsets.dropFlags(First.Select->getFalseValue());
      IRBuilder<> Builder(Select);
      Value *Address = First.Select;
      if (APInt Distance = Offset - First.Offset; !Distance.isZero())
        Address = Builder.CreatePtrAdd(Address, Builder.getInt(Distance));
      Select->replaceAllUsesWith(Address);
      Dead.push_back(Select);
    }
  if (Dead.empty())
    return PreservedAnalyses::all();
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
  // An access that was in a branch for each array has the alignment of the
  // worse one; a vector needs what the choice has.
  InferAlignmentPass().run(F, AM);
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace unravel
