//===- IndexingMapBruteForceTest.cpp - Every point of many small maps -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random maps over small boxes. What is simplified is compared with the syntax
// trees it was built from, by the definition of the operators, at every point:
// results, ranges, the domain as a set; also that simplifying twice, or with
// the constraints in another order, is simplifying once.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapText.h"
#include "analysis/maps/ReadableMap.h"
#include "analysis/syntax/IndexLowering.h"
#include "analysis/syntax/IndexSyntax.h"
#include "test/unit/Share.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// What a random expression may be made of.
struct Flavor {
  const char *Name;
  unsigned Maps;
  bool NegativeDivisors, Symbolic, Conditions, Products, Bits = false;
};

struct WrittenConstraint {
  SyntaxTree Expr;
  Interval Range;
};

/// A map as trees over the names v0, v1, ...: first dimensions, then ranges.
struct WrittenMap {
  std::vector<Interval> Bounds;
  size_t NumDimensions = 0;
  std::vector<SyntaxTree> Results;
  std::vector<WrittenConstraint> Constraints;
};

class Generator {
public:
  Generator(const Flavor &F, uint64_t Seed) : F(F), Random(Seed) {}

  WrittenMap map() {
    WrittenMap Map;
    NumVariables = pick(1, 3);
    for (unsigned I = 0; I < NumVariables; ++I) {
      int64_t Lo = chance(3) ? pick(-6, 6) : 0;
      Map.Bounds.push_back(Interval(Lo, Lo + pick(0, 9)));
    }
    Map.NumDimensions = pick(0, NumVariables);
    for (int64_t I = pick(1, 2); I > 0; --I)
      Map.Results.push_back(expr(3));
    for (int64_t I = pick(0, 3); I > 0; --I)
      Map.Constraints.push_back(constraint());
    return Map;
  }

private:
  int64_t pick(int64_t Lo, int64_t Hi) {
    return std::uniform_int_distribution<int64_t>(Lo, Hi)(Random);
  }
  bool chance(int64_t OneIn) { return pick(1, OneIn) == 1; }

  SyntaxTree variable() {
    return syntaxName("v" + std::to_string(pick(0, NumVariables - 1)));
  }

  SyntaxTree sum(unsigned Depth) {
    SmallVector<SyntaxTree, 4> Terms;
    for (int64_t I = pick(1, 3); I > 0; --I)
      Terms.push_back(syntaxNode(
          SyntaxOp::Multiply, {expr(Depth - 1), syntaxNumber(pick(-12, 12))}));
    Terms.push_back(syntaxNumber(pick(-20, 20)));
    return syntaxNode(SyntaxOp::Add, Terms);
  }

  SyntaxTree bits(unsigned Depth) {
    static constexpr SyntaxOp Operations[] = {
        SyntaxOp::BitXor, SyntaxOp::BitXor, SyntaxOp::BitAnd, SyntaxOp::BitOr};
    SyntaxTree Other =
        chance(3) ? syntaxNumber(pick(-40, 40)) : expr(Depth - 1);
    return syntaxNode(Operations[pick(0, 3)], {expr(Depth - 1), Other});
  }

  SyntaxTree divisor(unsigned Depth) {
    if (F.Symbolic && chance(2))
      return Depth == 0 || chance(2) ? variable() : sum(Depth);
    static constexpr int64_t Divisors[] = {2, 3, 4, 5, 6, 8, 12};
    int64_t D = Divisors[pick(0, 6)];
    return syntaxNumber(F.NegativeDivisors && chance(4) ? -D : D);
  }

  SyntaxTree condition(unsigned Depth) {
    static constexpr SyntaxOp Comparisons[] = {
        SyntaxOp::Less,         SyntaxOp::LessEqual, SyntaxOp::Greater,
        SyntaxOp::GreaterEqual, SyntaxOp::Equal,     SyntaxOp::NotEqual};
    SyntaxTree C =
        syntaxNode(Comparisons[pick(0, 5)], {expr(Depth - 1), expr(Depth - 1)});
    if (chance(3))
      C = syntaxNode(chance(2) ? SyntaxOp::And : SyntaxOp::Or,
                     {C, condition(Depth)});
    return chance(5) ? syntaxNode(SyntaxOp::Not, {C}) : C;
  }

