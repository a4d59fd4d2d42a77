//===- SymbolicTile.cpp - Tiles of all sizes at once ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/SymbolicTile.h"
#include "analysis/algebra/IndexSubstitution.h"
#include "analysis/maps/ConstraintNormalizer.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/tiles/RunningSum.h"
#include "analysis/tiles/SymbolicTiler.h"
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

/// Where \p Result is, if \p C says nothing else: A * Result = F * C.Expr + R
/// for numbers A and F above 0 and an R in [p, q] with q - p < F. Then C.Expr
/// <= h says that A * Result is at most F*h + q, and C.Expr > h that it is at
/// least F*(h + 1) + p, which is more; and the same from below. \p Box has the
/// bounds of the variables.
static std::optional<Interval>
maskOf(const IndexDomain &Box, const MapConstraint &C, IndexExpr Result) {
  IndexContext &Context = Box.context();
  auto MaskFor = [&](int64_t A, int64_t F) -> std::optional<Interval> {
    IndexExpr Scaled = Context.scale(Result, A);
    IndexExpr Rest = Scaled && F != std::numeric_limits<int64_t>::min()
                         ? Context.add(Scaled, C.Expr, -F)
                         : IndexExpr();
    if (!Rest)
      return std::nullopt;
    std::optional<uint64_t> Width = Box.range(Rest).size();
    if (!Width || *Width > AbsoluteValue(F))
      return std::nullopt;
    Interval Scope = C.Range * F + Box.range(Rest);
    // Arithmetic with ranges saturates: that is no equivalence.
    if (Scope.isBoundedBelow() + Scope.isBoundedAbove() !=
        C.Range.isBoundedBelow() + C.Range.isBoundedAbove())
      return std::nullopt;
    return Scope.divideInwards(A);
  };
  for (const IndexTerm &T : C.Expr.terms()) {
    int64_t In = Result.coefficientOf(T.Atom);
    if (In == 0 || In == std::numeric_limits<int64_t>::min() ||
        T.Coefficient == std::numeric_limits<int64_t>::min())
      continue;
    int64_t Common = std::gcd(In, T.Coefficient);
    int64_t A = std::abs(T.Coefficient / Common), F = In / Common;
    if (auto Mask = MaskFor(A, T.Coefficient < 0 ? -F : F))
      return Mask;
  }
  return std::nullopt;
}

/// Constraints may say which elements of a result there are: then they are what
/// its bounds are for.
bool SymbolicTiler::addMasks() {
  IndexingMap Variables(Context, Current.variables(), {});
  IndexDomain Box = Variables.domain();
  for (const MapConstraint &C : Current.constraints()) {
    // Of 75*q + r with r in [0, 74], a bound may be one of q.
    ConstraintNormalizer Normalizer(Variables.domain());
    Normalizer.add(C);
    if (!Normalizer.finish())
      return fail("the map has no points");
    std::vector<MapConstraint> Simple = Normalizer.takeConstraints();
    for (size_t I = 0; I < Current.ranges().size(); ++I)
      if (Interval Bounds = Normalizer.solved().boundsOf(variable(I));
          Bounds != Current.ranges()[I].Bounds)
        Simple.push_back({Context.atom(variable(I)), Bounds});
    for (const MapConstraint &Part : Simple) {
      bool IsMask = false;
      for (auto [I, Result] : enumerate(Current.results()))
        if (std::optional<Interval> Mask = maskOf(Box, Part, Result)) {
          Bounds[I] = Bounds[I].intersect(*Mask);
          IsMask = true;
        }
      if (!IsMask)
        return fail("a constraint of several variables cuts tiles, and is no "
                    "bound of a result");
    }
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
