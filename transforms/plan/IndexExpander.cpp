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
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

IndexExpander::IndexExpander(PlanningContext &Planning, PlanPlace Where)
    : Planning(Planning), Recovery(Planning.Recovery), Plan(Planning.Plan),
      Prices(Planning.Prices), Context(Recovery.context()),
      Place(std::move(Where)), InScope(Planning.sourcesOf(Place.Scope)),
      WholeBudget(Planning.budgetOfRoot()), BudgetOfRoot(WholeBudget),
      Budget(BudgetOfRoot), ByFacts(OwnByFacts) {}

IndexExpander::~IndexExpander() { Planning.spend(WholeBudget - BudgetOfRoot); }

IndexExpander::IndexExpander(IndexExpander &Outer, PlanPlace Where)
    : IndexExpander(Outer, std::move(Where), OwnByFacts) {}

IndexExpander::IndexExpander(IndexExpander &Outer, PlanPlace Where,
                             ExpandersByFacts &ByFacts)
    : Planning(Outer.Planning), Recovery(Outer.Recovery), Plan(Outer.Plan),
      Prices(Outer.Prices), Context(Outer.Context), Place(std::move(Where)),
      InScope(&Place.Scope == &Outer.Place.Scope ? Outer.InScope : nullptr),
      Budget(Outer.Budget), NestedRings(Outer.NestedRings), ByFacts(ByFacts) {}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// V as an offset of an address. In 64 bits it is g*M: M in 32 bits where it
/// fits, widened by the multiplication with g.
const PlanNode *IndexExpander::offset(IndexExpr V, unsigned Width) {
  if (Width == 32)
    return sum(V, 32);
  int64_t G = std::gcd(V.gcdOfCoefficients(), V.constant());
  if (all_of(V.terms(), [](IndexTerm T) { return T.Coefficient < 0; }))
    G = -G;
  IndexExpr M = Context.divideExactly(V, G);
  if (!M)
    return nullptr;
  // A negative factor has to be multiplied signed.
  bool Signed = fits(M, 32, Reading::Signed);
  bool Unsigned = fits(M, 32, Reading::Unsigned) && (G > 0 || Signed);
  if (!Unsigned && !Signed) {
    const PlanNode *Wide = sum(M, 64);
    return Wide ? Plan.mul(Wide, G, flagsFor(M, M, V, 64)) : nullptr;
  }
  const PlanNode *Narrow = sum(M, 32);
  if (!Narrow)
    return nullptr;
  PlanFlags Product = flagsFor(M, M, V, 64);
  // A 32-bit number times a small factor fits 63 bits.
  bool Zero = Unsigned && G > 0;
  Product.NoSignedWrap |= isInt<32>(G);
  Product.NoUnsignedWrap |= Zero && isInt<32>(G);
  return Plan.mul(widen(Narrow, M, 64, Signed), G, Product);
}

/// Pointer + V.
const PlanNode *IndexExpander::addOffset(const PlanNode *Pointer,
                                         unsigned Width, IndexExpr V,
                                         PlanFlags Flags) {
  if (V.isConstant(0))
    return Pointer;
  const PlanNode *Offset = offset(V, Width);
  return Offset ? Plan.ptrAdd(Pointer, Offset, Flags) : nullptr;
}

/// A constant that is left over when V is written in the cheapest way, such as
/// the 4 in ((t + 4) mod 8) - 4, joins k and costs nothing. One that V needs,
/// such as the 9 for min(x - 9, 0) + 9, which is min(x, 9), leaves it.
void IndexExpander::moveConstantOut(IndexExpr &V, int64_t &K) {
  int64_t G = V.gcdOfCoefficients(), Shift, NewK;
  IndexExpr M = G ? Context.divideExactly(V, G) : IndexExpr();
  if (!M)
    return;
  Sum S = decompose(M, /*Depth=*/0);
  bool IsClamp =
      any_of(M.terms(), [](IndexTerm T) { return T.Atom->isNegativePart(); });
  if (IndexExpr Whole =
          IsClamp && K % G == 0 ? Context.add(M, K / G) : IndexExpr()) {
    Sum OfWhole = decompose(Whole, /*Depth=*/0);
    if (OfWhole.Valid && (!S.Valid || priceOf(OfWhole) < priceOf(S))) {
      V = Context.add(V, K);
      K = 0;
      S = OfWhole;
    }
  }
  if (!S.Valid || S.Constant == 0 || MulOverflow(S.Constant, G, Shift) ||
      AddOverflow(K, Shift, NewK))
    return;
  if (IndexExpr NewV = Context.add(V, -Shift)) {
    V = NewV;
    K = NewK;
  }
}

