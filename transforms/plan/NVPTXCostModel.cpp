//===- NVPTXCostModel.cpp - What index arithmetic costs on NVPTX ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/plan/NVPTXCostModel.h"
#include "analysis/facts/RangeFacts.h"
#include "transforms/plan/PlanInstruction.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/DivisionByConstantInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static unsigned costOfSimple(unsigned Width) {
  return priceOf(PtxClass::Simple, Width);
}

/// Of anything but conversions and quotients by constants.
static unsigned costOfOperation(unsigned Opcode, unsigned Width) {
  switch (Opcode) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::ICmp:
  case Instruction::Select:
    return costOfSimple(Width);
  case Instruction::Mul:
    return priceOf(PtxClass::Multiply, Width);
  case Instruction::UDiv:
  case Instruction::URem:
    return priceOf(PtxClass::Division, Width);
  case Instruction::SDiv:
  case Instruction::SRem:
    return priceOf(PtxClass::SignedDivision, Width);
  default:
    return 0;
  }
}

static unsigned costOfIntrinsic(Intrinsic::ID ID, unsigned Width) {
  switch (ID) {
  case Intrinsic::nvvm_mulhi_ui:
    return priceOf(PtxClass::MultiplyHigh, Width);
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
    return priceOf(PtxClass::MinMax, Width);
  case Intrinsic::abs:
    return priceOf(PtxClass::Absolute, Width);
  case Intrinsic::usub_sat: // max, sub
    return priceOf(PtxClass::MinMax, Width) + costOfSimple(Width);
  default:
    return 0;
  }
}

/// To 64 bits the user pays: mul.wide extends its factors for free, an address
/// has a price for the index that it extends.
static unsigned costOfExtension(unsigned Width) {
  return Width > 32 ? 0 : priceOf(PtxClass::Convert, Width);
}

/// A sum of 64 bits with a product of extended factors: one instruction with
/// the product, IMAD.WIDE, which each user of a shared product has again. An
/// index that is added has to be extended for it.
static unsigned costOfWideSum(bool IsShared, bool ExtendsOther) {
  return (IsShared ? priceOf(PtxClass::Address, 64) : 0) +
         (ExtendsOther ? priceOf(PtxClass::Convert, 64) : 0);
}

/// As far as instruction selection sees them.
static unsigned leadingZerosOfDividend(const Instruction &Division) {
  return computeKnownBits(Division.getOperand(0), Division.getDataLayout())
      .countMinLeadingZeros();
}

