//===- TileImageTest.cpp - Tiles of known maps ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/TileImage.h"
#include "analysis/maps/IndexingMapText.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

std::string textOf(const ImageAnswer &Answer) {
  if (Answer.Kind == ImageAnswer::Empty)
    return "empty";
  if (Answer.Kind != ImageAnswer::Box)
    return Answer.Kind == ImageAnswer::NoBox ? "no box" : "unknown";
  std::string Text;
  for (const Progression &Axis : Answer.Axes)
    Text += (Text.empty() ? "" : " ") + std::to_string(Axis.Offset) + "+" +
            std::to_string(Axis.Stride) + "*" + std::to_string(Axis.Size);
  return Text;
}

/// What \p Tile touches, by rules alone, or point by point too.
std::string touched(StringRef Map, ArrayRef<TileAxis> Tile,
                    const ImageLimits &Limits = {}) {
  IndexContext Context;
  Expected<ImageAnswer> Answer =
      tileImageOf(cantFail(parseIndexingMap(Context, Map)), Tile, Limits);
  return Answer ? textOf(*Answer) : toString(Answer.takeError());
}

/// For domains that are too large to look at.
constexpr ImageLimits RulesOnly{0, 0};

//===----------------------------------------------------------------------===//
// Large tiles, by rules
//===----------------------------------------------------------------------===//

TEST(TileImage, LargeDigits) {
  StringRef Map = "(d0) -> (d0 floordiv 6000, d0 mod 6000), domain: d0 in "
                  "[0, 599999999]";
  EXPECT_EQ(touched(Map, {{60000000, 180000000, 1}}), "30000+1*10000 0+1*6000");
  EXPECT_EQ(touched(Map, {{3000, 3000, 1}}), "0+1*1 3000+1*3000");
  EXPECT_EQ(touched(Map, {{60000001, 0, 1}}), "unknown");
}

TEST(TileImage, LargeReshape) {
  StringRef Map =
      "(a, b, c) -> ((a * 35000000 + b * 7000 + c) floordiv 10000, "
      "((a * 35000000 + b * 7000 + c) floordiv 2) mod 5000, "
      "(a * 35000000 + b * 7000 + c) mod 2), domain: a in [0, 1], b in "
      "[0, 4999], c in [0, 6999]";
  EXPECT_EQ(touched(Map, {{2}, {5000}, {7000}}), "0+1*7000 0+1*5000 0+1*2");
}

TEST(TileImage, LargeWindows) {
  StringRef Map = "(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 599999999], "
                  "s0 in [0, 2]";
  EXPECT_EQ(touched(Map, {{60000000, 180000000, 1}}), "360000000+1*120000001");
  EXPECT_EQ(touched("(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 599999999], "
                    "s0 in [0, 2]",
                    {{60000000}}),
            "no box");
}

TEST(TileImage, LargePaddedWindow) {
  StringRef Map = "(d0)[s0] -> (d0 + s0 - 1), domain: d0 in [0, 99999999], s0 "
                  "in [0, 2], d0 + s0 - 1 in [0, 99999999]";
  EXPECT_EQ(touched(Map, {{40000000}}), "0+1*40000001");
  EXPECT_EQ(touched(Map, {{40000000, 40000000, 1}}), "39999999+1*40000002");
  EXPECT_EQ(touched(Map, {{40000000, 80000000, 1}}), "79999999+1*20000001");
}

/// What is known of a guarded digit ends inside of a block, and the digits are
/// independent all the same.
TEST(TileImage, LargeGuardedDigits) {
  StringRef Block = "(th, bl) -> (bl floordiv 4, (bl mod 4) * 1024 + th), "
                    "domain: th in [0, 1023], bl in [0, 4095], ";
  EXPECT_EQ(touched(Block.str() + "(bl mod 4) * 1024 + th < 3000",
                    {{1024}, {4096}}, RulesOnly),
            "0+1*1024 0+1*3000");
  EXPECT_EQ(touched(Block.str() + "(bl mod 4) * 1024 + th >= 1024",
                    {{1024}, {4096}}, RulesOnly),
            "0+1*1024 1024+1*3072");
  // A constraint with two quotients.
  EXPECT_EQ(touched("(d0) -> (d0 floordiv 64, d0 mod 8), domain: d0 in "
                    "[0, 9999999], d0 mod 8 in [0, 3], (d0 floordiv 64) mod 2 "
                    "in [0, 0]",
                    {{10000000}}, RulesOnly),
            "0+2*78125 0+1*4");
  // Padding on both sides of two windows, which are digits of one range.
  EXPECT_EQ(touched("(d0, d1)[s0] -> (d0 + s0 floordiv 3, d1 + s0 mod 3), "
                    "domain: d0 in [0, 999], d1 in [0, 999], s0 in [0, 8], d0 "
                    "+ s0 floordiv 3 in [1, 1000], d1 + s0 mod 3 in [1, 1000]",
                    {{1000}, {1000}}, RulesOnly),
            "1+1*1000 1+1*1000");
}

