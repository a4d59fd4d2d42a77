//===- indexing_map_bench.cpp - How fast maps are simplified --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps of growing rank (a reshape there and back between shapes of 2 to 32
// dimensions), of growing length (sums of 10 to 10,000 terms) and with a
// growing number of constraints. Each iteration starts with a new context, as
// nothing is computed twice in one. Complexity() prints the fitted growth.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"
#include "analysis/maps/IndexingMap.h"
#include "analysis/maps/IndexingMapOps.h"
#include <benchmark/benchmark.h>

using namespace llvm;
using namespace unravel;

static constexpr IndexLimits Large{1u << 16, 64};

/// A map under construction: dimensions with bounds, and expressions of them
/// as the text parser builds them, without knowing the bounds.
namespace {
struct MapBuilder {
  IndexContext Context{Large};
  IndexDomain Anywhere{Context};
  FloorBasis Basis{Anywhere};
  IndexingMap::Variables Vars;

  IndexExpr addDimension(int64_t Size) {
    Vars.Dimensions.push_back({Interval(0, Size - 1), ""});
    return IndexingMap::exprOf(Context, VariableKind::Dimension,
                               Vars.Dimensions.size() - 1);
  }

  /// Row-major; the first digit is what is left of the others.
  std::vector<IndexExpr> delinearize(IndexExpr E, ArrayRef<int64_t> Sizes) {
    std::vector<IndexExpr> Digits(Sizes.size());
    for (size_t I = Sizes.size(); I-- > 1;) {
      Digits[I] = Basis.floorMod(E, Sizes[I]);
      E = Basis.floorDiv(E, Sizes[I]);
    }
    Digits[0] = E;
    return Digits;
  }

  IndexExpr linearize(ArrayRef<IndexExpr> Digits, ArrayRef<int64_t> Sizes) {
    IndexExpr E = Digits[0];
    for (size_t I = 1; I < Digits.size(); ++I)
      E = Context.add(Digits[I], E, Sizes[I]);
    return E;
  }
};
} // namespace

/// [3, 2, 3, 2, ...] -> one dimension -> [2, 3, 2, 3, ...] -> and back: the
/// identity.
static void reshapeOfRank(benchmark::State &State) {
  size_t Rank = State.range(0);
  for (auto _ : State) {
    MapBuilder B;
    std::vector<int64_t> Sizes, Other;
    std::vector<IndexExpr> Index;
    for (size_t I = 0; I < Rank; ++I) {
      Sizes.push_back(I % 2 ? 2 : 3);
      Other.push_back(I % 2 ? 3 : 2);
      Index.push_back(B.addDimension(Sizes.back()));
    }
    std::vector<IndexExpr> Middle =
        B.delinearize(B.linearize(Index, Sizes), Other);
    std::vector<IndexExpr> Results =
        B.delinearize(B.linearize(Middle, Other), Sizes);
    IndexingMap Map =
        IndexingMap(B.Context, B.Vars, std::move(Results)).simplified();
    if (Map.results() != ArrayRef(Index))
      State.SkipWithError("the reshapes do not cancel");
  }
  State.SetComplexityN(Rank);
}
BENCHMARK(reshapeOfRank)->RangeMultiplier(2)->Range(2, 32)->Complexity();

/// One quotient of a sum of 17 * d_i over so many dimensions.
static void quotientOfTerms(benchmark::State &State) {
  size_t NumTerms = State.range(0);
  for (auto _ : State) {
    MapBuilder B;
    SmallVector<IndexTerm, 0> Terms;
    for (size_t I = 0; I < NumTerms; ++I)
      Terms.push_back({B.addDimension(60).terms()[0].Atom, int64_t(17 + I)});
    std::vector<IndexExpr> Results = {
        B.Basis.floorDiv(B.Context.linear(Terms, 5), 96)};
    IndexingMap Map(B.Context, B.Vars, std::move(Results));
    benchmark::DoNotOptimize(Map.simplified());
  }
  State.SetComplexityN(NumTerms);
}
BENCHMARK(quotientOfTerms)
    ->RangeMultiplier(10)
    ->Range(10, 10000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

/// A sum of so many remainders, each of a dimension of its own.
static void sumOfRemainders(benchmark::State &State) {
  size_t NumTerms = State.range(0);
  for (auto _ : State) {
    MapBuilder B;
    SmallVector<IndexTerm, 0> Terms;
    for (size_t I = 0; I < NumTerms; ++I) {
      IndexExpr Digit = B.Basis.floorMod(B.addDimension(60), 7);
      append_range(Terms, Digit.terms());
    }
    std::vector<IndexExpr> Results = {B.Context.linear(Terms, 0)};
    IndexingMap Map(B.Context, B.Vars, std::move(Results));
    benchmark::DoNotOptimize(Map.simplified());
  }
  State.SetComplexityN(NumTerms);
}
BENCHMARK(sumOfRemainders)
    ->RangeMultiplier(10)
    ->Range(10, 10000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

/// As many results as dimensions, neighbours bounded by a constraint each.
static void chainOfConstraints(benchmark::State &State) {
  size_t Rank = State.range(0);
  for (auto _ : State) {
    MapBuilder B;
    std::vector<IndexExpr> Index;
    std::vector<MapConstraint> Constraints;
    for (size_t I = 0; I < Rank; ++I) {
      Index.push_back(B.addDimension(100));
      if (I > 0)
        Constraints.push_back(
            {B.Context.add(Index[I - 1], Index[I], 128), Interval(0, 6000)});
    }
    IndexingMap Map(B.Context, B.Vars, Index, Constraints);
    benchmark::DoNotOptimize(Map.simplified());
  }
  State.SetComplexityN(Rank);
}
BENCHMARK(chainOfConstraints)->RangeMultiplier(2)->Range(2, 32)->Complexity();

BENCHMARK_MAIN();
