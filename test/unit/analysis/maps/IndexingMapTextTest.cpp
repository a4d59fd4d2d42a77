//===- IndexingMapTextTest.cpp - Parsing and printing maps ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapText.h"
#include "test/unit/IndexingMapTestHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

constexpr IndexLimits TextLimits{1u << 16, 64};

/// The canonical text of \p Text, or the error.
std::string printed(StringRef Text) {
  IndexContext Context(TextLimits);
  Expected<IndexingMap> Map = parseIndexingMap(Context, Text);
  return Map ? toString(*Map) : toString(Map.takeError());
}

MapSyntax parsed(StringRef Text) {
  Expected<MapSyntax> Syntax = parseMapSyntax(Text, "<test>");
  if (Syntax)
    return *Syntax;
  ADD_FAILURE() << toString(Syntax.takeError());
  return {};
}

bool startsWith(StringRef Text, StringRef Prefix) {
  return Text.starts_with(Prefix);
}

class IndexingMapTextTest : public IndexingMapFixture {
protected:
  IndexingMap parse(StringRef Text) {
    Expected<IndexingMap> Map = parseIndexingMap(Context, Text);
    if (Map)
      return *Map;
    ADD_FAILURE() << toString(Map.takeError());
    return IndexingMap(Context);
  }
};

//===----------------------------------------------------------------------===//
// What a text means
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapTextTest, VariablesResultsAndBounds) {
  IndexingMap Map = parse("(d0, x)[s0]{rt0} -> (x * 2 + 1, d0 floordiv 3), "
                          "domain: d0 in [0, 9], x in [-4, 4], s0 in [0, 1], "
                          "rt0 in [1, 2], d0 + s0 in [0, 8]");
  auto Vars = variables({{0, 9}, {-4, 4}}, {{0, 1}}, {{1, 2}});
  EXPECT_EQ(Map, map(Vars, {add(num(1), d(1), 2), floor(d(0), 3)},
                     {{add(d(0), s(0)), {0, 8}}}));
  EXPECT_EQ(Map.dimensions()[0].Name, "");
  EXPECT_EQ(Map.dimensions()[1].Name, "x");
  EXPECT_EQ(Map.nameOf(VariableKind::Runtime, 0), "rt0");
}

TEST_F(IndexingMapTextTest, NamesOfOthers) {
  // d1 is not the default name of the first dimension.
  IndexingMap Map = parse("(d1, d0)[s1] -> (d1 - d0 * s1)");
  EXPECT_EQ(Map.result(0), add(d(0), Context.multiply(d(1), s(0)), -1));
  EXPECT_EQ(Map.dimensions()[0].Name, "d1");
  EXPECT_EQ(toString(Map), "(d1, d0)[s1] -> (d1 - d0 * s1)");
}

TEST_F(IndexingMapTextTest, EmptyParts) {
  EXPECT_EQ(parse("() -> ()"), IndexingMap(Context));
  EXPECT_EQ(parse("-> ()"), IndexingMap(Context));
  EXPECT_EQ(parse("()[]{} -> (), domain:"), IndexingMap(Context));
  EXPECT_EQ(parse("(){rt0} -> (rt0)"),
            map(variables({}, {}, {Interval()}), {rt(0)}));
}

TEST_F(IndexingMapTextTest, KnownEmpty) {
  IndexingMap Empty = IndexingMap::empty(Context, {}, 0);
  EXPECT_EQ(parse("KNOWN EMPTY"), Empty);
  EXPECT_EQ(parse(" KNOWN  // no points\n EMPTY"), Empty);
  EXPECT_TRUE(parse("(d0) -> (d0), domain: d0 in [1, 0]").isKnownEmpty());
  EXPECT_TRUE(parse("(d0) -> (d0), domain: 0 in [10, 15]").isKnownEmpty());
  EXPECT_EQ(toString(parse("(d0) -> (d0), domain: d0 in [1, 0]")),
            "KNOWN EMPTY");
  EXPECT_FALSE(parsed("KNOWN EMPTY").contains([](StringRef) { return 0; }));
}

