//===- FormMultiple.h - A form as a multiple of another ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_FORMMULTIPLE_H
#define UNRAVEL_ANALYSIS_ALGEBRA_FORMMULTIPLE_H

#include "analysis/algebra/IndexExpr.h"
#include <optional>

namespace unravel {

/// A form that is Times * (the form of a fact) + Rest.
struct FormMultiple {
  int64_t Times;
  IndexExpr Rest;
};

/// How \p Fact, which has terms, occurs in \p E, if that leaves a rest of fewer
/// terms.
std::optional<FormMultiple> multipleIn(IndexContext &Context, IndexExpr E,
                                       IndexExpr Fact);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_FORMMULTIPLE_H
