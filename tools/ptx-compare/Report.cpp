//===- Report.cpp - Comparisons as a table or JSON ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/Report.h"
#include "tools/ptx-compare/Estimates.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

std::string unravel::formatCount(std::optional<unsigned> Count) {
  return Count ? utostr(*Count) : "-";
}

std::string unravel::formatRatio(std::optional<double> Ratio) {
  std::string Text;
  if (Ratio)
    raw_string_ostream(Text) << format("%.2f", *Ratio);
  return Text;
}

std::string unravel::formatAccesses(const AccessCounts &Accesses) {
  std::string Text;
  for (const auto &[Shape, Count] : Accesses)
    Text += (Text.empty() ? "" : ", ") + utostr(Count) + " " + Shape;
  return Text.empty() ? "none" : Text;
}

std::string unravel::displayName(const FileComparison &File,
                                 const KernelPair &Pair) {
  std::string Name = Pair.ShortName;
  bool IsAmbiguous = any_of(File.Pairs, [&](const KernelPair &Other) {
    return &Other != &Pair && Other.ShortName == Name;
  });
  if (IsAmbiguous)
    Name = Pair.fullName();
  return Pair.IsKernel ? Name : Name + " [function]";
}

bool unravel::needFileNames(ArrayRef<FileComparison> Files) {
  if (Files.size() < 2)
    return false;
  StringSet<> Names;
  return any_of(Files, [&](const FileComparison &File) {
    auto IsShown = [&](const KernelPair &Pair) { return !File.isIdeal(Pair); };
    auto Only = find_if(File.Pairs, IsShown);
    return count_if(File.Pairs, IsShown) != 1 ||
           Only->ShortName != sys::path::stem(File.Label) ||
           !Names.insert(Only->ShortName).second;
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

/// Three aligned texts: "27 -> 9". Joined is set where the row has one text.
struct Cell {
  std::string Before;
  std::string After;
  std::string Joined;
};

struct Row {
  std::string Name;
  std::vector<Cell> Cells; ///< Empty for a line that is only a name.
  std::string Ratio;
};

struct Widths {
  size_t Before = 0;
  size_t After = 0;
  size_t Joined = 0;

  size_t total() const { return std::max(Before + 4 + After, Joined); }
};

} // namespace

static Cell changeCell(const Change &C) {
  return {formatCount(C.Before), formatCount(C.After), ""};
}

/// The column "ideal" stands behind the first, which is what it belongs to.
static void addIdealCell(Row &R, const std::string &Text) {
  R.Cells.insert(R.Cells.begin() + 1, Cell{"", "", Text});
}

static Row headingRow() {
  Row Heading{"kernel", {}, "ratio"};
  for (const Measure &M : measures())
    Heading.Cells.push_back({"", "", M.Title});
  return Heading;
}

static Row pairRow(const FileComparison &File, const KernelPair &Pair) {
  Row Result{displayName(File, Pair), {}, ""};
  for (const Measure &M : measures()) {
    Change C = readChange(File, Pair, M);
    Result.Cells.push_back(changeCell(C));
    Result.Ratio = formatRatio(C.ratio()); // The last one's stays.
  }
  return Result;
}

/// Below that of ordinary launches. What belongs to the kernel as a whole stays
/// empty.
static Row generalRow(const KernelPair &Pair) {
  Row Result{"  general body", {}, ""};
  for (const Measure &M : measures()) {
    Change C = readGeneralChange(Pair, M);
    Result.Cells.push_back(M.IsOfCode ? changeCell(C) : Cell());
    Result.Ratio = formatRatio(C.ratio()); // The last one's stays.
  }
  return Result;
}

static Row totalRow(ArrayRef<FileComparison> Files) {
  Row Total{"total", {}, ""};
  for (const Measure &M : measures()) {
    Change C = totalChange(Files, M);
    Total.Cells.push_back(M.HasTotal ? changeCell(C) : Cell());
    Total.Ratio = formatRatio(C.ratio()); // The last one's stays.
  }
  return Total;
}

static Row meanRow(ArrayRef<FileComparison> Files) {
  Row Mean{"geometric mean of ratios", {}, ""};
  for (const Measure &M : measures()) {
    Mean.Cells.push_back({"", "", formatRatio(geometricMean(Files, M))});
  }
  return Mean;
}

/// Every kernel under its file, or only the ideals of kernels.
static void addPairRows(std::vector<Row> &Rows, ArrayRef<FileComparison> Files,
                        bool OfIdeals, bool ShowIdeals) {
  bool ShowFiles = needFileNames(Files) && !OfIdeals;
  for (const FileComparison &File : Files) {
    if (ShowFiles)
      Rows.push_back({File.Label, {}, ""});
    for (const KernelPair &Pair : File.Pairs) {
      if (File.isIdeal(Pair) != OfIdeals)
        continue;
      Rows.push_back(pairRow(File, Pair));
      if (ShowIdeals) {
        Change C = readChange(File, Pair, measures().front(), Baseline::Ideal);
        addIdealCell(Rows.back(), C.Before ? formatCount(C.Before) : "");
      }
      if (Pair.isVersioned()) {
        Rows.push_back(generalRow(Pair));
        if (ShowIdeals)
          addIdealCell(Rows.back(), "");
      }
    }
  }
}

static void printRow(raw_ostream &OS, const Row &R, size_t NameWidth,
                     ArrayRef<Widths> Columns) {
  std::string Line;
  raw_string_ostream Text(Line);
  Text << left_justify(R.Name, NameWidth);
  if (!R.Cells.empty()) {
    for (const auto &[C, W] : zip_equal(R.Cells, Columns)) {
      std::string Change = C.Joined;
      if (!C.Before.empty())
        raw_string_ostream(Change) << right_justify(C.Before, W.Before)
                                   << " -> " << right_justify(C.After, W.After);
      Text << "  " << right_justify(Change, W.total());
    }
    Text << "  " << right_justify(R.Ratio, 5);
  }
  OS << StringRef(Line).rtrim() << '\n';
}

static void printRows(raw_ostream &OS, ArrayRef<Row> Rows) {
  size_t NameWidth = 0;
  std::vector<Widths> Columns(Rows.front().Cells.size());
  for (const Row &R : Rows) {
    if (R.Cells.empty())
      continue;
    NameWidth = std::max(NameWidth, R.Name.size());
    for (auto [C, W] : zip_equal(R.Cells, Columns)) {
      W.Before = std::max(W.Before, C.Before.size());
      W.After = std::max(W.After, C.After.size());
      W.Joined = std::max(W.Joined, C.Joined.size());
    }
  }
  for (const Row &R : Rows)
    printRow(OS, R, NameWidth, Columns);
}

static std::string describeAccesses(const std::optional<Version> &V) {
  if (!V)
    return "-";
  const PtxCounts &Counts = V->Function.ordinary();
  return "ld " + formatAccesses(Counts.Loads) + "; st " +
         formatAccesses(Counts.Stores);
}

/// One line a kernel: "copy  ld 4 b32; st 4 b32 -> ld 1 v4.b32; st 1 v4.b32",
/// or one text where nothing changed.
static void printAccesses(raw_ostream &OS, ArrayRef<FileComparison> Files) {
  struct Line {
    std::string Name, Before, After;
  };
  std::vector<Line> Lines;
  size_t NameWidth = 0, BeforeWidth = 0;
  bool ShowFiles = needFileNames(Files);
  for (const FileComparison &File : Files) {
    if (ShowFiles)
      Lines.push_back({File.Label, "", ""});
    for (const KernelPair &Pair : File.Pairs) {
      if (File.isIdeal(Pair))
        continue;
      Line L = {displayName(File, Pair), describeAccesses(Pair.Before),
                describeAccesses(Pair.After)};
      if (L.Before == L.After)
        L.After.clear();
      NameWidth = std::max(NameWidth, L.Name.size());
      if (!L.After.empty())
        BeforeWidth = std::max(BeforeWidth, L.Before.size());
      Lines.push_back(std::move(L));
    }
  }
  OS << "\nloads and stores by width\n";
  for (const Line &L : Lines) {
    if (L.Before.empty())
      OS << L.Name;
    else
      OS << left_justify(L.Name, NameWidth) << "  ";
    if (L.After.empty())
      OS << L.Before << '\n';
    else
      OS << left_justify(L.Before, BeforeWidth) << " -> " << L.After << '\n';
  }
}

static void printEstimates(raw_ostream &OS, ArrayRef<FileComparison> Files) {
  if (!haveEstimates(Files))
    return;
  OS << "\nestimates of what bounds each kernel\n";
  forEachPair(Files, [&](const FileComparison &File, const KernelPair &Pair) {
    std::vector<std::string> Lines = estimateLines(Pair);
    if (!Lines.empty())
      OS << displayName(File, Pair) << '\n';
    for (const std::string &Line : Lines)
      OS << "  " << Line << '\n';
  });
}

void unravel::printTable(raw_ostream &OS, ArrayRef<FileComparison> Files) {
  bool ShowIdeals = haveIdeals(Files);
  std::vector<Row> Rows = {headingRow()};
  if (ShowIdeals)
    addIdealCell(Rows.back(), "ideal");
  addPairRows(Rows, Files, /*OfIdeals=*/false, ShowIdeals);
  Rows.push_back(totalRow(Files));
  Rows.push_back(meanRow(Files));
  if (ShowIdeals) {
    const Measure &Integer = measures().front();
    addIdealCell(
        *std::prev(Rows.end(), 2),
        formatCount(totalChange(Files, Integer, Baseline::Ideal).Before));
    addIdealCell(Rows.back(),
                 formatRatio(geometricMean(Files, Integer, Baseline::Ideal)));
    Rows.push_back({"", {}, ""});
    Rows.push_back({"the ideals (written by hand) themselves", {}, ""});
    addPairRows(Rows, Files, /*OfIdeals=*/true, ShowIdeals);
  }
  printRows(OS, Rows);
  if (haveAssumedBlocks(Files))
    OS << "warps: of blocks of " << UsualBlockThreads
       << " threads, where a kernel has no launch bounds\n";
  if (haveVersioned(Files))
    OS << "a kernel with a general body has two: its line is an ordinary "
          "launch "
          "(the test and\nthe fast body), the line below the other body "
          "alone\n";
  printAccesses(OS, Files);
  printEstimates(OS, Files);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value jsonCount(std::optional<unsigned> Count) {
  return Count ? json::Value(int64_t(*Count)) : json::Value(nullptr);
}

static json::Object jsonAccesses(const AccessCounts &Accesses) {
  json::Object Object;
  for (const auto &[Shape, Count] : Accesses)
    Object[Shape] = int64_t(Count);
  return Object;
}

static json::Value jsonOccupancy(const Version &V) {
  if (!V.Occupancy)
    return nullptr;
  return json::Object{
      {"blocks", int64_t(V.Occupancy->Blocks)},
      {"max_warps", int64_t(V.Occupancy->WarpSlots)},
      {"block_threads", int64_t(V.blockThreads())},
      {"block_threads_assumed", !V.Function.BlockThreads.has_value()},
      {"shared_bytes", int64_t(V.Usage->SharedBytes)}};
}

static json::Object jsonCounts(const Version &V, const PtxCounts &Counts) {
  json::Object Object;
  Object["instructions"] = int64_t(Counts.Instructions);
  Object["index_cost"] = int64_t(Counts.IndexCost);
  Object["loop_index_cost"] = int64_t(Counts.LoopIndexCost);
  Object["innermost_index_cost"] = int64_t(Counts.InnermostIndexCost);
  Object["loop_depth"] = int64_t(Counts.LoopDepth);
  Object["loads"] = jsonAccesses(Counts.Loads);
  Object["stores"] = jsonAccesses(Counts.Stores);
  for (const Measure &M : measures())
    if (M.IsOfCode)
      Object[M.Key] = jsonCount(M.Read(V, Counts));
  return Object;
}

static json::Value jsonVersion(const std::optional<Version> &V) {
  if (!V)
    return nullptr;
  json::Object Object = jsonCounts(*V, V->Function.Counts);
  Object["loops"] = int64_t(V->Function.Counts.Loops);
  for (const Measure &M : measures())
    if (!M.IsOfCode)
      Object[M.Key] = jsonCount(M.Read(*V, V->Function.Counts));
  if (V->Function.Paths) {
    Object["ordinary_launch"] = jsonCounts(*V, V->Function.Paths->Ordinary);
    Object["general_body"] = jsonCounts(*V, V->Function.Paths->General);
  }
  Object["occupancy"] = jsonOccupancy(*V);
  if (V->Estimate)
    Object["estimate"] = asJson(*V->Estimate);
  return Object;
}

static json::Object jsonPair(const FileComparison &File,
                             const KernelPair &Pair) {
  const KernelPair *Ideal = File.idealOf(Pair);
  json::Object Object{{"name", Pair.Name},
                      {"demangled", Pair.fullName()},
                      {"kind", Pair.IsKernel ? "kernel" : "function"},
                      {"before", jsonVersion(Pair.Before)},
                      {"after", jsonVersion(Pair.After)},
                      {"ideal", Ideal ? json::Value(Ideal->Name) : nullptr},
                      {"worse", Pair.isWorse()}};
  if (!Pair.FactsLeftOut.empty())
    Object["estimate_without_facts"] = json::Array(Pair.FactsLeftOut);
  return Object;
}

std::string unravel::renderJson(ArrayRef<FileComparison> Files,
                                StringRef Title) {
  json::Array FileList;
  for (const FileComparison &File : Files) {
    json::Array Kernels;
    for (const KernelPair &Pair : File.Pairs)
      Kernels.push_back(jsonPair(File, Pair));
    FileList.push_back(
        json::Object{{"file", File.Label}, {"kernels", std::move(Kernels)}});
  }

  json::Object TotalBefore, TotalAfter, Means;
  for (const Measure &M : measures()) {
    if (M.HasTotal) {
      Change C = totalChange(Files, M);
      TotalBefore[M.Key] = jsonCount(C.Before);
      TotalAfter[M.Key] = jsonCount(C.After);
    }
    if (M.HasMean) {
      std::optional<double> Mean = geometricMean(Files, M);
      Means[M.Key] = Mean ? json::Value(*Mean) : json::Value(nullptr);
    }
  }
  json::Value Root =
      json::Object{{"version", 1},
                   {"compared", Title},
                   {"files", std::move(FileList)},
                   {"total", json::Object{{"before", std::move(TotalBefore)},
                                          {"after", std::move(TotalAfter)}}},
                   {"geometric_mean_ratio", std::move(Means)}};
  std::string Text;
  raw_string_ostream(Text) << formatv("{0:2}", Root) << '\n';
  return Text;
}
