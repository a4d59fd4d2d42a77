//===- AccessHints.cpp - How to do better ---------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/AccessHints.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace unravel {

/// A structure that neighbouring lanes access is at most so large; beyond it is
/// a row.
static constexpr int64_t MaxStructure = 64;

static std::string globalHint(const AccessReport &Report) {
  // Copies of an unrolled loop lie beside each other; of those, 16 bytes count.
  int64_t Together = std::max(Report.VectorBytes, Report.Access.Bytes);
  if (Report.LoopStep > 0 && Report.LoopStep <= 2 * Together &&
      (Report.LoopStep == int64_t(Report.Access.Bytes) ||
       Together == WidestAccess))
    return "the loop walks along memory and the lanes across it: exchange the "
           "loop and the lanes";
  std::optional<int64_t> Stride = Report.Stride;
  auto Bytes = int64_t(Report.Access.Bytes);
  // All fields together are one consecutive request.
  if (Stride && *Stride == int64_t(Report.VectorBytes) && *Stride > Bytes)
    return "";
  if (Stride && *Stride > Bytes && *Stride <= MaxStructure)
    return ("array of structures of " + Twine(*Stride) +
            " bytes: give each field an array of its own, or access all "
            "fields as vectors")
        .str();
  if (Stride && (*Stride == Bytes || *Stride == -Bytes))
    return "the request begins inside of a sector: align where rows begin";
  if (!Stride && Report.Pattern.find("stride") != 0)
    return "";
  std::string Hint =
      "neighbouring lanes are a row apart: exchange the indices, "
      "so that they access neighbouring elements";
  // The request is counted for a stride that is not small.
  return (Stride ? "" : "unless the stride is a small number, ") + Hint;
}

/// Whether a row that is \p Pad bytes longer has no conflicts.
static std::string sharedHint(const AccessReport &Report) {
  auto Bytes = int64_t(Report.Access.Bytes);
  int64_t Pad = std::max<int64_t>(Bytes, BytesPerWord);
  if (!Report.Stride || *Report.Stride <= Bytes ||
      *Report.Stride > (int64_t(1) << 32) || *Report.Stride % Pad != 0)
    return "";
  LaneAddresses Padded;
  for (unsigned L = 0; L < LanesPerWarp; ++L)
    Padded[L] = int64_t(L) * (*Report.Stride + Pad);
  if (sharedCost(Padded, Bytes).conflicts() != 0)
    return "";
  return ("pad the row: " + Twine(*Report.Stride + Pad) + " bytes instead of " +
          Twine(*Report.Stride))
      .str();
}

void addHints(MutableArrayRef<AccessReport> Reports) {
  for (AccessReport &Report : Reports)
    if (Report.canImprove())
      Report.Hint = Report.Access.Space == AccessSpace::Shared
                        ? sharedHint(Report)
                        : globalHint(Report);
}

} // namespace unravel
