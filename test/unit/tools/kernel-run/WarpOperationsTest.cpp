//===- WarpOperationsTest.cpp - Shuffles, votes, matches, reductions ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/machine/WarpOperations.h"
#include "gtest/gtest.h"
#include <random>

using namespace unravel;

namespace {

using Lanes = std::array<WarpOperand, WarpSize>;
constexpr uint32_t All = 0xffffffff;

Lanes randomLanes(unsigned Seed, uint64_t Limit) {
  std::mt19937_64 Engine(Seed);
  Lanes Result;
  for (WarpOperand &Lane : Result)
    Lane.Value = Engine() % Limit;
  return Result;
}

/// CUDA's description of a shuffle with a width: the lane that is read, or the
/// own one beyond the end of the segment.
int cudaSource(WarpOperation Operation, int Lane, int Distance, int Width) {
  int First = Lane / Width * Width, End = First + Width;
  switch (Operation) {
  case WarpOperation::ShuffleUp:
    return Lane - Distance >= First ? Lane - Distance : Lane;
  case WarpOperation::ShuffleDown:
    return Lane + Distance < End ? Lane + Distance : Lane;
  case WarpOperation::ShuffleButterfly:
    // Lanes of earlier segments may be read.
    return (Lane ^ Distance) < End ? Lane ^ Distance : Lane;
  default:
    return First + Distance % Width;
  }
}

TEST(WarpOperationsTest, ShufflesAreThoseOfCUDA) {
  for (WarpOperation Operation :
       {WarpOperation::ShuffleUp, WarpOperation::ShuffleDown,
        WarpOperation::ShuffleButterfly, WarpOperation::ShuffleIndex})
    for (int Width : {1, 2, 4, 8, 16, 32})
      for (int Distance = 0; Distance != 32; ++Distance) {
        Lanes Operands = randomLanes(Distance, uint64_t(1) << 32);
        // As the headers of CUDA pass the width.
        uint32_t Clamp = (32 - Width) << 8 |
                         (Operation == WarpOperation::ShuffleUp ? 0 : 31);
        for (WarpOperand &O : Operands) {
          O.Lane = Distance;
          O.Clamp = Clamp;
        }
        for (int Lane = 0; Lane != 32; ++Lane) {
          uint64_t Result = warpResult(Operation, All, Operands, Lane);
          int Source = cudaSource(Operation, Lane, Distance, Width);
          EXPECT_EQ(uint32_t(Result), Operands[Source].Value)
              << unsigned(Operation) << " width " << Width << " distance "
              << Distance << " lane " << Lane;
        }
      }
}

TEST(WarpOperationsTest, PredicatesTellTheEndOfTheSegment) {
  Lanes Operands = randomLanes(1, 100);
  for (WarpOperand &O : Operands)
    O.Lane = 3, O.Clamp = 24 << 8 | 31;
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    EXPECT_EQ(
        (warpResult(WarpOperation::ShuffleDown, All, Operands, Lane) >> 32) & 1,
        Lane % 8 + 3 < 8);
}

TEST(WarpOperationsTest, ALaneThatIsNotThereHasThePattern) {
  Lanes Operands = randomLanes(2, 100);
  for (WarpOperand &O : Operands)
    O.Lane = 1, O.Clamp = 31;
  uint32_t Present = 0b0101;
  EXPECT_EQ(
      uint32_t(warpResult(WarpOperation::ShuffleDown, Present, Operands, 0)),
      0xA5A5A5A5);
}

TEST(WarpOperationsTest, Votes) {
  Lanes Operands = {};
  Operands[1].Value = Operands[4].Value = 1;
  auto Vote = [&](WarpOperation Operation, uint32_t Present) {
    return warpResult(Operation, Present, Operands, 1);
  };
  EXPECT_EQ(Vote(WarpOperation::VoteBallot, All), 0b10010u);
  EXPECT_EQ(Vote(WarpOperation::VoteBallot, 0b11), 0b10u);
  EXPECT_EQ(Vote(WarpOperation::VoteAll, All), 0u);
  EXPECT_EQ(Vote(WarpOperation::VoteAll, 0b10010), 1u);
  EXPECT_EQ(Vote(WarpOperation::VoteAny, All), 1u);
  EXPECT_EQ(Vote(WarpOperation::VoteAny, 0b101), 0u);
  EXPECT_EQ(Vote(WarpOperation::VoteUniform, All), 0u);
  EXPECT_EQ(Vote(WarpOperation::VoteUniform, 0b101), 1u);
  EXPECT_EQ(Vote(WarpOperation::VoteUniform, 0b10010), 1u);
  EXPECT_EQ(Vote(WarpOperation::ActiveMask, 0b101), 0b101u);
}

TEST(WarpOperationsTest, Matches) {
  Lanes Operands = {};
  Operands[1].Value = Operands[4].Value = uint64_t(7) << 40;
  EXPECT_EQ(warpResult(WarpOperation::MatchAny, All, Operands, 4), 0b10010u);
  EXPECT_EQ(warpResult(WarpOperation::MatchAny, 0b11110, Operands, 4),
            0b10010u);
  EXPECT_EQ(warpResult(WarpOperation::MatchAny, 0b11110, Operands, 3), 0b1100u);
  EXPECT_EQ(warpResult(WarpOperation::MatchAll, All, Operands, 4), 0u);
  EXPECT_EQ(warpResult(WarpOperation::MatchAll, 0b10010, Operands, 4),
            0b10010u | WarpPredicate);
}

TEST(WarpOperationsTest, Reductions) {
  Lanes Operands = {};
  Operands[3].Value = 0xfffffff6; // -10
  Operands[5].Value = 6;
  Operands[7].Value = 12;
  uint32_t Present = 1 << 3 | 1 << 5 | 1 << 7;
  auto Reduce = [&](WarpOperation Operation) {
    return warpResult(Operation, Present, Operands, 5);
  };
  EXPECT_EQ(Reduce(WarpOperation::ReduceAdd), 8u);
  EXPECT_EQ(Reduce(WarpOperation::ReduceAnd), 4u);
  EXPECT_EQ(Reduce(WarpOperation::ReduceOr), 0xfffffffeu);
  EXPECT_EQ(Reduce(WarpOperation::ReduceXor), 0xfffffffcu);
  EXPECT_EQ(Reduce(WarpOperation::ReduceMin), 0xfffffff6u);
  EXPECT_EQ(Reduce(WarpOperation::ReduceMax), 12u);
  EXPECT_EQ(Reduce(WarpOperation::ReduceUnsignedMin), 6u);
  EXPECT_EQ(Reduce(WarpOperation::ReduceUnsignedMax), 0xfffffff6u);
  EXPECT_EQ(Reduce(WarpOperation::Elect), 3u);
  EXPECT_EQ(warpResult(WarpOperation::Elect, Present, Operands, 3),
            3u | WarpPredicate);
}

TEST(WarpOperationsTest, Names) {
  EXPECT_EQ(warpOperationNamed("shfl.sync.bfly"),
            WarpOperation::ShuffleButterfly);
  EXPECT_EQ(warpOperationNamed("redux.sync.umin"),
            WarpOperation::ReduceUnsignedMin);
  EXPECT_EQ(warpOperationNamed("shfl.bfly"), std::nullopt);
}

} // namespace
