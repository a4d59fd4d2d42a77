//===- AccessReportTest.cpp -----------------------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Best and worst case against all values of what is not known, one by one, and
// all bytes of a request, one by one.
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/AccessReport.h"
#include "test/unit/IRTestHelper.h"
#include "test/unit/Share.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// A kernel that stores \p Type at an index: the body computes the i32 %i from
/// %t, the thread, and %n, an argument.
std::string kernel(StringRef Body, StringRef Type, StringRef Memory = "1",
                   StringRef Base = "%p") {
  return formatv(R"IR(
@s = internal addrspace(3) global [65536 x i8] zeroinitializer, align 16
define ptx_kernel void @f(ptr addrspace(1) %p, i32 %n) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  {0}
  %e = sext i32 %i to i64
  %a = getelementptr {1}, ptr addrspace({2}) {3}, i64 %e
  store {1} zeroinitializer, ptr addrspace({2}) %a
  ret void
}
)IR",
                 Body, Type, Memory, Base)
      .str();
}

std::vector<AccessReport> reportsOf(DeviceModule &M, BlockShape Block) {
  return reportAccesses(M.function(), M.analyses(), Block);
}

struct Count {
  unsigned Least = ~0u, Most = 0;
  void add(unsigned N) {
    Least = std::min(Least, N);
    Most = std::max(Most, N);
  }
};

/// The sectors of the eight warps over all \p Unknown, byte by byte.
Count countSectors(function_ref<int64_t(int64_t T, int64_t N)> Index,
                   ArrayRef<int64_t> Unknown, unsigned Width) {
  Count Result;
  for (int64_t N : Unknown)
    for (int64_t Warp = 0; Warp < 8; ++Warp) {
      std::set<int64_t> Sectors;
      for (int64_t T = 32 * Warp; T < 32 * Warp + 32; ++T)
        for (unsigned I = 0; I < Width; ++I)
          Sectors.insert(floorDiv(Index(T, N) * Width + I, 32));
      Result.add(Sectors.size());
    }
  return Result;
}

/// Wavefronts of lanes of 4 bytes, word by word.
Count countWavefronts(function_ref<int64_t(int64_t T, int64_t N)> Index,
                      ArrayRef<int64_t> Unknown) {
  Count Result;
  for (int64_t N : Unknown)
    for (int64_t Warp = 0; Warp < 8; ++Warp) {
      std::map<int64_t, std::set<int64_t>> Words;
      size_t Most = 0;
      for (int64_t T = 32 * Warp; T < 32 * Warp + 32; ++T) {
        std::set<int64_t> &OfBank = Words[floorMod(Index(T, N), 32)];
        OfBank.insert(Index(T, N));
        Most = std::max(Most, OfBank.size());
      }
      Result.add(Most);
    }
  return Result;
}

struct Rule {
  std::string Body;
  std::function<int64_t(int64_t T, int64_t N)> Index;
};

