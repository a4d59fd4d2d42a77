//===- HloIndexingDocumentTest.cpp - XLA's examples -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The examples of XLA's document on indexing analysis, in their numbers. Where
// the document contradicts itself, a comment says so.
//
//===----------------------------------------------------------------------===//

#include "test/unit/HloIndexingTestHelper.h"

using namespace llvm;
using namespace unravel;

namespace {

using HloIndexingDocument = HloIndexingFixture;

const std::string Max = "max { a = f32[] parameter(0)\n"
                        "b = f32[] parameter(1)\n"
                        "ROOT c = f32[] maximum(a, b) }\n";

//===----------------------------------------------------------------------===//
// The document: single operations
//===----------------------------------------------------------------------===//

TEST_F(HloIndexingDocument, Elementwise) {
  const HloInstruction &I = root("p0 = f32[10, 20] parameter(0)\n"
                                 "p1 = f32[10, 20] parameter(1)\n"
                                 "add = f32[10, 20] add(p0, p1)");
  const char *Identity =
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]";
  for (size_t K : {0, 1}) {
    expectMaps(Analysis.outputToInput(I)[K], {Identity});
    expectMaps(Analysis.inputToOutput(I, K), {Identity});
  }
}

TEST_F(HloIndexingDocument, Broadcast) {
  const HloInstruction &I =
      root("p0 = f32[20] parameter(0)\n"
           "bc0 = f32[10, 20, 30] broadcast(p0), dimensions={1}");
  expectMaps(Analysis.outputToInput(I)[0],
             {"(d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], "
              "d2 in [0, 29]"});
  expectMaps(Analysis.inputToOutput(I, 0),
             {"(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], "
              "s0 in [0, 9], s1 in [0, 29]"});
}

TEST_F(HloIndexingDocument, ConstantAndIota) {
  EXPECT_TRUE(outputToInput("c = f32[2] constant({1, 2})").empty());
  EXPECT_TRUE(outputToInput("i = s32[2,3] iota(), iota_dimension=1").empty());
}

TEST_F(HloIndexingDocument, Transpose) {
  const HloInstruction &I = root(
      "p0 = f32[3, 12288, 6, 128] parameter(0)\n"
      "transpose = f32[3, 6, 128, 12288] transpose(p0), dimensions={0, 2, 3, "
      "1}");
  expectMaps(Analysis.outputToInput(I)[0],
             {"(d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], "
              "d1 in [0, 5], d2 in [0, 127], d3 in [0, 12287]"});
  expectMaps(Analysis.inputToOutput(I, 0),
             {"(d0, d1, d2, d3) -> (d0, d2, d3, d1), domain: d0 in [0, 2], "
              "d1 in [0, 12287], d2 in [0, 5], d3 in [0, 127]"});
}

TEST_F(HloIndexingDocument, Reverse) {
  const HloInstruction &I =
      root("p0 = f32[1, 17, 9, 9] parameter(0)\n"
           "reverse = f32[1, 17, 9, 9] reverse(p0), dimensions={1, 2}");
  const char *Map =
      "(d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3), domain: d0 in [0, 0], "
      "d1 in [0, 16], d2 in [0, 8], d3 in [0, 8]";
  expectMaps(Analysis.outputToInput(I)[0], {Map});
  expectMaps(Analysis.inputToOutput(I, 0), {Map});
}

/// (The document says s0 in [0, 9] for the reduced dimension of 256.)
TEST_F(HloIndexingDocument, VariadicReduce) {
  const HloInstruction &I =
      root("min { a = f32[] parameter(0)\n i = s32[] parameter(1)\n"
           "b = f32[] parameter(2)\n j = s32[] parameter(3)\n"
           "c = f32[] minimum(a, b)\n k = s32[] minimum(i, j)\n"
           "ROOT t = (f32[], s32[]) tuple(c, k) }\n"
           "ENTRY e { p0 = f32[256,10] parameter(0)\n"
           "p0_init = f32[] constant(-inf)\n p1 = s32[256,10] parameter(1)\n"
           "p1_init = s32[] constant(0)\n"
           "ROOT reduce = (f32[10], s32[10]) reduce(p0, p1, p0_init, p1_init), "
           "dimensions={0}, to_apply=min }");
  for (size_t Output : {0, 1}) {
    auto Indexing = Analysis.outputToInput(I, Output);
    for (size_t K : {0, 1})
      expectMaps(Indexing[K], {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], "
                               "s0 in [0, 255]"});
    for (size_t K : {2, 3})
      expectMaps(Indexing[K], {"(d0) -> (), domain: d0 in [0, 9]"});
  }
  for (size_t K : {0, 1, 2, 3}) {
    OperandIndexing Back = Analysis.inputToOutput(I, K);
    ASSERT_EQ(Back.Maps.size(), 2u);
    for (size_t Output : {0, 1}) {
      EXPECT_EQ(Back.Maps[Output].Element, Output);
      expectMaps({{Back.Maps[Output]}, ""},
                 {K < 2 ? "(d0, d1) -> (d1), domain: d0 in [0, 255], "
                          "d1 in [0, 9]"
                        : "()[s0] -> (s0), domain: s0 in [0, 9]"});
    }
  }
}

