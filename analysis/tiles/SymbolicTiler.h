//===- SymbolicTiler.h - The state of finding a symbolic tile ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The map is rewritten until each result is a sum of runners: variables that
// run over a progression in each tile. Each step is a function that answers
// false, with a reason, if the map has no symbolic tile.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_TILES_SYMBOLICTILER_H
#define UNRAVEL_ANALYSIS_TILES_SYMBOLICTILER_H

#include "analysis/algebra/FloorBasis.h"
#include "analysis/tiles/SymbolicTile.h"
#include "analysis/tiles/TileConditions.h"

namespace unravel {

/// What a variable of the rewritten map is, over one tile.
struct Runner {
  /// Its values are Offset + j for 0 <= j < Extent.
  IndexExpr Offset, Extent;
  std::optional<int64_t> Length = std::nullopt;
  /// For a dimension, a lattice of one or a group of them: the offset is a
  /// multiple of the extent, whatever the tile index.
  bool IsAligned = false;
  /// A dimension whose tiles have one element: a parameter.
  bool IsPoint = false;
  /// A dimension as given.
  std::optional<unsigned> Dimension = std::nullopt;
};

class SymbolicTiler {
public:
  SymbolicTiler(const IndexingMap &Map, llvm::ArrayRef<int64_t> Strides)
      : Context(Map.context()), Given(Map), Strides(Strides),
        Current(Map.context()), Symbols(symbolsOf(Map)),
        Domain(Symbols.domain()), Basis(Domain), Conditions(Symbols) {}

  llvm::Expected<SymbolicTile> run();

private:
  // TileRunners.cpp: the map over runners

  static IndexingMap symbolsOf(const IndexingMap &Map);
  IndexExpr sizeOf(unsigned Dimension) {
    return IndexingMap::exprOf(Context, VariableKind::Dimension, Dimension);
  }
  IndexExpr indexOf(unsigned Dimension) {
    return IndexingMap::exprOf(Context, VariableKind::Dimension,
                               Given.dimensions().size() + Dimension);
  }
  const IndexAtom *variable(size_t Number) {
    return IndexingMap::variableOf(Context, VariableKind::Range, Number);
  }
  IndexExpr one() { return Context.constant(1); }

  bool begin();
  bool addStrides();
  bool addLattices();
  bool addDigitsOfRanges();
  bool addGroups();
  bool addGroup(IndexExpr Group);
  bool addDigits(size_t Number);
  bool addDigitsOfAll();
  bool addPoints();

  // SymbolicTile.cpp: what the runners make of each result

  bool addMasks();
  bool addSharing();
  bool addAxis(size_t Result, SymbolicTile &Tile);
  IndexExpr upperBoundOf(size_t Result);
  bool fail(const llvm::Twine &Why) {
    if (Reason.empty())
      Reason = Why.str();
    return false;
  }
  bool tooLarge() { return fail("an expression of the tile leaves 64 bits"); }

  IndexContext &Context;
  const IndexingMap &Given;
  llvm::ArrayRef<int64_t> Strides;
  /// The map rewritten over runners, as range variables.
  IndexingMap Current;
  std::vector<Runner> Runners;
  IndexingMap Symbols;
  IndexDomain Domain;
  FloorBasis Basis;
  TileConditions Conditions;
  /// Of the results.
  std::vector<Interval> Bounds;
  std::string Reason;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_TILES_SYMBOLICTILER_H
