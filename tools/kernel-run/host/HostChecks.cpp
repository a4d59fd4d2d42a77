//===- HostChecks.cpp - Checks and replacements in a copied function ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/host/HostChecks.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace unravel;

bool HostChecks::checkInstruction(Instruction &Copy,
                                  const Instruction &Source) {
  IRBuilder<> B(&Copy);
  if (auto *Load = dyn_cast<LoadInst>(&Copy)) {
    Code.checkAccess(B, Source, Load->getPointerOperand(), Load->getType(),
                     Load->getAlign().value(), /*Writes=*/false);
  } else if (auto *Store = dyn_cast<StoreInst>(&Copy)) {
    Code.checkAccess(B, Source, Store->getPointerOperand(),
                     Store->getValueOperand()->getType(),
                     Store->getAlign().value(), /*Writes=*/true);
  } else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&Copy)) {
    Code.checkAccess(B, Source, Atomic->getPointerOperand(),
                     Atomic->getValOperand()->getType(),
                     Atomic->getAlign().value(), /*Writes=*/true);
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&Copy)) {
    Code.checkAccess(B, Source, Exchange->getPointerOperand(),
                     Exchange->getNewValOperand()->getType(),
                     Exchange->getAlign().value(), /*Writes=*/true);
  } else if (auto *Variable = dyn_cast<AllocaInst>(&Copy)) {
    moveVariable(*Variable, Source);
  } else if (auto *Operator = dyn_cast<BinaryOperator>(&Copy)) {
    checkDivision(*Operator, Source);
  } else if (isa<UnreachableInst>(Copy)) {
    Code.call(B, runtime::stop, {Code.number(Source)});
  } else if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Copy)) {
    return checkMemoryIntrinsic(*Intrinsic, Source);
  }
  // The copy may be gone by now.
  return !isa<VAArgInst>(Source);
}

bool HostChecks::checkMemoryIntrinsic(IntrinsicInst &I,
                                      const Instruction &Source) {
  IRBuilder<> B(&I);
  if (auto *Assume = dyn_cast<AssumeInst>(&I)) {
    Code.call(B, runtime::requireAssumption,
              {Assume->getArgOperand(0), Code.number(Source)});
    I.eraseFromParent();
    return true;
  }
  if (auto *Memory = dyn_cast<MemIntrinsic>(&I)) {
    if (auto *Transfer = dyn_cast<MemTransferInst>(Memory))
      Code.checkAccess(B, Source, Transfer->getRawSource(),
                       Transfer->getLength(),
                       Transfer->getSourceAlign().valueOrOne().value(),
                       /*Writes=*/false);
    Code.checkAccess(B, Source, Memory->getRawDest(), Memory->getLength(),
                     Memory->getDestAlign().valueOrOne().value(),
                     /*Writes=*/true);
    return true;
  }
  switch (I.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::experimental_noalias_scope_decl:
    if (!I.use_empty())
      I.replaceAllUsesWith(PoisonValue::get(I.getType()));
    I.eraseFromParent();
    return true;
  case Intrinsic::trap:
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap:
    Code.call(B, runtime::stop, {Code.number(Source)});
    return true;
  default:
    // Arithmetic, or something that would reach memory past the checks.
    return !I.mayReadOrWriteMemory() ||
           Intrinsic::isTargetIntrinsic(I.getIntrinsicID()) ||
           none_of(I.args(),
                   [](Value *A) { return A->getType()->isPtrOrPtrVectorTy(); });
  }
}

void HostChecks::checkDivision(BinaryOperator &I, const Instruction &Source) {
  bool IsSigned =
      I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
  if (!IsSigned && I.getOpcode() != Instruction::UDiv &&
      I.getOpcode() != Instruction::URem)
    return;
  Value *Dividend = I.getOperand(0), *Divisor = I.getOperand(1);
  Type *T = I.getType();
  if (auto *Known = dyn_cast<ConstantInt>(Divisor);
      Known && !Known->isZero() && !(IsSigned && Known->isMinusOne()))
    return;
  IRBuilder<> B(&I);
  Value *Fine = B.CreateIsNotNull(Divisor);
  if (IsSigned) {
    APInt Least = APInt::getSignedMinValue(T->getScalarSizeInBits());
    Value *IsLeast = B.CreateICmpEQ(Dividend, ConstantInt::get(T, Least));
    Value *IsMinusOne = B.CreateICmpEQ(Divisor, Constant::getAllOnesValue(T));
    Fine = B.CreateAnd(Fine, B.CreateNot(B.CreateAnd(IsLeast, IsMinusOne)));
  }
  if (T->isVectorTy())
    Fine = B.CreateAndReduce(Fine);
  Code.call(B, runtime::requireDivisor, {Fine, Code.number(Source)});
}

// Local variables.

Value *HostChecks::allocate(IRBuilder<> &B, Value *Bytes, Align Align,
                            const Instruction &Source) {
  Value *Address =
      Code.call(B, runtime::allocate,
                {Bytes, B.getInt64(Align.value()), Code.number(Source)});
  return B.CreateIntToPtr(Address, B.getPtrTy());
}

void HostChecks::moveVariable(AllocaInst &I, const Instruction &Source) {
  IRBuilder<> B(&I);
  uint64_t One =
      Code.module().getDataLayout().getTypeAllocSize(I.getAllocatedType());
  // A size that leaves 64 bits is more than there is, not what is left of it.
  Value *Count = I.getArraySize();
  unsigned Bits = std::max(Count->getType()->getIntegerBitWidth(), 64u);
  Value *Wide = B.CreateZExt(Count, B.getIntNTy(Bits));
  Value *IsTooLarge = B.CreateICmpUGT(
      Wide,
      B.getInt(APInt(64, One ? UINT64_MAX / One : UINT64_MAX).zext(Bits)));
  Value *Bytes =
      B.CreateMul(B.CreateTrunc(Wide, B.getInt64Ty()), B.getInt64(One));
  Bytes = B.CreateSelect(IsTooLarge, B.getInt64(UINT64_MAX), Bytes);
  Value *Place = allocate(B, Bytes, I.getAlign(), Source);
  Place->takeName(&I);
  I.replaceAllUsesWith(Place);
  I.eraseFromParent();
}

void HostChecks::addFrame(Function &Copy, const Instruction &Source) {
  BasicBlock &Entry = Copy.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  Value *Depth = Code.call(B, runtime::enter, {Code.number(Source)});
  for (Argument &A : Copy.args()) {
    if (!A.hasByValAttr())
      continue;
    uint64_t Bytes =
        Code.module().getDataLayout().getTypeAllocSize(A.getParamByValType());
    Align Alignment = A.getParamAlign().valueOrOne();
    Value *Own = allocate(B, B.getInt64(Bytes), Alignment, Source);
    A.replaceAllUsesWith(Own);
    Code.checkAccess(B, Source, &A, B.getInt64(Bytes), 1, /*Writes=*/false);
    B.CreateMemCpy(Own, Align(1), &A, Align(1), Bytes);
    Copy.removeParamAttr(A.getArgNo(), Attribute::ByVal);
  }
  for (BasicBlock &Block : Copy)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
      B.SetInsertPoint(Return);
      Code.call(B, runtime::leave, {Depth});
    }
}
