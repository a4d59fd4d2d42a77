//===- IndexDomain.h - What values index expressions can take ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A domain bounds the variables of a context (a range and a congruence each)
// and holds constraints `form in [lo, hi]`. It answers with ranges that see
// through the floor basis: the naive range of `x - 75*floor(x/75)` is huge, so
// the evaluator looks for the digits inside a form,
//
//     s*(M - d*floor(M/d)) + rest   is in   s*[0, d-1] + range(rest)
//
// and intersects with the naive interval. See docs/ARCHITECTURE.md. An answer
// depends on the question and the facts alone, not on earlier questions; what
// the domain remembers of those only saves time.
//
// Domains nest: a child sees everything its parent knows, and adds to it. A
// basic block behind a guard is a child of the block in front of it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_INDEXDOMAIN_H
#define UNRAVEL_ANALYSIS_ALGEBRA_INDEXDOMAIN_H

#include "analysis/algebra/IndexExpr.h"
#include "analysis/algebra/Interval.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace unravel {

/// `Expr in Range`; the expression has no constant, its coefficients have no
/// common factor and the first one is positive.
struct IndexConstraint {
  IndexExpr Expr;
  Interval Range;
};

/// `Expr` lies on a lattice; Expr has no constant and several terms.
struct LatticeFact {
  IndexExpr Expr;
  Congruence Lattice;
};

class DomainSampler;
class RangeQuery;

class IndexDomain {
public:
  explicit IndexDomain(IndexContext &Context);
  /// A nested domain; \p Parent must outlive it and not change any more.
  explicit IndexDomain(const IndexDomain &Parent);
  IndexDomain(IndexDomain &&);
  ~IndexDomain();

  IndexContext &context() const { return Context; }

  /// States the bounds of a variable that no query has seen yet. Unlike
  /// restrict(), this may be called on a parent that has children.
  void declare(const IndexAtom *Variable, const Interval &Range,
               const Congruence &Lattice = {});
  /// Intersects what is known of \p Atom with \p Range.
  void restrict(const IndexAtom *Atom, const Interval &Range);
  /// Adds the fact `E in Range` and derives from it bounds of the atoms that
  /// occur in E. Calling it in any order is sound; for full precision call
  /// propagate() after the last one.
  void constrain(IndexExpr E, const Interval &Range);
  /// Adds the fact that E lies on a lattice.
  void constrainLattice(IndexExpr E, const Congruence &Lattice);
  /// Adds that E, as a whole, lies in \p Range: the caller knows another way to
  /// compute it. For this domain alone, and nothing is derived from it.
  void learnRange(IndexExpr E, const Interval &Range);
  /// Derives bounds of variables from all constraints, to a fixed point (or a
  /// fixed number of rounds).
  void propagate();

  /// Grows whenever the domain learns something.
  unsigned revision() const { return Revision; }

  /// Whether any fact bounds a product of atoms from outside of it.
  bool knowsProducts() const {
    return KnowsProducts || (Parent && Parent->knowsProducts());
  }
  /// This domain, or the one around it that knows as much: its answers are the
  /// answers of both.
  const IndexDomain &informed() const {
    return addsFacts() ? *this : Parent->informed();
  }
  /// What IndexProver.h found out about E from the facts of this domain.
  std::optional<bool> knownProof(IndexExpr E) const;
  void keepProof(IndexExpr E, bool Holds) const { Proofs[E] = Holds; }

  /// Whether E < 0 at some point that satisfies the facts, of a few that are
  /// tried: no proof of E >= 0 exists then.
  bool isRefuted(IndexExpr E) const;
  /// Whether facts could relate \p A to \p B at all: some variable of A occurs
  /// in B, or is bound to one of B's by facts. Where they do not, no bound of
  /// one is a bound of the other, and a search for a proof is in vain.
  bool mayRelate(IndexExpr A, IndexExpr B) const;

  /// True if the facts contradict each other: no point satisfies them.
  bool isKnownEmpty() const { return Empty; }

