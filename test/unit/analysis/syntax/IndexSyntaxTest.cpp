//===- IndexSyntaxTest.cpp - Parsing, printing and evaluating text --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexSyntax.h"
#include "test/unit/AlgebraTestHelper.h"
#include "test/unit/SyntaxTestHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <limits>
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

using Op = SyntaxOp;

std::string errorOf(const Twine &Text) {
  Expected<SyntaxTree> Tree = parseSyntax(Text.str(), "<stdin>");
  if (!Tree)
    return toString(Tree.takeError());
  return "no error: " + toString(*Tree, SyntaxDialect::Functions);
}

std::string mapText(const SyntaxTree &Tree) {
  return toString(Tree, SyntaxDialect::IndexingMap);
}
std::string functionText(const SyntaxTree &Tree) {
  return toString(Tree, SyntaxDialect::Functions);
}

/// The value where a, b, c, ... have the values of \p Point.
std::optional<int64_t> valueAt(const SyntaxTree &Tree,
                               ArrayRef<int64_t> Point) {
  return evaluate(Tree, [&](StringRef Name) -> std::optional<int64_t> {
    size_t I = Name[0] - 'a';
    return Name.size() == 1 && I < Point.size() ? std::optional(Point[I])
                                                : std::nullopt;
  });
}
std::optional<int64_t> valueAt(StringRef Text, ArrayRef<int64_t> Point = {}) {
  return valueAt(parse(Text), Point);
}
const char *const OpNames[] = {
    "number", "name",   "neg",  "add",    "mul",  "fdiv", "fmod",   "cdiv",
    "tdiv",   "tmod",   "ediv", "emod",   "min",  "max",  "select", "shl",
    "shr",    "bitand", "lt",   "le",     "gt",   "ge",   "eq",     "ne",
    "and",    "or",     "not",  "bitxor", "bitor"};

/// The tree without any grammar: `(add a (mul 2 b))`.
std::string shape(const SyntaxTree &Tree) {
  if (Tree->Op == Op::Number)
    return std::to_string(Tree->Value);
  if (Tree->Op == Op::Name)
    return Tree->Name;
  std::string Text = std::string("(") + OpNames[unsigned(Tree->Op)];
  for (const SyntaxTree &Arg : Tree->Args)
    Text += " " + shape(Arg);
  return Text + ")";
}

/// The tree that parsing gives for the text of \p Tree: the two spellings that
/// printing promises not to keep apart are replaced.
SyntaxTree asParsed(const SyntaxTree &Tree, SyntaxDialect Dialect) {
  SmallVector<SyntaxTree, 4> Args;
  for (const SyntaxTree &Arg : Tree->Args) {
    bool Subtracted = Tree->Op == Op::Add && !Args.empty() &&
                      Arg->Op == Op::Number && Arg->Value < 0 &&
                      Arg->Value != Min;
    Args.push_back(Subtracted
                       ? syntaxNode(Op::Negate, syntaxNumber(-Arg->Value))
                       : asParsed(Arg, Dialect));
  }
  if (Args.empty())
    return Tree;
  bool IsMod = Tree->Op == Op::FloorMod &&
               Dialect == SyntaxDialect::IndexingMap &&
               Args[1]->Op == Op::Number && Args[1]->Value > 0;
  return syntaxNode(IsMod ? Op::EuclidMod : Tree->Op, Args);
}

//===----------------------------------------------------------------------===//
// Grammar
//===----------------------------------------------------------------------===//

