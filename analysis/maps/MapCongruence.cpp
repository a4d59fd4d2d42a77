//===- MapCongruence.cpp - Constraints that are congruences ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/MapCongruence.h"
#include "analysis/algebra/IndexDigits.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// One constraint
//===----------------------------------------------------------------------===//

/// The v with Scale*v + Rest in \p Range; nullopt if an end leaves 64 bits.
/// (The operators of Interval would widen then, which is no equivalence.)
static std::optional<Interval> valuesOfDigit(const IndexDigit &Digit,
                                             const Interval &Range) {
  int64_t Lo = Range.lo(), Hi = Range.hi(), Rest = Digit.Rest.constant();
  if ((Range.isBoundedBelow() && SubOverflow(Lo, Rest, Lo)) ||
      (Range.isBoundedAbove() && SubOverflow(Hi, Rest, Hi)))
    return std::nullopt;
  Interval Scaled(Lo, Hi);
  if (Scaled.isBoundedBelow() != Range.isBoundedBelow() ||
      Scaled.isBoundedAbove() != Range.isBoundedAbove())
    return std::nullopt;
  // Every finite number here has a negation in 64 bits.
  return Scaled.divideInwards(Digit.Scale);
}

/// What `Digit in Range` says about the only variable x in the dividend
/// c*x + k.
static std::optional<VariableCongruence> congruenceOf(const IndexDigit &Digit,
                                                      const Interval &Range) {
  const IndexTerm &T = Digit.Dividend.terms()[0];
  int64_t M = Digit.Radix, K = Digit.Dividend.constant();
  std::optional<Interval> Values = valuesOfDigit(Digit, Range);
  if (!Values)
    return std::nullopt;
  // Of these values, those that a remainder of c*x + k by m can have: it is k
  // modulo everything that divides c and m.
  Interval Remainders(Digit.Truncating ? -(M - 1) : 0, M - 1);
  int64_t G = std::gcd(T.Coefficient, M);
  Values = tighten(Values->intersect(Remainders), Congruence::of(G, K));
  if (Values->isEmpty())
    return VariableCongruence{T.Atom, std::nullopt};
  // C's remainder is 0 for all multiples of m, but every other value of it says
  // something about the sign, too.
  if (!Values->isPoint() || (Digit.Truncating && Values->lo() != 0))
    return std::nullopt;
  // c*x = v - k (mod m). The difference of two remainders does not overflow.
  int64_t Residue = floorMod(Values->lo(), M) - floorMod(K, M);
  std::optional<Congruence> Lattice =
      Congruence::of(M, Residue).solveFor(T.Coefficient);
  // A solution that leaves 64 bits on the way is a weaker fact.
  if (Lattice && Lattice->modulus() != M / G)
    return std::nullopt;
  return VariableCongruence{T.Atom, Lattice};
}

std::optional<VariableCongruence> asVariableCongruence(IndexContext &Context,
                                                       const MapConstraint &C) {
  // Scale*(c*x + k) - Scale*m*floor((c*x + k)/m) + Rest.
  if (C.Expr.terms().size() != 2)
    return std::nullopt;
  for (const IndexTerm &T : C.Expr.terms())
    for (const IndexDigit &Digit : digitsOf(Context, C.Expr, T)) {
      if (!Digit.Rest.isConstant() || Digit.Dividend.terms().size() != 1 ||
          !Digit.Dividend.terms()[0].Atom->isVariable())
        continue;
      if (auto Found = congruenceOf(Digit, C.Range))
        return Found;
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// All constraints
//===----------------------------------------------------------------------===//

MapCongruences congruencesOf(IndexContext &Context,
                             ArrayRef<MapConstraint> Constraints) {
  MapCongruences Result;
  Result.Sources.resize(Constraints.size(), nullptr);
  for (size_t I = 0; I < Constraints.size(); ++I) {
    std::optional<VariableCongruence> Found =
        asVariableCongruence(Context, Constraints[I]);
    if (!Found)
      continue;
    Congruence &Known = Result.Lattices[Found->Variable];
    std::optional<Congruence> Both;
    if (Found->Lattice)
      Both = Known.intersect(*Found->Lattice);
    if (!Both) {
      Result.Contradictory = true;
      return Result;
    }
    // intersect() may keep only the stronger of the two; then this constraint
    // goes on to say something that the lattice does not.
    if (Both->modulus() % Known.modulus() != 0 ||
        Both->modulus() % Found->Lattice->modulus() != 0)
      continue;
    Known = *Both;
    Result.Sources[I] = Found->Variable;
  }
  return Result;
}

} // namespace unravel
