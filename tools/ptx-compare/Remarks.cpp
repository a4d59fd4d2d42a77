//===- Remarks.cpp - What the pass said of kernels ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/Remarks.h"
#include "tools/ptx-compare/SourceTexts.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkParser.h"

using namespace llvm;
using namespace unravel;

static PassRemark fromRecord(const remarks::Remark &R) {
  PassRemark Result;
  Result.Function = R.FunctionName.str();
  Result.Name = R.RemarkName.str();
  Result.IsMissed = R.RemarkType == remarks::Type::Missed;
  if (R.Loc) {
    Result.File = R.Loc->SourceFilePath.str();
    Result.Line = R.Loc->SourceLine;
    Result.Column = R.Loc->SourceColumn;
  }
  for (const remarks::Argument &A : R.Args) {
    Result.Text += A.Val;
    if (A.Key == "Line" || A.Key == "Lines" ||
        (A.Key == "Others" && Result.Fact.empty()))
      Result.Fact = A.Val.str();
  }
  return Result;
}

Expected<std::vector<PassRemark>> unravel::readRemarks(StringRef Yaml) {
  std::vector<PassRemark> Remarks;
  // The parser takes no empty text: nothing was said.
  if (Yaml.trim().empty())
    return Remarks;
  Expected<std::unique_ptr<remarks::RemarkParser>> Parser =
      remarks::createRemarkParser(remarks::Format::YAML, Yaml);
  if (!Parser)
    return Parser.takeError();
  while (true) {
    Expected<std::unique_ptr<remarks::Remark>> Next = (*Parser)->next();
    if (!Next) {
      Error E = Next.takeError();
      if (!E.isA<remarks::EndOfFileError>())
        return E;
      consumeError(std::move(E));
      return Remarks;
    }
    const remarks::Remark &R = **Next;
    bool IsTold = R.RemarkType == remarks::Type::Passed ||
                  R.RemarkType == remarks::Type::Missed;
    if (IsTold && R.PassName == "index-simplify")
      Remarks.push_back(fromRecord(R));
  }
}

void unravel::addSourceLines(std::vector<PassRemark> &Remarks) {
  SourceTexts Texts;
  for (PassRemark &R : Remarks)
    R.SourceLine = Texts.line(R.File, R.Line);
}
