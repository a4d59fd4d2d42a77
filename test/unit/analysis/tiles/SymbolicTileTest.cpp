//===- SymbolicTileTest.cpp - Symbolic tiles of known maps ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/SymbolicTile.h"
#include "analysis/maps/IndexingMapText.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

/// What the symbolic tile of a map says, as text and at given sizes.
class Answer {
public:
  explicit Answer(StringRef Text, ArrayRef<int64_t> Strides = {})
      : Map(cantFail(parseIndexingMap(Context, Text))),
        Tile(symbolicTileOf(Map, Strides)) {}

  std::string all(IndexExpr SymbolicAxis::*Member) {
    if (!Tile)
      return toString(Tile.takeError());
    return join(map_range(Tile->Axes,
                          [&](const SymbolicAxis &Axis) {
                            return Axis.*Member ? Tile->text(Axis.*Member)
                                                : "none";
                          }),
                "; ");
  }
  std::string offset() { return all(&SymbolicAxis::Offset); }
  std::string offsetAt() { return all(&SymbolicAxis::OffsetAt); }
  std::string size() { return all(&SymbolicAxis::Size); }
  std::string stride() { return all(&SymbolicAxis::Stride); }
  std::string upper() { return all(&SymbolicAxis::UpperBound); }
  std::string lower() { return all(&SymbolicAxis::LowerBound); }
  std::string conditions() {
    return Tile ? Tile->Conditions.text() : toString(Tile.takeError());
  }
  std::string reason() {
    return Tile ? "there is an answer" : toString(Tile.takeError());
  }

  /// "offset+stride*size" of each result of the first tile, or "no".
  std::string at(ArrayRef<int64_t> Sizes) {
    IndexingMap::Point P =
        Tile->pointAt(Sizes, std::vector<int64_t>(Sizes.size(), 0));
    if (!Tile->Conditions.holdAt(P).value())
      return "no";
    std::string Text;
    for (const SymbolicAxis &Axis : Tile->Axes) {
      auto Value = [&](IndexExpr E) {
        return std::to_string(Tile->Symbols.evaluate(E, P).value());
      };
      Text += (Text.empty() ? "" : " ") + Value(Axis.Offset) + "+" +
              Value(Axis.Stride) + "*" + Value(Axis.Size);
    }
    return Text;
  }

private:
  IndexContext Context;
  IndexingMap Map;
  Expected<SymbolicTile> Tile;
};

//===----------------------------------------------------------------------===//
// Single dimensions
//===----------------------------------------------------------------------===//

TEST(SymbolicTile, DimensionsAndRanges) {
  Answer A("(d0)[s0] -> (s0, d0), domain: d0 in [0, 149], s0 in [0, 124]");
  EXPECT_EQ(A.offset(), "0; 0");
  EXPECT_EQ(A.offsetAt(), "0; t0 * i0");
  EXPECT_EQ(A.size(), "125; t0");
  EXPECT_EQ(A.stride(), "1; 1");
  EXPECT_EQ(A.lower(), "0; 0");
  EXPECT_EQ(A.upper(), "125; 150");
  EXPECT_EQ(A.conditions(), "");
}

TEST(SymbolicTile, DimensionWithOneValue) {
  Answer Alone("(d0) -> (d0), domain: d0 in [0, 0]");
  EXPECT_EQ(Alone.size(), "t0");
  // It does not stand in the way of others.
  Answer A("(d0, d1) -> (d0 * 11 + d1), domain: d0 in [0, 0], d1 in [0, 10]");
  EXPECT_EQ(A.size(), "t1");
  EXPECT_EQ(A.conditions(), "");
}

TEST(SymbolicTile, NegativeStride) {
  Answer A("(d0) -> (15 - d0), domain: d0 in [0, 15]");
  EXPECT_EQ(A.offsetAt(), "15 - t0 * i0");
  EXPECT_EQ(A.stride(), "-1");
  EXPECT_EQ(A.size(), "t0");
}

TEST(SymbolicTile, PartOfConcatenation) {
  Answer A("(d0, d1) -> (d0, d1 - 16), domain: d0 in [0, 1], d1 in [16, 32]");
  EXPECT_EQ(A.offset(), "0; -16");
  EXPECT_EQ(A.lower(), "0; 0");
  EXPECT_EQ(A.upper(), "2; 17");
  EXPECT_EQ(A.conditions(), "");
}

