//===- TileGrid.cpp - The tiles of a grid of blocks -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/TileGrid.h"
#include "analysis/algebra/IndexSubstitution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

Expected<GridTile> gridTileOf(const IndexingMap &Map, ArrayRef<int64_t> Lengths,
                              ArrayRef<int64_t> Sizes) {
  size_t Rank = Map.dimensions().size();
  if (Lengths.size() != Rank || Sizes.size() != Rank)
    return createStringError("the tile has " + Twine(Sizes.size()) +
                             " sizes, the array has " + Twine(Rank) +
                             " dimensions; give one size for each");
  int64_t NumBlocks = 1;
  SmallVector<int64_t, 4> Counts;
  for (auto [Length, Size] : zip_equal(Lengths, Sizes)) {
    if (Length < 1 || Size < 1)
      return createStringError("a tile or an array has no elements");
    Counts.push_back((Length - 1) / Size + 1);
    if (MulOverflow(NumBlocks, Counts.back(), NumBlocks))
      return createStringError("the number of blocks leaves 64 bits");
  }
  Expected<SymbolicTile> Tile = symbolicTileOf(Map);
  if (!Tile)
    return Tile.takeError();
  IndexingMap::Point First =
      Tile->pointAt(Sizes, SmallVector<int64_t, 4>(Rank, 0),
                    SmallVector<int64_t, 4>(Map.runtimes().size(), 0));
  std::optional<bool> Holds = Tile->Conditions.holdAt(First);
  if (!Holds || !*Holds)
    return createStringError("these sizes do not satisfy " +
                             Tile->Conditions.text());

  IndexContext &Context = Map.context();
  IndexingMap::Variables Vars;
  Vars.Dimensions.push_back({{0, NumBlocks - 1}, "pid"});
  Vars.Runtimes = Tile->Symbols.variables().Runtimes;
  IndexingMap Blocks(Context, Vars, {});
  IndexDomain Domain = Blocks.domain();
  FloorBasis Basis(Domain);
  // pid is dimension 0, as t0 is among the symbols: all are replaced at once.
  Replacements With;
  IndexExpr Rest = IndexingMap::exprOf(Context, VariableKind::Dimension, 0);
  for (size_t I = Rank; I-- > 0;) {
    With[IndexingMap::variableOf(Context, VariableKind::Dimension, I)] =
        Context.constant(Sizes[I]);
    IndexExpr Index = Rest ? Basis.floorMod(Rest, Counts[I]) : IndexExpr();
    Rest = Rest ? Basis.floorDiv(Rest, Counts[I]) : IndexExpr();
    if (!Index || !Rest)
      return createStringError("an offset leaves 64 bits");
    With[IndexingMap::variableOf(Context, VariableKind::Dimension, Rank + I)] =
        Index;
  }
  IndexSubstitution Substitution(Domain, With);
  GridTile Grid{Blocks, {}, {}};
  std::vector<IndexExpr> Offsets;
  for (const SymbolicAxis &Axis : Tile->Axes) {
    std::optional<int64_t> Size = Tile->Symbols.evaluate(Axis.Size, First);
    std::optional<int64_t> Stride = Tile->Symbols.evaluate(Axis.Stride, First);
    Offsets.push_back(Substitution.apply(Axis.OffsetAt));
    if (!Size || !Stride || !Offsets.back())
      return createStringError("an offset, size or stride leaves 64 bits");
    Grid.Sizes.push_back(*Size);
    Grid.Strides.push_back(*Size == 1 ? 1 : *Stride);
  }
  Grid.Offsets =
      IndexingMap(Context, std::move(Vars), std::move(Offsets)).simplified();
  return Grid;
}

} // namespace unravel
