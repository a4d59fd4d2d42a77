//===- HloTiles.cpp - What blocks load of parameters ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloTiles.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/tiles/TileGrid.h"
#include "analysis/tiles/TileImage.h"
#include "frontend/indexing/HloUtilisation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

template <typename T> static std::string listOf(const T &Numbers) {
  return "(" +
         join(map_range(Numbers, [](auto N) { return std::to_string(N); }),
              ", ") +
         ")";
}

/// Of a tile in the middle of the result and the next one along each dimension,
/// how many elements both need. Empty where that is not known.
static SmallVector<uint64_t, 4> sharedBy(const OperandMap &M,
                                         ArrayRef<int64_t> Sizes) {
  std::optional<IndexingMap> Map = withLeastRuntimes(M);
  if (!Map)
    return {};
  std::vector<TileAxis> Tile;
  for (auto [Dimension, Size] : zip_equal(Map->dimensions(), Sizes)) {
    // Of the tiles that begin where there is a point, one in the middle.
    int64_t Begin = Dimension.Bounds.lo(), End = Dimension.Bounds.hi();
    int64_t First = (Begin + Size - 1) / Size, Last = End / Size;
    int64_t Place = (First + std::max(First, Last - 1)) / 2 * Size;
    if (Place > End)
      return {};
    Tile.push_back({Size, Place - Begin, 1});
  }
  auto Shared = reuseAlongDimensions(*Map, Tile);
  if (!Shared) {
    consumeError(Shared.takeError());
    return {};
  }
  SmallVector<uint64_t, 4> Counts;
  for (std::optional<uint64_t> Count : *Shared) {
    if (!Count)
      return {};
    Counts.push_back(*Count);
  }
  return Counts;
}

/// Calls \p F with each dimension of which only a part needs the parameter.
static void
forEachPart(const HloTile &Tile,
            function_ref<void(const std::string &Name, const Interval &)> F) {
  const IndexingMap &Map = Tile.Map->Map;
  for (auto [D, Dimension] : enumerate(Map.dimensions()))
    if (Dimension.Bounds != Interval(0, Tile.Output.dimension(D) - 1))
      F(Map.nameOf(VariableKind::Dimension, D), Dimension.Bounds);
}

static std::vector<std::string> textsOf(const SymbolicTile &Tile,
                                        IndexExpr SymbolicAxis::*Member) {
  std::vector<std::string> Texts;
  for (const SymbolicAxis &Axis : Tile.Axes)
    Texts.push_back(Tile.text(Axis.*Member));
  return Texts;
}

std::string toText(const HloTile &Tile) {
  std::string Text = Tile.From;
  if (!Tile.To.empty())
    Text += " -> " + Tile.To;
  if (!Tile.WhyNot.empty())
    return Text + ": no tile: " + Tile.WhyNot;
  if (!Tile.Map)
    return Text + ": not read";
  if (Tile.Grid) {
    Text += ": offsets " + toSimplestString(Tile.Grid->Offsets) + ", sizes " +
            listOf(Tile.Grid->Sizes) + ", strides " +
            listOf(Tile.Grid->Strides);
    if (!Tile.Shared.empty())
      Text += ", shared with the next tiles " + listOf(Tile.Shared);
  } else {
    auto List = [&](IndexExpr SymbolicAxis::*Member) {
      return "(" + join(textsOf(*Tile.Symbols, Member), ", ") + ")";
    };
    Text += ": offsets " + List(&SymbolicAxis::OffsetAt) + ", sizes " +
            List(&SymbolicAxis::Size) + ", strides " +
            List(&SymbolicAxis::Stride);
    std::string Conditions = Tile.Symbols->Conditions.text();
    if (!Conditions.empty())
      Text += ", if " + Conditions;
  }
  StringRef Before = ", for ";
  forEachPart(Tile, [&](const std::string &Name, const Interval &Bounds) {
    Text += Before.str() + Name + " in [" + std::to_string(Bounds.lo()) + ", " +
            std::to_string(Bounds.hi()) + "]";
    Before = " and ";
  });
  return Text;
}

