//===- NVPTXCostModel.cpp - What index arithmetic costs on NVPTX ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/NVPTXCostModel.h"
#include "analysis/facts/RangeFacts.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/DivisionByConstantInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

// In units of one 32-bit PTX instruction.
static constexpr unsigned Wide = 2;         ///< 64-bit add: a carry pair
static constexpr unsigned WideMultiply = 4; ///< 64-bit mul
static constexpr unsigned RuntimeDivision = 20;
static constexpr unsigned WideRuntimeDivision = 80;

static unsigned costOfSimple(unsigned Width) { return Width > 32 ? Wide : 1; }

unsigned costOfUnsignedDivision(unsigned Width, uint64_t Divisor) {
  if (isPowerOf2_64(Divisor))
    return costOfSimple(Width);
  // 16-bit quotients are computed in 16 or 32 bits, with a conversion.
  unsigned Bits = Width <= 16 ? 16 : Width <= 32 ? 32 : 64;
  if (Divisor > maskTrailingOnes<uint64_t>(Bits))
    return costOfSimple(Width);
  auto Magic =
      UnsignedDivisionByConstantInfo::get(APInt(Bits, Divisor), 0, true);
  // mul.hi, shift; a pre-shift; or the sub/shr/add of a 33-bit magic number.
  unsigned Count = 1 + (Magic.PostShift != 0 ? 1 : 0) +
                   (Magic.PreShift != 0 ? 1 : 0) + (Magic.IsAdd ? 3 : 0);
  return Bits == 64 ? Count * WideMultiply : Count;
}

unsigned costOfSignedDivision(unsigned Width, uint64_t Divisor) {
  // Magic multiply, sign bit, shift, add; a power of two rounds with as many.
  (void)Divisor;
  return Width > 32 ? 4 * WideMultiply : 4;
}

static unsigned costOfRuntimeDivision(unsigned Width) {
  return Width > 32 ? WideRuntimeDivision : RuntimeDivision;
}

static unsigned costOfMultiply(unsigned Width) {
  return Width > 32 ? WideMultiply : 1;
}

//===----------------------------------------------------------------------===//
// Planned nodes
//===----------------------------------------------------------------------===//

static bool isWideningCast(const Value *V) {
  return (isa<ZExtInst>(V) || isa<SExtInst>(V)) &&
         V->getType()->isIntegerTy(64);
}

/// A planned or existing extension to 64 bits.
static bool isWideningCast(const PlanNode *Node) {
  return Node->Op == PlanOp::ZExt || Node->Op == PlanOp::SExt ||
         (Node->Op == PlanOp::Leaf && isWideningCast(Node->Leaf));
}

/// A product that selection merges into the addition using it.
static bool fusesIntoAdd(const PlanNode *Product) {
  return Product->Width == 32 &&
         (Product->Op == PlanOp::MulBy ||
          (Product->Op == PlanOp::Mul &&
           !isPowerOf2_64(static_cast<uint64_t>(Product->Imm))));
}

unsigned costOf(const PlanNode *Node) {
  switch (Node->Op) {
  case PlanOp::Leaf:
  case PlanOp::Constant:
  case PlanOp::Phi:
    return 0;
  case PlanOp::Add:
    if (fusesIntoAdd(Node->A) || fusesIntoAdd(Node->B))
      return 0; // mad.lo, paid for by the product
    return costOfSimple(Node->Width);
  case PlanOp::Sub:
  case PlanOp::And:
  case PlanOp::AShr:
  case PlanOp::LShr:
  case PlanOp::MulHi:
  case PlanOp::SMin:
  case PlanOp::SMax:
  case PlanOp::UMin:
  case PlanOp::Select:
  case PlanOp::Compare:
    return costOfSimple(Node->Op == PlanOp::Compare ? Node->A->Width
                                                    : Node->Width);
  case PlanOp::Mul:
    if (Node->Imm == -1)
      return costOfSimple(Node->Width); // a negation
    if (Node->Width == 64 && isWideningCast(Node->A))
      return 1; // mul.wide, which extends for free
    return isPowerOf2_64(static_cast<uint64_t>(Node->Imm))
               ? costOfSimple(Node->Width)
               : costOfMultiply(Node->Width);
  case PlanOp::MulBy:
    if (Node->Width == 64 && isWideningCast(Node->A) && isWideningCast(Node->B))
      return 1; // mul.wide
    return costOfMultiply(Node->Width);
  case PlanOp::UDivBy:
  case PlanOp::SDivBy:
  case PlanOp::URemBy:
  case PlanOp::SRemBy:
    return costOfRuntimeDivision(Node->Width);
  case PlanOp::UDiv:
    return costOfUnsignedDivision(Node->Width, Node->Imm);
  case PlanOp::SDiv:
    return costOfSignedDivision(Node->Width, Node->Imm);
  case PlanOp::ZExt:
  case PlanOp::SExt:
    return Node->Width == 64 ? 0 : 1; // the user of a wide value pays
  case PlanOp::Trunc:
    return 1;
  case PlanOp::PtrAdd:
    if (Node->B->isConstant())
      return 0; // the immediate field of the access
    // The offset of an unscaled index is converted first.
    return 1 + (isWideningCast(Node->B) ? 1 : 0);
  }
  llvm_unreachable("covered switch");
}

//===----------------------------------------------------------------------===//
// IR instructions
//===----------------------------------------------------------------------===//

static bool fusesIntoAdd(const Value *V) {
  auto *I = dyn_cast<BinaryOperator>(V);
  return I && I->getOpcode() == Instruction::Mul &&
         I->getType()->isIntegerTy(32) && I->hasOneUse();
}

