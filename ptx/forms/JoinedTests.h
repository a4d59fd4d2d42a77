//===- JoinedTests.h - Selections by two tests ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `p and q ? x : c` is one selection, and ptxas makes the `and` a part of a
// test. LLVM's backend makes two selections of it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_JOINEDTESTS_H
#define UNRAVEL_PTX_FORMS_JOINEDTESTS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// Prints the tests as and.pred and or.pred.
void joinTests(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_JOINEDTESTS_H
