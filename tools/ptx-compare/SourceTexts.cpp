//===- SourceTexts.cpp - Lines of sources ---------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/SourceTexts.h"
#include "tools/files/OutputFile.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace unravel;

std::string SourceTexts::line(StringRef File, unsigned Line) {
  if (File.empty() || Line == 0)
    return "";
  auto [It, IsNew] = Texts.try_emplace(File);
  if (IsNew) {
    Expected<std::string> Text = readFile(File);
    if (Text)
      It->second = std::move(*Text);
    else
      consumeError(Text.takeError());
  }
  SmallVector<StringRef, 0> Lines;
  StringRef(It->second).split(Lines, '\n', Line);
  if (Line > Lines.size())
    return "";
  return Lines[Line - 1].split('\n').first.rtrim().str();
}