/// Whether V is a word times a factor, which one multiplication widens.
bool IndexExpander::isScaledWord(IndexExpr V) const {
  int64_t G = V ? std::gcd(V.gcdOfCoefficients(), V.constant()) : 0;
  IndexExpr M = G ? Context.divideExactly(V, G) : IndexExpr();
  return M && (fits(M, 32, Reading::Signed) || fits(M, 32, Reading::Unsigned));
}

/// Parts of V, which as a whole needs 64 bits: terms that together fit 32 bits
/// behind their common factor, and each of the others. Every part is then a
/// 32-bit number that one multiplication widens.
SmallVector<IndexExpr, 4> IndexExpander::partsByWidth(IndexExpr V) const {
  static constexpr unsigned MaxWide = 3;
  auto FitsWord = [&](ArrayRef<IndexTerm> Terms, int64_t Constant) {
    return isScaledWord(Context.linear(Terms, Constant));
  };
  if (isScaledWord(V))
    return {};
  // Smaller ones first: more of them fit.
  SmallVector<std::pair<int64_t, IndexTerm>, 8> Sorted;
  for (const IndexTerm &T : V.terms()) {
    Interval R = Place.Scope.Domain.range(Context.linear({T}, 0));
    if (!R.isBounded())
      return {};
    Sorted.push_back({std::max(std::abs(R.lo()), std::abs(R.hi())), T});
  }
  llvm::stable_sort(
      Sorted, [](const auto &A, const auto &B) { return A.first < B.first; });
  SmallVector<IndexTerm, 8> Narrow;
  SmallVector<IndexExpr, 4> Parts;
  for (auto &[Size, T] : Sorted) {
    Narrow.push_back(T);
    if (FitsWord(Narrow, V.constant()))
      continue;
    Narrow.pop_back();
    if (!FitsWord({T}, 0) || Parts.size() == MaxWide)
      return {};
    Parts.push_back(Context.linear({T}, 0));
  }
  if (Narrow.empty() || Parts.empty())
    return {};
  Parts.push_back(Context.linear(Narrow, V.constant()));
  return Parts;
}

