//===- TransposeKernelTest.cpp - Transposes through shared memory ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/EmitterTestHelper.h"
#include "test/unit/Share.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// For each kernel, how many tiles it has: "1", or "0,2". A kernel with tiles
/// has a barrier.
std::string tilesOf(StringRef Text, const KernelEmitterOptions &Options = {}) {
  auto Module = parseModule(Text);
  if (Error E = verifyHlo(*Module))
    return toString(std::move(E));
  LLVMContext Context;
  auto Emitted = emitKernels(*Module, Module->entry(), Context, Options);
  if (!Emitted)
    return toString(Emitted.takeError());
  std::string Result;
  for (const EmittedKernel &Kernel : Emitted->Kernels) {
    Function &F = *Emitted->IR->getFunction(Kernel.Name);
    unsigned Barriers = 0;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<IntrinsicInst>(&I))
        Barriers += Call->getIntrinsicID() ==
                    Intrinsic::nvvm_barrier_cta_sync_aligned_all;
    unsigned Tiles = 0;
    for (GlobalVariable &G : Emitted->IR->globals())
      Tiles += G.getAddressSpace() == 3 && any_of(G.users(), [&](User *U) {
                 return cast<Instruction>(U)->getFunction() == &F;
               });
    EXPECT_EQ(Barriers, Tiles ? 1u : 0u);
    Result += (Result.empty() ? "" : ",") + utostr(Tiles);
  }
  return Result;
}

/// \p Text has kernels with so many tiles, and they are right.
void expectTiles(const std::string &Text, StringRef Tiles) {
  EXPECT_EQ(tilesOf(Text), Tiles) << Text;
  EXPECT_EQ(differenceOf(Text), "") << Text;
}

std::string transposed(StringRef Type, ArrayRef<int64_t> Sizes,
                       ArrayRef<int64_t> Permutation) {
  SmallVector<int64_t, 4> Result;
  for (int64_t D : Permutation)
    Result.push_back(Sizes[D]);
  auto List = [](ArrayRef<int64_t> Numbers) {
    return join(map_range(Numbers, [](int64_t N) { return itostr(N); }), ",");
  };
  return formatv("p = {0}[{1}] parameter(0)\n"
                 "t = {0}[{2}] transpose(p), dimensions={{{3}}",
                 Type, List(Sizes), List(Result), List(Permutation))
      .str();
}

/// Every permutation of sizes around that of a tile.
TEST(TransposeKernel, Shapes) {
  unsigned WithTiles = 0;
  for (const std::vector<int64_t> &Sizes :
       std::vector<std::vector<int64_t>>{{32, 64},
                                         {33, 31},
                                         {16, 100},
                                         {1, 40, 33},
                                         {3, 35, 31},
                                         {32, 5, 33},
                                         {2, 7, 16, 20},
                                         {5, 32, 1, 32}}) {
    std::vector<int64_t> Permutation(Sizes.size());
    for (size_t D = 0; D < Sizes.size(); ++D)
      Permutation[D] = D;
    do {
      if (isLeftOut())
        continue;
      std::string Text = transposed("s32", Sizes, Permutation);
      WithTiles += tilesOf(Text) == "1";
      EXPECT_EQ(differenceOf(Text), "") << Text;
    } while (std::next_permutation(Permutation.begin(), Permutation.end()));
  }
  EXPECT_GE(WithTiles, 30 / Share);
}

TEST(TransposeKernel, Types) {
  for (StringRef Type : {"pred", "s4", "u8", "f8e5m2", "bf16", "f16", "s64",
                         "f64", "c64", "c128"})
    expectTiles(transposed(Type, {2, 33, 40}, {0, 2, 1}), "1");
}

/// Blocks with fewer and more lines of threads, and sizes that are none.
TEST(TransposeKernel, BlockSizes) {
  std::string Text = transposed("s32", {3, 45, 33}, {2, 0, 1});
  auto Inputs = cantFail(randomInputs(parseModule(Text)->entry(), 1));
  for (unsigned BlockSize : {1, 32, 64, 100, 256, 1000, 1024})
    for (IndexSource Indices : {IndexSource::Naive, IndexSource::Maps}) {
      KernelEmitterOptions Options;
      Options.BlockSize = BlockSize;
      Options.Indices = Indices;
      EXPECT_EQ(tilesOf(Text, Options), "1");
      EXPECT_EQ(differenceOf(Text, Inputs, Options), "") << BlockSize;
    }
}

