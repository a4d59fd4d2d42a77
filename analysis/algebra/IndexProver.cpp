//===- IndexProver.cpp - Proving inequalities between forms ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexProver.h"
#include "analysis/algebra/IndexPolynomial.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// Facts used one after the other at most.
static constexpr unsigned MaxSteps = 5;
/// Forms that one proof looks at at most.
static constexpr unsigned MaxForms = 16;
/// Longer forms come from no shape that we know; they are only given a range.
static constexpr unsigned MaxProverTerms = 8;

namespace {
class Prover {
public:
  explicit Prover(const IndexDomain &Domain)
      : Domain(Domain), Context(Domain.context()),
        Constraints(Domain.visibleConstraints()),
        RangesLeft(Context.limits().MaxProofForms) {}

  /// Short proofs are looked for first: the search for a long one may use up
  /// the limit far from where a short one is.
  bool prove(IndexExpr P) {
    for (unsigned Steps = 1; Steps <= MaxSteps; ++Steps) {
      Tried.clear();
      if (prove(P, Steps))
        return true;
    }
    return false;
  }

private:
  bool prove(IndexExpr P, unsigned Steps);
  Interval rangeOf(IndexExpr P) const;
  /// What could be used on P: forms that are not negative.
  void addFact(IndexExpr Fact);
  void addBounds(const IndexAtom *Atom);
  void collectFacts(IndexExpr P);
  void collectFactsOf(const IndexAtom *Atom);
  bool useFact(IndexExpr P, MonomialRef Bad, int64_t Coefficient,
               IndexExpr Fact, unsigned Steps);

  const IndexDomain &Domain;
  IndexContext &Context;
  SmallVector<IndexConstraint, 4> Constraints;
  SmallVector<IndexExpr, 16> Facts;
  DenseSet<IndexExpr> KnownFacts;
  DenseSet<const IndexAtom *> Looked;
  DenseSet<IndexExpr> Tried;
  unsigned RangesLeft;
};
} // namespace

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

void Prover::addFact(IndexExpr Fact) {
  if (Fact && !Fact.isConstant() && KnownFacts.insert(Fact).second)
    Facts.push_back(Fact);
}

void Prover::addBounds(const IndexAtom *Atom) {
  IndexExpr T = Context.atom(Atom);
  Interval R = Domain.range(T);
  if (R.isBoundedAbove())
    addFact(Context.sub(Context.constant(R.hi()), T));
  if (R.isBoundedBelow())
    addFact(Context.add(T, Context.constant(R.lo()), -1));
}

void Prover::collectFactsOf(const IndexAtom *Atom) {
  if (!Looked.insert(Atom).second)
    return;
  addBounds(Atom);

  // For D > 0 the remainder M - D*q of a floor lies in [0, D-1], and that of a
  // truncating quotient in [1-D, D-1].
  IndexExpr M = Atom->operand(), T = Context.atom(Atom);
  IndexExpr D = Atom->isDivision() ? Atom->divisor() : IndexExpr();
  if (D && Domain.range(D).isNonNegative()) {
    IndexExpr Remainder = Context.sub(M, Context.multiply(D, T));
    addFact(Atom->isFloorDiv() ? Remainder
                               : Context.add(Context.add(Remainder, D), -1));
    addFact(Context.add(Context.sub(D, Remainder), -1));
  }
  if (Atom->isNegativePart())
    addFact(Context.sub(M, T)); // min(M, 0) <= M
}

