//===- KernelKindTest.cpp - Which kind of kernel computes what? -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/KernelPlan.h"
#include "test/unit/EmitterTestHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace unravel;

namespace {

/// The kinds of the kernels of \p Text, then why the last one is of no other
/// kind: "loop: no update: ...; no reduction: ...".
std::string kindsOf(const Twine &Text, const KernelLimits &Limits = {}) {
  constexpr StringLiteral Names[] = {"loop",      "update",      "reduction",
                                     "transpose", "concatenate", "scatter",
                                     "sort"};
  static_assert(std::size(Names) == std::variant_size_v<KernelKind>);
  auto Module = parseModule(Text.str());
  if (Error E = verifyHlo(*Module))
    return toString(std::move(E));
  KernelPlan Plan = cantFail(planKernels(
      *Module, {&Module->entry(), boundaryOf(Module->entry())}, Limits));
  if (Plan.Kernels.empty())
    return "none";
  auto NameOf = [&](const PlannedKernel &K) { return Names[K.Kind.index()]; };
  return join(map_range(Plan.Kernels, NameOf), ", ") + ": " +
         join(Plan.Kernels.back().Rejected, "; ");
}

/// \p Text has kernels of \p Kinds, of which the last is of no other kind for
/// \p Reason.
void expectKinds(const Twine &Text, StringRef Kinds, StringRef Reason = "") {
  std::string Found = kindsOf(Text);
  EXPECT_TRUE(StringRef(Found).starts_with((Kinds + ": ").str()) &&
              StringRef(Found).contains(Reason))
      << Text.str() << "\n"
      << Found << "\n"
      << Reason.str();
  EXPECT_EQ(differenceOf(Text.str()), "") << Text.str();
}

const char *const Add = "op { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
                        " ROOT c = s32[] add(a, b) }\n";

/// An entry with two parameters of the shapes \p P and \p Q.
std::string entry(StringRef P, StringRef Q, StringRef Body) {
  return formatv("{0}ENTRY e {{ p = {1} parameter(0)\n q = {2} parameter(1)\n"
                 " z = s32[] constant(5)\n {3} }",
                 Add, P, Q, Body);
}

TEST(KernelKind, Loop) {
  EXPECT_EQ(kindsOf("p = s32[8] parameter(0)\nn = s32[8] negate(p)"),
            "loop: no update: an output is no dynamic-update-slice; "
            "no reduction: none at the index of the outputs; "
            "no transpose: no minor dimension changes, or tiles do not pay; "
            "no concatenation: none, or several, at the index of the outputs, "
            "or one at other indices as well");
}

TEST(KernelKind, Loop_negative) {
  EXPECT_EQ(kindsOf("p = s32[0] parameter(0)\nn = s32[0] negate(p)"), "none");
  EXPECT_EQ(kindsOf("p = s32[8] parameter(0)\nROOT t = () tuple()"), "none");
}

TEST(KernelKind, UpdateSlice) {
  expectKinds(aliased(May, "ENTRY e { p = s32[8] parameter(0)\n"
                           " u = s32[2] parameter(1)\n s = s32[] constant(3)\n"
                           " ROOT r = s32[8] dynamic-update-slice(p, u, s) }"),
              "update");
}

TEST(KernelKind, UpdateSlice_negative) {
  expectKinds("p = s32[8] parameter(0)\nu = s32[2] parameter(1)\n"
              "s = s32[] constant(3)\n"
              "r = s32[8] dynamic-update-slice(p, u, s)",
              "loop", "no update: the buffer of an output does not hold");
  auto Two = [](StringRef Size) {
    return aliased(
        "{0}: (0, {}, may-alias), {1}: (1, {}, may-alias)",
        formatv("ENTRY e {{ p = s32[8] parameter(0)\n q = s32[8] parameter(1)\n"
                " u = s32[2] parameter(2)\n v = s32[{0}] parameter(3)\n"
                " s = s32[] constant(3)\n"
                " r = s32[8] dynamic-update-slice(p, u, s)\n"
                " t = s32[8] dynamic-update-slice(q, v, s)\n"
                " ROOT x = (s32[8], s32[8]) tuple(r, t) }",
                Size)
            .str());
  };
  expectKinds(Two("2"), "update");
  expectKinds(Two("3"), "loop", "no update: the updates have several sizes");
}

/// A function with a reduction of its parameter p, and a parameter q.
std::string reduction(StringRef Result, StringRef Rest, StringRef Q = "s32[6]",
                      StringRef P = "s32[6,100]", unsigned Dimension = 1) {
  return formatv("{0}f {{ p = {1} parameter(0)\n q = {2} parameter(1)\n"
                 " z = s32[] constant(5)\n r = {3} reduce(p, z), "
                 "dimensions={{{4}}, to_apply=op\n {5} }\n"
                 "ENTRY e {{ p = {1} parameter(0)\n q = {2} parameter(1)\n"
                 " ROOT x = {6} fusion(p, q), kind=kInput, calls=f }",
                 Add, P, Q, Dimension == 1 ? "s32[6]" : "s32[40,40]", Dimension,
                 Rest, Result);
}

TEST(KernelKind, Reduction) {
  expectKinds(reduction("s32[6]", "ROOT n = s32[6] subtract(r, q)"),
              "reduction");
  // It is read more often than what is transposed beside it.
  expectKinds(reduction("s32[40,40]",
                        "t = s32[40,40] transpose(q), dimensions={1,0}\n"
                        " ROOT s = s32[40,40] add(r, t)",
                        "s32[40,40]", "s32[40,40,40]", 2),
              "reduction");
}

TEST(KernelKind, Reduction_negative) {
  expectKinds(reduction("s32[2,3]", "ROOT n = s32[2,3] reshape(r)"), "loop",
              "no reduction: none at the index of the outputs");
  expectKinds(reduction("(s32[6], s32[2,3])",
                        "n = s32[2,3] negate(q)\n"
                        " ROOT t = (s32[6], s32[2,3]) tuple(r, n)",
                        "s32[2,3]"),
              "loop", "no reduction: an output has another size");
  expectKinds(reduction("s32[6]", "v = s32[6] reverse(r), dimensions={0}\n"
                                  " ROOT s = s32[6] add(r, v)"),
              "loop", "no reduction: one is used at other indices as well");
  expectKinds(reduction("s32[6]",
                        "o = s32[6] reduce(q, z), dimensions={0}, to_apply=op\n"
                        " ROOT s = s32[6] add(r, o)",
                        "s32[100,6]"),
              "loop", "no reduction: several sizes or dimensions are reduced");
  expectKinds(
      reduction("s32[6]", "ROOT n = s32[6] negate(r)", "s32[6]", "s32[6,10]"),
      "loop", "no reduction: a thread for each result is better");
}

/// 16 KiB for the sums of each input in blocks of 1024 threads.
TEST(KernelKind, ReductionInSharedMemory) {
  auto Of = [](unsigned Inputs) {
    std::string Parameters, Body,
        Text = "op { a = c128[] parameter(0)\n"
               " b = c128[] parameter(1)\n"
               " ROOT c = c128[] add(a, b) }\n";
    std::vector<std::string> Operands, Names, Shapes(Inputs, "c128[33]");
    for (unsigned K = 0; K < Inputs; ++K) {
      Parameters += formatv(" p{0} = c128[600,33] parameter({0})\n", K);
      Body += formatv(" r{0} = c128[33] reduce(p{0}, z), dimensions={{0}, "
                      "to_apply=op\n",
                      K);
      Operands.push_back("p" + utostr(K));
      Names.push_back("r" + utostr(K));
    }
    return Text + formatv("f {{\n{0} z = c128[] constant((1, 2))\n{1}"
                          " ROOT t = ({2}) tuple({3}) }\n"
                          "ENTRY e {{\n{0} ROOT x = ({2}) fusion({4}), "
                          "kind=kInput, calls=f }",
                          Parameters, Body, join(Shapes, ", "),
                          join(Names, ", "), join(Operands, ", "))
                      .str();
  };
  KernelLimits Large;
  Large.BlockSize = 1024;
  EXPECT_TRUE(StringRef(kindsOf(Of(3), Large)).starts_with("reduction: "));
  EXPECT_TRUE(StringRef(kindsOf(Of(4), Large))
                  .contains("no reduction: the sums of the warps exceed"));
  EXPECT_TRUE(StringRef(kindsOf(Of(4))).starts_with("reduction: "));
}

std::string transposes(unsigned Count, StringRef Rest = "") {
  std::string Text, Sum = "p0";
  for (unsigned K = 0; K < Count; ++K)
    Text += formatv("p{0} = s32[40,40] parameter({0})\n"
                    "t{0} = s32[40,40] transpose(p{0}), dimensions={{1,0}\n",
                    K);
  for (unsigned K = 1; K < Count; ++K)
    Text += formatv("s{0} = s32[40,40] add({1}{2}, t{0})\n", K,
                    K == 1 ? "t" : "s", K - 1);
  return Text + Rest.str();
}

TEST(KernelKind, Transpose) {
  expectKinds(transposes(1), "transpose");
  expectKinds(transposes(11), "transpose");
}

TEST(KernelKind, Transpose_negative) {
  expectKinds(transposes(1, "u = s32[40,40] transpose(t0), dimensions={1,0}"),
              "loop", "no transpose: no minor dimension changes");
  expectKinds(transposes(12), "loop",
              "no transpose: the tiles exceed shared memory");
  // e is used at one offset of two shapes, so it is a function.
  expectKinds(transposes(1, "e = s32[40,40] negate(t0)\n"
                            "r = s32[1600] reshape(e)\n"
                            "n = s32[1600] not(r)\n"
                            "ROOT x = (s32[40,40], s32[1600]) tuple(e, n)"),
              "loop", "no transpose: a function reads what a tile has");
}

std::string concatenation(StringRef Rest, StringRef P = "s32[64]",
                          StringRef Whole = "s32[128]", unsigned Along = 0) {
  return entry(P, P,
               formatv(" c = {0} concatenate(p, q), dimensions={{{1}}\n {2}",
                       Whole, Along, Rest)
                   .str());
}

TEST(KernelKind, Concatenate) {
  expectKinds(concatenation("ROOT n = s32[128] negate(c)"), "concatenate");
  expectKinds(concatenation("m = s32[128] multiply(c, c)\n"
                            " ROOT t = (s32[128], s32[128]) tuple(m, c)"),
              "concatenate");
}

TEST(KernelKind, Concatenate_negative) {
  expectKinds(concatenation("v = s32[128] reverse(c), dimensions={0}\n"
                            " ROOT s = s32[128] add(c, v)"),
              "loop", "no concatenation: none, or several,");
  expectKinds(concatenation("d = s32[128] concatenate(q, p), dimensions={0}\n"
                            " ROOT s = s32[128] add(c, d)"),
              "loop", "no concatenation: none, or several,");
  expectKinds(concatenation("n = s32[128] negate(c)\n"
                            " m = s32[2,64] reshape(n)\n"
                            " ROOT t = (s32[128], s32[2,64]) tuple(n, m)"),
              "loop", "no concatenation: the outputs have several shapes");
  expectKinds(concatenation("ROOT n = s32[100,10] negate(c)", "s32[100,5]",
                            "s32[100,10]", 1),
              "loop", "no concatenation: writes of short pieces");
  // One operand is nearly everything.
  expectKinds(entry("s32[4000]", "s32[8]",
                    " ROOT c = s32[4008] concatenate(p, q), dimensions={0}"),
              "loop",
              "no concatenation: a loop is estimated to cost as little");
  // A chain that is split into functions.
  std::string Chain, Nine = "p, q";
  for (unsigned K = 0; K < 300; ++K)
    Chain += formatv("n{0} = s32[128] negate({1})\n", K,
                     K == 0 ? "c" : "n" + utostr(K - 1));
  expectKinds(concatenation(Chain + "ROOT m = s32[128] negate(n299)"), "loop",
              "no concatenation: a function reads it");
  for (unsigned K = 2; K < 9; ++K)
    Nine += ", p";
  expectKinds(entry("s32[64]", "s32[64]",
                    formatv(" ROOT c = s32[576] concatenate({0}), "
                            "dimensions={{0}",
                            Nine)
                        .str()),
              "loop", "no concatenation: too much code");
}

TEST(KernelKind, Scatter) {
  auto Of = [](StringRef Count, StringRef Operand) {
    return entry("s32[40,40]", ("s32[" + Count + ",2]").str(),
                 formatv(" u = s32[{0}] parameter(2)\n"
                         " t = s32[40,40] transpose(p), dimensions={{1,0}\n"
                         " ROOT s = s32[40,40] scatter({1}, q, u), "
                         "update_window_dims={{}, inserted_window_dims={{0,1}, "
                         "scatter_dims_to_operand_dims={{0,1}, "
                         "index_vector_dim=1, to_apply=op",
                         Count, Operand)
                     .str());
  };
  expectKinds(aliased(May, Of("7", "p")), "scatter");
  // A loop copies the operand, however it is computed.
  expectKinds(Of("7", "p"), "loop, scatter");
  expectKinds(Of("7", "t"), "loop, scatter");
  expectKinds(Of("0", "t"), "loop");
}

} // namespace
