//===- HloUtilisation.cpp - How much of an operand is read ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloUtilisation.h"
#include "analysis/maps/IndexingMapOps.h"
#include "analysis/tiles/ResultCount.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// The map with each runtime variable at its least value, if the number of
/// elements read is the same for every value: each is read once for the whole
/// output, no constraint is about one, and all of its values are possible. Then
/// another value only shifts the results.
static std::optional<IndexingMap> withoutRuntimes(const OperandMap &M) {
  IndexingMap Map = M.Map;
  for (size_t I = M.Runtimes.size(); I-- > 0;) {
    const RuntimeVariable &R = M.Runtimes[I];
    const Interval Bounds = Map.runtimes()[I].Bounds;
    const IndexAtom *Variable =
        IndexingMap::variableOf(Map.context(), VariableKind::Runtime, I);
    auto IsConstant = [](IndexExpr E) { return E.isConstant(); };
    auto OnlyShifts = [&](IndexExpr E) {
      bool IsInside = false;
      for (const IndexTerm &T : E.terms())
        if (T.Atom != Variable)
          forEachAtom(Map.context().atom(T.Atom),
                      [&](const IndexAtom *A) { IsInside |= A == Variable; });
      return !IsInside;
    };
    auto IsAbsent = [&](const MapConstraint &C) {
      return OnlyShifts(C.Expr) && C.Expr.coefficientOf(Variable) == 0;
    };
    if (!R.Clamp || !Bounds.contains(*R.Clamp) ||
        !all_of(R.ToElement.results(), IsConstant) ||
        !all_of(Map.results(), OnlyShifts) ||
        !all_of(Map.constraints(), IsAbsent))
      return std::nullopt;
    std::optional<IndexingMap> Next =
        foldRuntimeVariable(Map, I, Map.context().constant(R.Clamp->lo()));
    if (!Next)
      return std::nullopt;
    Map = std::move(*Next);
  }
  return Map;
}

std::optional<uint64_t> elementsRead(const OperandIndexing &Indexing,
                                     const HloShape &Array, size_t Element,
                                     uint64_t MaxPoints) {
  if (!Indexing.isKnown())
    return std::nullopt;
  std::vector<IndexingMap> Maps;
  bool HasRuntimes = false;
  for (const OperandMap &M : Indexing.Maps) {
    if (M.Element != Element)
      continue;
    HasRuntimes |= !M.Runtimes.empty();
    std::optional<IndexingMap> Map = withoutRuntimes(M);
    if (!Map)
      return std::nullopt;
    Maps.push_back(Map->simplified());
  }
  std::optional<uint64_t> Count = 0;
  for (const IndexingMap &Map : Maps) {
    Count = countResults(Map, MaxPoints);
    // Nothing reads more than everything.
    if (Count == uint64_t(Array.elementCount()))
      return Count;
  }
  if (Maps.size() <= 1)
    return Count;
  // Elements are counted one by one. How much two maps have in common depends
  // on where a runtime variable moves one of them.
  if (HasRuntimes || uint64_t(Array.elementCount()) > MaxPoints)
    return std::nullopt;
  std::vector<int64_t> Strides = Array.withDescendingLayout().strides();
  BitVector Read(unsigned(Array.elementCount()));
  for (const IndexingMap &Map : Maps)
    if (!forEachResult(removeUnusedVariables(Map).Map, MaxPoints,
                       [&](ArrayRef<int64_t> Index) {
                         int64_t Number = 0;
                         for (auto [D, Stride] : enumerate(Strides))
                           Number += Stride * Index[D];
                         Read.set(Number);
                       }))
      return std::nullopt;
  return Read.count();
}

std::optional<double> utilisation(const OperandIndexing &Indexing,
                                  const HloShape &Array, size_t Element) {
  if (Array.elementCount() == 0)
    return 1.0;
  if (std::optional<uint64_t> Read = elementsRead(Indexing, Array, Element))
    return double(*Read) / double(Array.elementCount());
  return std::nullopt;
}

} // namespace unravel
