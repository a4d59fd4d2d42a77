//===- BatchMode.cpp - One request a line ---------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/BatchMode.h"
#include "analysis/access/LaneExpression.h"
#include "analysis/json/JsonLines.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;

namespace unravel {

/// \p X in [0, 1] with four decimals, half to even as exact binary values go.
static double rounded(double X) {
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%.4f", X);
  return std::strtod(Text, nullptr);
}

static json::Object toJson(const GlobalCost &Cost) {
  json::Value Efficiency = nullptr;
  if (Cost.Sectors > 0)
    Efficiency = rounded(Cost.efficiency());
  return json::Object{{"bytes", Cost.Bytes},
                      {"sectors", Cost.Sectors},
                      {"lines", Cost.Lines},
                      {"ideal_sectors", Cost.idealSectors()},
                      {"efficiency", Efficiency}};
}

static json::Object toJson(const SharedCost &Cost) {
  return json::Object{{"wavefronts", Cost.Wavefronts},
                      {"conflicts", Cost.conflicts()}};
}

static Expected<json::Object> answer(const json::Object &Line) {
  std::optional<StringRef> Kind = Line.getString("kind");
  bool IsShared = Kind == StringRef("shared_request");
  if (!IsShared && Kind != StringRef("warp_request"))
    return createStringError(
        "\"kind\" must be \"warp_request\" or \"shared_request\"");
  std::optional<int64_t> Bytes = Line.getInteger("bytes_per_lane");
  if (!Bytes || !isLaneWidth(*Bytes))
    return createStringError("\"bytes_per_lane\" must be 1, 2, 4, 8 or 16");
  std::optional<StringRef> Text = Line.getString("lane_to_byte");
  if (!Text)
    return createStringError("\"lane_to_byte\" is missing or not a string");
  Expected<LaneAddresses> Lanes = parseLaneAddresses(*Text, "lane_to_byte");
  if (!Lanes)
    return Lanes.takeError();
  if (IsShared)
    return toJson(sharedCost(*Lanes, *Bytes));
  return toJson(globalCost(*Lanes, *Bytes));
}

void answerRequests(MemoryBufferRef Input, raw_ostream &OS) {
  answerJsonLines(Input, OS, answer);
}

} // namespace unravel
