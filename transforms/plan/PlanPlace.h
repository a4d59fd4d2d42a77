//===- PlanPlace.h - Where a plan is needed ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_PLANPLACE_H
#define UNRAVEL_TRANSFORMS_PLAN_PLANPLACE_H

#include "analysis/recovery/IndexRecovery.h"
#include "llvm/ADT/DenseSet.h"

namespace unravel {

/// What is known because a root is used: it, and what it is computed from, is
/// not poison there.
struct RootFacts {
  /// Of \p Root, under the facts of \p Scope.
  RootFacts(llvm::Value *Root, IndexRecovery &Recovery, RecoveryScope &Scope);

  /// Whether \p E is an exact word of \p Width bits.
  bool hasWord(IndexExpr E, unsigned Width, Reading R) const {
    const auto &Words = R == Reading::Signed ? SignedWords : UnsignedWords;
    auto It = Words.find(E);
    return It != Words.end() && It->second <= Width;
  }

  bool hasWords() const {
    return !SignedWords.empty() || !UnsignedWords.empty();
  }

  /// The divisions by values of run time that the root is computed by.
  llvm::SmallVector<llvm::BinaryOperator *, 8> Divisions;

private:
  /// The bits of the narrowest word for each form.
  llvm::DenseMap<IndexExpr, unsigned> SignedWords, UnsignedWords;
};

using VariableSet = llvm::DenseSet<const IndexAtom *>;
void addVariables(VariableSet &To, IndexExpr E);
/// Whether all variables of \p E are \p Known.
bool hasVariablesOf(const VariableSet &Known, IndexExpr E);

/// What a plan is made for. It does not change while the plan is made.
struct PlanPlace {
  /// The facts that the plan may use.
  RecoveryScope &Scope;
  /// What the plan uses dominates this instruction.
  llvm::Instruction *At;
  const RootFacts &Root;
  /// The variables in the forms of the root. Others may be missing at the
  /// place, or poison where the root is not.
  VariableSet Variables;
  /// Whether the plan must hold where the root is poison as well.
  bool RootMayBePoison = false;
  /// Joins that the place is inside of.
  unsigned NestedJoins = 0;

  bool dependsOnlyOnRoot(IndexExpr E) const;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_PLANPLACE_H
