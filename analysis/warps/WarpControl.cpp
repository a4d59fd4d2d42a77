//===- WarpControl.cpp - Conditions, joins and loops in a warp ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/WarpEvaluator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static WarpCondition unknownCondition(StringRef Why) {
  WarpCondition C;
  C.Unknown = Why.str();
  return C;
}

/// Combines what both lanes know: for `and`, a false one decides.
static std::optional<bool> decide(std::optional<bool> A, std::optional<bool> B,
                                  bool Decisive) {
  if (A == Decisive || B == Decisive)
    return Decisive;
  if (A && B)
    return !Decisive;
  return std::nullopt;
}

/// True or false where the sign (or zeroness) of the difference is known.
static std::optional<bool> decide(CmpInst::Predicate P,
                                  const Interval &Difference) {
  bool IsBelow = Difference.hi() < 0, IsAbove = Difference.lo() > 0;
  bool IsZero = Difference.isPoint() && Difference.contains(0);
  bool IsAtMost = Difference.hi() <= 0, IsAtLeast = Difference.lo() >= 0;
  auto Answer = [](bool Yes, bool No) {
    return Yes ? std::optional(true) : No ? std::optional(false) : std::nullopt;
  };
  switch (P) {
  case CmpInst::ICMP_EQ:
    return Answer(IsZero, IsBelow || IsAbove);
  case CmpInst::ICMP_NE:
    return Answer(IsBelow || IsAbove, IsZero);
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    return Answer(IsBelow, IsAtLeast);
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    return Answer(IsAtMost, IsAbove);
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    return Answer(IsAbove, IsAtMost);
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
    return Answer(IsAtLeast, IsBelow);
  default:
    return std::nullopt;
  }
}

WarpCondition WarpEvaluator::comparison(const CmpInst &Cmp) {
  WarpValue A = operand(Cmp, 0), B = operand(Cmp, 1);
  if (!A.isKnown() || !B.isKnown())
    return unknownCondition(A.isKnown() ? B.Unknown : A.Unknown);
  auto *Integers = dyn_cast<ICmpInst>(&Cmp);
  if (!Integers) {
    // Known numbers that are no integers are the same in all lanes.
    WarpCondition C;
    C.MayDiffer = false;
    return C;
  }
  bool IsSigned = Integers->isSigned();
  if (Integers->isEquality())
    IsSigned = A.IsExactSigned && B.IsExactSigned;
  // Assumptions are not made for conditions.
  size_t Assumed = Assumptions.size();
  std::optional<WarpForm> X =
      exact(Cmp.getOperand(0), Cmp.getOperand(0), A, IsSigned);
  std::optional<WarpForm> Y =
      exact(Cmp.getOperand(1), Cmp.getOperand(1), B, IsSigned);
  bool IsExact = Assumptions.size() == Assumed;
  Assumptions.resize(Assumed);
  std::optional<WarpForm> Difference =
      X && Y && IsExact ? add(*X, *Y, -1) : std::nullopt;
  WarpCondition C;
  C.MayDiffer = !A.Form.isUniform() || !B.Form.isUniform();
  if (!Difference)
    return C;
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    Interval Range = Interval::point(Difference->Constants[L]);
    for (const WarpTerm &T : Difference->Terms)
      Range = Range + Symbols.rangeOf(T.Symbol) * T.Coefficients[L];
    C.Lanes[L] = decide(Cmp.getPredicate(), Range);
  }
  C.MayDiffer &= !Difference->isUniform();
  return C;
}

