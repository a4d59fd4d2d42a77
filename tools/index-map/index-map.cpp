//===- index-map.cpp - Indexing maps on the command line ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simplifies, composes, inverts, compares and checks indexing maps:
//
//   index-map maps.txt
//   index-map --compose < pair.txt
//
// Exit status: 0 done, 1 an error in a map or the answer "no", 2 a usage error;
// the errors of --jsonl are in its answers.
//
//===----------------------------------------------------------------------===//

#include "analysis/json/JsonLines.h"
#include "tools/files/OutputFile.h"
#include "tools/index-map/AxisBatch.h"
#include "tools/index-map/BatchMode.h"
#include "tools/index-map/LayoutBatch.h"
#include "tools/index-map/MapModes.h"
#include "tools/index-map/TileBatch.h"
#include "tools/tile-page/TileTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static cl::OptionCategory Category("index-map options");

static cl::opt<std::string> InputPath(cl::Positional, cl::init("-"),
                                      cl::desc("[FILE]"), cl::cat(Category));
static cl::opt<bool> NoSimplify(
    "no-simplify",
    cl::desc("Use nothing that the domain says; also with --compose and "
             "--check"),
    cl::cat(Category));
static cl::opt<bool> Readable(
    "readable",
    cl::desc("Print digits with their strides, and names for rows, columns and "
             "shared parts; not with --eval, --equal and --jsonl"),
    cl::cat(Category));
static cl::opt<bool> Compose("compose",
                             cl::desc("Of every pair: the second map after the "
                                      "first"),
                             cl::cat(Category));
static cl::opt<std::string> Eval(
    "eval", cl::value_desc("d0=3,s0=1,..."),
    cl::desc("Print the results of the map as written at a point, followed "
             "by 'outside the domain' if it is"),
    cl::cat(Category));
static cl::opt<bool> Inverse("inverse", cl::desc("Print the inverse map"),
                             cl::cat(Category));
static cl::opt<bool> Equal("equal",
                           cl::desc("Of every pair: 'equal', 'not equal: "
                                    "REASON at POINT' or 'unknown'"),
                           cl::cat(Category));
static cl::opt<bool>
    Check("check",
          cl::desc("Simplify, and compare what is printed with the map as "
                   "written, point by point"),
          cl::cat(Category));
static cl::opt<uint64_t>
    Points("points", cl::value_desc("N"), cl::init(65536),
           cl::desc("With --check: at most so many points (65536)"),
           cl::cat(Category));
static cl::opt<bool> Jsonl("jsonl",
                           cl::desc("Simplify expressions, one JSON object a "
                                    "line"),
                           cl::cat(Category));
static cl::opt<bool>
    Tile("tile",
         cl::desc("With --jsonl: what a tile touches through a map, one JSON "
                  "object a line"),
         cl::cat(Category));

static cl::opt<std::string>
    PagePath("html", cl::value_desc("page"),
             cl::desc("With --jsonl --tile: also draw the tiles on a page"),
             cl::cat(Category));

static cl::opt<bool>
    Axis("axis",
         cl::desc("With --jsonl: how results move along one variable, one JSON "
                  "object a line"),
         cl::cat(Category));

static cl::opt<bool>
    Layouts("layout",
            cl::desc("With --jsonl: operations on layouts of sizes and "
                     "strides, one JSON object a line"),
            cl::cat(Category));

static const char Overview[] =
    R"TEXT(simplifies indexing maps and answers questions about them

  echo '(d0) -> (d0 mod 8), domain: d0 in [0, 7]' | index-map
  index-map --check maps.txt
  index-map --eval d0=3,s0=1 maps.txt

Reads maps from FILE, or from stdin, and prints a line for each map, or each
pair of maps. A map is written as in XLA,

  (d0, d1)[s0]{rt0} -> (d0 floordiv 8, d1 + s0 + rt0),
    domain: d0 in [0, 9], d1 in [0, 4], s0 in [0, 1], rt0 in [0, 7],
            d0 + d1 in [0, 11]