/// A quotient by a constant divisor > 1. The dividend of a \p Division in the
/// IR may be known to be small, so that no magic number of 33 bits is needed.
static unsigned costOfQuotient(bool IsSigned, unsigned Width, uint64_t Divisor,
                               const Instruction *Division = nullptr) {
  if (IsSigned && isPowerOf2_64(Divisor)) // rounded towards zero
    return 4 * costOfSimple(Width);
  if (IsSigned) // mul.hi, sign bit, shift, add
    return priceOf(PtxClass::SignedMultiplyHigh, Width) +
           3 * costOfSimple(Width);
  if (isPowerOf2_64(Divisor))
    return costOfSimple(Width);
  // 16-bit quotients are computed in 16 or 32 bits, with a conversion.
  unsigned Bits = Width <= 16 ? 16 : Width <= 32 ? 32 : 64;
  if (Divisor > maskTrailingOnes<uint64_t>(Bits))
    return costOfSimple(Width);
  auto Magic =
      UnsignedDivisionByConstantInfo::get(APInt(Bits, Divisor), 0, true);
  if (Magic.IsAdd && Division && Width == Bits)
    Magic = UnsignedDivisionByConstantInfo::get(
        APInt(Bits, Divisor), leadingZerosOfDividend(*Division), true);
  // mul.hi, shift; a pre-shift; or the sub/shr/add of a 33-bit magic number.
  unsigned Others = (Magic.PostShift != 0 ? 1 : 0) +
                    (Magic.PreShift != 0 ? 1 : 0) + (Magic.IsAdd ? 3 : 0);
  return priceOf(PtxClass::MultiplyHigh, Bits) + Others * costOfSimple(Bits);
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

/// A product of extended factors.
static bool isWideProduct(const PlanNode *Node) {
  if (Node->Width != 64 ||
      (Node->Op != PlanOp::Mul && Node->Op != PlanOp::MulBy))
    return false;
  PlanInstruction I = instructionOf(*Node);
  return I.Left && isWideningCast(I.Left) &&
         (!I.Right || isWideningCast(I.Right));
}

/// Whether a sum with it is one instruction. Of a negative factor LLVM makes a
/// difference.
static bool fusesIntoWideSum(const PlanNode *Node) {
  return isWideProduct(Node) && (Node->Op == PlanOp::MulBy || Node->Imm > 0);
}

unsigned costOf(const PlanNode *Node, SharedNodes IsShared) {
  PlanInstruction I = instructionOf(*Node);
  switch (Node->Op) {
  case PlanOp::Add:
    for (const PlanNode *Product : {Node->A, Node->B})
      if (fusesIntoWideSum(Product)) {
        const PlanNode *Other = Product == Node->A ? Node->B : Node->A;
        return costOfWideSum(IsShared(Product), isWideningCast(Other));
      }
    for (const PlanNode *Product : {Node->A, Node->B})
      if (fusesIntoAdd(Product) && !IsShared(Product))
        return 0; // mad.lo, paid for by the product
    break;
  case PlanOp::Mul:
  case PlanOp::MulBy:
    if (isWideProduct(Node))
      return priceOf(PtxClass::MultiplyWide, 64);
    break;
  case PlanOp::UDiv:
  case PlanOp::SDiv:
    return costOfQuotient(Node->Op == PlanOp::SDiv, Node->Width, Node->Imm);
  case PlanOp::ZExt:
  case PlanOp::SExt:
    return costOfExtension(Node->Width);
  case PlanOp::Trunc:
    return priceOf(PtxClass::Convert, Node->A->Width);
  case PlanOp::PtrAdd:
    if (Node->B->isConstant())
      return 0; // the immediate field of the access
    if (Node->B->Width == 32)
      return fusesIntoAdd(Node->B) && !IsShared(Node->B)
                 ? 0
                 : priceOf(PtxClass::Address, 32);
    return fusesIntoWideSum(Node->B) ? costOfWideSum(IsShared(Node->B), false)
                                     : costOfSimple(64);
  case PlanOp::Select:
    return costOfOperation(Instruction::Select, Node->Width);
  case PlanOp::Compare:
    return costOfOperation(Instruction::ICmp, Node->A->Width);
  default:
    break;
  }
  return I.Form == PlanForm::Binary      ? costOfOperation(I.Code, Node->Width)
         : I.Form == PlanForm::Intrinsic ? costOfIntrinsic(I.Code, Node->Width)
                                         : 0;
}

//===----------------------------------------------------------------------===//
// IR instructions
//===----------------------------------------------------------------------===//

static bool fusesIntoAdd(const Value *V) {
  auto *I = dyn_cast<BinaryOperator>(V);
  return I && I->getOpcode() == Instruction::Mul &&
         I->getType()->isIntegerTy(32) && I->hasOneUse();
}

/// As of a planned node.
static bool isWideProduct(const Value *V) {
  auto *I = dyn_cast<BinaryOperator>(V);
  if (!I || !I->getType()->isIntegerTy(64) || !isWideningCast(I->getOperand(0)))
    return false;
  bool IsConstant = isa<ConstantInt>(I->getOperand(1));
  return I->getOpcode() == Instruction::Shl
             ? IsConstant
             : I->getOpcode() == Instruction::Mul &&
                   (IsConstant || isWideningCast(I->getOperand(1)));
}

static bool fusesIntoWideSum(const Value *V) {
  if (!isWideProduct(V))
    return false;
  auto *Factor = dyn_cast<ConstantInt>(cast<User>(V)->getOperand(1));
  return !Factor || !Factor->isNegative();
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

static unsigned costOfAddress(const GetElementPtrInst &Gep, WideSums Sums) {
  const DataLayout &DL = Gep.getDataLayout();
  // A step of a pointer is a sum; accesses have a field for it.
  if (Gep.hasAllConstantIndices())
    return any_of(Gep.users(), [](const User *U) { return isa<PHINode>(U); })
               ? costOfSimple(64)
               : 0;
  unsigned Width = DL.getIndexTypeSizeInBits(Gep.getType()), Cost = 0;
  for (auto It = gep_type_begin(Gep), End = gep_type_end(Gep); It != End;
       ++It) {
    const Value *Index = It.getOperand();
    if (isa<Constant>(Index) || It.isStruct())
      continue;
    uint64_t Scale = It.getSequentialElementStride(DL).getKnownMinValue();
    if (Width == 32) {
      // mad.lo, or a shift and a sum, or a sum.
      if (Scale != 1)
        Cost += !isPowerOf2_64(Scale) ? priceOf(PtxClass::Multiply, 32)
                : sharesScaledIndex(Gep, Index)
                    ? priceOf(PtxClass::Address, 32)
                    : costOfSimple(32) + priceOf(PtxClass::Address, 32);
      else if (!fusesIntoAdd(Index))
        Cost += priceOf(PtxClass::Address, 32);
      continue;
    }
    // A wide product is here or in the index; LEA scales a wide index.
    bool IsNarrow =
        isWideningCast(Index) || Index->getType()->getScalarSizeInBits() < 64;
    if (Sums == WideSums::AsTwo)
      Cost += priceOf(PtxClass::Address, 64) +
              ((isWideningCast(Index) || Scale != 1) &&
                       !sharesScaledIndex(Gep, Index)
                   ? priceOf(PtxClass::MultiplyWide, 64)
                   : 0);
    else if (IsNarrow && Scale != 1)
      Cost += priceOf(PtxClass::Address, 64);
    else
      Cost += Scale == 1 && fusesIntoWideSum(Index)
                  ? costOfWideSum(!Index->hasOneUse(), false)
                  : costOfSimple(64);
  }
  return Cost;
}

/// Whether \p V will be a constant, in code that has not been simplified yet.
static bool folds(const Value *V, unsigned Depth = 4) {
  return isa<Constant>(V) ||
         (Depth > 0 && isa<BinaryOperator, CastInst, MinMaxIntrinsic>(V) &&
          all_of(cast<User>(V)->operands(),
                 [&](const Use &U) { return folds(U, Depth - 1); }));
}

/// \p V, which `llvm.expect` returns as well.
static const Value *withoutExpect(const Value *V) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && Call->getIntrinsicID() == Intrinsic::expect
             ? Call->getArgOperand(0)
             : V;
}

/// A quotient without remainder: a shift, and a product with the inverse of the
/// odd part.
static unsigned costOfExactQuotient(bool IsSigned, const APInt &Divisor) {
  unsigned Width = Divisor.getBitWidth(), Shift = Divisor.countr_zero();
  APInt Odd = IsSigned ? Divisor.ashr(Shift) : Divisor.lshr(Shift);
  return (Shift ? costOfSimple(Width) : 0) +
         (Odd.isOne() ? 0 : priceOf(PtxClass::Multiply, Width));
}

static unsigned costOfDivision(const BinaryOperator &I) {
  bool IsSigned = isSignedDivision(I), IsRem = !isQuotient(I);
  unsigned Width = I.getType()->getIntegerBitWidth();
  auto *Divisor = dyn_cast<ConstantInt>(withoutExpect(I.getOperand(1)));
  if (!IsRem && I.isExact() && Divisor && !Divisor->isZero() && Width <= 64)
    return costOfExactQuotient(IsSigned, Divisor->getValue());
  // Wider ones, which are calls, at least as much.
  unsigned Quotient;
  if (!Divisor || Divisor->isZero() || Width > 64) {
    Quotient = costOfOperation(I.getOpcode(), Width);
    if (isa<Constant>(I.getOperand(0)))
      return Quotient;
  } else {
    APInt D = IsSigned ? Divisor->getValue().abs() : Divisor->getValue();
    if (D.isOne())
      return 0;
    if (IsRem && !IsSigned && D.isPowerOf2())
      return costOfSimple(Width); // a mask
    Quotient = costOfQuotient(IsSigned, Width, D.getZExtValue(), &I);
  }
  // A remainder is x - q*d, the quotient shared if it is computed as well.
  if (!IsRem)
    return Quotient;
  unsigned Rest = priceOf(PtxClass::Multiply, Width) + costOfSimple(Width);
  // With more users than can be looked at, as if it were there: the price of
  // old code may be too low, never too high.
  static constexpr unsigned MaxUsers = 256;
  Instruction::BinaryOps Partner =
      IsSigned ? Instruction::SDiv : Instruction::UDiv;
  if (I.getOperand(0)->hasNUsesOrMore(MaxUsers))
    return Rest;
  for (const User *U : I.getOperand(0)->users())
    if (auto *Q = dyn_cast<BinaryOperator>(U))
      if (Q->getOpcode() == Partner && Q->getOperand(0) == I.getOperand(0) &&
          Q->getOperand(1) == I.getOperand(1) &&
          Q->getFunction() == I.getFunction())
        return Rest;
  // By a value of run time it is one PTX instruction.
  return Divisor && !Divisor->isZero() && Width <= 64 ? Quotient + Rest
                                                      : Quotient;
}

unsigned costOf(const Instruction &I, WideSums Sums) {
  if (auto *Gep = dyn_cast<GetElementPtrInst>(&I))
    return costOfAddress(*Gep, Sums);
  if (auto *Cmp = dyn_cast<ICmpInst>(&I)) {
    Type *Ty = Cmp->getOperand(0)->getType();
    return costOfSimple(Ty->isIntegerTy() ? Ty->getIntegerBitWidth() : 32);
  }
  if (!I.getType()->isIntegerTy() || folds(&I))
    return 0;
  unsigned Width = I.getType()->getIntegerBitWidth();
  switch (I.getOpcode()) {
  case Instruction::Xor:
    if (auto *C = dyn_cast<ConstantInt>(withoutExpect(I.getOperand(1)));
        C && C->isZero())
      return 0; // HiddenValues.h
    break;
  case Instruction::Add:
    if (fusesIntoAdd(I.getOperand(0)) || fusesIntoAdd(I.getOperand(1)))
      return 0;
    for (unsigned Product : {0, 1})
      if (const Value *V = I.getOperand(Product);
          Sums == WideSums::AsOne && fusesIntoWideSum(V))
        return costOfWideSum(!V->hasOneUse(),
                             isWideningCast(I.getOperand(1 - Product)));
    break;
  case Instruction::Mul:
  case Instruction::Shl:
    if (isWideProduct(&I))
      return priceOf(PtxClass::MultiplyWide, 64);
    break;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return costOfDivision(cast<BinaryOperator>(I));
  case Instruction::ZExt:
  case Instruction::SExt:
    return costOfExtension(I.getOperand(0)->getType()->isIntegerTy(32) ? Width
                                                                       : 32);
  case Instruction::Trunc:
    return priceOf(PtxClass::Convert,
                   I.getOperand(0)->getType()->getIntegerBitWidth());
  case Instruction::Call:
    return costOfIntrinsic(cast<CallInst>(I).getIntrinsicID(), Width);
  default:
    break;
  }
  return costOfOperation(I.getOpcode(), Width);
}

} // namespace unravel
