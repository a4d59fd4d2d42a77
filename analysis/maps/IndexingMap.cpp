//===- IndexingMap.cpp - Maps between index spaces ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMap.h"
#include "analysis/maps/MapCongruence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static_assert(3 * IndexingMap::MaxOfKind <= IndexContext::NumSlots,
              "every variable has a slot");

const IndexAtom *IndexingMap::variableOf(IndexContext &Context,
                                         VariableKind Kind, unsigned Number) {
  assert(Number < MaxOfKind && "too many variables");
  return Context.numberedVariable(static_cast<unsigned>(Kind) * MaxOfKind +
                                  Number);
}

IndexExpr IndexingMap::exprOf(IndexContext &Context, VariableKind Kind,
                              unsigned Number) {
  return Context.atom(variableOf(Context, Kind, Number));
}

ArrayRef<MapVariable> IndexingMap::variables(VariableKind Kind) const {
  switch (Kind) {
  case VariableKind::Dimension:
    return Vars.Dimensions;
  case VariableKind::Range:
    return Vars.Ranges;
  case VariableKind::Runtime:
    return Vars.Runtimes;
  }
  llvm_unreachable("all kinds of variables are handled");
}

const IndexAtom *IndexingMap::atomAt(size_t I) const {
  for (VariableKind Kind : AllVariableKinds) {
    if (I < variables(Kind).size())
      return variableOf(*Context, Kind, I);
    I -= variables(Kind).size();
  }
  llvm_unreachable("the map has no such position");
}

const MapVariable &IndexingMap::variableAt(size_t I) const {
  for (VariableKind Kind : AllVariableKinds) {
    if (I < variables(Kind).size())
      return variables(Kind)[I];
    I -= variables(Kind).size();
  }
  llvm_unreachable("the map has no such position");
}

std::optional<size_t> IndexingMap::positionOf(const IndexAtom *Variable) const {
  // A numbered variable has its slot as id; all other atoms have larger ids.
  size_t Number = Variable->id(), Offset = 0;
  for (VariableKind Kind : AllVariableKinds) {
    if (Number < MaxOfKind) {
      if (Number < variables(Kind).size())
        return Offset + Number;
      return std::nullopt;
    }
    Number -= MaxOfKind;
    Offset += variables(Kind).size();
  }
  return std::nullopt;
}

std::string IndexingMap::defaultNameOf(VariableKind Kind, unsigned Number) {
  static constexpr StringLiteral Prefixes[] = {"d", "s", "rt"};
  return (Prefixes[static_cast<unsigned>(Kind)] + Twine(Number)).str();
}

std::string IndexingMap::nameOf(VariableKind Kind, unsigned Number) const {
  const std::string &Name = variables(Kind)[Number].Name;
  return Name.empty() ? defaultNameOf(Kind, Number) : Name;
}

