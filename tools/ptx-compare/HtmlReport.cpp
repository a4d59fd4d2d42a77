//===- HtmlReport.cpp - Comparisons as one HTML page ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/html/HtmlPage.h"
#include "tools/ptx-compare/Estimates.h"
#include "tools/ptx-compare/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

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
       << escapeHtml(Text) << "</th></tr>\n";
  };
  auto PrintPairs = [&](bool OfIdeals) {
    for (const auto &[FileIndex, File] : enumerate(Files)) {
      if (ShowFiles && !OfIdeals)
        PrintHeading(File.Label);
      for (const auto &[PairIndex, Pair] : enumerate(File.Pairs)) {
        if (File.isIdeal(Pair) != OfIdeals)
          continue;
        OS << "<tr><td><a href=\"#" << anchorOf(FileIndex, PairIndex) << "\">"
           << escapeHtml(displayName(File, Pair)) << "</a></td>";
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

static StringRef textOf(const std::optional<Version> &V) {
  return V ? StringRef(V->Function.Text) : StringRef();
}

std::string unravel::renderHtml(ArrayRef<FileComparison> Files,
                                StringRef Title) {
  std::string Page;
  raw_string_ostream OS(Page);
  beginPage(OS, ("ptx-compare: " + Title).str());
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
    OS << "<h2>" << escapeHtml(File.Label) << "</h2>\n";
    for (const auto &[PairIndex, Pair] : enumerate(File.Pairs)) {
      // The anchor is inside: a browser that goes there opens the details.
      OS << "<details" << Open << "><summary>"
         << escapeHtml(displayName(File, Pair))
         << "</summary>\n<div class=\"name\" id=\""
         << anchorOf(FileIndex, PairIndex) << "\">"
         << escapeHtml(Pair.fullName()) << "</div>\n";
      for (const std::string &Line : estimateLines(Pair))
        OS << "<div>" << escapeHtml(Line) << "</div>\n";
      printSideBySide(OS, textOf(Pair.Before), textOf(Pair.After));
      OS << "</details>\n";
    }
  }
  endPage(OS);
  return Page;
}
