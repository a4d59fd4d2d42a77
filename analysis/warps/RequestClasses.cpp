//===- RequestClasses.cpp - The best and the worst of a request -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/RequestClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

/// Lines and the 32 banks repeat after so many bytes.
static constexpr int64_t Period = 128;
static_assert(Period == BytesPerLine && Period == BankCount * BytesPerWord);

void CostRange::unite(const CostRange &Other) {
  if (Other.Best.ActiveLanes == 0)
    return;
  if (Best.ActiveLanes == 0) {
    *this = Other;
    return;
  }
  auto IsBetter = [](const RequestCost &A, const RequestCost &B) {
    // By how much of what is moved has to be moved, before anything else.
    uint64_t NeededOfA = uint64_t(A.IdealSectors) * B.Sectors;
    uint64_t NeededOfB = uint64_t(B.IdealSectors) * A.Sectors;
    if (NeededOfA != NeededOfB)
      return NeededOfA > NeededOfB;
    if (A.Conflicts != B.Conflicts)
      return A.Conflicts < B.Conflicts;
    return std::pair(A.Wavefronts, A.Sectors) <
           std::pair(B.Wavefronts, B.Sectors);
  };
  if (IsBetter(Other.Best, Best))
    Best = Other.Best;
  if (IsBetter(Worst, Other.Worst))
    Worst = Other.Worst;
  for (unsigned RequestCost::*Number :
       {&RequestCost::ActiveLanes, &RequestCost::Bytes, &RequestCost::Sectors,
        &RequestCost::Lines, &RequestCost::IdealSectors,
        &RequestCost::Wavefronts, &RequestCost::Conflicts}) {
    Least.*Number = std::min(Least.*Number, Other.Least.*Number);
    Most.*Number = std::max(Most.*Number, Other.Most.*Number);
  }
  LowestEfficiency = std::min(LowestEfficiency, Other.LowestEfficiency);
  HighestEfficiency = std::max(HighestEfficiency, Other.HighestEfficiency);
}

static unsigned countActive(const LaneAddressForm &Lanes) {
  return llvm::count(Lanes.Active, true);
}

static bool isSameGroup(const WarpForm &Form, unsigned A, unsigned B) {
  return all_of(Form.Terms, [&](const WarpTerm &T) {
    return T.Coefficients[A] == T.Coefficients[B];
  });
}

using Group = SmallVector<unsigned, LanesPerWarp>;

static SmallVector<Group, 4> groupsOf(const LaneAddressForm &Lanes) {
  SmallVector<Group, 4> Groups;
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    if (!Lanes.Active[L])
      continue;
    auto *It = find_if(Groups, [&](const Group &G) {
      return isSameGroup(Lanes.Form, G[0], L);
    });
    if (It == Groups.end())
      Groups.push_back({L});
    else
      It->push_back(L);
  }
  return Groups;
}

SmallVector<unsigned, 2> symbolsBetween(const LaneAddressForm &Lanes) {
  SmallVector<unsigned, 2> Symbols;
  SmallVector<Group, 4> Groups = groupsOf(Lanes);
  for (const WarpTerm &T : Lanes.Form.Terms)
    if (any_of(Groups, [&](const Group &G) {
          return T.Coefficients[G[0]] != T.Coefficients[Groups[0][0]];
        }))
      Symbols.push_back(T.Symbol);
  return Symbols;
}

/// The residues that what lane \p L shares with its group can have.
static SmallVector<int64_t, 8> residuesOf(const LaneAddressForm &Lanes,
                                          unsigned L, uint64_t Alignment) {
  int64_t Gcd = Period;
  for (const WarpTerm &T : Lanes.Form.Terms)
    Gcd = std::gcd(Gcd, floorMod(T.Coefficients[L], Period));
  SmallVector<int64_t, 8> All, Aligned;
  int64_t Align = std::min<uint64_t>(Alignment, Period);
  for (int64_t R = 0; R < Period; R += Gcd) {
    All.push_back(R);
    if ((R + floorMod(Lanes.Form.Constants[L], Period)) % Align == 0)
      Aligned.push_back(R);
  }
  return Aligned.empty() ? All : Aligned;
}

/// The lanes of \p G near zero, moved by \p Residue + \p Place; false if a
/// distance leaves 64 bits.
static bool place(const LaneAddressForm &Lanes, ArrayRef<unsigned> G,
                  int64_t Residue, int64_t Place, LaneAddresses &Addresses) {
  int64_t First = Lanes.Form.Constants[G[0]];
  int64_t Inside = floorMod(First, Period) + Residue + Place;
  for (unsigned L : G) {
    int64_t Distance;
    if (SubOverflow(Lanes.Form.Constants[L], First, Distance) ||
        AddOverflow(Distance, Inside, Distance))
      return false;
    Addresses[L] = Distance;
  }
  return true;
}

