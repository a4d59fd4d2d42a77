//===- SymbolicDivision.cpp - Division by a form --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constructors of quotients by sizes that are only known at run time, the
// counterpart of FloorBasis.cpp's rules for constants. F is the dividend, D the
// divisor. A quotient has no value where D is zero, so every rule may take
// D != 0 for granted; in particular a divisor that is not negative is positive.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"
#include "analysis/algebra/IndexPolynomial.h"
#include "analysis/algebra/IndexProver.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

static bool isNegative(const Interval &R) { return R.hi() <= 0; }

//===----------------------------------------------------------------------===//
// What floor and truncating quotients share
//===----------------------------------------------------------------------===//

/// Rules that hold for exact rational quotients, whatever the rounding: a
/// common factor of F and D cancels (it is not zero, since D is not), and
/// floor(F/D) = floor(-F/-D). Returns false if there is nothing to do.
static bool cancelCommonFactor(const IndexDomain &Domain, IndexExpr &F,
                               IndexExpr &D) {
  IndexContext &Context = Domain.context();
  Content C = contentOf({F, D});
  // D's sign: positive if that is known, else its first coefficient. Asking for
  // both D and -D makes sure that D does not change its sign for ever: a range
  // that gave up early may know one of them better.
  Interval R = Domain.range(D), Mirrored = Domain.range(Context.negate(D));
  bool Positive = R.isNonNegative() || isNegative(Mirrored);
  bool Negative = isNegative(R) || Mirrored.isNonNegative();
  bool Negate = !Positive && (Negative || D.terms()[0].Coefficient < 0);
  if (C.Coefficient <= 1 && C.Factors.empty() && !Negate)
    return false;
  if (Negate)
    C.Coefficient = -C.Coefficient;
  F = divideByContent(Context, F, C);
  D = divideByContent(Context, D, C);
  return F && D;
}

//===----------------------------------------------------------------------===//
// floor
//===----------------------------------------------------------------------===//

IndexExpr FloorBasis::floorDiv(IndexExpr F, IndexExpr D) {
  if (!F || !D)
    return {};
  if (D.isConstant())
    return floorDiv(F, D.constant());
  Interval R = Domain.range(D);
  if (R.isPoint())
    return floorDiv(F, R.lo());
  // Null while it is being built, as for constant divisors.
  auto [It, IsNew] = SymbolicFloors.try_emplace({F, D});
  if (!IsNew)
    return It->second;
  IndexExpr Result = buildSymbolicFloor(F, D);
  SymbolicFloors[{F, D}] = Result;
  return Result;
}

/// If R lies in [k*D, (k+1)*D) for a k, that k; a small one if D is a form. D
/// is not negative.
std::optional<int64_t> FloorBasis::periodOf(IndexExpr R, IndexExpr D) {
  if (D.isConstant())
    return Domain.constantQuotient(R, D.constant());
  bool MayRelate = Domain.mayRelate(R, D);
  for (int64_t K : {0, -1, 1}) {
    IndexExpr AboveLow = Context.add(R, D, -K);
    IndexExpr BelowHigh = Context.add(Context.add(D, AboveLow, -1), -1);
    // A search for what a sign rules out would be in vain.
    if (K < 0 ? Domain.range(R).lo() >= 0 : Domain.range(R).hi() < 0)
      continue;
    if (!MayRelate && !(BelowHigh && Domain.isNonNegative(BelowHigh)))
      continue;
    if (provesNonNegative(Domain, AboveLow) &&
        provesNonNegative(Domain, BelowHigh))
      return K;
  }
  return std::nullopt;
}

/// By whole periods of a monomial G with D = G*E: floor(R/D) = floor(A/E).
/// Returns A and sets \p D to E.
IndexExpr FloorBasis::symbolicCommonFactor(IndexExpr R, IndexExpr &D) {
  Content OfDivisor = contentOf(D);
  SmallVector<Content, 8> Tried;
  for (const IndexTerm &T : R.terms()) {
    Content G{std::gcd(T.Coefficient, OfDivisor.Coefficient),
              commonFactor(factorsOf(T.Atom), OfDivisor.Factors)};
    bool Known = any_of(Tried, [&](const Content &C) {
      return C.Coefficient == G.Coefficient && C.Factors == G.Factors;
    });
    if (Known || (G.Coefficient == 1 && G.Factors.empty()))
      continue;
    Tried.push_back(G);
    IndexExpr Unit = Context.product(G.Factors, G.Coefficient);
    if (!Unit || !Domain.range(Unit).isNonNegative())
      continue;
    IndexExpr U = divideWithRest(Context, R, Unit).Quotient;
    if (!U || U.isConstant(0))
      continue;
    if (IndexExpr Whole = wholePeriods(R, Unit, U)) {
      D = divideByContent(Context, D, G);
      return Whole;
    }
  }
  return {};
}

/// R = A + floor(M/N), D > 0: floor(R/D) = floor((N*A + M) / (N*D)), for N of
/// either sign. Done where A holds no other quotient: then one is left of two.
IndexExpr FloorBasis::symbolicFlatten(IndexExpr R, IndexExpr &D) {
  for (const IndexTerm &T : R.terms()) {
    if (T.Coefficient != 1 || !T.Atom->isFloorDiv())
      continue;
    IndexExpr A = Context.sub(R, Context.atom(T.Atom));
    if (!A || countDivisions(A) > 0)
      continue;
    IndexExpr N = T.Atom->divisor();
    IndexExpr Whole = Context.add(T.Atom->operand(), Context.multiply(N, A));
    IndexExpr Product = Context.multiply(N, D);
    if (!Whole || !Product)
      continue;
    D = Product;
    return Whole;
  }
  return {};
}

