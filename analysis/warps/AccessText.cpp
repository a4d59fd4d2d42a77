//===- AccessText.cpp - Access reports in words ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/AccessText.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

/// "4", or "4 to 5" if the least and the most differ.
static std::string rangeText(unsigned Least, unsigned Most) {
  std::string Text = std::to_string(Least);
  return Least == Most ? Text : Text + " to " + std::to_string(Most);
}

static std::string efficiencyText(const AccessReport &R) {
  auto Text = [](double Efficiency) {
    std::string Result;
    raw_string_ostream(Result) << format("%.2f", Efficiency);
    return Result;
  };
  double Low = R.LowestEfficiency, High = R.HighestEfficiency;
  return Text(Low) == Text(High) ? Text(Low) : Text(Low) + " to " + Text(High);
}

std::string costText(const AccessReport &R) {
  if (R.Access.Space == AccessSpace::Shared)
    return "wavefronts: " + rangeText(R.Least.Wavefronts, R.Most.Wavefronts) +
           ", bank conflicts: " +
           rangeText(R.Least.Conflicts, R.Most.Conflicts);
  return "sectors: " + rangeText(R.Least.Sectors, R.Most.Sectors) +
         ", ideal: " + rangeText(R.Least.IdealSectors, R.Most.IdealSectors) +
         ", efficiency: " + efficiencyText(R);
}

std::string accessText(const MemoryAccess &A) {
  std::string Text = nameOf(A.Kind).str();
  if (A.Kind != AccessKind::Other)
    Text += ", " + nameOf(A.Space).str();
  if (A.Bytes)
    Text += ", " + std::to_string(A.Bytes) +
            (A.Bytes == 1 ? " byte a lane" : " bytes a lane");
  return Text;
}

SmallVector<std::string, 6> linesOf(const AccessReport &R) {
  SmallVector<std::string, 6> Lines = {
      accessText(R.Access) + ": " +
      (R.NotUnderstood.empty() ? R.Pattern
                               : "not understood: " + R.NotUnderstood)};
  if (!R.NotUnderstood.empty())
    return Lines;
  if (R.HasCost)
    Lines.push_back(costText(R));
  if (!R.Address.empty())
    Lines.push_back("address: " + R.Address);
  for (const std::string &What : R.Assumptions)
    Lines.push_back("assumed: " + What);
  if (!R.VectorNote.empty())
    Lines.push_back("vector: " + R.VectorNote);
  if (!R.Hint.empty())
    Lines.push_back("hint: " + R.Hint);
  return Lines;
}

void print(const AccessReport &R, StringRef Place, raw_ostream &OS) {
  SmallVector<std::string, 6> Lines = linesOf(R);
  if (!Place.empty())
    OS << Place << ": ";
  OS << Lines[0] << '\n';
  for (const std::string &Line : ArrayRef(Lines).drop_front())
    OS << "    " << Line << '\n';
}

void print(const BlockShape &Block, StringRef Source, raw_ostream &OS) {
  OS << "blocks of " << Block.X << " x " << Block.Y << " x " << Block.Z
     << " threads (" << Source << ")";
}

} // namespace unravel
