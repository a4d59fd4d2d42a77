//===- HloAliasesTest.cpp - Results in the memory of parameters -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloAliases.h"
#include "frontend/hlo/HloTuples.h"
#include "test/unit/HloTestHelper.h"

using namespace llvm;
using namespace unravel;

namespace {

/// The entry has parameters s32[2,3], f32[] and (s32[2,3], f32[]), and yields
/// (s32[2,3], (f32[], s32[2,3])).
std::string moduleWith(StringRef Aliases) {
  return "HloModule m, input_output_alias=" + Aliases.str() +
         ", is_scheduled=true\n"
         "ENTRY e { a = s32[2,3] parameter(0)\n b = f32[] parameter(1)\n"
         " c = (s32[2,3], f32[]) parameter(2)\n t = (f32[], s32[2,3]) "
         "tuple(b, a)\n"
         " ROOT r = (s32[2,3], (f32[], s32[2,3])) tuple(a, t) }";
}

std::string printed(StringRef Aliases) {
  auto Module = parseModule(moduleWith(Aliases));
  EXPECT_FALSE(bool(verifyHlo(*Module)));
  std::string Text;
  raw_string_ostream OS(Text);
  print(OS, Module->Aliases);
  EXPECT_EQ(toString(*parseModule(toString(*Module))), toString(*Module));
  return Text;
}

TEST(HloAliases, EveryForm) {
  EXPECT_EQ(printed("{}"), "");
  EXPECT_EQ(printed("{ {0}: 0 }"),
            ", input_output_alias={ {0}: (0, {}, may-alias) }");
  EXPECT_EQ(printed("{{0}:(0,{})}"),
            ", input_output_alias={ {0}: (0, {}, may-alias) }");
  EXPECT_EQ(
      printed("{ {1,1}: (2, {0}, must-alias), /* and */ {1,0}: (1, {}, "
              "may-alias) }"),
      ", input_output_alias={ {1,1}: (2, {0}, must-alias), {1,0}: (1, {}, "
      "may-alias) }");
}

TEST(HloAliases, NumbersOfArrays) {
  auto Module = parseModule(moduleWith("{}"));
  const HloShape &Shape = Module->entry().root().shape();
  EXPECT_EQ(arrayNumber(Shape, {0}), 0u);
  EXPECT_EQ(arrayNumber(Shape, {1, 0}), 1u);
  EXPECT_EQ(arrayNumber(Shape, {1, 1}), 2u);
  EXPECT_EQ(arraysIn(Shape), 3u);
  std::string All;
  forEachArray(Shape, [&](ArrayRef<int64_t> Index, const HloShape &Array) {
    EXPECT_EQ(shapeAt(Shape, Index), &Array);
    All += textOfIndex(Index) + Array.str(false) + " ";
  });
  EXPECT_EQ(All, "{0}s32[2,3] {1,0}f32[] {1,1}s32[2,3] ");
  EXPECT_EQ(shapeAt(Shape, {1, 0})->str(), "f32[]");
  EXPECT_EQ(shapeAt(Shape, {1, 2}), nullptr);
  EXPECT_EQ(shapeAt(Shape, {0, 0}), nullptr);
  EXPECT_EQ(shapeAt(Shape, {-1}), nullptr);
}

TEST(HloAliases, ErrorsNameThePlace) {
  std::pair<const char *, const char *> Cases[] = {
      {"{ {0}: 3 }", "t:1:35: error: input_output_alias: there is no parameter "
                     "3; the entry has 3"},
      {"{ {0}: -1 }", "t:1:35: error: input_output_alias: there is no "
                      "parameter -1; the entry has 3"},
      {"{ {0}: 1 }",
       "t:1:35: error: input_output_alias: result {0} is s32[2,3]{1,0}, but "
       "parameter 1 is f32[]; what shares memory has one shape and layout"},
      {"{ {1}: 0 }",
       "t:1:35: error: input_output_alias: result {1} is no array "
       "of the entry's result"},
      {"{ {2}: 0 }",
       "t:1:35: error: input_output_alias: result {2} is no array "
       "of the entry's result"},
      {"{ {0}: 2 }", "t:1:35: error: input_output_alias: parameter 2 is no "
                     "array of the entry's parameter"},
      {"{ {0}: (2, {1,0}) }", "t:1:35: error: input_output_alias: parameter 2 "
                              "{1,0} is no array of the entry's parameter"},
      {"{ {0}: 0, {0}: (2, {0}) }",
       "t:1:43: error: input_output_alias: result {0} has the memory of a "
       "parameter already; remove one"},
      {"{ {0}: 0, {1,1}: (0, {}) }",
       "t:1:43: error: input_output_alias: parameter 0 has a result in its "
       "memory already; remove one"},
      {"0", "t:1:33: error: expected '{' in front of the results, found '0'"},
      {"{ {0}: (0, {}, maybe) }",
       "t:1:48: error: expected 'may-alias' or 'must-alias', found 'maybe'"},
      {"{ {0}: (0 }", "t:1:43: error: expected ',' behind the number of a "
                      "parameter, found '}'"},
      {"{ {0} 0 }", "t:1:39: error: expected ':' and the parameter, found '0'"},
      {"{ {0}: x }", "t:1:40: error: expected the number of a parameter"},
      {"{ 0: 0 }", "t:1:35: error: expected '{' before the index of a result"},
  };
  for (auto [Aliases, Error] : Cases)
    EXPECT_TRUE(StringRef(errorOf(moduleWith(Aliases))).starts_with(Error))
        << Aliases << "\n"
        << errorOf(moduleWith(Aliases));
}

/// Every prefix of a module is an error, and no crash.
TEST(HloAliases, Truncated) {
  std::string Text = moduleWith("{ {0}: (0, {}, must-alias), {1,0}: 1 }");
  size_t End = Text.find(", is_scheduled");
  for (size_t Length = Text.find("={") + 1; Length < End; ++Length)
    EXPECT_NE(errorOf(StringRef(Text).take_front(Length)), "") << Length;
}

} // namespace
