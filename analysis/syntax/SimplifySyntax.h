//===- SimplifySyntax.h - An expression simplified as text ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a syntax tree and what is known of its variables to the cheapest tree
// with the same values: lowering, simplifying and raising in one step.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_SYNTAX_SIMPLIFYSYNTAX_H
#define UNRAVEL_ANALYSIS_SYNTAX_SIMPLIFYSYNTAX_H

#include "analysis/algebra/Interval.h"
#include "analysis/syntax/IndexSyntax.h"

namespace unravel {

struct NamedRange {
  std::string Name;
  Interval Range;
};

struct SimplifiedSyntax {
  SyntaxTree Tree;
  /// A superset of the values.
  Interval Range;
  SyntaxCost Cost;
};

/// Simplifies \p Input, whose names are \p Variables, at the points at which
/// \p Condition (null: none) holds and Input has a value. The result is never
/// more expensive than the input. A condition that is decided becomes the
/// number 1 or 0. What has no indexing form (see IndexLowering.h) comes back as
/// it is; an unknown name is an error.
llvm::Expected<SimplifiedSyntax>
simplifySyntax(const SyntaxTree &Input, llvm::ArrayRef<NamedRange> Variables,
               const SyntaxTree &Condition);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_SYNTAX_SIMPLIFYSYNTAX_H