  SyntaxTree expr(unsigned Depth) {
    if (Depth == 0)
      return chance(6) ? syntaxNumber(pick(-9, 9)) : variable();
    static constexpr SyntaxOp Divisions[] = {
        SyntaxOp::FloorDiv, SyntaxOp::FloorMod,  SyntaxOp::FloorDiv,
        SyntaxOp::FloorMod, SyntaxOp::CeilDiv,   SyntaxOp::TruncDiv,
        SyntaxOp::TruncMod, SyntaxOp::EuclidDiv, SyntaxOp::EuclidMod};
    switch (pick(0, 9)) {
    case 0:
    case 1:
      return variable();
    case 2:
      return syntaxNode(chance(2) ? SyntaxOp::Min : SyntaxOp::Max,
                        {expr(Depth - 1), expr(Depth - 1)});
    case 3:
      if (F.Products)
        return syntaxNode(SyntaxOp::Multiply,
                          {expr(Depth - 1), expr(Depth - 1)});
      return sum(Depth);
    case 4:
      if (F.Conditions)
        return syntaxNode(SyntaxOp::Select,
                          {condition(Depth), expr(Depth - 1), expr(Depth - 1)});
      return sum(Depth);
    case 5:
      if (F.Bits)
        return bits(Depth);
      return sum(Depth);
    case 6:
      return sum(Depth);
    default:
      return syntaxNode(
          Divisions[pick(0, 8)],
          {chance(2) ? sum(Depth) : expr(Depth - 1), divisor(Depth - 1)});
    }
  }

  WrittenConstraint constraint() {
    if (F.Conditions && chance(4))
      return {condition(1), Interval::point(1)};
    int64_t Lo = pick(-40, 4);
    SyntaxTree E = expr(2);
    if (chance(3))
      return {syntaxNode(SyntaxOp::FloorMod, {E, syntaxNumber(pick(2, 6))}),
              Interval::point(pick(0, 3))};
    if (chance(4))
      return {E, Interval::atLeast(Lo)};
    return {E, Interval(Lo, Lo + pick(5, 90))};
  }

  Flavor F;
  std::mt19937_64 Random;
  int64_t NumVariables = 0;
};

using Point = std::vector<int64_t>;

std::optional<int64_t> valueAt(const SyntaxTree &Tree, const Point &P) {
  return evaluate(Tree, [&](StringRef Name) -> std::optional<int64_t> {
    unsigned I = 0;
    Name.drop_front().getAsInteger(10, I);
    return P[I];
  });
}

std::string text(const WrittenMap &Map) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const SyntaxTree &R : Map.Results)
    OS << toString(R, SyntaxDialect::Functions) << "; ";
  for (size_t I = 0; I < Map.Bounds.size(); ++I)
    OS << "v" << I << " in " << Map.Bounds[I].str() << ", ";
  for (const WrittenConstraint &C : Map.Constraints)
    OS << toString(C.Expr, SyntaxDialect::Functions) << " in " << C.Range.str()
       << ", ";
  return Text;
}

/// Builds the map from its trees, null if an expression has no form.
std::optional<IndexingMap> build(IndexContext &Context,
                                 const WrittenMap &Written) {
  IndexDomain Anywhere(Context);
  FloorBasis Basis(Anywhere);
  auto KindOf = [&](unsigned I) {
    return I < Written.NumDimensions ? VariableKind::Dimension
                                     : VariableKind::Range;
  };
  auto Lookup = [&](StringRef Name) {
    unsigned I = 0;
    Name.drop_front().getAsInteger(10, I);
    return IndexingMap::exprOf(
        Context, KindOf(I),
        I < Written.NumDimensions ? I : I - Written.NumDimensions);
  };
  LoweringFailure Failure;
  std::vector<IndexExpr> Results;
  for (const SyntaxTree &Tree : Written.Results)
    if (IndexExpr E = lower(Basis, Tree, Lookup, Failure))
      Results.push_back(E);
    else
      return std::nullopt;
  std::vector<MapConstraint> Constraints;
  for (const WrittenConstraint &C : Written.Constraints)
    if (IndexExpr E = lower(Basis, C.Expr, Lookup, Failure))
      Constraints.push_back({E, C.Range});
    else
      return std::nullopt;
  IndexingMap::Variables Vars;
  for (unsigned I = 0; I < Written.Bounds.size(); ++I)
    (I < Written.NumDimensions ? Vars.Dimensions : Vars.Ranges)
        .push_back({Written.Bounds[I], ""});
  return IndexingMap(Context, Vars, Results, Constraints);
}

/// Whether P satisfies the constraints as written; nullopt if one of them has
/// no value there (a division by zero): then anything may become of the point.
std::optional<bool> satisfies(const WrittenMap &Written, const Point &P) {
  bool All = true;
  for (const WrittenConstraint &C : Written.Constraints) {
    std::optional<int64_t> V = valueAt(C.Expr, P);
    if (!V)
      return std::nullopt;
    All &= C.Range.contains(*V);
  }
  return All;
}

