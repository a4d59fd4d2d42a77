//===- TileSystem.h - Maps whose variables all run --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the rules of this room work on: indexing maps whose variables are range
// variables only, and what replaces such variables by others with the same set
// of results.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_TILESYSTEM_H
#define UNRAVEL_ANALYSIS_TILES_TILESYSTEM_H

#include "analysis/algebra/IndexSubstitution.h"
#include "analysis/maps/IndexingMap.h"

namespace unravel {

/// The results and constraint expressions of \p Map.
llvm::SmallVector<IndexExpr, 8> formsOf(const IndexingMap &Map);

/// True for a sum of variables and a constant.
bool isAffine(IndexExpr E);

/// \p Map, without runtime variables that matter, with range variables only:
/// dimensions first.
IndexingMap withRangesOnly(const IndexingMap &Map);

/// Part of a map: results that share no variable, neither directly nor through
/// constraints, with any other result.
struct MapPart {
  IndexingMap Map;
  /// Which results these are of the whole map.
  llvm::SmallVector<unsigned, 4> Results;
};

/// Splits a map with range variables only. What the map takes its domain to is
/// the product of what the parts take theirs to. Constraints on variables that
/// no result depends on give parts without results.
llvm::SmallVector<MapPart, 4> partsOf(const IndexingMap &Map);

/// A variable to add, the next range variable of \p Map first. Returns null
/// where the map has too many.
IndexExpr newVariable(const IndexingMap &Map, size_t Number);

/// The map with more range variables, with \p Bounds, in which \p With replaces
/// atoms. Replaced variables stay, unused and with one value. nullopt if an
/// operation gives up.
std::optional<IndexingMap> withReplaced(const IndexingMap &Map,
                                        llvm::ArrayRef<Interval> Bounds,
                                        const Replacements &With);

/// Whether \p Variable occurs in a result or a constraint.
bool uses(const IndexingMap &Map, const IndexAtom *Variable);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_TILESYSTEM_H