std::string IndexingMap::nameOf(const IndexAtom *Variable) const {
  if (!positionOf(Variable))
    return "?";
  unsigned Slot = Variable->id();
  return nameOf(static_cast<VariableKind>(Slot / MaxOfKind), Slot % MaxOfKind);
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// What can be seen without reasoning: no value satisfies it.
static bool isContradictory(const MapVariable &Variable) {
  return Variable.Bounds.isEmpty();
}
static bool isContradictory(const MapConstraint &C) {
  return C.Range.isEmpty() ||
         (C.Expr.isConstant() && !C.Range.contains(C.Expr.constant()));
}

IndexingMap::IndexingMap(IndexContext &Context, Variables Vars,
                         std::vector<IndexExpr> Results,
                         std::vector<MapConstraint> Constraints)
    : Context(&Context), Vars(std::move(Vars)), Results(std::move(Results)),
      Constraints(std::move(Constraints)) {
  assert(all_of(this->Results, [](IndexExpr E) { return bool(E); }) &&
         all_of(this->Constraints,
                [](const MapConstraint &C) { return bool(C.Expr); }) &&
         "an expression that was given up");
  auto Contradictory = [](const auto &X) { return isContradictory(X); };
  if (any_of(this->Constraints, Contradictory) ||
      any_of(AllVariableKinds, [&](VariableKind Kind) {
        return any_of(variables(Kind), Contradictory);
      }))
    *this = empty(Context, std::move(this->Vars), this->Results.size());
}

IndexingMap IndexingMap::identity(IndexContext &Context,
                                  ArrayRef<int64_t> Sizes) {
  Variables Vars;
  std::vector<IndexExpr> Results;
  for (int64_t Size : Sizes) {
    assert(Size >= 0 && "a size is not negative");
    Results.push_back(
        exprOf(Context, VariableKind::Dimension, Vars.Dimensions.size()));
    Vars.Dimensions.push_back({Interval(0, Size - 1), ""});
  }
  return IndexingMap(Context, std::move(Vars), std::move(Results));
}

IndexingMap IndexingMap::empty(IndexContext &Context, Variables Vars,
                               size_t NumResults) {
  IndexingMap Map(Context);
  Map.Vars = std::move(Vars);
  for (MapVariable &Variable : Map.Vars.Dimensions)
    Variable.Bounds = Interval(0, -1);
  for (MapVariable &Variable : Map.Vars.Ranges)
    Variable.Bounds = Interval(0, -1);
  Map.Results.assign(NumResults, Context.constant(0));
  Map.KnownEmpty = true;
  return Map;
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

/// The constraints as a set: sorted, each once.
static std::vector<MapConstraint> setOf(ArrayRef<MapConstraint> Constraints) {
  std::vector<MapConstraint> Set = Constraints;
  llvm::sort(Set, [](const MapConstraint &A, const MapConstraint &B) {
    return std::make_tuple(A.Expr.id(), A.Range.lo(), A.Range.hi()) <
           std::make_tuple(B.Expr.id(), B.Range.lo(), B.Range.hi());
  });
  Set.erase(std::unique(Set.begin(), Set.end()), Set.end());
  return Set;
}

static bool haveSameBounds(ArrayRef<MapVariable> A, ArrayRef<MapVariable> B) {
  return llvm::equal(A, B, [](const MapVariable &X, const MapVariable &Y) {
    return X.Bounds == Y.Bounds;
  });
}

bool IndexingMap::operator==(const IndexingMap &Other) const {
  return KnownEmpty == Other.KnownEmpty && Results == Other.Results &&
         all_of(AllVariableKinds,
                [&](VariableKind Kind) {
                  return haveSameBounds(variables(Kind), Other.variables(Kind));
                }) &&
         (Constraints == Other.Constraints ||
          setOf(Constraints) == setOf(Other.Constraints));
}

static hash_code hashOf(const Interval &I) {
  return hash_combine(I.lo(), I.hi());
}

hash_code hash_value(const IndexingMap &Map) {
  // Ids, not addresses: the same in every run.
  hash_code Hash = hash_combine(Map.KnownEmpty, Map.Results.size());
  for (IndexExpr Result : Map.Results)
    Hash = hash_combine(Hash, Result.id());
  for (VariableKind Kind : AllVariableKinds) {
    Hash = hash_combine(Hash, Map.variables(Kind).size());
    for (const MapVariable &Variable : Map.variables(Kind))
      Hash = hash_combine(Hash, hashOf(Variable.Bounds));
  }
  for (const MapConstraint &C : setOf(Map.Constraints))
    Hash = hash_combine(Hash, C.Expr.id(), hashOf(C.Range));
  return Hash;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::optional<int64_t> IndexingMap::evaluate(IndexExpr E,
                                             ArrayRef<int64_t> P) const {
  assert(P.size() == numVariables() && "a point of another space");
  return unravel::evaluate(
      E, [&](const IndexAtom *Variable) -> std::optional<int64_t> {
        if (std::optional<size_t> Position = positionOf(Variable))
          return P[*Position];
        return std::nullopt;
      });
}

std::optional<std::vector<int64_t>>
IndexingMap::evaluate(ArrayRef<int64_t> P) const {
  std::vector<int64_t> Values;
  for (IndexExpr Result : Results) {
    std::optional<int64_t> Value = evaluate(Result, P);
    if (!Value)
      return std::nullopt;
    Values.push_back(*Value);
  }
  return Values;
}

bool IndexingMap::contains(ArrayRef<int64_t> P) const {
  assert(P.size() == numVariables() && "a point of another space");
  if (KnownEmpty)
    return false;
  for (size_t I = 0; I < P.size(); ++I)
    if (!variableAt(I).Bounds.contains(P[I]))
      return false;
  return all_of(Constraints, [&](const MapConstraint &C) {
    std::optional<int64_t> Value = evaluate(C.Expr, P);
    return Value && C.Range.contains(*Value);
  });
}

std::optional<uint64_t> IndexingMap::boxSize() const {
  // One empty range makes the box empty, however large the others are.
  if (KnownEmpty)
    return 0;
  uint64_t Product = 1;
  for (size_t I = 0; I < numVariables(); ++I) {
    std::optional<uint64_t> Size = variableAt(I).Bounds.size();
    bool Overflow = false;
    if (Size)
      Product = SaturatingMultiply(Product, *Size, &Overflow);
    if (!Size || Overflow)
      return std::nullopt;
  }
  return Product;
}

bool IndexingMap::forEachPoint(
    uint64_t MaxPoints, function_ref<bool(ArrayRef<int64_t>)> Visit) const {
  std::optional<uint64_t> Size = boxSize();
  if (!Size || *Size > MaxPoints)
    return false;
  if (*Size == 0)
    return true;
  Point P;
  for (size_t I = 0; I < numVariables(); ++I)
    P.push_back(variableAt(I).Bounds.lo());
  // Counts through the box like an odometer, the last position fastest.
  while (true) {
    if (contains(P) && !Visit(P))
      return false;
    size_t I = P.size();
    while (I > 0 && P[I - 1] == variableAt(I - 1).Bounds.hi()) {
      --I;
      P[I] = variableAt(I).Bounds.lo();
    }
    if (I == 0)
      return true;
    ++P[I - 1];
  }
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

IndexDomain IndexingMap::domain() const {
  IndexDomain Domain(*Context);
  MapCongruences Congruences = congruencesOf(*Context, Constraints);
  // The domain wants to know of every variable some value that it can have.
  for (size_t I = 0; I < numVariables(); ++I)
    if (!variableAt(I).Bounds.isEmpty())
      Domain.declare(atomAt(I), variableAt(I).Bounds,
                     Congruences.Lattices.lookup(atomAt(I)));
  if (KnownEmpty || Congruences.Contradictory)
    Domain.constrain(Context->constant(0), Interval::point(1));
  for (const MapConstraint &C : Constraints)
    Domain.constrain(C.Expr, C.Range);
  Domain.propagate();
  return Domain;
}

Interval IndexingMap::rangeOfResult(size_t I) const {
  return domain().range(Results[I]);
}

std::vector<Interval> IndexingMap::rangesOfResults() const {
  IndexDomain Domain = domain();
  std::vector<Interval> Ranges;
  for (IndexExpr Result : Results)
    Ranges.push_back(Domain.range(Result));
  return Ranges;
}

} // namespace unravel
