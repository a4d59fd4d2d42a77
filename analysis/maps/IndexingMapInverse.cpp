//===- IndexingMapInverse.cpp - Injectivity and inverses ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small boxes are decided by looking at every point. For others, an inverse for
// each value of the runtime variables proves that a map is injective, and a
// pair of points that it is not.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapInverse.h"
#include "analysis/maps/MapSampler.h"
#include "analysis/maps/ParametricInverse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <numeric>

using namespace llvm;

namespace unravel {

static size_t numUnknowns(const IndexingMap &Map) {
  return Map.dimensions().size() + Map.ranges().size();
}

//===----------------------------------------------------------------------===//
// Points with the same results
//===----------------------------------------------------------------------===//

namespace {
/// Remembers points by their results and runtime values.
class ResultTable {
public:
  explicit ResultTable(const IndexingMap &Map) : Map(Map) {}

  /// Adds a point of the domain. Returns another one with the same results, if
  /// there was one.
  std::optional<IndexingMap::Point> add(ArrayRef<int64_t> P) {
    std::optional<std::vector<int64_t>> Key = Map.evaluate(P);
    if (!Key) {
      Complete = false;
      return std::nullopt;
    }
    append_range(*Key, P.drop_front(numUnknowns(Map)));
    auto [It, IsNew] = Points.try_emplace(std::move(*Key), P);
    if (IsNew || ArrayRef(It->second) == P)
      return std::nullopt;
    return It->second;
  }

  /// Whether all points that were added have results.
  bool isComplete() const { return Complete; }

private:
  const IndexingMap &Map;
  std::map<std::vector<int64_t>, IndexingMap::Point> Points;
  bool Complete = true;
};
} // namespace

/// Nullopt if there are too many points, or one cannot be decided. Adds all
/// points to \p Table, up to the first pair.
static std::optional<Injectivity> decideByAllPoints(const IndexingMap &Map,
                                                    uint64_t MaxPoints,
                                                    ResultTable &Table) {
  Injectivity Found;
  bool Complete = true;
  bool Finished = forEachPointOfBox(Map, MaxPoints, [&](ArrayRef<int64_t> P) {
    std::optional<bool> Inside = isInDomain(Map, P);
    Complete &= Inside.has_value();
    if (!Inside || !*Inside)
      return true;
    if (std::optional<IndexingMap::Point> Other = Table.add(P))
      Found = {Answer::No, *Other, P};
    return Found.IsInjective != Answer::No;
  });
  if (Found.IsInjective == Answer::No)
    return Found;
  if (!Finished || !Complete || !Table.isComplete())
    return std::nullopt;
  Found.IsInjective = Answer::Yes;
  return Found;
}

//===----------------------------------------------------------------------===//
// Sampling
//===----------------------------------------------------------------------===//

namespace {
/// Looks for pairs of points with the same results.
class PairFinder {
public:
  explicit PairFinder(const IndexingMap &Map)
      : Map(Map), Sampler(Map), Table(Map) {
    collectSteps();
  }
  std::optional<Injectivity> find();

private:
  using Step = SmallVector<int64_t, 8>;
  void collectSteps();
  void addStepsFrom(IndexExpr Result);
  void addStep(size_t I, int64_t ByI, size_t J, int64_t ByJ);
  bool tryPoint(const IndexingMap::Point &P);

