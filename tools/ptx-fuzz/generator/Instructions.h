//===- Instructions.h - Random single instructions --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_INSTRUCTIONS_H
#define UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_INSTRUCTIONS_H

#include "tools/ptx-fuzz/generator/KernelText.h"

namespace unravel::ptx {

void addArithmetic(KernelText &K);
void addBits(KernelText &K);
void addComparison(KernelText &K);
void addConversion(KernelText &K);
/// add.cc and what follows it.
void addCarryChain(KernelText &K);
/// With a divisor that is almost never zero.
void addQuotient(KernelText &K);
/// Floats made of integers, and back.
void addFloats(KernelText &K);

/// Masks of masks, of which the last constant is always the same.
void addMasks(KernelText &K);

/// An instruction under a predicate: writes a variable.
void addPredicated(KernelText &K);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_INSTRUCTIONS_H
