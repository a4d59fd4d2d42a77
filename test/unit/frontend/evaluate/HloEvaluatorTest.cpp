//===- HloEvaluatorTest.cpp - Values of every opcode ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All values are worked out by hand from the definitions of the operations.
//
//===----------------------------------------------------------------------===//

#include "test/unit/HloTestHelper.h"

using namespace llvm;
using namespace unravel;

namespace {

//===----------------------------------------------------------------------===//
// Index transforms
//===----------------------------------------------------------------------===//

constexpr StringLiteral Matrix = "s8[2,3] {{1,2,3},{4,5,6}}";

TEST(HloEvaluator, Iota) {
  EXPECT_EQ(value("i = f32[2,3] iota(), iota_dimension=1"),
            "{ {0, 1, 2}, {0, 1, 2} }");
  EXPECT_EQ(value("i = s4[2,9] iota(), iota_dimension=1"),
            "{ {0, 1, 2, 3, 4, 5, 6, 7, -8}, {0, 1, 2, 3, 4, 5, 6, 7, -8} }");
}

TEST(HloEvaluator, Broadcast) {
  EXPECT_EQ(apply("s8[2,3,2]", "broadcast", {Matrix}, "dimensions={0,1}"),
            "{ { {1, 1}, {2, 2}, {3, 3} }, { {4, 4}, {5, 5}, {6, 6} } }");
  EXPECT_EQ(apply("s8[3,2]", "broadcast", {Matrix}, "dimensions={1,0}"),
            "{ {1, 4}, {2, 5}, {3, 6} }");
  EXPECT_EQ(apply("s8[2,2]", "broadcast", {"s8[] 7"}, "dimensions={}"),
            "{ {7, 7}, {7, 7} }");
}

TEST(HloEvaluator, Transpose) {
  EXPECT_EQ(apply("s8[3,2]", "transpose", {Matrix}, "dimensions={1,0}"),
            "{ {1, 4}, {2, 5}, {3, 6} }");
  // Output dimension i is operand dimension {2,0,1}[i].
  EXPECT_EQ(apply("s8[2,1,3]", "transpose", {"s8[1,3,2] {{{1,2},{3,4},{5,6}}}"},
                  "dimensions={2,0,1}"),
            "{ { {1, 3, 5} }, { {2, 4, 6} } }");
}

TEST(HloEvaluator, Reverse) {
  EXPECT_EQ(apply("s8[2,3]", "reverse", {Matrix}, "dimensions={1}"),
            "{ {3, 2, 1}, {6, 5, 4} }");
  EXPECT_EQ(apply("s8[2,3]", "reverse", {Matrix}, "dimensions={0,1}"),
            "{ {6, 5, 4}, {3, 2, 1} }");
}

TEST(HloEvaluator, Reshape) {
  EXPECT_EQ(apply("s8[3,2]", "reshape", {Matrix}),
            "{ {1, 2}, {3, 4}, {5, 6} }");
  EXPECT_EQ(apply("s8[6]", "reshape", {Matrix}), "{1, 2, 3, 4, 5, 6}");
  EXPECT_EQ(apply("s8[]", "reshape", {"s8[1,1] {{9}}"}), "9");
  EXPECT_EQ(apply("s8[1,1]", "reshape", {"s8[] 9"}), "{ {9} }");
  // Layouts do not matter: elements keep their row-major order.
  EXPECT_EQ(
      apply("s8[3,2]{0,1}", "reshape", {"s8[2,3]{0,1} {{1,2,3},{4,5,6}}"}),
      "{ {1, 2}, {3, 4}, {5, 6} }");
}

TEST(HloEvaluator, Bitcast) {
  // Layouts do matter: memory is 1 4 2 5 3 6.
  EXPECT_EQ(apply("s8[3,2]", "bitcast", {"s8[2,3]{0,1} {{1,2,3},{4,5,6}}"}),
            "{ {1, 4}, {2, 5}, {3, 6} }");
  EXPECT_EQ(apply("s16[2]", "bitcast", {"f16[2,1] {{1},{-2}}"}),
            "{15360, -16384}"); // 0x3c00, 0xc000
}

TEST(HloEvaluator, BitcastConvert) {
  EXPECT_EQ(apply("s32[1]", "bitcast-convert", {"f32[1] {1}"}), "{1065353216}");
  EXPECT_EQ(apply("u8[1,4]", "bitcast-convert", {"u32[1] {67305985}"}),
            "{ {1, 2, 3, 4} }"); // 0x04030201: the low byte first
  EXPECT_EQ(apply("u32[]", "bitcast-convert", {"u8[4] {1, 2, 3, 4}"}),
            "67305985");
  EXPECT_EQ(apply("u4[2]", "bitcast-convert", {"u8[] 33"}), "{1, 2}");
}

TEST(HloEvaluator, Concatenate) {
  EXPECT_EQ(apply("s8[2,5]", "concatenate",
                  {Matrix, "s8[2,0] {}", "s8[2,2] {{7,8},{9,10}}"},
                  "dimensions={1}"),
            "{ {1, 2, 3, 7, 8}, {4, 5, 6, 9, 10} }");
  EXPECT_EQ(apply("s8[3,3]", "concatenate", {Matrix, "s8[1,3] {{7,8,9}}"},
                  "dimensions={0}"),
            "{ {1, 2, 3}, {4, 5, 6}, {7, 8, 9} }");
}

TEST(HloEvaluator, Slice) {
  EXPECT_EQ(
      apply("s8[3]", "slice", {"s8[8] {0,1,2,3,4,5,6,7}"}, "slice={[1:8:3]}"),
      "{1, 4, 7}");
  EXPECT_EQ(apply("s8[1,2]", "slice", {Matrix}, "slice={[1:2], [1:3]}"),
            "{ {5, 6} }");
}

TEST(HloEvaluator, Pad) {
  EXPECT_EQ(apply("s8[8]", "pad", {"s8[3] {1,2,3}", "s8[] 9"}, "padding=1_2_1"),
            "{9, 1, 9, 2, 9, 3, 9, 9}");
  // Holes first: 1 9 9 2 9 9 3, then the cuts.
  EXPECT_EQ(
      apply("s8[5]", "pad", {"s8[3] {1,2,3}", "s8[] 9"}, "padding=-1_-1_2"),
      "{9, 9, 2, 9, 9}");
  EXPECT_EQ(apply("s8[2,2]", "pad", {Matrix, "s8[] 9"}, "padding=-1_1x0_-1"),
            "{ {4, 5}, {9, 9} }");
  EXPECT_EQ(apply("s8[2]", "pad", {"s8[0] {}", "s8[] 9"}, "padding=1_1_5"),
            "{9, 9}");
}

//===----------------------------------------------------------------------===//
// Dynamic indices
//===----------------------------------------------------------------------===//

TEST(HloEvaluator, DynamicSlice) {
  auto D = [](StringRef Type, StringRef Start) {
    return apply("s8[2]", "dynamic-slice",
                 {"s8[5] {0,1,2,3,4}", (Type + "[] " + Start).str()},
                 "dynamic_slice_sizes={2}");
  };
  EXPECT_EQ(D("s32", "1"), "{1, 2}");
  EXPECT_EQ(D("s32", "4"), "{3, 4}");  // clamped to 3
  EXPECT_EQ(D("s32", "-7"), "{0, 1}"); // clamped to 0
  EXPECT_EQ(D("u64", "18446744073709551615"), "{3, 4}");
  EXPECT_EQ(D("s64", "-9223372036854775808"), "{0, 1}");
  EXPECT_EQ(apply("s8[1,2]", "dynamic-slice", {Matrix, "s32[] 1", "s64[] 2"},
                  "dynamic_slice_sizes={1,2}"),
            "{ {5, 6} }");
}

TEST(HloEvaluator, DynamicUpdateSlice) {
  auto D = [](StringRef Row, StringRef Column) {
    return apply("s8[2,3]", "dynamic-update-slice",
                 {Matrix, "s8[1,2] {{8,9}}", ("s32[] " + Row).str(),
                  ("s32[] " + Column).str()});
  };
  EXPECT_EQ(D("0", "1"), "{ {1, 8, 9}, {4, 5, 6} }");
  EXPECT_EQ(D("5", "-1"), "{ {1, 2, 3}, {8, 9, 6} }");
  EXPECT_EQ(D("1", "2"), "{ {1, 2, 3}, {4, 8, 9} }");
}

TEST(HloEvaluator, Gather) {
  // Rows 2 and 0 of a table, then one that is clamped.
  EXPECT_EQ(apply("s8[3,2]", "gather",
                  {"s8[3,2] {{1,2},{3,4},{5,6}}", "s32[3] {2, 0, 9}"},
                  "offset_dims={1}, collapsed_slice_dims={0}, "
                  "start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}"),
            "{ {5, 6}, {1, 2}, {5, 6} }");
  // Start vectors (column, row), windows of 1x2, the offsets in front. (2, 1)
  // is clamped to column 1, (-5, -5) to (0, 0).
  EXPECT_EQ(apply("s8[1,2,3]", "gather",
                  {Matrix, "s32[3,2] {{0,1},{2,1},{-5,-5}}"},
                  "offset_dims={0,1}, collapsed_slice_dims={}, "
                  "start_index_map={1,0}, index_vector_dim=1, "
                  "slice_sizes={1,2}"),
            "{ { {4, 5, 1}, {5, 6, 2} } }");
  // The index vectors are columns: (0, 2), (1, 0).
  EXPECT_EQ(apply("s8[2]", "gather", {Matrix, "s32[2,2] {{0,1},{2,0}}"},
                  "offset_dims={}, collapsed_slice_dims={0,1}, "
                  "start_index_map={0,1}, index_vector_dim=0, "
                  "slice_sizes={1,1}"),
            "{3, 4}");
  // Row b of the indices reads row b of the operand.
  EXPECT_EQ(apply("s8[2,2]", "gather",
                  {Matrix, "s32[2,2,1] {{{2},{0}},{{1},{1}}}"},
                  "offset_dims={}, collapsed_slice_dims={1}, "
                  "start_index_map={1}, operand_batching_dims={0}, "
                  "start_indices_batching_dims={0}, index_vector_dim=2, "
                  "slice_sizes={1,1}"),
            "{ {3, 1}, {5, 5} }");
}

std::string scatter(StringRef Function, StringRef Operand, StringRef Indices,
                    StringRef Updates, StringRef Attributes) {
  auto Constant = [](StringRef Text) {
    auto [Shape, Literal] = Text.split(' ');
    return (Shape + " constant(" + Literal + ")").str();
  };
  return value("f { x = s8[] parameter(0) y = s8[] parameter(1)\n" + Function +
               " }\nENTRY e { o = " + Constant(Operand) +
               "\ni = " + Constant(Indices) + "\nu = " + Constant(Updates) +
               "\nr = " + Operand.split(' ').first +
               " scatter(o, i, u), to_apply=f, " + Attributes + "}");
}

TEST(HloEvaluator, Scatter) {
  const char *Add = "r = s8[] add(x, y)";
  const char *Rows = "update_window_dims={1}, inserted_window_dims={0}, "
                     "scatter_dims_to_operand_dims={0}, index_vector_dim=1";
  // Row 1 twice; rows 3 and -1 do not exist.
  EXPECT_EQ(scatter(Add, "s8[3,2] {{1,1},{2,2},{3,3}}", "s32[4] {1, 3, 1, -1}",
                    "s8[4,2] {{10,20},{99,99},{30,40},{99,99}}", Rows),
            "{ {1, 1}, {42, 62}, {3, 3} }");
  // The last one wins.
  EXPECT_EQ(scatter("ROOT r = s8[] negate(y)", "s8[3,1] {{1},{2},{3}}",
                    "s32[2] {2, 2}", "s8[2,1] {{5},{6}}", Rows),
            "{ {1}, {2}, {-6} }");
  // Also where the window's dimension comes first: window 1 behind window 0.
  EXPECT_EQ(scatter("ROOT r = s8[] negate(y)", "s8[3] {1, 2, 3}",
                    "s32[2,1] {{0},{1}}", "s8[2,2] {{10,30},{20,40}}",
                    "update_window_dims={0}, inserted_window_dims={}, "
                    "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
            "{-10, -30, -40}");
  // Windows of 2: at 0 and 1; at 2 a part would be outside, so all is dropped.
  EXPECT_EQ(scatter(Add, "s8[3] {1, 2, 3}", "s32[3,1] {{0},{1},{2}}",
                    "s8[3,2] {{10,20},{30,40},{50,60}}",
                    "update_window_dims={1}, inserted_window_dims={}, "
                    "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
            "{11, 52, 43}");
  // Vectors (column, row).
  EXPECT_EQ(scatter(Add, Matrix, "s32[2,2] {{2,0},{0,1}}", "s8[2] {10, 20}",
                    "update_window_dims={}, inserted_window_dims={0,1}, "
                    "scatter_dims_to_operand_dims={1,0}, index_vector_dim=1"),
            "{ {1, 2, 13}, {24, 5, 6} }");
  // Row b of the indices writes to row b.
  EXPECT_EQ(scatter(Add, Matrix, "s32[2,1] {{2},{0}}", "s8[2] {10, 20}",
                    "update_window_dims={}, inserted_window_dims={1}, "
                    "scatter_dims_to_operand_dims={1}, "
                    "input_batching_dims={0}, "
                    "scatter_indices_batching_dims={0}, index_vector_dim=1"),
            "{ {1, 2, 13}, {24, 5, 6} }");
}

TEST(HloEvaluator, VariadicScatter) {
  EXPECT_EQ(value(R"(
    f { a = s8[] parameter(0) b = f32[] parameter(1)
        c = s8[] parameter(2) d = f32[] parameter(3)
        s = s8[] add(a, c) m = f32[] maximum(b, d)
        ROOT t = (s8[], f32[]) tuple(s, m) }
    ENTRY e { a = s8[2] constant({1, 2}) b = f32[2] constant({0.5, 0.5})
      i = s32[2,1] constant({{1}, {1}})
      c = s8[2] constant({10, 20}) d = f32[2] constant({-1, 3})
      r = (s8[2], f32[2]) scatter(a, b, i, c, d), to_apply=f,
        update_window_dims={}, inserted_window_dims={0},
        scatter_dims_to_operand_dims={0}, index_vector_dim=1 })"),
            "({1, 32}, {0.5, 3})");
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

TEST(HloEvaluator, Reduce) {
  auto R = [](StringRef Shape, StringRef Dimensions) {
    return value("f { x = s8[] parameter(0) y = s8[] parameter(1)\n"
                 "r = s8[] add(x, y) }\n"
                 "ENTRY e { m = s8[2,3] constant({{1,2,3},{4,5,6}})\n"
                 "i = s8[] constant(10)\nr = " +
                 Shape + " reduce(m, i), to_apply=f, dimensions=" + Dimensions +
                 "}");
  };
  EXPECT_EQ(R("s8[2]", "{1}"), "{16, 25}");
  EXPECT_EQ(R("s8[3]", "{0}"), "{15, 17, 19}");
  EXPECT_EQ(R("s8[]", "{0,1}"), "31");
  EXPECT_EQ(R("s8[2,3]", "{}"), "{ {11, 12, 13}, {14, 15, 16} }");
}

/// ((10 - 1) - 2) - 3: from left to right, the accumulator first.
TEST(HloEvaluator, ReduceGoesFromLeftToRight) {
  EXPECT_EQ(value(R"(
    f { x = s8[] parameter(0) y = s8[] parameter(1)
        r = s8[] subtract(x, y) }
    ENTRY e { m = s8[3] constant({1, 2, 3}) i = s8[] constant(10)
      r = s8[] reduce(m, i), to_apply=f, dimensions={0} })"),
            "4");
}

TEST(HloEvaluator, VariadicReduce) {
  EXPECT_EQ(value(R"(
    f { a = f32[] parameter(0) i = s32[] parameter(1)
        b = f32[] parameter(2) j = s32[] parameter(3)
        ge = pred[] compare(a, b), direction=GE
        v = f32[] select(ge, a, b) n = s32[] select(ge, i, j)
        ROOT t = (f32[], s32[]) tuple(v, n) }
    ENTRY e { m = f32[2,3] constant({{1, 7, 3}, {4, 4, -1}})
      k = s32[2,3] iota(), iota_dimension=1
      i = f32[] constant(-inf) z = s32[] constant(-1)
      r = (f32[2], s32[2]) reduce(m, k, i, z), to_apply=f, dimensions={1} })"),
            "({7, 4}, {1, 0})");
}

/// A callee that is more than operations on scalars.
TEST(HloEvaluator, ReduceWithArraysInTheCallee) {
  EXPECT_EQ(value(R"(
    g { a = s32[2] parameter(0) b = s32[2] parameter(1)
        r = s32[2] add(a, b) }
    f { x = s32[] parameter(0) y = s32[] parameter(1)
        xx = s32[2] broadcast(x), dimensions={}
        yy = s32[2] broadcast(y), dimensions={}
        s = s32[2] call(xx, yy), to_apply=g
        one = s32[1] slice(s), slice={[1:2]} r = s32[] reshape(one) }
    ENTRY e { m = s32[4] constant({1, 2, 3, 4}) i = s32[] constant(0)
      r = s32[] reduce(m, i), to_apply=f, dimensions={0} })"),
            "10");
}

std::string window(StringRef Result, StringRef Operand, StringRef Window,
                   StringRef Function = "add", StringRef Initial = "0") {
  auto [Shape, Literal] = Operand.split(' ');
  return value("f { x = s8[] parameter(0) y = s8[] parameter(1)\n"
               "r = s8[] " +
               Function + "(x, y) }\nENTRY e { m = " + Shape + " constant(" +
               Literal + ")\ni = s8[] constant(" + Initial +
               ")\nr = " + Result +
               " reduce-window(m, i), to_apply=f, window={" + Window + "}}");
}

TEST(HloEvaluator, ReduceWindow) {
  StringRef Five = "s8[5] {1,2,3,4,5}";
  EXPECT_EQ(window("s8[3]", Five, "size=3"), "{6, 9, 12}");
  EXPECT_EQ(window("s8[2]", Five, "size=2 stride=3"), "{3, 9}");
  EXPECT_EQ(window("s8[5]", Five, "size=3 pad=1_1"), "{3, 6, 9, 12, 9}");
  EXPECT_EQ(window("s8[2]", Five, "size=3 pad=-1_0"), "{9, 12}");
  EXPECT_EQ(window("s8[1]", Five, "size=3 rhs_dilate=2"), "{9}"); // 1 + 3 + 5
  // 1 . 2 . 3 . 4 . 5 in windows of two.
  EXPECT_EQ(window("s8[8]", Five, "size=2 lhs_dilate=2"),
            "{1, 2, 2, 3, 3, 4, 4, 5}");
  EXPECT_EQ(window("s8[1,2]", Matrix, "size=2x2"), "{ {12, 16} }");
  EXPECT_EQ(
      window("s8[3]", "s8[3] {3,1,2}", "size=2 pad=1_0", "maximum", "-128"),
      "{3, 3, 2}");
  // The last window is all padding: nothing but the initial value.
  EXPECT_EQ(window("s8[2]", "s8[1] {5}", "size=1 pad=0_1", "add", "7"),
            "{12, 7}");
  EXPECT_EQ(window("s8[0]", "s8[1] {5}", "size=5"), "{}");
}

TEST(HloEvaluator, Dot) {
  EXPECT_EQ(apply("s32[2,2]", "dot", {Matrix, "s8[3,2] {{1,2},{3,4},{5,6}}"},
                  "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
            "{ {22, 28}, {49, 64} }");
  // Batches: row b with row b.
  EXPECT_EQ(apply("s8[2]", "dot", {Matrix, "s8[2,3] {{1,1,1},{1,0,2}}"},
                  "lhs_batch_dims={0}, lhs_contracting_dims={1}, "
                  "rhs_batch_dims={0}, rhs_contracting_dims={1}"),
            "{6, 16}");
  EXPECT_EQ(apply("s8[2,2]", "dot", {"s8[2] {1,2}", "s8[2] {3,4}"}),
            "{ {3, 4}, {6, 8} }");
  EXPECT_EQ(apply("s16[]", "dot", {"u8[1] {255}", "s8[1] {-1}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "-255");
  EXPECT_EQ(apply("s8[]", "dot", {"s8[2] {100,100}", "s8[2] {2,1}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "44"); // 300 modulo 256
  EXPECT_EQ(apply("pred[]", "dot", {"pred[2] {1,0}", "pred[2] {1,1}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "true");
  EXPECT_EQ(apply("c64[]", "dot", {"c64[1] {(0,1)}", "c64[1] {(0,1)}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "(-1, 0)");
  EXPECT_EQ(apply("f32[]", "dot",
                  {"f8e4m3fn[2] {2, 3}", "f8e5m2[2] {0.5, 0.25}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "1.75");
  // Added up in more than f32: 2^24 + 1 + 1.
  EXPECT_EQ(apply("f32[]", "dot",
                  {"f32[3] {16777216, 1, 1}", "f32[3] {1, 1, 1}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "1.6777218e+07");
}

/// One batch, one feature: b0f_0io->b0f is a correlation.
std::string correlate(StringRef Result, StringRef Window) {
  return apply(
      Result, "convolution",
      {"s8[1,4,1] {{{1},{2},{3},{4}}}", "s8[2,1,1] {{{10}},{{1}}}"},
      ("dim_labels=b0f_0io->b0f, window={size=2 " + Window + "}").str());
}

TEST(HloEvaluator, Convolution) {
  EXPECT_EQ(correlate("s8[1,3,1]", ""), "{ { {12}, {23}, {34} } }");
  EXPECT_EQ(correlate("s8[1,3,1]", "rhs_reversal=1"),
            "{ { {21}, {32}, {43} } }");
  EXPECT_EQ(correlate("s8[1,5,1]", "pad=1_1"),
            "{ { {1}, {12}, {23}, {34}, {40} } }");
  EXPECT_EQ(correlate("s8[1,2,1]", "stride=2"), "{ { {12}, {34} } }");
  EXPECT_EQ(correlate("s8[1,2,1]", "rhs_dilate=2"), "{ { {13}, {24} } }");
  // 1 . 2 . 3 . 4
  EXPECT_EQ(correlate("s8[1,6,1]", "lhs_dilate=2"),
            "{ { {10}, {2}, {20}, {3}, {30}, {4} } }");
  // No spatial dimensions: a product of matrices, features 2 -> 3.
  EXPECT_EQ(apply("s8[1,3]", "convolution",
                  {"s8[1,2] {{1,2}}", "s8[2,3] {{1,2,3},{4,5,6}}"},
                  "dim_labels=bf_io->bf"),
            "{ {9, 12, 15} }");
}

TEST(HloEvaluator, ConvolutionGroups) {
  // Features (1, 2) and (3, 4) in two groups of one feature; the kernel has
  // output features 0, 1 for group 0 and 2, 3 for group 1.
  EXPECT_EQ(apply("s8[1,4]", "convolution",
                  {"s8[1,2] {{3,5}}", "s8[1,4] {{1,2,3,4}}"},
                  "dim_labels=bf_io->bf, feature_group_count=2"),
            "{ {3, 6, 15, 20} }");
  // Batches 0, 1 belong to output features 0, 1; batches 2, 3 to 2, 3.
  EXPECT_EQ(apply("s8[2,4]", "convolution",
                  {"s8[4,1] {{1},{2},{3},{4}}", "s8[1,4] {{1,2,3,4}}"},
                  "dim_labels=bf_io->bf, batch_group_count=2"),
            "{ {1, 2, 9, 12}, {2, 4, 12, 16} }");
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

TEST(HloEvaluator, ParametersAndLayouts) {
  auto Module = parseModule(R"(
    f { x = s8[2,3]{0,1} parameter(0) y = s8[] parameter(1)
        z = s8[2,3] broadcast(y), dimensions={}
        s = s8[2,3]{1,0} add(x, z)
        ROOT t = (s8[2,3]{1,0}, s8[]) tuple(s, y) }
    ENTRY e { a = s8[] parameter(1) b = s8[2,3] parameter(0)
      t = (s8[2,3]{1,0}, s8[]) fusion(b, a), kind=kLoop, calls=f
      ROOT r = s8[2,3]{0,1} get-tuple-element(t), index=0 })");
  EXPECT_EQ(errorOf(toString(*Module)), "");
  HloLiteral B(HloShape(Module->entry().parameter(0).shape()),
               {1, 2, 3, 4, 5, 6});
  HloLiteral A = HloLiteral::scalar(HloElement::integer(ElementType::S8, 10));
  Expected<HloLiteral> Value = evaluateHlo(*Module, {B, A});
  ASSERT_TRUE(bool(Value)) << toString(Value.takeError());
  EXPECT_EQ(Value->str(), "{ {11, 12, 13}, {14, 15, 16} }");
  EXPECT_EQ(Value->bytes(), ArrayRef<uint8_t>({11, 14, 12, 15, 13, 16}));

  EXPECT_EQ(toString(evaluateHlo(*Module, {B}).takeError()),
            "'e' has 2 parameters, but gets 1 arguments");
  EXPECT_EQ(toString(evaluateHlo(*Module, {A, B}).takeError()),
            "parameter 0 ('b') is s8[2,3], but the argument is s8[]");
}

/// A bitcast in a fusion sees the layout of its parameter, not that of the
/// operand, from which elements are copied.
TEST(HloEvaluator, ParametersAreRelaidOut) {
  EXPECT_EQ(value(R"(
    f { x = s8[2,3]{0,1} parameter(0) ROOT r = s8[6] bitcast(x) }
    ENTRY e { b = s8[2,3] constant({{1,2,3},{4,5,6}})
      ROOT r = s8[6] fusion(b), kind=kLoop, calls=f })"),
            "{1, 4, 2, 5, 3, 6}");
}

TEST(HloEvaluator, Tuples) {
  EXPECT_EQ(value("a = (s8[], (f32[2], pred[])) constant((1, ({2, 3}, true)))\n"
                  "b = (f32[2], pred[]) get-tuple-element(a), index=1\n"
                  "c = f32[2] get-tuple-element(b), index=0\n"
                  "e = () tuple()\n"
                  "d = (f32[2], (f32[2], pred[]), ()) tuple(c, b, e)"),
            "({2, 3}, ({2, 3}, true), ())");
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TEST(HloEvaluator, Limits) {
  HloEvaluatorLimits Limits;
  Limits.MaxSteps = 1000;
  EXPECT_EQ(value("a = s8[1001] iota(), iota_dimension=0", Limits),
            "<test>:1:1: error: instruction 'a' (iota): the reference "
            "evaluator would compute more than 1000 elements; use smaller "
            "shapes");
  EXPECT_EQ(value("a = s8[30,30] iota(), iota_dimension=0\n"
                  "b = s8[] dot(a, a), lhs_contracting_dims={0,1}, "
                  "rhs_contracting_dims={0,1}",
                  Limits),
            "<test>:2:1: error: instruction 'b' (dot): the reference evaluator "
            "would compute more than 1000 elements; use smaller shapes");
  Limits = HloEvaluatorLimits();
  Limits.MaxBytes = 1000;
  EXPECT_EQ(value("a = f64[126] iota(), iota_dimension=0", Limits),
            "<test>:1:1: error: instruction 'a' (iota): the reference "
            "evaluator would need more than 1000 bytes; use smaller shapes");
  // What is not needed any more does not count.
  std::string Chain = "x0 = s8[400] iota(), iota_dimension=0\n";
  for (unsigned I = 1; I < 20; ++I)
    Chain += "x" + std::to_string(I) + " = s8[400] negate(x" +
             std::to_string(I - 1) + ")\n";
  EXPECT_EQ(
      StringRef(value(Chain + "r = s8[1] slice(x19), slice={[7:8]}", Limits)),
      "{-7}");
}

/// Twice two calls, a hundred levels deep, of next to nothing.
TEST(HloEvaluator, CallsThatDouble) {
  std::string Text = "f0 { x = s8[0] parameter(0) }\n";
  for (unsigned I = 1; I < 100; ++I) {
    std::string Callee = "f" + std::to_string(I - 1);
    Text += "f" + std::to_string(I) +
            " { x = s8[0] parameter(0) y = s8[0] call(x), to_apply=" + Callee +
            " z = s8[0] call(y), to_apply=" + Callee + " }\n";
  }
  Text += "ENTRY e { c = s8[0] constant({}) r = s8[0] call(c), to_apply=f99 }";
  HloEvaluatorLimits Limits;
  Limits.MaxSteps = 100000;
  EXPECT_NE(value(Text, Limits).find("would compute more than 100000"),
            std::string::npos);
}

} // namespace
