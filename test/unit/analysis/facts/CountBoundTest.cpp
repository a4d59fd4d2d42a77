//===- CountBoundTest.cpp -------------------------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/CountBound.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace unravel;

namespace {

enum Symbol : unsigned { W, H, C, NumSymbols };

CountBound constant(uint64_t C) { return CountBound::constant(C); }
CountBound symbol(unsigned S) { return CountBound::symbol(S); }

uint64_t valueOf(const CountBound &B, ArrayRef<uint64_t> Values) {
  return B.largestValue([&](unsigned S) { return Values[S]; });
}

TEST(CountBoundTest, SumsAndProductsAreCanonical) {
  CountBound Sum = *symbol(W).plus(constant(1));
  EXPECT_EQ(*Sum.times(symbol(H)),
            *symbol(H).plus(*symbol(H).times(symbol(W))));
  EXPECT_EQ(*Sum.plus(Sum), *Sum.times(constant(2)));
  EXPECT_EQ(Sum.constantTerm(), 1u);
  EXPECT_EQ(symbol(W).constantTerm(), 0u);
  EXPECT_TRUE(constant(0).isZero());
  EXPECT_TRUE(Sum.times(constant(0))->isZero());
}

TEST(CountBoundTest, WithoutOne) {
  EXPECT_EQ(symbol(W).plus(constant(1))->withoutOne(), symbol(W));
  EXPECT_EQ(constant(5).withoutOne(), constant(4));
  EXPECT_TRUE(constant(1).withoutOne().isZero());
  // Without a constant term there is nothing to take it from.
  EXPECT_EQ(symbol(W).withoutOne(), symbol(W));
}

TEST(CountBoundTest, LargestValueSaturates) {
  CountBound Product = *symbol(W).times(*symbol(H).times(symbol(C)));
  EXPECT_EQ(valueOf(Product, {3, 5, 7}), 105u);
  EXPECT_EQ(valueOf(*Product.plus(symbol(W)), {3, 5, 7}), 108u);
  uint64_t Large = UINT32_MAX;
  EXPECT_EQ(valueOf(Product, {Large, Large, Large}), UINT64_MAX);
  EXPECT_EQ(valueOf(*Product.plus(symbol(W)), {Large, Large, Large}),
            UINT64_MAX);
}

TEST(CountBoundTest, LimitsAreNull) {
  CountBound Power = symbol(W);
  for (int I = 0; I < 4; ++I)
    Power = *Power.times(symbol(W));
  EXPECT_FALSE(Power.times(symbol(W)));
  CountBound Many = constant(1);
  for (unsigned S : {W, H, C})
    Many = *Many.plus(symbol(S));
  EXPECT_FALSE(Many.plus(symbol(NumSymbols)));
  EXPECT_TRUE(constant(1u << 30).plus(constant(1u << 30)));
  EXPECT_FALSE(constant(1u << 31).plus(constant(1)));
  EXPECT_FALSE(constant(1u << 31).times(constant(2)));
}

TEST(CountBoundTest, IsAtMost) {
  auto Positive = [](unsigned) { return true; };
  CountBound WH = *symbol(W).times(symbol(H));
  EXPECT_TRUE(symbol(W).isAtMost(WH, Positive));
  EXPECT_TRUE(WH.plus(constant(1))->isAtMost(*WH.plus(symbol(C)), Positive));
  EXPECT_TRUE(constant(1).isAtMost(symbol(W), Positive));
  EXPECT_FALSE(WH.isAtMost(symbol(W), Positive));
  EXPECT_FALSE(symbol(W).times(constant(2))->isAtMost(symbol(W), Positive));
  // Everything is at most itself, whatever the order of its parts.
  CountBound Sum = *WH.times(symbol(C))->plus(symbol(C));
  EXPECT_TRUE(Sum.isAtMost(Sum, Positive));
  Sum = *WH.times(symbol(C))->plus(symbol(W));
  EXPECT_TRUE(Sum.isAtMost(Sum, Positive));
  // One part of the larger sum cannot stand for two of the smaller.
  EXPECT_FALSE(symbol(W).plus(symbol(H))->isAtMost(WH, Positive));
  // Where H may be 0, W is not below W*H.
  auto OnlyW = [](unsigned S) { return S == W; };
  EXPECT_FALSE(symbol(W).isAtMost(WH, OnlyW));
  EXPECT_TRUE(symbol(H).isAtMost(WH, OnlyW));
}

/// Compared with all values of a small box, on random polynomials.
TEST(CountBoundTest, IsAtMostAgreesWithEvaluation) {
  std::mt19937 Random(1);
  auto Pick = [&](unsigned N) {
    return std::uniform_int_distribution<unsigned>(0, N - 1)(Random);
  };
  auto Polynomial = [&] {
    CountBound Sum = constant(Pick(3));
    for (unsigned I = 0, N = 1 + Pick(3); I < N; ++I) {
      CountBound Product = constant(1 + Pick(2));
      for (unsigned J = Pick(3); J > 0; --J)
        Product = *Product.times(symbol(Pick(NumSymbols)));
      Sum = *Sum.plus(Product);
    }
    return Sum;
  };
  unsigned NumProved = 0;
  for (int Round = 0; Round < 20000; ++Round) {
    CountBound A = Polynomial(), B = Polynomial();
    unsigned Positive = Pick(1 << NumSymbols);
    if (!A.isAtMost(B, [&](unsigned S) { return Positive >> S & 1; }))
      continue;
    ++NumProved;
    for (unsigned P = 0; P < 64; ++P) {
      uint64_t Values[] = {P % 4, P / 4 % 4, P / 16};
      bool IsInBox = true;
      for (unsigned S = 0; S < NumSymbols; ++S)
        IsInBox &= Values[S] > 0 || !(Positive >> S & 1);
      if (!IsInBox)
        continue;
      ASSERT_LE(valueOf(A, Values), valueOf(B, Values)) << Round;
    }
  }
  EXPECT_GT(NumProved, 500u);
}

// 2^40 * 2^40 is 2^16 in 64 bits.
TEST(CountBoundTest, CoefficientsDoNotWrap) {
  CountBound Large = CountBound::constant(uint64_t(1) << 40);
  EXPECT_FALSE(Large.times(Large));
  CountBound Most = CountBound::constant(UINT64_MAX);
  EXPECT_FALSE(Most.plus(CountBound::constant(1)));
  EXPECT_TRUE(CountBound::constant(1 << 15).times(CountBound::constant(3)));
}

} // namespace
