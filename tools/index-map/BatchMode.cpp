//===- BatchMode.cpp - One JSON object a line -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/index-map/BatchMode.h"
#include "analysis/syntax/SimplifySyntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

namespace {
struct Request {
  std::vector<NamedRange> Variables;
  SyntaxTree Input;
  SyntaxTree Condition;
};
} // namespace

/// "vars", in no particular order.
static Error readBoxes(const json::Object &Line,
                       std::vector<NamedRange> &Variables) {
  if (!Line.get("vars"))
    return Error::success();
  const json::Object *Boxes = Line.getObject("vars");
  if (!Boxes)
    return createStringError(
        "\"vars\" must be an object, like {\"x\": [0, 9]}");
  for (const auto &[Name, Box] : *Boxes) {
    const json::Array *Ends = Box.getAsArray();
    std::optional<int64_t> Lo, Hi;
    if (Ends && Ends->size() == 2) {
      Lo = (*Ends)[0].getAsInteger();
      Hi = (*Ends)[1].getAsInteger();
    }
    if (!Lo || !Hi)
      return createStringError("the bounds of \"" + Name.str() +
                               "\" must be two integers, like [0, 9]");
    if (*Lo > *Hi)
      return createStringError("the bounds of \"" + Name.str() +
                               "\" are empty: " + Twine(*Lo) + " > " +
                               Twine(*Hi));
    Variables.push_back({Name.str(), Interval(*Lo, *Hi)});
  }
  return Error::success();
}

/// "unbounded": opens the box of a variable, or adds one without a box.
static Error readUnbounded(const json::Object &Line,
                           std::vector<NamedRange> &Variables) {
  if (!Line.get("unbounded"))
    return Error::success();
  const json::Array *Names = Line.getArray("unbounded");
  for (const json::Value &V : Names ? *Names : json::Array{nullptr}) {
    std::optional<StringRef> Name = V.getAsString();
    if (!Name)
      return createStringError("\"unbounded\" must be an array of names");
    auto It = llvm::find_if(
        Variables, [&](const NamedRange &R) { return R.Name == *Name; });
    if (It == Variables.end()) {
      Variables.push_back({Name->str(), Interval()});
      continue;
    }
    int64_t Lo = It->Range.lo();
    It->Range = Lo >= 0 ? Interval::atLeast(Lo) : Interval();
  }
  return Error::success();
}

static Expected<Request> readRequest(const json::Object &Line) {
  Request R;
  if (Error E = readBoxes(Line, R.Variables))
    return E;
  if (Error E = readUnbounded(Line, R.Variables))
    return E;
  // JSON objects have no order; the result must not depend on it.
  llvm::sort(R.Variables, [](const NamedRange &A, const NamedRange &B) {
    return A.Name < B.Name;
  });
  std::optional<StringRef> Input = Line.getString("input");
  if (!Input)
    return createStringError("\"input\" is missing or not a string");
  Expected<SyntaxTree> Tree = parseSyntax(*Input, "input");
  if (!Tree)
    return Tree.takeError();
  R.Input = *Tree;
  const json::Value *Condition = Line.get("cond");
  if (!Condition || Condition->getAsNull())
    return R;
  std::optional<StringRef> Text = Condition->getAsString();
  if (!Text)
    return createStringError("\"cond\" must be a string or null");
  Expected<SyntaxTree> ConditionTree = parseSyntax(*Text, "cond");
  if (!ConditionTree)
    return ConditionTree.takeError();
  R.Condition = *ConditionTree;
  return R;
}

static json::Value toJson(int64_t Bound, bool Finite) {
  return Finite ? json::Value(Bound) : json::Value(nullptr);
}

Expected<json::Object> answerExpression(const json::Object &Line) {
  Expected<Request> R = readRequest(Line);
  if (!R)
    return R.takeError();
  Expected<SimplifiedSyntax> Simple =
      simplifySyntax(R->Input, R->Variables, R->Condition);
  if (!Simple)
    return Simple.takeError();
  const SyntaxTree &Tree = Simple->Tree;
  std::string Text = toString(Tree, SyntaxDialect::Functions);
  if (isCondition(R->Input->Op) && Tree->Op == SyntaxOp::Number)
    Text = Tree->Value ? "true" : "false";
  const Interval &Range = Simple->Range;
  return json::Object{
      {"result", Text},
      {"range", json::Array{toJson(Range.lo(), Range.isBoundedBelow()),
                            toJson(Range.hi(), Range.isBoundedAbove())}},
      {"divs", Simple->Cost.Divisions},
      {"ops", Simple->Cost.Operations}};
}

} // namespace unravel
