//===- JsonNestingTest.cpp - JSON that LLVM's parser survives -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/json/JsonNesting.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"
#include <string>

using namespace llvm;
using namespace unravel;

namespace {

std::string repeated(StringRef Text, size_t Times) {
  std::string Result;
  for (size_t I = 0; I < Times; ++I)
    Result += Text;
  return Result;
}

TEST(JsonNesting, CountsWhatIsInsideEachOther) {
  EXPECT_FALSE(nestsTooDeep(repeated("[", MaxJsonNesting)));
  EXPECT_TRUE(nestsTooDeep(repeated("[", MaxJsonNesting + 1)));
  EXPECT_TRUE(nestsTooDeep(repeated("{\"a\":", MaxJsonNesting + 1)));
  EXPECT_FALSE(nestsTooDeep("[" + repeated("[],", 100000) + "0]"));
  EXPECT_FALSE(nestsTooDeep(repeated("]", 1000)));
  EXPECT_FALSE(nestsTooDeep(""));
}

TEST(JsonNesting, StringsHideNothing) {
  // A bracket in a string closes none.
  EXPECT_TRUE(nestsTooDeep(repeated("[\"]\",", 300000)));
  EXPECT_TRUE(nestsTooDeep(repeated("[\"\\\"]\",", 300000)));
  EXPECT_TRUE(nestsTooDeep(repeated("[\"\\\\\",", 300000)));
  // And opens none.
  std::string Names = "[\"" + repeated("[", 300000) + "\"]";
  EXPECT_FALSE(nestsTooDeep(Names));
  EXPECT_TRUE(bool(json::parse(Names)));
}

TEST(JsonNesting, TheParserSurvivesTheRest) {
  std::string Deepest =
      repeated("[", MaxJsonNesting) + repeated("]", MaxJsonNesting);
  EXPECT_FALSE(nestsTooDeep(Deepest));
  EXPECT_TRUE(bool(json::parse(Deepest)));
}

} // namespace
