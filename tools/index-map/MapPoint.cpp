//===- MapPoint.cpp - Points of a map as text -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/index-map/MapPoint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

Expected<std::vector<NamedValue>> parsePoint(StringRef Text) {
  std::vector<NamedValue> Point;
  if (Text.trim().empty())
    return Point;
  for (StringRef Item : split(Text, ',')) {
    auto [Left, Right] = Item.split('=');
    StringRef Name = Left.trim();
    int64_t Value;
    if (Name.empty() || Right.trim().getAsInteger(10, Value))
      return createStringError("expected NAME=INTEGER, found '" + Item + "'");
    if (any_of(Point, [&](const NamedValue &V) { return V.Name == Name; }))
      return createStringError("two values for '" + Name + "'");
    Point.push_back({Name.str(), Value});
  }
  return Point;
}

std::vector<std::string> variablesOf(const MapSyntax &Map) {
  std::vector<std::string> Names;
  for (const auto *Kind : {&Map.Dimensions, &Map.Ranges, &Map.Runtimes})
    for (const MapSyntax::Variable &Variable : *Kind)
      Names.push_back(Variable.Name);
  return Names;
}

std::string describePoint(ArrayRef<std::string> Names,
                          ArrayRef<int64_t> Point) {
  std::string Text;
  for (auto [Name, Value] : zip(Names, Point))
    Text += (Text.empty() ? "" : ", ") + Name + "=" + std::to_string(Value);
  return Text;
}

std::string describeFact(const MapSyntax::Fact &Fact) {
  auto TextOf = [](const SyntaxTree &Tree) {
    return toString(Tree, SyntaxDialect::IndexingMap);
  };
  return TextOf(Fact.Expr) + " in [" + (Fact.Lo ? TextOf(Fact.Lo) : "-inf") +
         ", " + (Fact.Hi ? TextOf(Fact.Hi) : "inf") + "]";
}

std::string describeValue(std::optional<int64_t> Value) {
  return Value ? std::to_string(*Value) : "no value";
}

} // namespace unravel
