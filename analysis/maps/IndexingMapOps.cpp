//===- IndexingMapOps.cpp - Operations on indexing maps -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All operations are made of the same two steps: a Layout gives the variables
// that stay their new numbers, and a MapBuilder rewrites results and
// constraints for them.
//
// Expressions are rebuilt on the *box* of the new map, never on its whole
// domain: on the domain every constraint is simply true, and rebuilt there it
// would be lost.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapOps.h"
#include "analysis/algebra/IndexSubstitution.h"
#include "analysis/maps/MapCongruence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Step 1: the variables of the new map
//===----------------------------------------------------------------------===//

namespace {
class Layout {
public:
  explicit Layout(IndexContext &Context) : Context(Context) {}

  /// Adds variable \p Number of \p Map as the next one of kind \p NewKind, and
  /// its new expression to \p With.
  void move(const IndexingMap &Map, VariableKind Kind, unsigned Number,
            VariableKind NewKind, Replacements &With);
  void moveAll(const IndexingMap &Map, VariableKind Kind, VariableKind NewKind,
               Replacements &With) {
    for (unsigned I = 0; I < Map.variables(Kind).size(); ++I)
      move(Map, Kind, I, NewKind, With);
  }
  /// The variables, none of them with the name of another one.
  IndexingMap::Variables takeVariables();

private:
  std::vector<MapVariable> &variables(VariableKind Kind) {
    return Kind == VariableKind::Dimension ? Vars.Dimensions
           : Kind == VariableKind::Range   ? Vars.Ranges
                                           : Vars.Runtimes;
  }

  IndexContext &Context;
  IndexingMap::Variables Vars;
};
} // namespace

void Layout::move(const IndexingMap &Map, VariableKind Kind, unsigned Number,
                  VariableKind NewKind, Replacements &With) {
  With[IndexingMap::variableOf(Context, Kind, Number)] =
      IndexingMap::exprOf(Context, NewKind, variables(NewKind).size());
  variables(NewKind).push_back(Map.variables(Kind)[Number]);
}

IndexingMap::Variables Layout::takeVariables() {
  // The names come from several maps, or belong to other numbers now: s0 may
  // meet a variable that the user has named "s0". The later one of two, and
  // a variable with another one's default name, goes back to its own default.
  StringSet<> Taken;
  for (VariableKind Kind : AllVariableKinds)
    for (unsigned I = 0; I < variables(Kind).size(); ++I)
      Taken.insert(IndexingMap::defaultNameOf(Kind, I));
  for (VariableKind Kind : AllVariableKinds)
    for (MapVariable &Variable : variables(Kind))
      if (!Taken.insert(Variable.Name).second)
        Variable.Name.clear();
  return std::move(Vars);
}

//===----------------------------------------------------------------------===//
// Step 2: results and constraints
//===----------------------------------------------------------------------===//

/// The bounds of variables as facts.
static IndexDomain boxOf(IndexContext &Context,
                         const IndexingMap::Variables &Vars) {
  return IndexingMap(Context, Vars, {}).domain();
}

namespace {
class MapBuilder {
public:
  MapBuilder(IndexContext &Context, IndexingMap::Variables Vars)
      : Context(Context), Vars(std::move(Vars)),
        Box(boxOf(Context, this->Vars)), Basis(Box) {}

  const IndexDomain &box() const { return Box; }
  /// On the box; it remembers what results are made of.
  FloorBasis &basis() { return Basis; }
  void addResults(ArrayRef<IndexExpr> Exprs, IndexSubstitution &Substitution);
  void addConstraint(const MapConstraint &C, IndexSubstitution &Substitution);
  void addConstraints(ArrayRef<MapConstraint> Constraints,
                      IndexSubstitution &Substitution) {
    for (const MapConstraint &C : Constraints)
      addConstraint(C, Substitution);
  }
  /// Adds `E in Range` unless it is seen at once that the box implies it.
  void constrain(IndexExpr E, const Interval &Range);
  /// Nullopt if an expression was given up.
  std::optional<IndexingMap> build();

private:
  bool isImplied(IndexExpr E, const Interval &Range) const;

