//===- Page.cpp - Accesses as an HTML page --------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/Page.h"
#include "analysis/warps/AccessText.h"
#include "tools/access-report/KernelVersions.h"
#include "tools/access-report/PageData.h"
#include "tools/access-report/PageParts.h"
#include "tools/access-report/SourceView.h"
#include "tools/files/InputFile.h"
#include "tools/html/HtmlPage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

/// For the address of the page, as encodeURIComponent of JavaScript does.
static std::string escapeUrl(StringRef Text) {
  std::string Escaped;
  for (char C : json::fixUTF8(Text))
    if (isAlnum(C) || StringRef("-_.!~*'()").contains(C))
      Escaped += C;
    else
      Escaped += "%" + toHex(StringRef(&C, 1));
  return Escaped;
}

static std::string linkTo(const KernelReport &Report, size_t Access) {
  return escapeHtml("#kernel=" + escapeUrl(Report.Kernel->Name) +
                    "&access=" + utostr(Access + 1));
}

/// What view.js marks when the access is chosen.
static std::string markOf(size_t Kernel, size_t Access) {
  return sectionOf(Kernel) + "-" + utostr(Access + 1);
}

static void printAccesses(raw_ostream &OS, const KernelReport &Report,
                          size_t Kernel) {
  OS << "<div class=\"tall\"><table class=\"numbers accesses\">\n"
        "<tr><th>#</th><th>place</th><th>access</th><th>lanes</th>"
        "<th>request</th><th>remarks</th></tr>\n";
  for (auto [Number, R] : enumerate(Report.Accesses)) {
    OS << "<tr data-of=\"" << markOf(Kernel, Number) << "\"><td><a href=\""
       << linkTo(Report, Number) << "\">" << Number + 1 << "</a></td><td>"
       << escapeHtml(Report.Kernel->placeOf(*R.Access.Instruction))
       << "</td><td>" << escapeHtml(accessText(R.Access)) << "</td><td>"
       << escapeHtml(R.NotUnderstood.empty()
                         ? R.Pattern
                         : "not understood: " + R.NotUnderstood)
       << "</td><td>" << (R.HasCost ? escapeHtml(costText(R)) : "")
       << "</td><td>";
    for (const std::string &What : R.Assumptions)
      OS << "<div class=\"assumed\">assumed: " << escapeHtml(What) << "</div>";
    if (!R.Hint.empty())
      OS << "<div>hint: " << escapeHtml(R.Hint) << "</div>";
    OS << "</td></tr>\n";
  }
  OS << "</table></div>\n";
}

static void printView(raw_ostream &OS, const SourceView &View,
                      const KernelReport &Report, size_t Kernel) {
  OS << "<table class=\"source\">\n";
  for (auto [Index, Line] : enumerate(View.Lines)) {
    unsigned Number = View.FirstLine + Index;
    auto It = View.Accesses.find(Number);
    bool IsMarked = It != View.Accesses.end();
    OS << "<tr><td class=\"n\">" << Number << "</td><td class=\"code"
       << (IsMarked ? " marked" : "") << "\">" << escapeHtml(Line)
       << "</td><td class=\"marks\">";
    if (IsMarked)
      for (unsigned Access : It->second)
        OS << " <a href=\"" << linkTo(Report, Access) << "\" data-of=\""
           << markOf(Kernel, Access) << "\">[" << Access + 1 << "]</a>";
    OS << "</td></tr>\n";
  }
  OS << "</table>\n";
}

/// Whether two texts of a map differ in more than the order of their parts.
static bool saysMore(std::string Readable, std::string Plain) {
  llvm::sort(Readable);
  llvm::sort(Plain);
  return Readable != Plain;
}

