//===- Refinement.h - Does the later version do what the earlier did? -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass keeps control flow and everything that touches memory. So both
// versions run side by side, and it is enough that at each access, call, branch
// and return the later version uses the same values, wherever the earlier one
// is well defined, and that it has no undefined behaviour of its own. Each of
// these is one question, asked for all inputs.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_REFINEMENT_REFINEMENT_H
#define UNRAVEL_TEST_REFINEMENT_REFINEMENT_H

#include "FunctionEncoder.h"
#include "Prover.h"
#include <string>

namespace unravel::refinement {

enum class Judgement {
  Unchanged,
  Proved,
  Refuted,
  Inconclusive, // neither: the reason says what is missing
  TimedOut,
  Unsupported,
};

llvm::StringRef nameOf(Judgement J);

struct Verdict {
  Judgement Is;
  std::string Reason;
  unsigned Questions = 0;
};

struct Limits {
  unsigned Effort;
  unsigned MaxInstructions;
};

Verdict judge(const llvm::Function &Before, const llvm::Function &After,
              const Limits &L);

/// Something that has to be impossible.
struct Obligation {
  std::string What;
  unsigned Time;
  z3::expr Reached;
  z3::expr Violated;
  SymbolicValue Before, After;
  /// The values in the code; none where \c Violated is about an instruction.
  const llvm::Value *Old = nullptr, *New = nullptr;
  /// Being undef is undefined behaviour here: an address or a condition.
  bool NeedsDefined = false;
};

/// What \p After owes \p Before.
std::vector<Obligation> obligations(const FunctionEncoder &Before,
                                    const FunctionEncoder &After);
/// A condition on the phis of a loop's header that holds in each iteration.
struct Invariant {
  unsigned Header; // the position of the block
  unsigned Time;   // when it is executed
  z3::expr Holds;
};

/// What may be assumed at a time: inputs are as they can be, the earlier
/// version is well defined up to the next point where it might stop, and the
/// loops entered before keep their invariants.
std::vector<z3::expr> factsAt(const FunctionEncoder &Before, unsigned Time,
                              llvm::ArrayRef<Invariant> Invariants);

/// What is left to show about \p O where inputs may be undef, each use of which
/// may be another value. Nothing, if it follows from the proof for inputs that
/// are one value.
struct UndefQuestion {
  std::vector<z3::expr> Facts;
  z3::expr Violated;
  /// No choice of the earlier version gives what the later one gives; absent if
  /// the earlier version might be undefined by another choice.
  std::optional<z3::expr> SomeChoiceFits;
  std::vector<z3::expr> Inputs; // the uses of the later version
};
std::optional<UndefQuestion> undefQuestion(FunctionEncoder &Before,
                                           FunctionEncoder &After,
                                           const Obligation &O,
                                           const std::vector<z3::expr> &Facts);

/// Found by guessing and dropping what is not inductive.
std::vector<Invariant> loopInvariants(FunctionEncoder &Before, Prover &P);

} // namespace unravel::refinement

#endif // UNRAVEL_TEST_REFINEMENT_REFINEMENT_H
