//===- TileSystem.cpp - Maps whose variables all run ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/TileSystem.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

SmallVector<IndexExpr, 8> formsOf(const IndexingMap &Map) {
  SmallVector<IndexExpr, 8> Forms(Map.results());
  for (const MapConstraint &C : Map.constraints())
    Forms.push_back(C.Expr);
  return Forms;
}

bool isAffine(IndexExpr E) {
  return all_of(E.terms(),
                [](const IndexTerm &T) { return T.Atom->isVariable(); });
}

bool uses(const IndexingMap &Map, const IndexAtom *Variable) {
  bool Found = false;
  for (IndexExpr E : formsOf(Map))
    forEachAtom(E, [&](const IndexAtom *A) { Found |= A == Variable; });
  return Found;
}

/// The map with \p Vars, its forms renamed by \p With.
static IndexingMap renamed(const IndexingMap &Map, IndexingMap::Variables Vars,
                           ArrayRef<IndexExpr> Results,
                           ArrayRef<MapConstraint> Constraints,
                           const Replacements &With) {
  IndexSubstitution Substitution(Map.context(), With);
  std::vector<IndexExpr> NewResults;
  for (IndexExpr E : Results)
    NewResults.push_back(Substitution.apply(E));
  std::vector<MapConstraint> NewConstraints;
  for (const MapConstraint &C : Constraints)
    NewConstraints.push_back({Substitution.apply(C.Expr), C.Range});
  return IndexingMap(Map.context(), std::move(Vars), std::move(NewResults),
                     std::move(NewConstraints));
}

IndexingMap withRangesOnly(const IndexingMap &Map) {
  IndexingMap::Variables Vars;
  Replacements With;
  for (VariableKind Kind : {VariableKind::Dimension, VariableKind::Range})
    for (auto [I, Variable] : enumerate(Map.variables(Kind))) {
      With[IndexingMap::variableOf(Map.context(), Kind, I)] =
          IndexingMap::exprOf(Map.context(), VariableKind::Range,
                              Vars.Ranges.size());
      Vars.Ranges.push_back({Variable.Bounds, ""});
    }
  return renamed(Map, std::move(Vars), Map.results(), Map.constraints(), With);
}

SmallVector<MapPart, 4> partsOf(const IndexingMap &Map) {
  IndexContext &Context = Map.context();
  // The variables of a form are in one class.
  EquivalenceClasses<size_t> Classes;
  auto LeaderOf = [&](IndexExpr E) {
    std::optional<size_t> First;
    forEachAtom(E, [&](const IndexAtom *A) {
      if (!A->isVariable())
        return;
      size_t Position = *Map.positionOf(A);
      Classes.insert(Position);
      if (First)
        Classes.unionSets(*First, Position);
      else
        First = Position;
    });
    return First;
  };
  SmallVector<std::optional<size_t>, 8> SomeVariable;
  SmallVector<IndexExpr, 8> Forms = formsOf(Map);
  for (IndexExpr E : Forms)
    SomeVariable.push_back(LeaderOf(E));

  struct Members {
    SmallVector<unsigned, 4> Results, Constraints;
  };
  MapVector<size_t, Members> Parts;
  size_t NumResults = Map.results().size(), NumVariables = Map.numVariables();
  for (size_t I = 0; I < Forms.size(); ++I) {
    // A constant form is a part of its own.
    size_t Key = SomeVariable[I] ? Classes.getLeaderValue(*SomeVariable[I])
                                 : NumVariables + I;
    if (I < NumResults)
      Parts[Key].Results.push_back(I);
    else
      Parts[Key].Constraints.push_back(I - NumResults);
  }
  DenseMap<size_t, SmallVector<size_t, 4>> VariablesOf;
  for (size_t I = 0; I < NumVariables; ++I)
    if (Classes.contains(I))
      VariablesOf[Classes.getLeaderValue(I)].push_back(I);

  SmallVector<MapPart, 4> Result;
  for (auto &[Key, Part] : Parts) {
    IndexingMap::Variables Vars;
    Replacements With;
    for (size_t Position : VariablesOf.lookup(Key)) {
      With[Map.atomAt(Position)] =
          IndexingMap::exprOf(Context, VariableKind::Range, Vars.Ranges.size());
      Vars.Ranges.push_back({Map.variableAt(Position).Bounds, ""});
    }
    std::vector<IndexExpr> Results;
    for (unsigned I : Part.Results)
      Results.push_back(Map.result(I));
    std::vector<MapConstraint> Constraints;
    for (unsigned I : Part.Constraints)
      Constraints.push_back(Map.constraints()[I]);
    Result.push_back({renamed(Map, std::move(Vars), Results, Constraints, With),
                      std::move(Part.Results)});
  }
  return Result;
}

IndexExpr newVariable(const IndexingMap &Map, size_t Number) {
  size_t Slot = Map.ranges().size() + Number;
  return Slot < IndexingMap::MaxOfKind
             ? IndexingMap::exprOf(Map.context(), VariableKind::Range, Slot)
             : IndexExpr();
}

std::optional<IndexingMap> withReplaced(const IndexingMap &Map,
                                        ArrayRef<Interval> Bounds,
                                        const Replacements &With) {
  IndexingMap::Variables Vars = Map.variables();
  for (const Interval &I : Bounds)
    Vars.Ranges.push_back({I, ""});
  IndexingMap Box(Map.context(), Vars, {});
  // Replaced variables keep their bounds on this domain, where forms that
  // still contain them are rebuilt.
  IndexDomain Domain = Box.domain();
  IndexSubstitution Substitution(Domain, With);
  std::vector<IndexExpr> Results;
  for (IndexExpr E : Map.results()) {
    Results.push_back(Substitution.apply(E));
    if (!Results.back())
      return std::nullopt;
  }
  std::vector<MapConstraint> Constraints;
  for (const MapConstraint &C : Map.constraints()) {
    Constraints.push_back({Substitution.apply(C.Expr), C.Range});
    if (!Constraints.back().Expr)
      return std::nullopt;
  }
  IndexingMap Result(Map.context(), Vars, Results, Constraints);
  for (auto [I, Variable] : enumerate(Vars.Ranges))
    if (With.contains(
            IndexingMap::variableOf(Map.context(), VariableKind::Range, I))) {
      if (uses(Result,
               IndexingMap::variableOf(Map.context(), VariableKind::Range, I)))
        return std::nullopt;
      Variable.Bounds = Interval::point(0);
    }
  return IndexingMap(Map.context(), std::move(Vars), std::move(Results),
                     std::move(Constraints));
}

} // namespace unravel
