//===- ExpandAtom.cpp - Quotients, minima and variables -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each atom in the narrowest word that holds it, and everything it is computed
// from, exactly.
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/IndexExpander.h"
#include "transforms/plan/NVPTXCostModel.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

const PlanNode *IndexExpander::variable(const IndexAtom *Atom) {
  auto [V, ReadAs] = Recovery.valueOf(Atom);
  unsigned Width = V->getType()->getIntegerBitWidth();
  // An operation that may wrap is a variable to the algebra. Modulo 2^Width it
  // may still be simpler than it looks: 300*(x/75) + 4*(x%75) is 4*x.
  // A chain of such operations is looked through so far only.
  static constexpr unsigned MaxNestedRings = 16;
  if ((Width == 32 || Width == 64) && NestedRings < MaxNestedRings &&
      IndexRecovery::isIndexOperation(V)) {
    IndexExpr Ring = Recovery.recover(V, Place.Scope).Ring;
    bool IsSimpler = Ring.asAtom() != Atom;
    Planning.UsedSources |= Planning.ReuseSources && IsSimpler;
    ++NestedRings;
    const PlanNode *Node =
        IsSimpler && !Planning.ReuseSources ? sum(Ring, Width) : nullptr;
    --NestedRings;
    if (Node)
      return Node;
  }
  // It has to be there, and may have to be frozen behind its definition.
  if (isa<Constant>(V) || !isAtHand(V))
    return nullptr;
  if (auto *I = dyn_cast<Instruction>(V); I && !I->getInsertionPointAfterDef())
    return nullptr;
  // A variable is in the form of a root because the root depends on it: where
  // it is poison, so was the root. Undef is another matter: it must not take
  // different values in the new uses.
  bool MayBeUndef = Recovery.recover(V, Place.Scope).MayBeUndef;
  const PlanNode *Leaf = Plan.leaf(V, Width, /*MayBeUndef=*/MayBeUndef);
  if (Width == 32 || Width == 64)
    return Leaf;
  unsigned Wider = Width < 32 ? 32 : 64;
  return ReadAs == Reading::Signed &&
                 !Place.Scope.Domain.isNonNegative(Context.atom(Atom))
             ? Plan.sext(Leaf, Wider)
             : Plan.zext(Leaf, Wider);
}

/// floor(X/d) for X in [0, 2^Width). LLVM's expansion of udiv serves every X;
/// knowing a bound on X, one multiplication and one shift do, often without
/// the shift. With m = ceil(2^p / d) and e = m*d - 2^p, for X = q*d + r:
///
///     m*X / 2^p = q + r/d + X*e / (d*2^p)
///
/// whose floor is q as long as X*e < 2^p, because r/d <= (d - 1)/d.
const PlanNode *IndexExpander::unsignedQuotient(IndexExpr X, int64_t Divisor,
                                                unsigned Width) {
  const PlanNode *Dividend = sum(X, Width);
  if (!Dividend)
    return nullptr;
  if (!wordRange(Width, Reading::Unsigned).contains(Divisor))
    return Plan.constant(0, Width);
  const PlanNode *Plain = Plan.udiv(Dividend, Divisor);
  int64_t Max = Place.Scope.Domain.range(X).hi();
  if (Width != 32 || isPowerOf2_64(Divisor) || !isUInt<32>(Max) ||
      !isUInt<31>(Divisor))
    return Plain;
  for (unsigned Shift = 0; Shift < 31; ++Shift) {
    uint64_t Power = uint64_t(1) << (32 + Shift);
    uint64_t Factor = divideCeil(Power, uint64_t(Divisor));
    uint64_t Excess = Factor * Divisor - Power; // < Divisor < 2^31
    if (!isUInt<32>(Factor))
      break;
    if (uint64_t(Max) * Excess >= Power)
      continue;
    const PlanNode *High = Plan.mulHi(Dividend, int64_t(Factor));
    const PlanNode *Shifted = Plan.lshr(High, Shift);
    unsigned Cost = costOf(High) + (Shift ? costOf(Shifted) : 0);
    return Cost < costOf(Plain) ? Shifted : Plain;
  }
  return Plain;
}

