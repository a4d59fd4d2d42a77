//===- FusionValues.h - Inputs and outputs of fusions -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_FUSIONEMIT_FUSIONVALUES_H
#define UNRAVEL_TOOLS_FUSIONEMIT_FUSIONVALUES_H

#include "frontend/hlo/HloLiteral.h"
#include "frontend/hlo/HloModule.h"

namespace unravel {

/// Values for the parameters of \p C. Floats are multiples of 1/8 in [-4, 4):
/// sums of their products are exact, in any order. Of the integers three in
/// four are small, as indices are.
llvm::Expected<std::vector<HloLiteral>> randomInputs(const HloComputation &C,
                                                     uint64_t Seed);

/// Such values for an array, or for all arrays of a tuple.
HloLiteral randomValue(const HloShape &Shape, uint64_t Seed);

/// Reads a literal for each parameter, and for each array of one that is a
/// tuple, one after the other. Each may have a name in front: `p0 = {1, 2}`.
llvm::Expected<std::vector<HloLiteral>> parseInputs(const HloComputation &C,
                                                    llvm::StringRef Text,
                                                    llvm::StringRef BufferName);

/// Prints in the form that parseInputs() reads.
void printValue(llvm::raw_ostream &OS, llvm::StringRef Name,
                const HloLiteral &Value);

/// Where \p Found is not \p Expected: "at [1,2]: 3, expected 4"; empty if it is
/// nowhere. Integers have to be equal, NaN to be NaN, and a complex number with
/// an infinite part any such number. Other floats may differ by 64 units in the
/// last place, and by four units in the last place of the largest number in the
/// array, because sums cancel. \p Bounds, if it is there, are those of
/// HloErrors for what is expected: elements may differ by as much, if that is
/// finite.
std::string difference(const HloLiteral &Found, const HloLiteral &Expected,
                       const HloLiteral *Bounds = nullptr);

} // namespace unravel

#endif // UNRAVEL_TOOLS_FUSIONEMIT_FUSIONVALUES_H
