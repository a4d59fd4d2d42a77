//===- WrittenSums.h - Forms as the program writes them ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form is one sum of atoms, whatever it was computed from. With y a form of
// three terms, that of 12*(y mod 5) + floor(y/5) has more of them, and nothing
// in it shows a digit and a row of a matrix with 12 columns. The program does,
// and this is the memory of it: from which forms, with which factors, a form
// was added up, and which are quotients and remainders of others.
//
// It serves the quotients of such sums. What is noted must be true at all
// points of the domain; whether a sum is the form is looked at.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_WRITTENSUMS_H
#define UNRAVEL_ANALYSIS_ALGEBRA_WRITTENSUMS_H

#include "analysis/algebra/IndexDomain.h"

namespace unravel {

/// A form, times a factor, as a part of a sum.
struct Summand {
  IndexExpr Form;
  int64_t Factor;
};

/// Summands, each form once, and a constant.
struct WrittenSum {
  llvm::SmallVector<Summand, 4> Summands;
  int64_t Constant = 0;
};

class WrittenSums {
public:
  /// \p Domain may learn facts: what was noted stays valid.
  explicit WrittenSums(const IndexDomain &Domain)
      : Domain(Domain), Context(Domain.context()) {}

  /// \p E is the sum of \p Summands, but for a constant.
  void noteSum(IndexExpr E, llvm::ArrayRef<Summand> Summands);
  /// \p E is floor(Dividend / Divisor), for a positive divisor.
  void noteQuotient(IndexExpr E, IndexExpr Dividend, int64_t Divisor);
  /// \p E is Dividend - Divisor * Quotient, where Quotient is the floor.
  void noteRemainder(IndexExpr E, IndexExpr Dividend, int64_t Divisor,
                     IndexExpr Quotient);

  /// The domain's range of \p E, narrowed by what was noted.
  Interval rangeOf(IndexExpr E) const;

  struct Quotient {
    IndexExpr Dividend;
    int64_t Divisor;
  };
  /// What \p E is the quotient of, if that is known.
  std::optional<Quotient> quotientOf(IndexExpr E) const;

  /// Replaces every summand that was added up by its own summands. False if
  /// there is none, or if the sum gets too long.
  bool expandSums(WrittenSum &Sum);
  /// The same for remainders, to multiples of \p G and the rest.
  bool expandRemainders(WrittenSum &Sum, int64_t G);

private:
  struct Remainder {
    IndexExpr Dividend;
    int64_t Divisor;
    IndexExpr Quotient;
  };
  IndexExpr withoutConstant(IndexExpr E) const;
  void noteRange(IndexExpr E, const Interval &Range);
  const WrittenSum *sumOf(IndexExpr E) const;
  enum class Digits { Split, Keep };
  bool replace(WrittenSum &Sum, llvm::ArrayRef<Summand> Summands, Digits Of);
  void splitDigits(WrittenSum &Sum);

  const IndexDomain &Domain;
  IndexContext &Context;
  // By the form without its constant, but for quotients.
  llvm::DenseMap<IndexExpr, Interval> Ranges;
  llvm::DenseMap<IndexExpr, WrittenSum> Sums;
  llvm::DenseMap<IndexExpr, Remainder> Remainders;
  llvm::DenseMap<IndexExpr, Quotient> Quotients;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_WRITTENSUMS_H
