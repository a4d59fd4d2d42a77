//===- PlanPlace.cpp - Where a plan is needed -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/PlanPlace.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace unravel {

/// Walks up through operations that hand on poison. Whatever flags their forms
/// rely on, the form is the number in the word as long as the root is used.
RootFacts::RootFacts(Value *Root, IndexRecovery &Recovery,
                     RecoveryScope &Scope) {
  static constexpr size_t MaxWords = 64;
  SmallVector<Value *, 16> Work{Root};
  SmallPtrSet<Value *, 16> Seen{Root};
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || isa<SelectInst>(I) || isa<FreezeInst>(I) || isa<CallInst>(I))
      continue;
    if (I->isIntDivRem() && !isa<Constant>(I->getOperand(1)))
      Divisions.push_back(cast<BinaryOperator>(I));
    if (IndexRecovery::isIndexOperation(I)) {
      const RecoveredValue &R = Recovery.recover(I, Scope);
      unsigned Width = I->getType()->getIntegerBitWidth();
      auto Note = [&](DenseMap<IndexExpr, unsigned> &Words, IndexExpr E) {
        unsigned &Known = Words.try_emplace(E, Width).first->second;
        Known = std::min(Known, Width);
      };
      Note(SignedWords, R.Signed);
      Note(UnsignedWords, R.Unsigned);
    } else if (!isa<GetElementPtrInst>(I) && !isa<ICmpInst>(I)) {
      continue;
    }
    for (Value *Operand : I->operands())
      if (Seen.size() < MaxWords && Seen.insert(Operand).second)
        Work.push_back(Operand);
  }
}

void addVariables(VariableSet &To, IndexExpr E) {
  forEachAtom(E, [&](const IndexAtom *A) {
    if (A->isVariable())
      To.insert(A);
  });
}

bool hasVariablesOf(const VariableSet &Known, IndexExpr E) {
  bool HasAll = true;
  forEachAtom(E, [&](const IndexAtom *A) {
    HasAll &= !A->isVariable() || Known.contains(A);
  });
  return HasAll;
}

bool PlanPlace::dependsOnlyOnRoot(IndexExpr E) const {
  return hasVariablesOf(Variables, E);
}

} // namespace unravel
