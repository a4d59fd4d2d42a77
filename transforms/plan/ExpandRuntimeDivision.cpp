//===- ExpandRuntimeDivision.cpp - Quotients by values of run time --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x/(h*w) is one division, or one more of x/w, if that is needed as well; the
// order of a chain of divisors is free.
//
// A division is undefined where its divisor is zero or poison, and where it is
// signed and overflows (INT_MIN / -1). So a planned one has an *anchor*, an
// instruction that it must not be executed in front of. Behind it one of two
// things makes the division safe:
//
//  * facts: the divisor is positive, fits the word, and is neither poison nor
//    undef, in a scope; the anchor is the first place of the scope.
//  * evidence: the program itself divides by the divisor, or a multiple of it.
//    A zero divisor would have been undefined then. A signed quotient y / d
//    overflows only for y = INT_MIN and d = -1, which the program has excluded
//    if it divided y, or an x that y is a quotient of, by d: |y| <= |x|, so
//    y = INT_MIN means x = INT_MIN. (x / a) / b in the program is as good as
//    x / (a*b): neither factor is zero, and if a*b = -1, one of them is -1 and
//    the other 1, so x = INT_MIN overflows in one of its two divisions. The
//    forms are those of the scope, so the anchor is the later one of the
//    (last) division and the first place of the scope.
//
// A division may be executed where the root is not, so its divisor has to be
// the number that it was proved to be wherever the anchor has been passed. It
// is planned by the facts of the anchor's scope alone: not by those of guards
// between the anchor and the root, and not by flags, which hold if the root is
// not poison; and what it is computed by has no flags.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexPolynomial.h"
#include "analysis/algebra/IndexProver.h"
#include "transforms/plan/IndexExpander.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace unravel {

/// Divisions of other roots that are looked at for one root.
static constexpr size_t MaxEvidence = 32;

//===----------------------------------------------------------------------===//
// Where a division is safe
//===----------------------------------------------------------------------===//

ArrayRef<IndexExpander::Evidence> IndexExpander::evidence() {
  if (KnownEvidence)
    return *KnownEvidence;
  KnownEvidence.emplace();
  SmallPtrSet<const BinaryOperator *, 16> Seen;
  auto Add = [&](BinaryOperator *Division) {
    if (!Seen.insert(Division).second ||
        !Recovery.dominatorTree().dominates(Division, Place.At))
      return;
    Reading R =
        isSignedDivision(*Division) ? Reading::Signed : Reading::Unsigned;
    // A copy: recovering the second may move the first.
    IndexExpr Dividend =
        Recovery.recover(Division->getOperand(0), Place.Scope).exact(R);
    IndexExpr Divisor =
        Recovery.recover(Division->getOperand(1), Place.Scope).exact(R);
    KnownEvidence->push_back({Division, Dividend, Divisor});
  };
  for (BinaryOperator *Division : Place.Root.Divisions)
    Add(Division);
  size_t Most = KnownEvidence->size() + MaxEvidence;
  for (const RecoveryScope *S = &Place.Scope; S; S = S->Parent)
    for (BinaryOperator *Division : reverse(S->RuntimeDivisions))
      if (KnownEvidence->size() < Most)
        Add(Division);
  addChains(*KnownEvidence);
  return *KnownEvidence;
}

