//===- IndexExpander.cpp - Index forms as planned arithmetic --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roots (addresses, values), what is known of them, and what the source already
// computes. The sums themselves are in ExpandSum.cpp, quotients and other atoms
// in ExpandAtom.cpp, comparisons in ExpandComparison.cpp.
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/IndexExpander.h"
#include "transforms/plan/NVPTXCostModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

void IndexExpander::moveTo(RecoveryScope &NewScope, Instruction *NewAt) {
  Scope = &NewScope;
  At = NewAt;
  Budget = MaxAlternatives;
  Known = Memo();
  KnownByFacts.clear();
  RootVariables.clear();
  SignedWords.clear();
  UnsignedWords.clear();
  RootDivisions.clear();
  KnownEvidence.reset();
  if (!ReuseSources)
    return;
  auto [It, IsNew] = SourcesOf.try_emplace(Scope);
  InScope = &It->second;
  if (IsNew)
    collectSources(*InScope);
}

/// Pointer + V with V = g*M: M in 32 bits where it fits, widened by the
/// multiplication with g.
const PlanNode *IndexExpander::addOffset(const PlanNode *Pointer, IndexExpr V,
                                         PlanFlags Flags) {
  if (V.isConstant(0))
    return Pointer;
  int64_t G = std::gcd(V.gcdOfCoefficients(), V.constant());
  if (all_of(V.terms(), [](IndexTerm T) { return T.Coefficient < 0; }))
    G = -G;
  IndexExpr M = Context.divideExactly(V, G);
  if (!M)
    return nullptr;
  // A negative factor has to be multiplied signed.
  bool Signed = fits(M, 32, Reading::Signed);
  bool Unsigned = fits(M, 32, Reading::Unsigned) && (G > 0 || Signed);
  const PlanNode *Offset;
  if (Unsigned || Signed) {
    Offset = sum(M, 32);
    if (Offset) {
      PlanFlags Product = flagsFor(M, M, V, 64);
      // A 32-bit number times a small factor fits 63 bits.
      bool Zero = Unsigned && G > 0;
      Product.NoSignedWrap |= isInt<32>(G);
      Product.NoUnsignedWrap |= Zero && isInt<32>(G);
      Offset = Plan.mul(widen(Offset, M, 64, Zero, Signed), G, Product);
    }
  } else {
    Offset = sum(V, 64);
  }
  return Offset ? Plan.ptrAdd(Pointer, Offset, Flags) : nullptr;
}

/// A constant that is left over when V is written in the cheapest way, such as
/// the 4 in ((t + 4) mod 8) - 4, joins k and costs nothing.
void IndexExpander::moveConstantOut(IndexExpr &V, int64_t &K) {
  int64_t G = V.gcdOfCoefficients(), Shift, NewK;
  IndexExpr M = G ? Context.divideExactly(V, G) : IndexExpr();
  if (!M)
    return;
  Sum S = decompose(M, /*Depth=*/0);
  if (!S.Valid || S.Constant == 0 || MulOverflow(S.Constant, G, Shift) ||
      AddOverflow(K, Shift, NewK))
    return;
  if (IndexExpr NewV = Context.add(V, -Shift)) {
    V = NewV;
    K = NewK;
  }
}

