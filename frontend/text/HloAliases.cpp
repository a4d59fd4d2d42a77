//===- HloAliases.cpp - Results in the memory of parameters ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloAliases.h"
#include "frontend/hlo/HloTuples.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `(0, {}, may-alias)`, without the word `(0, {})`, or `0`.
static Error parseParameter(HloLexer &Lexer, HloAlias &Alias) {
  bool IsLong = Lexer.consumeIf("(");
  Expected<int64_t> Number = Lexer.parseInteger("the number of a parameter");
  if (!Number)
    return Number.takeError();
  Alias.Parameter = *Number;
  if (!IsLong)
    return Error::success();
  if (Error E = Lexer.expect(",", "behind the number of a parameter"))
    return E;
  Expected<HloNumbers> Index = Lexer.parseNumbers("the index in a parameter");
  if (!Index)
    return Index.takeError();
  Alias.InParameter = std::move(*Index);
  if (Lexer.consumeIf(",")) {
    Alias.IsMust = Lexer.isAt("must-alias");
    if (!Alias.IsMust && !Lexer.isAt("may-alias"))
      return Lexer.unexpected("'may-alias' or 'must-alias'");
    Lexer.next();
  }
  return Lexer.expect(")", "behind what has the memory of a parameter");
}

Error parseAliases(HloLexer &Lexer, std::vector<HloAlias> &Aliases) {
  if (Error E = Lexer.expect("{", "in front of the results"))
    return E;
  if (Lexer.consumeIf("}"))
    return Error::success();
  do {
    HloAlias Alias;
    Alias.Location = Lexer.location();
    Expected<HloNumbers> Output = Lexer.parseNumbers("the index of a result");
    if (!Output)
      return Output.takeError();
    Alias.Output = std::move(*Output);
    if (Error E = Lexer.expect(":", "and the parameter"))
      return E;
    if (Error E = parseParameter(Lexer, Alias))
      return E;
    Aliases.push_back(std::move(Alias));
  } while (Lexer.consumeIf(","));
  return Lexer.expect("}", "behind the results");
}

void print(raw_ostream &OS, ArrayRef<HloAlias> Aliases) {
  if (Aliases.empty())
    return;
  OS << ", input_output_alias={ ";
  ListSeparator Separator;
  for (const HloAlias &Alias : Aliases)
    OS << Separator << textOfIndex(Alias.Output) << ": (" << Alias.Parameter
       << ", " << textOfIndex(Alias.InParameter) << ", "
       << (Alias.IsMust ? "must-alias" : "may-alias") << ')';
  OS << " }";
}

//===----------------------------------------------------------------------===//
// Whether they make sense
//===----------------------------------------------------------------------===//

/// \p Shape for a message; long ones end in dots.
static std::string shown(const HloShape &Shape) {
  constexpr size_t MaxLength = 200;
  std::string Text = Shape.str();
  if (Text.size() > MaxLength)
    Text.replace(MaxLength, std::string::npos, "...");
  return Text;
}

Error verifyAliases(const HloModule &Module) {
  std::set<std::vector<int64_t>> Outputs;
  std::set<std::pair<int64_t, std::vector<int64_t>>> Parameters;
  for (const HloAlias &Alias : Module.Aliases) {
    auto Problem = [&](const Twine &What) {
      return createStringError(Module.BufferName + ":" +
                               Twine(Alias.Location.Line) + ":" +
                               Twine(Alias.Location.Column) +
                               ": error: input_output_alias: " + What);
    };
    std::string Output = "result " + textOfIndex(Alias.Output);
    std::string Parameter = "parameter " + itostr(Alias.Parameter);
    const HloComputation &Entry = Module.entry();
    if (Alias.Parameter < 0 ||
        size_t(Alias.Parameter) >= Entry.parameters().size())
      return Problem("there is no " + Parameter + "; the entry has " +
                     Twine(Entry.parameters().size()));
    const HloShape *To = shapeAt(Entry.root().shape(), Alias.Output);
    const HloShape *From =
        shapeAt(Entry.parameter(Alias.Parameter).shape(), Alias.InParameter);
    if (!Alias.InParameter.empty())
      Parameter += " " + textOfIndex(Alias.InParameter);
    if (!To || To->isTuple())
      return Problem(Output + " is no array of the entry's result, which is " +
                     shown(Entry.root().shape()));
    if (!From || From->isTuple())
      return Problem(Parameter +
                     " is no array of the entry's parameter, which "
                     "is " +
                     shown(Entry.parameter(Alias.Parameter).shape()));
    if (*To != *From)
      return Problem(Output + " is " + To->str() + ", but " + Parameter +
                     " is " + From->str() +
                     "; what shares memory has one shape and layout");
    if (!Outputs.insert(Alias.Output).second)
      return Problem(Output + " has the memory of a parameter already; remove "
                              "one");
    if (!Parameters.insert({Alias.Parameter, Alias.InParameter}).second)
      return Problem(Parameter + " has a result in its memory already; remove "
                                 "one");
  }
  return Error::success();
}

} // namespace unravel
