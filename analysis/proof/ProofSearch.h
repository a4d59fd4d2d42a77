//===- ProofSearch.h - Finds proofs of inequalities -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects integer variables with bounds and polynomials that are not negative,
// and answers whether another one cannot be negative either. Points that refute
// it come first (SamplePoints.h), then a search for a refutation of the
// opposite (RefutationSearch.h). Every answer "yes" is one whose certificate
// was checked, now or when the same was asked before (ProofMemo.h).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_PROOF_PROOFSEARCH_H
#define UNRAVEL_ANALYSIS_PROOF_PROOFSEARCH_H

#include "analysis/proof/ProofMemo.h"
#include "analysis/proof/RefutationSearch.h"
#include "analysis/proof/SamplePoints.h"
#include <map>
#include <optional>

namespace unravel {

/// A range of integers, both ends included.
struct IntegerRange {
  DynamicAPInt Low, High;
};

class ProofSearch {
public:
  /// Questions that \p Memo knows the answer of are not searched again.
  explicit ProofSearch(ProofMemo *Memo = nullptr) : Memo(Memo) {}

  /// The values that the new variable can have: hypotheses as well.
  unsigned addVariable(const DynamicAPInt &Low, const DynamicAPInt &High);
  /// A variable that is floor(\p N / \p D) in at least one solution, if there
  /// are any, for any values of the variables so far. That is no hypothesis,
  /// but of use where something has to be refuted.
  unsigned addQuotient(const Polynomial &N, const Polynomial &D,
                       const DynamicAPInt &Low, const DynamicAPInt &High);
  /// Likewise, the greater one of \p A and \p B.
  unsigned addGreater(const Polynomial &A, const Polynomial &B,
                      const DynamicAPInt &Low, const DynamicAPInt &High);
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
  /// Likewise, from a few of the hypotheses, one of which may be multiplied
  /// with: that is fast.
  bool provesFrom(llvm::ArrayRef<Polynomial> Few, const Polynomial &Factor,
                  const Polynomial &P);
  /// Whether it follows that \p P is not 0.
  bool provesNotZero(const Polynomial &P, unsigned Splits);
  /// Whether it follows that not both are 0.
  bool provesNotBothZero(const Polynomial &P, const Polynomial &Q,
                         unsigned Splits) {
    return answer({P, -P, Q, -Q}, Splits);
  }
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
  /// A variable that points have to follow.
  struct Definition {
    size_t Facts; ///< how many there were before
    DynamicAPInt Low, High;
    SamplePoints::Kind Kind = SamplePoints::Any;
    Polynomial A = {}, B = {};
  };

  unsigned define(Definition D);
  void tell(ProofMemo::Kind K, const Polynomial &P);
  const SamplePoints &points();
  void updateBase();
  bool decide(llvm::ArrayRef<Polynomial> Opposites, unsigned Splits);
  bool isChecked(llvm::ArrayRef<Polynomial> Hypotheses, const Refutation &R);
  bool answer(llvm::ArrayRef<Polynomial> Opposites, unsigned Splits);

  std::vector<IntegerRange> Ranges;
  /// What was told, in this order.
  std::vector<Polynomial> Facts;
  std::map<Polynomial, unsigned> KnownFacts;
  std::vector<Definition> Definitions;
  std::vector<Polynomial> Factors;
  /// What is known by the first facts; the others follow when they are needed.
  /// So do the points.
  RefutationSearch Base;
  size_t FactsInBase = 0, FactsOfPoints = 0, VariablesOfPoints = 0;
  SamplePoints Points;
  ProofMemo *Memo;
  unsigned Known = 0; ///< the number of what was told, for Memo
  Effort Spent;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_PROOF_PROOFSEARCH_H
