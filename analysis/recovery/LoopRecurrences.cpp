//===- LoopRecurrences.cpp - Bounds of the indices of a loop --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A phi that moves by a constant stays near its start where the iterations are
// few: by scalar evolution, or because the facts of the scope bound another phi
// of the loop.
//
//===----------------------------------------------------------------------===//

#include "analysis/recovery/IndexRecovery.h"

using namespace llvm;

namespace unravel {

/// The largest i of an iteration, counted from 0.
///
/// A counter is A + S*i modulo its word, for A >= 0 and S > 0. Let it be at
/// most H in every iteration, and H + S a signed word. By induction over i it
/// does not wrap: A + S*i <= H, so A + S*(i + 1) <= H + S is a word, no flag
/// makes it poison, and it is at most H again, if there is such an iteration.
/// So i is at most (H - A) / S.
int64_t IndexRecovery::lastIteration(RecoveryScope &Scope,
                                     ArrayRef<KnownRecurrence> OfLoop) {
  int64_t Last = Interval::PlusInfinity;
  for (const KnownRecurrence &R : OfLoop) {
    Last = std::min(Last, R.Last);
    auto *Start = dyn_cast<ConstantInt>(R.Start);
    if (!Start || Start->isNegative() || R.Step <= 0)
      continue;
    int64_t A = Start->getSExtValue();
    Interval Values = Scope.Domain.range(recover(R.Phi, Scope).Signed);
    Interval Word =
        wordRange(R.Phi->getType()->getIntegerBitWidth(), Reading::Signed);
    if (Values.isBoundedAbove() && Values.hi() >= A &&
        Values.hi() < Word.hi() - R.Step)
      Last = std::min(Last, (Values.hi() - A) / R.Step);
  }
  return Last;
}

/// Start + Step*i is a word for all 0 <= i <= Last if its ends are; then, by
/// induction, no iteration wraps, and the phi is that number. A start that may
/// be undef is another number at each use, so nothing is known of this one.
void IndexRecovery::assumeRecurrences(RecoveryScope &Scope,
                                      ArrayRef<KnownRecurrence> OfLoop) {
  if (OfLoop.empty())
    return;
  int64_t Last = lastIteration(Scope, OfLoop);
  if (Last > INT32_MAX)
    return;
  unsigned Before = Scope.Domain.revision();
  for (const KnownRecurrence &R : OfLoop) {
    if (isa<Constant>(R.Start))
      continue;
    // Both are recovered before the domain changes.
    RecoveredValue Start = recover(R.Start, Scope), Phi = recover(R.Phi, Scope);
    unsigned Width = R.Phi->getType()->getIntegerBitWidth();
    for (Reading Read : {Reading::Signed, Reading::Unsigned}) {
      Interval All =
          Scope.Domain.range(Start.exact(Read)) + Interval(0, Last) * R.Step;
      if (!Start.MayBeUndef && All.isBounded() &&
          wordRange(Width, Read).contains(All))
        Scope.Domain.constrain(Phi.exact(Read), All);
    }
  }
  if (Scope.Domain.revision() != Before)
    forgetValues(Scope);
}

} // namespace unravel
