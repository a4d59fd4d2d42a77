//===- PlanPrices.h - What plans cost beside each other ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_PLANPRICES_H
#define UNRAVEL_TRANSFORMS_PLAN_PLANPRICES_H

#include "transforms/plan/IndexPlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>
#include <vector>

namespace llvm {
class LoopInfo;
}

namespace unravel {

/// Costs of plans, each node weighted by the depth of the loop that it has to
/// be in. Nodes that other roots keep are free.
class PlanPrices {
public:
  explicit PlanPrices(llvm::LoopInfo &LI) : LI(LI) {}

  /// Makes the nodes of \p Root free for what is planned later.
  void keep(const PlanNode *Root);
  /// Takes back what keep() did for \p Root.
  void drop(const PlanNode *Root);
  /// The cost of what \p Node adds to the nodes kept so far.
  unsigned marginalCost(const PlanNode *Node) {
    return costBelow(Node, /*WithoutKept=*/true);
  }
  /// The cost of all nodes below \p Node.
  unsigned cost(const PlanNode *Node) {
    return costBelow(Node, /*WithoutKept=*/false);
  }
  /// The depth of the innermost loop that an operand of \p Node changes in, or
  /// that a division cannot leave.
  unsigned loopDepthOf(const PlanNode *Node);

  /// Nodes whose prices were asked for, and whether they were free.
  using Answers = std::vector<std::pair<const PlanNode *, bool>>;
  /// What marginalCost() has told since this was last called.
  Answers takeAnswers() { return std::exchange(Told, {}); }
  /// Whether it would tell the same now.
  bool areSame(const Answers &Old) const {
    return llvm::all_of(Old, [this](const auto &Answer) {
      return Kept.contains(Answer.first) == Answer.second;
    });
  }

private:
  unsigned costBelow(const PlanNode *Node, bool WithoutKept);

  llvm::LoopInfo &LI;
  /// The roots and kept nodes that use a node.
  llvm::DenseMap<const PlanNode *, unsigned> Kept;
  llvm::DenseMap<const PlanNode *, unsigned> LoopDepths;
  Answers Told;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_PLANPRICES_H
