//===- ScatterKernelTest.cpp - Updates of several arrays ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/EmitterTestHelper.h"
#include "test/unit/Share.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// A function of the elements a and b of two arrays and their updates u and v,
/// which yields \p Results.
std::string function(StringRef TypeA, StringRef TypeB, StringRef Body,
                     StringRef Results = "x, y") {
  return formatv("op {{ a = {0}[] parameter(0)\n b = {1}[] parameter(1)\n"
                 " u = {0}[] parameter(2)\n v = {1}[] parameter(3)\n {2}\n"
                 " ROOT r = ({0}[], {1}[]) tuple({3}) }\n",
                 TypeA, TypeB, Body, Results);
}

/// Vectors from (-1, -1) to (2, 2): about eleven of twenty are inside, at nine
/// places.
constexpr StringLiteral Meeting =
    "n = s32[20,2] parameter(2)\n c = s32[] constant(3)\n"
    " m = s32[20,2] broadcast(c), dimensions={}\n o = s32[] constant(1)\n"
    " w = s32[20,2] broadcast(o), dimensions={}\n"
    " k = s32[20,2] and(n, m)\n i = s32[20,2] subtract(k, w)";

/// (k, k), but (0, 1): some are inside, no place is there twice.
constexpr StringLiteral Different =
    "n = s32[20,2] parameter(2)\n j = s32[20,2] iota(), iota_dimension=0\n"
    " k = s32[20,2] iota(), iota_dimension=1\n"
    " m = s32[20,2] subtract(k, j)\n i = s32[20,2] maximum(j, m)";

/// Twenty updates of two neighbours in each of two arrays.
std::string scatter(StringRef TypeA, StringRef TypeB,
                    const std::string &Function, bool IsUnique = false,
                    StringRef LayoutB = "") {
  return Function +
         formatv("ENTRY e {{ p = {0}[6,5] parameter(0)\n"
                 " q = {1}[6,5]{2} parameter(1)\n {3}\n"
                 " u = {0}[20,2] parameter(3)\n v = {1}[20,2] parameter(4)\n"
                 " ROOT s = ({0}[6,5], {1}[6,5]{2}) scatter(p, q, i, u, v), "
                 "update_window_dims={{1}, inserted_window_dims={{0}, "
                 "scatter_dims_to_operand_dims={{0,1}, index_vector_dim=1, "
                 "to_apply=op{4} }",
                 TypeA, TypeB, LayoutB, IsUnique ? Different : Meeting,
                 IsUnique ? ", unique_indices=true" : "")
             .str();
}

std::string eachAlone(StringRef TypeA, StringRef TypeB, StringRef A,
                      StringRef B) {
  return scatter(TypeA, TypeB,
                 function(TypeA, TypeB,
                          formatv("x = {0}[] {1}(a, u)\n y = {2}[] {3}(v, b)",
                                  TypeA, A, TypeB, B)
                              .str()));
}

std::string ofIntegers(StringRef Body, StringRef Results = "x, y",
                       bool IsUnique = false) {
  return scatter("s32", "s32", function("s32", "s32", Body, Results), IsUnique);
}

/// The operations on memory that others may access too, in their order.
std::string atomicsOf(StringRef Text) {
  LLVMContext Context;
  EmittedModule Emitted = emitted(Text, Context);
  std::string Found;
  for (const Function &F : *Emitted.IR)
    for (const Instruction &I : instructions(F))
      if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
        Found +=
            AtomicRMWInst::getOperationName(RMW->getOperation()).str() + " ";
      else if (isa<AtomicCmpXchgInst>(I))
        Found += "cmpxchg ";
  return Found;
}

TEST(ScatterKernel, EachArrayAlone) {
  for (StringRef A : {"s32", "u8", "f32", "bf16", "c64", "pred", "f64"})
    for (StringRef B : {"f32", "s64", "u32", "f16", "u4"})
      for (StringRef Operation : {"add", "maximum", "multiply"}) {
        if (isLeftOut())
          continue;
        StringRef OfA = A == "c64" ? "add" : Operation;
        EXPECT_EQ(differenceOf(eachAlone(A, B, OfA, Operation)), "")
            << A.str() << " " << B.str() << " " << Operation.str();
      }
}

void expectAtomics(StringRef Text, StringRef Atomics) {
  EXPECT_EQ(atomicsOf(Text), Atomics) << Text.str();
  for (uint64_t Seed = 1; Seed < 4; ++Seed)
    EXPECT_EQ(differenceOf(Text, Seed), "") << Text.str();
}

TEST(ScatterKernel, Methods) {
  expectAtomics(eachAlone("f32", "s32", "add", "maximum"), "fadd max ");
  expectAtomics(eachAlone("f32", "s32", "maximum", "multiply"),
                "cmpxchg cmpxchg ");
  // By the update of the other array.
  expectAtomics(ofIntegers("x = s32[] add(a, v)\n y = s32[] xor(u, b)"),
                "add xor ");
  // By what is computed from both.
  expectAtomics(ofIntegers("w = s32[] multiply(u, v)\n x = s32[] add(a, w)\n"
                           " y = s32[] and(b, u)"),
                "cmpxchg and ");
  // In another format, as XLA adds small floats.
  expectAtomics(
      scatter("bf16", "s32",
              function("bf16", "s32",
                       "c = f32[] convert(a)\n w = f32[] convert(u)\n"
                       " d = f32[] add(c, w)\n x = bf16[] convert(d)\n"
                       " y = s32[] add(b, v)")),
      "cmpxchg add ");
}

