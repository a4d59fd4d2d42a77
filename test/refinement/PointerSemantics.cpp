//===- PointerSemantics.cpp - Addresses, objects and promises -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Semantics.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

SymbolicValue Semantics::address(const GetElementPtrInst &I,
                                 ArrayRef<SymbolicValue> Operands) {
  size_t Lanes = W.scalars(I.getType()).size();
  SymbolicValue Result;
  for (size_t L = 0; L < Lanes; ++L) {
    SmallVector<Lane, 4> Scalars; // a scalar operand of a vector is for all
    for (const SymbolicValue &Operand : Operands)
      Scalars.push_back(Operand[Operand.size() == 1 ? 0 : L]);
    Result.push_back(addressLane(I, Scalars));
  }
  return Result;
}

/// The rules of getelementptr in the Language Reference, in its order.
Lane Semantics::addressLane(const GetElementPtrInst &I,
                            ArrayRef<Lane> Operands) {
  const DataLayout &DL = W.layout();
  const Lane &Base = Operands[0];
  unsigned Width = widthOf(Base.Bits);
  unsigned Space = I.getPointerAddressSpace();
  if (DL.getIndexSizeInBits(Space) != Width || !Base.Memory ||
      DL.isNonIntegralAddressSpace(Space)) {
    W.giveUp("pointers of an unusual address space");
    return Base;
  }
  GEPNoWrapFlags Flags = I.getNoWrapFlags();
  expr Poison = C.bool_val(false), AllZero = C.bool_val(true);
  expr Offset = number(C, 0, Width), Address = Base.Bits;
  auto Wraps = [&](const expr &A, const expr &B, unsigned Opcode, bool Signed) {
    auto NA = numberIn(A), NB = numberIn(B);
    if (NA && NB) {
      bool Overflow = false;
      if (Opcode == Instruction::Add)
        (void)(Signed ? NA->sadd_ov(*NB, Overflow)
                      : NA->uadd_ov(*NB, Overflow));
      else
        (void)(Signed ? NA->smul_ov(*NB, Overflow)
                      : NA->umul_ov(*NB, Overflow));
      return C.bool_val(Overflow);
    }
    if ((NA && NA->isZero()) || (NB && NB->isZero()) ||
        (Opcode == Instruction::Mul && NB && NB->isOne()))
      return C.bool_val(false);
    return wraps(Opcode, A, B, Signed);
  };
  // Address + Step, with Step read as a signed number, leaves the address
  // space.
  auto LeavesSpace = [&](const expr &From, const expr &Step) {
    auto Known = numberIn(Step);
    if (Known && Known->isZero())
      return C.bool_val(false);
    expr Exact = zeroExtend(From, Width + 2) + signExtend(Step, Width + 2);
    return Exact < number(C, 0, Width + 2) ||
           Exact > number(C, APInt::getLowBitsSet(Width + 2, Width));
  };
  auto OutOfBounds = [&](const expr &A) {
    // Base + Size does not wrap.
    return either(z3::ult(A, Base.Memory->Base),
                  z3::ugt(A, Base.Memory->Base + Base.Memory->Size));
  };
  if (Flags.isInBounds())
    Poison = either(Poison, OutOfBounds(Base.Bits));
  unsigned Index = 1;
  for (auto It = gep_type_begin(I), End = gep_type_end(I); It != End;
       ++It, ++Index) {
    const Lane &L = Operands[Index];
    expr Step = number(C, 0, Width);
    if (StructType *Struct = It.getStructTypeOrNull()) {
      auto *Field = cast<ConstantInt>(
          I.getOperand(Index)->getType()->isVectorTy()
              ? cast<Constant>(I.getOperand(Index))->getSplatValue()
              : I.getOperand(Index));
      unsigned Member = Field->getZExtValue();
      Step = number(C, DL.getStructLayout(Struct)->getElementOffset(Member),
                    Width);
      AllZero = both(AllZero, C.bool_val(Member == 0));
    } else {
      TypeSize Stride = It.getSequentialElementStride(DL);
      if (Stride.isScalable()) {
        W.giveUp("a scalable type");
        return Base;
      }
      unsigned IndexWidth = widthOf(L.Bits);
      AllZero = both(AllZero, equal(L.Bits, number(C, 0, IndexWidth)));
      expr Scaled = IndexWidth < Width ? folded(signExtend(L.Bits, Width))
                                       : folded(truncate(L.Bits, Width));
      if (IndexWidth > Width) {
        if (Flags.hasNoUnsignedSignedWrap())
          Poison = either(
              Poison, negate(equal(signExtend(Scaled, IndexWidth), L.Bits)));
        if (Flags.hasNoUnsignedWrap())
          Poison = either(
              Poison, negate(equal(zeroExtend(Scaled, IndexWidth), L.Bits)));
      }
      expr Size = number(C, Stride.getFixedValue(), Width);
      if (Flags.hasNoUnsignedSignedWrap())
        Poison = either(Poison, Wraps(Scaled, Size, Instruction::Mul, true));
      if (Flags.hasNoUnsignedWrap())
        Poison = either(Poison, Wraps(Scaled, Size, Instruction::Mul, false));
      Step = Stride.getFixedValue() == 1 ? Scaled : folded(Scaled * Size);
    }
    if (Flags.hasNoUnsignedSignedWrap()) {
      Poison = either(Poison, Wraps(Offset, Step, Instruction::Add, true));
      Poison = either(Poison, LeavesSpace(Address, Step));
    }
    if (Flags.hasNoUnsignedWrap()) {
      Poison = either(Poison, Wraps(Offset, Step, Instruction::Add, false));
      Poison = either(Poison, Wraps(Address, Step, Instruction::Add, false));
    }
    auto KnownStep = numberIn(Step), KnownOffset = numberIn(Offset);
    Offset =
        KnownOffset && KnownOffset->isZero() ? Step : folded(Offset + Step);
    if (!KnownStep || !KnownStep->isZero())
      Address = folded(Address + Step);
    if (Flags.isInBounds())
      Poison = either(Poison, OutOfBounds(Address));
  }
  // A getelementptr with all-zero indices is always in bounds, and wraps
  // nowhere.
  Poison = both(Poison, negate(AllZero));
  for (const Lane &L : Operands)
    Poison = either(Poison, L.Poison);
  return {Address, Poison, Base.Memory};
}

