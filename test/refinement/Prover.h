//===- Prover.h - Is there an input like that? ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Z3 with several ways to state a question: as integers, then as bits. Effort
// is counted in Z3's own steps, so a machine's speed changes no answer.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_REFINEMENT_PROVER_H
#define UNRAVEL_TEST_REFINEMENT_PROVER_H

#include <functional>
#include <optional>
#include <vector>
#include <z3++.h>

namespace unravel::refinement {

enum class Answer { Impossible, Possible, Unknown };

struct Reply {
  Answer Is;
  /// Where possible: the value of a term there.
  std::function<z3::expr(const z3::expr &)> Evaluate;
};

class Prover {
public:
  Prover(z3::context &C, unsigned Effort) : C(C), Effort(Effort) {}

  /// An input that meets all \p Facts.
  Reply solve(const std::vector<z3::expr> &Facts);
  /// An input that meets all \p Facts and \p Goal. Takes a goal `a or b` apart:
  /// what was found impossible is a fact for the rest.
  Reply solve(std::vector<z3::expr> Facts, const z3::expr &Goal);
  /// The same, if integers can tell: only impossible or unknown, and cheap.
  bool isImpossible(const std::vector<z3::expr> &Facts);

  unsigned ByLogic = 0, ByIntegers = 0, ByBits = 0;

private:
  Reply solveAsIntegers(const std::vector<z3::expr> &Facts, unsigned Limit);
  Reply solveAsBits(const std::vector<z3::expr> &Facts, unsigned Limit);

  z3::context &C;
  unsigned Effort;
};

/// \p Facts as single statements, each simplified by what the others say.
/// A single `false` if they contradict each other openly.
std::vector<z3::expr> singleFacts(const std::vector<z3::expr> &Facts,
                                  z3::context &C);

} // namespace unravel::refinement

#endif // UNRAVEL_TEST_REFINEMENT_PROVER_H
