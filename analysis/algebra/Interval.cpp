//===- Interval.cpp - Integer ranges and congruences ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/Interval.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <numeric>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Interval
//===----------------------------------------------------------------------===//

static constexpr int64_t NegInf = Interval::MinusInfinity;
static constexpr int64_t PosInf = Interval::PlusInfinity;

/// A lower bound: any infinite summand or an overflow below makes it -inf. An
/// overflow above is clamped to the largest finite value, which is still a
/// lower bound.
static int64_t addLower(int64_t A, int64_t B) {
  if (A == NegInf || B == NegInf)
    return NegInf;
  int64_t R;
  if (!AddOverflow(A, B, R))
    return R;
  return A < 0 ? NegInf : PosInf - 1;
}

static int64_t addUpper(int64_t A, int64_t B) {
  if (A == PosInf || B == PosInf)
    return PosInf;
  int64_t R;
  if (!AddOverflow(A, B, R))
    return R;
  return A > 0 ? PosInf : NegInf + 1;
}

/// \p Bound times \p Factor, infinite if either is out of reach.
static int64_t scaleBound(int64_t Bound, int64_t Factor) {
  if (Factor == 0)
    return 0;
  if (Bound == NegInf || Bound == PosInf)
    return (Bound > 0) == (Factor > 0) ? PosInf : NegInf;
  int64_t R;
  if (!MulOverflow(Bound, Factor, R))
    return R;
  return (Bound > 0) == (Factor > 0) ? PosInf : NegInf;
}

/// Saturation can push a lower bound to +inf (or an upper one to -inf), where
/// it would mean "empty"; the largest finite value is still a valid bound.
static Interval makeSound(int64_t Lo, int64_t Hi) {
  return {Lo == PosInf ? PosInf - 1 : Lo, Hi == NegInf ? NegInf + 1 : Hi};
}

std::optional<uint64_t> Interval::size() const {
  if (isEmpty())
    return 0;
  if (!isBounded())
    return std::nullopt;
  return static_cast<uint64_t>(Hi) - static_cast<uint64_t>(Lo) + 1;
}

Interval Interval::unite(const Interval &Other) const {
  if (isEmpty())
    return Other;
  if (Other.isEmpty())
    return *this;
  return {std::min(Lo, Other.Lo), std::max(Hi, Other.Hi)};
}

Interval Interval::operator+(const Interval &Other) const {
  if (isEmpty() || Other.isEmpty())
    return empty();
  return makeSound(addLower(Lo, Other.Lo), addUpper(Hi, Other.Hi));
}

Interval Interval::operator-() const { return *this * -1; }

Interval Interval::operator*(int64_t Factor) const {
  if (isEmpty())
    return empty();
  int64_t A = scaleBound(Lo, Factor), B = scaleBound(Hi, Factor);
  return Factor < 0 ? makeSound(B, A) : makeSound(A, B);
}

Interval Interval::divideInwards(int64_t Factor) const {
  Interval R = Factor < 0 ? -*this : *this;
  int64_t F = Factor < 0 ? -Factor : Factor;
  return {R.isBoundedBelow() ? -floorDiv(-R.Lo, F) : R.Lo,
          R.isBoundedAbove() ? floorDiv(R.Hi, F) : R.Hi};
}

Interval Interval::floorDivBy(int64_t Divisor) const {
  if (isEmpty())
    return empty();
  return {isBoundedBelow() ? floorDiv(Lo, Divisor) : NegInf,
          isBoundedAbove() ? floorDiv(Hi, Divisor) : PosInf};
}

Interval Interval::truncDivBy(int64_t Divisor) const {
  if (isEmpty())
    return empty();
  return {isBoundedBelow() ? Lo / Divisor : NegInf,
          isBoundedAbove() ? Hi / Divisor : PosInf};
}

/// A * B for bounds; infinity times zero is zero, since no element of a range
/// is infinite.
static int64_t multiplyBounds(int64_t A, int64_t B) {
  int64_t Product;
  if (A == 0 || B == 0)
    return 0;
  bool Infinite = A == NegInf || A == PosInf || B == NegInf || B == PosInf;
  if (!Infinite && !MulOverflow(A, B, Product))
    return Product;
  return (A < 0) == (B < 0) ? PosInf : NegInf;
}

Interval Interval::operator*(const Interval &Other) const {
  if (isEmpty() || Other.isEmpty())
    return empty();
  auto [Least, Most] =
      std::minmax({multiplyBounds(Lo, Other.Lo), multiplyBounds(Lo, Other.Hi),
                   multiplyBounds(Hi, Other.Lo), multiplyBounds(Hi, Other.Hi)});
  return makeSound(Least, Most);
}

