//===- MapRequestsTest.cpp - Requests of maps, one by one -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/requests/MapRequests.h"
#include "analysis/maps/IndexingMapText.h"
#include "test/unit/Share.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// Of a map as text, without runtime variables.
MapRequests requests(StringRef Text, unsigned ElementBytes,
                     IndexContext &Context) {
  return requestsOf({cantFail(parseIndexingMap(Context, Text)), ElementBytes});
}

/// The requests of a map point by point: a request for each warp and each value
/// of the other variables, where those of range \p VectorRange are taken
/// together by \p Vector.
struct Enumerated {
  CostBounds All;
  RequestTotal Total;

  Enumerated(const IndexingMap &Map, unsigned ElementBytes, unsigned Vector,
             std::optional<unsigned> VectorRange) {
    std::map<std::vector<int64_t>, LaneAddresses> Requests;
    EXPECT_TRUE(Map.forEachPoint(1 << 22, [&](ArrayRef<int64_t> P) {
      std::vector<int64_t> Key = P.vec();
      if (VectorRange) {
        int64_t &Place = Key[Map.dimensions().size() + *VectorRange];
        if ((Place - Map.ranges()[*VectorRange].Bounds.lo()) % Vector != 0)
          return true;
      }
      Key[0] = floorDiv(P[0], 32);
      Requests[Key][P[0] - 32 * Key[0]] =
          (*Map.evaluate(P))[0] * int64_t(ElementBytes);
      return true;
    }));
    for (const auto &[Key, Lanes] : Requests) {
      GlobalCost Cost = globalCost(Lanes, Vector * ElementBytes);
      CostRange Range;
      Range.Best.Bytes = Cost.Bytes;
      Range.Best.Sectors = Cost.Sectors;
      Range.Best.Lines = Cost.Lines;
      Range.Best.IdealSectors = Cost.idealSectors();
      Range.Worst = Range.Best;
      All.take(Range);
      ++Total.Requests;
      Total.Bytes += Cost.Bytes;
      Total.IdealSectors += Cost.idealSectors();
      Total.MostSectors += Cost.Sectors;
    }
  }
};

std::string boundsText(const CostBounds &B) {
  return formatv("bytes {0}-{1} sectors {2}-{3} ideal {4}-{5} lines {6}-{7} "
                 "efficiency {8:F4}-{9:F4}",
                 B.FewestBytes, B.MostBytes, B.FewestSectors, B.MostSectors,
                 B.FewestIdeal, B.MostIdeal, B.FewestLines, B.MostLines,
                 B.LowestEfficiency, B.HighestEfficiency);
}

std::string totalText(const RequestTotal &T) {
  return formatv("{0} requests {1} bytes {2} ideal {3} sectors", T.Requests,
                 T.Bytes, T.IdealSectors, T.MostSectors);
}

/// The numbers stand for all requests, also where only some residues are looked
/// at.
TEST(MapRequests, RandomMaps) {
  std::mt19937 Random(16);
  auto Below = [&](unsigned N) { return int(Random() % N); };
  unsigned Vectors = 0, Checked = 0;
  for (unsigned Round = 0; Round < 600 / Share; ++Round) {
    static const char *const Lanes[] = {"t",
                                        "t * 2",
                                        "t * 4",
                                        "-t",
                                        "t mod 8",
                                        "t * 33",
                                        "t floordiv 4",
                                        "(t mod 16) * 20",
                                        "t * 4 + t mod 4",
                                        "(t floordiv 8) * 40 + t mod 8",
                                        "0"};
    std::string Result = Lanes[Below(std::size(Lanes))];
    static const int Steps[] = {1, 2, 4, 5, 8, 32, 96, 100, 128};
    Result += formatv(" + b * {0} + s * {1}", Steps[Below(9)], Steps[Below(9)]);
    if (Below(3) == 0)
      Result += formatv(" + (b floordiv {0}) * {1}", 2 + Below(3), Below(70));
    if (Below(2) == 0)
      Result = "(" + Result + ") * 4 + v";
    else if (Below(2) == 0)
      Result += " + v";
    std::string Constraint;
    if (Below(3) == 0)
      Constraint = formatv(", t + b * {0} in [{1}, {2}]", 64 + Below(2) * 36,
                           Below(40), 100 + Below(3000));
    else if (Below(3) == 0)
      Constraint = formatv(", t mod {0} in [0, {1}]", 2 + Below(6), Below(2));
    std::string Text =
        formatv("(t, b)[s, v] -> ({0}), domain: t in [{1}, {2}], b in [0, {3}],"
                " s in [0, {4}], v in [0, {5}]{6}",
                Result, Below(3) * 7, 40 + Below(90), Below(40), Below(12),
                Below(2) ? 3 : 0, Constraint);
    unsigned Bytes = 1 << Below(5);
    IndexContext Context;
    MapRequests Found = requests(Text, Bytes, Context);
    IndexingMap Map = cantFail(parseIndexingMap(Context, Text));
    if (Found.NotUnderstood == "no thread accesses anything")
      continue;
    ASSERT_EQ(Found.NotUnderstood, "") << Text;
    ASSERT_TRUE(Found.IsComplete) << Text;
    // Which range is the vector: one for which the numbers agree, and whose
    // elements are neighbours at each point.
    bool Agrees = false;
    std::string Others;
    for (unsigned Range = 0; Range < 2 && !Agrees; ++Range) {
      Enumerated All(Map, Bytes, Found.Vector,
                     Found.Vector > 1 ? std::optional(Range) : std::nullopt);
      Agrees = boundsText(All.All) == boundsText(Found.All) &&
               totalText(All.Total) == totalText(Found.Total);
      Others += boundsText(All.All) + "\n" + totalText(All.Total) + "\n";
    }
    EXPECT_TRUE(Agrees) << Text << ", " << Bytes << " bytes, vector "
                        << Found.Vector << "\n"
                        << boundsText(Found.All) << "\n"
                        << totalText(Found.Total) << "\nbut\n"
                        << Others;
    Vectors += Found.Vector > 1;
    ++Checked;
  }
  EXPECT_GE(Checked, 500 / Share);
  EXPECT_GE(Vectors, 50 / Share);
}

