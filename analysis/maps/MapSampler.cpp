//===- MapSampler.cpp - Points of a map to try ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/MapSampler.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Points and their values
//===----------------------------------------------------------------------===//

bool dividesByZero(const IndexingMap &Map, IndexExpr E, ArrayRef<int64_t> P) {
  bool Found = false;
  forEachAtom(E, [&](const IndexAtom *Atom) {
    Found |=
        Atom->isSymbolicDivision() && Map.evaluate(Atom->divisor(), P) == 0;
  });
  return Found;
}

std::optional<bool> isInDomain(const IndexingMap &Map, ArrayRef<int64_t> P) {
  if (Map.isKnownEmpty())
    return false;
  for (size_t I = 0; I < P.size(); ++I)
    if (!Map.variableAt(I).Bounds.contains(P[I]))
      return false;
  bool TooLarge = false;
  for (const MapConstraint &C : Map.constraints()) {
    std::optional<int64_t> Value = Map.evaluate(C.Expr, P);
    if (Value ? !C.Range.contains(*Value) : dividesByZero(Map, C.Expr, P))
      return false;
    TooLarge |= !Value;
  }
  return TooLarge ? std::nullopt : std::optional(true);
}

bool forEachPointOfBox(const IndexingMap &Map, uint64_t MaxPoints,
                       function_ref<bool(ArrayRef<int64_t>)> Visit) {
  if (Map.isKnownEmpty())
    return true;
  return IndexingMap(Map.context(), Map.variables(), {})
      .forEachPoint(MaxPoints, Visit);
}

//===----------------------------------------------------------------------===//
// Sampling
//===----------------------------------------------------------------------===//

/// An end of the bounds, or something in between. Of unbounded variables small
/// values are tried most, they are the likely sizes.
int64_t MapSampler::pickValue(const Interval &Bounds) {
  static constexpr int64_t Windows[] = {8, 64, 4096, int64_t(1) << 24};
  uint64_t Choice = below(4);
  if (Choice == 0 && Bounds.isBoundedBelow())
    return Bounds.lo();
  if (Choice == 1 && Bounds.isBoundedAbove())
    return Bounds.hi();
  int64_t Window = Windows[below(4)];
  Interval Near;
  if (Bounds.isBoundedBelow() && (Choice < 3 || !Bounds.isBoundedAbove()))
    Near = Interval::point(Bounds.lo()) + Interval(0, Window);
  else if (Bounds.isBoundedAbove() && Choice < 3)
    Near = Interval::point(Bounds.hi()) + Interval(-Window, 0);
  else if (!Bounds.isBounded())
    Near = Interval(-Window, Window);
  // Never empty: Near begins or ends where the bounds do, or is around zero.
  Near = Near.intersect(Bounds).isEmpty() ? Bounds : Near.intersect(Bounds);
  std::optional<uint64_t> Size = Near.size();
  if (!Size || *Size == 0)
    return Near.isBoundedBelow() ? Near.lo() : Near.hi();
  return static_cast<int64_t>(static_cast<uint64_t>(Near.lo()) + below(*Size));
}

/// Changes the variable at \p Position so that C's expression goes from
/// \p Value to \p Target, if it grows evenly.
bool MapSampler::tryMove(IndexingMap::Point &P, const MapConstraint &C,
                         size_t Position, int64_t Value, int64_t Target) {
  int64_t Old = P[Position], Distance, Slope, Moved;
  int64_t Step = Old < Interval::PlusInfinity - 1 ? 1 : -1;
  P[Position] = Old + Step;
  std::optional<int64_t> Next = Simplified.evaluate(C.Expr, P);
  P[Position] = Old;
  if (!Next || SubOverflow(*Next, Value, Slope) || Slope == 0 ||
      SubOverflow(Target, Value, Distance) ||
      Distance == Interval::MinusInfinity)
    return false;
  // From outside to the target or beyond it, from inside not beyond it.
  int64_t Steps = Distance / Slope;
  if (Distance % Slope != 0 && !C.Range.contains(Value))
    Steps += (Distance < 0) == (Slope < 0) ? 1 : -1;
  if (AddOverflow(Old, Step * Steps, Moved) ||
      !Simplified.variableAt(Position).Bounds.contains(Moved))
    return false;
  P[Position] = Moved;
  Next = Simplified.evaluate(C.Expr, P);
  if (Next && C.Range.contains(*Next))
    return true;
  P[Position] = Old;
  return false;
}

/// Moves \p P to where the constraint holds, by one of its variables.
void MapSampler::pull(IndexingMap::Point &P, const MapConstraint &C,
                      bool ToTheEdge) {
  std::optional<int64_t> Value = Simplified.evaluate(C.Expr, P);
  if (!Value || (C.Range.contains(*Value) && !ToTheEdge))
    return;
  // What to aim at; the nearer end if the value is outside.
  int64_t Target = below(2) == 0 ? C.Range.lo() : C.Range.hi();
  if (!C.Range.contains(*Value))
    Target = *Value < C.Range.lo() ? C.Range.lo() : C.Range.hi();
  else if (!C.Range.isBounded())
    Target = C.Range.isBoundedBelow() ? C.Range.lo() : C.Range.hi();
  size_t First = below(P.size());
  for (size_t I = 0; I < P.size(); ++I)
    if (tryMove(P, C, (First + I) % P.size(), *Value, Target))
      return;
}

IndexingMap::Point MapSampler::next() {
  static constexpr unsigned MaxPulls = 6;
  const IndexingMap &From = Simplified.isKnownEmpty() ? Map : Simplified;
  IndexingMap::Point P;
  for (size_t I = 0; I < Map.numVariables(); ++I) {
    const Interval &Bounds = From.variableAt(I).Bounds;
    // The first points are the corners next to the low one.
    bool HighCorner = Drawn < 64 && (Drawn >> (I % 6)) % 2 != 0;
    if (Drawn < 64 && Bounds.isBounded())
      P.push_back(HighCorner ? Bounds.hi() : Bounds.lo());
    else
      P.push_back(pickValue(Bounds));
  }
  ++Drawn;
  bool ToTheEdge = below(2) == 0;
  for (unsigned I = 0; I < MaxPulls && !P.empty(); ++I, ToTheEdge = false)
    for (const MapConstraint &C : From.constraints())
      pull(P, C, ToTheEdge);
  return P;
}

} // namespace unravel
