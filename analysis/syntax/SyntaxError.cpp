//===- SyntaxError.cpp - Errors that show the place in the text -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/SyntaxError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

std::pair<size_t, size_t> lineAndColumn(StringRef Text, size_t Offset) {
  StringRef Before = Text.take_front(Offset);
  size_t LineBegin = Before.rfind('\n') + 1; // npos + 1 is 0
  return {Before.count('\n') + 1, Offset - LineBegin + 1};
}

/// Prints \p Line, or the part of it around \p Place, and a caret below. What
/// does not print is shown as `?`, so that a byte is a column; tabs are kept in
/// both lines.
static void showPlace(raw_ostream &OS, StringRef Line, size_t Place) {
  constexpr size_t Width = 120, WidthBefore = 80;
  size_t Begin = Place > WidthBefore ? Place - WidthBefore : 0;
  StringRef Shown = Line.substr(Begin, Width);
  OS << (Begin > 0 ? "..." : "");
  for (char C : Shown)
    OS << (isPrint(C) || C == '\t' ? C : '?');
  OS << (Begin + Shown.size() < Line.size() ? "...\n" : "\n");
  OS << (Begin > 0 ? "   " : "");
  for (char C : Shown.take_front(Place - Begin))
    OS << (C == '\t' ? '\t' : ' ');
  OS << '^';
}

Error syntaxError(StringRef Text, StringRef BufferName, size_t Offset,
                  const Twine &What) {
  auto [Line, Column] = lineAndColumn(Text, Offset);
  std::string Message;
  raw_string_ostream OS(Message);
  OS << BufferName << ':' << Line << ':' << Column << ": error: " << What
     << '\n';
  StringRef FromLine = Text.drop_front(Offset + 1 - Column);
  showPlace(OS, FromLine.split('\n').first.rtrim('\r'), Column - 1);
  return createStringError(Message);
}

} // namespace unravel
