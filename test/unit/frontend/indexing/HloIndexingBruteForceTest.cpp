//===- HloIndexingBruteForceTest.cpp - Maps against the evaluator ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/shapes/HloShapeInference.h"
#include "test/unit/HloIndexingTestHelper.h"
#include "test/unit/Share.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// An operation whose every operand element that takes part in an output
/// element changes it. Operands that are indices are not looked at.
struct Operation {
  const char *Text;
  std::vector<size_t> Operands = {0};
};

const Operation Operations[] = {
    // Elementwise.
    {"p0 = s32[3,4] parameter(0)\n p1 = s32[3,4] parameter(1)\n"
     "ROOT r = s32[3,4] subtract(p0, p1)",
     {0, 1}},
    {"p0 = u8[5,4] parameter(0)\n ROOT r = u32[5] bitcast-convert(p0)"},
    {"p0 = u32[5] parameter(0)\n ROOT r = u8[5,4] bitcast-convert(p0)"},
    {"p0 = f32[] parameter(0)\n ROOT r = f32[] negate(p0)"},
    // Which of two is read, no map says.
    {"p0 = pred[] parameter(0)\n p1 = s32[2,3] parameter(1)\n"
     "p2 = s32[2,3] parameter(2)\n ROOT r = s32[2,3] select(p0, p1, p2)",
     {}},
    {"p0 = s32[] parameter(0)\n p1 = s32[4] parameter(1)\n"
     "p2 = s32[] parameter(2)\n ROOT r = s32[4] clamp(p0, p1, p2)",
     {}},
    // Shapes.
    {"p0 = s32[4] parameter(0)\n"
     "ROOT r = s32[3,4,2] broadcast(p0), dimensions={1}"},
    {"p0 = s32[3,4] parameter(0)\n"
     "ROOT r = s32[4,2,3] broadcast(p0), dimensions={2,0}"},
    {"p0 = s32[] parameter(0)\n ROOT r = s32[3,2] broadcast(p0), "
     "dimensions={}"},
    {"p0 = s32[2,3,4] parameter(0)\n"
     "ROOT r = s32[4,2,3] transpose(p0), dimensions={2,0,1}"},
    {"p0 = s32[2,3,4] parameter(0)\n"
     "ROOT r = s32[2,3,4] reverse(p0), dimensions={0,2}"},
    {"p0 = s32[4,6] parameter(0)\n ROOT r = s32[24] reshape(p0)"},
    {"p0 = s32[24] parameter(0)\n ROOT r = s32[2,3,4] reshape(p0)"},
    {"p0 = s32[6,10] parameter(0)\n ROOT r = s32[4,15] reshape(p0)"},
    {"p0 = s32[1,6,1,5] parameter(0)\n ROOT r = s32[1,1,3,10,1] reshape(p0)"},
    {"p0 = s32[2,3,5,7] parameter(0)\n ROOT r = s32[6,7,5] reshape(p0)"},
    {"p0 = s32[1,1] parameter(0)\n ROOT r = s32[] reshape(p0)"},
    {"p0 = s32[4,6]{0,1} parameter(0)\n ROOT r = s32[4,6]{1,0} bitcast(p0)"},
    {"p0 = s32[2,3,4]{1,2,0} parameter(0)\n"
     "ROOT r = f32[6,4]{0,1} bitcast(p0)"},
    {"p0 = s32[2,3,4]{0,1,2} parameter(0)\n"
     "ROOT r = s32[4,3,2]{2,1,0} bitcast(p0)"},
    {"p0 = s32[9,7] parameter(0)\n"
     "ROOT r = s32[3,3] slice(p0), slice={[2:9:3], [0:5:2]}"},
    {"p0 = s32[2,3] parameter(0)\n p1 = s32[2,4] parameter(1)\n"
     "p2 = s32[2,0] parameter(2)\n p3 = s32[2,1] parameter(3)\n"
     "ROOT r = s32[2,8] concatenate(p0, p1, p2, p3), dimensions={1}",
     {0, 1, 2, 3}},
    {"p0 = s32[3,4] parameter(0)\n p1 = s32[] parameter(1)\n"
     "ROOT r = s32[10,9] pad(p0, p1), padding=2_1_2x0_2_1"},
    {"p0 = s32[5,6] parameter(0)\n p1 = s32[] parameter(1)\n"
     "ROOT r = s32[7,4] pad(p0, p1), padding=-1_-1_1x-3_1_0"},
    {"p0 = s32[5] parameter(0)\n p1 = s32[] parameter(1)\n"
     "ROOT r = s32[3] pad(p0, p1), padding=-4_-6_2"},
    {"p0 = s32[0,3] parameter(0)\n p1 = s32[] parameter(1)\n"
     "ROOT r = s32[2,3] pad(p0, p1), padding=1_1x0_0"},
    {"p0 = s32[3,0,2] parameter(0)\n ROOT r = s32[0,6] reshape(p0)"},
    // Sums.
    {"add { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
     "ROOT c = s32[] add(a, b) }\n"
     "ENTRY e { p0 = s32[3,4,5] parameter(0)\n p1 = s32[] parameter(1)\n"
     "ROOT r = s32[4] reduce(p0, p1), dimensions={2,0}, to_apply=add }",
     {0, 1}},
    {"add { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
     "ROOT c = s32[] add(a, b) }\n"
     "ENTRY e { p0 = s32[3,0] parameter(0)\n p1 = s32[] parameter(1)\n"
     "ROOT r = s32[3] reduce(p0, p1), dimensions={1}, to_apply=add }",
     {0, 1}},
    {"add { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
     "ROOT c = s32[] add(a, b) }\n"
     "ENTRY e { p0 = s32[9,8] parameter(0)\n p1 = s32[] parameter(1)\n"
     "ROOT r = s32[5,4] reduce-window(p0, p1), window={size=3x2 stride=2x2 "
     "pad=1_1x0_0}, to_apply=add }",
     {0, 1}},
    {"add { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
     "ROOT c = s32[] add(a, b) }\n"
     "ENTRY e { p0 = s32[5,7] parameter(0)\n p1 = s32[] parameter(1)\n"
     "ROOT r = s32[9,5] reduce-window(p0, p1), window={size=2x3 "
     "pad=2_-1x-1_3 lhs_dilate=2x1 rhs_dilate=1x2 stride=1x1 }, "
     "to_apply=add }"},
    {"add { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
     "ROOT c = s32[] add(a, b) }\n"
     "ENTRY e { p0 = s32[6] parameter(0)\n p1 = s32[] parameter(1)\n"
     "ROOT r = s32[4] reduce-window(p0, p1), window={size=3 stride=3 "
     "pad=2_3 lhs_dilate=2 rhs_dilate=2}, to_apply=add }"},
    {"p0 = s32[2,3,5] parameter(0)\n p1 = s32[5,4,2] parameter(1)\n"
     "ROOT r = s32[2,3,4] dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={2}, "
     "lhs_contracting_dims={2}, rhs_contracting_dims={0}",
     {0, 1}},
    {"p0 = s32[2,3,4] parameter(0)\n p1 = s32[4,5,3] parameter(1)\n"
     "ROOT r = s32[2,5] dot(p0, p1), lhs_contracting_dims={1,2}, "
     "rhs_contracting_dims={2,0}",
     {0, 1}},
    {"p0 = s32[3] parameter(0)\n p1 = s32[4] parameter(1)\n"
     "ROOT r = s32[3,4] dot(p0, p1)",
     {0, 1}},
    {"p0 = s32[2,6,5,3] parameter(0)\n p1 = s32[3,2,3,4] parameter(1)\n"
     "ROOT r = s32[2,3,5,4] convolution(p0, p1), window={size=3x2 stride=2x1 "
     "pad=1_0x0_1}, dim_labels=b01f_01io->b01f",
     {0, 1}},
    {"p0 = s32[4,2,5] parameter(0)\n p1 = s32[6,2,3] parameter(1)\n"
     "ROOT r = s32[6,2,10] convolution(p0, p1), window={size=3 pad=2_3 "
     "lhs_dilate=2 rhs_dilate=2 rhs_reversal=1 stride=1}, "
     "dim_labels=fb0_oi0->fb0, feature_group_count=2",
     {0, 1}},
    {"p0 = s32[6,5,2] parameter(0)\n p1 = s32[3,2,6] parameter(1)\n"
     "ROOT r = s32[2,3,6] convolution(p0, p1), window={size=3}, "
     "dim_labels=b0f_0io->b0f, batch_group_count=3",
     {0, 1}},
    // Places known at run time.
    {"p0 = s32[6,5,3] parameter(0)\n p1 = s32[] parameter(1)\n"
     "p2 = s32[] parameter(2)\n p3 = s32[] parameter(3)\n"
     "ROOT r = s32[2,4,3] dynamic-slice(p0, p1, p2, p3), "
     "dynamic_slice_sizes={2,4,3}"},
    {"p0 = s32[6,5] parameter(0)\n p1 = s32[2,3] parameter(1)\n"
     "p2 = s32[] parameter(2)\n p3 = s32[] parameter(3)\n"
     "ROOT r = s32[6,5] dynamic-update-slice(p0, p1, p2, p3)",
     {1}},
    {"p0 = s32[6,5] parameter(0)\n p1 = s32[3,2] parameter(1)\n"
     "ROOT r = s32[3,2,4] gather(p0, p1), offset_dims={1,2}, "
     "collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=1, "
     "slice_sizes={2,4}"},
    {"p0 = s32[7,4,3] parameter(0)\n p1 = s32[2,5] parameter(1)\n"
     "ROOT r = s32[2,2,5,3] gather(p0, p1), offset_dims={1,3}, "
     "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, "
     "slice_sizes={1,2,3}"},
    {"p0 = s32[4,7,3] parameter(0)\n p1 = s32[2,4,5] parameter(1)\n"
     "ROOT r = s32[4,5,2] gather(p0, p1), offset_dims={2}, "
     "collapsed_slice_dims={1}, start_index_map={1,2}, index_vector_dim=0, "
     "slice_sizes={1,1,2}, operand_batching_dims={0}, "
     "start_indices_batching_dims={1}"},
    {"add { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
     "ROOT c = s32[] add(a, b) }\n"
     "ENTRY e { p0 = s32[8,5] parameter(0)\n p1 = s32[7,1] parameter(1)\n"
     "p2 = s32[7,2,3] parameter(2)\n ROOT r = s32[8,5] scatter(p0, p1, p2), "
     "update_window_dims={1,2}, inserted_window_dims={}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add }",
     {0, 2}},
    {"add { a = s32[] parameter(0)\n b = s32[] parameter(1)\n"
     "ROOT c = s32[] add(a, b) }\n"
     "ENTRY e { p0 = s32[6,3,4] parameter(0)\n p1 = s32[2,5,3] parameter(1)\n"
     "p2 = s32[5,2,3] parameter(2)\n ROOT r = s32[6,3,4] scatter(p0, p1, p2), "
     "update_window_dims={1}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={2,0}, index_vector_dim=0, "
     "input_batching_dims={1}, scatter_indices_batching_dims={2}, "
     "to_apply=add }",
     {0, 2}},
};

