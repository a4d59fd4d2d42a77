//===- TileImageRandomTest.cpp - Random tiles against every point ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The answer for a random tile of a random map is compared with the elements
// that the points of the tile touch: with the usual limits, where every answer
// has to be right, and without looking at points, where rules alone decide and
// an answer may be missing, but not wrong.
//
//===----------------------------------------------------------------------===//

#include "RandomTiles.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

/// Points to look at, over all maps.
constexpr uint64_t WantedTilePoints = 1000000;

/// What is wrong with \p Answer for a tile that touches \p Elements.
std::string mistakeIn(const ImageAnswer &Answer, const ElementSet &Elements) {
  switch (Answer.Kind) {
  case ImageAnswer::Unknown:
    return "";
  case ImageAnswer::Empty:
    return Elements.empty() ? "" : "not empty";
  case ImageAnswer::NoBox:
    return Elements.empty() ? "empty" : boxOf(Elements) ? "is a box" : "";
  case ImageAnswer::Box:
    if (Elements.empty())
      return "empty, not " + textOf(Answer.Axes);
    std::optional<ElementBox> Box = boxOf(Elements);
    if (!Box)
      return "no box, not " + textOf(Answer.Axes);
    return *Box == Answer.Axes ? ""
                               : textOf(*Box) + ", not " + textOf(Answer.Axes);
  }
  return "";
}

TEST(TileImageRandom, AgreesWithEveryPoint) {
  MapGenerator Generator(16);
  uint64_t Points = 0;
  unsigned Tiles = 0, ByRules = 0, Boxes = 0, Misses = 0;
  while (Points < WantedTilePoints) {
    std::string Text = Generator.map(2000);
    IndexContext Context({1u << 16, 64});
    IndexingMap Map = cantFail(parseIndexingMap(Context, Text));
    SmallVector<TileAxis, 4> Tile;
    for (const MapVariable &D : Map.dimensions()) {
      int64_t Length = Map.isKnownEmpty() ? 1 : int64_t(*D.Bounds.size());
      TileAxis Axis{Generator.pick(1, Length), 0, 1};
      if (Generator.chance(4))
        Axis.Size = Length + Generator.pick(0, 2);
      Axis.Offset = Generator.pick(0, (Length - 1) / Axis.Size) * Axis.Size;
      if (Generator.chance(5))
        Axis.Stride = Generator.pick(1, 4);
      if (Generator.chance(5))
        Axis.Offset = Generator.pick(0, Length);
      Tile.push_back(Axis);
    }
    ElementSet Elements = touchedBy(Map, Tile, Points);
    ++Tiles;
    ImageAnswer Answer = cantFail(tileImageOf(Map, Tile));
    std::string Where = Text + " tile";
    for (const TileAxis &Axis : Tile)
      Where += formatv(" {0}+{1}*[0,{2})", Axis.Offset, Axis.Stride, Axis.Size);
    ASSERT_EQ(mistakeIn(Answer, Elements), "") << Where;
    ASSERT_NE(Answer.Kind, ImageAnswer::Unknown) << Where << Answer.Reason;
    ImageAnswer Rules = cantFail(tileImageOf(Map, Tile, {0, 0}));
    ASSERT_EQ(mistakeIn(Rules, Elements), "") << "by rules: " << Where;
    ByRules += Rules.Kind != ImageAnswer::Unknown;
    if (Answer.Kind == ImageAnswer::Box) {
      ++Boxes;
      Misses += Rules.Kind == ImageAnswer::Unknown;
    }
  }
  // The generator makes what it should, and the rules are not idle.
  EXPECT_GT(Boxes, Tiles / 4);
  EXPECT_GT(ByRules, Tiles * 3 / 5);
  outs() << Tiles << " tiles, " << Boxes << " boxes, " << ByRules
         << " by rules, " << Misses << " boxes missed by rules\n";
}

} // namespace
