//===- PtxLoopsTest.cpp - The loops of a PTX function ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bodies mark their instructions by opcode. A mark's place is its depth,
// with a star in an innermost loop.
//
//===----------------------------------------------------------------------===//

#include "ptx/flow/PtxLoops.h"
#include "tools/ptx-compare/PtxText.h"
#include "transforms/prices/PtxPrices.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

static PtxCounts countKernel(const std::string &Body) {
  Expected<PtxModule> Module = parsePtx(
      ".version 8.0\n.target sm_90\n.entry k()\n{\n" + Body + "\n}", "k.ptx");
  if (!Module) {
    ADD_FAILURE() << toString(Module.takeError());
    return {};
  }
  return Module->Functions.front().Counts;
}

/// Reads lines: "L:" is a label, "T: .branchtargets A, B" a table, "{" and "}"
/// a scope, anything else an instruction. Returns the number of loops, then the
/// places of "mark".
static std::string findLoops(StringRef Lines) {
  PtxBody Body;
  while (!Lines.empty()) {
    StringRef Line;
    std::tie(Line, Lines) = Lines.split('\n');
    Line = Line.trim();
    if (Line.empty())
      continue;
    if (Line == "{") {
      Body.openScope();
    } else if (Line == "}") {
      Body.closeScope();
    } else if (Line.contains(".branchtargets")) {
      Body.addBranchTargets(Line.split(':').first,
                            Line.split(".branchtargets").second);
    } else if (Line.consume_back(":")) {
      Body.addLabel(Line);
    } else {
      PtxInst Inst;
      Inst.IsPredicated = Line.consume_front("@p ");
      std::tie(Inst.Opcode, Inst.Operands) = Line.split(' ');
      Body.addInst(Inst);
    }
  }
  LoopNest Nest = Body.findLoops();
  std::string Found = std::to_string(Nest.NumLoops) + ":";
  for (unsigned I = 0; I < Body.insts().size(); ++I)
    if (Body.insts()[I].Opcode == "mark")
      Found += " " + std::to_string(Nest.Places[I].Depth) +
               (Nest.Places[I].IsInnermost ? "*" : "");
  return Found;
}

TEST(PtxLoops, NoLoop) {
  EXPECT_EQ(findLoops(""), "0:");
  EXPECT_EQ(findLoops("mark"), "0: 0");
  EXPECT_EQ(findLoops("mark\n @p bra END\n mark\n END:\n mark\n ret"),
            "0: 0 0 0");
  // A label that is only passed is no loop, nor is a branch forwards.
  EXPECT_EQ(findLoops("L:\n mark\n bra.uni M\n M:\n mark\n ret"), "0: 0 0");
}

TEST(PtxLoops, OneLoop) {
  EXPECT_EQ(findLoops("mark\n L:\n mark\n @p bra L\n mark\n ret"), "1: 0 1* 0");
  // The test is at the top.
  EXPECT_EQ(findLoops("L:\n mark\n @p bra END\n mark\n bra.uni L\n"
                      "END:\n mark\n ret"),
            "1: 1* 1* 0");
  // The body is behind the way out: backwards in the text is not what counts.
  EXPECT_EQ(findLoops("bra TEST\n OUT:\n mark\n ret\n TEST:\n mark\n"
                      "@p bra OUT\n mark\n bra TEST"),
            "1: 0 1* 1*");
}

TEST(PtxLoops, AJumpBackwardsIsNoLoopByItself) {
  EXPECT_EQ(findLoops("bra B\n A:\n mark\n ret\n B:\n mark\n bra A"), "0: 0 0");
}

TEST(PtxLoops, WhatLeavesALoopIsOutside) {
  // Code of the text between the label and the branch, which does not loop.
  EXPECT_EQ(findLoops("L:\n mark\n @p bra ON\n mark\n ret\n ON:\n mark\n"
                      "@p bra L\n ret"),
            "1: 1* 0 1*");
  EXPECT_EQ(findLoops("L:\n @p bra ON\n mark\n trap\n ON:\n @p exit\n mark\n"
                      "bra L"),
            "1: 0 1*");
}