std::vector<HloLiteral> argumentsOf(const HloModule &Module, uint32_t Seed) {
  HloOpcode Root = Module.entry().root().opcode();
  bool Multiplies = Root == HloOpcode::Dot || Root == HloOpcode::Convolution;
  std::vector<HloLiteral> Arguments;
  for (const HloInstruction *P : Module.entry().parameters())
    Arguments.push_back(pseudoRandom(P->shape(), Seed += 77, !Multiplies));
  return Arguments;
}

TEST(HloIndexingBruteForce, Operations) {
  for (const Operation &Op : Operations) {
    SCOPED_TRACE(Op.Text);
    auto Module = parseModule(Op.Text);
    if (Error E = verifyHlo(*Module)) {
      ADD_FAILURE() << toString(std::move(E));
      continue;
    }
    IndexContext Context;
    HloIndexingAnalysis Analysis(Context);
    const HloInstruction &Root = Module->entry().root();
    auto Indexing = Analysis.outputToInput(Root);
    // Different starts of slices.
    for (uint32_t Seed : {1, 2, 3}) {
      std::vector<HloLiteral> Arguments = argumentsOf(*Module, Seed);
      for (size_t K : Op.Operands)
        EXPECT_TRUE(dependencesOf(Indexing[K], Root.shape(),
                                  Arguments[K].shape(), Arguments) ==
                    dependencesOf(*Module, Arguments, K, 0))
            << "operand " << K << ":\n"
            << toText(Indexing[K]);
    }
  }
}

