//===- PtxPipesTest.cpp - Which pipes a PTX instruction goes to -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/limits/PtxPipes.h"
#include "ptx/price/PtxCounts.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

/// "int 6, sum 5, mul 6, special 3, index"; "-" if it is not modelled.
static std::string textOf(StringRef Opcode) {
  std::optional<PtxPipes> Pipes = pipesOf(Opcode);
  if (!Pipes)
    return "-";
  std::string Text;
  auto Add = [&](const char *Name, double Count) {
    if (Count != 0)
      Text += (Text.empty() ? "" : ", ") + std::string(Name) + " " +
              std::to_string(int(Count));
  };
  const PipeCounts &C = Pipes->Counts;
  Add("int", C.Integer);
  Add("sum", C.Sum);
  Add("mul", C.Multiply);
  Add("fp32", C.Fp32);
  Add("fp16", C.Fp16);
  Add("fp64", C.Fp64);
  Add("special", C.Special);
  Add("other", C.Other);
  Add("wavefronts", Pipes->Wavefronts);
  return Text + (Pipes->IsIndex ? ", index" : "");
}

// An integer instruction is as many instructions as it costs, in any pipe.
TEST(PtxPipes, IntegersAddUpToTheirPrice) {
  for (StringRef Opcode :
       {"add.s32",     "add.s64",    "min.s64",      "abs.s32",
        "mul.lo.s32",  "mul.lo.s64", "mul.hi.u32",   "mul.hi.s32",
        "mul.hi.u64",  "mul.hi.s64", "mul.wide.u32", "mad.lo.s64",
        "cvt.s64.s32", "div.u32",    "rem.s32",      "div.u64",
        "rem.s64",     "popc.b32",   "clz.b64",      "dp4a.u32.u32",
        "setp.lt.s64", "selp.b32"}) {
    std::optional<PtxPipes> Pipes = pipesOf(Opcode);
    ASSERT_TRUE(Pipes) << Opcode.str();
    EXPECT_TRUE(Pipes->IsIndex) << Opcode.str();
    EXPECT_EQ(Pipes->Counts.total(), classifyPtxOpcode(Opcode).Cost)
        << Opcode.str();
    EXPECT_GE(Pipes->Counts.Integer, 0) << Opcode.str();
    EXPECT_GE(Pipes->Counts.Sum, 0) << Opcode.str();
  }
}

TEST(PtxPipes, Integers) {
  EXPECT_EQ(textOf("add.s64"), "sum 2, index");
  EXPECT_EQ(textOf("mad.lo.s32"), "mul 1, index");
  EXPECT_EQ(textOf("mul.lo.s64"), "sum 1, mul 3, index");
  EXPECT_EQ(textOf("div.u32"), "int 6, sum 5, mul 6, special 3, index");
  EXPECT_EQ(textOf("shl.b32"), "sum 1, index");
  EXPECT_EQ(textOf("shr.u32"), "int 1, index");
  EXPECT_EQ(textOf("popc.b32"), "special 1, index");
  EXPECT_EQ(textOf("and.pred"), "int 1, index");
}

TEST(PtxPipes, Floats) {
  EXPECT_EQ(textOf("fma.rn.f32"), "fp32 1");
  EXPECT_EQ(textOf("add.f64"), "fp64 1");
  EXPECT_EQ(textOf("fma.rn.f16x2"), "fp16 1");
  EXPECT_EQ(textOf("add.bf16"), "fp16 1");
  EXPECT_EQ(textOf("setp.lt.f32"), "int 1");
  EXPECT_EQ(textOf("set.u32.f32"), "int 1");
  EXPECT_EQ(textOf("max.f64"), "int 6, fp64 1");
  EXPECT_EQ(textOf("selp.f64"), "int 2");
  EXPECT_EQ(textOf("cvt.rn.f32.s32"), "special 1");
  EXPECT_EQ(textOf("cvt.rn.f16.f32"), "int 1");
  EXPECT_EQ(textOf("cvt.f64.f32"), "special 1");
}

TEST(PtxPipes, Functions) {
  EXPECT_EQ(textOf("rcp.approx.ftz.f32"), "special 1");
  EXPECT_EQ(textOf("ex2.approx.f32"), "int 1, fp32 2, special 1");
  EXPECT_EQ(textOf("sin.approx.f32"), "fp32 1, special 1");
  EXPECT_EQ(textOf("div.rn.f32"), "int 1, fp32 5, special 1, other 3");
  EXPECT_EQ(textOf("div.full.f32"), "int 2, fp32 5, special 1");
  EXPECT_EQ(textOf("div.rn.f64"), "int 5, fp32 1, fp64 8, special 1, other 3");
}

TEST(PtxPipes, OnlyIssued) {
  for (StringRef Opcode : {"bra.uni", "ret", "bar.sync", "ld.global.v4.f32",
                           "st.shared.b32", "atom.global.add.u32",
                           "cp.async.ca.shared.global", "cp.async.wait_all"})
    EXPECT_EQ(textOf(Opcode), "other 1") << Opcode.str();
  EXPECT_EQ(textOf("shfl.sync.down.b32"), "other 1, wavefronts 1");
}

TEST(PtxPipes, Nothing) {
  for (StringRef Opcode : {"mov.u32", "mov.b64", "cvta.to.global.u64",
                           "ld.param.u64", "ld.param::entry.b32"})
    EXPECT_EQ(textOf(Opcode), "") << Opcode.str();
}

TEST(PtxPipes, NotModelled) {
  for (StringRef Opcode :
       {"call.uni", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "wgmma.fence.sync.aligned", "tex.2d.v4.f32.s32", "fma.rn.f32x2",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
        "red.async.relaxed.cluster.add.u32", "nonsense.u32"})
    EXPECT_EQ(textOf(Opcode), "-") << Opcode.str();
}
