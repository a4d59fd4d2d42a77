//===- HloUtilisation.cpp - How much of an operand is read ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/HloUtilisation.h"
#include "analysis/maps/IndexingMapInverse.h"
#include "analysis/maps/IndexingMapOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

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

/// Calls \p Visit with the results at each point. Returns false if there are
/// too many points, or a result has no value.
static bool forEachElement(const IndexingMap &Map, uint64_t MaxPoints,
                           function_ref<void(ArrayRef<int64_t>)> Visit) {
  bool HasValues = true;
  bool Visited = Map.forEachPoint(MaxPoints, [&](ArrayRef<int64_t> P) {
    std::optional<std::vector<int64_t>> Index = Map.evaluate(P);
    HasValues &= Index.has_value();
    if (HasValues)
      Visit(*Index);
    return HasValues;
  });
  return Visited && HasValues;
}

/// All variables in \p E.
static SmallVector<const IndexAtom *> variablesIn(IndexExpr E) {
  SmallVector<const IndexAtom *> Variables;
  forEachAtom(E, [&](const IndexAtom *Atom) {
    if (Atom->isVariable())
      Variables.push_back(Atom);
  });
  return Variables;
}

namespace {
/// Results and constraints of a map about the same variables.
struct IndependentPart {
  SmallVector<IndexExpr> Results;
  /// Those in the results and constraints, some of them repeated.
  SmallVector<const IndexAtom *> Variables;
};
} // namespace

/// The parts of a map that have no variable in common.
static std::vector<IndependentPart> independentParts(const IndexingMap &Map) {
  std::vector<IndexExpr> Exprs = Map.results();
  for (const MapConstraint &C : Map.constraints())
    Exprs.push_back(C.Expr);
  EquivalenceClasses<unsigned> Joined; // numbers in Exprs
  DenseMap<const IndexAtom *, unsigned> UserOf;
  std::map<unsigned, IndependentPart> Parts; // by the leader of the class
  for (unsigned I = 0; I < Exprs.size(); ++I) {
    Joined.insert(I);
    for (const IndexAtom *Variable : variablesIn(Exprs[I]))
      Joined.unionSets(I, UserOf.try_emplace(Variable, I).first->second);
  }
  for (unsigned I = 0; I < Exprs.size(); ++I) {
    IndependentPart &Part = Parts[Joined.getLeaderValue(I)];
    if (I < Map.results().size())
      Part.Results.push_back(Exprs[I]);
    append_range(Part.Variables, variablesIn(Exprs[I]));
  }
  std::vector<IndependentPart> Result;
  for (auto &[Leader, Part] : Parts)
    Result.push_back(std::move(Part));
  return Result;
}

/// The map to \p Results, without the variables that these have nothing to do
/// with.
static IndexingMap mapTo(const IndexingMap &Map, ArrayRef<IndexExpr> Results) {
  return removeUnusedVariables(IndexingMap(Map.context(), Map.variables(),
                                           Results, Map.constraints()))
      .Map;
}

/// The number of different results of \p Map.
static std::optional<uint64_t> countResults(const IndexingMap &Map,
                                            uint64_t MaxPoints) {
  uint64_t Product = 1;
  for (const IndependentPart &Part : independentParts(Map)) {
    if (Part.Results.empty()) {
      // Constraints about variables of no result: is there any point?
      std::vector<IndexExpr> Variables;
      for (const IndexAtom *Variable : Part.Variables)
        Variables.push_back(Map.context().atom(Variable));
      bool HasPoint = false;
      if (mapTo(Map, Variables).forEachPoint(MaxPoints, [&](auto) {
            HasPoint = true;
            return false;
          }))
        return 0;
      if (!HasPoint)
        return std::nullopt;
      continue;
    }
    IndexingMap Image = mapTo(Map, Part.Results);
    // Without constraints, an injective map has a result for each point of its
    // box.
    std::optional<uint64_t> Count;
    if (Image.constraints().empty() &&
        injectivityOf(Image).IsInjective == Answer::Yes) {
      Count = Image.boxSize();
    } else {
      std::set<std::vector<int64_t>> Different;
      if (forEachElement(Image, MaxPoints, [&](ArrayRef<int64_t> Index) {
            Different.insert(Index.vec());
          }))
        Count = Different.size();
    }
    if (!Count)
      return std::nullopt;
    // No product is larger than the number of elements.
    Product *= *Count;
  }
  return Product;
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
    if (!forEachElement(removeUnusedVariables(Map).Map, MaxPoints,
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