  IndexContext &Context;
  IndexingMap::Variables Vars;
  IndexDomain Box;
  FloorBasis Basis;
  std::vector<IndexExpr> Results;
  std::vector<MapConstraint> Constraints;
  bool GaveUp = false;
};
} // namespace

void MapBuilder::addResults(ArrayRef<IndexExpr> Exprs,
                            IndexSubstitution &Substitution) {
  for (IndexExpr E : Exprs) {
    Results.push_back(Substitution.apply(E));
    GaveUp |= !Results.back();
  }
}

void MapBuilder::addConstraint(const MapConstraint &C,
                               IndexSubstitution &Substitution) {
  IndexExpr E = Substitution.apply(C.Expr);
  GaveUp |= !E;
  // What became constant says nothing any more; what else is implied is left
  // for simplified() to find.
  if (E && !(E.isConstant() && C.Range.contains(E.constant())))
    Constraints.push_back({E, C.Range});
}

bool MapBuilder::isImplied(IndexExpr E, const Interval &Range) const {
  if (E.isConstant())
    return Range.contains(E.constant());
  if (const IndexAtom *Atom = E.asAtom())
    return Range.contains(Box.boundsOf(Atom));
  return Range == Interval();
}

void MapBuilder::constrain(IndexExpr E, const Interval &Range) {
  GaveUp |= !E;
  if (E && !isImplied(E, Range))
    Constraints.push_back({E, Range});
}

std::optional<IndexingMap> MapBuilder::build() {
  if (GaveUp)
    return std::nullopt;
  return IndexingMap(Context, std::move(Vars), std::move(Results),
                     std::move(Constraints));
}

/// \p Map with the replacements \p With, over other variables.
static std::optional<IndexingMap> rewritten(const IndexingMap &Map,
                                            IndexingMap::Variables Vars,
                                            Replacements With) {
  if (Map.isKnownEmpty())
    return IndexingMap::empty(Map.context(), std::move(Vars),
                              Map.results().size());
  MapBuilder New(Map.context(), std::move(Vars));
  IndexSubstitution Substitution(New.box(), std::move(With));
  New.addResults(Map.results(), Substitution);
  New.addConstraints(Map.constraints(), Substitution);
  return New.build();
}

//===----------------------------------------------------------------------===//
// Substitution, composition
//===----------------------------------------------------------------------===//

IndexExpr substitute(const IndexDomain &Domain, IndexExpr E,
                     const Replacements &With) {
  return IndexSubstitution(Domain, With).apply(E);
}

std::optional<IndexingMap> compose(const IndexingMap &First,
                                   const IndexingMap &Second) {
  assert(First.results().size() == Second.dimensions().size() &&
         "the maps do not fit together");
  if (First.ranges().size() + Second.ranges().size() > IndexingMap::MaxOfKind ||
      First.runtimes().size() + Second.runtimes().size() >
          IndexingMap::MaxOfKind)
    return std::nullopt;
  IndexContext &Context = First.context();
  Layout NewLayout(Context);
  Replacements InFirst, InSecond;
  NewLayout.moveAll(First, VariableKind::Dimension, VariableKind::Dimension,
                    InFirst);
  for (VariableKind Kind : {VariableKind::Range, VariableKind::Runtime}) {
    NewLayout.moveAll(Second, Kind, Kind, InSecond);
    NewLayout.moveAll(First, Kind, Kind, InFirst);
  }
  IndexingMap::Variables Vars = NewLayout.takeVariables();
  if (First.isKnownEmpty() || Second.isKnownEmpty())
    return IndexingMap::empty(Context, std::move(Vars),
                              Second.results().size());

  MapBuilder New(Context, std::move(Vars));
  IndexSubstitution SubstituteFirst(New.basis(), std::move(InFirst));
  for (auto [I, Result] : enumerate(First.results()))
    InSecond[IndexingMap::variableOf(Context, VariableKind::Dimension, I)] =
        SubstituteFirst.apply(Result);
  for (auto [I, Dimension] : enumerate(Second.dimensions()))
    New.constrain(
        InSecond[IndexingMap::variableOf(Context, VariableKind::Dimension, I)],
        Dimension.Bounds);
  IndexSubstitution SubstituteSecond(New.basis(), std::move(InSecond));
  New.addResults(Second.results(), SubstituteSecond);
  New.addConstraints(Second.constraints(), SubstituteSecond);
  New.addConstraints(First.constraints(), SubstituteFirst);
  return New.build();
}

