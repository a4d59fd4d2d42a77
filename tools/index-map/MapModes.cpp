//===- MapModes.cpp - What index-map does with maps -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every map, or pair of maps, has a context of its own: the answer for one does
// not depend on what else is in the file.
//
//===----------------------------------------------------------------------===//

#include "tools/index-map/MapModes.h"
#include "analysis/maps/IndexingMapEquality.h"
#include "analysis/maps/IndexingMapOps.h"
#include "analysis/maps/ReadableMap.h"
#include "tools/index-map/MapCheck.h"
#include "tools/index-map/MapReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

/// For text, which may be generated.
static constexpr IndexLimits TextLimits{1u << 16, 64};

namespace {
class ModeRunner {
public:
  ModeRunner(MemoryBufferRef Input, const MapOptions &Options, raw_ostream &Out,
             raw_ostream &Err)
      : Reader(Input), Options(Options), Out(Out), Err(Err) {}

  MapOutcome run();

private:
  Error runOne(const MapSyntax &Map);
  Error runPair(const MapSyntax &First, const MapSyntax &Second);

  Error simplify(const MapSyntax &Syntax);
  Error evaluate(const MapSyntax &Syntax);
  Error invert(const MapSyntax &Syntax);
  Error check(const MapSyntax &Syntax);
  Error composePair(const MapSyntax &First, const MapSyntax &Second);
  Error comparePair(const MapSyntax &First, const MapSyntax &Second);

  std::string textOf(const IndexingMap &Map) const {
    if (Options.Readable)
      return toReadableString(Options.Simplify ? Map.simplified() : Map);
    return Options.Simplify ? toSimplestString(Map) : toString(Map);
  }
  void note(const Twine &What) { Err << "index-map: note: " << What << '\n'; }
  void record(MapOutcome Outcome) { Worst = std::max(Worst, Outcome); }
  void report(Error E);

  MapReader Reader;
  const MapOptions &Options;
  raw_ostream &Out, &Err;
  MapOutcome Worst = MapOutcome::Done;
};
} // namespace

MapOutcome ModeRunner::run() {
  bool Pairs =
      Options.Mode == MapMode::Compose || Options.Mode == MapMode::Equal;
  if (Reader.atEnd())
    report(createStringError("index-map: error: " + Reader.name() +
                             ": no map; write one, such as '(d0) -> (d0 mod "
                             "4), domain: d0 in [0, 9]'"));
  while (!Reader.atEnd()) {
    Expected<MapSyntax> First = Reader.next();
    if (!Pairs) {
      report(First ? runOne(*First) : First.takeError());
      continue;
    }
    if (Reader.atEnd()) {
      report(First ? Reader.error(First->Offset,
                                  "the last map has no partner; give an even "
                                  "number of maps")
                   : First.takeError());
      break;
    }
    Expected<MapSyntax> Second = Reader.next();
    if (First && Second)
      report(runPair(*First, *Second));
    else
      report(joinErrors(First.takeError(), Second.takeError()));
  }
  return Worst;
}

void ModeRunner::report(Error E) {
  handleAllErrors(std::move(E), [&](const ErrorInfoBase &Info) {
    Err << Info.message() << '\n';
    record(MapOutcome::Failed);
  });
}

Error ModeRunner::runOne(const MapSyntax &Map) {
  switch (Options.Mode) {
  case MapMode::Eval:
    return evaluate(Map);
  case MapMode::Inverse:
    return invert(Map);
  case MapMode::Check:
    return check(Map);
  default:
    return simplify(Map);
  }
}

Error ModeRunner::runPair(const MapSyntax &First, const MapSyntax &Second) {
  return Options.Mode == MapMode::Compose ? composePair(First, Second)
                                          : comparePair(First, Second);
}

//===----------------------------------------------------------------------===//
// One map
//===----------------------------------------------------------------------===//

Error ModeRunner::simplify(const MapSyntax &Syntax) {
  IndexContext Context(TextLimits);
  Expected<IndexingMap> Map = Reader.lower(Context, Syntax);
  if (!Map)
    return Map.takeError();
  Out << textOf(*Map) << '\n';
  return Error::success();
}

Error ModeRunner::check(const MapSyntax &Syntax) {
  IndexContext Context(TextLimits);
  Expected<IndexingMap> Map = Reader.lower(Context, Syntax);
  if (!Map)
    return Map.takeError();
  std::string Text = textOf(*Map);
  Out << Text << '\n';
  CheckResult Result = checkText(Syntax, *Map, Text, Options.MaxPoints);
  if (!Result.Difference.empty())
    return Reader.error(Syntax.Offset, "the printed map is not the map as "
                                       "written: " +
                                           Result.Difference);
  if (Result.PointsInDomain == 0 && Text != "KNOWN EMPTY")
    note("none of the " + Twine(Result.Points) +
         " points looked at is in the domain of the map; no result was "
         "compared");
  return Error::success();
}

