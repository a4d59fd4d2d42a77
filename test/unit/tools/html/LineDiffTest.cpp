//===- LineDiffTest.cpp - Which PTX lines differ --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/html/LineDiff.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

TEST(LineDiff, NormalizedLines) {
  EXPECT_EQ(normalizePtxLine("\tadd.s32 \t%r7, %r5, 4;  // c"),
            normalizePtxLine("add.s32 %r13, %r1, 4;"));
  EXPECT_EQ(normalizePtxLine("$L__BB0_7:"), normalizePtxLine("$L__BB3_1:"));
  EXPECT_NE(normalizePtxLine("add.s32 %r1, %r2, 4;"),
            normalizePtxLine("add.s32 %r1, %r2, 5;"));
  EXPECT_NE(normalizePtxLine("add.s64 %rd1, %rd2, 4;"),
            normalizePtxLine("add.s64 %r1, %r2, 4;"));
  EXPECT_NE(normalizePtxLine("mov.u32 %r1, %tid.x;"),
            normalizePtxLine("mov.u32 %r1, %tid.y;"));
  EXPECT_EQ(normalizePtxLine("   "), "");
}

/// The rows as text: "a a|b -|- c", with capitals for changed lines.
static std::string diff(StringRef Left, StringRef Right) {
  SmallVector<StringRef, 8> L, R;
  Left.split(L, ' ', -1, /*KeepEmpty=*/false);
  Right.split(R, ' ', -1, /*KeepEmpty=*/false);
  std::string Text;
  for (const DiffRow &Row : diffPtxLines(L, R)) {
    Text += Text.empty() ? "" : "|";
    std::string Cells = (Row.Left ? L[*Row.Left] : "-").str() +
                        (Row.Right ? R[*Row.Right] : "-").str();
    Text += Row.Same ? Cells : StringRef(Cells).upper();
  }
  return Text;
}

TEST(LineDiff, Rows) {
  EXPECT_EQ(diff("", ""), "");
  EXPECT_EQ(diff("a b c", "a b c"), "aa|bb|cc");
  EXPECT_EQ(diff("a b c", "a c"), "aa|B-|cc");
  EXPECT_EQ(diff("a c", "a b c"), "aa|-B|cc");
  EXPECT_EQ(diff("a b c", "a x c"), "aa|BX|cc");
  EXPECT_EQ(diff("a", ""), "A-");
  EXPECT_EQ(diff("x a y b z c", "a b c"), "X-|aa|Y-|bb|Z-|cc");
  EXPECT_EQ(diff("a b", "c d"), "AC|BD");
}

/// The length of a longest common subsequence, by definition.
static size_t commonLength(ArrayRef<StringRef> L, ArrayRef<StringRef> R) {
  if (L.empty() || R.empty())
    return 0;
  if (L.front() == R.front())
    return 1 + commonLength(L.drop_front(), R.drop_front());
  return std::max(commonLength(L.drop_front(), R),
                  commonLength(L, R.drop_front()));
}

// All pairs of texts of up to 5 lines over two letters: every line appears
// once and in order, equal rows are equal, and there are as many as can be.
TEST(LineDiff, SmallTextsAreAlignedBest) {
  std::vector<std::vector<StringRef>> Texts = {{}};
  for (size_t I = 0; Texts[I].size() < 5; ++I)
    for (StringRef Line : {"a", "b"}) {
      Texts.push_back(Texts[I]);
      Texts.back().push_back(Line);
    }
  for (const std::vector<StringRef> &L : Texts)
    for (const std::vector<StringRef> &R : Texts) {
      size_t NextLeft = 0, NextRight = 0, NumSame = 0;
      for (const DiffRow &Row : diffPtxLines(L, R)) {
        ASSERT_TRUE(Row.Left || Row.Right);
        if (Row.Left) {
          ASSERT_EQ(*Row.Left, NextLeft++);
        }
        if (Row.Right) {
          ASSERT_EQ(*Row.Right, NextRight++);
        }
        if (!Row.Same)
          continue;
        ++NumSame;
        ASSERT_TRUE(Row.Left && Row.Right);
        ASSERT_EQ(L[*Row.Left], R[*Row.Right]);
      }
      ASSERT_EQ(NextLeft, L.size());
      ASSERT_EQ(NextRight, R.size());
      ASSERT_EQ(NumSame, commonLength(L, R));
    }
}
