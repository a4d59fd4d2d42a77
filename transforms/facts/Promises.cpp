//===- Promises.cpp - Facts that a flag promises of all kernels -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/Promises.h"
#include "analysis/facts/RangeFacts.h"
#include "analysis/facts/SpecialRegisters.h"
#include "transforms/facts/FactMarkers.h"
#include "transforms/facts/RegisterRanges.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

namespace {
/// The registers of one dimension.
struct Dimension {
  Intrinsic::ID ThreadIndex, BlockSize, BlockIndex, GridSize;
};
} // namespace

static constexpr Dimension Dimensions[] = {
    {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_x,
     Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
     Intrinsic::nvvm_read_ptx_sreg_nctaid_x},
    {Intrinsic::nvvm_read_ptx_sreg_tid_y, Intrinsic::nvvm_read_ptx_sreg_ntid_y,
     Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
     Intrinsic::nvvm_read_ptx_sreg_nctaid_y},
    {Intrinsic::nvvm_read_ptx_sreg_tid_z, Intrinsic::nvvm_read_ptx_sreg_ntid_z,
     Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
     Intrinsic::nvvm_read_ptx_sreg_nctaid_z}};

static bool isRead(const Value *V, Intrinsic::ID ID) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && Call->getIntrinsicID() == ID;
}

static bool areReads(const Instruction *I, Intrinsic::ID A, Intrinsic::ID B) {
  return (isRead(I->getOperand(0), A) && isRead(I->getOperand(1), B)) ||
         (isRead(I->getOperand(0), B) && isRead(I->getOperand(1), A));
}

/// Puts both flags on a 32-bit operation.
static bool setFlags(Instruction *I) {
  if (!I->getType()->isIntegerTy(32) ||
      (I->hasNoSignedWrap() && I->hasNoUnsignedWrap()))
    return false;
  I->setHasNoSignedWrap();
  I->setHasNoUnsignedWrap();
  return true;
}

/// ctaid * ntid + tid is below 2^31 in \p D, wherever \p Holds.
static bool indexFits(Function &F, const Dimension &D,
                      function_ref<bool(const Instruction &)> Holds) {
  bool Changed = false;
  // The last thread has the index nctaid * ntid - 1, so a block that must have
  // so many threads bounds the grid. (Compilers that know the block multiply by
  // a constant.)
  if (int64_t Threads = launchRange(F, D.BlockSize)->lo(); Threads > 1)
    Changed |= narrowReads(
        F, D.GridSize,
        ConstantRange(APInt(32, 1), APInt(32, (1LL << 31) / Threads + 1)),
        Holds);
  for (Instruction &I : instructions(F)) {
    // Every thread has an index, the first of each block as well: the
    // product alone fits too.
    if (I.getOpcode() == Instruction::Mul &&
        areReads(&I, D.BlockIndex, D.BlockSize) && Holds(I))
      Changed |= setFlags(&I);
    if (I.getOpcode() != Instruction::Add)
      continue;
    for (unsigned Side : {0, 1}) {
      auto *Product = dyn_cast<BinaryOperator>(I.getOperand(Side));
      if (Product && Product->getOpcode() == Instruction::Mul &&
          areReads(Product, D.BlockIndex, D.BlockSize) &&
          isRead(I.getOperand(1 - Side), D.ThreadIndex) && Holds(I))
        Changed |= setFlags(&I);
    }
  }
  return Changed;
}

bool promiseIndexFits(Function &F) {
  bool Changed = false;
  for (const Dimension &D : Dimensions)
    Changed |= indexFits(F, D, [](const Instruction &) { return true; });
  return Changed;
}

