//===- Report.cpp - Accesses as text and as JSON --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/Report.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

bool isBelow(const AccessReport &Access, double Threshold) {
  return Access.canImprove() && Access.Best.efficiency() < Threshold;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// "4", or "4 to 5" if best and worst case differ.
static std::string rangeText(unsigned Best, unsigned Worst) {
  if (Best > Worst)
    std::swap(Best, Worst);
  std::string Text = std::to_string(Best);
  return Best == Worst ? Text : Text + " to " + std::to_string(Worst);
}

static std::string efficiencyText(const AccessReport &R) {
  auto Text = [](double Efficiency) {
    std::string Result;
    raw_string_ostream(Result) << format("%.2f", Efficiency);
    return Result;
  };
  double Low = std::min(R.Best.efficiency(), R.Worst.efficiency());
  double High = std::max(R.Best.efficiency(), R.Worst.efficiency());
  return Text(Low) == Text(High) ? Text(Low) : Text(Low) + " to " + Text(High);
}

std::string costText(const AccessReport &R) {
  if (R.Access.Space == AccessSpace::Shared)
    return "wavefronts: " + rangeText(R.Best.Wavefronts, R.Worst.Wavefronts) +
           ", bank conflicts: " +
           rangeText(R.Best.Conflicts, R.Worst.Conflicts);
  return "sectors: " + rangeText(R.Best.Sectors, R.Worst.Sectors) +
         ", ideal: " + rangeText(R.Best.IdealSectors, R.Worst.IdealSectors) +
         ", efficiency: " + efficiencyText(R);
}

std::string accessText(const MemoryAccess &A) {
  std::string Text = nameOf(A.Kind).str();
  if (A.Kind != AccessKind::Other)
    Text += (", " + nameOf(A.Space)).str();
  if (A.Bytes)
    Text += (", " + Twine(A.Bytes) + (A.Bytes == 1 ? " byte" : " bytes") +
             " a lane")
                .str();
  return Text;
}

static void printAccess(const InputKernel &Kernel, const AccessReport &R,
                        raw_ostream &OS) {
  const MemoryAccess &A = R.Access;
  OS << "  ";
  if (std::string Place = Kernel.placeOf(*A.Instruction); !Place.empty())
    OS << Place << ": ";
  OS << accessText(A);
  OS << ": ";
  if (!R.NotUnderstood.empty()) {
    OS << "not understood: " << R.NotUnderstood << '\n';
    return;
  }
  OS << R.Pattern << '\n';
  if (R.HasCost)
    OS << "    " << costText(R) << '\n';
  if (!R.Address.empty())
    OS << "    address: " << R.Address << '\n';
  for (const std::string &What : R.Assumptions)
    OS << "    assumed: " << What << '\n';
  if (!R.Hint.empty())
    OS << "    hint: " << R.Hint << '\n';
}

void printText(ArrayRef<KernelReport> Reports, raw_ostream &OS) {
  for (const KernelReport &Report : Reports) {
    const BlockShape &B = Report.Block;
    OS << "kernel " << Report.Kernel->Name;
    if (!Report.Kernel->Refused.empty()) {
      OS << ": not understood: " << Report.Kernel->Refused << '\n';
      continue;
    }
    OS << ", blocks of " << B.X << " x " << B.Y << " x " << B.Z << " threads ("
       << Report.BlockSource << ")\n";
    for (const AccessReport &R : Report.Accesses)
      printAccess(*Report.Kernel, R, OS);
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeNumber(json::OStream &J, StringRef Key, double X) {
  J.attributeBegin(Key);
  std::string Text;
  raw_string_ostream(Text) << format("%.4f", X);
  J.rawValue(Text);
  J.attributeEnd();
}

static void writeCost(json::OStream &J, StringRef Key, const RequestCost &C,
                      bool IsShared) {
  J.attributeObject(Key, [&] {
    J.attribute("active_lanes", C.ActiveLanes);
    J.attribute("bytes", C.Bytes);
    if (IsShared) {
      J.attribute("wavefronts", C.Wavefronts);
      J.attribute("conflicts", C.Conflicts);
    } else {
      J.attribute("sectors", C.Sectors);
      J.attribute("lines", C.Lines);
      J.attribute("ideal_sectors", C.IdealSectors);
    }
    writeNumber(J, "efficiency", C.efficiency());
  });
}

static void writeText(json::OStream &J, StringRef Key, StringRef Text) {
  if (!Text.empty())
    J.attribute(Key, json::fixUTF8(Text));
}

static void writeAccess(json::OStream &J, const InputKernel &Kernel,
                        const AccessReport &R) {
  const MemoryAccess &A = R.Access;
  J.object([&] {
    writeText(J, "place", Kernel.placeOf(*A.Instruction));
    J.attribute("kind", nameOf(A.Kind));
    J.attribute("space", nameOf(A.Space));
    J.attribute("bytes_per_lane", A.Bytes);
    writeText(J, "not_understood", R.NotUnderstood);
    writeText(J, "pattern", R.Pattern);
    writeText(J, "address", R.Address);
    if (R.Stride)
      J.attribute("stride", *R.Stride);
    if (R.HasCost) {
      bool IsShared = A.Space == AccessSpace::Shared;
      writeCost(J, "best", R.Best, IsShared);
      writeCost(J, "worst", R.Worst, IsShared);
    }
    if (!R.Assumptions.empty())
      J.attributeArray("assumptions", [&] {
        for (const std::string &What : R.Assumptions)
          J.value(json::fixUTF8(What));
      });
    writeText(J, "hint", R.Hint);
  });
}

void printJson(ArrayRef<KernelReport> Reports, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/2);
  J.object([&] {
    J.attributeArray("kernels", [&] {
      for (const KernelReport &Report : Reports)
        J.object([&] {
          J.attribute("name", json::fixUTF8(Report.Kernel->Name));
          if (!Report.Kernel->Refused.empty()) {
            writeText(J, "not_understood", Report.Kernel->Refused);
            return;
          }
          const BlockShape &B = Report.Block;
          J.attribute("block", json::Array{B.X, B.Y, B.Z});
          writeText(J, "block_source", Report.BlockSource);
          J.attributeArray("accesses", [&] {
            for (const AccessReport &R : Report.Accesses)
              writeAccess(J, *Report.Kernel, R);
          });
        });
    });
  });
  OS << '\n';
}

} // namespace unravel
