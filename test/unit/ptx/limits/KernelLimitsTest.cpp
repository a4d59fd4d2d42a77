//===- KernelLimitsTest.cpp - What bounds a kernel of PTX -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The traffic of kernels with one or two accesses, in bytes and wavefronts of a
// warp: at least and at most. Loads are volatile, as nothing reads their
// results.
//
//===----------------------------------------------------------------------===//

#include "ptx/limits/KernelLimits.h"
#include "ptx/text/PtxParser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace unravel;

static const char Head[] = R"(.version 8.0
.target sm_90
.address_size 64
.shared .align 4 .b8 tile[8192];
.entry k(.param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u32 %r10, [n];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd2, %rd2;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r9, 0;
  mad.lo.s32 %r4, %r3, 256, %r1;
  mul.wide.s32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3; // a[ctaid.x * 256 + tid.x]
  add.s64 %rd5, %rd2, %rd3; // b[...]
)";

static KernelEstimate estimateBody(const std::string &Body,
                                   BlockShape Block = {32, 1, 1}) {
  std::string Text = Head + Body + "\n  ret;\n}\n";
  Expected<ptx::Module> M = ptx::parseModule(Text, "k.ptx");
  if (!M) {
    ADD_FAILURE() << toString(M.takeError());
    return {};
  }
  return estimateKernel(*M, *M->find("k"), Block);
}

/// "128 to 1280": bytes of DRAM.
static std::string rangeOf(Resource R, const std::string &Body,
                           BlockShape Block = {32, 1, 1}) {
  KernelEstimate Estimate = estimateBody(Body, Block);
  EXPECT_EQ(Estimate.NotEstimated, "");
  if (Estimate.Gpus.empty())
    return "";
  const LimitEstimate &E = Estimate.Gpus.front();
  double Unit = R == Resource::Dram ? E.Gpu->dramBytesPerClock() : 1;
  auto Text = [&](double X) { return std::to_string(std::lround(X * Unit)); };
  std::string Low = Text(E[R].Low), High = Text(E[R].High);
  return Low == High ? Low : Low + " to " + High;
}

static std::string dramOf(const std::string &Body,
                          BlockShape Block = {32, 1, 1}) {
  return rangeOf(Resource::Dram, Body, Block);
}

static std::string l1Of(const std::string &Body) {
  return rangeOf(Resource::L1, Body);
}

TEST(KernelLimits, Coalesced) {
  EXPECT_EQ(dramOf("ld.volatile.global.u32 %r5, [%rd4];"), "128");
  EXPECT_EQ(l1Of("ld.volatile.global.u32 %r5, [%rd4];"), "1");
  EXPECT_EQ(dramOf(""), "0");
  EXPECT_EQ(l1Of(""), "0");
}

TEST(KernelLimits, Strided) {
  std::string Column = "mul.wide.s32 %rd6, %r4, 128;\n"
                       "add.s64 %rd6, %rd6, %rd1;\n"
                       "ld.volatile.global.u32 %r5, [%rd6];";
  EXPECT_EQ(dramOf(Column), "128 to 1024"); // 32 sectors
  EXPECT_EQ(l1Of(Column), "1 to 32");       // 32 lines
}

// The kernel reads ctaid.x: what does not depend on it is the same in all
// blocks.
TEST(KernelLimits, SharedByBlocks) {
  EXPECT_EQ(dramOf("mul.wide.u32 %rd6, %r1, 4;\n"
                   "add.s64 %rd6, %rd1, %rd6;\n"
                   "ld.volatile.global.u32 %r5, [%rd6];"),
            "128"); // it reads no block index
  EXPECT_EQ(dramOf("mul.wide.u32 %rd6, %r1, 4;\n"
                   "add.s64 %rd6, %rd1, %rd6;\n"
                   "ld.volatile.global.u32 %r5, [%rd6];\n"
                   "st.global.u32 [%rd5], %r5;"),
            "128 to 256");
}

// Rows of threads that load the same, in 8 warps.
TEST(KernelLimits, SharedByWarps) {
  std::string Load = "ld.volatile.global.u32 %r5, [%rd4];";
  EXPECT_EQ(dramOf(Load, {64, 4, 1}), "32 to 128");
  EXPECT_EQ(dramOf("mul.wide.u32 %rd6, %r2, 256;\n"
                   "add.s64 %rd4, %rd4, %rd6;\n" +
                       Load,
                   {64, 4, 1}),
            "128");
}

