//===- ProofSearch.h - Finds proofs of inequalities -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects integer variables with bounds and polynomials that are not negative,
// and answers whether another one cannot be negative either. It looks for a
// refutation of the opposite (Certificate.h) with exact linear programming over
// the products of variables, by splitting integers that come out as fractions,
// and by multiplying inequalities with positive factors. Every answer "yes" is
// one whose certificate was checked.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PROOF_PROOFSEARCH_H
#define UNRAVEL_ANALYSIS_PROOF_PROOFSEARCH_H

#include "analysis/proof/Certificate.h"
#include "analysis/proof/Simplex.h"
#include <map>
#include <optional>

namespace unravel {

/// A range of integers, both ends included.
struct IntegerRange {
  DynamicAPInt Low, High;
};

class ProofSearch {
public:
  /// The values that the new variable can have: hypotheses as well.
  unsigned addVariable(const DynamicAPInt &Low, const DynamicAPInt &High);
  /// \p P is not negative.
  void assume(const Polynomial &P);
  /// Something that inequalities may be multiplied with: \p P is not negative,
  /// by a hypothesis or by the bounds of its variables.
  void addFactor(const Polynomial &P);

  /// By the bounds of the variables alone.
  IntegerRange rangeOf(const Polynomial &P) const;
  /// Whether it follows that \p P is not negative. \p Splits limits the search;
  /// without any, inequalities are not multiplied either.
  bool proves(const Polynomial &P, unsigned Splits);
  /// Narrows a variable to the one value that it can have, if there is only
  /// one: that of some solution, if the others are refuted.
  bool fix(unsigned Variable, unsigned Splits);
  /// Whether the hypotheses contradict each other.
  bool isImpossible(unsigned Splits) { return proves(Polynomial(-1), Splits); }

  /// What the proofs so far took.
  struct Effort {
    unsigned Proofs = 0, Nodes = 0;
    int64_t Work = 0;
    /// Whether a proof was found that did not pass the check, which is a bug.
    bool CheckFailed = false;
  };
  const Effort &effort() const { return Spent; }

private:
  /// Lines, and the linear program that they are.
  struct State {
    Simplex Program;
    /// The variable of a product of variables, and of a sum of such products
    /// (without constant, with coefficients without common divisor, the last
    /// one positive).
    std::map<Monomial, unsigned> Products;
    std::map<Polynomial, unsigned> Sums;
    std::vector<Polynomial> Lines;
    std::vector<Inference> Inferences;

    unsigned add(const Inference &Step, const Polynomial &Line);
    void bound(unsigned Line);
    unsigned variableOf(const Polynomial &Sum);
  };

  bool refute(State &S, Refutation &R, unsigned &Splits, int64_t &Work);
  bool search(const Polynomial &P, unsigned Splits, bool WithProducts);
  unsigned assumeLine(const Polynomial &P);
  unsigned notNegative(unsigned Variable);
  void boundProducts(const Polynomial &P);
  bool multiply(State &S, unsigned Goal) const;

  std::vector<IntegerRange> Ranges;
  /// The lines that bound each variable.
  std::vector<std::pair<unsigned, unsigned>> BoundLines;
  /// The line that says that a variable is not negative.
  std::map<unsigned, unsigned> NotNegativeLines;
  std::vector<Polynomial> Hypotheses, Factors;
  State Base;
  Effort Spent;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PROOF_PROOFSEARCH_H
