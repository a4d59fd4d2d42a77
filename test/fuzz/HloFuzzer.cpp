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

#include "frontend/HloEvaluator.h"
#include "frontend/HloParser.h"
#include "frontend/HloPrinter.h"
#include "frontend/HloVerifier.h"
#include "frontend/ThreadMaps.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace unravel;

static uint64_t bytesOf(const HloShape &Shape) {
  uint64_t Sum = Shape.isArray() ? Shape.byteSize() : 0;
  for (const HloShape &Element : Shape.elements())
    Sum = SaturatingAdd(Sum, bytesOf(Element));
  return Sum;
}

static void evaluate(const HloModule &Module) {
  HloEvaluatorLimits Limits;
  Limits.MaxBytes = Limits.MaxSteps = 20000;
  std::vector<HloLiteral> Arguments;
  for (const HloInstruction *Parameter : Module.entry().parameters()) {
    if (bytesOf(Parameter->shape()) > Limits.MaxBytes)
      return;
    Arguments.emplace_back(Parameter->shape());
  }
  Expected<HloLiteral> Value = evaluateHlo(Module, Arguments, Limits);
  if (!Value) {
    std::string Message = toString(Value.takeError());
    if (!StringRef(Message).contains("the reference evaluator would"))
      report_fatal_error(Twine("what was verified has no value: ") + Message);
  } else if (Value->shape() != Module.entry().root().shape()) {
    report_fatal_error("the value has another shape");
  }
}

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
  evaluate(**Module);
  analyse(**Module);
  return 0;
}