TEST(KernelLimits, Loops) {
  auto Loop = [](const std::string &Body) {
    return "L:\n" + Body +
           "\nadd.s32 %r9, %r9, 1;\n"
           "setp.lt.u32 %p1, %r9, %r10;\n@%p1 bra L;";
  };
  std::string Load = "ld.volatile.global.u32 %r5, [%rd4];\n";
  EXPECT_EQ(dramOf(Loop(Load)), "128 to 1280");
  EXPECT_EQ(dramOf(Loop(Load + "add.s64 %rd4, %rd4, 128;")), "1280");
  EXPECT_EQ(l1Of(Loop(Load)), "10");
  // What is loaded in a loop may differ each time, and so the address.
  EXPECT_EQ(dramOf(Loop("ld.volatile.global.s32 %r5, [%rd4];\n"
                        "mul.wide.s32 %rd6, %r5, 4;\n"
                        "add.s64 %rd6, %rd5, %rd6;\n"
                        "ld.volatile.global.u32 %r6, [%rd6];")),
            "1408 to 11520"); // 128 + 10 * 128 to 10 * (128 + 32 * 32)
  // A loop with two entries: once a loop, for instructions and accesses.
  EXPECT_EQ(l1Of("setp.lt.u32 %p2, %r1, 3;\n@%p2 bra M;\nL:\n" + Load +
                 "M:\nadd.s32 %r9, %r9, 1;\n"
                 "setp.lt.u32 %p1, %r9, %r10;\n@%p1 bra L;"),
            "10");
}

TEST(KernelLimits, LoadsOfOneArray) {
  EXPECT_EQ(dramOf("ld.volatile.global.u32 %r5, "
                   "[%rd4];\nld.volatile.global.u32 %r6, [%rd5];"),
            "256");
  EXPECT_EQ(dramOf("ld.volatile.global.u32 %r5, "
                   "[%rd4];\nld.volatile.global.u32 %r6, [%rd4+128];"),
            "128 to 256");
  EXPECT_EQ(
      dramOf("st.global.u32 [%rd4], %r1;\nst.global.u32 [%rd4+128], %r1;"),
      "256");
}

TEST(KernelLimits, Atomics) {
  EXPECT_EQ(dramOf("atom.global.add.u32 %r5, [%rd4], 1;"), "0 to 128");
}

TEST(KernelLimits, NotUnderstood) {
  std::string Gather = "ld.volatile.global.s32 %r5, [%rd4];\n"
                       "mul.wide.s32 %rd6, %r5, 4;\n"
                       "add.s64 %rd6, %rd2, %rd6;\n"
                       "ld.volatile.global.u32 %r6, [%rd6];";
  EXPECT_EQ(dramOf(Gather), "256 to 1152"); // 128 and 128 to 32 * 32
  EXPECT_EQ(l1Of(Gather), "2 to 33");
  EXPECT_EQ(estimateBody(Gather).NotUnderstood, 1u);
  EXPECT_EQ(estimateBody("").NotUnderstood, 0u);
}

TEST(KernelLimits, SharedMemory) {
  std::string Column = "mov.u64 %rd7, tile;\n"
                       "mul.wide.u32 %rd8, %r1, 128;\n"
                       "add.s64 %rd8, %rd7, %rd8;\n"
                       "ld.volatile.shared.u32 %r5, [%rd8];";
  EXPECT_EQ(l1Of(Column), "32");
  EXPECT_EQ(dramOf(Column), "0");
  EXPECT_EQ(l1Of("shfl.sync.down.b32 %r5|%p1, %r1, 1, 31, -1;"), "1");
}

TEST(KernelLimits, Refused) {
  EXPECT_EQ(estimateBody("tex.1d.v4.f32.s32 {%r5, %r6, %r7, %r8}, [t, {%r1}];")
                .NotEstimated,
            "it has tex.1d.v4.f32.s32, which is not modelled");
  EXPECT_EQ(estimateBody("add.s32 %r5, %nowhere, 1;").NotEstimated,
            "its PTX is not understood: operand '%nowhere'");
}
