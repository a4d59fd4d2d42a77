//===- Mutated.h - Which mutation a test build runs with --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by the copies of the sources that run.py builds, never by the
// sources themselves. Every mutation of the list is in that one build; the
// environment variable UNRAVEL_MUTATION turns one of them on.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_MUTATION_MUTATED_H
#define UNRAVEL_TEST_MUTATION_MUTATED_H

#include <cstdlib>

namespace unravel {

inline bool mutated(int Number) {
  static const int Active = [] {
    const char *Text = std::getenv("UNRAVEL_MUTATION");
    return Text ? std::atoi(Text) : 0;
  }();
  return Active == Number;
}

} // namespace unravel

#endif // UNRAVEL_TEST_MUTATION_MUTATED_H
