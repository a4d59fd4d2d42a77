//===- ReductionPlanTest.cpp - Every element is reduced once --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/ReductionPlan.h"
#include "test/unit/HloIndexingTestHelper.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace unravel;

namespace {

HloShape array(ArrayRef<int64_t> Sizes,
               std::optional<ArrayRef<int64_t>> MinorToMajor = std::nullopt) {
  return cantFail(HloShape::array(ElementType::F32, Sizes, MinorToMajor));
}

std::string describe(const std::optional<ReductionPlan> &P) {
  if (!P)
    return "none";
  std::string Text;
  raw_string_ostream OS(Text);
  OS << (P->isRow() ? "rows" : "columns") << ", " << P->blocks() << " x "
     << P->BlockSize << " threads, groups of " << P->Height << " x " << P->Width
     << ", " << P->Outer.size() << " x " << P->vectors() << " x " << P->Vector;
  return Text;
}

std::string planOf(ArrayRef<int64_t> Sizes, ArrayRef<int64_t> Reduced,
                   int64_t Bytes = 4) {
  return describe(planReduction(array(Sizes), Reduced, Bytes));
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

using Index = std::vector<int64_t>;

/// Calls \p Body for all points of the box of \p Map that are in its domain.
void forEachPoint(
    const IndexingMap &Map, unsigned Ranges, const ReductionPlan &Plan,
    function_ref<void(const Index &Point, const Index &Result)> Body) {
  std::vector<int64_t> Sizes = {Plan.BlockSize, 1, 1, Plan.blocks(), 1, 1};
  if (Ranges != 0)
    Sizes.insert(Sizes.end(), {Plan.Outer.size(),
                               Plan.vectors() / Plan.Height + 1, Plan.Vector});
  Index Point(Sizes.size());
  do
    if (Map.contains(Point))
      Body(Point, *Map.evaluate(Point));
  while (nextIndex(Point, Sizes));
}

/// Each result is written by one thread, and each element of the input read by
/// one: of the group whose first thread writes what it belongs to.
void expectEachElementOnce(const HloShape &Shape, ArrayRef<int64_t> Reduced,
                           const LaunchLimits &Limits) {
  std::optional<ReductionPlan> Plan = planReduction(Shape, Reduced, 4, Limits);
  if (!Plan)
    return;
  SCOPED_TRACE(Shape.str() + ": " + describe(Plan));
  EXPECT_LE(Plan->Height, Plan->vectors());
  IndexContext Context;
  std::optional<IndexingMap> Results = reductionResultMap(*Plan, Context);
  std::optional<IndexingMap> Inputs = reductionInputMap(*Plan, Context);
  ASSERT_TRUE(Results && Inputs);
  std::map<Index, int64_t> WriterOf;
  forEachPoint(*Results, 0, *Plan, [&](const Index &Point, const Index &To) {
    int64_t Thread = Point[3] * Plan->BlockSize + Point[0];
    EXPECT_TRUE(WriterOf.insert({To, Thread}).second);
  });
  EXPECT_EQ(int64_t(WriterOf.size()), Plan->Kept.size() * Plan->Columns.size());
  std::set<Index> Read;
  std::set<int64_t> Readers;
  bool IsRight = true;
  forEachPoint(*Inputs, 3, *Plan, [&](const Index &Point, const Index &From) {
    IsRight &= Read.insert(From).second;
    Index Kept;
    for (auto [D, N] : enumerate(From))
      if (!is_contained(Reduced, int64_t(D)))
        Kept.push_back(N);
    int64_t Thread = Point[3] * Plan->BlockSize + Point[0];
    auto Writer = WriterOf.find(Kept);
    ASSERT_NE(Writer, WriterOf.end());
    int64_t Distance = Thread - Writer->second;
    IsRight &= Distance % Plan->Width == 0 && Distance >= 0 &&
               Distance / Plan->Width < Plan->Height;
    Readers.insert(Thread);
  });
  EXPECT_TRUE(IsRight);
  EXPECT_EQ(int64_t(Read.size()), Shape.elementCount());
  // No thread of a result has nothing.
  EXPECT_EQ(int64_t(Readers.size()), int64_t(WriterOf.size()) * Plan->Height);
}

TEST(ReductionPlan, EachElementOnce) {
  for (const Index &Sizes : std::vector<Index>{{17},
                                               {100},
                                               {3, 37},
                                               {37, 3},
                                               {33, 34},
                                               {5, 64},
                                               {64, 5},
                                               {1, 70, 1},
                                               {3, 20, 4},
                                               {4, 3, 20},
                                               {20, 2, 33},
                                               {5, 3, 2, 20},
                                               {7, 2, 3, 6},
                                               {40, 2, 3, 2},
                                               {1, 9, 1, 40}})
    for (unsigned Mask = 1; Mask < 1u << Sizes.size(); ++Mask) {
      Index Reduced, Ascending;
      for (size_t D = 0; D < Sizes.size(); ++D) {
        Ascending.push_back(D);
        if (Mask >> D & 1)
          Reduced.push_back(D);
      }
      Index Rotated = Ascending;
      std::rotate(Rotated.begin(), Rotated.begin() + 1, Rotated.end());
      for (const HloShape &Shape :
           {array(Sizes), array(Sizes, ArrayRef(Ascending)),
            array(Sizes, ArrayRef(Rotated))})
        for (LaunchLimits Limits :
             {LaunchLimits{128, 4, 16}, LaunchLimits{32, 1, 16}})
          expectEachElementOnce(Shape, Reduced, Limits);
    }
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

TEST(ReductionPlan, Rows) {
  EXPECT_EQ(planOf({8, 2048}, {1}),
            "rows, 8 x 128 threads, groups of 128 x 1, 1 x 512 x 4");
  EXPECT_EQ(planOf({100, 64}, {1}),
            "rows, 4 x 128 threads, groups of 4 x 1, 1 x 16 x 4");
  // No vectors in rows of an odd size, short ones of wide elements.
  EXPECT_EQ(planOf({130, 125}, {1}),
            "rows, 17 x 128 threads, groups of 16 x 1, 1 x 125 x 1");
  EXPECT_EQ(planOf({100, 64}, {1}, 8),
            "rows, 7 x 128 threads, groups of 8 x 1, 1 x 32 x 2");
  // Threads side by side read whole sectors.
  EXPECT_EQ(planOf({1000, 17}, {1}),
            "rows, 63 x 128 threads, groups of 8 x 1, 1 x 17 x 1");
  // All of an array.
  EXPECT_EQ(planOf({100, 100}, {0, 1}),
            "rows, 1 x 128 threads, groups of 128 x 1, 1 x 2500 x 4");
}

/// Rows in several pieces: one after the other, or shared as one, if they are
/// many or short.
TEST(ReductionPlan, Pieces) {
  EXPECT_EQ(planOf({7, 100, 128}, {0, 2}),
            "rows, 25 x 128 threads, groups of 32 x 1, 7 x 32 x 4");
  EXPECT_EQ(planOf({1000, 2, 128}, {0, 2}),
            "rows, 2 x 128 threads, groups of 128 x 1, 1 x 32000 x 4");
  EXPECT_EQ(planOf({50, 10, 7}, {0, 2}),
            "rows, 5 x 128 threads, groups of 64 x 1, 1 x 350 x 1");
  EXPECT_EQ(planOf({30, 6, 40, 32}, {0, 2}),
            "columns, 24 x 128 threads, groups of 16 x 8, 30 x 40 x 1");
}

TEST(ReductionPlan, Columns) {
  // Narrow groups while there are few threads, but no parts of sectors.
  EXPECT_EQ(planOf({2048, 64}, {0}),
            "columns, 8 x 128 threads, groups of 16 x 8, 1 x 2048 x 1");
  EXPECT_EQ(planOf({2048, 64}, {0}, 1),
            "columns, 2 x 128 threads, groups of 4 x 32, 1 x 2048 x 1");
  EXPECT_EQ(planOf({11, 72, 8}, {1}),
            "columns, 3 x 128 threads, groups of 4 x 8, 1 x 72 x 1");
  // Rows of columns that start anywhere are not split.
  EXPECT_EQ(planOf({2048, 33}, {0}),
            "columns, 2 x 128 threads, groups of 4 x 32, 1 x 2048 x 1");
  EXPECT_EQ(planOf({64, 40000}, {0}),
            "columns, 1250 x 128 threads, groups of 4 x 32, 1 x 64 x 1");
}

/// What a thread for each result does better.
TEST(ReductionPlan, None_negative) {
  EXPECT_EQ(planOf({7680, 16}, {1}), "none");
  EXPECT_EQ(planOf({7680, 64}, {1}, 1), "none");
  EXPECT_EQ(planOf({32, 7680}, {0}), "none");
  EXPECT_EQ(planOf({100, 1 << 17}, {0}), "none");
  EXPECT_EQ(planOf({100, 1 << 16, 2}, {0}), "none");
  EXPECT_EQ(planOf({100, 1 << 17, 2}, {0, 2}), "none");
  EXPECT_EQ(planOf({0, 100}, {1}), "none");
  EXPECT_EQ(planOf({100, 0}, {1}), "none");
  EXPECT_EQ(planOf({8, 2048}, {}), "none");
  // Less than a warp; a warp that is as wide as the columns.
  LaunchLimits Small;
  Small.ThreadsPerBlock = 31;
  EXPECT_EQ(describe(planReduction(array({8, 2048}), {1}, 4, Small)), "none");
  Small.ThreadsPerBlock = 32;
  EXPECT_EQ(describe(planReduction(array({2048, 64}), {0}, 1, Small)), "none");
}

/// Blocks that are no power of two are cut.
TEST(ReductionPlan, BlockSizes) {
  LaunchLimits Limits;
  Limits.ThreadsPerBlock = 1000;
  EXPECT_EQ(describe(planReduction(array({8, 8192}), {1}, 4, Limits)),
            "rows, 8 x 512 threads, groups of 512 x 1, 1 x 2048 x 4");
}

/// What the maps look like.
TEST(ReductionPlan, MapsAsText) {
  IndexContext Context;
  ReductionPlan Plan = *planReduction(array({8, 2048}), {1}, 4);
  EXPECT_EQ(toString(*reductionResultMap(Plan, Context)),
            "(th_x, th_y, th_z, bl_x, bl_y, bl_z) -> (bl_x), domain: "
            "th_x in [0, 0], th_y in [0, 0], th_z in [0, 0], bl_x in [0, 7], "
            "bl_y in [0, 0], bl_z in [0, 0]");
  EXPECT_EQ(toString(*reductionInputMap(Plan, Context)),
            "(th_x, th_y, th_z, bl_x, bl_y, bl_z)[outer, step, place] -> "
            "(bl_x, th_x * 4 + step * 512 + place), domain: "
            "th_x in [0, 127], th_y in [0, 0], th_z in [0, 0], bl_x in [0, 7], "
            "bl_y in [0, 0], bl_z in [0, 0], outer in [0, 0], step in [0, 3], "
            "place in [0, 3]");
  Plan = *planReduction(array({2048, 64}), {0}, 4);
  EXPECT_EQ(
      toString(*reductionResultMap(Plan, Context)),
      "(th_x, th_y, th_z, bl_x, bl_y, bl_z) -> (th_x + bl_x * 8), domain: "
      "th_x in [0, 7], th_y in [0, 0], th_z in [0, 0], bl_x in [0, 7], bl_y in "
      "[0, 0], bl_z in [0, 0]");
  EXPECT_EQ(toString(*reductionInputMap(Plan, Context)),
            "(th_x, th_y, th_z, bl_x, bl_y, bl_z)[outer, step, place] -> (step "
            "* 16 + th_x floordiv 8, bl_x * 8 + th_x mod 8), domain: "
            "th_x in [0, 127], th_y in [0, 0], th_z in [0, 0], bl_x in [0, 7], "
            "bl_y in [0, 0], bl_z in [0, 0], outer in [0, 0], step in [0, "
            "127], place in [0, 0]");
}

} // namespace
