//===- MissingFactsLoops.cpp - Loop counters bounded by symbols -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A counter that starts in [0, 2^31) stays there, by induction over the
// iterations: what is known on entry of the loop holds for the first one, what
// is known on the way back for the others. Scalar evolution knows what the
// guards of the loop and its exit tests say.
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/MissingFactsFinder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

namespace {
/// A counter i, and i + step, which it is in the next iteration.
struct Counter {
  PHINode &Phi;
  BinaryOperator &Next;
  Value *Start, *Step;
  Loop &L;
};
} // namespace

static std::optional<Counter> counterOf(PHINode &Phi, const LoopInfo &LI,
                                        ScalarEvolution &SE) {
  Loop *L = LI.getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent() || !L->getLoopPredecessor() ||
      !L->getLoopLatch() || !SE.isSCEVable(Phi.getType()))
    return std::nullopt;
  Value *Start = Phi.getIncomingValueForBlock(L->getLoopPredecessor());
  auto *Next =
      dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(L->getLoopLatch()));
  Value *Step;
  if (!Next || !match(Next, m_c_Add(m_Specific(&Phi), m_Value(Step))) ||
      !L->isLoopInvariant(Step))
    return std::nullopt;
  return Counter{Phi, *Next, Start, Step, *L};
}

/// What the counter is compared with in its loop.
static SmallSetVector<Value *, 4> endsOf(const Counter &C) {
  SmallSetVector<Value *, 4> Ends;
  for (Value *Index :
       {static_cast<Value *>(&C.Next), static_cast<Value *>(&C.Phi)})
    for (User *U : Index->users())
      if (auto *Cmp = dyn_cast<ICmpInst>(U); Cmp && C.L.contains(Cmp))
        for (Value *End : Cmp->operands())
          if (End != Index && C.L.isLoopInvariant(End))
            Ends.insert(End);
  return Ends;
}

namespace {
/// Every iteration has i < n, or i <= n.
struct CounterEnd {
  Value *N;
  bool IsIncluded;
};
} // namespace

/// Whether \p N is \p X without its remainder by \p Step, a power of two, and X
/// is at least Step where \p L is entered. Unrolled loops end there.
static bool isWholeSteps(const Value *N, const APInt &Step, const Loop &L,
                         ScalarEvolution &SE) {
  Value *X;
  const APInt *Mask;
  // (The sign bit of the mask says nothing of a positive X.)
  if (!match(N, m_And(m_Value(X), m_APInt(Mask))) || !Step.isPowerOf2() ||
      !(*Mask | APInt::getSignMask(Mask->getBitWidth())).isNegatedPowerOf2() ||
      Mask->countr_zero() != Step.countr_zero())
    return false;
  return SE.isLoopEntryGuardedByCond(&L, CmpInst::ICMP_SGE, SE.getSCEV(X),
                                     SE.getConstant(Step)) ||
         (Mask->isNegative() &&
          SE.isLoopEntryGuardedByCond(&L, CmpInst::ICMP_UGE, SE.getSCEV(X),
                                      SE.getConstant(Step)));
}

/// The end of \p C, of which all that is compared is known to be in [0, 2^31).
static std::optional<CounterEnd> endOf(const Counter &C, ScalarEvolution &SE) {
  static constexpr CmpInst::Predicate Below[] = {CmpInst::ICMP_SLT,
                                                 CmpInst::ICMP_ULT},
                                      UpTo[] = {CmpInst::ICMP_SLE,
                                                CmpInst::ICMP_ULE};
  const SCEV *Start = SE.getSCEV(C.Start), *Next = SE.getSCEV(&C.Next);
  const APInt *Step;
  if (!match(C.Step, m_APInt(Step)))
    Step = nullptr;
  for (Value *End : endsOf(C)) {
    const SCEV *N = SE.getSCEV(End);
    auto OnEntry = [&](CmpInst::Predicate P) {
      return SE.isLoopEntryGuardedByCond(&C.L, P, Start, N);
    };
    auto OnWayBack = [&](CmpInst::Predicate P) {
      return SE.isLoopBackedgeGuardedByCond(&C.L, P, Next, N);
    };
    auto Throughout = [&](CmpInst::Predicate P) {
      return OnEntry(P) && OnWayBack(P);
    };
    if (any_of(Below, Throughout))
      return CounterEnd{End, false};
    // n - i is positive and a multiple of the step, so i + step <= n, and the
    // way back is not taken from n.
    if (Step && OnWayBack(CmpInst::ICMP_NE)) {
      bool StartsAtZero = match(C.Start, m_Zero());
      if (Step->isOne() && (any_of(Below, OnEntry) ||
                            (StartsAtZero && OnEntry(CmpInst::ICMP_NE))))
        return CounterEnd{End, false};
      if (StartsAtZero && isWholeSteps(End, *Step, C.L, SE))
        return CounterEnd{End, false};
    }
    if (any_of(UpTo, Throughout))
      return CounterEnd{End, true};
  }
  return std::nullopt;
}

