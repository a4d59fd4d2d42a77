//===- RefutationSearch.h - Finds refutations -------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks for a refutation (Certificate.h) of polynomials that are supposed not
// to be negative. Variables that can have only one value, or that are equal to
// others, are replaced first: products with them become simple, and a product
// with a factor 0 goes. The rest is exact linear programming over the products
// of variables, with products of lines, and splits of integers that come out as
// fractions.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PROOF_REFUTATIONSEARCH_H
#define UNRAVEL_ANALYSIS_PROOF_REFUTATIONSEARCH_H

#include "analysis/proof/Certificate.h"
#include "analysis/proof/Simplex.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>
#include <set>

namespace unravel {

/// Which lines are multiplied.
enum class ProductsOf { Nothing, Goals, Lines };

class RefutationSearch {
public:
  /// Adds a hypothesis; its number is \p Number.
  void assume(unsigned Number, const Polynomial &P);
  /// Likewise, of what has to be refuted with the others.
  void assumeGoal(unsigned Number, const Polynomial &P);
  /// A hypothesis that lines may be multiplied by.
  void multiplyBy(unsigned Number, const Polynomial &P);

  /// Adds the bounds of the products in the hypotheses, once for all questions.
  void boundProducts() { Start.boundProducts(); }

  /// What to try.
  struct Attempt {
    ProductsOf Multiplied;
    /// Only lines that are so many lines away from the goals, by the products
    /// that they share.
    unsigned Radius;
  };
  /// Uses up \p Splits and \p Work.
  bool run(const Attempt &How, Refutation &R, unsigned &Splits, int64_t &Work);
  unsigned nodes() const { return Nodes; }

private:
  /// Lines, and the linear program that they are.
  struct State {
    std::vector<Polynomial> Lines;
    /// How the last lines follow, from those of this node on.
    std::vector<Inference> Inferences;
    /// The lines that count: for each polynomial without constant the one with
    /// the least constant.
    std::map<Polynomial, unsigned> Live;
    std::vector<unsigned> Goals, Factors;
    /// Products of hypotheses, before anything was replaced.
    std::set<Monomial> Mentioned;
    /// Products whose bounds are there, with the bounds of the factors that
    /// they were made of.
    std::map<Monomial, std::vector<unsigned>> Bounded;
    unsigned Radius = 0;
    /// What add up to a contradiction, if that is known.
    llvm::SmallVector<unsigned, 2> Contradiction;
    /// Polynomials that are a constant, because they and their opposites are
    /// bounded by it.
    std::vector<Polynomial> Equalities;
    /// The products that were replaced, and the lines that say by what.
    std::map<Monomial, std::pair<unsigned, unsigned>> Replaced;

    std::optional<Simplex> Program;
    /// The variable of a product of variables, and of a sum of such products
    /// (without constant, with coefficients without common divisor, the last
    /// one positive).
    std::map<Monomial, unsigned> Products;
    std::map<Polynomial, unsigned> Sums;

    unsigned add(const Inference &Step, const Polynomial &Line);
    unsigned insert(unsigned Line);
    std::optional<unsigned> bound(unsigned Variable, bool IsUpper) const;
    std::optional<unsigned> notNegative(unsigned Variable);
    void eliminate();
    Polynomial cofactor(const Monomial &M, const Polynomial &P) const;
    Polynomial
    reduced(Polynomial P,
            llvm::function_ref<void(const Monomial &, const Polynomial &,
                                    const Polynomial &)>
                Note) const;
    unsigned reduced(unsigned Line);
    unsigned given(unsigned Hypothesis, const Polynomial &P);
    void boundProducts();
    void boundProduct(const Monomial &M);
    bool multiply(ProductsOf Multiplied);
    void makeProgram();
    std::vector<unsigned> linesNearGoals() const;
    void addToProgram(unsigned Line);
    unsigned variableOf(const Polynomial &Sum);
  };

  bool refute(State &S, Refutation &R, unsigned &Splits, int64_t &Work);

  State Start;
  unsigned Nodes = 0;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PROOF_REFUTATIONSEARCH_H
