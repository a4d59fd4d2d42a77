//===- MapTextFuzzer.cpp - Any bytes as the text of a map -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses, prints, parses again and simplifies. Besides not crashing, the text
// that is printed has to parse to the same map.
//
//===----------------------------------------------------------------------===//

#include "analysis/IndexingMapText.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace unravel;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  IndexContext Context({256, 48});
  StringRef Text(reinterpret_cast<const char *>(Data), Size);
  Expected<IndexingMap> Map = parseIndexingMap(Context, Text);
  if (!Map) {
    consumeError(Map.takeError());
    return 0;
  }
  std::string Printed = toString(*Map);
  Expected<IndexingMap> Again = parseIndexingMap(Context, Printed);
  if (!Again)
    report_fatal_error(Twine("what was printed does not parse: ") + Printed +
                       "\n" + toString(Again.takeError()));
  if (!Map->isKnownEmpty() && *Again != *Map)
    report_fatal_error(Twine("what was printed is another map: ") + Printed);
  IndexingMap Simple = Map->simplified();
  if (Simple.simplified() != Simple)
    report_fatal_error(Twine("not simplified at once: ") + Printed);
  return 0;
}
