//===- KernelEmitterTest.cpp - Kernels: partition, places, limits ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/HloFlatten.h"
#include "frontend/plan/HloPartition.h"
#include "test/unit/EmitterTestHelper.h"
#include "test/unit/Share.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// The names of the functions that the root of \p Text needs.
std::string functionsOf(StringRef Text) {
  auto Module = parseModule(Text);
  EXPECT_FALSE(bool(verifyHlo(*Module)));
  FlatComputation Flat =
      cantFail(flatten(*Module, Module->entry(), boundaryOf(Module->entry())));
  HloPartition Partition(Flat.Outputs,
                         std::vector<unsigned>(Flat.Outputs.size(), 0),
                         [](const HloInstruction &I) {
                           return I.opcode() == HloOpcode::Parameter;
                         });
  std::string Names;
  for (const HloInstruction *F : Partition.functions())
    Names += (Names.empty() ? "" : " ") + F->name().str();
  return Names;
}

unsigned instructionsIn(const llvm::Module &M) {
  unsigned Count = 0;
  for (const Function &F : M)
    Count += F.getInstructionCount();
  return Count;
}

//===----------------------------------------------------------------------===//
// Partition
//===----------------------------------------------------------------------===//

TEST(HloPartition, UsesAtOneIndexAreInline) {
  EXPECT_EQ(functionsOf("p = f32[8,8] parameter(0)\n"
                        "a = f32[8,8] log(p)\n"
                        "b = f32[8,8] add(a, a)\n"
                        "c = f32[8,8] multiply(b, a)"),
            "");
}

TEST(HloPartition, UsesAtTwoIndicesAreAFunction) {
  EXPECT_EQ(functionsOf("p = f32[8,8] parameter(0)\n"
                        "log = f32[8,8] log(p)\n"
                        "t = f32[8,8] transpose(log), dimensions={1,0}\n"
                        "sum = f32[8,8] add(log, t)"),
            "log");
}

TEST(HloPartition, LeavesAreRepeated) {
  EXPECT_EQ(functionsOf("p = f32[8,8] parameter(0)\n"
                        "one = f32[] constant(1)\n"
                        "ones = f32[8,8] broadcast(one), dimensions={}\n"
                        "t = f32[8,8] transpose(ones), dimensions={1,0}\n"
                        "pt = f32[8,8] transpose(p), dimensions={1,0}\n"
                        "a = f32[8,8] add(ones, t)\n"
                        "b = f32[8,8] add(p, pt)\n"
                        "sum = f32[8,8] add(a, b)"),
            "");
}

/// What depends on a function is at the function's own index.
TEST(HloPartition, OperandsOfAFunctionAreInside) {
  EXPECT_EQ(functionsOf("p = f32[8,8] parameter(0)\n"
                        "e = f32[8,8] exponential(p)\n"
                        "l = f32[8,8] log(e)\n"
                        "s = f32[8,8] add(e, l)\n"
                        "t = f32[8,8] transpose(s), dimensions={1,0}\n"
                        "sum = f32[8,8] add(s, t)"),
            "s");
}

/// Each level reads the one before at two indices.
std::string diamonds(unsigned Levels) {
  std::string Text = "a0 = f32[8,8] parameter(0)\n";
  for (unsigned K = 0; K < Levels; ++K)
    Text += formatv("t{0} = f32[8,8] transpose(a{0}), dimensions={{1,0}\n"
                    "a{1} = f32[8,8] add(a{0}, t{0})\n",
                    K, K + 1);
  return Text;
}

TEST(HloPartition, CodeGrowsLinearly) {
  LLVMContext Context;
  unsigned Of10 = instructionsIn(*emitted(diamonds(10), Context).IR);
  unsigned Of20 = instructionsIn(*emitted(diamonds(20), Context).IR);
  unsigned Of40 = instructionsIn(*emitted(diamonds(40), Context).IR);
  EXPECT_EQ(Of40 - Of20, 2 * (Of20 - Of10));
  EXPECT_LT(Of20 - Of10, 10 * 12u);
}

