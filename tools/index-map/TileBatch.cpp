//===- TileBatch.cpp - Tiles, one JSON object a line ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/index-map/TileBatch.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/tiles/SymbolicTile.h"
#include "analysis/tiles/TileImage.h"
#include "tools/tile-page/TileTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// For text, which may be generated.
static constexpr IndexLimits TileTextLimits{1u << 16, 64};

/// The numbers of \p Key, or \p Count times \p Default where there are none.
static Expected<SmallVector<int64_t, 4>> readNumbers(const json::Object &Line,
                                                     StringRef Key,
                                                     size_t Count,
                                                     int64_t Default) {
  SmallVector<int64_t, 4> Numbers;
  const json::Value *Given = Line.get(Key);
  if (!Given || Given->getAsNull()) {
    Numbers.assign(Count, Default);
    return Numbers;
  }
  const json::Array *Array = Given->getAsArray();
  for (const json::Value &V : Array ? *Array : json::Array{nullptr}) {
    std::optional<int64_t> Number = V.getAsInteger();
    if (!Number)
      return createStringError("\"" + Key +
                               "\" must be an array of integers of 64 bits, "
                               "like [4, 8]");
    Numbers.push_back(*Number);
  }
  if (Numbers.size() != Count)
    return createStringError("\"" + Key + "\" has " + Twine(Numbers.size()) +
                             " numbers, the map has " + Twine(Count) +
                             " dimensions; give one number for each");
  return Numbers;
}

static Expected<SmallVector<TileAxis, 4>> readTile(const json::Object &Line,
                                                   size_t NumDimensions) {
  if (Line.get("at") && Line.get("offset"))
    return createStringError("\"at\" beside \"offset\"; give one of them");
  auto Sizes = readNumbers(Line, "tile", NumDimensions, 1);
  if (!Sizes)
    return Sizes.takeError();
  auto Numbers = readNumbers(Line, "at", NumDimensions, 0);
  if (!Numbers)
    return Numbers.takeError();
  auto Offsets = readNumbers(Line, "offset", NumDimensions, 0);
  if (!Offsets)
    return Offsets.takeError();
  auto Strides = readNumbers(Line, "stride", NumDimensions, 1);
  if (!Strides)
    return Strides.takeError();
  SmallVector<TileAxis, 4> Tile;
  for (size_t I = 0; I < NumDimensions; ++I) {
    Expected<TileAxis> Axis = tileAt((*Numbers)[I], (*Sizes)[I]);
    if (!Axis)
      return Axis.takeError();
    if (Line.get("offset"))
      Axis->Offset = (*Offsets)[I];
    Axis->Stride = (*Strides)[I];
    Tile.push_back(*Axis);
  }
  return Tile;
}

static Expected<json::Object> answerNumbers(const IndexingMap &Map,
                                            const json::Object &Line) {
  Expected<SmallVector<TileAxis, 4>> Tile =
      readTile(Line, Map.dimensions().size());
  if (!Tile)
    return Tile.takeError();
  Expected<ImageAnswer> Image = tileImageOf(Map, *Tile);
  if (!Image)
    return Image.takeError();
  bool IsEmpty = Image->Kind == ImageAnswer::Empty;
  json::Object Answer;
  if (IsEmpty && Map.results().empty())
    return json::Object{{"box", false},
                        {"reason", "the tile has no points, and a map without "
                                   "results has no size to be 0"}};
  if (!IsEmpty && Image->Kind != ImageAnswer::Box)
    Answer = json::Object{{"box", false}, {"reason", Image->Reason}};
  else {
    json::Array Offsets, Sizes, Strides;
    ElementBox None(Map.results().size());
    for (const Progression &Axis : IsEmpty ? None : Image->Axes) {
      Offsets.push_back(Axis.Offset);
      Sizes.push_back(Axis.Size);
      Strides.push_back(Axis.Stride);
    }
    Answer = json::Object{{"box", true},
                          {"offset", std::move(Offsets)},
                          {"size", std::move(Sizes)},
                          {"stride", std::move(Strides)}};
  }
  if (!Line.getBoolean("reuse").value_or(false))
    return Answer;
  auto Reuse = reuseAlongDimensions(Map, *Tile);
  if (!Reuse)
    return Reuse.takeError();
  json::Array Counts;
  for (std::optional<uint64_t> Count : *Reuse)
    Counts.push_back(Count ? json::Value(*Count) : json::Value(nullptr));
  Answer["reuse"] = std::move(Counts);
  return Answer;
}

