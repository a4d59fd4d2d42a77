//===- SourceValues.cpp - What the source computes for other code ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/SourceValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace unravel {

/// Whether all that \p U does is to state a fact: no code is left of it.
static bool isForAssumption(const User *U) {
  return isa<AssumeInst>(U) ||
         (isa<ICmpInst>(U) && all_of(U->users(), IsaPred<AssumeInst>));
}

/// Whether something outside of index arithmetic needs V anyway.
static bool isAnchored(const Value *V) {
  return any_of(V->users(), [](const User *U) {
    return !IndexRecovery::isIndexOperation(U) && !isa<GetElementPtrInst>(U) &&
           !isForAssumption(U);
  });
}

SourceValues::SourceValues(const RecoveryScope &Scope) {
  // A place to look, not a catalogue.
  static constexpr size_t MaxPerKey = 4;
  // The scope's own list is in the order of recovery, which is deterministic.
  for (Value *V : Scope.Order) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !IndexRecovery::isIndexOperation(I) || !isAnchored(I))
      continue;
    unsigned Width = I->getType()->getIntegerBitWidth();
    const RecoveredValue &R = Scope.Values.find(V)->second;
    if (!R.isWellDefined() || (Width != 32 && Width != 64))
      continue;
    for (IndexExpr E : {R.Signed, R.Unsigned}) {
      // Only what is computed: a variable of its own is a leaf anyway.
      if (const IndexAtom *A = E.asAtom(); A && A->isVariable())
        continue;
      SmallVector<Value *, 2> &Same = Values[E];
      if (Same.empty() && E.terms().size() >= 2) {
        SmallVector<IndexExpr, 2> &Alike = Sums[E.terms()[0].Atom];
        if (Alike.size() < MaxPerKey)
          Alike.push_back(E);
      }
      if (!is_contained(Same, V) && Same.size() < MaxPerKey)
        Same.push_back(V);
    }
  }
}

} // namespace unravel
