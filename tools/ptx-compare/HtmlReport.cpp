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

/// Of the last measure, as in the table.
static void printRatio(raw_ostream &OS, std::optional<double> Ratio) {
  OS << "<td";
  if (Ratio && *Ratio != 1)
    OS << (*Ratio < 1 ? " class=\"better\"" : " class=\"worse\"");
  OS << '>' << formatRatio(Ratio) << "</td>";
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
  OS << "<th>ratio</th><th>loads</th><th>stores</th></tr>\n";

  auto PrintAccesses = [&](const KernelPair &Pair,
                           AccessCounts PtxCounts::*Member) {
    auto Side = [&](const std::optional<Version> &V) {
      return V ? formatAccesses(V->Function.ordinary().*Member) : "-";
    };
    std::string Before = Side(Pair.Before), After = Side(Pair.After);
    OS << "<td>" << Before;
    if (After != Before)
      OS << " → " << After;
    OS << "</td>";
  };
  auto PrintHeading = [&](StringRef Text) {
    OS << "<tr><th colspan=\"" << measures().size() + 4 + ShowIdeals << "\">"
       << escapeHtml(Text) << "</th></tr>\n";
  };
  auto PrintGeneral = [&](const KernelPair &Pair) {
    OS << "<tr><td class=\"general\">general body</td>";
    for (const Measure &M : measures()) {
      if (M.IsOfCode)
        printChange(OS, M, readGeneralChange(Pair, M));
      else
        OS << "<td></td>";
      PrintIdeal(M, "");
    }
    printRatio(OS, readGeneralChange(Pair, measures().back()).ratio());
    OS << "<td></td><td></td></tr>\n";
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
        printRatio(OS, readChange(File, Pair, measures().back()).ratio());
        PrintAccesses(Pair, &PtxCounts::Loads);
        PrintAccesses(Pair, &PtxCounts::Stores);
        OS << "</tr>\n";
        if (Pair.isVersioned())
          PrintGeneral(Pair);
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
  printRatio(OS, totalChange(Files, measures().back()).ratio());
  OS << "<td></td><td></td></tr>\n<tr><th>geometric mean of ratios</th>";
  for (const Measure &M : measures()) {
    OS << "<td>" << formatRatio(geometricMean(Files, M)) << "</td>";
    PrintIdeal(M, formatRatio(geometricMean(Files, M, Baseline::Ideal)));
  }
  printRatio(OS, geometricMean(Files, measures().back()));
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

/// What can be stated, then every remark beside the line that it is about.
static void printRemarks(raw_ostream &OS, const KernelPair &Pair) {
  std::string Facts;
  raw_string_ostream FactsOS(Facts);
  for (const PassRemark &R : Pair.Remarks)
    if (R.IsMissed && !R.Fact.empty())
      FactsOS << "<li><code>" << escapeHtml(R.Fact) << "</code><br>"
              << escapeHtml(R.Text) << "</li>\n";
  if (!Facts.empty())
    OS << "<h3>Facts to state</h3>\n<ul class=\"facts\">\n"
       << Facts << "</ul>\n";
  if (Pair.Remarks.empty())
    return;
  OS << "<h3>Remarks</h3>\n<table class=\"remarks\">\n";
  for (const PassRemark &R : Pair.Remarks) {
    if (R.IsMissed && !R.Fact.empty())
      continue;
    OS << "<tr><td>" << (R.IsMissed ? "missed" : "done") << "</td><td>";
    if (R.Line != 0)
      OS << escapeHtml(R.File) << ':' << R.Line;
    OS << "</td><td><code>" << escapeHtml(StringRef(R.SourceLine).ltrim())
       << "</code><br>" << escapeHtml(R.Text) << "</td></tr>\n";
  }
  OS << "</table>\n";
}

/// What each access reads or writes, which the pass does not change.
static void printMaps(raw_ostream &OS, const KernelPair &Pair) {
  if (Pair.Accesses.empty())
    return;
  OS << "<details><summary>Indexing maps of " << Pair.Accesses.size()
     << (Pair.Accesses.size() == 1 ? " access" : " accesses")
     << "</summary>\n<table class=\"remarks maps\">\n";
  for (const AccessLine &A : Pair.Accesses) {
    OS << "<tr><td>" << escapeHtml(A.Access) << "</td><td>";
    if (A.Line != 0)
      OS << escapeHtml(A.File) << ':' << A.Line;
    OS << "</td><td>";
    if (!A.SourceLine.empty())
      OS << "<code>" << escapeHtml(StringRef(A.SourceLine).ltrim())
         << "</code><br>";
    OS << "<code>" << escapeHtml(A.Map) << "</code></td></tr>\n";
  }
  OS << "</table>\n</details>\n";
}

/// "k: 0.59, general body 1.00", or that nothing changed.
static std::string summaryOf(const FileComparison &File, const KernelPair &Pair,
                             bool IsSame) {
  std::string Text = displayName(File, Pair);
  bool HasFacts = any_of(Pair.Remarks, [](const PassRemark &R) {
    return R.IsMissed && !R.Fact.empty();
  });
  if (IsSame)
    return Text + ": unchanged" +
           (HasFacts ? "; there are facts to state" : "");
  const Measure &M = measures().back();
  if (std::optional<double> Ratio = readChange(File, Pair, M).ratio())
    Text += ": ratio " + formatRatio(Ratio);
  if (Pair.isVersioned())
    Text += ", general body " + formatRatio(readGeneralChange(Pair, M).ratio());
  return Text;
}

static void printPair(raw_ostream &OS, const FileComparison &File,
                      const KernelPair &Pair, StringRef Anchor, bool IsOpen) {
  StringRef Before = textOf(Pair.Before), After = textOf(Pair.After);
  bool IsSame = areSamePtx(Before, After);
  // The anchor is inside: a browser that goes there opens the details.
  OS << "<details" << (IsOpen && !IsSame ? " open" : "") << "><summary>"
     << escapeHtml(summaryOf(File, Pair, IsSame))
     << "</summary>\n<div class=\"name\" id=\"" << Anchor << "\">"
     << escapeHtml(Pair.fullName()) << "</div>\n";
  for (const std::string &Line : estimateLines(Pair))
    OS << "<div>" << escapeHtml(Line) << "</div>\n";
  printRemarks(OS, Pair);
  printMaps(OS, Pair);
  SmallVector<SideMark, 2> Marks;
  if (Pair.isVersioned()) {
    const PtxPaths &Paths = *Pair.After->Function.Paths;
    Marks = {{Paths.FastLine, "the fast body, for ordinary launches"},
             {Paths.GeneralLine, "the general body"}};
  }
  printSideBySide(OS, Before, After, Marks);
  OS << "</details>\n";
}

static constexpr const char *MoreStyle = R"css(
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
.general { padding-left: 2rem !important; }
.remarks td { padding: .2rem .8rem .2rem 0; vertical-align: top; }
.maps code { white-space: pre-wrap; }
code { font: 12px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
)css";

std::string unravel::renderHtml(ArrayRef<FileComparison> Files,
                                StringRef Title) {
  std::string Page;
  raw_string_ostream OS(Page);
  beginPage(OS, ("ptx-compare: " + Title).str(), MoreStyle);
  printNumbers(OS, Files);
  OS << "<p>Static counts per kernel, before → after. int: integer "
        "instructions; div: divisions; mulhi: mul.hi, which a division by a "
        "constant becomes; "
        "int64: 64-bit "
        "integer instructions; regs and spillB: registers and spilled bytes "
        "that ptxas reports; warps: what fits on a multiprocessor";
  if (haveAssumedBlocks(Files))
    OS << ", in blocks of " << UsualBlockThreads
       << " threads where a kernel has no launch bounds";
  OS << "; cost: all in SASS instructions; inner: the cost of innermost loops; "
        "loopcost: the cost with instructions in loops counted 10, 100, 1,000 "
        "times by depth; ratio: that of loopcost.";
  if (haveVersioned(Files))
    OS << " A kernel with a general body has two: its line is an ordinary "
          "launch, the test and the fast body.";
  if (haveIdeals(Files))
    OS << " ideal: integer instructions of the kernel's hand-written ideal "
          "NAME_ideal, compiled without the pass.";
  OS << " In the PTX below, register and label numbers do not count as "
        "changes.</p>\n";

  // Many kernels would make a long page: then each opens on demand.
  size_t Count = 0;
  forEachPair(Files,
              [&](const FileComparison &, const KernelPair &) { ++Count; });
  for (const auto &[FileIndex, File] : enumerate(Files)) {
    OS << "<h2>" << escapeHtml(File.Label) << "</h2>\n";
    for (const auto &[PairIndex, Pair] : enumerate(File.Pairs))
      printPair(OS, File, Pair, anchorOf(FileIndex, PairIndex), Count <= 8);
  }
  endPage(OS);
  return Page;
}
