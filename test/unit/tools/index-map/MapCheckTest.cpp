//===- MapCheckTest.cpp - index-map finds wrong texts ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `index-map --check` would say if the simplifier were wrong.
//
//===----------------------------------------------------------------------===//

#include "tools/index-map/MapCheck.h"
#include "tools/index-map/MapReader.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

CheckResult check(StringRef Written, StringRef Printed,
                  uint64_t MaxPoints = 4096) {
  IndexContext Context;
  Expected<MapSyntax> Syntax = parseMapSyntax(Written, "<written>");
  if (!Syntax) {
    ADD_FAILURE() << toString(Syntax.takeError());
    return {};
  }
  Expected<IndexingMap> Lowered =
      lowerMap(Context, *Syntax, Written, "<written>");
  if (!Lowered) {
    ADD_FAILURE() << toString(Lowered.takeError());
    return {};
  }
  return checkText(*Syntax, *Lowered, Printed, MaxPoints);
}

std::string difference(StringRef Written, StringRef Printed,
                       uint64_t MaxPoints = 4096) {
  return check(Written, Printed, MaxPoints).Difference;
}

TEST(MapCheckTest, EqualMaps) {
  CheckResult Result = check("(d0)[s0] -> (d0 mod 16 + s0), domain: d0 in [0, "
                             "15], s0 in [0, 3], d0 >= s0",
                             "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 15], s0 "
                             "in [0, 3], s0 - d0 in [-inf, 0]");
  EXPECT_EQ(Result.Difference, "");
  // Beside the box, 16 points behind each of 4 bounds.
  EXPECT_EQ(Result.Points, 64u + 64u);
  EXPECT_EQ(Result.PointsInDomain, 64u - 6u);
}

TEST(MapCheckTest, WrongResults) {
  EXPECT_EQ(difference("(d0) -> (1, d0 mod 4), domain: d0 in [0, 4]",
                       "(d0) -> (1, d0), domain: d0 in [0, 4]"),
            "the point d0=4 has the result 1: 0 as written, 4 as printed");
  EXPECT_EQ(difference("() -> (1)", "() -> (2)"),
            "its only point has the result 0: 1 as written, 2 as printed");
  EXPECT_EQ(difference("(a){b} -> (a), domain: a in [6, 6], b in [0, 0]",
                       "(a){b} -> (a floordiv b), domain: a in [6, 6], b in "
                       "[0, 0]"),
            "the point a=6, b=0 has the result 0: 6 as written, no value as "
            "printed");
}

TEST(MapCheckTest, WrongDomains) {
  StringRef Written = "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 == 0";
  StringRef TooSmall = "the point d0=8 is in the domain as written, not in the "
                       "printed one";
  EXPECT_EQ(difference(Written, "(d0) -> (d0), domain: d0 in [0, 7], d0 mod 2 "
                                "in [0, 0]"),
            TooSmall.str());
  EXPECT_EQ(difference(Written, "(d0) -> (d0), domain: d0 in [0, 9]"),
            "the point d0=1 is in the printed domain, not in that as written");
  // Only seen beyond the bounds.
  EXPECT_EQ(difference("(d0) -> (d0), domain: d0 in [0, 9]",
                       "(d0) -> (d0), domain: d0 in [-1, 9]"),
            "the point d0=-1 is in the printed domain, not in that as written");
  EXPECT_EQ(difference("(d0) -> (d0), domain: d0 in [0, 9]", "KNOWN EMPTY"),
            "the point d0=0 is in the domain as written, not in the printed "
            "one");
  EXPECT_EQ(difference("(d0) -> (d0), domain: d0 in [9, 0]",
                       "(d0) -> (d0), domain: d0 in [4, 5]"),
            "the point d0=4 is in the printed domain, not in that as written");
}

