//===- AxisFacts.h - How results move along one variable --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a code generator asks before it makes vectors: for all values of the
// other variables, how long are the runs of one variable in which a result
// counts up by one, or stays, and what are the numbers multiples of that the
// runs begin with? Triton's AxisInfo answers this for tensors of constant sizes
// (contiguity, divisibility, constancy); here the other variables, sizes of run
// time among them, stay symbols.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_AXISFACTS_H
#define UNRAVEL_ANALYSIS_MAPS_AXISFACTS_H

#include "analysis/maps/IndexingMap.h"

namespace unravel {

/// All three are powers of two, at least 1, and hold for every value of the
/// other variables. A run is aligned: it begins where the distance from the
/// least value of the variable is a multiple of its length. Where the number of
/// values is no multiple, the last run is shorter.
struct AxisFacts {
  /// In a run of so many values, the result grows by one from value to value.
  int64_t Contiguity = 1;
  /// In a run of so many values, the result stays the same.
  int64_t Constancy = 1;
  /// What the results at the beginning of the runs of Contiguity are multiples
  /// of. If they are all 0, the contiguity: more than that helps no vector.
  int64_t Divisibility = 1;
};

/// Longer runs than this are not looked for.
inline constexpr int64_t MaxAxisRun = 4096;

/// The facts of result \p Result of \p Map along variable \p Number of \p Kind.
/// A proof is behind each; what cannot be proved is 1, or shorter than it could
/// be. The least value of the variable has to be known: all are 1 otherwise.
AxisFacts axisFactsOf(const IndexingMap &Map, size_t Result, VariableKind Kind,
                      unsigned Number);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_AXISFACTS_H