  const IndexingMap &Map;
  MapSampler Sampler;
  ResultTable Table;
  /// Differences of points that leave some result alone.
  SmallVector<Step, 32> Steps;
  Injectivity Found;
};
} // namespace

static constexpr size_t MaxSteps = 96;
static constexpr unsigned MaxSamples = 256;

void PairFinder::addStep(size_t I, int64_t ByI, size_t J, int64_t ByJ) {
  if (Steps.size() == MaxSteps)
    return;
  Step S(Map.numVariables(), 0);
  S[I] = ByI;
  if (J != I)
    S[J] = ByJ;
  if (!is_contained(Steps, S))
    Steps.push_back(S);
}

/// Differences that a linear form, or a remainder, does not see.
void PairFinder::addStepsFrom(IndexExpr Result) {
  for (const IndexTerm &T : Result.terms())
    for (const IndexTerm &U : Result.terms()) {
      if (Steps.size() == MaxSteps)
        return;
      std::optional<size_t> I = Map.positionOf(T.Atom);
      std::optional<size_t> J = Map.positionOf(U.Atom);
      int64_t G = std::gcd(T.Coefficient, U.Coefficient);
      if (I && J && *I < *J && *J < numUnknowns(Map))
        addStep(*I, U.Coefficient / G, *J, -(T.Coefficient / G));
    }
  forEachAtom(Result, [&](const IndexAtom *Atom) {
    int64_t D = Atom->constantDivisor();
    if (D == 0)
      return;
    for (const IndexTerm &T : Atom->operand().terms()) {
      std::optional<size_t> I = Map.positionOf(T.Atom);
      int64_t G = std::gcd(T.Coefficient, D);
      if (I && *I < numUnknowns(Map))
        addStep(*I, D / G, *I, 0);
    }
  });
}

void PairFinder::collectSteps() {
  size_t N = numUnknowns(Map);
  for (size_t I = 0; I < N; ++I)
    addStep(I, 1, I, 0);
  for (IndexExpr Result : Map.results())
    addStepsFrom(Result);
  for (size_t I = 0; I < N && Steps.size() < MaxSteps; ++I)
    for (size_t J = I + 1; J < N && Steps.size() < MaxSteps; ++J) {
      addStep(I, 1, J, -1);
      addStep(I, 1, J, 1);
    }
}

/// Returns true if \p P and a point before it have the same results.
bool PairFinder::tryPoint(const IndexingMap::Point &P) {
  if (isInDomain(Map, P) != true)
    return false;
  if (std::optional<IndexingMap::Point> Other = Table.add(P))
    Found = {Answer::No, *Other, P};
  return Found.IsInjective == Answer::No;
}

static std::optional<IndexingMap::Point>
moved(const IndexingMap::Point &P, ArrayRef<int64_t> By, int64_t Times) {
  IndexingMap::Point Next = P;
  for (size_t I = 0; I < P.size(); ++I)
    if (int64_t Distance; MulOverflow(By[I], Times, Distance) ||
                          AddOverflow(P[I], Distance, Next[I]))
      return std::nullopt;
  return Next;
}

std::optional<Injectivity> PairFinder::find() {
  if (Map.isKnownEmpty())
    return std::nullopt;
  for (unsigned I = 0; I < MaxSamples; ++I) {
    IndexingMap::Point P = Sampler.next();
    if (isInDomain(Map, P) != true)
      continue;
    if (tryPoint(P))
      return Found;
    for (const Step &S : Steps)
      for (int64_t Times : {1, -1})
        if (std::optional<IndexingMap::Point> Q = moved(P, S, Times))
          if (tryPoint(*Q))
            return Found;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Injective and bijective
//===----------------------------------------------------------------------===//

Injectivity injectivityOf(const IndexingMap &Map, uint64_t MaxPoints) {
  ResultTable Table(Map);
  if (std::optional<Injectivity> Decided =
          decideByAllPoints(Map, MaxPoints, Table))
    return *Decided;
  std::string WhyNot;
  if (parametricInverseOf(Map, MaxPoints, WhyNot)) {
    Injectivity Proved;
    Proved.IsInjective = Answer::Yes;
    return Proved;
  }
  return PairFinder(Map).find().value_or(Injectivity());
}

namespace {
/// The smallest box that holds some results, and the runtime values they were
/// seen with.
class ImageBox {
public:
  explicit ImageBox(const IndexingMap &Map)
      : Map(Map), Sides(Map.results().size(), Interval::empty()) {}

  void add(ArrayRef<int64_t> P) {
    std::optional<std::vector<int64_t>> Results = Map.evaluate(P);
    if (!Results)
      return;
    for (auto [Side, Value] : zip_equal(Sides, *Results))
      Side = Side.unite(Interval::point(Value));
    ++PointsOf[IndexingMap::Point(P.drop_front(numUnknowns(Map)))];
  }

  ArrayRef<Interval> sides() const { return Sides; }
  /// How many points were added, by runtime values.
  const std::map<IndexingMap::Point, uint64_t> &pointsOf() const {
    return PointsOf;
  }
  /// Nullopt if it leaves 64 bits.
  std::optional<uint64_t> size() const {
    uint64_t Product = 1;
    bool Overflow = false;
    for (const Interval &Side : Sides) {
      std::optional<uint64_t> Size = Side.size();
      if (!Size || Overflow)
        return std::nullopt;
      Product = SaturatingMultiply(Product, *Size, &Overflow);
    }
    return Overflow ? std::nullopt : std::optional(Product);
  }

private:
  const IndexingMap &Map;
  std::vector<Interval> Sides;
  std::map<IndexingMap::Point, uint64_t> PointsOf;
};
} // namespace

/// For an injective map whose points can be counted: it is onto the box if, and
/// only if, it has as many points as the box, for each of the runtime values.
static bool isOntoBox(const IndexingMap &Map, uint64_t MaxPoints) {
  ImageBox Box(Map);
  Map.forEachPoint(MaxPoints, [&](ArrayRef<int64_t> P) {
    Box.add(P);
    return true;
  });
  std::optional<uint64_t> Size = Box.size();
  return all_of(Box.pointsOf(), [&](const auto &Entry) {
    return Size && Entry.second == *Size;
  });
}

/// Whether the domain of \p Inverse is a box: it has no constraints, or there
/// is a hole between points that are in there.
static Answer isBox(const IndexingMap &Inverse, const IndexingMap &Map) {
  if (Inverse.isKnownEmpty() || Inverse.constraints().empty())
    return Answer::Yes;
  ImageBox Seen(Map);
  MapSampler Points(Map);
  for (unsigned I = 0; I < MaxSamples; ++I)
    if (IndexingMap::Point P = Points.next(); isInDomain(Map, P) == true)
      Seen.add(P);
  IndexingMap::Variables Vars;
  for (const Interval &Side : Seen.sides())
    Vars.Dimensions.push_back({Side, ""});
  if (Seen.pointsOf().empty())
    return Answer::Unknown;
  MapSampler Sampler(IndexingMap(Map.context(), Vars, {}));
  size_t Share = MaxSamples / Seen.pointsOf().size() + 1;
  for (const auto &[RuntimeValues, Count] : Seen.pointsOf())
    for (size_t I = 0; I < Share; ++I) {
      IndexingMap::Point Y = Sampler.next();
      append_range(Y, RuntimeValues);
      if (isInDomain(Inverse, Y) == false)
        return Answer::No;
    }
  return Answer::Unknown;
}

Answer isBijective(const IndexingMap &Map, uint64_t MaxPoints) {
  ResultTable Table(Map);
  if (std::optional<Injectivity> Decided =
          decideByAllPoints(Map, MaxPoints, Table)) {
    if (Decided->IsInjective == Answer::No)
      return Answer::No;
    return isOntoBox(Map, MaxPoints) ? Answer::Yes : Answer::No;
  }
  std::string WhyNot;
  if (std::optional<IndexingMap> Inverse =
          parametricInverseOf(Map, MaxPoints, WhyNot))
    return isBox(*Inverse, Map);
  return PairFinder(Map).find() ? Answer::No : Answer::Unknown;
}

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

/// Boxes up to this size are looked at point by point.
static constexpr uint64_t MaxPointsOfInverse = 1 << 16;

static std::string textOf(ArrayRef<int64_t> P) {
  std::string Text = "(";
  for (int64_t Value : P)
    Text += (Text.size() > 1 ? ", " : "") + std::to_string(Value);
  return Text + ")";
}

std::optional<IndexingMap> inverseOf(const IndexingMap &Map,
                                     std::string *WhyNot) {
  std::string Reason;
  std::optional<IndexingMap> Inverse;
  if (!Map.runtimes().empty())
    Reason = "the map has runtime variables";
  else
    Inverse = parametricInverseOf(Map, MaxPointsOfInverse, Reason);
  if (Inverse || !WhyNot)
    return Inverse;
  if (Map.runtimes().empty())
    if (std::optional<Injectivity> Pair = PairFinder(Map).find())
      Reason = "not injective: points " + textOf(Pair->First) + " and " +
               textOf(Pair->Second) + " have the same results";
  *WhyNot = std::move(Reason);
  return std::nullopt;
}

} // namespace unravel
