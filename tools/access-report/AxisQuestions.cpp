//===- AxisQuestions.cpp - Questions about one axis -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/AxisQuestions.h"
#include "analysis/access/RequestCost.h"
#include "analysis/maps/AxisFacts.h"
#include "analysis/maps/IndexingMapText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace unravel {

/// Adds the names in \p Tree but the lane, each once. The parser bounds the
/// depth.
static void addNames(const SyntaxTree &Tree,
                     std::vector<MapSyntax::Variable> &Names) {
  bool IsNew = Tree->Op == SyntaxOp::Name && Tree->Name != "t" &&
               none_of(Names, [&](const MapSyntax::Variable &V) {
                 return V.Name == Tree->Name;
               });
  if (IsNew)
    Names.push_back({Tree->Name, Tree->Offset});
  for (const SyntaxTree &Arg : Tree->Args)
    addNames(Arg, Names);
}

/// `p divisible by 16`, as a fact; nullopt for any other text.
static std::optional<MapSyntax::Fact> divisibility(StringRef Text) {
  static constexpr StringRef Words = " divisible by ";
  auto [Name, Number] = Text.split(Words);
  int64_t Divisor;
  if (Text.find(Words) == StringRef::npos ||
      Number.trim().getAsInteger(10, Divisor) || Divisor < 1)
    return std::nullopt;
  return MapSyntax::Fact{
      syntaxNode(SyntaxOp::EuclidMod,
                 {syntaxName(Name.trim()), syntaxNumber(Divisor)}),
      syntaxNumber(0), syntaxNumber(0)};
}

/// `(t){p} -> (EXPRESSION), domain: t in [0, Lanes - 1], ...`.
static Expected<MapSyntax> mapAlongLanes(StringRef Text, int64_t Lanes) {
  MapSyntax Map;
  Map.Dimensions.push_back({"t", 0});
  Map.Facts.push_back(
      {syntaxName("t"), syntaxNumber(0), syntaxNumber(Lanes - 1)});
  StringRef Rest = Text;
  for (size_t Comma; (Comma = Rest.rfind(',')) != StringRef::npos;
       Rest = Rest.take_front(Comma)) {
    std::optional<MapSyntax::Fact> Fact = divisibility(Rest.substr(Comma + 1));
    if (!Fact)
      break;
    Map.Facts.push_back(*Fact);
  }
  SyntaxParser Parser(Rest, "expression");
  Expected<SyntaxTree> Tree = Parser.parseExpression();
  if (!Tree)
    return Tree.takeError();
  if (!Parser.atEnd())
    return Parser.unexpected("an operator, or ', NAME divisible by NUMBER'");
  addNames(*Tree, Map.Runtimes);
  for (const MapSyntax::Fact &Fact : Map.Facts)
    addNames(Fact.Expr, Map.Runtimes);
  Map.Results.push_back(*Tree);
  return Map;
}

Expected<json::Object> answerAxis(const json::Object &Line) {
  std::optional<StringRef> Text = Line.getString("expression");
  if (!Text)
    return createStringError("\"expression\" is missing or not a string");
  std::optional<int64_t> Lanes = Line.getInteger("lanes");
  if (!Lanes || *Lanes < 1 || *Lanes > INT32_MAX)
    return createStringError("\"lanes\" must be an integer from 1 to " +
                             Twine(INT32_MAX));
  Expected<MapSyntax> Syntax = mapAlongLanes(*Text, *Lanes);
  if (!Syntax)
    return Syntax.takeError();
  IndexContext Context;
  Expected<IndexingMap> Map = lowerMap(Context, *Syntax, *Text, "expression");
  if (!Map)
    return Map.takeError();
  AxisFacts Facts = axisFactsOf(*Map, 0, VariableKind::Dimension, 0);
  return json::Object{{"contiguity", Facts.Contiguity},
                      {"divisibility", Facts.Divisibility},
                      {"constancy", Facts.Constancy}};
}

Expected<json::Object> answerVectorAxis(const json::Object &Line) {
  std::optional<int64_t> Bytes = Line.getInteger("element_bytes");
  if (!Bytes || !isLaneWidth(*Bytes))
    return createStringError("\"element_bytes\" must be 1, 2, 4, 8 or 16");
  const json::Array *Axes = Line.getArray("axes");
  if (!Axes || Axes->empty())
    return createStringError("\"axes\" must be an array that is not empty");
  // 32 lanes of the widest access, one behind the other: each instruction
  // visits all their lines.
  constexpr int64_t Lines = LanesPerWarp * WidestAccess / BytesPerLine;
  std::vector<int64_t> Widths, Requests;
  for (const json::Value &V : *Axes) {
    const json::Object *Axis = V.getAsObject();
    std::optional<int64_t> Contiguity =
        Axis ? Axis->getInteger("contiguity") : std::nullopt;
    std::optional<int64_t> Alignment =
        Axis ? Axis->getInteger("alignment_elements") : std::nullopt;
    if (!Contiguity || *Contiguity < 1 || !Alignment || *Alignment < 1)
      return createStringError("an axis needs \"contiguity\" and "
                               "\"alignment_elements\", both above 0");
    // A multiple of 12 elements is one of 4.
    uint64_t Aligned = *Alignment & -*Alignment;
    Widths.push_back(std::min({bit_floor(uint64_t(*Contiguity)), Aligned,
                               uint64_t(WidestAccess / *Bytes)}));
    Requests.push_back(WidestAccess / (*Bytes * Widths.back()) * Lines);
  }
  return json::Object{{"vector_width", json::Array(Widths)},
                      {"line_requests", json::Array(Requests)},
                      {"best_axis", max_element(Widths) - Widths.begin()}};
}

} // namespace unravel