WarpCondition WarpEvaluator::conditionOf(const Value *V, unsigned Depth) {
  WarpCondition C;
  if (StepsLeft == 0)
    return unknownCondition("it takes too much to compute");
  --StepsLeft;
  if (auto *Constant = dyn_cast<ConstantInt>(V)) {
    C.Lanes.fill(Constant->isOne());
    C.MayDiffer = false;
    return C;
  }
  if (auto *Cmp = dyn_cast<CmpInst>(V))
    return comparison(*Cmp);
  if (Depth > 16)
    return unknownCondition("a long condition");
  if (auto *Freeze = dyn_cast<FreezeInst>(V))
    return conditionOf(Freeze->getOperand(0), Depth + 1);
  const Value *A, *B;
  if (match(V, m_Not(m_Value(A)))) {
    C = conditionOf(A, Depth + 1);
    for (std::optional<bool> &Lane : C.Lanes)
      if (Lane)
        Lane = !*Lane;
    return C;
  }
  bool IsAnd = match(V, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (IsAnd || match(V, m_LogicalOr(m_Value(A), m_Value(B)))) {
    C = conditionOf(A, Depth + 1);
    WarpCondition Other = conditionOf(B, Depth + 1);
    for (unsigned L = 0; L < LanesPerWarp; ++L)
      C.Lanes[L] = decide(C.Lanes[L], Other.Lanes[L], !IsAnd);
    C.MayDiffer |= Other.MayDiffer;
    if (C.Unknown.empty())
      C.Unknown = Other.Unknown;
    return C;
  }
  // A bit of an index: taken apart only if it is a number.
  const WarpValue &Bit = valueOf(V);
  if (!Bit.isKnown())
    return unknownCondition(Bit.Unknown);
  if (Bit.Form.isConcrete())
    for (unsigned L = 0; L < LanesPerWarp; ++L)
      C.Lanes[L] = (Bit.Form.Constants[L] & 1) != 0;
  C.MayDiffer = !Bit.Form.isUniform();
  return C;
}

WarpCondition WarpEvaluator::conditionOfBranch(const Value *V) {
  if (!IsCoarse)
    return conditionOf(V);
  size_t Mark = Order.size();
  SaveAndRestore NoSplits(MaySplit, false);
  WarpCondition C = conditionOf(V);
  // What could not be split may be known elsewhere.
  forget(Mark);
  return C;
}

/// Forgets the values that were computed behind \p Mark.
void WarpEvaluator::forget(size_t Mark) {
  for (; Order.size() > Mark; Order.pop_back())
    Values.erase(Order.back());
}

void WarpEvaluator::restrictLanes(std::array<bool, LanesPerWarp> &Active,
                                  const Value *Condition, bool Holds) {
  // What a condition that says nothing takes for granted is of no interest.
  size_t Assumed = Assumptions.size();
  WarpCondition C = conditionOfBranch(Condition);
  if (none_of(C.Lanes, [](auto Lane) { return Lane.has_value(); }))
    Assumptions.resize(Assumed);
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    if (C.Lanes[L])
      Active[L] &= *C.Lanes[L] == Holds;
    else
      HasUnknownGuard = true;
  }
}