with '//' comments, relations such as 'd0 < n' in the domain, and bounds that
may be inf or left out. It ends where its grammar ends, or at a blank line.

Modes, without one of which maps are simplified:
  --compose  the second map after the first, of every pair
  --eval     '(2, 5)', or '(2, 5) outside the domain' with a note why on stderr,
             or '(2, no value)' where the map divides by zero or leaves 64 bits
  --inverse  the map from results to variables
  --equal    'equal', 'not equal: REASON at d0=3, s0=1' or 'unknown', of every
             pair
  --check    the simplified map, if it has the same domain and results as what
             was written at all points, or at as many as --points allows (bounds
             inclusive, corners first, then random); a result that has no value
             as written is not compared
  --jsonl    answers JSON lines about expressions: {"id": 1,
             "vars": {"x": [0, 9]}, "input": "floormod(x, 10)"}
  --jsonl --tile
             answers JSON lines about tiles: {"id": 1, "map": "(d0)[s0] -> ...",
             "tile": [8], "at": [3]} gives the offset, size and stride of the
             elements that tile 3 of 8 elements touches, or the reason why
             these are no box; without "tile", the same for sizes t0, t1, ...
  --jsonl --axis
             answers JSON lines about one variable: {"id": 1, "map": "(d0) -> ...",
             "axis": "d0"} gives, for each result, how long the aligned runs of
             d0 are in which it grows by one (contiguity) or stays (constancy),
             and what it is a multiple of where runs begin (divisibility)
  --jsonl --layout
             answers JSON lines about layouts of sizes and strides: {"id": 1,
             "layout": "(4,8):(1,32)", "op": "divide", "by": "2:2"}; op is
             coalesce, complement, compose, divide or product

Exit status: 0 done; 1 an error in a map, which stops none of the others; 2 a
usage error. Of --jsonl: 0 also if answers say "error". Of --equal: 0 all pairs
are equal; 1 some are not; 2 an error in a map, or a usage error; 3 none is known
to differ, but of some it is unknown.
)TEXT";

namespace {
enum ExitCode {
  Done = 0,
  Failed = 1,
  WrongUsage = 2,
  // Of --equal, which has more to say; an error is 2 there, as for diff.
  AreNotEqual = 1,
  HasErrors = 2,
  IsUnknown = 3
};
} // namespace

static int report(const Twine &What) {
  errs() << "index-map: error: " << What << '\n';
  return WrongUsage;
}

/// The options that were given and are modes.
static SmallVector<StringRef, 2> modesGiven() {
  SmallVector<StringRef, 2> Modes;
  for (const cl::Option *Mode : std::initializer_list<const cl::Option *>{
           &Compose, &Eval, &Inverse, &Equal, &Check, &Jsonl})
    if (Mode->getNumOccurrences() > 0)
      Modes.push_back(Mode->ArgStr);
  return Modes;
}