std::vector<Rule> rules() {
  std::vector<Rule> Rules;
  for (int64_t S : {-33, -4, -1, 0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64})
    for (int64_t O : {0, 1, 3, 8})
      Rules.push_back({formatv("%m = mul nsw i32 %t, {0}\n"
                               "%i = add nsw i32 %m, {1}",
                               S, O + 10000),
                       [=](int64_t T, int64_t) { return S * T + O + 10000; }});
  for (int64_t D : {1, 2, 3, 5, 8, 20, 31, 32, 75}) {
    Rules.push_back({formatv("%q = udiv i32 %t, {0}\n%m = mul i32 %q, 100\n"
                             "%r = urem i32 %t, {0}\n%i = add i32 %m, %r",
                             D),
                     [=](int64_t T, int64_t) { return T / D * 100 + T % D; }});
    // The quotient depends on what is not known: n mod d.
    Rules.push_back(
        {formatv("%u = and i32 %n, 4095\n%x = add i32 %u, %t\n"
                 "%q = sdiv i32 %x, {0}\n%m = mul i32 %q, 96\n"
                 "%r = srem i32 %x, {0}\n%i = add i32 %m, %r",
                 D),
         [=](int64_t T, int64_t N) { return (N + T) / D * 96 + (N + T) % D; }});
  }
  for (int64_t M : {1, 3, 5, 7, 8, 21, 31, 40}) {
    Rules.push_back({formatv("%i = xor i32 %t, {0}", M),
                     [=](int64_t T, int64_t) { return T ^ M; }});
    Rules.push_back({formatv("%i = and i32 %t, {0}", M),
                     [=](int64_t T, int64_t) { return T & M; }});
    Rules.push_back({formatv("%u = shl i32 %n, 3\n%x = add i32 %u, %t\n"
                             "%i = or i32 %x, {0}",
                             M),
                     [=](int64_t T, int64_t N) { return (8 * N + T) | M; }});
  }
  for (int64_t K : {1, 2, 4, 8, 12, 32})
    Rules.push_back(
        {formatv("%m = mul i32 %n, {0}\n%i = add nsw i32 %m, %t", K),
         [=](int64_t T, int64_t N) { return K * N + T; }});
  return Rules;
}

std::vector<int64_t> unknownValues() {
  std::vector<int64_t> Values;
  for (int64_t N = 0; N < 2400; ++N)
    Values.push_back(N);
  return Values;
}

} // namespace

TEST(AccessReportTest, SectorsOfAllValues) {
  for (const Rule &R : rules())
    for (auto [Type, Width] : {std::pair("i8", 1u), std::pair("i32", 4u),
                               std::pair("<4 x i32>", 16u)}) {
      if (isLeftOut())
        continue;
      SCOPED_TRACE(R.Body + " " + Type);
      DeviceModule M(kernel(R.Body, Type));
      std::vector<AccessReport> Reports = reportsOf(M, {});
      ASSERT_EQ(Reports.size(), 1u);
      const AccessReport &Report = Reports[0];
      ASSERT_EQ(Report.NotUnderstood, "");
      Count Truth = countSectors(R.Index, unknownValues(), Width);
      EXPECT_EQ(Report.Least.Sectors, Truth.Least);
      EXPECT_EQ(Report.Most.Sectors, Truth.Most);
    }
}

TEST(AccessReportTest, WavefrontsOfAllValues) {
  for (const Rule &R : rules()) {
    if (isLeftOut())
      continue;
    SCOPED_TRACE(R.Body);
    DeviceModule M(kernel(R.Body, "i32", "3", "@s"));
    std::vector<AccessReport> Reports = reportsOf(M, {});
    ASSERT_EQ(Reports.size(), 1u);
    const AccessReport &Report = Reports[0];
    ASSERT_EQ(Report.NotUnderstood, "");
    Count Truth = countWavefronts(R.Index, unknownValues());
    EXPECT_EQ(Report.Least.Wavefronts, Truth.Least);
    EXPECT_EQ(Report.Most.Wavefronts, Truth.Most);
  }
}

TEST(AccessReportTest, ShapesOfBlocks) {
  // Rows of x threads: y rows lie 1000 elements apart.
  std::string Body = "%y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                     "%m = mul i32 %y, 1000\n%i = add i32 %m, %t";
  DeviceModule M(kernel(Body, "i32"));
  struct {
    BlockShape Block;
    unsigned Sectors;
  } Cases[] = {{{32, 8, 1}, 4}, {{16, 16, 1}, 4},  {{8, 8, 4}, 4},
               {{4, 64, 1}, 8}, {{1, 256, 1}, 32}, {{256, 1, 1}, 4}};
  for (auto &Case : Cases) {
    std::vector<AccessReport> Reports = reportsOf(M, Case.Block);
    ASSERT_EQ(Reports.size(), 1u);
    EXPECT_EQ(Reports[0].Best.Sectors, Case.Sectors);
  }
}

