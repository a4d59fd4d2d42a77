//===- ReductionKernelTest.cpp - Reductions that threads share ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed is compared with the evaluator, both with naive indices and
// with those of maps. The machine checks every access, races and barriers.
//
//===----------------------------------------------------------------------===//

#include "test/unit/EmitterTestHelper.h"
#include "test/unit/Share.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// Whether one of the \p Kernels of \p Text lets threads share: they shuffle.
bool isShared(StringRef Text, const KernelEmitterOptions &Options = {},
              size_t Kernels = 1) {
  auto Module = parseModule(Text);
  EXPECT_FALSE(bool(verifyHlo(*Module)));
  LLVMContext Context;
  EmittedModule Emitted =
      cantFail(emitKernels(*Module, Module->entry(), Context, Options));
  EXPECT_EQ(Emitted.Kernels.size(), Kernels);
  // Groups in which only warps share: a table for their sums.
  return Emitted.IR->getFunction("llvm.nvvm.shfl.sync.down.i32") ||
         any_of(Emitted.IR->globals(), [](const GlobalVariable &G) {
           return G.getName().contains("sums");
         });
}

void expectShared(StringRef Text, size_t Kernels = 1) {
  EXPECT_TRUE(isShared(Text, {}, Kernels)) << Text.str();
  EXPECT_EQ(differenceOf(Text, /*Seed=*/1), "") << Text.str();
}

void expectAlone(StringRef Text) {
  EXPECT_FALSE(isShared(Text)) << Text.str();
  EXPECT_EQ(differenceOf(Text), "") << Text.str();
}

std::string reducer(StringRef Type, StringRef Operation) {
  return formatv("op {{ a = {0}[] parameter(0)\n b = {0}[] parameter(1)\n"
                 " ROOT r = {0}[] {1}(a, b) }\n",
                 Type, Operation);
}

/// \p Operation over dimensions \p Reduced of \p Input, whose first value is a
/// parameter, so that it matters.
std::string reduction(StringRef Type, StringRef Operation, StringRef Input,
                      StringRef Result, StringRef Reduced) {
  return reducer(Type, Operation) +
         formatv("ENTRY e {{ p = {0}{1} parameter(0)\n"
                 " i = {0}[] parameter(1)\n"
                 " ROOT r = {0}{2} reduce(p, i), dimensions={{{3}}, "
                 "to_apply=op }",
                 Type, Input, Result, Reduced)
             .str();
}

TEST(ReductionKernel, Rows) {
  for (int64_t Size :
       {17, 31, 32, 33, 64, 127, 128, 129, 500, 512, 516, 1051, 2048, 2500})
    expectShared(
        reduction("s32", "add", formatv("[5,{0}]", Size).str(), "[5]", "1"));
}

TEST(ReductionKernel, NumbersOfRows) {
  for (int64_t Rows : {1, 2, 7, 8, 16, 31, 32, 33, 65})
    for (int64_t Size : {20, 33, 200, 600})
      expectShared(reduction("s32", "add",
                             formatv("[{0},{1}]", Rows, Size).str(),
                             formatv("[{0}]", Rows).str(), "1"));
}

TEST(ReductionKernel, Columns) {
  for (int64_t Columns : {2, 3, 8, 9, 31, 32, 33, 65, 130})
    for (int64_t Size : {33, 40, 100, 333})
      expectShared(reduction("s32", "add",
                             formatv("[{0},{1}]", Size, Columns).str(),
                             formatv("[{0}]", Columns).str(), "0"));
}

/// Pieces in front of and behind what is kept, layouts, sizes of 1.
TEST(ReductionKernel, Places) {
  struct {
    StringRef Input, Result, Reduced;
  } Cases[] = {{"[777]", "[]", "0"},
               {"[20,30]", "[]", "0,1"},
               {"[20,40]{0,1}", "[20]", "1"},
               {"[20,30]{0,1}", "[30]", "0"},
               {"[7,10,128]", "[10]", "0,2"},
               {"[7,10,33]", "[10]", "0,2"},
               {"[60,3,33]", "[3]", "0,2"},
               {"[60,3,2]", "[3]", "0,2"},
               {"[60,3,2]", "[3,2]", "0"},
               {"[11,72,8]", "[11,8]", "1"},
               {"[11,72,8]{0,2,1}", "[11,8]{0,1}", "1"},
               {"[4,3,9,6]", "[3,6]", "0,2"},
               {"[40,3,5,6]", "[3,6]", "0,2"},
               {"[12,40,3,5]{1,3,2,0}", "[12,3]", "1,3"},
               {"[12,40,3,5]{1,3,2,0}", "[40,5]", "0,2"},
               {"[1,70,1]", "[1]", "0,1"},
               {"[3,1,70,1]", "[3,1]", "1,2"},
               {"[70,1,3,1]", "[1,3]", "0,3"}};
  for (const auto &[Input, Result, Reduced] : Cases)
    expectShared(reduction("s32", "add", Input, Result, Reduced));
}