TEST(TileImage, LargeGuardedDigits_negative) {
  // The last block has a part of the columns only.
  EXPECT_EQ(touched("(th, bl) -> (bl floordiv 4, (bl mod 4) * 1024 + th), "
                    "domain: th in [0, 1023], bl in [0, 4093], (bl mod 4) * "
                    "1024 + th < 3000",
                    {{1024}, {4096}}, RulesOnly),
            "unknown");
  // The guard leaves a part of the last column in another dimension.
  EXPECT_EQ(touched("(d0) -> (d0 floordiv 64, d0 mod 8), domain: d0 in "
                    "[0, 9999901], d0 mod 8 in [0, 3], (d0 floordiv 64) mod 2 "
                    "in [0, 0]",
                    {{10000000}}, RulesOnly),
            "unknown");
}

TEST(TileImage, LargeQuotientAlone) {
  StringRef Map = "(d0) -> (d0 floordiv 32), domain: d0 in [0, 1000000000]";
  EXPECT_EQ(touched(Map, {{100000007, 5, 1}}), "0+1*3125001");
}

TEST(TileImage, LargeLattice) {
  StringRef Map = "(d0) -> ((d0 - 1) floordiv 2), domain: d0 in "
                  "[1, 1000000001], (d0 - 1) mod 2 in [0, 0]";
  EXPECT_EQ(touched(Map, {{400000000, 400000000, 1}}), "200000000+1*200000000");
}

TEST(TileImage, LargeDiagonal_negative) {
  EXPECT_EQ(
      touched("(d0) -> (d0, d0), domain: d0 in [0, 999999999]", {{500000000}}),
      "no box");
  EXPECT_EQ(touched("(d0, d1) -> (d0, d0 + d1), domain: d0 in [0, 999999], d1 "
                    "in [0, 999999]",
                    {{500000}, {500000}}),
            "no box");
}

//===----------------------------------------------------------------------===//
// Slices, concatenations, reversal
//===----------------------------------------------------------------------===//

TEST(TileImage, CountsFromTheLowerBound) {
  StringRef Map = "(d0) -> (d0 - 16), domain: d0 in [16, 32]";
  EXPECT_EQ(touched(Map, {{5}}), "0+1*5");
  EXPECT_EQ(touched(Map, {{5, 15, 1}}), "15+1*2");
  EXPECT_EQ(touched(Map, {{5, 20, 1}}), "empty");
}

TEST(TileImage, Reversed) {
  EXPECT_EQ(touched("(d0) -> (15 - d0), domain: d0 in [0, 15]", {{2, 6, 1}}),
            "8+1*2");
}

TEST(TileImage, SliceWithSteps) {
  EXPECT_EQ(touched("(d0, d1) -> (d0 * 7 + 3, d1 * 2), domain: d0 in [0, 2], "
                    "d1 in [0, 24]",
                    {{2, 1, 1}, {8, 0, 1}}),
            "10+7*2 0+2*8");
}

TEST(TileImage, InteriorPadding) {
  StringRef Map = "(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in "
                  "[1, 7], d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]";
  EXPECT_EQ(touched(Map, {{1}, {4}}), "0+1*1 0+1*4");
  EXPECT_EQ(touched(Map, {{2}, {4}}), "0+1*1 0+1*4");
  EXPECT_EQ(touched(Map, {{4}, {4}}), "0+1*2 0+1*4");
  EXPECT_EQ(touched(Map, {{1, 1, 1}, {4}}), "empty");
}

//===----------------------------------------------------------------------===//
// Reshapes, with tiles that have strides
//===----------------------------------------------------------------------===//

