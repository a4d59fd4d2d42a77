//===- JsonNesting.cpp - JSON that LLVM's parser survives -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/json/JsonNesting.h"

using namespace llvm;

bool unravel::nestsTooDeep(StringRef Text) {
  // What is not JSON may be counted wrongly: the parser stops there.
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (C == '"') {
      InString = !InString;
    } else if (InString) {
      I += C == '\\';
    } else if (C == '[' || C == '{') {
      if (++Depth > MaxJsonNesting)
        return true;
    } else if ((C == ']' || C == '}') && Depth > 0) {
      --Depth;
    }
  }
  return false;
}
