//===- ImageBox.cpp - The box that a map fills ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/tiles/ImageBox.h"
#include "analysis/maps/MapSampler.h"
#include "analysis/tiles/IndependentDigits.h"
#include "analysis/tiles/PointProgram.h"
#include "analysis/tiles/TileSystem.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

/// Rewrites in a row, each of which removes a floor or joins variables.
static constexpr unsigned MaxRewrites = 48;
/// Points that are looked at for all parts of one map.
static constexpr uint64_t MaxPointsOfAll = 1 << 24;
/// Points that are drawn to show that a domain is not empty.
static constexpr unsigned MaxSamples = 512;

static ImageAnswer noBox(const Twine &Reason) {
  return {ImageAnswer::NoBox, {}, Reason.str()};
}
static ImageAnswer unknown(const Twine &Reason) {
  return {ImageAnswer::Unknown, {}, Reason.str()};
}

//===----------------------------------------------------------------------===//
// Sums of variables
//===----------------------------------------------------------------------===//

/// Of a map without constraints whose results are all sums.
static ImageAnswer imageOfSums(const IndexingMap &Map) {
  ImageAnswer Answer{ImageAnswer::Box, {}, ""};
  DenseSet<const IndexAtom *> Seen;
  for (IndexExpr E : Map.results()) {
    SmallVector<SpannedTerm, 8> Terms;
    int64_t Base = E.constant();
    for (const IndexTerm &T : E.terms()) {
      Interval Bounds = Map.variableAt(*Map.positionOf(T.Atom)).Bounds;
      std::optional<uint64_t> Size = Bounds.size();
      int64_t Start;
      if (!Bounds.isBounded() || !Size)
        return unknown("a result depends on a variable without bounds");
      if (MulOverflow(Bounds.lo(), T.Coefficient, Start) ||
          AddOverflow(Base, Start, Base))
        return unknown("a result leaves 64 bits");
      if (*Size > 1 && !Seen.insert(T.Atom).second)
        return noBox("two results depend on one variable that has several "
                     "values in the tile");
      Terms.push_back({T.Coefficient, *Size});
    }
    Progression Axis;
    switch (progressionOfSum(Base, Terms, Axis)) {
    case SumShape::Progression:
      Answer.Axes.push_back(Axis);
      break;
    case SumShape::Gaps:
      return noBox("the values of a result have gaps of different lengths");
    case SumShape::TooLarge:
      return unknown("a result leaves 64 bits");
    }
  }
  return Answer;
}

//===----------------------------------------------------------------------===//
// Point by point
//===----------------------------------------------------------------------===//

namespace {
/// Looks at all points of a domain, twice: for the smallest box around the
/// results, and for how many of its elements they are.
class PointByPoint {
public:
  PointByPoint(const IndexingMap &Map)
      : Map(Map), Program(variables(Map), formsOf(Map)) {}

  ImageAnswer decide();

private:
  static SmallVector<const IndexAtom *, 8> variables(const IndexingMap &Map) {
    SmallVector<const IndexAtom *, 8> Atoms;
    for (size_t I = 0; I < Map.numVariables(); ++I)
      Atoms.push_back(Map.atomAt(I));
    return Atoms;
  }
  using Values = ArrayRef<std::optional<int64_t>>;
  bool forEachResult(function_ref<bool(Values)> Visit);
  bool widen(Values Results);

  struct Axis {
    int64_t First, Lo, Hi;
    uint64_t Step;
  };
  const IndexingMap &Map;
  PointProgram Program;
  SmallVector<Axis, 4> Axes;
  uint64_t Points = 0;
};
} // namespace

