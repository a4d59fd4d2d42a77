//===- AxisBatch.cpp - Runs along a variable, one JSON object a line ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/index-map/AxisBatch.h"
#include "analysis/maps/AxisFacts.h"
#include "analysis/maps/IndexingMapText.h"

using namespace llvm;

namespace unravel {

/// For text, which may be generated.
static constexpr IndexLimits AxisTextLimits{1u << 16, 64};

static std::optional<std::pair<VariableKind, unsigned>>
variableNamed(const IndexingMap &Map, StringRef Name) {
  for (VariableKind Kind : AllVariableKinds)
    for (unsigned I = 0; I < Map.variables(Kind).size(); ++I)
      if (Map.nameOf(Kind, I) == Name)
        return std::pair(Kind, I);
  return std::nullopt;
}

Expected<json::Object> answerAxis(const json::Object &Line) {
  std::optional<StringRef> Text = Line.getString("map");
  if (!Text)
    return createStringError("\"map\" is missing or not a string");
  std::optional<StringRef> Axis = Line.getString("axis");
  if (!Axis)
    return createStringError("\"axis\" is missing or not a string; give the "
                             "name of a variable of the map");
  IndexContext Context(AxisTextLimits);
  Expected<IndexingMap> Map = parseIndexingMap(Context, *Text, "map");
  if (!Map)
    return Map.takeError();
  auto Variable = variableNamed(*Map, *Axis);
  if (!Variable)
    return createStringError("\"axis\": the map has no variable '" + *Axis +
                             "'");
  json::Array Contiguity, Divisibility, Constancy;
  for (size_t I = 0; I < Map->results().size(); ++I) {
    AxisFacts Facts = axisFactsOf(*Map, I, Variable->first, Variable->second);
    Contiguity.push_back(Facts.Contiguity);
    Divisibility.push_back(Facts.Divisibility);
    Constancy.push_back(Facts.Constancy);
  }
  return json::Object{{"contiguity", std::move(Contiguity)},
                      {"divisibility", std::move(Divisibility)},
                      {"constancy", std::move(Constancy)}};
}

} // namespace unravel
