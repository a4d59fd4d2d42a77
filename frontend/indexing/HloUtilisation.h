//===- HloUtilisation.h - How much of an operand is read --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_INDEXING_HLOUTILISATION_H
#define UNRAVEL_FRONTEND_INDEXING_HLOUTILISATION_H

#include "frontend/indexing/HloIndexing.h"

namespace unravel {

/// How many different elements of an array of shape \p Array the maps of \p
/// Indexing to its element number \p Element read, if all of the output is
/// computed. Exact. Nullopt if the number depends on values that are read at
/// run time, or cannot be counted: it is counted by looking at the points of
/// domains of at most \p MaxPoints, or from maps that are injective.
std::optional<uint64_t> elementsRead(const OperandIndexing &Indexing,
                                     const HloShape &Array, size_t Element = 0,
                                     uint64_t MaxPoints = 1 << 20);

/// The share of the elements, 1 for an array without any.
std::optional<double> utilisation(const OperandIndexing &Indexing,
                                  const HloShape &Array, size_t Element = 0);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_INDEXING_HLOUTILISATION_H
