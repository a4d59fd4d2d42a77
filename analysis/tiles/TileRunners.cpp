//===- TileRunners.cpp - A map over variables that run in tiles -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/MapCongruence.h"
#include "analysis/tiles/IndependentDigits.h"
#include "analysis/tiles/SymbolicTiler.h"
#include "analysis/tiles/TileSystem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

IndexingMap SymbolicTiler::symbolsOf(const IndexingMap &Map) {
  IndexingMap::Variables Vars;
  for (size_t I = 0; I < Map.dimensions().size(); ++I)
    Vars.Dimensions.push_back({Interval::atLeast(1), "t" + std::to_string(I)});
  for (size_t I = 0; I < Map.dimensions().size(); ++I)
    Vars.Dimensions.push_back({Map.dimensions()[I].Bounds.lo() < 0
                                   ? Interval()
                                   : Interval::atLeast(0),
                               "i" + std::to_string(I)});
  for (size_t I = 0; I < Map.runtimes().size(); ++I)
    Vars.Runtimes.push_back(
        {Map.runtimes()[I].Bounds, Map.nameOf(VariableKind::Runtime, I)});
  return IndexingMap(Map.context(), std::move(Vars), {});
}

/// The simplified map over range variables, runtime variables kept.
bool SymbolicTiler::begin() {
  IndexingMap Simple = Given.simplified();
  if (Simple.isKnownEmpty())
    return fail("the map has no points");
  // A dimension with one value may still have larger tiles, most of which are
  // outside of it.
  std::vector<IndexExpr> Results(Simple.results());
  for (auto [I, E] : enumerate(Given.results()))
    if (E.terms().size() == 1 && Results[I].isConstant() && isAffine(E))
      Results[I] = E;
  IndexingMap::Variables Vars;
  Vars.Runtimes = Simple.variables().Runtimes;
  Replacements With;
  for (VariableKind Kind : {VariableKind::Dimension, VariableKind::Range})
    for (auto [I, Variable] : enumerate(Simple.variables(Kind))) {
      size_t Number = Vars.Ranges.size();
      With[IndexingMap::variableOf(Context, Kind, I)] =
          IndexingMap::exprOf(Context, VariableKind::Range, Number);
      Vars.Ranges.push_back({Variable.Bounds, ""});
      Runner R;
      if (std::optional<uint64_t> Size = Variable.Bounds.size();
          Size && *Size <= uint64_t(std::numeric_limits<int64_t>::max()))
        R.Length = int64_t(*Size);
      if (Kind == VariableKind::Dimension) {
        R.Dimension = I;
        R.Extent = sizeOf(I);
        R.Offset = Context.multiply(indexOf(I), sizeOf(I));
        R.IsAligned = true;
      } else {
        R.Offset = Context.constant(Variable.Bounds.lo());
        R.Extent = Context.constant(R.Length.value_or(1));
      }
      Runners.push_back(R);
    }
  IndexSubstitution Rename(Context, With);
  std::vector<MapConstraint> Constraints;
  for (IndexExpr &E : Results)
    E = Rename.apply(E);
  for (const MapConstraint &C : Simple.constraints())
    Constraints.push_back({Rename.apply(C.Expr), C.Range});
  Current = IndexingMap(Context, std::move(Vars), std::move(Results),
                        std::move(Constraints));
  for (size_t I = 0; I < Current.results().size(); ++I)
    Bounds.push_back(Current.rangeOfResult(I));
  for (size_t I = Given.dimensions().size(); I < Runners.size(); ++I)
    if (!Runners[I].Length && uses(Current, variable(I)))
      return fail("a range variable that the results depend on has no bounds");
  return true;
}

