//===- PtxPrices.h - What PTX instructions cost -----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an instruction costs, and how much more in a loop. The pass decides by
// both and ptx-compare counts by both, so that they cannot disagree.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PRICES_PTXPRICES_H
#define UNRAVEL_TRANSFORMS_PRICES_PTXPRICES_H

#include <cstdint>

namespace unravel {

/// The classes of instructions that have a price.
enum class PtxClass : uint8_t {
#define PTX_PRICE(Name, UpTo32, At64) Name,
#include "transforms/prices/PtxPrices.def"
};

/// In SASS instructions. Wider words than 64 bits, which are rare, are priced
/// as words of 64.
unsigned priceOf(PtxClass Class, unsigned Bits);

/// How much more an instruction counts in a loop of this depth: a guess of ten
/// iterations a loop, for at most four loops.
constexpr unsigned loopWeight(unsigned Depth) {
  constexpr unsigned Weights[] = {1, 10, 100, 1000, 10000};
  return Weights[Depth < 4 ? Depth : 4];
}

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PRICES_PTXPRICES_H
