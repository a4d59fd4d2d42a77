//===- HloIndexingTest.cpp - Runtime variables, callees, limits -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/HloIndexingTestHelper.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace unravel;

namespace {

using HloIndexing = HloIndexingFixture;

//===----------------------------------------------------------------------===//
// Runtime variables
//===----------------------------------------------------------------------===//

TEST_F(HloIndexing, GatherAsText) {
  EXPECT_EQ(
      printed("p0 = f32[30,20] parameter(0)\n p1 = s32[10,2] parameter(1)\n"
              "ROOT g = f32[10,4,8] gather(p0, p1), offset_dims={1,2}, "
              "collapsed_slice_dims={}, start_index_map={1,0}, "
              "index_vector_dim=1, slice_sizes={4,8}"),
      "root -> p0: (d0, d1, d2){rt0, rt1} -> (d1 + rt1, d2 + rt0), domain: "
      "d0 in [0, 9], d1 in [0, 3], d2 in [0, 7], rt0 in [0, 12], "
      "rt1 in [0, 26]\n"
      "  rt0 = p1[d0, 0] clamped to [0, 12]\n"
      "  rt1 = p1[d0, 1] clamped to [0, 26]\n"
      "root -> p1: (d0, d1, d2)[s0] -> (d0, s0), domain: d0 in [0, 9], "
      "d1 in [0, 3], d2 in [0, 7], s0 in [0, 1]\n");
}

TEST_F(HloIndexing, UpdateIsReadInsideOnly) {
  EXPECT_EQ(
      printed("p0 = f32[20,30] parameter(0)\n p1 = f32[5,30] parameter(1)\n"
              "p2 = s32[] parameter(2)\n p3 = s32[] parameter(3)\n"
              "dus = f32[20,30] dynamic-update-slice(p0, p1, p2, p3)\n"
              "ROOT s = f32[2,30] slice(dus), slice={[7:9], [0:30]}"),
      "root -> p0: (d0, d1) -> (d0 + 7, d1), domain: d0 in [0, 1], "
      "d1 in [0, 29]\n"
      "root -> p1: (d0, d1){rt0} -> (d0 - rt0 + 7, d1), domain: d0 in [0, 1], "
      "d1 in [0, 29], rt0 in [3, 8], d0 - rt0 in [-7, -3]\n"
      "  rt0 = p2[] clamped to [0, 15]\n"
      "root -> p2: (d0, d1) -> (), domain: d0 in [0, 1], d1 in [0, 29]\n"
      "root -> p3: (d0, d1) -> (), domain: d0 in [0, 1], d1 in [0, 29]\n");
}

/// Of a single row, which row of the update is read is no question any more,
/// but still whether it is.
TEST_F(HloIndexing, RestrictedVariableStays) {
  auto Indexing = outputToParameters(
      "p0 = f32[20] parameter(0)\n p1 = f32[1] parameter(1)\n"
      "p2 = s32[] parameter(2)\n"
      "dus = f32[20] dynamic-update-slice(p0, p1, p2)\n"
      "ROOT s = f32[1] slice(dus), slice={[7:8]}");
  ASSERT_EQ(Indexing[1].Maps.size(), 1u);
  const OperandMap &M = Indexing[1].Maps[0];
  EXPECT_EQ(toString(M.Map),
            "(d0){rt0} -> (0), domain: d0 in [0, 0], rt0 in [7, 7]");
  EXPECT_EQ(M.Runtimes[0].Clamp, Interval(0, 19));
}

TEST_F(HloIndexing, FoldsConstantsWithTheirClamp) {
  const std::string Slice = "p0 = f32[10] parameter(0)\n%s\n"
                            "ROOT r = f32[3] dynamic-slice(p0, c), "
                            "dynamic_slice_sizes={3}";
  auto With = [&](StringRef Start) {
    return outputToParameters(
        StringRef(Slice).take_front(Slice.find("%s")) + Start +
        StringRef(Slice).drop_front(Slice.find("%s") + 2))[0];
  };
  expectMaps(With("c = s32[] constant(4)"),
             {"(d0) -> (d0 + 4), domain: d0 in [0, 2]"});
  expectMaps(With("c = s32[] constant(-4)"),
             {"(d0) -> (d0), domain: d0 in [0, 2]"});
  expectMaps(With("c = u64[] constant(400)"),
             {"(d0) -> (d0 + 7), domain: d0 in [0, 2]"});
  expectMaps(With("a = s32[] constant(9)\n b = s32[] constant(-3)\n"
                  "d = s32[] add(a, b)\n e = s64[] convert(d)\n"
                  "f = s64[1] reshape(e)\n c = s64[] reshape(f)"),
             {"(d0) -> (d0 + 6), domain: d0 in [0, 2]"});
  // 100 + 100 is -56 in s8: not computed here.
  expectMaps(With("a = s8[] constant(100)\n c = s8[] add(a, a)"),
             {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 2], rt0 in [0, 7]"});
}

TEST_F(HloIndexing, FoldsIotas) {
  const std::string Gather =
      "ROOT g = f32[42,1] gather(p0, i), offset_dims={1}, "
      "collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, "
      "slice_sizes={1}";
  const std::string Operand = "p0 = f32[33] parameter(0)\n";
  expectMaps(outputToParameters(Operand +
                                "i = s32[42,1] iota(), iota_dimension=0\n" +
                                Gather)[0],
             {"(d0, d1) -> (min(d0, 32)), domain: d0 in [0, 41], "
              "d1 in [0, 0]"});
  // Reversed and shifted: 41 - d0 - 5.
  expectMaps(outputToParameters(Operand +
                                "j = s32[1,42] iota(), iota_dimension=1\n"
                                "r = s32[1,42] reverse(j), dimensions={1}\n"
                                "t = s32[42,1] transpose(r), dimensions={1,0}\n"
                                "five = s32[] constant(5)\n"
                                "f = s32[42,1] broadcast(five), dimensions={}\n"
                                "i = s32[42,1] subtract(t, f)\n" +
                                Gather)[0],
             {"(d0, d1) -> (max(0, min(36 - d0, 32))), domain: d0 in [0, 41], "
              "d1 in [0, 0]"});
  // Every third one, from 7 on.
  expectMaps(
      outputToParameters(Operand +
                         "j = s32[200,1] iota(), iota_dimension=0\n"
                         "i = s32[42,1] slice(j), slice={[7:133:3], [0:1]}\n" +
                         Gather)[0],
      {"(d0, d1) -> (min(d0 * 3 + 7, 32)), domain: d0 in [0, 41], "
       "d1 in [0, 0]"});
}

/// The iota of 300 elements wraps in s8.
TEST_F(HloIndexing, DoesNotFoldWhatWraps) {
  auto Indexing = outputToParameters(
      "p0 = f32[500] parameter(0)\n i = s8[300,1] iota(), iota_dimension=0\n"
      "ROOT g = f32[300,1] gather(p0, i), offset_dims={1}, "
      "collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, "
      "slice_sizes={1}");
  ASSERT_EQ(Indexing[0].Maps.size(), 1u);
  EXPECT_EQ(Indexing[0].Maps[0].Runtimes.size(), 1u);
}

/// The place of a variable may itself depend on one.
TEST_F(HloIndexing, GatherOfGatheredIndices) {
  EXPECT_EQ(printed("p0 = f32[100] parameter(0)\n p1 = s32[9,1] parameter(1)\n"
                    "p2 = s32[5,1] parameter(2)\n"
                    "a = f32[9] gather(p0, p1), offset_dims={}, "
                    "collapsed_slice_dims={0}, start_index_map={0}, "
                    "index_vector_dim=1, slice_sizes={1}\n"
                    "ROOT b = f32[5] gather(a, p2), offset_dims={}, "
                    "collapsed_slice_dims={0}, start_index_map={0}, "
                    "index_vector_dim=1, slice_sizes={1}"),
            "root -> p0: (d0){rt0, rt1} -> (rt0), domain: d0 in [0, 4], "
            "rt0 in [0, 99], rt1 in [0, 8]\n"
            "  rt0 = p1[rt1, 0] clamped to [0, 99]\n"
            "  rt1 = p2[d0, 0] clamped to [0, 8]\n"
            "root -> p1: (d0){rt0} -> (rt0, 0), domain: d0 in [0, 4], "
            "rt0 in [0, 8]\n"
            "  rt0 = p2[d0, 0] clamped to [0, 8]\n"
            "root -> p2: (d0) -> (d0, 0), domain: d0 in [0, 4]\n");
}

/// What is written at an index and read there again: one variable.
TEST_F(HloIndexing, EqualVariablesAreOne) {
  const std::string Text =
      "p0 = f32[90,8] parameter(0)\n p1 = f32[1,8] parameter(1)\n"
      "p2 = s32[1] parameter(2)\n i = s32[] reshape(p2)\n"
      "zero = s32[] constant(0)\n"
      "u = f32[90,8] dynamic-update-slice(p0, p1, i, zero)\n"
      "j = s32[] copy(i)\n";
  const std::string Slice = "ROOT s = f32[%s,8] dynamic-slice(u, j, zero), "
                            "dynamic_slice_sizes={%s,8}";
  auto ReadRows = [&](const std::string &Rows) {
    std::string Read = Slice;
    for (size_t At; (At = Read.find("%s")) != std::string::npos;)
      Read.replace(At, 2, Rows);
    return outputToParameters(Text + Read)[1];
  };
  expectMaps(ReadRows("1"),
             {"(d0, d1) -> (0, d1), domain: d0 in [0, 0], d1 in [0, 7]"});
  // Two rows: the start is clamped otherwise.
  OperandIndexing Two = ReadRows("2");
  ASSERT_EQ(Two.Maps.size(), 1u);
  EXPECT_EQ(Two.Maps[0].Runtimes.size(), 2u);
}

TEST_F(HloIndexing, ScatterDropsWhatIsOutside) {
  EXPECT_EQ(
      printed("add { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
              "ROOT c = f32[] add(a, b) }\n"
              "ENTRY e { p0 = f32[10,5] parameter(0)\n"
              "p1 = s32[24,1] parameter(1)\n p2 = f32[24,2,3] parameter(2)\n"
              "ROOT s = f32[10,5] scatter(p0, p1, p2), "
              "update_window_dims={1,2}, inserted_window_dims={}, "
              "scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
              "to_apply=add }"),
      "root -> p0: (d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 4]\n"
      "root -> p1: (d0, d1)[s0] -> (s0, 0), domain: d0 in [0, 9], "
      "d1 in [0, 4], s0 in [0, 23]\n"
      "root -> p2: (d0, d1)[s0]{rt0} -> (s0, d0 - rt0, d1), domain: "
      "d0 in [0, 9], d1 in [0, 2], s0 in [0, 23], rt0 in [0, 8], "
      "d0 - rt0 in [0, 1]\n"
      "  rt0 = p1[s0, 0]\n");
}

//===----------------------------------------------------------------------===//
// Callees and tuples
//===----------------------------------------------------------------------===//

/// A source inside of a callee is another value at each call.
TEST_F(HloIndexing, SourcesInCallees) {
  EXPECT_EQ(
      printed("f { x = f32[10] parameter(0)\n i = s32[] parameter(1)\n"
              "j = s32[] multiply(i, i)\n"
              "ROOT d = f32[4] dynamic-slice(x, j), dynamic_slice_sizes={4} }\n"
              "ENTRY e { p0 = f32[10] parameter(0)\n"
              "p1 = s32[] parameter(1)\n p2 = s32[] parameter(2)\n"
              "a = f32[4] call(p0, p1), to_apply=f\n"
              "b = f32[4] call(p0, p2), to_apply=f\n"
              "ROOT c = f32[4] add(a, b) }"),
      "root -> p0: (d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], "
      "rt0 in [0, 6]\n"
      "  rt0 = b/j[] clamped to [0, 6]\n"
      "root -> p0: (d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], "
      "rt0 in [0, 6]\n"
      "  rt0 = a/j[] clamped to [0, 6]\n"
      "root -> p1: (d0) -> (), domain: d0 in [0, 3]\n"
      "root -> p2: (d0) -> (), domain: d0 in [0, 3]\n");
}

/// What the caller knows of an index is used.
TEST_F(HloIndexing, FoldsArgumentsOfCalls) {
  expectMaps(
      outputToParameters(
          "f { x = f32[10] parameter(0)\n i = s32[] parameter(1)\n"
          "ROOT d = f32[4] dynamic-slice(x, i), dynamic_slice_sizes={4} }\n"
          "ENTRY e { p0 = f32[10] parameter(0)\n c = s32[] constant(3)\n"
          "ROOT a = f32[4] fusion(p0, c), kind=kLoop, calls=f }")[0],
      {"(d0) -> (d0 + 3), domain: d0 in [0, 3]"});
}

TEST_F(HloIndexing, TuplesAsText) {
  EXPECT_EQ(
      printed("p0 = (f32[3], f32[4]) parameter(0)\n p1 = f32[2] parameter(1)\n"
              "a = f32[4] get-tuple-element(p0), index=1\n"
              "b = f32[4] reverse(a), dimensions={0}\n"
              "ROOT t = (f32[4], f32[2]) tuple(b, p1)"),
      "root#0 -> p0#1: (d0) -> (3 - d0), domain: d0 in [0, 3]\n"
      "root#0 -> p1: not read\n"
      "root#1 -> p0: not read\n"
      "root#1 -> p1: (d0) -> (d0), domain: d0 in [0, 1]\n");
  EXPECT_EQ(printed("p0 = ((f32[3])) parameter(0)\n"
                    "a = (f32[3]) get-tuple-element(p0), index=0\n"
                    "ROOT b = f32[3] get-tuple-element(a), index=0"),
            "root -> p0#0: (d0) -> (d0), domain: d0 in [0, 2]\n");
  // The arrays of tuples of tuples are counted from left to right.
  EXPECT_EQ(
      printed("p0 = (f32[1], (f32[2], f32[3]), f32[4]) parameter(0)\n"
              "a = (f32[2], f32[3]) get-tuple-element(p0), index=1\n"
              "b = f32[3] get-tuple-element(a), index=1\n"
              "c = f32[4] get-tuple-element(p0), index=2\n"
              "t = (f32[4], f32[3]) tuple(c, b)\n"
              "ROOT u = ((f32[4], f32[3]), (f32[2], f32[3])) tuple(t, a)"),
      "root#0 -> p0#3: (d0) -> (d0), domain: d0 in [0, 3]\n"
      "root#1 -> p0#2: (d0) -> (d0), domain: d0 in [0, 2]\n"
      "root#2 -> p0#1: (d0) -> (d0), domain: d0 in [0, 1]\n"
      "root#3 -> p0#2: (d0) -> (d0), domain: d0 in [0, 2]\n");
}

/// The example of the partitioner: log is read at two indices.
TEST_F(HloIndexing, MapsToInstructions) {
  const HloComputation &C =
      root("p0 = f32[50,60] parameter(0)\n log = f32[50,60] log(p0)\n"
           "dead = f32[50,60] negate(log)\n"
           "slice = f32[50,50] slice(log), slice={[0:50], [0:50]}\n"
           "transpose = f32[50,50] transpose(slice), dimensions={1,0}\n"
           "ROOT add = f32[50,50] add(slice, transpose)")
          .parent();
  const auto &Reached = Analysis.outputToInstructions(C);
  const std::string Domain = ", domain: d0 in [0, 49], d1 in [0, 49]";
  for (size_t Number : {0, 1, 3})
    expectMaps(Reached[Number], {"(d0, d1) -> (d0, d1)" + Domain,
                                 "(d0, d1) -> (d1, d0)" + Domain});
  expectMaps(Reached[2], {});
  expectMaps(Reached[4], {"(d0, d1) -> (d0, d1)" + Domain});
  // The answer is kept, and does not move when others are asked for.
  outputToParameters("p0 = f32[3] parameter(0)");
  EXPECT_EQ(&Analysis.outputToInstructions(C), &Reached);
}

TEST_F(HloIndexing, OneInstructionAsText) {
  std::string Text;
  raw_string_ostream OS(Text);
  printIndexing(OS,
                root("p0 = f32[3] parameter(0)\n p1 = f32[] parameter(1)\n"
                     "ROOT r = f32[5] pad(p0, p1), padding=1_1"),
                Analysis);
  EXPECT_EQ(Text, "output -> p0: (d0) -> (d0 - 1), domain: d0 in [1, 3]\n"
                  "output -> p1: (d0) -> (), domain: d0 in [0, 4]\n");
}

TEST_F(HloIndexing, NothingIsReadOfNothing) {
  EXPECT_EQ(printed("p0 = f32[0,3] parameter(0)\n p1 = f32[] parameter(1)\n"
                    "a = f32[2,3] pad(p0, p1), padding=1_1x0_0\n"
                    "ROOT b = f32[6] reshape(a)"),
            "root -> p0: not read\n"
            "root -> p1: (d0) -> (), domain: d0 in [0, 5]\n");
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// 2^3000 paths, two maps.
TEST_F(HloIndexing, DiamondsTakeLinearTime) {
  std::string Text = "a0 = f32[8,8] parameter(0)\n";
  for (int I = 0; I < 3000; ++I)
    Text += formatv("t{0} = f32[8,8] transpose(a{0}), dimensions={{1,0}\n"
                    "a{1} = f32[8,8] add(a{0}, t{0})\n",
                    I, I + 1);
  EXPECT_EQ(outputToParameters(Text)[0].Maps.size(), 2u);
}

/// 2^90 calls, each analysed once.
TEST_F(HloIndexing, NestedCallsTakeLinearTime) {
  std::string Text = "f0 { ROOT x = f32[4,4] parameter(0) }\n";
  for (int I = 1; I < 90; ++I)
    Text += formatv("f{0} { x = f32[4,4] parameter(0)\n"
                    "a = f32[4,4] call(x), to_apply=f{1}\n"
                    "t = f32[4,4] transpose(x), dimensions={{1,0}\n"
                    "b = f32[4,4] call(t), to_apply=f{1}\n"
                    "ROOT c = f32[4,4] add(a, b) }\n",
                    I, I - 1);
  EXPECT_EQ(outputToParameters(Text)[0].Maps.size(), 2u);
}

/// Shifts by each number of the powers of two: more maps than are kept.
TEST_F(HloIndexing, TooManyMapsAreUnknown) {
  std::string Text = "a0 = f32[1000] parameter(0)\n"
                     "zero = f32[] constant(0)\n";
  for (int I = 0; I < 7; ++I)
    Text += formatv("s{0} = f32[1000] pad(a{0}, zero), padding={2}_-{2}\n"
                    "a{1} = f32[1000] add(a{0}, s{0})\n",
                    I, I + 1, 1 << I);
  EXPECT_EQ(outputToParameters(Text)[0].Maps.size(), 128u);
  auto Indexing = outputToParameters(
      Text + "s7 = f32[1000] pad(a7, zero), padding=128_-128\n"
             "ROOT a8 = f32[1000] add(a7, s7)\n");
  EXPECT_EQ(Indexing[0].WhyUnknown,
            "it is read through more than 128 different maps");
  EXPECT_TRUE(Indexing[0].Maps.empty());
}

/// Each of a chain of gathers takes its row from the row that the one before it
/// takes, and so on.
TEST_F(HloIndexing, TooManyRuntimeVariablesAreUnknown) {
  auto WhyUnknown = [&](size_t Count) {
    std::string Text =
        "x0 = s32[7,3] parameter(0)\n p1 = s32[7,1] parameter(1)\n";
    for (size_t I = 1; I <= Count; ++I)
      Text += formatv("{0}x{1} = s32[7,3] gather(x{2}, p1), offset_dims={{1}, "
                      "collapsed_slice_dims={{0}, start_index_map={{0}, "
                      "index_vector_dim=1, slice_sizes={{1,3}\n",
                      I == Count ? "ROOT " : "", I, I - 1)
                  .str();
    return outputToParameters(Text)[0].WhyUnknown;
  };
  EXPECT_EQ(WhyUnknown(MaxRuntimeVariables), "");
  EXPECT_EQ(WhyUnknown(MaxRuntimeVariables + 1),
            "an index leaves 64 bits, is too large an expression, or takes too "
            "many values of run time");
}

TEST_F(HloIndexing, WaysBack) {
  const HloInstruction &I =
      root("p0 = f32[30] parameter(0)\n p1 = s32[10,1] parameter(1)\n"
           "ROOT g = f32[10,4] gather(p0, p1), offset_dims={1}, "
           "collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, "
           "slice_sizes={4}");
  // In which slices an element is, the indices say: one runtime variable for
  // the start of slice s0.
  OperandIndexing Slices = Analysis.inputToOutput(I, 0);
  ASSERT_EQ(Slices.Maps.size(), 1u);
  EXPECT_EQ(toString(Slices.Maps[0].Map),
            "(d0)[s0]{rt0} -> (s0, d0 - rt0), domain: d0 in [0, 29], s0 in "
            "[0, 9], rt0 in [0, 26], d0 - rt0 in [0, 3]");
  ASSERT_EQ(Slices.Maps[0].Runtimes.size(), 1u);
  EXPECT_EQ(Slices.Maps[0].Runtimes[0].Source->name(), "p1");
  expectMaps(Analysis.inputToOutput(I, 1),
             {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 9], d1 in [0, 0], "
              "s0 in [0, 3]"});
  const HloInstruction &W =
      root("max { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
           "ROOT c = f32[] maximum(a, b) }\n"
           "ENTRY e { p0 = f32[9] parameter(0)\n"
           "p1 = f32[] parameter(1)\n"
           "ROOT r = f32[3] reduce-window(p0, p1), "
           "window={size=3 stride=3}, to_apply=max }");
  expectMaps(Analysis.inputToOutput(W, 0),
             {"(d0)[s0] -> ((d0 - s0) floordiv 3), domain: d0 in [0, 8], s0 in "
              "[0, 2], (d0 - s0) mod 3 in [0, 0]"});
  EXPECT_TRUE(Analysis.inputToOutput(W, 1).isKnown());
  // Into a callee, and out of it.
  const HloInstruction &F =
      root("f { x = f32[9] parameter(0)\n ROOT v = f32[9] reverse(x), "
           "dimensions={0} }\n"
           "ENTRY e { p0 = f32[9] parameter(0)\n"
           "ROOT r = f32[9] fusion(p0), kind=kLoop, calls=f }");
  OperandIndexing Through = Analysis.inputToOutput(F, 0);
  ASSERT_EQ(Through.Maps.size(), 1u);
  EXPECT_EQ(toString(Through.Maps[0].Map),
            "(d0) -> (8 - d0), domain: d0 in [0, 8]");
  // An element of a tuple goes to that element.
  const HloInstruction &T =
      root("p0 = f32[9] parameter(0)\n ROOT t = (f32[9], f32[9]) "
           "tuple(p0, p0)");
  EXPECT_EQ(Analysis.inputToOutput(T, 1).Maps[0].Element, 1u);
}

} // namespace
