//===- AlgebraTestHelper.h - Numbers and messages for tests -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_ALGEBRATESTHELPER_H
#define UNRAVEL_TEST_UNIT_ALGEBRATESTHELPER_H

#include "analysis/algebra/Interval.h"
#include <cstdint>
#include <limits>
#include <ostream>

namespace unravel {
/// For the messages of GoogleTest.
inline void PrintTo(const Interval &I, std::ostream *OS) { *OS << I.str(); }
inline void PrintTo(const Congruence &C, std::ostream *OS) {
  *OS << C.residue() << " mod " << C.modulus();
}
} // namespace unravel

namespace unravel::test {

constexpr int64_t Max = std::numeric_limits<int64_t>::max();
constexpr int64_t Min = std::numeric_limits<int64_t>::min();

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_ALGEBRATESTHELPER_H
