//===- ResultCount.cpp - How many elements a map leads to -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/ResultCount.h"
#include "analysis/maps/IndexingMapInverse.h"
#include "analysis/maps/IndexingMapOps.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace unravel {

bool forEachResult(const IndexingMap &Map, uint64_t MaxPoints,
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

std::optional<uint64_t> countResults(const IndexingMap &Map,
                                     uint64_t MaxPoints) {
  if (Map.isKnownEmpty())
    return 0;
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
      if (forEachResult(Image, MaxPoints, [&](ArrayRef<int64_t> Index) {
            Different.insert(Index.vec());
          }))
        Count = Different.size();
    }
    if (!Count)
      return std::nullopt;
    bool Overflows = false;
    Product = SaturatingMultiply(Product, *Count, &Overflows);
    if (Overflows)
      return std::nullopt;
  }
  return Product;
}

std::optional<uint64_t> countPoints(const IndexingMap &Map,
                                    uint64_t MaxPoints) {
  if (Map.isKnownEmpty())
    return 0;
  std::vector<IndexExpr> Variables;
  for (size_t I = 0; I < Map.numVariables(); ++I)
    Variables.push_back(Map.context().atom(Map.atomAt(I)));
  return countResults(IndexingMap(Map.context(), Map.variables(), Variables,
                                  Map.constraints().vec()),
                      MaxPoints);
}

} // namespace unravel
