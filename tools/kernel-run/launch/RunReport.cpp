//===- RunReport.cpp - What kernel-run has to say -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/launch/RunReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace unravel;

LaunchReport unravel::describeRun(const KernelLaunch &Launch,
                                  uint64_t BlocksRun,
                                  const LaunchMemory &Memory,
                                  const HostKernel &Kernel) {
  LaunchReport Report;
  Report.Shape = Launch.Shape;
  Report.BlocksRun = BlocksRun;
  Report.Bytes = Memory.sizeInBytes();
  for (const LaunchMemory::Buffer &B : Memory.buffers()) {
    uint64_t Written = B.changedBytes(Memory.seed());
    Report.BytesChanged += Written;
    Report.Buffers.push_back({B.Number, Kernel.parameters()[B.Number].Name,
                              elementName(B.Argument->Type).str(),
                              B.Argument->Count, Written,
                              xxh3_64bits(ArrayRef(B.Begin, B.size()))});
  }
  return Report;
}

std::string DifferenceReport::text() const {
  return formatv("{0} ({1}) differs at element {2}, byte {3}: {4} in {5}, {6} "
                 "in {7}\n  {5}: {8}\n  {7}: {9}",
                 What.Name, elementName(What.Type), What.Element, What.Byte,
                 What.Left, Left, What.Right, Right, LeftWriter, RightWriter);
}

void RunReport::printText(raw_ostream &OS) const {
  for (const LaunchReport &L : Launches) {
    OS << Kernel << ": " << L.threadsRun() << " threads";
    if (L.threadsRun() != L.Shape.threads())
      OS << " of " << L.Shape.threads();
    OS << ", ";
    if (L.Versions.size() > 1) {
      OS << L.Bytes << " bytes identical in " << L.Versions.size()
         << " versions (" << L.BytesChanged << " changed)\n";
      for (const auto &[Version, Trace] : zip(L.Versions, L.Traces)) {
        OS << "  accesses of " << Version << ":\n";
        Trace.printText(OS);
      }
      continue;
    }
    OS << L.BytesChanged << " of " << L.Bytes << " bytes changed\n";
    for (const LaunchReport::Buffer &B : L.Buffers) {
      std::string Name = B.Name.empty() ? "" : " " + B.Name;
      OS << formatv("  argument {0}{1}: {2} x {3}, {4} bytes changed, checksum "
                    "{5:x-16}\n",
                    B.Argument, Name, B.Count, B.Type, B.BytesChanged,
                    B.Checksum);
    }
    for (const TraceReport &Trace : L.Traces)
      Trace.printText(OS);
  }
  if (!Finding.empty())
    OS << Kernel << ": " << Finding << "\n";
}

static json::Array extent(const std::array<uint32_t, 3> &E) {
  return json::Array{E[0], E[1], E[2]};
}

void RunReport::printJSON(raw_ostream &OS) const {
  json::OStream J(OS, /*IndentSize=*/2);
  J.objectBegin();
  J.attribute("module", json::fixUTF8(Module));
  J.attribute("kernel", json::fixUTF8(Kernel));
  J.attribute("status", Finding.empty() ? "ok"
                        : Difference    ? "different"
                                        : "fault");
  if (!Finding.empty())
    J.attribute("message", json::fixUTF8(Finding));
  if (Difference)
    J.attributeObject("difference", [&] {
      const DifferenceReport &D = *Difference;
      J.attribute("place", json::fixUTF8(D.What.Name));
      J.attribute("type", elementName(D.What.Type));
      J.attribute("element", D.What.Element);
      J.attribute("byte", D.What.Byte);
      for (const auto &[Name, Version, Value, Writer] :
           {std::tuple("left", D.Left, D.What.Left, D.LeftWriter),
            std::tuple("right", D.Right, D.What.Right, D.RightWriter)})
        J.attributeObject(
            Name, [&, &Version = Version, &Value = Value, &Writer = Writer] {
              J.attribute("version", json::fixUTF8(Version));
              J.attribute("value", Value);
              J.attribute("writer", json::fixUTF8(Writer));
            });
    });
  J.attributeArray("launches", [&] {
    for (const LaunchReport &L : Launches)
      J.object([&] {
        J.attribute("grid", extent(L.Shape.Grid));
        J.attribute("block", extent(L.Shape.Block));
        J.attribute("blocks_run", L.BlocksRun);
        J.attribute("threads_run", L.threadsRun());
        J.attribute("bytes", L.Bytes);
        J.attribute("bytes_changed", L.BytesChanged);
        J.attributeArray("versions", [&] {
          for (const std::string &V : L.Versions)
            J.value(json::fixUTF8(V));
        });
        J.attributeArray("buffers", [&] {
          for (const LaunchReport::Buffer &B : L.Buffers)
            J.object([&] {
              J.attribute("argument", B.Argument);
              J.attribute("name", json::fixUTF8(B.Name));
              J.attribute("type", B.Type);
              J.attribute("count", B.Count);
              J.attribute("bytes_changed", B.BytesChanged);
              J.attribute("checksum", utohexstr(B.Checksum, true, 16));
            });
        });
        if (!L.Traces.empty())
          J.attributeArray("traces", [&] {
            for (const TraceReport &Trace : L.Traces)
              J.object([&] { Trace.printJSON(J); });
          });
      });
  });
  J.objectEnd();
  OS << "\n";
}
