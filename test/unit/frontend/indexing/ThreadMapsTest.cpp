//===- ThreadMapsTest.cpp - Every element has one thread ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/ThreadMaps.h"
#include "analysis/maps/IndexingMapInverse.h"
#include "test/unit/HloIndexingTestHelper.h"
#include "test/unit/Share.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

using Layout = std::optional<ArrayRef<int64_t>>;

HloShape array(ElementType Type, ArrayRef<int64_t> Sizes,
               Layout MinorToMajor = std::nullopt) {
  return cantFail(HloShape::array(Type, Sizes, MinorToMajor));
}

std::string describe(const LaunchDimensions &L) {
  std::string Text;
  raw_string_ostream(Text) << L.Threads << " threads, " << L.BlocksX << " x "
                           << L.BlocksY << " blocks, " << L.Chunks
                           << " chunks of " << L.Vector;
  return Text;
}

/// Goes through all threads, chunks and places of vectors: each is in the
/// domain exactly if its number is below that of the elements, and has the
/// element that lies there in memory. The points are checked to be in the order
/// of the formula, so no two have the same number.
void expectEachElementOnce(const HloShape &Shape, const LaunchDimensions &L) {
  SCOPED_TRACE(Shape.str() + ": " + describe(L));
  ASSERT_GE(L.capacity(), uint64_t(Shape.elementCount()));
  IndexContext Context;
  std::optional<IndexingMap> Map = threadMap(Shape, L, Context);
  ASSERT_TRUE(Map);
  int64_t Next = 0;
  bool IsRight = true;
  for (int64_t Chunk = 0; Chunk < L.Chunks; ++Chunk)
    for (int64_t BlockY = 0; BlockY < L.BlocksY; ++BlockY)
      for (int64_t BlockX = 0; BlockX < L.BlocksX; ++BlockX)
        for (int64_t Thread = 0; Thread < L.Threads; ++Thread)
          for (int64_t Place = 0; Place < L.Vector; ++Place, ++Next) {
            std::vector<int64_t> P = {Thread, 0, 0,     BlockX,
                                      BlockY, 0, Chunk, Place};
            bool IsInside = Map->contains(P);
            IsRight &= IsInside == (Next < Shape.elementCount());
            if (IsInside)
              IsRight &= offsetIn(Shape, *Map->evaluate(P)) == Next;
          }
  EXPECT_TRUE(IsRight) << toString(*Map);
}

TEST(ThreadMaps, EachElementOnce) {
  for (int64_t Size : {0,   1,   2,   3,   31,  32,   33,   127,  128,  129,
                       255, 256, 509, 512, 513, 2048, 2052, 4096, 4099, 5120})
    expectEachElementOnce(array(ElementType::F32, {Size}),
                          launchFor(array(ElementType::F32, {Size})));
  for (const std::vector<int64_t> &Sizes :
       std::vector<std::vector<int64_t>>{{},
                                         {1, 1},
                                         {13, 7, 11},
                                         {20, 40, 30},
                                         {2, 3, 4, 5, 6},
                                         {64, 64},
                                         {5, 1, 77},
                                         {0, 3},
                                         {3, 1024}}) {
    std::vector<int64_t> Ascending;
    for (size_t D = 0; D < Sizes.size(); ++D)
      Ascending.push_back(D);
    std::vector<int64_t> Rotated = Ascending;
    if (!Rotated.empty())
      std::rotate(Rotated.begin(), Rotated.begin() + 1, Rotated.end());
    for (Layout L : {Layout(), Layout(Ascending), Layout(Rotated)})
      for (ElementType Type :
           {ElementType::S8, ElementType::F32, ElementType::C64}) {
        HloShape Shape = array(Type, Sizes, L);
        expectEachElementOnce(Shape, launchFor(Shape));
      }
  }
}

/// Grids that are full: blocks in y, and several chunks for a thread.
TEST(ThreadMaps, SmallGrids) {
  LaunchLimits Limits;
  Limits.ThreadsPerBlock = 32;
  Limits.MaxBlocksX = 5;
  Limits.MaxBlocksY = 3;
  for (const std::vector<int64_t> &Sizes : std::vector<std::vector<int64_t>>{
           {160}, {161}, {320}, {479}, {1920}, {1921}, {7, 11, 13}, {40, 90}}) {
    HloShape Shape = array(ElementType::F32, Sizes);
    LaunchDimensions L = launchFor(Shape, Limits);
    EXPECT_LE(L.BlocksX, 5);
    EXPECT_LE(L.BlocksY, 3);
    expectEachElementOnce(Shape, L);
  }
}

