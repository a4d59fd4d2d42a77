//===- IndexingMapTestHelper.h - Maps for tests -----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds maps by hand and at random, and lists their points.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_INDEXINGMAPTESTHELPER_H
#define UNRAVEL_TEST_UNIT_INDEXINGMAPTESTHELPER_H

#include "analysis/algebra/FloorBasis.h"
#include "analysis/maps/IndexingMap.h"
#include "analysis/maps/IndexingMapInverse.h"
#include "test/unit/AlgebraTestHelper.h"
#include "gtest/gtest.h"
#include <random>

namespace unravel {
inline void PrintTo(Answer A, std::ostream *OS) {
  static const char *const Names[] = {"No", "Yes", "Unknown"};
  *OS << Names[static_cast<unsigned>(A)];
}
} // namespace unravel

namespace unravel::test {

using Ranges = std::vector<Interval>;
using Point = IndexingMap::Point;

/// Variables with these bounds and default names.
inline IndexingMap::Variables variables(const Ranges &Dimensions,
                                        const Ranges &Symbols = {},
                                        const Ranges &Runtimes = {}) {
  IndexingMap::Variables Vars;
  for (const Interval &I : Dimensions)
    Vars.Dimensions.push_back({I, ""});
  for (const Interval &I : Symbols)
    Vars.Ranges.push_back({I, ""});
  for (const Interval &I : Runtimes)
    Vars.Runtimes.push_back({I, ""});
  return Vars;
}

class IndexingMapFixture : public testing::Test {
protected:
  IndexExpr d(unsigned I) {
    return IndexingMap::exprOf(Context, VariableKind::Dimension, I);
  }
  IndexExpr s(unsigned I) {
    return IndexingMap::exprOf(Context, VariableKind::Range, I);
  }
  IndexExpr rt(unsigned I) {
    return IndexingMap::exprOf(Context, VariableKind::Runtime, I);
  }
  IndexExpr num(int64_t Value) { return Context.constant(Value); }
  /// A + Times * B.
  IndexExpr add(IndexExpr A, IndexExpr B, int64_t Times = 1) {
    return Context.add(A, B, Times);
  }
  IndexExpr floor(IndexExpr E, int64_t D) {
    return Context.rawAtom(IndexAtom::Kind::FloorDiv, E, D);
  }
  IndexExpr mod(IndexExpr E, int64_t D) { return add(E, floor(E, D), -D); }

  IndexingMap map(IndexingMap::Variables Vars, std::vector<IndexExpr> Results,
                  std::vector<MapConstraint> Constraints = {}) {
    return IndexingMap(Context, std::move(Vars), std::move(Results),
                       std::move(Constraints));
  }

  IndexContext Context;
};

/// \p Vars with other names.
inline IndexingMap::Variables named(IndexingMap::Variables Vars,
                                    llvm::ArrayRef<const char *> Names) {
  size_t I = 0;
  for (auto *Kind : {&Vars.Dimensions, &Vars.Ranges, &Vars.Runtimes})
    for (MapVariable &Variable : *Kind)
      Variable.Name = Names[I++];
  return Vars;
}

inline std::vector<std::string> namesOf(const IndexingMap &Map) {
  std::vector<std::string> Names;
  for (size_t I = 0; I < Map.numVariables(); ++I)
    Names.push_back(Map.nameOf(Map.atomAt(I)));
  return Names;
}

/// The values of \p P from \p Begin on, \p Count of them.
inline Point slice(const Point &P, size_t Begin, size_t Count) {
  return Point(P.begin() + Begin, P.begin() + Begin + Count);
}
inline Point concat(std::initializer_list<Point> Parts) {
  Point P;
  for (const Point &Part : Parts)
    P.insert(P.end(), Part.begin(), Part.end());
  return P;
}

/// All points of the domain, in order.
inline std::vector<Point> pointsOf(const IndexingMap &Map) {
  std::vector<Point> Points;
  EXPECT_TRUE(Map.forEachPoint(1 << 20, [&](llvm::ArrayRef<int64_t> P) {
    Points.push_back(P);
    return true;
  }));
  return Points;
}

/// All points of a box, in the domain or not.
inline std::vector<Point> pointsOfBox(const Ranges &Box) {
  std::vector<Point> Points = {{}};
  for (const Interval &I : Box) {
    std::vector<Point> Longer;
    for (const Point &P : Points)
      for (int64_t V = I.lo(); V <= I.hi(); ++V) {
        Longer.push_back(P);
        Longer.back().push_back(V);
      }
    Points = std::move(Longer);
  }
  return Points;
}

/// The bounds of all variables, by position.
inline Ranges boxOf(const IndexingMap &Map) {
  Ranges Box;
  for (size_t I = 0; I < Map.numVariables(); ++I)
    Box.push_back(Map.variableAt(I).Bounds);
  return Box;
}

/// Makes maps with few points and all kinds of expressions.
class RandomMaps {
public:
  RandomMaps(IndexContext &Context, uint64_t Seed)
      : Context(Context), Anywhere(Context), Basis(Anywhere), Random(Seed) {}