bool useAssumedGrids(Function &F, AssumptionCache &AC, DominatorTree &DT) {
  bool Changed = false;
  for (auto &Handle : AC.assumptions()) {
    auto *Assume = cast_or_null<AssumeInst>(Handle);
    CmpPredicate Pred;
    Value *Blocks, *Threads;
    const APInt *Bound;
    // A product of two extended 32-bit numbers is exact.
    if (!Assume ||
        !match(
            Assume->getArgOperand(0),
            m_ICmp(Pred,
                   m_c_Mul(m_ZExt(m_Value(Blocks)), m_ZExt(m_Value(Threads))),
                   m_APInt(Bound))) ||
        Bound->getBitWidth() != 64 ||
        (Pred != ICmpInst::ICMP_ULT && Pred != ICmpInst::ICMP_ULE))
      continue;
    uint64_t Most = Bound->getZExtValue() - (Pred == ICmpInst::ICMP_ULT);
    if (Bound->isZero() || Most > (uint64_t(1) << 31))
      continue;
    for (const Dimension &D : Dimensions)
      if ((isRead(Blocks, D.GridSize) && isRead(Threads, D.BlockSize)) ||
          (isRead(Blocks, D.BlockSize) && isRead(Threads, D.GridSize)))
        Changed |= indexFits(F, D, [&](const Instruction &I) {
          return isValidAssumeForContext(Assume, &I, &DT);
        });
  }
  return Changed;
}

bool stateIndexFits(Function &F, AssumptionCache &AC) {
  Instruction *Entry = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  bool Changed = false;
  for (const Dimension &D : Dimensions) {
    if (none_of(instructions(F),
                [&](const Instruction &I) { return isRead(&I, D.BlockIndex); }))
      continue;
    IRBuilder<> B(Entry);
    Value *Blocks =
        B.CreateZExt(B.CreateIntrinsic(D.GridSize, {}), B.getInt64Ty());
    Value *Threads =
        B.CreateZExt(B.CreateIntrinsic(D.BlockSize, {}), B.getInt64Ty());
    Value *Total = B.CreateNUWMul(Blocks, Threads);
    stateCondition(B.CreateICmpULE(Total, B.getInt64(uint64_t(1) << 31)), Entry,
                   AC);
    Changed = true;
  }
  return Changed;
}

/// What divisors are made of: factors, and what is extended.
static void collectSizes(Value *Divisor, SetVector<Value *> &Sizes) {
  // A divisor has a handful of factors.
  static constexpr unsigned MaxSizes = 32;
  SmallVector<Value *, 4> Work{Divisor};
  for (unsigned Left = MaxSizes; !Work.empty() && Left > 0; --Left) {
    Value *V = Work.pop_back_val(), *A, *B;
    if (match(V, m_Mul(m_Value(A), m_Value(B))))
      Work.append({A, B});
    else if (match(V, m_SExt(m_Value(A))) ||
             match(V, m_Shl(m_Value(A), m_ConstantInt())))
      Work.push_back(A);
    else if (auto *Load = dyn_cast<LoadInst>(V)) {
      auto *Base =
          dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()));
      if (Base && Base->hasByValAttr())
        Sizes.insert(V);
    } else if (isa<Argument>(V))
      Sizes.insert(V);
  }
}

static bool isAssumedPositive(Value *V, AssumptionCache &AC) {
  return any_of(AC.assumptionsFor(V), [&](auto &Elem) {
    auto *Assume = cast_or_null<CallInst>(Elem.Assume);
    return Assume &&
           match(Assume->getArgOperand(0),
                 m_SpecificICmp(ICmpInst::ICMP_SGT, m_Specific(V), m_Zero()));
  });
}

bool promisePositiveSizes(Function &F, AssumptionCache &AC) {
  SetVector<Value *> Sizes;
  for (Instruction &I : instructions(F)) {
    // An unsigned size may be above 2^31, unless it was a signed one.
    if (isSignedDivision(I) ||
        (I.isIntDivRem() && isa<SExtInst>(I.getOperand(1))))
      collectSizes(I.getOperand(1), Sizes);
  }
  bool Changed = false;
  for (Value *V : Sizes) {
    if (isAssumedPositive(V, AC))
      continue;
    auto *Load = dyn_cast<Instruction>(V);
    IRBuilder<> B(Load ? Load->getNextNode()
                       : &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Value *IsPositive =
        B.CreateICmpSGT(V, Constant::getNullValue(V->getType()));
    AC.registerAssumption(cast<AssumeInst>(B.CreateAssumption(IsPositive)));
    Changed = true;
  }
  return Changed;
}

} // namespace unravel
