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
/// `Base + Offset` bytes, by way of \c Links.
struct ConstantOffset {
  Value *Base;
  APInt Offset;
  SmallVector<GetElementPtrInst *, 4> Links;
};
} // namespace

static ConstantOffset constantOffsetOf(Value *Pointer, const DataLayout &DL) {
  unsigned Width = DL.getIndexTypeSizeInBits(Pointer->getType());
  ConstantOffset Result{Pointer, APInt(Width, 0), {}};
  SmallPtrSet<Value *, 4> Visited; // a GEP in dead code can use itself
  while (auto *Gep = dyn_cast<GetElementPtrInst>(Result.Base)) {
    APInt Step(Width, 0);
    if (!Visited.insert(Gep).second || !Gep->accumulateConstantOffset(DL, Step))
      break;
    Result.Offset += Step;
    Result.Links.push_back(Gep);
    Result.Base = Gep->getPointerOperand();
  }
  return Result;
}

PreservedAnalyses PointerChoicesPass::run(Function &F,
                                          FunctionAnalysisManager &AM) {
  if (!F.getParent()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  const DataLayout &DL = F.getDataLayout();
  struct Choice {
    SelectInst *Select;
    ConstantOffset OnTrue, OnFalse;
  };
  // By condition and bases; how far the offsets are apart is compared.
  DenseMap<std::tuple<Value *, Value *, Value *>, SmallVector<Choice, 2>> Known;
  SmallVector<WeakTrackingVH, 8> Dead;
  for (DomTreeNode *Node :
       depth_first(DT.getRootNode())) // dominating blocks first
    for (Instruction &I : *Node->getBlock()) {
      auto *Select = dyn_cast<SelectInst>(&I);
      if (!Select || !Select->getType()->isPointerTy())
        continue;
      Choice New{Select, constantOffsetOf(Select->getTrueValue(), DL),
                 constantOffsetOf(Select->getFalseValue(), DL)};
      auto &Like =
          Known[{Select->getCondition(), New.OnTrue.Base, New.OnFalse.Base}];
      auto *First = find_if(Like, [&](const Choice &Other) {
        return New.OnTrue.Offset - Other.OnTrue.Offset ==
                   New.OnFalse.Offset - Other.OnFalse.Offset &&
               DT.dominates(Other.Select, Select);
      });
      if (First == Like.end()) {
        Like.push_back(std::move(New));
        continue;
      }
      // Both arms are as far from the first ones. Those may be poison where the
      // new ones are not, but for their flags they are not.
      for (GetElementPtrInst *Gep : First->OnTrue.Links)
        Gep->setNoWrapFlags(GEPNoWrapFlags::none());
      for (GetElementPtrInst *Gep : First->OnFalse.Links)
        Gep->setNoWrapFlags(GEPNoWrapFlags::none());
      APInt Distance = New.OnTrue.Offset - First->OnTrue.Offset;
      IRBuilder<> Builder(Select);
      Value *Address = First->Select;
      if (!Distance.isZero())
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
