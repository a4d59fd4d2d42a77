//===- PlanPrices.cpp - What plans cost beside each other -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/PlanPrices.h"
#include "transforms/plan/NVPTXCostModel.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace unravel {

void PlanPrices::keep(const PlanNode *Root) {
  SmallVector<const PlanNode *, 8> Work{Root};
  while (!Work.empty()) {
    const PlanNode *Node = Work.pop_back_val();
    if (!Node || ++Kept[Node] > 1)
      continue;
    Work.push_back(Node->A);
    Work.push_back(Node->B);
  }
}

void PlanPrices::drop(const PlanNode *Root) {
  SmallVector<const PlanNode *, 8> Work{Root};
  while (!Work.empty()) {
    const PlanNode *Node = Work.pop_back_val();
    auto It = Kept.find(Node);
    if (It == Kept.end() || --It->second > 0)
      continue;
    Kept.erase(It);
    Work.push_back(Node->A);
    Work.push_back(Node->B);
  }
}

unsigned PlanPrices::costBelow(const PlanNode *Node, bool WithoutKept) {
  unsigned Cost = 0;
  SmallVector<const PlanNode *, 8> Work{Node};
  SmallDenseSet<const PlanNode *, 32> Seen;
  while (!Work.empty()) {
    const PlanNode *N = Work.pop_back_val();
    if (!N || !Seen.insert(N).second)
      continue;
    if (WithoutKept) {
      bool IsFree = Kept.contains(N);
      Told.emplace_back(N, IsFree);
      if (IsFree)
        continue;
    }
    Cost += costOf(N) * loopWeight(loopDepthOf(N));
    Work.push_back(N->A);
    Work.push_back(N->B);
  }
  return Cost;
}

unsigned PlanPrices::loopDepthOf(const PlanNode *Node) {
  auto It = LoopDepths.find(Node);
  if (It != LoopDepths.end())
    return It->second;
  unsigned Depth = 0;
  // (The leaf of a phi is the one beside it.)
  if (auto *I = dyn_cast_or_null<Instruction>(Node->Leaf))
    Depth = LI.getLoopDepth(I->getParent());
  if (Node->Anchor)
    Depth = LI.getLoopDepth(Node->Anchor->getParent());
  if (Node->A)
    Depth = std::max(Depth, loopDepthOf(Node->A));
  if (Node->B)
    Depth = std::max(Depth, loopDepthOf(Node->B));
  LoopDepths[Node] = Depth;
  return Depth;
}

} // namespace unravel