std::array<bool, LanesPerWarp>
WarpEvaluator::activeLanes(const BasicBlock *BB) {
  static constexpr unsigned MaxGuards = 64;
  std::array<bool, LanesPerWarp> Active;
  for (unsigned L = 0; L < LanesPerWarp; ++L)
    Active[L] = Warp * LanesPerWarp + L < Block.threads();
  const DomTreeNode *Node = With.DT.getNode(BB);
  for (unsigned Guards = 0; Node && Guards < MaxGuards;
       Node = Node->getIDom(), ++Guards) {
    const DomTreeNode *Above = Node->getIDom();
    auto *Branch =
        Above ? dyn_cast<BranchInst>(Above->getBlock()->getTerminator())
              : nullptr;
    if (!Branch || !Branch->isConditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    for (unsigned S : {0, 1}) {
      BasicBlockEdge Edge(Branch->getParent(), Branch->getSuccessor(S));
      if (With.DT.dominates(Edge, BB))
        restrictLanes(Active, Branch->getCondition(), S == 0);
    }
  }
  return Active;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// One of two values by a condition; where the condition is not known, all
/// lanes are taken to agree.
WarpValue WarpEvaluator::choose(const Value *Condition, const WarpCondition &C,
                                Operand IfTrue, Operand IfFalse) {
  bool AnyTrue = false, AnyFalse = false, AllKnown = true;
  for (std::optional<bool> Lane : C.Lanes) {
    AllKnown &= Lane.has_value();
    AnyTrue |= Lane == true;
    AnyFalse |= Lane == false;
  }
  if (AllKnown && (!AnyTrue || !AnyFalse))
    return AnyTrue ? IfTrue : IfFalse;
  if (!IfTrue.isKnown() || !IfFalse.isKnown())
    return IfTrue.isKnown() ? IfFalse : IfTrue;
  if (IfTrue.Form == IfFalse.Form)
    return IfTrue;
  if (!AllKnown) {
    if (!C.Unknown.empty())
      return unknown("it is chosen by a condition that is not known: " +
                     C.Unknown);
    if (AnyTrue || AnyFalse)
      return unknown("it is chosen by a condition that is known for some "
                     "lanes only");
    if (C.MayDiffer)
      assume("all lanes of a warp agree on " + With.nameOf(Condition));
    return Symbols.choiceOf(Condition) ? IfTrue : IfFalse;
  }
  // Lane by lane, over the symbols of both.
  LaneNumbers Takes;
  for (unsigned L = 0; L < LanesPerWarp; ++L)
    Takes[L] = *C.Lanes[L];
  std::optional<WarpForm> Difference = add(IfTrue.Form, IfFalse.Form, -1);
  Difference = Difference ? scale(*Difference, Takes) : Difference;
  return known(Difference ? add(IfFalse.Form, *Difference) : Difference,
               IfTrue.Width, IfTrue.IsExactSigned && IfFalse.IsExactSigned,
               IfTrue.IsExactUnsigned && IfFalse.IsExactUnsigned);
}

WarpValue WarpEvaluator::select(const Instruction &I) {
  if (!I.getOperand(0)->getType()->isIntegerTy(1))
    return unknown("it depends on a vector");
  WarpCondition C = conditionOf(I.getOperand(0));
  WarpValue IfTrue = operand(I, 1), IfFalse = operand(I, 2);
  return choose(I.getOperand(0), C, IfTrue, IfFalse);
}

/// min or max.
WarpValue WarpEvaluator::extreme(const IntrinsicInst &Call) {
  Intrinsic::ID ID = Call.getIntrinsicID();
  bool IsSigned = ID == Intrinsic::smin || ID == Intrinsic::smax;
  bool IsMin = ID == Intrinsic::smin || ID == Intrinsic::umin;
  WarpValue A = operand(Call, 0), B = operand(Call, 1);
  if (!A.isKnown() || !B.isKnown())
    return A.isKnown() ? B : A;
  std::optional<WarpForm> X =
      exact(Call.getOperand(0), Call.getOperand(0), A, IsSigned);
  std::optional<WarpForm> Y =
      exact(Call.getOperand(1), Call.getOperand(1), B, IsSigned);
  std::optional<WarpForm> Difference = X && Y ? add(*X, *Y, -1) : std::nullopt;
  if (!Difference)
    return unknown("its arithmetic leaves 64 bits");
  WarpCondition C;
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    Interval Range = Interval::point(Difference->Constants[L]);
    for (const WarpTerm &T : Difference->Terms)
      Range = Range + Symbols.rangeOf(T.Symbol) * T.Coefficients[L];
    C.Lanes[L] = decide(IsMin ? CmpInst::ICMP_SLE : CmpInst::ICMP_SGE, Range);
  }
  C.MayDiffer = !Difference->isUniform();
  unsigned Width = widthOf(Call.getType());
  return choose(&Call, C, known(X, Width, IsSigned, !IsSigned),
                known(Y, Width, IsSigned, !IsSigned));
}

/// |x|. Where its sign is not known, lanes may differ in it (WarpWays.cpp).
WarpValue WarpEvaluator::absolute(const IntrinsicInst &Call) {
  const Value *Of = Call.getOperand(0);
  WarpValue A = operand(Call, 0);
  if (!A.isKnown())
    return A;
  std::optional<WarpForm> X = exact(Of, Of, A, /*IsSigned=*/true);
  std::optional<WarpForm> Negative = X ? scale(*X, -1) : std::nullopt;
  if (!Negative)
    return unknown("its arithmetic leaves 64 bits");
  WarpCondition C;
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    Interval Range = Interval::point(X->Constants[L]);
    for (const WarpTerm &T : X->Terms)
      Range = Range + Symbols.rangeOf(T.Symbol) * T.Coefficients[L];
    C.Lanes[L] = decide(CmpInst::ICMP_SGE, Range);
  }
  C.MayDiffer = !X->isUniform();
  if (C.MayDiffer &&
      !all_of(C.Lanes, [](auto Lane) { return Lane.has_value(); }))
    return unknown("it depends on the sign of " + With.nameOf(Of) +
                   ", which may differ between lanes");
  unsigned Width = widthOf(Call.getType());
  return choose(&Call, C, known(X, Width, true, false),
                known(Negative, Width, true, false));
}