TEST_F(IndexingMapTextTest, FactsInAnyOrder) {
  IndexingMap Map = parse("(d0)[s0] -> (d0), domain: s0 mod 4 in [1, 1], "
                          "s0 in [0, 7], d0 - s0 in [0, inf], d0 in [-inf, 9]");
  EXPECT_EQ(Map, parse("(d0)[s0] -> (d0), domain: d0 in [-inf, 9], d0 - s0 in "
                       "[0, inf], s0 in [0, 7], s0 mod 4 in [1, 1]"));
  EXPECT_EQ(Map.variables().Dimensions[0].Bounds, Interval::atMost(9));
  EXPECT_EQ(Map.variables().Ranges[0].Bounds, Interval(0, 7));
  // The first fact about a variable is its bound, others are constraints.
  EXPECT_EQ(parse("(d0) -> (), domain: d0 in [0, 9], d0 in [5, 20]"),
            map(variables({{0, 9}}), {}, {{d(0), {5, 20}}}));
}

TEST_F(IndexingMapTextTest, Relations) {
  auto N = variables({Interval()}, {Interval()});
  auto Constraint = [&](StringRef Fact) {
    return parse("(d0)[s0] -> (), domain: " + Fact.str());
  };
  auto Difference = [&](int64_t Lo, int64_t Hi) {
    return map(N, {}, {{add(d(0), s(0), -1), {Lo, Hi}}});
  };
  EXPECT_EQ(Constraint("d0 < s0"), Difference(Min, -1));
  EXPECT_EQ(Constraint("d0 <= s0"), Difference(Min, 0));
  EXPECT_EQ(Constraint("d0 > s0"), Difference(1, Max));
  EXPECT_EQ(Constraint("d0 >= s0"), Difference(0, Max));
  EXPECT_EQ(Constraint("d0 == s0"), Difference(0, 0));
  EXPECT_EQ(Constraint("d0 < s0 && d0 >= s0 - 7"),
            map(N, {},
                {{add(d(0), s(0), -1), {Min, -1}},
                 {add(add(d(0), s(0), -1), num(7)), {0, Max}}}));
  // Against a number, on either side: a bound.
  auto Bound = [&](StringRef Fact) {
    return Constraint(Fact).dimensions()[0].Bounds;
  };
  EXPECT_EQ(Bound("d0 < 9"), Interval::atMost(8));
  EXPECT_EQ(Bound("9 > d0"), Interval::atMost(8));
  EXPECT_EQ(Bound("d0 <= 9"), Interval::atMost(9));
  EXPECT_EQ(Bound("-3 < d0"), Interval::atLeast(-2));
  EXPECT_EQ(Bound("d0 >= -3"), Interval::atLeast(-3));
  EXPECT_EQ(Bound("5 == d0"), Interval::point(5));
  EXPECT_TRUE(Constraint("5 < 3").isKnownEmpty());
}

TEST_F(IndexingMapTextTest, OtherConditions) {
  StringRef Text = "(d0) -> (), domain: d0 != 2, d0 == 1 || d0 == 3";
  IndexingMap Map = parse(Text);
  ASSERT_EQ(Map.constraints().size(), 2u);
  for (int64_t X = -1; X <= 5; ++X)
    EXPECT_EQ(Map.contains({X}), X == 1 || X == 3);
  EXPECT_EQ(toString(Map), Text.str());
  // A condition is a number, too.
  EXPECT_EQ(printed("(d0)[s0] -> (), domain: (d0 < s0) in [0, 0]"),
            "(d0)[s0] -> (), domain: (d0 < s0) in [0, 0]");
}