/// base + V + k, the constant last for the immediate field of the access.
const PlanNode *IndexExpander::planAddress(const RecoveredPointer &Pointer) {
  const PlanNode *Base = Plan.leaf(Pointer.Base, 0);
  unsigned Width = Pointer.Width;
  int64_t K = Pointer.Offset.constant();
  IndexExpr V = Context.add(Pointer.Offset, -K);
  if (!V)
    return nullptr;
  moveConstantOut(V, K);
  IndexExpr Whole = Context.add(V, K);
  // With V >= 0 and k >= 0, base <= base + V <= base + V + k: if the last one
  // is inside the object (or one past it), so are all, and nothing wraps.
  // The offset is known modulo 2^64 only; it is V + k if that stays in 63 bits.
  auto IsOffset = [&](IndexExpr E) {
    Interval R = Place.Scope.Domain.range(E);
    return R.isNonNegative() && R.isBounded();
  };
  PlanFlags Flags;
  Flags.InBounds = Pointer.InBounds && K >= 0 && IsOffset(V) && IsOffset(Whole);
  Flags.NoUnsignedWrap = Flags.InBounds;
  const PlanNode *Best = addOffset(Base, Width, V, Flags);

  auto Consider = [&](const PlanNode *Node) {
    if (Node &&
        (!Best || Prices.marginalCost(Node) < Prices.marginalCost(Best)))
      Best = Node;
  };

  // What does not change in the loop can be added in front of it.
  unsigned Depth = 0;
  SmallVector<std::pair<IndexTerm, unsigned>, 8> Terms;
  for (const IndexTerm &T : V.terms()) {
    const PlanNode *Node = sum(Context.atom(T.Atom), 32);
    unsigned TermDepth = Node ? Prices.loopDepthOf(Node) : 0;
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
    const PlanNode *Split = addOffset(Base, Width, Invariant, OuterFlags);
    Consider(Split ? addOffset(Split, Width, Varying, OuterFlags) : nullptr);
  }

  // Several addresses may share the sum of the parts. One alone is cheaper by
  // steps, which ptxas takes where it multiplies.
  SmallVector<IndexExpr, 4> Parts;
  if (Width == 64)
    Parts = partsByWidth(V);
  PlanFlags StepFlags = Flags;
  StepFlags.InBounds &= all_of(Parts, IsOffset);
  StepFlags.NoUnsignedWrap = StepFlags.InBounds;
  SmallVector<std::pair<IndexExpr, const PlanNode *>, 4> Steps;
  for (IndexExpr Part : Parts) {
    const PlanNode *Node = offset(Part, 64);
    if (!Node) {
      Steps.clear();
      break;
    }
    Steps.push_back({Part, Node});
  }
  // What changes least first: the sum of those is added in front of loops.
  llvm::stable_sort(Steps, [&](const auto &A, const auto &B) {
    return Prices.loopDepthOf(A.second) < Prices.loopDepthOf(B.second);
  });
  const PlanNode *Offset = nullptr, *Stepped = Base;
  IndexExpr Form = Context.constant(0);
  for (auto [Part, Node] : Steps) {
    IndexExpr NewForm = Context.add(Form, Part);
    if (!NewForm) {
      Offset = nullptr;
      break;
    }
    Offset = Offset ? Plan.add(Offset, Node, flagsFor(Form, Part, NewForm, 64))
                    : Node;
    Stepped = Plan.ptrAdd(Stepped, Node, StepFlags);
    Form = NewForm;
  }
  if (Offset) {
    Consider(Plan.ptrAdd(Base, Offset, Flags));
    Consider(Stepped);
  }
  if (Best)
    Best =
        Plan.ptrAdd(Best, Plan.constant(SignExtend64(K, Width), Width), Flags);

  // A sum that does not wrap can be a word only with its constant.
  if (Width == 64 && !isScaledWord(V) && isScaledWord(Whole)) {
    PlanFlags WholeFlags;
    WholeFlags.InBounds = Pointer.InBounds && IsOffset(Whole);
    WholeFlags.NoUnsignedWrap = WholeFlags.InBounds;
    Consider(addOffset(Base, Width, Whole, WholeFlags));
  }
  return Best;
}

const PlanNode *IndexExpander::planValue(IndexExpr E, unsigned Width) {
  // GPUs compute bytes and half words in wider registers.
  const PlanNode *Word = sum(E, std::max(Width, 32u));
  return Word && Width < 32 ? Plan.trunc(Word, Width) : Word;
}

//===----------------------------------------------------------------------===//
// Questions about forms and nodes
//===----------------------------------------------------------------------===//

/// Whether the number \p E is a word of Width bits where the plan is used.
bool IndexExpander::fits(IndexExpr E, unsigned Width, Reading R) const {
  return (!Place.RootMayBePoison && Place.Root.hasWord(E, Width, R)) ||
         isWordIn(Place.Scope, E, Width, R);
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
  // What has no bounds may be no number of 64 bits.
  const Interval Bounded{Interval::MinusInfinity + 1,
                         Interval::PlusInfinity - 1};
  return S.Domain.isWithin(E, wordRange(Width, R).intersect(Bounded));
}

bool IndexExpander::isAtHand(Value *V) const {
  return Recovery.dominatorTree().dominates(V, Place.At);
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
      Planning.UsedSources = true;
      return Plan.leaf(V, V->getType()->getIntegerBitWidth(),
                       /*MayBeUndef=*/false);
    }
  return nullptr;
}

} // namespace unravel
