//===- Report.cpp - Accesses as text and as JSON --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/Report.h"
#include "analysis/warps/AccessText.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

bool isBelow(const KernelReport &Report, const AccessReport &Access,
             double Threshold) {
  bool IsMerged = !Report.Kernel->IsPtx && Access.Stride &&
                  *Access.Stride == int64_t(Access.VectorBytes);
  return !IsMerged && Access.canImprove() &&
         Access.HighestEfficiency < Threshold;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void printText(ArrayRef<KernelReport> Reports, raw_ostream &OS) {
  for (const KernelReport &Report : Reports) {
    OS << "kernel " << demangle(Report.Kernel->Name);
    if (!Report.Kernel->Refused.empty()) {
      OS << ": not understood: " << Report.Kernel->Refused << '\n';
      continue;
    }
    OS << ", ";
    print(Report.Block, Report.BlockSource, OS);
    OS << '\n';
    for (const AccessReport &R : Report.Accesses)
      print(R, Report.Kernel->placeOf(*R.Access.Instruction), OS << "  ");
    if (Report.Estimate)
      for (const std::string &Line : linesOf(*Report.Estimate))
        OS << "  " << Line << '\n';
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeNumber(json::OStream &J, double X) {
  std::string Text;
  raw_string_ostream(Text) << format("%.4f", X);
  J.rawValue(Text);
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
    J.attributeBegin("efficiency");
    writeNumber(J, C.efficiency());
    J.attributeEnd();
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
    if (R.IsBounded)
      J.attribute("bounded", true);
    if (R.IsGather)
      J.attribute("gather", true);
    if (R.HasCost) {
      bool IsShared = A.Space == AccessSpace::Shared;
      writeCost(J, "best", R.Best, IsShared);
      writeCost(J, "worst", R.Worst, IsShared);
      auto Range = [&](StringRef Key, unsigned Least, unsigned Most) {
        J.attribute(Key, json::Array{Least, Most});
      };
      if (IsShared) {
        Range("wavefronts", R.Least.Wavefronts, R.Most.Wavefronts);
        Range("conflicts", R.Least.Conflicts, R.Most.Conflicts);
      } else {
        Range("sectors", R.Least.Sectors, R.Most.Sectors);
        Range("ideal_sectors", R.Least.IdealSectors, R.Most.IdealSectors);
      }
      J.attributeArray("efficiency", [&] {
        writeNumber(J, R.LowestEfficiency);
        writeNumber(J, R.HighestEfficiency);
      });
    }
    if (!R.Assumptions.empty())
      J.attributeArray("assumptions", [&] {
        for (const std::string &What : R.Assumptions)
          J.value(json::fixUTF8(What));
      });
    if (R.VectorBytes)
      J.attribute("vector_bytes", R.VectorBytes);
    writeText(J, "vector", R.VectorNote);
    writeText(J, "hint", R.Hint);
  });
}

void writeKernel(json::OStream &J, const KernelReport &Report) {
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
    if (Report.Estimate)
      J.attribute("estimate", asJson(*Report.Estimate));
  });
}

void printJson(ArrayRef<KernelReport> Reports, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/2);
  J.object([&] {
    J.attributeArray("kernels", [&] {
      for (const KernelReport &Report : Reports)
        writeKernel(J, Report);
    });
  });
  OS << '\n';
}

} // namespace unravel
