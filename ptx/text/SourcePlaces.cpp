//===- SourcePlaces.cpp - Where code of PTX comes from --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/text/SourcePlaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace unravel::ptx;

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
  if (StringRef Rest = Text; Rest.consume_front(".loc")) {
    unsigned Numbers[3] = {}; // file, line, column
    for (unsigned &Number : Numbers) {
      Rest = Rest.ltrim();
      if (Rest.consumeInteger(10, Number))
        break;
    }
    if (auto It = Files.find(Numbers[0]); It != Files.end())
      return {It->second.str(), Numbers[1], Numbers[2]};
  }
  auto Behind = upper_bound(Lines, Text.begin());
  return {BufferName, static_cast<unsigned>(Behind - Lines.begin()),
          static_cast<unsigned>(Text.begin() - *std::prev(Behind) + 1)};
}