TEST(SymbolicTile, RuntimeOffset) {
  Answer A("(d0){rt0} -> (d0 - rt0), domain: d0 in [0, 19], rt0 in [0, 15], "
           "d0 - rt0 in [0, 4]");
  EXPECT_EQ(A.offset(), "-rt0");
  EXPECT_EQ(A.lower(), "0");
  EXPECT_EQ(A.upper(), "5");
}

TEST(SymbolicTile, InteriorPadding) {
  Answer A("(d0) -> ((d0 - 1) floordiv 2), domain: d0 in [1, 7], "
           "(d0 - 1) mod 2 in [0, 0]");
  EXPECT_EQ(A.conditions(), "t0 mod 2 = 0");
  EXPECT_EQ(A.size(), "t0 floordiv 2");
  EXPECT_EQ(A.upper(), "4");
}

//===----------------------------------------------------------------------===//
// Tiles with strides
//===----------------------------------------------------------------------===//

TEST(SymbolicTile, StridesAlongDimensions) {
  Answer A("(d0, d1)[s0] -> (d0, s0, d1 + 5), domain: d0 in [0, 9], d1 in "
           "[0, 7], s0 in [0, 19]",
           {1, 2});
  EXPECT_EQ(A.offsetAt(), "t0 * i0; 0; t1 * i1 + 5");
  EXPECT_EQ(A.size(), "t0; 20; t1");
  EXPECT_EQ(A.stride(), "1; 1; 2");
  EXPECT_EQ(A.upper(), "10; 20; 13");
}

TEST(SymbolicTile, StridesOfPermutedDimensions) {
  Answer A("(d0, d1, d2, d3) -> (d1, d3, d0, d2), domain: d0 in [0, 3], d1 in "
           "[0, 1], d2 in [0, 2], d3 in [0, 4]",
           {1, 2, 3, 4});
  EXPECT_EQ(A.stride(), "2; 4; 1; 3");
  EXPECT_EQ(A.upper(), "2; 5; 4; 3");
}

TEST(SymbolicTile, StridesThroughCollapse) {
  StringRef Map =
      "(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 7], d1 in [0, 3]";
  EXPECT_EQ(Answer(Map, {1, 2}).at({3, 2}), "0+2*6");
  EXPECT_EQ(Answer(Map, {2, 3}).conditions(), "t1 = 1 | t0 = 1");
  EXPECT_EQ(Answer(Map, {1, 0}).reason(),
            "no symbolic tile: the stride of dimension 1 is 0; strides are at "
            "least 1");
}

TEST(SymbolicTile, StridesMeetRemainder_negative) {
  Answer A("(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 0]", {2});
  EXPECT_EQ(A.reason(), "no symbolic tile: a tile with a stride meets a "
                        "constraint on a remainder");
}

//===----------------------------------------------------------------------===//
// Digits and sums
//===----------------------------------------------------------------------===//

TEST(SymbolicTile, TwoDigits) {
  Answer A("(d0, d1) -> (0, d0 floordiv 6, d0 mod 6, d1), domain: d0 in "
           "[0, 47], d1 in [0, 3]");
  EXPECT_EQ(A.conditions(), "6 mod t0 = 0 | t0 mod 6 = 0");
  EXPECT_EQ(A.at({3, 4}), "0+1*1 0+1*1 0+1*3 0+1*4");
  EXPECT_EQ(A.at({12, 2}), "0+1*1 0+1*2 0+1*6 0+1*2");
  EXPECT_EQ(A.at({6, 1}), "0+1*1 0+1*1 0+1*6 0+1*1");
  EXPECT_EQ(A.at({4, 4}), "no");
  EXPECT_EQ(A.at({8, 4}), "no");
}

TEST(SymbolicTile, ThreeDigits) {
  Answer A("(d0) -> (d0 floordiv 35, (d0 floordiv 7) mod 5, d0 mod 7), domain: "
           "d0 in [0, 104]");
  EXPECT_EQ(A.at({1}), "0+1*1 0+1*1 0+1*1");
  EXPECT_EQ(A.at({7}), "0+1*1 0+1*1 0+1*7");
  EXPECT_EQ(A.at({35}), "0+1*1 0+1*5 0+1*7");
  EXPECT_EQ(A.at({70}), "0+1*2 0+1*5 0+1*7");
  EXPECT_EQ(A.at({105}), "0+1*3 0+1*5 0+1*7");
  EXPECT_EQ(A.at({14}), "no");
  EXPECT_EQ(A.at({5}), "no");
}

