//===- RecoverCases.cpp - One form in both cases of a comparison ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floor division of a dividend of either sign is written in many ways, and all
// of them compute something else for negative dividends:
//
//   x < 0 ? ~(~x / d) : x / d        q = x / d;  q - (x < 0 && q * d != x)
//   s = x >> 31;  ((x ^ s) / d) ^ s  q + (x % d >> 31)
//
// None needs a rule of its own. In the scope where x < 0 the value has a form,
// in the scope where x >= 0 it has one, and both are floor(x / d). Ceilings,
// Euclidean quotients and remainders are found in the same way.
//
// Proof: let T be the form where the comparison holds, F the one where it does
// not. Wherever the value is not poison the comparison, on which it depends, is
// not poison either, so one of the two scopes describes the execution. A form
// is a function of the variables, with a value in either scope; if what T
// becomes by the facts of the second scope is F, it is the value in both, if
// none of its variables is poison there.
//
// Where LLVM leaves branches, the cases are the edges to a phi.
//
//===----------------------------------------------------------------------===//

#include "analysis/recovery/IndexRecovery.h"
#include "analysis/recovery/RecoverOperation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

/// Operations between a comparison and the value that it corrects; the longest
/// spelling known has ten.
static constexpr unsigned MaxOperationsOfCase = 16;
/// Comparisons of one condition that are tried.
static constexpr unsigned MaxCases = 2;

/// Whether \p A and \p B are one number wherever the facts of \p Basis hold.
static bool areEqualIn(FloorBasis &Basis, IndexExpr A, IndexExpr B) {
  if (A == B || Basis.simplify(A) == B)
    return true;
  IndexExpr Difference = Basis.context().sub(A, B);
  return Difference && Basis.domain().range(Difference) == Interval::point(0);
}

/// Whether no variable of \p Form may be poison where a value is not that has
/// the form \p Own in its scope: what the one case needs may be poison in the
/// other one.
bool IndexRecovery::mayStandFor(IndexExpr Form, const FormInScope &Own) {
  SmallPtrSet<const IndexAtom *, 8> Variables;
  forEachAtom(Own.first, [&](const IndexAtom *A) { Variables.insert(A); });
  bool MayStand = true;
  forEachAtom(Form, [&](const IndexAtom *A) {
    if (!MayStand || !A->isVariable() || Variables.contains(A))
      return;
    Value *V = valueOf(A).first;
    MayStand = Facts.isNeverPoison(V);
    for (RecoveryScope *S = Own.second; S && !MayStand; S = S->Parent)
      MayStand = S->NotPoison.contains(V);
  });
  return MayStand;
}

/// The form of a value that has, in each of several scopes, one of \p Forms:
/// one that the facts of each scope turn into the form there. Null if none
/// does.
IndexExpr IndexRecovery::commonForm(ArrayRef<FormInScope> Forms) {
  for (auto [Candidate, Origin] : Forms)
    if (Candidate && all_of(Forms, [&, Form = Candidate](const auto &In) {
          return In.first && areEqualIn(In.second->Basis, Form, In.first) &&
                 mayStandFor(Form, In);
        }))
      return Candidate;
  return {};
}

namespace {

/// Two cases: A and B compare as \c Predicate says, or they do not.
struct Distinction {
  Value *A, *B;
  CmpInst::Predicate Predicate;
};

using Distinctions = SmallVector<Distinction, 2>;

} // namespace

/// Whether both cases of a comparison may say something: which side of a number
/// it is, or whether it is the first one (LLVM writes x < 1 as x == 0).
static bool distinguishes(CmpInst::Predicate Predicate, const Value *B) {
  return ICmpInst::isRelational(Predicate) || isa<ConstantInt>(B);
}

/// The comparisons that are not poison where \p Condition is not.
static void addComparisons(Value *Condition, Distinctions &Found) {
  SmallVector<Value *, 4> Work{Condition};
  while (!Work.empty() && Found.size() < MaxCases) {
    Value *V = Work.pop_back_val(), *A, *B;
    if (match(V, m_Not(m_Value(A)))) {
      Work.push_back(A);
    } else if (match(V, m_c_And(m_Value(A), m_Value(B))) ||
               match(V, m_c_Or(m_Value(A), m_Value(B)))) {
      Work.append({B, A});
    } else if (match(V, m_LogicalOp(m_Value(A), m_Value(B)))) {
      Work.push_back(A); // the other one may be poison where A decides
    } else if (auto *Cmp = dyn_cast<ICmpInst>(V);
               Cmp && distinguishes(Cmp->getPredicate(), Cmp->getOperand(1)) &&
               IndexRecovery::isIndexValue(Cmp->getOperand(0))) {
      Found.push_back(
          {Cmp->getOperand(0), Cmp->getOperand(1), Cmp->getPredicate()});
    }
  }
}