//===----------------------------------------------------------------------===//
// Joins and loops
//===----------------------------------------------------------------------===//

WarpValue WarpEvaluator::join(const PHINode &Phi) {
  const Loop *L = With.LI.getLoopFor(Phi.getParent());
  if (L && L->getHeader() == Phi.getParent())
    return loopPhi(Phi, *L);
  SmallVector<WarpValue, 2> Incoming;
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I)
    Incoming.push_back(operand(Phi, I));
  for (const WarpValue &V : Incoming)
    if (!V.isKnown())
      return V;
  if (all_of(Incoming,
             [&](const WarpValue &V) { return V.Form == Incoming[0].Form; }))
    return Incoming[0];
  // Two ways from one branch.
  const DomTreeNode *Node = With.DT.getNode(Phi.getParent());
  const DomTreeNode *Above = Node ? Node->getIDom() : nullptr;
  auto *Branch = Above
                     ? dyn_cast<BranchInst>(Above->getBlock()->getTerminator())
                     : nullptr;
  if (Incoming.size() != 2 || !Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return joinTogether(Phi, Incoming);
  std::optional<unsigned> OfTrue, OfFalse;
  for (unsigned I : {0, 1})
    for (unsigned S : {0, 1}) {
      const BasicBlock *From = Phi.getIncomingBlock(I);
      const BasicBlock *To = Branch->getSuccessor(S);
      bool IsDirect = From == Branch->getParent() && To == Phi.getParent();
      BasicBlockEdge Edge(Branch->getParent(), To);
      bool IsBehind = From != Branch->getParent() && To != Phi.getParent() &&
                      With.DT.dominates(Edge, From);
      if (IsDirect || IsBehind)
        (S == 0 ? OfTrue : OfFalse) = I;
    }
  if (!OfTrue || !OfFalse || *OfTrue == *OfFalse)
    return joinTogether(Phi, Incoming);
  WarpCondition C = conditionOf(Branch->getCondition());
  return choose(Branch->getCondition(), C, Incoming[*OfTrue],
                Incoming[*OfFalse]);
}

/// One of several values, the same one in all lanes.
WarpValue WarpEvaluator::joinTogether(const PHINode &Phi,
                                      ArrayRef<WarpValue> Incoming) {
  assume("all lanes of a warp come to " + With.nameOf(&Phi) +
         " from one block");
  for (unsigned I = 0; I + 1 < Incoming.size(); ++I)
    if (Symbols.choiceOf(&Phi.getOperandUse(I)))
      return Incoming[I];
  return Incoming.back();
}

WarpValue WarpEvaluator::step(const SCEV *S, const PHINode &Phi,
                              unsigned Depth) {
  unsigned Width = widthOf(S->getType());
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return valueOf(C->getValue());
  if (auto *U = dyn_cast<SCEVUnknown>(S))
    return valueOf(U->getValue());
  if (Depth > 8)
    return unknown("a long step");
  if (isa<SCEVMulExpr>(S) || isa<SCEVAddExpr>(S)) {
    auto *Of = cast<SCEVNAryExpr>(S);
    WarpValue Result = step(Of->getOperand(0), Phi, Depth + 1);
    for (unsigned I = 1; I < Of->getNumOperands() && Result.isKnown(); ++I) {
      WarpValue Next = step(Of->getOperand(I), Phi, Depth + 1);
      if (!Next.isKnown())
        return Next;
      Result = isa<SCEVMulExpr>(S)
                   ? multiply(Result, Next, Width)
                   : known(add(Result.Form, Next.Form), Width, false, false);
    }
    return Result;
  }
  if (auto *Cast = dyn_cast<SCEVCastExpr>(S)) {
    WarpValue V = step(Cast->getOperand(), Phi, Depth + 1);
    if (!V.isKnown() || isa<SCEVTruncateExpr>(S)) {
      V.Width = Width;
      V.IsExactSigned = V.IsExactUnsigned = false;
      return V;
    }
    auto *Leaf = dyn_cast<SCEVUnknown>(Cast->getOperand());
    const Value *Named = Leaf ? Leaf->getValue() : &Phi;
    const void *Key = Leaf ? static_cast<const void *>(Named) : S;
    return number(exact(Key, Named, V, isa<SCEVSignExtendExpr>(S)), Width);
  }
  return unknown("a step without a rule");
}

