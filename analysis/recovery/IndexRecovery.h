//===- IndexRecovery.h - IR values as index forms ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads linear forms over the floor basis off integer and pointer values.
//
// An IR value of width w is a ring element modulo 2^w, a form is a
// mathematical integer. The *exact* form of a value under a reading (signed or
// unsigned) equals the number that its bits mean, at every place of the scope
// and whenever the value is not poison. If no such form can be proved - an
// addition may wrap - the value becomes a variable of its own. The *ring* form
// is only congruent modulo 2^w, which is all that an address needs.
//
// Forms are computed in a scope: the facts that hold in a block. What is
// recovered there may use every guard that dominates the block.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_RECOVERY_INDEXRECOVERY_H
#define UNRAVEL_ANALYSIS_RECOVERY_INDEXRECOVERY_H

#include "analysis/algebra/FloorBasis.h"
#include "analysis/facts/RangeFacts.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include <memory>

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace unravel {

/// What recovery takes on before it gives up: beyond a limit a value is taken
/// as opaque, which costs a rewrite, never its correctness. The defaults are
/// far beyond what kernels contain (docs/options.md).
struct RecoveryLimits {
  /// Proofs that kernels need look at a few forms, short ones first.
  static IndexLimits formsOfKernels() {
    IndexLimits Forms;
    Forms.MaxProofForms = 32;
    return Forms;
  }
  IndexLimits Forms = formsOfKernels();
  /// Values recovered per instruction of the function, over all scopes. Bounds
  /// the time for functions with many guards; real kernels stay below 5.
  unsigned MaxValuesPerInstruction = 64;
  /// Scopes inside each other. A fact is looked up in the scopes around it, so
  /// guards nested deeper add nothing to what is known.
  unsigned MaxGuards = 128;
  /// Links of a chain of GEPs that are read as one offset.
  unsigned MaxPointerChain = 64;
  /// Bit operations of any operands get forms. They are good to read and to
  /// compare; no plan can write them.
  bool ReadsBits = false;
};

/// What is known of one integer value in one scope.
struct RecoveredValue {
  /// Never null for an integer of at most 64 bits.
  IndexExpr Signed, Unsigned;
  /// Congruent to the value modulo 2^width; equals one of the exact forms
  /// unless those are opaque.
  IndexExpr Ring;
  /// False if the value is known not to be poison (undef) in the scope.
  bool MayBePoison = true, MayBeUndef = true;
  /// The program divides to compute it, even if no form shows that.
  bool Divides = false;
  bool isWellDefined() const { return !MayBePoison && !MayBeUndef; }

  IndexExpr exact(Reading R) const {
    return R == Reading::Signed ? Signed : Unsigned;
  }
};

/// A division by a constant as the source wrote it: Quotient, in the basis,
/// is floor(Dividend / Divisor). The expander prefers dividends that exist.
struct SourceDivision {
  IndexExpr Dividend;
  int64_t Divisor;
  IndexExpr Quotient;
};

/// The facts of a block, and what was recovered under them.
struct RecoveryScope {
  RecoveryScope(IndexContext &Context) : Domain(Context), Basis(Domain) {}
  explicit RecoveryScope(RecoveryScope &Parent)
      : Domain(Parent.Domain), Basis(Domain), Parent(&Parent),
        Depth(Parent.Depth + 1) {}
  IndexDomain Domain;
  FloorBasis Basis;
  RecoveryScope *Parent = nullptr;
  unsigned Depth = 0; ///< how many scopes it is inside of
  /// The first block that the facts hold in, and all that it dominates; null
  /// for those of the whole function.
  const llvm::BasicBlock *Head = nullptr;
  llvm::DenseMap<const llvm::Value *, RecoveredValue> Values;
  /// The keys of Values in the order of recovery.
  llvm::SmallVector<llvm::Value *, 16> Order;
  /// Values that a branch or an assumption depends on: were they poison, the
  /// scope would not be reached.
  llvm::DenseSet<const llvm::Value *> NotPoison;
  /// Keyed by the division atom that the quotient brought in.
  llvm::DenseMap<const IndexAtom *, llvm::SmallVector<SourceDivision, 2>>
      Divisions;
  /// Divisions by a value of run time that were recovered in this scope:
  /// wherever one dominates, its divisor is not zero, poison or undef, and it
  /// is not INT_MIN by -1.
  llvm::SetVector<llvm::BinaryOperator *> RuntimeDivisions;
  /// Selects of which no form is known, by condition and by both arms without
  /// the constant of the first one, which comes behind (RecoverChoices.cpp).
  using Choice = std::tuple<llvm::Value *, IndexExpr, IndexExpr>;
  llvm::DenseMap<Choice, std::pair<llvm::SelectInst *, int64_t>> Choices;
  /// Comparisons that hold here and of which not everything could be said
  /// (UnreadComparisons.cpp), the innermost first.
  llvm::SmallVector<KnownRelation, 2> Unread;
};

/// A pointer as `Base + Offset` bytes.
struct RecoveredPointer {
  llvm::Value *Base;
  unsigned Width; ///< of addresses in this space: 32 or 64
  /// Congruent to the byte offset modulo 2^Width.
  IndexExpr Offset;
  /// Every step from the base to the pointer was inbounds (nuw).
  bool InBounds, NoUnsignedWrap;
};

class IndexRecovery {
public:
  IndexRecovery(RangeFacts &Facts, llvm::DominatorTree &DT, llvm::LoopInfo &LI,
                const RecoveryLimits &Limits = {});
  ~IndexRecovery();

  IndexContext &context() { return Context; }
  RangeFacts &facts() { return Facts; }
  llvm::Function &function() { return Facts.function(); }
  llvm::DominatorTree &dominatorTree() { return DT; }
  llvm::LoopInfo &loopInfo() { return LI; }

  /// The scope of a reachable block.
  RecoveryScope &scopeOf(const llvm::BasicBlock *BB);

  /// The forms of \p V, an integer of at most 64 bits.
  const RecoveredValue &recover(llvm::Value *V, RecoveryScope &Scope);
  /// Looks through GEPs with 64-bit offsets; nullopt for other pointers.
  std::optional<RecoveredPointer> recoverPointer(llvm::Value *Pointer,
                                                 RecoveryScope &Scope);
  /// Sums that begin with \p Atom and that the source multiplies by a value of
  /// run time, in whatever scope.
  llvm::ArrayRef<IndexExpr> factorSums(const IndexAtom *Atom) const;

  /// The limits that were reached; what is beyond them was taken as opaque, or
  /// not used.
  bool ranOutOfValues() const { return StepsLeft == 0; }
  bool ranOutOfGuards() const { return RanOutOfGuards; }
  const RecoveryLimits &limits() const { return Limits; }

  /// Whether \p V can be recovered at all.
  static bool isIndexValue(const llvm::Value *V);
  /// Whether recovery looks through \p V to its operands.
  static bool isIndexOperation(const llvm::Value *V);

  /// How many operations \p E leaves unexplained: those of its variables that
  /// stand for arithmetic which could not be proved exact.
  unsigned opacityOf(IndexExpr E) const;
  /// Which of two forms of one value to prefer: less opaque, then narrower.
  bool explainsMore(IndexExpr A, IndexExpr B, const RecoveryScope &Scope) const;
  /// The reading of a word, congruent to it, that says most of it.
  IndexExpr anyReading(const RecoveredValue &R, const RecoveryScope &Scope);

  /// The value and the reading that a variable stands for.
  std::pair<llvm::Value *, Reading> valueOf(const IndexAtom *Variable) const;

  /// The form whose sign (or zeroness) decides \p Cmp: lhs - rhs under the
  /// reading of the predicate. Null if not recoverable.
  IndexExpr differenceOf(const llvm::ICmpInst &Cmp, RecoveryScope &Scope);

  /// `x <u n` and its three relatives, for an x that is only known as a signed
  /// number, is a range check 0 <= x < n.
  struct RangeCheck {
    IndexExpr Index, Limit; ///< signed x; n, not above the signed maximum
  };
  std::optional<RangeCheck> rangeCheckOf(const llvm::ICmpInst &Cmp,
                                         RecoveryScope &Scope);

private:
  void addConditions(RecoveryScope &Scope, const llvm::BasicBlock *BB);
  void assumeCondition(RecoveryScope &Scope, const llvm::Value *Condition,
                       bool Holds, unsigned Depth);
  void assumeMergedBounds(RecoveryScope &Scope, llvm::Value *Merged,
                          llvm::Value *Bound, llvm::CmpInst::Predicate Pred,
                          unsigned Depth);
  void assumeMergedBits(RecoveryScope &Scope, llvm::Value *Masked,
                        llvm::Value *Bound);
  void forgetValues(RecoveryScope &Scope);
  void assumeNotPoison(RecoveryScope &Scope, const llvm::Value *V);
  void assumeFactorsNotZero(RecoveryScope &Scope, llvm::Value *A,
                            llvm::Value *B, llvm::CmpInst::Predicate Pred);
  void assumeAnyNotZero(RecoveryScope &Scope, llvm::Value *Merged);
  void assumeComparison(RecoveryScope &Scope, llvm::Value *A, llvm::Value *B,
                        llvm::CmpInst::Predicate Pred);
  int64_t lastIteration(RecoveryScope &Scope,
                        llvm::ArrayRef<KnownRecurrence> OfLoop);
  void assumeRecurrences(RecoveryScope &Scope,
                         llvm::ArrayRef<KnownRecurrence> OfLoop);
  void noteUnread(RecoveryScope &Scope, const KnownRelation &R);
  llvm::SmallVector<KnownRelation, 4>
  outerToReadAgain(const RecoveryScope &Scope, const llvm::BasicBlock *BB);
  void keepOuterUnread(RecoveryScope &Scope,
                       llvm::ArrayRef<KnownRelation> ReadAgain);
  void addLaunchRelations(RecoveryScope &Root);
  void addSizeRelations(RecoveryScope &Root);

  RecoveredValue compute(llvm::Value *V, RecoveryScope &Scope);
  RecoveredValue computeOperation(llvm::Instruction *I, RecoveryScope &Scope);
  RecoveredValue opaque(llvm::Value *V, RecoveryScope &Scope);
  void takeFormsOfEdges(llvm::PHINode &Phi, RecoveredValue &Result,
                        RecoveryScope &Scope);
  RecoveryScope &
  edgeOf(const llvm::PHINode &Phi, const llvm::Use &Incoming,
         llvm::SmallVectorImpl<std::unique_ptr<RecoveryScope>> &Cases);
  using FormInScope = std::pair<IndexExpr, RecoveryScope *>;
  bool mayStandFor(IndexExpr Form, const FormInScope &Own);
  IndexExpr commonForm(llvm::ArrayRef<FormInScope> Forms);
  void takeFormOfCases(llvm::Instruction *I, RecoveredValue &Result,
                       RecoveryScope &Scope);
  void takeFormOfChoice(llvm::SelectInst &I, RecoveredValue &Result,
                        RecoveryScope &Scope);
  bool isInCase(llvm::Instruction *I, llvm::Value *A, llvm::Value *B,
                llvm::CmpInst::Predicate Predicate,
                llvm::ArrayRef<llvm::Instruction *> Near, RecoveryScope &Parent,
                RecoveryScope &Case);
  IndexExpr variable(llvm::Value *V, Reading R, RecoveryScope &Scope);
  void keepThreadIndexWhole(llvm::Instruction *I, RecoveredValue &Value,
                            RecoveryScope &Scope);
  const RecoveredValue &known(llvm::Value *V, const RecoveryScope &Scope) const;
  std::string variableName(llvm::Value *V, Reading R);
  unsigned slotOf(const llvm::Value *V);
  void noteDivision(RecoveryScope &Scope, IndexExpr Dividend, int64_t Divisor,
                    IndexExpr Quotient);
  void noteFactorSums(const llvm::Instruction &Product,
                      const RecoveryScope &Scope);

  RangeFacts &Facts;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  IndexContext Context;
  RecoveryScope Root;
  std::vector<std::unique_ptr<RecoveryScope>> Owned;
  llvm::DenseMap<const llvm::BasicBlock *, RecoveryScope *> Scopes;
  llvm::DenseMap<std::pair<llvm::Value *, unsigned>, const IndexAtom *>
      Variables;
  llvm::DenseMap<const IndexAtom *, std::pair<llvm::Value *, Reading>>
      VariableValues;
  llvm::DenseMap<const IndexAtom *, llvm::SmallVector<IndexExpr, 2>> FactorSums;
  /// The numbers that the IR's text gives to values without a name.
  llvm::DenseMap<const llvm::Value *, unsigned> Slots;
  RecoveryLimits Limits;
  uint64_t StepsLeft;
  unsigned NestedJoins = 0; ///< phis that wait for what comes in
  bool InsideCase = false;  ///< a value waits for the cases of a comparison
  bool RanOutOfGuards = false;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_RECOVERY_INDEXRECOVERY_H
