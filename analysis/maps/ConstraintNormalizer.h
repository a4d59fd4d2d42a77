//===- ConstraintNormalizer.h - Constraints in simplest form ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solves each constraint `expr in [lo, hi]` of a map as far as it goes by
// itself, by equivalences only:
//
//     3*x + 1 in [-2, 9]        x in [-1, 2]
//     floor(M/8) in [5, 11]     M in [40, 95]
//     x + floor(x/2) in [4, 9]  3*x in [8, 19], as floor(3*x / 2)
//     min(M, 0) in [-3, 0]      M >= -3
//     (2*x + 1) mod 6 in [3, 3] x = 1 (mod 3)
//     16*a + b in [0, 32], b in [0, 15]: a in [0, 2] with 16*a + b <= 32
//     16*a + b in [0, 31], b in [0, 15]: a in [0, 1]
//
// Facts about one variable end up in bounds and lattices; the rest is sorted
// and normalised: no constant, coefficients without a common factor, range no
// wider than the box allows.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_CONSTRAINTNORMALIZER_H
#define UNRAVEL_ANALYSIS_MAPS_CONSTRAINTNORMALIZER_H

#include "analysis/algebra/FloorBasis.h"
#include "analysis/maps/IndexingMap.h"

namespace unravel {

class ConstraintNormalizer {
public:
  /// \p Box knows the bounds and lattices of the variables.
  explicit ConstraintNormalizer(IndexDomain Box) : Solved(std::move(Box)) {}

  void add(const MapConstraint &C);
  /// Normalises what is left after all constraints were added. Returns false
  /// if they contradict each other.
  bool finish();

  /// The box, with the bounds and lattices of single variables.
  const IndexDomain &solved() const { return Solved; }
  /// The other constraints.
  std::vector<MapConstraint> takeConstraints() { return std::move(Rest); }

private:
  void solve(IndexExpr E, const Interval &Range);
  bool solveAtom(const IndexAtom *Atom, const Interval &Range);
  bool solveSymbolicQuotient(const IndexAtom *Atom, const Interval &Range);
  bool solveSumWithQuotient(IndexExpr E, const Interval &Range);
  bool solveLeadingTerms(IndexExpr E, const Interval &Range);
  bool solveCongruence(IndexExpr E, int64_t Value);
  void addCongruence(IndexExpr E, int64_t Modulus, int64_t Residue);

  IndexDomain Solved;
  std::vector<MapConstraint> Rest;
  /// Congruences of several variables, which no domain simplifies away.
  std::vector<MapConstraint> Congruences;
  bool Contradiction = false;
};

/// The constraint `x mod m in [r, r]`, unless the bounds imply it.
std::optional<MapConstraint> congruenceConstraint(IndexContext &Context,
                                                  const IndexAtom *Variable,
                                                  const Interval &Bounds,
                                                  const Congruence &Lattice);

/// Sorts by structure, not by the history of the context.
void sortConstraints(std::vector<MapConstraint> &Constraints);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_CONSTRAINTNORMALIZER_H
