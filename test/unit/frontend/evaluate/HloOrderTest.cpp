//===- HloOrderTest.cpp - Sorts, windows, loops, branches, calls ----------===//
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

std::string sorted(StringRef Direction, StringRef Dimension) {
  return value("f { a = s8[] parameter(0) b = s8[] parameter(1)\n"
               "r = pred[] compare(a, b), direction=" +
               Direction +
               " }\nENTRY e { m = s8[2,3] constant({{3,1,2},{6,5,7}})\n"
               "r = s8[2,3] sort(m), to_apply=f, dimensions={" +
               Dimension + "} }");
}

TEST(HloOrder, Sort) {
  EXPECT_EQ(sorted("LT", "1"), "{ {1, 2, 3}, {5, 6, 7} }");
  EXPECT_EQ(sorted("GT", "1"), "{ {3, 2, 1}, {7, 6, 5} }");
  EXPECT_EQ(sorted("GT", "0"), "{ {6, 5, 7}, {3, 1, 2} }");
}

/// Equal elements stay as they were, and take the others with them.
TEST(HloOrder, SortOfSeveral) {
  EXPECT_EQ(value(R"(
    f { a = s8[] parameter(0) b = s8[] parameter(1)
        c = f32[] parameter(2) d = f32[] parameter(3)
        r = pred[] compare(a, b), direction=LT }
    ENTRY e { k = s8[5] constant({2, 1, 2, 1, 0})
      v = f32[5] constant({1, 2, 3, 4, 5})
      r = (s8[5], f32[5]) sort(k, v), dimensions={0}, to_apply=f })"),
            "({0, 1, 1, 2, 2}, {5, 2, 4, 1, 3})");
}

TEST(HloOrder, TopK) {
  StringRef Row = "s8[5] {3,9,3,9,1}";
  EXPECT_EQ(apply("(s8[3], s32[3])", "topk", {Row}, "k=3"),
            "({9, 9, 3}, {1, 3, 0})");
  EXPECT_EQ(apply("(s8[2], s32[2])", "topk", {Row}, "k=2, largest=false"),
            "({1, 3}, {4, 0})");
  EXPECT_EQ(apply("(s8[0], s32[0])", "topk", {Row}, "k=0"), "({}, {})");
  // The total order of floats: NaN is above infinity, -0 below 0.
  EXPECT_EQ(apply("(f32[2,2], s32[2,2])", "topk",
                  {"f32[2,3] {{1,nan,inf},{-1,-0,0}}"}, "k=2"),
            "({ {nan, inf}, {0, -0.0} }, { {1, 2}, {2, 1} })");
}

std::string selected(StringRef Result, StringRef Operand, StringRef Source,
                     StringRef Window) {
  auto Constant = [](StringRef Text) {
    auto [Shape, Literal] = Text.split(' ');
    return (Shape + " constant(" + Literal + ")").str();
  };
  return value("ge { a = s8[] parameter(0) b = s8[] parameter(1)\n"
               "r = pred[] compare(a, b), direction=GE }\n"
               "f { x = s8[] parameter(0) y = s8[] parameter(1)\n"
               "t = s8[] add(y, y) r = s8[] add(x, t) }\n"
               "ENTRY e { m = " +
               Constant(Operand) + "\ns = " + Constant(Source) +
               "\ni = s8[] constant(1)\nr = " + Result +
               " select-and-scatter(m, s, i), select=ge, scatter=f, window={" +
               Window + "} }");
}

/// `scatter` doubles what is there and adds the source: the order of windows
/// and arguments shows.
TEST(HloOrder, SelectAndScatter) {
  EXPECT_EQ(
      selected("s8[4]", "s8[4] {1,3,2,4}", "s8[2] {10,20}", "size=2 stride=2"),
      "{1, 12, 1, 22}");
  // Both windows choose the 3: (1*2 + 10)*2 + 20.
  EXPECT_EQ(selected("s8[3]", "s8[3] {1,3,2}", "s8[2] {10,20}", "size=2"),
            "{1, 44, 1}");
  // Of equal elements, the first.
  EXPECT_EQ(selected("s8[3]", "s8[3] {3,3,3}", "s8[2] {10,20}", "size=2"),
            "{12, 22, 1}");
  // Padding is never chosen, and a window of nothing else chooses nothing.
  EXPECT_EQ(
      selected("s8[2]", "s8[2] {-5,-7}", "s8[4] {1,2,3,4}", "size=1 pad=1_1"),
      "{4, 5}");
  EXPECT_EQ(
      selected("s8[2,2]", "s8[2,2] {{1,2},{4,3}}", "s8[1,1] {{5}}", "size=2x2"),
      "{ {1, 1}, {7, 1} }");
}

