//===- IndexExpander.h - Index forms as planned arithmetic ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns forms back into arithmetic, the cheapest it can find:
//
//  * a sum is computed modulo 2^32 wherever its value fits a 32-bit word, and
//    widened once;
//  * a division is written over the dividend that the source used, or over
//    another one that is at hand;
//  * x - d*floor(x/d) is a mask for d = 2^k, a multiply-add otherwise;
//  * an address is `base + offset + constant`, so that accesses that differ by
//    a constant share a register.
//
// Alternatives are planned side by side and priced; what other roots have
// planned already is free.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PLAN_INDEXEXPANDER_H
#define UNRAVEL_TRANSFORMS_PLAN_INDEXEXPANDER_H

#include "analysis/algebra/IndexDigits.h"
#include "analysis/recovery/IndexRecovery.h"
#include "transforms/plan/IndexPlan.h"
#include "transforms/plan/WantedQuotients.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/SaveAndRestore.h"

namespace unravel {

/// A comparison after simplification: a constant, a planned node, or neither if
/// it cannot be computed.
struct PlannedComparison {
  std::optional<bool> Constant;
  const PlanNode *Node = nullptr;
};

class IndexExpander {
public:
  /// \p Wanted knows the forms that plans will be asked for. With
  /// \p ReuseSources, sums and quotients that the source computes for other
  /// code (a comparison, say) as well are used as they are.
  IndexExpander(IndexRecovery &Recovery, IndexPlan &Plan,
                const WantedQuotients &Wanted, bool ReuseSources,
                unsigned MaxAlternatives)
      : Recovery(Recovery), Plan(Plan), Wanted(Wanted),
        Context(Recovery.context()), ReuseSources(ReuseSources),
        MaxAlternatives(MaxAlternatives) {}

  /// Sets where the next plans are needed: what they use must dominate \p At,
  /// and the facts of \p Scope must hold there.
  void moveTo(RecoveryScope &Scope, llvm::Instruction *At);
  /// The next plans replace \p Root: they are used only where it, and what it
  /// is computed from, is not poison.
  void replaceRoot(llvm::Value *Root);

  /// Each returns null (no node) if the form cannot be computed in 64 bits.
  const PlanNode *planAddress(const RecoveredPointer &Pointer);
  const PlanNode *planValue(IndexExpr E, unsigned Width);
  /// The outcome of `Difference <Predicate> 0`.
  PlannedComparison planComparison(llvm::CmpInst::Predicate Predicate,
                                   IndexExpr Difference);

  /// The outcome of `0 <= Index < Limit`, or of its negation.
  PlannedComparison planRangeCheck(bool IsInside, IndexExpr Index,
                                   IndexExpr Limit);

  /// Whether a plan would look different if no source had been reused.
  bool usedSources() const { return UsedSources; }

  /// Makes the nodes of \p Root free for what is planned later.
  void keep(const PlanNode *Root);
  /// The price of what \p Node adds to the nodes kept so far, each weighted by
  /// the depth of the loop that it has to be in.
  unsigned marginalCost(const PlanNode *Node);
  /// The weighted price of all nodes below \p Node.
  unsigned priceOf(const PlanNode *Node);
  /// The depth of the innermost loop that an operand of \p Node changes in, or
  /// that a division cannot leave.
  unsigned loopDepthOf(const PlanNode *Node);

private:
  /// Coefficient * Node, where Node computes the number Form.
  struct Summand {
    int64_t Coefficient;
    const PlanNode *Node;
    IndexExpr Form;
  };
  /// A sum of summands and a constant.
  struct Sum {
    llvm::SmallVector<Summand, 4> Summands;
    int64_t Constant = 0;
    bool Valid = true;
  };