expr Semantics::isBadAccess(const Lane &Pointer, uint64_t Bytes, Align A) {
  if (!Pointer.Memory)
    return Pointer.Poison;
  unsigned Width = widthOf(Pointer.Bits);
  const Object &O = *Pointer.Memory;
  // Neither sum wraps where the first disjunct is false: objects are at most
  // half of the address space.
  expr Bad = either(Pointer.Poison, z3::ult(Pointer.Bits, O.Base));
  Bad = either(Bad, z3::ugt(zeroExtend(Pointer.Bits, Width + 1) +
                                number(C, Bytes, Width + 1),
                            zeroExtend(O.Base + O.Size, Width + 1)));
  if (A.value() > 1)
    Bad = either(Bad, nonzero(Pointer.Bits & number(C, A.value() - 1, Width)));
  return Bad;
}

/// Values outside [Lower, Upper), which may wrap around.
static expr isOutside(const expr &Bits, const ConstantRange &Range) {
  z3::context &C = Bits.ctx();
  if (Range.isFullSet())
    return C.bool_val(false);
  if (Range.getLower().isZero())
    return z3::uge(Bits, number(C, Range.getUpper()));
  if (!Range.isWrappedSet() && !Range.isUpperWrapped())
    return either(z3::ult(Bits, number(C, Range.getLower())),
                  z3::uge(Bits, number(C, Range.getUpper())));
  return z3::uge(Bits - number(C, Range.getLower()),
                 number(C, Range.getUpper() - Range.getLower()));
}

expr Semantics::applyPromises(const Instruction &I, SymbolicValue &Result) {
  expr Broken = C.bool_val(false);
  bool NoUndef = false;
  auto *Call = dyn_cast<CallBase>(&I);
  auto OutOf = [&](const ConstantRange &Range) {
    for (const Lane &L : Result)
      Broken = either(Broken, isOutside(L.Bits, Range));
  };
  auto Unaligned = [&](uint64_t Alignment) {
    for (const Lane &L : Result)
      Broken = either(
          Broken, nonzero(L.Bits & number(C, Alignment - 1, widthOf(L.Bits))));
  };
  if (Call) {
    NoUndef = Call->hasRetAttr(Attribute::NoUndef);
    // Those of the call and of the callee both hold.
    if (Attribute A = Call->getAttributes().getRetAttr(Attribute::Range);
        A.isValid())
      OutOf(A.getRange());
    if (const Function *Callee = Call->getCalledFunction())
      if (Attribute A = Callee->getAttributes().getRetAttr(Attribute::Range);
          A.isValid())
        OutOf(A.getRange());
    if (MaybeAlign A = Call->getRetAlign())
      Unaligned(A->value());
    if (Call->hasRetAttr(Attribute::NonNull))
      for (const Lane &L : Result)
        Broken = either(Broken, equal(L.Bits, number(C, 0, widthOf(L.Bits))));
    if (Call->getRetDereferenceableBytes())
      W.ignoreFact("dereferenceable result");
  } else {
    NoUndef = I.hasMetadata(LLVMContext::MD_noundef);
    if (MDNode *Alignment = I.getMetadata(LLVMContext::MD_align))
      Unaligned(mdconst::extract<ConstantInt>(Alignment->getOperand(0))
                    ->getZExtValue());
    if (I.hasMetadata(LLVMContext::MD_nonnull))
      for (const Lane &L : Result)
        Broken = either(Broken, equal(L.Bits, number(C, 0, widthOf(L.Bits))));
    if (I.hasMetadata(LLVMContext::MD_dereferenceable))
      W.ignoreFact("dereferenceable result");
  }
  if (MDNode *Range = I.getMetadata(LLVMContext::MD_range))
    OutOf(getConstantRangeFromMetadata(*Range));
  for (Lane &L : Result)
    L.Poison = either(L.Poison, Broken);
  return NoUndef ? anyPoison(Result, C) : C.bool_val(false);
}

} // namespace unravel::refinement