std::optional<CostRange> globalCostOf(const LaneAddressForm &Lanes,
                                      uint64_t Alignment) {
  RequestCost SumOfBest, SumOfWorst;
  SumOfBest.ActiveLanes = SumOfWorst.ActiveLanes = countActive(Lanes);
  auto AddTo = [](RequestCost &To, const GlobalCost &Cost) {
    To.Bytes += Cost.Bytes;
    To.Sectors += Cost.Sectors;
    To.Lines += Cost.Lines;
  };
  for (const Group &G : groupsOf(Lanes)) {
    std::optional<GlobalCost> Best, Worst;
    for (int64_t Residue : residuesOf(Lanes, G[0], Alignment)) {
      LaneAddresses Addresses;
      if (!place(Lanes, G, Residue, 0, Addresses))
        return std::nullopt;
      GlobalCost Cost = globalCost(Addresses, Lanes.Bytes);
      auto Size = [](const GlobalCost &C) {
        return std::pair(C.Sectors, C.Lines);
      };
      if (!Best || Size(Cost) < Size(*Best))
        Best = Cost;
      if (!Worst || Size(Cost) > Size(*Worst))
        Worst = Cost;
    }
    AddTo(SumOfBest, *Best);
    AddTo(SumOfWorst, *Worst);
  }
  for (RequestCost *Cost : {&SumOfBest, &SumOfWorst})
    Cost->IdealSectors = (Cost->Bytes + BytesPerSector - 1) / BytesPerSector;
  return CostRange(SumOfBest, SumOfWorst);
}

std::optional<CostRange> sharedCostOf(const LaneAddressForm &Lanes,
                                      uint64_t Alignment,
                                      WarpEvaluator &Evaluator) {
  SmallVector<Group, 4> Groups = groupsOf(Lanes);
  if (Groups.empty())
    return CostRange();
  // With several groups, the residue of each symbol has to be known.
  bool AreSeveral = Groups.size() > 1;
  if (AreSeveral && !Evaluator.makeDivisible(Lanes.Form, Period))
    return CostRange();
  CostRange Range;
  for (int64_t Residue : residuesOf(Lanes, Groups[0][0], Alignment)) {
    LaneAddresses Addresses;
    for (size_t G = 0; G < Groups.size(); ++G) {
      // A multiple of the period, and far away.
      int64_t Away = int64_t(G) << 50;
      if (!place(Lanes, Groups[G], Residue, Away, Addresses))
        return std::nullopt;
    }
    SharedCost Cost = sharedCost(Addresses, Lanes.Bytes);
    RequestCost One;
    One.ActiveLanes = countActive(Lanes);
    One.Wavefronts = Cost.Wavefronts;
    One.Conflicts = Cost.conflicts();
    One.Bytes = globalCost(Addresses, Lanes.Bytes).Bytes;
    Range.unite(CostRange(One, One));
  }
  return Range;
}

//===----------------------------------------------------------------------===//
// Lanes that differ in an unknown way
//===----------------------------------------------------------------------===//

/// How many pieces of \p Size bytes an interval of \p Bytes touches at most
/// that begins at a multiple of \p Align.
static uint64_t mostPieces(uint64_t Bytes, uint64_t Align, uint64_t Size) {
  return (Size - std::min(Align, Size) + Bytes - 1) / Size + 1;
}

/// The intervals of the first bytes of the active lanes, from some place that
/// all share; none if it is not known how far apart they are.
static SmallVector<Interval, LanesPerWarp>
placesOf(const WarpWay &Way, const LaneAddressForm &Lanes) {
  SmallVector<Interval, LanesPerWarp> Places;
  std::optional<unsigned> First;
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    if (!Lanes.Active[L])
      continue;
    int64_t Distance;
    if (!First)
      First = L;
    if (!isSameGroup(Way.Form, *First, L) ||
        SubOverflow(Way.Form.Constants[L], Way.Form.Constants[*First],
                    Distance))
      return {};
    Places.push_back(Way.Own + Interval::point(Distance));
    if (!Places.back().isBounded())
      return {};
  }
  return Places;
}

/// Sectors that the lanes need at least: windows of their size, wherever they
/// begin, that contain a byte of every lane.
static unsigned leastSectors(SmallVector<Interval, LanesPerWarp> Places) {
  llvm::sort(Places, [](const Interval &A, const Interval &B) {
    return A.hi() < B.hi();
  });
  unsigned Count = 0;
  std::optional<int64_t> Begin;
  for (const Interval &Place : Places)
    if (!Begin || Place.lo() - *Begin >= BytesPerSector) {
      Begin = Place.hi();
      ++Count;
    }
  return Count;
}