/// Start + step * n in the iteration n, or the same in all lanes.
WarpValue WarpEvaluator::loopPhi(const PHINode &Phi, const Loop &L) {
  const BasicBlock *Entry = L.getLoopPredecessor();
  if (!Entry)
    return unknown("it is computed in a loop with several entries");
  WarpValue Start = operand(Phi, Phi.getBasicBlockIndex(Entry));
  if (!Start.isKnown())
    return Start;
  if (With.SE.isSCEVable(Phi.getType())) {
    auto *Counting =
        dyn_cast<SCEVAddRecExpr>(With.SE.getSCEV(const_cast<PHINode *>(&Phi)));
    if (Counting && Counting->getLoop() == &L && Counting->isAffine()) {
      WarpValue Step = step(Counting->getStepRecurrence(With.SE), Phi, 0);
      if (Symbols.needsRestart())
        return unknown("a restart");
      if (!Step.isKnown())
        return unknown("the step of " + With.nameOf(&Phi) +
                       " is not known: " + Step.Unknown);
      unsigned S = Symbols.symbolOf({&L, Plain}, [&] {
        WarpSymbols::Symbol Iteration;
        Iteration.Name = "iteration";
        if (L.getHeader()->hasName())
          Iteration.Name += " of " + L.getHeader()->getName().str();
        unsigned Most = With.SE.getSmallConstantMaxTripCount(&L);
        Iteration.Range = Most ? Interval(0, Most - 1) : Interval::atLeast(0);
        Iteration.IsLoopCounter = true;
        return Iteration;
      });
      std::optional<WarpForm> Counter = Symbols.formOf(S);
      if (!Counter)
        return unknown("its arithmetic leaves 64 bits");
      WarpValue N = number(*Counter, Start.Width);
      WarpValue Moved = multiply(Step, N, Start.Width);
      if (!Moved.isKnown())
        return Moved;
      return known(add(Start.Form, Moved.Form), Start.Width,
                   Counting->hasNoSignedWrap() && Start.IsExactSigned &&
                       Step.IsExactSigned,
                   Counting->hasNoUnsignedWrap() && Start.IsExactUnsigned &&
                       Step.IsExactUnsigned);
    }
  }
  // Taken to be the same in all lanes, or as far from the start, it has to be
  // so after an iteration.
  WarpValue Guess =
      Phi.getType()->isPointerTy() ? pointerSymbol(&Phi, 1) : uniform(&Phi);
  bool IsMoved = !Start.Form.isUniform();
  if (IsMoved)
    Guess = known(add(Start.Form, Guess.Form), Start.Width, false, false);
  size_t Mark = Order.size();
  Values[&Phi] = std::make_unique<WarpValue>(Guess);
  bool IsUniform = Guess.isKnown();
  for (unsigned I = 0; I < Phi.getNumIncomingValues() && IsUniform; ++I)
    if (Phi.getIncomingBlock(I) != Entry) {
      WarpValue Next = operand(Phi, I);
      std::optional<WarpForm> Change =
          Next.isKnown() ? add(Next.Form, Start.Form, IsMoved ? -1 : 0)
                         : std::nullopt;
      IsUniform = Change && Change->isUniform();
    }
  Values.erase(&Phi);
  if (IsUniform || Symbols.needsRestart())
    return Guess;
  // What was computed from the guess is void.
  forget(Mark);
  return unknown("it is " + With.nameOf(&Phi) +
                 ", which changes from iteration to iteration in a way that "
                 "has no rule");
}

} // namespace unravel
