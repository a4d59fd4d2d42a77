//===- MapCongruence.h - Constraints that are congruences -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strides and paddings appear in a map as constraints on a remainder,
//
//     (3*x + 1) mod 8 in [4, 4],
//
// stored without the remainder as 3*x + 1 - 8*floor((3*x + 1)/8). This finds
// the congruence x = 1 (mod 8) that such a constraint is equivalent to.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_MAPCONGRUENCE_H
#define UNRAVEL_ANALYSIS_MAPS_MAPCONGRUENCE_H

#include "analysis/maps/IndexingMap.h"

namespace unravel {

struct VariableCongruence {
  const IndexAtom *Variable;
  /// Nothing if no value of the variable satisfies the constraint. The modulus
  /// is positive; it is 1 if every value does.
  std::optional<Congruence> Lattice;
};

/// If C says nothing but x = r (mod m) for one variable x, that congruence:
/// C is `Scale * ((c*x + k) mod m) + Rest in I`, and I leaves at most one value
/// for the remainder. With C's remainder that value has to be 0.
std::optional<VariableCongruence> asVariableCongruence(IndexContext &Context,
                                                       const MapConstraint &C);

/// All congruences of a map taken together.
struct MapCongruences {
  /// Variables with a congruence among the constraints.
  llvm::DenseMap<const IndexAtom *, Congruence> Lattices;
  /// For each constraint the variable whose lattice is equivalent to it and
  /// others, or null. (Null, too, where lattices would leave 64 bits together.)
  std::vector<const IndexAtom *> Sources;
  /// Two congruences contradict each other, or one cannot be satisfied.
  bool Contradictory = false;
};

MapCongruences congruencesOf(IndexContext &Context,
                             llvm::ArrayRef<MapConstraint> Constraints);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_MAPCONGRUENCE_H