//===----------------------------------------------------------------------===//
// Results and constraints
//===----------------------------------------------------------------------===//

IndexingMap subMap(const IndexingMap &Map, ArrayRef<unsigned> Numbers) {
  if (Map.isKnownEmpty())
    return IndexingMap::empty(Map.context(), Map.variables(), Numbers.size());
  std::vector<IndexExpr> Results;
  for (unsigned Number : Numbers)
    Results.push_back(Map.result(Number));
  return IndexingMap(Map.context(), Map.variables(), std::move(Results),
                     Map.constraints());
}

IndexingMap withConstraint(const IndexingMap &Map, IndexExpr E,
                           const Interval &Range) {
  if (Map.isKnownEmpty())
    return Map;
  std::vector<MapConstraint> Constraints = Map.constraints();
  Constraints.push_back({E, Range});
  return IndexingMap(Map.context(), Map.variables(), Map.results(),
                     std::move(Constraints));
}

//===----------------------------------------------------------------------===//
// Fewer variables
//===----------------------------------------------------------------------===//

/// Sets the positions of the variables in \p E.
static void addVariablesOf(const IndexingMap &Map, IndexExpr E,
                           BitVector &Positions) {
  forEachAtom(E, [&](const IndexAtom *Atom) {
    if (Atom->isVariable())
      if (std::optional<size_t> Position = Map.positionOf(Atom))
        Positions.set(*Position);
  });
}

/// Extends \p Used by all variables that constraints connect with it: what one
/// of them can be depends on the others.
static void addConnectedVariables(const IndexingMap &Map, BitVector &Used) {
  SmallVector<BitVector, 8> Groups;
  for (const MapConstraint &C : Map.constraints()) {
    Groups.emplace_back(Map.numVariables());
    addVariablesOf(Map, C.Expr, Groups.back());
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BitVector &Group : Groups) {
      // The first operand of test() is not a subset of the second.
      if (!Group.anyCommon(Used) || !Group.test(Used))
        continue;
      Used |= Group;
      Changed = true;
    }
  }
}

/// The layout of \p Map without \p Removed.
static IndexingMap::Variables layoutWithout(const IndexingMap &Map,
                                            const BitVector &Removed,
                                            Replacements &With) {
  Layout New(Map.context());
  size_t Position = 0;
  for (VariableKind Kind : AllVariableKinds)
    for (unsigned I = 0; I < Map.variables(Kind).size(); ++I)
      if (!Removed.test(Position++))
        New.move(Map, Kind, I, Kind, With);
  return New.takeVariables();
}

/// Removes what is not in \p Used, which is closed under the constraints.
static ReducedMap keepOnly(const IndexingMap &Map, const BitVector &Used) {
  IndexContext &Context = Map.context();
  BitVector Removed = Used;
  Removed.flip();
  Replacements With;
  IndexingMap::Variables Vars = layoutWithout(Map, Removed, With);
  if (Map.isKnownEmpty())
    return {IndexingMap::empty(Context, std::move(Vars), Map.results().size()),
            Removed};
  // Variables only move up and keep their order: the forms stay as they are.
  IndexSubstitution Rename(Context, std::move(With));
  std::vector<IndexExpr> Results;
  for (IndexExpr Result : Map.results())
    Results.push_back(Rename.apply(Result));
  std::vector<MapConstraint> Constraints;
  for (const MapConstraint &C : Map.constraints()) {
    BitVector Group(Map.numVariables());
    addVariablesOf(Map, C.Expr, Group);
    if (Group.anyCommon(Used))
      Constraints.push_back({Rename.apply(C.Expr), C.Range});
  }
  return {IndexingMap(Context, std::move(Vars), std::move(Results),
                      std::move(Constraints)),
          Removed};
}

