//===- UnreadComparisons.cpp - Guards that a later guard makes readable ---===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if (i <u w) if (w < 4096) ...`: where the first comparison is read, nothing
// bounds w, so that i may be above the signed maximum. The same holds of
// operands that are no exact forms yet, as products that may wrap, and of
// `i != n` in front of `i <= n`. What dominates a scope holds in it, so such
// comparisons are read again in the scopes inside whose own guards concern
// their operands.
//
//===----------------------------------------------------------------------===//

#include "analysis/recovery/IndexRecovery.h"
#include "analysis/recovery/RecoverOperation.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace unravel {

/// Of more, the innermost ones are kept.
static constexpr size_t MaxUnread = 16;
/// Operations of a guard that are looked at for what it is about.
static constexpr size_t MaxOperandsOfGuard = 32;

using ValueSet = SmallPtrSet<const Value *, 16>;

/// What \p Work is computed from, as far as recovery looks through it.
static ValueSet operandsOf(SmallVector<const Value *, 8> Work) {
  ValueSet Operands;
  while (!Work.empty() && Operands.size() < MaxOperandsOfGuard) {
    const Value *V = Work.pop_back_val();
    if (isa<Constant>(V) || !Operands.insert(V).second ||
        !isRecoverableOperation(V))
      continue;
    for (const Value *Operand : cast<Instruction>(V)->operands())
      if (IndexRecovery::isIndexValue(Operand))
        Work.push_back(Operand);
  }
  return Operands;
}

static bool isSame(const KnownRelation &A, const KnownRelation &B) {
  return A.A == B.A && A.B == B.B && A.Predicate == B.Predicate;
}

static bool contains(ArrayRef<KnownRelation> Relations,
                     const KnownRelation &R) {
  return any_of(Relations,
                [&](const KnownRelation &Other) { return isSame(R, Other); });
}

void IndexRecovery::noteUnread(RecoveryScope &Scope, const KnownRelation &R) {
  if (Scope.Unread.size() < MaxUnread && !contains(Scope.Unread, R))
    Scope.Unread.push_back(R);
}

/// The comparisons around \p Scope that the guards of its first block, \p BB,
/// may make readable: those that share an operand with them, directly or by
/// another such comparison.
SmallVector<KnownRelation, 4>
IndexRecovery::outerToReadAgain(const RecoveryScope &Scope,
                                const BasicBlock *BB) {
  if (!Scope.Parent || Scope.Parent->Unread.empty())
    return {};
  SmallVector<const Value *, 8> Said;
  for (const KnownCondition &C : Facts.conditionsAt(BB))
    Said.push_back(C.Condition);
  for (const KnownRelation &R : Facts.invariantsAt(BB))
    Said.append({R.A, R.B});
  if (std::optional<KnownCase> Case = Facts.caseAt(BB))
    Said.push_back(Case->Value);
  ValueSet Concerned = operandsOf(std::move(Said));
  SmallVector<KnownRelation, 4> Again;
  for (const KnownRelation &R : Scope.Parent->Unread) {
    ValueSet Operands = operandsOf({R.A, R.B});
    if (none_of(Operands, [&](const Value *V) { return Concerned.count(V); }))
      continue;
    Concerned.insert(Operands.begin(), Operands.end());
    Again.push_back(R);
  }
  return Again;
}

/// What was not read again is unread in the scopes inside, too.
void IndexRecovery::keepOuterUnread(RecoveryScope &Scope,
                                    ArrayRef<KnownRelation> ReadAgain) {
  if (Scope.Parent)
    for (const KnownRelation &R : Scope.Parent->Unread)
      if (!contains(ReadAgain, R))
        noteUnread(Scope, R);
}

} // namespace unravel
