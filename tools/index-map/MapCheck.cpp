//===- MapCheck.cpp - Is the printed map the map as written? --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/index-map/MapCheck.h"
#include "analysis/maps/MapSampler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// Points looked at on either side of a bound.
static constexpr unsigned PointsBeyondBound = 16;

namespace {
class MapChecker {
public:
  MapChecker(const MapSyntax &Written, const MapSyntax &Printed)
      : Written(Written), Printed(Printed), Names(variablesOf(Written)) {
    for (size_t I = 0; I < Names.size(); ++I)
      Positions[Names[I]] = I;
    readBox();
  }

  CheckResult run(const IndexingMap &Lowered, uint64_t MaxPoints);

private:
  void readBox();
  std::optional<uint64_t> boxSize() const;
  bool visitAll();
  bool visitCorners(uint64_t MaxPoints);
  bool visitRandom(const IndexingMap &Lowered, uint64_t MaxPoints);
  bool visitBeyondBounds();
  int64_t pick(const Interval &Bounds);
  bool visit();

  std::optional<int64_t> valueOf(StringRef Name) const {
    return Point[Positions.lookup(Name)];
  }
  /// Whether the point is in the domain as written; nullopt if that has no
  /// value.
  std::optional<bool> isInDomain() const;
  bool differ(const Twine &How);

  const MapSyntax &Written, &Printed;
  std::vector<std::string> Names;
  StringMap<size_t> Positions;
  /// The bounds of the variables as written.
  std::vector<Interval> Box;
  IndexingMap::Point Point;
  std::mt19937_64 Random{20250101};
  CheckResult Result;
};
} // namespace

/// The constants that bound each variable. Where they leave nothing, what lies
/// between them is as good as anything to look at.
void MapChecker::readBox() {
  Box.resize(Names.size());
  auto NoNames = [](StringRef) { return std::nullopt; };
  for (const MapSyntax::Fact &F : Written.Facts) {
    if (F.Expr->Op != SyntaxOp::Name)
      continue;
    std::optional<int64_t> Lo, Hi;
    if (F.Lo)
      Lo = evaluate(F.Lo, NoNames);
    if (F.Hi)
      Hi = evaluate(F.Hi, NoNames);
    Interval &Bounds = Box[Positions.lookup(F.Expr->Name)];
    Bounds = Bounds.intersect(Interval(Lo.value_or(Interval::MinusInfinity),
                                       Hi.value_or(Interval::PlusInfinity)));
  }
  for (Interval &Bounds : Box)
    if (Bounds.isEmpty())
      Bounds = Interval(Bounds.hi(), Bounds.lo());
}

std::optional<uint64_t> MapChecker::boxSize() const {
  uint64_t Product = 1;
  for (const Interval &Bounds : Box) {
    std::optional<uint64_t> Size = Bounds.size();
    bool Overflow = false;
    if (Size)
      Product = SaturatingMultiply(Product, *Size, &Overflow);
    if (!Size || Overflow)
      return std::nullopt;
  }
  return Product;
}