static BitVector variablesOfResults(const IndexingMap &Map) {
  BitVector Used(Map.numVariables());
  for (IndexExpr Result : Map.results())
    addVariablesOf(Map, Result, Used);
  return Used;
}

ReducedMap removeUnusedVariables(const IndexingMap &Map) {
  BitVector Used = variablesOfResults(Map);
  addConnectedVariables(Map, Used);
  return keepOnly(Map, Used);
}

ReducedMap removeUnusedSymbols(const IndexingMap &Map) {
  BitVector Used = variablesOfResults(Map);
  Used.set(0, Map.dimensions().size());
  addConnectedVariables(Map, Used);
  return keepOnly(Map, Used);
}

std::optional<ReducedMap> removePointVariables(const IndexingMap &Map) {
  BitVector Removed(Map.numVariables());
  Replacements With;
  for (size_t I = 0; I < Map.numVariables(); ++I) {
    const Interval &Bounds = Map.variableAt(I).Bounds;
    if (!Bounds.isPoint() || !Bounds.isBounded())
      continue;
    Removed.set(I);
    With[Map.atomAt(I)] = Map.context().constant(Bounds.lo());
  }
  IndexingMap::Variables Vars = layoutWithout(Map, Removed, With);
  std::optional<IndexingMap> New =
      rewritten(Map, std::move(Vars), std::move(With));
  if (!New)
    return std::nullopt;
  return ReducedMap{std::move(*New), Removed};
}

//===----------------------------------------------------------------------===//
// Ranges without gaps
//===----------------------------------------------------------------------===//

/// The t with Modulus*t + Residue in \p Bounds, for a residue in [0, Modulus).
/// With a bound Modulus*q + e, 0 <= e < Modulus, that is q, and one further
/// inwards if e is on the wrong side of the residue.
static Interval rescaledBounds(const Interval &Bounds, const Congruence &C) {
  int64_t M = C.modulus(), R = C.residue();
  int64_t Lo = Bounds.lo(), Hi = Bounds.hi();
  if (Bounds.isBoundedBelow())
    Lo = floorDiv(Lo, M) + (floorMod(Lo, M) > R ? 1 : 0);
  if (Bounds.isBoundedAbove())
    Hi = floorDiv(Hi, M) - (floorMod(Hi, M) < R ? 1 : 0);
  return {Lo, Hi};
}

std::optional<IndexingMap> rescaleSymbols(const IndexingMap &Map) {
  IndexContext &Context = Map.context();
  MapCongruences Congruences = congruencesOf(Context, Map.constraints());
  if (Map.isKnownEmpty() || Congruences.Contradictory)
    return IndexingMap::empty(Context, Map.variables(), Map.results().size());
  IndexingMap::Variables Vars = Map.variables();
  Replacements With;
  for (auto [I, Range] : enumerate(Vars.Ranges)) {
    IndexExpr Variable = IndexingMap::exprOf(Context, VariableKind::Range, I);
    auto It = Congruences.Lattices.find(Variable.asAtom());
    if (It == Congruences.Lattices.end())
      continue;
    Range.Bounds = rescaledBounds(Range.Bounds, It->second);
    if (Range.Bounds.isEmpty())
      return IndexingMap::empty(Context, Map.variables(), Map.results().size());
    With[Variable.asAtom()] = Context.add(
        Context.scale(Variable, It->second.modulus()), It->second.residue());
  }
  if (With.empty())
    return Map;

  MapBuilder New(Context, std::move(Vars));
  IndexSubstitution Substitution(New.box(), With);
  New.addResults(Map.results(), Substitution);
  // What made a lattice is now true everywhere.
  for (auto [C, Source] : zip_equal(Map.constraints(), Congruences.Sources))
    if (!Source || !With.contains(Source))
      New.addConstraint(C, Substitution);
  return New.build();
}