/// Adds x / (C*B) for every (x / C) / B, and from these longer chains.
void IndexExpander::addChains(std::vector<Evidence> &Known) {
  static constexpr unsigned MaxLinks = 3;
  const DominatorTree &DT = Recovery.dominatorTree();
  auto Divides = [&](const Evidence &Inner, const Evidence &Outer) {
    const IndexAtom *Quotient =
        Outer.Dividend ? Outer.Dividend.asAtom() : nullptr;
    return Quotient && Quotient->isDivision() &&
           Inner.Dividend == Quotient->operand() &&
           Inner.Divisor == Quotient->divisor() &&
           isSignedDivision(*Inner.Division) ==
               isSignedDivision(*Outer.Division) &&
           Inner.Division->getType() == Outer.Division->getType() &&
           DT.dominates(Inner.Division, Outer.Division);
  };
  auto IsKnown = [&](IndexExpr Dividend, IndexExpr Divisor,
                     const Evidence &Last) {
    return any_of(Known, [&](const Evidence &E) {
      return E.IsChain && E.Dividend == Dividend && E.Divisor == Divisor &&
             E.Division->getOpcode() == Last.Division->getOpcode() &&
             E.Division->getType() == Last.Division->getType() &&
             DT.dominates(E.Division, Last.Division);
    });
  };
  size_t FirstNew = 0, Most = Known.size() + MaxEvidence;
  for (unsigned Link = 1; Link < MaxLinks; ++Link) {
    size_t End = Known.size();
    for (size_t Outer = 0; Outer < End; ++Outer)
      for (size_t Inner = FirstNew; Inner < End; ++Inner)
        if (Known.size() < Most && !Known[Outer].IsChain &&
            Divides(Known[Inner], Known[Outer]))
          if (IndexExpr Product =
                  Context.multiply(Known[Inner].Divisor, Known[Outer].Divisor);
              Product && !IsKnown(Known[Inner].Dividend, Product, Known[Outer]))
            Known.push_back({Known[Outer].Division, Known[Inner].Dividend,
                             Product, /*IsChain=*/true});
    FirstNew = End;
  }
}

static Instruction *firstPlaceOf(const RecoveryScope &S, Function &F) {
  BasicBlock *Head =
      S.Head ? const_cast<BasicBlock *>(S.Head) : &F.getEntryBlock();
  // (Local variables stay in front of everything else.)
  return &*Head->getFirstNonPHIOrDbgOrAlloca();
}

/// Whether the variables of \p E are neither poison nor undef in \p S.
bool IndexExpander::isWellDefined(IndexExpr E, RecoveryScope &S) {
  bool WellDefined = true;
  forEachAtom(E, [&](const IndexAtom *A) {
    WellDefined &=
        !A->isVariable() ||
        Recovery.recover(Recovery.valueOf(A).first, S).isWellDefined();
  });
  return WellDefined;
}

/// The first place where \p D is known to be a positive word and well defined,
/// or none.
IndexExpander::Anchor
IndexExpander::anchorOfPositive(IndexExpr D, unsigned Width, Reading R) {
  auto IsPositiveIn = [&](RecoveryScope &S) {
    return isWordIn(S, D, Width, R) && provesPositive(S.Domain, D) &&
           isWellDefined(D, S);
  };
  RecoveryScope *First = nullptr;
  for (RecoveryScope *S = &Place.Scope; S && IsPositiveIn(*S); S = S->Parent)
    First = S;
  if (!First)
    return {};
  return {firstPlaceOf(*First, Recovery.function()), First};
}

/// Plans by what holds in all of \p S, whether the root is poison or not.
IndexExpander &IndexExpander::byFactsOf(RecoveryScope &S) {
  if (&S == &Place.Scope && (Place.RootMayBePoison || !Place.Root.hasWords()))
    return *this;
  std::unique_ptr<IndexExpander> &Other = ByFacts[&S];
  if (!Other)
    Other.reset(new IndexExpander(*this,
                                  {S, Place.At, Place.Root, Place.Variables,
                                   /*RootMayBePoison=*/true, Place.NestedJoins},
                                  ByFacts));
  return *Other;
}

