//===- IndexLowering.h - From syntax to forms -------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the form of a syntax tree on a domain, bottom up: every operator is
// the constructor of the floor basis that it names.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_SYNTAX_INDEXLOWERING_H
#define UNRAVEL_ANALYSIS_SYNTAX_INDEXLOWERING_H

#include "analysis/algebra/FloorBasis.h"
#include "analysis/syntax/IndexSyntax.h"

namespace unravel {

/// What a name means: its form, or null if there is none of that name.
using NameLookup = llvm::function_ref<IndexExpr(llvm::StringRef)>;

/// Why a tree has no form.
struct LoweringFailure {
  size_t Offset = 0;
  std::string Reason;
};

/// The form of \p Tree, simplified with what the domain of \p Basis knows; a
/// condition is a form with the values 0 and 1. Null on failure, with the
/// innermost reason in \p Failure: an unknown name, a division by the constant
/// zero, an operator without a form (a shift by an amount that is not
/// constant), arithmetic that leaves 64 bits.
IndexExpr lower(FloorBasis &Basis, const SyntaxTree &Tree, NameLookup Lookup,
                LoweringFailure &Failure);

/// Adds \p Condition to \p Domain as a fact. Returns false if only a part of
/// it could be expressed (the domain then knows that part).
bool assume(IndexDomain &Domain, const SyntaxTree &Condition,
            NameLookup Lookup);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_SYNTAX_INDEXLOWERING_H
