//===- IndexDigits.cpp - The remainders inside a linear form --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexDigits.h"
#include "analysis/algebra/IndexPolynomial.h"
#include "analysis/algebra/Interval.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// The number of terms of E - Scale*M, without building it.
static size_t countTermsWithout(IndexExpr E, IndexExpr M, int64_t Scale) {
  size_t Count = E.terms().size();
  const IndexTerm *T = E.terms().begin(), *End = E.terms().end();
  for (const IndexTerm &U : M.terms()) {
    while (T != End && T->Atom->id() < U.Atom->id())
      ++T;
    if (T == End || T->Atom != U.Atom) {
      ++Count;
      continue;
    }
    int64_t Product;
    if (!MulOverflow(U.Coefficient, Scale, Product) &&
        Product == T->Coefficient)
      --Count;
  }
  return Count;
}

namespace {
/// A quotient with floor(Quotient / Ratio) = the coarser one.
struct FinerQuotient {
  IndexExpr Quotient;
  int64_t Ratio;
};
} // namespace

/// Two floor quotients of the same number are each in a normal form of their
/// own: common factors cancelled, multiples of the divisor moved out, the sign
/// turned. For U = floor(N/p), T = floor(M/d) and a number s > 0 with p | s*d,
///
///     s*M + r = N + p*C        or        s*M + r = -1 - (N + p*C)
///
/// for one r with 0 <= r < s, let Q = floor((s*M + r)/p). That is U + C or, as
/// floor((-1 - n)/p) = -1 - floor(n/p), -1 - (U + C). And
///
///     floor(Q / (s*d/p)) = floor((s*M + r) / (s*d)) = floor(M/d) = T.
static std::optional<FinerQuotient> finerQuotient(IndexContext &Context,
                                                  const IndexAtom *U,
                                                  const IndexAtom *T,
                                                  bool IsTurned) {
  int64_t P = U->constantDivisor(), D = T->constantDivisor();
  IndexExpr M = T->operand(), N = U->operand();
  // Numbers of variables; quotients in them would be looked at again and again.
  auto IsOfVariables = [](IndexExpr E) {
    return all_of(E.terms(), [](const IndexTerm &Term) {
      return Term.Atom->isVariable();
    });
  };
  if (!IsOfVariables(M) || !IsOfVariables(N))
    return std::nullopt;
  if (IsTurned)
    N = Context.add(Context.negate(N), -1);
  if (!N)
    return std::nullopt;
  // s*M = N (mod p), term by term, and s*d = 0.
  std::optional<Congruence> Factors = Congruence::of(P, 0).solveFor(D);
  for (const IndexTerm &Term : M.terms()) {
    std::optional<Congruence> Here =
        Congruence::of(P, N.coefficientOf(Term.Atom))
            .solveFor(Term.Coefficient);
    if (Factors && Here)
      Factors = Factors->intersect(*Here);
    if (!Factors || !Here)
      return std::nullopt;
  }
  int64_t S = Factors->residue() ? Factors->residue() : Factors->modulus();
  int64_t Multiple;
  IndexExpr Difference = Context.add(N, M, -S); // r - p*C
  if (!Difference || MulOverflow(S, D, Multiple) ||
      any_of(Difference.terms(),
             [P](const IndexTerm &Term) { return Term.Coefficient % P != 0; }))
    return std::nullopt;
  int64_t R = floorMod(Difference.constant(), P);
  if (R >= S)
    return std::nullopt;
  IndexExpr Quotient = Context.atom(U);
  if (IsTurned)
    Quotient = Context.add(Context.negate(Quotient), -1);
  Quotient = Context.sub(Quotient,
                         Context.divideExactly(Context.add(Difference, -R), P));
  if (!Quotient)
    return std::nullopt;
  return FinerQuotient{Quotient, Multiple / P};
}

SmallVector<IndexDigit, 2> digitsOf(IndexContext &Context, IndexExpr E,
                                    const IndexTerm &T, Quotients Through) {
  SmallVector<IndexDigit, 2> Digits;
  if (!T.Atom->isConstantDivision())
    return Digits;
  auto TryScale = [&](IndexExpr Dividend, int64_t Radix, int64_t Scale) {
    // At best t goes as well.
    if (countTermsWithout(E, Dividend, Scale) > E.terms().size() + 1)
      return;
    // E - Scale*(Dividend - Radix*t), where t is T's atom.
    IndexExpr Rest = Context.add(E, Dividend, -Scale);
    Rest = Context.add(Rest, Context.scale(Context.atom(T.Atom), Radix), Scale);
    if (!Rest)
      return;
    // Either t is gone, or something else without a replacement.
    size_t Most = E.terms().size() - (Rest.coefficientOf(T.Atom) != 0 ? 1 : 0);
    if (Rest.terms().size() <= Most)
      Digits.push_back({Dividend, Radix, Scale, Rest, T.Atom->isTruncDiv()});
  };
  auto TryDigit = [&](IndexExpr Dividend, int64_t Radix) {
    if (Dividend.isConstant())
      return;
    // As many digits as t's coefficient has room for, or as many as the
    // dividend occurs in E.
    int64_t ByQuotient =
        T.Coefficient % Radix == 0 ? -(T.Coefficient / Radix) : 0;
    const IndexTerm &Lead = Dividend.terms()[0];
    int64_t Occurs = E.coefficientOf(Lead.Atom);
    int64_t ByDividend =
        Occurs % Lead.Coefficient == 0 ? Occurs / Lead.Coefficient : 0;
    if (ByQuotient != 0)
      TryScale(Dividend, Radix, ByQuotient);
    if (ByDividend != 0 && ByDividend != ByQuotient)
      TryScale(Dividend, Radix, ByDividend);
  };
  IndexExpr M = T.Atom->operand();
  int64_t D = T.Atom->constantDivisor();
  TryDigit(M, D);
  for (const IndexTerm &U : E.terms()) {
    int64_t P = U.Atom->constantDivisor();
    if (U.Atom == T.Atom || U.Atom->kind() != T.Atom->kind() || P == 0)
      continue;
    // floor(M/d) = floor(floor(M/p) / (d/p)), likewise for truncation.
    if (U.Atom->operand() == M && D % P == 0)
      TryDigit(Context.atom(U.Atom), D / P);
    else if (Through == Quotients::OfOneNumber && U.Atom->isFloorDiv())
      for (bool IsTurned : {false, true})
        if (std::optional<FinerQuotient> Finer =
                finerQuotient(Context, U.Atom, T.Atom, IsTurned))
          TryDigit(Finer->Quotient, Finer->Ratio);
  }
  return Digits;
}