/// An instruction that dominates At and behind which Y / D, a division of words
/// of Width bits, is safe; none if there is none.
IndexExpander::Anchor IndexExpander::anchorOf(IndexExpr Y, IndexExpr D,
                                              unsigned Width, bool Signed) {
  Reading R = Signed ? Reading::Signed : Reading::Unsigned;
  if (Anchor Positive = anchorOfPositive(D, Width, R); Positive.Place)
    return Positive;
  auto BehindScope = [&](Instruction *Anchor) {
    Instruction *First = firstPlaceOf(Place.Scope, Recovery.function());
    return Recovery.dominatorTree().dominates(Anchor, First) ? First : Anchor;
  };
  auto IsQuotientOf = [](IndexExpr Quotient, IndexExpr Dividend) {
    const IndexAtom *A = Quotient.asAtom();
    return A && A->isTruncDiv() && A->operand() == Dividend;
  };
  // Nothing overflows with a divisor that is not -1, or a dividend above
  // INT_MIN. (If it may be poison, it may be INT_MIN.)
  bool MayOverflow = Signed && !Place.Scope.Domain.isNonNegative(D);
  if (MayOverflow) {
    Interval Word = wordRange(Width, Reading::Signed);
    Interval Range = Place.Scope.Domain.range(Y);
    MayOverflow = !Range.isBounded() || !Word.contains(Range) ||
                  Range.lo() <= std::max(Word.lo(), -Interval::PlusInfinity) ||
                  !isWellDefined(Y, Place.Scope);
  }
  Instruction *First = nullptr;
  for (const Evidence &E : evidence()) {
    bool IsAlike = isSignedDivision(*E.Division) == Signed &&
                   E.Division->getType()->getIntegerBitWidth() == Width;
    // As the divisor of a division D is a word; as a factor or a product it has
    // to be one.
    bool IsDivisor = E.Divisor == D && IsAlike;
    if ((!IsDivisor || E.IsChain) && !isWordIn(Place.Scope, D, Width, R))
      continue;
    if (!IsDivisor && !exactQuotient(Context, E.Divisor, D))
      continue;
    bool IsSafe =
        !MayOverflow ||
        (IsDivisor && (E.Dividend == Y || IsQuotientOf(Y, E.Dividend)));
    if (IsSafe &&
        (!First || Recovery.dominatorTree().dominates(E.Division, First)))
      First = E.Division;
  }
  if (!First)
    return {};
  return {BehindScope(First), &Place.Scope};
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

const PlanNode *IndexExpander::divide(IndexExpr Y, IndexExpr D, bool Truncating,
                                      bool WantsRemainder) {
  std::tuple Key(Y, D, 2u * Truncating + WantsRemainder);
  auto It = RuntimeDivisions.find(Key);
  if (It != RuntimeDivisions.end())
    return It->second;
  const PlanNode *Result = findDivision(Y, D, Truncating, WantsRemainder);
  RuntimeDivisions[Key] = Result;
  return Result;
}

/// Y / D (or its remainder) in the narrowest word, or null if it is not safe
/// here.
const PlanNode *IndexExpander::findDivision(IndexExpr Y, IndexExpr D,
                                            bool Truncating,
                                            bool WantsRemainder) {
  for (unsigned Width : {32u, 64u})
    for (bool Signed : {false, true}) {
      Reading R = Signed ? Reading::Signed : Reading::Unsigned;
      // A floor is no signed division unless nothing is negative, and then an
      // unsigned one will do.
      if ((Signed && !Truncating) || !fits(Y, Width, R) || !fits(D, Width, R))
        continue;
      Anchor Safe = anchorOf(Y, D, Width, Signed);
      if (!Safe.Place)
        continue;
      // An unsigned quotient may be of anything where its result is unused.
      const PlanNode *NodeY =
          Signed ? byFactsOf(Place.Scope).sum(Y, Width) : sum(Y, Width);
      const PlanNode *NodeD = byFactsOf(*Safe.Facts).sum(D, Width);
      if (!NodeD && Safe.Facts != &Place.Scope) {
        // D is positive in all scopes from there to here.
        Safe = {firstPlaceOf(Place.Scope, Recovery.function()), &Place.Scope};
        NodeD = byFactsOf(Place.Scope).sum(D, Width);
      }
      if (!NodeY || !NodeD)
        return nullptr;
      Plan.dropFlags(NodeD);
      // A poison dividend divided by -1 is undefined, too.
      if (Signed)
        Plan.dropFlags(NodeY);
      PlanOp Op = WantsRemainder ? (Signed ? PlanOp::SRemBy : PlanOp::URemBy)
                                 : (Signed ? PlanOp::SDivBy : PlanOp::UDivBy);
      return Plan.divideBy(Op, NodeY, NodeD, Safe.Place);
    }
  return nullptr;
}

const PlanNode *IndexExpander::runtimeQuotient(const IndexAtom *Atom) {
  auto It = RuntimeQuotients.find(Atom);
  if (It != RuntimeQuotients.end())
    return It->second;
  const PlanNode *Result = findRuntimeQuotient(Atom);
  RuntimeQuotients[Atom] = Result;
  return Result;
}

/// Atom = (F / D) = (F / C) / (D / C): the cheapest C.
const PlanNode *IndexExpander::findRuntimeQuotient(const IndexAtom *Atom) {
  IndexExpr F = Atom->operand(), D = Atom->divisor();
  bool Truncating = Atom->isTruncDiv();
  if (!Truncating)
    if (const PlanNode *Node = divideInPeriod(F, D, /*WantsRemainder=*/false))
      return Node;
  const PlanNode *Best = nullptr;
  auto Consider = [&](IndexExpr Y, IndexExpr Divisor) {
    if (!Y || !Divisor || Divisor.isConstant() || (Best && Budget == 0))
      return;
    Budget -= Budget > 0 ? 1 : 0;
    const PlanNode *Node = divide(Y, Divisor, Truncating);
    if (Node &&
        (!Best || Prices.marginalCost(Node) < Prices.marginalCost(Best)))
      Best = Node;
  };
  auto ConsiderAfter = [&](IndexExpr Inner, IndexExpr C) {
    if (!Inner || Inner.asAtom() == Atom || Inner.isConstant())
      return;
    IndexExpr Outer = exactQuotient(Context, D, C);
    if (!Outer)
      return;
    if (!Outer.isConstant())
      return Consider(Inner, Outer);
    if (Outer.constant() <= 1)
      return; // C is no smaller than D
    // The last divisor is a constant.
    Quotient Q = Truncating ? truncQuotient(Inner, Outer.constant())
                            : floorQuotient(Inner, Outer.constant());
    if (Q.Node && Q.Offset == 0 &&
        (!Best || Prices.marginalCost(Q.Node) < Prices.marginalCost(Best)))
      Best = Q.Node;
  };
  // What is wanted anyway comes first: it wins among equals.
  for (const IndexAtom *Other : Planning.Wanted.quotientsOf(F))
    if (Other != Atom && Other->isTruncDiv() == Truncating)
      ConsiderAfter(Context.atom(Other), Other->divisor());
  Consider(F, D);
  // As the source does it, or one factor after the other.
  FloorBasis &Basis = Place.Scope.Basis;
  auto QuotientBy = [&](IndexExpr C) {
    return Truncating ? Basis.truncDiv(F, C) : Basis.floorDiv(F, C);
  };
  for (const Evidence &E : evidence())
    if (const IndexAtom *Inner = E.Dividend.asAtom();
        Inner && Inner->isDivision() && Inner->operand() == F)
      ConsiderAfter(E.Dividend, Inner->divisor());
  Content Parts = contentOf(D);
  for (auto [I, Factor] : enumerate(Parts.Factors)) {
    // There are as many products to divide by first as there are sets of
    // factors: with no budget left, one chain of quotients is enough.
    if (I > 0 && Budget == 0)
      break;
    if (I > 0 && Parts.Factors[I - 1] == Factor)
      continue;
    IndexExpr C = Context.atom(Factor);
    ConsiderAfter(QuotientBy(C), C);
    if (IndexExpr Others = exactQuotient(Context, D, C);
        Others && !Others.isConstant())
      ConsiderAfter(QuotientBy(Others), Others);
  }
  return Best;
}

//===----------------------------------------------------------------------===//
// Neighbours in a period
//===----------------------------------------------------------------------===//

namespace {
/// Where F is, measured in periods of D.
enum class Period { BelowTwo, AroundZero, Unknown };
} // namespace

/// BelowTwo: 0 <= F < 2*D, as in (x + 1) % n. AroundZero: -D <= F < D, as in
/// x - 1, or (n + x - 1) % n after n has moved out.
static Period periodOf(const IndexDomain &Domain, IndexExpr F, IndexExpr D) {
  IndexContext &Context = Domain.context();
  if (!Domain.mayRelate(F, D))
    return Period::Unknown;
  IndexExpr BelowD = Context.add(Context.sub(D, F), -1);
  if (provesNonNegative(Domain, F))
    return provesNonNegative(Domain, Context.add(BelowD, D)) ? Period::BelowTwo
                                                             : Period::Unknown;
  return provesNonNegative(Domain, Context.add(F, D)) &&
                 provesNonNegative(Domain, BelowD)
             ? Period::AroundZero
             : Period::Unknown;
}

/// Quotients floor(M/D), wanted anyway, with F = M + k for a constant k: then
/// floor(F/D) = floor(M/D) + floor((M mod D + k)/D), and F mod D is that of
/// M mod D + k, which is in [0, 2*D) for 0 <= k <= D. Null stands for F itself.
/// The constant of M is smaller than that of F, so that this ends.
SmallVector<const IndexAtom *, 4> IndexExpander::neighboursOf(IndexExpr F,
                                                              IndexExpr D) {
  SmallVector<const IndexAtom *, 4> Neighbours{nullptr};
  for (const IndexAtom *Floor : Planning.Wanted.floorsBy(D)) {
    IndexExpr M = Floor->operand(), K = Context.sub(F, M);
    if (K && K.isConstant() && !K.isConstant(0) &&
        std::abs(M.constant()) < std::abs(F.constant()))
      Neighbours.push_back(Floor);
  }
  return Neighbours;
}

/// floor(R/D), where R is in the period P of D.
static const PlanNode *quotientIn(Period P, const PlanNode *R,
                                  const PlanNode *D, unsigned Width,
                                  IndexPlan &Plan) {
  if (P == Period::AroundZero)
    return Plan.ashr(R, Width - 1);
  return Plan.zext(Plan.compare(CmpInst::ICMP_UGE, R, D), Width);
}

/// R mod D as an unsigned minimum. For 0 <= R < 2*D, R and D below 2^32, it is
/// the smaller of R and R - D, where a negative R - D reads as R - D + 2^32,
/// which is above R. For -D <= R < D and D < 2^31 it is the smaller of R and R
/// + D, where a negative R reads as at least 2^31. In 64 bits likewise.
static const PlanNode *remainderIn(Period P, const PlanNode *R,
                                   const PlanNode *D, IndexPlan &Plan) {
  return Plan.umin(R, P == Period::BelowTwo ? Plan.sub(R, D, {})
                                            : Plan.add(R, D, {}));
}

/// floor(F/D), or F mod D, without a division of its own: where the quotient
/// takes two values only, or is one of two neighbours of another quotient. That
/// is a floor that is wanted anyway or, for an F of either sign, the truncating
/// quotient: F - D*tdiv(F, D) is in (-D, D).
const PlanNode *IndexExpander::divideInPeriod(IndexExpr F, IndexExpr D,
                                              bool WantsRemainder) {
  SmallVector<const IndexAtom *, 4> Neighbours = neighboursOf(F, D);
  for (unsigned Width : {32u, 64u}) {
    if (!fits(D, Width, Reading::Unsigned))
      continue;
    for (const IndexAtom *Floor : Neighbours)
      if (const PlanNode *Node = divideBeside(
              F, D, Floor ? Context.atom(Floor) : Context.constant(0), Width,
              WantsRemainder))
        return Node;
    if (fits(F, Width, Reading::Unsigned))
      break;
    if (!fits(F, Width, Reading::Signed) || !fits(D, Width, Reading::Signed))
      continue;
    // (Where a sign is known after all, this is a floor again.)
    IndexExpr Truncated = Place.Scope.Basis.truncDiv(F, D);
    if (!Truncated || Truncated.terms().size() != 1 ||
        !Truncated.terms()[0].Atom->isTruncDiv())
      break;
    return divideBeside(F, D, Truncated, Width, WantsRemainder);
  }
  return nullptr;
}

/// The same beside \p Q, if F - D*Q is in a period of D.
const PlanNode *IndexExpander::divideBeside(IndexExpr F, IndexExpr D,
                                            IndexExpr Q, unsigned Width,
                                            bool WantsRemainder) {
  IndexExpr R = Context.sub(F, Context.multiply(D, Q));
  if (!R ||
      !(fits(R, Width, Reading::Signed) || fits(R, Width, Reading::Unsigned)))
    return nullptr;
  Period P = periodOf(Place.Scope.Domain, R, D);
  if (P == Period::Unknown ||
      (P == Period::AroundZero && !fits(D, Width, Reading::Signed)))
    return nullptr;
  const PlanNode *NodeQ = WantsRemainder ? nullptr : sum(Q, Width);
  const PlanNode *NodeR = sum(R, Width), *NodeD = sum(D, Width);
  if (!NodeR || !NodeD)
    return nullptr;
  if (WantsRemainder)
    return remainderIn(P, NodeR, NodeD, Plan);
  return NodeQ ? Plan.add(NodeQ, quotientIn(P, NodeR, NodeD, Width, Plan), {})
               : nullptr;
}

} // namespace unravel