CheckResult MapChecker::run(const IndexingMap &Lowered, uint64_t MaxPoints) {
  Point.resize(Names.size());
  std::optional<uint64_t> Size = boxSize();
  if (Size && *Size <= MaxPoints
          ? visitAll()
          : visitCorners(MaxPoints) && visitRandom(Lowered, MaxPoints))
    visitBeyondBounds();
  return std::move(Result);
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// Counts through the box, the last variable fastest.
bool MapChecker::visitAll() {
  for (size_t I = 0; I < Box.size(); ++I)
    Point[I] = Box[I].lo();
  while (true) {
    if (!visit())
      return false;
    size_t I = Box.size();
    while (I > 0 && Point[I - 1] == Box[I - 1].hi()) {
      --I;
      Point[I] = Box[I].lo();
    }
    if (I == 0)
      return true;
    ++Point[I - 1];
  }
}

/// Half of the points at most; a box with many variables has too many corners.
bool MapChecker::visitCorners(uint64_t MaxPoints) {
  uint64_t Corners = uint64_t(1) << std::min<size_t>(Box.size(), 62);
  Corners = std::min(Corners, MaxPoints / 2);
  for (uint64_t Corner = 0; Corner < Corners; ++Corner) {
    for (size_t I = 0; I < Box.size(); ++I) {
      bool High = I < 62 && (Corner >> I) % 2 != 0;
      bool IsBounded = High ? Box[I].isBoundedAbove() : Box[I].isBoundedBelow();
      Point[I] = !IsBounded ? pick(Box[I]) : High ? Box[I].hi() : Box[I].lo();
    }
    if (!visit())
      return false;
  }
  return true;
}

/// Points that the constraints have been looked at for, and points that know
/// nothing of any simplification.
bool MapChecker::visitRandom(const IndexingMap &Lowered, uint64_t MaxPoints) {
  std::optional<MapSampler> Sampler;
  if (!Lowered.isKnownEmpty())
    Sampler.emplace(Lowered);
  while (Result.Points < MaxPoints) {
    if (Sampler && Random() % 2 == 0)
      Point = Sampler->next();
    else
      for (size_t I = 0; I < Box.size(); ++I)
        Point[I] = pick(Box[I]);
    if (!visit())
      return false;
  }
  return true;
}

/// One variable just outside its bounds, the others inside.
bool MapChecker::visitBeyondBounds() {
  for (size_t I = 0; I < Box.size(); ++I)
    for (bool Above : {false, true}) {
      if (Above ? !Box[I].isBoundedAbove() : !Box[I].isBoundedBelow())
        continue;
      for (unsigned N = 0; N < PointsBeyondBound; ++N) {
        for (size_t J = 0; J < Box.size(); ++J)
          Point[J] = pick(Box[J]);
        Point[I] = Above ? Box[I].hi() + 1 : Box[I].lo() - 1;
        if (!visit())
          return false;
      }
    }
  return true;
}

/// An end of the bounds, or something in between; of an infinite range, small
/// numbers more often than large ones.
int64_t MapChecker::pick(const Interval &Bounds) {
  uint64_t Choice = Random() % 8;
  if (Choice == 0 && Bounds.isBoundedBelow())
    return Bounds.lo();
  if (Choice == 1 && Bounds.isBoundedAbove())
    return Bounds.hi();
  Interval Near = Bounds;
  if (!Bounds.isBounded()) {
    int64_t Window = int64_t(1) << (Random() % 24);
    int64_t Middle = Bounds.isBoundedBelow()   ? Bounds.lo()
                     : Bounds.isBoundedAbove() ? Bounds.hi()
                                               : 0;
    Near =
        Bounds.intersect(Interval::point(Middle) + Interval(-Window, Window));
  }
  uint64_t Count = uint64_t(Near.hi()) - uint64_t(Near.lo()) + 1;
  uint64_t Steps = Count == 0 ? Random() : Random() % Count;
  return int64_t(uint64_t(Near.lo()) + Steps);
}

//===----------------------------------------------------------------------===//
// At a point
//===----------------------------------------------------------------------===//

std::optional<bool> MapChecker::isInDomain() const {
  bool AllHold = !Written.KnownEmpty;
  for (const MapSyntax::Fact &F : Written.Facts) {
    std::optional<bool> Holds =
        MapSyntax::holds(F, [&](StringRef Name) { return valueOf(Name); });
    if (!Holds)
      return std::nullopt;
    AllHold &= *Holds;
  }
  return AllHold;
}

/// Returns false, and says why in the result, if the maps differ.
bool MapChecker::visit() {
  auto ValueOf = [&](StringRef Name) { return valueOf(Name); };
  ++Result.Points;
  std::optional<bool> IsInside = isInDomain();
  if (!IsInside)
    return true;
  if (Printed.contains(ValueOf) != *IsInside)
    return differ(*IsInside ? "is in the domain as written, not in the printed "
                              "one"
                            : "is in the printed domain, not in that as "
                              "written");
  if (!*IsInside)
    return true;
  ++Result.PointsInDomain;
  for (size_t I = 0; I < Written.Results.size(); ++I) {
    std::optional<int64_t> Wanted = evaluate(Written.Results[I], ValueOf);
    if (!Wanted)
      continue;
    std::optional<int64_t> Found = evaluate(Printed.Results[I], ValueOf);
    if (Found != Wanted)
      return differ("has the result " + Twine(I) + ": " +
                    describeValue(Wanted) + " as written, " +
                    describeValue(Found) + " as printed");
  }
  return true;
}

bool MapChecker::differ(const Twine &How) {
  std::string Text = describePoint(Names, Point);
  Result.Difference =
      ((Text.empty() ? "its only point" : "the point " + Text) + " " + How)
          .str();
  return false;
}

CheckResult checkText(const MapSyntax &Written, const IndexingMap &Lowered,
                      StringRef Printed, uint64_t MaxPoints) {
  CheckResult Result;
  Expected<MapSyntax> Map = parseMapSyntax(Printed, "<printed>");
  if (!Map)
    Result.Difference = "it is no map: " + toString(Map.takeError());
  else if (!Map->KnownEmpty && (variablesOf(*Map) != variablesOf(Written) ||
                                Map->Results.size() != Written.Results.size()))
    Result.Difference = "it has other variables or results";
  else
    Result = MapChecker(Written, *Map).run(Lowered, MaxPoints);
  return Result;
}

} // namespace unravel