/// Elements of every width, in pieces of 32 bits.
TEST(ReductionKernel, Types) {
  for (StringRef Type : {"pred", "s4", "u8", "s16", "s64", "f8e5m2", "f8e4m3fn",
                         "f16", "bf16", "f32", "f64", "c64", "c128"})
    for (StringRef Operation : {"add", "maximum"}) {
      if (isLeftOut() || (Type.starts_with("c") && Operation == "maximum"))
        continue;
      if (Type.starts_with("f8") && Operation == "add")
        continue; // nearly every sum is rounded
      StringRef Of = Type == "pred" && Operation == "add" ? "xor" : Operation;
      expectShared(reduction(Type, Of, "[3,150]", "[3]", "1"));
      expectShared(reduction(Type, Of, "[3,600]", "[3]", "1"));
      expectShared(reduction(Type, Of, "[150,20]", "[20]", "0"));
    }
}

/// Without a neutral element, and with one that is not the initial value.
TEST(ReductionKernel, Reducers) {
  for (StringRef Operation :
       {"add", "multiply", "maximum", "minimum", "and", "or", "xor"})
    for (StringRef Type : {"s32", "u16"}) {
      expectShared(reduction(Type, Operation, "[3,37]", "[3]", "1"));
      expectShared(reduction(Type, Operation, "[37,3]", "[3]", "0"));
    }
}

/// A reducer that is associative and has no neutral element: a + b + 1. The
/// initial value and every element are combined exactly once.
TEST(ReductionKernel, EachElementOnce) {
  for (StringRef Shape : {"[3,37]|[3]|1", "[2,1000]|[2]|1", "[500,9]|[9]|0",
                          "[7,10,33]|[10]|0,2"}) {
    SmallVector<StringRef, 3> Parts;
    Shape.split(Parts, '|');
    expectShared(formatv("op {{ a = s32[] parameter(0)\n"
                         " b = s32[] parameter(1)\n"
                         " s = s32[] add(a, b)\n one = s32[] constant(1)\n"
                         " ROOT r = s32[] add(s, one) }\n"
                         "ENTRY e {{ p = s32{0} parameter(0)\n"
                         " i = s32[] constant(1000)\n"
                         " ROOT r = s32{1} reduce(p, i), dimensions={{{2}}, "
                         "to_apply=op }",
                         Parts[0], Parts[1], Parts[2])
                     .str());
  }
}

/// The largest element and the smallest of its numbers.
constexpr StringLiteral Largest =
    "largest { a = f32[] parameter(0)\n i = s32[] parameter(1)\n"
    " b = f32[] parameter(2)\n j = s32[] parameter(3)\n"
    " gt = pred[] compare(a, b), direction=GT\n"
    " eq = pred[] compare(a, b), direction=EQ\n"
    " lt = pred[] compare(i, j), direction=LT\n"
    " first = pred[] and(eq, lt)\n left = pred[] or(gt, first)\n"
    " v = f32[] select(left, a, b)\n k = s32[] select(left, i, j)\n"
    " ROOT r = (f32[], s32[]) tuple(v, k) }\n";

TEST(ReductionKernel, Variadic) {
  struct {
    StringRef Input, Result, Reduced, Dimension;
  } Cases[] = {{"[4,300]", "[4]", "1", "1"},
               {"[4,1000]", "[4]", "1", "1"},
               {"[300,4]", "[4]", "0", "0"}};
  for (const auto &[Input, Result, Reduced, Dimension] : Cases)
    expectShared(
        (Largest + formatv("f {{ p = f32{0} parameter(0)\n"
                           " n = s32{0} iota(), iota_dimension={3}\n"
                           " z = f32[] constant(-inf)\n"
                           " m = s32[] constant(1000000)\n"
                           " r = (f32{1}, s32{1}) reduce(p, n, z, m), "
                           "dimensions={{{2}}, to_apply=largest\n"
                           " v = f32{1} get-tuple-element(r), index=0\n"
                           " k = s32{1} get-tuple-element(r), index=1\n"
                           " c = f32{1} convert(k)\n"
                           " s = f32{1} add(v, c)\n"
                           " ROOT t = (f32{1}, s32{1}) tuple(s, k) }\n"
                           "ENTRY e {{ p = f32{0} parameter(0)\n"
                           " ROOT x = (f32{1}, s32{1}) fusion(p), kind=kInput, "
                           "calls=f }",
                           Input, Result, Reduced, Dimension))
            .str());
}

