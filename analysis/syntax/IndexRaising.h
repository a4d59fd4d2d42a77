//===- IndexRaising.h - From forms to the cheapest syntax -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The floor basis has no remainder, no max and no select; a reader wants them
// back. Raising finds a tree with few divisions first and few operations
// second: remainders where they are shorter than the quotient they hide,
// min/max with what they share outside, Horner's form of a polynomial,
// conditions as comparisons.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_SYNTAX_INDEXRAISING_H
#define UNRAVEL_ANALYSIS_SYNTAX_INDEXRAISING_H

#include "analysis/algebra/IndexExpr.h"
#include "analysis/algebra/Interval.h"
#include "analysis/syntax/IndexSyntax.h"

namespace unravel {

using AtomNames = llvm::function_ref<std::string(const IndexAtom *)>;
using AtomBounds = llvm::function_ref<Interval(const IndexAtom *)>;

/// A tree with the value of \p E everywhere; \p NameOf names the variables.
/// With
/// \p BoundsOf, the value may be another one where a variable is outside.
SyntaxTree raise(IndexContext &Context, IndexExpr E, AtomNames NameOf,
                 AtomBounds BoundsOf = nullptr);
/// The same for a form whose value is 0 or 1, as a condition.
SyntaxTree raiseCondition(IndexContext &Context, IndexExpr E, AtomNames NameOf,
                          AtomBounds BoundsOf = nullptr);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_SYNTAX_INDEXRAISING_H
