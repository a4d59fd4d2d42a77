//===- IndexDomain.cpp - What values index expressions can take -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/IndexDomain.h"
#include "analysis/IndexDigits.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

/// How deep the evaluator splits digits off digits. Four covers what nested
/// reshapes produce; the cost grows exponentially with it.
static constexpr unsigned MaxDigitDepth = 4;
/// Forms that one query looks at at most; a kernel's address needs a few dozen.
static constexpr unsigned MaxSplits = 128;
/// Longer forms are not split: looking for digits takes quadratic time in the
/// number of terms, and addresses with more than four digits are rare.
static constexpr unsigned MaxSplitTerms = 12;
/// Rounds of bound propagation between constraints.
static constexpr unsigned MaxPropagationRounds = 4;

/// Both are true, so an empty intersection means dead code; keep the range
/// non-empty then, every answer is right there.
static Interval meet(const Interval &A, const Interval &B) {
  Interval Both = A.intersect(B);
  return Both.isEmpty() ? A : Both;
}

/// All integers t with Factor * t in Range.
static Interval divideInwards(const Interval &Range, int64_t Factor) {
  Interval R = Factor < 0 ? -Range : Range;
  int64_t F = Factor < 0 ? -Factor : Factor;
  int64_t Lo = R.isBoundedBelow() ? -floorDiv(-R.lo(), F) : R.lo();
  int64_t Hi = R.isBoundedAbove() ? floorDiv(R.hi(), F) : R.hi();
  return {Lo, Hi};
}

IndexDomain::IndexDomain(const IndexDomain &Parent)
    : Context(Parent.Context), Parent(&Parent), Empty(Parent.Empty) {}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

const IndexDomain::AtomFacts *
IndexDomain::factsOf(const IndexAtom *Atom) const {
  for (const IndexDomain *D = this; D; D = D->Parent) {
    auto It = D->Facts.find(Atom);
    if (It != D->Facts.end())
      return &It->second;
  }
  return nullptr;
}

Interval IndexDomain::boundsOf(const IndexAtom *Atom) const {
  const AtomFacts *F = factsOf(Atom);
  return F ? F->Range : Interval();
}

Congruence IndexDomain::congruenceOf(const IndexAtom *Atom) const {
  const AtomFacts *F = factsOf(Atom);
  return F ? F->Lattice : Congruence();
}

void IndexDomain::forget() {
  Ranges.clear();
  NaiveRanges.clear();
}

void IndexDomain::declare(const IndexAtom *Variable, const Interval &Range,
                          const Congruence &Lattice) {
  Interval Tight = tighten(Range, Lattice);
  Empty |= Tight.isEmpty();
  Facts[Variable] = {Tight.isEmpty() ? Range : Tight, Lattice};
}

void IndexDomain::restrict(const IndexAtom *Atom, const Interval &Range) {
  AtomFacts Known;
  if (const AtomFacts *F = factsOf(Atom))
    Known = *F;
  Interval Tighter = tighten(Known.Range.intersect(Range), Known.Lattice);
  if (Tighter == Known.Range)
    return;
  if (Tighter.isEmpty()) {
    Empty = true;
    return;
  }
  Facts[Atom] = {Tighter, Known.Lattice};
  forget();
}

/// The fact that \p Atom in \p Range says about the atom's operand.
void IndexDomain::constrainOperand(const IndexAtom *Atom,
                                   const Interval &Range) {
  if (Atom->isFloorDiv()) {
    // floor(M/d) in [a, b]  <=>  M in [a*d, b*d + d-1]
    int64_t D = Atom->divisor();
    Interval Low = Range * D;
    constrain(Atom->operand(),
              Interval(Low.lo(), (Low + Interval::point(D - 1)).hi()));
  } else if (Atom->isTruncDiv()) {
    // The quotient a > 0 needs M >= a*d, a <= 0 only M > (a - 1)*d; likewise
    // from above.
    int64_t D = Atom->divisor();
    Interval Ends = Range * D;
    Interval Slack(Range.lo() > 0 ? 0 : -(D - 1), Range.hi() < 0 ? 0 : D - 1);
    constrain(Atom->operand(), Ends + Slack);
  } else if (Atom->isNegativePart()) {
    // min(M, 0) >= a  =>  M >= a, and min(M, 0) <= b < 0  =>  M <= b
    constrain(Atom->operand(),
              Interval(Range.lo(),
                       Range.hi() < 0 ? Range.hi() : Interval::PlusInfinity));
  }
}

