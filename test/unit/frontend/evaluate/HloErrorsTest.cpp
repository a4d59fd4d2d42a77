//===- HloErrorsTest.cpp - How far rounding moves values ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloErrors.h"
#include "test/unit/HloTestHelper.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace unravel;

namespace {

struct Bounded {
  HloLiteral Value;
  /// Of all elements of all arrays; empty if the value is exact.
  std::vector<double> Bounds;
};

Bounded evaluate(StringRef Text, ArrayRef<HloLiteral> Arguments) {
  auto Module = parseModule(Text.str());
  EXPECT_FALSE(bool(verifyHlo(*Module))) << Text.str();
  HloErrors Errors;
  Bounded Result;
  Result.Value = cantFail(evaluateHlo(*Module, Arguments, {}, nullptr,
                                      [&](const HloInstruction &I,
                                          ArrayRef<HloErrors::Value> Inputs,
                                          const HloErrors::Value &Value) {
                                        Errors.observe(I, Inputs, Value);
                                      }));
  if (const HloLiteral *Bounds = Errors.of(Module->entry().root()))
    for (const HloLiteral *Array : arraysOf(*Bounds))
      for (int64_t K = 0; K < Array->shape().elementCount(); ++K)
        Result.Bounds.push_back(Array->atOffset(K).real());
  return Result;
}

Bounded evaluate(StringRef Text) {
  return evaluate(Text, someArguments(*parseModule(Text.str())));
}

constexpr double Unit = 1.0 / (1 << 23); // of f32

constexpr StringLiteral Sum =
    "add { a = f32[] parameter(0) b = f32[] parameter(1)\n"
    " ROOT s = f32[] add(a, b) }\n";

/// Terms times the unit times the sum of the magnitudes.
TEST(HloErrors, SumsOfTerms) {
  Bounded Four = evaluate(
      (Sum + "ENTRY e { x = f32[4] constant({1, -2, 3, -4})\n"
             "z = f32[] constant(0)\n"
             "ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=add }")
          .str());
  ASSERT_EQ(Four.Bounds.size(), 1u);
  EXPECT_DOUBLE_EQ(Four.Bounds[0], 5 * Unit * 10);
  Bounded Dot = evaluate("ENTRY e { x = f32[4] constant({1, -2, 3, -4})\n"
                         "ROOT r = f32[] dot(x, x), lhs_contracting_dims={0}, "
                         "rhs_contracting_dims={0} }");
  ASSERT_EQ(Dot.Bounds.size(), 1u);
  EXPECT_DOUBLE_EQ(Dot.Bounds[0], 4 * Unit * 30 + Unit * 30);
}

/// A window has the terms that are in it; a scatter those that hit.
TEST(HloErrors, TermsThatAreThere) {
  Bounded Windows =
      evaluate((Sum + "ENTRY e { x = f32[3] constant({1, 2, 4})\n"
                      "z = f32[] constant(0)\n"
                      "ROOT r = f32[3] reduce-window(x, z), to_apply=add, "
                      "window={size=3 pad=1_1} }")
                   .str());
  ASSERT_EQ(Windows.Bounds.size(), 3u);
  EXPECT_DOUBLE_EQ(Windows.Bounds[0], 3 * Unit * 3);
  EXPECT_DOUBLE_EQ(Windows.Bounds[1], 4 * Unit * 7);
  Bounded Scatter = evaluate(
      (Sum + "ENTRY e { x = f32[2] constant({1, 2})\n"
             "i = s32[2,1] constant({{1}, {1}}) u = f32[2] constant({4, 8})\n"
             "ROOT r = f32[2] scatter(x, i, u), update_window_dims={}, "
             "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
             "index_vector_dim=1, to_apply=add }")
          .str());
  ASSERT_EQ(Scatter.Bounds.size(), 2u);
  EXPECT_DOUBLE_EQ(Scatter.Bounds[0], 1 * Unit * 1);
  EXPECT_DOUBLE_EQ(Scatter.Bounds[1], 3 * Unit * 14);
}

TEST(HloErrors, ExactValues) {
  for (const char *Root :
       {"s32[4] add(i, i)", "f32[4] negate(x)", "f32[4] maximum(x, x)",
        "f32[2,2] reshape(x)", "f32[1] slice(x), slice={[0:1]}",
        "pred[4] compare(x, x), direction=LT", "f16[4] convert(x)"}) {
    EXPECT_TRUE(evaluate(("ENTRY e { x = f32[4] constant({1, 2, 3, 4})\n"
                          "i = s32[4] constant({1, 2, 3, 4})\nROOT r = " +
                          StringRef(Root) + " }")
                             .str())
                    .Bounds.empty())
        << Root;
  }
}

/// What an operation makes of an error: twice as much, the difference that a
/// comparison may make, nothing that bounds it.
TEST(HloErrors, Propagation) {
  auto Of = [](StringRef Rest) {
    // s is 3, of three terms.
    return evaluate((Sum +
                     "ENTRY e { x = f32[2] constant({1, 2})\n"
                     "z = f32[] constant(0)\n"
                     "s = f32[] reduce(x, z), dimensions={0}, "
                     "to_apply=add\n" +
                     Rest + " }")
                        .str())
        .Bounds;
  };
  double Error = 3 * Unit * 3;
  // The moved result is rounded, which the unit of 3 makes up for.
  EXPECT_NEAR(Of("ROOT r = f32[] negate(s)")[0], Error + Unit * 3, 2 * Unit);
  EXPECT_DOUBLE_EQ(Of("ROOT r = f32[3] broadcast(s), dimensions={}")[2], Error);
  EXPECT_NEAR(Of("c = f32[] constant(8) ROOT r = f32[] multiply(s, c)")[0],
              8 * Error + 2 * Unit * 24, 16 * Unit);
  EXPECT_DOUBLE_EQ(Of("ROOT r = s32[] convert(s)")[0], 1);
  EXPECT_DOUBLE_EQ(
      Of("c = f32[] constant(3) ROOT r = pred[] compare(s, c), direction=LT")
          [0],
      1);
  EXPECT_EQ(
      Of("c = f32[] constant(4) ROOT r = pred[] compare(s, c), direction=LT"),
      std::vector<double>());
  // The branches of a select, if its predicate may be off.
  EXPECT_DOUBLE_EQ(Of("c = f32[] constant(3) p = pred[] compare(s, c), "
                      "direction=LT a = f32[] constant(10) b = f32[] "
                      "constant(4) ROOT r = f32[] select(p, a, b)")[0],
                   6 + 4 * Unit);
  EXPECT_TRUE(
      std::isinf(Of("i = s32[] convert(s) ROOT r = f32[1] dynamic-slice(x, i), "
                    "dynamic_slice_sizes={1}")[0]));
  // A tuple has the bounds of its elements.
  std::vector<double> Pair = Of("ROOT r = (f32[2], f32[]) tuple(x, s)");
  ASSERT_EQ(Pair.size(), 3u);
  EXPECT_EQ(Pair[0], 0);
  EXPECT_DOUBLE_EQ(Pair[2], Error);
}

/// Loops and branches pass errors on.
TEST(HloErrors, BetweenComputations) {
  Bounded Found = evaluate(R"(
    go { t = (s32[], f32[]) parameter(0)
         i = s32[] get-tuple-element(t), index=0
         n = s32[] constant(3) ROOT r = pred[] compare(i, n), direction=LT }
    step { t = (s32[], f32[]) parameter(0)
           i = s32[] get-tuple-element(t), index=0
           x = f32[] get-tuple-element(t), index=1
           one = s32[] constant(1) j = s32[] add(i, one)
           y = f32[] add(x, x) ROOT r = (s32[], f32[]) tuple(j, y) }
    same { ROOT p = f32[] parameter(0) }
    ENTRY e { z = s32[] constant(0) x = f32[] constant(1)
      t = (s32[], f32[]) tuple(z, x)
      w = (s32[], f32[]) while(t), condition=go, body=step
      v = f32[] get-tuple-element(w), index=1
      c = s32[] constant(0)
      ROOT r = f32[] conditional(c, v), branch_computations={same} })");
  EXPECT_EQ(Found.Value.str(), "8");
  ASSERT_EQ(Found.Bounds.size(), 1u);
  // The first addition adds a unit of 2. The others pass on twice the error,
  // and add two units: of 4, and of 8.
  EXPECT_NEAR(Found.Bounds[0], (4 * 2 + 2 * 2 * 4 + 2 * 8) * Unit, 8 * Unit);
}

/// Another order of the terms is within the bounds, for every type.
TEST(HloErrors, OrdersOfSums) {
  auto Evaluate = [](StringRef Type, StringRef Input) {
    return evaluate(
        formatv("add {{ a = {0}[] parameter(0) b = {0}[] parameter(1)\n"
                " ROOT s = {0}[] add(a, b) }\n"
                "ENTRY e {{ i = {0}[3,200] iota(), iota_dimension=1\n"
                " r = {0}[3,200] sine(i) z = {0}[] constant(0.1)\n"
                " v = {0}[3,200] reverse(r), dimensions={{1}\n"
                " x = {0}[3] reduce({1}, z), dimensions={{1}, to_apply=add\n"
                " ROOT e = {0}[3] exponential(x) }",
                Type, Input)
            .str());
  };
  for (StringRef Type : {"f16", "bf16", "f32", "f64"}) {
    Bounded A = Evaluate(Type, "r"), B = Evaluate(Type, "v");
    ASSERT_EQ(A.Bounds.size(), 3u);
    for (int64_t K = 0; K < 3; ++K)
      EXPECT_LE(
          std::fabs(A.Value.atOffset(K).real() - B.Value.atOffset(K).real()),
          A.Bounds[K])
          << Type.str();
  }
}

constexpr StringLiteral Largest = R"(
    largest { a = f32[] parameter(0) i = s32[] parameter(1)
      b = f32[] parameter(2) j = s32[] parameter(3)
      go = pred[] compare(a, b), direction=GE
      v = f32[] select(go, a, b) k = s32[] select(go, i, j)
      ROOT r = (f32[], s32[]) tuple(v, k) })";

