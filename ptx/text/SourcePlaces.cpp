//===- SourcePlaces.cpp - Where code of PTX comes from --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/text/SourcePlaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace unravel::ptx;

/// The numbers behind \p Name; what is missing is 0.
static std::optional<LineNumbers> numbersBehind(StringRef Name,
                                                StringRef Directive) {
  StringRef Rest = Directive.split(Name).second;
  unsigned Numbers[3] = {};
  for (unsigned &Number : Numbers) {
    Rest = Rest.ltrim();
    if (Rest.consumeInteger(10, Number)) {
      if (&Number == Numbers)
        return std::nullopt;
      break;
    }
  }
  return LineNumbers(Numbers[0], Numbers[1], Numbers[2]);
}

std::optional<LineNumbers> unravel::ptx::lineNumbers(StringRef Directive) {
  return Directive.starts_with(".loc") ? numbersBehind(".loc", Directive)
                                       : std::nullopt;
}

std::optional<LineNumbers> unravel::ptx::callNumbers(StringRef Directive) {
  return numbersBehind("inlined_at", Directive);
}

std::string unravel::ptx::toString(const LineNumbers &Numbers) {
  auto [File, Line, Column] = Numbers;
  return (Twine(File) + " " + Twine(Line) + " " + Twine(Column)).str();
}

SourcePlaces::SourcePlaces(const Module &M, StringRef BufferName)
    : BufferName(BufferName) {
  Lines.push_back(M.Text.begin());
  for (const char &C : M.Text)
    if (C == '\n')
      Lines.push_back(&C + 1);
  auto Note = [&](const Directive *D) {
    if (D && D->Name == "file")
      noteFile(D->Rest);
  };
  for (const Item &I : M.Items) {
    Note(I.as<Directive>());
    if (auto *F = I.as<Function>())
      for (const Statement &S : F->Body)
        Note(S.as<Directive>());
  }
}

/// `1 "path"`, and more that does not matter.
void SourcePlaces::noteFile(StringRef Rest) {
  unsigned Number;
  Rest = Rest.ltrim();
  if (!Rest.consumeInteger(10, Number))
    Files[Number] = Rest.split('"').second.split('"').first;
}

SourcePlace SourcePlaces::placeOf(StringRef Text) const {
  if (std::optional<LineNumbers> Numbers = lineNumbers(Text)) {
    auto [File, Line, Column] = *Numbers;
    if (auto It = Files.find(File); It != Files.end())
      return {It->second.str(), Line, Column};
  }
  auto Behind = upper_bound(Lines, Text.begin());
  return {BufferName, static_cast<unsigned>(Behind - Lines.begin()),
          static_cast<unsigned>(Text.begin() - *std::prev(Behind) + 1)};
}