TEST(PtxLoops, NestedLoops) {
  EXPECT_EQ(findLoops("mark\n A:\n mark\n B:\n mark\n C:\n mark\n @p bra C\n"
                      "mark\n @p bra B\n mark\n @p bra A\n mark\n ret"),
            "3: 0 1 2 3* 2 1 0");
  // Two in one, and one behind.
  EXPECT_EQ(findLoops("A:\n mark\n B:\n mark\n @p bra B\n C:\n mark\n"
                      "@p bra C\n @p bra A\n D:\n mark\n @p bra D\n ret"),
            "4: 1 2* 2* 1*");
}

TEST(PtxLoops, BranchesBackToOneHeaderAreOneLoop) {
  EXPECT_EQ(findLoops("mark\n A:\n mark\n @p bra A\n mark\n @p bra A\n mark"),
            "1: 0 1* 1* 0");
}

TEST(PtxLoops, AHeaderOfItsOwnIsASecondLoop) {
  EXPECT_EQ(findLoops("A:\n nop\n B:\n mark\n @p bra B\n mark\n @p bra A"),
            "2: 2* 1");
}

TEST(PtxLoops, AnIrreducibleCycleIsOneLoop) {
  EXPECT_EQ(findLoops("@p bra B\n A:\n mark\n B:\n mark\n @p bra A\n mark\n"
                      "ret"),
            "1: 1* 1* 0");
  // With a loop inside, and inside another.
  EXPECT_EQ(findLoops("O:\n mark\n @p bra B\n A:\n mark\n I:\n mark\n"
                      "@p bra I\n B:\n mark\n @p bra A\n mark\n @p bra O\n"
                      "ret"),
            "3: 1 2 3* 2 1");
}

TEST(PtxLoops, IndirectBranches) {
  EXPECT_EQ(findLoops("T: .branchtargets A,\n @p bra X\n A:\n mark\n X:\n ret"),
            "0: 0");
  const char *Dispatch = "L:\n mark\n"
                         "T: .branchtargets A, B, OUT\n"
                         "brx.idx %r1, T\n"
                         "A:\n mark\n bra L\n"
                         "B:\n mark\n bra L\n"
                         "OUT:\n mark\n ret";
  EXPECT_EQ(findLoops(Dispatch), "1: 1* 1* 1* 0");
  // With a predicate, what is behind can be reached.
  EXPECT_EQ(findLoops("T: .branchtargets OUT\n L:\n mark\n"
                      "@p brx.idx %r1, T\n mark\n bra L\n OUT:\n mark\n ret"),
            "1: 1* 1* 0");
  EXPECT_EQ(findLoops("T: .branchtargets OUT\n L:\n mark\n"
                      "brx.idx %r1, T\n mark\n bra L\n OUT:\n mark\n ret"),
            "0: 0 0 0");
}

TEST(PtxLoops, CodeThatIsNotReachedIsInNoLoop) {
  EXPECT_EQ(findLoops("mark\n ret\n L:\n mark\n @p bra L\n ret"), "0: 0 0");
  // Nor does it make a second way into one.
  EXPECT_EQ(
      findLoops("L:\n mark\n I:\n mark\n @p bra I\n M:\n mark\n @p bra L\n"
                "ret\n DEAD:\n @p bra M\n bra I"),
      "2: 1 2* 1");
}

// Labels of inline assembly are its own, and the same text may occur twice.
TEST(PtxLoops, LabelsAreLocalToTheirScope) {
  EXPECT_EQ(findLoops("A:\n mark\n"
                      "{\n W:\n mark\n @p bra OUT\n bra W\n OUT:\n nop\n }\n"
                      "{\n W:\n mark\n @p bra OUT\n bra W\n OUT:\n nop\n }\n"
                      "@p bra A\n mark\n ret"),
            "3: 1 2* 2* 0");
  // From inside, the labels around are seen.
  EXPECT_EQ(findLoops("A:\n mark\n {\n @p bra A\n }\n mark\n ret"), "1: 1* 0");
}

TEST(PtxLoops, BranchesToNowhere) {
  EXPECT_EQ(findLoops("L:\n mark\n bra MISSING\n mark\n bra L"), "0: 0 0");
  EXPECT_EQ(findLoops("@p bra END\n mark\n END:"), "0: 0");
  EXPECT_EQ(findLoops("brx.idx %r1, T\n mark"), "0: 0");
}