json::Object toJson(const HloTile &Tile) {
  json::Object Object = json::Object{{"from", json::fixUTF8(Tile.From)}};
  if (!Tile.To.empty())
    Object["to"] = json::fixUTF8(Tile.To);
  if (!Tile.WhyNot.empty()) {
    Object["no_tile"] = json::fixUTF8(Tile.WhyNot);
    return Object;
  }
  Object["read"] = Tile.Map.has_value();
  if (!Tile.Map)
    return Object;
  Object["output"] = json::Array(Tile.Output.dimensions());
  Object["input"] = json::Array(Tile.Input.dimensions());
  if (Tile.Grid) {
    Object["offsets"] = toSimplestString(Tile.Grid->Offsets);
    Object["sizes"] = json::Array(Tile.Grid->Sizes);
    Object["strides"] = json::Array(Tile.Grid->Strides);
    Object["shared"] = Tile.Shared.empty() && Tile.Output.rank() != 0
                           ? json::Value(nullptr)
                           : json::Value(json::Array(Tile.Shared));
  } else {
    Object["offsets"] =
        json::Array(textsOf(*Tile.Symbols, &SymbolicAxis::OffsetAt));
    Object["sizes"] = json::Array(textsOf(*Tile.Symbols, &SymbolicAxis::Size));
    Object["strides"] =
        json::Array(textsOf(*Tile.Symbols, &SymbolicAxis::Stride));
    Object["conditions"] = Tile.Symbols->Conditions.text();
  }
  json::Object Parts;
  forEachPart(Tile, [&](const std::string &Name, const Interval &Bounds) {
    Parts[Name] = json::Array{Bounds.lo(), Bounds.hi()};
  });
  Object["for"] = std::move(Parts);
  return Object;
}

/// Fills in the tile of the map, or why there is none.
static void findTile(HloTile &Tile, ArrayRef<int64_t> Sizes) {
  const IndexingMap &Map = Tile.Map->Map;
  if (Sizes.empty()) {
    if (Expected<SymbolicTile> Symbols = symbolicTileOf(Map))
      Tile.Symbols = std::move(*Symbols);
    else
      Tile.WhyNot = toString(Symbols.takeError());
    return;
  }
  Expected<GridTile> Grid = gridTileOf(Map, Tile.Output.dimensions(), Sizes);
  if (!Grid) {
    Tile.WhyNot = toString(Grid.takeError());
    return;
  }
  Tile.Grid = std::move(*Grid);
  Tile.Shared = sharedBy(*Tile.Map, Sizes);
}

std::vector<HloTile> tilesOf(const HloComputation &C,
                             HloIndexingAnalysis &Analysis,
                             ArrayRef<int64_t> Sizes) {
  const HloShape &Shape = C.root().shape();
  std::vector<HloTile> Tiles;
  StringSet<> Seen;
  auto Add = [&](HloTile Tile) {
    if (Seen.insert(toText(Tile)).second)
      Tiles.push_back(std::move(Tile));
  };
  for (size_t Element = 0; Element < arraysIn(Shape); ++Element) {
    HloTile Tile;
    Tile.Output = arrayAt(Shape, Element);
    Tile.From = Shape.isTuple() ? "root#" + std::to_string(Element) : "root";
    if (!Sizes.empty() && Sizes.size() != Tile.Output.rank()) {
      Tile.WhyNot =
          ("it has " + Twine(Tile.Output.rank()) + " dimensions, --tile has " +
           Twine(Sizes.size()) + " sizes")
              .str();
      Add(Tile);
      continue;
    }
    for (auto [P, Indexing] :
         enumerate(Analysis.outputToParameters(C, Element))) {
      const HloInstruction &Parameter = C.parameter(P);
      Tile.To = Parameter.name().str();
      Tile.WhyNot = Indexing.WhyUnknown;
      Tile.Map.reset();
      if (!Indexing.isKnown() || Indexing.Maps.empty())
        Add(Tile);
      for (const OperandMap &M : Indexing.Maps) {
        HloTile OfMap = Tile;
        if (Parameter.shape().isTuple())
          OfMap.To += "#" + std::to_string(M.Element);
        OfMap.Input = arrayAt(Parameter.shape(), M.Element);
        OfMap.Map = M;
        findTile(OfMap, Sizes);
        Add(std::move(OfMap));
      }
    }
  }
  return Tiles;
}

} // namespace unravel
