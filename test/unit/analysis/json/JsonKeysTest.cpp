//===- JsonKeysTest.cpp - Keys that stand twice ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/json/JsonKeys.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

std::string keyIn(StringRef Text) {
  EXPECT_TRUE(bool(json::parse(Text))) << Text.str();
  return repeatedKey(Text).value_or("none");
}

TEST(JsonKeys, OneObjectHasAKeyOnce) {
  EXPECT_EQ(keyIn(R"({"a": 1, "a": 2})"), "a");
  EXPECT_EQ(keyIn(R"([{"b": {"c": [1, {}], "d": 1, "c": 2}}])"), "c");
  EXPECT_EQ(keyIn(R"({"a": 1, "\u0061" : 2})"), "a");
  EXPECT_EQ(keyIn(R"({"\"": 1, "\"": 2})"), "\"");
  EXPECT_EQ(keyIn(R"({"\\": "}", "\\": 2})"), "\\");
}

TEST(JsonKeys, OneObjectHasAKeyOnce_negative) {
  for (StringRef Text :
       {R"({})", R"([])", R"("a")", R"(1)", R"({"a": {"a": {"a": 1}}})",
        R"([{"a": 1}, {"a": 1}])", R"({"a": "a", "b": "a"})",
        R"(["a", "a", "a"])", R"({"a": ["b", "b"], "b": 1})",
        R"({"x": "\"}, {\"x\": ", "y": 1})"})
    EXPECT_EQ(keyIn(Text), "none") << Text.str();
}

} // namespace
