//===- HloShapeInferenceHost.cpp - Loops, branches, calls ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/shapes/HloShapeInference.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// \p Callee takes one value, \p Parameter, and yields \p Result.
static Error checkCallee(const HloComputation &Callee,
                         const HloShape &Parameter, const HloShape &Result) {
  if (Callee.parameters().size() != 1)
    return createStringError("'" + Callee.name() + "' has " +
                             Twine(Callee.parameters().size()) +
                             " parameters; it has to have one, a tuple if "
                             "there are several arrays");
  if (!Callee.parameter(0).shape().isCompatible(Parameter))
    return createStringError("the parameter of '" + Callee.name() + "' is " +
                             Callee.parameter(0).shape().str(false) +
                             ", but gets " + Parameter.str(false));
  if (!Callee.root().shape().isCompatible(Result))
    return createStringError("'" + Callee.name() + "' yields " +
                             Callee.root().shape().str(false) +
                             ", but has to yield " + Result.str(false));
  return Error::success();
}

static Expected<HloShape> inferWhile(const HloInstruction &I) {
  const HloShape &State = I.operand(0).shape();
  const HloComputation &Condition = *I.callees()[0], &Body = *I.callees()[1];
  if (Error E =
          checkCallee(Condition, State, HloShape::scalar(ElementType::Pred)))
    return E;
  if (Error E = checkCallee(Body, State, State))
    return E;
  return State;
}

/// What chooses, and an operand for each branch.
static Expected<HloShape> inferConditional(const HloInstruction &I) {
  if (I.operands().size() != I.callees().size() + 1)
    return createStringError("takes what chooses and an operand for each of " +
                             Twine(I.callees().size()) + " branches, found " +
                             Twine(I.operands().size()) + " operands");
  const HloShape &Chooser = I.operand(0).shape();
  bool IsFlag = Chooser.isCompatible(HloShape::scalar(ElementType::Pred));
  if (!IsFlag && !Chooser.isCompatible(HloShape::scalar(ElementType::S32)))
    return createStringError("what chooses is " + Chooser.str(false) +
                             "; it has to be pred[] or s32[]");
  if (IsFlag && I.callees().size() != 2)
    return createStringError("pred[] chooses between two branches, found " +
                             Twine(I.callees().size()));
  const HloShape &Result = I.callee()->root().shape();
  for (auto [K, Branch] : enumerate(I.callees()))
    if (Error E = checkCallee(*Branch, I.operand(K + 1).shape(), Result))
      return E;
  return Result;
}

Expected<HloShape> inferHost(const HloInstruction &I) {
  switch (I.opcode()) {
  case HloOpcode::While:
    return inferWhile(I);
  case HloOpcode::Conditional:
    return inferConditional(I);
  default: // the library knows
    return I.shape();
  }
}

} // namespace unravel
