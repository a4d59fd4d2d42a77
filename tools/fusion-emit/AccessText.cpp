//===- AccessText.cpp - What the accesses of planned kernels cost ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/fusion-emit/AccessText.h"
#include "analysis/maps/IndexingMapOps.h"
#include "analysis/maps/IndexingMapText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

std::optional<ThreadElements> elementsInMemory(const OperandMap &Map,
                                               const HloShape &Array) {
  IndexContext &Context = Map.Map.context();
  IndexExpr Number = Context.constant(0);
  std::vector<int64_t> Strides = Array.strides();
  for (auto [Index, Stride] : zip_equal(Map.Map.results(), Strides))
    if (Number = Context.add(Number, Context.scale(Index, Stride)); !Number)
      return std::nullopt;
  ThreadElements Elements = {IndexingMap(Context, Map.Map.variables(), {Number},
                                         Map.Map.constraints().vec())
                                 .simplified(),
                             byteWidth(Array.elementType())};
  for (const RuntimeVariable &R : Map.Runtimes)
    Elements.Places.push_back(R.ToElement);
  return Elements;
}

/// "4", or "4 to 5".
static std::string rangeText(unsigned A, unsigned B) {
  auto [Low, High] = std::minmax(A, B);
  return Low == High ? std::to_string(Low)
                     : formatv("{0} to {1}", Low, High).str();
}

static std::string rangeText(double A, double B) {
  auto [Low, High] = std::minmax(A, B);
  std::string First = formatv("{0:F2}", Low), Last = formatv("{0:F2}", High);
  return First == Last ? First : First + " to " + Last;
}

static std::string costText(const CostBounds &Cost) {
  return "sectors: " + rangeText(Cost.FewestSectors, Cost.MostSectors) +
         ", ideal: " + rangeText(Cost.FewestIdeal, Cost.MostIdeal) +
         ", lines: " + rangeText(Cost.FewestLines, Cost.MostLines) +
         ", efficiency: " +
         rangeText(Cost.LowestEfficiency, Cost.HighestEfficiency);
}

static void printRequests(raw_ostream &OS, const MapRequests &Requests) {
  OS << "    " << costText(Requests.All) << '\n'
     << "    first warp: " << costText(Requests.First) << '\n';
  const RequestTotal &Total = Requests.Total, &Together = Requests.Together;
  std::string Efficiency =
      rangeText(Total.bestEfficiency(), Total.worstEfficiency());
  if (!Requests.IsComplete)
    OS << "    some requests: efficiency: " << Efficiency << '\n';
  else if (Total.FewestSectors == Total.MostSectors)
    OS << formatv("    kernel: {0} requests, {1} sectors, efficiency: {2}\n",
                  Total.Requests, Total.MostSectors, Efficiency);
  else
    OS << formatv("    kernel: {0} requests, {1} to {2} sectors, efficiency: "
                  "{3}\n",
                  Total.Requests, Total.FewestSectors, Total.MostSectors,
                  Efficiency);
  if (Together.Requests != 0)
    OS << "    requests of a warp together: efficiency: "
       << formatv("{0:F2}", Together.worstEfficiency()) << '\n';
  OS << "    vector: " << Requests.Vector
     << (Requests.Vector == 1 ? " element" : " elements")
     << ", coalesced: " << (Requests.isCoalesced() ? "yes" : "no") << '\n';
}

static void printAccess(raw_ostream &OS, const PlannedAccess &Access) {
  OS << "  " << nameOf(Access.Kind) << ' ' << Access.Array;
  if (!Access.NoMap.empty()) {
    OS << ": not understood: " << Access.NoMap << '\n';
    return;
  }
  const MapRequests &Requests = Access.Requests;
  if (Requests.NotUnderstood.empty())
    OS << formatv(", {0} bytes a lane: {1}\n",
                  Requests.Vector * Access.ElementBytes, Requests.Pattern);
  else
    OS << ": not understood: " << Requests.NotUnderstood << '\n';
  OS << "    element: " << Access.Element << '\n';
  if (Requests.NotUnderstood.empty())
    printRequests(OS, Requests);
}

