//===- ProofTestHelper.h - Proofs for tests ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_PROOFTESTHELPER_H
#define UNRAVEL_TEST_UNIT_PROOFTESTHELPER_H

#include "analysis/proof/Polynomial.h"

namespace unravel::test {

/// The variable with this number.
inline Polynomial v(unsigned Number) { return Polynomial::variable(Number); }

/// Enough for what the tests want proved.
constexpr unsigned Splits = 48;

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_PROOFTESTHELPER_H
