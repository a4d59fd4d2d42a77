//===- MapStrides.h - Sums as digits with strides ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The normal form of (x floordiv 32) * 1000 + x mod 32 is x + 968 * (x floordiv
// 32). This gives the digits of x back, each with what one step of it adds.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_MAPSTRIDES_H
#define UNRAVEL_ANALYSIS_MAPS_MAPSTRIDES_H

#include "analysis/algebra/IndexDomain.h"
#include "llvm/ADT/SmallVector.h"

namespace unravel {

/// Stride * Digit.
struct StridedDigit {
  int64_t Stride;
  IndexExpr Digit;
};

/// Constant + the sum of the digits.
struct StridedSum {
  llvm::SmallVector<StridedDigit, 8> Digits;
  int64_t Constant = 0;
};

class StrideFinder {
public:
  /// \p Bounds are those of the variables.
  explicit StrideFinder(const IndexDomain &Bounds)
      : Bounds(Bounds), Context(Bounds.context()) {}

  /// \p E as a sum of digits, the largest strides first. The digits of a number
  /// are those that its quotients in \p E cut it into. Null where something
  /// leaves 64 bits. What numbers were before multiples of a divisor moved out
  /// of a quotient is remembered for other forms.
  std::optional<StridedSum> stridesOf(IndexExpr E);

private:
  /// Quotients c_i * floor(M / d_i) with d_1 | d_2 | ...
  using Chain = llvm::SmallVector<IndexTerm, 4>;
  bool addNumber(IndexExpr M, const Chain &Quotients, IndexExpr &Rest,
                 StridedSum &Sum);
  IndexExpr wholePart(IndexExpr M, const Chain &Quotients, IndexExpr Rest,
                      int64_t &Times);
  IndexExpr withJoinedNumbers(IndexExpr E);
  bool isPositional(IndexExpr M) const;

  const IndexDomain &Bounds;
  IndexContext &Context;
  llvm::DenseMap<std::pair<IndexExpr, int64_t>, IndexExpr> Known;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_MAPSTRIDES_H
