//===- IndexDomain.cpp - What values index expressions can take -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexDomain.h"
#include "analysis/algebra/DomainSampler.h"
#include "analysis/algebra/IndexDigits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// Rounds of bound propagation between constraints.
static constexpr unsigned MaxPropagationRounds = 4;

IndexDomain::IndexDomain(IndexContext &Context) : Context(Context) {}

IndexDomain::IndexDomain(const IndexDomain &Parent)
    : Context(Parent.Context), Parent(&Parent), Empty(Parent.Empty) {}

IndexDomain::IndexDomain(IndexDomain &&) = default;
IndexDomain::~IndexDomain() = default;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

const IndexDomain::AtomFacts *
IndexDomain::factsOf(const IndexAtom *Atom) const {
  if (auto It = Facts.find(Atom); It != Facts.end())
    return &It->second;
  if (!Parent)
    return nullptr;
  // A domain does not change any more once it has children, except that
  // declare() adds atoms of no interest.
  auto [It, IsNew] = Inherited.try_emplace(Atom);
  if (IsNew)
    if (const AtomFacts *F = Parent->factsOf(Atom))
      It->second = *F;
  return It->second ? &*It->second : nullptr;
}

Interval IndexDomain::boundsOf(const IndexAtom *Atom) const {
  const AtomFacts *F = factsOf(Atom);
  return F ? F->Range : Interval();
}

Congruence IndexDomain::congruenceOf(const IndexAtom *Atom) const {
  const AtomFacts *F = factsOf(Atom);
  return F ? F->Lattice : Congruence();
}

std::optional<bool> IndexDomain::knownProof(IndexExpr E) const {
  auto It = Proofs.find(E);
  return It == Proofs.end() ? std::nullopt : std::optional(It->second);
}

void IndexDomain::forgetAnswers() {
  Ranges.clear();
  Proofs.clear();
}

void IndexDomain::forget() {
  forgetAnswers();
  NaiveRanges.clear();
  Points.reset();
  ++Revision;
}

DomainSampler &IndexDomain::samplePoints() const {
  if (!addsFacts())
    return Parent->samplePoints();
  if (!Points)
    Points = std::make_unique<DomainSampler>(*this);
  return *Points;
}

bool IndexDomain::isRefuted(IndexExpr E) const {
  return samplePoints().refuteNonNegative(E);
}

bool IndexDomain::mayRelate(IndexExpr A, IndexExpr B) const {
  return samplePoints().mayRelate(A, B);
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
  KnowsProducts |= Atom->isProduct();
  if (Atom->isProduct() && !is_contained(BoundedProducts, Atom))
    BoundedProducts.push_back(Atom);
  forget();
}

/// The fact that \p Atom in \p Range says about the atom's operand.
void IndexDomain::constrainOperand(const IndexAtom *Atom,
                                   const Interval &Range) {
  if (Atom->isConstantFloorDiv()) {
    // floor(M/d) in [a, b]  <=>  M in [a*d, b*d + d-1]
    int64_t D = Atom->constantDivisor();
    Interval Low = Range * D;
    constrain(Atom->operand(),
              Interval(Low.lo(), (Low + Interval::point(D - 1)).hi()));
  } else if (Atom->isConstantTruncDiv()) {
    // The quotient a > 0 needs M >= a*d, a <= 0 only M > (a - 1)*d; likewise
    // from above.
    int64_t D = Atom->constantDivisor();
    Interval Ends = Range * D;
    Interval Slack(Range.lo() > 0 ? 0 : -(D - 1), Range.hi() < 0 ? 0 : D - 1);
    constrain(Atom->operand(), Ends + Slack);
  } else if (Atom->isNegativePart()) {
    // min(M, 0) >= a  =>  M >= a, and min(M, 0) <= b < 0  =>  M <= b
    constrain(Atom->operand(),
              Interval(Range.lo(),
                       Range.hi() < 0 ? Range.hi() : Interval::PlusInfinity));
  } else if (Atom->kind() == IndexAtom::Kind::NonNegative) {
    if (!Range.contains(0))
      constrain(Atom->operand(), Interval::atLeast(0));
    else if (!Range.contains(1))
      constrain(Atom->operand(), Interval::atMost(-1));
  } else if (Atom->kind() == IndexAtom::Kind::Zero) {
    if (!Range.contains(0))
      constrain(Atom->operand(), Interval::point(0));
  } else if (Atom->isProduct()) {
    constrainFactors(Atom, Range);
  }
}

/// A product of conditions that is 1 makes each of them 1.
void IndexDomain::constrainFactors(const IndexAtom *Product,
                                   const Interval &Range) {
  if (Range.contains(0))
    return;
  if (!all_of(Product->factors(),
              [](const IndexAtom *A) { return A->isCondition(); }))
    return;
  for (const IndexAtom *Factor : Product->factors())
    constrain(Context.atom(Factor), Interval::point(1));
}