/// The launch of one output serves the others as well, also where it splits a
/// vector.
TEST(ThreadMaps, LaunchOfAnotherArray) {
  LaunchDimensions L = launchFor(array(ElementType::F32, {64, 64}));
  EXPECT_EQ(L.Vector, 4);
  for (int64_t Size : {4096, 4095, 4094, 4001, 128, 3, 0})
    expectEachElementOnce(array(ElementType::F32, {Size}), L);
}

TEST(ThreadMaps, Launches) {
  auto LaunchOf = [](ElementType Type, ArrayRef<int64_t> Sizes) {
    return describe(launchFor(array(Type, Sizes)));
  };
  EXPECT_EQ(LaunchOf(ElementType::F32, {20, 40, 300}),
            "128 threads, 469 x 1 blocks, 1 chunks of 4");
  // 16 bytes at a time.
  EXPECT_EQ(LaunchOf(ElementType::F64, {20, 40, 300}),
            "128 threads, 938 x 1 blocks, 1 chunks of 2");
  // Not a multiple of 4, nor of 2.
  EXPECT_EQ(LaunchOf(ElementType::F32, {1026}),
            "128 threads, 5 x 1 blocks, 1 chunks of 2");
  EXPECT_EQ(LaunchOf(ElementType::F32, {1027}),
            "128 threads, 9 x 1 blocks, 1 chunks of 1");
  // Small.
  EXPECT_EQ(LaunchOf(ElementType::F32, {40}),
            "64 threads, 1 x 1 blocks, 1 chunks of 1");
  EXPECT_EQ(LaunchOf(ElementType::F32, {}),
            "32 threads, 1 x 1 blocks, 1 chunks of 1");
  EXPECT_EQ(LaunchOf(ElementType::F32, {0}),
            "32 threads, 1 x 1 blocks, 1 chunks of 1");
  // 2415919104 blocks are more than x has.
  EXPECT_EQ(LaunchOf(ElementType::BF16, {24, 2048, 2048, 3, 4096}),
            "128 threads, 1207959552 x 2 blocks, 1 chunks of 4");
  // As many bytes as there can be: the numbers of the last threads would leave
  // 64 bits.
  HloShape Most = array(ElementType::S8, {INT64_MAX});
  LaunchDimensions L = launchFor(Most);
  EXPECT_EQ(describe(L), "128 threads, 2147483647 x 65535 blocks, "
                         "513 chunks of 1");
  IndexContext Context;
  EXPECT_FALSE(threadMap(Most, L, Context));
}

/// A guard for each vector, or none at all.
TEST(ThreadMaps, AsText) {
  auto TextOf = [](ArrayRef<int64_t> Sizes) {
    IndexContext Context;
    HloShape Shape = array(ElementType::F32, Sizes);
    return toString(*threadMap(Shape, launchFor(Shape), Context));
  };
  EXPECT_EQ(TextOf({64, 64}),
            "(th_x, th_y, th_z, bl_x, bl_y, bl_z)[chunk, vector] -> "
            "(bl_x * 8 + th_x floordiv 16, vector + (th_x mod 16) * 4), "
            "domain: th_x in [0, 127], th_y in [0, 0], th_z in [0, 0], "
            "bl_x in [0, 7], bl_y in [0, 0], bl_z in [0, 0], "
            "chunk in [0, 0], vector in [0, 3]");
  EXPECT_EQ(TextOf({4004}),
            "(th_x, th_y, th_z, bl_x, bl_y, bl_z)[chunk, vector] -> "
            "(th_x * 4 + bl_x * 512 + vector), "
            "domain: th_x in [0, 127], th_y in [0, 0], th_z in [0, 0], "
            "bl_x in [0, 7], bl_y in [0, 0], bl_z in [0, 0], "
            "chunk in [0, 0], vector in [0, 3], "
            "th_x + bl_x * 128 in [0, 1000]");
}

TEST(ThreadMaps, Huge) {
  HloShape Shape = array(ElementType::BF16, {24, 2048, 2048, 3, 4096});
  IndexContext Context;
  IndexingMap Map = *threadMap(Shape, launchFor(Shape), Context);
  EXPECT_TRUE(Map.constraints().empty());
  EXPECT_EQ(isBijective(Map), Answer::Yes);
  EXPECT_EQ(Map.boxSize(), uint64_t(Shape.elementCount()));
  // The last element.
  EXPECT_EQ(*Map.evaluate({127, 0, 0, 1207959551, 1, 0, 0, 3}),
            (std::vector<int64_t>{23, 2047, 2047, 2, 4095}));
}

