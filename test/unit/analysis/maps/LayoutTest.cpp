//===- LayoutTest.cpp - Layouts of sizes and strides ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/Layout.h"
#include "analysis/maps/IndexingMapText.h"
#include "gtest/gtest.h"
#include <set>

using namespace unravel;

namespace {

Layout parse(const char *Text) { return llvm::cantFail(Layout::parse(Text)); }

template <typename T> std::string problemOf(llvm::Expected<T> Result) {
  return Result ? "" : llvm::toString(Result.takeError());
}

/// All layouts of up to \p Modes modes with these sizes and strides.
std::vector<Layout> allLayouts(unsigned Modes, std::vector<int64_t> Sizes,
                               std::vector<int64_t> Strides) {
  std::vector<std::vector<LayoutMode>> Lists = {{}};
  for (size_t Begin = 0, M = 0; M < Modes; ++M) {
    size_t End = Lists.size();
    for (; Begin < End; ++Begin)
      for (int64_t Size : Sizes)
        for (int64_t Stride : Strides) {
          Lists.push_back(Lists[Begin]);
          Lists.back().push_back({Size, Stride});
        }
  }
  std::vector<Layout> Result;
  for (const auto &List : Lists)
    Result.push_back(llvm::cantFail(Layout::of(List)));
  return Result;
}

TEST(Layout, Text) {
  EXPECT_EQ(parse("(4,8):(1,32)").str(), "(4,8):(1,32)");
  EXPECT_EQ(parse(" ( (4,2) , 8 ) : ( (1, 4) , 32)").str(), "(4,2,8):(1,4,32)");
  EXPECT_EQ(parse("4:1").str(), "4:1");
  EXPECT_EQ(parse("(4):(1)").str(), "4:1");
  for (const char *Wrong :
       {"", "4", ":", "4:", "(4,8):(1)", "(4,8:(1,2)", "4,8:1,2",
        "(4,8)):(1,2)", "(4,):(1,2)", "():()", "(4 8):(1,2)", "0:1", "4:-1",
        "x:1", "4:1:2", "4611686018427387904:4",
        "(4294967296,4294967296):(0,0)"})
    EXPECT_FALSE(problemOf(Layout::parse(Wrong)).empty()) << Wrong;
}

TEST(Layout, CoalesceIsTheSameFunction) {
  EXPECT_EQ(coalesce(parse("(2,1,6):(1,6,2)")).str(), "12:1");
  for (const Layout &A : allLayouts(3, {1, 2, 3}, {0, 1, 2, 4, 6})) {
    Layout C = coalesce(A);
    ASSERT_EQ(C.size(), A.size()) << A.str();
    EXPECT_LE(C.modes().size(), A.modes().size());
    for (int64_t I = 0; I < A.size(); ++I)
      ASSERT_EQ(C(I), A(I)) << A.str() << " at " << I;
  }
}

TEST(Layout, Compose) {
  EXPECT_EQ(
      llvm::cantFail(compose(parse("(6,2):(8,2)"), parse("(4,3):(3,1)"))).str(),
      "(2,2,3):(24,2,8)");
  EXPECT_EQ(problemOf(compose(parse("(4,2):(1,8)"), parse("9:1"))),
            "9:1 reaches 8, beyond the 8 elements of (4,2):(1,8)");
  // A(1) + A(1) is not A(2).
  EXPECT_FALSE(
      problemOf(compose(parse("(2,2):(1,10)"), parse("(2,2):(1,1)"))).empty());
}

/// Where there is an answer, it is the composition at every point; and there is
/// one for many.
TEST(Layout, ComposeAtEveryPoint) {
  unsigned Answers = 0;
  std::vector<Layout> Inner =
      allLayouts(2, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 6, 8});
  for (const Layout &A : allLayouts(3, {2, 3, 4}, {0, 1, 5, 16}))
    for (const Layout &B : Inner) {
      llvm::Expected<Layout> C = compose(A, B);
      if (!C) {
        llvm::consumeError(C.takeError());
        continue;
      }
      ++Answers;
      ASSERT_EQ(C->size(), B.size());
      for (int64_t I = 0; I < B.size(); ++I)
        ASSERT_EQ((*C)(I), A(B(I)))
            << A.str() << " after " << B.str() << " is " << C->str();
    }
  EXPECT_GT(Answers, 50000u);
}

TEST(Layout, ComplementReachesEveryNumberOnce) {
  EXPECT_EQ(llvm::cantFail(complement(parse("(2,2):(1,6)"), 24)).str(),
            "(3,2):(2,12)");
  unsigned Answers = 0;
  for (const Layout &A : allLayouts(3, {1, 2, 3}, {0, 1, 2, 3, 4, 6, 12}))
    for (int64_t Cosize : {1, 6, 12, 24, 36, 72}) {
      llvm::Expected<Layout> C = complement(A, Cosize);
      if (!C) {
        llvm::consumeError(C.takeError());
        continue;
      }
      ++Answers;
      std::set<int64_t> OfA, Sums;
      for (int64_t I = 0; I < A.size(); ++I)
        OfA.insert(A(I));
      for (int64_t Offset : OfA)
        for (int64_t I = 0; I < C->size(); ++I)
          ASSERT_TRUE(Sums.insert(Offset + (*C)(I)).second)
              << A.str() << " and " << C->str();
      ASSERT_EQ(int64_t(Sums.size()), Cosize) << A.str();
      ASSERT_EQ(*Sums.rbegin(), Cosize - 1) << A.str();
    }
  EXPECT_GT(Answers, 500u);
}