/// The most sectors or wavefronts that the lanes of one way add to a request.
static std::optional<uint64_t>
mostUnits(const WarpWay &Way, LaneAddressForm Lanes, uint64_t Alignment,
          bool IsShared, const SharedCost &Together, WarpEvaluator &Evaluator) {
  if (Way.Own.isPoint()) {
    std::optional<WarpForm> Form =
        add(Way.Form, WarpForm::constant(Way.Own.lo()));
    if (!Form)
      return std::nullopt;
    Lanes.Form = *Form;
    std::optional<CostRange> Cost =
        IsShared ? sharedCostOf(Lanes, Alignment, Evaluator)
                 : globalCostOf(Lanes, Alignment);
    if (!Cost)
      return std::nullopt;
    return IsShared ? Cost->Most.Wavefronts : Cost->Most.Sectors;
  }
  SmallVector<Interval, LanesPerWarp> Places = placesOf(Way, Lanes);
  if (Places.empty())
    return std::nullopt;
  int64_t Lo = Places[0].lo(), Hi = Places[0].hi(), Span;
  for (const Interval &Place : Places) {
    Lo = std::min(Lo, Place.lo());
    Hi = std::max(Hi, Place.hi());
  }
  if (SubOverflow(Hi, Lo, Span) || Span >= int64_t(1) << 50)
    return std::nullopt;
  // The ends of the range need not be aligned, but the addresses in it are.
  uint64_t Bytes = uint64_t(Span) + Lanes.Bytes;
  if (!IsShared)
    return mostPieces(Bytes, Alignment, BytesPerSector);
  uint64_t Words = mostPieces(Bytes, Alignment, BytesPerWord);
  return (Words + BankCount - 1) / BankCount * Together.Groups;
}

std::optional<CostRange> costWithin(const WarpWays &Ways, bool IsGather,
                                    const LaneAddressForm &Lanes,
                                    uint64_t Alignment, bool IsShared,
                                    WarpEvaluator &Evaluator) {
  unsigned Active = countActive(Lanes);
  if (Active == 0)
    return CostRange();
  // (A lane that is not aligned may touch more than one.)
  IsGather &= Alignment >= Lanes.Bytes;
  if (Ways.empty() && !IsGather)
    return std::nullopt;
  LaneAddresses Addresses;
  for (unsigned L = 0; L < LanesPerWarp; ++L)
    if (Lanes.Active[L])
      Addresses[L] = 0;
  SharedCost Together = sharedCost(Addresses, Lanes.Bytes);
  // A lane has one sector, and no more than one word of each bank.
  uint64_t Most = Ways.empty() ? Active : 0;
  for (const WarpWay &Way : Ways)
    Most += std::min<uint64_t>(
        Active, mostUnits(Way, Lanes, Alignment, IsShared, Together, Evaluator)
                    .value_or(Active));
  Most = std::min<uint64_t>(Most, Active);
  unsigned Least = IsShared ? Together.Groups : 1;
  if (!IsShared && Ways.size() == 1)
    if (SmallVector<Interval, LanesPerWarp> Places = placesOf(Ways[0], Lanes);
        !Places.empty())
      Least = leastSectors(std::move(Places));
  bool SaysNothing = Least == (IsShared ? Together.Groups : 1) &&
                     Most == Active && Active > Least;
  if (SaysNothing && !IsGather)
    return std::nullopt;

  CostRange Range;
  for (RequestCost *Cost :
       {&Range.Best, &Range.Worst, &Range.Least, &Range.Most})
    Cost->ActiveLanes = Active;
  unsigned All = Active * Lanes.Bytes;
  if (IsShared) {
    Range.Best.Wavefronts = Range.Least.Wavefronts = Least;
    Range.Worst.Wavefronts = Range.Most.Wavefronts = Most;
    Range.Worst.Conflicts = Range.Most.Conflicts = Most - Least;
    Range.Best.Bytes = Range.Least.Bytes = Lanes.Bytes;
    Range.Worst.Bytes = Range.Most.Bytes = All;
    Range.takeEfficiencies();
    return Range;
  }
  auto Set = [](RequestCost &Cost, unsigned Sectors, unsigned Bytes) {
    Cost.Sectors = Cost.Lines = Sectors;
    Cost.Bytes = Bytes;
    Cost.IdealSectors = (Bytes + BytesPerSector - 1) / BytesPerSector;
  };
  unsigned MostBytes = std::min<uint64_t>(All, Most * BytesPerSector);
  // Of n sectors, n lanes have different ones.
  Set(Range.Least, Least, Least * Lanes.Bytes);
  Set(Range.Worst, Most, Most * Lanes.Bytes);
  Set(Range.Most, Most, MostBytes);
  unsigned Ideal = (MostBytes + BytesPerSector - 1) / BytesPerSector;
  Set(Range.Best, std::max(Least, Ideal), MostBytes);
  Range.Least.Lines = 1;
  Range.takeEfficiencies();
  return Range;
}

} // namespace unravel
