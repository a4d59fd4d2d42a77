//===- SyntaxTestHelper.h - Syntax trees for tests --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_SYNTAXTESTHELPER_H
#define UNRAVEL_TEST_UNIT_SYNTAXTESTHELPER_H

#include "analysis/syntax/IndexSyntax.h"
#include "gtest/gtest.h"

namespace unravel::test {

inline SyntaxTree parse(llvm::StringRef Text) {
  llvm::Expected<SyntaxTree> Tree = parseSyntax(Text, "<test>");
  if (Tree)
    return *Tree;
  ADD_FAILURE() << toString(Tree.takeError());
  return syntaxNumber(0);
}

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_SYNTAXTESTHELPER_H