TEST(Layout, DivideVisitsTheSameElements) {
  unsigned Answers = 0;
  for (const Layout &A : allLayouts(2, {2, 4, 6}, {1, 4, 24}))
    for (const Layout &Tile : allLayouts(2, {2, 3}, {1, 2, 4, 6})) {
      llvm::Expected<LayoutPair> Pair = logicalDivide(A, Tile);
      if (!Pair) {
        llvm::consumeError(Pair.takeError());
        continue;
      }
      ++Answers;
      std::multiset<int64_t> Of, Cut;
      for (int64_t I = 0; I < A.size(); ++I)
        Of.insert(A(I));
      for (int64_t T = 0; T < Pair->Outer.size(); ++T)
        for (int64_t I = 0; I < Pair->Inner.size(); ++I)
          Cut.insert(Pair->Inner(I) + Pair->Outer(T));
      ASSERT_EQ(Of, Cut) << A.str() << " by " << Tile.str();
    }
  EXPECT_GT(Answers, 100u);
  EXPECT_EQ(problemOf(logicalDivide(parse("6:1"), parse("4:1"))),
            "6 is no multiple of the 4 numbers that 4:1 and its gaps cover");
}

TEST(Layout, ProductPutsCopiesApart) {
  LayoutPair Tiles =
      llvm::cantFail(logicalProduct(parse("(2,2):(4,1)"), parse("6:1")));
  EXPECT_EQ(Tiles.Inner.str(), "(2,2):(4,1)");
  EXPECT_EQ(Tiles.Outer.str(), "(2,3):(2,8)");
  unsigned Answers = 0;
  for (const Layout &A : allLayouts(2, {2, 3}, {1, 2, 4, 6}))
    for (const Layout &Places : allLayouts(2, {2, 3}, {1, 2, 3, 6})) {
      llvm::Expected<LayoutPair> Pair = logicalProduct(A, Places);
      std::set<int64_t> Sums;
      if (!Pair) {
        llvm::consumeError(Pair.takeError());
        continue;
      }
      ++Answers;
      std::set<int64_t> Copies;
      for (int64_t P = 0; P < Places.size(); ++P)
        Copies.insert(Places(P));
      for (int64_t P = 0; P < Places.size(); ++P)
        for (int64_t I = 0; I < A.size(); ++I)
          Sums.insert(Pair->Inner(I) + Pair->Outer(P));
      ASSERT_EQ(Sums.size(), Copies.size() * A.size())
          << A.str() << " at " << Places.str();
    }
  EXPECT_GT(Answers, 100u);
}

TEST(Layout, MapsThereAndBack) {
  for (const Layout &A : allLayouts(3, {1, 2, 3}, {0, 1, 2, 5, 6})) {
    IndexContext Context;
    IndexingMap Map = mapOf(Context, A);
    for (int64_t I = 0; I < A.size(); ++I)
      ASSERT_EQ((*Map.evaluate({I}))[0], A(I)) << A.str();
    llvm::Expected<Layout> Back = layoutOf(Map);
    ASSERT_TRUE(bool(Back)) << A.str() << ": " << problemOf(std::move(Back));
    ASSERT_EQ(Back->size(), A.size());
    for (int64_t I = 0; I < A.size(); ++I)
      ASSERT_EQ((*Back)(I), A(I)) << A.str() << " as " << Back->str();
  }
}

TEST(Layout, MapsThatAreNone) {
  for (const char *Text :
       {"(d0) -> (d0 + 1), domain: d0 in [0, 7]",
        "(d0) -> (d0), domain: d0 in [1, 7]", "(d0) -> (d0)",
        "(d0) -> (7 - d0), domain: d0 in [0, 7]",
        "(d0) -> (d0 mod 3), domain: d0 in [0, 7]",
        "(d0) -> ((d0 + 1) floordiv 3), domain: d0 in [0, 5]",
        "(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 1]",
        "(d0) -> (d0, d0), domain: d0 in [0, 7]",
        "(d0) -> (d0 floordiv 2 + d0 floordiv 3), domain: d0 in [0, 5]",
        "(d0) -> (d0), domain: d0 in [0, 7], d0 mod 2 == 0"}) {
    IndexContext Context;
    EXPECT_FALSE(
        problemOf(layoutOf(llvm::cantFail(parseIndexingMap(Context, Text))))
            .empty())
        << Text;
  }
}

} // namespace
