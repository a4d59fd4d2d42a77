//===- PassParameters.cpp - Parameters of passes as text ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/PassParameters.h"
#include "transforms/simplify/IndexSimplify.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// index-simplify<...>
//===----------------------------------------------------------------------===//

/// The switches of index-simplify<addresses;no-values;...>.
static std::pair<StringRef, bool IndexSimplifyOptions::*> Switches[] = {
    {"addresses", &IndexSimplifyOptions::Addresses},
    {"comparisons", &IndexSimplifyOptions::Comparisons},
    {"values", &IndexSimplifyOptions::Values},
    {"verify", &IndexSimplifyOptions::Verify},
    {"certify", &IndexSimplifyOptions::Certify}};

Expected<IndexSimplifyOptions>
parseIndexSimplifyParameters(StringRef Parameters,
                             IndexSimplifyOptions Options) {
  while (!Parameters.empty()) {
    auto [Name, Rest] = Parameters.split(';');
    Parameters = Rest;
    StringRef Plain = Name;
    bool Value = !Plain.consume_front("no-");
    bool Known = false;
    for (auto &[SwitchName, Member] : Switches)
      if (Plain == SwitchName) {
        Options.*Member = Value;
        Known = true;
      }
    if (!Known)
      return make_error<StringError>("index-simplify: unknown parameter '" +
                                         Name +
                                         "'; known are addresses, comparisons, "
                                         "values, verify, certify, and each "
                                         "with no- in front",
                                     inconvertibleErrorCode());
  }
  return Options;
}

void IndexSimplifyPass::printPipeline(
    raw_ostream &OS, function_ref<StringRef(StringRef)> MapClassName2PassName) {
  OS << MapClassName2PassName(name()) << '<';
  ListSeparator Semicolon(";");
  for (auto &[Name, Member] : Switches)
    OS << Semicolon << (Options.*Member ? "" : "no-") << Name;
  OS << '>';
}

//===----------------------------------------------------------------------===//
// index-facts<...>
//===----------------------------------------------------------------------===//

using FactsMode = enum IndexFactsOptions::Mode;
static std::pair<StringRef, FactsMode> FactsModes[] = {
    {"record", FactsMode::Record},
    {"lend", FactsMode::Lend},
    {"withdraw", FactsMode::Withdraw},
    {"state", FactsMode::State},
    {"forget", FactsMode::Forget}};

Expected<FactsMode> parseIndexFactsMode(StringRef Parameters) {
  if (Parameters.empty())
    return FactsMode::Record;
  for (auto [Name, Mode] : FactsModes)
    if (Parameters == Name)
      return Mode;
  return make_error<StringError>(
      "index-facts: unknown parameter '" + Parameters +
          "'; known are record, lend, withdraw, state, forget",
      inconvertibleErrorCode());
}

void IndexFactsPass::printPipeline(
    raw_ostream &OS, function_ref<StringRef(StringRef)> MapClassName2PassName) {
  OS << MapClassName2PassName(name());
  for (auto [Name, Mode] : FactsModes)
    if (Mode == Options.Mode)
      OS << '<' << Name << '>';
}

} // namespace unravel