TEST(IndexSyntaxTest, Shapes) {
  struct {
    const char *Text, *Shape;
  } Cases[] = {
      {"a", "a"},
      {"thread.x_1", "thread.x_1"},
      {"(((a)))", "a"},
      {"true", "1"},
      {"false", "0"},
      {"007", "7"},
      // Sums and products are flat, minus is the negation of a summand.
      {"a + b + c", "(add a b c)"},
      {"a - b + c - 5", "(add a (neg b) c (neg 5))"},
      {"a + (b + c)", "(add a (add b c))"},
      {"(a + b) + c", "(add (add a b) c)"},
      {"a - (b - c)", "(add a (neg (add b (neg c))))"},
      {"a * b * c", "(mul a b c)"},
      {"a * b / c * 2 * 3", "(mul (fdiv (mul a b) c) 2 3)"},
      {"a floordiv 2 mod 3", "(emod (fdiv a 2) 3)"},
      {"a / b % c ceildiv 2", "(cdiv (emod (fdiv a b) c) 2)"},
      {"a + b * c - a / 2", "(add a (mul b c) (neg (fdiv a 2)))"},
      {"a || b || c && a && b", "(or a b (and c a b))"},
      // Numbers with a sign, and negation.
      {"-5", "-5"},
      {"- 5", "-5"},
      {"-(5)", "(neg 5)"},
      {"--5", "(neg -5)"},
      {"a - -5", "(add a (neg -5))"},
      {"a-5", "(add a (neg 5))"},
      {"2 * -3", "(mul 2 -3)"},
      {"-a * b", "(mul (neg a) b)"},
      {"-a mod 2", "(emod (neg a) 2)"},
      {"-a + b", "(add (neg a) b)"},
      {"!a && !-b", "(and (not a) (not (neg b)))"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775807", "9223372036854775807"},
      // Precedence between the levels.
      {"a & 7 < 8", "(lt (bitand a 7) 8)"},
      {"a << 2 & b >> 1", "(bitand (shl a 2) (shr b 1))"},
      {"1 + a << b * 2", "(shl (add 1 a) (mul b 2))"},
      {"a << b << c", "(shl (shl a b) c)"},
      {"a & b & c", "(bitand (bitand a b) c)"},
      {"a<b&&c>=2||!a", "(or (and (lt a b) (ge c 2)) (not a))"},
      {"0 <= a < 8", "(lt (le 0 a) 8)"},
      {"a <= b == c != a > b", "(gt (ne (eq (le a b) c) a) b)"},
      {"a <-5", "(lt a -5)"},
      // Functions, under all their names.
      {"floordiv(a, 2) + floormod(a, 2)", "(add (fdiv a 2) (fmod a 2))"},
      {"ceildiv(a, 2) * eucdiv(a, 2)", "(mul (cdiv a 2) (ediv a 2))"},
      {"truncdiv(tdiv(a, 2), 3)", "(tdiv (tdiv a 2) 3)"},
      {"truncmod(tmod(a, 2), 3)", "(tmod (tmod a 2) 3)"},
      {"eucmod(a, b mod 3)", "(emod a (emod b 3))"},
      {"min(a, b, c, 1)", "(min a b c 1)"},
      {"max(min(a, b), c)", "(max (min a b) c)"},
      {"select(a < b, a || b, c)", "(select (lt a b) (or a b) c)"},
      {"a floordiv (b)", "(fdiv a b)"},
      {"floordiv (a, b) floordiv floordiv(b, a)",
       "(fdiv (fdiv a b) (fdiv b a))"},
      // A function's name is a variable's where nothing is called.
      {"min + max * select", "(add min (mul max select))"},
  };
  for (auto &Case : Cases)
    EXPECT_EQ(shape(parse(Case.Text)), Case.Shape) << Case.Text;
}

TEST(IndexSyntaxTest, CommentsAndSpaceSeparateTokens) {
  EXPECT_EQ(shape(parse(" // first\n\ta // a + b\r\n  +\n//\n//\nb//c")),
            "(add a b)");
}

TEST(IndexSyntaxTest, OffsetsAreWhereNodesBegin) {
  SyntaxTree Tree = parse("  (a + 12) * -min(b, -3)");
  EXPECT_EQ(Tree->Offset, 2u);
  EXPECT_EQ(Tree->Args[0]->Offset, 3u);
  EXPECT_EQ(Tree->Args[0]->Args[1]->Offset, 7u);
  EXPECT_EQ(Tree->Args[1]->Offset, 13u);
  EXPECT_EQ(Tree->Args[1]->Args[0]->Offset, 14u);
  EXPECT_EQ(Tree->Args[1]->Args[0]->Args[1]->Offset, 21u);
}

TEST(IndexSyntaxTest, PartsOfALargerText) {
  SyntaxParser Parser("(d0) -> (d0 + 1), d0 in [0, 4]", "<test>");
  EXPECT_FALSE(Parser.expect("(", ""));
  EXPECT_EQ(Parser.next(), "d0");
  EXPECT_TRUE(Parser.consumeIf(")"));
  EXPECT_FALSE(Parser.consumeIf("("));
  EXPECT_EQ(Parser.peek(), "->");
  EXPECT_EQ(toString(Parser.expect(":", "after the variables")),
            "<test>:1:6: error: expected ':' after the variables, found '->'\n"
            "(d0) -> (d0 + 1), d0 in [0, 4]\n"
            "     ^");
  EXPECT_EQ(Parser.next(), "->");
  Expected<SyntaxTree> Result = Parser.parseExpression();
  ASSERT_TRUE(bool(Result));
  EXPECT_EQ(shape(*Result), "(add d0 1)");
  EXPECT_TRUE(Parser.consumeIf(","));
  Expected<SyntaxTree> Variable = Parser.parseExpression();
  ASSERT_TRUE(bool(Variable));
  EXPECT_EQ(Parser.offset(), 21u);
  for (StringRef Token : {"in", "[", "0", ",", "4", "]"})
    EXPECT_EQ(Parser.next(), Token);
  EXPECT_TRUE(Parser.atEnd());
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(IndexSyntaxTest, ErrorsNameThePlace) {
  EXPECT_EQ(errorOf("a*(b+1 , 2)"),
            "<stdin>:1:8: error: expected ')' to close '(' at column 3, "
            "found ','\n"
            "a*(b+1 , 2)\n"
            "       ^");
  EXPECT_EQ(errorOf("// a map\n\tmin(a,\n\tb + + c) // d\nd"),
            "<stdin>:3:6: error: expected an expression, found '+'\n"
            "\tb + + c) // d\n"
            "\t    ^");
  EXPECT_EQ(errorOf("min(a,\r\n    b; c)\r\n"),
            "<stdin>:2:6: error: expected ')' to close '(' at line 1, "
            "column 4, found ';'\n"
            "    b; c)\n"
            "     ^");
  // What is missing at the end is missing after the last word.
  EXPECT_EQ(errorOf("(a + b // d\n\n"),
            "<stdin>:1:7: error: expected ')' to close '(' at column 1, "
            "found the end of the text\n"
            "(a + b // d\n"
            "      ^");
  EXPECT_EQ(errorOf("\n"), "<stdin>:1:1: error: expected an expression, "
                           "found the end of the text\n\n^");
}

TEST(IndexSyntaxTest, ErrorsSayWhatIsWrong) {
  struct {
    const char *Text, *Message;
  } Cases[] = {
      {"", "1:1: error: expected an expression, found the end of the text"},
      {"a b", "1:3: error: expected an operator or the end of the text, found "
              "'b'"},
      {"a)", "1:2: error: expected an operator or the end of the text, found "
             "')'"},
      {"1.5", "1:2: error: expected an operator or the end of the text, found "
              "the unknown character '.'"},
      {"0x10", "1:2: error: expected an operator or the end of the text, found "
               "'x10'"},
      {"a = b", "1:3: error: expected an operator or the end of the text, "
                "found '='"},
      {"a | xor b", "1:5: error: expected an expression, found 'xor'"},
      {"a * mod 3", "1:5: error: expected an expression, found 'mod'"},
      {"mod(a, 3)", "1:1: error: unknown function 'mod'; the functions are "
                    "floordiv, floormod, ceildiv, truncdiv, truncmod, tdiv, "
                    "tmod, eucdiv, eucmod, min, max, select"},
      {"1 + min(a)", "1:5: error: min takes 2 or more arguments, found 1"},
      {"floordiv(a, b, c)", "1:1: error: floordiv takes 2 arguments, found 3"},
      {"select(a, b)", "1:1: error: select takes 3 arguments, found 2"},
      {"min()", "1:5: error: expected an expression, found ')'"},
      {"min(a,)", "1:7: error: expected an expression, found ')'"},
      {"a + $x", "1:5: error: expected an expression, found the unknown "
                 "character '$'"},
      {"a \xC3\x97 b", "1:3: error: expected an operator or the end of the "
                       "text, found the unknown character '\\xC3\\x97'"},
      {"9223372036854775808", "1:1: error: the number '9223372036854775808' "
                              "does not fit in 64 bits"},
      {"1 -9223372036854775808", "1:4: error: the number "
                                 "'9223372036854775808' does not fit in 64 "
                                 "bits"},
      {"a*-9223372036854775809", "1:3: error: the number "
                                 "'9223372036854775809' does not fit in 64 "
                                 "bits"},
  };
  for (auto &Case : Cases)
    EXPECT_EQ(StringRef(errorOf(Case.Text)).split('\n').first,
              std::string("<stdin>:") + Case.Message);
}

TEST(IndexSyntaxTest, ErrorsStayShortAndPrintable) {
  // Of a line of a million columns, the part around the place is shown.
  std::string Long(500000, '1');
  std::string Message = errorOf("a + \t" + Twine(Long) + " b");
  EXPECT_LT(Message.size(), 400u);
  EXPECT_NE(Message.find("the number '1111111111"), std::string::npos);
  std::string Spaces(1000, ' ');
  EXPECT_EQ(errorOf("a" + Twine(Spaces) + "b" + Spaces + "c"),
            "<stdin>:1:1002: error: expected an operator or the end of the "
            "text, found 'b'\n..." +
                std::string(80, ' ') + "b" + std::string(39, ' ') + "...\n" +
                std::string(83, ' ') + "^");
  EXPECT_EQ(errorOf(StringRef("a \0\x7F", 4)),
            "<stdin>:1:3: error: expected an operator or the end of the text, "
            "found the unknown character '\\x00'\na ??\n  ^");
}

TEST(IndexSyntaxTest, AnyTextIsATreeOrAnError) {
  const char *const Tokens[] = {
      "a", "7", "-", "+",  "*", "(",    ")",   ",",       "!",    "<",  "&",
      "|", "=", "/", "\n", " ", "min(", "mod", "select(", "\xFF", "\t", "."};
  std::mt19937 Random(1);
  unsigned Trees = 0;
  for (unsigned I = 0; I < 50000; ++I) {
    std::string Text;
    for (unsigned Length = Random() % 12; Length > 0; --Length)
      Text += Tokens[Random() % std::size(Tokens)];
    Expected<SyntaxTree> Tree = parseSyntax(Text, "<test>");
    if (!Tree) {
      EXPECT_EQ(toString(Tree.takeError()).find("<test>:"), 0u);
      continue;
    }
    ++Trees;
    EXPECT_EQ(shape(parse(functionText(*Tree))), shape(*Tree)) << Text;
  }
  EXPECT_GT(Trees, 500u);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

std::string repeat(StringRef Text, size_t Times) {
  std::string Result;
  while (Times-- > 0)
    Result += Text;
  return Result;
}

TEST(IndexSyntaxTest, DeepNestingIsAnError) {
  const char *const Openings[] = {"(",
                                  "-",
                                  "!",
                                  "- (",
                                  "min(a, ",
                                  "a + (",
                                  "a || a && a < a & a << a + a * ("};
  for (const char *Opening : Openings)
    for (size_t Times : {257, 1000000})
      EXPECT_NE(errorOf(repeat(Opening, Times)).find("nests more than 256"),
                std::string::npos)
          << Opening;
  // Chains that are not flat are nested as well, inside parentheses or not.
  EXPECT_NE(errorOf("a" + repeat(" / 2", 1000000)).find("1:1027: error: the "),
            std::string::npos);
  std::string Chain = repeat("(", 200) + "a";
  for (unsigned I = 0; I < 200; ++I)
    Chain += repeat(" << 2", 200) + ")";
  EXPECT_NE(errorOf(Chain).find("nests more than"), std::string::npos);
}

TEST(IndexSyntaxTest, NestingUpToTheLimitWorks) {
  constexpr unsigned Limit = SyntaxParser::MaxNesting;
  std::string Parens = repeat("(", Limit - 1) + "a" + repeat(")", Limit - 1);
  EXPECT_EQ(valueAt(Parens, {3}), 3);
  EXPECT_EQ(valueAt(repeat("-", Limit - 1) + "a", {3}), -3);
  EXPECT_EQ(valueAt("a" + repeat(" / 2", Limit - 1), {Max}), 0);
  std::string Calls =
      repeat("max(1, ", Limit - 1) + "a" + repeat(")", Limit - 1);
  SyntaxTree Tree = parse(Calls);
  EXPECT_EQ(Tree->Height, Limit);
  EXPECT_EQ(valueAt(Tree, {3}), 3);
  EXPECT_EQ(mapText(Tree), Calls);
  EXPECT_EQ(costOf(Tree).Operations, Limit - 1);
}

TEST(IndexSyntaxTest, FlatChainsAreAsLongAsTheyLike) {
  constexpr size_t Terms = 100000;
  std::string Sum = "a" + repeat(" + a - b * 2", Terms / 2);
  SyntaxTree Tree = parse(Sum);
  EXPECT_EQ(Tree->Args.size(), Terms + 1);
  EXPECT_EQ(Tree->Height, 4u);
  EXPECT_EQ(valueAt(Tree, {4, 2}), 4);
  EXPECT_EQ(costOf(Tree).Operations, Terms + Terms / 2);
  EXPECT_EQ(mapText(Tree), Sum);
  EXPECT_EQ(valueAt("a" + repeat(" * a", Terms), {-1}), -1);
  EXPECT_EQ(valueAt("a" + repeat(" && a", Terms), {5}), 1);
  EXPECT_EQ(valueAt("a" + repeat(" || a", Terms), {0}), 0);
  EXPECT_EQ(valueAt("min(a" + repeat(", a", Terms) + ")", {7}), 7);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

TEST(IndexSyntaxTest, Dialects) {
  struct {
    const char *Text, *Map, *Functions;
  } Cases[] = {
      {"(a / 3) * 4 + b mod 4", "(a floordiv 3) * 4 + b mod 4",
       "floordiv(a, 3) * 4 + eucmod(b, 4)"},
      {"a * 4 % 3", "(a * 4) mod 3", "eucmod(a * 4, 3)"},
      {"a * (b / 3) * 2", "a * (b floordiv 3) * 2", "a * floordiv(b, 3) * 2"},
      {"(a / 2 / 3 + 1) ceildiv b", "((a floordiv 2) floordiv 3 + 1) ceildiv b",
       "ceildiv(floordiv(floordiv(a, 2), 3) + 1, b)"},
      {"floormod(a, 5)", "a mod 5", "floormod(a, 5)"},
      {"floormod(a, b)", "floormod(a, b)", "floormod(a, b)"},
      {"floormod(a, -5)", "floormod(a, -5)", "floormod(a, -5)"},
      {"a mod b", "eucmod(a, b)", "eucmod(a, b)"},
      {"a mod -5", "eucmod(a, -5)", "eucmod(a, -5)"},
      {"tdiv(a, 2) - tmod(a + 1, 2)", "truncdiv(a, 2) - truncmod(a + 1, 2)",
       "truncdiv(a, 2) - truncmod(a + 1, 2)"},
      {"-(a mod 2)", "-(a mod 2)", "-eucmod(a, 2)"},
      {"-a mod 2", "-a mod 2", "eucmod(-a, 2)"},
      {"-(a*2) + b", "-(a * 2) + b", "-(a * 2) + b"},
      {"-5 + a - -3*b", "-5 + a - -3 * b", "-5 + a - -3 * b"},
      {"a * -3", "a * -3", "a * -3"},
      {"-(5) - (5)", "-(5) - 5", "-(5) - 5"},
      {"(a < b) < c & 7", "(a < b) < c & 7", "(a < b) < c & 7"},
      {"(a || b) && !(c == 1)", "(a || b) && !(c == 1)",
       "(a || b) && !(c == 1)"},
      {"(a + 1) << (b << 2)", "a + 1 << (b << 2)", "a + 1 << (b << 2)"},
      {"select((a), (b + 1), (c))", "select(a, b + 1, c)",
       "select(a, b + 1, c)"},
  };
  for (auto &Case : Cases) {
    SyntaxTree Tree = parse(Case.Text);
    EXPECT_EQ(mapText(Tree), Case.Map);
    EXPECT_EQ(functionText(Tree), Case.Functions);
    EXPECT_EQ(shape(parse(Case.Functions)), shape(Tree));
  }
}

TEST(IndexSyntaxTest, NegativeSummandsAreSubtracted) {
  SyntaxTree A = syntaxName("a");
  auto Plus = [&](int64_t Value) {
    return mapText(syntaxNode(Op::Add, {A, syntaxNumber(Value)}));
  };
  EXPECT_EQ(Plus(5), "a + 5");
  EXPECT_EQ(Plus(-5), "a - 5");
  EXPECT_EQ(Plus(-Max), "a - 9223372036854775807");
  // The opposite would not fit.
  EXPECT_EQ(Plus(Min), "a + -9223372036854775808");
  EXPECT_EQ(valueAt(Plus(Min), {1}), Min + 1);
}

/// A tree with all operators, over a, b, c and numbers of all sizes.
SyntaxTree randomTree(std::mt19937 &Random, unsigned Height) {
  if (Height == 0 || Random() % 8 == 0) {
    if (Random() % 2)
      return syntaxName(StringRef("abc").substr(Random() % 3, 1));
    int64_t Extremes[] = {Max, Min, 62, -Max};
    return syntaxNumber(Random() % 16 ? int64_t(Random() % 11) - 5
                                      : Extremes[Random() % 4]);
  }
  auto O = Op(unsigned(Op::Negate) +
              Random() % (unsigned(Op::Not) - unsigned(Op::Negate) + 1));
  unsigned Count = O == Op::Negate || O == Op::Not ? 1
                   : O == Op::Select               ? 3
                   : isVariadic(O)                 ? 2 + Random() % 3
                                                   : 2;
  SmallVector<SyntaxTree, 4> Args;
  while (Args.size() < Count)
    Args.push_back(randomTree(Random, Height - 1));
  return syntaxNode(O, Args);
}

TEST(IndexSyntaxTest, RandomTreesComeBackFromText) {
  std::mt19937 Random(2);
  unsigned Values = 0;
  for (unsigned I = 0; I < 5000; ++I) {
    SyntaxTree Tree = randomTree(Random, 1 + I % 5);
    for (auto Dialect :
         {SyntaxDialect::IndexingMap, SyntaxDialect::Functions}) {
      std::string Text = toString(Tree, Dialect);
      SyntaxTree Again = parse(Text);
      ASSERT_EQ(shape(Again), shape(asParsed(Tree, Dialect))) << Text;
      EXPECT_EQ(toString(Again, Dialect), Text);
      EXPECT_EQ(costOf(Again), costOf(Tree)) << Text;
      for (unsigned P = 0; P < 4; ++P) {
        int64_t Point[3];
        for (int64_t &X : Point)
          X = int64_t(Random() % 21) - 10;
        std::optional<int64_t> Value = valueAt(Tree, Point);
        ASSERT_EQ(valueAt(Again, Point), Value) << Text;
        Values += Value ? 1 : 0;
      }
    }
  }
  EXPECT_GT(Values, 12000u);
}

TEST(IndexSyntaxTest, KindsOfOperators) {
  std::string Conditions, Divisions, Variadic;
  for (unsigned I = 0; I < std::size(OpNames); ++I) {
    std::string Name = std::string(OpNames[I]) + " ";
    Conditions += isCondition(Op(I)) ? Name : "";
    Divisions += isDivision(Op(I)) ? Name : "";
    Variadic += isVariadic(Op(I)) ? Name : "";
  }
  EXPECT_EQ(Conditions, "lt le gt ge eq ne and or not ");
  EXPECT_EQ(Divisions, "fdiv fmod cdiv tdiv tmod ediv emod ");
  EXPECT_EQ(Variadic, "add mul min max and or ");
}

} // namespace