/// (To be done in the document, which has the way back only roughly.)
TEST_F(HloIndexingDocument, Slice) {
  const HloInstruction &I =
      root("p0 = f32[10, 20, 50] parameter(0)\n"
           "slice = f32[5, 3, 25] slice(f32[10, 20, 50] p0),\n"
           "slice={[5:10:1], [3:20:7], [0:50:2]}");
  expectMaps(Analysis.outputToInput(I)[0],
             {"(d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2), domain: "
              "d0 in [0, 4], d1 in [0, 2], d2 in [0, 24]"});
  expectMaps(Analysis.inputToOutput(I, 0),
             {"(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), "
              "domain: d0 in [5, 9], d1 in [3, 17], d2 in [0, 48], "
              "(d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]"});
}

TEST_F(HloIndexingDocument, Reshape) {
  const char *Collapse =
      "(d0, d1) -> (8 * d0 + d1), domain: d0 in [0, 3], d1 in [0, 7]";
  const char *Expand =
      "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]";
  const HloInstruction &Collapsed =
      root("p0 = f32[4,8] parameter(0)\n reshape = f32[32] reshape(p0)");
  expectMaps(Analysis.outputToInput(Collapsed)[0], {Expand});
  expectMaps(Analysis.inputToOutput(Collapsed, 0), {Collapse});
  const HloInstruction &Expanded =
      root("p0 = f32[32] parameter(0)\n reshape = f32[4, 8] reshape(p0)");
  expectMaps(Analysis.outputToInput(Expanded)[0], {Collapse});
  expectMaps(Analysis.inputToOutput(Expanded, 0), {Expand});

  const HloInstruction &Generic =
      root("p0 = f32[4,8] parameter(0)\n reshape = f32[2, 4, 4] reshape(p0)");
  expectMaps(Analysis.outputToInput(Generic)[0],
             {"(d0, d1, d2) -> (2 * d0 + (4 * d1 + d2) floordiv 8, "
              "(4 * d1 + d2) mod 8), domain: d0 in [0, 1], d1 in [0, 3], "
              "d2 in [0, 3]"});
  expectMaps(Analysis.inputToOutput(Generic, 0),
             {"(d0, d1) -> ((8 * d0 + d1) floordiv 16, "
              "((8 * d0 + d1) mod 16) floordiv 4, d1 mod 4), domain: "
              "d0 in [0, 3], d1 in [0, 7]"});

  const HloInstruction &Both = root("p0 = f32[4, 8, 12] parameter(0)\n"
                                    "reshape = f32[32, 3, 4] reshape(p0)");
  expectMaps(Analysis.outputToInput(Both)[0],
             {"(d0, d1, d2) -> (d0 floordiv 8, d0 mod 8, 4 * d1 + d2), domain: "
              "d0 in [0, 31], d1 in [0, 2], d2 in [0, 3]"});
  expectMaps(Analysis.inputToOutput(Both, 0),
             {"(d0, d1, d2) -> (8 * d0 + d1, d2 floordiv 4, d2 mod 4), domain: "
              "d0 in [0, 3], d1 in [0, 7], d2 in [0, 11]"});
}

/// Transpose, reshape, transpose.
TEST_F(HloIndexingDocument, Bitcast) {
  expectMaps(outputToInput("p0 = f32[4,8]{0,1} parameter(0)\n"
                           "b = f32[16,2]{1,0} bitcast(p0)")[0],
             {"(d0, d1) -> ((d0 * 2 + d1) mod 4, d0 floordiv 2), domain: "
              "d0 in [0, 15], d1 in [0, 1]"});
  expectMaps(outputToInput("p0 = f32[4,8]{0,1} parameter(0)\n"
                           "b = f32[8,4]{1,0} bitcast(p0)")[0],
             {"(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]"});
}

TEST_F(HloIndexingDocument, Concatenate) {
  const HloInstruction &I =
      root("p0 = f32[3,50] parameter(0)\n p1 = f32[3,30] parameter(1)\n"
           "concat = f32[3,80] concatenate(f32[3,50] p0, f32[3,30] p1),\n"
           "dimensions={1}");
  auto Indexing = Analysis.outputToInput(I);
  expectMaps(Indexing[0],
             {"(d0, d1) -> (d0, d1), domain: d0 in [0, 2], d1 in [0, 49]"});
  expectMaps(Indexing[1], {"(d0, d1) -> (d0, d1 - 50), domain: d0 in [0, 2], "
                           "d1 in [50, 79]"});
  expectMaps(Analysis.inputToOutput(I, 0),
             {"(d0, d1) -> (d0, d1), domain: d0 in [0, 2], d1 in [0, 49]"});
  expectMaps(Analysis.inputToOutput(I, 1),
             {"(d0, d1) -> (d0, d1 + 50), domain: d0 in [0, 2], "
              "d1 in [0, 29]"});
}

