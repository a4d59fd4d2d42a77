//===- PointEvaluator.cpp - Computes IR and plans at one point ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/verify/PointEvaluator.h"
#include "analysis/facts/PoisonFlags.h"
#include "analysis/llvm/LLVMChanges.h"
#include "transforms/plan/PlanInstruction.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/ConstantFold.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Arithmetic with flags
//===----------------------------------------------------------------------===//

static bool wraps(Instruction::BinaryOps Opcode, const APInt &A, const APInt &B,
                  bool Signed) {
  bool Overflow = false;
  switch (Opcode) {
  case Instruction::Add:
    (void)(Signed ? A.sadd_ov(B, Overflow) : A.uadd_ov(B, Overflow));
    return Overflow;
  case Instruction::Sub:
    (void)(Signed ? A.ssub_ov(B, Overflow) : A.usub_ov(B, Overflow));
    return Overflow;
  case Instruction::Mul:
    (void)(Signed ? A.smul_ov(B, Overflow) : A.umul_ov(B, Overflow));
    return Overflow;
  case Instruction::Shl:
    (void)(Signed ? A.sshl_ov(B, Overflow) : A.ushl_ov(B, Overflow));
    return Overflow;
  default:
    return false;
  }
}

static bool isInexact(Instruction::BinaryOps Opcode, const APInt &A,
                      const APInt &B) {
  switch (Opcode) {
  case Instruction::UDiv:
    return !A.urem(B).isZero();
  case Instruction::SDiv:
    return !A.srem(B).isZero();
  default: // a shift to the right
    return A.countr_zero() < B.getLimitedValue(A.getBitWidth());
  }
}

/// Null where the operation is undefined behaviour.
static Constant *computeBinary(Instruction::BinaryOps Opcode, Constant *A,
                               Constant *B, PoisonFlags Flags) {
  auto *X = dyn_cast<ConstantInt>(A), *Y = dyn_cast<ConstantInt>(B);
  if (Instruction::isIntDivRem(Opcode)) {
    bool IsSigned = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
    if (!Y || Y->isZero())
      return nullptr; // a poison divisor may be zero
    if (IsSigned && Y->isMinusOne() && (!X || X->isMinValue(true)))
      return nullptr;
  }
  Constant *Poison = PoisonValue::get(A->getType());
  if (!X || !Y)
    return Poison;
  const APInt &P = X->getValue(), &Q = Y->getValue();
  if ((Flags.NoUnsignedWrap && wraps(Opcode, P, Q, false)) ||
      (Flags.NoSignedWrap && wraps(Opcode, P, Q, true)) ||
      (Flags.Exact && isInexact(Opcode, P, Q)) ||
      (Flags.Disjoint && P.intersects(Q)))
    return Poison;
  return ConstantFoldBinaryInstruction(Opcode, X, Y);
}

static Constant *computeCast(Instruction::CastOps Opcode, Constant *A, Type *To,
                             bool NonNegative, PoisonFlags Flags) {
  auto *X = dyn_cast<ConstantInt>(A);
  Constant *Poison = PoisonValue::get(To);
  if (!X || (NonNegative && X->isNegative()))
    return Poison;
  unsigned Width = To->getIntegerBitWidth();
  if (Opcode == Instruction::Trunc &&
      ((Flags.NoUnsignedWrap && !X->getValue().isIntN(Width)) ||
       (Flags.NoSignedWrap && !X->getValue().isSignedIntN(Width))))
    return Poison;
  return ConstantFoldCastInstruction(Opcode, X, To);
}

static Constant *computeSelect(Constant *Condition, Constant *A, Constant *B) {
  if (!Condition)
    return nullptr;
  auto *C = dyn_cast<ConstantInt>(Condition);
  if (!C)
    return PoisonValue::get(A->getType());
  return C->isOne() ? A : B;
}

static Constant *computeComparison(CmpPredicate Predicate, Constant *A,
                                   Constant *B) {
  auto *X = dyn_cast<ConstantInt>(A), *Y = dyn_cast<ConstantInt>(B);
  Type *Bool = Type::getInt1Ty(A->getContext());
  if (!X || !Y ||
      (Predicate.hasSameSign() && X->isNegative() != Y->isNegative()))
    return PoisonValue::get(Bool);
  return ConstantInt::getBool(
      Bool, ICmpInst::compare(X->getValue(), Y->getValue(), Predicate));
}