std::string fusion(StringRef Parameters, StringRef Body) {
  std::string Inside, Outside, Names, Root;
  SmallVector<StringRef, 4> Types;
  Parameters.split(Types, ' ');
  for (auto [K, T] : enumerate(Types)) {
    Inside += formatv(" p{0} = {1} parameter({0})\n", K, T);
    Names += formatv("{0}p{1}", K == 0 ? "" : ", ", K);
  }
  StringRef Type = Body.split("ROOT ").second.split(" = ").second;
  Type = Type.starts_with("(")
             ? Type.take_until([](char C) { return C == ')'; })
             : Type.split(' ').first;
  std::string Whole = Type.str() + (Type.starts_with("(") ? ")" : "");
  return reducer("s32", "add") + "f {\n" + Inside + Body.str() + " }\n" +
         formatv("ENTRY e {{\n{0} ROOT x = {1} fusion({2}), kind=kInput, "
                 "calls=f }",
                 Inside, Whole, Names)
             .str();
}

/// Around the reduction: elementwise on both sides, and what changes indices
/// in front of it.
TEST(ReductionKernel, Fusions) {
  expectShared(fusion("s32[40,6] s32[6]",
                      " z = s32[] constant(5)\n"
                      " b = s32[40,6] broadcast(p1), dimensions={1}\n"
                      " m = s32[40,6] multiply(p0, b)\n"
                      " t = s32[6,40] transpose(m), dimensions={1,0}\n"
                      " r = s32[6] reduce(t, z), dimensions={1}, to_apply=op\n"
                      " n = s32[6] negate(r)\n"
                      " ROOT s = s32[6] subtract(n, p1)"));
  // Two reductions with one input, and an output beside them.
  expectShared(fusion("s32[6,300] s32[6]",
                      " z = s32[] constant(5)\n"
                      " q = s32[6,300] multiply(p0, p0)\n"
                      " r = s32[6] reduce(p0, z), dimensions={1}, to_apply=op\n"
                      " s = s32[6] reduce(q, z), dimensions={1}, to_apply=op\n"
                      " d = s32[6] subtract(r, s)\n n = s32[6] negate(p1)\n"
                      " ROOT t = (s32[6], s32[6], s32[6]) tuple(r, d, n)"));
  // Outputs in different layouts.
  expectShared(fusion("s32[6,7,90]",
                      " z = s32[] constant(5)\n"
                      " r = s32[6,7] reduce(p0, z), dimensions={2}, "
                      "to_apply=op\n n = s32[6,7]{0,1} negate(r)\n"
                      " ROOT t = (s32[6,7], s32[6,7]{0,1}) tuple(r, n)"));
  // An input whose elements are read several times: computed before.
  expectShared(
      fusion("s32[6,90] s32[90,12]",
             " z = s32[] constant(5)\n"
             " d = s32[6,12] dot(p0, p1), lhs_contracting_dims={1}, "
             "rhs_contracting_dims={0}\n"
             " b = s32[6,12,4] broadcast(d), dimensions={0,1}\n"
             " r = s32[6] reduce(b, z), dimensions={1,2}, to_apply=op\n"
             " ROOT n = s32[6] negate(r)"),
      /*Kernels=*/2);
  // A reduction inside of the input of another.
  expectShared(
      fusion("s32[6,40]",
             " z = s32[] constant(5)\n"
             " r = s32[6] reduce(p0, z), dimensions={1}, to_apply=op\n"
             " b = s32[6,40] broadcast(r), dimensions={0}\n"
             " d = s32[6,40] subtract(p0, b)\n"
             " ROOT s = s32[6] reduce(d, z), dimensions={1}, to_apply=op"),
      /*Kernels=*/2);
  // The same, and it is a result as well.
  expectShared(fusion("s32[6,100]",
                      " z = s32[] constant(5)\n"
                      " r = s32[6] reduce(p0, z), dimensions={1}, to_apply=op\n"
                      " b = s32[6,100] broadcast(r), dimensions={0}\n"
                      " d = s32[6,100] subtract(p0, b)\n"
                      " s = s32[6] reduce(d, z), dimensions={1}, to_apply=op\n"
                      " ROOT t = (s32[6], s32[6]) tuple(r, s)"),
               /*Kernels=*/2);
}