/// base + V + k, the constant last for the immediate field of the access.
const PlanNode *IndexExpander::planAddress(const RecoveredPointer &Pointer) {
  addRootVariables(Pointer.Offset);
  const PlanNode *Base = Plan.leaf(Pointer.Base, 0);
  int64_t K = Pointer.Offset.constant();
  IndexExpr V = Context.add(Pointer.Offset, -K);
  if (!V)
    return nullptr;
  moveConstantOut(V, K);
  // With V >= 0 and k >= 0, base <= base + V <= base + V + k: if the last one
  // is inside the object (or one past it), so are all, and nothing wraps.
  // The offset is known modulo 2^64 only; it is V + k if that stays in 63 bits.
  auto IsOffset = [&](IndexExpr E) {
    Interval R = Scope->Domain.range(E);
    return R.isNonNegative() && R.isBounded();
  };
  PlanFlags Flags;
  Flags.InBounds =
      Pointer.InBounds && K >= 0 && IsOffset(V) && IsOffset(Context.add(V, K));
  Flags.NoUnsignedWrap = Flags.InBounds;
  const PlanNode *Best = addOffset(Base, V, Flags);

  // What does not change in the loop can be added in front of it.
  unsigned Depth = 0;
  SmallVector<std::pair<IndexTerm, unsigned>, 8> Terms;
  for (const IndexTerm &T : V.terms()) {
    const PlanNode *Node = sum(Context.atom(T.Atom), 32);
    unsigned TermDepth = Node ? loopDepthOf(Node) : 0;
    Terms.push_back({T, TermDepth});
    Depth = std::max(Depth, TermDepth);
  }
  SmallVector<IndexTerm, 8> Outer, Inner;
  for (auto &[T, TermDepth] : Terms)
    (TermDepth < Depth ? Outer : Inner).push_back(T);
  if (!Outer.empty()) {
    IndexExpr Invariant = Context.linear(Outer, 0);
    IndexExpr Varying = Context.linear(Inner, V.constant());
    PlanFlags OuterFlags = Flags;
    if (!Invariant || !Varying)
      return nullptr;
    OuterFlags.InBounds &= IsOffset(Invariant) && IsOffset(Varying);
    OuterFlags.NoUnsignedWrap = OuterFlags.InBounds;
    const PlanNode *Split = addOffset(Base, Invariant, OuterFlags);
    if (Split)
      Split = addOffset(Split, Varying, OuterFlags);
    if (Split && (!Best || marginalCost(Split) < marginalCost(Best)))
      Best = Split;
  }
  return Best ? Plan.ptrAdd(Best, Plan.constant(K, 64), Flags) : nullptr;
}

const PlanNode *IndexExpander::planValue(IndexExpr E, unsigned Width) {
  addRootVariables(E);
  return sum(E, Width);
}

/// Walks up through operations that hand on poison. Whatever flags their forms
/// rely on, the form is the number in the word as long as the root is used.
void IndexExpander::replaceRoot(Value *Root) {
  static constexpr size_t MaxWords = 64;
  SmallVector<Value *, 16> Work{Root};
  SmallPtrSet<Value *, 16> Seen{Root};
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || isa<SelectInst>(I) || isa<FreezeInst>(I) || isa<CallInst>(I))
      continue;
    if (I->isIntDivRem() && !isa<Constant>(I->getOperand(1)))
      RootDivisions.push_back(cast<BinaryOperator>(I));
    if (IndexRecovery::isIndexOperation(I)) {
      const RecoveredValue &R = Recovery.recover(I, *Scope);
      unsigned Width = I->getType()->getIntegerBitWidth();
      auto Note = [&](llvm::DenseMap<IndexExpr, unsigned> &Words, IndexExpr E) {
        unsigned &Known = Words.try_emplace(E, Width).first->second;
        Known = std::min(Known, Width);
      };
      Note(SignedWords, R.Signed);
      Note(UnsignedWords, R.Unsigned);
    } else if (!isa<GetElementPtrInst>(I) && !isa<ICmpInst>(I)) {
      continue;
    }
    for (Value *Operand : I->operands())
      if (Seen.size() < MaxWords && Seen.insert(Operand).second)
        Work.push_back(Operand);
  }
}

void IndexExpander::keep(const PlanNode *Root) {
  SmallVector<const PlanNode *, 8> Work{Root};
  while (!Work.empty()) {
    const PlanNode *Node = Work.pop_back_val();
    if (!Node || !Kept.insert(Node).second)
      continue;
    Work.push_back(Node->A);
    Work.push_back(Node->B);
  }
}

unsigned IndexExpander::marginalCost(const PlanNode *Node) {
  return priceOf(Node, /*WithoutKept=*/true);
}

unsigned IndexExpander::priceOf(const PlanNode *Node) {
  return priceOf(Node, /*WithoutKept=*/false);
}

unsigned IndexExpander::priceOf(const PlanNode *Node, bool WithoutKept) {
  unsigned Cost = 0;
  SmallVector<const PlanNode *, 8> Work{Node};
  DenseSet<const PlanNode *> Seen;
  while (!Work.empty()) {
    const PlanNode *N = Work.pop_back_val();
    if (!N || (WithoutKept && Kept.contains(N)) || !Seen.insert(N).second)
      continue;
    Cost += costOf(N) * loopWeight(loopDepthOf(N));
    Work.push_back(N->A);
    Work.push_back(N->B);
  }
  return Cost;
}

