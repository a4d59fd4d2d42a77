//===- IndexRaiser.h - The search behind raising ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the files that implement IndexRaising.h. Raising a form goes
// through sums of products of *symbols*. A symbol is whatever is not a sum: a
// variable, a quotient, but also the remainders, minima and selects that a
// form does not have.
//
//     form    --- rewrites (RaiseRewrites.cpp, RaiseSelect.cpp) --->  sums
//     symbol  --- its cheapest spelling (RaiseSymbol.cpp) --->  tree
//     sum     --- common factors outside (RaiseSum.cpp) --->  tree
//
// The search over rewrites is in IndexRaising.cpp. Every rewrite is an identity
// on the integers: nothing is known here of what values the variables have.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_SYNTAX_INDEXRAISER_H
#define UNRAVEL_ANALYSIS_SYNTAX_INDEXRAISER_H

#include "analysis/algebra/IndexDomain.h"
#include "analysis/algebra/IndexPolynomial.h"
#include "analysis/syntax/IndexRaising.h"
#include "analysis/syntax/PricedSyntax.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace unravel {

using SymbolId = unsigned;

/// Coefficient times a product of symbols, at least one.
struct RaisedTerm {
  int64_t Coefficient;
  /// Sorted as they are written; repeated for a power.
  llvm::SmallVector<SymbolId, 2> Factors;
  /// Summands are written in the order of their keys, which are those of the
  /// last factors: ids of atoms.
  unsigned Key;
};

struct RaisedSum {
  llvm::SmallVector<RaisedTerm, 4> Terms;
  int64_t Constant = 0;
};

class Raiser {
public:
  Raiser(IndexContext &Context, AtomNames NameOf, unsigned Work)
      : Context(Context), NameOf(NameOf), Work(Work), Bounds(Context) {}

  /// Trees may rely on this from now on.
  void setBounds(const IndexAtom *Variable, const Interval &Range) {
    Bounds.declare(Variable, Range, Congruence());
  }

  /// The cheapest tree that is known for \p E.
  PricedTree tree(IndexExpr E);
  /// The same for the condition E != 0.
  PricedTree condition(IndexExpr E);

private:
  struct Symbol {
    PricedTree Positive;
    /// A tree for the negated value, or null.
    PricedTree Negative;
    /// The id of the atom that it stands for.
    unsigned Key;
  };
  /// A form as `Piece + Rest`, where the piece hides a quotient or a minimum.
  struct Rewrite {
    RaisedTerm Piece;
    IndexExpr Rest;
  };
  /// A form as `Condition * Factor + Rest`.
  struct ConditionSplit {
    PricedTree Condition;
    /// Null if the condition is made of several.
    const IndexAtom *Atom;
    unsigned Key;
    IndexExpr Factor, Rest;
  };

  // IndexRaising.cpp
  RaisedSum best(IndexExpr E);
  RaisedSum bestOfGroups(IndexExpr E, llvm::ArrayRef<IndexExpr> Groups);
  RaisedSum search(IndexExpr E);
  RaisedSum greedy(IndexExpr E);
  RaisedSum plain(IndexExpr E);
  bool spend();

  // RaiseSum.cpp
  PricedTree render(const RaisedSum &Sum);
  void factorize(llvm::SmallVector<RaisedTerm, 4> Terms,
                 llvm::SmallVectorImpl<PricedSummand> &Parts);
  PricedSummand summandOf(const RaisedTerm &Term);
  PricedSummand groupOf(llvm::ArrayRef<RaisedTerm> Group, int64_t Constant,
                        unsigned Key, const PricedTree &Factor, int64_t Scale);
  RaisedTerm makeTerm(MonomialRef Factors, int64_t Coefficient,
                      std::optional<SymbolId> Extra = {});
  void sortFactors(RaisedTerm &Term) const;

  // RaiseSymbol.cpp
  SymbolId symbolOf(const IndexAtom *Atom);
  SymbolId symbolOf(SyntaxOp Op, IndexExpr A, IndexExpr B, unsigned Key);
  Symbol makeSymbol(SyntaxOp Op, IndexExpr A, IndexExpr B);
  PricedTree treeOf(SyntaxOp Op, IndexExpr A, IndexExpr B);
  SymbolId newSymbol(Symbol S);
  const PricedTree &cheaperSense(SymbolId Id, int64_t &Sign) const;
  bool flattenQuotient(SyntaxOp Op, IndexExpr &A, IndexExpr &B);
  PricedTree extremum(SyntaxOp Op, IndexExpr A, IndexExpr B);
  PricedTree extremumOf(SyntaxOp Op, llvm::SmallVector<IndexExpr, 4> Bounds);