//===----------------------------------------------------------------------===//
// Other kinds of variables
//===----------------------------------------------------------------------===//

std::optional<IndexingMap>
convertRangesToDimensions(const IndexingMap &Map, ArrayRef<unsigned> Numbers) {
  if (Map.dimensions().size() + Numbers.size() > IndexingMap::MaxOfKind)
    return std::nullopt;
  Layout New(Map.context());
  Replacements With;
  New.moveAll(Map, VariableKind::Dimension, VariableKind::Dimension, With);
  for (unsigned Number : Numbers)
    New.move(Map, VariableKind::Range, Number, VariableKind::Dimension, With);
  for (unsigned I = 0; I < Map.ranges().size(); ++I)
    if (!is_contained(Numbers, I))
      New.move(Map, VariableKind::Range, I, VariableKind::Range, With);
  New.moveAll(Map, VariableKind::Runtime, VariableKind::Runtime, With);
  return rewritten(Map, New.takeVariables(), std::move(With));
}

std::optional<IndexingMap> convertSymbolsToDimensions(const IndexingMap &Map) {
  if (Map.numVariables() > IndexingMap::MaxOfKind)
    return std::nullopt;
  Layout New(Map.context());
  Replacements With;
  for (VariableKind Kind : AllVariableKinds)
    New.moveAll(Map, Kind, VariableKind::Dimension, With);
  return rewritten(Map, New.takeVariables(), std::move(With));
}

//===----------------------------------------------------------------------===//
// Runtime variables
//===----------------------------------------------------------------------===//

/// \p E, or the end of \p Range that is nearest to it.
static IndexExpr clamped(const IndexDomain &Domain, IndexExpr E,
                         const Interval &Range) {
  FloorBasis Basis(Domain);
  IndexContext &Context = Domain.context();
  if (Range.isBoundedAbove())
    E = Basis.min(E, Context.constant(Range.hi()));
  if (Range.isBoundedBelow())
    E = Basis.max(E, Context.constant(Range.lo()));
  return E;
}

std::optional<IndexingMap> foldRuntimeVariable(const IndexingMap &Map,
                                               unsigned Number, IndexExpr Value,
                                               bool Clamped) {
  IndexContext &Context = Map.context();
  const IndexAtom *Folded =
      IndexingMap::variableOf(Context, VariableKind::Runtime, Number);
  const Interval &Bounds = Map.runtimes()[Number].Bounds;
  BitVector Removed(Map.numVariables()), InValue(Map.numVariables());
  Removed.set(*Map.positionOf(Folded));
  addVariablesOf(Map, Value, InValue);
  assert(!InValue.anyCommon(Removed) && "the value uses the variable itself");
  Replacements With;
  IndexingMap::Variables Vars = layoutWithout(Map, Removed, With);
  if (Map.isKnownEmpty())
    return IndexingMap::empty(Context, std::move(Vars), Map.results().size());

  MapBuilder New(Context, std::move(Vars));
  // The value is an expression over the old numbers, too.
  Value = substitute(New.box(), Value, With);
  if (Clamped)
    Value = clamped(New.box(), Value, Bounds);
  else
    New.constrain(Value, Bounds);
  With[Folded] = Value;
  IndexSubstitution Substitution(New.box(), std::move(With));
  New.addResults(Map.results(), Substitution);
  New.addConstraints(Map.constraints(), Substitution);
  return New.build();
}

} // namespace unravel