TEST(SymbolicTile, ConditionsAreAsLongAsTheMap) {
  Answer A("(d0, d1) -> (d0 floordiv 6, d0 mod 6, d1 floordiv 8, d1 mod 8), "
           "domain: d0 in [0, 47], d1 in [0, 31]");
  EXPECT_EQ(A.conditions(),
            "(6 mod t0 = 0 | t0 mod 6 = 0) & (8 mod t1 = 0 | t1 mod 8 = 0)");
  EXPECT_EQ(A.at({6, 8}), "0+1*1 0+1*6 0+1*1 0+1*8");
  EXPECT_EQ(A.at({12, 16}), "0+1*2 0+1*6 0+1*2 0+1*8");
  EXPECT_EQ(A.at({3, 4}), "0+1*1 0+1*3 0+1*1 0+1*4");
  EXPECT_EQ(A.at({6, 7}), "no");
  EXPECT_EQ(A.at({4, 8}), "no");
}

TEST(SymbolicTile, ValidSizesAmongPowersOfTwo) {
  Answer A("(d0) -> (0, d0 floordiv 6, d0 mod 6), domain: d0 in [0, 47]");
  std::vector<int64_t> Good;
  for (int64_t Size : {1, 2, 4, 8, 16, 32, 48})
    if (A.at({Size}) != "no")
      Good.push_back(Size);
  EXPECT_EQ(Good, (std::vector<int64_t>{1, 2, 48}));
}

TEST(SymbolicTile, MergeInBothDirections) {
  Answer A("(d0, d1, d2) -> (d0 * 24 - d1 * 6 - d2 + 23), domain: d0 in "
           "[0, 1], d1 in [0, 3], d2 in [0, 5]");
  EXPECT_EQ(A.at({1, 1, 6}), "23+-1*6");
  EXPECT_EQ(A.at({1, 4, 1}), "23+-6*4");
  EXPECT_EQ(A.at({2, 1, 1}), "23+24*2");
  // Down from 47 to 5, and all of the array.
  EXPECT_EQ(A.at({2, 4, 1}), "47+-6*8");
  EXPECT_EQ(A.at({2, 4, 6}), "47+-1*48");
  EXPECT_EQ(A.at({1, 2, 3}), "no");
  EXPECT_EQ(A.at({2, 2, 1}), "no");
}

TEST(SymbolicTile, DigitInSum) {
  Answer A("(d0, d1) -> (d0 * 3 + d1 floordiv 4, d1 mod 4), domain: d0 in "
           "[0, 3], d1 in [0, 11]");
  EXPECT_EQ(A.at({4, 4}), "0+3*4 0+1*4");
  EXPECT_EQ(A.at({3, 2}), "0+3*3 0+1*2");
  EXPECT_EQ(A.at({1, 8}), "0+1*2 0+1*4");
  EXPECT_EQ(A.at({4, 12}), "0+1*12 0+1*4");
  EXPECT_EQ(A.at({2, 8}), "no");
  EXPECT_EQ(A.at({1, 3}), "no");
}

TEST(SymbolicTile, GroupOfDimensions) {
  Answer A("(d0, d1, d2) -> ((d0 * 35 + d1 * 7 + d2) floordiv 10, "
           "((d0 * 35 + d1 * 7 + d2) floordiv 2) mod 5, "
           "(d0 * 35 + d1 * 7 + d2) mod 2), domain: d0 in [0, 1], d1 in "
           "[0, 4], d2 in [0, 6]");
  EXPECT_EQ(A.at({1, 1, 1}), "0+1*1 0+1*1 0+1*1");
  EXPECT_EQ(A.at({2, 5, 7}), "0+1*7 0+1*5 0+1*2");
  EXPECT_EQ(A.at({1, 5, 7}), "no");
}

TEST(SymbolicTile, OverlappingWindows) {
  Answer A("(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 15], s0 in [0, 2]");
  EXPECT_EQ(A.size(), "t0 * 2 + 1");
  EXPECT_EQ(A.stride(), "1");
  EXPECT_EQ(A.conditions(), "");
  // A window that does not reach the next one.
  Answer Gaps("(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 15], s0 in [0, 2]");
  EXPECT_EQ(Gaps.conditions(), "t0 = 1");
}

TEST(SymbolicTile, PaddedWindow) {
  Answer A("(d0)[s0] -> (d0 + s0 - 1), domain: d0 in [0, 31], s0 in [0, 2], "
           "d0 + s0 - 1 in [0, 31]");
  EXPECT_EQ(A.offset(), "-1");
  EXPECT_EQ(A.size(), "t0 + 2");
  EXPECT_EQ(A.lower(), "0");
  EXPECT_EQ(A.upper(), "32");
}

