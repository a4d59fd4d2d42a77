//===- EqualDivisions.cpp - Divisions that are there already --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/EqualDivisions.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace unravel {

bool mergeEqualDivisions(Function &F, FunctionAnalysisManager &AM,
                         const BasicBlock *Region) {
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  DomTreeNode *Top = Region ? DT.getNode(Region) : DT.getRootNode();
  if (!Top)
    return false;
  // A narrowed operand is a cast of its own for each division: the first equal
  // one stands for all. (With other flags it may be poison elsewhere.)
  DenseMap<std::tuple<unsigned, Type *, Value *>, CastInst *> Casts;
  auto Number = [&](Value *V) -> Value * {
    auto *Cast = dyn_cast<CastInst>(V);
    if (!Cast)
      return V;
    CastInst *First =
        Casts
            .try_emplace(
                {Cast->getOpcode(), Cast->getType(), Cast->getOperand(0)}, Cast)
            .first->second;
    return First->isIdenticalTo(Cast) ? First : Cast;
  };
  DenseMap<std::tuple<unsigned, Value *, Value *>,
           SmallVector<Instruction *, 2>>
      Known;
  bool Changed = false;
  for (DomTreeNode *Node : depth_first(Top)) // dominating blocks first
    for (Instruction &I : make_early_inc_range(*Node->getBlock())) {
      if (!I.isIntDivRem())
        continue;
      auto &Equal = Known[{I.getOpcode(), Number(I.getOperand(0)),
                           Number(I.getOperand(1))}];
      auto *First = find_if(
          Equal, [&](Instruction *Other) { return DT.dominates(Other, &I); });
      if (First == Equal.end()) {
        Equal.push_back(&I);
        continue;
      }
      (*First)->andIRFlags(&I); // it was poison where it is not exact
      I.replaceAllUsesWith(*First);
      I.eraseFromParent();
      Changed = true;
    }
  return Changed;
}

} // namespace unravel
