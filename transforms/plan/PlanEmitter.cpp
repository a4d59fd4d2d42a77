//===- PlanEmitter.cpp - Writes planned arithmetic into the IR ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/PlanEmitter.h"
#include "transforms/plan/CommonDominator.h"
#include "transforms/plan/PlanInstruction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

PlanEmitter::PlanEmitter(DominatorTree &DT, LoopInfo &LI)
    : DT(DT), LI(LI), Builder(DT.getRoot()->getContext(), ConstantFolder(),
                              IRBuilderCallbackInserter([this](Instruction *I) {
                                Emitted.push_back(I);
                              })) {}

void PlanEmitter::place(const PlanNode *Node, Instruction *Before,
                        DebugLoc Loc) {
  auto &[N, P] = Nodes[Node->Id];
  N = Node;
  P.Before = P.Before ? commonDominator(P.Before, Before, DT) : Before;
  P.Loc = P.HasLoc ? DebugLoc::getMergedLocation(P.Loc, Loc) : Loc;
  P.HasLoc = true;
}

void PlanEmitter::request(const PlanNode *Node, Instruction *At, DebugLoc Loc) {
  place(Node, At, Loc);
  // Make sure that every operand has an entry; places follow in emit().
  SmallVector<const PlanNode *, 8> Work{Node};
  while (!Work.empty()) {
    const PlanNode *N = Work.pop_back_val();
    for (const PlanNode *Operand : {N->A, N->B})
      if (Operand &&
          Nodes.try_emplace(Operand->Id, Operand, Placement()).second)
        Work.push_back(Operand);
  }
}

/// Whether Node may be computed at the end of \p Preheader, in front of L: no
/// leaf below it is defined in L, and no division is kept in it by its anchor.
bool PlanEmitter::isInvariantIn(const PlanNode *Node, const Loop *L,
                                BasicBlock *Preheader) {
  if (Node->Leaf && !L->isLoopInvariant(Node->Leaf))
    return false;
  // Division by zero is undefined at once, not where its result is used.
  if (Node->Anchor && Node->Anchor != Preheader->getTerminator() &&
      !DT.dominates(Node->Anchor, Preheader->getTerminator()))
    return false;
  auto It = Invariant.find({Node, L});
  if (It != Invariant.end())
    return It->second;
  bool Result = (!Node->A || isInvariantIn(Node->A, L, Preheader)) &&
                (!Node->B || isInvariantIn(Node->B, L, Preheader));
  Invariant[{Node, L}] = Result;
  return Result;
}