/// Calls \p QuotientBy for the positive divisors, and for the mirror image of
/// the negative ones: X / -d = -X / d.
template <typename Function>
static Interval divideBySigned(const Interval &X, const Interval &Divisor,
                               Function QuotientBy) {
  Interval Positive = Divisor.intersect(Interval::atLeast(1));
  Interval Negative = Divisor.intersect(Interval::atMost(-1));
  Interval Result = Interval::empty();
  if (X.isEmpty())
    return Result;
  if (!Positive.isEmpty())
    Result = QuotientBy(X, Positive);
  if (!Negative.isEmpty())
    Result = Result.unite(QuotientBy(-X, -Negative));
  return Result;
}

Interval Interval::floorDivBy(const Interval &Divisor) const {
  return divideBySigned(*this, Divisor, [](Interval X, Interval D) {
    // A quotient is the closer to zero the larger the divisor; floor(x/inf) is
    // 0 or -1.
    auto Bound = [](int64_t A, int64_t Far, int64_t Near) -> int64_t {
      int64_t By = A >= 0 ? Far : Near;
      return By == PosInf ? (A >= 0 ? 0 : -1) : floorDiv(A, By);
    };
    return Interval(X.isBoundedBelow() ? Bound(X.lo(), D.hi(), D.lo()) : NegInf,
                    X.isBoundedAbove() ? Bound(X.hi(), D.lo(), D.hi())
                                       : PosInf);
  });
}

Interval Interval::truncDivBy(const Interval &Divisor) const {
  return divideBySigned(*this, Divisor, [](Interval X, Interval D) {
    auto Bound = [](int64_t A, int64_t Far, int64_t Near) -> int64_t {
      int64_t By = A >= 0 ? Far : Near;
      return By == PosInf ? 0 : A / By;
    };
    return Interval(X.isBoundedBelow() ? Bound(X.lo(), D.hi(), D.lo()) : NegInf,
                    X.isBoundedAbove() ? Bound(X.hi(), D.lo(), D.hi())
                                       : PosInf);
  });
}

Interval Interval::negativePart() const {
  if (isEmpty())
    return empty();
  return {std::min<int64_t>(Lo, 0), std::min<int64_t>(Hi, 0)};
}

/// For a, b >= 0, a xor b is at least |a - b| and at most a + b, as it is the
/// sum without carries, and has no bit above those of a and b. A negative
/// number is -1 - x for an x >= 0, with all bits the other way.
Interval Interval::bitXor(const Interval &Other) const {
  if (isEmpty() || Other.isEmpty())
    return empty();
  auto Complement = [](const Interval &R) { return point(-1) - R; };
  if (Hi < 0 && Other.Hi < 0)
    return Complement(*this).bitXor(Complement(Other));
  if (Hi < 0 && Other.Lo >= 0)
    return Complement(Complement(*this).bitXor(Other));
  if (Lo >= 0 && Other.Hi < 0)
    return Complement(bitXor(Complement(Other)));
  // All bits of both, apart from those that repeat the sign.
  uint64_t Bits = 0;
  for (int64_t End : {Lo, Hi, Other.Lo, Other.Hi})
    Bits |= static_cast<uint64_t>(End < 0 ? ~End : End);
  int64_t Most = Bits == 0 ? 0 : maskTrailingOnes<uint64_t>(bit_width(Bits));
  if (Lo < 0 || Other.Lo < 0)
    return {Most == PosInf ? NegInf : -1 - Most, Most};
  Interval Sum = *this + Other, Apart = *this - Other;
  return {std::max({int64_t(0), Apart.Lo, (-Apart).Lo}),
          std::min(Most, Sum.Hi)};
}

void Interval::print(raw_ostream &OS) const {
  auto PrintBound = [&OS](int64_t Bound) {
    if (Bound == NegInf)
      OS << "-inf";
    else if (Bound == PosInf)
      OS << "inf";
    else
      OS << Bound;
  };
  OS << '[';
  PrintBound(Lo);
  OS << ", ";
  PrintBound(Hi);
  OS << ']';
}

std::string Interval::str() const {
  std::string Text;
  raw_string_ostream OS(Text);
  print(OS);
  return Text;
}

raw_ostream &operator<<(raw_ostream &OS, const Interval &I) {
  I.print(OS);
  return OS;
}

//===----------------------------------------------------------------------===//
// Congruence
//===----------------------------------------------------------------------===//

Congruence Congruence::operator+(const Congruence &Other) const {
  int64_t Sum;
  if (AddOverflow(Residue, Other.Residue, Sum))
    return {};
  if (Modulus == 0 && Other.Modulus == 0)
    return constant(Sum);
  return of(std::gcd(Modulus, Other.Modulus), Sum);
}

