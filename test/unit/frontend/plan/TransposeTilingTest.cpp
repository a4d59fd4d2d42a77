//===- TransposeTilingTest.cpp - What is transposed, and in which tiles ---===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/TransposeTiling.h"
#include "frontend/plan/TransposeHeroes.h"
#include "test/unit/HloIndexingTestHelper.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace unravel;

namespace {

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// The tiling, then the heroes, then which outputs are written while which
/// tiles are filled: "100 x 64 x 32: t = tile of p; out1 with t".
std::string planOf(StringRef Text) {
  auto Module = parseModule(Text);
  if (Error E = verifyHlo(*Module))
    return toString(std::move(E));
  const HloInstruction &Root = Module->entry().root();
  std::vector<const HloInstruction *> Roots = {&Root};
  if (Root.opcode() == HloOpcode::Tuple)
    Roots = std::vector(Root.operands().begin(), Root.operands().end());
  std::vector<HloShape> Shapes;
  for (const HloInstruction *R : Roots)
    Shapes.push_back(R->shape());
  std::optional<TransposePlan> Plan =
      planTranspose(Roots, Shapes, [](const HloInstruction &I) {
        return I.opcode() == HloOpcode::Parameter;
      });
  if (!Plan)
    return "none";
  std::string Result;
  raw_string_ostream OS(Result);
  for (unsigned D : Plan->Tiling.batch())
    OS << Plan->Tiling.sizes()[D] << " x ";
  OS << Plan->Tiling.rowCount() << " x " << Plan->Tiling.columnCount() << ":";
  for (const TransposeHero &Hero : Plan->Heroes)
    OS << ' ' << Hero.Value->name() << " of " << Hero.SourceInMemory.str();
  for (auto [K, With] : enumerate(Plan->FilledWith))
    if (With)
      OS << ", out" << K << " with " << Plan->Heroes[*With].Value->name();
  return Result;
}

std::string transposed(StringRef From, StringRef To, StringRef Permutation) {
  return ("p = " + From + " parameter(0)\nt = " + To +
          " transpose(p), dimensions={" + Permutation + "}")
      .str();
}

TEST(TransposePlan, Shapes) {
  EXPECT_EQ(planOf(transposed("f32[100,32,64]", "f32[100,64,32]", "0,2,1")),
            "100 x 64 x 32: t of f32[100,32,64]{2,1,0}");
  EXPECT_EQ(planOf(transposed("f32[13,1051,321]", "f32[13,321,1051]", "0,2,1")),
            "13 x 321 x 1051: t of f32[13,1051,321]{2,1,0}");
  EXPECT_EQ(planOf(transposed("f32[2048,1000]", "f32[1000,2048]", "1,0")),
            "1000 x 2048: t of f32[2048,1000]{1,0}");
  EXPECT_EQ(planOf(transposed("f64[24,2,24]", "f64[24,2,24]", "2,1,0")),
            "2 x 24 x 24: t of f64[24,2,24]{2,1,0}");
  // 19 x 16 are neighbours in the output; with 16 alone tiles would be half
  // empty.
  EXPECT_EQ(
      planOf(transposed("f32[19,16,16,144]", "f32[16,144,19,16]", "1,3,0,2")),
      "16 x 144 x 304: t of f32[19,16,16,144]{3,2,1,0}");
  // Neighbours that stay together, and dimensions of size 1.
  EXPECT_EQ(
      planOf(transposed("f32[4,8,1,5,6,7]", "f32[5,1,6,7,4,8]", "3,2,4,5,0,1")),
      "210 x 32: t of f32[4,8,1,5,6,7]{5,4,3,2,1,0}");
  // Rows of two dimensions.
  EXPECT_EQ(planOf(transposed("s8[64,9,4]", "s8[4,9,64]", "2,1,0")),
            "36 x 64: t of s8[64,9,4]{2,1,0}");
}

/// Nothing is transposed where the minor dimension stays, or it does not pay.
TEST(TransposePlan, Shapes_negative) {
  EXPECT_EQ(planOf(transposed("s8[160,170,3]", "s8[170,160,3]", "1,0,2")),
            "none");
  EXPECT_EQ(planOf(transposed("f32[64,64]", "f32[64,64]", "0,1")), "none");
  EXPECT_EQ(planOf(transposed("f32[1,64]", "f32[64,1]", "1,0")), "none");
  EXPECT_EQ(planOf(transposed("f32[0,64]", "f32[64,0]", "1,0")), "none");
  EXPECT_EQ(planOf("p = f32[] parameter(0)\nn = f32[] negate(p)"), "none");
  // 7 of 32 lanes.
  EXPECT_EQ(planOf(transposed("f32[7,512]", "f32[512,7]", "1,0")), "none");
  EXPECT_EQ(planOf(transposed("f32[8,512]", "f32[512,8]", "1,0")),
            "512 x 8: t of f32[8,512]{1,0}");
  EXPECT_EQ(planOf(transposed("f32[15,17]", "f32[17,15]", "1,0")), "none");
}

TEST(TransposePlan, Layouts) {
  // The layout has done it already.
  EXPECT_EQ(planOf(transposed("f32[64,96]", "f32[96,64]{0,1}", "1,0")), "none");
  EXPECT_EQ(planOf(transposed("f32[64,96]{0,1}", "f32[96,64]", "1,0")), "none");
  EXPECT_EQ(planOf(transposed("f32[64,96]{0,1}", "f32[96,64]{0,1}", "1,0")),
            "64 x 96: t of f32[64,96]{0,1}");
  EXPECT_EQ(planOf("p = f32[64,96]{0,1} parameter(0)\n"
                   "c = f32[64,96]{1,0} copy(p)"),
            "64 x 96: c of f32[64,96]{0,1}");
  // A parameter in another order.
  EXPECT_EQ(planOf("p = f32[64,96]{0,1} parameter(0)\n"
                   "q = f32[64,96] parameter(1)\ns = f32[64,96] add(p, q)"),
            "64 x 96: p of f32[64,96]{0,1}");
  // A bitcast keeps the place in memory, a reshape does not.
  EXPECT_EQ(planOf("p = f32[64,96]{0,1} parameter(0)\n"
                   "b = f32[96,64] bitcast(p)\nn = f32[96,64] negate(b)"),
            "none");
  EXPECT_EQ(planOf("p = f32[64,96] parameter(0)\n"
                   "t = f32[96,64] transpose(p), dimensions={1,0}\n"
                   "r = f32[96,8,1,8] reshape(t)\n"
                   "n = f32[96,8,1,8] negate(r)"),
            "96 x 64: t of f32[64,96]{1,0}");
  EXPECT_EQ(planOf("p = f32[64,96] parameter(0)\n"
                   "t = f32[96,64]{0,1} transpose(p), dimensions={1,0}\n"
                   "r = f32[96,1,64]{0,2,1} reshape(t)\n"
                   "c = f32[96,1,64] copy(r)"),
            "96 x 64: c of f32[96,1,64]{0,2,1}");
}

TEST(TransposePlan, Heroes) {
  // What is computed before and after.
  EXPECT_EQ(planOf("p = f32[64,96] parameter(0)\nl = f32[64,96] log(p)\n"
                   "t = f32[96,64] transpose(l), dimensions={1,0}\n"
                   "n = f32[96,64] negate(t)"),
            "96 x 64: t of f32[64,96]{1,0}");
  // Two of one permutation; a second use at another index makes none of one.
  EXPECT_EQ(planOf("p = f32[64,96] parameter(0)\nq = f16[64,96] parameter(1)\n"
                   "t = f32[96,64] transpose(p), dimensions={1,0}\n"
                   "u = f16[96,64] transpose(q), dimensions={1,0}\n"
                   "v = f32[96,64] convert(u)\ns = f32[96,64] add(t, v)"),
            "96 x 64: u of f16[64,96]{1,0} t of f32[64,96]{1,0}");
  EXPECT_EQ(planOf("p = f32[96,96] parameter(0)\nq = f32[96,96] parameter(1)\n"
                   "t = f32[96,96] transpose(p), dimensions={1,0}\n"
                   "u = f32[96,96] transpose(q), dimensions={1,0}\n"
                   "r = f32[96,96] reverse(t), dimensions={0}\n"
                   "s = f32[96,96] add(t, r)\nv = f32[96,96] add(s, u)"),
            "96 x 96: u of f32[96,96]{1,0}");
  // One below a hero would be wanted at two indices.
  EXPECT_EQ(planOf("p = f32[96,96] parameter(0)\nq = f32[96,96] parameter(1)\n"
                   "t = f32[96,96] transpose(p), dimensions={1,0}\n"
                   "e = f32[96,96] add(q, t)\n"
                   "u = f32[96,96] transpose(e), dimensions={1,0}\n"
                   "s = f32[96,96] add(t, u)"),
            "96 x 96: u of f32[96,96]{1,0}");
  // And here: u has the elements of p in their order, t has not.
  EXPECT_EQ(planOf("p = f32[96,96] parameter(0)\n"
                   "t = f32[96,96] transpose(p), dimensions={1,0}\n"
                   "e = f32[96,96] exponential(t)\n"
                   "u = f32[96,96] transpose(e), dimensions={1,0}\n"
                   "s = f32[96,96] add(t, u)"),
            "none");
  // A scalar has no order, and nothing is in memory here.
  EXPECT_EQ(planOf("p = f32[] parameter(0)\n"
                   "b = f32[64,96] broadcast(p), dimensions={}\n"
                   "t = f32[96,64] transpose(b), dimensions={1,0}"),
            "none");
  // Orders that do not go together: the last one that is found is not taken.
  EXPECT_EQ(planOf("p = f32[32,32,32] parameter(0)\n"
                   "q = f32[32,32,32] parameter(1)\n"
                   "t = f32[32,32,32] transpose(p), dimensions={0,2,1}\n"
                   "u = f32[32,32,32] transpose(q), dimensions={2,1,0}\n"
                   "s = f32[32,32,32] add(t, u)"),
            "32 x 32 x 32: u of f32[32,32,32]{2,1,0}");
}

TEST(TransposePlan, Outputs) {
  EXPECT_EQ(planOf("p = f64[24,2,24] parameter(0)\n"
                   "t = f64[24,2,24] transpose(p), dimensions={2,1,0}\n"
                   "r = f64[6,4,2,24] reshape(p)\n"
                   "ROOT x = (f64[24,2,24], f64[6,4,2,24]) tuple(t, r)"),
            "2 x 24 x 24: t of f64[24,2,24]{2,1,0}, out1 with t");
  // Written in the order of the output: it has nothing to do with the tile.
  EXPECT_EQ(planOf("p = f32[64,96] parameter(0)\nq = f32[96,64] parameter(1)\n"
                   "t = f32[96,64] transpose(p), dimensions={1,0}\n"
                   "n = f32[96,64] negate(q)\n"
                   "ROOT x = (f32[96,64], f32[96,64]) tuple(t, n)"),
            "96 x 64: t of f32[64,96]{1,0}");
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// Every thread of every block, at every step: no element twice, none left out.
void expectEachElementOnce(const TransposeTiling &Tiling, const HloShape &Array,
                           std::optional<size_t> Input, int64_t Threads) {
  IndexContext Context;
  std::optional<IndexingMap> Map =
      transposeThreadMap(Tiling, Array, Input, Threads, Context);
  ASSERT_TRUE(Map);
  std::vector<unsigned> Hits(Array.elementCount());
  for (int64_t Block = 0; Block < int64_t(Tiling.blocks()); ++Block)
    for (int64_t Thread = 0; Thread < Threads; ++Thread)
      for (int64_t Step = 0; Step < 1024 / Threads; ++Step) {
        std::vector<int64_t> P = {Thread, 0, 0, Block, 0, 0, Step};
        if (Map->contains(P))
          ++Hits.at(offsetIn(Array, *Map->evaluate(P)));
      }
  EXPECT_TRUE(all_of(Hits, [](unsigned N) { return N == 1; }))
      << Array.str() << ": " << toString(*Map);
}

TEST(TransposeThreadMap, EachElementOnce) {
  for (const std::vector<int64_t> &Sizes : std::vector<std::vector<int64_t>>{
           {40, 33}, {32, 64}, {3, 35, 31}, {7, 33, 5}, {4, 5, 9, 8}}) {
    TransposeTiling::Order Input(Sizes.size());
    for (unsigned D = 0; D < Input.size(); ++D)
      Input[D] = D;
    HloShape Array = cantFail(HloShape::array(ElementType::F32, Sizes));
    while (std::next_permutation(Input.begin(), Input.end())) {
      if (Input.back() == Sizes.size() - 1)
        continue;
      TransposeTiling Tiling(Sizes, {Input});
      expectEachElementOnce(Tiling, Array, std::nullopt, 128);
      std::vector<int64_t> InMemory;
      for (unsigned D : Input)
        InMemory.push_back(Sizes[D]);
      expectEachElementOnce(
          Tiling, cantFail(HloShape::array(ElementType::F32, InMemory)), 0,
          256);
    }
  }
}

TEST(TransposeThreadMap, Text) {
  TransposeTiling Tiling({100, 64, 32}, {{0, 2, 1}});
  HloShape Output = cantFail(HloShape::array(ElementType::F32, {100, 64, 32}));
  HloShape Input = cantFail(HloShape::array(ElementType::F32, {100, 32, 64}));
  IndexContext Context;
  std::string Domain =
      ", domain: th_x in [0, 127], th_y in [0, 0], th_z in [0, 0], "
      "bl_x in [0, 199], bl_y in [0, 0], bl_z in [0, 0], step in [0, 7]";
  EXPECT_EQ(
      toString(*transposeThreadMap(Tiling, Output, std::nullopt, 128, Context)),
      "(th_x, th_y, th_z, bl_x, bl_y, bl_z)[step] -> (bl_x floordiv 2, "
      "step * 4 + th_x floordiv 32 + (bl_x mod 2) * 32, th_x mod 32)" +
          Domain);
  EXPECT_EQ(toString(*transposeThreadMap(Tiling, Input, 0, 128, Context)),
            "(th_x, th_y, th_z, bl_x, bl_y, bl_z)[step] -> (bl_x floordiv 2, "
            "step * 4 + th_x floordiv 32, th_x mod 32 + (bl_x mod 2) * 32)" +
                Domain);
}

/// More blocks than x has.
TEST(TransposeThreadMap, LargeGrids) {
  TransposeTiling Tiling({1 << 24, 8192, 64}, {{0, 2, 1}});
  EXPECT_EQ(Tiling.blocks(), uint64_t(1) << 33);
  HloShape Output =
      cantFail(HloShape::array(ElementType::S8, {1 << 24, 8192, 64}));
  IndexContext Context;
  std::optional<IndexingMap> Map =
      transposeThreadMap(Tiling, Output, std::nullopt, 128, Context);
  ASSERT_TRUE(Map);
  EXPECT_EQ(Map->variables().Dimensions[4].Bounds, Interval(0, 4));
}

} // namespace
