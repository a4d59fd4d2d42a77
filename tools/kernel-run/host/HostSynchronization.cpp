//===- HostSynchronization.cpp - Barriers, shuffles and votes on this CPU
//--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/host/HostIntrinsics.h"
#include "tools/kernel-run/machine/BlockScheduler.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace unravel;

using Words = ArrayRef<StringRef>;

/// barrier.cta.{sync,arrive,red.OP}[.aligned].{all,count}
static Value *lowerBarrier(IRBuilder<> &B, HostCode &Code, Words Parts,
                           CallInst &Call, const Instruction &Source) {
  bool HasCount = Parts.back() == "count";
  Value *Barrier = Call.getArgOperand(0);
  Value *Count = HasCount ? Call.getArgOperand(1) : B.getInt32(0);
  if (Parts[2] == "arrive")
    return Code.call(B, runtime::arrive, {Barrier, Count, Code.number(Source)});
  auto Operation = BarrierOperation::Sync;
  Value *Predicate = B.getFalse();
  if (Parts[2] == "red") {
    Operation = Parts[3] == "and"  ? BarrierOperation::And
                : Parts[3] == "or" ? BarrierOperation::Or
                                   : BarrierOperation::Count;
    Predicate = Call.getArgOperand(HasCount ? 2 : 1);
  }
  Value *Result = Code.call(B, runtime::barrier,
                            {B.getInt32(uint32_t(Operation)), Barrier, Count,
                             Predicate, Code.number(Source)});
  return Call.getType()->isVoidTy()
             ? Result
             : B.CreateZExtOrTrunc(Result, Call.getType());
}

/// The two results of a predicated form, from 33 bits.
static Value *unpackPredicated(IRBuilder<> &B, Value *Packed,
                               StructType *Type) {
  Value *First = B.CreateTrunc(Packed, B.getInt32Ty());
  First = B.CreateBitCast(First, Type->getElementType(0));
  Value *Second = B.CreateTrunc(B.CreateLShr(Packed, 32), B.getInt1Ty());
  Value *Pair = B.CreateInsertValue(PoisonValue::get(Type), First, 0);
  return B.CreateInsertValue(Pair, Second, 1);
}

Value *HostIntrinsics::lowerSynchronization(IRBuilder<> &B, StringRef Name,
                                            CallInst &Call,
                                            const Instruction &Source) {
  SmallVector<StringRef, 6> Parts;
  Name.split(Parts, '.');
  if (Parts.size() >= 4 && Name.starts_with("barrier.cta.")) {
    Code.MayWait |= Parts[2] != "arrive";
    return lowerBarrier(B, Code, Parts, Call, Source);
  }

  // What is behind the operation's name is the type of its operand.
  std::optional<WarpOperation> Operation = warpOperationNamed(Name);
  if (!Operation && Parts.size() > 1 && Parts.back() != "aligned")
    Operation = warpOperationNamed(Name.rsplit('.').first);
  if (!Operation || Name.starts_with("redux.sync.f"))
    return nullptr;
  Value *Zero = B.getInt32(0), *Mask = Zero, *Operand = Zero, *Lane = Zero,
        *Clamp = Zero;
  unsigned Arguments = Call.arg_size();
  if (Name.starts_with("redux")) {
    Operand = Call.getArgOperand(0);
    Mask = Call.getArgOperand(1);
  } else {
    if (Arguments > 0)
      Mask = Call.getArgOperand(0);
    if (Arguments > 1)
      Operand = Call.getArgOperand(1);
    if (Arguments > 3) {
      Lane = Call.getArgOperand(2);
      Clamp = Call.getArgOperand(3);
    }
  }
  if (Operand->getType()->isFloatTy())
    Operand = B.CreateBitCast(Operand, B.getInt32Ty());
  Code.MayWait = true;
  Value *Result = Code.call(B, runtime::warp,
                            {B.getInt32(uint32_t(*Operation)), Mask, Operand,
                             Lane, Clamp, Code.number(Source)});
  Type *To = Call.getType();
  if (To->isVoidTy())
    return Result;
  if (auto *Pair = dyn_cast<StructType>(To))
    return unpackPredicated(B, Result, Pair);
  Result = B.CreateTrunc(Result, B.getIntNTy(To->getPrimitiveSizeInBits()));
  return B.CreateBitCast(Result, To);
}

// nvvm.atomic.OP.gen.{i,f}.SCOPE

Value *HostIntrinsics::lowerAtomic(IRBuilder<> &B, StringRef Name,
                                   CallInst &Call, const Instruction &Source) {
  StringRef Word = Name.split('.').first;
  Value *Pointer = Call.getArgOperand(0), *Operand = Call.getArgOperand(1);
  Align Natural(Host.getDataLayout().getTypeStoreSize(Operand->getType()));
  Code.checkAccess(B, Source, Pointer, Operand->getType(), Natural.value(),
                   /*Writes=*/true);
  constexpr AtomicOrdering Order = AtomicOrdering::SequentiallyConsistent;
  if (Word == "cas") {
    Value *Pair = B.CreateAtomicCmpXchg(Pointer, Operand, Call.getArgOperand(2),
                                        Natural, Order, Order);
    return B.CreateExtractValue(Pair, 0);
  }
  using RMW = AtomicRMWInst;
  auto Operation =
      StringSwitch<RMW::BinOp>(Word)
          .Case("add",
                Operand->getType()->isFloatingPointTy() ? RMW::FAdd : RMW::Add)
          .Case("inc", RMW::UIncWrap)
          .Case("dec", RMW::UDecWrap)
          .Case("exch", RMW::Xchg)
          .Case("xor", RMW::Xor)
          .Case("max", RMW::Max)
          .Case("min", RMW::Min)
          .Case("or", RMW::Or)
          .Case("and", RMW::And)
          .Default(RMW::BAD_BINOP);
  if (Operation == RMW::BAD_BINOP)
    return nullptr;
  return B.CreateAtomicRMW(Operation, Pointer, Operand, Natural, Order);
}
