//===- IndexLoweringTest.cpp - Forms of syntax trees ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each operator lowers to, what has no form and why, and the values at
// every point of small boxes, as IndexSyntax.h defines them.
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexLowering.h"
#include "test/unit/FloorBasisTestHelper.h"
#include <map>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

class IndexLoweringTest : public FloorBasisFixture {
protected:
  void declare(StringRef Name, const Interval &Range) {
    Names[Name.str()] = var(Name, Range);
  }
  SyntaxTree tree(StringRef Text) {
    Expected<SyntaxTree> Tree = parseSyntax(Text, "test");
    if (!Tree) {
      ADD_FAILURE() << toString(Tree.takeError());
      return syntaxNumber(0);
    }
    return *Tree;
  }
  IndexExpr lookup(StringRef Name) {
    auto It = Names.find(Name.str());
    return It == Names.end() ? IndexExpr() : It->second;
  }
  IndexExpr form(StringRef Text) {
    Failure = {};
    return lower(
        Basis, tree(Text), [&](StringRef Name) { return lookup(Name); },
        Failure);
  }
  std::string lowered(StringRef Text) { return text(form(Text)); }
  /// "offset: reason" of a tree without a form.
  std::string reason(StringRef Text) {
    EXPECT_FALSE(form(Text)) << Text.str();
    return std::to_string(Failure.Offset) + ": " + Failure.Reason;
  }
  bool assumes(StringRef Text) {
    bool Whole = assume(Domain, tree(Text),
                        [&](StringRef Name) { return lookup(Name); });
    Basis.forget();
    return Whole;
  }
  /// Compares with the definition at every point of the box; returns how many
  /// points have a value.
  unsigned check(StringRef Text);

  std::map<std::string, IndexExpr> Names;
  LoweringFailure Failure;
};

unsigned IndexLoweringTest::check(StringRef Text) {
  SyntaxTree Tree = tree(Text);
  IndexExpr E = form(Text);
  if (!E) {
    ADD_FAILURE() << Text.str() << ": " << Failure.Reason;
    return 0;
  }
  std::vector<std::map<std::string, int64_t>> Points = {{}};
  for (const auto &[Name, V] : Names) {
    std::vector<std::map<std::string, int64_t>> Longer;
    Interval R = Domain.boundsOf(V.asAtom());
    for (auto P : Points)
      for (int64_t X = R.lo(); X <= R.hi(); ++X) {
        P[Name] = X;
        Longer.push_back(P);
      }
    Points = Longer;
  }
  unsigned Defined = 0;
  for (const auto &P : Points) {
    std::optional<int64_t> Want =
        evaluate(Tree, [&](StringRef Name) -> std::optional<int64_t> {
          return P.at(Name.str());
        });
    if (!Want)
      continue;
    ++Defined;
    std::optional<int64_t> Got = evaluate(E, [&](const IndexAtom *A) {
      return std::optional(P.at(A->name().str()));
    });
    if (Got != Want) {
      std::string At;
      for (const auto &[Name, X] : P)
        At += " " + Name + "=" + std::to_string(X);
      ADD_FAILURE() << Text.str() << " = " << text(E) << " at" << At;
      break;
    }
  }
  return Defined;
}

TEST_F(IndexLoweringTest, Operators) {
  declare("x", Interval());
  declare("y", Interval());
  EXPECT_EQ(lowered("x + 3 * y - 2"), "x + 3 * y - 2");
  EXPECT_EQ(lowered("-x"), "-x");
  EXPECT_EQ(lowered("x * y"), "x * y");
  EXPECT_EQ(lowered("x << 3"), "8 * x");
  EXPECT_EQ(lowered("x >> 3"), "x floordiv 8");
  EXPECT_EQ(lowered("x & 7"), "x mod 8");
  EXPECT_EQ(lowered("7 & x"), "x mod 8");
  EXPECT_EQ(lowered("x & -8"), text(Context.sub(form("x"), form("x & 7"))));
  EXPECT_EQ(lowered("x & 24"), "8 * ((x floordiv 8) mod 4)");
  EXPECT_EQ(lowered("x & 0"), "0");
  EXPECT_EQ(lowered("x & -1"), "x");
  EXPECT_EQ(lowered("12 & 10"), "8");
  EXPECT_EQ(form("x & 5"), form("x mod 2 + 4 * (x / 4 mod 2)"));
  EXPECT_EQ(form("x & -6"), form("x - (x & 5)"));
  EXPECT_EQ(form("x | 5"), form("x + 5 - (x & 5)"));
  EXPECT_EQ(form("x & y"), form("(x + y - (x xor y)) / 2"));
  EXPECT_EQ(form("x ^ y"), form("y xor x"));
  EXPECT_EQ(lowered("x xor x"), "0");
  EXPECT_EQ(form("x < y"), form("!(x >= y)"));
  EXPECT_EQ(form("x != y"), form("!(x == y)"));
  EXPECT_EQ(form("x <= y"), form("y >= x"));
  EXPECT_EQ(form("x > y"), form("y < x"));
}