/// The outputs of all fusions, the small ones by looking at every thread.
TEST(ThreadMaps, Fusions) {
  unsigned Small = 0, Proved = 0;
  forEachFusion([&](StringRef Name, StringRef Text) {
    auto Module = parseModule(Text);
    const HloShape &Shape = Module->entry().root().shape();
    for (size_t Element = 0; Element < arraysIn(Shape); ++Element) {
      const HloShape &Array = arrayAt(Shape, Element);
      LaunchDimensions L = launchFor(Array);
      if (L.capacity() <= 1u << 16) {
        ++Small;
        expectEachElementOnce(Array, L);
        continue;
      }
      IndexContext Context;
      std::optional<IndexingMap> Map = threadMap(Array, L, Context);
      ASSERT_TRUE(Map) << Name.str();
      ++Proved;
      EXPECT_EQ(isBijective(*Map), Answer::Yes) << toString(*Map);
      // The first, the last and some between.
      for (int64_t Step = 1, Number = 0; Number < Array.elementCount();
           Number = std::min(Number + Step, Array.elementCount() - 1),
                   Step = Step * 3 + 1) {
        int64_t Vector = Number / L.Vector, Block = Vector / L.Threads;
        std::vector<int64_t> P = {Vector % L.Threads, 0, 0, Block % L.BlocksX,
                                  Block / L.BlocksX,  0, 0, Number % L.Vector};
        ASSERT_TRUE(Map->contains(P)) << Name.str();
        EXPECT_EQ(offsetIn(Array, *Map->evaluate(P)), Number) << Name.str();
        if (Number == Array.elementCount() - 1)
          break;
      }
    }
  });
  EXPECT_GE(Small, 50u);
  EXPECT_GE(Proved, 5u);
}

/// From a thread to the elements of the inputs is the way through the output.
TEST(ThreadMaps, ThroughFusions) {
  unsigned Checked = 0;
  forEachFusion([&](StringRef Name, StringRef Text) {
    if (isLeftOut())
      return;
    auto Module = parseModule(Text);
    const HloComputation &Entry = Module->entry();
    const HloShape &Output = arrayAt(Entry.root().shape(), 0);
    if (Output.elementCount() > 1 << 12)
      return;
    IndexContext Context;
    HloIndexingAnalysis Analysis(Context);
    IndexingMap Threads = *threadMap(Output, launchFor(Output), Context);
    auto Parameters = Analysis.outputToParameters(Entry);
    for (size_t K = 0; K < Parameters.size(); ++K) {
      OperandIndexing FromThread =
          threadsToOperand(Threads, Output, Parameters[K]);
      // Output element (by the number of its thread), runtime values, input.
      auto Pairs = [&](const OperandIndexing &Indexing, auto NumberOf) {
        std::set<std::vector<int64_t>> Result;
        for (const OperandMap &M : Indexing.Maps)
          EXPECT_TRUE(M.Map.forEachPoint(1 << 21, [&](ArrayRef<int64_t> P) {
            for (int64_t Number : NumberOf(M.Map, P)) {
              std::vector<int64_t> Pair = P.take_back(M.Runtimes.size()).vec();
              Pair.push_back(Number);
              append_range(Pair, *M.Map.evaluate(P));
              Result.insert(Pair);
            }
            return true;
          }) || M.Map.boxSize() > uint64_t(1 << 21));
        return Result;
      };
      if (any_of(FromThread.Maps, [](const OperandMap &M) {
            return M.Map.boxSize() > uint64_t(1 << 21);
          }))
        continue;
      ++Checked;
      LaunchDimensions L = launchFor(Output);
      auto OfThread = [&](const IndexingMap &Map, ArrayRef<int64_t> P) {
        int64_t First = (P[3] * L.Threads + P[0]) * L.Vector;
        for (size_t I = 0; I < Map.ranges().size(); ++I)
          if (Map.ranges()[I].Name == "vector")
            return std::vector<int64_t>{First + P[6 + I]};
        // All of a vector read the same.
        std::vector<int64_t> All;
        for (int64_t Place = 0; Place < L.Vector; ++Place)
          All.push_back(First + Place);
        return All;
      };
      auto OfOutput = [&](const IndexingMap &, ArrayRef<int64_t> P) {
        return std::vector<int64_t>{
            offsetIn(Output, P.take_front(Output.rank()))};
      };
      EXPECT_TRUE(Pairs(FromThread, OfThread) == Pairs(Parameters[K], OfOutput))
          << Name.str() << "\n"
          << toText(FromThread) << "\nfor\n"
          << toText(Parameters[K]);
    }
  });
  EXPECT_GE(Checked, 40 / Share);
}

} // namespace
