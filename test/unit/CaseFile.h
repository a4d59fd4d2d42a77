//===- CaseFile.h - Facts collected from other systems' tests ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the files of test/Inputs with one JSON object a line.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_CASEFILE_H
#define UNRAVEL_TEST_UNIT_CASEFILE_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <vector>

namespace unravel::test {

inline std::vector<llvm::json::Value> readCases(const std::string &FileName) {
  std::vector<llvm::json::Value> Cases;
  auto Buffer = llvm::MemoryBuffer::getFile(UNRAVEL_TEST_INPUTS "/" + FileName);
  if (!Buffer) {
    ADD_FAILURE() << "cannot read " << FileName;
    return Cases;
  }
  llvm::SmallVector<llvm::StringRef, 0> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Line : Lines)
    if (llvm::Expected<llvm::json::Value> V = llvm::json::parse(Line))
      Cases.push_back(std::move(*V));
    else
      ADD_FAILURE() << toString(V.takeError());
  return Cases;
}

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_CASEFILE_H
