//===- HloHostileTest.cpp - HLO text that is meant to break things --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/ThreadMaps.h"
#include "test/unit/HloTestHelper.h"
#include "test/unit/HloValueCheck.h"
#include "test/unit/Share.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// A bit of everything that the parser knows.
const char *const Everything = R"(HloModule m, is_scheduled=true

FileNames
1 "a.py"

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0), metadata={op_name="x"}
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(f32[] %a, f32[] %b)
}

ENTRY %main {
  p = (f32[8,9]{0,1}, s32[]) parameter(0), sharding={{replicated}, {a}}
  x = f32[8,9] get-tuple-element(p), index=0
  i = s32[] get-tuple-element(p), index=1
  z = f32[] constant(-1.5e-3) // comment
  t = (c64[2], pred[1,1]) constant(({(1, 2), (-inf, nan(0x1))}, { {true} }))
  w = f32[4,9] reduce-window(x, z), window={size=2x1 stride=2x1}, to_apply=%add
  g = f32[1,9] gather(x, i), offset_dims={0,1}, collapsed_slice_dims={},
    start_index_map={0}, index_vector_dim=0, slice_sizes={1,9}
  s = f32[3,9] slice(x), slice={[0:6:2], [0:9]}
  q = f32[2,7] pad(s, z), padding=-1_0x-1_-1_0
  y = pred[2,7] compare(q, q), direction=GE, type=TOTALORDER /* comment */
  r = f32[9,3] transpose(s), dimensions={1,0}, unknown=[2,3]<=[6]
  d = f32[3,3] dot(s, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  k = f32[3,4,1] broadcast(z), dimensions={}
  v = f32[1,1,1] convolution(k, k), window={size=4}, dim_labels=f0b_i0o->b0f
  h = token[] after-all(v)
  m = add(x, f32[8,9] add-dependency(x, h))
  o = ((f32[8,9]), f32[8,9], s32[]) negate-start(m)
  n = negate-done(o)
  ROOT u = (f32[3,3], pred[2,7], f32[8,9]) tuple(d, y, n)
}
)";

/// Its maps are found, or said to be unknown.
void analyse(const HloModule &Module) {
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  std::string Text;
  raw_string_ostream OS(Text);
  printIndexing(OS, Module.entry(), Analysis);
  for (const HloInstruction &I : Module.entry().instructions()) {
    printIndexing(OS, I, Analysis);
    for (size_t K = 0; K < I.operands().size(); ++K)
      Analysis.inputToOutput(I, K);
    if (I.shape().isArray())
      threadMap(I.shape(), launchFor(I.shape()), Context);
  }
}

/// Whatever the text is: an error with a place, or a module that is verified
/// without a crash, printed as text that says the same and, if it is right,
/// evaluated and analysed.
void take(StringRef Text) {
  std::vector<std::string> Warnings;
  auto Module = parseHlo(Text, "t", Warnings);
  if (!Module) {
    std::string Message = toString(Module.takeError());
    EXPECT_TRUE(StringRef(Message).starts_with("t:") &&
                StringRef(Message).contains(": error: "))
        << Message;
    return;
  }
  std::string Printed = toString(**Module);
  auto Again = parseHlo(Printed, "printed", Warnings);
  if (!Again) {
    ADD_FAILURE() << toString(Again.takeError()) << "\nprinted for\n"
                  << Text.str();
    return;
  }
  EXPECT_EQ(toString(**Again), Printed);
  Error First = verifyHlo(**Module), Second = verifyHlo(**Again);
  EXPECT_EQ(bool(First), bool(Second)) << Text.str();
  if (!First) {
    EXPECT_EQ(problemOfValue(**Module, 100000), "") << Text.str();
    analyse(**Module);
  }
  consumeError(std::move(First));
  consumeError(std::move(Second));
}

TEST(HloHostile, TheTextIsRight) { EXPECT_EQ(errorOf(Everything), ""); }

TEST(HloHostile, TruncatedAtEveryByte) {
  StringRef Text = Everything;
  size_t End = Text.rtrim().size();
  // Between the computations, the text is a module as well.
  size_t FirstEnd = Text.find("}\n\nENTRY") + 1;
  for (size_t Length = 0; Length < Text.size(); ++Length) {
    // A copy, so that a sanitizer sees what is read behind its end.
    std::vector<char> Copy(Text.begin(), Text.begin() + Length);
    take(StringRef(Copy.data(), Copy.size()));
    std::string Message = errorOf(Text.take_front(Length));
    bool IsWhole =
        Length >= End || (Length >= FirstEnd && Length < FirstEnd + 3);
    EXPECT_EQ(Message.empty(), IsWhole) << Length << Message;
  }
}

TEST(HloHostile, MutatedBytes) {
  std::mt19937 Random(1);
  const std::string Original = Everything;
  StringRef Bytes = "0129-,.:;=()[]{}<>%_\"/*xaf \n\\\x80";
  for (unsigned Round = 0; Round < 5000; ++Round) {
    std::string Text = Original;
    for (unsigned Changes = 1 + Random() % 3; Changes > 0; --Changes) {
      size_t Place = Random() % Text.size();
      switch (Random() % 4) {
      case 0:
        Text.erase(Place, 1 + Random() % 4);
        break;
      case 1:
        Text.insert(Place, 1, Bytes[Random() % Bytes.size()]);
        break;
      case 2:
        Text.insert(Place,
                    Original.substr(Random() % Original.size(), Random() % 30));
        break;
      default:
        Text[Place] = Bytes[Random() % Bytes.size()];
      }
    }
    take(Text);
  }
}