void IndexDomain::constrain(IndexExpr E, const Interval &Range) {
  if (!E || Empty)
    return;
  Interval Shifted = Range - Interval::point(E.constant());
  if (E.isConstant()) {
    Empty |= !Range.contains(E.constant());
    return;
  }
  int64_t G = E.gcdOfCoefficients();
  if (E.terms()[0].Coefficient < 0)
    G = -G;
  IndexExpr Unit = Context.divideExactly(Context.add(E, -E.constant()), G);
  if (!Unit)
    return;
  IndexConstraint Fact{Unit, divideInwards(Shifted, G)};
  if (Fact.Range.contains(range(Unit)))
    return; // nothing new
  if (const IndexAtom *Atom = Unit.asAtom()) {
    restrict(Atom, Fact.Range);
    constrainOperand(Atom, Fact.Range);
    return;
  }
  Constraints.push_back(Fact);
  forget();
  propagateThrough(Fact);
}

/// From sum c_i*t_i in [lo, hi]: c_i*t_i in [lo, hi] - range(the others).
bool IndexDomain::propagateThrough(const IndexConstraint &Fact) {
  bool Changed = false;
  for (const IndexTerm &T : Fact.Expr.terms()) {
    IndexExpr Others =
        Context.add(Fact.Expr, Context.atom(T.Atom), -T.Coefficient);
    if (!Others)
      continue;
    Interval Bound = divideInwards(Fact.Range - range(Others), T.Coefficient);
    if (Bound.isEmpty()) {
      Empty = true;
      return false;
    }
    if (Bound.contains(range(Context.atom(T.Atom))))
      continue;
    Changed = true;
    restrict(T.Atom, Bound);
    constrainOperand(T.Atom, Bound);
  }
  return Changed;
}