/// Neither the stack nor the code is the limit.
TEST(HloPartition, LongChains) {
  constexpr unsigned Length = 100000;
  std::string Text = "a0 = s32[8] parameter(0)\n";
  for (unsigned K = 0; K < Length; ++K)
    Text += formatv("a{1} = s32[8] negate(a{0})\n", K, K + 1);
  LLVMContext Context;
  EmittedModule Emitted = emitted(Text, Context);
  EXPECT_GT(instructionsIn(*Emitted.IR), Length);
  EXPECT_LT(instructionsIn(*Emitted.IR), 2 * Length);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

TEST(KernelEmitter, FusionsOfTheEntryAreKernels) {
  LLVMContext Context;
  EmittedModule Emitted =
      emitted("f { x = f32[9] parameter(0)\n ROOT y = f32[9] negate(x) }\n"
              "ENTRY e {\n p = f32[9] parameter(0)\n"
              " a = f32[9] fusion(p), kind=kLoop, calls=f\n"
              " unused = f32[9] fusion(p), kind=kLoop, calls=f\n"
              " ROOT b = f32[9] fusion(a), kind=kLoop, calls=f\n}",
              Context);
  ASSERT_EQ(Emitted.Kernels.size(), 2u);
  EXPECT_EQ(Emitted.Kernels[0].Arguments, (std::vector<unsigned>{0, 2}));
  EXPECT_EQ(Emitted.Kernels[1].Arguments, (std::vector<unsigned>{2, 1}));
  EXPECT_EQ(Emitted.Buffers[2].BufferKind, KernelBuffer::Kind::Temporary);
}

TEST(KernelEmitter, GridsBeyond31Bits) {
  LLVMContext Context;
  EmittedModule Emitted =
      emitted("p = s8[] parameter(0)\n"
              "b = s8[5000000,1000000] broadcast(p), dimensions={}",
              Context);
  const EmittedKernel &K = Emitted.Kernels.at(0);
  uint64_t Threads = uint64_t(K.Grid[0]) * K.Grid[1] * K.Grid[2] * K.Block;
  EXPECT_EQ(K.Threads, 5000000000000u / 16);
  EXPECT_GE(Threads, K.Threads);
  EXPECT_LT(Threads, K.Threads + 1000 * K.Block);
  EXPECT_LE(K.Grid[0], uint32_t(INT32_MAX));
  EXPECT_LE(K.Grid[1], 65535u);
}

/// An entry may yield what it was given, and one thing twice.
TEST(KernelEmitter, OutputsThatAreInputs) {
  EXPECT_EQ(differenceOf("p = s32[6] parameter(0)\nn = s32[6] negate(p)\n"
                         "ROOT t = (s32[6], s32[6], s32[6]) tuple(p, n, n)"),
            "");
}

TEST(KernelEmitter, OutputsOfSeveralSizes) {
  EXPECT_EQ(differenceOf("p = s32[6,5] parameter(0)\n"
                         "s = s32[2,5] slice(p), slice={[1:6:4], [0:5]}\n"
                         "r = s32[30] reshape(p)\n"
                         "ROOT t = (s32[6,5]{0,1}, s32[2,5], s32[30]) "
                         "tuple(p, s, r)"),
            "");
}

constexpr StringLiteral Pick =
    "pick { a = f32[] parameter(0)\n i = s32[] parameter(1)\n"
    " b = f32[] parameter(2)\n j = s32[] parameter(3)\n"
    " ge = pred[] compare(a, b), direction=GE\n"
    " v = f32[] select(ge, a, b)\n k = s32[] select(ge, i, j)\n"
    " ROOT r = (f32[], s32[]) tuple(v, k) }\n";

/// The parts of a variadic reduce at one index, and at two.
TEST(KernelEmitter, PartsOfAReduction) {
  for (StringRef Second : {"i1", "reverse(i1), dimensions={0}"}) {
    std::string Use = Second == "i1" ? "copy(i1)" : Second.str();
    EXPECT_EQ(differenceOf((Pick +
                            "f { p = f32[4,7] parameter(0)\n"
                            " n = s32[4,7] iota(), iota_dimension=1\n"
                            " z = f32[] constant(-inf)\n"
                            " m = s32[] constant(-1)\n"
                            " r = (f32[4], s32[4]) reduce(p, n, z, m), "
                            "dimensions={1}, to_apply=pick\n"
                            " v0 = f32[4] get-tuple-element(r), index=0\n"
                            " i1 = s32[4] get-tuple-element(r), index=1\n"
                            " i2 = s32[4] " +
                            Twine(Use) +
                            "\n c = f32[4] convert(i2)\n"
                            " ROOT s = f32[4] add(v0, c) }\n"
                            "ENTRY e { p = f32[4,7] parameter(0)\n"
                            " ROOT x = f32[4] fusion(p), kind=kLoop, calls=f }")
                               .str()),
              "")
        << Use;
  }
}

/// Starts of every integer type, far outside on both sides.
TEST(KernelEmitter, StartsOfAllTypes) {
  for (StringRef T : {"s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"})
    for (uint64_t Seed = 1; Seed < 5; ++Seed) {
      if (isLeftOut())
        continue;
      EXPECT_EQ(
          differenceOf(
              formatv("p = s32[9,8] parameter(0)\nu = s32[3,2] parameter(1)\n"
                      "i = {0}[] parameter(2)\nj = {0}[] parameter(3)\n"
                      "k = {0}[7,2] parameter(4)\n"
                      "s = s32[4,5] dynamic-slice(p, i, j), "
                      "dynamic_slice_sizes={{4,5}\n"
                      "d = s32[9,8] dynamic-update-slice(p, u, i, j)\n"
                      "g = s32[7,2,8] gather(p, k), offset_dims={{1,2}, "
                      "collapsed_slice_dims={{}, start_index_map={{0,1}, "
                      "index_vector_dim=1, slice_sizes={{2,8}\n"
                      "ROOT t = (s32[4,5], s32[9,8], s32[7,2,8]) "
                      "tuple(s, d, g)",
                      T)
                  .str(),
              Seed),
          "")
          << T.str();
    }
}

/// Every way to combine an update with an element, by atomics or a loop.
TEST(KernelEmitter, Scatter) {
  for (StringRef T : {"s32", "u32", "s64", "f32", "f64", "s8", "u4", "pred",
                      "f16", "bf16", "f8e5m2", "c64"})
    for (StringRef Operation :
         {"add(a, b)", "maximum(b, a)", "multiply(a, b)", "copy(b)"}) {
      if (isLeftOut())
        continue;
      if (T == "c64" && Operation.starts_with("max"))
        continue;
      EXPECT_EQ(
          differenceOf(
              formatv("op {{ a = {0}[] parameter(0)\n b = {0}[] parameter(1)\n"
                      " ROOT r = {0}[] {1} }\n"
                      "ENTRY e {{ p = {0}[6,5] parameter(0)\n"
                      " i = s32[20,2] parameter(1)\n"
                      " u = {0}[20,2] parameter(2)\n"
                      " s = {0}[6,5] scatter(p, i, u), "
                      "update_window_dims={{1}, inserted_window_dims={{0}, "
                      "scatter_dims_to_operand_dims={{0,1}, "
                      "index_vector_dim=1, to_apply=op\n"
                      " ROOT n = {0}[5,6] transpose(s), dimensions={{1,0} }",
                      T, Operation)
                  .str()),
          "")
          << T.str() << " " << Operation.str();
    }
}

/// Sizes of 0 anywhere.
TEST(KernelEmitter, NothingInside) {
  EXPECT_EQ(differenceOf("p = s32[0,7] parameter(0)\nz = s32[] constant(5)\n"
                         "q = s32[3,7] parameter(1)\n"
                         "d = s32[3,7] pad(p, z), padding=1_2x0_0\n"
                         "c = s32[3,7] concatenate(p, q), dimensions={0}\n"
                         "m = s32[7,7] dot(p, p), lhs_contracting_dims={0}, "
                         "rhs_contracting_dims={0}\n"
                         "ROOT t = (s32[3,7], s32[3,7], s32[7,7]) "
                         "tuple(d, c, m)"),
            "");
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(KernelEmitter, ErrorsNameThePlace) {
  EXPECT_EQ(problemOf("f { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
                      " s = f32[2] broadcast(a), dimensions={}\n"
                      " t = f32[1] slice(s), slice={[0:1]}\n"
                      " u = f32[] reshape(t)\n ROOT r = f32[] add(u, b) }\n"
                      "ENTRY e { p = f32[3] parameter(0)\n"
                      " z = f32[] constant(0)\n ROOT r = f32[] reduce(p, z), "
                      "dimensions={0}, to_apply=f }"),
            "<test>:3:2: error: instruction 's' (broadcast): an array inside "
            "a function of scalars; move it out of the function");
}

/// Calls that double at each of 30 levels are refused, not expanded.
TEST(KernelEmitter, CallsThatGrowExponentially) {
  std::string Text = "f0 { x = f32[2] parameter(0)\n"
                     " ROOT y = f32[2] negate(x) }\n";
  for (unsigned K = 0; K < 30; ++K)
    Text += formatv("f{1} {{ x = f32[2] parameter(0)\n"
                    " y = f32[2] call(x), to_apply=f{0}\n"
                    " ROOT z = f32[2] call(y), to_apply=f{0} }\n",
                    K, K + 1);
  Text += "ENTRY e { p = f32[2] parameter(0)\n"
          " ROOT r = f32[2] call(p), to_apply=f30 }";
  EXPECT_TRUE(StringRef(problemOf(Text)).contains("use fewer calls"));
}

/// The comparison that all of these rely on sees what is wrong.
TEST(FusionValues, Difference) {
  HloShape Shape = cantFail(HloShape::array(ElementType::F32, {2, 2}));
  HloLiteral X(Shape), Y(Shape);
  EXPECT_EQ(difference(X, Y), "");
  X.set({1, 0}, HloElement::number(ElementType::F32, 1));
  EXPECT_EQ(difference(X, Y), "at [1,0]: 1, expected 0");
  Y.set({1, 0}, HloElement::number(ElementType::F32, 1.000001));
  EXPECT_EQ(difference(X, Y), "");
  Y.set({1, 0}, HloElement::number(ElementType::F32, 1.0001));
  EXPECT_EQ(difference(X, Y), "at [1,0]: 1, expected 1.0001");
}

} // namespace