/// The operation with other numbers in its attributes and shapes, its result
/// with the shape that it then has; null if it has none or a large one.
std::unique_ptr<HloModule> withOtherNumbers(StringRef Original,
                                            std::mt19937 &Random) {
  constexpr int64_t MaxElements = 300;
  std::string Text = Original.str();
  std::vector<size_t> Digits;
  for (size_t I = 1; I < Text.size(); ++I)
    if (isDigit(Text[I]) && !isAlnum(Text[I - 1])) // no names, no types
      Digits.push_back(I);
  for (unsigned Changes = 1 + Random() % 4; Changes > 0; --Changes)
    Text[Digits[Random() % Digits.size()]] = char('0' + Random() % 8);
  std::vector<std::string> Warnings;
  auto Module = parseHlo(Text, "t", Warnings);
  if (!Module)
    return consumeError(Module.takeError()), nullptr;
  const HloInstruction &Root = (*Module)->entry().root();
  Expected<HloShape> Shape = inferShape(Root);
  if (!Shape)
    return consumeError(Shape.takeError()), nullptr;
  size_t Begin = Text.find("ROOT r = ") + strlen("ROOT r = ");
  if (!Root.shape().isCompatible(*Shape))
    Text.replace(Begin, Text.find(' ', Begin) - Begin, Shape->str(false));
  Module = parseHlo(Text, "t", Warnings);
  if (!Module)
    return consumeError(Module.takeError()), nullptr;
  if (Error E = verifyHlo(**Module))
    return consumeError(std::move(E)), nullptr;
  if (Shape->elementCount() > MaxElements ||
      any_of((*Module)->entry().parameters(), [](const HloInstruction *P) {
        return P->shape().elementCount() > MaxElements;
      }))
    return nullptr;
  return std::move(*Module);
}

