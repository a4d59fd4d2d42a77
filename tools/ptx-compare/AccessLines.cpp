//===- AccessLines.cpp - The maps of a kernel's accesses ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/AccessLines.h"
#include "tools/ptx-compare/SourceTexts.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace unravel;

/// "load float %in at k.cu:5: (th_x) -> (th_x)"; the place is known with debug
/// info only.
static AccessLine parseAccess(StringRef Function, StringRef Text) {
  AccessLine Result;
  Result.Function = Function.str();
  auto [Access, Map] = Text.split(": ");
  Result.Map = Map.str();
  if (Map.starts_with("(") && Access.consume_back(" bytes"))
    Result.Map += " in bytes";
  auto [What, Place] = Access.rsplit(" at ");
  auto [File, Line] = Place.rsplit(':');
  if (!Line.getAsInteger(10, Result.Line)) {
    Access = What;
    Result.File = File.str();
  }
  Result.Access = Access.str();
  return Result;
}

std::vector<AccessLine> unravel::readAccessLines(StringRef Printed) {
  std::vector<AccessLine> Accesses;
  SmallVector<StringRef, 0> Lines;
  Printed.split(Lines, '\n');
  StringRef Function;
  for (StringRef Line : Lines) {
    if (Line.consume_front("Indexing maps of ")) {
      Function = Line.drop_back(1);
    } else if (!Line.consume_front("  ") || Function.empty()) {
      Function = "";
    } else if (Line.starts_with(" ") && !Accesses.empty()) {
      Accesses.back().Map += ("\n" + Line.ltrim()).str();
    } else {
      Accesses.push_back(parseAccess(Function, Line));
    }
  }
  return Accesses;
}

void unravel::addSourceLines(std::vector<AccessLine> &Accesses) {
  SourceTexts Texts;
  for (AccessLine &A : Accesses)
    A.SourceLine = Texts.line(A.File, A.Line);
}
