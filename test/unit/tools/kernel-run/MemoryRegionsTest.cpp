//===- MemoryRegionsTest.cpp - Which accesses are legal -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/machine/MemoryRegions.h"
#include "tools/kernel-run/machine/Machine.h"
#include "gtest/gtest.h"

using namespace unravel;

namespace {

TEST(MemoryRegionsTest, FindsWhatHoldsAllBytes) {
  MemoryRegions Regions;
  EXPECT_EQ(Regions.find(100, 1), nullptr);
  EXPECT_EQ(Regions.nearest(100), nullptr);
  Regions.add({1000, 16, MemorySpace::Global, "b"});
  Regions.add({100, 8, MemorySpace::Global, "a"});
  EXPECT_EQ(Regions.find(99, 1), nullptr);
  ASSERT_NE(Regions.find(100, 8), nullptr);
  EXPECT_EQ(Regions.find(100, 8)->Name, "a");
  EXPECT_EQ(Regions.find(100, 9), nullptr);
  EXPECT_EQ(Regions.find(101, 8), nullptr);
  EXPECT_EQ(Regions.find(107, 1)->Name, "a");
  EXPECT_EQ(Regions.find(108, 1), nullptr);
  EXPECT_EQ(Regions.find(1015, 1)->Name, "b");
  // Sizes and addresses at the end of the range of numbers.
  EXPECT_EQ(Regions.find(100, ~uint64_t(0)), nullptr);
  EXPECT_EQ(Regions.find(~uint64_t(0), 2), nullptr);
}

TEST(MemoryRegionsTest, NamesTheNearestOne) {
  MemoryRegions Regions;
  Regions.add({100, 8, MemorySpace::Global, "a"});
  Regions.add({1000, 16, MemorySpace::Global, "b"});
  EXPECT_EQ(describeAddress(99, *Regions.nearest(99)),
            "byte -1 of a, which has 8 bytes");
  EXPECT_EQ(describeAddress(108, *Regions.nearest(108)),
            "byte 8 of a, which has 8 bytes");
  EXPECT_EQ(Regions.nearest(553)->Name, "a");
  EXPECT_EQ(Regions.nearest(554)->Name, "b");
  EXPECT_EQ(distance(*Regions.nearest(1003), 1003), 0u);
}

TEST(MemoryRegionsTest, AlignsToNoMoreThanAsked) {
  for (uint64_t Align = 1; Align <= 4096; Align *= 2)
    for (uint64_t From : {uint64_t(0), uint64_t(1), Align, 2 * Align - 1,
                          3 * Align + 1, uint64_t(12345)}) {
      uint64_t Address = alignExactly(From, Align);
      EXPECT_GE(Address, From);
      EXPECT_LT(Address - From, 2 * Align);
      EXPECT_EQ(Address % (2 * Align), Align);
    }
}

TEST(LocalMemoryTest, IsAStackWithGaps) {
  std::vector<uint8_t> Storage(4096);
  uint64_t Begin = reinterpret_cast<uintptr_t>(Storage.data());
  LocalMemory Local(Begin, Storage.size());
  uint64_t First = Local.allocate(8, 4, 0), Second = Local.allocate(16, 8, 1);
  ASSERT_NE(First, 0u);
  ASSERT_NE(Second, 0u);
  EXPECT_TRUE(Local.holds(First, 8));
  EXPECT_FALSE(Local.holds(First, 9));
  EXPECT_FALSE(Local.holds(First + 8, 1));
  EXPECT_FALSE(Local.holds(Second - 1, 1));
  EXPECT_TRUE(Local.holds(Second + 15, 1));
  EXPECT_EQ(*reinterpret_cast<uint8_t *>(Second), FillPattern);
  EXPECT_EQ(Local.depth(), 2u);
  Local.release(1);
  EXPECT_FALSE(Local.holds(Second, 1));
  EXPECT_EQ(Local.allocate(16, 8, 1), Second);
  // No room, also for sizes that overflow.
  EXPECT_EQ(Local.allocate(4096, 1, 2), 0u);
  EXPECT_EQ(Local.allocate(~uint64_t(0) - 8, 1, 2), 0u);
}

TEST(SpecialRegistersTest, ThreadsAndBlocksCountWithXFirst) {
  SpecialRegisters R;
  R.BlockExtent = {5, 3, 4};
  R.GridExtent = {0x7fffffff, 65535, 65535};
  R.setThread(5 * 3 * 2 + 5 * 1 + 4);
  EXPECT_EQ(R.Thread, (std::array<uint32_t, 3>{4, 1, 2}));
  EXPECT_EQ(R.Lane, 7u);
  EXPECT_EQ(R.Warp, 1u);
  uint64_t Last = uint64_t(0x7fffffff) * 65535 * 65535 - 1;
  R.setBlock(Last);
  EXPECT_EQ(R.Block, (std::array<uint32_t, 3>{0x7ffffffe, 65534, 65534}));
  EXPECT_EQ(*R.find("ctaid.z"), 65534u);
  EXPECT_EQ(R.find("clock"), nullptr);
  EXPECT_EQ(R.find("tid.w"), nullptr);
}

} // namespace
