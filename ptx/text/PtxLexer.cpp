//===- PtxLexer.cpp - PTX text as tokens ----------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/text/PtxLexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace unravel::ptx;

static bool isWordStart(char C) {
  return isAlpha(C) || C == '_' || C == '$' || C == '%';
}

static bool isWordPart(char C) { return isAlnum(C) || C == '_' || C == '$'; }

/// Whether a sign at \p At belongs to the number: `1.5e-3`, but not `0x1e+4`.
static bool isExponent(const char *Begin, const char *At) {
  StringRef Number(Begin, At - Begin);
  return Number.contains('.') && toLower(Number.back()) == 'e';
}

const char *Lexer::skipSpace(const char *At) const {
  const char *End = Text.end();
  while (At != End) {
    StringRef Rest(At, End - At);
    if (isSpace(*At)) {
      ++At;
    } else if (Rest.starts_with("//") || (*At == '#' && isLineStart(At))) {
      At += std::min(Rest.find('\n'), Rest.size());
    } else if (Rest.starts_with("/*")) {
      size_t Close = Rest.find("*/", 2);
      if (Close == StringRef::npos)
        return At;
      At += Close + 2;
    } else {
      break;
    }
  }
  return At;
}

void Lexer::advance() {
  LastEnd = Current.Text.data() ? Current.Text.end() : Text.begin();
  const char *Begin = skipSpace(LastEnd), *End = Text.end(), *At = Begin;
  if (At == End) {
    Current = {Kind::End, StringRef(End, 0)};
    return;
  }
  Kind K = Kind::Symbol;
  char First = *At++;
  // `L2::128B`; the dots inside of a word, but not of a directive.
  auto TakeWord = [&](bool WithDots) {
    auto IsPartBehind = [&](size_t N) {
      return size_t(End - At) > N && isWordPart(At[N]);
    };
    while (At != End) {
      if (isWordPart(*At))
        ++At;
      else if (WithDots && *At == '.' && IsPartBehind(1))
        ++At;
      else if (StringRef(At, End - At).starts_with("::") && IsPartBehind(2))
        At += 2;
      else
        break;
    }
  };
  if (isWordStart(First)) {
    K = Kind::Word;
    TakeWord(/*WithDots=*/true);
  } else if (First == '.' && At != End && isWordStart(*At)) {
    K = Kind::Directive;
    TakeWord(/*WithDots=*/false);
  } else if (isDigit(First)) {
    K = Kind::Number;
    while (At != End && (isAlnum(*At) || *At == '.' ||
                         ((*At == '+' || *At == '-') && isExponent(Begin, At))))
      ++At;
  } else if (First == '"') {
    K = Kind::String;
    while (At != End && *At != '"' && *At != '\n')
      At += *At == '\\' && At + 1 != End ? 2 : 1;
    if (At == End || *At == '\n')
      K = Kind::Bad;
    else
      ++At;
  } else if (First == '/' && At != End && *At == '*') {
    K = Kind::Bad;
    At = End;
  }
  Current = {K, StringRef(Begin, At - Begin)};
}

StringRef Lexer::takeLine() {
  const char *Begin = LastEnd;
  StringRef Line = StringRef(Begin, Text.end() - Begin);
  Line = Line.take_front(Line.find('\n'));
  // `//` inside of the name of a file is none.
  bool InString = false;
  for (size_t I = 0; I + 1 < Line.size(); ++I) {
    InString ^= Line[I] == '"';
    if (!InString && Line[I] == '/' && Line[I + 1] == '/') {
      Line = Line.take_front(I);
      break;
    }
  }
  Current = {Kind::Symbol, Line.rtrim()};
  if (Line.trim().empty())
    Current.Text = StringRef(Begin, 0);
  advance();
  return Line.trim();
}

Error Lexer::expect(StringRef Symbol, StringRef Context) {
  if (consumeIf(Symbol))
    return Error::success();
  return error("expected '" + Symbol + "' " + Context);
}

Error Lexer::error(const char *Where, const Twine &What) const {
  StringRef Before = Text.take_front(Where - Text.begin());
  size_t Line = Before.count('\n') + 1;
  size_t LineBegin = Before.rfind('\n') + 1;
  size_t Column = Before.size() - LineBegin + 1;
  StringRef Shown = Text.substr(LineBegin).take_until(
      [](char C) { return C == '\n' || C == '\r'; });
  std::string Message = (BufferName + ":" + Twine(Line) + ":" + Twine(Column) +
                         ": error: " + What)
                            .str();
  // A line without an end, or with control characters, explains nothing.
  if (Shown.size() <= 200 &&
      all_of(Shown, [](char C) { return isPrint(C) || C == '\t'; })) {
    std::string Indent;
    for (char C : Shown.take_front(Column - 1))
      Indent += C == '\t' ? '\t' : ' ';
    Message += ("\n" + Shown + "\n" + Indent + "^").str();
  }
  return createStringError(Message);
}