/// -1 - F; for D > 0, floor(~F/D) = ~floor(F/D).
static IndexExpr complement(IndexContext &Context, IndexExpr F) {
  return Context.sub(Context.constant(-1), F);
}

/// Of the two dividends the one that is not negative; if that is not known, the
/// one with a positive first coefficient. (But -x is not written as x - 1.)
static bool isBetterMirrored(const IndexDomain &Domain, IndexExpr F) {
  Interval R = Domain.range(F);
  if (F.isConstant() || R.lo() >= 0 || R.hi() < 0)
    return R.hi() < 0;
  return F.terms()[0].Coefficient < 0 && F.constant() != 0 &&
         !provesNonNegative(Domain, F);
}

IndexExpr FloorBasis::buildSymbolicFloor(IndexExpr F, IndexExpr D) {
  if (cancelCommonFactor(Domain, F, D))
    return floorDiv(F, D);
  // F = D*Out + Rest: floor(F/D) = Out + floor(Rest/D) for either sign of D.
  PolynomialDivision Division = divideWithRest(Context, F, D);
  IndexExpr Out = Context.constant(0), Rest = F;
  if (Division.Rest) {
    if (Division.Rest.isConstant(0))
      return Division.Quotient;
    bool Shorter = Division.Rest.terms().size() <= F.terms().size();
    bool Changed = Division.Rest != F;
    if (Changed && Shorter) {
      if (!Domain.range(D).isNonNegative())
        return Context.add(Division.Quotient, floorDiv(Division.Rest, D));
      Out = Division.Quotient;
      Rest = Division.Rest;
    }
  }
  if (!Domain.range(D).isNonNegative())
    return foldPoint(Context.rawAtom(IndexAtom::Kind::FloorDiv, F, D));

  if (std::optional<int64_t> K = periodOf(Rest, D))
    return Context.add(Out, *K);
  if (Rest != F)
    return Context.add(Out, floorDiv(Rest, D));
  if (IndexExpr A = symbolicCommonFactor(F, D))
    return floorDiv(A, D);
  if (IndexExpr Whole = symbolicFlatten(F, D))
    return floorDiv(Whole, D);
  if (isBetterMirrored(Domain, F))
    if (IndexExpr Q = floorDiv(complement(Context, F), D))
      return complement(Context, Q);
  return foldPoint(Context.rawAtom(IndexAtom::Kind::FloorDiv, F, D));
}

IndexExpr FloorBasis::floorMod(IndexExpr F, IndexExpr D) {
  if (D && D.isConstant())
    return floorMod(F, D.constant());
  return foldPoint(Context.sub(F, Context.multiply(D, floorDiv(F, D))));
}

IndexExpr FloorBasis::ceilDiv(IndexExpr F, IndexExpr D) {
  return Context.negate(floorDiv(Context.negate(F), D));
}

//===----------------------------------------------------------------------===//
// Truncating and Euclidean division
//===----------------------------------------------------------------------===//

IndexExpr FloorBasis::truncDiv(IndexExpr F, IndexExpr D) {
  if (!F || !D)
    return {};
  if (D.isConstant())
    return truncDiv(F, D.constant());
  Interval R = Domain.range(D);
  if (R.isPoint())
    return truncDiv(F, R.lo());
  if (cancelCommonFactor(Domain, F, D))
    return truncDiv(F, D);
  // An exact quotient needs no rounding.
  PolynomialDivision Division = divideWithRest(Context, F, D);
  if (Division.Rest && Division.Rest.isConstant(0))
    return Division.Quotient;
  // Known signs make it a floor.
  if (Domain.range(D).isNonNegative()) {
    if (provesNonNegative(Domain, F))
      return floorDiv(F, D);
    if (provesNonNegative(Domain, Context.negate(F)))
      return Context.negate(floorDiv(Context.negate(F), D));
  }
  // tdiv(-F, D) = -tdiv(F, D): make the first coefficient positive.
  if (!F.isConstant() && F.terms()[0].Coefficient < 0)
    return Context.negate(truncDiv(Context.negate(F), D));
  if (IndexExpr Q = truncOfTruncation(F, D))
    return Q;
  return foldPoint(Context.rawAtom(IndexAtom::Kind::TruncDiv, F, D));
}

IndexExpr FloorBasis::truncMod(IndexExpr F, IndexExpr D) {
  return foldPoint(Context.sub(F, Context.multiply(D, truncDiv(F, D))));
}

/// The remainder of the absolute value, which is in [0, |D|).
IndexExpr FloorBasis::euclidMod(IndexExpr F, IndexExpr D) {
  return floorMod(F, max(D, Context.negate(D)));
}

/// floor(F/D) for D > 0; for D < 0, F = |D|*floor(F/|D|) + r gives the quotient
/// -floor(F/|D|).
IndexExpr FloorBasis::euclidDiv(IndexExpr F, IndexExpr D) {
  if (!F || !D)
    return {};
  IndexExpr Quotient = floorDiv(F, max(D, Context.negate(D)));
  IndexExpr Sign = Context.add(Context.scale(nonNegative(D), 2), -1);
  return Context.multiply(Sign, Quotient);
}

} // namespace unravel
