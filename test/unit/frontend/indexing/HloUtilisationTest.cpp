//===- HloUtilisationTest.cpp - How much of an operand is read ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloUtilisation.h"
#include "test/unit/HloIndexingTestHelper.h"
#include "test/unit/Share.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// Of parameter \p P of the entry.
std::optional<uint64_t> read(StringRef Text, size_t P = 0) {
  auto Module = parseModule(Text);
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  const HloComputation &Entry = Module->entry();
  return elementsRead(Analysis.outputToParameters(Entry)[P],
                      Entry.parameter(P).shape());
}

TEST(HloUtilisation, Counts) {
  EXPECT_EQ(read("p = f32[6,9] parameter(0)\n"
                 "ROOT r = f32[2,3] slice(p), slice={[1:5:2], [0:9:3]}"),
            6u);
  EXPECT_EQ(read("p = f32[6] parameter(0)\n"
                 "ROOT r = f32[4,6] broadcast(p), dimensions={1}"),
            6u);
  // Negative padding leaves 1, 3, 5, 7 and 9.
  EXPECT_EQ(read("p = f32[12] parameter(0)\n v = f32[] constant(0)\n"
                 "a = f32[8] pad(p, v), padding=-1_-3\n"
                 "ROOT r = f32[4] slice(a), slice={[0:8:2]}"),
            4u);
  EXPECT_EQ(read("p = f32[12] parameter(0)\n v = f32[] constant(0)\n"
                 "ROOT r = f32[3] pad(p, v), padding=-4_-6_2"),
            1u);
}

/// 10^11 points, but the dimensions are independent.
TEST(HloUtilisation, LargeArrays) {
  EXPECT_EQ(read("p = f32[1000000,1000000] parameter(0)\n"
                 "t = f32[1000000,1000000] transpose(p), dimensions={1,0}\n"
                 "ROOT r = f32[300000,1000000] slice(t), "
                 "slice={[0:900000:3], [0:1000000]}"),
            uint64_t(300000) * 1000000);
  // Of 520 columns, the first 514.
  EXPECT_EQ(read("max { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
                 "ROOT c = f32[] maximum(a, b) }\n"
                 "ENTRY e { p = f32[100000,520] parameter(0)\n"
                 "v = f32[] constant(0)\n ROOT r = f32[100000,3] "
                 "reduce-window(p, v), window={size=1x512 pad=0_0x0_-6}, "
                 "to_apply=max }"),
            uint64_t(100000) * 514);
}

/// What two maps have in common counts once.
TEST(HloUtilisation, Unions) {
  const char *TwoSlices = "p = f32[100] parameter(0)\n"
                          "a = f32[40] slice(p), slice={[0:40]}\n"
                          "b = f32[40] slice(p), slice={[30:70]}\n"
                          "ROOT r = f32[40] add(a, b)";
  EXPECT_EQ(read(TwoSlices), 70u);
  // All of it, whatever else is read.
  EXPECT_EQ(read("p = f32[1000,100000] parameter(0)\n"
                 "a = f32[1000,100000] reverse(p), dimensions={1}\n"
                 "ROOT r = f32[1000,100000] add(a, p)"),
            uint64_t(100000000));
}

TEST(HloUtilisation, RuntimeVariables) {
  // Wherever the slice is, it has as many elements.
  EXPECT_EQ(read("p = f32[10,20] parameter(0)\n i = s32[] parameter(1)\n"
                 "j = s32[] parameter(2)\n ROOT r = f32[3,4] "
                 "dynamic-slice(p, i, j), dynamic_slice_sizes={3,4}"),
            12u);
  // Two slices may have elements in common.
  EXPECT_EQ(read("p = f32[10] parameter(0)\n i = s32[] parameter(1)\n"
                 "j = s32[] parameter(2)\n"
                 "a = f32[3] dynamic-slice(p, i), dynamic_slice_sizes={3}\n"
                 "b = f32[3] dynamic-slice(p, j), dynamic_slice_sizes={3}\n"
                 "ROOT r = f32[3] add(a, b)"),
            std::nullopt);
  // As may two rows of a gather.
  EXPECT_EQ(read("p = f32[10] parameter(0)\n i = s32[4,1] parameter(1)\n"
                 "ROOT r = f32[4] gather(p, i), offset_dims={}, "
                 "collapsed_slice_dims={0}, start_index_map={0}, "
                 "index_vector_dim=1, slice_sizes={1}"),
            std::nullopt);
}

TEST(HloUtilisation, NothingAndUnknown) {
  EXPECT_EQ(read("p = f32[10] parameter(0)\n ROOT c = f32[] constant(1)"), 0u);
  EXPECT_EQ(utilisation({}, cantFail(HloShape::array(ElementType::F32, {0}))),
            1.0);
  EXPECT_EQ(utilisation({}, cantFail(HloShape::array(ElementType::F32, {8}))),
            0.0);
  EXPECT_EQ(elementsRead(OperandIndexing::unknown("because"), HloShape()),
            std::nullopt);
}

/// Against the evaluator: the elements that something depends on.
TEST(HloUtilisation, Fusions) {
  unsigned Checked = 0;
  forEachFusion([&](StringRef Name, StringRef Text) {
    if (isLeftOut())
      return;
    auto Module = parseModule(Text);
    const HloComputation &Entry = Module->entry();
    IndexContext Context;
    HloIndexingAnalysis Analysis(Context);
    if (Entry.root().shape().isTuple())
      return;
    std::vector<HloLiteral> Arguments;
    for (const HloInstruction *P : Entry.parameters())
      Arguments.push_back(pseudoRandom(P->shape(), 3, /*WithZero=*/false));
    auto Indexing = Analysis.outputToParameters(Entry);
    for (size_t P = 0; P < Indexing.size(); ++P) {
      const HloShape &Input = Entry.parameter(P).shape();
      std::optional<uint64_t> Count = elementsRead(Indexing[P], Input);
      if (!Count || Input.elementCount() > 1000 ||
          Entry.root().shape().elementCount() > 1000 ||
          Name.starts_with("dus") || Name == "map_polynomial")
        continue; // too slow, overwritten, multiplied by zero
      std::set<int64_t> Truth;
      for (auto [Out, In] : dependencesOf(*Module, Arguments, P, 0))
        Truth.insert(In);
      bool IsIndex =
          isInteger(Input.elementType()) && (Input.isScalar() || P == 1);
      if (IsIndex)
        continue; // a change need not lead to another element
      ++Checked;
      EXPECT_EQ(*Count, Truth.size()) << Name.str() << " parameter " << P;
    }
  });
  EXPECT_GE(Checked, 20 / Share);
}

} // namespace
