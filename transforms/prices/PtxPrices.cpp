//===- PtxPrices.cpp - What PTX instructions cost -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/prices/PtxPrices.h"
#include "llvm/Support/ErrorHandling.h"

namespace unravel {

unsigned priceOf(PtxClass Class, unsigned Bits) {
  switch (Class) {
#define PTX_PRICE(Name, UpTo32, At64)                                          \
  case PtxClass::Name:                                                         \
    return Bits > 32 ? At64 : UpTo32;
#include "transforms/prices/PtxPrices.def"
  }
  llvm_unreachable("covered switch");
}

} // namespace unravel
