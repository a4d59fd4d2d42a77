//===- HloValueCheck.h - What is verified has a value -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For any module that the verifier accepts, made by a generator; unit tests and
// the fuzzer ask.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_HLOVALUECHECK_H
#define UNRAVEL_TEST_UNIT_HLOVALUECHECK_H

#include "frontend/evaluate/HloEvaluator.h"
#include "llvm/Support/MathExtras.h"

namespace unravel {

inline uint64_t bytesOf(const HloShape &Shape) {
  uint64_t Sum = Shape.isArray() ? Shape.byteSize() : 0;
  for (const HloShape &Element : Shape.elements())
    Sum = llvm::SaturatingAdd(Sum, bytesOf(Element));
  return Sum;
}

/// Evaluates \p Module for zeros, unless that takes more than \p Limit bytes or
/// steps. What is wrong with the value, or empty.
inline std::string problemOfValue(const HloModule &Module, uint64_t Limit) {
  HloEvaluatorLimits Limits;
  Limits.MaxBytes = Limits.MaxSteps = Limit;
  std::vector<HloLiteral> Arguments;
  for (const HloInstruction *Parameter : Module.entry().parameters()) {
    if (bytesOf(Parameter->shape()) > Limits.MaxBytes)
      return "";
    Arguments.emplace_back(Parameter->shape());
  }
  llvm::Expected<HloLiteral> Value = evaluateHlo(Module, Arguments, Limits);
  if (Value)
    return Value->shape() == Module.entry().root().shape()
               ? ""
               : "the value has another shape";
  std::string Message = llvm::toString(Value.takeError());
  return llvm::StringRef(Message).contains("the reference evaluator would")
             ? ""
             : "what was verified has no value: " + Message;
}

} // namespace unravel

#endif // UNRAVEL_TEST_UNIT_HLOVALUECHECK_H