TEST(AccessReportTest, LanesBeyondTheBlockAreInactive) {
  DeviceModule M(kernel("%i = add i32 %t, 0", "i32"));
  std::vector<AccessReport> Reports = reportsOf(M, {8, 1, 1});
  EXPECT_EQ(Reports[0].Best.ActiveLanes, 8u);
  EXPECT_EQ(Reports[0].Best.Sectors, 1u);
}

TEST(AccessReportTest, AnIndexThatWrapsKeepsDifferencesWithoutAssumptions) {
  // 256 * n + t wraps at 2^31, but not inside of a warp.
  DeviceModule M(kernel("%m = mul i32 %n, 256\n%i = add i32 %m, %t", "i32"));
  std::vector<AccessReport> Reports = reportsOf(M, {});
  EXPECT_EQ(Reports[0].Pattern, "consecutive, 4 bytes apart");
  ASSERT_EQ(Reports[0].Assumptions.size(), 1u);
  EXPECT_NE(Reports[0].Assumptions[0].find("aligned"), std::string::npos);
}

TEST(AccessReportTest, AnIndexThatMayWrapInsideOfAWarpIsAnAssumption) {
  DeviceModule M(kernel("%i = add i32 %n, %t", "i32"));
  std::vector<AccessReport> Reports = reportsOf(M, {});
  EXPECT_EQ(Reports[0].Pattern, "consecutive, 4 bytes apart");
  EXPECT_TRUE(is_contained(Reports[0].Assumptions,
                           "%i does not wrap between the lanes of a warp"));
  // A flag says so: nothing is assumed.
  DeviceModule Proved(kernel("%i = add nsw i32 %n, %t", "i32"));
  Reports = reportsOf(Proved, {});
  EXPECT_EQ(Reports[0].Assumptions.size(), 1u);
}

TEST(AccessReportTest, TooManyClassesAreNotUnderstood) {
  std::string Body = "%x = add i32 %n, %t\n%y = mul i32 %x, %x\n"
                     "%q = sdiv i32 %x, 9973\n%r = srem i32 %x, 9967\n"
                     "%i = add i32 %q, %r";
  DeviceModule M(kernel(Body, "i32"));
  std::vector<AccessReport> Reports = reportsOf(M, {});
  EXPECT_NE(Reports[0].NotUnderstood.find("too many residues"),
            std::string::npos);
  EXPECT_FALSE(Reports[0].HasCost);
}

TEST(AccessReportTest, LongChainsEnd) {
  std::string Body = "%x0 = add i32 %n, %t\n";
  for (unsigned I = 1; I < 5000; ++I)
    Body += formatv("%x{0} = xor i32 %x{1}, {0}\n", I, I - 1).str();
  Body += "%i = add i32 %x4999, 0";
  DeviceModule M(kernel(Body, "i32"));
  EXPECT_NE(reportsOf(M, {})[0].NotUnderstood, "");
}

TEST(AccessReportTest, BlockOfAttributes) {
  DeviceModule M("define ptx_kernel void @a() \"nvvm.reqntid\"=\"16,8\" {\n"
                 "  ret void\n}\n"
                 "define ptx_kernel void @b() \"nvvm.maxntid\"=\"512\" {\n"
                 "  ret void\n}\n"
                 "define ptx_kernel void @c() \"nvvm.reqntid\"=\"x\" {\n"
                 "  ret void\n}\n");
  std::optional<KnownBlock> A = blockOf(M.function("a"));
  ASSERT_TRUE(A);
  EXPECT_TRUE(A->IsExact);
  EXPECT_EQ(A->Shape.threads(), 128u);
  std::optional<KnownBlock> B = blockOf(M.function("b"));
  ASSERT_TRUE(B);
  EXPECT_FALSE(B->IsExact);
  EXPECT_FALSE(blockOf(M.function("c")));
}