TEST(MapRequests, Vectors) {
  auto VectorOf = [](StringRef Text, unsigned Bytes) {
    IndexContext Context;
    return requests(Text, Bytes, Context).Vector;
  };
  const char *Four = "(t)[v] -> (t * 4 + v), domain: t in [0, 31], v in [0, 3]";
  EXPECT_EQ(VectorOf(Four, 4), 4u);
  EXPECT_EQ(VectorOf(Four, 8), 2u); // 16 bytes
  EXPECT_EQ(VectorOf(Four, 16), 1u);
  EXPECT_EQ(VectorOf(Four, 1), 4u);
  // Not aligned, aligned to two, not neighbours.
  EXPECT_EQ(VectorOf("(t)[v] -> (t * 4 + v + 1), domain: t in [0, 31], "
                     "v in [0, 3]",
                     4),
            1u);
  EXPECT_EQ(VectorOf("(t)[v] -> (t * 6 + v), domain: t in [0, 31], "
                     "v in [0, 3]",
                     4),
            2u);
  EXPECT_EQ(VectorOf("(t)[v] -> (t * 4 + v * 2), domain: t in [0, 31], "
                     "v in [0, 3]",
                     4),
            1u);
  // A number of neighbours that no vector divides; a guard for each of them.
  EXPECT_EQ(VectorOf("(t)[v] -> (t * 12 + v), domain: t in [0, 31], "
                     "v in [0, 2]",
                     4),
            1u);
  EXPECT_EQ(VectorOf("(t)[v] -> (t * 4 + v), domain: t in [0, 31], "
                     "v in [0, 3], t * 4 + v in [0, 61]",
                     4),
            1u);
}

/// A gather: lanes of one row share its place, rows are anywhere.
TEST(MapRequests, ValuesOfRunTime) {
  IndexContext Context;
  auto Map = [&](const std::string &Result) {
    return cantFail(parseIndexingMap(Context, "(t){r} -> (" + Result +
                                                  "), domain: t in [0, 31], "
                                                  "r in [0, 99]"));
  };
  auto Of = [&](const char *Element, const char *Place) {
    return requestsOf({Map(Element), 4, {Map(Place)}});
  };
  // One place, aligned to rows of 8 elements or not.
  MapRequests Aligned = Of("r * 8 + t", "0"), Any = Of("r + t", "0");
  EXPECT_EQ(Aligned.All.MostSectors, 4u);
  EXPECT_EQ(Any.All.FewestSectors, 4u);
  EXPECT_EQ(Any.All.MostSectors, 5u);
  EXPECT_TRUE(Any.isCoalesced());
  // Four rows of eight lanes, of which each may cross a sector.
  MapRequests Rows = Of("r * 50 + t mod 8", "t floordiv 8");
  EXPECT_EQ(Rows.All.FewestSectors, 4u);
  EXPECT_EQ(Rows.All.MostSectors, 8u);
  EXPECT_FALSE(Rows.isCoalesced());
  // No shift.
  EXPECT_NE(Of("(r floordiv 2) + t", "0").NotUnderstood, "");
  EXPECT_NE(Of("r + t", "r").NotUnderstood, "");
}

/// What requests of one warp have in common.
TEST(MapRequests, Together) {
  IndexContext Context;
  MapRequests Columns = requests(
      "(t)[s] -> (t * 8 + s), domain: t in [0, 31], s in [0, 7]", 4, Context);
  EXPECT_EQ(Columns.Vector, 4u);
  EXPECT_EQ(Columns.All.LowestEfficiency, 0.5);
  EXPECT_EQ(Columns.Together.worstEfficiency(), 1);
  EXPECT_EQ(Columns.Together.Bytes, 1024u);
  MapRequests Once =
      requests("(t) -> (t * 8), domain: t in [0, 31]", 4, Context);
  EXPECT_EQ(Once.Together.Requests, 0u);
}

/// Too many requests to look at all of them; few threads with work.
TEST(MapRequests, Samples) {
  IndexContext Context;
  MapRequests Large = requests(
      "(t, b)[s] -> (t + (b floordiv 3) * 128 + (s floordiv 2) * 1000000), "
      "domain: t in [0, 127], b in [0, 99999], s in [0, 99]",
      4, Context);
  EXPECT_EQ(Large.NotUnderstood, "");
  EXPECT_FALSE(Large.IsComplete);
  EXPECT_EQ(Large.All.MostSectors, 4u);
  // A size that shifts whole lines is as good as one block.
  MapRequests Lines =
      requests("(t, b) -> (t + b * 128), domain: t in [0, 127], "
               "b in [0, 99999999]",
               4, Context);
  EXPECT_TRUE(Lines.IsComplete);
  EXPECT_EQ(Lines.Total.Requests, 400000000u);
  MapRequests One =
      requests("(t, b) -> (t + b floordiv 3), domain: t in [0, 127], "
               "b in [0, 99999999], b in [77777777, 77777777], t in [5, 5]",
               4, Context);
  EXPECT_EQ(One.All.MostSectors, 1u);
  EXPECT_EQ(
      requests("(t) -> (t), domain: t in [0, inf]", 4, Context).NotUnderstood,
      "'t' has no bounds");
}

} // namespace