  unsigned priceOf(const PlanNode *Node, bool WithoutKept);
  struct Sources;
  const PlanNode *addOffset(const PlanNode *Pointer, IndexExpr V,
                            PlanFlags Flags);
  void moveConstantOut(IndexExpr &V, int64_t &K);
  const PlanNode *sum(IndexExpr E, unsigned Width);
  const PlanNode *bestSum(IndexExpr E, unsigned Width);
  Sum decompose(IndexExpr E, unsigned Depth);
  Sum findDecomposition(IndexExpr E, unsigned Depth);
  Sum plainSum(IndexExpr E);
  void considerDigits(IndexExpr E, unsigned Depth, Sum &Best);
  void considerSourceDivisions(IndexExpr E, unsigned Depth, Sum &Best);
  void considerNestedQuotients(IndexExpr E, unsigned Depth, Sum &Best);
  void considerSourceSums(IndexExpr E, unsigned Depth, Sum &Best);
  void considerExtremes(IndexExpr E, unsigned Depth, Sum &Best);
  void consider(Sum Rest, int64_t Coefficient, const PlanNode *Node,
                IndexExpr Form, int64_t Constant, Sum &Best);
  void considerJoin(IndexExpr E, Sum &Best);
  IndexExpr throughJoin(IndexExpr E, const llvm::Instruction *Join,
                        unsigned Index, RecoveryScope &Scope);
  const PlanNode *sumAt(IndexExpr E, RecoveryScope &NewScope,
                        llvm::Instruction *NewAt);
  unsigned priceOf(const Sum &S);
  const PlanNode *assemble(Sum S, unsigned Width);
  const PlanNode *accumulate(llvm::ArrayRef<Summand> Ordered, int64_t Constant,
                             unsigned Width);

  const PlanNode *compareSides(llvm::CmpInst::Predicate Predicate,
                               IndexExpr Difference);

  /// Node computes Form + Offset exactly, in Width bits of its own.
  struct Quotient {
    const PlanNode *Node = nullptr;
    int64_t Offset = 0;
  };
  Quotient floorQuotient(IndexExpr Dividend, int64_t Divisor);
  Quotient findFloorQuotient(IndexExpr Dividend, int64_t Divisor);
  const PlanNode *unsignedQuotient(IndexExpr Dividend, int64_t Divisor,
                                   unsigned Width);
  Quotient truncQuotient(IndexExpr Dividend, int64_t Divisor);

  // Polynomials (ExpandPolynomial.cpp).
  const PlanNode *polynomial(IndexExpr E, unsigned Width);
  const PlanNode *byFactor(IndexExpr E,
                           llvm::ArrayRef<const IndexAtom *> Factor,
                           unsigned Width);
  const PlanNode *byDigit(IndexExpr E, const SymbolicDigit &Digit,
                          unsigned Width);

  // Quotients by values of run time (ExpandRuntimeDivision.cpp).
  const PlanNode *runtimeQuotient(const IndexAtom *Atom);
  const PlanNode *findRuntimeQuotient(const IndexAtom *Atom);
  const PlanNode *divide(IndexExpr Dividend, IndexExpr Divisor, bool Truncating,
                         bool WantsRemainder = false);
  const PlanNode *findDivision(IndexExpr Dividend, IndexExpr Divisor,
                               bool Truncating, bool WantsRemainder);
  llvm::SmallVector<const IndexAtom *, 4> neighboursOf(IndexExpr Dividend,
                                                       IndexExpr Divisor);
  const PlanNode *divideInPeriod(IndexExpr Dividend, IndexExpr Divisor,
                                 bool WantsRemainder);
  struct Evidence;
  llvm::ArrayRef<Evidence> evidence();
  void addChains(std::vector<Evidence> &Known);
  bool isWellDefined(IndexExpr E, RecoveryScope &S);
  struct Anchor;
  Anchor anchorOfPositive(IndexExpr Divisor, unsigned Width, Reading R);
  Anchor anchorOf(IndexExpr Dividend, IndexExpr Divisor, unsigned Width,
                  bool Signed);
  const PlanNode *sumByFactsOf(RecoveryScope &S, IndexExpr E, unsigned Width);
  const PlanNode *variable(const IndexAtom *Atom);
  const PlanNode *extreme(IndexExpr A, IndexExpr B, bool IsMax);
  const PlanNode *digit(IndexExpr Dividend, int64_t Radix, bool Truncating);

