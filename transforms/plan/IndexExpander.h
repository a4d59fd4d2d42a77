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
#include "transforms/plan/PlanPlace.h"
#include "transforms/plan/PlanningContext.h"

namespace unravel {

/// A comparison after simplification: a constant, a planned node, or neither if
/// it cannot be computed.
struct PlannedComparison {
  std::optional<bool> Constant;
  const PlanNode *Node = nullptr;
};

/// Makes plans for one place. What it finds out it keeps; places with other
/// facts have expanders of their own.
class IndexExpander {
public:
  /// Spends alternatives of \p Planning until it is destroyed.
  IndexExpander(PlanningContext &Planning, PlanPlace Where);
  ~IndexExpander();

  /// Each returns null (no node) if the form cannot be computed in 64 bits.
  const PlanNode *planAddress(const RecoveredPointer &Pointer);
  const PlanNode *planValue(IndexExpr E, unsigned Width);
  /// The outcome of `Difference <Predicate> 0`.
  PlannedComparison planComparison(llvm::CmpInst::Predicate Predicate,
                                   IndexExpr Difference);

  /// The outcome of `0 <= Index < Limit`, or of its negation.
  PlannedComparison planRangeCheck(bool IsInside, IndexExpr Index,
                                   IndexExpr Limit);

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
    /// Once it is known.
    std::optional<unsigned> Price;
  };

  using ExpandersByFacts =
      llvm::DenseMap<const RecoveryScope *, std::unique_ptr<IndexExpander>>;

  /// For another place that a plan of \p Outer needs.
  IndexExpander(IndexExpander &Outer, PlanPlace Where);
  IndexExpander(IndexExpander &Outer, PlanPlace Where,
                ExpandersByFacts &ByFacts);

  const PlanNode *offset(IndexExpr V, unsigned Width);
  const PlanNode *addOffset(const PlanNode *Pointer, unsigned Width,
                            IndexExpr V, PlanFlags Flags);
  void moveConstantOut(IndexExpr &V, int64_t &K);
  bool isScaledWord(IndexExpr V) const;
  llvm::SmallVector<IndexExpr, 4> partsByWidth(IndexExpr V) const;
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
  unsigned priceOf(Sum &S);
  /// A price needs no flags, which take longer to prove than all the rest.
  enum class Purpose { Code, Price };
  const PlanNode *assemble(Sum S, unsigned Width, Purpose For);
  const PlanNode *accumulate(llvm::ArrayRef<Summand> Ordered, int64_t Constant,
                             unsigned Width, Purpose For);

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
  const PlanNode *timesPlus(IndexExpr Factor, IndexExpr With, IndexExpr Without,
                            IndexExpr E, unsigned Width);
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
  const PlanNode *divideBeside(IndexExpr Dividend, IndexExpr Divisor,
                               IndexExpr Quotient, unsigned Width,
                               bool WantsRemainder);
  struct Evidence;
  llvm::ArrayRef<Evidence> evidence();
  void addChains(std::vector<Evidence> &Known);
  bool isWellDefined(IndexExpr E, RecoveryScope &S);
  struct Anchor;
  Anchor anchorOfPositive(IndexExpr Divisor, unsigned Width, Reading R);
  Anchor anchorOf(IndexExpr Dividend, IndexExpr Divisor, unsigned Width,
                  bool Signed);
  IndexExpander &byFactsOf(RecoveryScope &S);
  const PlanNode *variable(const IndexAtom *Atom);
  const PlanNode *extreme(IndexExpr A, IndexExpr B, bool IsMax);
  const PlanNode *digit(IndexExpr Dividend, int64_t Radix, bool Truncating);

  const PlanNode *toWidth(const PlanNode *Node, IndexExpr Form, unsigned Width);
  const PlanNode *widen(const PlanNode *Node, IndexExpr Form, unsigned Width,
                        bool Signed);
  bool fits(IndexExpr E, unsigned Width, Reading R) const;
  bool isWordIn(const RecoveryScope &S, IndexExpr E, unsigned Width,
                Reading R) const;
  PlanFlags flagsFor(IndexExpr A, IndexExpr B, IndexExpr Result,
                     unsigned Width) const;
  bool isAtHand(llvm::Value *V) const;
  const PlanNode *sourceValue(IndexExpr E);

  PlanningContext &Planning;
  IndexRecovery &Recovery;
  IndexPlan &Plan;
  PlanPrices &Prices;
  IndexContext &Context;
  const PlanPlace Place;
  /// Null if nothing of the source is reused.
  const SourceValues *InScope;
  /// Alternatives left to try for the root, at all places together; bounds the
  /// search. Places that are not the root's have none of their own.
  const unsigned WholeBudget = 0;
  unsigned BudgetOfRoot = 0;
  unsigned &Budget;
  unsigned NestedRings = 0;

  // What was found out for this place.
  llvm::DenseMap<std::pair<IndexExpr, unsigned>, const PlanNode *> Sums;
  llvm::DenseMap<std::pair<IndexExpr, unsigned>, Sum> Decompositions;
  llvm::DenseMap<std::pair<IndexExpr, int64_t>, Quotient> Quotients;
  llvm::DenseMap<const IndexAtom *, const PlanNode *> RuntimeQuotients;
  /// By dividend and divisor; the number says which division.
  llvm::DenseMap<std::tuple<IndexExpr, IndexExpr, unsigned>, const PlanNode *>
      RuntimeDivisions;

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

  /// For the same instruction by the facts of one scope alone, whether the root
  /// is poison or not.
  ExpandersByFacts OwnByFacts;
  ExpandersByFacts &ByFacts;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PLAN_INDEXEXPANDER_H