TEST(PtxLoops, ManyLevels) {
  std::string Text, Places;
  for (unsigned I = 0; I < 300; ++I) {
    Text += "L" + std::to_string(I) + ":\n mark\n";
    Places += " " + std::to_string(I + 1) + (I == 299 ? "*" : "");
  }
  for (unsigned I = 300; I-- > 0;)
    Text += "@p bra L" + std::to_string(I) + "\n";
  EXPECT_EQ(findLoops(Text), "300:" + Places);
}

//===----------------------------------------------------------------------===//
// Costs, from text
//===----------------------------------------------------------------------===//

TEST(PtxLoopCosts, OfANest) {
  PtxCounts Counts = countKernel(R"(
    add.s32 %r1, %r1, 1;
$L__BB0_1:
    .pragma "nounroll";
    ld.global.b32 %r2, [%rd1];
$L__BB0_2:                    // =>  This Inner Loop Header: Depth=2
    add.s64 %rd1, %rd1, 4;
    st.global.b32 [%rd1], %r2;
    @%p1 bra $L__BB0_2;
    @!%p2 bra.uni $L__BB0_1;
    ret;)");
  EXPECT_EQ(Counts.Loops, 2u);
  EXPECT_EQ(Counts.LoopDepth, 2u);
  EXPECT_EQ(Counts.Cost, 1 + 1 + 2 + 1u);
  EXPECT_EQ(Counts.LoopCost, 1 + 1 * 10 + (2 + 1) * 100u);
  EXPECT_EQ(Counts.LoopIndexCost, 1 + 2 * 100u);
  EXPECT_EQ(Counts.InnermostCost, 3u);
  EXPECT_EQ(Counts.InnermostIndexCost, 2u);
}

TEST(PtxLoopCosts, WithoutLoops) {
  PtxCounts Counts = countKernel("add.s32 %r1, %r1, 1; st.b32 [%rd1], %r1;");
  EXPECT_EQ(Counts.LoopCost, Counts.Cost);
  EXPECT_EQ(Counts.LoopIndexCost, Counts.IndexCost);
  EXPECT_EQ(Counts.InnermostCost, 0u);
  EXPECT_EQ(Counts.Loops, 0u);
  EXPECT_EQ(Counts.LoopDepth, 0u);
}

// Two innermost loops count together, whatever their depths.
TEST(PtxLoopCosts, InnermostLoopsAreSummed) {
  PtxCounts Counts = countKernel(R"(
A:  add.s32 %r1, %r1, 1;
B:  add.s32 %r1, %r1, 1;
    @%p1 bra B;
    @%p2 bra A;
C:  div.u32 %r1, %r1, 7;
    @%p1 bra C;)");
  EXPECT_EQ(Counts.Loops, 3u);
  EXPECT_EQ(Counts.InnermostCost, 1 + priceOf(PtxClass::Division, 32));
}

// As LLVM prints it: the table stands behind its label, over several lines.
TEST(PtxLoopCosts, BranchTargetsInText) {
  PtxCounts Counts = countKernel(R"(
$L__BB0_1:
    add.s32 %r1, %r1, 1;
    $L_brx_0: .branchtargets
        $L__BB0_2,
        $L__BB0_3;
    brx.idx %r4, $L_brx_0;
$L__BB0_2:
    add.s32 %r1, %r1, 1;
    bra.uni $L__BB0_1;
$L__BB0_3:
    add.s32 %r1, %r1, 1;
    ret;)");
  EXPECT_EQ(Counts.Loops, 1u);
  EXPECT_EQ(Counts.InnermostCost, 2u);
  EXPECT_EQ(Counts.LoopCost, 2 * 10 + 1u);
  EXPECT_EQ(Counts.Instructions, 6u);
}

TEST(PtxLoopCosts, WeightsByDepth) {
  EXPECT_EQ(loopWeight(0), 1u);
  EXPECT_EQ(loopWeight(1), 10u);
  EXPECT_EQ(loopWeight(2), 100u);
  EXPECT_EQ(loopWeight(3), 1000u);
  EXPECT_EQ(loopWeight(9), 10000u);
}