TEST(HloIndexingBruteForce, OtherNumbers) {
  std::mt19937 Random(1);
  unsigned Checked = 0;
  for (const Operation &Op : Operations) {
    SCOPED_TRACE(Op.Text);
    for (unsigned Round = 0; Round < 60; ++Round) {
      auto Module = withOtherNumbers(Op.Text, Random);
      if (!Module || isLeftOut())
        continue;
      ++Checked;
      IndexContext Context;
      HloIndexingAnalysis Analysis(Context);
      const HloInstruction &Root = Module->entry().root();
      auto Indexing = Analysis.outputToInput(Root);
      std::vector<HloLiteral> Arguments = argumentsOf(*Module, Round);
      for (size_t K : Op.Operands)
        EXPECT_TRUE(dependencesOf(Indexing[K], Root.shape(),
                                  Arguments[K].shape(), Arguments) ==
                    dependencesOf(*Module, Arguments, K, 0))
            << "operand " << K << " of " << toString(Root) << ":\n"
            << toText(Indexing[K]);
    }
  }
  EXPECT_GE(Checked, 500 / Share);
}

/// The way back leads to the same pairs. To the padding it leads exactly,
/// though a kernel may read the value of a pad everywhere.
void expectWayBack(const HloModule &Module, uint32_t Seed) {
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  const HloInstruction &Root = Module.entry().root();
  auto Forward = Analysis.outputToInput(Root);
  std::vector<HloLiteral> Arguments = argumentsOf(Module, Seed);
  for (size_t K = 0; K < Root.operands().size(); ++K) {
    OperandIndexing Back = Analysis.inputToOutput(Root, K);
    const HloShape &Input = Root.operand(K).shape();
    Dependences Pairs;
    for (auto [In, Out] : dependencesOf(Back, Input, Root.shape(), Arguments))
      EXPECT_TRUE(Pairs.insert({Out, In}).second);
    bool IsPadding = Root.opcode() == HloOpcode::Pad && K == 1;
    EXPECT_TRUE(Pairs == (IsPadding ? dependencesOf(Module, Arguments, K, 0)
                                    : dependencesOf(Forward[K], Root.shape(),
                                                    Input, Arguments)))
        << "operand " << K << " of " << toString(Root) << ":\n"
        << toText(Back);
  }
}

TEST(HloIndexingBruteForce, InputToOutput) {
  for (const Operation &Op : Operations) {
    SCOPED_TRACE(Op.Text);
    expectWayBack(*parseModule(Op.Text), 5);
  }
}

