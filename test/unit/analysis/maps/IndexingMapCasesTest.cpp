//===- IndexingMapCasesTest.cpp - XLA's own map tests ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads test/Inputs/indexing_maps.jsonl (facts collected from XLA's tests) and
// beyond_xla.jsonl (maps that XLA leaves as they are). A result has to mean the
// same as the expected map and cost no more; spelling does not matter.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapEquality.h"
#include "analysis/maps/IndexingMapOps.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/syntax/IndexRaising.h"
#include "analysis/syntax/SimplifySyntax.h"
#include "test/unit/CaseFile.h"
#include <random>

using namespace llvm;
using namespace unravel;

namespace {

constexpr IndexLimits Limits{4096, 64};

std::string field(const json::Object &O, StringRef Name) {
  return O.getString(Name).value_or("").str();
}

IndexingMap parse(IndexContext &Context, StringRef Text) {
  Expected<IndexingMap> Map = parseIndexingMap(Context, Text);
  if (!Map) {
    ADD_FAILURE() << Text.str() << "\n" << toString(Map.takeError());
    return IndexingMap(Context);
  }
  return *Map;
}

SyntaxCost costOfResults(const IndexingMap &Map) {
  SyntaxCost Sum;
  for (IndexExpr E : Map.results()) {
    SyntaxCost C = costOf(raise(
        Map.context(), E, [&](const IndexAtom *A) { return Map.nameOf(A); }));
    Sum.Divisions += C.Divisions;
    Sum.Operations += C.Operations;
  }
  return Sum;
}

/// \p Got means the same as \p Want and does not cost more.
void expectAsGoodAs(const IndexingMap &Got, const IndexingMap &Want) {
  if (Got.isKnownEmpty() || Want.isKnownEmpty()) {
    EXPECT_EQ(Got.isKnownEmpty(), Want.isKnownEmpty());
    return;
  }
  MapEquality Equal = compareMaps(Got, Want);
  EXPECT_TRUE(Equal.AreEqual == Answer::Yes) << toString(Got) << "\nis not\n"
                                             << toString(Want) << "\n"
                                             << Equal.Reason;
  EXPECT_FALSE(costOfResults(Want) < costOfResults(Got))
      << toString(Got) << "\nis more expensive than\n"
      << toString(Want);
}

void expectAsGoodAs(const IndexingMap &Got, StringRef Want) {
  IndexContext &Context = Got.context();
  if (Want == "KNOWN EMPTY") {
    EXPECT_TRUE(Got.isKnownEmpty()) << toString(Got);
    return;
  }
  if (Want != "IDEMPOTENT")
    expectAsGoodAs(Got, parse(Context, Want));
}

/// Runs \p Check on the cases of the kinds that start with \p Kind; returns how
/// many there were.
unsigned forEachCase(StringRef File, StringRef Kind,
                     function_ref<void(const json::Object &)> Check) {
  unsigned Count = 0;
  for (const json::Value &V : test::readCases(File.str())) {
    const json::Object &O = *V.getAsObject();
    if (!O.getString("kind")->starts_with(Kind))
      continue;
    SCOPED_TRACE(field(O, "src") + ": " + field(O, "input"));
    Check(O);
    ++Count;
  }
  return Count;
}

void checkSimplified(const json::Object &O) {
  IndexContext Context(Limits);
  IndexingMap Map = parse(Context, field(O, "input"));
  IndexingMap Simple = Map.simplified();
  EXPECT_TRUE(Simple.simplified() == Simple) << "not idempotent";
  if (!Simple.isKnownEmpty())
    expectAsGoodAs(Simple, Map);
  // Upstream truncates where it says floor; the note in the file explains it.
  if (StringRef(field(O, "note")).starts_with("suspect"))
    return;
  expectAsGoodAs(Simple, field(O, "expect"));
}

TEST(IndexingMapCases, Simplify) {
  EXPECT_EQ(forEachCase("indexing_maps.jsonl", "simplify", checkSimplified),
            23u);
}

TEST(IndexingMapCases, Constraints) {
  EXPECT_EQ(forEachCase("indexing_maps.jsonl", "constraint", checkSimplified),
            9u);
}

/// The bounds are part of what is to be reached.
TEST(IndexingMapCases, BeyondXLA) {
  unsigned Count =
      forEachCase("beyond_xla.jsonl", "challenge", [](const json::Object &O) {
        checkSimplified(O);
        IndexContext Context(Limits);
        IndexingMap Got = parse(Context, field(O, "input")).simplified();
        IndexingMap Want = parse(Context, field(O, "expect"));
        for (size_t I = 0; I < Want.numVariables(); ++I)
          EXPECT_TRUE(
              Want.variableAt(I).Bounds.contains(Got.variableAt(I).Bounds))
              << toString(Got);
      });
  EXPECT_EQ(Count, 9u);
}

TEST(IndexingMapCases, Compose) {
  unsigned Count =
      forEachCase("indexing_maps.jsonl", "compose", [](const json::Object &O) {
        IndexContext Context(Limits);
        std::optional<IndexingMap> Composed =
            compose(parse(Context, field(O, "first")),
                    parse(Context, field(O, "second")));
        ASSERT_TRUE(Composed);
        expectAsGoodAs(Composed->simplified(), field(O, "expect"));
        if (O.get("simplified_expect"))
          expectAsGoodAs(Composed->simplified(), field(O, "simplified_expect"));
      });
  EXPECT_EQ(Count, 6u);
}

TEST(IndexingMapCases, Rescale) {
  unsigned Count =
      forEachCase("indexing_maps.jsonl", "rescale", [](const json::Object &O) {
        IndexContext Context(Limits);
        std::optional<IndexingMap> Map =
            rescaleSymbols(parse(Context, field(O, "input")));
        ASSERT_TRUE(Map);
        if (O.get("nondeterministic_alternatives")) {
          // Both congruences at once: s0 = 42*k + 33.
          EXPECT_EQ(toString(Map->simplified()),
                    "(d0)[s0, s1, s2] -> (s2, d0, s1, s0 * 42 + 33), domain: "
                    "d0 in [0, 3], s0 in [0, 1], s1 in [0, 1], s2 in [0, 5]");
          return;
        }
        expectAsGoodAs(*Map, field(O, "expect"));
      });
  EXPECT_EQ(Count, 2u);
}

TEST(IndexingMapCases, RemoveUnused) {
  unsigned Count = forEachCase(
      "indexing_maps.jsonl", "remove_unused", [](const json::Object &O) {
        IndexContext Context(Limits);
        IndexingMap Map = parse(Context, field(O, "input"));
        ReducedMap Reduced = field(O, "op") == "RemoveUnusedSymbols"
                                 ? removeUnusedSymbols(Map)
                                 : removeUnusedVariables(Map);
        expectAsGoodAs(Reduced.Map, field(O, "expect"));
        if (const json::Array *Removed =
                O.getArray("removed_dims_then_symbols")) {
          for (size_t I = 0; I < Removed->size(); ++I)
            EXPECT_EQ(Reduced.Removed[I], *(*Removed)[I].getAsBoolean());
        }
      });
  EXPECT_EQ(Count, 4u);
}

TEST(IndexingMapCases, ConvertVariables) {
  unsigned Count = forEachCase(
      "indexing_maps.jsonl", "convert_vars", [](const json::Object &O) {
        IndexContext Context(Limits);
        SmallVector<unsigned> Numbers;
        for (const json::Value &V : *O.getArray("indices"))
          Numbers.push_back(*V.getAsInteger());
        std::optional<IndexingMap> Map = convertRangesToDimensions(
            parse(Context, field(O, "input")), Numbers);
        ASSERT_TRUE(Map);
        expectAsGoodAs(*Map, field(O, "expect"));
      });
  EXPECT_EQ(Count, 1u);
}

TEST(IndexingMapCases, RoundTrip) {
  unsigned Count = forEachCase(
      "indexing_maps.jsonl", "roundtrip", [](const json::Object &O) {
        IndexContext Context(Limits);
        IndexingMap Map = parse(Context, field(O, "input"));
        expectAsGoodAs(Map, field(O, "expect"));
        if (!Map.isKnownEmpty()) {
          EXPECT_TRUE(parse(Context, toString(Map)) == Map) << toString(Map);
        }
      });
  EXPECT_EQ(Count, 9u);
}

TEST(IndexingMapCases, RangesOfResults) {
  unsigned Count =
      forEachCase("indexing_maps.jsonl", "range", [](const json::Object &O) {
        IndexContext Context(Limits);
        std::string Text = field(O, "input"), Got;
        // Two of the cases are a bare expression in front of a domain.
        if (!StringRef(Text).contains("->")) {
          auto [Expr, Domain] = StringRef(Text).split("; ");
          Text = "(d0, d1, d2, d3) -> (" + Expr.str() + "), " + Domain.str();
        }
        for (const Interval &I : parse(Context, Text).rangesOfResults())
          Got += (Got.empty() ? "" : ", ") + I.str();
        EXPECT_EQ(Got, field(O, "expect"));
      });
  EXPECT_EQ(Count, 4u);
}

TEST(IndexingMapCases, Evaluate) {
  unsigned Count =
      forEachCase("indexing_maps.jsonl", "evaluate", [](const json::Object &O) {
        IndexContext Context(Limits);
        IndexingMap::Point P;
        for (StringRef Kind : {"dims", "symbols"})
          for (const json::Value &V : *O.getArray(Kind))
            P.push_back(*V.getAsInteger());
        std::string Got;
        std::vector<int64_t> Values =
            parse(Context, field(O, "input")).evaluate(P).value();
        for (int64_t V : Values)
          Got += (Got.empty() ? "[" : ", ") + std::to_string(V);
        EXPECT_EQ(Got + "]", field(O, "expect"));
      });
  EXPECT_EQ(Count, 2u);
}

//===----------------------------------------------------------------------===//
// Single expressions over v0, v1, ...
//===----------------------------------------------------------------------===//

SyntaxTree tree(StringRef Text) {
  Expected<SyntaxTree> Tree = parseSyntax(Text, "<case>");
  if (Tree)
    return *Tree;
  ADD_FAILURE() << toString(Tree.takeError());
  return syntaxNumber(0);
}

const std::vector<NamedRange> Names = {
    {"v0", Interval()}, {"v1", Interval()}, {"v2", Interval()}};

TEST(IndexingMapCases, ExpressionsSimplify) {
  unsigned Count = forEachCase(
      "indexing_maps.jsonl", "expr_simplify", [](const json::Object &O) {
        SyntaxTree Input = tree(field(O, "input"));
        SyntaxTree Want = tree(field(O, "expect"));
        SimplifiedSyntax Got = cantFail(simplifySyntax(Input, Names, nullptr));
        EXPECT_FALSE(costOf(Want) < Got.Cost)
            << toString(Got.Tree, SyntaxDialect::IndexingMap);
        std::mt19937_64 Random(1);
        for (unsigned I = 0; I < 200; ++I) {
          int64_t V[3];
          for (int64_t &X : V)
            X = std::uniform_int_distribution<int64_t>(-99, 99)(Random);
          auto ValueOf = [&](StringRef Name) -> std::optional<int64_t> {
            return V[Name[1] - '0'];
          };
          EXPECT_EQ(evaluate(Got.Tree, ValueOf), evaluate(Input, ValueOf));
          EXPECT_EQ(evaluate(Want, ValueOf), evaluate(Input, ValueOf));
        }
      });
  EXPECT_EQ(Count, 22u);
}

TEST(IndexingMapCases, ExpressionsEvaluate) {
  unsigned Count = forEachCase(
      "indexing_maps.jsonl", "expr_evaluate", [](const json::Object &O) {
        if (O.get("numerators")) {
          // The rules of the file: mod is not negative, floor and ceiling
          // differ by one unless the division is exact.
          for (int64_t N : {5, -5, 4, -4})
            for (int64_t D : {2, -2}) {
              auto Value = [&](StringRef Op) {
                return *evaluate(tree((Twine(N) + Op + Twine(D)).str()),
                                 [](StringRef) { return std::nullopt; });
              };
              bool Exact = N % D == 0;
              EXPECT_EQ(Value(" mod "), Exact ? 0 : 1);
              EXPECT_EQ(Value(" floordiv ") + (Exact ? 0 : 1),
                        Value(" ceildiv "));
            }
          return;
        }
        const json::Array &Values = *O.getArray("vars");
        auto ValueOf = [&](StringRef Name) -> std::optional<int64_t> {
          return *Values[Name[1] - '0'].getAsInteger();
        };
        EXPECT_EQ(std::to_string(*evaluate(tree(field(O, "input")), ValueOf)),
                  field(O, "expect"));
      });
  EXPECT_EQ(Count, 2u);
}

TEST(IndexingMapCases, MultiplesOfAFactor) {
  unsigned Count = forEachCase(
      "indexing_maps.jsonl", "expr_multiple_of", [](const json::Object &O) {
        IndexContext Context(Limits);
        IndexingMap Map =
            parse(Context, "(v0, v1) -> (" + field(O, "input") + ")");
        Congruence C = Map.domain().congruence(Map.result(0));
        int64_t Factor = *O.getInteger("factor");
        bool IsMultiple =
            C.modulus() % Factor == 0 && C.residue() % Factor == 0;
        EXPECT_EQ(IsMultiple ? "true" : "false", field(O, "expect"));
      });
  EXPECT_EQ(Count, 7u);
}

TEST(IndexingMapCases, Replace) {
  unsigned Count = forEachCase(
      "indexing_maps.jsonl", "expr_replace", [](const json::Object &O) {
        IndexContext Context(Limits);
        auto Parse = [&](const std::string &Expr) {
          return parse(Context, "(v0, v1, v2) -> (" + Expr + ")");
        };
        DenseMap<const IndexAtom *, IndexExpr> Replacements;
        for (const auto &[Name, By] : *O.getObject("replace"))
          Replacements[Parse(Name.str()).result(0).asAtom()] =
              Parse(By.getAsString()->str()).result(0);
        EXPECT_EQ(substitute(IndexDomain(Context),
                             Parse(field(O, "input")).result(0), Replacements),
                  Parse(field(O, "expect")).result(0));
      });
  EXPECT_EQ(Count, 1u);
}

//===----------------------------------------------------------------------===//
// The examples of the indexing-analysis document
//===----------------------------------------------------------------------===//

std::string simplified(StringRef Text) {
  IndexContext Context(Limits);
  return toString(parse(Context, Text).simplified());
}

TEST(IndexingDocument, Example1) {
  EXPECT_EQ(simplified("(d0, d1) -> (d0 + d1 / 16, d1 mod 16), domain: "
                       "d0 in [0, 6], d1 in [0, 14]"),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 6], d1 in [0, 14]");
}

TEST(IndexingDocument, Example2) {
  EXPECT_EQ(simplified("(d0, d1, d2) -> ((100 * d0 + 10 * d1 + d2) / 100, "
                       "((100 * d0 + 10 * d1 + d2) mod 100) / 10, d2 mod 10), "
                       "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"),
            "(d0, d1, d2) -> (d0, d1, d2), "
            "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]");
}

TEST(IndexingDocument, Example3) {
  EXPECT_EQ(simplified("(d0, d1, d2) -> ((16 * d0 + 4 * d1 + d2) / 8, "
                       "(16 * d0 + 4 * d1 + d2) mod 8), "
                       "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"),
            "(d0, d1, d2) -> "
            "(d0 * 2 + (d1 * 4 + d2) floordiv 8, (d1 * 4 + d2) mod 8), "
            "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]");
}

TEST(IndexingDocument, Example4) {
  EXPECT_EQ(simplified("(d0, d1) -> (-((-11 * d0 - d1 + 109) / 11) + 9), "
                       "domain: d0 in [0, 9], d1 in [0, 10]"),
            "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 10]");
}

TEST(IndexingDocument, ChainedReshapesCancel) {
  IndexContext Context(Limits);
  IndexingMap Second =
      parse(Context, "(d0, d1, d2) -> ((d0 * 100 + d1 * 10 + d2) floordiv 20, "
                     "(d0 * 100 + d1 * 10 + d2) mod 20), "
                     "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]");
  IndexingMap First = parse(
      Context, "(d0, d1) -> ((d0 * 20 + d1) floordiv 100, "
               "((d0 * 20 + d1) mod 100) floordiv 10, (d0 * 20 + d1) mod 10), "
               "domain: d0 in [0, 49], d1 in [0, 19]");
  EXPECT_EQ(toString(compose(Second, First)->simplified()),
            "(d0, d1, d2) -> (d0, d1, d2), "
            "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]");
}

TEST(IndexingDocument, PartialReshapes) {
  // f32[4, 8, 12] -> f32[32, 3, 4] as linearize and delinearize.
  EXPECT_EQ(simplified("(d0, d1, d2) -> ((d0 * 12 + d1 * 4 + d2) floordiv 96, "
                       "((d0 * 12 + d1 * 4 + d2) floordiv 12) mod 8, "
                       "(d0 * 12 + d1 * 4 + d2) mod 12), "
                       "domain: d0 in [0, 31], d1 in [0, 2], d2 in [0, 3]"),
            "(d0, d1, d2) -> (d0 floordiv 8, d0 mod 8, d1 * 4 + d2), "
            "domain: d0 in [0, 31], d1 in [0, 2], d2 in [0, 3]");
}

//===----------------------------------------------------------------------===//
// The same with sizes that are only known at run time
//===----------------------------------------------------------------------===//

TEST(SymbolicSizes, LinearizeAndDelinearize) {
  EXPECT_EQ(simplified("(a, b, c){H, W} -> (((a * H + b) * W + c) floordiv "
                       "(W * H), (((a * H + b) * W + c) floordiv W) mod H, "
                       "((a * H + b) * W + c) mod W), domain: a in [0, inf], "
                       "b in [0, H - 1], c in [0, W - 1], "
                       "H in [1, 65535], W in [1, 65535]"),
            "(a, b, c){H, W} -> (a, b, c), domain: a in [0, inf], "
            "b in [0, 65534], c in [0, 65534], H in [1, 65535], "
            "W in [1, 65535], b - H in [-65535, -1], c - W in [-65535, -1]");
}

TEST(SymbolicSizes, DelinearizeAndLinearize) {
  EXPECT_EQ(simplified("(x){H, W} -> ((x floordiv (W * H)) * (H * W) + "
                       "((x floordiv W) mod H) * W + x mod W), domain: "
                       "x in [0, inf], H in [1, inf], W in [1, inf]"),
            "(x){H, W} -> (x), domain: x in [0, inf], H in [1, inf], "
            "W in [1, inf]");
}

TEST(SymbolicSizes, ABoundThatIsAProduct) {
  EXPECT_EQ(simplified("(x){H, W} -> (x floordiv (H * W), (x floordiv W) mod "
                       "H), domain: x in [0, H * W - 1], H in [1, inf], "
                       "W in [1, inf]"),
            "(x){H, W} -> (0, x floordiv W), domain: x in [0, inf], "
            "H in [1, inf], W in [1, inf], x - H * W in [-inf, -1]");
}

/// Without x < H*W the quotient and the remainder stay.
TEST(SymbolicSizes, ABoundThatIsAProduct_negative) {
  EXPECT_EQ(simplified("(x){H, W} -> (x floordiv (H * W)), domain: "
                       "x in [0, H * W], H in [1, inf], W in [1, inf]"),
            "(x){H, W} -> (x floordiv (H * W)), domain: x in [0, inf], "
            "H in [1, inf], W in [1, inf], x - H * W in [-inf, 0]");
}

TEST(SymbolicSizes, AClampThatIsImplied) {
  EXPECT_EQ(simplified("(y, x){H, W} -> (min(y * W + x, H * W - 1)), domain: "
                       "y in [0, H - 1], x in [0, W - 1], H in [1, 4096], "
                       "W in [1, 4096]"),
            "(y, x){H, W} -> (x + y * W), domain: y in [0, 4095], "
            "x in [0, 4095], H in [1, 4096], W in [1, 4096], "
            "x - W in [-4096, -1], y - H in [-4096, -1]");
}

} // namespace