void printAccesses(raw_ostream &OS, const PlannedAccesses &All) {
  for (const PlannedKernelAccesses &Kernel : All.Kernels) {
    OS << "kernel " << Kernel.Name << ": " << Kernel.Kind << ", "
       << Kernel.Blocks << " blocks of " << Kernel.Threads << " threads\n";
    for (const PlannedAccess &Access : Kernel.Accesses)
      printAccess(OS, Access);
  }
  for (const std::string &Name : All.NotRead)
    OS << Name << ": not read\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// [least, most]
template <typename T> static json::Array rangeOf(T A, T B) {
  return json::Array{std::min(A, B), std::max(A, B)};
}

static json::Object toJson(const CostBounds &Cost) {
  return json::Object{
      {"sectors", rangeOf(Cost.FewestSectors, Cost.MostSectors)},
      {"ideal_sectors", rangeOf(Cost.FewestIdeal, Cost.MostIdeal)},
      {"lines", rangeOf(Cost.FewestLines, Cost.MostLines)},
      {"efficiency", rangeOf(Cost.LowestEfficiency, Cost.HighestEfficiency)}};
}

static json::Object toJson(const PlannedAccess &Access) {
  json::Object Object = json::Object{{"kind", nameOf(Access.Kind)},
                                     {"array", json::fixUTF8(Access.Array)}};
  const MapRequests &Requests = Access.Requests;
  if (Access.NoMap.empty())
    Object["element"] = Access.Element;
  if (!Access.NoMap.empty() || !Requests.NotUnderstood.empty()) {
    Object["not_understood"] = json::fixUTF8(
        Access.NoMap.empty() ? Requests.NotUnderstood : Access.NoMap);
    return Object;
  }
  Object["bytes_per_lane"] = Requests.Vector * Access.ElementBytes;
  Object["pattern"] = Requests.Pattern;
  Object["request"] = toJson(Requests.All);
  Object["first_warp"] = toJson(Requests.First);
  const RequestTotal &Total = Requests.Total;
  Object["total"] = json::Object{
      {"complete", Requests.IsComplete},
      {"requests", Total.Requests},
      {"sectors", rangeOf(Total.FewestSectors, Total.MostSectors)},
      {"efficiency", rangeOf(Total.bestEfficiency(), Total.worstEfficiency())}};
  Object["together_efficiency"] =
      Requests.Together.Requests == 0
          ? json::Value(nullptr)
          : json::Value(Requests.Together.worstEfficiency());
  Object["vector"] = Requests.Vector;
  Object["coalesced"] = Requests.isCoalesced();
  return Object;
}

json::Object toJson(const PlannedAccesses &All) {
  json::Array Kernels, NotRead;
  for (const PlannedKernelAccesses &Kernel : All.Kernels) {
    json::Array Accesses;
    for (const PlannedAccess &Access : Kernel.Accesses)
      Accesses.push_back(toJson(Access));
    Kernels.push_back(json::Object{{"name", json::fixUTF8(Kernel.Name)},
                                   {"kind", Kernel.Kind},
                                   {"blocks", Kernel.Blocks},
                                   {"block", Kernel.Threads},
                                   {"accesses", std::move(Accesses)}});
  }
  for (const std::string &Name : All.NotRead)
    NotRead.push_back(json::fixUTF8(Name));
  return json::Object{{"kernels", std::move(Kernels)},
                      {"not_read", std::move(NotRead)}};
}

//===----------------------------------------------------------------------===//
// The accesses of a plan
//===----------------------------------------------------------------------===//

static void addRequests(PlannedAccess &Access, const OperandMap &Map,
                        const HloShape &Array) {
  std::optional<ThreadElements> Elements = elementsInMemory(Map, Array);
  if (!Elements) {
    Access.NoMap = "a number leaves 64 bits";
    return;
  }
  Access.ElementBytes = Elements->ElementBytes;
  Access.Requests = requestsOf(*Elements);
  std::optional<ReducedMap> Shown = removePointVariables(Elements->Map);
  raw_string_ostream OS(Access.Element);
  print(OS, Shown ? Shown->Map : Elements->Map);
}

PlannedAccesses plannedAccesses(const HloComputation &C, const KernelPlan &Plan,
                                HloIndexingAnalysis &Analysis) {
  PlannedAccesses All;
  std::vector<bool> IsRead(Plan.Memory.Buffers.size());
  for (const PlannedKernel &Kernel : Plan.Kernels) {
    All.Kernels.push_back({Kernel.Name,
                           nameOf(Kernel.Kind),
                           int64_t(Kernel.blocks()),
                           Kernel.BlockSize,
                           {}});
    for (const BufferAccess &Access : accessesOf(Plan, Kernel, Analysis)) {
      PlannedAccess Planned;
      Planned.Kind = Access.Kind;
      Planned.Array = accessedName(Plan.Memory, Access, C.root().shape());
      IsRead[Access.Buffer] =
          IsRead[Access.Buffer] || Access.Kind != ThreadAction::Store;
      if (!Access.Maps.isKnown()) {
        Planned.NoMap = Access.Maps.WhyUnknown;
        All.Kernels.back().Accesses.push_back(Planned);
      }
      for (const OperandMap &Map : Access.Maps.Maps) {
        PlannedAccess OfMap = Planned;
        addRequests(OfMap, Map, Access.Array);
        All.Kernels.back().Accesses.push_back(std::move(OfMap));
      }
    }
  }
  for (auto [Number, Buffer] : enumerate(Plan.Memory.Buffers))
    if (Buffer.BufferKind == KernelBuffer::Kind::Input && !IsRead[Number])
      All.NotRead.push_back(Buffer.Name);
  return All;
}

} // namespace unravel