Error ModeRunner::invert(const MapSyntax &Syntax) {
  IndexContext Context(TextLimits);
  Expected<IndexingMap> Map = Reader.lower(Context, Syntax);
  if (!Map)
    return Map.takeError();
  std::string WhyNot;
  std::optional<IndexingMap> Inverse = inverseOf(*Map, &WhyNot);
  if (!Inverse)
    return Reader.error(Syntax.Offset, "no inverse: " + WhyNot);
  Out << textOf(*Inverse) << '\n';
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Pairs of maps
//===----------------------------------------------------------------------===//

Error ModeRunner::composePair(const MapSyntax &First, const MapSyntax &Second) {
  // The text does not say what variables an empty map has.
  if (First.KnownEmpty || Second.KnownEmpty) {
    Out << "KNOWN EMPTY\n";
    return Error::success();
  }
  if (First.Results.size() != Second.Dimensions.size())
    return Reader.error(
        Second.Offset,
        "the map in front of this one has " + Twine(First.Results.size()) +
            " results, this one has " + Twine(Second.Dimensions.size()) +
            " dimensions; give it one for each result");
  IndexContext Context(TextLimits);
  Expected<IndexingMap> A = Reader.lower(Context, First);
  if (!A)
    return A.takeError();
  Expected<IndexingMap> B = Reader.lower(Context, Second);
  if (!B)
    return B.takeError();
  std::optional<IndexingMap> Both = compose(*A, *B);
  if (!Both)
    return Reader.error(Second.Offset,
                        "after the map in front of it, this one leaves 64 "
                        "bits, or has an expression that is too large");
  Out << textOf(*Both) << '\n';
  return Error::success();
}

/// The empty map with the variables and results of \p Other.
static IndexingMap emptyLike(const IndexingMap &Other) {
  return IndexingMap::empty(Other.context(), Other.variables(),
                            Other.results().size());
}

Error ModeRunner::comparePair(const MapSyntax &First, const MapSyntax &Second) {
  IndexContext Context(TextLimits);
  Expected<IndexingMap> A = Reader.lower(Context, First);
  if (!A)
    return A.takeError();
  Expected<IndexingMap> B = Reader.lower(Context, Second);
  if (!B)
    return B.takeError();
  // "KNOWN EMPTY" does not say what variables it has: those of the other map.
  if (First.KnownEmpty)
    *A = emptyLike(*B);
  else if (Second.KnownEmpty)
    *B = emptyLike(*A);
  MapEquality Equality = compareMaps(*A, *B);
  switch (Equality.AreEqual) {
  case Answer::Yes:
    Out << "equal\n";
    return Error::success();
  case Answer::No:
    Out << "not equal: " << Equality.Reason;
    if (!Equality.Counterexample.empty())
      Out << " at "
          << describePoint(variablesOf(First), Equality.Counterexample);
    Out << '\n';
    record(MapOutcome::NotEqual);
    return Error::success();
  case Answer::Unknown:
    Out << "unknown\n";
    record(MapOutcome::Unknown);
    return Error::success();
  }
  llvm_unreachable("covered switch");
}

//===----------------------------------------------------------------------===//
// Values at a point
//===----------------------------------------------------------------------===//

Error ModeRunner::evaluate(const MapSyntax &Syntax) {
  std::vector<std::string> Names = variablesOf(Syntax);
  StringMap<int64_t> Values;
  for (const NamedValue &V : Options.Point) {
    if (!Syntax.KnownEmpty && !is_contained(Names, V.Name))
      return Reader.error(Syntax.Offset,
                          "--eval has a value for '" + V.Name +
                              "', which is no variable of this map" +
                              (Names.empty() ? "" : "; it has ") +
                              join(Names, ", "));
    Values[V.Name] = V.Value;
  }
  erase_if(Names,
           [&](const std::string &Name) { return Values.contains(Name); });
  if (!Names.empty())
    return Reader.error(Syntax.Offset,
                        "--eval has no value for " + join(Names, ", ") +
                            "; add " + join(Names, "=0,") + "=0 for example");

  auto ValueOf = [&](StringRef Name) -> std::optional<int64_t> {
    return Values.lookup(Name);
  };
  Out << '(';
  ListSeparator Comma;
  for (const SyntaxTree &Result : Syntax.Results)
    Out << Comma << describeValue(unravel::evaluate(Result, ValueOf));
  Out << ')';
  if (Syntax.contains(ValueOf)) {
    Out << '\n';
    return Error::success();
  }
  Out << " outside the domain\n";
  auto Broken = find_if(Syntax.Facts, [&](const MapSyntax::Fact &F) {
    return !MapSyntax::holds(F, ValueOf).value_or(false);
  });
  note(Syntax.KnownEmpty ? "the map has no points"
                         : "outside the domain: " + describeFact(*Broken));
  return Error::success();
}

MapOutcome runMaps(MemoryBufferRef Input, const MapOptions &Options,
                   raw_ostream &Out, raw_ostream &Err) {
  return ModeRunner(Input, Options, Out, Err).run();
}

} // namespace unravel