TEST(TileImage, Collapse) {
  StringRef Map =
      "(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 2], d1 in [0, 3]";
  EXPECT_EQ(touched(Map, {{1}, {3}}), "0+1*3");
  EXPECT_EQ(touched(Map, {{1, 2, 1}, {3, 3, 1}}), "11+1*1");
  EXPECT_EQ(touched(Map, {{2}, {4}}), "0+1*8");
  EXPECT_EQ(touched(Map, {{2, 2, 1}, {4}}), "8+1*4");
  EXPECT_EQ(touched(Map, {{3, 0, 1}, {2, 0, 2}}), "0+2*6");
  EXPECT_EQ(touched(Map, {{2, 0, 2}, {1, 0, 1}}), "0+8*2");
}

TEST(TileImage, Collapse_negative) {
  // Two dimensions in part.
  EXPECT_EQ(touched("(d0, d1, d2) -> (d0 * 8 + d1 * 4 + d2), domain: d0 in "
                    "[0, 16], d1 in [0, 1], d2 in [0, 3]",
                    {{4}, {1}, {4}}),
            "no box");
}

TEST(TileImage, CollapseInside) {
  StringRef Map = "(d0, d1, d2) -> (d0 * 4096 + d1 * 128 + d2), domain: d0 in "
                  "[0, 1], d1 in [0, 31], d2 in [0, 127]";
  EXPECT_EQ(touched(Map, {{1}, {16}, {1}}), "0+128*16");
  EXPECT_EQ(touched(Map, {{1, 1, 1}, {16, 16, 1}, {1, 5, 2}}), "6149+128*16");
}

TEST(TileImage, Expand) {
  StringRef Map = "(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 11]";
  EXPECT_EQ(touched(Map, {{4, 4, 1}}), "1+1*1 0+1*4");
  EXPECT_EQ(touched("(d0) -> (0, d0 floordiv 64, d0 mod 64), domain: d0 in "
                    "[0, 127]",
                    {{2, 0, 64}}),
            "0+1*1 0+1*2 0+1*1");
}

TEST(TileImage, Expand_negative) {
  EXPECT_EQ(touched("(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 11]",
                    {{5}}),
            "no box");
}

TEST(TileImage, ScalesOfBlocks) {
  StringRef Map = "(m, n)[k] -> (m floordiv 32, k floordiv 256), domain: m in "
                  "[0, 1023], n in [0, 63], k in [0, 511]";
  EXPECT_EQ(touched(Map, {{16, 16, 1}, {64}}), "0+1*1 0+1*2");
  EXPECT_EQ(touched(Map, {{48, 48, 1}, {64}}), "1+1*2 0+1*2");
}

TEST(TileImage, BlockOfThreads) {
  StringRef Box = "domain: th in [0, 127], bl in [0, 468], v in [0, 3], "
                  "bl * 128 + th in [0, 59999]";
  std::string Linear = ("(th, bl)[v] -> (th * 4 + bl * 512 + v), " + Box).str();
  EXPECT_EQ(touched(Linear, {{128}, {1, 7, 1}}), "3584+1*512");
  EXPECT_EQ(touched(Linear, {{128}, {1, 468, 1}}), "239616+1*384");
  std::string Tensor =
      ("(th, bl)[v] -> ((bl * 128 + th) floordiv 3000, ((bl * 128 + th) "
       "floordiv 75) mod 40, ((bl * 128 + th) mod 75) * 4 + v), " +
       Box)
          .str();
  EXPECT_EQ(touched(Tensor, {{128}, {1, 7, 1}}), "no box");
}

//===----------------------------------------------------------------------===//
// Corner cases
//===----------------------------------------------------------------------===//

TEST(TileImage, NoResults) {
  EXPECT_EQ(touched("(d0) -> (), domain: d0 in [0, 3]", {{2}}), "");
  EXPECT_EQ(touched("(d0) -> (), domain: d0 in [0, 3]", {{2, 9, 1}}), "empty");
}

TEST(TileImage, EmptyByOtherVariables) {
  EXPECT_EQ(touched("(d0)[s0, s1] -> (d0), domain: d0 in [0, 9], s0 in [0, 9], "
                    "s1 in [0, 9], s0 * 2 - s1 * 2 in [1, 1]",
                    {{4}}),
            "empty");
  // A point of what no result depends on is enough.
  EXPECT_EQ(touched("(d0)[s0, s1] -> (d0), domain: d0 in [0, 9], s0 in "
                    "[0, 999999], s1 in [0, 999999], s0 * s1 in [6, 6]",
                    {{4}}, RulesOnly),
            "0+1*4");
}

