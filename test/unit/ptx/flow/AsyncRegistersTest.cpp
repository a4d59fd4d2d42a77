//===- AsyncRegistersTest.cpp - Registers that are written later ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/flow/AsyncRegisters.h"
#include "ptx/text/PtxParser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

/// A kernel with these statements. `MUL(d, a)` is a multiplication with the
/// accumulator d and the factor a in registers, `COMMIT`, `WAIT` and `FENCE`
/// are what their names say.
class AsyncRegistersTest : public testing::Test {
protected:
  void read(StringRef Statements) {
    std::string Body = Statements.str();
    auto Replace = [&](StringRef From, StringRef To) {
      for (size_t At; (At = Body.find(From.str())) != std::string::npos;)
        Body.replace(At, From.size(), To.str());
    };
    Replace("COMMIT", "wgmma.commit_group.sync.aligned");
    Replace("WAIT", "wgmma.wait_group.sync.aligned");
    Replace("FENCE", "wgmma.fence.sync.aligned");
    Replace("MUL", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16");
    Text = ".version 8.0\n.target sm_90a\n.address_size 64\n.entry k()\n{\n"
           ".reg .pred %p<4>;\n.reg .b32 %r<99>;\n.reg .b64 %d<9>;\n" +
           Body + "ret;\n}\n";
    Expected<ptx::Module> M = ptx::parseModule(Text, "test");
    ASSERT_TRUE(bool(M)) << toString(M.takeError());
    Module = std::move(*M);
    Async.emplace(*Module.find("k"));
  }

  /// The registers that pass each instruction of that name, in order.
  std::string passed(StringRef Name) const {
    std::string Result;
    for (const ptx::Statement &S : Module.find("k")->Body)
      if (auto *I = S.as<ptx::Instruction>(); I && I->Opcode.contains(Name))
        Result += join(Async->passedBy(*I), " ") + ";";
    return Result;
  }
  std::string waits() const { return passed("wait"); }

  std::string Text;
  ptx::Module Module;
  std::optional<ptx::AsyncRegisters> Async;
};

TEST_F(AsyncRegistersTest, WaitsCompleteAccumulators) {
  read("MUL {%r1, %r2}, {%r3, %r4}, %d1, %p1, 1, 1, 0;\n"
       "COMMIT;\nadd.s32 %r5, %r3, %r6;\nWAIT 0;\nadd.s32 %r3, %r1, %r2;\n");
  EXPECT_EQ(waits(), "%r1 %r2;");
  EXPECT_EQ(Async->problem(), "");
}

TEST_F(AsyncRegistersTest, AWaitLeavesTheNewestGroups) {
  read("MUL {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n"
       "MUL {%r2}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n"
       "MUL {%r3}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n"
       "WAIT 2;\nWAIT 1;\nWAIT 0;\n");
  EXPECT_EQ(waits(), "%r1;%r2;%r3;");
}

/// More of them than any wait leaves.
TEST_F(AsyncRegistersTest, OldGroupsAreNotForgotten) {
  read("MUL {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n"
       "COMMIT;\nCOMMIT;\nCOMMIT;\nadd.s32 %r2, %r1, 1;\nWAIT 1;\n");
  EXPECT_EQ(waits(), "%r1;");
  EXPECT_EQ(Async->problem(),
            "'add.s32' touches '%r1', which an asynchronous instruction still "
            "uses");
}

TEST_F(AsyncRegistersTest, WhatIsInNoGroupIsNotWaitedFor) {
  read("MUL {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n"
       "MUL {%r2}, %d1, %d2, %p1, 1, 1, 0, 0;\nWAIT 0;\n"
       "COMMIT;\nWAIT 0;\n");
  EXPECT_EQ(waits(), "%r1;%r2;");
}

/// The first iteration waits for nothing, the others for the one before.
TEST_F(AsyncRegistersTest, GroupsGoRoundInLoops) {
  read("LOOP:\nMUL {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n"
       "WAIT 1;\nsetp.eq.s32 %p2, %r5, %r6;\n@%p2 bra LOOP;\nWAIT 0;\n");
  EXPECT_EQ(waits(), ";%r1;");
  EXPECT_EQ(Async->problem(), "");
  read("LOOP:\nMUL {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n"
       "MUL {%r2}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n"
       "WAIT 1;\nadd.s32 %r1, %r1, 1;\n@%p2 bra LOOP;\nWAIT 0;\n");
  EXPECT_EQ(waits(), "%r1;%r2;");
  EXPECT_EQ(Async->problem(), "");
}

/// On one of the paths there is a group more.
TEST_F(AsyncRegistersTest, WherePathsMeetBothCount) {
  read("MUL {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n@%p2 bra OVER;\n"
       "MUL {%r2}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\nOVER:\n"
       "WAIT 1;\nadd.s32 %r3, %r1, 1;\n");
  EXPECT_EQ(Async->problem(),
            "'add.s32' touches '%r1', which an asynchronous instruction still "
            "uses");
  read("MUL {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n@%p2 bra OVER;\n"
       "MUL {%r2}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\nOVER:\n"
       "WAIT 0;\nadd.s32 %r3, %r1, 1;\n");
  EXPECT_EQ(waits(), "%r1 %r2;");
  EXPECT_EQ(Async->problem(), "");
}

TEST_F(AsyncRegistersTest, WhatIsInFlightIsNotTouched) {
  const std::string Begin = "MUL {%r1}, {%r2}, %d1, %p1, 1, 1, 0;\nCOMMIT;\n";
  auto Problem = [&](StringRef Statement) {
    read(Begin + Statement.str() + "\nWAIT 0;\n");
    return Async->problem() != "";
  };
  EXPECT_TRUE(Problem("mov.b32 %r5, %r1;"));
  EXPECT_TRUE(Problem("mov.b32 %r1, %r5;"));
  EXPECT_TRUE(Problem("st.global.b32 [%d1], %r1;"));
  EXPECT_TRUE(Problem("mov.b32 %r2, %r5;"));
  EXPECT_TRUE(Problem("MUL {%r5}, {%r1}, %d1, %p1, 1, 1, 0;"));
  EXPECT_TRUE(Problem("MUL {%r2}, %d1, %d2, %p1, 1, 1, 0, 0;"));
  EXPECT_TRUE(Problem("@%p1 WAIT 0;"));
  // Factors may be read, accumulators added to.
  EXPECT_FALSE(Problem("mov.b32 %r5, %r2;"));
  EXPECT_FALSE(Problem("st.global.b32 [%d1], %r2;"));
  EXPECT_FALSE(Problem("MUL {%r1}, {%r2}, %d2, %p1, 1, 1, 0;"));
  EXPECT_FALSE(Problem("mov.b32 %r5, %r6;"));
}

TEST_F(AsyncRegistersTest, NamesAreNotHidden) {
  read("{\n.reg .b32 %r1;\nMUL {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;\n}\n");
  EXPECT_EQ(Async->problem(), "an asynchronous instruction uses '%r1', which "
                              "is declared inside of braces");
  read("{\n.reg .pred %p1;\nMUL {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;\n}\n");
  EXPECT_EQ(Async->problem(), "");
}

TEST_F(AsyncRegistersTest, FencesPassWhatMultiplicationsRead) {
  read("FENCE;\nmov.b32 %r3, 0;\n"
       "MUL {%r1}, {%r2, %r3}, %d1, %p1, 1, 1, 0;\n"
       "MUL {%r4}, %d1, %d2, 0, 1, 1, 0, 0;\n"
       "MUL {%r5}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\nWAIT 0;\n"
       "FENCE;\nMUL {%r6}, %d1, %d2, %p1, 1, 1, 0, 0;\n");
  // %r3 is written behind the fence.
  EXPECT_EQ(passed("fence"), "%r1 %r2 %r4 %r5;%r6;");
}

TEST_F(AsyncRegistersTest, FencesPassWhatTheNextIterationReads) {
  read("LOOP:\n@%p2 bra OVER;\nMUL {%r1}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n"
       "OVER:\nWAIT 0;\nFENCE;\n@%p1 bra LOOP;\n");
  EXPECT_EQ(passed("fence"), "%r1;");
}

TEST_F(AsyncRegistersTest, LoadsOfTensorMemory) {
  read("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];\n"
       "WAIT 0;\ntcgen05.wait::ld.sync.aligned;\n");
  EXPECT_EQ(waits(), ";%r1 %r2;");
  EXPECT_TRUE(Async->waitsForLoads());
  read("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];\n"
       "tcgen05.wait::st.sync.aligned;\nadd.s32 %r4, %r1, 1;\n");
  EXPECT_EQ(Async->problem(), "");
  EXPECT_FALSE(Async->waitsForLoads());
  EXPECT_EQ(ptx::AsyncRegisters(*Module.find("k"), true).problem(),
            "'add.s32' touches '%r1', which an asynchronous instruction still "
            "uses");
}

/// Only loads may be touched early.
TEST_F(AsyncRegistersTest, LoadsExcuseNoMultiplications) {
  read("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r3];\n"
       "MUL {%r2}, %d1, %d2, %p1, 1, 1, 0, 0;\nCOMMIT;\n"
       "add.s32 %r4, %r1, 1;\nadd.s32 %r4, %r2, 1;\n"
       "WAIT 0;\ntcgen05.wait::ld.sync.aligned;\n");
  EXPECT_EQ(Async->problem(),
            "'add.s32' touches '%r2', which an asynchronous instruction still "
            "uses");
}

TEST_F(AsyncRegistersTest, WhatLacksOperandsIsNotFollowed) {
  read("MUL {%r1};\ntcgen05.ld.sync.aligned.32x32b.x1.b32;\n");
  EXPECT_EQ(Async->problem(), "");
}