constexpr StringLiteral Loop = R"(
  go { t = (s32[], s32[]) parameter(0) i = s32[] get-tuple-element(t), index=0
       n = s32[] constant(LIMIT) ROOT r = pred[] compare(i, n), direction=LT }
  step { t = (s32[], s32[]) parameter(0)
         i = s32[] get-tuple-element(t), index=0
         p = s32[] get-tuple-element(t), index=1
         one = s32[] constant(1) j = s32[] add(i, one)
         q = s32[] multiply(p, j) ROOT r = (s32[], s32[]) tuple(j, q) }
  ENTRY e { z = s32[] constant(0) one = s32[] constant(1)
    t = (s32[], s32[]) tuple(z, one)
    ROOT r = (s32[], s32[]) while(t), condition=go, body=step })";

std::string loopTo(StringRef Limit) {
  auto [Before, After] = StringRef(Loop).split("LIMIT");
  return (Before + Limit + After).str();
}

TEST(HloOrder, While) {
  EXPECT_EQ(value(loopTo("5")), "(5, 120)");
  EXPECT_EQ(value(loopTo("0")), "(0, 1)");
}

/// A loop that does not end, ends with the limit.
TEST(HloOrder, WhileHasALimit) {
  auto Module = parseModule(loopTo("2000000000"));
  HloEvaluatorLimits Limits;
  Limits.MaxSteps = 1000;
  std::string Found = toString(evaluateHlo(*Module, {}, Limits).takeError());
  EXPECT_NE(Found.find("more than 1000 elements"), std::string::npos) << Found;
}

std::string chosen(StringRef Chooser) {
  return value("add { a = s8[] parameter(0) one = s8[] constant(1)\n"
               "r = s8[] add(a, one) }\n"
               "neg { a = s8[] parameter(0) r = s8[] negate(a) }\n"
               "ENTRY e { c = " +
               Chooser.split(' ').first + " constant(" +
               Chooser.split(' ').second +
               ")\na = s8[] constant(5) b = s8[] constant(7)\n"
               "r = s8[] conditional(c, a, b), " +
               (Chooser.starts_with("pred")
                    ? "true_computation=add, false_computation=neg"
                    : "branch_computations={add, neg}") +
               " }");
}

TEST(HloOrder, Conditional) {
  EXPECT_EQ(chosen("pred[] true"), "6");
  EXPECT_EQ(chosen("pred[] false"), "-7");
  EXPECT_EQ(chosen("s32[] 0"), "6");
  EXPECT_EQ(chosen("s32[] 1"), "-7");
  // A number that is none of a branch chooses the last one.
  EXPECT_EQ(chosen("s32[] 2"), "-7");
  EXPECT_EQ(chosen("s32[] -1"), "-7");
}

TEST(HloOrder, CustomCall) {
  auto Module = parseModule("ENTRY e { a = s8[2] parameter(0)\n"
                            "c = s8[2] custom-call(a), custom_call_target=\"f\""
                            "\nROOT r = s8[2] negate(c) }");
  HloLiteral Two =
      cantFail(parseLiteral("{1, 2}", "t", Module->entry().root().shape()));
  auto Twice =
      [](const HloInstruction &Call,
         ArrayRef<const HloLiteral *> Operands) -> Expected<HloLiteral> {
    EXPECT_EQ(Call.attributes<HloCustomCall>().Target, "f");
    HloLiteral Result = *Operands[0];
    for (int64_t K : {0, 1})
      Result.setAtOffset(
          K, HloElement::integer(ElementType::S8,
                                 2 * Operands[0]->atOffset(K).asInt64()));
    return Result;
  };
  EXPECT_EQ(cantFail(evaluateHlo(*Module, {Two}, {}, Twice)).str(), "{-2, -4}");
  std::string Without = toString(evaluateHlo(*Module, {Two}).takeError());
  EXPECT_NE(Without.find("'c' (custom-call): what 'f' computes is not known"),
            std::string::npos)
      << Without;
}

} // namespace