/// Calls \p Visit for the results at every point of the domain until it returns
/// false. Returns false if it did, or if a constraint has no value somewhere.
bool PointByPoint::forEachResult(function_ref<bool(Values)> Visit) {
  size_t NumResults = Map.results().size();
  bool Done = forEachPointOfBox(
      Map, std::numeric_limits<uint64_t>::max(), [&](ArrayRef<int64_t> Point) {
        Values All = Program.run(Point);
        for (auto [C, Value] :
             zip_equal(Map.constraints(), All.drop_front(NumResults))) {
          if (!Value)
            return false;
          if (!C.Range.contains(*Value))
            return true;
        }
        return Visit(All.take_front(NumResults));
      });
  return Done;
}

/// Makes room for one more element in the box.
bool PointByPoint::widen(Values Results) {
  ++Points;
  for (auto [I, Value] : enumerate(Results)) {
    if (!Value)
      return false;
    if (Points == 1) {
      Axes.push_back({*Value, *Value, *Value, 0});
      continue;
    }
    Axis &A = Axes[I];
    int64_t Distance;
    if (SubOverflow(*Value, A.First, Distance) ||
        Distance == std::numeric_limits<int64_t>::min())
      return false;
    A.Lo = std::min(A.Lo, *Value);
    A.Hi = std::max(A.Hi, *Value);
    A.Step = std::gcd(A.Step, uint64_t(std::abs(Distance)));
  }
  return true;
}

ImageAnswer PointByPoint::decide() {
  if (!forEachResult([&](Values Results) { return widen(Results); }))
    return unknown("a result or a constraint has no value at some point, or "
                   "leaves 64 bits");
  if (Points == 0)
    return {ImageAnswer::Empty, {}, ""};
  ImageAnswer Answer{ImageAnswer::Box, {}, ""};
  uint64_t Elements = 1;
  bool IsTooLarge = false;
  for (const Axis &A : Axes) {
    int64_t Length;
    if (SubOverflow(A.Hi, A.Lo, Length))
      return unknown("a result leaves 64 bits");
    uint64_t Size = A.Step == 0 ? 1 : uint64_t(Length) / A.Step + 1;
    Answer.Axes.push_back({A.Lo, Size, A.Step == 0 ? 1 : int64_t(A.Step)});
    if (!IsTooLarge)
      Elements = SaturatingMultiply(Elements, Size, &IsTooLarge);
  }
  auto IsNoBox = [&](const Twine &Count) {
    return noBox("the tile touches " + Count + " of the " +
                 (IsTooLarge ? "more than 2^64" : Twine(Elements)) +
                 " elements of the smallest box around them");
  };
  if (IsTooLarge || Elements > Points)
    return IsNoBox("at most " + Twine(Points));
  // There are at least as many points as elements: this fits into memory.
  BitVector Touched(Elements);
  forEachResult([&](Values Results) {
    uint64_t Position = 0;
    for (auto [Value, Axis] : zip_equal(Results, Answer.Axes))
      Position = Position * Axis.Size +
                 uint64_t(*Value - Axis.Offset) / uint64_t(Axis.Stride);
    Touched.set(Position);
    return true;
  });
  uint64_t Count = Touched.count();
  return Count == Elements ? Answer : IsNoBox(Twine(Count));
}

//===----------------------------------------------------------------------===//
// Parts of maps
//===----------------------------------------------------------------------===//

namespace {
class ImageSolver {
public:
  explicit ImageSolver(const ImageLimits &Limits) : Limits(Limits) {}
  /// \p Map is simplified and has range variables only.
  ImageAnswer solve(const IndexingMap &Map, unsigned Depth);

private:
  ImageAnswer solvePart(const IndexingMap &Map, unsigned Depth);
  bool mayLookAt(std::optional<uint64_t> Points, uint64_t Most);

  const ImageLimits &Limits;
  uint64_t PointsLeft = MaxPointsOfAll;
};
} // namespace