  // RaiseRewrites.cpp
  void rewritesOf(IndexExpr E, llvm::SmallVectorImpl<Rewrite> &Rewrites);
  void addRewrite(MonomialRef Factors, int64_t Coefficient, SymbolId Extra,
                  IndexExpr Rest, llvm::SmallVectorImpl<Rewrite> &Rewrites);
  void addProducts(IndexExpr E, llvm::SmallVectorImpl<Rewrite> &Rewrites);
  void addDigits(IndexExpr E, const IndexTerm &T,
                 llvm::SmallVectorImpl<Rewrite> &Rewrites);
  void addScaledDigits(IndexExpr E, const IndexTerm &T, const IndexAtom *Factor,
                       llvm::SmallVectorImpl<Rewrite> &Rewrites);
  void addHalves(IndexExpr E, const IndexTerm &T,
                 llvm::SmallVectorImpl<Rewrite> &Rewrites);
  void addAbsorptions(IndexExpr E, const IndexTerm &T, const IndexAtom *Factor,
                      llvm::SmallVectorImpl<Rewrite> &Rewrites);
  struct Extremum;
  std::optional<Extremum> extremumIn(IndexExpr E, const IndexTerm &T,
                                     const IndexAtom *Factor, int64_t A);
  IndexExpr cancellingIn(const Extremum &X, const Monomial &Others);
  void cancelExtremum(IndexExpr E, llvm::SmallVectorImpl<Rewrite> &Rewrites);
  void addExtremum(const Extremum &X, const IndexTerm &T,
                   const IndexAtom *Factor, IndexExpr K,
                   llvm::SmallVectorImpl<Rewrite> &Rewrites);
  void addExtrema(IndexExpr E, const IndexTerm &T, const IndexAtom *Factor,
                  llvm::SmallVectorImpl<Rewrite> &Rewrites);

  // RaiseSelect.cpp
  RaisedSum splitConditions(IndexExpr E);
  bool collectLeaves(IndexExpr E, llvm::SmallVectorImpl<IndexExpr> &Leaves);
  llvm::SmallVector<ConditionSplit, 4> splitsOf(IndexExpr E, bool All);
  std::optional<ConditionSplit> separatingSplit(IndexExpr E);
  std::optional<ConditionSplit> conjunctionSplit(IndexExpr E);
  RaisedSum withSelect(const ConditionSplit &Split, IndexExpr S,
                       IndexExpr Rest);
  std::optional<RaisedSum> withoutContent(IndexExpr E);

  // RaiseCondition.cpp
  PricedTree comparison(const IndexAtom *Condition, bool Negated);
  PricedTree decide(IndexExpr E, llvm::function_ref<PricedTree(IndexExpr)> Leaf,
                    llvm::DenseMap<IndexExpr, PricedTree> &Known);

  // RaiseAssumption.cpp
  IndexExpr assume(IndexExpr E, const IndexAtom *Condition, int64_t Value);

  IndexContext &Context;
  AtomNames NameOf;
  /// Bounds the search: what is left for all, and for the form at hand.
  unsigned Work;
  unsigned LocalWork = 0;
  unsigned Nesting = 0;
  /// Of the variables.
  IndexDomain Bounds;
  static constexpr unsigned MaxNesting = 48;
  std::deque<Symbol> Symbols;
  using SymbolKey = std::pair<unsigned, std::pair<IndexExpr, IndexExpr>>;
  llvm::DenseMap<SymbolKey, SymbolId> SymbolIds;
  llvm::DenseMap<IndexExpr, RaisedSum> Sums;
  llvm::DenseMap<IndexExpr, PricedTree> Trees;
};

/// True for a condition that does not compare numbers.
bool isOpenCondition(const IndexAtom *Atom);
/// True if \p E has a term with such a condition as a factor.
bool hasConditions(IndexExpr E);
/// These conditions, by id.
llvm::SmallVector<const IndexAtom *, 4> conditionsOf(IndexExpr E);

using AtomVisitor = llvm::function_ref<void(const IndexAtom *)>;
/// The parts of \p E, without the constant, whose terms are linked: by atoms
/// that \p Links visits for each of two terms.
llvm::SmallVector<IndexExpr, 4>
groupTerms(IndexContext &Context, IndexExpr E,
           llvm::function_ref<void(const IndexAtom *, AtomVisitor)> Links);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_SYNTAX_INDEXRAISER_H
