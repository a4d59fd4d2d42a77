//===- CaseAnalysis.h - One case of a proof by cases ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic decides: the sign of a dividend, the arm of a select, the edge on
// which a block was entered. A question is translated once for each way these
// decisions can go. A Case is one such way: it has the hypotheses so far, and
// a script of the decisions. What the script does not say goes the first way,
// and nextScript() says what the next case is.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_CERTIFY_CASEANALYSIS_H
#define UNRAVEL_TRANSFORMS_CERTIFY_CASEANALYSIS_H

#include "analysis/proof/ProofSearch.h"
#include "llvm/ADT/StringRef.h"

namespace unravel {

class Case {
public:
  /// Whether a polynomial is not negative; a constant for a choice.
  struct Decision {
    Polynomial Question;
    bool Answer;
  };
  using Script = std::vector<Decision>;

  explicit Case(Script Decisions = {}, ProofMemo *Memo = nullptr)
      : Proofs(Memo), Decisions(std::move(Decisions)) {}

  ProofSearch Proofs;

  /// \p P is not negative: a fact of this case, unless it is doubtful.
  void assume(const Polynomial &P) {
    if (!isDoubtful())
      Proofs.assume(P);
  }
  /// Likewise, but of no use where it follows from the others: fewer facts make
  /// faster proofs.
  void learn(const Polynomial &P) {
    if (!isDoubtful() && !Proofs.proves(P, 0))
      Proofs.assume(P);
  }

  /// Whether \p P is not negative in this case. Where that does not follow, the
  /// case is split: in one it is a hypothesis, in the other the opposite is.
  bool isNotNegative(const Polynomial &P);
  /// Whether it follows that \p P is not positive. This splits nothing.
  bool isNotPositive(const Polynomial &P);
  /// Whether \p P is not negative, but nothing where the case would be split
  /// and may not be.
  std::optional<bool> signUnlessSplit(const Polynomial &P);
  /// One of \p Number things that can happen.
  unsigned choose(unsigned Number);

  /// While facts are collected, a decision that would split the case makes the
  /// fact useless instead. Returns what it was before.
  bool setMaySplit(bool May) { return std::exchange(MaySplit, May); }
  /// Whether something could not be decided: what follows means nothing.
  bool lacksDecision() const { return Lacked; }
  /// Whether what is translated now rests on a decision that is missing, or on
  /// something that was given up: it says nothing, and nothing may be kept.
  bool isDoubtful() const { return Lacked || !Reason.empty(); }
  void forgetLack() { Lacked = false; }

  /// The first reason why the question cannot be answered.
  void giveUp(llvm::StringRef Why) {
    if (Reason.empty())
      Reason = Why.str();
  }
  llvm::StringRef reason() const { return Reason; }
  /// What was given up is not needed.
  void withdraw() { Reason.clear(); }

  /// Whether the decisions were those that the script is for. If not, the cases
  /// may leave something out.
  bool followsScript() const { return FollowsScript; }
  /// The decisions of the case after this one; empty: this was the last.
  Script nextScript() const;

private:
  bool decide(const Polynomial &Question);

  Script Decisions;
  size_t Made = 0;
  bool MaySplit = true, Lacked = false, FollowsScript = true;
  std::map<Polynomial, bool> Known, KnownNotPositive;
  std::string Reason;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_CERTIFY_CASEANALYSIS_H
