//===- HtmlPage.cpp - Pages without external resources --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/html/HtmlPage.h"
#include "tools/html/LineDiff.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

std::string unravel::escapeHtml(StringRef Text) {
  std::string Escaped;
  raw_string_ostream OS(Escaped);
  printHTMLEscaped(json::fixUTF8(Text), OS);
  return Escaped;
}

std::string unravel::jsonInPage(StringRef Json) {
  // In JSON it stands in strings only; in a page it could end the script.
  std::string Safe;
  for (char C : Json)
    if (C == '<')
      Safe += "\\u003c";
    else
      Safe += C;
  return Safe;
}

std::string unravel::jsonInPage(const json::Value &Json) {
  std::string Text;
  raw_string_ostream(Text) << Json;
  return jsonInPage(StringRef(Text));
}

static constexpr const char *Style = R"css(
:root { color-scheme: light dark; --line: #d0d7de; --soft: #656d76;
  --del: #ffebe9; --ins: #dafbe1; --gap: #f6f8fa; --good: #1a7f37;
  --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --line: #30363d; --soft: #8b949e;
  --del: #4c1f22; --ins: #1b3a26; --gap: #161b22; --good: #3fb950;
  --bad: #f85149; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
p, .name { color: var(--soft); overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
.numbers { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.numbers th, .numbers td { padding: .2rem .8rem; text-align: right;
  border-bottom: 1px solid var(--line); white-space: nowrap; }
.numbers th:first-child, .numbers td:first-child { text-align: left; }
.better { color: var(--good); } .worse { color: var(--bad); }
summary { cursor: pointer; font-weight: 600; }
.diff { border-collapse: collapse; width: 100%; table-layout: fixed;
  font: 12px/1.45 ui-monospace, monospace; border: 1px solid var(--line); }
.diff th { text-align: left; padding: .3rem .6rem; }
.diff td { padding: 0 .6rem; white-space: pre-wrap; overflow-wrap: anywhere;
  vertical-align: top; tab-size: 4; }
.diff .n { width: 2.6rem; text-align: right; color: var(--soft);
  user-select: none; }
.diff .code { border-right: 1px solid var(--line); }
.diff .del { background: var(--del); } .diff .ins { background: var(--ins); }
.diff .gap { background: var(--gap); }
.diff .mark th { background: var(--gap); border-top: 1px solid var(--line); }
)css";

void unravel::beginPage(raw_ostream &OS, StringRef Title, StringRef MoreStyle) {
  std::string Text = escapeHtml(Title);
  OS << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>"
     << Text << "</title>\n<style>" << Style << MoreStyle
     << "</style>\n</head>\n<body>\n<h1>" << Text << "</h1>\n";
}

void unravel::endPage(raw_ostream &OS) { OS << "</body>\n</html>\n"; }

static SmallVector<StringRef, 0> linesOf(StringRef Text) {
  SmallVector<StringRef, 0> Lines;
  if (!Text.empty())
    Text.split(Lines, '\n');
  return Lines;
}

static void printSide(raw_ostream &OS, std::optional<unsigned> Line,
                      ArrayRef<StringRef> Lines, StringRef ChangedClass,
                      bool Same) {
  if (!Line) {
    OS << "<td class=\"n gap\"></td><td class=\"code gap\"></td>";
    return;
  }
  StringRef Mark = Same ? StringRef() : ChangedClass;
  OS << "<td class=\"n " << Mark << "\">" << *Line + 1
     << "</td><td class=\"code " << Mark << "\">"
     << escapeHtml(Lines[*Line].rtrim()) << "</td>";
}

bool unravel::areSamePtx(StringRef Before, StringRef After) {
  return all_of(diffPtxLines(linesOf(Before), linesOf(After)),
                [](const DiffRow &Row) { return Row.Same; });
}

void unravel::printSideBySide(raw_ostream &OS, StringRef TextBefore,
                              StringRef TextAfter, ArrayRef<SideMark> Marks) {
  SmallVector<StringRef, 0> Before = linesOf(TextBefore);
  SmallVector<StringRef, 0> After = linesOf(TextAfter);
  OS << "<table class=\"diff\">\n<colgroup><col class=\"n\"><col>"
        "<col class=\"n\"><col></colgroup>\n"
        "<tr><th colspan=\"2\">before</th><th colspan=\"2\">after</th></tr>\n";
  for (const DiffRow &Row : diffPtxLines(Before, After)) {
    for (const SideMark &Mark : Marks)
      if (Row.Right == Mark.Line)
        OS << "<tr class=\"mark\"><th colspan=\"2\"></th><th colspan=\"2\">"
           << escapeHtml(Mark.Heading) << "</th></tr>\n";
    OS << "<tr>";
    printSide(OS, Row.Left, Before, "del", Row.Same);
    printSide(OS, Row.Right, After, "ins", Row.Same);
    OS << "</tr>\n";
  }
  OS << "</table>\n";
}
