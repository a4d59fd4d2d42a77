//===- MapTextFuzzer.cpp - Any bytes as the text of a map -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses, prints, parses again and simplifies. Besides not crashing, the text
// that is printed has to parse, to a map with the same values; and simplifying
// twice has to be simplifying once. A map may be refused on the way back by the
// limits of the algebra, or for a division by zero in a part that had no value
// before either (1 floordiv !d0, say).
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/IndexingMapText.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace unravel;

/// Compares the results at a few points, where both maps have them.
static void compareValues(const IndexingMap &A, const IndexingMap &B) {
  if (A.numVariables() != B.numVariables() ||
      A.results().size() != B.results().size())
    report_fatal_error("what was printed has another shape");
  for (int64_t Step : {0, 1, 2, 5, -3}) {
    IndexingMap::Point P;
    for (size_t I = 0; I < A.numVariables(); ++I)
      P.push_back(Step * int64_t(I + 1));
    for (size_t I = 0; I < A.results().size(); ++I) {
      std::optional<int64_t> X = A.evaluate(A.result(I), P);
      std::optional<int64_t> Y = B.evaluate(B.result(I), P);
      if (X && Y && *X != *Y)
        report_fatal_error("what was printed has another value");
    }
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  IndexContext Context({256, 48});
  StringRef Text(reinterpret_cast<const char *>(Data), Size);
  Expected<IndexingMap> Map = parseIndexingMap(Context, Text);
  if (!Map) {
    consumeError(Map.takeError());
    return 0;
  }
  std::string Printed = toString(*Map);
  Expected<MapSyntax> Syntax = parseMapSyntax(Printed, "<printed>");
  if (!Syntax)
    report_fatal_error(Twine("what was printed does not parse: ") + Printed +
                       "\n" + toString(Syntax.takeError()));
  Expected<IndexingMap> Again =
      lowerMap(Context, *Syntax, Printed, "<printed>");
  if (!Again) {
    consumeError(Again.takeError());
    return 0;
  }
  if (!Map->isKnownEmpty() && !Again->isKnownEmpty())
    compareValues(*Map, *Again);
  IndexingMap Simple = Map->simplified();
  if (Simple.simplified() != Simple)
    report_fatal_error(Twine("not simplified at once: ") + Printed);
  return 0;
}