  int64_t between(int64_t Lo, int64_t Hi) {
    return std::uniform_int_distribution<int64_t>(Lo, Hi)(Random);
  }
  bool oneIn(int64_t N) { return between(1, N) == 1; }
  Interval interval(int64_t Lo, int64_t Hi, int64_t Width) {
    int64_t Low = between(Lo, Hi);
    return {Low, Low + between(0, Width)};
  }

  IndexingMap map(size_t NumDimensions, size_t NumResults) {
    Ranges Dimensions, Symbols, Runtimes;
    for (size_t I = 0; I < NumDimensions; ++I)
      Dimensions.push_back(interval(-4, 3, 6));
    for (int64_t I = between(0, 2); I > 0; --I)
      Symbols.push_back(interval(-4, 2, 5));
    // Positive: they are divided by.
    for (int64_t I = between(0, 1); I > 0; --I)
      Runtimes.push_back(interval(1, 2, 2));
    IndexingMap::Variables Vars = variables(Dimensions, Symbols, Runtimes);
    setVariables(Vars);
    std::vector<IndexExpr> Results;
    for (size_t I = 0; I < NumResults; ++I)
      Results.push_back(expr(2));
    std::vector<MapConstraint> Constraints;
    for (int64_t I = between(0, 2); I > 0; --I)
      Constraints.push_back({expr(1), interval(-8, 2, 12)});
    for (size_t I = 0; I < Symbols.size(); ++I)
      if (oneIn(2))
        Constraints.push_back(congruence(VariableKind::Range, I));
    return IndexingMap(Context, std::move(Vars), std::move(Results),
                       std::move(Constraints));
  }

  /// The variables that expressions are made of.
  void setVariables(const IndexingMap::Variables &Vars) {
    Leaves.clear();
    Divisors.clear();
    addLeaves(VariableKind::Dimension, Vars.Dimensions.size());
    addLeaves(VariableKind::Range, Vars.Ranges.size());
    addLeaves(VariableKind::Runtime, Vars.Runtimes.size());
    for (size_t I = 0; I < Vars.Runtimes.size(); ++I)
      Divisors.push_back(
          IndexingMap::exprOf(Context, VariableKind::Runtime, I));
  }

  MapConstraint congruence(VariableKind Kind, unsigned Number) {
    IndexExpr X = IndexingMap::exprOf(Context, Kind, Number);
    IndexExpr E = Context.add(Context.scale(X, oneIn(2) ? 1 : between(1, 5)),
                              between(-3, 3));
    int64_t M = between(2, 5);
    return {Basis.floorMod(E, M), Interval::point(between(0, M - 1))};
  }

  IndexExpr expr(unsigned Depth) {
    IndexExpr E = Context.constant(between(-3, 3));
    for (int64_t I = between(1, 2); I > 0; --I)
      E = Context.add(E, summand(Depth), between(-3, 3));
    return E;
  }

private:
  void addLeaves(VariableKind Kind, size_t Count) {
    for (size_t I = 0; I < Count; ++I)
      Leaves.push_back(IndexingMap::exprOf(Context, Kind, I));
  }

  IndexExpr summand(unsigned Depth) {
    if (Leaves.empty())
      return Context.constant(1);
    IndexExpr Leaf = Leaves[between(0, Leaves.size() - 1)];
    if (Depth == 0)
      return Leaf;
    switch (between(0, 11)) {
    case 0:
      return Basis.floorDiv(expr(Depth - 1), between(2, 5));
    case 1:
      return Basis.floorMod(expr(Depth - 1), between(2, 5));
    case 2:
      return Basis.truncDiv(expr(Depth - 1), between(2, 5));
    case 3:
      return Basis.min(expr(Depth - 1), expr(Depth - 1));
    case 4:
      return Context.multiply(Leaf, expr(Depth - 1));
    case 5:
      return Basis.nonNegative(expr(Depth - 1));
    case 6:
      return Basis.zero(expr(Depth - 1));
    case 7:
    case 8: {
      if (Divisors.empty())
        return Leaf;
      IndexExpr Divisor = Divisors[between(0, Divisors.size() - 1)];
      return oneIn(2) ? Basis.floorDiv(expr(Depth - 1), Divisor)
                      : Basis.truncDiv(expr(Depth - 1), Divisor);
    }
    default:
      return Leaf;
    }
  }

  IndexContext &Context;
  IndexDomain Anywhere;
  FloorBasis Basis;
  std::mt19937_64 Random;
  std::vector<IndexExpr> Leaves, Divisors;
};

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_INDEXINGMAPTESTHELPER_H
