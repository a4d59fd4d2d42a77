//===- PricedSyntax.h - Syntax trees that know their cost -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raising compares many trees that share parts. Here the cost of a tree is
// known from the costs of its parts; it is what costOf says, without walking
// the tree.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_SYNTAX_PRICEDSYNTAX_H
#define UNRAVEL_ANALYSIS_SYNTAX_PRICEDSYNTAX_H

#include "analysis/syntax/IndexSyntax.h"

namespace unravel {

/// The sum of two costs; stays at the largest value where it would overflow.
SyntaxCost operator+(const SyntaxCost &A, const SyntaxCost &B);

struct PricedTree {
  SyntaxTree Tree;
  SyntaxCost Cost = {};
  /// How deeply operators nest; the minus of a difference does not count.
  unsigned Depth = 0;
  explicit operator bool() const { return Tree != nullptr; }
  /// Cheaper or, at the same price, less nested.
  bool isBetterThan(const PricedTree &Other) const;
};

PricedTree pricedNumber(int64_t Value);
PricedTree pricedName(llvm::StringRef Name);
/// Any operator but Add. An argument of a variadic operator that has the same
/// operator is replaced by its arguments.
PricedTree pricedNode(SyntaxOp Op, llvm::ArrayRef<PricedTree> Args);

/// The value of \p Tree if it is a number.
std::optional<int64_t> numberIn(const PricedTree &Tree);

/// The summand Scale * Base of a sum; Scale is not zero.
struct PricedSummand {
  PricedTree Base;
  int64_t Scale;
  /// Summands are written in the order of their keys.
  unsigned Key;
  /// A tree for -Base where there is one, else null.
  PricedTree Opposite;
};

/// `Constant + sum of Parts`, with a positive summand first if there is one.
PricedTree pricedSum(llvm::ArrayRef<PricedSummand> Parts, int64_t Constant);

/// `A && B` and `A || B`, where a number decides or goes away.
PricedTree pricedAnd(const PricedTree &A, const PricedTree &B);
PricedTree pricedOr(const PricedTree &A, const PricedTree &B);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_SYNTAX_PRICEDSYNTAX_H