  /// What was declared, restricted or propagated for exactly this atom.
  Interval boundsOf(const IndexAtom *Atom) const;
  Congruence congruenceOf(const IndexAtom *Atom) const;
  /// The constraints of this domain itself, without its parents'.
  llvm::ArrayRef<IndexConstraint> constraints() const { return Constraints; }
  /// The constraints of this domain and its parents, innermost first, at most
  /// IndexLimits::MaxConstraints.
  llvm::SmallVector<IndexConstraint, 4> visibleConstraints() const;
  /// Calls \p Holds for these, until it is true. Returns whether it was.
  bool anyVisibleConstraint(
      llvm::function_ref<bool(const IndexConstraint &)> Holds) const;

  /// A superset of the values that \p E takes on the domain; never empty.
  Interval range(IndexExpr E) const;
  /// A lattice that contains every value of \p E.
  Congruence congruence(IndexExpr E) const;

  /// Whether every point of the domain has E in \p Bounds: that range(E) is in
  /// it, at less expense.
  bool isWithin(IndexExpr E, const Interval &Bounds) const;
  bool isNonNegative(IndexExpr E) const {
    return isWithin(E, Interval::atLeast(0));
  }
  /// floor(E / Divisor) where it has the same value everywhere, else nullopt.
  std::optional<int64_t> constantQuotient(IndexExpr E, int64_t Divisor) const;

private:
  friend class DomainSampler;
  friend class RangeQuery;
  struct AtomFacts {
    Interval Range;
    Congruence Lattice;
  };
  /// E = factor * unit + constant: as in an IndexConstraint. Null for
  /// constants, and beyond 64 bits.
  std::pair<IndexExpr, int64_t> unitOf(IndexExpr E) const;
  bool addsFacts() const {
    return !Parent || !Facts.empty() || !Constraints.empty() ||
           !LatticeFacts.empty() || !Learned.empty();
  }
  /// After a fact that concerns ranges of whole forms only, or any fact.
  void forgetAnswers();
  void forget();
  DomainSampler &samplePoints() const;
  const AtomFacts *factsOf(const IndexAtom *Atom) const;
  Congruence congruenceOfTerm(const IndexAtom *Atom) const;
  std::optional<Congruence> congruenceThrough(const LatticeFact &Fact,
                                              IndexExpr E) const;
  void constrainOperand(const IndexAtom *Atom, const Interval &Range);
  void constrainFactors(const IndexAtom *Product, const Interval &Range);
  void constrainDigit(IndexExpr E, int64_t Value);
  bool propagateThrough(const IndexConstraint &Fact);

  IndexContext &Context;
  const IndexDomain *Parent = nullptr;
  llvm::MapVector<const IndexAtom *, AtomFacts> Facts;
  /// What parents know of atoms that were asked about.
  mutable llvm::DenseMap<const IndexAtom *, std::optional<AtomFacts>> Inherited;
  llvm::SmallVector<IndexConstraint, 4> Constraints;
  llvm::SmallVector<LatticeFact, 2> LatticeFacts;
  bool Empty = false;
  unsigned Revision = 0;
  bool KnowsProducts = false;
  /// Products that were restricted here.
  llvm::SmallVector<const IndexAtom *, 4> BoundedProducts;
  /// What learnRange() was told, by the unit of the form.
  llvm::DenseMap<IndexExpr, Interval> Learned;

  // Answers; the facts are all that they depend on.
  mutable llvm::DenseMap<IndexExpr, bool> Proofs;
  /// A range, and the splits that it took to find it.
  struct KnownRange {
    Interval Range;
    unsigned Splits;
  };
  /// By the form and the depth of the question.
  mutable llvm::DenseMap<std::pair<IndexExpr, unsigned>, KnownRange> Ranges;
  mutable llvm::DenseMap<IndexExpr, Interval> NaiveRanges;
  mutable llvm::DenseMap<IndexExpr, Congruence> Lattices;
  /// Made when a proof is first looked for.
  mutable std::unique_ptr<DomainSampler> Points;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_INDEXDOMAIN_H