Bounded placeOfLargest(StringRef Numbers) {
  return evaluate(
      (Largest + "ENTRY e { x = f32[5] constant({" + Numbers +
       "})\n i = s32[5] iota(), iota_dimension=0\n"
       "low = f32[] constant(-inf) z = s32[] constant(0)\n"
       "ROOT r = (f32[], s32[]) reduce(x, i, low, z), dimensions={0}, "
       "to_apply=largest }")
          .str());
}

/// Of several largest elements, threads may find any.
TEST(HloErrors, PlacesOfEqualElements) {
  Bounded Found = placeOfLargest("1, 3, 2, 3, 3");
  EXPECT_EQ(Found.Value.elements()[1].str(), "1");
  EXPECT_EQ(Found.Bounds, std::vector<double>({0, 3}));
}

TEST(HloErrors, PlacesOfEqualElements_negative) {
  EXPECT_EQ(placeOfLargest("1, 3, 2, 4, 3").Bounds, std::vector<double>());
}

/// A reduction to a largest element and to \p Sum of the other component.
Bounded reductionOfTwo(StringRef Sum) {
  return evaluate(("both { a = f32[] parameter(0) m = f32[] parameter(1)\n"
                   "b = f32[] parameter(2) n = f32[] parameter(3)\n"
                   "s = f32[] " +
                   Sum +
                   " l = f32[] maximum(m, n)\n"
                   "ROOT r = (f32[], f32[]) tuple(s, l) }\n"
                   "ENTRY e { x = f32[4] constant({1, -2, 3, -4})\n"
                   "z = f32[] constant(0)\n"
                   "ROOT r = (f32[], f32[]) reduce(x, x, z, z), "
                   "dimensions={0}, to_apply=both }")
                      .str());
}

/// Components that do not meet are reduced as if each were alone.
TEST(HloErrors, ReductionsOfSeveral) {
  EXPECT_EQ(reductionOfTwo("add(b, a)").Bounds,
            std::vector<double>({5 * Unit * 10, 0}));
}

/// A sum into which the other component goes is none.
TEST(HloErrors, ReductionsOfSeveral_negative) {
  EXPECT_EQ(reductionOfTwo("add(a, n)").Bounds, std::vector<double>());
}

} // namespace
