//===- index_expr_bench.cpp - How fast the index algebra is ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that recovery does for every instruction, in isolation. Each
// iteration starts with a new context, as nothing is computed twice in one.
// BENCHMARK(...)->Complexity() fits how the time grows with the number of
// terms.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"
#include "llvm/ADT/SmallVector.h"
#include <benchmark/benchmark.h>

using namespace llvm;
using namespace unravel;

namespace {

constexpr int64_t Radices[] = {75, 40, 20, 7};

/// One thread index with what its launch says of it.
struct Kernel {
  IndexContext Context;
  IndexDomain Domain{Context};
  FloorBasis Basis{Domain};
  IndexExpr Index = addVariable("x", 60000);

  IndexExpr addVariable(StringRef Name, int64_t End) {
    const IndexAtom *Variable = Context.createVariable(Name);
    Domain.declare(Variable, Interval(0, End - 1));
    return Context.atom(Variable);
  }

  /// The last digits of \p E first; the last of all takes what is left.
  SmallVector<IndexExpr, 4> delinearize(IndexExpr E, unsigned NumDigits) {
    SmallVector<IndexExpr, 4> Digits;
    for (unsigned I = 0; I + 1 < NumDigits; ++I) {
      Digits.push_back(Basis.floorMod(E, Radices[I]));
      E = Basis.floorDiv(E, Radices[I]);
    }
    Digits.push_back(E);
    return Digits;
  }

  IndexExpr linearize(ArrayRef<IndexExpr> Digits) {
    IndexExpr E = Digits.back();
    for (unsigned I = Digits.size() - 1; I > 0; --I)
      E = Context.add(Digits[I - 1], E, Radices[I - 1]);
    return E;
  }

  /// The sum of 17*(v mod 75) over so many variables v: twice as many terms.
  IndexExpr sumOfDigits(unsigned NumDigits) {
    IndexExpr Sum = Context.constant(0);
    for (unsigned I = 0; I < NumDigits; ++I) {
      IndexExpr V = addVariable("v" + std::to_string(I), 60000);
      Sum = Context.add(Sum, Basis.floorMod(V, 75), 17);
    }
    return Sum;
  }
};

} // namespace

/// Twice there and back, the second time with a shifted index.
static void roundTrip(benchmark::State &State) {
  unsigned NumDigits = State.range(0);
  for (auto _ : State) {
    Kernel K;
    IndexExpr Same = K.linearize(K.delinearize(K.Index, NumDigits));
    IndexExpr Next = K.Context.add(Same, 1);
    IndexExpr SameNext = K.linearize(K.delinearize(Next, NumDigits));
    if (Same != K.Index || SameNext != Next)
      State.SkipWithError("the round trip is not the identity");
  }
}
BENCHMARK(roundTrip)->DenseRange(2, 4);

/// The range of a digit, which needs to see x - 75*floor(x/75) as one.
static void rangeOfDigits(benchmark::State &State) {
  unsigned NumDigits = State.range(0);
  for (auto _ : State) {
    Kernel K;
    for (IndexExpr Digit : K.delinearize(K.Index, NumDigits))
      benchmark::DoNotOptimize(K.Domain.range(Digit));
  }
}
BENCHMARK(rangeOfDigits)->DenseRange(2, 4);

/// What a guard does: the quotient is known behind it.
static void simplifyBehindGuard(benchmark::State &State) {
  for (auto _ : State) {
    Kernel K;
    IndexExpr Row = K.Basis.floorDiv(K.Index, 75);
    IndexExpr Offset = K.Context.add(K.Index, Row, 5);
    IndexDomain Guarded(K.Domain);
    Guarded.constrain(Row, Interval(0, 0));
    Guarded.propagate();
    FloorBasis Behind(Guarded);
    if (Behind.simplify(Offset) != K.Index)
      State.SkipWithError("the guard does not fold the quotient");
  }
}
BENCHMARK(simplifyBehindGuard);

/// Is one index below another? A bounds check that folds.
static void compareForms(benchmark::State &State) {
  for (auto _ : State) {
    Kernel K;
    IndexExpr Column = K.Basis.floorMod(K.Index, 75);
    IndexExpr Bound = K.Context.add(K.Basis.floorDiv(K.Index, 3000), 75);
    IndexExpr Difference = K.Context.sub(Column, Bound);
    if (K.Domain.range(Difference).hi() >= 0)
      State.SkipWithError("the comparison is not decided");
  }
}
BENCHMARK(compareForms);

// The same by the number of terms of a sum: building it, then its range, then
// its quotient. The benchmarks build the sum, too.

static void buildLongSum(benchmark::State &State) {
  for (auto _ : State) {
    Kernel K;
    benchmark::DoNotOptimize(K.sumOfDigits(State.range(0) / 2));
  }
  State.SetComplexityN(State.range(0));
}

static void rangeOfLongSum(benchmark::State &State) {
  for (auto _ : State) {
    Kernel K;
    IndexExpr Sum = K.sumOfDigits(State.range(0) / 2);
    benchmark::DoNotOptimize(K.Domain.range(Sum));
  }
  State.SetComplexityN(State.range(0));
}

static void divideLongSum(benchmark::State &State) {
  for (auto _ : State) {
    Kernel K;
    IndexExpr Sum = K.sumOfDigits(State.range(0) / 2);
    benchmark::DoNotOptimize(K.Basis.floorDiv(Sum, 34));
  }
  State.SetComplexityN(State.range(0));
}

static void everyLength(benchmark::internal::Benchmark *B) {
  B->RangeMultiplier(2)->Range(4, IndexLimits().MaxTerms)->Complexity();
}
BENCHMARK(buildLongSum)->Apply(everyLength);
BENCHMARK(rangeOfLongSum)->Apply(everyLength);
BENCHMARK(divideLongSum)->Apply(everyLength);

BENCHMARK_MAIN();