TEST(HloIndexingBruteForce, InputToOutputWithOtherNumbers) {
  std::mt19937 Random(2);
  unsigned Checked = 0;
  for (const Operation &Op : Operations) {
    SCOPED_TRACE(Op.Text);
    for (unsigned Round = 0; Round < 40; ++Round)
      if (auto Module = withOtherNumbers(Op.Text, Random)) {
        expectWayBack(*Module, Round);
        ++Checked;
      }
  }
  EXPECT_GE(Checked, 300u);
}

/// For each array of the output and each parameter of a module, unless there
/// are too many pairs to look at.
void forEachDependence(const HloModule &Module,
                       function_ref<void(size_t P, const Dependences &Maps,
                                         const Dependences &Truth)>
                           F) {
  constexpr int64_t MaxPairs = 50000;
  const HloComputation &Entry = Module.entry();
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  std::vector<HloLiteral> Arguments = argumentsOf(Module, 9);
  const HloShape &Shape = Entry.root().shape();
  for (size_t Element = 0; Element < arraysIn(Shape); ++Element) {
    const HloShape &Output = arrayAt(Shape, Element);
    auto Indexing = Analysis.outputToParameters(Entry, Element);
    for (size_t P = 0; P < Indexing.size(); ++P) {
      const HloShape &Input = Entry.parameter(P).shape();
      if (Output.elementCount() != 0 &&
          Input.elementCount() > MaxPairs / Output.elementCount())
        continue;
      SCOPED_TRACE("parameter " + std::to_string(P) + "\n" +
                   toText(Indexing[P]));
      F(P, dependencesOf(Indexing[P], Output, Input, Arguments),
        dependencesOf(Module, Arguments, P, Element));
    }
  }
}

/// A pair for each element of each operand that has any influence is in the
/// maps of the fusion. Where all of the operations let it through, no others
/// are.
TEST(HloIndexingBruteForce, Fusions) {
  // What is read may not be what the value depends on: rounded away, clamped,
  // the smaller one of two, multiplied by zero, not selected, overwritten.
  // The start of a slice may be computed, so that it is not known here.
  const std::set<StringRef> Inexact = {
      "convert_types",     "max_pool",        "select_iota",
      "dus_complex",       "dus_in_place",    "dus_of_bitcast",
      "map_polynomial",    "variadic_reduce", "dus_out_of_range",
      "dynamic_slice_sum", "reduce_pieces"};
  unsigned Checked = 0;
  forEachFusion([&](StringRef Name, StringRef Text) {
    if (isLeftOut())
      return;
    SCOPED_TRACE(Name.str());
    auto Module = parseModule(Text);
    forEachDependence(*Module, [&](size_t P, const Dependences &Maps,
                                   const Dependences &Truth) {
      ++Checked;
      EXPECT_TRUE(
          std::includes(Maps.begin(), Maps.end(), Truth.begin(), Truth.end()));
      // Padding is said to be read everywhere, and so are all indices.
      bool IsCoarse =
          Module->entry().parameter(P).shape().isScalar() ||
          ((Name.starts_with("gather") || Name.starts_with("scatter")) &&
           P == 1);
      EXPECT_TRUE(Inexact.count(Name) || IsCoarse || Maps == Truth)
          << Maps.size() << " pairs instead of " << Truth.size();
    });
  });
  EXPECT_GE(Checked, 50 / Share);
}

