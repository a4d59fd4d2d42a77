//===- RangeFacts.h - What the IR says about a value's range ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects, for one function, the facts that the algebra may rely on:
//
//  * the range and lattice of a value wherever it is defined: special
//    registers under the kernel's launch bounds, range attributes and
//    metadata, known bits, LazyValueInfo, scalar evolution;
//  * the conditions that hold in a block: dominating branches, switch cases
//    and assumptions.
//
// It answers in terms of IR values and never edits IR. Conditions become
// constraints over index forms in IndexRecovery.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_RANGEFACTS_H
#define UNRAVEL_ANALYSIS_FACTS_RANGEFACTS_H

#include "analysis/facts/IntegerReading.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class AssumptionCache;
class DominatorTree;
class LazyValueInfo;
class ScalarEvolution;
} // namespace llvm

namespace unravel {

/// A condition that has a known value.
struct KnownCondition {
  const llvm::Value *Condition;
  bool Holds;
};

/// A switch case that was taken: Value == Case.
struct KnownCase {
  const llvm::Value *Value;
  const llvm::ConstantInt *Case;
};

/// A comparison that holds without being computed.
struct KnownRelation {
  const llvm::Value *A, *B;
  llvm::CmpInst::Predicate Predicate;
};

/// A phi of a loop header that is Start + Step*i in the i-th iteration, modulo
/// its word, for 0 <= i <= Last; Last is infinite where it is not known.
struct KnownRecurrence {
  llvm::PHINode *Phi;
  llvm::Value *Start;
  int64_t Step, Last;
};

class RangeFacts {
public:
  RangeFacts(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

  llvm::Function &function() const { return F; }

  /// The values that \p V can take at its definition, read as \p R.
  Interval rangeOf(llvm::Value *V, Reading R) const;
  /// x = r (mod m) for every value of \p V under both readings.
  Congruence latticeOf(llvm::Value *V) const;

  /// What holds in \p BB but is not known in its immediate dominator, in the
  /// order of the IR.
  llvm::ArrayRef<KnownCondition> conditionsAt(const llvm::BasicBlock *BB) const;
  std::optional<KnownCase> caseAt(const llvm::BasicBlock *BB) const;
  /// What holds of the phis of the loop header \p BB in every iteration,
  /// because both its edges are guarded by it.
  llvm::ArrayRef<KnownRelation> invariantsAt(const llvm::BasicBlock *BB) const;

  /// The phis of the loop header \p BB that move by a constant, if one of them
  /// starts at a value of run time.
  llvm::ArrayRef<KnownRecurrence>
  recurrencesAt(const llvm::BasicBlock *BB) const;

  /// Whether \p V is never poison, wherever it is used.
  bool isNeverPoison(const llvm::Value *V) const;
  /// Whether \p V is never undef (poison it may be).
  bool isNeverUndef(const llvm::Value *V) const;

private:
  void collectConditions();
  void collectInvariants(llvm::BasicBlock &Header);
  void collectRecurrences(llvm::BasicBlock &Header);
  bool isGuarded(const llvm::BasicBlock *BB, const KnownRelation &R) const;

  llvm::Function &F;
  llvm::AssumptionCache &AC;
  llvm::DominatorTree &DT;
  llvm::LazyValueInfo &LVI;
  bool TrustsLVI;
  llvm::ScalarEvolution &SE;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<KnownCondition, 2>>
      Conditions;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<KnownRelation, 2>>
      Invariants;
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::SmallVector<KnownRecurrence, 2>>
      Recurrences;
  mutable llvm::DenseMap<const llvm::Value *, bool> NeverUndef;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_RANGEFACTS_H