class BruteForce : public testing::TestWithParam<Flavor> {
protected:
  void check(uint64_t Seed);
  void checkPoint(const WrittenMap &Written, const IndexingMap &Simple,
                  const MapSyntax &Readable, const Point &P);
  uint64_t Points = 0, Maps = 0, Empty = 0;
};

void BruteForce::checkPoint(const WrittenMap &Written,
                            const IndexingMap &Simple,
                            const MapSyntax &Readable, const Point &P) {
  std::optional<bool> Inside = satisfies(Written, P);
  if (!Inside)
    return;
  ++Points;
  ASSERT_EQ(Simple.contains(P), *Inside) << "the domain differs";
  if (!*Inside)
    return;
  for (size_t I = 0; I < Written.Results.size(); ++I) {
    std::optional<int64_t> Want = valueAt(Written.Results[I], P);
    if (!Want)
      continue;
    ASSERT_EQ(Simple.evaluate(Simple.result(I), P), Want) << "result " << I;
    auto ValueOf = [&](StringRef Name) -> std::optional<int64_t> {
      for (size_t V = 0; V < P.size(); ++V)
        if (Simple.nameOf(Simple.atomAt(V)) == Name)
          return P[V];
      return std::nullopt;
    };
    ASSERT_EQ(evaluate(Readable.Results[I], ValueOf), Want)
        << "result " << I << " of " << toReadableString(Simple);
    ASSERT_TRUE(Simple.rangeOfResult(I).contains(*Want))
        << "result " << I << " is " << *Want << ", range "
        << Simple.rangeOfResult(I).str();
  }
}

void BruteForce::check(uint64_t Seed) {
  WrittenMap Written = Generator(GetParam(), Seed).map();
  SCOPED_TRACE(testing::Message() << "seed " << Seed << ": " << text(Written));
  IndexContext Context({256, 48});
  std::optional<IndexingMap> Map = build(Context, Written);
  if (!Map)
    return;
  ++Maps;
  IndexingMap Simple = Map->simplified();
  EXPECT_TRUE(Simple.simplified() == Simple) << "not idempotent";
  std::vector<MapConstraint> Reversed(Map->constraints().rbegin(),
                                      Map->constraints().rend());
  EXPECT_TRUE(IndexingMap(Context, Map->variables(), Map->results(), Reversed)
                  .simplified() == Simple)
      << "depends on the order of the constraints";
  Empty += Simple.isKnownEmpty();
  std::string ReadableText = toReadableString(Simple);
  Expected<MapSyntax> Readable = parseMapSyntax(ReadableText, "readable");
  ASSERT_TRUE(bool(Readable)) << ReadableText << toString(Readable.takeError());
  // Every point of the box, and a frame of points around it.
  Point P;
  for (const Interval &B : Written.Bounds)
    P.push_back(B.lo());
  for (;;) {
    checkPoint(Written, Simple, *Readable, P);
    if (HasFatalFailure())
      return;
    size_t I = 0;
    for (; I < P.size() && ++P[I] > Written.Bounds[I].hi(); ++I)
      P[I] = Written.Bounds[I].lo();
    if (I == P.size())
      break;
  }
}

TEST_P(BruteForce, SimplifyingKeepsEveryPoint) {
  uint64_t NumMaps = GetParam().Maps / Share;
  for (uint64_t Seed = 0; Seed < NumMaps; ++Seed) {
    check(Seed);
    if (HasFailure())
      return;
  }
  RecordProperty("points", std::to_string(Points));
  std::cout << GetParam().Name << ": " << Maps << " maps, " << Points
            << " points, " << Empty << " maps known to be empty\n";
  EXPECT_GT(Points, 30 * NumMaps) << "the generator makes too little";
}

constexpr Flavor Flavors[] = {
    {"Constants", 6000, false, false, false, false},
    {"NegativeDivisors", 3000, true, false, false, false},
    {"Products", 2000, false, false, false, true},
    {"Conditions", 2000, true, false, true, false},
    {"Symbolic", 3000, true, true, false, true},
    {"Everything", 2000, true, true, true, true},
    {"Bits", 4000, false, false, false, false, true},
    {"EverythingWithBits", 2000, true, true, true, true, true},
};

INSTANTIATE_TEST_SUITE_P(Maps, BruteForce, testing::ValuesIn(Flavors),
                         [](const auto &Info) { return Info.param.Name; });

} // namespace
