//===- InlinedPlaces.cpp - Places that .loc directives need ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/InlinedPlaces.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

/// The three numbers that \p Text begins with.
static std::string placeIn(StringRef Text) {
  SmallVector<StringRef, 8> Words;
  SplitString(Text, Words, " \t\n,;");
  return join(ArrayRef(Words).take_front(3), " ");
}

std::string unravel::ptx::placeOf(StringRef Directive) {
  return placeIn(Directive.split(".loc").second);
}

std::string unravel::ptx::placeOfCall(StringRef Directive) {
  return placeIn(Directive.split("inlined_at").second);
}

void unravel::ptx::InlinedPlaces::print(size_t Index, raw_ostream &OS) {
  StringRef Directive = Places[Index];
  std::string Call = placeOfCall(Directive);
  if (!Call.empty() && !Printed.contains(Call)) {
    // The nearest one above: a place may be of several inlined calls. What a
    // call needs stands above it, so this ends.
    size_t Above = Index;
    while (Above && placeOf(Places[Above - 1]) != Call)
      --Above;
    if (Above) {
      print(Above - 1, OS);
    } else {
      OS << "\t.loc\t" << Call << '\n';
      Printed.insert(Call);
    }
  }
  OS << '\t' << Directive << '\n';
  Printed.insert(placeOf(Directive));
}