/// A dimension with a stride is o + stride * j, where o is where the tile
/// begins.
bool SymbolicTiler::addStrides() {
  SmallVector<Interval, 4> Values;
  Replacements With;
  for (auto [I, Stride] : enumerate(Strides)) {
    if (Stride < 1)
      return fail("the stride of dimension " + Twine(I) + " is " +
                  Twine(Stride) + "; strides are at least 1");
    if (Stride == 1)
      continue;
    Runner Begin = Runners[I], Steps = Runners[I];
    Begin.Extent = one();
    Begin.Length = 1;
    Begin.IsAligned = false;
    Begin.IsPoint = true;
    Steps.Offset = Context.constant(0);
    Steps.IsAligned = false;
    // A tile may begin in front of the bounds and reach into them.
    Interval Old = Current.ranges()[I].Bounds;
    Steps.Length = std::nullopt;
    if (Old.lo() >= 0 && Old.isBoundedAbove())
      Steps.Length = Old.hi() / Stride + 1;
    Begin.Dimension = Steps.Dimension = std::nullopt;
    IndexExpr O = newVariable(Current, Values.size()),
              J = newVariable(Current, Values.size() + 1);
    IndexExpr Value = O && J ? Context.add(O, J, Stride) : IndexExpr();
    if (!Value)
      return tooLarge();
    With[variable(I)] = Value;
    Values.push_back(Old.lo() >= 0 ? Interval(0, Old.hi())
                                   : Interval::atMost(Old.hi()));
    Values.push_back(Steps.Length ? Interval(0, *Steps.Length - 1)
                                  : Interval::atLeast(0));
    Runners.push_back(Begin);
    Runners.push_back(Steps);
  }
  if (With.empty())
    return true;
  std::optional<IndexingMap> New = withReplaced(Current, Values, With);
  if (!New)
    return tooLarge();
  Current = *New;
  return true;
}

/// x mod m = r: x = m*y + r, where m divides the tile sizes of x.
bool SymbolicTiler::addLattices() {
  MapCongruences Congruences = congruencesOf(Context, Current.constraints());
  SmallVector<Interval, 4> Bounds;
  Replacements With;
  std::vector<MapConstraint> Kept;
  for (size_t I = 0, E = Runners.size(); I < E; ++I) {
    auto It = Congruences.Lattices.find(variable(I));
    if (It == Congruences.Lattices.end() || It->second.modulus() < 2)
      continue;
    if (Runners[I].IsPoint)
      return fail("a tile with a stride meets a constraint on a remainder");
    const Congruence &Lattice = It->second;
    Interval Old = Current.ranges()[I].Bounds;
    Interval Scaled = (Old - Interval::point(Lattice.residue()))
                          .divideInwards(Lattice.modulus());
    IndexExpr New = newVariable(Current, Bounds.size());
    if (!New || Scaled.isEmpty())
      return fail("the map has no points");
    Runner R = Runners[I];
    if (R.Dimension) {
      IndexExpr Modulus = Context.constant(Lattice.modulus());
      Conditions.add({{R.Extent, Modulus, TileCondition::Multiple}});
      R.Extent = Basis.floorDiv(R.Extent, Lattice.modulus());
      R.Offset = Context.multiply(indexOf(*R.Dimension), R.Extent);
      R.Dimension = std::nullopt;
    } else {
      R.Offset = Context.constant(Scaled.lo());
    }
    R.Length = std::nullopt;
    if (std::optional<uint64_t> Size = Scaled.size();
        Size && *Size <= uint64_t(std::numeric_limits<int64_t>::max()))
      R.Length = int64_t(*Size);
    if (R.Extent && R.Extent.isConstant())
      R.Extent = Context.constant(R.Length.value_or(1));
    IndexExpr Value =
        Context.add(Context.scale(New, Lattice.modulus()), Lattice.residue());
    if (!R.Extent || !R.Offset || !Value)
      return tooLarge();
    With[variable(I)] = Value;
    Bounds.push_back(Scaled);
    Runners.push_back(R);
  }
  if (With.empty())
    return true;
  for (auto [C, Source] : zip_equal(Current.constraints(), Congruences.Sources))
    if (!Source || !With.contains(Source))
      Kept.push_back(C);
  IndexingMap Without(Context, Current.variables(), Current.results(), Kept);
  std::optional<IndexingMap> New = withReplaced(Without, Bounds, With);
  if (!New)
    return tooLarge();
  Current = *New;
  return true;
}