/// The reduction is wanted at other places than that of the output.
TEST(ReductionKernel, OtherPlaces_negative) {
  for (StringRef Use :
       {" v = s32[6] reverse(r), dimensions={0}\n ROOT s = s32[6] add(r, v)",
        " n = s32[6] negate(r)\n v = s32[6] reverse(n), dimensions={0}\n"
        " ROOT s = s32[6] add(n, v)",
        " ROOT s = s32[2,3] reshape(r)"})
    expectAlone(fusion("s32[6,100]",
                       (" z = s32[] constant(5)\n r = s32[6] reduce(p0, z), "
                        "dimensions={1}, to_apply=op\n" +
                        Use)
                           .str()));
}

/// Reductions of one size, but not of the same dimensions.
TEST(ReductionKernel, SeveralShapes_negative) {
  expectAlone(fusion("s32[50,50] s32[50,60]",
                     " z = s32[] constant(5)\n"
                     " r = s32[50] reduce(p0, z), dimensions={1}, to_apply=op\n"
                     " s = s32[50] reduce(p0, z), dimensions={0}, to_apply=op\n"
                     " ROOT t = s32[50] add(r, s)"));
  expectAlone(fusion("s32[50,50] s32[50,60]",
                     " z = s32[] constant(5)\n"
                     " r = s32[50] reduce(p0, z), dimensions={1}, to_apply=op\n"
                     " s = s32[50] reduce(p1, z), dimensions={1}, to_apply=op\n"
                     " ROOT t = s32[50] add(r, s)"));
}

/// One reduction of 33 columns for each of \p Count parameters, in blocks of
/// 1024 threads: 16 KiB of shared memory each.
std::string wideReductions(unsigned Count) {
  std::string Parameters, Names, Body, Outputs, Shapes;
  for (unsigned K = 0; K < Count; ++K) {
    StringRef Comma = K == 0 ? "" : ", ";
    Parameters += formatv(" p{0} = c128[600,33] parameter({0})\n", K);
    Names += formatv("{0}p{1}", Comma, K);
    Body += formatv(" r{0} = c128[33] reduce(p{0}, z), dimensions={{0}, "
                    "to_apply=op\n",
                    K);
    Outputs += formatv("{0}r{1}", Comma, K);
    Shapes += formatv("{0}c128[33]", Comma);
  }
  return reducer("c128", "add") +
         formatv("f {{\n{0} z = c128[] constant((1, 2))\n{1}"
                 " ROOT t = ({2}) tuple({3}) }\n"
                 "ENTRY e {{\n{0} ROOT x = ({2}) fusion({4}), kind=kInput, "
                 "calls=f }",
                 Parameters, Body, Shapes, Outputs, Names)
             .str();
}

/// No more shared memory than there is.
TEST(ReductionKernel, SharedMemory) {
  KernelEmitterOptions Large;
  Large.BlockSize = 1024;
  EXPECT_TRUE(isShared(wideReductions(3), Large));
}
TEST(ReductionKernel, SharedMemory_negative) {
  KernelEmitterOptions Large;
  Large.BlockSize = 1024;
  EXPECT_FALSE(isShared(wideReductions(4), Large));
  EXPECT_TRUE(isShared(wideReductions(4)));
}

/// Arrays beyond 2^31 elements: the code is there, with numbers of 64 bits.
TEST(ReductionKernel, LargeArrays) {
  for (StringRef Shape : {"[3,1000000007]|[3]|1", "[1000000007,3]|[3]|0",
                          "[100000007,40]|[100000007]|1"}) {
    SmallVector<StringRef, 3> Parts;
    Shape.split(Parts, '|');
    EXPECT_TRUE(
        isShared(reduction("f64", "add", Parts[0], Parts[1], Parts[2])));
  }
}

TEST(ReductionKernel, Small_negative) {
  expectAlone(reduction("s32", "add", "[100,16]", "[100]", "1"));
  expectAlone(reduction("s8", "add", "[100,64]", "[100]", "1"));
  expectAlone(reduction("s32", "add", "[32,100]", "[100]", "0"));
  expectAlone(reduction("s32", "add", "[5,1]", "[5]", "1"));
  expectAlone(reduction("s32", "add", "[5,0]", "[5]", "1"));
}

} // namespace
