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

static std::string listOf(ArrayRef<int64_t> Numbers) {
  return "(" +
         join(map_range(Numbers, [](int64_t N) { return std::to_string(N); }),
              ", ") +
         ")";
}

/// Of a tile in the middle of the result and the next one along each dimension,
/// how many elements both need: `, shared with the next tiles (10, 0)`. Empty
/// where that is not known.
static std::string reuseText(const OperandMap &M, ArrayRef<int64_t> Sizes) {
  std::optional<IndexingMap> Map = withLeastRuntimes(M);
  if (!Map)
    return "";
  std::vector<TileAxis> Tile;
  for (auto [Dimension, Size] : zip_equal(Map->dimensions(), Sizes)) {
    // Of the tiles that begin where there is a point, one in the middle.
    int64_t Begin = Dimension.Bounds.lo(), End = Dimension.Bounds.hi();
    int64_t First = (Begin + Size - 1) / Size, Last = End / Size;
    int64_t Place = (First + std::max(First, Last - 1)) / 2 * Size;
    if (Place > End)
      return "";
    Tile.push_back({Size, Place - Begin, 1});
  }
  auto Shared = reuseAlongDimensions(*Map, Tile);
  if (!Shared) {
    consumeError(Shared.takeError());
    return "";
  }
  std::vector<int64_t> Counts;
  for (std::optional<uint64_t> Count : *Shared) {
    if (!Count)
      return "";
    Counts.push_back(*Count);
  }
  return ", shared with the next tiles " + listOf(Counts);
}

/// `, for d1 in [10, 29]`: other elements of the result need none of these.
static std::string domainText(const IndexingMap &Map,
                              ArrayRef<int64_t> Lengths) {
  std::string Text;
  for (auto [D, Dimension] : enumerate(Map.dimensions()))
    if (Dimension.Bounds != Interval(0, Lengths[D] - 1))
      Text += (Text.empty() ? ", for " : " and ") +
              Map.nameOf(VariableKind::Dimension, D) + " in [" +
              std::to_string(Dimension.Bounds.lo()) + ", " +
              std::to_string(Dimension.Bounds.hi()) + "]";
  return Text;
}

static Expected<std::string> tileText(const OperandMap &M,
                                      ArrayRef<int64_t> Lengths,
                                      ArrayRef<int64_t> Sizes) {
  const IndexingMap &Map = M.Map;
  if (!Sizes.empty()) {
    Expected<GridTile> Grid = gridTileOf(Map, Lengths, Sizes);
    if (!Grid)
      return Grid.takeError();
    return "offsets " + toSimplestString(Grid->Offsets) + ", sizes " +
           listOf(Grid->Sizes) + ", strides " + listOf(Grid->Strides) +
           reuseText(M, Sizes) + domainText(Map, Lengths);
  }
  Expected<SymbolicTile> Tile = symbolicTileOf(Map);
  if (!Tile)
    return Tile.takeError();
  auto TextOf = [&](IndexExpr SymbolicAxis::*Member) {
    return "(" +
           join(map_range(Tile->Axes,
                          [&](const SymbolicAxis &Axis) {
                            return Tile->text(Axis.*Member);
                          }),
                ", ") +
           ")";
  };
  std::string Conditions = Tile->Conditions.text();
  return "offsets " + TextOf(&SymbolicAxis::OffsetAt) + ", sizes " +
         TextOf(&SymbolicAxis::Size) + ", strides " +
         TextOf(&SymbolicAxis::Stride) +
         (Conditions.empty() ? "" : ", if " + Conditions) +
         domainText(Map, Lengths);
}

void printTiles(raw_ostream &OS, const HloComputation &C,
                HloIndexingAnalysis &Analysis, ArrayRef<int64_t> Sizes) {
  const HloShape &Shape = C.root().shape();
  StringSet<> Seen;
  auto Print = [&](const Twine &Line) {
    if (Seen.insert(Line.str()).second)
      OS << Line << '\n';
  };
  for (size_t Element = 0; Element < arraysIn(Shape); ++Element) {
    const HloShape &Array = arrayAt(Shape, Element);
    std::string From =
        Shape.isTuple() ? "root#" + std::to_string(Element) : "root";
    if (!Sizes.empty() && Sizes.size() != Array.rank()) {
      Print(From + ": no tile: it has " + Twine(Array.rank()) +
            " dimensions, --tile has " + Twine(Sizes.size()) + " sizes");
      continue;
    }
    std::vector<OperandIndexing> Parameters =
        Analysis.outputToParameters(C, Element);
    for (size_t P = 0; P < Parameters.size(); ++P) {
      std::string To = From + " -> " + C.parameter(P).name().str();
      if (!Parameters[P].isKnown())
        Print(To + ": no tile: " + Parameters[P].WhyUnknown);
      else if (Parameters[P].Maps.empty())
        Print(To + ": not read");
      for (const OperandMap &M : Parameters[P].Maps) {
        std::string Name = C.parameter(P).shape().isTuple()
                               ? "#" + std::to_string(M.Element)
                               : "";
        Expected<std::string> Text = tileText(M, Array.dimensions(), Sizes);
        if (Text)
          Print(To + Name + ": " + *Text);
        else
          Print(To + Name + ": no tile: " + toString(Text.takeError()));
      }
    }
  }
}

} // namespace unravel
