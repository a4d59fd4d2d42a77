//===- IndexExpander.cpp - Index forms as planned arithmetic --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading order: roots (addresses, values), the choice between ways to write a
// sum, assembling a sum, atoms. Comparisons are in ExpandComparison.cpp.
//
//===----------------------------------------------------------------------===//

#include "transforms/IndexExpander.h"
#include "analysis/IndexDigits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>
#include "transforms/NVPTXCostModel.h"

using namespace llvm;

namespace unravel {

/// Alternatives that are planned for one root at most; beyond it sums are
/// written term by term. Address forms of real kernels need fewer than 50.
static constexpr unsigned MaxAlternatives = 128;
/// How many rewritten parts one sum is split into.
static constexpr unsigned MaxSplitDepth = 4;

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

void IndexExpander::moveTo(RecoveryScope &NewScope, Instruction *NewAt) {
  Scope = &NewScope;
  At = NewAt;
  Budget = MaxAlternatives;
  Known = Memo();
  RootVariables.clear();
  SignedWords.clear();
  UnsignedWords.clear();
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
  int64_t G = V.gcdOfCoefficients();
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
    if (Offset)
      Offset = Plan.mul(widen(Offset, 64, Unsigned && G > 0, Signed), G,
                        flagsFor(M, M, V, 64));
  } else {
    Offset = sum(V, 64);
  }
  return Offset ? Plan.ptrAdd(Pointer, Offset, Flags) : nullptr;
}

