//===- SpecialRegistersTest.cpp - What a launch says of its registers -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/SpecialRegisters.h"
#include "test/unit/IRTestHelper.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

const char *const Families[] = {"tid", "ntid", "ctaid", "nctaid"};
const char *const Dimensions[] = {"x", "y", "z"};

/// A kernel that reads all registers, with function attributes.
std::string kernelWith(StringRef Attributes) {
  std::string Text = "define ptx_kernel void @f() " + Attributes.str() + " {\n";
  Text += "entry:\n";
  for (const char *Family : Families)
    for (const char *D : Dimensions)
      Text +=
          formatv("%{0}.{1} = call i32 @llvm.nvvm.read.ptx.sreg.{0}.{1}()\n",
                  Family, D);
  return Text + "%warp = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()\n"
                "ret void\n}";
}

using Bounds = std::vector<Interval>; ///< x, y, z

/// The launch ranges of tid (from those of ntid) and ntid.
void expectBlock(StringRef Attributes, const Bounds &Sizes) {
  SCOPED_TRACE(Attributes.str());
  DeviceModule M(kernelWith(Attributes));
  AnalysedFunction A(M);
  for (unsigned D = 0; D < 3; ++D) {
    std::string Name = Dimensions[D];
    EXPECT_EQ(launchRange(A.value("ntid." + Name)), Sizes[D]) << Name;
    EXPECT_EQ(launchRange(A.value("tid." + Name)),
              Interval(0, Sizes[D].hi() - 1))
        << Name;
    EXPECT_EQ(A.Facts.rangeOf(A.value("tid." + Name), Reading::Signed),
              Interval(0, Sizes[D].hi() - 1))
        << Name;
  }
}

const Interval One(1, 1);
const Bounds AnyBlock = {{1, 1024}, {1, 1024}, {1, 64}};

TEST(LaunchRange, LimitsOfTheModel) {
  expectBlock("", AnyBlock);
  DeviceModule M(kernelWith(""));
  AnalysedFunction A(M);
  EXPECT_EQ(launchRange(A.value("nctaid.x")), Interval(1, INT32_MAX));
  EXPECT_EQ(launchRange(A.value("ctaid.x")), Interval(0, INT32_MAX - 1));
  for (const char *D : {"y", "z"}) {
    EXPECT_EQ(launchRange(A.value(std::string("nctaid.") + D)),
              Interval(1, 65535));
    EXPECT_EQ(launchRange(A.value(std::string("ctaid.") + D)),
              Interval(0, 65534));
  }
  EXPECT_FALSE(launchRange(A.value("warp")));
}

TEST(LaunchRange, RequiredBlockIsExact) {
  expectBlock("\"nvvm.reqntid\"=\"128\"", {{128, 128}, One, One});
  expectBlock("\"nvvm.reqntid\"=\"16,8\"", {{16, 16}, {8, 8}, One});
  expectBlock("\"nvvm.reqntid\"=\"16, 8, 2\"", {{16, 16}, {8, 8}, {2, 2}});
  expectBlock("\"nvvm.reqntid\"=\"32\" \"nvvm.maxntid\"=\"256\"",
              {{32, 32}, One, One});
}

/// The numbers bound the threads of a block: any of its shapes may be used.
TEST(LaunchRange, MaximalBlockBoundsTheProduct) {
  expectBlock("\"nvvm.maxntid\"=\"256\"", {{1, 256}, {1, 256}, {1, 64}});
  expectBlock("\"nvvm.maxntid\"=\"16,8\"", {{1, 128}, {1, 128}, {1, 64}});
  expectBlock("\"nvvm.maxntid\"=\"4,2,4\"", {{1, 32}, {1, 32}, {1, 32}});
  // Never more than the hardware has; products do not overflow.
  expectBlock("\"nvvm.maxntid\"=\"2048\"", AnyBlock);
  expectBlock("\"nvvm.maxntid\"=\"2147483647,2147483647,2147483647\"",
              AnyBlock);
}

TEST(LaunchRange, MalformedAttributesSayNothing) {
  for (const char *Value :
       {"", "x", "128x", "0", "-1", "128,0", "16,y,1", "4294967296", "1.5"}) {
    expectBlock(formatv("\"nvvm.reqntid\"=\"{0}\"", Value).str(), AnyBlock);
    expectBlock(formatv("\"nvvm.maxntid\"=\"{0}\"", Value).str(), AnyBlock);
  }
}

/// A kernel that reads registers of clusters and of the grid.
std::string kernelInClusters(StringRef Size) {
  std::string Text = "define ptx_kernel void @f() \"nvvm.cluster_dim\"=\"" +
                     Size.str() + "\" {\nentry:\n";
  for (const char *Register :
       {"cluster.ctaid.x", "cluster.ctaid.y", "cluster.nctaid.x",
        "cluster.nctaid.y", "cluster.nctaid.z", "clusterid.x", "clusterid.y",
        "nclusterid.x", "cluster.ctarank", "cluster.nctarank", "ctaid.y",
        "nctaid.x", "nctaid.y", "nctaid.z"})
    Text +=
        formatv("%{0} = call i32 @llvm.nvvm.read.ptx.sreg.{0}()\n", Register);
  return Text + "ret void\n}";
}

