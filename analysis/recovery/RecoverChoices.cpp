//===- RecoverChoices.cpp - Choices that differ by a number ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Neighbouring elements of a row that is in one of two arrays have indices
//
//   c ? i - 320 : i,  c ? i - 319 : i + 1,  c ? i - 318 : i + 2,  ...
//
// No form is known of the first one, and the others are that and a number.
//
//===----------------------------------------------------------------------===//

#include "analysis/recovery/IndexRecovery.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace unravel {

/// If the arms of \p I exceed those of a known choice by the condition of \p I
/// by one number, \p Result is that choice and the number: whichever arm is
/// chosen, both sides are exact numbers. The known one is never poison, so it
/// may be used wherever it is there.
void IndexRecovery::takeFormOfChoice(SelectInst &I, RecoveredValue &Result,
                                     RecoveryScope &Scope) {
  // What is recovered inside of a case is forgotten with it.
  if (Result.Signed || Result.Unsigned || InsideCase)
    return;
  auto Arm = [&](Value *V) { return known(V, Scope).Signed; };
  IndexExpr OnTrue = Arm(I.getTrueValue()), OnFalse = Arm(I.getFalseValue());
  int64_t Constant = OnTrue.constant();
  IndexExpr First = Context.add(OnTrue, -Constant),
            Second = Context.add(OnFalse, -Constant);
  if (!First || !Second)
    return;
  auto [Known, IsNew] = Scope.Choices.try_emplace(
      {I.getCondition(), First, Second}, &I, Constant);
  if (IsNew)
    return;
  auto [Other, OtherConstant] = Known->second;
  if (!DT.dominates(Other, &I)) {
    Known->second = {&I, Constant};
    return;
  }
  const RecoveredValue &Value = known(Other, Scope);
  int64_t Difference;
  if (Value.MayBePoison || Value.MayBeUndef ||
      SubOverflow(Constant, OtherConstant, Difference))
    return;
  Result.Signed = Context.add(Value.Signed, Difference);
  if (Result.Signed && Scope.Domain.isNonNegative(Result.Signed))
    Result.Unsigned = Result.Signed;
}

} // namespace unravel
