//===- PlanEncoder.h - Planned arithmetic as integers -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates a plan, with the same definitions as the code it replaces. What
// the new code claims (flags, divisors that are not 0, values that are no
// poison and no undef) has to be proved; where it is not, the case is given up.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_CERTIFY_PLANENCODER_H
#define UNRAVEL_TRANSFORMS_CERTIFY_PLANENCODER_H

#include "transforms/certify/ValueEncoder.h"
#include "transforms/plan/IndexPlan.h"

namespace unravel {

using PlanNodeSet = llvm::DenseSet<const PlanNode *>;

/// Whether a division of a plan is defined where it stands, and which nodes are
/// without flags in the proof.
struct DivisionProof {
  bool IsDefined = false;
  PlanNodeSet Dropped = {};
};
/// Many plans share divisions.
using DivisionProofs = llvm::DenseMap<const PlanNode *, DivisionProof>;

class PlanEncoder {
public:
  /// \p Old is what the plan replaces: it is not poison. Nodes whose flags are
  /// not proved go into \p Unflagged, and are what they are without flags; if
  /// there is none, the case is given up instead.
  PlanEncoder(const FunctionView &View, Case &C, ValueEncoder &Values,
              const llvm::Value *Old, PlanNodeSet *Unflagged = nullptr)
      : View(View), C(C), Values(Values), Old(Old), Unflagged(Unflagged) {}

  Word valueOf(const PlanNode *Node);
  /// Gives the case up where a division of \p Plan may be undefined. All of
  /// them are executed, whether their values are wanted or not. \p Proofs has
  /// what was found out for other plans that share nodes.
  void checkDivisions(const PlanNode *Plan, DivisionProofs &Proofs);

private:
  Word compute(const PlanNode &Node);
  bool hasFlags(const PlanNode &Node) const;
  bool withdrawFlags(const PlanNode &Node);
  Word leafValue(const PlanNode &Node);
  Word address(const PlanNode &Node);
  bool isInBounds(const PlanNode &Node, const Word &Start, const Word &Sum,
                  const Polynomial &Bytes);
  bool dividesInOrder(const PlanNode &Node, Case &There,
                      const LeafRanges &Ranges, PlanNodeSet *Dropped) const;
  bool isDefined(const PlanNode &Node, PlanNodeSet *Dropped) const;

  FunctionView View;
  Case &C;
  ValueEncoder &Values;
  const llvm::Value *Old;
  PlanNodeSet *Unflagged;
  llvm::DenseMap<const PlanNode *, Word> Words;
};

/// A value that may be undef can be another one at each use, so \p Plan has to
/// see it only once, as it is or frozen; if not, there is no answer. Frozen
/// values that have parts in common are different: what the old code computes
/// from them may have seen other parts each time. Their parts say nothing, and
/// they are opaque.
std::optional<ValueSet> opaqueValues(const PlanNode *Plan);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_CERTIFY_PLANENCODER_H
