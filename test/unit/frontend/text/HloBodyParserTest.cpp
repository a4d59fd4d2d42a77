//===- HloBodyParserTest.cpp - Operations in operands ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloBodyParser.h"
#include "test/unit/HloTestHelper.h"

using namespace llvm;
using namespace unravel;

namespace {

TEST(HloBodyParser, OperationsInOperands) {
  EXPECT_EQ(body("r = add(f32[4] negate(f32[4] parameter(0)), "
                 "f32[4] broadcast(f32[] constant(2)))"),
            "  %parameter.1 = f32[4]{0} parameter(0)\n"
            "  %negate.1 = f32[4]{0} negate(%parameter.1)\n"
            "  %constant.1 = f32[] constant(2)\n"
            "  %broadcast.1 = f32[4]{0} broadcast(%constant.1), dimensions={}\n"
            "  ROOT %r = f32[4]{0} add(%negate.1, %broadcast.1)");
}

/// No name of the text is used again, wherever it stands.
TEST(HloBodyParser, FreshNames) {
  EXPECT_EQ(body("a = f32[] parameter(0)\n"
                 "r = negate(negate(negate(a)))\n"
                 "negate.1 = add(r, a)"),
            "  %a = f32[] parameter(0)\n"
            "  %negate.3 = f32[] negate(%a)\n"
            "  %negate.2 = f32[] negate(%negate.3)\n"
            "  %r = f32[] negate(%negate.2)\n"
            "  ROOT %negate.1 = f32[] add(%r, %a)");
}

TEST(HloBodyParser, Errors) {
  const std::pair<const char *, const char *> Cases[] = {
      {"r = add(x, 1)",
       "t:1:9: error: there is no instruction 'x' above in this computation; "
       "write it before its users"},
      {"x = f32[2] parameter(0)\nr = negate(broadcast(x))",
       "t:2:12: error: the shape is missing; write it in front of 'broadcast', "
       "since the operands do not tell it"},
      {"x = f32[2] parameter(0)\nr = negate(compare(x, x))",
       "t:2:25: error: 'compare.1': compare needs the attribute 'direction='; "
       "an operation in the place of an operand has none, so give it an "
       "instruction of its own"},
      {"x = f32[2] parameter(0)\nr = frobnicate(x)",
       "t:2:5: error: unknown or unsupported opcode 'frobnicate'; "
       "docs/frontend.md has the table of those that are supported; "
       "--entry=NAME emits a computation above this one"},
      {"x = f32[2] parameter(0)\nt = token[] after-all()\n"
       "r = f32[2] add-dependency(x)",
       "t:3:27: error: add-dependency takes 2 operands, found 1"},
      {"x = f32[2] parameter(0)\nr = f32[2] negate-done(x, x)",
       "t:2:24: error: negate takes 1 operand, found 2"},
      {"x = token[2] parameter(0)",
       "t:1:11: error: expected ']' since a token has no dimensions, found "
       "'2'"},
  };
  for (auto [Text, Message] : Cases)
    EXPECT_EQ(errorOf(Text), Message) << Text;
}

TEST(HloBodyParser, NestingEnds) {
  auto Nested = [](unsigned Depth) {
    std::string Text = "a = f32[] parameter(0)\nr = negate(";
    for (unsigned K = 0; K < Depth; ++K)
      Text += "negate(";
    return Text + "a" + std::string(Depth + 1, ')');
  };
  EXPECT_EQ(errorOf(Nested(MaxHloNesting)), "");
  EXPECT_NE(errorOf(Nested(MaxHloNesting + 1))
                .find("operations stand in operands more than 100 levels deep; "
                      "give them names"),
            std::string::npos);
}

} // namespace