/// Then the other one is an array of constants.
TEST(ScatterKernel, OneChanges) {
  expectAtomics(ofIntegers("y = s32[] add(b, v)", "a, y"), "add ");
  expectAtomics(
      ofIntegers("w = s32[] add(a, v)\n y = s32[] maximum(b, w)", "a, y"),
      "cmpxchg ");
  // What is stored is the same for all updates, or the place has one.
  expectAtomics(ofIntegers("y = s32[] negate(a)", "a, y"), "");
  expectAtomics(ofIntegers("", "a, b"), "");
  // Not of the order, but not by one operation either.
  std::string Or =
      "w = s32[] or(u, v)\n x = s32[] not(w)\n y = s32[] and(a, x)";
  expectAtomics(ofIntegers(Or, "y, b"), "cmpxchg ");
}

/// Without atomics: any function of all of them.
TEST(ScatterKernel, UniqueIndices) {
  for (auto [Body, Results] :
       {std::pair("", "v, u"),
        {"", "u, v"},
        {"", "b, a"},
        {"c = pred[] compare(a, u), direction=GE\n x = s32[] select(c, a, u)\n"
         " y = s32[] select(c, b, v)",
         "x, y"}})
    expectAtomics(ofIntegers(Body, Results, /*IsUnique=*/true), "");
}

TEST(ScatterKernel, LayoutsAndAliases) {
  std::string Function =
      function("f32", "s32", "x = f32[] add(a, u)\n y = s32[] maximum(b, v)");
  std::string Text = scatter("f32", "s32", Function, false, "{0,1}");
  EXPECT_EQ(differenceOf(Text), "");
  for (StringRef Aliases :
       {"{0}: (0, {}, must-alias), {1}: (1, {}, must-alias)",
        "{1}: (1, {}, may-alias)", "{0}: (0, {}), {1}: 1"})
    EXPECT_EQ(differenceOf(("HloModule m, input_output_alias={ " + Aliases +
                            " }\n" + Text)
                               .str()),
              "")
        << Aliases.str();
}

/// One array is used, both are used up, in a fusion, by a second scatter.
TEST(ScatterKernel, Uses) {
  std::string Text =
      function("s32", "s32", "x = s32[] add(a, u)\n y = s32[] maximum(b, v)");
  StringRef Attributes =
      "update_window_dims={}, inserted_window_dims={0}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=op";
  std::string Body =
      ("{ p = s32[7] parameter(0)\n q = s32[7] parameter(1)\n"
       " k = s32[9] parameter(2)\n u = s32[9] parameter(3)\n"
       " c = s32[] constant(7)\n m = s32[9] broadcast(c), dimensions={}\n"
       " i = s32[9] and(k, m)\n n = s32[7] reverse(p), dimensions={0}\n"
       " s = (s32[7], s32[7]) scatter(n, q, i, u, i), " +
       Attributes +
       "\n s0 = s32[7] get-tuple-element(s), index=0\n"
       " s1 = s32[7] get-tuple-element(s), index=1\n")
          .str();
  EXPECT_EQ(
      differenceOf(Text + "ENTRY e " + Body + " ROOT r = s32[7] negate(s1) }"),
      "");
  std::string Second =
      (Body + " t = (s32[7], s32[7]) scatter(s1, s0, i, i, u), " + Attributes +
       "\n t1 = s32[7] get-tuple-element(t), index=1\n"
       " ROOT r = (s32[7], s32[7]) tuple(t1, s1) }\n")
          .str();
  EXPECT_EQ(differenceOf(Text + "ENTRY e " + Second), "");
  EXPECT_EQ(differenceOf(Text + "f " + Second +
                         "ENTRY e { p = s32[7] parameter(0)\n"
                         " q = s32[7] parameter(1)\n i = s32[9] parameter(2)\n"
                         " u = s32[9] parameter(3)\n ROOT x = (s32[7], s32[7]) "
                         "fusion(p, q, i, u), kind=kInput, calls=f }"),
            "");
}

/// What no order of the updates may give is refused.
TEST(ScatterKernel, Torn_negative) {
  StringRef Reason =
      "(scatter): the function changes several arrays, and no atomic operation "
      "does that; so each needs add, multiply, and, or, xor, maximum or "
      "minimum of its element and a value that no update changes, but array ";
  for (auto [Body, Results, Array] :
       {std::tuple("", "u, v", "0"),
        {"", "b, a", "0"},
        {"x = s32[] add(a, u)", "x, v", "1"},
        {"x = s32[] add(a, u)\n y = s32[] add(b, a)", "x, y", "1"},
        {"x = s32[] add(a, a)\n y = s32[] add(b, v)", "x, y", "0"},
        {"x = s32[] subtract(u, a)\n y = s32[] add(b, v)", "x, y", "0"},
        {"c = pred[] compare(a, u), direction=GE\n"
         " x = s32[] select(c, a, u)\n y = s32[] select(c, b, v)",
         "x, y", "0"}})
    EXPECT_TRUE(StringRef(problemOf(ofIntegers(Body, Results)))
                    .contains((Reason + Array + " has another").str()))
        << problemOf(ofIntegers(Body, Results));
  EXPECT_TRUE(StringRef(problemOf(eachAlone("s32", "c128", "add", "add")))
                  .contains("(scatter): no atomic operation on elements of 16 "
                            "bytes; scatter real and imaginary parts, or say "
                            "unique_indices=true"));
}

} // namespace
