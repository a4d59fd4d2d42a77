//===- PlanRecognition.cpp - Plans that are in the IR already -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mirror image of PlanEmitter::create().
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/PlanRecognition.h"
#include "transforms/plan/PlanInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace unravel {

static bool isNumber(const Value *V, int64_t Number) {
  auto *C = dyn_cast<ConstantInt>(V);
  return C && C->getValue() == APInt(C->getBitWidth(), Number, true, true);
}

bool PlanRecognition::isAlready(const PlanNode *Node, const Value *V) {
  // One node is one value; of constants and leaves this is so anyway.
  auto It = Known.find(Node);
  if (It != Known.end())
    return It->second == V;
  if (!matches(*Node, V))
    return false;
  Known[Node] = V;
  return true;
}

bool PlanRecognition::matches(const PlanNode &Node, const Value *V) {
  if (Node.isConstant())
    return isNumber(V, Node.Imm);
  if (Node.Op == PlanOp::Leaf) {
    auto *Freeze = dyn_cast<FreezeInst>(V);
    return Node.Imm == PlanNode::MayBeUndef
               ? Freeze && Freeze->getOperand(0) == Node.Leaf
               : V == Node.Leaf;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  PlanInstruction P = instructionOf(Node);
  auto IsOperand = [&](const PlanNode *N, unsigned Number) {
    return isAlready(N, I->getOperand(Number));
  };
  auto HasOperands = [&] {
    if (!P.Left)
      return isNumber(I->getOperand(0), P.Imm) && IsOperand(P.Right, 1);
    if (!P.Right)
      return isNumber(I->getOperand(1), P.Imm) && IsOperand(P.Left, 0);
    return (IsOperand(P.Left, 0) && IsOperand(P.Right, 1)) ||
           (P.IsUnordered && IsOperand(P.Left, 1) && IsOperand(P.Right, 0));
  };
  switch (P.Form) {
  case PlanForm::Binary:
    return I->getOpcode() == P.Code &&
           (!P.NoUnsignedWrap || I->hasNoUnsignedWrap()) &&
           (!P.NoSignedWrap || I->hasNoSignedWrap()) && HasOperands();
  case PlanForm::Intrinsic: {
    auto *Call = dyn_cast<IntrinsicInst>(I);
    return Call && Call->getIntrinsicID() == P.Code && HasOperands();
  }
  case PlanForm::Cast:
    // Of a number that is not negative, both extensions are the same.
    return (I->getOpcode() == P.Code || (P.Code == Instruction::SExt &&
                                         isa<ZExtInst>(I) && I->hasNonNeg())) &&
           I->getType()->isIntegerTy(Node.Width) && IsOperand(P.Left, 0);
  case PlanForm::Other:
    break;
  }
  switch (Node.Op) {
  case PlanOp::PtrAdd: {
    auto *GEP = dyn_cast<GetElementPtrInst>(I);
    GEPNoWrapFlags Flags = P.addressFlags();
    if (!GEP || GEP->getNumIndices() != 1 ||
        (GEP->getNoWrapFlags() & Flags) != Flags)
      return false;
    if (GEP->getSourceElementType()->isIntegerTy(8) && HasOperands())
      return true;
    ScaledIndex Scaled = scaledIndexOf(Node);
    return GEP->getDataLayout().getTypeAllocSize(GEP->getSourceElementType()) ==
               TypeSize::getFixed(Scaled.Scale) &&
           IsOperand(Node.A, 0) && IsOperand(Scaled.Index, 1);
  }
  case PlanOp::Phi: {
    auto *Phi = dyn_cast<PHINode>(I);
    auto *Beside = cast<PHINode>(Node.Leaf);
    return Phi && Phi->getParent() == Beside->getParent() &&
           isAlready(Node.A, Phi->getIncomingValueForBlock(
                                 Beside->getIncomingBlock(0))) &&
           isAlready(Node.B, Phi->getIncomingValueForBlock(
                                 Beside->getIncomingBlock(1)));
  }
  case PlanOp::Select:
    return isa<SelectInst>(I) && I->getOperand(0) == Node.Leaf &&
           IsOperand(Node.A, 1) && IsOperand(Node.B, 2);
  case PlanOp::Compare: {
    auto *Cmp = dyn_cast<ICmpInst>(I);
    return Cmp && Cmp->getPredicate() == CmpInst::Predicate(Node.Imm) &&
           HasOperands();
  }
  default:
    llvm_unreachable("leaves and constants are handled above");
  }
}

} // namespace unravel
