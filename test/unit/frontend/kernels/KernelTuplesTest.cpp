//===- KernelTuplesTest.cpp - Tuples among parameters and results ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/EmitterTestHelper.h"

using namespace llvm;
using namespace unravel;

namespace {

/// A line for each buffer: what it is, where in tuples, whose memory it has.
std::string buffersOf(StringRef Text) {
  LLVMContext Context;
  EmittedModule Emitted = emitted(Text, Context);
  json::Value Manifest = Emitted.manifest();
  std::string Lines;
  raw_string_ostream OS(Lines);
  for (const json::Value &Value :
       *Manifest.getAsObject()->getArray("buffers")) {
    const json::Object &Buffer = *Value.getAsObject();
    OS << *Buffer.getString("kind") << ' ' << *Buffer.getString("name");
    for (StringRef Key : {"parameter", "index", "alias_of"})
      if (const json::Value *Field = Buffer.get(Key))
        OS << ' ' << Key << '=' << *Field;
    OS << '\n';
  }
  return Lines;
}

/// Parameters in another order than their numbers, tuples of nothing.
constexpr StringLiteral Nested =
    "ENTRY e {\n"
    " q = ((), (f32[3], s32[2,3]), ()) parameter(1)\n"
    " n = s32[2,3] parameter(2)\n"
    " p = (s32[2,3]{0,1}, f32[3]) parameter(0)\n"
    " q1 = (f32[3], s32[2,3]) get-tuple-element(q), index=1\n"
    " q10 = f32[3] get-tuple-element(q1), index=0\n"
    " q11 = s32[2,3] get-tuple-element(q1), index=1\n"
    " p0 = s32[2,3]{0,1} get-tuple-element(p), index=0\n"
    " p1 = f32[3] get-tuple-element(p), index=1\n"
    " f = f32[3] subtract(p1, q10)\n"
    " s = s32[2,3] subtract(p0, q11)\n"
    " d = s32[2,3] subtract(s, n)\n"
    " t = (f32[3], s32[2,3]) tuple(f, d)\n"
    " u = ((f32[3], s32[2,3])) tuple(t)\n"
    " e = () tuple()\n"
    " ROOT r = (s32[2,3], (), ((f32[3], s32[2,3])), f32[3]) "
    "tuple(s, e, u, p1)\n}";

std::string aliased(StringRef Aliases, StringRef Text) {
  return ("HloModule m, input_output_alias={ " + Aliases + " }\n" + Text).str();
}

TEST(KernelTuples, EachArrayIsABuffer) {
  EXPECT_EQ(buffersOf(Nested), "input p{0} parameter=0 index=[0]\n"
                               "input p{1} parameter=0 index=[1]\n"
                               "input q{1,0} parameter=1 index=[1,0]\n"
                               "input q{1,1} parameter=1 index=[1,1]\n"
                               "input n parameter=2 index=[]\n"
                               "output out0 index=[0]\n"
                               "output out1 index=[2,0,0]\n"
                               "output out2 index=[2,0,1]\n"
                               "output out3 index=[3]\n");
  for (uint64_t Seed = 1; Seed < 5; ++Seed)
    EXPECT_EQ(differenceOf(Nested, Seed), "");
}

/// Where the order says it all, nothing else does.
TEST(KernelTuples, NoIndicesWithoutTuples_negative) {
  EXPECT_EQ(buffersOf("ENTRY e { p = s32[6] parameter(0)\n"
                      " n = s32[6] negate(p)\n"
                      " ROOT t = (s32[6], s32[6]) tuple(p, n) }"),
            "input p\noutput out0\noutput out1\n");
  EXPECT_EQ(buffersOf("ENTRY e { p = (s32[6]) parameter(0)\n"
                      " x = s32[6] get-tuple-element(p), index=0\n"
                      " ROOT t = (s32[6], s32[6]) tuple(x, x) }"),
            "input p{0} parameter=0 index=[0]\noutput out0\noutput out1\n");
  EXPECT_EQ(buffersOf("ENTRY e { p = s32[6] parameter(0)\n"
                      " t = (s32[6]) tuple(p)\n"
                      " ROOT u = ((s32[6])) tuple(t) }"),
            "input p\noutput out0 index=[0,0]\n");
}

TEST(KernelTuples, Aliases) {
  std::string Text = aliased("{2,0,1}: (1, {1,1}, must-alias), {0}: (2, {}), "
                             "{2,0,0}: (0, {1}), {3}: (1, {1,0})",
                             Nested);
  // The sum over what the kernel of another one still reads goes there later.
  EXPECT_EQ(buffersOf(Text), "input p{0} parameter=0 index=[0]\n"
                             "input p{1} parameter=0 index=[1]\n"
                             "input q{1,0} parameter=1 index=[1,0]\n"
                             "input q{1,1} parameter=1 index=[1,1]\n"
                             "input n parameter=2 index=[]\n"
                             "output out0 index=[0] alias_of=4\n"
                             "output out1 index=[2,0,0] alias_of=1\n"
                             "output out2 index=[2,0,1] alias_of=3\n"
                             "output out3 index=[3] alias_of=2\n"
                             "temporary temp_d\n");
  for (uint64_t Seed = 1; Seed < 5; ++Seed)
    EXPECT_EQ(differenceOf(Text, Seed), "");
}

/// Arrays of one tuple change places: each thread those of its index, or by way
/// of copies.
TEST(KernelTuples, MustAliasThatSwaps) {
  std::string Text =
      aliased("{0}: (0, {1,0}, must-alias), {1,0}: (0, {0}, must-alias)",
              "ENTRY e { p = (s32[7], (s32[7])) parameter(0)\n"
              " a = s32[7] get-tuple-element(p), index=0\n"
              " i = (s32[7]) get-tuple-element(p), index=1\n"
              " ROOT r = (s32[7], (s32[7])) tuple(a, i) }");
  std::string Buffers = "input p{0} parameter=0 index=[0]\n"
                        "input p{1,0} parameter=0 index=[1,0]\n"
                        "output out0 index=[0] alias_of=1\n"
                        "output out1 index=[1,0] alias_of=0\n";
  EXPECT_EQ(buffersOf(Text), Buffers);
  EXPECT_EQ(differenceOf(Text), "");

  size_t Root = Text.find(" ROOT");
  Text = Text.substr(0, Root) + " b = s32[7] reverse(a), dimensions={0}\n"
                                " ROOT r = (s32[7], (s32[7])) tuple(b, i) }";
  EXPECT_EQ(buffersOf(Text), Buffers + "temporary temp_b\n");
  EXPECT_EQ(differenceOf(Text), "");
}

/// Tuples are taken apart there as well; layouts change on the way.
TEST(KernelTuples, ThroughCallsAndFusions) {
  for (StringRef Call : {"call(p), to_apply=f", "fusion(p), kind=kLoop, "
                                                "calls=f"})
    EXPECT_EQ(
        differenceOf(("f { p = (f32[4,5]{0,1}, (f32[4,5])) parameter(0)\n"
                      " a = f32[4,5] get-tuple-element(p), index=0\n"
                      " i = (f32[4,5]) get-tuple-element(p), index=1\n"
                      " b = f32[4,5] get-tuple-element(i), index=0\n"
                      " c = f32[4,5] multiply(a, b)\n"
                      " t = (f32[4,5]{0,1}, f32[4,5]) tuple(c, b)\n"
                      " ROOT r = ((f32[4,5]{0,1}, f32[4,5]), (f32[4,5])) "
                      "tuple(t, i) }\n"
                      "ENTRY e { p = (f32[4,5]{0,1}, (f32[4,5])) parameter(0)\n"
                      " ROOT x = ((f32[4,5]{0,1}, f32[4,5]), (f32[4,5])) " +
                      Call + " }")
                         .str()),
        "");
}

/// A parameter and a result without any array.
TEST(KernelTuples, Nothing) {
  StringRef Text = "ENTRY e { ROOT p = ((), ()) parameter(0) }";
  EXPECT_EQ(buffersOf(Text), "");
  EXPECT_EQ(differenceOf(Text), "");
}

/// As many arrays as many models have weights; and as deep as shapes may be.
TEST(KernelTuples, WideAndDeep) {
  std::string Shape = "s32[]", Line;
  for (unsigned K = 1; K < 20000; ++K)
    Shape += ", s32[]";
  Line = "ENTRY e { p = (" + Shape + ") parameter(0)\n" +
         " ROOT x = s32[] get-tuple-element(p), index=19999 }";
  LLVMContext Context;
  EmittedModule Wide = emitted(Line, Context);
  EXPECT_EQ(Wide.Buffers.size(), 20001u);
  EXPECT_EQ(Wide.Kernels.at(0).Arguments,
            std::vector<unsigned>({19999, 20000}));

  std::string Open(100, '('), Close(100, ')');
  Line = "ENTRY e { ROOT p = " + Open + "s32[5]" + Close + " parameter(0) }";
  EXPECT_EQ(differenceOf(Line), "");
}

} // namespace