Congruence Congruence::operator*(int64_t Factor) const {
  int64_t NewResidue, NewModulus;
  if (MulOverflow(Residue, Factor, NewResidue) ||
      MulOverflow(Modulus, Factor, NewModulus) || NewModulus == NegInf)
    return {};
  if (NewModulus == 0)
    return constant(NewResidue);
  return of(std::abs(NewModulus), NewResidue);
}

/// (m*i + r)*(n*j + s) = m*n*i*j + m*s*i + n*r*j + r*s
Congruence Congruence::operator*(const Congruence &Other) const {
  if (Modulus == 0)
    return Other * Residue;
  if (Other.Modulus == 0)
    return *this * Other.Residue;
  int64_t MN, MS, NR, RS;
  if (MulOverflow(Modulus, Other.Modulus, MN) ||
      MulOverflow(Modulus, Other.Residue, MS) ||
      MulOverflow(Other.Modulus, Residue, NR) ||
      MulOverflow(Residue, Other.Residue, RS))
    return {};
  return of(std::gcd(std::gcd(MN, MS), NR), RS);
}

Congruence Congruence::floorDivBy(int64_t Divisor) const {
  if (Modulus == 0)
    return constant(floorDiv(Residue, Divisor));
  // x = q*Modulus + r with Divisor | Modulus:
  // floor(x/Divisor) = q*(Modulus/Divisor) + floor(r/Divisor).
  if (Modulus % Divisor != 0)
    return {};
  return of(Modulus / Divisor, floorDiv(Residue, Divisor));
}

/// The inverse of \p A modulo \p M, for coprime A and M > 0.
static int64_t inverseModulo(int64_t A, int64_t M) {
  int64_t R0 = M, R1 = floorMod(A, M), T0 = 0, T1 = 1;
  while (R1 != 0) {
    int64_t Q = R0 / R1;
    std::swap(R0 -= Q * R1, R1);
    std::swap(T0 -= Q * T1, T1);
  }
  return floorMod(T0, M);
}

/// Factor*x = r (mod m) needs g | r for g = gcd(Factor, m); then it is
/// x = (r/g) * (Factor/g)^-1 (mod m/g).
std::optional<Congruence> Congruence::solveFor(int64_t Factor) const {
  if (Modulus == 0) {
    if (Factor == -1 && Residue == NegInf)
      return Congruence(); // 2^63
    if (Residue % Factor != 0)
      return std::nullopt;
    return constant(Residue / Factor);
  }
  int64_t G = std::gcd(Factor, Modulus);
  if (Residue % G != 0)
    return std::nullopt;
  int64_t M = Modulus / G;
  __int128 X = __int128(Residue / G % M) * inverseModulo(Factor / G, M);
  return of(M, int64_t(X % M));
}

std::optional<Congruence> Congruence::intersect(const Congruence &Other) const {
  if (Modulus == 0)
    return Other.contains(Residue) ? std::optional(*this) : std::nullopt;
  if (Other.Modulus == 0)
    return Other.intersect(*this);
  int64_t G = std::gcd(Modulus, Other.Modulus);
  if (floorMod(Residue, G) != floorMod(Other.Residue, G))
    return std::nullopt;
  // x = Residue + Modulus*k with Modulus*k = Other.Residue - Residue
  // (mod Other.Modulus); divide by G and solve for k. Every product is checked,
  // a residue that leaves 64 bits keeps the stronger of the two facts.
  Congruence Stronger = Modulus >= Other.Modulus ? *this : Other;
  int64_t M2 = Other.Modulus / G, Lcm, K, Product;
  if (MulOverflow(Modulus, M2, Lcm))
    return Stronger;
  int64_t Inverse = inverseModulo(Modulus / G, M2);
  if (MulOverflow(floorMod((Other.Residue - Residue) / G, M2), Inverse, K) ||
      MulOverflow(Modulus, K % M2, Product) ||
      AddOverflow(Product, Residue, Product))
    return Stronger;
  return of(Lcm, Product);
}

Interval tighten(const Interval &Range, const Congruence &C) {
  if (Range.isEmpty() || C.isTrivial())
    return Range;
  if (C.modulus() == 0)
    return Range.intersect(Interval::point(C.residue()));
  int64_t Lo = Range.lo(), Hi = Range.hi(), Step;
  if (Range.isBoundedBelow()) {
    // Distance up to the next element of the lattice; if that leaves 64 bits
    // the bound stays as it is.
    Step = floorMod(C.residue() - floorMod(Lo, C.modulus()), C.modulus());
    if (Lo < PosInf - Step)
      Lo += Step;
  }
  if (Range.isBoundedAbove()) {
    Step = floorMod(floorMod(Hi, C.modulus()) - C.residue(), C.modulus());
    if (Hi > NegInf + Step)
      Hi -= Step;
  }
  return {Lo, Hi};
}

} // namespace unravel