/// Whether an address with the same scaled index is priced elsewhere: two
/// arrays indexed alike share the product.
static bool sharesScaledIndex(const GetElementPtrInst &Gep,
                              const Value *Index) {
  static constexpr unsigned MaxUsers = 32;
  unsigned Left = MaxUsers;
  for (const User *U : Index->users()) {
    auto *Other = dyn_cast<GetElementPtrInst>(U);
    if (Left-- == 0 || Other == &Gep)
      return false;
    if (Other && Other->getNumIndices() == 1 && Gep.getNumIndices() == 1 &&
        Other->getSourceElementType() == Gep.getSourceElementType() &&
        Other->getFunction() == Gep.getFunction())
      return true;
  }
  return false;
}

static unsigned costOfAddress(const GetElementPtrInst &Gep) {
  const DataLayout &DL = Gep.getDataLayout();
  unsigned Cost = 0;
  for (auto It = gep_type_begin(Gep), End = gep_type_end(Gep); It != End;
       ++It) {
    const Value *Index = It.getOperand();
    if (isa<Constant>(Index) || It.isStruct())
      continue;
    uint64_t Scale = It.getSequentialElementStride(DL).getKnownMinValue();
    // mul.wide or cvt of a narrow index, shl of a wide one; then add.s64.
    bool Converts = isWideningCast(Index) || Scale != 1;
    Cost += 1 + (Converts && !sharesScaledIndex(Gep, Index) ? 1 : 0);
  }
  return Cost;
}

static unsigned costOfDivision(const BinaryOperator &I) {
  bool IsSigned = isSignedDivision(I), IsRem = !isQuotient(I);
  unsigned Width = I.getType()->getIntegerBitWidth();
  auto *Divisor = dyn_cast<ConstantInt>(I.getOperand(1));
  // Wider ones, which are calls, at least as much.
  if (isa<Constant>(I.getOperand(0)) && Divisor)
    return 0; // folds; and constants do not know their users
  unsigned Quotient;
  if (!Divisor || Divisor->isZero() || Width > 64) {
    Quotient = costOfRuntimeDivision(Width);
    if (isa<Constant>(I.getOperand(0)))
      return Quotient;
  } else {
    APInt D = IsSigned ? Divisor->getValue().abs() : Divisor->getValue();
    if (D.isOne())
      return 0;
    if (IsRem && !IsSigned && D.isPowerOf2())
      return costOfSimple(Width); // a mask
    Quotient = IsSigned ? costOfSignedDivision(Width, D.getZExtValue())
                        : costOfUnsignedDivision(Width, D.getZExtValue());
  }
  // A remainder is x - q*d, the quotient shared if it is computed as well.
  if (!IsRem)
    return Quotient;
  // With more users than can be looked at, as if it were there: the price of
  // old code may be too low, never too high.
  static constexpr unsigned MaxUsers = 256;
  Instruction::BinaryOps Partner =
      IsSigned ? Instruction::SDiv : Instruction::UDiv;
  if (I.getOperand(0)->hasNUsesOrMore(MaxUsers))
    return 2;
  for (const User *U : I.getOperand(0)->users())
    if (auto *Q = dyn_cast<BinaryOperator>(U))
      if (Q->getOpcode() == Partner && Q->getOperand(0) == I.getOperand(0) &&
          Q->getOperand(1) == I.getOperand(1) &&
          Q->getFunction() == I.getFunction())
        return 2;
  // By a value of run time it is one PTX instruction.
  return Divisor && !Divisor->isZero() && Width <= 64 ? Quotient + 2 : Quotient;
}

unsigned costOf(const Instruction &I) {
  if (auto *Gep = dyn_cast<GetElementPtrInst>(&I))
    return costOfAddress(*Gep);
  if (auto *Cmp = dyn_cast<ICmpInst>(&I)) {
    Type *Ty = Cmp->getOperand(0)->getType();
    return Ty->isIntegerTy() ? costOfSimple(Ty->getIntegerBitWidth()) : 1;
  }
  if (!I.getType()->isIntegerTy())
    return 0;
  unsigned Width = I.getType()->getIntegerBitWidth();
  switch (I.getOpcode()) {
  case Instruction::Add:
    if (fusesIntoAdd(I.getOperand(0)) || fusesIntoAdd(I.getOperand(1)))
      return 0;
    return costOfSimple(Width);
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::Select:
    return costOfSimple(Width);
  case Instruction::Mul:
  case Instruction::Shl:
    // mul.wide, which extends for free
    if (Width == 64 && isWideningCast(I.getOperand(0)) &&
        (isa<ConstantInt>(I.getOperand(1)) ||
         (I.getOpcode() == Instruction::Mul &&
          isWideningCast(I.getOperand(1)))))
      return 1;
    return I.getOpcode() == Instruction::Shl ? costOfSimple(Width)
                                             : costOfMultiply(Width);
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return costOfDivision(cast<BinaryOperator>(I));
  case Instruction::ZExt:
  case Instruction::SExt:
    return Width == 64 && I.getOperand(0)->getType()->isIntegerTy(32) ? 0 : 1;
  case Instruction::Trunc:
    return 1;
  case Instruction::Call:
    switch (cast<CallInst>(I).getIntrinsicID()) {
    case Intrinsic::nvvm_mulhi_ui:
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
      return costOfSimple(Width);
    case Intrinsic::abs:
    case Intrinsic::usub_sat:
      return 2 * costOfSimple(Width);
    default:
      return 0;
    }
  default:
    return 0;
  }
}

} // namespace unravel
