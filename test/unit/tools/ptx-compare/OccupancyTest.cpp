//===- OccupancyTest.cpp - How many warps an SM holds ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected numbers are those of NVIDIA's calculator, cuda_occupancy.h of
// CUDA 13.0.
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/Occupancy.h"
#include "gtest/gtest.h"
#include <vector>

using namespace llvm;
using namespace unravel;

static unsigned warps(unsigned Registers, unsigned Threads,
                      unsigned SharedBytes, StringRef Arch) {
  std::optional<SmOccupancy> Found =
      occupancy(Registers, Threads, SharedBytes, Arch);
  if (!Found) {
    ADD_FAILURE() << "nothing for " << Arch.str();
    return 0;
  }
  return Found->Warps;
}

TEST(Occupancy, RegistersComeInSteps) {
  struct Step {
    unsigned Registers, Warps;
  };
  for (Step S : std::vector<Step>{{0, 64},
                                  {32, 64},
                                  {33, 48},
                                  {40, 48},
                                  {41, 40},
                                  {48, 40},
                                  {49, 32},
                                  {64, 32},
                                  {65, 24},
                                  {80, 24},
                                  {81, 16},
                                  {128, 16},
                                  {129, 8},
                                  {255, 8}})
    EXPECT_EQ(warps(S.Registers, 256, 0, "sm_90"), S.Warps) << S.Registers;
}

TEST(Occupancy, OfEachGpu) {
  struct Gpu {
    const char *Arch;
    unsigned Empty;  ///< nothing used, 256 threads
    unsigned Narrow; ///< 40 registers, 256 threads
    unsigned
        Blocks; ///< nothing used, 32 threads: as many blocks as there can be
    unsigned Shared; ///< 20,000 bytes of shared memory, 256 threads
  };
  for (const Gpu &G : std::vector<Gpu>{{"sm_70", 64, 48, 32, 32},
                                       {"sm_75", 32, 32, 16, 24},
                                       {"sm_80", 64, 48, 32, 56},
                                       {"sm_86", 48, 48, 16, 32},
                                       {"sm_87", 48, 48, 16, 48},
                                       {"sm_89", 48, 48, 24, 32},
                                       {"sm_90", 64, 48, 32, 64},
                                       {"sm_90a", 64, 48, 32, 64},
                                       {"sm_100", 64, 48, 32, 64},
                                       {"sm_103f", 64, 48, 32, 64},
                                       {"sm_110", 48, 48, 24, 48},
                                       {"sm_120", 48, 48, 24, 32},
                                       {"sm_121", 48, 48, 24, 32}}) {
    EXPECT_EQ(warps(0, 256, 0, G.Arch), G.Empty) << G.Arch;
    EXPECT_EQ(warps(40, 256, 0, G.Arch), G.Narrow) << G.Arch;
    EXPECT_EQ(warps(0, 32, 0, G.Arch), G.Blocks) << G.Arch;
    EXPECT_EQ(warps(0, 256, 20000, G.Arch), G.Shared) << G.Arch;
  }
}

TEST(Occupancy, BlocksAreWhole) {
  EXPECT_EQ(warps(0, 1024, 0, "sm_86"), 32u); // A second one does not fit.
  EXPECT_EQ(warps(16, 96, 0, "sm_90"), 63u);
  EXPECT_EQ(warps(16, 97, 0, "sm_90"), 64u); // Four warps a block.
  EXPECT_EQ(warps(72, 96, 0, "sm_90"), 27u); // 28 warps have registers.
  std::optional<SmOccupancy> Found = occupancy(72, 96, 0, "sm_90");
  EXPECT_EQ(Found->Blocks, 9u);
  EXPECT_EQ(Found->WarpSlots, 64u);
}

// 1 KB of each block is the system's: 20 blocks of 11 KB, not 22 of 10 KB.
TEST(Occupancy, SharedMemory) {
  EXPECT_EQ(occupancy(0, 32, 10 * 1024, "sm_90")->Blocks, 20u);
  EXPECT_EQ(occupancy(0, 32, 10 * 1024 + 1, "sm_90")->Blocks, 20u);
  EXPECT_EQ(occupancy(0, 32, 16 * 1024, "sm_75")->Blocks, 4u);
  EXPECT_EQ(occupancy(0, 32, 16 * 1024 + 1, "sm_75")->Blocks, 3u);
}

TEST(Occupancy, NotEvenOneBlock) {
  EXPECT_EQ(warps(65, 1024, 0, "sm_90"), 0u);
  EXPECT_EQ(warps(64, 1024, 0, "sm_90"), 32u);
  EXPECT_EQ(warps(72, 864, 0, "sm_90"), 27u);
  EXPECT_EQ(warps(72, 928, 0, "sm_90"), 0u); // 29 warps take 32 warps' room.
  EXPECT_EQ(warps(0, 256, 64 * 1024 + 1, "sm_75"), 0u);
  EXPECT_EQ(warps(0, 0, 0, "sm_90"), 0u);
  EXPECT_EQ(warps(0, 1025, 0, "sm_90"), 0u);
}

TEST(Occupancy, GpusThatItDoesNotKnow) {
  EXPECT_FALSE(occupancy(32, 256, 0, "sm_60"));
  EXPECT_FALSE(occupancy(32, 256, 0, "sm_"));
  EXPECT_FALSE(occupancy(32, 256, 0, "gfx90a"));
  EXPECT_FALSE(occupancy(32, 256, 0, ""));
}