/// Numbers at the ends of 64 bits wherever there is a number.
TEST(HloHostile, ExtremeNumbers) {
  const std::string Original = Everything;
  for (size_t I = 0; I < Original.size(); ++I) {
    if (!isdigit(Original[I]))
      continue;
    for (const char *Number :
         {"-1", "9223372036854775807", "-9223372036854775808",
          "9223372036854775808", "2305843009213693952", "4294967296", "1e999"})
      take(Original.substr(0, I) + Number + Original.substr(I + 1));
  }
}

TEST(HloHostile, DeepNesting) {
  constexpr unsigned Depth = 1000000;
  std::string Open(Depth, '('), Braces(Depth, '{');
  EXPECT_EQ(errorOf("x = " + Open), "t:1:105: error: tuples nest more than 100 "
                                    "levels deep");
  EXPECT_EQ(errorOf("x = f32[2] constant(" + Braces),
            "t:1:22: error: expected an element of type f32, found '{'");
  EXPECT_EQ(errorOf("x = f32[2] parameter(0), a=" + Braces),
            "t:1:1000028: error: expected '}' in the value of an attribute, "
            "found the end of the text");
  EXPECT_EQ(errorOf("x = (f32[2]) constant(" + Open),
            "t:1:24: error: expected '{' before the elements of dimension 0 of "
            "f32[2], found '('");
  // As deep as it may be, and one deeper by an instruction.
  auto Nested = [](unsigned N, StringRef Inner) {
    return std::string(N, '(') + Inner.str() + std::string(N, ')');
  };
  EXPECT_EQ(errorOf("x = " + Nested(100, "f32[]") + " parameter(0)"), "");
  EXPECT_EQ(errorOf("x = " + Nested(100, "f32[]") +
                    " parameter(0)\ny = " + Nested(100, "f32[]") + " tuple(x)"),
            "t:2:1: error: instruction 'y' (tuple): tuples nest more than 100 "
            "levels deep");
  EXPECT_EQ(errorOf("x = " + Nested(100, "s8[]") + " constant(" +
                    Nested(100, "1") + ")"),
            "");
}

/// Their shapes need not be written.
TEST(HloHostile, TuplesOfTuples) {
  std::string Text = "t0 = s8[] parameter(0)\n";
  for (unsigned I = 1; I <= 90; ++I) {
    std::string Before = "t" + std::to_string(I - 1);
    Text +=
        "t" + std::to_string(I) + " = tuple(" + Before + ", " + Before + ")\n";
  }
  EXPECT_EQ(errorOf(Text), "t:22:1: error: instruction 't21' (tuple): a tuple "
                           "has more than 1048576 arrays");
}

TEST(HloHostile, ManyDimensions) {
  std::string Ones = "1";
  for (unsigned I = 0; I < 100000; ++I)
    Ones += ",1";
  EXPECT_EQ(errorOf("x = f32[" + Ones + "] parameter(0)"),
            "t:1:5: error: the array has more than 256 dimensions");
}

TEST(HloHostile, DeepCalls) {
  std::string Text = "f0 { ROOT x = f32[] parameter(0) }\n";
  for (unsigned I = 1; I <= 101; ++I)
    Text += "f" + std::to_string(I) + " { x = f32[] parameter(0)\n" +
            "y = f32[] call(x), to_apply=f" + std::to_string(I - 1) + " }\n";
  EXPECT_EQ(errorOf(Text),
            "t:203:1: error: instruction 'y' (call): computations "
            "call each other more than 100 levels deep");
}

/// Shapes double with each instruction, but not the time.
TEST(HloHostile, DoublingTuples) {
  std::string Text = "x0 = (f32[], f32[]) parameter(0)\n";
  for (unsigned I = 1; I < 90; ++I)
    Text += "x" + std::to_string(I) + " = (f32[], f32[]) tuple(x" +
            std::to_string(I - 1) + ", x" + std::to_string(I - 1) + ")\n";
  EXPECT_EQ(errorOf(Text),
            "t:2:1: error: instruction 'x1' (tuple): the shape is written "
            "(f32[], f32[]), but operands and attributes make it ((f32[], "
            "f32[]), (f32[], f32[])); correct either");
}

TEST(HloHostile, AMillionInstructions) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "HloModule m\nENTRY e {\n  x0 = f32[16] parameter(0)\n";
  constexpr unsigned Count = 1000000 / Share;
  for (unsigned I = 1; I < Count; ++I)
    OS << "  %x" << I << " = f32[16]{0} add(f32[16] x" << I - 1 << ", x"
       << I / 2 << "), metadata={op_name=\"a\"}, note=" << I << "\n";
  OS << "}\n";
  std::vector<std::string> Warnings;
  auto Module = parseHlo(Text, "t", Warnings);
  ASSERT_TRUE(bool(Module)) << toString(Module.takeError());
  EXPECT_EQ((*Module)->entry().instructions().size(), Count);
  EXPECT_EQ((*Module)->entry().root().Location.Line, Count + 2);
  EXPECT_EQ(Warnings.size(), 1u);
  if (Error E = verifyHlo(**Module))
    ADD_FAILURE() << toString(std::move(E));
  EXPECT_GT(toString(**Module).size(), Text.size() / 2);
}

} // namespace
