//===- IndexingMapOps.h - Operations on indexing maps -----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that make maps out of maps. None of them simplifies; call
// simplified() on the result. Each keeps the meaning that its comment states
// for every point of the domain. nullopt: see IndexingMap.h.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPOPS_H
#define UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPOPS_H

#include "analysis/maps/IndexingMap.h"
#include "llvm/ADT/BitVector.h"

namespace unravel {

/// \p Second after \p First: result i of First becomes dimension i of Second
/// and is constrained to its bounds. Ranges and runtime variables are those of
/// Second followed by those of First. The number of results of First must be
/// the number of dimensions of Second. Known empty if either map is.
std::optional<IndexingMap> compose(const IndexingMap &First,
                                   const IndexingMap &Second);

/// Replaces atoms of \p E by expressions; divisions, min and max are built
/// again on \p Domain. Variables without a replacement stay.
IndexExpr
substitute(const IndexDomain &Domain, IndexExpr E,
           const llvm::DenseMap<const IndexAtom *, IndexExpr> &Replacements);

/// The map with only the results numbered \p Numbers, in that order.
IndexingMap subMap(const IndexingMap &Map, llvm::ArrayRef<unsigned> Numbers);

/// The map with one more constraint. (Known empty if that is contradictory by
/// itself.)
IndexingMap withConstraint(const IndexingMap &Map, IndexExpr E,
                           const Interval &Range);

/// A map without some variables.
struct ReducedMap {
  IndexingMap Map;
  /// For each variable of the old map, by position in a point: was it removed?
  llvm::BitVector Removed;
};

/// Removes the variables that no result uses, together with the constraints
/// that use nothing but removed variables. A variable in a constraint with one
/// that stays, stays. Like XLA, assumes that the removed part of the domain is
/// not empty. (XLA: RemoveUnusedVars, RemoveUnusedSymbols.)
ReducedMap removeUnusedVariables(const IndexingMap &Map);
/// The same for ranges and runtime variables only.
ReducedMap removeUnusedSymbols(const IndexingMap &Map);
/// Replaces every variable that has only one value by that value and removes
/// it.
std::optional<ReducedMap> removePointVariables(const IndexingMap &Map);

/// Where the domain says s = r (mod m) for a range variable s, substitutes
/// m*s + r for it: s then counts without gaps. Works for all congruences of a
/// variable together (Chinese remainder theorem).
std::optional<IndexingMap> rescaleSymbols(const IndexingMap &Map);

/// Turns the range variables numbered \p Numbers, or all symbols, into
/// dimensions behind the existing ones, in that order. Names are kept, except
/// that no two variables of a map get the same one; a default name becomes the
/// new default name.
std::optional<IndexingMap>
convertRangesToDimensions(const IndexingMap &Map,
                          llvm::ArrayRef<unsigned> Numbers);
std::optional<IndexingMap> convertSymbolsToDimensions(const IndexingMap &Map);

/// Replaces runtime variable \p Number by \p Value, an expression over the
/// other variables of the map, and removes it. The constraint that the value
/// lies in the variable's bounds is added, unless \p Clamped: then the value is
/// clamped to the bounds, as emitted code does it.
std::optional<IndexingMap> foldRuntimeVariable(const IndexingMap &Map,
                                               unsigned Number, IndexExpr Value,
                                               bool Clamped = false);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_MAPS_INDEXINGMAPOPS_H
