//===- PlanInstruction.cpp - The instruction of a planned node ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/PlanInstruction.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

namespace {
enum class RightOperand : uint8_t { None, B, Either, Imm };

struct PlanOpRow {
  PlanForm Form;
  unsigned Code;
  RightOperand Right;
  const char *Name;
};
} // namespace

static constexpr PlanOpRow PlanOpRows[] = {
#define PLAN_OP(Op, Form, Code, Right, Value)                                  \
  {PlanForm::Form, Code, RightOperand::Right, Value},
#include "transforms/plan/PlanOps.def"
};

PlanInstruction instructionOf(const PlanNode &Node) {
  const PlanOpRow &Row = PlanOpRows[static_cast<unsigned>(Node.Op)];
  PlanInstruction I{Node,
                    Row.Form,
                    Row.Code,
                    Node.A,
                    Row.Right == RightOperand::Imm ? nullptr : Node.B,
                    Node.Imm,
                    Row.Right == RightOperand::Either,
                    Row.Name};
  if (Node.Op == PlanOp::Mul && Node.Imm == -1) {
    I.Code = Instruction::Sub; // 0 - A
    I.NoUnsignedWrap = false;
    I.Left = nullptr;
    I.Right = Node.A;
    I.Imm = 0;
  } else if (Node.Op == PlanOp::Mul && Node.Imm > 0 &&
             isPowerOf2_64(Node.Imm)) {
    I.Code = Instruction::Shl;
    I.Imm = Log2_64(Node.Imm);
    // As a factor 2^(w-1) is negative, as a shift it is not.
    I.NoSignedWrap &= I.Imm < Node.Width - 1;
  } else if (Node.Op == PlanOp::UDiv && isPowerOf2_64(Node.Imm)) {
    I.Code = Instruction::LShr;
    I.Imm = Log2_64(Node.Imm);
  }
  return I;
}

/// inbounds says that the scaled index does not wrap signed, nuw that it does
/// not wrap unsigned: the product has to say so too.
ScaledIndex scaledIndexOf(const PlanNode &PtrAdd) {
  const PlanNode *Offset = PtrAdd.B;
  if (Offset->Op == PlanOp::Mul && Offset->Imm > 1 &&
      (!PtrAdd.InBounds || Offset->NoSignedWrap) &&
      (!PtrAdd.NoUnsignedWrap || Offset->NoUnsignedWrap))
    return {Offset->A, Offset->Imm};
  return {Offset, 1};
}

GEPNoWrapFlags PlanInstruction::addressFlags() const {
  GEPNoWrapFlags Flags = GEPNoWrapFlags::none();
  if (InBounds)
    Flags |= GEPNoWrapFlags::inBounds();
  if (NoUnsignedWrap)
    Flags |= GEPNoWrapFlags::noUnsignedWrap();
  return Flags;
}

} // namespace unravel
