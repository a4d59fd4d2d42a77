//===- TraceReport.cpp - What a traced run did to memory -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/trace/TraceReport.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace unravel {

TraceReport::TraceReport(const TracedAccesses &Traced,
                         const AccessTrace &Trace) {
  for (auto [T, Totals] : zip_equal(Traced.List, Trace.totals()))
    Accesses.push_back({T.place(), nameOf(T.Access.Kind).str(),
                        nameOf(T.Access.Space).str(), T.Access.Bytes,
                        describeInstruction(*T.Access.Instruction), T.NotTraced,
                        T.IsCalled, Totals});
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static double perRequest(uint64_t Sum, const RequestTotals &T) {
  return double(Sum) / double(T.Requests);
}

static double efficiencyOf(const RequestTotals &T, bool IsShared) {
  return IsShared ? double(T.IdealUnits) / double(T.Units)
                  : double(T.Bytes) / (double(T.Units) * BytesPerSector);
}

static void printTotals(const RequestTotals &T, bool IsShared,
                        raw_ostream &OS) {
  if (T.Requests == 0)
    return;
  OS << "    " << T.Requests << (T.Requests == 1 ? " request" : " requests");
  if (T.Lanes != T.Requests * LanesPerWarp)
    OS << formatv(" of {0:f1} lanes", perRequest(T.Lanes, T));
  OS << (IsShared ? ", wavefronts: " : ", sectors: ") << T.Least;
  if (T.Most != T.Least)
    OS << " to " << T.Most << formatv(", mean {0:f2}", perRequest(T.Units, T));
  if (IsShared)
    OS << ", bank conflicts: " << T.Units - T.IdealUnits;
  else
    OS << formatv(", ideal: {0:f2}", perRequest(T.IdealUnits, T));
  OS << formatv(", efficiency: {0:f2}\n", efficiencyOf(T, IsShared));
}

void TraceReport::printText(raw_ostream &OS) const {
  for (auto [Number, A] : enumerate(Accesses)) {
    OS << "  access " << Number << ": ";
    if (!A.Place.empty())
      OS << A.Place << ": ";
    OS << A.Kind << ", " << A.Space;
    if (A.Bytes)
      OS << ", " << A.Bytes << (A.Bytes == 1 ? " byte" : " bytes") << " a lane";
    OS << "\n    " << A.Instruction << '\n';
    const AccessTotals &T = A.Totals;
    printTotals(T.Global, /*IsShared=*/false, OS);
    printTotals(T.Shared, /*IsShared=*/true, OS);
    if (T.NotTraced)
      OS << "    " << T.NotTraced << " accesses of single lanes: "
         << (A.NotTraced.empty() ? "each lane has its own memory" : A.NotTraced)
         << '\n';
    if (T.Dropped)
      OS << "    " << T.Dropped << " accesses of single lanes are left out: "
         << "more than " << AccessTrace::MaxWaitingRequests
         << " requests at a time\n";
    if (T.Global.Requests + T.Shared.Requests + T.NotTraced + T.Dropped == 0)
      OS << "    never executed\n";
    else if (A.IsCalled)
      OS << "    the k-th calls of the lanes are taken to be one\n";
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeTotals(json::OStream &J, StringRef Key, const RequestTotals &T,
                        bool IsShared) {
  if (T.Requests == 0)
    return;
  StringRef Units = IsShared ? "wavefronts" : "sectors";
  J.attributeObject(Key, [&] {
    J.attribute("requests", T.Requests);
    J.attribute("lanes", T.Lanes);
    J.attribute("bytes", T.Bytes);
    J.attribute(Units, T.Units);
    J.attribute(("least_" + Units).str(), T.Least);
    J.attribute(("most_" + Units).str(), T.Most);
    if (IsShared)
      J.attribute("conflicts", T.Units - T.IdealUnits);
    else
      J.attribute("ideal_sectors", T.IdealUnits);
  });
}

void TraceReport::printJSON(json::OStream &J) const {
  J.attributeArray("accesses", [&] {
    for (auto [Number, A] : enumerate(Accesses))
      J.object([&, Number = Number, &A = A] {
        J.attribute("access", int64_t(Number));
        if (!A.Place.empty())
          J.attribute("place", json::fixUTF8(A.Place));
        J.attribute("kind", A.Kind);
        J.attribute("space", A.Space);
        J.attribute("bytes_per_lane", A.Bytes);
        J.attribute("instruction", json::fixUTF8(A.Instruction));
        writeTotals(J, "global", A.Totals.Global, /*IsShared=*/false);
        writeTotals(J, "shared", A.Totals.Shared, /*IsShared=*/true);
        J.attribute("lanes_not_traced", A.Totals.NotTraced);
        J.attribute("lanes_left_out", A.Totals.Dropped);
      });
  });
}

void writeTraceHeader(raw_ostream &OS, StringRef Kernel, StringRef Version,
                      const std::array<uint32_t, 3> &Grid,
                      const std::array<uint32_t, 3> &Block,
                      json::Array Arguments, const TracedAccesses &Accesses) {
  json::OStream J(OS);
  auto Extent = [](const std::array<uint32_t, 3> &E) {
    return json::Array{E[0], E[1], E[2]};
  };
  J.object([&] {
    J.attribute("kernel", json::fixUTF8(Kernel));
    J.attribute("version", json::fixUTF8(Version));
    J.attribute("grid", Extent(Grid));
    J.attribute("block", Extent(Block));
    J.attribute("arguments", std::move(Arguments));
    J.attributeArray("accesses", [&] {
      for (const TracedAccess &T : Accesses.List)
        J.object([&] {
          if (std::string Place = T.place(); !Place.empty())
            J.attribute("place", json::fixUTF8(Place));
          J.attribute("kind", nameOf(T.Access.Kind));
          J.attribute("space", nameOf(T.Access.Space));
          J.attribute("bytes_per_lane", T.Access.Bytes);
          J.attribute("instruction", json::fixUTF8(describeInstruction(
                                         *T.Access.Instruction)));
          if (!T.NotTraced.empty())
            J.attribute("not_traced", json::fixUTF8(T.NotTraced));
          if (T.IsCalled)
            J.attribute("paired_by_calls", true);
        });
    });
  });
  OS << '\n';
  OS.flush();
}

} // namespace unravel