TEST_F(IndexLoweringTest, Failures) {
  declare("x", Interval());
  declare("y", Interval());
  EXPECT_EQ(reason("x + z"), "4: unknown variable 'z'");
  EXPECT_NE(reason("x / 0").find("division by zero"), std::string::npos);
  EXPECT_NE(reason("x + y % 0").find("division by zero"), std::string::npos);
  EXPECT_NE(reason("x & 9223372036854775807").find("64 bits"),
            std::string::npos);
  EXPECT_NE(reason("x << y").find("not constant"), std::string::npos);
  EXPECT_NE(reason("x << 63").find("not in [0, 62]"), std::string::npos);
  EXPECT_NE(reason("x >> -1").find("not in [0, 62]"), std::string::npos);
  EXPECT_NE(reason("(x << 40) << 40").find("64 bits"), std::string::npos);
}

TEST_F(IndexLoweringTest, ArmsOfASelectKnowTheCondition) {
  declare("x", Interval());
  EXPECT_EQ(lowered("select(0 <= x && x < 8, x mod 8, x)"), "x");
  EXPECT_EQ(form("select(x >= 0, max(x, 0), 0 - min(x, 0))"),
            form("select(x >= 0, x, 0 - x)"));
  EXPECT_EQ(lowered("select(x > 3, 5, 5)"), "5");
}
TEST_F(IndexLoweringTest, ArmsOfASelectKnowTheCondition_negative) {
  declare("x", Interval());
  EXPECT_NE(lowered("select(0 <= x && x < 9, x mod 8, x)"), "x");
  // The arms' facts end with the select.
  EXPECT_EQ(form("select(0 <= x && x < 8, x mod 8, x) + x mod 8"),
            Context.add(form("x"), form("x mod 8")));
}

/// What is only computed under a condition may divide by zero elsewhere, where
/// the whole has a value all the same.
TEST_F(IndexLoweringTest, PartialDivisions) {
  declare("x", {-4, 5});
  declare("n", {-1, 2});
  EXPECT_EQ(check("x floordiv n"), 30u); // without n = 0
  for (const char *Text :
       {"select(n > 0, x floordiv n, 0)", "select(n == 0, 0, tdiv(x, n))",
        "n > 0 && x mod n == 1", "n == 0 || x mod n == 1",
        "select(n != 0, (x floordiv n) floordiv n, 7) * n",
        "select(n != 0 && x mod n == 0, x floordiv n, 7)"})
    EXPECT_EQ(check(Text), 40u);
}
/// The divisor stays as it is where it is never zero.
TEST_F(IndexLoweringTest, PartialDivisions_negative) {
  declare("x", {0, 9});
  declare("m", {1, 3});
  EXPECT_EQ(countDivisions(form("select(x > m, x floordiv m, 0)")), 1u);
  EXPECT_EQ(lowered("select(x > m, x floordiv m, 0)").find("=="),
            std::string::npos);
}

TEST_F(IndexLoweringTest, FactorsOfAConjunctionKnowEachOther) {
  declare("x", Interval());
  declare("y", Interval());
  EXPECT_EQ(form("x > 3 && x > 1"), form("x > 3"));
  EXPECT_EQ(form("x > 1 && x > 3"), form("x > 3"));
  EXPECT_EQ(lowered("x > 3 && x < 3"), "0");
  EXPECT_EQ(lowered("x > 3 || x < 5"), "1");
  EXPECT_EQ(form("x > 3 || x > 1"), form("x > 1"));
  EXPECT_EQ(form("x == 3 && x + y > 3"), form("y > 0 && x == 3"));
}
TEST_F(IndexLoweringTest, FactorsOfAConjunctionKnowEachOther_negative) {
  declare("x", Interval());
  EXPECT_NE(lowered("x >= 3 && x <= 3"), "0");
  EXPECT_NE(lowered("x > 3 || x < 4"), "0");
  EXPECT_NE(lowered("x > 4 || x < 4"), "1");
}