//===----------------------------------------------------------------------===//
// Questions about forms and nodes
//===----------------------------------------------------------------------===//

/// Whether the number \p E is a word of Width bits for the next plan.
bool IndexExpander::fits(IndexExpr E, unsigned Width, Reading R) const {
  const auto &Words = R == Reading::Signed ? SignedWords : UnsignedWords;
  if (auto It = Words.find(E); It != Words.end() && It->second <= Width)
    return true;
  return isWordIn(*Scope, E, Width, R);
}

/// Whether it is one in all of \p S.
bool IndexExpander::isWordIn(const RecoveryScope &S, IndexExpr E,
                             unsigned Width, Reading R) const {
  // A variable fits the word that it was read from.
  if (const IndexAtom *A = E.asAtom(); A && A->isVariable()) {
    auto [V, ReadAs] = Recovery.valueOf(A);
    if (ReadAs == R && V->getType()->getIntegerBitWidth() <= Width)
      return true;
  }
  Interval Range = S.Domain.range(E);
  return Range.isBounded() && wordRange(Width, R).contains(Range);
}

unsigned IndexExpander::loopDepthOf(const PlanNode *Node) {
  auto It = LoopDepths.find(Node);
  if (It != LoopDepths.end())
    return It->second;
  unsigned Depth = 0;
  // (The leaf of a phi is the one beside it.)
  if (auto *I = dyn_cast_or_null<Instruction>(Node->Leaf))
    Depth = Recovery.loopInfo().getLoopDepth(I->getParent());
  if (Node->Anchor)
    Depth = Recovery.loopInfo().getLoopDepth(Node->Anchor->getParent());
  if (Node->A)
    Depth = std::max(Depth, loopDepthOf(Node->A));
  if (Node->B)
    Depth = std::max(Depth, loopDepthOf(Node->B));
  LoopDepths[Node] = Depth;
  return Depth;
}

//===----------------------------------------------------------------------===//
// Values that the source computes already
//===----------------------------------------------------------------------===//

/// Whether all that \p U does is to state a fact: no code is left of it.
static bool isForAssumption(const User *U) {
  return isa<AssumeInst>(U) ||
         (isa<ICmpInst>(U) && all_of(U->users(), IsaPred<AssumeInst>));
}

/// Whether something outside of index arithmetic needs V anyway.
static bool isAnchored(const Value *V) {
  return any_of(V->users(), [](const User *U) {
    return !IndexRecovery::isIndexOperation(U) && !isa<GetElementPtrInst>(U) &&
           !isForAssumption(U);
  });
}

void IndexExpander::collectSources(Sources &Result) {
  // A place to look, not a catalogue.
  static constexpr size_t MaxPerKey = 4;
  // The scope's own list is in the order of recovery, which is deterministic.
  for (Value *V : Scope->Order) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !IndexRecovery::isIndexOperation(I) || !isAnchored(I))
      continue;
    unsigned Width = I->getType()->getIntegerBitWidth();
    const RecoveredValue &R = Scope->Values.find(V)->second;
    if (!R.isWellDefined() || (Width != 32 && Width != 64))
      continue;
    for (IndexExpr E : {R.Signed, R.Unsigned}) {
      // Only what is computed: a variable of its own is a leaf anyway.
      if (const IndexAtom *A = E.asAtom(); A && A->isVariable())
        continue;
      auto &Values = Result.Values[E];
      if (Values.empty() && E.terms().size() >= 2) {
        auto &Sums = Result.Sums[E.terms()[0].Atom];
        if (Sums.size() < MaxPerKey)
          Sums.push_back(E);
      }
      if (!is_contained(Values, V) && Values.size() < MaxPerKey)
        Values.push_back(V);
    }
  }
}

bool IndexExpander::isAtHand(Value *V) const {
  return Recovery.dominatorTree().dominates(V, At);
}

/// A value of the source that equals E exactly, or null.
const PlanNode *IndexExpander::sourceValue(IndexExpr E) {
  if (!InScope)
    return nullptr;
  auto It = InScope->Values.find(E);
  if (It == InScope->Values.end())
    return nullptr;
  for (Value *V : It->second)
    if (isAtHand(V)) {
      UsedSources = true;
      return Plan.leaf(V, V->getType()->getIntegerBitWidth(),
                       /*MayBeUndef=*/false);
    }
  return nullptr;
}

} // namespace unravel