/// Of two words, before the attributes of the call are looked at.
static Constant *computeIntrinsic(Intrinsic::ID ID, Constant *A, Constant *B) {
  auto *X = dyn_cast<ConstantInt>(A), *Y = dyn_cast<ConstantInt>(B);
  if (!X || !Y)
    return PoisonValue::get(A->getType());
  if (ID != Intrinsic::nvvm_mulhi_ui)
    return foldBinaryIntrinsic(ID, X, Y);
  return ConstantInt::get(X->getType(),
                          APIntOps::mulhu(X->getValue(), Y->getValue()));
}

/// Pointer + Offset bytes. Without knowing the object, `inbounds` promises what
/// every object guarantees: no signed wrap of the offset, none of the address.
static Constant *computePtrAdd(Constant *Pointer, const APInt &Offset,
                               GEPNoWrapFlags Flags) {
  auto *P = dyn_cast<ConstantInt>(Pointer);
  if (!P)
    return Pointer;
  APInt Sum = P->getValue() + Offset;
  bool Wraps =
      Offset.isNegative() ? Sum.ugt(P->getValue()) : Sum.ult(P->getValue());
  if ((Flags.hasNoUnsignedSignedWrap() && Wraps) ||
      (Flags.hasNoUnsignedWrap() && Sum.ult(P->getValue())))
    return PoisonValue::get(P->getType());
  return ConstantInt::get(P->getType(), Sum);
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

/// The integer type that the value is computed in; null if there is none.
IntegerType *PointEvaluator::numberType(const Value *V) const {
  Type *Ty = V->getType();
  if (Ty->isPointerTy())
    Ty = Layout.getIndexType(Ty);
  return dyn_cast<IntegerType>(Ty);
}

bool PointEvaluator::isLoopCarried(const Value *V) const {
  auto *Phi = dyn_cast<PHINode>(V);
  return Phi && LI.isLoopHeader(Phi->getParent());
}

/// Whether \p V is not computed from operands.
bool PointEvaluator::isLeaf(const Value *V) const {
  auto HasNumber = [&](const Value *Operand) {
    return isa<Function, BasicBlock>(Operand) || numberType(Operand);
  };
  if (auto *GEP = dyn_cast<GEPOperator>(V)) // an instruction or a constant
    return !all_of(GEP->operand_values(), HasNumber);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isLoopCarried(I))
    return true;
  if (isa<ExtractValueInst>(I))
    return !isa<WithOverflowInst>(I->getOperand(0)) || isLeaf(I->getOperand(0));
  // Vectors and floating point end here.
  if ((!numberType(I) && !isa<WithOverflowInst>(I)) ||
      !all_of(I->operand_values(), HasNumber))
    return true;
  if (auto *Call = dyn_cast<CallInst>(I)) {
    if (Call->getIntrinsicID() == Intrinsic::nvvm_mulhi_ui)
      return false;
    const Function *Callee = Call->getCalledFunction();
    return !Callee || !Callee->isIntrinsic() || Call->arg_empty() ||
           !Call->doesNotAccessMemory() || !canConstantFoldCallTo(Call, Callee);
  }
  return isa<AddrSpaceCastInst>(I) || !isa<BinaryOperator, CastInst, ICmpInst,
                                           SelectInst, FreezeInst, PHINode>(I);
}

/// What \p U is computed from; false for a phi in a block that was not entered.
bool PointEvaluator::operandsOf(
    const User &U, SmallVectorImpl<const Value *> &Operands) const {
  if (auto *Phi = dyn_cast<PHINode>(&U)) {
    const BasicBlock *Entry = Edges(Phi->getParent());
    if (Entry)
      Operands.push_back(Phi->getIncomingValueForBlock(Entry));
    return Entry;
  }
  for (const Value *Operand : U.operand_values())
    if (!isa<Function>(Operand))
      Operands.push_back(Operand);
  return true;
}