/// Fills \p Options from the command line.
static Error readOptions(MapOptions &Options) {
  SmallVector<StringRef, 2> Modes = modesGiven();
  if (Modes.size() > 1)
    return createStringError("--" + Modes[0] + " beside --" + Modes[1] +
                             "; give one of them");
  if (Compose)
    Options.Mode = MapMode::Compose;
  else if (Eval.getNumOccurrences() > 0)
    Options.Mode = MapMode::Eval;
  else if (Inverse)
    Options.Mode = MapMode::Inverse;
  else if (Equal)
    Options.Mode = MapMode::Equal;
  else if (Check)
    Options.Mode = MapMode::Check;

  if (NoSimplify &&
      (Jsonl || Options.Mode == MapMode::Eval ||
       Options.Mode == MapMode::Inverse || Options.Mode == MapMode::Equal))
    return createStringError("--no-simplify beside --" + Modes[0] +
                             "; it goes with --compose and --check only");
  Options.Simplify = !NoSimplify;
  if (Readable && (Jsonl || Options.Mode == MapMode::Eval ||
                   Options.Mode == MapMode::Equal))
    return createStringError("--readable beside --" + Modes[0] +
                             ", which prints no map; leave it out");
  Options.Readable = Readable;
  if (Points.getNumOccurrences() > 0 && !Check)
    return createStringError("--points without --check; give both");
  SmallVector<StringRef, 2> Kinds;
  for (const cl::Option *Kind :
       std::initializer_list<const cl::Option *>{&Tile, &Axis, &Layouts})
    if (Kind->getNumOccurrences() > 0)
      Kinds.push_back(Kind->ArgStr);
  if (!Kinds.empty() && !Jsonl)
    return createStringError("--" + Kinds[0] + " without --jsonl; give both");
  if (Kinds.size() > 1)
    return createStringError("--" + Kinds[0] + " beside --" + Kinds[1] +
                             "; give one of them");
  if (!PagePath.empty() && !Tile)
    return createStringError("--html without --jsonl --tile; give all three");
  if (Points == 0)
    return createStringError("--points=0 checks nothing; give a number above");
  Options.MaxPoints = Points;
  Expected<std::vector<NamedValue>> Point = parsePoint(Eval);
  if (!Point)
    return createStringError("--eval: " + toString(Point.takeError()) +
                             "; write for example --eval d0=3,s0=1");
  Options.Point = std::move(*Point);
  return Error::success();
}

int main(int Argc, char **Argv) {
  sys::PrintStackTraceOnErrorSignal(Argv[0]);
  cl::HideUnrelatedOptions(Category);
  // With a stream for its errors the parser returns instead of exiting with 1,
  // which means "an error in a map" here.
  if (!cl::ParseCommandLineOptions(Argc, Argv, Overview, &errs()))
    return WrongUsage;
  MapOptions Options;
  if (Error E = readOptions(Options))
    return report(toString(std::move(E)));
  ErrorOr<std::unique_ptr<MemoryBuffer>> Input =
      MemoryBuffer::getFileOrSTDIN(InputPath, /*IsText=*/true);
  if (std::error_code EC = Input.getError())
    return report(InputPath + ": cannot read: " + EC.message() +
                  "; check the path");

  if (!PagePath.empty())
    if (Error E = checkOutputs({{"--html", PagePath}}, {{"", InputPath}}))
      return report(toString(std::move(E)));
  json::Array Tables;
  auto AnswerAndDraw = [&](const json::Object &Line) -> Expected<json::Object> {
    Expected<json::Object> Answer = answerTile(Line);
    if (!Answer || PagePath.empty())
      return Answer;
    Expected<json::Object> Table = tileTable(Line);
    if (!Table)
      return Table.takeError();
    Tables.push_back(std::move(*Table));
    return Answer;
  };

  // What comes first in the input comes first on a terminal.
  errs().tie(&outs());
  MapOutcome Outcome = MapOutcome::Done;
  if (Jsonl)
    answerJsonLines(**Input, outs(),
                    Tile      ? JsonAnswer(AnswerAndDraw)
                    : Axis    ? JsonAnswer(answerAxis)
                    : Layouts ? JsonAnswer(answerLayout)
                              : JsonAnswer(answerExpression));
  else
    Outcome = runMaps(**Input, Options, outs(), errs());
  if (!PagePath.empty())
    if (Error E =
            writeFile(PagePath, renderTilePage("index-map", std::move(Tables))))
      return report(toString(std::move(E)));
  outs().flush();
  if (std::error_code EC = outs().error()) {
    outs().clear_error();
    errs() << "index-map: error: cannot write: " << EC.message() << '\n';
    return Failed;
  }
  switch (Outcome) {
  case MapOutcome::Done:
    return Done;
  case MapOutcome::Unknown:
    return IsUnknown;
  case MapOutcome::NotEqual:
    return AreNotEqual;
  case MapOutcome::Failed:
    return Equal ? HasErrors : Failed;
  }
  llvm_unreachable("covered switch");
}
