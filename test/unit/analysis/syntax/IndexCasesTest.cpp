//===- IndexCasesTest.cpp - The identities that other systems know --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads test/Inputs/index_identities.jsonl (facts collected from the tests of
// TVM, Halide, XLA, tinygrad, nvFuser, MLIR, Inductor and LLVM), simplifies
// each input, compares the result with the input at random points of its box,
// and its cost with the peer's form.
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/SimplifySyntax.h"
#include "test/unit/CaseFile.h"
#include <map>
#include <random>
#include <set>

using namespace llvm;
using namespace unravel;

namespace {

using Point = std::map<std::string, int64_t>;

/// One line of the file.
struct Case {
  explicit Case(const json::Object &O)
      : Source(O.getString("src")->str()), Kind(*O.getString("kind")),
        Priority(*O.getInteger("prio")) {
    Input = parse(O, "input");
    if (O.getString("cond"))
      Condition = parse(O, "cond");
    Expect = parse(O, "expect");
    std::set<std::string> Unbounded;
    if (const json::Array *U = O.getArray("unbounded"))
      for (const json::Value &V : *U)
        Unbounded.insert(V.getAsString()->str());
    for (const auto &[Name, Ends] : *O.getObject("vars")) {
      int64_t Lo = *(*Ends.getAsArray())[0].getAsInteger();
      int64_t Hi = *(*Ends.getAsArray())[1].getAsInteger();
      Box[Name.str()] = Interval(Lo, Hi);
      Interval Range(Lo, Hi);
      if (Unbounded.count(Name.str()))
        Range = Lo >= 0 ? Interval::atLeast(Lo) : Interval();
      Variables.push_back({Name.str(), Range});
    }
    llvm::sort(Variables, [](const NamedRange &A, const NamedRange &B) {
      return A.Name < B.Name;
    });
  }

  static SyntaxTree parse(const json::Object &O, StringRef Field) {
    Expected<SyntaxTree> Tree = parseSyntax(*O.getString(Field), Field);
    if (!Tree) {
      ADD_FAILURE() << toString(Tree.takeError());
      return syntaxNumber(0);
    }
    return *Tree;
  }

  std::string Source;
  StringRef Kind;
  int64_t Priority;
  SyntaxTree Input, Condition, Expect;
  std::map<std::string, Interval> Box;
  std::vector<NamedRange> Variables;
};

std::optional<int64_t> valueOfPoint(const SyntaxTree &Tree, const Point &P) {
  return evaluate(Tree, [&](StringRef Name) -> std::optional<int64_t> {
    auto It = P.find(Name.str());
    return It == P.end() ? std::nullopt : std::optional(It->second);
  });
}

std::string text(const SyntaxTree &Tree) {
  return toString(Tree, SyntaxDialect::Functions);
}

/// Compares values and range at random points; corners come up often enough.
void checkValues(const Case &C, const SimplifiedSyntax &Simple,
                 std::mt19937_64 &Random) {
  bool Condition = isCondition(C.Input->Op);
  for (unsigned I = 0; I < 300; ++I) {
    Point P;
    for (const auto &[Name, Box] : C.Box)
      P[Name] =
          std::uniform_int_distribution<int64_t>(Box.lo(), Box.hi())(Random);
    std::optional<int64_t> Want = valueOfPoint(C.Input, P);
    if (!Want || (C.Condition && !valueOfPoint(C.Condition, P).value_or(0)))
      continue;
    std::optional<int64_t> Got = valueOfPoint(Simple.Tree, P);
    ASSERT_TRUE(Got) << "no value";
    if (Condition) {
      ASSERT_EQ(*Got != 0, *Want != 0) << "WRONG";
    } else {
      ASSERT_EQ(*Got, *Want) << "WRONG";
    }
    ASSERT_TRUE(Simple.Range.contains(*Want))
        << "range " << Simple.Range.str() << " without " << *Want;
  }
}

struct Score {
  unsigned Good = 0, Bad = 0;
  double share() const { return double(Good) / (Good + Bad); }
};

/// Runs the cases that \p Wanted picks; \p IsGood judges a result.
Score run(function_ref<bool(const Case &)> Wanted,
          function_ref<bool(const Case &, const SimplifiedSyntax &)> IsGood) {
  Score S;
  std::mt19937_64 Random(1);
  for (const json::Value &V : test::readCases("index_identities.jsonl")) {
    const json::Object &O = *V.getAsObject();
    StringRef Kind = *O.getString("kind");
    if (Kind != "rewrite" && Kind != "noop" && Kind != "prove" &&
        Kind != "range")
      continue;
    Case C(O);
    if (!Wanted(C))
      continue;
    SCOPED_TRACE(C.Source + ": " + text(C.Input));
    Expected<SimplifiedSyntax> Simple =
        simplifySyntax(C.Input, C.Variables, C.Condition);
    if (!Simple) {
      ADD_FAILURE() << toString(Simple.takeError());
      continue;
    }
    checkValues(C, *Simple, Random);
    // Simplifying the result again finds nothing more.
    Expected<SimplifiedSyntax> Again =
        simplifySyntax(Simple->Tree, C.Variables, C.Condition);
    EXPECT_TRUE(Again && !(Again->Cost < Simple->Cost))
        << "not idempotent: " << text(Simple->Tree) << " and then "
        << text(Again->Tree);
    bool Good = IsGood(C, *Simple);
    ++(Good ? S.Good : S.Bad);
    if (!Good)
      std::cout << C.Source << ": " << text(C.Input) << " => "
                << text(Simple->Tree) << "; peer: " << text(C.Expect) << "\n";
  }
  std::cout << S.Good << " of " << S.Good + S.Bad << "\n";
  return S;
}

double shareAsCheapAsThePeers(int64_t Priority) {
  return run(
             [&](const Case &C) {
               return C.Priority == Priority &&
                      (C.Kind == "rewrite" || C.Kind == "noop");
             },
             [](const Case &C, const SimplifiedSyntax &Simple) {
               return Simple.Cost.Divisions <= costOf(C.Expect).Divisions;
             })
      .share();
}

TEST(IndexCases, DivisionsAreAsCheapAsThePeers) {
  EXPECT_GE(shareAsCheapAsThePeers(1), 0.99);
}

TEST(IndexCases, OtherRewritesAreAsCheapAsThePeers) {
  EXPECT_GE(shareAsCheapAsThePeers(2), 0.99);
}

TEST(IndexCases, LinearRewritesAreAsCheapAsThePeers) {
  EXPECT_GE(shareAsCheapAsThePeers(3), 1.0);
}

TEST(IndexCases, ComparisonsAreDecided) {
  Score S =
      run([](const Case &C) { return C.Kind == "prove" || C.Kind == "range"; },
          [](const Case &C, const SimplifiedSyntax &Simple) {
            return Simple.Tree->Op == SyntaxOp::Number &&
                   Simple.Tree->Value == C.Expect->Value;
          });
  EXPECT_GE(S.share(), 0.95);
}

} // namespace
