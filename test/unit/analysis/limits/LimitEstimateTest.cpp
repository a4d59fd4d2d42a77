//===- LimitEstimateTest.cpp - Which resource bounds a kernel -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures of a GPU with round rates, by hand: a clock has 10 bytes of DRAM.
//
//===----------------------------------------------------------------------===//

#include "analysis/limits/LimitEstimate.h"
#include "analysis/limits/LimitText.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

static constexpr GpuRates Round = {"round", 10,  1000, 100, 64,
                                   64,      128, 128,  32,  16};

static LimitEstimate estimate(const WarpWork &Work) {
  return estimateLimits(Round, Work);
}

static void expectRange(WorkRange R, double Low, double High) {
  EXPECT_DOUBLE_EQ(R.Low, Low);
  EXPECT_DOUBLE_EQ(R.High, High);
}

/// The only bound, or nothing.
static std::optional<Resource> boundOf(const LimitEstimate &E) {
  auto Bounds = E.bounds();
  return Bounds.size() == 1 ? std::optional(Bounds[0]) : std::nullopt;
}

TEST(LimitEstimate, Rates) {
  EXPECT_DOUBLE_EQ(Round.dramBytesPerClock(), 10);
  ASSERT_EQ(gpuRates().size(), 3u);
  // 1555e9 / (108 * 1.41e9), 3350e9 / (132 * 1.98e9), 8e12 / (148 * 1.965e9)
  EXPECT_NEAR(gpuRates()[0].dramBytesPerClock(), 10.21, 0.01);
  EXPECT_NEAR(gpuRates()[1].dramBytesPerClock(), 12.82, 0.01);
  EXPECT_NEAR(gpuRates()[2].dramBytesPerClock(), 27.51, 0.01);
}

TEST(LimitEstimate, Nothing) {
  LimitEstimate E = estimate({});
  EXPECT_TRUE(E.isEmpty());
  EXPECT_TRUE(E.bounds().empty());
  expectRange(E.share(Resource::Issue), 0, 0);
  expectRange(E.IndexGain, 1, 1);
}

// Each pipe by itself: 8 instructions of 32 lanes.
TEST(LimitEstimate, Pipes) {
  auto CyclesOf = [](double PipeCounts::*Pipe, Resource R) {
    WarpWork Work;
    Work.Rest.*Pipe = 8;
    LimitEstimate E = estimate(Work);
    EXPECT_EQ(E[R].Low, E[R].High);
    expectRange(E[Resource::Issue], 2, 2);
    EXPECT_EQ(E.Time.High, std::max(2.0, E[R].High));
    return E[R].Low;
  };
  EXPECT_EQ(CyclesOf(&PipeCounts::Integer, Resource::Integer), 4);
  EXPECT_EQ(CyclesOf(&PipeCounts::Multiply, Resource::Fp32), 4);
  EXPECT_EQ(CyclesOf(&PipeCounts::Fp32, Resource::Fp32), 2);
  EXPECT_EQ(CyclesOf(&PipeCounts::Fp16, Resource::Fp16), 2);
  EXPECT_EQ(CyclesOf(&PipeCounts::Fp64, Resource::Fp64), 8);
  EXPECT_EQ(CyclesOf(&PipeCounts::Special, Resource::Special), 16);
  EXPECT_EQ(CyclesOf(&PipeCounts::Other, Resource::Issue), 2);
}

// Multiplications share the pipe of FP32, and have half of it.
TEST(LimitEstimate, Multiplications) {
  WarpWork Work;
  Work.Index.Multiply = 4;
  Work.Rest.Fp32 = 8;
  expectRange(estimate(Work)[Resource::Fp32], 3, 3); // 12 of 4 a clock
  Work.Rest.Fp32 = 2;
  expectRange(estimate(Work)[Resource::Fp32], 2, 2); // 4 of 2 a clock
}

// Sums go to either pipe. 12 plain instructions and 4 multiplications: at most
// 4 sums move, so that there are 8 each.
TEST(LimitEstimate, Sums) {
  WarpWork Work;
  Work.Index.Integer = 2;
  Work.Index.Sum = 10;
  Work.Index.Multiply = 4;
  LimitEstimate E = estimate(Work);
  expectRange(E[Resource::Integer], 4, 6);
  expectRange(E[Resource::Fp32], 2, 4);
  expectRange(E.Time, 4, 6); // 16 are issued in 4 clocks
  EXPECT_EQ(E.bounds().size(), 3u);
  // All of few sums move, and none to a pipe that has more to do.
  Work.Index.Integer = 9;
  Work.Index.Sum = 3;
  expectRange(estimate(Work)[Resource::Integer], 4.5, 6);
  expectRange(estimate(Work)[Resource::Fp32], 2, 3.5);
  Work.Index.Multiply = 20;
  expectRange(estimate(Work)[Resource::Integer], 6, 6);
  expectRange(estimate(Work)[Resource::Fp32], 10, 10);
}

// The gain is most with the sums in one pipe and little traffic.
TEST(LimitEstimate, GainOfRanges) {
  WarpWork Work;
  Work.Index.Sum = 40; // 10 to 20 clocks
  Work.DramBytes = {50, 160};
  LimitEstimate E = estimate(Work);
  expectRange(E.Time, 10, 20);
  expectRange(E.IndexGain, 1, 4);
  Work.DramBytes = {50, 80};
  expectRange(estimate(Work).IndexGain, 1.25, 4);
}

