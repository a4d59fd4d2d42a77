//===- ExpandJoins.cpp - Sums over phis and selects -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SimplifyCFG sinks the common tail of two branches below a phi (or turns both
// into a select). In `75*phi [13*a + b], [21*a + b - 13] + c` nothing cancels
// any more; so the sum is also tried with each incoming value in turn:
//
//     phi [75*(13*a + b) + c], [75*(21*a + b - 13) + c]
//
// Each operand is planned at the end of its predecessor, with the facts that
// hold there.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexSubstitution.h"
#include "transforms/plan/IndexExpander.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace unravel {

/// E where every variable that is a join at Join's place takes its operand
/// number Index, under the facts of Scope.
IndexExpr IndexExpander::throughJoin(IndexExpr E, const Instruction *Join,
                                     unsigned Index, RecoveryScope &Scope) {
  Replacements OperandForms;
  forEachAtom(E, [&](const IndexAtom *A) {
    if (!A->isVariable())
      return;
    auto [V, ReadAs] = Recovery.valueOf(A);
    Value *Operand = nullptr;
    if (auto *Phi = dyn_cast<PHINode>(V);
        Phi && isa<PHINode>(Join) && Phi->getParent() == Join->getParent())
      Operand = Phi->getIncomingValueForBlock(
          cast<PHINode>(Join)->getIncomingBlock(Index));
    else if (auto *Select = dyn_cast<SelectInst>(V);
             Select && isa<SelectInst>(Join) &&
             Select->getCondition() == cast<SelectInst>(Join)->getCondition())
      Operand = Select->getOperand(1 + Index);
    if (Operand)
      OperandForms[A] = Recovery.recover(Operand, Scope).exact(ReadAs);
  });
  return IndexSubstitution(Scope.Domain, std::move(OperandForms)).apply(E);
}

/// A two-way phi outside of loop headers, or a select, that E depends on. Only
/// the variables of the sum itself: digits of a join are better left alone.
static const Instruction *findJoin(IndexRecovery &Recovery, IndexExpr E,
                                   const Instruction *At) {
  for (const IndexTerm &T : E.terms()) {
    if (!T.Atom->isVariable())
      continue;
    Value *V = Recovery.valueOf(T.Atom).first;
    if (!Recovery.dominatorTree().dominates(V, At))
      continue;
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      // Behind a back edge the other variables may have changed.
      bool IsMerge =
          Phi->getNumIncomingValues() == 2 &&
          Phi->getIncomingBlock(0) != Phi->getIncomingBlock(1) &&
          none_of(Phi->blocks(), [&](BasicBlock *Pred) {
            return Recovery.dominatorTree().dominates(Phi->getParent(), Pred) ||
                   !Recovery.dominatorTree().isReachableFromEntry(Pred);
          });
      if (IsMerge)
        return Phi;
    }
    // An undefined condition might choose differently in the copy.
    if (auto *Select = dyn_cast<SelectInst>(V);
        Select && Select->getCondition()->getType()->isIntegerTy(1) &&
        Recovery.facts().isNeverUndef(Select->getCondition()))
      return Select;
  }
  return nullptr;
}

void IndexExpander::considerJoin(IndexExpr E, Sum &Best) {
  // A join that depends on itself through other joins would not end.
  static constexpr unsigned MaxNestedJoins = 3;
  IndexExpr M = Context.add(E, -E.constant());
  const Instruction *Join = findJoin(Recovery, E, Place.At);
  bool Signed = fits(M, 32, Reading::Signed);
  if (!Join || !M || Budget == 0 || Place.NestedJoins >= MaxNestedJoins ||
      !(Signed || fits(M, 32, Reading::Unsigned)))
    return;
  --Budget;
  const PlanNode *Operands[2];
  for (unsigned Index : {0u, 1u}) {
    RecoveryScope *OperandScope = &Place.Scope;
    Instruction *OperandAt = Place.At;
    if (auto *Phi = dyn_cast<PHINode>(Join)) {
      OperandAt = Phi->getIncomingBlock(Index)->getTerminator();
      OperandScope = &Recovery.scopeOf(OperandAt->getParent());
      if (OperandScope->Domain.isKnownEmpty())
        return;
    }
    IndexExpr Form = throughJoin(M, Join, Index, *OperandScope);
    if (!Form)
      return;
    // What is planned there may only use values that are there. Where this
    // operand is chosen and poison, so was the root. That says nothing of the
    // other one.
    PlanPlace There{*OperandScope,
                    OperandAt,
                    Place.Root,
                    Place.Variables,
                    Place.RootMayBePoison,
                    Place.NestedJoins + 1};
    addVariables(There.Variables, Form);
    Operands[Index] = IndexExpander(*this, std::move(There)).sum(Form, 32);
    if (!Operands[Index])
      return;
  }
  const PlanNode *Node;
  if (auto *Phi = dyn_cast<PHINode>(Join))
    Node = Plan.phi(const_cast<PHINode *>(Phi), Operands[0], Operands[1]);
  else
    Node =
        Plan.select(const_cast<Value *>(cast<SelectInst>(Join)->getCondition()),
                    Operands[0], Operands[1]);
  Sum Rest;
  Rest.Constant = E.constant();
  consider(std::move(Rest), 1, Node, M, 0, Best);
}

} // namespace unravel
