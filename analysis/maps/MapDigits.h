//===- MapDigits.h - Writing forms as sums of digits ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result such as 24*a + 3*(x mod 8) + b is stored as 24*a + 3*x -
// 24*floor(x/8) + b. To take it apart, one has to see the digit in there.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_MAPDIGITS_H
#define UNRAVEL_ANALYSIS_MAPS_MAPDIGITS_H

#include "analysis/algebra/FloorBasis.h"

namespace unravel {

/// Forms without constants: digits and terms, both with their coefficients.
using MapPieces = llvm::SmallVector<IndexExpr, 8>;

/// Ways to write \p E as a constant and a sum of pieces, a bounded number of
/// them. The plain sum of its terms is one.
llvm::SmallVector<MapPieces, 4> piecesOf(FloorBasis &Basis, IndexExpr E);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_MAPDIGITS_H
