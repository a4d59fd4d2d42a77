//===- PtxPipes.h - Which pipes a PTX instruction goes to -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer instructions are as many as transforms/prices/PtxPrices.def says.
// How many of them add and multiply, and what floating-point instructions
// become, is what ptxas 13.0 makes of each for sm_90 (counted with nvdisasm as
// in bench/instruction_prices.py; sm_80 and sm_100 differ by one or two in a
// division). Of divisions and roots that is the path of ordinary numbers.
//
// Moves, conversions of addresses and loads of parameters count as nothing:
// ptxas removes most of them.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LIMITS_PTXPIPES_H
#define UNRAVEL_PTX_LIMITS_PTXPIPES_H

#include "analysis/limits/WarpWork.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace unravel {

struct PtxPipes {
  PipeCounts Counts;
  /// It computes on integers, or on predicates, as indices and guards do.
  bool IsIndex = false;
  /// It passes through L1 without an address: a shuffle.
  unsigned Wavefronts = 0;
};

/// Of an opcode with all modifiers. Nothing if it is not modelled, such as
/// calls, textures and tensor cores.
std::optional<PtxPipes> pipesOf(llvm::StringRef Opcode);

} // namespace unravel

#endif // UNRAVEL_PTX_LIMITS_PTXPIPES_H
