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
//  * facts: the divisor is positive, and neither poison nor undef, in a scope;
//    the anchor is the first place of the scope.
//  * evidence: the program itself divides by the divisor, or a multiple of it,
//    there; the anchor is that division. A zero divisor would have been
//    undefined then. A signed quotient y / d overflows only for y = INT_MIN and
//    d = -1, which the program has excluded if it divided y, or an x that y is
//    a quotient of, by d: |y| <= |x|, so y = INT_MIN means x = INT_MIN.
//
//===----------------------------------------------------------------------===//

#include "analysis/IndexPolynomial.h"
#include "analysis/IndexProver.h"
#include "transforms/IndexExpander.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace unravel {

using Kind = IndexAtom::Kind;

/// Divisions of other roots that are looked at for one root.
static constexpr size_t MaxEvidence = 32;
/// Quotients of one dividend that are remembered.
static constexpr size_t MaxWanted = 8;

/// The divisor of a quotient by a constant or a form.
static IndexExpr divisorOf(IndexContext &Context, const IndexAtom *Atom) {
  return Atom->isDivision() ? Context.constant(Atom->divisor())
                            : Atom->symbolicDivisor();
}

static bool isTruncating(const IndexAtom *Atom) {
  return Atom->isTruncDiv() || Atom->kind() == Kind::SymbolicTruncDiv;
}

static bool isSigned(const BinaryOperator &Division) {
  return Division.getOpcode() == Instruction::SDiv ||
         Division.getOpcode() == Instruction::SRem;
}

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
        !Recovery.dominatorTree().dominates(Division, At))
      return;
    Reading R = isSigned(*Division) ? Reading::Signed : Reading::Unsigned;
    // A copy: recovering the second may move the first.
    IndexExpr Dividend =
        Recovery.recover(Division->getOperand(0), *Scope).exact(R);
    IndexExpr Divisor =
        Recovery.recover(Division->getOperand(1), *Scope).exact(R);
    KnownEvidence->push_back({Division, Dividend, Divisor});
  };
  for (BinaryOperator *Division : RootDivisions)
    Add(Division);
  size_t Most = KnownEvidence->size() + MaxEvidence;
  for (const RecoveryScope *S = Scope; S; S = S->Parent)
    for (auto &[Key, D] : reverse(S->RuntimeDivisions))
      if (KnownEvidence->size() < Most)
        Add(D.Division);
  return *KnownEvidence;
}

/// The first place where \p D is known to be positive and well defined, or
/// null.
Instruction *IndexExpander::anchorOfPositive(IndexExpr D) {
  auto IsPositiveIn = [&](RecoveryScope &S) {
    if (!provesPositive(S.Domain, D))
      return false;
    bool WellDefined = true;
    forEachAtom(D, [&](const IndexAtom *A) {
      WellDefined &=
          !A->isVariable() ||
          Recovery.recover(Recovery.valueOf(A).first, S).isWellDefined();
    });
    return WellDefined;
  };
  RecoveryScope *First = nullptr;
  for (RecoveryScope *S = Scope; S && IsPositiveIn(*S); S = S->Parent)
    First = S;
  if (!First)
    return nullptr;
  BasicBlock *Head = First->Head ? const_cast<BasicBlock *>(First->Head)
                                 : &Recovery.function().getEntryBlock();
  return &*Head->getFirstInsertionPt();
}