void Prover::collectFacts(IndexExpr P) {
  for (const IndexTerm &T : P.terms()) {
    if (T.Atom->isProduct())
      addBounds(T.Atom);
    for (const IndexAtom *const &Factor : factorsOf(T.Atom))
      collectFactsOf(Factor);
  }
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// The sign of a monomial where it is known not to change: 1, -1 or 0.
static int signOf(const IndexDomain &Domain, IndexExpr Product) {
  Interval R = Domain.range(Product);
  return R.lo() >= 0 ? 1 : R.hi() <= 0 ? -1 : 0;
}

/// Bad, a monomial of P with \p Coefficient, is a term of m * Fact for some
/// monomial m with m >= 0: continues with P - m*Fact.
bool Prover::useFact(IndexExpr P, MonomialRef Bad, int64_t Coefficient,
                     IndexExpr Fact, unsigned Steps) {
  auto TryTerm = [&](MonomialRef Factors, int64_t C) {
    std::optional<Monomial> Extra = divide(Bad, Factors);
    if (!Extra || Coefficient % C != 0)
      return false;
    IndexExpr Multiplier = Context.product(*Extra, Coefficient / C);
    if (!Multiplier || signOf(Domain, Multiplier) <= 0)
      return false;
    IndexExpr Left = Context.sub(P, Context.multiply(Multiplier, Fact));
    // A step that makes the form longer by more than one term leads away.
    return Left && Left.terms().size() <= P.terms().size() + 1 &&
           prove(Left, Steps - 1);
  };
  for (const IndexTerm &T : Fact.terms())
    if (TryTerm(factorsOf(T.Atom), T.Coefficient))
      return true;
  return Fact.constant() != 0 && !Bad.empty() && TryTerm({}, Fact.constant());
}

/// What remainders in P amount to is left to the facts about them: looking for
/// digits in every form of the search would take most of its time.
Interval Prover::rangeOf(IndexExpr P) const {
  static constexpr size_t MaxRangeTerms = 3;
  if (P.terms().size() <= MaxRangeTerms && countDivisions(P) == 0)
    return Domain.range(P);
  Interval Sum = Interval::point(P.constant());
  for (const IndexTerm &T : P.terms())
    Sum = Sum + Domain.range(Context.atom(T.Atom)) * T.Coefficient;
  return Sum;
}

bool Prover::prove(IndexExpr P, unsigned Steps) {
  if (!P || RangesLeft == 0)
    return false;
  --RangesLeft;
  // P = g*Q + k >= 0  <=>  Q + floor(k/g) >= 0.
  int64_t G = P.gcdOfCoefficients();
  if (G > 1)
    P = Context.divideMultiples(P, G);
  if (!P || P.terms().size() > MaxProverTerms)
    return P && rangeOf(P).isNonNegative();
  if (rangeOf(P).isNonNegative())
    return true;
  if (Steps == 0 || P.isConstant() || Tried.size() >= MaxForms ||
      !Tried.insert(P).second)
    return false;
  collectFacts(P);
  for (const IndexTerm &T : P.terms()) {
    IndexExpr Term = Context.linear({T}, 0);
    if (Domain.range(Term).isNonNegative())
      continue;
    MonomialRef Bad = factorsOf(T.Atom);
    // Facts may be added by deeper steps: no iterators.
    for (size_t I = 0; I < Facts.size(); ++I)
      if (useFact(P, Bad, T.Coefficient, Facts[I], Steps))
        return true;
    for (const IndexConstraint &C : Constraints) {
      if (C.Range.isBoundedBelow() &&
          useFact(P, Bad, T.Coefficient,
                  Context.add(C.Expr, Context.constant(C.Range.lo()), -1),
                  Steps))
        return true;
      if (C.Range.isBoundedAbove() &&
          useFact(P, Bad, T.Coefficient,
                  Context.sub(Context.constant(C.Range.hi()), C.Expr), Steps))
        return true;
    }
  }
  return false;
}

bool provesNonNegative(const IndexDomain &Asked, IndexExpr E) {
  if (!E)
    return false;
  const IndexDomain &Domain = Asked.informed();
  if (Domain.range(E).isNonNegative())
    return true;
  // Of a single variable the range says all there is.
  if (E.terms().size() == 1 && E.terms()[0].Atom->isVariable())
    return false;
  if (std::optional<bool> Known = Domain.knownProof(E))
    return *Known;
  bool Holds = !Domain.isRefuted(E) && Prover(Domain).prove(E);
  Domain.keepProof(E, Holds);
  return Holds;
}

/// The upper end first: it is where most attempts end.
bool provesEnds(const IndexDomain &Domain, IndexExpr E, const Interval &Range) {
  IndexContext &Context = Domain.context();
  IndexExpr BelowHigh = Context.sub(Context.constant(Range.hi()), E);
  IndexExpr AboveLow = Context.sub(E, Context.constant(Range.lo()));
  return (!Range.isBoundedAbove() || provesNonNegative(Domain, BelowHigh)) &&
         (!Range.isBoundedBelow() || provesNonNegative(Domain, AboveLow));
}

bool provesProductWithin(const IndexDomain &Domain, IndexExpr E,
                         const Interval &Word) {
  // Sizes and thread indices. A sum of digits that stays in the word is a range
  // by itself once it telescopes, and without a fact about some product the
  // search would be in vain.
  static constexpr size_t MaxWordTerms = 3;
  if (!E || !Domain.knowsProducts() || E.terms().size() > MaxWordTerms ||
      countDivisions(E) > 0 ||
      none_of(E.terms(), [](IndexTerm T) { return T.Atom->isProduct(); }))
    return false;
  // 64-bit words, as in ranges: the ends are not reached.
  return provesEnds(Domain, E,
                    Word.intersect({Interval::MinusInfinity + 1,
                                    Interval::PlusInfinity - 1}));
}

} // namespace unravel