TEST(MapCheckTest, OtherShapes) {
  EXPECT_EQ(difference("(d0) -> (d0)", "(d1) -> (d1)"),
            "it has other variables or results");
  EXPECT_EQ(difference("(d0) -> (d0)", "(d0) -> (d0, d0)"),
            "it has other variables or results");
  EXPECT_EQ(difference("(d0) -> (d0)", "(d0) -> ").find("it is no map: "), 0u);
}

TEST(MapCheckTest, WhatHasNoValueIsNotCompared) {
  EXPECT_EQ(difference("(d0) -> (8 / d0, d0), domain: d0 in [0, 4]",
                       "(d0) -> (8 / max(d0, 1), d0), domain: d0 in [0, 4]"),
            "");
  EXPECT_EQ(difference("(d0) -> (d0), domain: d0 in [0, 8], 8 / d0 > 0",
                       "(d0) -> (d0), domain: d0 in [0, 8]"),
            "");
}

TEST(MapCheckTest, LargeBoxesAreSampled) {
  StringRef Written = "(x, y){n} -> ((x * n + y) floordiv n), domain: x in [0, "
                      "1000000], y in [0, n - 1], n in [1, inf]";
  auto Printed = [](StringRef Result) {
    return ("(x, y){n} -> (" + Result +
            "), domain: x in [0, 1000000], y in [0, inf], n in [1, inf], y - n "
            "in [-inf, -1]")
        .str();
  };
  CheckResult Result = check(Written, Printed("x"));
  EXPECT_EQ(Result.Difference, "");
  EXPECT_GT(Result.PointsInDomain, 1000u);
  EXPECT_EQ(Result.Points, 4096u + 64u);
  EXPECT_NE(difference(Written, Printed("x + y floordiv 64")), "");
  // A corner.
  EXPECT_NE(difference("(x, y) -> (min(x + y, 1999999)), domain: x in [0, "
                       "1000000], y in [0, 1000000]",
                       "(x, y) -> (x + y), domain: x in [0, 1000000], y in [0, "
                       "1000000]",
                       10),
            "");
}

TEST(MapCheckTest, ReaderFindsMaps) {
  // The offsets of maps; -1 for an error.
  auto Offsets = [](StringRef Text) {
    MapReader Reader(MemoryBufferRef(Text, "<test>"));
    std::vector<int> Found;
    while (!Reader.atEnd()) {
      Expected<MapSyntax> Map = Reader.next();
      Found.push_back(Map ? int(Map->Offset) : -1);
      consumeError(Map.takeError());
    }
    return Found;
  };
  using Ints = std::vector<int>;
  EXPECT_EQ(Offsets(""), Ints());
  EXPECT_EQ(Offsets(" \n\n// ()->()\n"), Ints());
  EXPECT_EQ(Offsets("()->()"), (Ints{0}));
  EXPECT_EQ(Offsets("()->()\n\n\n()->()\n"), (Ints{0, 9}));
  EXPECT_EQ(Offsets("()->()()->() ->()"), (Ints{0, 6, 13}));
  EXPECT_EQ(Offsets("()->(\n()->()\n"), (Ints{-1, 6}));
  EXPECT_EQ(Offsets("()->(\n\n()->()\n"), (Ints{-1, 7}));
  EXPECT_EQ(Offsets("()->() x ()->()\n// c\n()->()"), (Ints{-1, 21}));
  EXPECT_EQ(Offsets("()->()\n x\n()->()"), (Ints{-1, 10}));
  EXPECT_EQ(Offsets("()\n->\n()\nKNOWN EMPTY\n"), (Ints{0, 9}));
  EXPECT_EQ(Offsets("()->(), domain:\n()->()"), (Ints{0, 16}));
  EXPECT_EQ(Offsets("(d0)->(d0),domain:d0<3\n(d0)->(d0)"), (Ints{0, 23}));
  EXPECT_EQ(Offsets("()\n\n->()"), (Ints{-1, 4}));
}

} // namespace