TEST(TransposeKernel, Layouts) {
  for (StringRef In : {"2,1,0", "0,1,2", "1,2,0", "0,2,1"})
    for (StringRef Out : {"2,1,0", "0,1,2", "1,2,0", "1,0,2"}) {
      std::string Text =
          formatv("p = s32[12,33,20]{{{0}} parameter(0)\n"
                  "t = s32[20,12,33]{{{1}} transpose(p), dimensions={{2,0,1}\n"
                  "c = s32[20,12,33]{{{0}} copy(t)",
                  In, Out);
      EXPECT_EQ(differenceOf(Text), "") << Text;
    }
  expectTiles("p = f32[40,33]{0,1} parameter(0)\nq = f32[40,33] parameter(1)\n"
              "s = f32[40,33] subtract(p, q)",
              "1");
}

/// What is computed in front of the tile and behind it.
TEST(TransposeKernel, PrologueAndEpilogue) {
  expectTiles("p = f32[2,40,33] parameter(0)\nb = s32[33] parameter(1)\n"
              "q = s32[2,33,40] parameter(2)\n"
              "n = f32[2,40,33] negate(p)\nc = s32[2,40,33] convert(n)\n"
              "d = s32[2,40,33] broadcast(b), dimensions={2}\n"
              "s = s32[2,40,33] add(c, d)\n"
              "t = s32[2,33,40] transpose(s), dimensions={0,2,1}\n"
              "e = s32[2,33,40] broadcast(b), dimensions={1}\n"
              "m = s32[2,33,40] multiply(t, e)\n"
              "x = s32[2,33,40] xor(m, q)\nr = s32[66,40] reshape(x)",
              "1");
  // Of a slice, with edges that are no sizes of its source.
  expectTiles("p = s32[50,60] parameter(0)\n"
              "s = s32[33,40] slice(p), slice={[5:38], [10:50]}\n"
              "t = s32[40,33] transpose(s), dimensions={1,0}",
              "1");
  // With a branch in each of them.
  expectTiles("p = s32[20,40] parameter(0)\nq = s32[28,33] parameter(1)\n"
              "s = s32[12,33] slice(q), slice={[4:28:2], [0:33]}\n"
              "z = s32[] constant(7)\n"
              "a = s32[33,40] pad(p, z), padding=6_7x0_0\n"
              "t = s32[40,33] transpose(a), dimensions={1,0}\n"
              "u = s32[40,33] concatenate(q, s), dimensions={0}\n"
              "w = s32[40,33] add(t, u)",
              "1");
}

/// Bodies that are not cheap are a loop.
TEST(TransposeKernel, Loops) {
  StringRef Sum = "sum { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
                  " ROOT r = s32[] add(a, b) }\n";
  for (StringRef Sizes : {"32,64|64,32", "33,41|41,33"}) {
    auto [In, Out] = Sizes.split('|');
    expectTiles(
        formatv("{0}f {{ p = s32[{1}] parameter(0)\n"
                " q = s32[{1},3] parameter(1)\n z = s32[] constant(0)\n"
                " r = s32[{1}] reduce(q, z), dimensions={{2}, to_apply=sum\n"
                " s = s32[{1}] add(p, r)\n"
                " t = s32[{2}] transpose(s), dimensions={{1,0}\n"
                " ROOT n = s32[{2}] negate(t) }\n"
                "ENTRY e {{ p = s32[{1}] parameter(0)\n"
                " q = s32[{1},3] parameter(1)\n"
                " ROOT x = s32[{2}] fusion(p, q), kind=kInput, calls=f }",
                Sum, In, Out),
        "1");
  }
}

TEST(TransposeKernel, SeveralHeroes) {
  expectTiles("p = s32[3,40,33] parameter(0)\nq = s16[3,40,33] parameter(1)\n"
              "t = s32[3,33,40] transpose(p), dimensions={0,2,1}\n"
              "u = s16[3,33,40] transpose(q), dimensions={0,2,1}\n"
              "v = s32[3,33,40] convert(u)\ns = s32[3,33,40] subtract(t, v)",
              "2");
  // The rest of the dimensions in different orders.
  expectTiles("p = s32[10,33,5] parameter(0)\n"
              "a = s32[5,33,10] transpose(p), dimensions={2,1,0}\n"
              "q = s32[33,10,5] parameter(1)\n"
              "b = s32[5,33,10] transpose(q), dimensions={2,0,1}\n"
              "c = s32[5,33,10] subtract(a, b)",
              "0");
  expectTiles("p = s32[10,16,33] parameter(0)\n"
              "a = s32[33,10,16] transpose(p), dimensions={2,0,1}\n"
              "q = s32[16,10,33] parameter(1)\n"
              "b = s32[33,10,16] transpose(q), dimensions={2,1,0}\n"
              "c = s32[33,10,16] subtract(a, b)",
              "2");
  // Another minor dimension: read as in the loop kernel.
  expectTiles("p = s32[33,16,40] parameter(0)\nq = s32[40,33,16] parameter(1)\n"
              "t = s32[16,40,33] transpose(p), dimensions={1,2,0}\n"
              "u = s32[16,40,33] transpose(q), dimensions={2,0,1}\n"
              "s = s32[16,40,33] subtract(t, u)",
              "1");
}