/// floor(M/d) in the narrowest word that holds M. A negative M is moved up by
/// a multiple of d first: floor(M/d) = floor((M + j*d)/d) - j.
IndexExpander::Quotient IndexExpander::floorQuotient(IndexExpr M,
                                                     int64_t Divisor) {
  auto It = Quotients.find({M, Divisor});
  if (It != Quotients.end())
    return It->second;
  Quotient Result = findFloorQuotient(M, Divisor);
  Quotients[{M, Divisor}] = Result;
  return Result;
}

IndexExpander::Quotient IndexExpander::findFloorQuotient(IndexExpr M,
                                                         int64_t Divisor) {
  for (unsigned Width : {32u, 64u}) {
    if (fits(M, Width, Reading::Unsigned))
      return {unsignedQuotient(M, Divisor, Width), 0};
    Interval R = Place.Scope.Domain.range(M);
    // In [-d, d) the quotient is 0 or -1.
    bool IsSign = Interval(-Divisor, Divisor - 1).contains(R);
    if ((IsSign || isPowerOf2_64(Divisor)) && fits(M, Width, Reading::Signed)) {
      const PlanNode *Dividend = sum(M, Width);
      // All bits above the sign are copies of it.
      unsigned Amount =
          IsSign ? Width - 1 : std::min(Log2_64(Divisor), Width - 1);
      return {Dividend ? Plan.ashr(Dividend, Amount) : nullptr, 0};
    }
    if (!R.isBounded())
      continue;
    int64_t Periods = -floorDiv(R.lo(), Divisor), Lift;
    if (Periods <= 0 || MulOverflow(Periods, Divisor, Lift))
      continue;
    IndexExpr Lifted = Context.add(M, Lift);
    if (!Lifted || !fits(Lifted, Width, Reading::Unsigned))
      continue;
    return {unsignedQuotient(Lifted, Divisor, Width), Periods};
  }
  return {};
}

IndexExpander::Quotient IndexExpander::truncQuotient(IndexExpr M,
                                                     int64_t Divisor) {
  for (unsigned Width : {32u, 64u})
    if (fits(M, Width, Reading::Signed) &&
        wordRange(Width, Reading::Signed).contains(Divisor)) {
      const PlanNode *Dividend = sum(M, Width);
      return {Dividend ? Plan.sdiv(Dividend, Divisor) : nullptr, 0};
    }
  return {};
}

const PlanNode *IndexExpander::extreme(IndexExpr A, IndexExpr B, bool IsMax) {
  for (unsigned Width : {32u, 64u})
    if (A && B && fits(A, Width, Reading::Signed) &&
        fits(B, Width, Reading::Signed)) {
      const PlanNode *NodeA = sum(A, Width), *NodeB = sum(B, Width);
      if (!NodeA || !NodeB)
        return nullptr;
      return IsMax ? Plan.smax(NodeA, NodeB) : Plan.smin(NodeA, NodeB);
    }
  return nullptr;
}

/// M mod Radix: a mask of any number congruent to M, or M - Radix*quotient.
const PlanNode *IndexExpander::digit(IndexExpr M, int64_t Radix,
                                     bool Truncating) {
  if (!Truncating && isPowerOf2_64(Radix)) {
    if (Radix > (int64_t(1) << 31))
      return nullptr;
    const PlanNode *Dividend = sum(M, 32);
    return Dividend ? Plan.bitAnd(Dividend, Radix - 1) : nullptr;
  }
  FloorBasis &Basis = Place.Scope.Basis;
  return sum(Truncating ? Basis.truncMod(M, Radix) : Basis.floorMod(M, Radix),
             32);
}

} // namespace unravel
