//===- IndexSpelling.h - Forms in the words of a source ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_INDEXSPELLING_H
#define UNRAVEL_ANALYSIS_ALGEBRA_INDEXSPELLING_H

#include "analysis/algebra/IndexExpr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace unravel {

/// \p E for people who read C: variables as \p NameOf calls them, truncating
/// division and its remainder as `a / b` and `a % b`, a quotient that is
/// rounded down as `floor(a / b)`. A remainder that is never negative stays
/// `a mod b`.
std::string
toSourceText(IndexContext &Context, IndexExpr E,
             llvm::function_ref<std::string(const IndexAtom *)> NameOf);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_INDEXSPELLING_H
