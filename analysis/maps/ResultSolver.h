//===- ResultSolver.h - The variables of a map from its results -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solves `result_j = y_j` for the variables of a map. It collects equations
//
//     form over the variables = form over the results
//
// that hold at every point of the domain, beginning with those, until every
// variable is one of the left sides. New equations come from
//
//   * taking apart in mixed radix: in 24*a + 3*(x mod 8) + b with b in [0, 2]
//     the coefficients say where the digits are,
//   * arithmetic modulo a number: x with 7 values in 3*x mod 8,
//   * elimination (MapElimination.h), which puts x together from x mod 8 and
//     floor(x/8), and solves (a + b, a - b),
//   * quotients of what is known.
//
// Every step is a deduction, but a caller need not rely on it: composing the
// solution with the map proves it. Runtime variables count as known.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_RESULTSOLVER_H
#define UNRAVEL_ANALYSIS_MAPS_RESULTSOLVER_H

#include "analysis/algebra/FloorBasis.h"
#include "analysis/maps/IndexingMap.h"
#include "analysis/maps/MapDigits.h"
#include "analysis/maps/MapElimination.h"
#include "llvm/ADT/DenseSet.h"

namespace unravel {

class ResultSolver {
public:
  /// \p Map is simplified. \p Image knows the bounds of the results, which are
  /// dimensions there, and of the runtime variables.
  ResultSolver(const IndexingMap &Map, IndexDomain Image);

  /// Returns true if every dimension and range got a solution.
  bool solve();
  /// The variable over the results, or null.
  IndexExpr solutionOf(const IndexAtom *Variable) { return valueOf(Variable); }
  /// What is known.
  llvm::ArrayRef<MapEquation> equations() const { return Equations; }

private:
  /// T = Value (mod Modulus).
  struct Residue {
    int64_t Modulus;
    IndexExpr Value;
  };
  /// A point, and what atoms are there.
  struct SeenPoint {
    IndexingMap::Point Position;
    llvm::DenseMap<const IndexAtom *, std::optional<int64_t>> Values;
  };
  bool isSolved();
  void add(IndexExpr Left, IndexExpr Right);
  void learn(const MapEquation &E);
  void learnLattice(IndexExpr Right, const Congruence &Lattice);
  IndexExpr quotientOfMultiple(IndexExpr Right, int64_t Divisor);

  IndexExpr valueOf(const IndexAtom *Atom);
  IndexExpr valueOf(IndexExpr Form);
  IndexExpr computeValue(const IndexAtom *Atom);
  IndexExpr valueOfCompound(const IndexAtom *Atom);
  IndexExpr valueByFinerQuotient(const IndexAtom *Atom);

  void study(const MapEquation &E);
  void takeApartXor(const IndexAtom *Atom, IndexExpr Right);
  MapEquation withoutKnownAtoms(const MapEquation &E);
  void takeApart(const MapEquation &E);
  void takeApart(const MapPieces &Parts, IndexExpr Right);
  bool isRefutedByPoint(IndexExpr E, const Interval &Range);
  std::optional<int64_t> valueAt(SeenPoint &P, IndexExpr E);
  std::optional<int64_t> startOfWindow(IndexExpr E, int64_t Size);
  bool split(IndexExpr High, IndexExpr Low, IndexExpr Right);
  void addResidue(IndexExpr Low, const Congruence &Rest, IndexExpr Right);
  void combineResidues(IndexExpr T, Residue New);
  void takeApartAroundQuotients(const MapEquation &E);
  void divideByKnownSizes(const MapEquation &E);
  void addKnownAtoms();
  void addEliminated();

  const IndexingMap &Map;
  IndexContext &Context;
  /// Facts about the variables, and about the results.
  IndexDomain Domain, Image;
  FloorBasis Basis;
  llvm::SmallVector<MapEquation, 16> Equations;
  /// Left sides of Equations.
  llvm::DenseMap<IndexExpr, size_t> Known;
  llvm::DenseMap<const IndexAtom *, IndexExpr> Values;
  llvm::DenseMap<IndexExpr, Residue> Residues;
  llvm::DenseSet<IndexExpr> TakenApart;
  unsigned NumLattices = 0;
  /// Of the domain; drawn when they are needed.
  std::optional<std::vector<SeenPoint>> Points;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_RESULTSOLVER_H