std::pair<IndexExpr, int64_t> IndexDomain::unitOf(IndexExpr E) const {
  int64_t G = E.gcdOfCoefficients();
  if (!E.isConstant() && E.terms()[0].Coefficient < 0)
    G = -G;
  IndexExpr Unit = Context.add(E, -E.constant());
  return {Unit && G != 0 ? Context.divideExactly(Unit, G) : IndexExpr(), G};
}

void IndexDomain::constrain(IndexExpr E, const Interval &Range) {
  if (!E || Empty)
    return;
  Interval Shifted = Range - Interval::point(E.constant());
  if (E.isConstant()) {
    Empty |= !Range.contains(E.constant());
    return;
  }
  auto [Unit, G] = unitOf(E);
  if (!Unit)
    return;
  IndexConstraint Fact{Unit, Shifted.divideInwards(G)};
  if (Fact.Range.contains(range(Unit)))
    return; // nothing new
  if (Interval Left = Fact.Range.intersect(range(Unit)); Left.isPoint())
    constrainDigit(Unit, Left.lo());
  if (const IndexAtom *Atom = Unit.asAtom()) {
    restrict(Atom, Fact.Range);
    constrainOperand(Atom, Fact.Range);
    return;
  }
  Constraints.push_back(Fact);
  KnowsProducts |=
      any_of(Unit.terms(), [](IndexTerm T) { return T.Atom->isProduct(); });
  forget();
  propagateThrough(Fact);
}

/// E = Value with E = s*(M mod d) + k: M is congruent to (Value - k)/s.
void IndexDomain::constrainDigit(IndexExpr E, int64_t Value) {
  for (const IndexTerm &T : E.terms()) {
    if (!T.Atom->isConstantFloorDiv())
      continue;
    for (const IndexDigit &D : digitsOf(Context, E, T)) {
      int64_t Scaled;
      if (!D.Rest.isConstant() || SubOverflow(Value, D.Rest.constant(), Scaled))
        continue;
      if (Scaled % D.Scale != 0 ||
          !Interval(0, D.Radix - 1).contains(Scaled / D.Scale))
        Empty = true;
      else
        constrainLattice(D.Dividend, Congruence::of(D.Radix, Scaled / D.Scale));
    }
  }
}

void IndexDomain::constrainLattice(IndexExpr E, const Congruence &Lattice) {
  if (!E || Empty || Lattice.isTrivial())
    return;
  if (E.constant() == Interval::MinusInfinity)
    return;
  Congruence Shifted = Lattice + Congruence::constant(-E.constant());
  if (E.isConstant()) {
    Empty |= !Shifted.contains(0);
    return;
  }
  if (E.terms().size() > 1) {
    LatticeFacts.push_back({Context.add(E, -E.constant()), Shifted});
    Lattices.clear();
    forget();
    return;
  }
  const IndexTerm &T = E.terms()[0];
  AtomFacts Known;
  if (const AtomFacts *F = factsOf(T.Atom))
    Known = *F;
  std::optional<Congruence> C = Shifted.solveFor(T.Coefficient);
  if (C)
    C = C->intersect(Known.Lattice);
  Interval Tighter = C ? tighten(Known.Range, *C) : Interval::empty();
  if (Tighter.isEmpty()) {
    Empty = true;
    return;
  }
  Facts[T.Atom] = {Tighter, *C};
  Lattices.clear();
  forget();
}

/// From sum c_i*t_i in [lo, hi]: c_i*t_i in [lo, hi] - range(the others).
bool IndexDomain::propagateThrough(const IndexConstraint &Fact) {
  bool Changed = false;
  for (const IndexTerm &T : Fact.Expr.terms()) {
    IndexExpr Others =
        Context.add(Fact.Expr, Context.atom(T.Atom), -T.Coefficient);
    if (!Others)
      continue;
    Interval Bound = (Fact.Range - range(Others)).divideInwards(T.Coefficient);
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
    unsigned Left = Context.limits().MaxConstraints;
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

bool IndexDomain::anyVisibleConstraint(
    function_ref<bool(const IndexConstraint &)> Holds) const {
  unsigned Left = Context.limits().MaxConstraints;
  for (const IndexDomain *D = this; D; D = D->Parent)
    for (const IndexConstraint &C : reverse(D->Constraints)) {
      if (Left-- == 0)
        return false;
      if (Holds(C))
        return true;
    }
  return false;
}

SmallVector<IndexConstraint, 4> IndexDomain::visibleConstraints() const {
  SmallVector<IndexConstraint, 4> Visible;
  anyVisibleConstraint([&](const IndexConstraint &C) {
    Visible.push_back(C);
    return false;
  });
  return Visible;
}

} // namespace unravel
