//===- MapProof.cpp - Proving facts about the domains of maps -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/MapProof.h"
#include "analysis/algebra/FloorBasis.h"
#include "analysis/algebra/IndexProver.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

/// Multiplies the quotient of \p T out, or returns a null expression.
static MapConstraint multipliedOut(IndexContext &Context,
                                   const MapConstraint &C, const IndexTerm &T) {
  if (!T.Atom->isConstantFloorDiv() ||
      (T.Coefficient != 1 && T.Coefficient != -1))
    return {};
  // Of -floor(N/d) + K in [a, b] the negation.
  int64_t D = T.Atom->constantDivisor();
  Interval Range = C.Range * T.Coefficient;
  IndexExpr K =
      Context.sub(Context.scale(C.Expr, T.Coefficient), Context.atom(T.Atom));
  IndexExpr Dividend = Context.add(T.Atom->operand(), K, D);
  Interval Multiple = Range * D;
  Interval Wide(Multiple.lo(), (Multiple + Interval(0, D - 1)).hi());
  // Where an end saturates, the new constraint would say less.
  if (!Dividend || Wide.isBoundedBelow() != Range.isBoundedBelow() ||
      Wide.isBoundedAbove() != Range.isBoundedAbove())
    return {};
  return {Dividend, Wide};
}

/// Without constant and common factor.
static MapConstraint divided(IndexContext &Context, const MapConstraint &C) {
  int64_t G = C.Expr.gcdOfCoefficients();
  if (G == 0)
    return C;
  IndexExpr Constant = Context.constant(C.Expr.constant());
  IndexExpr Unit = Context.divideExactly(Context.sub(C.Expr, Constant), G);
  Interval Range = C.Range - Interval::point(C.Expr.constant());
  // The constant may have moved an end out of 64 bits.
  if (!Unit || Range.isBoundedBelow() != C.Range.isBoundedBelow() ||
      Range.isBoundedAbove() != C.Range.isBoundedAbove())
    return C;
  return {Unit, Range.divideInwards(G)};
}

MapConstraint multipliedOut(IndexContext &Context, MapConstraint C) {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    C = divided(Context, C);
    for (const IndexTerm &T : C.Expr.terms()) {
      MapConstraint Next = multipliedOut(Context, C, T);
      if (!Next.Expr || countDivisions(Next.Expr) >= countDivisions(C.Expr))
        continue;
      C = Next;
      Changed = true;
      break;
    }
  }
  return C;
}

/// floor((A + s*floor(M/n)) / d) with s = 1 or -1 as one quotient, or null. Of
/// -floor(M/n) the dividend is n - 1 - M. \p Outer is the quotient.
static IndexExpr flattened(FloorBasis &Basis, const IndexAtom *Outer) {
  IndexContext &Context = Basis.context();
  int64_t D = Outer->constantDivisor();
  for (const IndexTerm &T : Outer->operand().terms()) {
    // What is congruent to s modulo d leaves a multiple of floor(M/n).
    int64_t Sign = floorMod(T.Coefficient, D) == 1 ? 1 : -1, Times, Divisor;
    int64_t N = T.Atom->constantDivisor();
    if (!T.Atom->isConstantFloorDiv() ||
        SubOverflow(T.Coefficient, Sign, Times) || Times % D != 0 ||
        MulOverflow(N, D, Divisor))
      continue;
    IndexExpr M = T.Atom->operand(), Inner = Context.atom(T.Atom);
    if (Sign < 0)
      M = Context.add(Context.negate(M), N - 1);
    IndexExpr A = Context.add(Outer->operand(), Inner, -T.Coefficient);
    IndexExpr Quotient = Basis.floorDiv(Context.add(M, A, N), Divisor);
    return Context.add(Quotient, Inner, Times / D);
  }
  return {};
}

/// The form with nested quotients written as one wherever that goes. The floor
/// basis does so only where it makes forms cheaper.
static IndexExpr flattened(FloorBasis &Basis, IndexExpr E) {
  IndexExpr Flat = E;
  for (const IndexTerm &T : E.terms()) {
    if (!T.Atom->isConstantFloorDiv())
      continue;
    IndexExpr Quotient = flattened(Basis, T.Atom);
    if (!Quotient)
      continue;
    IndexContext &Context = Basis.context();
    Flat = Context.add(Flat, Context.atom(T.Atom), -T.Coefficient);
    Flat = Context.add(Flat, Quotient, T.Coefficient);
  }
  return Flat;
}

static bool provesAsItIs(const IndexDomain &Domain, IndexExpr E,
                         const Interval &Range) {
  IndexContext &Context = Domain.context();
  if (Domain.isWithin(E, Range))
    return true;
  MapConstraint C = multipliedOut(Context, {E, Range});
  return provesEnds(Domain, C.Expr, C.Range);
}

bool provesWithin(const IndexDomain &Domain, IndexExpr E,
                  const Interval &Range) {
  FloorBasis Basis(Domain);
  E = Basis.simplify(E);
  if (!E)
    return false;
  if (provesAsItIs(Domain, E, Range))
    return true;
  IndexExpr Flat = flattened(Basis, E);
  return Flat && Flat != E && provesAsItIs(Domain, Flat, Range);
}

bool provesValue(const IndexDomain &Domain, IndexExpr E) {
  bool Proved = true;
  forEachAtom(E, [&](const IndexAtom *Atom) {
    if (!Proved || !Atom->isSymbolicDivision())
      return;
    IndexExpr D = Atom->divisor();
    Proved = provesPositive(Domain, D) ||
             provesPositive(Domain, Domain.context().negate(D));
  });
  return Proved;
}

} // namespace unravel