TEST_F(IndexLoweringTest, Assumptions) {
  declare("x", Interval());
  declare("y", Interval());
  declare("n", Interval::atLeast(1));
  EXPECT_TRUE(assumes("0 <= x && x < n && y mod 4 == 1"));
  EXPECT_EQ(lowered("x floordiv n"), "0");
  EXPECT_EQ(lowered("y mod 4"), "1");
  EXPECT_EQ(lowered("x >= n"), "0");
  EXPECT_TRUE(assumes("x floordiv 8 >= 2"));
  EXPECT_EQ(Domain.range(form("x")), Interval::atLeast(16));
  // The quotient as written, too.
  EXPECT_TRUE(assumes("x floordiv 8 + y >= 7"));
  EXPECT_EQ(lowered("x floordiv 8 + y >= 7"), "1");
}
TEST_F(IndexLoweringTest, AssumedComparisons) {
  const std::pair<const char *, Interval> Comparisons[] = {
      {"x < y", Interval::atMost(-1)}, {"x <= y", Interval::atMost(0)},
      {"x > y", Interval::atLeast(1)}, {"x >= y", Interval::atLeast(0)},
      {"x == y", Interval::point(0)},  {"x != y", Interval()}};
  for (const auto &[Text, Difference] : Comparisons) {
    IndexDomain Child(Domain);
    declare("x", Interval());
    declare("y", Interval());
    Child.declare(form("x").asAtom(), Interval());
    Child.declare(form("y").asAtom(), Interval());
    EXPECT_TRUE(assume(Child, tree(Text),
                       [&](StringRef Name) { return lookup(Name); }));
    EXPECT_EQ(Child.range(form("x - y")), Difference) << Text;
  }
}
TEST_F(IndexLoweringTest, Assumptions_negative) {
  declare("x", Interval());
  EXPECT_FALSE(assumes("x << x == 1 && x > 2"));
  EXPECT_EQ(Domain.range(form("x")), Interval::atLeast(3)); // what it could
  EXPECT_FALSE(assumes("z > 0"));
  EXPECT_TRUE(assumes("x > 5 || x < 90"));
  EXPECT_EQ(Domain.range(form("x")), Interval::atLeast(3));
  EXPECT_TRUE(assumes("x != 7"));
  EXPECT_EQ(Domain.range(form("x")), Interval::atLeast(3));
  EXPECT_EQ(lowered("x == 7"), "0");
}

TEST_F(IndexLoweringTest, EveryPoint) {
  declare("x", {-6, 6});
  declare("y", {-2, 3});
  declare("n", {1, 3});
  for (const char *Text :
       {"x & 6",
        "x & -4",
        "x & 1",
        "x << 2",
        "x >> 1",
        "x & 12",
        "ceildiv(x, y)",
        "x floordiv y",
        "x mod y",
        "x / n",
        "x % n",
        "tdiv(x, y)",
        "tmod(x, y)",
        "eucdiv(x, y)",
        "eucmod(x, y)",
        "min(x, y, n)",
        "max(x, y * n, 2)",
        "x * y * n",
        "x * x - y * y",
        "select(x > y, x - y, y - x)",
        "select(x, y, n)",
        "select(y == 2 || x < 0, x, n * y)",
        "x < y && y < n",
        "x < y || y < n",
        "!(x < y) && x != n",
        "!x",
        "x && y",
        "x || y",
        "select(x >= 0, x mod n, (-x) mod n)",
        "select(x > 0, select(y > 0, x * y, x), select(y > 0, y, 0))",
        "select(x floordiv 2 > y, x floordiv 4, y) * n",
        "(x > 1) + (y > 1) * (x > y)",
        "x == y && y == n && x > 0",
        "x == y || y == n || x > 0",
        "min(x, y) == max(x, n)"}) {
    if (Expected<SyntaxTree> Tree = parseSyntax(Text, "test"))
      EXPECT_GT(check(Text), 150u) << Text;
    else
      ADD_FAILURE() << Text << ": " << toString(Tree.takeError());
  }
}

} // namespace