TEST_F(HloIndexingDocument, Dot) {
  const HloInstruction &I =
      root("p0 = f32[4, 128, 256] parameter(0)\n"
           "p1 = f32[4, 256, 64] parameter(1)\n"
           "dot = f32[4, 128, 64] dot(p0, p1),\n"
           "lhs_batch_dims={0}, rhs_batch_dims={0},\n"
           "lhs_contracting_dims={2}, rhs_contracting_dims={1}");
  auto Indexing = Analysis.outputToInput(I);
  const std::string Domain = ", domain: d0 in [0, 3], d1 in [0, 127], "
                             "d2 in [0, 63], s0 in [0, 255]";
  expectMaps(Indexing[0], {"(d0, d1, d2)[s0] -> (d0, d1, s0)" + Domain});
  expectMaps(Indexing[1], {"(d0, d1, d2)[s0] -> (d0, s0, d2)" + Domain});
  expectMaps(Analysis.inputToOutput(I, 0),
             {"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], "
              "d1 in [0, 127], d2 in [0, 255], s0 in [0, 63]"});
  // (In the document d1; it is the column of p1, so d2.)
  expectMaps(Analysis.inputToOutput(I, 1),
             {"(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], "
              "d1 in [0, 255], d2 in [0, 63], s0 in [0, 127]"});
}

TEST_F(HloIndexingDocument, Pad) {
  auto Indexing =
      outputToInput("p0 = f32[4, 4] parameter(0)\n p1 = f32[] parameter(1)\n"
                    "pad = f32[12, 16] pad(p0, p1), padding=1_4_1x4_8_0");
  expectMaps(Indexing[0],
             {"(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in [1, 7],"
              " d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]"});
  expectMaps(Indexing[1],
             {"(d0, d1) -> (), domain: d0 in [0, 11], d1 in [0, 15]"});
}

TEST_F(HloIndexingDocument, ReduceWindow) {
  auto Indexing = outputToInput(
      Max + "ENTRY e { c_inf = f32[] constant(-inf)\n"
            "p0 = f32[1024, 514] parameter(0)\n"
            "ROOT reduce-window = f32[1024, 3] reduce-window(p0, c_inf),\n"
            "window={size=1x512 pad=0_0x0_0}, to_apply=max }");
  expectMaps(Indexing[0],
             {"(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, 1023], "
              "d1 in [0, 2], s0 in [0, 511]"});
  expectMaps(Indexing[1],
             {"(d0, d1) -> (), domain: d0 in [0, 1023], d1 in [0, 2]"});
}

//===----------------------------------------------------------------------===//
// The document: fusions
//===----------------------------------------------------------------------===//

TEST_F(HloIndexingDocument, AddOwnTranspose) {
  const std::string Domain = ", domain: d0 in [0, 999], d1 in [0, 999]";
  expectMaps(
      outputToParameters(
          "f { p0 = f32[1000, 1000] parameter(0)\n"
          "transpose_p0 = f32[1000, 1000]{0, 1} transpose(p0), "
          "dimensions={1, 0}\n"
          "ROOT a0 = f32[1000, 1000] add(p0, transpose_p0) }")[0],
      {"(d0, d1) -> (d0, d1)" + Domain, "(d0, d1) -> (d1, d0)" + Domain});
}

TEST_F(HloIndexingDocument, Deduplicated) {
  expectMaps(
      outputToParameters(
          "f { p0 = f32[20, 10, 50] parameter(0)\n"
          "lt1 = f32[10, 20, 50] transpose(p0), dimensions={1, 0, 2}\n"
          "le = f32[10, 20, 50] exponential(lt1)\n"
          "lt2 = f32[10, 50, 20] transpose(le), dimensions={0, 2, 1}\n"
          "rt1 = f32[50, 10, 20] transpose(p0), dimensions={2, 1, 0}\n"
          "rl = f32[50, 10, 20] exponential(rt1)\n"
          "rt2 = f32[10, 50, 20] transpose(rl), dimensions={1, 0, 2}\n"
          "ROOT add = f32[10, 50, 20] add(lt2, rt2) }")[0],
      {"(d0, d1, d2) -> (d2, d0, d1), domain: d0 in [0, 9], d1 in [0, 49], "
       "d2 in [0, 19]"});
}

TEST_F(HloIndexingDocument, Softmax) {
  const std::string Domain =
      ", domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124]";
  forEachFusion([&](StringRef Name, StringRef Text) {
    if (Name == "softmax")
      expectMaps(
          outputToParameters(Text)[0],
          {"(d0, d1, d2) -> (d0, d1, d2)" + Domain,
           "(d0, d1, d2)[s0] -> (d0, d1, s0)" + Domain + ", s0 in [0, 124]"});
  });
}

TEST_F(HloIndexingDocument, ReshapesCancel) {
  EXPECT_EQ(printed("p0 = f32[10, 10, 10] parameter(0)\n"
                    "reshape1 = f32[50, 20] reshape(p0)\n"
                    "reshape2 = f32[10, 10, 10] reshape(reshape1)"),
            "root -> p0: (d0, d1, d2) -> (d0, d1, d2), domain: "
            "d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]\n");
}

} // namespace
