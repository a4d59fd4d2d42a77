//===- JsonlFuzzer.cpp - Any bytes as a line of a batch -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every line gets an answer about an expression and one about a tile, and the
// answers are JSON.
//
//===----------------------------------------------------------------------===//

#include "analysis/json/JsonLines.h"
#include "tools/index-map/BatchMode.h"
#include "tools/index-map/TileBatch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Line(reinterpret_cast<const char *>(Data), Size);
  for (const std::string &Answer :
       {unravel::answerJsonLine(Line, unravel::answerExpression),
        unravel::answerJsonLine(Line, unravel::answerTile)}) {
    Expected<json::Value> Parsed = json::parse(Answer);
    if (!Parsed || !Parsed->getAsObject())
      report_fatal_error(Twine("the answer is no JSON object: ") + Answer);
  }
  return 0;
}
