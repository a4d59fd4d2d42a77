//===- MapProof.cpp - Proving facts about the domains of maps -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/MapProof.h"
#include "analysis/FloorBasis.h"
#include "analysis/IndexProver.h"

using namespace llvm;

namespace unravel {

/// Multiplies the quotient of \p T out, or returns a null expression.
static MapConstraint multipliedOut(IndexContext &Context,
                                   const MapConstraint &C, const IndexTerm &T) {
  if (!T.Atom->isFloorDiv() || (T.Coefficient != 1 && T.Coefficient != -1))
    return {};
  // Of -floor(N/d) + K in [a, b] the negation.
  int64_t D = T.Atom->divisor();
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
  return {Unit,
          {Range.isBoundedBelow() ? -floorDiv(-Range.lo(), G) : Range.lo(),
           Range.isBoundedAbove() ? floorDiv(Range.hi(), G) : Range.hi()}};
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

bool provesWithin(const IndexDomain &Domain, IndexExpr E,
                  const Interval &Range) {
  IndexContext &Context = Domain.context();
  E = FloorBasis(Domain).simplify(E);
  if (!E)
    return false;
  if (Domain.isWithin(E, Range))
    return true;
  MapConstraint C = multipliedOut(Context, {E, Range});
  IndexExpr AboveLow = Context.add(C.Expr, Context.constant(C.Range.lo()), -1);
  IndexExpr BelowHigh = Context.sub(Context.constant(C.Range.hi()), C.Expr);
  return (!C.Range.isBoundedBelow() || provesNonNegative(Domain, AboveLow)) &&
         (!C.Range.isBoundedAbove() || provesNonNegative(Domain, BelowHigh));
}

bool provesValue(const IndexDomain &Domain, IndexExpr E) {
  bool Proved = true;
  forEachAtom(E, [&](const IndexAtom *Atom) {
    if (!Proved || !Atom->isSymbolicDivision())
      return;
    IndexExpr D = Atom->symbolicDivisor();
    Proved = provesPositive(Domain, D) ||
             provesPositive(Domain, Domain.context().negate(D));
  });
  return Proved;
}

} // namespace unravel
