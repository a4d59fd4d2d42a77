//===- IntegerReading.cpp - Words read as signed or unsigned numbers ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/IntegerReading.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace unravel {

bool isSignedDivision(const Instruction &I) {
  return I.getOpcode() == Instruction::SDiv ||
         I.getOpcode() == Instruction::SRem;
}

bool isQuotient(const Instruction &I) {
  return I.getOpcode() == Instruction::SDiv ||
         I.getOpcode() == Instruction::UDiv;
}

Interval wordRange(unsigned Width, Reading R) {
  if (R == Reading::Unsigned)
    return {0,
            Width >= 63 ? Interval::PlusInfinity : (int64_t(1) << Width) - 1};
  if (Width >= 64)
    return {};
  return {-(int64_t(1) << (Width - 1)), (int64_t(1) << (Width - 1)) - 1};
}

} // namespace unravel
