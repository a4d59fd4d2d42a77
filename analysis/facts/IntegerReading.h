//===- IntegerReading.h - Words read as signed or unsigned numbers *- C++
//-*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_INTEGERREADING_H
#define UNRAVEL_ANALYSIS_FACTS_INTEGERREADING_H

#include "analysis/algebra/Interval.h"
#include "llvm/IR/InstrTypes.h"

namespace unravel {

/// How the bits of an integer value are read as a number.
enum class Reading : uint8_t { Signed, Unsigned };

/// Whether \p I is a division or remainder of signed numbers.
bool isSignedDivision(const llvm::Instruction &I);
/// Whether \p I is a division, and no remainder.
bool isQuotient(const llvm::Instruction &I);

/// The numbers that \p Width bits can express. Upper bounds that leave int64_t
/// are infinite.
Interval wordRange(unsigned Width, Reading R);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_INTEGERREADING_H
