//===- PtxWords.cpp - Names in text that is not parsed --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/text/PtxWords.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace unravel::ptx;

std::string unravel::ptx::replaceWords(StringRef Text, NameMap Rename) {
  auto IsPart = [](char C) {
    return isAlnum(C) || C == '_' || C == '$' || C == '%' || C == '.';
  };
  std::string Result;
  while (!Text.empty()) {
    StringRef Word = Text.take_while(IsPart);
    if (Word.empty())
      Result += Text.front();
    else
      // With a dollar it is no number, whatever else it is.
      Result +=
          isDigit(Word[0]) && !Word.contains('$') ? Word.str() : Rename(Word);
    Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
  }
  return Result;
}

void unravel::ptx::forEachWord(StringRef Text,
                               function_ref<void(StringRef)> Visit) {
  replaceWords(Text, [&](StringRef Word) {
    Visit(Word);
    return std::string();
  });
}

bool unravel::ptx::isUnparsed(const Operand &O) {
  return O.K == Operand::Kind::Other || any_of(O.Parts, isUnparsed);
}

void unravel::ptx::forEachName(
    const Operand &O,
    function_ref<void(StringRef Name, bool IsAddress)> Visit) {
  if (isUnparsed(O))
    return forEachWord(O.Text, [&](StringRef Word) { Visit(Word, false); });
  if (!O.Name.empty())
    Visit(O.Name, O.K == Operand::Kind::Address);
  for (const Operand &Part : O.Parts)
    forEachName(Part, Visit);
}