/// An instruction that dominates At and behind which Y / D, a division of words
/// of Width bits, is safe; null if there is none.
Instruction *IndexExpander::anchorOf(IndexExpr Y, IndexExpr D, unsigned Width,
                                     bool Signed) {
  if (Instruction *Anchor = anchorOfPositive(D))
    return Anchor;
  auto IsQuotientOf = [](IndexExpr Quotient, IndexExpr Dividend) {
    const IndexAtom *A = Quotient.asAtom();
    return A && isTruncating(A) && A->operand() == Dividend;
  };
  // With a divisor that is not -1 nothing overflows.
  bool MayOverflow = Signed && !Scope->Domain.isNonNegative(D);
  Instruction *NotZero = nullptr;
  for (const Evidence &E : evidence()) {
    if (!exactQuotient(Context, E.Divisor, D))
      continue;
    if (!MayOverflow)
      return E.Division;
    NotZero = E.Division;
    if (E.Divisor == D && isSigned(*E.Division) &&
        E.Division->getType()->getIntegerBitWidth() == Width &&
        (E.Dividend == Y || IsQuotientOf(Y, E.Dividend)))
      return E.Division;
  }
  // A dividend above INT_MIN. (If it may be poison, it may be INT_MIN.)
  Interval AboveLeast(wordRange(Width, Reading::Signed).lo() + 1,
                      Interval::PlusInfinity);
  bool IsSafe = NotZero && Scope->Domain.isWithin(Y, AboveLeast);
  if (IsSafe)
    forEachAtom(Y, [&](const IndexAtom *A) {
      IsSafe &=
          !A->isVariable() ||
          Recovery.recover(Recovery.valueOf(A).first, *Scope).isWellDefined();
    });
  return IsSafe ? NotZero : nullptr;
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

void IndexExpander::expect(IndexExpr Form, RecoveryScope &FormScope) {
  SmallVector<IndexExpr, 4> Work{Form};
  SmallPtrSet<const IndexAtom *, 8> Seen;
  while (!Work.empty()) {
    IndexExpr E = Work.pop_back_val();
    if (!E)
      continue;
    forEachAtom(E, [&](const IndexAtom *A) {
      if (!Seen.insert(A).second)
        return;
      if (A->isVariable()) {
        // It may be planned as what it is congruent to.
        Value *V = Recovery.valueOf(A).first;
        if (IndexRecovery::isIndexOperation(V))
          Work.push_back(Recovery.recover(V, FormScope).Ring);
      } else if (A->isDivision() || A->isSymbolicDivision()) {
        auto &Wanted = WantedQuotients[A->operand()];
        if (Wanted.size() < MaxWanted && !is_contained(Wanted, A))
          Wanted.push_back(A);
      }
    });
  }
}

/// Y / D in the narrowest word, or null if it is not safe here.
const PlanNode *IndexExpander::divide(IndexExpr Y, IndexExpr D,
                                      bool Truncating) {
  for (unsigned Width : {32u, 64u})
    for (bool Signed : {false, true}) {
      Reading R = Signed ? Reading::Signed : Reading::Unsigned;
      // A floor is no signed division unless nothing is negative, and then an
      // unsigned one will do.
      if ((Signed && !Truncating) || !fits(Y, Width, R) || !fits(D, Width, R))
        continue;
      Instruction *Anchor = anchorOf(Y, D, Width, Signed);
      if (!Anchor)
        continue;
      const PlanNode *NodeY = sum(Y, Width), *NodeD = sum(D, Width);
      return NodeY && NodeD ? Plan.divBy(NodeY, NodeD, Signed, Anchor)
                            : nullptr;
    }
  return nullptr;
}

const PlanNode *IndexExpander::runtimeQuotient(const IndexAtom *Atom) {
  auto It = Known.RuntimeQuotients.find(Atom);
  if (It != Known.RuntimeQuotients.end())
    return It->second;
  const PlanNode *Result = findRuntimeQuotient(Atom);
  Known.RuntimeQuotients[Atom] = Result;
  return Result;
}

/// Atom = (F / D) = (F / C) / (D / C): the cheapest C.
const PlanNode *IndexExpander::findRuntimeQuotient(const IndexAtom *Atom) {
  IndexExpr F = Atom->operand(), D = Atom->symbolicDivisor();
  bool Truncating = isTruncating(Atom);
  if (!Truncating)
    if (const PlanNode *Node = periodicQuotient(F, D))
      return Node;
  const PlanNode *Best = nullptr;
  auto Consider = [&](IndexExpr Y, IndexExpr Divisor) {
    if (!Y || !Divisor || Divisor.isConstant() || (Best && Budget == 0))
      return;
    Budget -= Budget > 0 ? 1 : 0;
    const PlanNode *Node = divide(Y, Divisor, Truncating);
    if (Node && (!Best || marginalCost(Node) < marginalCost(Best)))
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
        (!Best || marginalCost(Q.Node) < marginalCost(Best)))
      Best = Q.Node;
  };
  // What is wanted anyway, the largest divisors last: they win among equals.
  for (const IndexAtom *Wanted : WantedQuotients.lookup(F))
    if (Wanted != Atom && isTruncating(Wanted) == Truncating)
      ConsiderAfter(Context.atom(Wanted), divisorOf(Context, Wanted));
  Consider(F, D);
  // As the source does it, or one factor after the other.
  FloorBasis &Basis = Scope->Basis;
  auto QuotientBy = [&](IndexExpr C) {
    return Truncating ? Basis.truncDiv(F, C) : Basis.floorDiv(F, C);
  };
  for (const Evidence &E : evidence())
    if (const IndexAtom *Inner = E.Dividend.asAtom();
        Inner && !Inner->isVariable() && Inner->operand() == F &&
        (Inner->isDivision() || Inner->isSymbolicDivision()))
      ConsiderAfter(E.Dividend, divisorOf(Context, Inner));
  Content Parts = contentOf(D);
  for (auto [I, Factor] : enumerate(Parts.Factors)) {
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
  if (!mayRelate(Domain, F, D))
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

/// floor(F/D) without a division where it takes two values only.
const PlanNode *IndexExpander::periodicQuotient(IndexExpr F, IndexExpr D) {
  if (!fits(F, 32, Reading::Signed) || !fits(D, 32, Reading::Signed))
    return nullptr;
  Period P = periodOf(Scope->Domain, F, D);
  if (P == Period::Unknown)
    return nullptr;
  const PlanNode *NodeF = sum(F, 32), *NodeD = sum(D, 32);
  if (!NodeF || !NodeD)
    return nullptr;
  if (P == Period::AroundZero)
    return Plan.ashr(NodeF, 31);
  return Plan.zext(Plan.compare(CmpInst::ICMP_UGE, NodeF, NodeD), 32,
                   /*NonNegative=*/false);
}

/// F mod D as an unsigned minimum. For 0 <= F < 2*D it is the smaller of F and
/// F - D, where a negative F - D reads as at least 2^31 + F. For -D <= F < D it
/// is the smaller of F and F + D, where a negative F reads as at least 2^31.
const PlanNode *IndexExpander::periodicRemainder(IndexExpr F, IndexExpr D) {
  if (!fits(F, 32, Reading::Signed) || !fits(D, 32, Reading::Signed))
    return nullptr;
  Period P = periodOf(Scope->Domain, F, D);
  if (P == Period::Unknown)
    return nullptr;
  const PlanNode *NodeF = sum(F, 32), *NodeD = sum(D, 32);
  if (!NodeF || !NodeD)
    return nullptr;
  return Plan.umin(NodeF, P == Period::BelowTwo ? Plan.sub(NodeF, NodeD, {})
                                                : Plan.add(NodeF, NodeD, {}));
}

} // namespace unravel