/// Of a map without results: whether it has a point.
static bool hasPoint(const IndexingMap &Map) {
  for (size_t I = 0; I < Map.numVariables(); ++I)
    if (Map.variableAt(I).Bounds.isEmpty())
      return false;
  MapSampler Sampler(Map);
  for (unsigned I = 0; I < MaxSamples; ++I)
    if (isInDomain(Map, Sampler.next()).value_or(false))
      return true;
  return false;
}

/// Whether the points of a box may be looked at, at most \p Most of them: they
/// are then, and count.
bool ImageSolver::mayLookAt(std::optional<uint64_t> Points, uint64_t Most) {
  if (!Points || *Points > std::min(Most, PointsLeft))
    return false;
  PointsLeft -= *Points;
  return true;
}

ImageAnswer ImageSolver::solvePart(const IndexingMap &Map, unsigned Depth) {
  if (Map.constraints().empty() && all_of(Map.results(), isAffine))
    return imageOfSums(Map);
  std::optional<uint64_t> Size = Map.boxSize();
  if (mayLookAt(Size, std::min(Limits.MaxPointsAtOnce, Limits.MaxPoints)))
    return PointByPoint(Map).decide();
  ImageAnswer Answer = unknown(
      Map.constraints().empty()
          ? "a result is no sum of variables or of their digits as far as the "
            "rules find out, and the tile has too many points to look at each"
          : "a constraint cuts the tile in a way that no rule covers, and the "
            "tile has too many points to look at each");
  if (Map.results().empty() && hasPoint(Map))
    return {ImageAnswer::Box, {}, ""};
  if (Depth < MaxRewrites)
    if (std::optional<IndexingMap> New = withFewerFloors(Map))
      Answer = solve(*New, Depth + 1);
  if (Answer.Kind == ImageAnswer::Unknown && mayLookAt(Size, Limits.MaxPoints))
    return PointByPoint(Map).decide();
  return Answer;
}

ImageAnswer ImageSolver::solve(const IndexingMap &Map, unsigned Depth) {
  if (Map.isKnownEmpty())
    return {ImageAnswer::Empty, {}, ""};
  ImageAnswer Whole{ImageAnswer::Box, ElementBox(Map.results().size()), ""};
  for (const MapPart &Part : partsOf(Map)) {
    ImageAnswer Answer = solvePart(Part.Map, Depth);
    if (Answer.Kind == ImageAnswer::Empty)
      return Answer;
    if (Answer.Kind == ImageAnswer::Box) {
      for (auto [Number, Axis] : zip_equal(Part.Results, Answer.Axes))
        if (!Whole.Axes.empty())
          Whole.Axes[Number] = Axis;
      continue;
    }
    // Another part may still turn out to be empty.
    if (Whole.Kind != ImageAnswer::Unknown) {
      Whole = std::move(Answer);
      Whole.Axes.clear();
    }
  }
  return Whole;
}

ImageAnswer imageBoxOf(const IndexingMap &Map, const ImageLimits &Limits) {
  IndexingMap Simple = Map.simplified();
  if (Simple.isKnownEmpty())
    return {ImageAnswer::Empty, {}, ""};
  for (size_t I = 0; I < Simple.numVariables(); ++I)
    if (Simple.variableAt(I).Bounds.isEmpty())
      return {ImageAnswer::Empty, {}, ""};
  for (size_t I = 0; I < Map.runtimes().size(); ++I) {
    const IndexAtom *Variable =
        IndexingMap::variableOf(Map.context(), VariableKind::Runtime, I);
    const Interval &Bounds = Map.runtimes()[I].Bounds;
    // What narrows its bounds holds for some of its values only.
    bool IsNarrowed = Simple.runtimes()[I].Bounds != Bounds;
    if (!Bounds.isPoint() && (IsNarrowed || uses(Simple, Variable)))
      return unknown("the tile depends on the runtime variable " +
                     Map.nameOf(VariableKind::Runtime, I) +
                     "; give it bounds of one value");
  }
  return ImageSolver(Limits).solve(withRangesOnly(Simple), 0);
}

} // namespace unravel