PointValue PointEvaluator::valueOf(const Value *V) {
  // With a stack of its own: the chains of a generated kernel are long.
  SmallVector<const Value *, 16> Work{V};
  SmallPtrSet<const Value *, 16> Entered;
  while (!Work.empty()) {
    const Value *Top = Work.back();
    if (Values.contains(Top)) {
      Work.pop_back();
      continue;
    }
    if (isLeaf(Top)) {
      PointValue Result;
      IntegerType *Ty = numberType(Top);
      if (auto *C = dyn_cast<ConstantInt>(Top))
        Result.Value = const_cast<ConstantInt *>(C);
      else if (Ty && isa<PoisonValue>(Top))
        Result.Value = PoisonValue::get(Ty);
      else if (Ty && isa<ConstantPointerNull>(Top))
        Result.Value = ConstantInt::get(Ty, 0);
      else if (Ty)
        Result.Value = Leaves(Top, Ty);
      Result.IsLoopCarried = isLoopCarried(Top);
      Values[Top] = Result;
      Work.pop_back();
      continue;
    }
    auto *U = cast<User>(Top);
    SmallVector<const Value *, 4> Operands;
    if (!operandsOf(*U, Operands)) {
      Values[U] = {};
      continue;
    }
    erase_if(Operands, [&](const Value *O) { return Values.contains(O); });
    if (Operands.empty()) {
      Values[U] = compute(*U);
      Work.pop_back();
    } else if (Entered.insert(U).second) {
      Work.append(Operands);
    } else {
      Values[U] = {}; // a cycle that is no loop, or unreachable code
      Work.pop_back();
    }
  }
  return Values[V];
}

/// Computes \p U, whose operands are known.
PointValue PointEvaluator::compute(const User &U) {
  SmallVector<const Value *, 4> Operands;
  operandsOf(U, Operands);
  PointValue Result;
  SmallVector<Constant *, 4> Numbers;
  for (const Value *Operand : Operands) {
    PointValue P = Values.lookup(Operand);
    if (!P.Value)
      return {};
    Numbers.push_back(P.Value);
    Result.IsLoopCarried |= P.IsLoopCarried;
  }
  Result.Value = computeFrom(U, Numbers);
  return Result;
}

Constant *PointEvaluator::computeFrom(const User &U,
                                      ArrayRef<Constant *> Operands) {
  if (auto *GEP = dyn_cast<GEPOperator>(&U))
    return computeAddress(*GEP, Operands);
  auto &I = cast<Instruction>(U);
  if (isa<PHINode>(I))
    return Operands[0];
  if (isa<FreezeInst>(I))
    return isa<PoisonValue>(Operands[0]) ? Leaves(&I, numberType(&I))
                                         : Operands[0];
  if (isa<SelectInst>(I))
    return computeSelect(Operands[0], Operands[1], Operands[2]);
  if (auto *Op = dyn_cast<BinaryOperator>(&I))
    return computeBinary(Op->getOpcode(), Operands[0], Operands[1],
                         PoisonFlags::of(I));
  if (auto *Cmp = dyn_cast<ICmpInst>(&I))
    return computeComparison(Cmp->getCmpPredicate(), Operands[0], Operands[1]);
  if (auto *Extract = dyn_cast<ExtractValueInst>(&I))
    return ConstantFoldExtractValueInstruction(Operands[0],
                                               Extract->getIndices());
  if (auto *Call = dyn_cast<CallInst>(&I))
    return computeCall(*Call, Operands);
  auto &Cast = cast<CastInst>(I);
  Instruction::CastOps Opcode = Cast.getOpcode();
  IntegerType *To = numberType(&I);
  if (isa<PtrToIntInst, PtrToAddrInst, IntToPtrInst>(Cast)) {
    // Between pointers and integers a number keeps its low bits.
    unsigned From = Operands[0]->getType()->getIntegerBitWidth();
    if (From == To->getBitWidth())
      return Operands[0];
    Opcode = From < To->getBitWidth() ? Instruction::ZExt : Instruction::Trunc;
  }
  auto *NonNegative = dyn_cast<PossiblyNonNegInst>(&Cast);
  return computeCast(Opcode, Operands[0], To,
                     NonNegative && NonNegative->hasNonNeg(),
                     PoisonFlags::of(I));
}

Constant *PointEvaluator::computeCall(const CallInst &Call,
                                      ArrayRef<Constant *> Operands) {
  for (unsigned I = 0; I < Operands.size(); ++I)
    if (isa<PoisonValue>(Operands[I]) &&
        Call.paramHasAttr(I, Attribute::NoUndef))
      return nullptr;
  Constant *Result;
  if (Call.getIntrinsicID() == Intrinsic::nvvm_mulhi_ui)
    Result =
        computeIntrinsic(Intrinsic::nvvm_mulhi_ui, Operands[0], Operands[1]);
  else if (any_of(Operands, IsaPred<PoisonValue>))
    Result = PoisonValue::get(Call.getType());
  else
    Result = ConstantFoldCall(const_cast<CallInst *>(&Call),
                              Call.getCalledFunction(), Operands);
  auto *Number = dyn_cast_or_null<ConstantInt>(Result);
  std::optional<ConstantRange> Range = Call.getRange();
  if (Number && Range && !Range->contains(Number->getValue()))
    Result = PoisonValue::get(Call.getType());
  // A result that must not be poison makes poison undefined behaviour.
  if (isa_and_nonnull<PoisonValue>(Result) &&
      Call.hasRetAttr(Attribute::NoUndef))
    return nullptr;
  return Result;
}

