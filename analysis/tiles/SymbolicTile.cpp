//===- SymbolicTile.cpp - Tiles of all sizes at once ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/SymbolicTile.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/maps/MapCongruence.h"
#include "analysis/tiles/IndependentDigits.h"
#include "analysis/tiles/RunningSum.h"
#include "analysis/tiles/TileSystem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

IndexingMap::Point SymbolicTile::pointAt(ArrayRef<int64_t> Sizes,
                                         ArrayRef<int64_t> Indices,
                                         ArrayRef<int64_t> Runtimes) const {
  IndexingMap::Point Point(Sizes);
  Point.insert(Point.end(), Indices.begin(), Indices.end());
  Point.insert(Point.end(), Runtimes.begin(), Runtimes.end());
  return Point;
}

std::string SymbolicTile::text(IndexExpr E) const {
  return toString(Symbols, E);
}

namespace {
/// What a variable of the rewritten map is, over one tile.
struct Runner {
  /// Its values are Offset + j for 0 <= j < Extent.
  IndexExpr Offset, Extent;
  std::optional<int64_t> Length = std::nullopt;
  /// For a dimension, a lattice of one or a group of them: the offset is a
  /// multiple of the extent, whatever the tile index.
  bool IsAligned = false;
  /// A dimension whose tiles have one element: a parameter.
  bool IsPoint = false;
  /// A dimension as given.
  std::optional<unsigned> Dimension = std::nullopt;
};

class SymbolicTiler {
public:
  SymbolicTiler(const IndexingMap &Map, ArrayRef<int64_t> Strides)
      : Context(Map.context()), Given(Map), Strides(Strides),
        Current(Map.context()), Symbols(symbolsOf(Map)),
        Domain(Symbols.domain()), Basis(Domain), Conditions(Symbols) {}

  Expected<SymbolicTile> run();

private:
  static IndexingMap symbolsOf(const IndexingMap &Map);
  IndexExpr sizeOf(unsigned Dimension) {
    return IndexingMap::exprOf(Context, VariableKind::Dimension, Dimension);
  }
  IndexExpr indexOf(unsigned Dimension) {
    return IndexingMap::exprOf(Context, VariableKind::Dimension,
                               Given.dimensions().size() + Dimension);
  }
  const IndexAtom *variable(size_t Number) {
    return IndexingMap::variableOf(Context, VariableKind::Range, Number);
  }
  IndexExpr one() { return Context.constant(1); }

  bool begin();
  bool addStrides();
  bool addLattices();
  bool addDigitsOfRanges();
  bool addGroups();
  bool addGroup(IndexExpr Group);
  bool addDigits(size_t Number);
  bool addDigitsOfAll();
  bool addPoints();
  bool addMasks();
  bool addSharing();
  bool addAxis(size_t Result, SymbolicTile &Tile);
  IndexExpr upperBoundOf(size_t Result);
  bool fail(const Twine &Why) {
    if (Reason.empty())
      Reason = Why.str();
    return false;
  }
  bool tooLarge() { return fail("an expression of the tile leaves 64 bits"); }

  IndexContext &Context;
  const IndexingMap &Given;
  ArrayRef<int64_t> Strides;
  /// The map rewritten over runners, as range variables.
  IndexingMap Current;
  std::vector<Runner> Runners;
  IndexingMap Symbols;
  IndexDomain Domain;
  FloorBasis Basis;
  TileConditions Conditions;
  /// Of the results.
  std::vector<Interval> Bounds;
  std::string Reason;
};
} // namespace

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

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// Where \p Result is, if \p C says nothing else.
static std::optional<Interval>
maskOf(IndexContext &Context, const MapConstraint &C, IndexExpr Result) {
  int64_t A = C.Expr.gcdOfCoefficients(), B = Result.gcdOfCoefficients();
  if (A == 0 || B == 0)
    return std::nullopt;
  IndexExpr Scaled = Context.scale(Result, A);
  for (int64_t Factor : {B, -B}) {
    // A * Result = Factor * C.Expr + a constant.
    IndexExpr Rest =
        Scaled ? Context.add(Scaled, C.Expr, -Factor) : IndexExpr();
    if (Rest && Rest.isConstant())
      return (C.Range * Factor + Interval::point(Rest.constant()))
          .divideInwards(A);
  }
  return std::nullopt;
}

/// Constraints may say which elements of a result there are: then they are what
/// its bounds are for.
bool SymbolicTiler::addMasks() {
  for (const MapConstraint &C : Current.constraints()) {
    bool IsMask = false;
    for (auto [I, Result] : enumerate(Current.results()))
      if (std::optional<Interval> Mask = maskOf(Context, C, Result)) {
        Bounds[I] = Bounds[I].intersect(*Mask);
        IsMask = true;
      }
    if (!IsMask)
      return fail("a constraint of several variables cuts tiles, and is no "
                  "bound of a result");
  }
  return true;
}

/// A runner in two results has one value.
bool SymbolicTiler::addSharing() {
  for (size_t I = 0; I < Runners.size(); ++I) {
    unsigned Uses = count_if(Current.results(), [&](IndexExpr E) {
      return E.coefficientOf(variable(I)) != 0;
    });
    if (Uses < 2 || Runners[I].Extent.isConstant(1))
      continue;
    if (Runners[I].Extent.isConstant() ||
        !Conditions.add({{Runners[I].Extent, one(), TileCondition::Equal}}))
      return fail("two results depend on one range variable");
    Runners[I].Extent = one();
  }
  return true;
}