static json::Object answerSymbols(const IndexingMap &Map,
                                  ArrayRef<int64_t> Strides) {
  Expected<SymbolicTile> Tile = symbolicTileOf(Map, Strides);
  if (!Tile)
    return json::Object{{"offset", nullptr},
                        {"size", nullptr},
                        {"stride", nullptr},
                        {"constraints", json::Array{}},
                        {"reason", toString(Tile.takeError())}};
  json::Object Answer;
  auto Add = [&](StringRef Key, IndexExpr SymbolicAxis::*Member) {
    json::Array Texts;
    for (const SymbolicAxis &Axis : Tile->Axes)
      Texts.push_back(Axis.*Member ? json::Value(Tile->text(Axis.*Member))
                                   : json::Value(nullptr));
    Answer[Key] = std::move(Texts);
  };
  Add("offset", &SymbolicAxis::Offset);
  Add("size", &SymbolicAxis::Size);
  Add("stride", &SymbolicAxis::Stride);
  Add("offset_at", &SymbolicAxis::OffsetAt);
  Add("lower_bound", &SymbolicAxis::LowerBound);
  Add("upper_bound", &SymbolicAxis::UpperBound);
  json::Array Constraints;
  if (std::string Text = Tile->Conditions.text(); !Text.empty())
    Constraints.push_back(Text);
  Answer["constraints"] = std::move(Constraints);
  return Answer;
}

Expected<json::Object> tileTable(const json::Object &Line) {
  std::optional<StringRef> Text = Line.getString("map");
  if (!Text)
    return createStringError("\"map\" is missing or not a string");
  for (StringRef Key : {"offset", "stride"})
    if (Line.get(Key))
      return createStringError("a page has no \"" + Key +
                               "\"; give \"tile\" alone");
  if (!Line.get("tile"))
    return createStringError("a page draws tiles of given sizes; give "
                             "\"tile\"");
  IndexContext Context(TileTextLimits);
  Expected<IndexingMap> Map = parseIndexingMap(Context, *Text, "map");
  if (!Map)
    return Map.takeError();
  Expected<SmallVector<TileAxis, 4>> Tile =
      readTile(Line, Map->dimensions().size());
  if (!Tile)
    return Tile.takeError();
  std::vector<TiledDimension> Dimensions;
  for (auto [Dimension, Axis] : zip_equal(Map->dimensions(), *Tile)) {
    const Interval Bounds = Dimension.Bounds;
    int64_t Length;
    if (!Bounds.isBounded() || Bounds.isEmpty() ||
        SubOverflow(Bounds.hi(), Bounds.lo(), Length) ||
        AddOverflow(Length, int64_t(1), Length))
      return createStringError("a page draws maps whose dimensions have two "
                               "ends and some elements");
    Dimensions.push_back({Bounds.lo(), Length, Axis.Size});
  }
  std::vector<std::pair<std::string, std::string>> Facts = {
      {"map", toSimplestString(*Map)}};
  if (Expected<SymbolicTile> Symbols = symbolicTileOf(*Map)) {
    std::string Conditions = Symbols->Conditions.text();
    Facts.push_back(
        {"sizes have to satisfy", Conditions.empty() ? "nothing" : Conditions});
  } else {
    Facts.push_back({"not for all sizes", toString(Symbols.takeError())});
  }
  return tileTableOf(*Map, Dimensions, std::nullopt, *Text, Facts);
}

Expected<json::Object> answerTile(const json::Object &Line) {
  std::optional<StringRef> Text = Line.getString("map");
  if (!Text)
    return createStringError("\"map\" is missing or not a string");
  IndexContext Context(TileTextLimits);
  Expected<IndexingMap> Map = parseIndexingMap(Context, *Text, "map");
  if (!Map)
    return Map.takeError();
  if (!Line.get("tile")) {
    for (StringRef Key : {"at", "offset", "reuse"})
      if (Line.get(Key))
        return createStringError("\"" + Key + "\" without \"tile\"; give both");
    auto Strides = readNumbers(Line, "stride", Map->dimensions().size(), 1);
    if (!Strides)
      return Strides.takeError();
    return answerSymbols(*Map, *Strides);
  }
  return answerNumbers(*Map, Line);
}

} // namespace unravel
