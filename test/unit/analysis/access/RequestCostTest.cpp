//===- RequestCostTest.cpp ------------------------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every number against a count byte by byte.
//
//===----------------------------------------------------------------------===//

#include "analysis/access/RequestCost.h"
#include "gtest/gtest.h"
#include <limits>
#include <map>
#include <random>
#include <set>

using namespace unravel;

namespace {
using Wide = __int128;

Wide floorOf(Wide A, Wide B) { return A / B - (A % B < 0 ? 1 : 0); }

void checkGlobal(const LaneAddresses &Lanes, unsigned Width) {
  std::set<Wide> Bytes, Sectors, Lines;
  for (std::optional<int64_t> Lane : Lanes)
    for (unsigned I = 0; Lane && I < Width; ++I) {
      Bytes.insert(Wide(*Lane) + I);
      Sectors.insert(floorOf(Wide(*Lane) + I, 32));
      Lines.insert(floorOf(Wide(*Lane) + I, 128));
    }
  GlobalCost Cost = globalCost(Lanes, Width);
  EXPECT_EQ(Cost.Bytes, Bytes.size());
  EXPECT_EQ(Cost.Sectors, Sectors.size());
  EXPECT_EQ(Cost.Lines, Lines.size());
  EXPECT_EQ(Cost.idealSectors(), Bytes.size() / 32 + (Bytes.size() % 32 != 0));
  if (!Sectors.empty()) {
    EXPECT_EQ(Cost.efficiency(), Bytes.size() / (32.0 * Sectors.size()));
  }
}

void checkShared(const LaneAddresses &Lanes, unsigned Width) {
  unsigned GroupSize = Width == 16 ? 8 : Width == 8 ? 16 : 32;
  unsigned Wavefronts = 0, Conflicts = 0;
  for (unsigned Begin = 0; Begin < 32; Begin += GroupSize) {
    std::map<unsigned, std::set<Wide>> WordsOfBank;
    for (unsigned L = Begin; L < Begin + GroupSize; ++L)
      for (unsigned I = 0; Lanes[L] && I < Width; ++I) {
        Wide Word = floorOf(Wide(*Lanes[L]) + I, 4);
        WordsOfBank[unsigned(Word - 32 * floorOf(Word, 32))].insert(Word);
      }
    size_t Most = 0;
    for (const auto &[Bank, Words] : WordsOfBank)
      Most = std::max(Most, Words.size());
    Wavefronts += Most;
    Conflicts += Most > 1 ? Most - 1 : 0;
  }
  SharedCost Cost = sharedCost(Lanes, Width);
  EXPECT_EQ(Cost.Wavefronts, Wavefronts);
  EXPECT_EQ(Cost.conflicts(), Conflicts);
}

void check(const LaneAddresses &Lanes) {
  for (unsigned Width : {1, 2, 4, 8, 16}) {
    checkGlobal(Lanes, Width);
    checkShared(Lanes, Width);
  }
}

LaneAddresses lanes(int64_t (*Address)(int64_t)) {
  LaneAddresses Lanes;
  for (int64_t T = 0; T < 32; ++T)
    Lanes[T] = Address(T);
  return Lanes;
}
} // namespace

TEST(RequestCostTest, Widths) {
  for (int64_t Bytes = -2; Bytes < 70; ++Bytes)
    EXPECT_EQ(isLaneWidth(Bytes), Bytes == 1 || Bytes == 2 || Bytes == 4 ||
                                      Bytes == 8 || Bytes == 16);
  EXPECT_FALSE(isLaneWidth(int64_t(1) << 32 | 4));
}

TEST(RequestCostTest, AllStridesAndOffsets) {
  for (int64_t Stride = -70; Stride <= 140; ++Stride)
    for (int64_t Offset : {-129, -128, -33, -1, 0, 1, 4, 16, 28, 31, 96, 127}) {
      LaneAddresses Lanes;
      for (int64_t T = 0; T < 32; ++T)
        Lanes[T] = Offset + Stride * T;
      check(Lanes);
    }
}

TEST(RequestCostTest, AllSmallRequestsOfThreeLanes) {
  for (int64_t A = 0; A < 36; ++A)
    for (int64_t B = 0; B < 36; ++B)
      for (int64_t C : {0, 2, 124, 126, 128, 130, 256, 4096}) {
        LaneAddresses Lanes;
        Lanes[0] = A;
        Lanes[7] = B;  // in a quarter with lane 0,
        Lanes[20] = C; // and in another half
        check(Lanes);
      }
}

TEST(RequestCostTest, RandomRequests) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round < 4000; ++Round) {
    LaneAddresses Lanes;
    int64_t Span = int64_t(1) << (Random() % 14);
    unsigned Active = Random();
    for (unsigned T = 0; T < 32; ++T)
      if (Round % 3 == 0 || Active >> T & 1)
        Lanes[T] = int64_t(Random() % Span) - Span / 2;
    check(Lanes);
  }
}

TEST(RequestCostTest, NoLaneIsActive) {
  check({});
  GlobalCost Global = globalCost({}, 4);
  EXPECT_EQ(Global.Bytes + Global.Sectors + Global.Lines, 0u);
  EXPECT_EQ(sharedCost({}, 4).Wavefronts, 0u);
}

TEST(RequestCostTest, AddressesAtTheEndsOf64Bits) {
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  constexpr int64_t Min = std::numeric_limits<int64_t>::min();
  check(lanes([](int64_t T) { return Max - T; }));
  check(lanes([](int64_t T) { return Min + 3 * T; }));
  check(lanes([](int64_t T) { return T % 2 ? Max : Min; }));
}

TEST(RequestCostTest, LanesOfAWordShareIt) {
  SharedCost Same = sharedCost(lanes([](int64_t) { return int64_t(4096); }), 4);
  EXPECT_EQ(Same.Wavefronts, 1u);
  // One word apart in the same bank is a conflict.
  SharedCost Two = sharedCost(lanes([](int64_t T) { return T % 2 * 128; }), 4);
  EXPECT_EQ(Two.Wavefronts, 2u);
  EXPECT_EQ(Two.conflicts(), 1u);
}
