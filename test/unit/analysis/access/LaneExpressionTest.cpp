//===- LaneExpressionTest.cpp ---------------------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/access/LaneExpression.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {
using Byte = std::optional<int64_t>;

void expectLanes(StringRef Text, function_ref<Byte(int64_t)> Expected) {
  SCOPED_TRACE(Text.str());
  llvm::Expected<LaneAddresses> Lanes = parseLaneAddresses(Text, "text");
  ASSERT_TRUE(bool(Lanes)) << toString(Lanes.takeError());
  for (int64_t T = 0; T < 32; ++T)
    EXPECT_EQ((*Lanes)[T], Expected(T)) << "t = " << T;
}

void expectError(StringRef Text, StringRef Part) {
  llvm::Expected<LaneAddresses> Lanes = parseLaneAddresses(Text, "text");
  ASSERT_FALSE(bool(Lanes)) << Text.str();
  std::string Message = toString(Lanes.takeError());
  EXPECT_NE(Message.find(Part.str()), std::string::npos) << Message;
}
} // namespace

TEST(LaneExpressionTest, Operators) {
  expectLanes("4*t", [](int64_t T) { return 4 * T; });
  expectLanes("4*(t - 20*(t floordiv 20))",
              [](int64_t T) { return T % 20 * 4; });
  expectLanes("(t mod 8) ^ (t >> 3)",
              [](int64_t T) { return (T % 8) ^ (T >> 3); });
  expectLanes("(t xor 5) * 16 | 1", [](int64_t T) { return (T ^ 5) * 16 | 1; });
  expectLanes("-t", [](int64_t T) { return -T; });
}

TEST(LaneExpressionTest, InactiveLanes) {
  auto If = [](bool Active, int64_t X) { return Active ? Byte(X) : Byte(); };
  expectLanes("4*t for even t",
              [&](int64_t T) { return If(T % 2 == 0, 4 * T); });
  expectLanes("t for odd t", [&](int64_t T) { return If(T % 2 == 1, T); });
  expectLanes("t for t < 8", [&](int64_t T) { return If(T < 8, T); });
  expectLanes("t for t & 4", [&](int64_t T) { return If(T & 4, T); });
  expectLanes("t for 0", [&](int64_t) { return Byte(); });
  // An inactive lane needs no value.
  expectLanes("100 / t for t != 0",
              [&](int64_t T) { return If(T != 0, T ? 100 / T : 0); });
}

TEST(LaneExpressionTest, Remarks) {
  expectLanes("12*t (float3, x)", [](int64_t T) { return 12 * T; });
  expectLanes("16*t (float4, x as a scalar)", [](int64_t T) { return 16 * T; });
  expectLanes("t for even t (half of them)",
              [](int64_t T) { return T % 2 == 0 ? Byte(T) : Byte(); });
}

TEST(LaneExpressionTest, WhatCouldBePartOfTheExpressionIsNoRemark) {
  expectLanes("max (t, 3)", [](int64_t T) { return T > 3 ? T : 3; });
  expectError("4*t (t + 1)", "unknown function 't'");
  expectError("4*t(float3, x)", "unknown function 't'");
  expectError("4 (5)", "expected an operator");
  expectError("4*t float3", "expected an operator");
  expectError("4*t (float3, x) + 1", "unknown function 't'");
  expectError("(float3, x)", "error");
}

TEST(LaneExpressionTest, Errors) {
  expectError("", "expected");
  expectError("4*", "expected");
  expectError("4*lane",
              "unknown variable 'lane'; the only variable is the lane t");
  expectError("select(1, t, x)", "unknown variable 'x'");
  expectError("t for x", "unknown variable 'x'");
  expectError("t for", "expected");
  expectError("t for even", "expected 't' behind 'even'");
  expectError("t for even x", "expected 't' behind 'even'");
  expectError("t for even t t", "expected an operator");
  expectError("t for even t for t", "expected an operator");
  expectError("4 / (t - 31)", "no value for t = 31");
  expectError("t for 1 / t", "no value for t = 0");
  expectError("9223372036854775807 + t", "no value for t = 1");
  expectError("1 << (t - 1)", "no value for t = 0");
  expectError(std::string(100000, '('), "nests more than");
  expectError("t" + std::string(100000, ')'), "expected an operator");
}