Instruction *PlanEmitter::hoist(const PlanNode *Node, Instruction *Before) {
  for (const Loop *L = LI.getLoopFor(Before->getParent()); L;
       L = L->getParentLoop()) {
    BasicBlock *Preheader = L->getLoopPreheader();
    if (!Preheader || !isInvariantIn(Node, L, Preheader))
      break;
    Before = Preheader->getTerminator();
  }
  return Before;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

void PlanEmitter::emit() {
  // Users before operands: each hands its place on.
  for (auto &[Id, Entry] : reverse(Nodes)) {
    auto &[Node, P] = Entry;
    if (Node->isFree())
      continue;
    if (Node->Op == PlanOp::Phi) {
      // At the head of its block, with the operands in front of its edges.
      auto *Beside = cast<PHINode>(Node->Leaf);
      P.Before = Beside;
      place(Node->A, Beside->getIncomingBlock(0)->getTerminator(), P.Loc);
      place(Node->B, Beside->getIncomingBlock(1)->getTerminator(), P.Loc);
      continue;
    }
    // What only scales the index of addresses is in their instruction.
    if (!P.Before)
      continue;
    P.Before = hoist(Node, P.Before);
    for (const PlanNode *Operand : {Node->A, Node->B})
      if (Operand)
        place(Node->Op == PlanOp::PtrAdd && Operand == Node->B
                  ? indexOf(*Node, P.Before).Index
                  : Operand,
              P.Before, P.Loc);
  }
  // Operands before users.
  for (auto &[Id, Entry] : Nodes) {
    auto &[Node, P] = Entry;
    if (Node->Op == PlanOp::Leaf) {
      Values[Node] = leafValue(Node, P.Loc);
      continue;
    }
    if (!P.Before)
      continue;
    Builder.SetInsertPoint(P.Before);
    Builder.SetCurrentDebugLocation(P.Loc);
    Values[Node] = create(Node);
  }
}

Value *PlanEmitter::valueOf(const PlanNode *Node) {
  return Values.lookup(Node);
}

/// A leaf gains uses, so if it may be undef all of them must see one value.
Value *PlanEmitter::leafValue(const PlanNode *Node, DebugLoc Loc) {
  Value *V = Node->Leaf;
  if (Node->Imm != PlanNode::MayBeUndef)
    return V;
  Value *&Result = Frozen[V];
  if (Result)
    return Result;
  BasicBlock::iterator After;
  if (auto *I = dyn_cast<Instruction>(V))
    After = *I->getInsertionPointAfterDef();
  else
    After = cast<Argument>(V)
                ->getParent()
                ->getEntryBlock()
                .getFirstNonPHIOrDbgOrAlloca();
  Builder.SetInsertPoint(After->getParent(), After);
  Builder.SetCurrentDebugLocation(Loc);
  Result = Builder.CreateFreeze(V, V->getName() + ".fr");
  return Result;
}

/// The scaled index of an address in front of \p Before. The product is left
/// alone where it can leave a loop that the address cannot.
ScaledIndex PlanEmitter::indexOf(const PlanNode &PtrAdd, Instruction *Before) {
  return hoist(PtrAdd.B, Before)->getParent() == Before->getParent()
             ? scaledIndexOf(PtrAdd)
             : ScaledIndex{PtrAdd.B, 1};
}

Value *PlanEmitter::create(const PlanNode *Node) {
  IntegerType *Ty = Node->Width ? Builder.getIntNTy(Node->Width) : nullptr;
  PlanInstruction I = instructionOf(*Node);
  auto Operand = [&](const PlanNode *N) -> Value * {
    return N ? Values.lookup(N) : ConstantInt::getSigned(Ty, I.Imm, true);
  };
  Value *A = Operand(I.Left), *B = Operand(I.Right);
  switch (I.Form) {
  case PlanForm::Binary: {
    Value *Result = Builder.CreateBinOp(
        static_cast<Instruction::BinaryOps>(I.Code), A, B, I.Name);
    if (auto *New = dyn_cast<Instruction>(Result);
        New && isa<OverflowingBinaryOperator>(New)) {
      New->setHasNoUnsignedWrap(I.NoUnsignedWrap);
      New->setHasNoSignedWrap(I.NoSignedWrap);
    }
    return Result;
  }
  case PlanForm::Intrinsic:
    if (Intrinsic::isOverloaded(I.Code))
      return Builder.CreateBinaryIntrinsic(I.Code, A, B, nullptr, I.Name);
    return Builder.CreateIntrinsic(I.Code, {}, {A, B}, nullptr, I.Name);
  case PlanForm::Cast:
    return Builder.CreateCast(static_cast<Instruction::CastOps>(I.Code), A, Ty,
                              I.Name);
  case PlanForm::Other:
    break;
  }
  switch (Node->Op) {
  case PlanOp::Constant:
    return A;
  case PlanOp::PtrAdd: {
    ScaledIndex Scaled = indexOf(*Node, &*Builder.GetInsertPoint());
    Type *Element = Builder.getInt8Ty();
    if (Scaled.Scale > 1)
      Element = Scaled.Scale <= 16 && isPowerOf2_64(Scaled.Scale)
                    ? cast<Type>(Builder.getIntNTy(8 * Scaled.Scale))
                    : ArrayType::get(Element, Scaled.Scale);
    return Builder.CreateGEP(Element, A, Operand(Scaled.Index), I.Name,
                             I.addressFlags());
  }
  case PlanOp::Phi: {
    auto *Beside = cast<PHINode>(Node->Leaf);
    PHINode *Phi = Builder.CreatePHI(Ty, 2, I.Name);
    Phi->addIncoming(A, Beside->getIncomingBlock(0));
    Phi->addIncoming(B, Beside->getIncomingBlock(1));
    return Phi;
  }
  case PlanOp::Select:
    return Builder.CreateSelect(Node->Leaf, A, B, I.Name);
  case PlanOp::Compare:
    return Builder.CreateICmp(static_cast<CmpInst::Predicate>(I.Imm), A, B,
                              I.Name);
  default:
    llvm_unreachable("leaves are not created");
  }
}

} // namespace unravel
