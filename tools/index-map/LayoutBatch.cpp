//===- LayoutBatch.cpp - Layouts, one JSON object a line ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/index-map/LayoutBatch.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/maps/Layout.h"

using namespace llvm;

namespace unravel {

static Expected<Layout> readLayout(const json::Object &Line, StringRef Key) {
  if (std::optional<StringRef> Text = Line.getString(Key))
    return Layout::parse(*Text);
  return createStringError("\"" + Key +
                           "\" is missing or not a string; give a "
                           "layout like (4,8):(1,32)");
}

static Expected<Layout> readSubject(const json::Object &Line,
                                    IndexContext &Context) {
  std::optional<StringRef> Text = Line.getString("map");
  if (!Text)
    return readLayout(Line, "layout");
  if (Line.get("layout"))
    return createStringError("\"map\" beside \"layout\"; give one of them");
  Expected<IndexingMap> Map = parseIndexingMap(Context, *Text, "map");
  if (!Map)
    return Map.takeError();
  return layoutOf(*Map);
}

Expected<json::Object> answerLayout(const json::Object &Line) {
  IndexContext Context;
  Expected<Layout> A = readSubject(Line, Context);
  if (!A)
    return A.takeError();
  StringRef Op = Line.getString("op").value_or("coalesce");
  auto Single = [&](Expected<Layout> Result) -> Expected<json::Object> {
    if (!Result)
      return Result.takeError();
    return json::Object{{"layout", Result->str()},
                        {"map", toString(mapOf(Context, *Result))}};
  };
  if (Op == "coalesce")
    return Single(coalesce(*A));
  if (Op == "complement") {
    std::optional<int64_t> Cosize = Line.getInteger("cosize");
    if (!Cosize || *Cosize < 1)
      return createStringError("\"cosize\" must be a number above 0");
    return Single(complement(*A, *Cosize));
  }
  if (Op != "compose" && Op != "divide" && Op != "product")
    return createStringError("\"op\" must be \"coalesce\", \"complement\", "
                             "\"compose\", \"divide\" or \"product\"");
  Expected<Layout> By = readLayout(Line, "by");
  if (!By)
    return By.takeError();
  if (Op == "compose")
    return Single(compose(*A, *By));
  Expected<LayoutPair> Pair =
      Op == "divide" ? logicalDivide(*A, *By) : logicalProduct(*A, *By);
  if (!Pair)
    return Pair.takeError();
  return json::Object{{"inner", Pair->Inner.str()},
                      {"outer", Pair->Outer.str()}};
}

} // namespace unravel