std::optional<IndexDigit> bestDigit(IndexContext &Context, IndexExpr E) {
  std::optional<IndexDigit> Best;
  size_t Fewest = E.terms().size();
  for (const IndexTerm &T : E.terms())
    for (const IndexDigit &D : digitsOf(Context, E, T))
      // A remainder beside its own quotient has to save more than a term.
      if (D.Rest.terms().size() + (D.Rest.coefficientOf(T.Atom) ? 1 : 0) <
          Fewest) {
        Best = D;
        Fewest = D.Rest.terms().size();
      }
  return Best;
}

//===----------------------------------------------------------------------===//
// Symbolic divisors
//===----------------------------------------------------------------------===//

namespace {
/// Collects the digits that q = floor(M/D) makes in a term c * q * Others.
class SymbolicDigitFinder {
public:
  SymbolicDigitFinder(IndexContext &Context, IndexExpr E,
                      const IndexAtom *Quotient, int64_t Coefficient,
                      Monomial Others)
      : Context(Context), E(E), Quotient(Quotient), Coefficient(Coefficient),
        Others(std::move(Others)) {}

  /// Tries Scale * (Dividend - Divisor*q), for the scale with which one of
  /// Divisor's terms times q is the term looked at.
  void tryDigit(IndexExpr Dividend, IndexExpr Divisor, bool NeedsPositive) {
    for (const IndexTerm &T : Divisor.terms())
      if (tryScale(Dividend, Divisor, T.Coefficient, factorsOf(T.Atom),
                   NeedsPositive))
        return;
    if (Divisor.constant() != 0)
      tryScale(Dividend, Divisor, Divisor.constant(), {}, NeedsPositive);
  }

  SmallVector<SymbolicDigit, 2> Digits;

private:
  bool tryScale(IndexExpr Dividend, IndexExpr Divisor, int64_t C,
                MonomialRef Factors, bool NeedsPositive) {
    std::optional<Monomial> Extra = divide(Others, Factors);
    if (!Extra || Coefficient % C != 0)
      return false;
    IndexExpr Scale = Context.product(*Extra, -(Coefficient / C));
    IndexExpr Digit = Context.sub(
        Dividend, Context.multiply(Divisor, Context.atom(Quotient)));
    IndexExpr Rest = Context.sub(E, Context.multiply(Scale, Digit));
    if (!Rest || Rest.terms().size() > E.terms().size())
      return false;
    Digits.push_back({Quotient, Dividend, Divisor, Scale, Rest,
                      Quotient->isTruncDiv(), NeedsPositive});
    return true;
  }

  IndexContext &Context;
  IndexExpr E;
  const IndexAtom *Quotient;
  int64_t Coefficient;
  Monomial Others;
};
} // namespace

SmallVector<SymbolicDigit, 2>
symbolicDigitsOf(IndexContext &Context, IndexExpr E, const IndexTerm &T) {
  ArrayRef<const IndexAtom *> Factors = factorsOf(T.Atom);
  const IndexAtom *const *It = find_if(
      Factors, [](const IndexAtom *A) { return A->isSymbolicDivision(); });
  if (It == Factors.end())
    return {};
  const IndexAtom *Quotient = *It;
  Monomial Others(Factors);
  Others.erase(find(Others, Quotient));
  SymbolicDigitFinder Finder(Context, E, Quotient, T.Coefficient, Others);
  IndexExpr M = Quotient->operand(), D = Quotient->divisor();
  Finder.tryDigit(M, D, /*NeedsPositive=*/false);
  // floor(floor(M/C) / K) = floor(M / (C*K)) for K > 0, and for truncating
  // quotients whatever the signs are.
  for (const IndexTerm &U : E.terms())
    for (const IndexAtom *const &Other : factorsOf(U.Atom)) {
      if (Other == Quotient || Other->kind() != Quotient->kind() ||
          Other->operand() != M)
        continue;
      if (IndexExpr K = exactQuotient(Context, D, Other->divisor()))
        Finder.tryDigit(Context.atom(Other), K,
                        /*NeedsPositive=*/Quotient->isFloorDiv());
    }
  return Finder.Digits;
}

} // namespace unravel
