//===- JsonLines.cpp - A JSON object a line, and an answer to each --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/json/JsonLines.h"
#include "analysis/json/JsonNesting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <charconv>
#include <cmath>

using namespace llvm;

namespace unravel {

static json::Object errorAnswer(Error E) {
  return json::Object{{"error", toString(std::move(E))}};
}

/// LLVM writes 17 digits of a number such as 0.3333; the fewest that are read
/// as the same number do.
static void writeFraction(json::OStream &J, double X) {
  char Text[32];
  auto [End, Failure] = std::to_chars(std::begin(Text), std::end(Text), X);
  assert(Failure == std::errc() && "the longest double has 24 characters");
  (void)Failure;
  J.rawValue(StringRef(Text, End - Text));
}

static std::string toText(const json::Object &Object) {
  SmallVector<StringRef, 8> Keys;
  for (const auto &Member : Object)
    Keys.push_back(Member.first);
  llvm::sort(Keys);
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS);
  J.object([&] {
    for (StringRef Key : Keys) {
      const json::Value &V = *Object.get(Key);
      J.attributeBegin(Key);
      std::optional<double> Number = V.getAsNumber();
      bool IsInteger = V.getAsInteger() || V.getAsUINT64();
      if (Number && !IsInteger && std::isfinite(*Number))
        writeFraction(J, *Number);
      else
        J.value(V);
      J.attributeEnd();
    }
  });
  return Text;
}

/// Whether \p V can be printed: a number such as 1e999 is read as infinity,
/// which JSON cannot write.
static bool isPrintable(const json::Value &V) {
  if (const json::Array *Array = V.getAsArray())
    return all_of(*Array, isPrintable);
  if (const json::Object *Object = V.getAsObject())
    return all_of(
        *Object, [](const auto &Member) { return isPrintable(Member.second); });
  std::optional<double> Number = V.getAsNumber();
  return !Number || std::isfinite(*Number);
}

std::string answerJsonLine(StringRef Line, JsonAnswer Answer) {
  json::Object Result;
  json::Value Id = nullptr;
  if (nestsTooDeep(Line) || !json::isUTF8(Line)) {
    Result = json::Object{{"error", "not a line of UTF-8 JSON"}};
  } else if (Expected<json::Value> V = json::parse(Line); !V) {
    Result = errorAnswer(V.takeError());
  } else if (const json::Object *O = V->getAsObject(); !O) {
    Result = json::Object{{"error", "a line must be a JSON object"}};
  } else {
    if (const json::Value *Given = O->get("id"); Given && isPrintable(*Given))
      Id = *Given;
    Expected<json::Object> Answered = Answer(*O);
    Result =
        Answered ? std::move(*Answered) : errorAnswer(Answered.takeError());
  }
  Result["id"] = Id;
  return toText(Result);
}

void answerJsonLines(MemoryBufferRef Input, raw_ostream &OS,
                     JsonAnswer Answer) {
  StringRef Rest = Input.getBuffer();
  while (!Rest.empty()) {
    auto [Line, Tail] = Rest.split('\n');
    Rest = Tail;
    if (Line.trim().empty())
      continue;
    OS << answerJsonLine(Line, Answer) << '\n';
  }
}

} // namespace unravel
