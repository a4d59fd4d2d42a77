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

static void printMap(raw_ostream &OS, StringRef What, const OperandMap &Map,
                     const HloShape &Array) {
  OS << "  " << What;
  std::optional<ThreadElements> Elements = elementsInMemory(Map, Array);
  if (!Elements) {
    OS << ": not understood: a number leaves 64 bits\n";
    return;
  }
  MapRequests Requests = requestsOf(*Elements);
  if (Requests.NotUnderstood.empty())
    OS << formatv(", {0} bytes a lane: {1}\n",
                  Requests.Vector * Elements->ElementBytes, Requests.Pattern);
  else
    OS << ": not understood: " << Requests.NotUnderstood << '\n';
  std::optional<ReducedMap> Shown = removePointVariables(Elements->Map);
  print(OS << "    element: ", Shown ? Shown->Map : Elements->Map);
  OS << '\n';
  if (Requests.NotUnderstood.empty())
    printRequests(OS, Requests);
}

void printAccesses(raw_ostream &OS, const HloComputation &C,
                   const KernelPlan &Plan, HloIndexingAnalysis &Analysis) {
  std::vector<bool> IsRead(Plan.Memory.Buffers.size());
  for (const PlannedKernel &Kernel : Plan.Kernels) {
    OS << "kernel " << Kernel.Name << ": " << nameOf(Kernel.Kind) << ", "
       << Kernel.blocks() << " blocks of " << Kernel.BlockSize << " threads\n";
    for (const BufferAccess &Access : accessesOf(Plan, Kernel, Analysis)) {
      std::string What = (nameOf(Access.Kind) + " " +
                          accessedName(Plan.Memory, Access, C.root().shape()))
                             .str();
      IsRead[Access.Buffer] =
          IsRead[Access.Buffer] || Access.Kind != ThreadAction::Store;
      if (!Access.Maps.isKnown())
        OS << "  " << What << ": not understood: " << Access.Maps.WhyUnknown
           << '\n';
      for (const OperandMap &Map : Access.Maps.Maps)
        printMap(OS, What, Map, Access.Array);
    }
  }
  for (auto [Number, Buffer] : enumerate(Plan.Memory.Buffers))
    if (Buffer.BufferKind == KernelBuffer::Kind::Input && !IsRead[Number])
      OS << Buffer.Name << ": not read\n";
}

} // namespace unravel
