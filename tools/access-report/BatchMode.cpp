//===- BatchMode.cpp - One question a line --------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/BatchMode.h"
#include "analysis/access/LaneExpression.h"
#include "analysis/algebra/Interval.h"
#include "analysis/json/JsonLines.h"
#include "tools/access-report/AxisQuestions.h"
#include "tools/access-report/MapQuestions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;

namespace unravel {

double roundedShare(double X) {
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%.4f", X);
  return std::strtod(Text, nullptr);
}

static json::Object toJson(const GlobalCost &Cost) {
  json::Value Efficiency = nullptr;
  if (Cost.Sectors > 0)
    Efficiency = roundedShare(Cost.efficiency());
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

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static Expected<int64_t> numberOf(const json::Object &Line, StringRef Key,
                                  int64_t Least, int64_t Most = INT32_MAX) {
  std::optional<int64_t> Number = Line.getInteger(Key);
  if (!Number || *Number < Least || *Number > Most)
    return createStringError("\"" + Key + "\" must be an integer from " +
                             Twine(Least) + " to " + Twine(Most));
  return *Number;
}

static Expected<int64_t> laneWidthOf(const json::Object &Line, StringRef Key) {
  std::optional<int64_t> Bytes = Line.getInteger(Key);
  if (!Bytes || !isLaneWidth(*Bytes))
    return createStringError("\"" + Key + "\" must be 1, 2, 4, 8 or 16");
  return *Bytes;
}

static Expected<StringRef> textOf(const json::Object &Line, StringRef Key) {
  if (std::optional<StringRef> Text = Line.getString(Key))
    return *Text;
  return createStringError("\"" + Key + "\" is missing or not a string");
}

static Expected<LaneAddresses> lanesOf(const json::Object &Line,
                                       StringRef Key) {
  Expected<StringRef> Text = textOf(Line, Key);
  if (!Text)
    return Text.takeError();
  return parseLaneAddresses(*Text, Key);
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

static Expected<json::Object> answerRequest(const json::Object &Line,
                                            bool IsShared) {
  Expected<int64_t> Bytes = laneWidthOf(Line, "bytes_per_lane");
  if (!Bytes)
    return Bytes.takeError();
  Expected<LaneAddresses> Lanes = lanesOf(Line, "lane_to_byte");
  if (!Lanes)
    return Lanes.takeError();
  if (IsShared)
    return toJson(sharedCost(*Lanes, *Bytes));
  return toJson(globalCost(*Lanes, *Bytes));
}

static Expected<json::Object> answerLines(const json::Object &Line) {
  Expected<int64_t> Bytes = numberOf(Line, "element_bytes", 1, 16);
  if (!Bytes)
    return Bytes.takeError();
  Expected<LaneAddresses> Lanes = lanesOf(Line, "lane_to_element");
  if (!Lanes)
    return Lanes.takeError();
  for (std::optional<int64_t> &Lane : *Lanes)
    if (Lane && MulOverflow(*Lane, *Bytes, *Lane))
      return createStringError("an address leaves 64 bits");
  unsigned Lines = globalCost(*Lanes, *Bytes).Lines;
  // Of a whole warp, whichever lanes are active.
  unsigned Minimum =
      divideCeil(uint64_t(LanesPerWarp * *Bytes), uint64_t(BytesPerLine));
  return json::Object{{"lines", Lines},
                      {"minimum_lines", Minimum},
                      {"wasted_lines", Lines > Minimum ? Lines - Minimum : 0}};
}

static Expected<json::Object> answerBank(const json::Object &Line) {
  Expected<int64_t> Bytes = numberOf(Line, "element_bytes", 1, 16);
  if (!Bytes)
    return Bytes.takeError();
  constexpr int64_t Most = INT64_MAX / 16;
  Expected<int64_t> Element = numberOf(Line, "element", -Most, Most);
  if (!Element)
    return Element.takeError();
  int64_t Word = floorDiv(*Element * *Bytes, int64_t(BytesPerWord));
  return json::Object{{"bank", floorMod(Word, int64_t(BankCount))}};
}

static Expected<json::Object> answerWidest(const json::Object &Line) {
  Expected<int64_t> Bytes = laneWidthOf(Line, "element_bytes");
  if (!Bytes)
    return Bytes.takeError();
  Expected<int64_t> Threads = numberOf(Line, "threads", 1);
  if (!Threads)
    return Threads.takeError();
  Expected<int64_t> Elements = numberOf(Line, "tile_elements", 0);
  if (!Elements)
    return Elements.takeError();
  json::Value Widest = nullptr;
  for (int64_t Width = *Bytes; isLaneWidth(Width); Width *= 2)
    if (*Elements % (*Threads * (Width / *Bytes)) == 0)
      Widest = Width;
  return json::Object{{"bytes_per_lane", Widest}};
}

static Expected<json::Object> answerPlan(const json::Object &Line) {
  Expected<int64_t> Bytes = laneWidthOf(Line, "element_bytes");
  if (!Bytes)
    return Bytes.takeError();
  Expected<int64_t> Width = laneWidthOf(Line, "bytes_per_lane");
  if (!Width)
    return Width.takeError();
  if (*Width < *Bytes)
    return createStringError(
        "\"bytes_per_lane\" must not be less than \"element_bytes\"");
  Expected<int64_t> Threads = numberOf(Line, "threads", 1);
  if (!Threads)
    return Threads.takeError();
  int64_t OfLane = *Width / *Bytes, OfBlock = OfLane * *Threads;
  return json::Object{
      {"elements_per_lane", OfLane},
      {"elements_per_block", OfBlock},
      {"alignment", *Width},
      {"minimum_rows_of_32", divideCeil(uint64_t(OfBlock), uint64_t(32))}};
}

static Expected<json::Object> answer(const json::Object &Line) {
  Expected<StringRef> Kind = textOf(Line, "kind");
  if (!Kind)
    return Kind.takeError();
  using Answer = Expected<json::Object> (*)(const json::Object &);
  auto Function = StringSwitch<Answer>(*Kind)
                      .Case("warp_request",
                            [](const json::Object &Line) {
                              return answerRequest(Line, /*IsShared=*/false);
                            })
                      .Case("shared_request",
                            [](const json::Object &Line) {
                              return answerRequest(Line, /*IsShared=*/true);
                            })
                      .Case("warp_lines", answerLines)
                      .Case("bank", answerBank)
                      .Case("widest_vector", answerWidest)
                      .Case("vector_plan", answerPlan)
                      .Case("tile", answerTile)
                      .Case("map", answerMap)
                      .Case("axis", answerAxis)
                      .Case("vector_axis", answerVectorAxis)
                      .Default(nullptr);
  if (!Function)
    return createStringError(
        "\"kind\" must be \"warp_request\", \"shared_request\", "
        "\"warp_lines\", \"bank\", \"widest_vector\", \"vector_plan\", "
        "\"tile\", \"map\", \"axis\" or \"vector_axis\"");
  return Function(Line);
}

void answerRequests(MemoryBufferRef Input, raw_ostream &OS) {
  answerJsonLines(Input, OS, answer);
}

} // namespace unravel
