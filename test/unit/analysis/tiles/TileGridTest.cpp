//===- TileGridTest.cpp - Tiles of grids of blocks ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/TileGrid.h"
#include "analysis/maps/IndexingMapText.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

std::string grid(StringRef Map, ArrayRef<int64_t> Lengths,
                 ArrayRef<int64_t> Sizes) {
  IndexContext Context;
  Expected<GridTile> Grid =
      gridTileOf(cantFail(parseIndexingMap(Context, Map)), Lengths, Sizes);
  if (!Grid)
    return toString(Grid.takeError());
  std::string Text = toString(Grid->Offsets);
  for (size_t I = 0; I < Grid->Sizes.size(); ++I)
    Text += " | " + std::to_string(Grid->Sizes[I]) + " by " +
            std::to_string(Grid->Strides[I]);
  return Text;
}

TEST(TileGrid, Reduction) {
  EXPECT_EQ(grid("(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in "
                 "[0, 96], s0 in [0, 96]",
                 {2, 97}, {1, 97}),
            "(pid) -> (pid, 0), domain: pid in [0, 1] | 1 by 1 | 97 by 1");
}

TEST(TileGrid, MatrixProduct) {
  EXPECT_EQ(grid("(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], d1 in "
                 "[0, 15], s0 in [0, 7]",
                 {4, 16}, {2, 2}),
            "(pid) -> ((pid floordiv 8) * 2, 0), domain: pid in [0, 15] | "
            "2 by 1 | 8 by 1");
  EXPECT_EQ(grid("(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 3], d1 in "
                 "[0, 15], s0 in [0, 7]",
                 {4, 16}, {2, 2}),
            "(pid) -> (0, (pid mod 8) * 2), domain: pid in [0, 15] | 8 by 1 | "
            "2 by 1");
}

TEST(TileGrid, Reshapes) {
  EXPECT_EQ(grid("(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 7], d1 in "
                 "[0, 7]",
                 {8, 8}, {1, 4}),
            "(pid) -> (pid * 4), domain: pid in [0, 15] | 4 by 1");
  EXPECT_EQ(grid("(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 63]",
                 {64}, {4}),
            "(pid) -> (pid floordiv 2, (pid mod 2) * 4), domain: pid in "
            "[0, 15] | 1 by 1 | 4 by 1");
}

TEST(TileGrid, RuntimeOffsets) {
  EXPECT_EQ(grid("(d0, d1)[s0]{rt0, rt1} -> (rt0, d1, s0 + rt1), domain: d0 in "
                 "[0, 0], d1 in [0, 1], s0 in [0, 31], rt0 in [0, 1], rt1 in "
                 "[0, 226]",
                 {1, 2}, {1, 1}),
            "(pid){rt0, rt1} -> (rt0, pid, rt1), domain: pid in [0, 1], rt0 in "
            "[0, 1], rt1 in [0, 226] | 1 by 1 | 1 by 1 | 32 by 1");
}

TEST(TileGrid, MoreThan32Bits) {
  EXPECT_EQ(grid("(d0, d1) -> (d0, d1), domain: d0 in [0, 65537], d1 in "
                 "[0, 32767]",
                 {65538, 32768}, {1, 1}),
            "(pid) -> (pid floordiv 32768, pid mod 32768), domain: pid in "
            "[0, 2147549183] | 1 by 1 | 1 by 1");
}

TEST(TileGrid, Reversed) {
  EXPECT_EQ(grid("(d0) -> (15 - d0), domain: d0 in [0, 15]", {16}, {2}),
            "(pid) -> (15 - pid * 2), domain: pid in [0, 7] | 2 by -1");
}

TEST(TileGrid, PartOfConcatenation) {
  // The grid is that of the whole result.
  EXPECT_EQ(grid("(d0) -> (d0 - 10), domain: d0 in [10, 29]", {60}, {8}),
            "(pid) -> (pid * 8 - 10), domain: pid in [0, 7] | 8 by 1");
}

TEST(TileGrid, Errors) {
  StringRef Map = "(d0) -> (d0 floordiv 6, d0 mod 6), domain: d0 in [0, 47]";
  EXPECT_EQ(grid(Map, {48}, {8}),
            "these sizes do not satisfy 6 mod t0 = 0 | t0 mod 6 = 0");
  EXPECT_EQ(grid(Map, {48}, {8, 8}),
            "the tile has 2 sizes, the array has 1 dimensions; give one size "
            "for each");
  EXPECT_EQ(grid(Map, {48}, {0}), "a tile or an array has no elements");
  EXPECT_EQ(grid("(d0, d1) -> (d0, d1)", {INT64_MAX, 2}, {1, 1}),
            "the number of blocks leaves 64 bits");
}

} // namespace
