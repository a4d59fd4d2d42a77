//===- TileImage.cpp - What a tile touches --------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/TileImage.h"
#include "analysis/tiles/TileSystem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

Expected<TileAxis> tileAt(int64_t Index, int64_t Size) {
  TileAxis Axis{Size, 0, 1};
  if (Index < 0)
    return createStringError("a tile has the number " + Twine(Index) +
                             "; count tiles from 0");
  if (Size < 1)
    return createStringError("a tile has the size " + Twine(Size) +
                             "; sizes are at least 1");
  if (MulOverflow(Index, Size, Axis.Offset))
    return createStringError("tile " + Twine(Index) + " of size " +
                             Twine(Size) + " begins beyond 64 bits");
  return Axis;
}

static Error checkTile(const IndexingMap &Map, ArrayRef<TileAxis> Tile) {
  if (Tile.size() != Map.dimensions().size())
    return createStringError("the tile has " + Twine(Tile.size()) +
                             " sizes, the map has " +
                             Twine(Map.dimensions().size()) +
                             " dimensions; give one size for each dimension");
  for (auto [I, Axis] : enumerate(Tile)) {
    std::string Name = Map.nameOf(VariableKind::Dimension, I);
    if (Axis.Size < 1)
      return createStringError("the tile of " + Name + " has the size " +
                               Twine(Axis.Size) + "; sizes are at least 1");
    if (Axis.Offset < 0)
      return createStringError("the tile of " + Name + " has the offset " +
                               Twine(Axis.Offset) + "; offsets are at least 0");
    if (Axis.Stride < 1)
      return createStringError("the tile of " + Name + " has the stride " +
                               Twine(Axis.Stride) + "; strides are at least 1");
    if (!Map.isKnownEmpty() && !Map.dimensions()[I].Bounds.isBoundedBelow())
      return createStringError("the dimension " + Name +
                               " has no lower bound, where its first tile "
                               "would begin; give it one");
  }
  return Error::success();
}

/// The map with every dimension inside of \p Tile; nullopt if that leaves 64
/// bits.
static std::optional<IndexingMap> restrictedTo(const IndexingMap &Map,
                                               ArrayRef<TileAxis> Tile) {
  IndexContext &Context = Map.context();
  IndexingMap::Variables Vars = Map.variables();
  Replacements With;
  SmallVector<Interval, 4> Counts;
  for (auto [I, Axis] : enumerate(Tile)) {
    Interval &Bounds = Vars.Dimensions[I].Bounds;
    int64_t Begin, Last;
    if (AddOverflow(Bounds.lo(), Axis.Offset, Begin) || Begin > Bounds.hi())
      return IndexingMap::empty(Context, Map.variables(), Map.results().size());
    // The number of steps of a stride from the first to the last element.
    uint64_t Steps =
        (uint64_t(Bounds.hi()) - uint64_t(Begin)) / uint64_t(Axis.Stride);
    Steps = std::min(Steps, uint64_t(Axis.Size) - 1);
    if (Steps > uint64_t(std::numeric_limits<int64_t>::max()) ||
        MulOverflow(int64_t(Steps), Axis.Stride, Last) ||
        AddOverflow(Last, Begin, Last) || Last == Interval::PlusInfinity)
      return std::nullopt;
    Bounds = {Begin, Last};
    if (Axis.Stride == 1 || Steps == 0)
      continue;
    IndexExpr Count = newVariable(Map, Counts.size());
    if (!Count)
      return std::nullopt;
    Counts.push_back({0, int64_t(Steps)});
    IndexExpr Value = Context.add(Context.constant(Begin), Count, Axis.Stride);
    if (!Value)
      return std::nullopt;
    With[IndexingMap::variableOf(Context, VariableKind::Dimension, I)] = Value;
  }
  IndexingMap Cut(Context, std::move(Vars), Map.results(), Map.constraints());
  if (With.empty() || Cut.isKnownEmpty())
    return Cut;
  return withReplaced(Cut, Counts, With);
}

Expected<ImageAnswer> tileImageOf(const IndexingMap &Map,
                                  ArrayRef<TileAxis> Tile,
                                  const ImageLimits &Limits) {
  if (Error E = checkTile(Map, Tile))
    return E;
  std::optional<IndexingMap> Inside = restrictedTo(Map, Tile);
  if (!Inside)
    return ImageAnswer{
        ImageAnswer::Unknown, {}, "an element of the tile leaves 64 bits"};
  return imageBoxOf(*Inside, Limits);
}

Expected<SmallVector<std::optional<uint64_t>, 4>>
reuseAlongDimensions(const IndexingMap &Map, ArrayRef<TileAxis> Tile,
                     const ImageLimits &Limits) {
  Expected<ImageAnswer> Here = tileImageOf(Map, Tile, Limits);
  if (!Here)
    return Here.takeError();
  SmallVector<std::optional<uint64_t>, 4> Shared;
  for (size_t I = 0; I < Tile.size(); ++I) {
    SmallVector<TileAxis, 4> Next(Tile);
    int64_t Length;
    if (MulOverflow(Next[I].Size, Next[I].Stride, Length) ||
        AddOverflow(Next[I].Offset, Length, Next[I].Offset)) {
      Shared.push_back(0);
      continue;
    }
    Expected<ImageAnswer> There = tileImageOf(Map, Next, Limits);
    if (!There)
      return There.takeError();
    if (Here->Kind == ImageAnswer::Empty || There->Kind == ImageAnswer::Empty)
      Shared.push_back(0);
    else if (Here->Kind == ImageAnswer::Box && There->Kind == ImageAnswer::Box)
      Shared.push_back(countShared(Here->Axes, There->Axes));
    else
      Shared.push_back(std::nullopt);
  }
  return Shared;
}

} // namespace unravel