/// The same pairs from the parameters to the root, where that way is known.
TEST(HloIndexingBruteForce, ParametersToRoot) {
  constexpr int64_t MaxPairs = 50000;
  unsigned Checked = 0;
  auto Check = [&](StringRef Name, StringRef Text) {
    SCOPED_TRACE(Name.str());
    auto Module = parseModule(Text);
    const HloComputation &Entry = Module->entry();
    IndexContext Context;
    HloIndexingAnalysis Analysis(Context);
    std::vector<HloLiteral> Arguments = argumentsOf(*Module, 9);
    const HloShape &Shape = Entry.root().shape();
    for (size_t Element = 0; Element < arraysIn(Shape); ++Element) {
      const HloShape &Output = arrayAt(Shape, Element);
      auto Indexing = Analysis.outputToParameters(Entry, Element);
      for (size_t P = 0; P < Indexing.size(); ++P) {
        const HloShape &Input = Entry.parameter(P).shape();
        OperandIndexing Back = Analysis.parameterToRoot(Entry, P);
        EXPECT_TRUE(Back.isKnown()) << Back.WhyUnknown;
        if (Input.isTuple() || Output.elementCount() == 0 ||
            Input.elementCount() > MaxPairs / Output.elementCount())
          continue;
        erase_if(Back.Maps,
                 [&](const OperandMap &M) { return M.Element != Element; });
        Dependences Pairs;
        for (auto [In, Out] : dependencesOf(Back, Input, Output, Arguments))
          Pairs.insert({Out, In});
        // The value of a pad is read everywhere, and takes part in the padding.
        bool IsPadding = StringRef(Name).starts_with("pad") && Input.isScalar();
        EXPECT_TRUE(
            Pairs ==
            (IsPadding ? dependencesOf(*Module, Arguments, P, Element)
                       : dependencesOf(Indexing[P], Output, Input, Arguments)))
            << "parameter " << P << ":\n"
            << toText(Back);
        ++Checked;
      }
    }
  };
  forEachFusion(Check);
  // Into callees, by elements of tuples.
  Check("calls",
        "f { p = f32[3,4] parameter(0)\n q = f32[4] parameter(1)\n"
        " t = f32[4,3] transpose(p), dimensions={1,0}\n"
        " b = f32[4,3] broadcast(q), dimensions={0}\n"
        " ROOT r = (f32[4,3], f32[4,3]) tuple(t, b) }\n"
        "ENTRY e { p = f32[3,4] parameter(0)\n q = f32[4] parameter(1)\n"
        " c = (f32[4,3], f32[4,3]) fusion(p, q), kind=kLoop, calls=f\n"
        " x = f32[4,3] get-tuple-element(c), index=1\n"
        " y = f32[4,3] get-tuple-element(c), index=0\n"
        " s = f32[2,3] slice(x), slice={[1:3], [0:3]}\n"
        " ROOT r = (f32[2,3], f32[4,3]) tuple(s, y) }");
  // Through tuples of tuples, which a callee takes and gives.
  Check("nested",
        "f { p = (f32[4], (f32[3,4], f32[4])) parameter(0)\n"
        " i = (f32[3,4], f32[4]) get-tuple-element(p), index=1\n"
        " a = f32[3,4] get-tuple-element(i), index=0\n"
        " b = f32[4] get-tuple-element(i), index=1\n"
        " c = f32[4] get-tuple-element(p), index=0\n"
        " n = f32[4] reverse(b), dimensions={0}\n"
        " t = f32[4,3] transpose(a), dimensions={1,0}\n"
        " u = (f32[4,3], f32[4]) tuple(t, n)\n"
        " ROOT r = ((f32[4,3], f32[4]), f32[4]) tuple(u, c) }\n"
        "ENTRY e { p = f32[3,4] parameter(0)\n q = f32[4] parameter(1)\n"
        " w = f32[4] parameter(2)\n i = (f32[3,4], f32[4]) tuple(p, q)\n"
        " j = (f32[4], (f32[3,4], f32[4])) tuple(w, i)\n"
        " c = ((f32[4,3], f32[4]), f32[4]) call(j), to_apply=f\n"
        " d = (f32[4,3], f32[4]) get-tuple-element(c), index=0\n"
        " x = f32[4] get-tuple-element(c), index=1\n"
        " y = (f32[4], f32[4]) tuple(x, x)\n"
        " ROOT r = ((f32[4], f32[4]), (f32[4,3], f32[4])) tuple(y, d) }");
  EXPECT_GE(Checked, 50u);
}

/// Whole programs, with fusions in them.
TEST(HloIndexingBruteForce, ProgramsOfJax) {
  unsigned Checked = 0;
  forEachFusion(
      [&](StringRef Name, StringRef Text) {
        SCOPED_TRACE(Name.str());
        forEachDependence(
            *parseModule(Text),
            [&](size_t, const Dependences &Maps, const Dependences &Truth) {
              ++Checked;
              EXPECT_TRUE(std::includes(Maps.begin(), Maps.end(), Truth.begin(),
                                        Truth.end()));
            });
      },
      "jax");
  EXPECT_GE(Checked, 10u);
}

} // namespace