void IndexDomain::propagate() {
  for (unsigned Round = 0; Round < MaxPropagationRounds; ++Round) {
    bool Changed = false;
    unsigned Left = MaxConstraints;
    for (const IndexDomain *D = this; D && Left; D = D->Parent)
      for (size_t I = D->Constraints.size(); I-- && Left; --Left) {
        // A copy: propagating may add constraints to this domain.
        IndexConstraint Fact = D->Constraints[I];
        Changed |= !Empty && propagateThrough(Fact);
      }
    if (!Changed)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

Interval IndexDomain::range(IndexExpr E) const {
  SplitsLeft = MaxSplits;
  return rangeAtDepth(E, 0);
}

Interval IndexDomain::rangeAtDepth(IndexExpr E, unsigned Depth) const {
  auto It = Ranges.find(E);
  if (It != Ranges.end() && It->second.Depth <= Depth)
    return It->second.Range;
  if (SplitsLeft == 0)
    return naiveRange(E, MaxDigitDepth);
  --SplitsLeft;
  Interval R = computeRange(E, Depth);
  Ranges[E] = {R, Depth};
  return R;
}

Interval IndexDomain::atomRange(const IndexAtom *Atom, unsigned Depth) const {
  Interval Known = boundsOf(Atom);
  if (Atom->isVariable())
    return Known;
  Interval Operand = Depth >= MaxDigitDepth
                         ? naiveRange(Atom->operand(), Depth)
                         : rangeAtDepth(Atom->operand(), Depth);
  if (Atom->isFloorDiv())
    return meet(Operand.floorDivBy(Atom->divisor()), Known);
  if (Atom->isTruncDiv())
    return meet(Operand.truncDivBy(Atom->divisor()), Known);
  return meet(Operand.negativePart(), Known);
}

/// Interval arithmetic; forgets that x and floor(x/d) move together.
Interval IndexDomain::naiveRange(IndexExpr E, unsigned Depth) const {
  bool Naive = Depth >= MaxDigitDepth;
  if (Naive)
    if (auto It = NaiveRanges.find(E); It != NaiveRanges.end())
      return It->second;
  Interval Sum = Interval::point(E.constant());
  for (const IndexTerm &T : E.terms())
    Sum = Sum + atomRange(T.Atom, Depth) * T.Coefficient;
  if (Naive)
    NaiveRanges[E] = Sum;
  return Sum;
}

/// The range of M - d*floor(M/d), or of C's remainder M - d*tdiv(M, d).
Interval IndexDomain::remainderRange(IndexExpr Dividend, int64_t Divisor,
                                     bool Truncating, unsigned Depth) const {
  Interval M = rangeAtDepth(Dividend, Depth);
  if (Truncating) {
    // The remainder has the dividend's sign and is no further from 0.
    Interval Digit(-(Divisor - 1), Divisor - 1);
    return meet(Digit, M.unite(Interval::point(0)));
  }
  Interval Digit(0, Divisor - 1);
  if (M.isBounded() && floorDiv(M.lo(), Divisor) == floorDiv(M.hi(), Divisor))
    Digit = {floorMod(M.lo(), Divisor), floorMod(M.hi(), Divisor)};
  // M = r (mod m) leaves r mod gcd(m, d) in every remainder.
  Congruence C = congruence(Dividend);
  int64_t G = std::gcd(C.modulus(), Divisor);
  return meet(Digit, tighten(Digit, Congruence::of(G, C.residue())));
}

/// E = Scale * digit + Rest, for every digit that T's division produces.
std::optional<Interval>
IndexDomain::rangeThroughDivision(IndexExpr E, const IndexTerm &T,
                                  unsigned Depth) const {
  std::optional<Interval> Best;
  for (const IndexDigit &D : digitsOf(Context, E, T)) {
    Interval Digit =
        remainderRange(D.Dividend, D.Radix, D.Truncating, Depth + 1);
    Interval Split = rangeAtDepth(D.Rest, Depth + 1) + Digit * D.Scale;
    Best = Best ? meet(*Best, Split) : Split;
  }
  return Best;
}

/// rest + s*min(L, 0) is min(rest, rest + s*L) for s > 0, max for s < 0.
Interval IndexDomain::rangeThroughNegativePart(IndexExpr E, const IndexTerm &T,
                                               unsigned Depth) const {
  IndexExpr Rest = Context.add(E, Context.atom(T.Atom), -T.Coefficient);
  IndexExpr Taken = Context.add(Rest, T.Atom->operand(), T.Coefficient);
  if (!Rest || !Taken)
    return {};
  Interval A = rangeAtDepth(Rest, Depth + 1);
  Interval B = rangeAtDepth(Taken, Depth + 1);
  if (T.Coefficient > 0)
    return {std::min(A.lo(), B.lo()), std::min(A.hi(), B.hi())};
  return {std::max(A.lo(), B.lo()), std::max(A.hi(), B.hi())};
}

/// E = s*Fact + rest with a rest of fewer terms.
std::optional<Interval> IndexDomain::rangeThrough(const IndexConstraint &Fact,
                                                  IndexExpr E,
                                                  unsigned Depth) const {
  const IndexTerm &First = Fact.Expr.terms()[0];
  int64_t C = E.coefficientOf(First.Atom);
  if (C == 0 || C % First.Coefficient != 0)
    return std::nullopt;
  int64_t S = C / First.Coefficient;
  IndexExpr Rest = Context.add(E, Fact.Expr, -S);
  if (!Rest || Rest.terms().size() >= E.terms().size())
    return std::nullopt;
  return Fact.Range * S + rangeAtDepth(Rest, Depth + 1);
}

Interval IndexDomain::computeRange(IndexExpr E, unsigned Depth) const {
  Interval R = naiveRange(E, Depth);
  if (Depth >= MaxDigitDepth || E.terms().size() < 2 ||
      E.terms().size() > MaxSplitTerms)
    return R;
  for (const IndexTerm &T : E.terms()) {
    if (T.Atom->isDivision()) {
      if (std::optional<Interval> Split = rangeThroughDivision(E, T, Depth))
        R = meet(R, *Split);
    } else if (T.Atom->isNegativePart()) {
      R = meet(R, rangeThroughNegativePart(E, T, Depth));
    }
  }
  unsigned Left = MaxConstraints;
  for (const IndexDomain *D = this; D && Left; D = D->Parent)
    for (size_t I = D->Constraints.size(); I-- && Left; --Left)
      if (std::optional<Interval> Via =
              rangeThrough(D->Constraints[I], E, Depth))
        R = meet(R, *Via);
  return meet(R, tighten(R, congruence(E)));
}

Congruence IndexDomain::congruence(IndexExpr E) const {
  auto It = Lattices.find(E);
  if (It != Lattices.end())
    return It->second;
  Congruence Sum = Congruence::constant(E.constant());
  for (const IndexTerm &T : E.terms()) {
    Congruence C = congruenceOf(T.Atom);
    if (T.Atom->isFloorDiv())
      C = congruence(T.Atom->operand()).floorDivBy(T.Atom->divisor());
    Sum = Sum + C * T.Coefficient;
  }
  Lattices[E] = Sum;
  return Sum;
}

std::optional<int64_t> IndexDomain::constantQuotient(IndexExpr E,
                                                     int64_t Divisor) const {
  Interval R = range(E);
  if (!R.isBounded())
    return std::nullopt;
  int64_t Q = floorDiv(R.lo(), Divisor);
  if (Q != floorDiv(R.hi(), Divisor))
    return std::nullopt;
  return Q;
}

} // namespace unravel
