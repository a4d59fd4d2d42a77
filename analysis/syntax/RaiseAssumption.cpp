//===- RaiseAssumption.cpp - Forms where a condition is known -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the arms of a select, or behind &&, the value of a condition is known, and
// what it implies. Atoms are rebuilt bare: a domain, which might find more, is
// too expensive to ask for every way to write a form.
//
//===----------------------------------------------------------------------===//

#include "analysis/syntax/IndexRaiser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace unravel {

bool isOpenCondition(const IndexAtom *Atom) {
  return Atom->isCondition() && !Atom->operand().isConstant();
}

bool hasConditions(IndexExpr E) {
  return any_of(E.terms(), [](const IndexTerm &T) {
    return any_of(factorsOf(T.Atom), isOpenCondition);
  });
}

SmallVector<const IndexAtom *, 4> conditionsOf(IndexExpr E) {
  SmallSetVector<const IndexAtom *, 8> Conditions;
  for (const IndexTerm &T : E.terms())
    for (const IndexAtom *Factor : factorsOf(T.Atom))
      if (isOpenCondition(Factor))
        Conditions.insert(Factor);
  SmallVector<const IndexAtom *, 4> Sorted(Conditions.begin(),
                                           Conditions.end());
  llvm::sort(Sorted, [](const IndexAtom *A, const IndexAtom *B) {
    return A->id() < B->id();
  });
  return Sorted;
}

namespace {
/// Replaces atoms by numbers, at any depth.
class NumberSubstitution {
public:
  explicit NumberSubstitution(IndexContext &Context) : Context(Context) {}

  void replace(const IndexAtom *Atom, int64_t Value) {
    Atoms[Atom] = Context.constant(Value);
  }

  /// Null if something overflows or is divided by zero.
  IndexExpr apply(IndexExpr E) {
    if (!E)
      return {};
    auto It = Forms.find(E);
    if (It != Forms.end())
      return It->second;
    SmallVector<IndexTerm, 8> Terms;
    IndexExpr Changed = Context.constant(E.constant());
    for (const IndexTerm &T : E.terms()) {
      IndexExpr Product = Context.constant(1);
      for (const IndexAtom *Factor : factorsOf(T.Atom))
        Product = Context.multiply(Product, apply(Factor));
      if (Product && Product.asAtom() == T.Atom)
        Terms.push_back(T);
      else
        Changed = Context.add(Changed, Product, T.Coefficient);
    }
    IndexExpr Result = Context.add(Changed, Context.linear(Terms, 0));
    Forms[E] = Result;
    return Result;
  }

private:
  IndexExpr apply(const IndexAtom *Atom) {
    auto It = Atoms.find(Atom);
    if (It != Atoms.end())
      return It->second;
    IndexExpr Result = Context.atom(Atom);
    if (Atom->operand()) {
      IndexExpr Operand = apply(Atom->operand());
      IndexExpr Divisor = apply(Atom->divisor());
      if (Operand != Atom->operand() || Divisor != Atom->divisor())
        Result = Atom->isBitXor() ? rebuildXor(Operand, Divisor)
                                  : rebuild(Atom, Operand, Divisor);
    }
    Atoms[Atom] = Result;
    return Result;
  }

  IndexExpr rebuildXor(IndexExpr A, IndexExpr B) {
    if (!A || !B)
      return {};
    if (A.isConstant() && B.isConstant())
      return Context.constant(A.constant() ^ B.constant());
    if (A.isConstant(0) || B.isConstant(0))
      return A.isConstant(0) ? B : A;
    return Context.rawAtom(IndexAtom::Kind::BitXor, A, B);
  }

  IndexExpr rebuild(const IndexAtom *Atom, IndexExpr Operand,
                    IndexExpr Divisor) {
    if (Divisor && Divisor.isConstant()) {
      if (Divisor.constant() < 0) { // floor(a / -d) = floor(-a / d)
        Operand = Context.negate(Operand);
        Divisor = Context.negate(Divisor);
      }
      if (Divisor.constant() <= 1)
        return Divisor.isConstant(1) ? Operand : IndexExpr();
    }
    IndexExpr Bare = Context.rawAtom(Atom->kind(), Operand, Divisor);
    if (!Bare || !Operand.isConstant())
      return Bare;
    std::optional<int64_t> Value =
        evaluate(Bare, [](const IndexAtom *) { return std::nullopt; });
    return Value ? Context.constant(*Value) : Bare;
  }

  IndexContext &Context;
  DenseMap<const IndexAtom *, IndexExpr> Atoms;
  DenseMap<IndexExpr, IndexExpr> Forms;
};
} // namespace

/// \p E where \p Condition has the value \p Value; null if that overflows.
IndexExpr Raiser::assume(IndexExpr E, const IndexAtom *Condition,
                         int64_t Value) {
  NumberSubstitution Known(Context);
  Known.replace(Condition, Value);
  // c*d = c says that c implies d; c*d = d, that not c implies not d; c*d = 0,
  // that c implies not d.
  IndexExpr C = Context.atom(Condition);
  for (const IndexAtom *Other : conditionsOf(E)) {
    IndexExpr D = Context.atom(Other), Both = Context.multiply(C, D);
    if (Other == Condition || !Both)
      continue;
    if (Value == 1 && Both == C)
      Known.replace(Other, 1);
    else if (Value == 0 ? Both == D : Both.isConstant(0))
      Known.replace(Other, 0);
  }
  // c may say what an atom is.
  IndexExpr L = Condition->operand();
  bool IsEquation = Condition->kind() == IndexAtom::Kind::Zero && Value == 1;
  if (IsEquation && L.terms().size() == 1 &&
      L.constant() % L.terms()[0].Coefficient == 0)
    Known.replace(L.terms()[0].Atom,
                  -(L.constant() / L.terms()[0].Coefficient));
  return Known.apply(E);
}

} // namespace unravel
