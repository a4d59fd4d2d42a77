//===- HloOperandMap.cpp - Maps whose variables are read at run time ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map and the places of its runtime variables have the same variables and the
// same domain, so all operations work on the *joint* map, whose results are
// those of the map followed by those of the places.
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloOperandMap.h"
#include "analysis/maps/IndexingMapOps.h"
#include "frontend/indexing/HloIndexingValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Joint maps
//===----------------------------------------------------------------------===//

static IndexingMap withResults(const IndexingMap &Map,
                               std::vector<IndexExpr> Results) {
  if (Map.isKnownEmpty())
    return IndexingMap::empty(Map.context(), Map.variables(), Results.size());
  return IndexingMap(Map.context(), Map.variables(), std::move(Results),
                     Map.constraints());
}

static IndexingMap jointOf(const OperandMap &M) {
  std::vector<IndexExpr> Results = M.Map.results();
  for (const RuntimeVariable &R : M.Runtimes)
    append_range(Results, R.ToElement.results());
  return withResults(M.Map, std::move(Results));
}

namespace {
/// Takes the results of a joint map from left to right.
class JointReader {
public:
  explicit JointReader(const IndexingMap &Joint) : Joint(Joint) {}
  IndexingMap take(size_t Count) {
    std::vector<IndexExpr> Results =
        Joint.results().slice(Position, Count).vec();
    Position += Count;
    return withResults(Joint, std::move(Results));
  }
  void skip(size_t Count) { Position += Count; }

private:
  const IndexingMap &Joint;
  size_t Position = 0;
};
} // namespace

