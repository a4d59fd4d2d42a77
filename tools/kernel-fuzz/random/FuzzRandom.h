//===- FuzzRandom.h - Numbers that a seed decides ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same seed gives the same numbers with every compiler and library, which
// <random> does not promise for its distributions. Callers draw in separate
// statements: the order of arguments is up to the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_FUZZ_RANDOM_FUZZRANDOM_H
#define UNRAVEL_TOOLS_KERNEL_FUZZ_RANDOM_FUZZRANDOM_H

#include <cstdint>
#include <iterator>

namespace unravel {

/// SplitMix64's output function: every bit of X decides every bit of it.
inline uint64_t mixBits(uint64_t X) {
  X += 0x9e3779b97f4a7c15u;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
  return X ^ (X >> 31);
}

class FuzzRandom {
public:
  explicit FuzzRandom(uint64_t Seed) : State(mixBits(Seed)) {}

  uint64_t next() {
    State += 0x9e3779b97f4a7c15u;
    return mixBits(State);
  }
  /// A number below \p Bound, which is not 0.
  uint64_t below(uint64_t Bound) { return next() % Bound; }
  /// A number in [Low, High].
  int64_t between(int64_t Low, int64_t High) {
    return Low + int64_t(below(uint64_t(High - Low) + 1));
  }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  template <class T> auto pick(const T &Choices) -> decltype(Choices[0]) {
    return Choices[below(std::size(Choices))];
  }

private:
  uint64_t State;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_FUZZ_RANDOM_FUZZRANDOM_H