TEST_F(IndexingMapTextTest, SymbolicBounds) {
  auto NMinusX = add(d(0), rt(0), -1);
  EXPECT_EQ(parse("(d0){n} -> (d0), domain: d0 in [0, n - 1], n in [1, inf]"),
            map(variables({{0, Max}}, {}, {{1, Max}}), {d(0)},
                {{NMinusX, {Min, -1}}}));
  EXPECT_EQ(parse("(d0){n} -> (), domain: d0 in [-n, n + 1]"),
            map(variables({Interval()}, {}, {Interval()}), {},
                {{add(d(0), rt(0)), {0, Max}}, {NMinusX, {Min, 1}}}));
  EXPECT_EQ(parse("(d0){n} -> (), domain: d0 + 1 in [5, n]"),
            map(variables({Interval()}, {}, {Interval()}), {},
                {{add(d(0), num(1)), {5, Max}}, {NMinusX, {Min, -1}}}));
  // What comes out as a number is one.
  EXPECT_EQ(parse("(d0) -> (), domain: d0 in [2 - 2, 4 * 8 - 1]"),
            map(variables({{0, 31}}), {}));
}

TEST_F(IndexingMapTextTest, NothingIsSimplifiedByTheDomain) {
  EXPECT_EQ(printed("(d0) -> (d0 mod 16, d0 floordiv 16), domain: "
                    "d0 in [0, 7], d0 + 1 in [0, 100]"),
            "(d0) -> (d0 mod 16, d0 floordiv 16), domain: d0 in [0, 7], "
            "d0 + 1 in [0, 100]");
  EXPECT_EQ(printed("(d0) -> (d0), domain: d0 in [3, 3], d0 mod 2 in [1, 1]"),
            "(d0) -> (d0), domain: d0 in [3, 3], d0 mod 2 in [1, 1]");
}

TEST_F(IndexingMapTextTest, RemaindersByNegativeNumbersAreXlas) {
  IndexingMap Map = parse("(d0) -> (d0 mod -3, d0 floordiv -3)");
  for (int64_t X = -7; X <= 7; ++X)
    EXPECT_EQ(
        *Map.evaluate({X}),
        (Point{((X % 3) + 3) % 3, static_cast<int64_t>(std::floor(-X / 3.0))}));
}

TEST_F(IndexingMapTextTest, MapSyntaxIsWhatWasWritten) {
  MapSyntax Map = parsed(" (d0){n} -> (d0 / n), domain: d0 in [0, n - 1], "
                         "8 / d0 >= 2");
  EXPECT_EQ(Map.Offset, 1u);
  auto Contains = [&](int64_t X, int64_t N) {
    return Map.contains([&](StringRef Name) { return Name == "n" ? N : X; });
  };
  EXPECT_TRUE(Contains(3, 4));
  EXPECT_FALSE(Contains(4, 4));
  EXPECT_FALSE(Contains(5, 9));
  EXPECT_FALSE(Contains(0, 9)); // 8 / 0 has no value
  EXPECT_EQ(MapSyntax::holds(Map.Facts[1], [](StringRef) { return 0; }),
            std::nullopt);
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapTextTest, SeveralLines) {
  StringRef Wanted = "(d0)[s0] -> (s0, d0 * 2), domain: d0 in [0, 9], "
                     "s0 in [0, 3], d0 + s0 in [0, 10]";
  const char *const Texts[] = {
      // Today's.
      "(d0)[s0] -> (s0, d0 * 2),\ndomain:\nd0 in [0, 9],\ns0 in [0, 3],\n"
      "d0 + s0 in [0, 10],\nis_simplified: true",
      // Yesterday's, without commas.
      "(d0)[s0] -> (s0, d0 * 2)\r\n  domain:\r\n  d0 in [0, 9]\r\n"
      "  s0 in [0, 3]\r\n  (d0 + s0) in [0, 10]\r\n",
      // With comments.
      "// a map\n(d0) // of d0\n[s0] -> (s0, // first\n2*d0) domain: d0 in [0, "
      "//\n9], s0 in [0, 3], d0+s0 in [0, 10] // the end",
  };
  for (const char *Text : Texts)
    EXPECT_EQ(printed(Text), Wanted);
  EXPECT_EQ(printed("() -> (), is_simplified: false"), "() -> ()");
  EXPECT_EQ(printed("(is_simplified) -> (), domain: is_simplified in [0, 1]"),
            "(is_simplified) -> (), domain: is_simplified in [0, 1]");
}

