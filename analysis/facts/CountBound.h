//===- CountBound.h - Upper bounds that hold for a whole launch -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A polynomial with natural coefficients over symbols that are natural numbers,
// used as an *exclusive* upper bound: x is in [0, Bound). The thread index
// blockIdx.x*blockDim.x + threadIdx.x has the bound gridDim.x*blockDim.x, a
// size W the bound W + 1, the product of W and H the bound W*H + 1.
//
// Such a bound can be computed once for the whole grid, and it never falls when
// something is added to it or when it is multiplied by something positive: a
// test of the largest bound is a test of all its parts.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_FACTS_COUNTBOUND_H
#define UNRAVEL_ANALYSIS_FACTS_COUNTBOUND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace unravel {

class CountBound {
public:
  /// The product of a positive coefficient and symbols, in ascending order.
  struct Monomial {
    uint64_t Coefficient;
    llvm::SmallVector<unsigned, 4> Symbols;
    bool operator==(const Monomial &Other) const {
      return Coefficient == Other.Coefficient && Symbols == Other.Symbols;
    }
  };

  /// Zero.
  CountBound() = default;
  static CountBound constant(uint64_t C);
  static CountBound symbol(unsigned S);

  /// By symbols; the constant term, if there is one, is the first.
  llvm::ArrayRef<Monomial> monomials() const { return Monomials; }
  uint64_t constantTerm() const;
  bool isZero() const { return Monomials.empty(); }
  bool operator==(const CountBound &Other) const {
    return Monomials == Other.Monomials;
  }

  /// Null where the sum or product has more parts, factors or larger
  /// coefficients than a test is worth.
  std::optional<CountBound> plus(const CountBound &Other) const;
  std::optional<CountBound> times(const CountBound &Other) const;
  /// One less, which is exact if there is a constant term; else unchanged,
  /// which is a bound as well.
  CountBound withoutOne() const;

  /// The value if no symbol is above Most(symbol); saturates at UINT64_MAX.
  uint64_t
  largestValue(llvm::function_ref<uint64_t(unsigned Symbol)> Most) const;

  /// Whether this is at most \p Larger for all natural symbols, those that
  /// IsPositive names being at least 1. False if that is not obvious.
  bool isAtMost(const CountBound &Larger,
                llvm::function_ref<bool(unsigned Symbol)> IsPositive) const;

private:
  bool add(Monomial M);
  llvm::SmallVector<Monomial, 2> Monomials;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_FACTS_COUNTBOUND_H