/// Quotients of range variables, which have numbers for bounds.
bool SymbolicTiler::addDigitsOfRanges() {
  for (size_t I = 0; I < Runners.size(); ++I) {
    if (!Runners[I].Extent.isConstant() || Runners[I].IsPoint)
      continue;
    std::optional<IndexingMap> New = withDigits(Current, I);
    if (!New)
      continue;
    for (size_t J = Current.ranges().size(); J < New->ranges().size(); ++J) {
      Interval Bounds = New->ranges()[J].Bounds;
      int64_t Length = int64_t(Bounds.size().value_or(0));
      Runners.push_back(
          {Context.constant(Bounds.lo()), Context.constant(Length), Length});
    }
    Current = *New;
  }
  return true;
}

/// The dimensions of \p Group as one number, which has tiles like a dimension.
bool SymbolicTiler::addGroup(IndexExpr Group) {
  SmallVector<IndexTerm, 4> Terms(Group.terms());
  llvm::sort(Terms, [](const IndexTerm &A, const IndexTerm &B) {
    return A.Coefficient < B.Coefficient;
  });
  Runner Whole{Context.constant(0), one(), 1, true};
  SmallVector<size_t, 4> Numbers;
  for (const IndexTerm &T : Terms) {
    size_t Number = *Current.positionOf(T.Atom);
    if (Number >= Runners.size())
      return false; // a runtime variable
    const Runner &R = Runners[Number];
    if (!R.IsAligned || Current.ranges()[Number].Bounds.lo() != 0 ||
        !R.Length || T.Coefficient != *Whole.Length ||
        MulOverflow(*Whole.Length, *R.Length, *Whole.Length))
      return false;
    Numbers.push_back(Number);
    Whole.Extent = Context.multiply(Whole.Extent, R.Extent);
    Whole.Offset = Context.add(Whole.Offset, R.Offset, T.Coefficient);
    if (!Whole.Extent || !Whole.Offset)
      return false;
  }
  std::optional<IndexingMap> New =
      withGroup(Current, Group, Interval(0, *Whole.Length - 1));
  if (!New)
    New = withGroupAsNumber(Current, Group);
  if (!New || countDivisions(formsOf(*New)) > countDivisions(formsOf(Current)))
    return false;
  std::optional<VariableQuotients> Q =
      quotientsOf(*New, variable(Current.ranges().size()));
  if (!Q || Q->Divisors.empty())
    return false;
  // The tile is an interval of the whole that begins at a multiple of its
  // length: what is inside of the first dimension with several elements and
  // less than all is complete, and tiles there do not cross its end.
  IndexExpr Outside = one();
  for (size_t I = Numbers.size(); --I > 0;) {
    Outside = Context.multiply(Outside, Runners[Numbers[I]].Extent);
    const Runner &Inner = Runners[Numbers[I - 1]];
    IndexExpr Length = Context.constant(*Inner.Length);
    Conditions.add({{Outside, one(), TileCondition::Equal},
                    {Inner.Extent, Length, TileCondition::Equal}});
    Conditions.add({{Length, Inner.Extent, TileCondition::Multiple}});
  }
  Runners.push_back(Whole);
  Current = *New;
  return true;
}

bool SymbolicTiler::addGroups() {
  for (bool Found = true; Found;) {
    Found = false;
    for (IndexExpr Group : groupsIn(Current))
      if (addGroup(Group)) {
        Found = true;
        break;
      }
  }
  return true;
}