Constant *PointEvaluator::computeAddress(const GEPOperator &GEP,
                                         ArrayRef<Constant *> Operands) {
  Constant *Address = Operands[0];
  unsigned Width = Address->getType()->getIntegerBitWidth();
  GEPNoWrapFlags Flags = GEP.getNoWrapFlags();
  Constant *Poison = PoisonValue::get(Address->getType());
  unsigned Number = 1;
  for (auto Step = gep_type_begin(GEP), End = gep_type_end(GEP); Step != End;
       ++Step, ++Number) {
    auto *Index = dyn_cast<ConstantInt>(Operands[Number]);
    if (!Index)
      return Poison;
    APInt Offset(Width, 0);
    if (StructType *Struct = Step.getStructTypeOrNull()) {
      Offset = APInt(Width, Layout.getStructLayout(Struct)->getElementOffset(
                                Index->getZExtValue()));
    } else {
      TypeSize Stride = Step.getSequentialElementStride(Layout);
      if (Stride.isScalable())
        return nullptr;
      APInt Scale(Width, Stride.getFixedValue());
      const APInt &Written = Index->getValue();
      Offset = Written.sextOrTrunc(Width);
      if ((Flags.hasNoUnsignedSignedWrap() &&
           (!Written.isSignedIntN(Width) ||
            wraps(Instruction::Mul, Offset, Scale, true))) ||
          (Flags.hasNoUnsignedWrap() &&
           wraps(Instruction::Mul, Offset, Scale, false)))
        return Poison;
      Offset *= Scale;
    }
    Address = computePtrAdd(Address, Offset, Flags);
  }
  return Address;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

Constant *PointEvaluator::valueOf(const PlanNode *Node) {
  auto It = Planned.find(Node);
  if (It != Planned.end())
    return It->second;
  Constant *Result = nullptr;
  if (Node->Op == PlanOp::Leaf) {
    Result = valueOf(Node->Leaf).Value;
    if (Node->Imm == PlanNode::MayBeUndef &&
        isa_and_nonnull<PoisonValue>(Result))
      Result = Leaves(nullptr, numberType(Node->Leaf)); // frozen
  } else if (Node->Op == PlanOp::Phi) {
    auto *Beside = cast<PHINode>(Node->Leaf);
    if (const BasicBlock *Entry = Edges(Beside->getParent()))
      Result =
          valueOf(Beside->getIncomingBlock(0) == Entry ? Node->A : Node->B);
  } else {
    Result = computePlanned(*Node);
  }
  return Planned[Node] = Result;
}

Constant *PointEvaluator::computePlanned(const PlanNode &Node) {
  PlanInstruction I = instructionOf(Node);
  IntegerType *Ty =
      Node.Width ? IntegerType::get(Context, Node.Width) : nullptr;
  auto Operand = [&](const PlanNode *N) {
    return N ? valueOf(N) : ConstantInt::getSigned(Ty, I.Imm, true);
  };
  Constant *A = Operand(I.Left), *B = Operand(I.Right);
  if (!A || !B)
    return nullptr;
  switch (I.Form) {
  case PlanForm::Binary: {
    Constant *Result =
        computeBinary(static_cast<Instruction::BinaryOps>(I.Code), A, B,
                      {I.NoUnsignedWrap, I.NoSignedWrap});
    PlanIsUndefined |= !Result;
    return Result;
  }
  case PlanForm::Intrinsic:
    return computeIntrinsic(I.Code, A, B);
  case PlanForm::Cast:
    return computeCast(static_cast<Instruction::CastOps>(I.Code), A, Ty,
                       /*NonNegative=*/false, {});
  case PlanForm::Other:
    break;
  }
  switch (Node.Op) {
  case PlanOp::Constant:
    return A;
  case PlanOp::PtrAdd: {
    auto *Offset = dyn_cast<ConstantInt>(B);
    return Offset ? computePtrAdd(A, Offset->getValue(), I.addressFlags())
                  : PoisonValue::get(A->getType());
  }
  case PlanOp::Select:
    return computeSelect(valueOf(Node.Leaf).Value, A, B);
  case PlanOp::Compare:
    return computeComparison(static_cast<CmpInst::Predicate>(I.Imm), A, B);
  default:
    llvm_unreachable("computed by the caller");
  }
}

} // namespace unravel
