//===- MultipliersTest.cpp - All multipliers of narrow words --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every multiplier and shift for words of few bits, against the division
// itself: what is found divides every dividend, and nothing that does is
// missed.
//
//===----------------------------------------------------------------------===//

#include "ptx/raise/Multipliers.h"
#include "llvm/Support/DivisionByConstantInfo.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel::ptx;

namespace {

APInt number(uint64_t Value) { return APInt(64, Value); }

bool dividesAll(uint64_t D, uint64_t M, unsigned Shift, uint64_t Highest) {
  for (uint64_t X = 0; X <= Highest; ++X)
    if ((X * M) >> Shift != X / D)
      return false;
  return true;
}

/// floor(x * M / 2^Shift) + (x < 0), rounded to zero.
bool dividesAllSigned(int64_t D, int64_t M, unsigned Shift, unsigned Width) {
  int64_t End = int64_t(1) << (Width - 1);
  for (int64_t X = -End; X < End; ++X)
    if (((X * M) >> Shift) + (X < 0) != X / D)
      return false;
  return true;
}

TEST(Multipliers, UnsignedAreFoundIfAndOnlyIfTheyDivide) {
  unsigned NumFound = 0;
  for (uint64_t Highest : {1, 2, 6, 7, 31, 40, 63, 255})
    for (unsigned Shift = 0; Shift <= 18; ++Shift)
      for (uint64_t M = 1; M <= 600; ++M) {
        auto D = unsignedDivisor(number(M), Shift, number(Highest));
        if (D) {
          ++NumFound;
          ASSERT_GT(D->getZExtValue(), 1u);
          ASSERT_TRUE(dividesAll(D->getZExtValue(), M, Shift, Highest))
              << "M " << M << " shift " << Shift << " highest " << Highest;
          continue;
        }
        // Divisors above the highest dividend all give 0; one is enough.
        for (uint64_t Other = 2; Other <= Highest; ++Other)
          ASSERT_FALSE(dividesAll(Other, M, Shift, Highest))
              << "M " << M << " shift " << Shift << " divides by " << Other;
      }
  EXPECT_GT(NumFound, 1000u);
}

TEST(Multipliers, SignedAreFoundIfAndOnlyIfTheyDivide) {
  unsigned NumFound = 0;
  for (unsigned Width = 3; Width <= 8; ++Width)
    for (unsigned Shift = Width; Shift <= 2 * Width + 2; ++Shift)
      for (uint64_t M = 1; M < (2u << Width); ++M) {
        auto D = signedDivisor(number(M), Shift, Width);
        if (D) {
          ++NumFound;
          // No word has larger divisors; who asks refuses them.
          if (D->getActiveBits() < Width) {
            ASSERT_TRUE(dividesAllSigned(D->getZExtValue(), M, Shift, Width))
                << "M " << M << " shift " << Shift << " width " << Width;
          }
          continue;
        }
        for (int64_t Other = 2; Other < int64_t(1) << (Width - 1); ++Other)
          ASSERT_FALSE(dividesAllSigned(Other, M, Shift, Width))
              << "M " << M << " shift " << Shift << " divides by " << Other;
      }
  EXPECT_GT(NumFound, 300u);
}

/// What LLVM writes for a division of words of 32 and 64 bits.
TEST(Multipliers, FindTheDivisorsOfLLVM) {
  for (unsigned Width : {32u, 64u})
    for (uint64_t D : {3u, 5u, 7u, 9u, 10u, 11u, 13u, 14u, 28u, 100u, 641u,
                       1000u, 65535u, 1000003u, 4294967u}) {
      auto Signed = SignedDivisionByConstantInfo::get(APInt(Width, D));
      auto FoundSigned = signedDivisor(Signed.Magic.zext(2 * Width),
                                       Width + Signed.ShiftAmount, Width);
      ASSERT_TRUE(FoundSigned) << D;
      EXPECT_EQ(FoundSigned->getZExtValue(), D);
      auto Unsigned = UnsignedDivisionByConstantInfo::get(APInt(Width, D));
      if (Unsigned.PreShift)
        continue; // of a dividend that is smaller
      APInt Magic = Unsigned.Magic.zext(2 * Width);
      unsigned Shift = Width + Unsigned.PostShift;
      if (Unsigned.IsAdd) {
        Magic.setBit(Width);
        ++Shift;
      }
      auto Found = unsignedDivisor(Magic, Shift, APInt::getAllOnes(Width));
      ASSERT_TRUE(Found) << D;
      EXPECT_EQ(Found->getZExtValue(), D);
    }
}

TEST(Multipliers, NumbersThatAreTooLargeAreRefused) {
  EXPECT_FALSE(unsignedDivisor(APInt::getAllOnes(128), 130, number(5)));
  EXPECT_FALSE(unsignedDivisor(number(0), 32, number(5)));
  EXPECT_FALSE(unsignedDivisor(number(1), 32, APInt::getAllOnes(200)));
  EXPECT_FALSE(unsignedDivisor(number(3), 4000, number(5)));
}

} // namespace