/// One more than the largest element of a result in the part of a tile that is
/// inside of the domain; null for infinity.
IndexExpr SymbolicTiler::upperBoundOf(size_t Number) {
  IndexExpr E = Current.result(Number);
  const Interval &Range = Bounds[Number];
  IndexExpr Constant =
      Range.isBoundedAbove() && Range.hi() < Interval::PlusInfinity - 1
          ? Context.constant(Range.hi() + 1)
          : IndexExpr();
  unsigned Running = count_if(E.terms(), [&](const IndexTerm &T) {
    std::optional<size_t> At = Current.positionOf(T.Atom);
    return At && *At < Runners.size() && !Runners[*At].Extent.isConstant();
  });
  bool HasStrides = any_of(Strides, [](int64_t Stride) { return Stride > 1; });
  if (Running < 2 || HasStrides || !isAffine(E))
    return Constant;
  // Every dimension ends in the tile or at its own end.
  IndexExpr Sum = Context.constant(E.constant());
  for (const IndexTerm &T : E.terms()) {
    size_t At = *Current.positionOf(T.Atom);
    IndexExpr End;
    if (At >= Runners.size()) {
      End = Context.atom(T.Atom);
    } else {
      const Runner &R = Runners[At];
      End = R.Offset;
      if (T.Coefficient > 0)
        End = Context.add(Context.add(R.Offset, R.Extent), -1);
      const Interval &Values = Current.ranges()[At].Bounds;
      if (T.Coefficient > 0 && Values.isBoundedAbove() && End)
        End = Basis.min(End, Context.constant(Values.hi()));
    }
    if (!End || !Sum)
      return Constant;
    Sum = Context.add(Sum, End, T.Coefficient);
  }
  Sum = Sum ? Context.add(Sum, 1) : IndexExpr();
  if (!Sum)
    return Constant;
  // A constraint may end earlier.
  bool IsMasked = !Current.constraints().empty();
  return IsMasked && Constant ? Basis.min(Sum, Constant) : Sum;
}

bool SymbolicTiler::addAxis(size_t Number, SymbolicTile &Tile) {
  IndexExpr E = Current.result(Number);
  SmallVector<Run, 4> Runs;
  Replacements Points;
  SmallVector<IndexTerm, 4> Others;
  for (const IndexTerm &T : E.terms()) {
    std::optional<size_t> At = Current.positionOf(T.Atom);
    if (At && *At < Runners.size() && !Runners[*At].IsPoint) {
      const Runner &R = Runners[*At];
      Runs.push_back({T.Coefficient, R.Offset, R.Extent, R.Length});
    } else {
      Others.push_back(T);
    }
  }
  for (size_t I = 0; I < Runners.size(); ++I)
    if (Runners[I].IsPoint)
      Points[variable(I)] = Runners[I].Offset;
  IndexExpr Base = Context.linear(Others, E.constant());
  if (Base)
    Base = IndexSubstitution(Domain, Points).apply(Base);
  if (!Base)
    return tooLarge();
  std::optional<SymbolicProgression> Sum =
      sumOfRuns(Basis, Base, Runs, Conditions);
  if (!Sum)
    return fail("no tile sizes are known for which the values of result " +
                Twine(Number) + " are a progression");
  Replacements First;
  for (unsigned I = 0; I < Given.dimensions().size(); ++I)
    First[indexOf(I).asAtom()] = Context.constant(0);
  SymbolicAxis Axis;
  Axis.OffsetAt = Sum->Offset;
  Axis.Offset = IndexSubstitution(Domain, First).apply(Sum->Offset);
  Axis.Size = Sum->Size;
  Axis.Stride = Sum->Stride;
  if (Bounds[Number].isBoundedBelow())
    Axis.LowerBound = Context.constant(Bounds[Number].lo());
  Axis.UpperBound = upperBoundOf(Number);
  if (!Axis.Offset)
    return tooLarge();
  Tile.Axes.push_back(Axis);
  return true;
}

Expected<SymbolicTile> SymbolicTiler::run() {
  SymbolicTile Tile{Symbols, {}, Conditions};
  bool IsDone = begin() && addStrides() && addLattices() &&
                addDigitsOfRanges() && addDigitsOfAll() && addGroups() &&
                addDigitsOfAll();
  IsDone = IsDone && addPoints() && addMasks() && addSharing();
  for (size_t I = 0; IsDone && I < Given.results().size(); ++I)
    IsDone = addAxis(I, Tile);
  if (!IsDone || !Reason.empty())
    return createStringError("no symbolic tile: " + Reason);
  Tile.Conditions = std::move(Conditions);
  return Tile;
}

Expected<SymbolicTile> symbolicTileOf(const IndexingMap &Map,
                                      ArrayRef<int64_t> Strides) {
  assert((Strides.empty() || Strides.size() == Map.dimensions().size()) &&
         "a stride for each dimension");
  return SymbolicTiler(Map, Strides).run();
}

} // namespace unravel
