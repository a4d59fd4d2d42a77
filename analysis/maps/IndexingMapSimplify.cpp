//===- IndexingMapSimplify.cpp - The simplest form of a map ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map is simplified in rounds until a round changes nothing. One round
//
//   1. takes every constraint apart (ConstraintNormalizer.h) into bounds and
//      congruences of single variables and what is left,
//   2. tightens the bounds by everything that is known,
//   3. drops the constraints that the rest of the domain implies,
//   4. simplifies the results on the domain.
//
// The constraints are kept sorted by structure, so their order in the input
// does not matter, and since the rounds end at a fixed point, simplifying twice
// is simplifying once.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexProver.h"
#include "analysis/maps/ConstraintNormalizer.h"
#include "analysis/maps/IndexingMap.h"

using namespace llvm;

namespace unravel {

/// Rounds until bounds that tighten each other are left as they were: such
/// chains (x < y, y < x + 2 ...) can take as many rounds as there are values.
static constexpr unsigned MaxTighteningRounds = 16;
/// Rounds of everything.
static constexpr unsigned MaxRounds = 16;
/// More constraints than this are not compared with each other.
static constexpr unsigned MaxComparedConstraints = 24;

namespace {
class MapSimplifier {
public:
  explicit MapSimplifier(const IndexingMap &Map)
      : Map(Map), Context(Map.context()), Vars(Map.variables()),
        Results(Map.results()) {}

  IndexingMap run(bool TightenBounds);

private:
  IndexDomain box() const;
  IndexDomain domainWithout(size_t Skipped) const;
  bool normalizeConstraints();
  bool tightenBounds();
  void dropImpliedConstraints();
  void simplifyResults();
  void setBounds(const IndexDomain &Domain);
  MapVariable &variableAt(size_t I);
  IndexingMap empty() const {
    return IndexingMap::empty(Context, Map.variables(), Results.size());
  }

  const IndexingMap &Map;
  IndexContext &Context;
  IndexingMap::Variables Vars;
  std::vector<IndexExpr> Results;
  /// By position in a point.
  std::vector<Congruence> Lattices;
  std::vector<MapConstraint> Constraints;
};
} // namespace

MapVariable &MapSimplifier::variableAt(size_t I) {
  for (std::vector<MapVariable> *Kind :
       {&Vars.Dimensions, &Vars.Ranges, &Vars.Runtimes}) {
    if (I < Kind->size())
      return (*Kind)[I];
    I -= Kind->size();
  }
  llvm_unreachable("no such variable");
}

/// The variables with their bounds and lattices.
IndexDomain MapSimplifier::box() const {
  IndexDomain Domain(Context);
  for (size_t I = 0; I < Map.numVariables(); ++I)
    Domain.declare(Map.atomAt(I),
                   const_cast<MapSimplifier *>(this)->variableAt(I).Bounds,
                   Lattices.empty() ? Congruence() : Lattices[I]);
  return Domain;
}

IndexDomain MapSimplifier::domainWithout(size_t Skipped) const {
  IndexDomain Domain = box();
  for (size_t I = 0; I < Constraints.size(); ++I)
    if (I != Skipped)
      Domain.constrain(Constraints[I].Expr, Constraints[I].Range);
  Domain.propagate();
  return Domain;
}

void MapSimplifier::setBounds(const IndexDomain &Domain) {
  for (size_t I = 0; I < Map.numVariables(); ++I)
    variableAt(I).Bounds = Domain.boundsOf(Map.atomAt(I));
}

//===----------------------------------------------------------------------===//
// The steps of a round
//===----------------------------------------------------------------------===//

/// Returns false if the domain turned out to be empty.
bool MapSimplifier::normalizeConstraints() {
  ConstraintNormalizer Normalizer(box());
  for (const MapConstraint &C : Constraints)
    Normalizer.add(C);
  if (!Normalizer.finish())
    return false;
  Constraints = Normalizer.takeConstraints();
  const IndexDomain &Solved = Normalizer.solved();
  setBounds(Solved);
  Lattices.clear();
  for (size_t I = 0; I < Map.numVariables(); ++I)
    Lattices.push_back(Solved.congruenceOf(Map.atomAt(I)));
  return true;
}

/// Returns false if the domain turned out to be empty.
bool MapSimplifier::tightenBounds() {
  IndexingMap::Variables Before = Vars;
  for (unsigned Round = 0; Round < MaxTighteningRounds; ++Round) {
    IndexDomain Domain = domainWithout(Constraints.size());
    if (Domain.isKnownEmpty())
      return false;
    bool Changed = false;
    for (size_t I = 0; I < Map.numVariables(); ++I)
      Changed |= variableAt(I).Bounds != Domain.boundsOf(Map.atomAt(I));
    setBounds(Domain);
    if (!Changed)
      return true;
  }
  Vars = Before;
  return true;
}

/// The last in the order of the constraints go first, each if the box and the
/// constraints that are still there imply it.
void MapSimplifier::dropImpliedConstraints() {
  if (Constraints.size() > MaxComparedConstraints)
    return;
  for (size_t I = Constraints.size(); I-- > 0;) {
    const MapConstraint &C = Constraints[I];
    if (provesEnds(domainWithout(I), C.Expr, C.Range))
      Constraints.erase(Constraints.begin() + I);
  }
}

void MapSimplifier::simplifyResults() {
  IndexDomain Domain = domainWithout(Constraints.size());
  FloorBasis Basis(Domain);
  for (IndexExpr &Result : Results)
    if (IndexExpr Simpler = Basis.simplify(Result))
      Result = Simpler;
}

IndexingMap MapSimplifier::run(bool TightenBounds) {
  if (Map.isKnownEmpty())
    return empty();
  Constraints = Map.constraints();
  sortConstraints(Constraints);
  for (size_t I = 0; I < Map.numVariables(); ++I)
    if (variableAt(I).Bounds.isEmpty())
      return empty();
  if (!normalizeConstraints() || (TightenBounds && !tightenBounds()))
    return empty();
  dropImpliedConstraints();
  simplifyResults();
  for (size_t I = 0; I < Map.numVariables(); ++I)
    if (std::optional<MapConstraint> C = congruenceConstraint(
            Context, Map.atomAt(I), variableAt(I).Bounds, Lattices[I]))
      Constraints.push_back(*C);
  sortConstraints(Constraints);
  return IndexingMap(Context, std::move(Vars), std::move(Results),
                     std::move(Constraints));
}

//===----------------------------------------------------------------------===//
// The fixed point
//===----------------------------------------------------------------------===//

IndexingMap IndexingMap::simplified() const {
  // With an arithmetic that gives up at overflow and bounded searches, rounds
  // could in principle follow each other for ever. Then the bounds are left
  // alone, and after that the map is.
  for (bool TightenBounds : {true, false}) {
    IndexingMap Current = *this;
    for (unsigned Round = 0; Round < MaxRounds; ++Round) {
      IndexingMap Next = MapSimplifier(Current).run(TightenBounds);
      if (Next == Current)
        return Next;
      Current = std::move(Next);
    }
  }
  return *this;
}

} // namespace unravel