TEST(SymbolicTile, UpperBoundOfSum) {
  Answer A("(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 2], d1 in [0, 3]");
  EXPECT_EQ(A.conditions(), "t1 = 1 | t0 = 1 | t1 = 4");
  EXPECT_EQ(A.offsetAt(), "t0 * i0 * 4 + t1 * i1");
  EXPECT_EQ(A.size(), "t0 * t1");
}

//===----------------------------------------------------------------------===//
// What has no answer, or one for tiles of size 1
//===----------------------------------------------------------------------===//

TEST(SymbolicTile, Diagonal_negative) {
  Answer A("(d0) -> (d0, d0), domain: d0 in [0, 9]");
  EXPECT_EQ(A.conditions(), "t0 = 1");
}

TEST(SymbolicTile, SharedRange_negative) {
  Answer A("(d0)[s0] -> (s0, d0 + s0), domain: d0 in [0, 9], s0 in [0, 3]");
  EXPECT_EQ(A.reason(), "no symbolic tile: two results depend on one range "
                        "variable");
}

TEST(SymbolicTile, MisalignedSlice_negative) {
  Answer A("(d0) -> ((d0 * 5 + 18) floordiv 6, (d0 * 5) mod 6), domain: d0 in "
           "[0, 4]");
  EXPECT_EQ(A.conditions(), "t0 = 1");
  EXPECT_EQ(A.at({1}), "3+5*1 0+1*1");
}

TEST(SymbolicTile, ShiftedDigits_negative) {
  // Blocks of 4 begin at 2, 6, 10: tiles of 4 do not lie in them.
  Answer A("(d0) -> ((d0 + 2) floordiv 4, (d0 + 2) mod 4), domain: d0 in "
           "[0, 29]");
  EXPECT_EQ(A.at({2}), "0+1*1 2+1*2");
  EXPECT_EQ(A.at({4}), "no");
  EXPECT_EQ(A.at({8}), "no");
}

/// A constraint on the number of the thread is a bound of its vector.
TEST(SymbolicTile, MaskOfVectors) {
  Answer A("(th, bl)[v] -> (th * 4 + bl * 512 + v), domain: th in [0, 127], bl "
           "in [0, 468], v in [0, 3], th + bl * 128 in [0, 59998]");
  EXPECT_EQ(A.upper(), "min(min(t0 + t0 * i0 - 128, 0) * 4 + min(t1 + t1 * i1, "
                       "469) * 512, 239996)");
  EXPECT_EQ(A.at({128, 2}), "0+1*1024");
  // Downwards, from both sides.
  Answer B(
      "(a, b)[v] -> (v - a * 4 - b * 40), domain: a in [0, 9], b in [0, 9], "
      "v in [0, 3], a + b * 10 in [2, 95]");
  EXPECT_EQ(B.lower(), "-380");
  EXPECT_EQ(B.upper(), "min(1 - t0 * i0 - t1 * i1 * 10, -1) * 4");
}

/// One on a number of several digits may be one on the highest.
TEST(SymbolicTile, MaskOfHighestDigit) {
  Answer A("(th, bl) -> ((bl * 1024 + th) floordiv 75, (bl * 1024 + th) mod "
           "75), domain: th in [0, 1023], bl in [0, 4095], (bl * 1024 + th) "
           "floordiv 75 < 50000");
  EXPECT_EQ(A.upper(), "50000; 75");
  EXPECT_EQ(A.at({1024, 75}), "0+1*1024 0+1*75");
}

TEST(SymbolicTile, MaskOfVectors_negative) {
  // Elements of two threads lie among each other.
  Answer A("(th, bl)[v] -> (th * 4 + bl * 512 + v), domain: th in [0, 127], bl "
           "in [0, 468], v in [0, 4], th + bl * 128 in [0, 59998]");
  EXPECT_EQ(A.reason(), "no symbolic tile: a constraint of several variables "
                        "cuts tiles, and is no bound of a result");
}

TEST(SymbolicTile, ConstraintThatIsNoBound_negative) {
  Answer A("(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 "
           "in [0, 9]");
  EXPECT_EQ(A.reason(), "no symbolic tile: a constraint of several variables "
                        "cuts tiles, and is no bound of a result");
}

TEST(SymbolicTile, Empty_negative) {
  Answer A("(d0) -> (d0), domain: d0 in [5, 2]");
  EXPECT_EQ(A.reason(), "no symbolic tile: the map has no points");
}

TEST(SymbolicTile, Unbounded_negative) {
  Answer A("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9]");
  EXPECT_EQ(A.reason(), "no symbolic tile: a range variable that the results "
                        "depend on has no bounds");
}

} // namespace
