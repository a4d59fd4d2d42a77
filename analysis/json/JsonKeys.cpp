//===- JsonKeys.cpp - Keys that stand twice -------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/json/JsonKeys.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

/// The string that \p Text begins with; moves \p Text behind it.
static std::string takeString(StringRef &Text) {
  size_t End = 1;
  while (Text[End] != '"')
    End += Text[End] == '\\' ? 2 : 1;
  StringRef Literal = Text.take_front(End + 1);
  Text = Text.drop_front(End + 1);
  // (Two keys may be one in different escapes.)
  Expected<json::Value> Value = json::parse(Literal);
  return cantFail(std::move(Value)).getAsString()->str();
}

std::optional<std::string> unravel::repeatedKey(StringRef Text) {
  SmallVector<StringSet<>, 8> KeysOfOpen;
  while (!Text.empty()) {
    char C = Text.front();
    if (C != '"') {
      if (C == '{' || C == '[')
        KeysOfOpen.emplace_back();
      if (C == '}' || C == ']')
        KeysOfOpen.pop_back();
      Text = Text.drop_front();
      continue;
    }
    std::string String = takeString(Text);
    bool IsKey = Text.ltrim().starts_with(":");
    if (IsKey && !KeysOfOpen.back().insert(String).second)
      return String;
  }
  return std::nullopt;
}
