//===- Interval.h - Integer ranges and congruences --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two abstract domains that the index algebra reasons with: what values an
// expression can take (Interval) and on which lattice they lie (Congruence).
// Both describe mathematical integers, not machine words. Every operation
// returns a superset of the exact result, so a fact read off one is a proof.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ALGEBRA_INTERVAL_H
#define UNRAVEL_ANALYSIS_ALGEBRA_INTERVAL_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace unravel {

/// Floor division for every sign of \p A; \p D must be positive.
inline int64_t floorDiv(int64_t A, int64_t D) {
  return A / D - (A % D < 0 ? 1 : 0);
}

/// The remainder of floorDiv, in [0, D).
inline int64_t floorMod(int64_t A, int64_t D) {
  int64_t R = A % D;
  return R < 0 ? R + D : R;
}

/// A closed range [lo(), hi()] of integers. The extreme values of int64_t stand
/// for minus and plus infinity; arithmetic saturates towards them, which only
/// widens the range. An empty range has lo() > hi().
class Interval {
public:
  static constexpr int64_t MinusInfinity = std::numeric_limits<int64_t>::min();
  static constexpr int64_t PlusInfinity = std::numeric_limits<int64_t>::max();

  /// All integers.
  Interval() = default;
  Interval(int64_t Lo, int64_t Hi) : Lo(Lo), Hi(Hi) {}
  static Interval point(int64_t Value) { return {Value, Value}; }
  static Interval atLeast(int64_t Lo) { return {Lo, PlusInfinity}; }
  static Interval atMost(int64_t Hi) { return {MinusInfinity, Hi}; }
  static Interval empty() { return {1, 0}; }

  int64_t lo() const { return Lo; }
  int64_t hi() const { return Hi; }
  bool isEmpty() const { return Lo > Hi; }
  bool isPoint() const { return Lo == Hi; }
  bool isBoundedBelow() const { return Lo != MinusInfinity; }
  bool isBoundedAbove() const { return Hi != PlusInfinity; }
  bool isBounded() const { return isBoundedBelow() && isBoundedAbove(); }
  bool isNonNegative() const { return Lo >= 0; }
  bool contains(int64_t Value) const { return Lo <= Value && Value <= Hi; }
  bool contains(const Interval &Other) const {
    return Other.isEmpty() || (Lo <= Other.Lo && Other.Hi <= Hi);
  }
  /// The number of integers in a bounded range, or nullopt.
  std::optional<uint64_t> size() const;

  Interval intersect(const Interval &Other) const {
    return {std::max(Lo, Other.Lo), std::min(Hi, Other.Hi)};
  }
  /// The smallest range that contains both.
  Interval unite(const Interval &Other) const;

  Interval operator+(const Interval &Other) const;
  Interval operator-() const;
  Interval operator-(const Interval &Other) const { return *this + -Other; }
  /// Every element times \p Factor.
  Interval operator*(int64_t Factor) const;
  /// All integers t with Factor * t in this range; \p Factor is not zero.
  Interval divideInwards(int64_t Factor) const;
  /// The products of the elements of both.
  Interval operator*(const Interval &Other) const;
  /// Floor division of every element; \p Divisor must be positive.
  Interval floorDivBy(int64_t Divisor) const;
  /// Truncating (C) division of every element; \p Divisor must be positive.
  Interval truncDivBy(int64_t Divisor) const;
  /// The quotients by all elements of \p Divisor but zero; empty if it has no
  /// other.
  Interval floorDivBy(const Interval &Divisor) const;
  Interval truncDivBy(const Interval &Divisor) const;
  /// min(x, 0) of every element.
  Interval negativePart() const;
  /// Contains every a xor b, for the numbers a of this and b of \p Other.
  Interval bitXor(const Interval &Other) const;

  bool operator==(const Interval &Other) const {
    return Lo == Other.Lo && Hi == Other.Hi;
  }
  bool operator!=(const Interval &Other) const { return !(*this == Other); }

  /// Prints "[lo, hi]", infinities as "-inf" and "inf".
  void print(llvm::raw_ostream &OS) const;
  std::string str() const;

private:
  int64_t Lo = MinusInfinity;
  int64_t Hi = PlusInfinity;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Interval &I);

/// x = residue() (mod modulus()). Modulus 1 says nothing; modulus 0 says that x
/// *is* the residue. Otherwise 0 <= residue() < modulus().
class Congruence {
public:
  /// Nothing known.
  Congruence() = default;
  static Congruence constant(int64_t Value) { return {0, Value}; }
  /// x = \p Residue (mod \p Modulus), Modulus > 0; the residue is normalised.
  static Congruence of(int64_t Modulus, int64_t Residue) {
    return {Modulus, floorMod(Residue, Modulus)};
  }

  int64_t modulus() const { return Modulus; }
  int64_t residue() const { return Residue; }
  bool isTrivial() const { return Modulus == 1; }
  bool contains(int64_t Value) const {
    return Modulus == 0 ? Value == Residue
                        : floorMod(Value, Modulus) == Residue;
  }

  Congruence operator+(const Congruence &Other) const;
  Congruence operator*(int64_t Factor) const;
  Congruence operator*(const Congruence &Other) const;
  /// What is known of floor(x / Divisor); exact when Divisor divides modulus().
  Congruence floorDivBy(int64_t Divisor) const;
  /// The lattice of all x with Factor * x on this one; nullopt if no x is.
  /// \p Factor is not zero.
  std::optional<Congruence> solveFor(int64_t Factor) const;
  /// Both hold (Chinese remainder theorem). Returns nullopt if they contradict
  /// each other; falls back to the stronger of the two if the combined modulus
  /// leaves 64 bits.
  std::optional<Congruence> intersect(const Congruence &Other) const;

  bool operator==(const Congruence &Other) const {
    return Modulus == Other.Modulus && Residue == Other.Residue;
  }

private:
  Congruence(int64_t Modulus, int64_t Residue)
      : Modulus(Modulus), Residue(Residue) {}
  int64_t Modulus = 1;
  int64_t Residue = 0;
};

/// The part of \p Range whose ends lie on the lattice of \p C.
Interval tighten(const Interval &Range, const Congruence &C);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ALGEBRA_INTERVAL_H
