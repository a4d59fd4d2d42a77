//===- MapElimination.h - Gaussian elimination for maps ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known about the results of a map is linear in its atoms, which may be
// quotients as well as variables:
//
//     d0 + d1 = y0                    x - 8*floor(x/8) = y0
//     d0 - d1 = y1                    floor(x/8)       = y1
//
// so elimination solves both for their variables: 2*d0 = y0 + y1, and
// x = 8*y1 + y0.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_MAPELIMINATION_H
#define UNRAVEL_ANALYSIS_MAPS_MAPELIMINATION_H

#include "analysis/algebra/IndexExpr.h"
#include "llvm/ADT/SmallVector.h"

namespace unravel {

/// Left, over the variables of a map, is Right, over its results.
struct MapEquation {
  IndexExpr Left, Right;
};

/// The equations in reduced row echelon form over the atoms of the left sides,
/// without those that are a multiple of a given one. The deepest atoms are
/// eliminated first, so that variables are what is left. If the equations
/// determine an atom, an equation `c * atom + k = Right` is among them. All
/// arithmetic is on integers; a row that overflows is dropped.
llvm::SmallVector<MapEquation, 8>
eliminate(IndexContext &Context, llvm::ArrayRef<MapEquation> Equations);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_MAPELIMINATION_H