TEST_F(IndexingMapTextTest, MapsOneAfterTheOther) {
  StringRef Text = "(d0) -> (d0), domain: d0 in [0, 1] (d0) -> (d0 + 1) -> (7) "
                   "KNOWN EMPTY ()[s0] -> (s0), domain: (s0) in [0, 2]\n"
                   "(s0 - 1) mod 2 in [0, 0] () -> (8)";
  SyntaxParser Parser(Text, "<test>");
  std::vector<size_t> Facts;
  while (!Parser.atEnd()) {
    EXPECT_TRUE(isAtMap(Parser));
    Expected<MapSyntax> Map = parseMapSyntax(Parser);
    ASSERT_TRUE(bool(Map)) << toString(Map.takeError());
    Facts.push_back(Map->Facts.size());
  }
  EXPECT_EQ(Facts, (std::vector<size_t>{1, 0, 0, 0, 2, 0}));
}

TEST_F(IndexingMapTextTest, WhereMapsBegin) {
  for (const char *Text :
       {"-> ()", "() ->", "(d0, d1) -> (", "()[s0]{rt0}\n-> ", "(d0){n} ->",
        "KNOWN EMPTY", "(d0, 3) -> ()"})
    EXPECT_TRUE(isAtMap(SyntaxParser(Text, "<test>"))) << Text;
  for (const char *Text :
       {"", "(d0)", "(d0 + 1) mod 2 in [0, 0]", "((d0)) -> ()", "KNOWN",
        "d0 in [0, 1]", "[s0] -> (s0)", "(d0[s0] -> (", "(d0"})
    EXPECT_FALSE(isAtMap(SyntaxParser(Text, "<test>"))) << Text;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapTextTest, Errors) {
  // The text after "<map>:1:".
  std::pair<const char *, const char *> Cases[] = {
      {"", "1: error: expected '(' and the names of the dimensions, as in "
           "'(d0) -> (d0 mod 4), domain: d0 in [0, 9]', found the end"},
      {"d0 -> (d0)", "1: error: expected '(' and the names of the dimensions"},
      {"(3) -> ()", "2: error: expected the name of a variable, found '3'"},
      {"(d0,) -> ()", "5: error: expected the name of a variable, found ')'"},
      {"(d0 d1) -> ()", "5: error: expected ')' behind the dimensions, found"},
      {"()[s0) -> ()", "6: error: expected ']' behind the ranges, found ')'"},
      {"(){s0] -> ()", "6: error: expected '}' behind the runtime variables"},
      {"(d0, d0) -> ()", "6: error: the map has a variable 'd0' already; "
                         "rename one of them"},
      {"(d0)[s0]{d0} -> ()", "10: error: the map has a variable 'd0' already"},
      {"(mod) -> ()", "2: error: 'mod' is a word of the language; give the "
                      "variable another name"},
      {"(d0)[in] -> ()", "6: error: 'in' is a word of the language"},
      {"(inf) -> ()", "2: error: 'inf' is a word of the language"},
      {"(floordiv) -> ()", "2: error: 'floordiv' is a word"},
      {"(d0, min) -> ()", "6: error: 'min' is a word of the language"},
      {"(domain) -> ()", "2: error: 'domain' is a word of the language"},
      {"(d0) (d0)", "6: error: expected '->' and the results of the map"},
      {"(d0) -> d0", "9: error: expected '(' before the results of the map"},
      {"(d0) -> (d0", "12: error: expected ')' behind the results of the map, "
                      "found the end of the text"},
      {"(d0) -> (d0) d0", "14: error: expected the end of the map, found 'd0'"},
      {"(d0) -> (d0), d0 in [0, 1]",
       "15: error: expected 'domain:' behind the results of the map, found"},
      {"(d0) -> () domain d0", "19: error: expected ':' behind 'domain'"},
      {"(d0) -> (x)", "10: error: unknown variable 'x'; the variables of the "
                      "map are d0"},
      {"() -> (1 + x)", "12: error: unknown variable 'x'; the map has no "
                        "variables"},
      {"() -> (inf)", "8: error: 'inf' is not a variable here"},
      {"(d0) -> (), domain: d0 in [0, x]", "31: error: unknown variable 'x'"},
      {"(d0) -> (), domain: d0",
       "23: error: expected a range, as in 'd0 in [0, "
       "9]', or a relation, as in 'd0 < 10', in the "
       "domain, found the end of the text"},
      {"(d0) -> (), domain: d0 = 3", "24: error: expected a range, as in"},
      {"(d0) -> (), domain: d0 in 0, 9", "27: error: expected '[' before the "
                                         "bounds, found '0'"},
      {"(d0) -> (), domain: d0 in [0 9]", "30: error: expected ',' between the "
                                          "bounds, found '9'"},
      {"(d0) -> (), domain: d0 in [0, 9)", "32: error: expected ']' behind the "
                                           "bounds, found ')'"},
      {"(d0) -> (), domain: d0 in [inf, inf]",
       "28: error: no value is above 'inf'; no lower bound is written '-inf'"},
      {"(d0) -> (), domain: d0 in [0, -inf]",
       "31: error: no value is below '-inf'; no upper bound is written 'inf'"},
      {"(d0) -> (), domain: d0 in [-inf + 1, 0]",
       "33: error: expected ',' between the bounds, found '+'"},
      {"(d0) -> (), domain: 0 <= d0 < 8", "21: error: relations do not chain; "
                                          "write '0 <= x, x < 8' or 'x in [0, "
                                          "7]' in place of '0 <= x < 8'"},
      {"() -> (), is_simplified: maybe", "26: error: expected 'true' or "
                                         "'false' behind 'is_simplified:'"},
      {"KNOWN FULL", "7: error: expected 'EMPTY' behind 'KNOWN', found 'FULL'"},
      // From lowering.
      {"(d0) -> (d0, 1 + d0 mod 0)", "18: error: division by zero"},
      {"(d0) -> (d0, d0 << d0)", "14: error: a shift by an amount that is"},
      {"(d0) -> (d0 * 4611686018427387904 * 4)",
       "10: error: the arithmetic leaves 64 bits"},
      {"(d0)[s0] -> (), domain: d0 - 2 in [0, s0 + 9223372036854775807]",
       "39: error: the distance from this bound leaves 64 bits"},
  };
  for (auto &[Text, Wanted] : Cases) {
    std::string Message = printed(Text);
    EXPECT_TRUE(startsWith(Message, std::string("<map>:1:") + Wanted))
        << Text << "\n"
        << Message;
  }
}

