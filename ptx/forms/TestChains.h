//===- TestChains.h - Several tests in one predicate ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A comparison of machine code takes one predicate with it:
//
//     or.pred %q, %known, ...          ISETP.LT.OR Q, X, 0, KNOWN
//     or.pred %p, %x_test, %q          ISETP.GE.OR P, Y, N, Q
//
// LLVM puts what a loop does not change outermost: known | (x_test | y_test),
// for which ptxas compares once more. So predicates that are there come first.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_TESTCHAINS_H
#define UNRAVEL_PTX_FORMS_TESTCHAINS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// In the last IR before the backend.
void orderTestChains(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_TESTCHAINS_H