/// Whether \p V is computed from \p X by what is poison wherever X is.
static bool isPoisonWith(Value *V, Value *X) {
  SmallVector<Value *, MaxOperationsOfCase> Near{V};
  for (unsigned K = 0; K < Near.size(); ++K) {
    if (Near[K] == X)
      return true;
    if (auto *I = dyn_cast<Instruction>(Near[K]))
      for (const Use &U : I->operands())
        if (Near.size() < MaxOperationsOfCase && propagatesPoison(U) &&
            !is_contained(Near, U.get()))
          Near.push_back(U);
  }
  return false;
}

/// The comparisons that decide what \p Operand is: a choice, or 0 or -1. They
/// are not poison where \p Operand is not.
static void addComparisonsOf(Value *Operand, Distinctions &Found) {
  Value *X;
  auto AddSign = [&Found](Value *Of) {
    Found.push_back(
        {Of, Constant::getNullValue(Of->getType()), CmpInst::ICMP_SLT});
  };
  // (A mask of the condition: c ? k : 0.)
  if (match(Operand, m_And(m_Value(X), m_ConstantInt())))
    Operand = X;
  if (match(Operand, m_ZExtOrSExt(m_Value(X))) && X->getType()->isIntegerTy(1))
    return addComparisons(X, Found);
  if (match(Operand, m_TruncOrSelf(m_ZExtOrSExtOrSelf(m_Value(X)))))
    Operand = X;
  if (auto *Choice = dyn_cast<SelectInst>(Operand)) {
    addComparisons(Choice->getCondition(), Found);
    // (An arm that is not chosen may be poison.)
    for (Value *Arm : {Choice->getTrueValue(), Choice->getFalseValue()})
      if (match(Arm, m_AShr(m_Value(X), m_SpecificInt(widthOf(Arm) - 1))) &&
          isPoisonWith(Choice->getCondition(), X))
        AddSign(X);
  } else if (match(Operand,
                   m_AShr(m_Value(X), m_SpecificInt(widthOf(Operand) - 1)))) {
    AddSign(X);
  }
}

/// What \p I chooses by, or computes with.
static Distinctions distinctionsOf(Instruction *I) {
  Distinctions Found;
  if (isa<SelectInst>(I))
    addComparisonsOf(I, Found);
  else if (I->isBinaryOp())
    for (Value *Operand : I->operands())
      addComparisonsOf(Operand, Found);
  if (Found.size() > MaxCases)
    Found.truncate(MaxCases);
  return Found;
}

/// What \p I is computed from, a few operations far, I first.
static SmallVector<Instruction *, MaxOperationsOfCase>
operationsNear(Instruction *I) {
  SmallVector<Instruction *, MaxOperationsOfCase> Near{I};
  for (unsigned K = 0; K < Near.size(); ++K)
    for (Value *Operand : Near[K]->operands())
      if (auto *Op = dyn_cast<Instruction>(Operand);
          Op && isRecoverableOperation(Op) && !is_contained(Near, Op) &&
          Near.size() < MaxOperationsOfCase)
        Near.push_back(Op);
  return Near;
}

/// Recovers \p I in \p Case, the part of \p Parent where A and B compare so.
/// Only the operations \p Near are recovered again; everything else is what it
/// is in the parent. False if the parent does not know enough.
bool IndexRecovery::isInCase(Instruction *I, Value *A, Value *B,
                             CmpInst::Predicate Predicate,
                             ArrayRef<Instruction *> Near,
                             RecoveryScope &Parent, RecoveryScope &Case) {
  auto TakeOver = [&](Value *V) {
    if (isa<Constant>(V))
      return true;
    auto Known = Parent.Values.find(V);
    if (Known == Parent.Values.end())
      return false;
    RecoveredValue &Value = Case.Values[V] = Known->second;
    // Both readings agree where the case says that nothing is negative.
    if (Case.Domain.isNonNegative(Value.Signed))
      Value.Unsigned = Value.Signed;
    return true;
  };
  if (!TakeOver(A) || !TakeOver(B))
    return false;
  assumeComparison(Case, A, B, Predicate);
  forgetValues(Case);
  for (Instruction *Op : Near)
    for (Value *Operand : Op->operands())
      if (isIndexValue(Operand) && !is_contained(Near, Operand) &&
          !TakeOver(Operand))
        return false;
  recover(I, Case);
  return true;
}

