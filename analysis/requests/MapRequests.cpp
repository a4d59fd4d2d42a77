//===- MapRequests.cpp - What the accesses of a thread map cost -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/requests/MapRequests.h"
#include "analysis/algebra/FloorBasis.h"
#include "analysis/maps/MapSampler.h"
#include "analysis/tiles/PointProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <numeric>
#include <set>

using namespace llvm;

namespace unravel {

/// Lines repeat after so many bytes.
static constexpr int64_t Period = BytesPerLine;

void CostBounds::take(const CostRange &Cost) {
  for (const RequestCost &C : {Cost.Best, Cost.Worst}) {
    FewestBytes = std::min(FewestBytes, C.Bytes);
    MostBytes = std::max(MostBytes, C.Bytes);
    FewestSectors = std::min(FewestSectors, C.Sectors);
    MostSectors = std::max(MostSectors, C.Sectors);
    FewestIdeal = std::min(FewestIdeal, C.IdealSectors);
    MostIdeal = std::max(MostIdeal, C.IdealSectors);
    FewestLines = std::min(FewestLines, C.Lines);
    MostLines = std::max(MostLines, C.Lines);
    LowestEfficiency = std::min(LowestEfficiency, C.efficiency());
    HighestEfficiency = std::max(HighestEfficiency, C.efficiency());
  }
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static bool isInside(const IndexAtom *Variable, IndexExpr E) {
  bool Found = false;
  forEachAtom(E, [&](const IndexAtom *Atom) { Found |= Atom == Variable; });
  return Found;
}

/// The coefficient of \p Variable, if the number of the element is that times
/// the variable and something that does not depend on it, and the domain does
/// not either.
static std::optional<int64_t> shiftOf(const ThreadElements &Threads,
                                      const IndexAtom *Variable) {
  const IndexingMap &Map = Threads.Map;
  for (const IndexTerm &Term : Map.result(0).terms())
    if (Term.Atom != Variable &&
        isInside(Variable, Map.context().atom(Term.Atom)))
      return std::nullopt;
  for (const MapConstraint &C : Map.constraints())
    if (isInside(Variable, C.Expr))
      return std::nullopt;
  for (const IndexingMap &Place : Threads.Places)
    for (IndexExpr E : Place.results())
      if (isInside(Variable, E))
        return std::nullopt;
  return Map.result(0).coefficientOf(Variable);
}

namespace {
/// Values of a variable of the map, each of which stands for some.
struct Axis {
  size_t Position; ///< in a point
  std::vector<int64_t> Values;
  std::vector<uint64_t> Weights;

  void add(int64_t Value, uint64_t Weight) {
    Values.push_back(Value);
    Weights.push_back(Weight);
  }
};
} // namespace

/// Leaves about half of the values: the first, the last, and some between.
static void thin(Axis &A) {
  size_t Old = A.Values.size(), New = std::max<size_t>(Old / 2, 3);
  Axis Thin = {A.Position, {}, {}};
  for (size_t I = 0; I < New; ++I) {
    size_t From = I * (Old - 1) / (New - 1);
    Thin.add(A.Values[From], A.Weights[From]);
  }
  A = std::move(Thin);
}

/// The product, or MAX.
static uint64_t countOf(ArrayRef<Axis> Axes) {
  uint64_t Count = 1;
  for (const Axis &A : Axes)
    Count = SaturatingMultiply(Count, uint64_t(A.Values.size()));
  return Count;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

namespace {
class RequestFinder {
public:
  explicit RequestFinder(const ThreadElements &Original)
      : Original(Original), Threads(Original) {}
  MapRequests find();

private:
  std::string understand();
  void findVector();
  Axis axisOf(size_t Position, bool IsReduced);
  bool look(const IndexingMap::Point &Point, uint64_t Weight);
  bool forEach(ArrayRef<Axis> Axes, IndexingMap::Point &Point, uint64_t Weight,
               function_ref<bool(IndexingMap::Point &, uint64_t)> Visit);
  std::optional<LaneAddressForm> lanesAt(IndexingMap::Point Point);
  bool lookTogether();
  void describe();

  const ThreadElements &Original;
  ThreadElements Threads; ///< simplified
  MapRequests Result;
  const IndexAtom *VectorVariable = nullptr;
  std::optional<PointProgram> Program;
  WarpSymbols Symbols;
  std::map<std::string, uint64_t> Patterns;
};
} // namespace

/// Why the map has no requests.
std::string RequestFinder::understand() {
  Threads.Map = Original.Map.simplified();
  const IndexingMap &Map = Threads.Map;
  if (Map.isKnownEmpty())
    return "no thread accesses anything";
  for (size_t I = 0; I < Map.dimensions().size() + Map.ranges().size(); ++I)
    if (!Map.variableAt(I).Bounds.isBounded())
      return "'" + Map.nameOf(Map.atomAt(I)) + "' has no bounds";
  for (size_t I = 0; I < Map.runtimes().size(); ++I) {
    const IndexAtom *Variable =
        IndexingMap::variableOf(Map.context(), VariableKind::Runtime, I);
    if (!shiftOf(Threads, Variable))
      return "which elements are accessed depends on '" +
             Map.nameOf(VariableKind::Runtime, I) +
             "', a value of run time, in a way that is no shift";
  }
  return "";
}

/// Finds a range variable that counts neighbours from an aligned one on.
void RequestFinder::findVector() {
  const IndexingMap &Map = Threads.Map;
  IndexContext &Context = Map.context();
  IndexDomain Domain = Map.domain();
  FloorBasis Basis(Domain);
  for (size_t I = 0; I < Map.ranges().size(); ++I) {
    const IndexAtom *Variable =
        IndexingMap::variableOf(Context, VariableKind::Range, I);
    const Interval Bounds = Map.ranges()[I].Bounds;
    if (shiftOf(Threads, Variable) != 1)
      continue;
    IndexExpr First =
        Context.add(Context.sub(Map.result(0), Context.atom(Variable)),
                    Context.constant(Bounds.lo()));
    uint64_t Count = uint64_t(Bounds.hi()) - uint64_t(Bounds.lo()) + 1;
    for (unsigned Width = WidestAccess / Threads.ElementBytes; Width > 1;
         Width /= 2) {
      if (Count % Width != 0 || Width <= Result.Vector)
        continue;
      IndexExpr Rest = First ? Basis.floorMod(First, Width) : IndexExpr();
      if (!Rest || !Rest.isConstant() || Rest.constant() != 0)
        continue;
      VectorVariable = Variable;
      Result.Vector = Width;
    }
  }
}

/// The values of a variable; the least ones of each residue, if it only shifts
/// all lanes and \p IsReduced. Some of them, if there are too many.
Axis RequestFinder::axisOf(size_t Position, bool IsReduced) {
  const IndexingMap &Map = Threads.Map;
  const IndexAtom *Variable = Map.atomAt(Position);
  Interval Bounds = Map.variableAt(Position).Bounds;
  int64_t Step = Variable == VectorVariable ? Result.Vector : 1;
  uint64_t Count = (uint64_t(Bounds.hi()) - uint64_t(Bounds.lo())) / Step + 1;
  uint64_t Different = Count;
  if (std::optional<int64_t> Shift = shiftOf(Threads, Variable);
      Shift && IsReduced) {
    int64_t Bytes = floorMod(
        floorMod(*Shift, Period) * Step * Threads.ElementBytes, Period);
    Different = std::min<uint64_t>(Count, Period / std::gcd(Bytes, Period));
  }
  uint64_t Listed = std::min(Different, MapRequests::MaxRequests);
  uint64_t Distance = Listed > 1 ? (Different - 1) / (Listed - 1) : 1;
  Result.IsComplete &= Listed == Different;
  Axis A = {Position, {}, {}};
  for (uint64_t I = 0; I < Listed; ++I) {
    uint64_t Number = I + 1 == Listed ? Different - 1 : I * Distance;
    A.add(Bounds.lo() + int64_t(Number) * Step,
          (Count - Number - 1) / Different + 1);
  }
  return A;
}

/// The lanes of the warp that \p Point is in; nullopt if an address leaves 64
/// bits.
std::optional<LaneAddressForm>
RequestFinder::lanesAt(IndexingMap::Point Point) {
  const IndexingMap &Map = Threads.Map;
  LaneAddressForm Lanes = {{}, {}, Result.Vector * Threads.ElementBytes};
  Lanes.Active.fill(false);
  const Interval Bounds = Map.dimensions()[0].Bounds;
  int64_t First = Point[0] - floorMod(Point[0], int64_t(LanesPerWarp));
  // Per runtime variable, the lanes that read from each place.
  std::vector<std::map<std::vector<int64_t>, LaneNumbers>> Readers(
      Threads.Places.size());
  for (unsigned Lane = 0; Lane < LanesPerWarp; ++Lane) {
    Point[0] = First + Lane;
    if (!Bounds.contains(Point[0]))
      continue;
    ArrayRef<std::optional<int64_t>> Values = Program->run(Point);
    bool Inside = true;
    for (auto [I, C] : enumerate(Map.constraints()))
      Inside &= Values[1 + I] && C.Range.contains(*Values[1 + I]);
    if (!Inside)
      continue;
    if (!Values[0] || MulOverflow(*Values[0], int64_t(Threads.ElementBytes),
                                  Lanes.Form.Constants[Lane]))
      return std::nullopt;
    Lanes.Active[Lane] = true;
    Values = Values.drop_front(1 + Map.constraints().size());
    for (auto [R, Place] : enumerate(Threads.Places)) {
      std::vector<int64_t> Index;
      for (std::optional<int64_t> Part :
           Values.take_front(Place.results().size()))
        Index.push_back(Part.value_or(0));
      Values = Values.drop_front(Place.results().size());
      const IndexAtom *Variable =
          IndexingMap::variableOf(Map.context(), VariableKind::Runtime, R);
      Readers[R].try_emplace(Index, LaneNumbers()).first->second[Lane] =
          Map.result(0).coefficientOf(Variable) * Threads.ElementBytes;
    }
  }
  for (auto [R, OfPlace] : enumerate(Readers))
    for (auto &[Index, Coefficients] : OfPlace)
      if (any_of(Coefficients, [](int64_t C) { return C != 0; })) {
        unsigned Symbol =
            Symbols.symbolOf({&Threads.Places[R], Lanes.Form.Terms.size()},
                             [&] { return WarpSymbols::Symbol(); });
        Lanes.Form.Terms.push_back({Symbol, Coefficients});
      }
  return Lanes;
}

/// Calls \p Visit for all points; false if that returned false.
bool RequestFinder::forEach(
    ArrayRef<Axis> Axes, IndexingMap::Point &Point, uint64_t Weight,
    function_ref<bool(IndexingMap::Point &, uint64_t)> Visit) {
  if (Axes.empty())
    return Visit(Point, Weight);
  const Axis &A = Axes[0];
  for (auto [Value, Times] : zip_equal(A.Values, A.Weights)) {
    Point[A.Position] = Value;
    if (!forEach(Axes.drop_front(), Point, Weight * Times, Visit))
      return false;
  }
  return true;
}

/// Takes in the request at \p Point. Returns false if it is not understood.
bool RequestFinder::look(const IndexingMap::Point &Point, uint64_t Weight) {
  std::optional<LaneAddressForm> Lanes = lanesAt(Point);
  std::optional<CostRange> Cost;
  if (Lanes)
    Cost = globalCostOf(*Lanes, Lanes->Bytes);
  if (!Cost) {
    Result.NotUnderstood = "an address leaves 64 bits";
    return false;
  }
  if (Cost->Best.ActiveLanes == 0)
    return true;
  if (Result.Total.Requests == 0)
    Result.First.take(*Cost);
  Result.All.take(*Cost);
  RequestTotal &Total = Result.Total;
  Total.Requests += Weight;
  Total.Bytes += Weight * Cost->Worst.Bytes;
  Total.IdealSectors += Weight * Cost->Worst.IdealSectors;
  Total.FewestSectors += Weight * Cost->Best.Sectors;
  Total.MostSectors += Weight * Cost->Worst.Sectors;
  Patterns[patternOf(*Lanes, Symbols)] += Weight;
  return true;
}

/// A sector that several requests of one warp need counts once. Looks at the
/// first, an inner and the last warp.
bool RequestFinder::lookTogether() {
  constexpr uint64_t MaxTogether = 1 << 12;
  std::vector<Axis> Ranges;
  for (size_t I = 0; I < Threads.Map.ranges().size(); ++I) {
    const Interval Bounds = Threads.Map.ranges()[I].Bounds;
    if (uint64_t(Bounds.hi()) - uint64_t(Bounds.lo()) >= MaxTogether)
      return true;
    Ranges.push_back(axisOf(Threads.Map.dimensions().size() + I, false));
  }
  if (countOf(Ranges) <= 1 || countOf(Ranges) > MaxTogether ||
      !Threads.Places.empty())
    return true;
  std::vector<Axis> Warps;
  const IndexingMap &Map = Threads.Map;
  for (size_t I = 0; I < Map.dimensions().size(); ++I) {
    const Interval Bounds = Map.dimensions()[I].Bounds;
    Axis A = {I, {}, {}};
    uint64_t Size = uint64_t(Bounds.hi()) - uint64_t(Bounds.lo());
    std::set<int64_t> Values;
    for (int64_t Value :
         {Bounds.lo(), Bounds.lo() + int64_t(Size / 2), Bounds.hi()})
      // Of a thread, the first lane of its warp.
      Values.insert(I == 0 ? Value - floorMod(Value, int64_t(LanesPerWarp))
                           : Value);
    for (int64_t Value : Values)
      A.add(Value, 1);
    Warps.push_back(std::move(A));
  }
  while (countOf(Warps) * countOf(Ranges) > MapRequests::MaxRequests) {
    auto Longest = max_element(Warps, [](const Axis &A, const Axis &B) {
      return A.Values.size() < B.Values.size();
    });
    Longest->Values = {Longest->Values[Longest->Values.size() / 2]};
    Longest->Weights = {1};
  }
  IndexingMap::Point Point(Map.numVariables());
  RequestTotal &Together = Result.Together;
  return forEach(Warps, Point, 1, [&](IndexingMap::Point &Warp, uint64_t) {
    std::set<int64_t> Elements, Sectors;
    bool Understood =
        forEach(Ranges, Warp, 1, [&](IndexingMap::Point &Request, uint64_t) {
          std::optional<LaneAddressForm> Lanes = lanesAt(Request);
          if (!Lanes)
            return false;
          for (unsigned Lane = 0; Lane < LanesPerWarp; ++Lane)
            if (Lanes->Active[Lane]) {
              int64_t First = Lanes->Form.Constants[Lane];
              for (unsigned K = 0; K < Result.Vector; ++K)
                Elements.insert(First + int64_t(K) * Threads.ElementBytes);
              for (int64_t S = floorDiv(First, int64_t(BytesPerSector));
                   S <= floorDiv(First + int64_t(Lanes->Bytes) - 1,
                                 int64_t(BytesPerSector));
                   ++S)
                Sectors.insert(S);
            }
          return true;
        });
    if (!Elements.empty()) {
      uint64_t Bytes = Elements.size() * Threads.ElementBytes;
      ++Together.Requests;
      Together.Bytes += Bytes;
      Together.IdealSectors += divideCeil(Bytes, uint64_t(BytesPerSector));
      Together.FewestSectors += Sectors.size();
      Together.MostSectors += Sectors.size();
    }
    return Understood;
  });
}

/// The most frequent patterns, in words.
void RequestFinder::describe() {
  std::vector<std::pair<uint64_t, std::string>> Sorted;
  for (const auto &[Text, Times] : Patterns)
    Sorted.push_back({Times, Text});
  llvm::stable_sort(
      Sorted, [](const auto &A, const auto &B) { return A.first > B.first; });
  Result.Pattern = Sorted[0].second;
  if (Sorted.size() > 1)
    Result.Pattern += " or " + Sorted[1].second;
}

MapRequests RequestFinder::find() {
  Result.NotUnderstood = understand();
  if (!Result.NotUnderstood.empty())
    return Result;
  findVector();
  const IndexingMap &Map = Threads.Map;
  std::vector<const IndexAtom *> Variables;
  for (size_t I = 0; I < Map.numVariables(); ++I)
    Variables.push_back(Map.atomAt(I));
  std::vector<IndexExpr> Forms = {Map.result(0)};
  for (const MapConstraint &C : Map.constraints())
    Forms.push_back(C.Expr);
  for (const IndexingMap &Place : Threads.Places)
    append_range(Forms, Place.results());
  Program.emplace(Variables, Forms);

  std::vector<Axis> Axes;
  size_t Counted = Map.dimensions().size() + Map.ranges().size();
  for (size_t I = 1; I < Counted; ++I)
    Axes.push_back(axisOf(I, /*IsReduced=*/true));
  Axis Warps = {0, {}, {}};
  const Interval Bounds = Map.dimensions()[0].Bounds;
  constexpr int64_t MaxThreads = int64_t(1) << 24;
  if (Bounds.hi() - std::max(Bounds.lo(), -MaxThreads) >= MaxThreads) {
    Result.NotUnderstood = "a block has too many threads";
    return Result;
  }
  for (int64_t Warp = floorDiv(Bounds.lo(), int64_t(LanesPerWarp));
       Warp <= floorDiv(Bounds.hi(), int64_t(LanesPerWarp)); ++Warp)
    Warps.add(Warp * LanesPerWarp, 1);
  Axes.push_back(std::move(Warps));

  while (countOf(Axes) > MapRequests::MaxRequests) {
    Result.IsComplete = false;
    auto Longest = max_element(Axes, [](const Axis &A, const Axis &B) {
      return A.Values.size() < B.Values.size();
    });
    thin(*Longest);
  }
  IndexingMap::Point Point(Map.numVariables());
  if (!forEach(Axes, Point, 1, [&](IndexingMap::Point &P, uint64_t Weight) {
        return look(P, Weight);
      }))
    return Result;
  // Where few threads access anything, none of them may have been looked at.
  MapSampler Sampler(Map);
  for (unsigned I = 0; I < 256 && Result.Total.Requests == 0; ++I)
    if (!look(Sampler.next(), 1))
      return Result;
  if (Result.Total.Requests == 0) {
    Result.NotUnderstood = Result.IsComplete
                               ? "no thread accesses anything"
                               : "no warp that accesses something was found";
    return Result;
  }
  if (!lookTogether())
    Result.Together = RequestTotal();
  describe();
  return Result;
}

MapRequests requestsOf(const ThreadElements &Threads) {
  return RequestFinder(Threads).find();
}

} // namespace unravel
