//===- KernelPlanTest.cpp - Arrays in one buffer -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/KernelPlan.h"
#include "test/unit/EmitterTestHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace llvm;
using namespace unravel;

namespace {

/// The kernels of \p Text, each as "name: threads, buffers", written buffers
/// with a star. Checks what they compute as well.
std::string kernelsOf(const std::string &Text) {
  auto Module = parseModule(Text);
  EXPECT_FALSE(bool(verifyHlo(*Module)));
  LLVMContext Context;
  EmittedModule Emitted =
      cantFail(emitKernels(*Module, Module->entry(), Context, {}));
  std::string Found;
  for (const EmittedKernel &Kernel : Emitted.Kernels) {
    Found += formatv("{0}{1}: {2},", Found.empty() ? "" : "; ", Kernel.Name,
                     Kernel.Threads);
    for (unsigned Argument : Kernel.Arguments)
      Found += " " + Emitted.Buffers[Argument].Name +
               (is_contained(Kernel.Written, Argument) ? "*" : "");
  }
  for (const KernelBuffer &Buffer : Emitted.Buffers)
    if (Buffer.BufferKind == KernelBuffer::Kind::Output && !Buffer.AliasOf)
      Found += "; own " + Buffer.Name;
  EXPECT_EQ(differenceOf(Text), "") << Text;
  return Found;
}

const char *const Must = "{}: (0, {}, must-alias)";
const char *const MayFirst = "{0}: (0, {}, may-alias)";
const char *const MustFirst = "{0}: (0, {}, must-alias)";

//===----------------------------------------------------------------------===//
// Results over parameters
//===----------------------------------------------------------------------===//

/// An element is read by the thread that writes it.
TEST(KernelPlan, ElementwiseInPlace) {
  const char *Text = "ENTRY e { p = s32[8] parameter(0)\n"
                     " q = s32[8] parameter(1)\n n = s32[8] negate(p)\n"
                     " ROOT r = s32[8] add(n, q) }";
  EXPECT_EQ(kernelsOf(Text), "r: 8, p q out0*; own out0");
  EXPECT_EQ(kernelsOf(aliased(May, Text)), "r: 8, q p*");
  EXPECT_EQ(kernelsOf(aliased(Must, Text)), "r: 8, q p*");
}

/// The written buffer is a parameter of its own that nothing else aliases.
TEST(KernelPlan, AttributesOfSharedBuffers) {
  auto Module = parseModule(
      aliased(May, "ENTRY e { p = s32[8] parameter(0)\n"
                   " q = s32[8] parameter(1)\n ROOT r = s32[8] add(p, q) }"));
  LLVMContext Context;
  EmittedModule Emitted =
      cantFail(emitKernels(*Module, Module->entry(), Context, {}));
  const Function &F = *Emitted.IR->getFunction("r");
  ASSERT_EQ(F.arg_size(), 2u);
  EXPECT_EQ(F.getArg(0)->getName(), "q");
  EXPECT_TRUE(F.getArg(0)->hasAttribute(Attribute::ReadOnly));
  EXPECT_EQ(F.getArg(1)->getName(), "p");
  EXPECT_FALSE(F.getArg(1)->hasAttribute(Attribute::ReadOnly));
  EXPECT_TRUE(F.getArg(1)->hasAttribute(Attribute::NoAlias));
}

/// Elements that other threads overwrite: the permission is not used, the order
/// is fulfilled by a copy.
TEST(KernelPlan, ElementwiseInPlace_negative) {
  for (StringRef Root : {"reverse(p), dimensions={0}", "add(p, v)",
                         "dynamic-update-slice(p, "
                         "d, z)"}) {
    std::string Text =
        formatv("ENTRY e {{ p = s32[8] parameter(0)\n"
                " z = s32[] constant(3)\n"
                " d = s32[2] dynamic-slice(p, z), dynamic_slice_sizes={{2}\n"
                " v = s32[8] reverse(p), dimensions={{0}\n"
                " ROOT r = s32[8] {0} }",
                Root);
    EXPECT_EQ(kernelsOf(aliased(May, Text)), "r: 8, p out0*; own out0");
    EXPECT_EQ(kernelsOf(aliased(Must, Text)),
              "r: 8, p temp_r*; r1: 8, temp_r p*");
  }
}

TEST(KernelPlan, BitcastsAndReshapesMoveNothing) {
  std::string Text = "ENTRY e { p = s32[4,6] parameter(0)\n"
                     " a = s32[24] reshape(p)\n b = f32[24] bitcast(a)\n"
                     " c = f32[24] negate(b)\n d = s32[24] bitcast(c)\n"
                     " ROOT r = s32[4,6] reshape(d) }";
  EXPECT_EQ(kernelsOf(aliased(May, Text)), "r: 24, p*");
}

TEST(KernelPlan, BitcastsAndReshapesMoveNothing_negative) {
  std::string Text = "ENTRY e { p = s32[4,6]{0,1} parameter(0)\n"
                     " a = s32[24] reshape(p)\n b = s32[24] negate(a)\n"
                     " c = s32[4,6]{1,0} reshape(b)\n"
                     " ROOT r = s32[4,6]{0,1} copy(c) }";
  EXPECT_EQ(kernelsOf(aliased(May, Text)), "r: 24, p out0*; own out0");
}

/// Nothing has to be done for a result that is its parameter.
TEST(KernelPlan, ParameterAsResult) {
  EXPECT_EQ(
      kernelsOf(aliased(Must, "ENTRY e { ROOT p = s32[6] parameter(0) }")), "");
  // They change places: each thread reads both before it writes.
  EXPECT_EQ(
      kernelsOf(aliased("{0}: (1, {}, must-alias), {1}: (0, {}, must-alias)",
                        "ENTRY e { p = s32[6] parameter(0)\n"
                        " q = s32[6] parameter(1)\n"
                        " ROOT t = (s32[6], s32[6]) tuple(p, q) }")),
      "p: 6, q* p*");
  EXPECT_EQ(
      kernelsOf(aliased("{0}: (1, {}, must-alias)",
                        "ENTRY e { p = s32[6] parameter(0)\n"
                        " q = s32[6] parameter(1)\n"
                        " r = s32[6] reverse(q), dimensions={0}\n"
                        " ROOT t = (s32[6], s32[6]) tuple(p, r) }")),
      "p_copy: 6, p temp_p.copy*; r: 6, q out1*; p_copy1: 6, temp_p.copy q*; "
      "own out1");
}

/// Several results: at one place in memory, or in the order of their kernels.
TEST(KernelPlan, SeveralResults) {
  auto Two = [](StringRef Other, StringRef Body) {
    return formatv("ENTRY e {{ p = s32[4,4] parameter(0)\n"
                   " q = s32[4,4] parameter(1)\n n = s32[4,4] negate(p)\n"
                   " {1}\n ROOT t = (s32[4,4], {0}) tuple(n, o) }",
                   Other, Body)
        .str();
  };
  EXPECT_EQ(
      kernelsOf(aliased(MayFirst, Two("s32[4,4]", "o = s32[4,4] add(p, q)"))),
      "n: 16, q p* out1*; own out1");
  EXPECT_EQ(
      kernelsOf(aliased(MayFirst, Two("s32[16]", "o = s32[16] reshape(p)"))),
      "n: 16, p* out1*; own out1");
  // A kernel behind the one that overwrites it.
  std::string Later =
      Two("s32[2,4]", "o = s32[2,4] slice(p), slice={[1:3], [0:4]}");
  EXPECT_EQ(kernelsOf(aliased(MayFirst, Later)),
            "n: 16, p out0*; o: 8, p out1*; own out0; own out1");
  EXPECT_EQ(kernelsOf(aliased(MustFirst, Later)),
            "n: 16, p temp_n*; o: 8, p out1*; n1: 16, temp_n p*; own out1");
  // Other kinds of kernels have threads that compute two elements.
  EXPECT_EQ(kernelsOf(aliased(
                MayFirst, Two("s32[4,4]",
                              "s = s32[4,4] add(p, q)\n"
                              " o = s32[4,4] transpose(q), dimensions={1,0}"))),
            "n: 16, p q out0* out1*; own out0; own out1");
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// A thread for each element of the update; wherever it is.
TEST(KernelPlan, UpdateSlices) {
  for (StringRef Type : {"s32", "u8", "c64", "f16"})
    for (StringRef Layout : {"{1,0}", "{0,1}"})
      for (int64_t Start : {-100, -1, 0, 1, 3, 4, 5, 100}) {
        std::string Text = aliased(
            May, formatv("ENTRY e {{ p = {0}[7,8]{1} parameter(0)\n"
                         " u = {0}[3,4]{{1,0} parameter(1)\n"
                         " s = s32[] constant({2})\n q = s8[] parameter(2)\n"
                         " n = {0}[3,4]{{1,0} {3}(u)\n"
                         " ROOT r = {0}[7,8]{1} dynamic-update-slice(p, n, s, "
                         "q) }",
                         Type, Layout, Start, Type == "u8" ? "not" : "negate")
                     .str());
        EXPECT_EQ(kernelsOf(Text), "r: 12, u q p*") << Text;
      }
}

TEST(KernelPlan, UpdateSlicesOfAnySize) {
  for (int64_t Rows = 0; Rows <= 3; ++Rows)
    for (int64_t Columns = 0; Columns <= 3; ++Columns)
      kernelsOf(aliased(
          May, formatv("ENTRY e {{ p = s32[3,3] parameter(0)\n"
                       " u = s32[{0},{1}] parameter(1)\n"
                       " s = s32[] parameter(2)\n t = u64[] parameter(3)\n"
                       " a = s32[9] bitcast(p)\n b = s32[3,3] reshape(a)\n"
                       " d = s32[3,3] dynamic-update-slice(b, u, s, t)\n"
                       " ROOT r = s32[3,3] copy(d) }",
                       Rows, Columns)
                   .str()));
}

/// As the caches of attention are.
TEST(KernelPlan, TwoUpdateSlices) {
  EXPECT_EQ(
      kernelsOf(aliased("{0}: 0, {1}: 1",
                        "ENTRY e { k = f32[9,4] parameter(0)\n"
                        " v = f32[9,4] parameter(1)\n"
                        " a = f32[1,4] parameter(2)\n"
                        " b = f32[1,4] parameter(3)\n s = s32[] parameter(4)\n"
                        " z = s32[] constant(0)\n t = s32[] add(s, s)\n"
                        " c = f32[9,4] dynamic-update-slice(k, a, t, z)\n"
                        " d = f32[9,4] dynamic-update-slice(v, b, t, z)\n"
                        " ROOT r = (f32[9,4], f32[9,4]) tuple(c, d) }")),
      "c: 4, a b s k* v*");
}

/// The update, or another result, needs what was there.
TEST(KernelPlan, UpdateSlices_negative) {
  const char *Head = "ENTRY e { p = s32[8] parameter(0)\n"
                     " u = s32[2] parameter(1)\n s = s32[] parameter(2)\n";
  auto Of = [&](StringRef Body) {
    return kernelsOf(aliased("{0}: 0", Head + Body.str()));
  };
  EXPECT_EQ(Of(" v = s32[2] slice(p), slice={[0:2]}\n"
               " d = s32[8] dynamic-update-slice(p, v, s)\n"
               " ROOT t = (s32[8]) tuple(d) }"),
            "d: 8, p s out0*; own out0");
  // The loop kernel reads and writes each element at its place.
  EXPECT_EQ(Of(" n = s32[8] negate(p)\n"
               " d = s32[8] dynamic-update-slice(n, u, s)\n"
               " ROOT t = (s32[8]) tuple(d) }"),
            "d: 8, u s p*");
  EXPECT_EQ(Of(" d = s32[8] dynamic-update-slice(p, u, s)\n"
               " r = s32[8] reverse(p), dimensions={0}\n"
               " ROOT t = (s32[8], s32[8]) tuple(d, r) }"),
            "d: 8, p u s out0* out1*; own out0; own out1");
}

TEST(KernelPlan, ScattersInPlace) {
  auto Of = [](StringRef Updates) {
    return kernelsOf(aliased(
        May, formatv("add {{ a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
                     " ROOT c = s32[] add(a, b) }\n"
                     "ENTRY e {{ p = s32[10,5] parameter(0)\n"
                     " i = s32[4,1] parameter(1)\n"
                     " u = s32[4,5] parameter(2)\n"
                     " v = s32[4,5] slice(p), slice={{[0:4], [0:5]}\n"
                     " ROOT s = s32[10,5] scatter(p, i, {0}), "
                     "update_window_dims={{1}, inserted_window_dims={{0}, "
                     "scatter_dims_to_operand_dims={{0}, index_vector_dim=1, "
                     "to_apply=add }",
                     Updates)
                 .str()));
  };
  EXPECT_EQ(Of("u"), "s_update: 20, i u p*");
  EXPECT_EQ(Of("v"), "p: 50, p out0*; s_update: 20, p i out0*; own out0");
}

//===----------------------------------------------------------------------===//
// Temporaries
//===----------------------------------------------------------------------===//

std::string chain(StringRef Root) {
  return formatv(
      "neg {{ x = s32[8] parameter(0)\n ROOT y = s32[8] negate(x) }\n"
      "upd {{ x = s32[8] parameter(0)\n u = s32[2] parameter(1)\n"
      " s = s32[] parameter(2)\n"
      " ROOT d = s32[8] dynamic-update-slice(x, u, s) }\n"
      "ENTRY e {{ p = s32[8] parameter(0)\n u = s32[2] parameter(1)\n"
      " s = s32[] parameter(2)\n"
      " a = s32[8] fusion(p), kind=kLoop, calls=neg\n"
      " b = s32[8] fusion(a, u, s), kind=kLoop, calls=upd\n"
      " c = s32[8] fusion(b), kind=kLoop, calls=neg\n"
      " {0} }",
      Root);
}

TEST(KernelPlan, TemporariesAreUpdated) {
  EXPECT_EQ(
      kernelsOf(chain("ROOT r = s32[8] copy(c)")),
      "y: 8, p temp_d*; d: 2, u s temp_d*; y1: 8, temp_d out0*; own out0");
  // The last one is a result.
  EXPECT_EQ(kernelsOf(chain("ROOT t = (s32[8]) tuple(b)")),
            "y: 8, p out0*; d: 2, u s out0*; own out0");
}

/// What was there is needed later.
TEST(KernelPlan, TemporariesAreUpdated_negative) {
  EXPECT_EQ(kernelsOf(chain("ROOT t = (s32[8], s32[8]) tuple(b, a)")),
            "y: 8, p out1*; d: 8, u s out1 out0*; own out0; own out1");
  EXPECT_EQ(kernelsOf(chain("ROOT t = s32[8] subtract(a, b)")),
            "y: 8, p temp_y*; d: 8, u s temp_y temp_d*; t: 8, temp_y temp_d "
            "out0*; own out0");
}

/// A parameter that may be overwritten serves arrays on the way as well.
TEST(KernelPlan, TemporariesInParameters) {
  std::string Text = chain("d = s32[8] fusion(b, u, s), kind=kLoop, calls=upd\n"
                           " ROOT r = s32[8] copy(d)");
  EXPECT_EQ(kernelsOf(aliased(May, Text)),
            "y: 8, p*; d: 2, u s p*; d1: 2, u s p*");
}

//===----------------------------------------------------------------------===//
// Anything
//===----------------------------------------------------------------------===//

/// A module of fusions of square arrays, with random permissions and orders.
std::string randomModule(unsigned Seed) {
  std::mt19937 Random(Seed);
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  const char *const Bodies[] = {
      "ROOT r = s32[4,4] negate(x)",
      "ROOT r = s32[4,4] add(x, y)",
      "ROOT r = s32[4,4] transpose(x), dimensions={1,0}",
      "t = s32[4,4] reverse(y), dimensions={1}\n ROOT r = s32[4,4] add(x, t)",
      "u = s32[2,3] slice(y), slice={[1:3], [0:3]}\n s = s32[] constant(1)\n"
      " ROOT r = s32[4,4] dynamic-update-slice(x, u, s, s)",
      "z = s32[] constant(7)\n u = s32[1,4] broadcast(z), dimensions={}\n"
      " s = s32[] constant(2)\n"
      " ROOT r = s32[4,4] dynamic-update-slice(x, u, s, z)",
      "b = s32[16] reshape(x)\n c = s32[16] negate(b)\n"
      " ROOT r = s32[4,4] reshape(c)",
      "ROOT r = s32[4,4] copy(x)"};
  std::string Text;
  for (auto [K, Body] : enumerate(Bodies))
    Text += formatv("f{0} {{ x = s32[4,4] parameter(0)\n"
                    " y = s32[4,4] parameter(1)\n {1} }\n",
                    K, Body);
  Text += "ENTRY e {\n";
  unsigned Parameters = 1 + Below(3), Values = Parameters;
  for (unsigned K = 0; K < Parameters; ++K)
    Text += formatv(" v{0} = s32[4,4] parameter({0})\n", K);
  for (unsigned Count = 1 + Below(6); Count-- > 0; ++Values)
    Text += formatv(" v{0} = s32[4,4] {1}(v{2}, v{3}), {4}f{5}\n", Values,
                    Below(4) ? "fusion" : "call", Below(Values), Below(Values),
                    "", Below(std::size(Bodies)));
  for (size_t At = 0; (At = Text.find("fusion(", At)) != std::string::npos;
       ++At)
    Text.insert(Text.find("), f", At) + 3, "kind=kLoop, calls=");
  for (size_t At = 0; (At = Text.find("call(", At)) != std::string::npos; ++At)
    Text.insert(Text.find("), f", At) + 3, "to_apply=");
  std::vector<std::string> Shapes, Names, Aliases;
  std::vector<unsigned> Free(Parameters);
  std::iota(Free.begin(), Free.end(), 0);
  std::shuffle(Free.begin(), Free.end(), Random);
  for (unsigned K = 0, Count = 1 + Below(3); K < Count; ++K) {
    Shapes.push_back("s32[4,4]");
    Names.push_back("v" + utostr(Values - 1 - Below(std::min(Values, 4u))));
    if (!Free.empty() && Below(4)) {
      Aliases.push_back(formatv("{{{0}}: ({1}, {{}, {2}-alias)", K, Free.back(),
                                Below(2) ? "may" : "must"));
      Free.pop_back();
    }
  }
  Text += formatv(" ROOT t = ({0}) tuple({1}) }", join(Shapes, ", "),
                  join(Names, ", "));
  return aliased(join(Aliases, ", "), Text);
}

TEST(KernelPlan, RandomModules) {
  for (unsigned Seed = 0; Seed < 60; ++Seed) {
    std::string Text = randomModule(Seed);
    ASSERT_EQ(
        differenceOf(Text,
                     cantFail(randomInputs(parseModule(Text)->entry(), Seed)),
                     KernelEmitterOptions()),
        "")
        << "seed " << Seed << "\n"
        << Text;
  }
}

} // namespace