/// Whether the arms of a choice differ by nothing but what it compares, as in
/// i < n ? i : i - n for the halves of an array: then they may be one form.
static bool differByWhatIsCompared(Instruction *I, const Distinctions &Found,
                                   IndexContext &Context,
                                   function_ref<IndexExpr(Value *)> FormOf) {
  auto *Choice = dyn_cast<SelectInst>(I);
  IndexExpr OnTrue = Choice ? FormOf(Choice->getTrueValue()) : IndexExpr(),
            OnFalse = Choice ? FormOf(Choice->getFalseValue()) : IndexExpr();
  if (!OnTrue || !OnFalse)
    return false;
  SmallPtrSet<const IndexAtom *, 8> Compared;
  auto AddVariables = [&](IndexExpr E) {
    if (E)
      forEachAtom(E, [&](const IndexAtom *Atom) {
        if (Atom->isVariable())
          Compared.insert(Atom);
      });
  };
  for (const Distinction &D : Found) {
    AddVariables(FormOf(D.A));
    AddVariables(FormOf(D.B));
  }
  IndexExpr Step = Context.sub(OnTrue, OnFalse);
  bool Differ = Step && !Step.isConstant();
  if (Differ)
    forEachAtom(Step, [&](const IndexAtom *Atom) {
      Differ &= !Atom->isVariable() || Compared.contains(Atom);
    });
  return Differ;
}

void IndexRecovery::takeFormOfCases(Instruction *I, RecoveredValue &Result,
                                    RecoveryScope &Scope) {
  auto IsExplained = [&](IndexExpr E) { return E && opacityOf(E) == 0; };
  // There are no cases inside of a case: their number would be a product.
  if (InsideCase || StepsLeft == 0 || IsExplained(Result.Signed))
    return;
  Distinctions Found = distinctionsOf(I);
  auto FormOf = [&](Value *V) -> IndexExpr {
    auto Known = Scope.Values.find(V);
    return Known == Scope.Values.end() ? IndexExpr() : Known->second.Signed;
  };
  if (Found.empty() ||
      !(Result.Divides || differByWhatIsCompared(I, Found, Context, FormOf)))
    return;
  SaveAndRestore Inside(InsideCase, true);
  SmallVector<Instruction *, MaxOperationsOfCase> Near = operationsNear(I);
  for (const Distinction &D : Found) {
    RecoveryScope Holds(Scope), Fails(Scope);
    if (!isInCase(I, D.A, D.B, D.Predicate, Near, Scope, Holds) ||
        !isInCase(I, D.A, D.B, CmpInst::getInversePredicate(D.Predicate), Near,
                  Scope, Fails))
      continue;
    RecoveredValue A = known(I, Holds), B = known(I, Fails);
    auto Common = [&](IndexExpr T, IndexExpr F) {
      return commonForm({{T, &Holds}, {F, &Fails}});
    };
    auto Take = [&](IndexExpr &To, IndexExpr From) {
      if (From && (!To || explainsMore(From, To, Scope)))
        To = From;
    };
    Take(Result.Signed, Scope.Basis.simplify(Common(A.Signed, B.Signed)));
    Take(Result.Unsigned, Scope.Basis.simplify(Common(A.Unsigned, B.Unsigned)));
    if (IsExplained(Result.Signed)) {
      Result.Ring = Result.Signed;
      return;
    }
  }
}

/// The scope of the edge over which \p Incoming comes: that of its block or,
/// where a comparison decides there whether the edge is taken and \p Incoming
/// divides, the case of it. Cases are kept in \p Cases.
RecoveryScope &
IndexRecovery::edgeOf(const PHINode &Phi, const Use &Incoming,
                      SmallVectorImpl<std::unique_ptr<RecoveryScope>> &Cases) {
  RecoveryScope &Block = scopeOf(Phi.getIncomingBlock(Incoming));
  const Instruction *Last = Phi.getIncomingBlock(Incoming)->getTerminator();
  auto *I = dyn_cast<Instruction>(Incoming);
  BasicBlock *IfTrue, *IfFalse;
  CmpPredicate Predicate;
  Value *A, *B;
  if (!I || !recover(I, Block).Divides ||
      !match(Last, m_Br(m_ICmp(Predicate, m_Value(A), m_Value(B)),
                        m_BasicBlock(IfTrue), m_BasicBlock(IfFalse))) ||
      IfTrue == IfFalse || !distinguishes(Predicate, B) || !isIndexValue(A))
    return Block;
  recover(A, Block);
  recover(B, Block);
  auto Case = std::make_unique<RecoveryScope>(Block);
  if (IfTrue != Phi.getParent())
    Predicate = CmpInst::getInversePredicate(Predicate);
  if (!isInCase(I, A, B, Predicate, operationsNear(I), Block, *Case))
    return Block;
  Cases.push_back(std::move(Case));
  return *Cases.back();
}

} // namespace unravel
