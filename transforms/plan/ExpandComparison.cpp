//===- ExpandComparison.cpp - Integer comparisons of index forms ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A comparison is decided by its difference D. Every order is brought to the
// form `G < 0`, which dividing by a positive number (rounding down) and
// multiplying out a quotient leave as it is:
//
//     G < 0                   <=>  floor(G/g) < 0          for g > 0
//     floor(M/d) + R < 0      <=>  M + d*R < 0             for d > 0, integer R
//     R - floor(M/d) < 0      <=>  d*(R + 1) - 1 - M < 0
//
// The first drops remainders that cannot matter (4*x + v < 240000 with v in
// [0, 3] is x < 60000), the others drop divisions. The divisor may be a form:
// of n > 0 and x < m*n, which guards the rows of a matrix, x / n < m follows.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexProver.h"
#include "transforms/plan/IndexExpander.h"

using namespace llvm;

namespace unravel {

/// Rewrites one comparison has room for.
static constexpr unsigned MaxSteps = 8;

/// Fewer divisions first, then fewer terms.
static bool isSimpler(IndexExpr A, IndexExpr B) {
  unsigned DivisionsA = countDivisions(A), DivisionsB = countDivisions(B);
  if (DivisionsA != DivisionsB)
    return DivisionsA < DivisionsB;
  return A.terms().size() < B.terms().size();
}

/// A simpler H with `H < 0` exactly where `G < 0`, or null.
static IndexExpr simplifySign(FloorBasis &Basis, IndexExpr G) {
  IndexContext &Context = Basis.context();
  IndexExpr Best;
  auto Consider = [&](IndexExpr H) {
    if (H && isSimpler(H, Best ? Best : G))
      Best = H;
  };
  for (const IndexTerm &T : G.terms()) {
    int64_t C = T.Coefficient < 0 ? -T.Coefficient : T.Coefficient;
    if (C > 1)
      Consider(Basis.floorDiv(G, C));
    if (!T.Atom->isFloorDiv() || C != 1)
      continue;
    IndexExpr M = T.Atom->operand(), D = T.Atom->divisor();
    if (!provesPositive(Basis.domain(), D))
      continue;
    IndexExpr R = Context.add(G, Context.atom(T.Atom), -T.Coefficient);
    if (T.Coefficient == 1)
      Consider(Basis.simplify(Context.add(M, Context.multiply(R, D))));
    else
      Consider(Basis.simplify(Context.sub(
          Context.add(Context.multiply(Context.add(R, 1), D), -1), M)));
  }
  // A common factor shrinks the constants, even if nothing else changes.
  int64_t Common = G.gcdOfCoefficients();
  if (!Best && Common > 1)
    return Basis.floorDiv(G, Common);
  return Best;
}

/// Whether the quotients of \p Before that \p After does without are shifts.
static bool savesOnlyShifts(IndexExpr Before, IndexExpr After) {
  SmallPtrSet<const IndexAtom *, 16> Left;
  forEachAtom(After, [&](const IndexAtom *A) { Left.insert(A); });
  bool AreShifts = true;
  forEachAtom(Before, [&](const IndexAtom *A) {
    AreShifts &= !A->isDivision() || Left.contains(A) ||
                 (A->isFloorDiv() &&
                  isPowerOf2_64(static_cast<uint64_t>(A->constantDivisor())));
  });
  return AreShifts;
}

PlannedComparison IndexExpander::planComparison(CmpInst::Predicate Predicate,
                                                IndexExpr D) {
  FloorBasis &Basis = Place.Scope.Basis;
  const IndexDomain &Domain = Place.Scope.Domain;
  if (!D)
    return {};
  if (ICmpInst::isEquality(Predicate)) {
    bool OnEqual = Predicate == CmpInst::ICMP_EQ;
    Interval R = Domain.range(D);
    if (!R.contains(0) || !Domain.congruence(D).contains(0))
      return {!OnEqual, nullptr};
    if (R.isPoint())
      return {OnEqual, nullptr};
    if (IndexExpr Unit = Context.divideExactly(D, D.gcdOfCoefficients()))
      D = Unit;
    return {std::nullopt, compareSides(Predicate, D)};
  }
  // G < 0 decides; GE is the negation of LT.
  IndexExpr G;
  switch (Predicate) {
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    G = D;
    break;
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    G = Context.add(D, -1);
    break;
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    G = Context.negate(D);
    break;
  default:
    G = Context.add(Context.negate(D), -1);
    break;
  }
  const IndexExpr Original = G;
  for (unsigned Step = 0; Step <= MaxSteps && G; ++Step) {
    Interval R = Domain.range(G);
    if (R.hi() < 0)
      return {true, nullptr};
    if (R.lo() >= 0)
      return {false, nullptr};
    IndexExpr Simpler = simplifySign(Basis, G);
    if (!Simpler)
      break;
    G = Simpler;
  }
  const PlanNode *Best = compareSides(CmpInst::ICMP_SLT, G);
  // What a shift computes, other code may compute as well, and without it the
  // sides may need 64 bits.
  if (G != Original && (!Best || savesOnlyShifts(Original, G)))
    if (const PlanNode *Plain = compareSides(CmpInst::ICMP_SLT, Original);
        Plain &&
        (!Best || Prices.marginalCost(Plain) < Prices.marginalCost(Best)))
      Best = Plain;
  return {std::nullopt, Best};
}

PlannedComparison IndexExpander::planRangeCheck(bool IsInside, IndexExpr Index,
                                                IndexExpr Limit) {
  const IndexDomain &Domain = Place.Scope.Domain;
  IndexExpr Room = Context.sub(Index, Limit);
  if (!Room)
    return {};
  Interval I = Domain.range(Index), R = Domain.range(Room);
  if (I.hi() < 0 || R.lo() >= 0)
    return {!IsInside, nullptr};
  if (I.lo() >= 0 && R.hi() < 0)
    return {IsInside, nullptr};
  for (unsigned Width : {32u, 64u})
    if (fits(Index, Width, Reading::Signed) &&
        fits(Limit, Width, Reading::Signed)) {
      // A negative index wraps above every limit.
      const PlanNode *L = sum(Index, Width), *N = sum(Limit, Width);
      if (!L || !N)
        return {};
      return {
          std::nullopt,
          Plan.compare(IsInside ? CmpInst::ICMP_ULT : CmpInst::ICMP_UGE, L, N)};
    }
  return {};
}

/// Difference <Predicate> 0 with the positive terms left and the negated
/// negative ones right, in the narrowest words that hold both sides.
const PlanNode *IndexExpander::compareSides(CmpInst::Predicate Predicate,
                                            IndexExpr Difference) {
  if (!Difference || Difference.isConstant())
    return nullptr;
  SmallVector<IndexTerm, 4> Positive, Negative;
  for (const IndexTerm &T : Difference.terms())
    if (T.Coefficient > 0)
      Positive.push_back(T);
    else
      Negative.push_back({T.Atom, -T.Coefficient});
  // The constant joins the side where it is positive: no side gets negative
  // because of it; but a lone constant stays a constant.
  int64_t K = Difference.constant();
  bool Left = Negative.empty() ? false : Positive.empty() ? true : K > 0;
  const PlanNode *Best = nullptr;
  unsigned BestCost = 0;
  // A remainder that is a part of the difference belongs on one side: others
  // compare it as well. x - d*floor(x/d) < k reads better (and often costs
  // less) undivided, so also try everything variable on one side.
  struct Attempt {
    IndexExpr Left, Right;
    CmpInst::Predicate Predicate;
  };
  SmallVector<Attempt, 3> Attempts;
  if (std::optional<IndexDigit> Digit = bestDigit(Context, Difference)) {
    IndexExpr Remainder = Context.sub(Difference, Digit->Rest);
    if (Digit->Scale > 0)
      Attempts.push_back({Remainder, Context.negate(Digit->Rest), Predicate});
    else
      Attempts.push_back({Digit->Rest, Context.negate(Remainder), Predicate});
  }
  IndexExpr Whole = Context.add(Difference, -K);
  // L < R + 1 is L <= R: without the sum, which may not fit the word.
  bool IsAtMost = Predicate == CmpInst::ICMP_SLT && K == -1 &&
                  !Positive.empty() && !Negative.empty();
  int64_t Beside = IsAtMost ? 0 : K;
  Attempts.push_back({Context.linear(Positive, Left ? Beside : 0),
                      Context.linear(Negative, Left ? 0 : -Beside),
                      IsAtMost ? CmpInst::ICMP_SLE : Predicate});
  Attempts.push_back({Whole, Context.constant(-K), Predicate});
  for (const auto &[L, R, Order] : Attempts) {
    if (!L || !R)
      continue;
    for (unsigned Width : {32u, 64u}) {
      bool Unsigned = fits(L, Width, Reading::Unsigned) &&
                      fits(R, Width, Reading::Unsigned);
      bool Signed =
          fits(L, Width, Reading::Signed) && fits(R, Width, Reading::Signed);
      if (!Unsigned && !Signed)
        continue;
      const PlanNode *NodeL = sum(L, Width), *NodeR = sum(R, Width);
      if (!NodeL || !NodeR)
        break;
      CmpInst::Predicate P = Unsigned && !ICmpInst::isEquality(Order)
                                 ? ICmpInst::getUnsignedPredicate(Order)
                                 : Order;
      const PlanNode *Node = Plan.compare(P, NodeL, NodeR);
      unsigned Cost = Prices.marginalCost(Node);
      if (!Best || Cost < BestCost) {
        Best = Node;
        BestCost = Cost;
      }
      break;
    }
  }
  return Best;
}

} // namespace unravel