static void printMaps(raw_ostream &OS, const KernelReport &Report,
                      const KernelVersions &Versions, size_t Kernel) {
  OS << "<div class=\"scroll\"><table class=\"numbers accesses maps\">\n"
        "<tr><th>#</th><th>before</th><th>after</th></tr>\n";
  for (size_t A = 0; A < Report.Accesses.size(); ++A) {
    const std::string &Before = Versions.MapsBefore[A];
    const std::string &After = Versions.MapsAfter[A];
    OS << "<tr data-of=\"" << markOf(Kernel, A) << "\"><td>" << A + 1
       << "</td><td><code>" << escapeHtml(Before) << "</code>";
    if (saysMore(Versions.Readable[A], Before))
      OS << "<br>as strides and digits:<br><code>"
         << escapeHtml(Versions.Readable[A]) << "</code>";
    OS << "</td><td>";
    if (After.empty())
      OS << "none: the access was removed or moved into another";
    else if (After == Before)
      OS << "the same";
    else
      OS << "<code>" << escapeHtml(After) << "</code>";
    OS << "</td></tr>\n";
  }
  OS << "</table></div>\n";
}

static void printKernel(raw_ostream &OS, const KernelReport &Report,
                        const KernelVersions &Versions, size_t Kernel,
                        StringRef Path, StringRef Text) {
  std::string Section = sectionOf(Kernel);
  OS << "<section id=\"" << Section << "\">\n<h2>"
     << escapeHtml(demangle(Report.Kernel->Name)) << "</h2>\n";
  bool IsUnderstood = Report.Kernel->Function != nullptr;
  const BlockShape &B = Report.Block;
  if (IsUnderstood)
    OS << "<p>Blocks of " << B.X << " × " << B.Y << " × " << B.Z << " threads ("
       << escapeHtml(Report.BlockSource) << ").</p>\n";
  else
    OS << "<p>Not understood: " << escapeHtml(Report.Kernel->Refused)
       << "</p>\n";
  OS << "<div id=\"" << Section << "-panel\"></div>\n";
  if (IsUnderstood)
    printAccesses(OS, Report, Kernel);
  for (auto [Number, View] : enumerate(viewsOf(Report, Path, Text))) {
    OS << "<details" << (Number == 0 ? " open" : "") << "><summary>"
       << escapeHtml(View.Title) << "</summary>\n";
    printView(OS, View, Report, Kernel);
    OS << "</details>\n";
  }
  OS << "<details><summary>Indexing maps</summary>\n";
  printMaps(OS, Report, Versions, Kernel);
  OS << "</details>\n<details><summary>PTX without and with "
        "index-simplify</summary>\n";
  if (Versions.PtxProblem.empty())
    printSideBySide(OS, Versions.PtxBefore, Versions.PtxAfter);
  else
    OS << "<p>None: " << escapeHtml(Versions.PtxProblem) << "</p>\n";
  OS << "</details>\n</section>\n";
}

Expected<std::string> renderPage(ArrayRef<KernelReport> Reports,
                                 const KernelInput &Input,
                                 FunctionAnalysisManager &AM, StringRef Path,
                                 const CudaOptions &Cuda, StringRef FactsPath) {
  Expected<std::string> Text = readFile(Path);
  if (!Text)
    return Text.takeError();
  std::vector<KernelProgram> Programs;
  for (const KernelReport &Report : Reports) {
    std::vector<MemoryAccess> Accesses;
    for (const AccessReport &R : Report.Accesses)
      Accesses.push_back(R.Access);
    Programs.push_back(
        Report.Kernel->Function
            ? programOf(Accesses, *Report.Kernel->Function, AM, Report.Block)
            : KernelProgram());
  }
  Expected<std::vector<KernelVersions>> Versions =
      versionsOf(Reports, Input, Path, Cuda, FactsPath);
  if (!Versions)
    return Versions.takeError();

  std::string Page;
  raw_string_ostream OS(Page);
  beginPage(OS, ("access-report: " + sys::path::filename(Path)).str(),
            PageStyle);
  OS << "<nav>Kernels:\n";
  for (auto [Kernel, Report] : enumerate(Reports))
    OS << "<a id=\"" << sectionOf(Kernel) << "-link\" href=\""
       << linkTo(Report, 0) << "\">"
       << escapeHtml(demangle(Report.Kernel->Name)) << "</a>\n";
  OS << "</nav>\n";
  for (auto [Kernel, Report] : enumerate(Reports))
    printKernel(OS, Report, (*Versions)[Kernel], Kernel, Path, *Text);
  OS << "<script type=\"application/json\" id=\"programs\">"
     << pageData(Reports, Programs) << "</script>\n<script>" << PageModel
     << "</script>\n<script>" << PageView << "</script>\n";
  endPage(OS);
  return Page;
}

} // namespace unravel
