//===- WordQuotients.cpp - Quotients as integers --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One number can be many quotients: of a quotient, of a sum, of what was
// multiplied. One variable stands for all that are found to be the same, and
// what one quotient says of another is proved when it comes.
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/WordEncoder.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <set>

using namespace llvm;

namespace unravel {

/// Factors of a divisor.
static constexpr unsigned MaxDivisorDegree = 6;

/// How far a quotient is from another one that is near.
static constexpr int64_t Steps[] = {0, 1, -1};

/// The e with \p N = 2^e, if there is one.
static std::optional<unsigned> exponentOf(const DynamicAPInt &N) {
  unsigned Exponent = 0;
  while (WordEncoder::powerOfTwo(Exponent) < N)
    ++Exponent;
  if (WordEncoder::powerOfTwo(Exponent) != N)
    return std::nullopt;
  return Exponent;
}

/// floor(N / D), for D > 0.
Polynomial WordEncoder::floorOfQuotient(const Polynomial &N,
                                        const Polynomial &Divisor) {
  Polynomial D = unnamed(Divisor, true);
  if (D.isConstant() && D.constant() <= 0)
    return Polynomial(0); // of code that is never executed
  // What is doubtful has a quotient, about which nothing is known.
  if (C.isDoubtful())
    return Polynomial::variable(
        C.Proofs.addVariable(-powerOfTwo(128), powerOfTwo(128)));
  if (D.isConstant() && D.constant() == 1)
    return N;
  if (D.isConstant()) {
    // floor((D*A + R) / D) = A + floor(R / D), with the least coefficients.
    DynamicAPInt Number = D.constant();
    Polynomial Whole = N.mapped([&](const Monomial &M, const DynamicAPInt &F) {
      if (M.empty())
        return floorDiv(F, Number);
      return abs(F) < Number ? DynamicAPInt(0)
                             : floorDiv(F * 2 + Number, Number * 2);
    });
    if (!Whole.terms().empty())
      return Whole + floorOfQuotient(N - Whole * Number, D);
    // floor(N / D) = -floor((D - 1 - N) / D): one form for both.
    if (!N.isConstant() && N.terms().back().second < 0)
      return -floorOfQuotient(D - 1 - N, D);
  }
  // Whatever names the dividend and the divisor have.
  std::pair Key{unnamed(N, false), unnamed(D, false)};
  if (auto It = Quotients.find(Key); It != Quotients.end())
    return It->second;
  if (!D.isConstant()) {
    C.assume(D - 1);
    C.Proofs.addFactor(D - 1);
  }
  if (std::optional<Polynomial> Q = knownQuotient(N, D))
    return Quotients[Key] = *Q;
  std::vector<Polynomial> Above = productsAbove(N, D);
  IntegerRange Range = C.Proofs.rangeOf(N);
  if (D.isConstant()) {
    Range.Low = floorDiv(Range.Low, D.constant());
    Range.High = floorDiv(Range.High, D.constant());
  } else {
    Range.Low = std::min(Range.Low, DynamicAPInt(0));
    Range.High = std::max(Range.High, DynamicAPInt(0));
    if (Range.Low < 0 && C.Proofs.proves(N, SplitsForRange))
      Range.Low = 0;
    // The dividend is often known to be smaller than its parts say.
    for (unsigned Width : {31, 32})
      if (DynamicAPInt Most = powerOfTwo(Width) - 1;
          Range.High > Most && C.Proofs.proves(Polynomial(Most) - N, 0))
        Range.High = Most;
  }
  Polynomial &Result = Quotients[Key];
  if (Range.Low == Range.High)
    return Result = Polynomial(Range.Low);
  if (isQuotient(Polynomial(0), N, D))
    return Result = Polynomial(0);
  unsigned Variable = C.Proofs.addQuotient(N, D, Range.Low, Range.High);
  Polynomial Q = Polynomial::variable(Variable);
  Polynomial Remainder = N - D * Q;
  C.assume(Remainder);
  C.assume(D - 1 - Remainder);
  // Dividends that are equal modulo D leave the same remainder.
  std::optional<unsigned> Exponent =
      D.isConstant() ? exponentOf(D.constant()) : std::nullopt;
  if (Exponent)
    for (const auto &[Other, From] : Dividends)
      if (From.Den == D && haveSameOrigin(N, From.Num, *Exponent))
        assumeZero(Remainder - From.Num + D * Polynomial::variable(Other));
  // The same number may have been computed in another way: as a quotient of a
  // quotient, say. One variable for both makes the rest easy.
  Ratio Exact = ratioOf(N);
  Exact.Den = Exact.Den * D;
  for (const auto &[Other, OtherExact] : Ratios) {
    Polynomial P = Polynomial::variable(Other);
    if (mayDifferByLessThanOne(Exact, OtherExact) &&
        C.Proofs.proves(Q - P, SplitsForRange) &&
        C.Proofs.proves(P - Q, SplitsForRange))
      return Result = P;
  }
  Dividends[Variable] = {N, D};
  // N < K*D.
  std::vector<Polynomial> Definition;
  Polynomial Factor = collectDefinition(Variable, Definition);
  for (const Polynomial &K : Above) {
    Definition.push_back(K * D - 1 - N);
    if (C.Proofs.provesFrom(Definition, Factor, K - 1 - Q))
      C.assume(K - 1 - Q);
  }
  for (const auto &[Other, OtherExact] : Ratios) {
    Polynomial P = Polynomial::variable(Other);
    relateToCoarser(P, OtherExact, Q, Exact);
    relateToCoarser(Q, Exact, P, OtherExact);
  }
  Ratios[Variable] = Exact;
  return Result = Q;
}

/// The monomial K with \p A = K * \p B, for monomials with coefficients.
static std::optional<Polynomial> factorOf(const Polynomial &A,
                                          const Polynomial &B) {
  if (A.terms().size() != 1 || B.terms().size() != 1)
    return std::nullopt;
  const auto &[MA, FA] = A.terms()[0];
  const auto &[MB, FB] = B.terms()[0];
  Monomial Rest;
  std::set_difference(MA.begin(), MA.end(), MB.begin(), MB.end(),
                      std::back_inserter(Rest));
  if (FA % FB != 0 || Rest.size() + MB.size() != MA.size())
    return std::nullopt;
  return Polynomial::monomial(Rest) * (FA / FB);
}

/// \p P / \p D, if all terms of \p P are multiples of the term \p D.
static std::optional<Polynomial> dividedBy(const Polynomial &P,
                                           const Polynomial &D) {
  Polynomial Sum;
  for (const auto &[M, F] : P.terms()) {
    std::optional<Polynomial> Part = factorOf(Polynomial::monomial(M) * F, D);
    if (!Part)
      return std::nullopt;
    Sum = Sum + *Part;
  }
  return Sum;
}

/// Sizes are at least 1: a product of some of them is no more than that of all.
/// Whether \p P is part of one that is at most \p Most.
bool WordEncoder::isInProduct(const Polynomial &P, const DynamicAPInt &Most) {
  if (P.terms().size() != 1 || P.degree() < 2)
    return false;
  for (const auto &[Variable, From] : Origins) {
    Polynomial Product = Polynomial::variable(Variable);
    DynamicAPInt High = C.Proofs.rangeOf(Product).High;
    if (From.Width || High > Most || !factorOf(From.Start, P))
      continue;
    std::vector<Polynomial> Facts = {From.Start - Product, Product - From.Start,
                                     Polynomial(High) - Product};
    for (unsigned V : Monomial(From.Start.terms()[0].first)) {
      Polynomial Size = Polynomial::variable(V);
      Facts.push_back(Size - Polynomial(C.Proofs.rangeOf(Size).Low));
    }
    if (!C.Proofs.provesFrom(Facts, Polynomial(), Polynomial(Most) - P))
      continue;
    C.assume(Polynomial(Most) - P);
    return true;
  }
  return false;
}

/// The terms of \p P that are multiples of the term \p D, divided by it.
static Polynomial wholePart(const Polynomial &P, const Polynomial &D) {
  Polynomial Whole;
  for (const auto &[M, F] : P.terms())
    if (std::optional<Polynomial> K = factorOf(Polynomial::monomial(M) * F, D))
      Whole = Whole + *K;
  return Whole;
}

/// What all terms of \p P and the term \p D have as a factor.
static Polynomial commonFactor(const Polynomial &P, const Polynomial &D) {
  Monomial Common = D.terms()[0].first;
  DynamicAPInt Number = abs(D.terms()[0].second);
  for (const auto &[M, F] : P.terms()) {
    Monomial Both;
    std::set_intersection(Common.begin(), Common.end(), M.begin(), M.end(),
                          std::back_inserter(Both));
    Common = Both;
    Number = gcd(Number, abs(F));
  }
  return Polynomial::monomial(Common) * Number;
}

/// Whether 0 <= N - D*Q < D, which only the quotient satisfies.
bool WordEncoder::isQuotient(const Polynomial &Q, const Polynomial &N,
                             const Polynomial &D) {
  Polynomial Remainder = N - D * Q;
  // Of two quotients, their definitions say that.
  std::vector<Polynomial> Facts;
  Polynomial Factor;
  for (const Polynomial &P : {Q, N})
    if (P.terms().size() == 1 && P.degree() == 1)
      Factor = collectDefinition(P.terms()[0].first[0], Facts);
  // What is known of products with sizes counts as well.
  unsigned Splits = D.isConstant() ? SplitsForRange : SplitsForRange + 1;
  return all_of(std::array{Remainder, D - 1 - Remainder},
                [&](const Polynomial &P) {
                  return (!Factor.terms().empty() &&
                          C.Proofs.provesFrom(Facts, Factor, P)) ||
                         C.Proofs.proves(P, Splits);
                });
}

/// The quotient in terms of others, where they make it: it is tried whether it
/// is, so that guesses do no harm.
std::optional<Polynomial>
WordEncoder::knownQuotient(const Polynomial &N, const Polynomial &Divisor) {
  Polynomial Dividend = unnamed(N, false), D = unnamed(Divisor, false);
  // floor(K*D / D) = K.
  if (!D.isConstant() && !Dividend.terms().empty()) {
    DynamicAPInt K = Dividend.terms().back().second / D.terms().back().second;
    if (Dividend == D * K)
      return Polynomial(K);
  }
  auto Try = [&](const Polynomial &Q) {
    return isQuotient(Q, N, Divisor) ? std::optional(Q) : std::nullopt;
  };
  // floor(floor(A / B) / D) = floor(A / (B*D)).
  if (N.degree() == 1 && N.terms().size() == 1 && N.terms()[0].second == 1)
    if (auto It = Dividends.find(N.terms()[0].first[0]);
        It != Dividends.end() &&
        It->second.Den.degree() + D.degree() <= MaxDivisorDegree)
      if (D.terms().size() == 1 ||
          Quotients.count({unnamed(It->second.Num, false),
                           unnamed(It->second.Den, false) * D}))
        if (auto Q = Try(floorOfQuotient(It->second.Num, It->second.Den * D)))
          return Q;
  if (D.terms().size() != 1)
    return std::nullopt;
  // floor((K*A) / (K*B)) = floor(A / B).
  Polynomial Common = commonFactor(Dividend, D);
  if (!Common.isConstant() || Common.constant() > 1) {
    // Of factors that are both negative it would be no quotient.
    Polynomial Rest = *dividedBy(D, Common);
    if (C.Proofs.proves(Rest - 1, SplitsForRange))
      if (auto Q = Try(floorOfQuotient(*dividedBy(Dividend, Common), Rest)))
        return Q;
  }
  // floor((A + K*D) / D) = floor(A / D) + K, for an A that is a digit already,
  // or is divided elsewhere as well.
  if (Polynomial Whole = wholePart(Dividend, D); !Whole.terms().empty()) {
    if (auto Q = Try(Whole))
      return Q;
    Polynomial Rest = Dividend - Whole * D;
    if (any_of(Dividends, [&](const auto &Other) {
          return unnamed(Other.second.Num, false) == Rest;
        }))
      if (auto Q = Try(floorOfQuotient(Rest, Divisor) + Whole))
        return Q;
  }
  for (const auto &[Variable, Other] : Dividends) {
    if (unnamed(Other.Den, false) != D)
      continue;
    std::optional<Polynomial> K =
        dividedBy(Dividend - unnamed(Other.Num, false), D);
    if (K)
      if (auto Q = Try(Polynomial::variable(Variable) + *K))
        return Q;
  }
  return std::nullopt;
}

void WordEncoder::fixQuotients() {
  if (C.isDoubtful())
    return;
  fixMultiples();
  for (const auto &[Variable, From] : Dividends)
    C.Proofs.fix(Variable, SplitsForRange);
}

/// Decisions were made after the quotients of \p P were computed: in this case
/// some of them are one more or less than another one of the same divisor, or
/// than what is a multiple of it. Says so, and whether there are any.
bool WordEncoder::settleQuotients(const Polynomial &P) {
  bool Changed = false;
  std::set<unsigned> Variables;
  for (const auto &[M, F] : P.terms())
    Variables.insert(M.begin(), M.end());
  for (unsigned Variable : Variables) {
    auto It = Dividends.find(Variable);
    if (It == Dividends.end() || C.isDoubtful())
      continue;
    const auto &[N, D] = It->second;
    Polynomial Q = Polynomial::variable(Variable), Dividend = unnamed(N, false),
               Divisor = unnamed(D, false);
    std::vector<Polynomial> Near;
    if (Divisor.terms().size() == 1)
      Near.push_back(wholePart(Dividend, Divisor));
    for (unsigned Other : Variables)
      if (auto Twin = Dividends.find(Other);
          Other < Variable && Twin != Dividends.end() &&
          unnamed(Twin->second.Den, false) == Divisor &&
          (Dividend - unnamed(Twin->second.Num, false)).isConstant())
        Near.push_back(Polynomial::variable(Other));
    for (const Polynomial &Start : Near) {
      const int64_t *Step = find_if(
          Steps, [&](int64_t Step) { return isQuotient(Start + Step, N, D); });
      if (Step == std::end(Steps))
        continue;
      assumeZero(Q - Start - *Step);
      Changed = true;
      break;
    }
  }
  return Changed;
}

/// Where the one counts pieces of n and the other pieces of k*n, there is a
/// digit below k: 0 <= fine - k*coarse < k.
void WordEncoder::relateToCoarser(const Polynomial &Fine,
                                  const Ratio &FineRatio,
                                  const Polynomial &Coarse,
                                  const Ratio &CoarseRatio) {
  // FineRatio = K * CoarseRatio, as c * n / FD = K * d * n / CD.
  DynamicAPInt A = gcd(FineRatio.Num.gcdOfCoefficients(),
                       abs(FineRatio.Num.constant())),
               B = gcd(CoarseRatio.Num.gcdOfCoefficients(),
                       abs(CoarseRatio.Num.constant()));
  if (A == 0 || B == 0 || FineRatio.Num * B != CoarseRatio.Num * A)
    return;
  std::optional<Polynomial> K =
      factorOf(CoarseRatio.Den * A, FineRatio.Den * B);
  if (!K || (K->isConstant() && K->constant() <= 1))
    return;
  Polynomial Digit = Fine - *K * Coarse;
  std::vector<Polynomial> Facts;
  Polynomial Factor;
  for (const Polynomial &Q : {Coarse, Fine})
    Factor = collectDefinition(Q.terms()[0].first[0], Facts);
  for (const Polynomial &P : {Digit, *K - 1 - Digit})
    if (C.Proofs.provesFrom(Facts, Factor, P))
      C.assume(P);
}

/// What makes the quotient one, and those in its dividend. Returns the divisor
/// less one.
Polynomial
WordEncoder::collectDefinition(unsigned Variable,
                               std::vector<Polynomial> &Facts) const {
  auto It = Dividends.find(Variable);
  if (It == Dividends.end())
    return Polynomial();
  const auto &[N, D] = It->second;
  Polynomial Remainder = N - D * Polynomial::variable(Variable);
  for (const Polynomial &P : {Remainder, D - 1 - Remainder, D - 1})
    if (!is_contained(Facts, P))
      Facts.push_back(P);
  for (const auto &[M, F] : N.terms())
    for (unsigned V : M)
      collectDefinition(V, Facts);
  return D - 1;
}

/// An index that is divided by some sizes is below the product of all sizes.
/// The K for which N < K*\p D is known.
std::vector<Polynomial> WordEncoder::productsAbove(const Polynomial &N,
                                                   const Polynomial &D) {
  Polynomial Divisor = unnamed(D, true);
  std::vector<Polynomial> Found;
  for (const auto &[Variable, From] : Origins) {
    if (Divisor.isConstant() || From.Width || From.Start.terms().size() != 1 ||
        From.Start.degree() < 2)
      continue;
    Polynomial Product = Polynomial::variable(Variable);
    std::optional<Polynomial> K = factorOf(unnamed(Product, true), Divisor);
    if (!K || is_contained(Found, *K) ||
        !C.Proofs.proves(Product - 1 - N, SplitsForRange) ||
        !C.Proofs.proves(*K * D - Product, SplitsForRange))
      continue;
    C.assume(*K * D - 1 - N);
    Found.push_back(*K);
  }
  return Found;
}

/// \p P with quotients that are not rounded, or \p P itself where that would be
/// too long.
WordEncoder::Ratio WordEncoder::ratioOf(const Polynomial &P) const {
  static constexpr unsigned MaxRatioDegree = 6, MaxRatioTerms = 64;
  Ratio Sum{Polynomial(0), Polynomial(1)};
  for (const auto &[M, Factor] : P.terms()) {
    Ratio Term{Polynomial(Factor), Polynomial(1)};
    for (unsigned V : M) {
      auto It = Ratios.find(V);
      bool IsKnown = It != Ratios.end() &&
                     It->second.Num.degree() + It->second.Den.degree() +
                             Term.Num.degree() + Term.Den.degree() <=
                         MaxRatioDegree;
      Term.Num =
          Term.Num * (IsKnown ? It->second.Num : Polynomial::variable(V));
      if (IsKnown)
        Term.Den = Term.Den * It->second.Den;
    }
    if (Sum.Den == Term.Den) {
      Sum.Num = Sum.Num + Term.Num;
    } else {
      Sum.Num = Sum.Num * Term.Den + Term.Num * Sum.Den;
      Sum.Den = Sum.Den * Term.Den;
    }
    if (Sum.Num.terms().size() > MaxRatioTerms ||
        Sum.Den.terms().size() > MaxRatioTerms)
      return {P, Polynomial(1)};
  }
  return Sum;
}

/// Whether it is worth trying to prove that the quotients are the same.
bool WordEncoder::mayDifferByLessThanOne(const Ratio &A, const Ratio &B) const {
  Polynomial Difference = A.Num * B.Den - B.Num * A.Den;
  if (Difference.terms().empty() || unnamed(Difference, false).terms().empty())
    return true;
  if (!A.Den.isConstant() || !B.Den.isConstant())
    return false;
  IntegerRange Range = C.Proofs.rangeOf(Difference);
  DynamicAPInt One = A.Den.constant() * B.Den.constant();
  return Range.Low > -One && Range.High < One;
}
} // namespace unravel