TEST(LimitEstimate, OnlyIntegers) {
  WarpWork Work;
  Work.Index.Integer = 10;
  LimitEstimate E = estimate(Work);
  EXPECT_EQ(boundOf(E), Resource::Integer);
  expectRange(E.Time, 5, 5);
  expectRange(E.share(Resource::Issue), 0.5, 0.5);
  EXPECT_TRUE(std::isinf(E.IndexGain.Low));
}

// 8 cycles of integers and 4 of memory: without integers it takes half.
TEST(LimitEstimate, Gain) {
  WarpWork Work;
  Work.Index.Integer = 16;
  Work.Wavefronts = {4, 4};
  LimitEstimate E = estimate(Work);
  EXPECT_EQ(boundOf(E), Resource::Integer);
  expectRange(E.IndexGain, 2, 2);
  expectRange(E.share(Resource::L1), 0.5, 0.5);
  // Below the bound, integers gain nothing.
  Work.DramBytes = {80, 80};
  expectRange(estimate(Work).IndexGain, 1, 1);
  Work.DramBytes = {90, 90};
  EXPECT_EQ(boundOf(estimate(Work)), Resource::Dram);
}

// Issue slots go, too: 8 integers and 8 others issue in 4 clocks, 2 without.
TEST(LimitEstimate, GainOfIssueSlots) {
  WarpWork Work;
  Work.Index.Integer = 4;
  Work.Index.Multiply = 4;
  Work.Rest.Other = 8;
  LimitEstimate E = estimate(Work);
  EXPECT_EQ(boundOf(E), Resource::Issue);
  expectRange(E.IndexGain, 2, 2);
}

TEST(LimitEstimate, UncertainBound) {
  WarpWork Work;
  Work.Index.Integer = 20; // 10 clocks
  Work.DramBytes = {50, 400};
  LimitEstimate E = estimate(Work);
  ASSERT_EQ(E.bounds().size(), 2u);
  EXPECT_EQ(E.bounds()[0], Resource::Dram); // 5 to 40 clocks
  EXPECT_EQ(E.bounds()[1], Resource::Integer);
  expectRange(E.Time, 10, 40);
  expectRange(E.IndexGain, 1, 2);
  expectRange(E.share(Resource::Dram), 0.5, 1);
  expectRange(E.share(Resource::Integer), 0.25, 1);
}

// A range that crosses no other resource leaves the bound certain.
TEST(LimitEstimate, CertainBoundOfARange) {
  WarpWork Work;
  Work.Index.Integer = 2;
  Work.Wavefronts = {4, 32};
  EXPECT_EQ(boundOf(estimate(Work)), Resource::L1);
  Work.Wavefronts = {0, 0.5};
  EXPECT_EQ(boundOf(estimate(Work)), Resource::Integer);
}

TEST(LimitEstimate, TimeRatio) {
  WarpWork Before, After;
  Before.Index.Integer = 20;
  After.Index.Integer = 4;
  Before.DramBytes = After.DramBytes = {40, 200};
  // 10 to 20 clocks against 4 to 20, with the same traffic.
  expectRange(timeRatio(estimate(Before), estimate(After)), 0.4, 1);
  // 5 to 20 clocks against 4 to 20, but 5 to 10 with little traffic.
  Before.Index = {};
  Before.Index.Sum = 20;
  expectRange(timeRatio(estimate(Before), estimate(After)), 0.4, 1);
  Before.Index = {};
  Before.Index.Integer = 20;
  After.DramBytes = {40, 100};
  // Other traffic: 4 to 10 clocks by 10 to 20.
  expectRange(timeRatio(estimate(Before), estimate(After)), 0.2, 1);
}

TEST(LimitText, EveryLineSaysEstimate) {
  WarpWork Empty, Integers, Uncertain;
  Integers.Index.Integer = 10;
  Uncertain.Index.Integer = 20;
  Uncertain.DramBytes = {50, 4000};
  Uncertain.NotUnderstood = 2;
  KernelEstimate Refused;
  Refused.NotEstimated = "it calls f";
  KernelEstimate All[] = {limitsOf(Empty), limitsOf(Integers),
                          limitsOf(Uncertain), Refused};
  for (const KernelEstimate &A : All) {
    for (const std::string &Line : linesOf(A))
      EXPECT_TRUE(StringRef(Line).contains("estimate")) << Line;
    for (const KernelEstimate &B : All)
      for (const std::string &Line : linesOf(A, B))
        EXPECT_TRUE(StringRef(Line).contains("estimate")) << Line;
  }
  EXPECT_EQ(linesOf(All[0])[1], "estimate for sm_90: nothing that takes time");
  EXPECT_EQ(linesOf(All[1])[1],
            "estimate for sm_90: bound by integer pipe; issue rate 0.50, L1 "
            "wavefronts 0.00, DRAM bytes 0.00 of the time; index arithmetic is "
            "all of it");
  EXPECT_EQ(linesOf(All[3]),
            std::vector<std::string>{"no estimate: it calls f"});
  EXPECT_TRUE(StringRef(linesOf(All[2])[0])
                  .ends_with("2 accesses not "
                             "understood"));
}