TEST(TileImage, NoValue) {
  EXPECT_EQ(touched("(d0, d1) -> (d0 floordiv d1), domain: d0 in [0, 5], d1 in "
                    "[0, 5]",
                    {{3}, {3}}),
            "unknown");
}

TEST(TileImage, RuntimeVariables) {
  EXPECT_EQ(
      touched("(d0){n} -> (d0 + n), domain: d0 in [0, 9], n in [3, 3]", {{4}}),
      "3+1*4");
  EXPECT_EQ(
      touched("(d0){n} -> (d0 + n), domain: d0 in [0, 9], n in [3, 4]", {{4}}),
      "unknown");
  // It holds for one value only that the tile has points.
  EXPECT_EQ(touched("(d0){n} -> (5), domain: d0 in [0, 9], n in [0, 4], d0 - n "
                    "in [0, 0]",
                    {{1}}),
            "unknown");
}

TEST(TileImage, Errors) {
  StringRef Map = "(d0) -> (d0), domain: d0 in [0, 9]";
  EXPECT_EQ(touched(Map, {{0}}),
            "the tile of d0 has the size 0; sizes are at least 1");
  EXPECT_EQ(touched(Map, {{4, -1, 1}}),
            "the tile of d0 has the offset -1; offsets are at least 0");
  EXPECT_EQ(touched(Map, {{4, 0, 0}}),
            "the tile of d0 has the stride 0; strides are at least 1");
  EXPECT_EQ(touched(Map, {{4}, {4}}),
            "the tile has 2 sizes, the map has 1 dimensions; give one size for "
            "each dimension");
  EXPECT_EQ(touched("(d0) -> (d0)", {{4}}),
            "the dimension d0 has no lower bound, where its first tile would "
            "begin; give it one");
}

TEST(TileImage, EndsOf64Bits) {
  StringRef Map = "(d0) -> (d0), domain: d0 in [-9223372036854775807, "
                  "9223372036854775806]";
  EXPECT_EQ(touched(Map, {{INT64_MAX}}),
            "-9223372036854775807+1*9223372036854775807");
  EXPECT_EQ(touched("(d0) -> (d0 * 4611686018427387904), domain: d0 in [0, 9]",
                    {{4}}),
            "unknown");
  EXPECT_EQ(touched("(d0) -> (d0), domain: d0 in [0, inf]",
                    {{INT64_MAX, INT64_MAX - 1, 1}}),
            "unknown");
}

//===----------------------------------------------------------------------===//
// Reuse
//===----------------------------------------------------------------------===//

std::string reuse(StringRef Map, ArrayRef<TileAxis> Tile) {
  IndexContext Context;
  std::string Text;
  for (std::optional<uint64_t> Count : cantFail(reuseAlongDimensions(
           cantFail(parseIndexingMap(Context, Map)), Tile)))
    Text += (Count ? std::to_string(*Count) : "?") + " ";
  return Text;
}

TEST(TileImage, Reuse) {
  // Windows of 3 overlap by 2; the second dimension is not in the result.
  EXPECT_EQ(reuse("(d0, d1)[s0] -> (d0 + s0), domain: d0 in [0, 31], d1 in "
                  "[0, 31], s0 in [0, 2]",
                  {{8}, {8}}),
            "2 10 ");
  // The last tile has none behind it.
  EXPECT_EQ(reuse("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 31], s0 in [0, 2]",
                  {{8, 24, 1}}),
            "0 ");
  EXPECT_EQ(reuse("(d0) -> (d0, d0), domain: d0 in [0, 31]", {{8}}), "? ");
}

TEST(ElementBox, CountShared) {
  auto Shared = [](Progression A, Progression B) {
    return countShared(ArrayRef(A), ArrayRef(B)).value();
  };
  EXPECT_EQ(Shared({0, 10, 2}, {1, 10, 2}), 0u);
  EXPECT_EQ(Shared({0, 10, 2}, {0, 10, 3}), 4u); // 0, 6, 12, 18
  EXPECT_EQ(Shared({-7, 5, 3}, {2, 9, 1}), 2u);  // 2, 5
  EXPECT_EQ(Shared({0, 0, 1}, {0, 5, 1}), 0u);
  int64_t Far = int64_t(1) << 62;
  EXPECT_EQ(Shared({0, 2, Far}, {Far, 1, 1}), 1u);
  EXPECT_EQ(Shared({-Far, 3, Far}, {-Far + 1, 2, Far - 1}), 1u);
}

} // namespace