/// i = start; ...; i -= step, where every iteration but the first one comes
/// from i >= step: then 0 <= i <= start, and i - step does not wrap.
static bool countsDownToZero(const Counter &C, ScalarEvolution &SE) {
  const APInt *Step;
  if (!match(C.Step, m_APInt(Step)) || !Step->isNegative() ||
      Step->isMinSignedValue())
    return false;
  auto OnWayBack = [&](CmpInst::Predicate P, const APInt &Least) {
    return SE.isLoopBackedgeGuardedByCond(&C.L, P, SE.getSCEV(&C.Phi),
                                          SE.getConstant(Least));
  };
  return OnWayBack(CmpInst::ICMP_SGE, -*Step) ||
         (Step->isAllOnes() &&
          OnWayBack(CmpInst::ICMP_NE, APInt::getZero(Step->getBitWidth())));
}

/// i = start; c = c0; ...; i += f*s; c += s, where c is in [c0, n) and c0 >= 0:
/// after k iterations k*s = c - c0 <= n - 1, so i = start + f*(c - c0) is at
/// most start + f*(n - 1).
MissingFactsFinder::MaybeBound
MissingFactsFinder::boundByOtherCounter(PHINode &Phi, unsigned Depth) {
  Counter C = *counterOf(Phi, LI, SE);
  const APInt *Step, *OtherStep;
  if (!match(C.Step, m_APInt(Step)) || !Step->isStrictlyPositive())
    return std::nullopt;
  for (PHINode &Other : C.L.getHeader()->phis()) {
    std::optional<Counter> O =
        &Other == &Phi ? std::nullopt : counterOf(Other, LI, SE);
    if (!O || !match(O->Step, m_APInt(OtherStep)) ||
        OtherStep->getBitWidth() != Step->getBitWidth() ||
        !OtherStep->isStrictlyPositive() || !Step->urem(*OtherStep).isZero() ||
        !endOf(*O, SE))
      continue;
    MaybeBound First = bound(C.Start, Depth + 1),
               End = First ? bound(&Other, Depth + 1) : std::nullopt;
    APInt Factor = Step->udiv(*OtherStep);
    if (!End || End->withoutOne().isZero() || Factor.getActiveBits() > 16)
      return std::nullopt;
    makePositive(End->withoutOne());
    MaybeBound Way =
        End->withoutOne().times(CountBound::constant(Factor.getZExtValue()));
    MaybeBound Result = Way ? First->plus(*Way) : std::nullopt;
    // The step is taken once more than the loop is repeated.
    MaybeBound After =
        Result && Step->getActiveBits() <= 16
            ? Result->plus(CountBound::constant(Step->getZExtValue()))
            : std::nullopt;
    if (!After)
      return std::nullopt;
    append_range(Found.Bounds, ArrayRef{*First, *Result, *After});
    Found.Exact.insert(&C.Next);
    Found.Small.insert(&C.Next);
    return Result;
  }
  return std::nullopt;
}

/// i = start; ...; i += step, where every iteration has i < n (or i <= n): with
/// start and step in [0, 2^31) and n + step <= 2^31, i stays in [0, n), and
/// i + step, at most n - 1 + step, wraps under neither reading.
MissingFactsFinder::MaybeBound
MissingFactsFinder::boundRecurrence(PHINode &Phi, unsigned Depth) {
  std::optional<Counter> C = counterOf(Phi, LI, SE);
  if (!C)
    return std::nullopt;
  if (countsDownToZero(*C, SE)) {
    MaybeBound First = bound(C->Start, Depth + 1);
    if (First)
      Found.Bounds.push_back(*First);
    return First;
  }
  std::optional<CounterEnd> E = endOf(*C, SE);
  if (!E)
    return boundByOtherCounter(Phi, Depth);
  MaybeBound First = bound(C->Start, Depth + 1),
             Stride = bound(C->Step, Depth + 1), End = bound(E->N, Depth + 1);
  if (!First || !Stride || !End)
    return std::nullopt;
  // Where no index is below the end, a launch has nothing to do.
  for (const CountBound::Monomial &M : End->monomials())
    for (unsigned S : M.Symbols)
      Found.Symbols[S].IsEnd = true;
  CountBound MostEnd = E->IsIncluded ? *End : End->withoutOne();
  MaybeBound After = MostEnd.plus(Stride->withoutOne());
  if (!After || MostEnd.isZero())
    return std::nullopt;
  makePositive(MostEnd);
  append_range(Found.Bounds, ArrayRef{*First, *Stride, *End, *After});
  Found.Exact.insert(&C->Next);
  Found.Small.insert(&C->Next);
  return MostEnd;
}

/// Whichever of the values it is, it is below one of the bounds.
MissingFactsFinder::MaybeBound
MissingFactsFinder::boundOneOf(ArrayRef<Value *> Values, unsigned Depth) {
  MaybeBound Result;
  auto IsPositive = [&](unsigned S) { return isPositive(S); };
  for (Value *V : Values) {
    MaybeBound B = bound(V, Depth + 1);
    if (!B)
      return std::nullopt;
    Found.Bounds.push_back(*B);
    if (!Result || Result->isAtMost(*B, IsPositive))
      Result = B;
    else if (!B->isAtMost(*Result, IsPositive))
      Result = Result->plus(*B);
    if (!Result)
      return std::nullopt;
  }
  return Result;
}

} // namespace unravel
