//===- HloUtilisation.cpp - How much of an operand is read ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloUtilisation.h"
#include "analysis/maps/IndexingMapOps.h"
#include "analysis/tiles/ResultCount.h"
#include "analysis/tiles/TileImage.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

// All values of a runtime variable have to be possible: then the number of
// elements is the same for each.
std::optional<IndexingMap> withLeastRuntimes(const OperandMap &M) {
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
    std::optional<IndexingMap> Map = withLeastRuntimes(M);
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

//===----------------------------------------------------------------------===//
// Boxes and repeats
//===----------------------------------------------------------------------===//

/// The values of result number \p I from the least to the greatest.
static std::optional<Interval> spanOf(const IndexingMap &Map, unsigned I,
                                      uint64_t MaxPoints) {
  IndexingMap One = removeUnusedVariables(subMap(Map, {I})).Map;
  std::vector<TileAxis> Whole;
  for (const MapVariable &D : One.dimensions())
    Whole.push_back({D.Bounds.hi() - D.Bounds.lo() + 1, 0, 1});
  if (Expected<ImageAnswer> Image = tileImageOf(One, Whole)) {
    if (Image->Kind == ImageAnswer::Box && Image->Axes[0].Size > 0)
      return Interval(Image->Axes[0].Offset,
                      Image->Axes[0].Offset +
                          Image->Axes[0].Stride * (Image->Axes[0].Size - 1));
  } else {
    consumeError(Image.takeError());
  }
  std::optional<Interval> Span;
  auto Take = [&](ArrayRef<int64_t> Index) {
    Span = Span ? Interval(std::min(Span->lo(), Index[0]),
                           std::max(Span->hi(), Index[0]))
                : Interval(Index[0], Index[0]);
  };
  if (!forEachResult(One, MaxPoints, Take))
    return std::nullopt;
  return Span;
}

/// The number of elements of the smallest box around all results.
static std::optional<uint64_t> boxOf(ArrayRef<OperandMap> Maps,
                                     uint64_t MaxPoints) {
  if (Maps.empty())
    return 0;
  uint64_t Count = 1;
  for (unsigned I = 0; I < Maps[0].Map.results().size(); ++I) {
    std::optional<Interval> Around;
    for (const OperandMap &M : Maps) {
      std::optional<Interval> Span = spanOf(M.Map, I, MaxPoints);
      if (!Span)
        return std::nullopt;
      Around = Around ? Interval(std::min(Around->lo(), Span->lo()),
                                 std::max(Around->hi(), Span->hi()))
                      : *Span;
    }
    Count *= uint64_t(Around->hi() - Around->lo()) + 1;
  }
  return Count;
}

static std::optional<uint64_t> repeatsOf(ArrayRef<OperandMap> Maps,
                                         uint64_t MaxPoints) {
  uint64_t Sum = 0;
  for (const OperandMap &M : Maps) {
    std::optional<uint64_t> Points = countPoints(M.Map, MaxPoints);
    if (!Points || M.Repeats == 0)
      return std::nullopt;
    Sum = SaturatingAdd(Sum, SaturatingMultiply(*Points, M.Repeats));
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// Values of run time
//===----------------------------------------------------------------------===//

/// The different values that \p Maps read; nullopt if one is read from several
/// places, or may be any number.
static std::optional<std::vector<RuntimeVariable>>
valuesReadBy(ArrayRef<OperandMap> Maps) {
  std::vector<RuntimeVariable> Values;
  for (const OperandMap &M : Maps)
    for (const RuntimeVariable &R : M.Runtimes) {
      if (!R.Clamp || !all_of(R.ToElement.results(),
                              [](IndexExpr E) { return E.isConstant(); }))
        return std::nullopt;
      Values.push_back(R);
    }
  return Values;
}

/// Whether both are the same value; their maps have other variables.
static bool isSameValue(const RuntimeVariable &A, const RuntimeVariable &B) {
  return A.Source == B.Source && A.Calls == B.Calls && A.Clamp == B.Clamp &&
         A.ToElement.results() == B.ToElement.results();
}

/// Without runtime variables, if there is a point for each of their values: the
/// number of points does not depend on them.
static std::optional<IndexingMap> pointsOf(const OperandMap &M) {
  const IndexingMap &Map = M.Map;
  for (size_t I = 0; I < M.Runtimes.size(); ++I) {
    const IndexAtom *Variable =
        IndexingMap::variableOf(Map.context(), VariableKind::Runtime, I);
    const RuntimeVariable &R = M.Runtimes[I];
    if (!R.Clamp || !Map.runtimes()[I].Bounds.contains(*R.Clamp) ||
        any_of(Map.constraints(), [&](const MapConstraint &C) {
          bool IsInside = false;
          forEachAtom(C.Expr, [&](const IndexAtom *Atom) {
            IsInside |= Atom == Variable;
          });
          return IsInside;
        }))
      return std::nullopt;
  }
  return IndexingMap(Map.context(),
                     {Map.dimensions().vec(), Map.ranges().vec(), {}}, {},
                     Map.constraints().vec());
}

static std::optional<UseCount> repeatsOfPoints(ArrayRef<OperandMap> Maps,
                                               uint64_t MaxPoints) {
  std::vector<OperandMap> Points;
  for (const OperandMap &M : Maps) {
    std::optional<IndexingMap> Map = pointsOf(M);
    if (!Map)
      return std::nullopt;
    Points.push_back({*Map, {}, M.Element, M.Repeats});
  }
  std::optional<uint64_t> Count = repeatsOf(Points, MaxPoints);
  if (!Count)
    return std::nullopt;
  return UseCount{*Count, *Count};
}

static void take(std::optional<UseCount> &To, std::optional<uint64_t> Count,
                 bool IsFirst) {
  if (!Count)
    To = std::nullopt;
  else if (IsFirst)
    To = UseCount{*Count, *Count};
  else if (To)
    To = UseCount{std::min(To->Least, *Count), std::max(To->Most, *Count)};
}

OperandUse useOf(const OperandIndexing &Indexing, const HloShape &Array,
                 size_t Element, uint64_t MaxPoints) {
  OperandUse Use;
  if (!Indexing.isKnown())
    return Use;
  std::vector<OperandMap> Maps;
  for (const OperandMap &M : Indexing.Maps)
    if (M.Element == Element)
      Maps.push_back(M);
  std::optional<std::vector<RuntimeVariable>> Read = valuesReadBy(Maps);
  if (!Read) {
    Use.Repeated = repeatsOfPoints(Maps, MaxPoints);
    return Use;
  }
  std::vector<RuntimeVariable> Values;
  uint64_t Cases = 1;
  for (const RuntimeVariable &R : *Read)
    if (none_of(Values, [&](const auto &V) { return isSameValue(V, R); })) {
      Values.push_back(R);
      Cases = SaturatingMultiply(Cases, uint64_t(R.Clamp->hi()) -
                                            uint64_t(R.Clamp->lo()) + 1);
    }
  // Where values only shift one map, one case is as good as all.
  bool OnlyShifts = Maps.size() == 1 && withLeastRuntimes(Maps[0]);
  if (OnlyShifts)
    Cases = 1;
  if (Cases > MaxRuntimeCases) {
    Use.Repeated = repeatsOfPoints(Maps, MaxPoints);
    return Use;
  }
  for (uint64_t Case = 0; Case < Cases; ++Case) {
    OperandIndexing Folded;
    for (const OperandMap &M : Maps) {
      IndexingMap Map = M.Map;
      for (size_t I = M.Runtimes.size(); I-- > 0;) {
        uint64_t Rest = Case;
        int64_t Value = 0;
        for (const RuntimeVariable &V : Values) {
          uint64_t Count =
              uint64_t(V.Clamp->hi()) - uint64_t(V.Clamp->lo()) + 1;
          if (isSameValue(V, M.Runtimes[I]))
            Value = V.Clamp->lo() + int64_t(Rest % Count);
          Rest /= Count;
        }
        std::optional<IndexingMap> Next =
            foldRuntimeVariable(Map, I, Map.context().constant(Value));
        if (!Next)
          return {};
        Map = std::move(*Next);
      }
      Map = Map.simplified();
      if (!Map.isKnownEmpty())
        Folded.Maps.push_back({std::move(Map), {}, Element, M.Repeats});
    }
    bool IsFirst = Case == 0;
    take(Use.Unique, elementsRead(Folded, Array, Element, MaxPoints), IsFirst);
    take(Use.Box, boxOf(Folded.Maps, MaxPoints), IsFirst);
    take(Use.Repeated, repeatsOf(Folded.Maps, MaxPoints), IsFirst);
  }
  return Use;
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