TEST_F(IndexingMapTextTest, ErrorsShowTheirPlace) {
  EXPECT_EQ(printed("(d0) -> (d0),\n  domain: d0 in [0, y]\n"),
            "<map>:2:21: error: unknown variable 'y'; the variables of the map "
            "are d0\n  domain: d0 in [0, y]\n                    ^");
  // Of many variables, the first.
  std::string Names = "a0";
  for (unsigned I = 1; I < 100; ++I)
    Names += ", a" + std::to_string(I);
  std::string Message = printed("(" + Names + ") -> (x)");
  EXPECT_NE(
      Message.find("are a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, "
                   "a12, a13, a14, a15, ...\n"),
      std::string::npos)
      << Message;
}

TEST_F(IndexingMapTextTest, LimitsOfTheContextAreErrors) {
  std::string Sum = "d0";
  for (unsigned I = 1; I <= Context.limits().MaxTerms; ++I)
    Sum += " + d" + std::to_string(I);
  std::string Names = StringRef(Sum).str();
  for (size_t I; (I = Names.find(" +")) != std::string::npos;)
    Names.replace(I, 2, ",");
  Expected<IndexingMap> Map =
      parseIndexingMap(Context, "(" + Names + ") -> (" + Sum + ")");
  ASSERT_FALSE(bool(Map));
  EXPECT_NE(toString(Map.takeError()).find("too large"), std::string::npos);
  EXPECT_TRUE(startsWith(printed("(" + Names + ") -> (" + Sum + ")"), "(d0, "));
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

TEST_F(IndexingMapTextTest, CanonicalText) {
  std::pair<const char *, const char *> Cases[] = {
      {"(a,b)[c]{d}->(a+b/3,c*d mod 8)domain:a in[0,9],d>=1,b<5,a+b in[0,11]",
       "(a, b)[c]{d} -> (a + b floordiv 3, (c * d) mod 8), domain: "
       "a in [0, 9], b in [-inf, 4], d in [1, inf], a + b in [0, 11]"},
      // Constraints are sorted and each is printed once.
      {"(d0) -> (), domain: d0 mod 3 in [1, 1], -d0 in [0, 4], d0 mod 3 == 1",
       "(d0) -> (), domain: -d0 in [0, 4], d0 mod 3 in [1, 1]"},
      // Without it the constraint would be the bound.
      {"(d0) -> (), domain: d0 in [-inf, inf], d0 in [0, 4]",
       "(d0) -> (), domain: d0 in [-inf, inf], d0 in [0, 4]"},
      {"(d0) -> (), domain: d0 in [-inf, inf]", "(d0) -> ()"},
      {"() -> (3, -3)", "() -> (3, -3)"},
  };
  for (auto &[Text, Wanted] : Cases)
    EXPECT_EQ(printed(Text), Wanted) << Text;
}

TEST_F(IndexingMapTextTest, OneExpression) {
  IndexingMap Map = parse("(x)[s0] -> (x mod 4)");
  EXPECT_EQ(toString(Map, Map.result(0)), "x mod 4");
  EXPECT_EQ(toString(Map, add(d(0), s(0), -3)), "x - s0 * 3");
}

TEST_F(IndexingMapTextTest, TheOrderOfConstraintsLeavesNoTrace) {
  std::vector<std::string> Facts = {
      "d0 in [0, 99]",      "s0 in [0, 99]",           "d0 * s0 in [0, 400]",
      "d0 mod 7 in [1, 2]", "(d0 + s0) mod 5 == 3",    "min(d0, s0) > 3",
      "d0 / 3 < s0 / 2",    "(d0 / 4) mod 3 in [0, 1]"};
  auto TextWith = [&] {
    return "(d0)[s0] -> (d0 / 4, min(s0, d0)), domain: " + join(Facts, ", ");
  };
  std::string First = printed(TextWith()), FirstSimplified;
  std::mt19937 Random(3);
  for (unsigned I = 0; I < 20; ++I) {
    IndexContext Fresh(TextLimits);
    Expected<IndexingMap> Map = parseIndexingMap(Fresh, TextWith());
    ASSERT_TRUE(bool(Map)) << toString(Map.takeError());
    EXPECT_EQ(toString(*Map), First);
    std::string Simplified = toString(Map->simplified());
    if (I == 0)
      FirstSimplified = Simplified;
    EXPECT_EQ(Simplified, FirstSimplified);
    std::shuffle(Facts.begin(), Facts.end(), Random);
  }
}

TEST_F(IndexingMapTextTest, XlasTextsComeBack) {
  const char *const Texts[] = {
      "() -> ()",
      "()[s0, s1] -> (s0 floordiv s1), domain: s0 in [0, 3], s1 in [0, 4]",
      "(d0, d1)[s0, s1, s2]{r0} -> (s2, d0 + d1, s1, s0, r0), domain: d0 in "
      "[0, 3], d1 in [0, 4], s0 in [0, 1], s1 in [0, 1], s2 in [0, 3], r0 in "
      "[0, 100], (r0 + 1) mod 5 in [1, 1], d0 mod 4 in [0, 0], d1 + s0 in [0, "
      "45]",
      "(bl_x) -> (bl_x floordiv 100663296), domain: bl_x in [0, 2415919103]",
      "(th_x, bl_x)[s0, vector_elem, s2]{gpu} -> (s2, bl_x + th_x * gpu, "
      "vector_elem, s0), domain: th_x in [0, 3], bl_x in [0, 4], s0 in [0, 1], "
      "vector_elem in [0, 1], s2 in [0, 3], gpu in [0, 1], (th_x * gpu) mod 4 "
      "in [0, 0], bl_x + s0 in [0, 45]",
      "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 90]",
  };
  for (const char *Text : Texts)
    EXPECT_EQ(printed(Text), Text);
}

/// Whether two maps agree at every point of the box of \p A, made larger by
/// one.
void expectSameValues(const IndexingMap &A, const IndexingMap &B) {
  Ranges Box = boxOf(A);
  for (Interval &Bounds : Box)
    Bounds = Bounds + Interval(-1, 1);
  for (const Point &P : pointsOfBox(Box)) {
    ASSERT_EQ(A.contains(P), B.contains(P));
    if (A.contains(P)) {
      ASSERT_EQ(A.evaluate(P), B.evaluate(P));
    }
  }
}

TEST_F(IndexingMapTextTest, RandomMapsComeBackFromText) {
  unsigned Same = 0, All = 0;
  for (uint64_t Seed = 0; Seed < 400; ++Seed) {
    IndexContext Context(TextLimits);
    RandomMaps Random(Context, Seed);
    IndexingMap Map = Random.map(Random.between(0, 2), Random.between(0, 2));
    for (const IndexingMap &M : {Map, Map.simplified()}) {
      std::string Text = toString(M);
      SCOPED_TRACE(Text);
      Expected<IndexingMap> Again = parseIndexingMap(Context, Text);
      ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
      EXPECT_EQ(Again->isKnownEmpty(), M.isKnownEmpty());
      if (M.isKnownEmpty())
        continue;
      EXPECT_EQ(boxOf(*Again), boxOf(M));
      expectSameValues(M, *Again);
      ++All;
      Same += *Again == M;
      // Evaluating the text, without the algebra.
      MapSyntax Syntax = parsed(Text);
      for (const Point &P : pointsOfBox(boxOf(M))) {
        auto ValueOf = [&](StringRef Name) -> std::optional<int64_t> {
          for (size_t I = 0; I < P.size(); ++I)
            if (M.nameOf(M.atomAt(I)) == Name)
              return P[I];
          return std::nullopt;
        };
        ASSERT_EQ(Syntax.contains(ValueOf), M.contains(P));
        for (size_t I = 0; M.contains(P) && I < M.results().size(); ++I)
          ASSERT_EQ(evaluate(Syntax.Results[I], ValueOf),
                    M.evaluate(M.result(I), P));
      }
    }
  }
  // Some quotients by symbolic divisors have several forms.
  EXPECT_GT(All, 500u);
  EXPECT_GT(Same * 100, All * 97);
}

TEST_F(IndexingMapTextTest, AnyTextIsAMapOrAnError) {
  const char *const Tokens[] = {"(d0)",
                                "[s0]",
                                "{n}",
                                "->",
                                "(",
                                ")",
                                ",",
                                "domain:",
                                "domain",
                                "d0",
                                "s0",
                                "n",
                                "in",
                                "[0, 9]",
                                "[",
                                "]",
                                "inf",
                                "-",
                                "<",
                                "mod",
                                " 4 ",
                                "\n",
                                "//",
                                "KNOWN EMPTY",
                                "&&",
                                "||",
                                "==",
                                "0",
                                "min(d0,",
                                "==",
                                "\xFF",
                                "in [0, 9]",
                                "(d0) -> (d0), domain: ",
                                "is_simplified: true"};
  std::mt19937 Random(1);
  unsigned Maps = 0;
  for (unsigned I = 0; I < 50000; ++I) {
    std::string Text = Random() % 2 ? "(d0)[s0]{n} -> (d0) domain: " : "";
    for (unsigned Length = Random() % 10; Length > 0; --Length)
      Text += std::string(Tokens[Random() % std::size(Tokens)]) + " ";
    IndexContext Context(TextLimits);
    Expected<IndexingMap> Map = parseIndexingMap(Context, Text);
    if (!Map) {
      EXPECT_TRUE(startsWith(toString(Map.takeError()), "<map>:")) << Text;
      continue;
    }
    ++Maps;
    std::string Canonical = toString(*Map);
    EXPECT_EQ(printed(Canonical), Canonical) << Text;
  }
  EXPECT_GT(Maps, 500u);
}

} // namespace
