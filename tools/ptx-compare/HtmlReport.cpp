//===- HtmlReport.cpp - Comparisons as one HTML page ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/Estimates.h"
#include "tools/ptx-compare/LineDiff.h"
#include "tools/ptx-compare/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

/// Everything that comes from an input goes through this.
static std::string escape(StringRef Text) {
  std::string Escaped;
  raw_string_ostream OS(Escaped);
  printHTMLEscaped(Text, OS);
  return Escaped;
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
)css";

//===----------------------------------------------------------------------===//
// The numbers
//===----------------------------------------------------------------------===//

static void printChange(raw_ostream &OS, const Measure &M, const Change &C) {
  OS << "<td";
  if (C.Before && C.After && *C.Before != *C.After)
    OS << ((*C.After > *C.Before) == M.MoreIsBetter ? " class=\"better\""
                                                    : " class=\"worse\"");
  OS << '>' << formatCount(C.Before) << " → " << formatCount(C.After)
     << "</td>";
}

static std::string anchorOf(size_t FileIndex, size_t PairIndex) {
  return "k" + utostr(FileIndex) + "-" + utostr(PairIndex);
}

static void printNumbers(raw_ostream &OS, ArrayRef<FileComparison> Files) {
  bool ShowIdeals = haveIdeals(Files), ShowFiles = needFileNames(Files);
  const Measure &First = measures().front();
  // Behind the first measure, which is what it belongs to.
  auto PrintIdeal = [&](const Measure &M, StringRef Text) {
    if (ShowIdeals && &M == &First)
      OS << "<td>" << Text << "</td>";
  };
  OS << "<div class=\"scroll\"><table class=\"numbers\">\n<tr><th>kernel</th>";
  for (const Measure &M : measures()) {
    OS << "<th>" << M.Title << "</th>";
    if (ShowIdeals && &M == &First)
      OS << "<th>ideal</th>";
  }
  OS << "<th>loads</th><th>stores</th></tr>\n";

  auto PrintAccesses = [&](const KernelPair &Pair,
                           AccessCounts PtxCounts::*Member) {
    auto Side = [&](const std::optional<Version> &V) {
      return V ? formatAccesses(V->Function.Counts.*Member) : "-";
    };
    std::string Before = Side(Pair.Before), After = Side(Pair.After);
    OS << "<td>" << Before;
    if (After != Before)
      OS << " → " << After;
    OS << "</td>";
  };
  auto PrintHeading = [&](StringRef Text) {
    OS << "<tr><th colspan=\"" << measures().size() + 3 + ShowIdeals << "\">"
       << escape(Text) << "</th></tr>\n";
  };
  auto PrintPairs = [&](bool OfIdeals) {
    for (const auto &[FileIndex, File] : enumerate(Files)) {
      if (ShowFiles && !OfIdeals)
        PrintHeading(File.Label);
      for (const auto &[PairIndex, Pair] : enumerate(File.Pairs)) {
        if (File.isIdeal(Pair) != OfIdeals)
          continue;
        OS << "<tr><td><a href=\"#" << anchorOf(FileIndex, PairIndex) << "\">"
           << escape(displayName(File, Pair)) << "</a></td>";
        Change ToIdeal = readChange(File, Pair, First, Baseline::Ideal);
        for (const Measure &M : measures()) {
          printChange(OS, M, readChange(File, Pair, M));
          PrintIdeal(M, ToIdeal.Before ? formatCount(ToIdeal.Before) : "");
        }
        PrintAccesses(Pair, &PtxCounts::Loads);
        PrintAccesses(Pair, &PtxCounts::Stores);
        OS << "</tr>\n";
      }
    }
  };
  PrintPairs(/*OfIdeals=*/false);

  OS << "<tr><th>total</th>";
  for (const Measure &M : measures()) {
    if (M.HasTotal)
      printChange(OS, M, totalChange(Files, M));
    else
      OS << "<td></td>";
    PrintIdeal(M, formatCount(totalChange(Files, M, Baseline::Ideal).Before));
  }
  OS << "<td></td><td></td></tr>\n<tr><th>geometric mean of ratios</th>";
  for (const Measure &M : measures()) {
    OS << "<td>" << formatRatio(geometricMean(Files, M)) << "</td>";
    PrintIdeal(M, formatRatio(geometricMean(Files, M, Baseline::Ideal)));
  }
  OS << "<td></td><td></td></tr>\n";
  if (ShowIdeals) {
    PrintHeading("the ideals (written by hand) themselves");
    PrintPairs(/*OfIdeals=*/true);
  }
  OS << "</table></div>\n";
}