/// Whole clusters make the grid.
TEST(LaunchRange, Clusters) {
  DeviceModule M(kernelInClusters("4, 6"));
  AnalysedFunction A(M);
  auto Range = [&](StringRef Name) { return launchRange(A.value(Name)); };
  EXPECT_EQ(Range("cluster.ctaid.x"), Interval(0, 3));
  EXPECT_EQ(Range("cluster.ctaid.y"), Interval(0, 5));
  EXPECT_EQ(Range("cluster.nctaid.x"), Interval(4, 4));
  EXPECT_EQ(Range("cluster.nctaid.y"), Interval(6, 6));
  EXPECT_EQ(Range("cluster.nctaid.z"), One);
  EXPECT_EQ(Range("cluster.ctarank"), Interval(0, 23));
  EXPECT_EQ(Range("cluster.nctarank"), Interval(24, 24));
  EXPECT_EQ(Range("clusterid.y"), Interval(0, 65535 / 6 - 1));
  EXPECT_EQ(Range("nclusterid.x"), Interval(1, INT32_MAX / 4));
  EXPECT_EQ(Range("nctaid.y"), Interval(6, 65532));
  EXPECT_EQ(Range("ctaid.y"), Interval(0, 65531));
  EXPECT_EQ(launchLattice(A.value("nctaid.x")), Congruence::of(4, 0));
  EXPECT_EQ(A.Facts.latticeOf(A.value("nctaid.y")), Congruence::of(6, 0));
}

TEST(LaunchRange, Clusters_negative) {
  for (const char *Size : {"", "0", "4,x", "4,65536", "-2"}) {
    SCOPED_TRACE(Size);
    DeviceModule M(kernelInClusters(Size));
    AnalysedFunction A(M);
    auto Range = [&](StringRef Name) { return launchRange(A.value(Name)); };
    EXPECT_EQ(Range("cluster.nctaid.y"), Interval(1, 65535));
    EXPECT_EQ(Range("cluster.ctaid.y"), Interval(0, 65534));
    EXPECT_EQ(Range("clusterid.y"), Interval(0, 65534));
    EXPECT_EQ(Range("nctaid.y"), Interval(1, 65535));
    EXPECT_EQ(launchLattice(A.value("nctaid.y")), Congruence());
  }
  DeviceModule M(kernelInClusters("4,6"));
  AnalysedFunction A(M);
  for (const char *Name : {"nctaid.z", "ctaid.y", "clusterid.x"})
    EXPECT_TRUE(launchLattice(A.value(Name)).isTrivial()) << Name;
}

TEST(LaunchRange, OnlyRegisters) {
  DeviceModule M("define void @f(i32 %x) {\nentry:\n%a = add i32 %x, 1\n"
                 "%b = call i32 @llvm.umin.i32(i32 %x, i32 7)\nret void\n}");
  AnalysedFunction A(M);
  for (const char *Name : {"x", "a", "b"})
    EXPECT_FALSE(launchRange(A.value(Name))) << Name;
}

TEST(Registers, FamiliesAndTheirBounds) {
  DeviceModule M(kernelWith(""));
  AnalysedFunction A(M);
  auto Call = [&](const Twine &Name) {
    return cast<IntrinsicInst>(A.value(Name.str()));
  };
  for (const char *D : Dimensions)
    for (auto [IndexName, SizeName] :
         {std::pair("tid.", "ntid."), std::pair("ctaid.", "nctaid.")}) {
      IntrinsicInst *Index = Call(Twine(IndexName) + D);
      IntrinsicInst *Size = Call(Twine(SizeName) + D);
      EXPECT_EQ(boundingRegister(Index->getIntrinsicID()),
                Size->getIntrinsicID());
      EXPECT_EQ(boundingRegister(Size->getIntrinsicID()),
                Intrinsic::not_intrinsic);
      EXPECT_TRUE(isGridOrBlockSize(*Size));
      EXPECT_FALSE(isGridOrBlockSize(*Index));
    }
  EXPECT_FALSE(isGridOrBlockSize(*Call("warp")));
  EXPECT_EQ(boundingRegister(Intrinsic::umin), Intrinsic::not_intrinsic);
}

/// The largest value of %Left - %Right that the function's scope allows.
int64_t largestDifference(AnalysedFunction &A, const char *Left,
                          const char *Right) {
  RecoveryScope &Scope = A.scope("entry");
  IndexExpr L = A.Recovery.recover(A.value(Left), Scope).Signed;
  IndexExpr R = A.Recovery.recover(A.value(Right), Scope).Signed;
  return Scope.Domain.range(A.Recovery.context().sub(L, R)).hi();
}

TEST(Registers, IndexIsBelowSize) {
  DeviceModule M(kernelWith(""));
  AnalysedFunction A(M);
  for (StringRef D : Dimensions) {
    EXPECT_EQ(largestDifference(A, ("tid." + D).str().c_str(),
                                ("ntid." + D).str().c_str()),
              -1);
    EXPECT_EQ(largestDifference(A, ("ctaid." + D).str().c_str(),
                                ("nctaid." + D).str().c_str()),
              -1);
  }
  // No relation between dimensions, nor between threads and blocks.
  EXPECT_GT(largestDifference(A, "tid.x", "ntid.y"), 0);
  EXPECT_GT(largestDifference(A, "tid.x", "nctaid.x"), 0);
  EXPECT_GT(largestDifference(A, "ctaid.y", "ntid.y"), 0);
}

} // namespace
