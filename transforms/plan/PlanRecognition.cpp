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
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

static bool isNumber(const Value *V, int64_t Number) {
  auto *C = dyn_cast<ConstantInt>(V);
  return C && C->getValue() == APInt(C->getBitWidth(), Number, true, true);
}

/// Whether \p V has the flags of \p Node.
static bool hasFlagsOf(const Operator *V, const PlanNode &Node) {
  auto *Op = dyn_cast<OverflowingBinaryOperator>(V);
  return Op && (Op->hasNoUnsignedWrap() || !Node.NoUnsignedWrap) &&
         (Op->hasNoSignedWrap() || !Node.NoSignedWrap);
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
  auto *Op = cast<Operator>(I);
  auto Is = [&](unsigned Opcode) { return I->getOpcode() == Opcode; };
  auto Operand = [&](unsigned Number, const PlanNode *N) {
    return isAlready(N, I->getOperand(Number));
  };
  auto ByConstant = [&](unsigned Opcode, int64_t Number) {
    return Is(Opcode) && isNumber(I->getOperand(1), Number) &&
           Operand(0, Node.A);
  };
  auto Intrinsic = [&](Intrinsic::ID ID) {
    auto *Call = dyn_cast<IntrinsicInst>(I);
    return Call && Call->getIntrinsicID() == ID;
  };
  auto Cast = [&](unsigned Opcode) {
    return Is(Opcode) && I->getType()->isIntegerTy(Node.Width) &&
           Operand(0, Node.A);
  };
  switch (Node.Op) {
  case PlanOp::Leaf:
  case PlanOp::Constant:
    llvm_unreachable("handled above");
  case PlanOp::Add:
    return Is(Instruction::Add) && hasFlagsOf(Op, Node) && Operand(0, Node.A) &&
           Operand(1, Node.B);
  case PlanOp::Sub:
    return Is(Instruction::Sub) && hasFlagsOf(Op, Node) && Operand(0, Node.A) &&
           Operand(1, Node.B);
  case PlanOp::Mul:
    if (Node.Imm == -1)
      return Is(Instruction::Sub) && isNumber(I->getOperand(0), 0) &&
             Operand(1, Node.A);
    if (Node.Imm > 0 && isPowerOf2_64(Node.Imm))
      return ByConstant(Instruction::Shl, Log2_64(Node.Imm)) &&
             (I->hasNoUnsignedWrap() || !Node.NoUnsignedWrap);
    return ByConstant(Instruction::Mul, Node.Imm) && hasFlagsOf(Op, Node);
  case PlanOp::MulBy:
    return Is(Instruction::Mul) && hasFlagsOf(Op, Node) &&
           ((Operand(0, Node.A) && Operand(1, Node.B)) ||
            (Operand(1, Node.A) && Operand(0, Node.B)));
  case PlanOp::UDivBy:
    return Is(Instruction::UDiv) && Operand(0, Node.A) && Operand(1, Node.B);
  case PlanOp::SDivBy:
    return Is(Instruction::SDiv) && Operand(0, Node.A) && Operand(1, Node.B);
  case PlanOp::URemBy:
    return Is(Instruction::URem) && Operand(0, Node.A) && Operand(1, Node.B);
  case PlanOp::SRemBy:
    return Is(Instruction::SRem) && Operand(0, Node.A) && Operand(1, Node.B);
  case PlanOp::UDiv:
    return isPowerOf2_64(Node.Imm)
               ? ByConstant(Instruction::LShr, Log2_64(Node.Imm))
               : ByConstant(Instruction::UDiv, Node.Imm);
  case PlanOp::MulHi:
    return Intrinsic(Intrinsic::nvvm_mulhi_ui) &&
           isNumber(I->getOperand(1), Node.Imm) && Operand(0, Node.A);
  case PlanOp::LShr:
    return ByConstant(Instruction::LShr, Node.Imm);
  case PlanOp::SDiv:
    return ByConstant(Instruction::SDiv, Node.Imm);
  case PlanOp::AShr:
    return ByConstant(Instruction::AShr, Node.Imm);
  case PlanOp::And:
    return ByConstant(Instruction::And, Node.Imm);
  case PlanOp::SMin:
    return Intrinsic(Intrinsic::smin) && Operand(0, Node.A) &&
           Operand(1, Node.B);
  case PlanOp::SMax:
    return Intrinsic(Intrinsic::smax) && Operand(0, Node.A) &&
           Operand(1, Node.B);
  case PlanOp::UMin:
    return Intrinsic(Intrinsic::umin) && Operand(0, Node.A) &&
           Operand(1, Node.B);
  case PlanOp::ZExt:
    return Cast(Instruction::ZExt) && (I->hasNonNeg() || !Node.NoSignedWrap);
  case PlanOp::SExt:
    return Cast(Instruction::SExt);
  case PlanOp::Trunc:
    return Cast(Instruction::Trunc);
  case PlanOp::PtrAdd: {
    auto *GEP = dyn_cast<GetElementPtrInst>(I);
    return GEP && GEP->getNumIndices() == 1 &&
           GEP->getSourceElementType()->isIntegerTy(8) &&
           (GEP->isInBounds() || !Node.InBounds) &&
           (GEP->hasNoUnsignedWrap() || !Node.NoUnsignedWrap) &&
           Operand(0, Node.A) && Operand(1, Node.B);
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
    return Is(Instruction::Select) && I->getOperand(0) == Node.Leaf &&
           Operand(1, Node.A) && Operand(2, Node.B);
  case PlanOp::Compare: {
    auto *Cmp = dyn_cast<ICmpInst>(I);
    return Cmp && Cmp->getPredicate() == CmpInst::Predicate(Node.Imm) &&
           Operand(0, Node.A) && Operand(1, Node.B);
  }
  }
  llvm_unreachable("covered switch");
}

} // namespace unravel