static size_t rankOf(const RuntimeVariable &R) {
  return R.ToElement.results().size();
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

/// The joint map of \p M, for any index where it is defined on all of an array
/// with shape \p Array, and with \p Count more dimensions, which are also its
/// last results: composing hands them through.
static IndexingMap jointToCompose(const OperandMap &M, const HloShape &Array,
                                  size_t Count) {
  IndexingMap Joint = jointOf(M);
  IndexingMap::Variables Vars = Joint.variables();
  std::vector<IndexExpr> Results = Joint.results();
  for (auto [D, Dimension] : enumerate(Vars.Dimensions))
    if (Dimension.Bounds == Interval(0, Array.dimension(D) - 1))
      Dimension.Bounds = Interval();
  for (size_t I = 0; I < Count; ++I) {
    Results.push_back(IndexingMap::exprOf(
        Joint.context(), VariableKind::Dimension, Vars.Dimensions.size()));
    Vars.Dimensions.push_back({Interval(), ""});
  }
  if (Joint.isKnownEmpty())
    return IndexingMap::empty(Joint.context(), std::move(Vars), Results.size());
  return IndexingMap(Joint.context(), std::move(Vars), std::move(Results),
                     Joint.constraints());
}

std::optional<OperandMap> compose(const OperandMap &First,
                                  const OperandMap &Second,
                                  const HloShape &Array) {
  if (First.Runtimes.size() + Second.Runtimes.size() > MaxRuntimeVariables)
    return std::nullopt;
  size_t PlacesOfFirst = 0;
  for (const RuntimeVariable &R : First.Runtimes)
    PlacesOfFirst += rankOf(R);
  IndexingMap Outer = jointToCompose(Second, Array, PlacesOfFirst);
  std::optional<IndexingMap> Joint = compose(jointOf(First), Outer);
  if (!Joint)
    return std::nullopt;
  JointReader Reader(*Joint);
  OperandMap Result = {
      Reader.take(Second.Map.results().size()), {}, Second.Element};
  Result.Repeats = SaturatingMultiply(First.Repeats, Second.Repeats);
  // compose() of maps puts the variables of Second first as well.
  for (const OperandMap *M : {&Second, &First})
    for (const RuntimeVariable &R : M->Runtimes)
      Result.Runtimes.push_back(
          {R.Source, R.Calls, Reader.take(rankOf(R)), R.Clamp});
  return Result;
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

/// \p M with \p Value in place of runtime variable \p Number. Nullopt if the
/// arithmetic leaves 64 bits.
static std::optional<OperandMap> replaced(OperandMap M, unsigned Number,
                                          IndexExpr Value) {
  RuntimeVariable Gone = M.Runtimes[Number];
  M.Runtimes.erase(M.Runtimes.begin() + Number);
  if (Gone.Clamp) {
    // Built on the box only: what the constraints say may be due to the
    // variable that goes away.
    IndexDomain Box =
        IndexingMap(M.Map.context(), M.Map.variables(), {}).domain();
    FloorBasis Basis(Box);
    IndexContext &Context = M.Map.context();
    Value = Basis.min(Basis.max(Value, Context.constant(Gone.Clamp->lo())),
                      Context.constant(Gone.Clamp->hi()));
    if (!Value)
      return std::nullopt;
  }
  std::optional<IndexingMap> Joint =
      foldRuntimeVariable(jointOf(M), Number, Value);
  if (!Joint)
    return std::nullopt;
  JointReader Reader(*Joint);
  M.Map = Reader.take(M.Map.results().size());
  for (RuntimeVariable &R : M.Runtimes)
    R.ToElement = Reader.take(rankOf(R));
  return M;
}

/// The value of runtime variable \p Number, or the variable before it that has
/// the same one; null if there is none. Moves the source towards the
/// parameters.
static IndexExpr valueOf(OperandMap &M, unsigned Number) {
  RuntimeVariable &R = M.Runtimes[Number];
  if (R.Calls.empty()) {
    HloElementValue Element(M.Map, *R.Source, R.ToElement.results());
    if (IndexExpr Value = Element.value())
      return Value;
    R.Source = &Element.source();
    R.ToElement = withResults(R.ToElement, Element.place());
  }
  for (unsigned Before = 0; Before < Number; ++Before)
    if (M.Runtimes[Before] == R)
      return IndexingMap::exprOf(M.Map.context(), VariableKind::Runtime,
                                 Before);
  return IndexExpr();
}

OperandMap withFoldedRuntimes(OperandMap M) {
  if (M.Map.isKnownEmpty())
    return M;
  for (unsigned Number = 0; Number < M.Runtimes.size();) {
    IndexExpr Value = valueOf(M, Number);
    std::optional<OperandMap> Folded;
    if (Value)
      Folded = replaced(M, Number, Value);
    if (Folded)
      M = std::move(*Folded);
    else
      ++Number;
  }
  return M;
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// Whether every value that the variable can have is in its bounds. Otherwise
/// the bounds say for which values there is a point, and have to stay.
static bool allowsAllValues(const RuntimeVariable &R, const Interval &Bounds) {
  return R.Clamp && Bounds.contains(*R.Clamp);
}

/// The number of values of the ranges in \p Removed; 0 if that is not known.
static uint64_t repeatsOf(const IndexingMap &Map, const BitVector &Removed) {
  uint64_t Repeats = 1;
  for (size_t I = 0; I < Map.ranges().size(); ++I) {
    if (!Removed[Map.dimensions().size() + I])
      continue;
    const IndexAtom *Variable =
        IndexingMap::variableOf(Map.context(), VariableKind::Range, I);
    bool IsConstrained = any_of(Map.constraints(), [&](const auto &C) {
      bool Found = false;
      forEachAtom(C.Expr,
                  [&](const IndexAtom *Atom) { Found |= Atom == Variable; });
      return Found;
    });
    const Interval Bounds = Map.ranges()[I].Bounds;
    if (IsConstrained || !Bounds.isBounded())
      return 0;
    Repeats = SaturatingMultiply(Repeats, uint64_t(Bounds.hi()) -
                                              uint64_t(Bounds.lo()) + 1);
  }
  return Repeats;
}

/// Without symbols that no result and, where it matters, no bound needs.
static OperandMap withoutUnused(const OperandMap &M) {
  IndexContext &Context = M.Map.context();
  size_t Rank = M.Map.results().size(), Count = M.Runtimes.size();
  BitVector Kept(Count);
  for (size_t I = 0; I < Count; ++I)
    Kept[I] = !allowsAllValues(M.Runtimes[I], M.Map.runtimes()[I].Bounds);
  while (true) {
    // What is kept is a result, and so are the places that it is read from.
    std::vector<IndexExpr> Results = M.Map.results();
    for (unsigned I : Kept.set_bits()) {
      Results.push_back(IndexingMap::exprOf(Context, VariableKind::Runtime, I));
      append_range(Results, M.Runtimes[I].ToElement.results());
    }
    ReducedMap Reduced = removeUnusedSymbols(withResults(M.Map, Results));
    BitVector Used(Count);
    for (size_t I = 0; I < Count; ++I)
      Used[I] = !Reduced.Removed[M.Map.numVariables() - Count + I];
    if (Used == Kept) {
      JointReader Reader(Reduced.Map);
      OperandMap Result = {Reader.take(Rank), {}, M.Element};
      Result.Repeats =
          SaturatingMultiply(M.Repeats, repeatsOf(M.Map, Reduced.Removed));
      for (unsigned I : Kept.set_bits()) {
        const RuntimeVariable &R = M.Runtimes[I];
        Reader.skip(1);
        Result.Runtimes.push_back(
            {R.Source, R.Calls, Reader.take(rankOf(R)), R.Clamp});
      }
      return Result;
    }
    Kept |= Used;
  }
}

OperandMap simplified(const OperandMap &M) {
  IndexingMap Joint = jointOf(M).simplified();
  JointReader Reader(Joint);
  OperandMap Simple = {
      Reader.take(M.Map.results().size()), {}, M.Element, M.Repeats};
  for (const RuntimeVariable &R : M.Runtimes)
    Simple.Runtimes.push_back(
        {R.Source, R.Calls, Reader.take(rankOf(R)), R.Clamp});
  if (Simple.Map.isKnownEmpty() ||
      (Simple.Map.ranges().empty() && Simple.Map.runtimes().empty()))
    return Simple;
  return withoutUnused(Simple);
}

} // namespace unravel