  const PlanNode *toWidth(const PlanNode *Node, IndexExpr Form, unsigned Width);
  const PlanNode *widen(const PlanNode *Node, IndexExpr Form, unsigned Width,
                        bool Unsigned, bool Signed);
  bool fits(IndexExpr E, unsigned Width, Reading R) const;
  bool isWordIn(const RecoveryScope &S, IndexExpr E, unsigned Width,
                Reading R) const;
  PlanFlags flagsFor(IndexExpr A, IndexExpr B, IndexExpr Result,
                     unsigned Width) const;
  bool dependsOnlyOnRoot(IndexExpr E) const;
  void addRootVariables(IndexExpr E);
  bool isAtHand(llvm::Value *V) const;
  void collectSources(Sources &Result);
  const PlanNode *sourceValue(IndexExpr E);

  IndexRecovery &Recovery;
  IndexPlan &Plan;
  const WantedQuotients &Wanted;
  IndexContext &Context;
  bool ReuseSources, UsedSources = false;
  unsigned MaxAlternatives;
  RecoveryScope *Scope = nullptr;
  llvm::Instruction *At = nullptr;
  /// The variables in the forms of the root that is planned.
  llvm::DenseSet<const IndexAtom *> RootVariables;
  /// Forms that are exact words of at most so many bits where the root is not
  /// poison, because the root is computed from them.
  llvm::DenseMap<IndexExpr, unsigned> SignedWords, UnsignedWords;
  unsigned NestedJoins = 0, NestedRings = 0;
  /// Alternatives left to try at this place; bounds the search.
  unsigned Budget = 0;
  /// What was found out for this place.
  struct Memo {
    llvm::DenseMap<std::pair<IndexExpr, unsigned>, const PlanNode *> Sums;
    llvm::DenseMap<std::pair<IndexExpr, unsigned>, Sum> Decompositions;
    llvm::DenseMap<std::pair<IndexExpr, int64_t>, Quotient> Quotients;
    llvm::DenseMap<const IndexAtom *, const PlanNode *> RuntimeQuotients;
    /// By dividend and divisor; the number says which division.
    llvm::DenseMap<std::tuple<IndexExpr, IndexExpr, unsigned>, const PlanNode *>
        RuntimeDivisions;
  };
  Memo Known;
  /// The same by the facts of one scope alone, whatever the root is.
  llvm::DenseMap<const RecoveryScope *, Memo> KnownByFacts;
  /// Behind Place a division is safe, by the facts of Facts.
  struct Anchor {
    llvm::Instruction *Place = nullptr;
    RecoveryScope *Facts = nullptr;
  };
  /// A division that is executed in front of the place, with its forms there;
  /// or a chain of two that divides by the product of their divisors.
  struct Evidence {
    llvm::BinaryOperator *Division;
    IndexExpr Dividend, Divisor;
    bool IsChain = false;
  };
  std::optional<std::vector<Evidence>> KnownEvidence;
  /// Those that the root is computed by.
  llvm::SmallVector<llvm::BinaryOperator *, 8> RootDivisions;
  /// What the source computes in a scope.
  struct Sources {
    llvm::DenseMap<IndexExpr, llvm::SmallVector<llvm::Value *, 2>> Values;
    /// Its sums of two terms or more, by their first atom.
    llvm::DenseMap<const IndexAtom *, llvm::SmallVector<IndexExpr, 2>> Sums;
  };
  llvm::DenseMap<const RecoveryScope *, Sources> SourcesOf;
  Sources *InScope = nullptr;
  /// While it lives, plans are made by the facts of another scope. What was
  /// found out in the old one is kept, since somebody further up may be looking
  /// through it; the sources of the other one are not collected.
  struct InOtherScope {
    InOtherScope(IndexExpander &X, RecoveryScope &Other)
        : Sources(X.InScope, &Other == X.Scope ? X.InScope : nullptr),
          Scope(X.Scope, &Other), Known(X.Known, Memo()),
          Evidence(X.KnownEvidence, {}) {}
    llvm::SaveAndRestore<IndexExpander::Sources *> Sources;
    llvm::SaveAndRestore<RecoveryScope *> Scope;
    llvm::SaveAndRestore<Memo> Known;
    llvm::SaveAndRestore<std::optional<std::vector<IndexExpander::Evidence>>>
        Evidence;
  };
  llvm::DenseSet<const PlanNode *> Kept;
  llvm::DenseMap<const PlanNode *, unsigned> LoopDepths;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_INDEXEXPANDER_H