/// A dimension with quotients as digits.
bool SymbolicTiler::addDigits(size_t Number) {
  Runner R = Runners[Number];
  std::optional<VariableQuotients> Q = quotientsOf(Current, variable(Number));
  if (!R.IsAligned || !Q || Q->Divisors.empty())
    return false;
  int64_t Lo = Current.ranges()[Number].Bounds.lo();
  // Where blocks of a divisor begin, in the order in which the tile counts.
  int64_t Shift = Q->Shift;
  if (Shift == std::numeric_limits<int64_t>::min() ||
      (Q->Sign < 0 && AddOverflow(Shift, int64_t(1), Shift)) ||
      !Current.ranges()[Number].Bounds.isBoundedBelow())
    return false;
  std::optional<IndexingMap> New =
      withDigits(Current, Number, /*KeepAll=*/true);
  if (!New)
    return false;
  for (int64_t Divisor : Q->Divisors) {
    int64_t Common = std::gcd(std::gcd(Divisor, Shift), Lo);
    SmallVector<TileCondition, 2> Clause{
        {Context.constant(Common), R.Extent, TileCondition::Multiple}};
    if (Common == Divisor)
      Clause.push_back(
          {R.Extent, Context.constant(Divisor), TileCondition::Multiple});
    Conditions.add(Clause);
  }
  // u = Sign * x + Shift, from its smallest value in the tile.
  IndexExpr U = Context.add(R.Offset, Q->Shift);
  if (Q->Sign < 0)
    U = Context.add(Context.negate(Context.add(R.Offset, R.Extent)),
                    Context.constant(Shift));
  int64_t Below = 1;
  for (size_t I = Current.ranges().size(); I < New->ranges().size(); ++I) {
    size_t Level = I - Current.ranges().size();
    Runner Digit;
    Digit.Offset = U ? Basis.floorDiv(U, Below) : IndexExpr();
    Digit.Extent = Basis.ceilDiv(R.Extent, Below);
    if (std::optional<uint64_t> Size = New->ranges()[I].Bounds.size();
        Size && *Size <= uint64_t(std::numeric_limits<int64_t>::max()))
      Digit.Length = int64_t(*Size);
    if (Level < Q->Divisors.size()) {
      int64_t Radix = Q->Divisors[Level] / Below;
      Below = Q->Divisors[Level];
      if (Digit.Offset)
        Digit.Offset = Basis.floorMod(Digit.Offset, Radix);
      if (Digit.Extent)
        Digit.Extent = Basis.min(Digit.Extent, Context.constant(Radix));
    }
    if (!Digit.Offset || !Digit.Extent)
      return tooLarge();
    Runners.push_back(Digit);
  }
  Current = *New;
  return true;
}

bool SymbolicTiler::addDigitsOfAll() {
  for (size_t I = 0; I < Runners.size(); ++I)
    addDigits(I);
  return true;
}

/// Dimensions in what is still no sum get tiles of one element.
bool SymbolicTiler::addPoints() {
  bool IsDone = true;
  for (IndexExpr E : formsOf(Current))
    for (const IndexTerm &T : E.terms()) {
      if (T.Atom->isVariable())
        continue;
      forEachAtom(Context.atom(T.Atom), [&](const IndexAtom *A) {
        if (!A->isVariable())
          return;
        size_t Number = *Current.positionOf(A);
        if (Number >= Runners.size() || Runners[Number].IsPoint)
          return;
        Runner &R = Runners[Number];
        if (R.Extent.isConstant(1)) {
          R.IsPoint = true;
          return;
        }
        if (R.Extent.isConstant() ||
            !Conditions.add({{R.Extent, one(), TileCondition::Equal}})) {
          IsDone = false;
          return;
        }
        R.IsPoint = true;
        R.Extent = one();
      });
    }
  return IsDone || fail("a result depends on a range variable in a way that is "
                        "no sum of it or of its digits");
}

} // namespace unravel