//===----------------------------------------------------------------------===//
// The PTX
//===----------------------------------------------------------------------===//

static SmallVector<StringRef, 0> linesOf(const std::optional<Version> &V) {
  SmallVector<StringRef, 0> Lines;
  if (V)
    StringRef(V->Function.Text).split(Lines, '\n');
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
     << escape(Lines[*Line].rtrim()) << "</td>";
}

static void printDiff(raw_ostream &OS, const KernelPair &Pair) {
  SmallVector<StringRef, 0> Before = linesOf(Pair.Before);
  SmallVector<StringRef, 0> After = linesOf(Pair.After);
  OS << "<table class=\"diff\">\n<colgroup><col class=\"n\"><col>"
        "<col class=\"n\"><col></colgroup>\n"
        "<tr><th colspan=\"2\">before</th><th colspan=\"2\">after</th></tr>\n";
  for (const DiffRow &Row : diffPtxLines(Before, After)) {
    OS << "<tr>";
    printSide(OS, Row.Left, Before, "del", Row.Same);
    printSide(OS, Row.Right, After, "ins", Row.Same);
    OS << "</tr>\n";
  }
  OS << "</table>\n";
}

std::string unravel::renderHtml(ArrayRef<FileComparison> Files,
                                StringRef Title) {
  std::string Page;
  raw_string_ostream OS(Page);
  OS << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>ptx-compare: "
     << escape(Title) << "</title>\n<style>" << Style
     << "</style>\n</head>\n<body>\n<h1>ptx-compare: " << escape(Title)
     << "</h1>\n";
  printNumbers(OS, Files);
  OS << "<p>Static counts per kernel, before → after. int: integer "
        "instructions; div: divisions, also those by a constant; int64: 64-bit "
        "integer instructions; regs and spillB: registers and spilled bytes "
        "that ptxas reports; warps: what fits on a multiprocessor";
  if (haveAssumedBlocks(Files))
    OS << ", in blocks of " << UsualBlockThreads
       << " threads where a kernel has no launch bounds";
  OS << "; cost: all in SASS instructions; inner: the cost of innermost loops; "
        "loopcost: the cost with instructions in loops counted 10, 100, 1,000 "
        "times by depth.";
  if (haveIdeals(Files))
    OS << " ideal: integer instructions of the kernel's hand-written ideal "
          "NAME_ideal, compiled without the pass.";
  OS << " In the PTX below, register and label numbers do not count as "
        "changes.</p>\n";

  // Many kernels would make a long page: then each opens on demand.
  size_t Count = 0;
  forEachPair(Files,
              [&](const FileComparison &, const KernelPair &) { ++Count; });
  const char *Open = Count <= 8 ? " open" : "";
  for (const auto &[FileIndex, File] : enumerate(Files)) {
    OS << "<h2>" << escape(File.Label) << "</h2>\n";
    for (const auto &[PairIndex, Pair] : enumerate(File.Pairs)) {
      // The anchor is inside: a browser that goes there opens the details.
      OS << "<details" << Open << "><summary>"
         << escape(displayName(File, Pair))
         << "</summary>\n<div class=\"name\" id=\""
         << anchorOf(FileIndex, PairIndex) << "\">" << escape(Pair.fullName())
         << "</div>\n";
      for (const std::string &Line : estimateLines(Pair))
        OS << "<div>" << escape(Line) << "</div>\n";
      printDiff(OS, Pair);
      OS << "</details>\n";
    }
  }
  OS << "</body>\n</html>\n";
  return Page;
}