/// Three tiles of c128 would be more than 48 KiB; two are not.
TEST(TransposeKernel, SharedMemoryIsLimited) {
  std::string Text;
  for (unsigned K = 0; K < 3; ++K)
    Text += formatv("p{0} = c128[40,33] parameter({0})\n"
                    "t{0} = c128[33,40] transpose(p{0}), dimensions={{1,0}\n",
                    K);
  expectTiles(Text + "s = c128[33,40] add(t0, t1)", "2");
  expectTiles(Text + "s = c128[33,40] add(t0, t1)\n"
                     "r = c128[33,40] add(s, t2)",
              "0");
}

/// Results that are written while the tile is filled, and behind the barrier.
TEST(TransposeKernel, Outputs) {
  expectTiles("p = f64[24,2,24] parameter(0)\n"
              "t = f64[24,2,24] transpose(p), dimensions={2,1,0}\n"
              "r = f64[6,4,2,24] reshape(p)\nn = f64[24,2,24] negate(p)\n"
              "m = f64[24,48] reshape(t)\n"
              "ROOT x = (f64[24,2,24], f64[6,4,2,24], f64[24,2,24], "
              "f64[24,48]) tuple(t, r, n, m)",
              "1");
  // In one kernel, though they are results of a fusion of the entry. One has
  // another size.
  expectTiles("f { p = s32[40,33] parameter(0)\nn = s32[40,33] negate(p)\n"
              " t = s32[33,40] transpose(n), dimensions={1,0}\n"
              " s = s32[5,33] slice(p), slice={[0:40:8], [0:33]}\n"
              " ROOT x = (s32[40,33], s32[5,33], s32[33,40]) tuple(n, s, t) }\n"
              "ENTRY e { p = s32[40,33] parameter(0)\n"
              " ROOT x = (s32[40,33], s32[5,33], s32[33,40]) fusion(p), "
              "kind=kInput, calls=f }",
              "1,0");
  // Transposed twice: t is wanted in both orders, so in no tile.
  expectTiles("p = s32[40,40] parameter(0)\n"
              "t = s32[40,40] transpose(p), dimensions={1,0}\n"
              "e = s32[40,40] negate(t)\n"
              "u = s32[40,40] transpose(e), dimensions={1,0}\n"
              "ROOT x = (s32[40,40], s32[40,40]) tuple(e, u)",
              "0");
}

/// A hero inside of a function would be computed at an index of its own.
TEST(TransposeKernel, HeroesAreNotInFunctions) {
  expectTiles("p = s32[40,40] parameter(0)\n"
              "t = s32[40,40] transpose(p), dimensions={1,0}\n"
              "n = s32[40,40] negate(t)\n"
              "r = s32[40,40] reverse(n), dimensions={0}\n"
              "s = s32[40,40] subtract(n, r)",
              "0");
  // e is wanted at one offset by two shapes: a function for the partition.
  expectTiles("p = s32[40,40] parameter(0)\n"
              "t = s32[40,40] transpose(p), dimensions={1,0}\n"
              "e = s32[40,40] negate(t)\n"
              "r = s32[1600] reshape(e)\nn = s32[1600] not(r)\n"
              "ROOT x = (s32[40,40], s32[1600]) tuple(e, n)",
              "0");
}

/// Beyond 2^31 elements and blocks; nothing is run.
TEST(TransposeKernel, LargeArrays) {
  for (IndexSource Indices : {IndexSource::Naive, IndexSource::Maps}) {
    KernelEmitterOptions Options;
    Options.Indices = Indices;
    EXPECT_EQ(tilesOf(transposed("s8", {70000, 50000}, {1, 0}), Options), "1");
    EXPECT_EQ(
        tilesOf(transposed("s8", {1 << 20, 8000, 2000}, {0, 2, 1}), Options),
        "1");
  }
}

} // namespace
