//===- ExitTests.h - Counters by themselves in exit tests -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that nvcc unrolls ends where `counter + a == 0`, and LLVM makes
// `-step - counter == a` of that. ptxas unrolls neither: it needs a counter by
// itself on one side, and a value that the loop does not change on the other.
// This moves the rest there, in front of the loop.
//
// Proof: x + c == b, x - c == b and c - x == b hold for the same x as x == b -
// c, x == b + c and x == c - b, in numbers modulo 2^n; no operation may be
// marked as free of overflow.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_FORMS_EXITTESTS_H
#define UNRAVEL_PTX_FORMS_EXITTESTS_H

#include "llvm/IR/Function.h"

namespace unravel::ptx {

/// Changes the tests for (un)equal numbers by which loops of \p F end.
void isolateCounters(llvm::Function &F);

/// Marks the loops of \p F, which is as it was lifted, that ptxas does not
/// unroll because their tests hide the counter. It would unroll what becomes of
/// them, the copies that the first compiler made included: for time that is
/// good (0.6 of it for two of six kernels on an H200, the same for four), but
/// code gets up to three times as long.
void keepHiddenCounters(llvm::Function &F);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_FORMS_EXITTESTS_H
