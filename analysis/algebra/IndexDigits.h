//===- IndexDigits.h - The remainders inside a linear form ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The floor basis stores no remainders; this finds them again. Ranges, printed
// text and emitted code all want to know that `2*x - 150*floor(x/75) + y` is
// `2*(x mod 75) + y`.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_INDEXDIGITS_H
#define UNRAVEL_ANALYSIS_ALGEBRA_INDEXDIGITS_H

#include "analysis/algebra/IndexExpr.h"
#include "llvm/ADT/SmallVector.h"

namespace unravel {

/// A way to write a form as Scale * (Dividend mod Radix) + Rest. With
/// Truncating set, `mod` is C's remainder.
struct IndexDigit {
  IndexExpr Dividend;
  int64_t Radix;
  int64_t Scale;
  IndexExpr Rest;
  bool Truncating;
};

/// Which quotients make a digit together: those with the same operand, or also
/// those of one number whose normal forms differ. The latter are for proofs;
/// code for such a digit computes one of them from the whole number again.
enum class Quotients { OfOneOperand, OfOneNumber };

/// The digits of \p E that the division in its term \p T produces: M mod d for
/// T's atom floor(M/d), and floor(M/p) mod (d/p) for every atom floor(M/p) of E
/// with p | d. The rest has no more terms than E, and fewer if it still
/// contains T's atom.
llvm::SmallVector<IndexDigit, 2>
digitsOf(IndexContext &Context, IndexExpr E, const IndexTerm &T,
         Quotients Through = Quotients::OfOneOperand);

/// Of all digits of \p E the one that leaves the fewest terms, if that is fewer
/// than E has.
std::optional<IndexDigit> bestDigit(IndexContext &Context, IndexExpr E);

/// A way to write a form as Scale * (Dividend mod Divisor) + Rest, with a
/// divisor and a scale that are forms.
struct SymbolicDigit {
  const IndexAtom *Quotient; ///< the digit is Dividend - Divisor * Quotient
  IndexExpr Dividend;
  IndexExpr Divisor;
  IndexExpr Scale;
  IndexExpr Rest;
  bool Truncating;
  /// The digit is a remainder only if the divisor is positive.
  bool NeedsPositiveDivisor;
};

/// The digits of \p E that a symbolic division in its term \p T produces: for
/// q = floor(M/D), a factor of T, M mod D = M - D*q and, for an atom
/// p = floor(M/C) of E with D = C*K, p mod K; likewise for truncating quotients
/// and C's remainder. The rest has no more terms than E.
llvm::SmallVector<SymbolicDigit, 2>
symbolicDigitsOf(IndexContext &Context, IndexExpr E, const IndexTerm &T);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_INDEXDIGITS_H
