//===- IndexingMapEquality.cpp - Do two maps mean the same? ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A proof, then every point of small boxes, then a sample. Where arithmetic
// leaves 64 bits nothing is known, and nothing is concluded.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapEquality.h"
#include "analysis/maps/MapProof.h"
#include "analysis/maps/MapSampler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

namespace {
class MapComparer {
public:
  MapComparer(const IndexingMap &A, const IndexingMap &B, uint64_t MaxPoints)
      : A(A), B(B), MaxPoints(MaxPoints), SimpleA(A.simplified()),
        SimpleB(B.simplified()) {}

  MapEquality compare();

private:
  bool haveSameShape();
  bool isProved() const;
  bool decideByAllPoints();
  void sample();
  bool areEqualAt(ArrayRef<int64_t> P);
  bool refute(std::string Reason, ArrayRef<int64_t> P);

  const IndexingMap &A, &B;
  uint64_t MaxPoints;
  IndexingMap SimpleA, SimpleB;
  MapEquality Found;
  /// A point where arithmetic left 64 bits.
  bool SawUndecided = false;
};
} // namespace

/// Returns false, like what calls it.
bool MapComparer::refute(std::string Reason, ArrayRef<int64_t> P) {
  Found = {Answer::No, std::move(Reason), P};
  return false;
}

bool MapComparer::haveSameShape() {
  const std::tuple<size_t, size_t, const char *> Numbers[] = {
      {A.dimensions().size(), B.dimensions().size(), "dimensions"},
      {A.ranges().size(), B.ranges().size(), "ranges"},
      {A.runtimes().size(), B.runtimes().size(), "runtime variables"},
      {A.results().size(), B.results().size(), "results"},
  };
  for (auto [OfA, OfB, Name] : Numbers)
    if (OfA != OfB)
      return refute(std::string("different numbers of ") + Name, {});
  return true;
}

//===----------------------------------------------------------------------===//
// Proof
//===----------------------------------------------------------------------===//

/// Every point of \p Inner is one of \p Outer. A constraint without a value is
/// not satisfied, so it has to have one.
static bool provesSubset(const IndexingMap &Inner, const IndexingMap &Outer) {
  if (Inner.isKnownEmpty())
    return true;
  if (Outer.isKnownEmpty())
    return false;
  IndexDomain Domain = Inner.domain();
  for (size_t I = 0; I < Inner.numVariables(); ++I)
    if (!provesWithin(Domain, Inner.context().atom(Inner.atomAt(I)),
                      Outer.variableAt(I).Bounds))
      return false;
  return all_of(Outer.constraints(), [&](const MapConstraint &C) {
    return is_contained(Inner.constraints(), C) ||
           (provesValue(Domain, C.Expr) &&
            provesWithin(Domain, C.Expr, C.Range));
  });
}

/// Simplifying may drop a constraint that all of its values satisfy. That is
/// the same only if it always has one.
static bool constraintsHaveValues(const IndexingMap &Map) {
  std::vector<MapConstraint> Certain, Others;
  IndexDomain Anywhere(Map.context());
  for (const MapConstraint &C : Map.constraints())
    (provesValue(Anywhere, C.Expr) ? Certain : Others).push_back(C);
  if (Others.empty())
    return true;
  IndexDomain Domain =
      IndexingMap(Map.context(), Map.variables(), {}, Certain).domain();
  return all_of(Others, [&](const MapConstraint &C) {
    return provesValue(Domain, C.Expr);
  });
}

bool MapComparer::isProved() const {
  if (A == B)
    return true;
  if (!constraintsHaveValues(A) || !constraintsHaveValues(B))
    return false;
  if (SimpleA == SimpleB)
    return true;
  if (!provesSubset(SimpleA, SimpleB) || !provesSubset(SimpleB, SimpleA))
    return false;
  IndexDomain Domain = SimpleA.domain();
  for (auto [OfA, OfB] : zip_equal(SimpleA.results(), SimpleB.results()))
    if (OfA != OfB && !SimpleA.isKnownEmpty() &&
        !provesWithin(Domain, A.context().sub(OfA, OfB), Interval::point(0)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// Returns false if \p P is a counterexample.
bool MapComparer::areEqualAt(ArrayRef<int64_t> P) {
  std::optional<bool> InA = isInDomain(A, P), InB = isInDomain(B, P);
  if (InA && InB && *InA != *InB)
    return refute(*InA ? "only in the domain of the first map"
                       : "only in the domain of the second map",
                  P);
  SawUndecided |= !InA || !InB;
  if (InA != true || InB != true)
    return true;
  for (size_t I = 0; I < A.results().size(); ++I) {
    std::optional<int64_t> OfA = A.evaluate(A.result(I), P);
    std::optional<int64_t> OfB = B.evaluate(B.result(I), P);
    if (OfA && OfB && *OfA != *OfB)
      return refute("result " + std::to_string(I) + " differs", P);
    SawUndecided |= (!OfA && !dividesByZero(A, A.result(I), P)) ||
                    (!OfB && !dividesByZero(B, B.result(I), P));
  }
  return true;
}

/// Returns true if there is an answer.
bool MapComparer::decideByAllPoints() {
  for (const IndexingMap *Map : {&A, &B}) {
    bool Finished = forEachPointOfBox(
        *Map, MaxPoints, [&](ArrayRef<int64_t> P) { return areEqualAt(P); });
    if (Found.AreEqual == Answer::No)
      return true;
    if (!Finished)
      return false;
  }
  if (!SawUndecided)
    Found.AreEqual = Answer::Yes;
  return !SawUndecided;
}

/// Points of both domains, and their neighbours: domains that differ do so at
/// their edges.
void MapComparer::sample() {
  static constexpr unsigned MaxSamples = 512;
  for (const IndexingMap *Map : {&A, &B}) {
    if (Map->isKnownEmpty())
      continue;
    MapSampler Sampler(*Map);
    for (unsigned I = 0; I < MaxSamples; ++I) {
      IndexingMap::Point P = Sampler.next();
      if (!areEqualAt(P))
        return;
      if (P.empty())
        break;
      size_t Position = Sampler.below(P.size());
      int64_t Step = Sampler.below(2) == 0 ? 1 : -1;
      if (!AddOverflow(P[Position], Step, P[Position]) && !areEqualAt(P))
        return;
    }
  }
}

MapEquality MapComparer::compare() {
  if (!haveSameShape())
    return Found;
  if (isProved())
    Found.AreEqual = Answer::Yes;
  else if (!decideByAllPoints())
    sample();
  return Found;
}

MapEquality compareMaps(const IndexingMap &A, const IndexingMap &B,
                        uint64_t MaxPoints) {
  assert(&A.context() == &B.context() && "maps of different contexts");
  return MapComparer(A, B, MaxPoints).compare();
}

} // namespace unravel
