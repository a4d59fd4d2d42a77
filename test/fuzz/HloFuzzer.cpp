//===- HloFuzzer.cpp - Any bytes as an HLO module -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses, prints, verifies, evaluates and analyses. Besides not crashing, the
// text that is printed has to parse to the same text, and a module that is
// verified has a value of the root's shape, or exceeds a limit.
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/ThreadMaps.h"
#include "frontend/text/HloParser.h"
#include "frontend/text/HloPrinter.h"
#include "frontend/verify/HloVerifier.h"
#include "test/unit/HloValueCheck.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace unravel;

/// Finds the maps of the entry, or says that they are unknown.
static void analyse(const HloModule &Module) {
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  std::string Text;
  raw_string_ostream OS(Text);
  printIndexing(OS, Module.entry(), Analysis);
  for (const HloInstruction &I : Module.entry().instructions())
    if (I.shape().isArray())
      threadMap(I.shape(), launchFor(I.shape()), Context);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text(reinterpret_cast<const char *>(Data), Size);
  std::vector<std::string> Warnings;
  Expected<std::unique_ptr<HloModule>> Module =
      parseHlo(Text, "<input>", Warnings);
  if (!Module) {
    consumeError(Module.takeError());
    return 0;
  }
  std::string Printed = toString(**Module);
  Expected<std::unique_ptr<HloModule>> Again =
      parseHlo(Printed, "<printed>", Warnings);
  if (!Again)
    report_fatal_error(Twine("what was printed does not parse: ") + Printed +
                       "\n" + toString(Again.takeError()));
  if (toString(**Again) != Printed)
    report_fatal_error(Twine("what was printed is printed otherwise: ") +
                       Printed);
  if (Error E = verifyHlo(**Module)) {
    consumeError(std::move(E));
    return 0;
  }
  std::string Problem = problemOfValue(**Module, 20000);
  if (!Problem.empty())
    report_fatal_error(Twine(Problem));
  analyse(**Module);
  return 0;
}