/// base + V + k, the constant last for the immediate field of the access.
const PlanNode *IndexExpander::planAddress(const RecoveredPointer &Pointer) {
  addRootVariables(Pointer.Offset);
  const PlanNode *Base = Plan.leaf(Pointer.Base, 0);
  int64_t K = Pointer.Offset.constant();
  IndexExpr V = Context.add(Pointer.Offset, -K);
  if (!V)
    return nullptr;
  // With V >= 0 and k >= 0, base <= base + V <= base + V + k: if the last one
  // is inside the object (or one past it), so are all, and nothing wraps.
  // The offset is known modulo 2^64 only; it is V + k if that stays in 63 bits.
  auto IsOffset = [&](IndexExpr E) {
    Interval R = Scope->Domain.range(E);
    return R.isNonNegative() && R.isBounded();
  };
  PlanFlags Flags;
  Flags.InBounds = Pointer.InBounds && K >= 0 && IsOffset(V) &&
                   IsOffset(Context.add(V, K));
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
    IndexExpr Varying = Context.linear(Inner, 0);
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
// Values that the source computes already
//===----------------------------------------------------------------------===//

/// Whether something outside of index arithmetic needs V anyway.
static bool isAnchored(const Value *V) {
  return any_of(V->users(), [](const User *U) {
    return !IndexRecovery::isIndexOperation(U) && !isa<GetElementPtrInst>(U);
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
    if (isAtHand(V))
      return Plan.leaf(V, V->getType()->getIntegerBitWidth(),
                       /*MayBeUndef=*/false);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Ways to write a sum
//===----------------------------------------------------------------------===//

/// A node congruent to E modulo 2^Width.
const PlanNode *IndexExpander::sum(IndexExpr E, unsigned Width) {
  if (!E)
    return nullptr;
  auto It = Known.Sums.find({E, Width});
  if (It != Known.Sums.end())
    return It->second;
  const PlanNode *Node = bestSum(E, Width);
  Known.Sums[{E, Width}] = Node;
  return Node;
}

const PlanNode *IndexExpander::bestSum(IndexExpr E, unsigned Width) {
  if (E.isConstant())
    return Plan.constant(E.constant(), Width);
  if (const PlanNode *Existing = sourceValue(E))
    return toWidth(Existing, E, Width);
  // In 64 bits, whatever fits 32 is computed there.
  if (Width == 64 && (fits(E, 32, Reading::Unsigned) ||
                      fits(E, 32, Reading::Signed)))
    return toWidth(sum(E, 32), E, 64);
  Sum Best = decompose(E, /*Depth=*/0);
  return Best.Valid ? assemble(Best, Width) : nullptr;
}

IndexExpander::Sum IndexExpander::decompose(IndexExpr E, unsigned Depth) {
  auto It = Known.Decompositions.find({E, Depth});
  if (It != Known.Decompositions.end())
    return It->second;
  Sum Result = findDecomposition(E, Depth);
  Known.Decompositions[{E, Depth}] = Result;
  return Result;
}

IndexExpander::Sum IndexExpander::findDecomposition(IndexExpr E,
                                                    unsigned Depth) {
  Sum Best = plainSum(E);
  if (Depth >= MaxSplitDepth || Budget == 0)
    return Best;
  considerSourceSums(E, Depth, Best);
  considerDigits(E, Depth, Best);
  considerSourceDivisions(E, Depth, Best);
  considerMinimum(E, Depth, Best);
  considerJoin(E, Best);
  return Best;
}

IndexExpander::Sum IndexExpander::plainSum(IndexExpr E) {
  Sum Result;
  Result.Constant = E.constant();
  for (const IndexTerm &T : E.terms()) {
    IndexExpr Form = Context.atom(T.Atom);
    Quotient Q{sourceValue(Form), 0};
    if (!Q.Node && T.Atom->isVariable())
      Q.Node = variable(T.Atom);
    else if (!Q.Node && T.Atom->isFloorDiv())
      Q = floorQuotient(T.Atom->operand(), T.Atom->divisor());
    else if (!Q.Node && T.Atom->isTruncDiv())
      Q = truncQuotient(T.Atom->operand(), T.Atom->divisor());
    else if (!Q.Node)
      Q.Node = minimum(T.Atom->operand(), Context.constant(0));
    int64_t Shift;
    if (!Q.Node || MulOverflow(Q.Offset, T.Coefficient, Shift) ||
        SubOverflow(Result.Constant, Shift, Result.Constant)) {
      Result.Valid = false;
      return Result;
    }
    Result.Summands.push_back(
        {T.Coefficient, Q.Node, Context.add(Form, Q.Offset)});
  }
  return Result;
}

/// Best becomes `Rest + Coefficient * Node + Constant` if that is cheaper.
void IndexExpander::consider(Sum Rest, int64_t Coefficient,
                             const PlanNode *Node, IndexExpr Form,
                             int64_t Constant, Sum &Best) {
  if (!Rest.Valid || !Node || !Form ||
      AddOverflow(Rest.Constant, Constant, Rest.Constant))
    return;
  Rest.Summands.push_back({Coefficient, Node, Form});
  if (!Best.Valid || priceOf(Rest) < priceOf(Best))
    Best = std::move(Rest);
}

/// s*(M mod d) + rest, for every digit of E.
void IndexExpander::considerDigits(IndexExpr E, unsigned Depth, Sum &Best) {
  for (const IndexTerm &T : E.terms())
    for (const IndexDigit &D : digitsOf(Context, E, T)) {
      // x - d*floor(x/d) alone is its own only digit.
      bool IsWhole = D.Rest.isConstant() && D.Scale == 1;
      bool IsMask = !D.Truncating && isPowerOf2_64(D.Radix);
      if ((IsWhole && !IsMask) || Budget == 0)
        continue;
      --Budget;
      IndexExpr Form = Context.add(
          D.Dividend, Context.atom(T.Atom), -D.Radix);
      consider(decompose(D.Rest, Depth + 1), D.Scale,
               digit(D.Dividend, D.Radix, D.Truncating), Form, 0, Best);
    }
}

/// With Q = floor(F/d) = t + out as the source computed it: c*t in E becomes
/// c*floor(F/d) - c*out, over a dividend that exists.
void IndexExpander::considerSourceDivisions(IndexExpr E, unsigned Depth,
                                            Sum &Best) {
  for (const IndexTerm &T : E.terms())
    for (const RecoveryScope *S = Scope; S; S = S->Parent) {
      auto It = S->Divisions.find(T.Atom);
      if (It == S->Divisions.end())
        continue;
      for (const SourceDivision &D : It->second) {
        if (Budget == 0 || (D.Quotient.asAtom() &&
                            D.Dividend == T.Atom->operand()))
          continue; // what plainSum does
        if (!dependsOnlyOnRoot(D.Dividend))
          continue;
        --Budget;
        IndexExpr Rest = Context.add(E, D.Quotient, -T.Coefficient);
        Quotient Q = floorQuotient(D.Dividend, D.Divisor);
        int64_t Shift;
        if (!Rest || Rest.coefficientOf(T.Atom) != 0 ||
            Rest.terms().size() > E.terms().size() + 1 ||
            MulOverflow(Q.Offset, -T.Coefficient, Shift))
          continue;
        consider(decompose(Rest, Depth + 1), T.Coefficient, Q.Node,
                 Context.add(D.Quotient, Q.Offset), Shift, Best);
      }
    }
}

/// A variable that the root does not depend on may be missing at its place, or
/// poison where the root is not.
bool IndexExpander::dependsOnlyOnRoot(IndexExpr E) const {
  bool Known = true;
  forEachAtom(E, [&](const IndexAtom *A) {
    Known &= !A->isVariable() || RootVariables.contains(A);
  });
  return Known;
}

void IndexExpander::addRootVariables(IndexExpr E) {
  if (E)
    forEachAtom(E, [&](const IndexAtom *A) {
      if (A->isVariable())
        RootVariables.insert(A);
    });
}

/// s*F + rest for a sum F that the source has computed.
void IndexExpander::considerSourceSums(IndexExpr E, unsigned Depth,
                                       Sum &Best) {
  if (!InScope)
    return;
  for (const IndexTerm &T : E.terms()) {
    auto It = InScope->Sums.find(T.Atom);
    if (It == InScope->Sums.end())
      continue;
    for (IndexExpr F : It->second) {
      int64_t C = F.terms()[0].Coefficient;
      if (T.Coefficient % C != 0 || Budget == 0)
        continue;
      int64_t S = T.Coefficient / C;
      IndexExpr Rest = Context.add(E, F, -S);
      if (!Rest || Rest.terms().size() >= E.terms().size())
        continue;
      --Budget;
      consider(decompose(Rest, Depth + 1), S, sourceValue(F), F, 0, Best);
    }
  }
}

/// s*min(D, 0) + rest is s*min(D + X, X) + (rest - s*X) for every X. With X
/// the negative terms of D, the operands that the source had come back.
void IndexExpander::considerMinimum(IndexExpr E, unsigned Depth, Sum &Best) {
  for (const IndexTerm &T : E.terms()) {
    if (!T.Atom->isNegativePart() || Budget == 0)
      continue;
    IndexExpr D = T.Atom->operand();
    SmallVector<IndexTerm, 4> Negative;
    for (IndexTerm U : D.terms())
      if (U.Coefficient < 0)
        Negative.push_back({U.Atom, -U.Coefficient});
    for (int64_t K : {-D.constant(), int64_t(0)}) {
      IndexExpr X = Context.linear(Negative, K);
      IndexExpr Rest = Context.add(
          Context.add(E, Context.atom(T.Atom), -T.Coefficient), X,
          -T.Coefficient);
      if (!X || !Rest || X.isConstant(0) ||
          Rest.terms().size() > E.terms().size() || Budget == 0)
        continue;
      --Budget;
      consider(decompose(Rest, Depth + 1), T.Coefficient,
               minimum(Context.add(D, X), X),
               Context.add(Context.atom(T.Atom), X), 0, Best);
    }
  }
}

unsigned IndexExpander::priceOf(const Sum &S) {
  const PlanNode *Node = assemble(S, 32);
  return Node ? marginalCost(Node) : std::numeric_limits<unsigned>::max();
}

//===----------------------------------------------------------------------===//
// Assembling a sum
//===----------------------------------------------------------------------===//

const PlanNode *IndexExpander::assemble(Sum S, unsigned Width) {
  // Merge what several parts contributed.
  SmallVector<Summand, 4> Merged;
  for (const Summand &New : S.Summands) {
    auto *Same = find_if(
        Merged, [&](const Summand &Old) { return Old.Node == New.Node; });
    if (Same == Merged.end())
      Merged.push_back(New);
    else if (AddOverflow(Same->Coefficient, New.Coefficient,
                         Same->Coefficient))
      return nullptr;
  }
  erase_if(Merged, [](const Summand &P) { return P.Coefficient == 0; });
  if (Merged.empty())
    return Plan.constant(S.Constant, Width);

  // What changes less often comes first, so that partial sums can leave the
  // loop; among equals the order is fixed, so that roots share prefixes.
  llvm::stable_sort(Merged, [&](const Summand &A, const Summand &B) {
    unsigned DepthA = loopDepthOf(A.Node), DepthB = loopDepthOf(B.Node);
    return DepthA != DepthB ? DepthA < DepthB : A.Node->Id < B.Node->Id;
  });
  // A sum that starts with a negative term costs a negation.
  auto *Positive =
      find_if(Merged, [](const Summand &P) { return P.Coefficient > 0; });
  if (Positive != Merged.end())
    std::rotate(Merged.begin(), Positive, std::next(Positive));

  int64_t G = 0;
  for (const Summand &P : Merged)
    G = std::gcd(G, P.Coefficient);
  if (Merged.size() == 1 || G == 1)
    return accumulate(Merged, S.Constant, Width);
  // g*(sum) + k: one multiplication for all.
  for (Summand &P : Merged)
    P.Coefficient /= G;
  IndexExpr Inner = Context.constant(0);
  for (const Summand &P : Merged)
    Inner = Context.add(Inner, P.Form, P.Coefficient);
  const PlanNode *Factored = accumulate(Merged, 0, Width);
  if (!Factored || !Inner)
    return nullptr;
  return accumulate({Summand{G, Factored, Inner}}, S.Constant, Width);
}

const PlanNode *IndexExpander::accumulate(ArrayRef<Summand> Ordered,
                                          int64_t Constant, unsigned Width) {
  const PlanNode *Total = nullptr;
  IndexExpr TotalForm = Context.constant(0);
  auto Add = [&](const PlanNode *Node, IndexExpr Form) {
    IndexExpr NewForm = Context.add(TotalForm, Form);
    Total = Total ? Plan.add(Total, Node,
                             flagsFor(TotalForm, Form, NewForm, Width))
                  : Node;
    TotalForm = NewForm;
  };
  // k - x rather than -x + k.
  if (Ordered[0].Coefficient < 0) {
    Add(Plan.constant(Constant, Width), Context.constant(Constant));
    Constant = 0;
  }
  for (const Summand &P : Ordered) {
    const PlanNode *Node = toWidth(P.Node, P.Form, Width);
    if (!Node || !TotalForm)
      return nullptr;
    // x - 2^k*y is a shift and a subtraction; for other factors x + (-c)*y is
    // one multiply-add.
    int64_t C = P.Coefficient;
    if (C < 0 && Total && isPowerOf2_64(-static_cast<uint64_t>(C))) {
      IndexExpr Scaled = Context.scale(P.Form, -C);
      IndexExpr NewForm = Context.sub(TotalForm, Scaled);
      Total = Plan.sub(Total,
                       Plan.mul(Node, -C, flagsFor(P.Form, P.Form, Scaled,
                                                   Width)),
                       flagsFor(TotalForm, Scaled, NewForm, Width));
      TotalForm = NewForm;
      continue;
    }
    IndexExpr Scaled = Context.scale(P.Form, C);
    PlanFlags Flags = flagsFor(P.Form, P.Form, Scaled, Width);
    Flags.NoUnsignedWrap &= C > 0;
    Add(Plan.mul(Node, C, Flags), Scaled);
  }
  if (Constant != 0)
    Add(Plan.constant(Constant, Width), Context.constant(Constant));
  return Total;
}

/// An operation on exact words cannot wrap if its result is a word too.
PlanFlags IndexExpander::flagsFor(IndexExpr A, IndexExpr B, IndexExpr Result,
                                  unsigned Width) const {
  PlanFlags Flags;
  if (!A || !B || !Result)
    return Flags;
  auto AllFit = [&](Reading R) {
    return fits(A, Width, R) && fits(B, Width, R) && fits(Result, Width, R);
  };
  Flags.NoUnsignedWrap = AllFit(Reading::Unsigned);
  Flags.NoSignedWrap = AllFit(Reading::Signed);
  return Flags;
}

/// The number Form, which Node holds in its own width, modulo 2^Width.
const PlanNode *IndexExpander::toWidth(const PlanNode *Node, IndexExpr Form,
                                       unsigned Width) {
  if (!Node || !Form || Node->Width == Width)
    return Node;
  if (Node->Width > Width)
    return Plan.trunc(Node, Width);
  bool Signed = fits(Form, Node->Width, Reading::Signed);
  bool Unsigned = fits(Form, Node->Width, Reading::Unsigned);
  if (!Signed && !Unsigned)
    return nullptr; // only a residue is there, it cannot be widened
  return widen(Node, Width, Unsigned, Signed);
}

/// Extends a node that holds its number exactly, read as unsigned or signed.
const PlanNode *IndexExpander::widen(const PlanNode *Node, unsigned Width,
                                     bool Unsigned, bool Signed) {
  // The wide node that it was narrowed from holds the same number.
  if (Node->Op == PlanOp::Trunc && Node->A->Width == Width)
    return Node->A;
  return Unsigned ? Plan.zext(Node, Width, /*NonNegative=*/Signed)
                  : Plan.sext(Node, Width);
}

bool IndexExpander::fits(IndexExpr E, unsigned Width, Reading R) const {
  // A variable fits the word that it was read from.
  if (const IndexAtom *A = E.asAtom(); A && A->isVariable()) {
    auto [V, ReadAs] = Recovery.valueOf(A);
    if (ReadAs == R && V->getType()->getIntegerBitWidth() <= Width)
      return true;
  }
  const auto &Words = R == Reading::Signed ? SignedWords : UnsignedWords;
  if (auto It = Words.find(E); It != Words.end() && It->second <= Width)
    return true;
  Interval Range = Scope->Domain.range(E);
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
  if (Node->A)
    Depth = std::max(Depth, loopDepthOf(Node->A));
  if (Node->B)
    Depth = std::max(Depth, loopDepthOf(Node->B));
  LoopDepths[Node] = Depth;
  return Depth;
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

const PlanNode *IndexExpander::variable(const IndexAtom *Atom) {
  auto [V, ReadAs] = Recovery.valueOf(Atom);
  unsigned Width = V->getType()->getIntegerBitWidth();
  // It has to be there, and may have to be frozen behind its definition.
  if (isa<Constant>(V) || !isAtHand(V))
    return nullptr;
  if (auto *I = dyn_cast<Instruction>(V); I && !I->getInsertionPointAfterDef())
    return nullptr;
  // A variable is in the form of a root because the root depends on it: where
  // it is poison, so was the root. Undef is another matter: it must not take
  // different values in the new uses.
  bool MayBeUndef = Recovery.recover(V, *Scope).MayBeUndef;
  const PlanNode *Leaf = Plan.leaf(V, Width, /*MayBeUndef=*/MayBeUndef);
  if (Width == 32 || Width == 64)
    return Leaf;
  unsigned Wider = Width < 32 ? 32 : 64;
  return ReadAs == Reading::Signed && !Scope->Domain.isNonNegative(
                                          Context.atom(Atom))
             ? Plan.sext(Leaf, Wider)
             : Plan.zext(Leaf, Wider, false);
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
  int64_t Max = Scope->Domain.range(X).hi();
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
  auto It = Known.Quotients.find({M, Divisor});
  if (It != Known.Quotients.end())
    return It->second;
  Quotient Result = findFloorQuotient(M, Divisor);
  Known.Quotients[{M, Divisor}] = Result;
  return Result;
}

IndexExpander::Quotient IndexExpander::findFloorQuotient(IndexExpr M,
                                                         int64_t Divisor) {
  for (unsigned Width : {32u, 64u}) {
    if (fits(M, Width, Reading::Unsigned))
      return {unsignedQuotient(M, Divisor, Width), 0};
    if (isPowerOf2_64(Divisor) && fits(M, Width, Reading::Signed)) {
      const PlanNode *Dividend = sum(M, Width);
      // All bits above the sign are copies of it.
      unsigned Amount = std::min(Log2_64(Divisor), Width - 1);
      return {Dividend ? Plan.ashr(Dividend, Amount) : nullptr, 0};
    }
    Interval R = Scope->Domain.range(M);
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

const PlanNode *IndexExpander::minimum(IndexExpr A, IndexExpr B) {
  for (unsigned Width : {32u, 64u})
    if (A && B && fits(A, Width, Reading::Signed) &&
        fits(B, Width, Reading::Signed)) {
      const PlanNode *NodeA = sum(A, Width), *NodeB = sum(B, Width);
      return NodeA && NodeB ? Plan.smin(NodeA, NodeB) : nullptr;
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
  FloorBasis &Basis = Scope->Basis;
  return sum(Truncating ? Basis.truncMod(M, Radix) : Basis.floorMod(M, Radix),
             32);
}

} // namespace unravel
