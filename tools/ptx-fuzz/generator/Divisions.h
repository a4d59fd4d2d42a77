//===- Divisions.h - Divisions as compilers write them ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_DIVISIONS_H
#define UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_DIVISIONS_H

#include "tools/ptx-fuzz/generator/KernelText.h"

namespace unravel::ptx {

/// The quotient of a value by a constant without a `div`: by products and
/// shifts. Gives the register of the quotient.
std::string divideByConstant(KernelText &K, unsigned Width, bool IsSigned,
                             const std::string &Dividend, uint64_t Divisor);

/// x - q*d, in one of several ways.
std::string remainderOf(KernelText &K, unsigned Width,
                        const std::string &Dividend,
                        const std::string &Quotient, uint64_t Divisor);

/// A divisor that code divides by: small, a power of two, or any.
uint64_t constantDivisor(KernelText &K, unsigned Width, bool IsSigned);

/// A random one of the above, with or without its remainder.
void addConstantDivision(KernelText &K);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_DIVISIONS_H
