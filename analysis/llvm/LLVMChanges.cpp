//===- LLVMChanges.cpp - What the next LLVM says otherwise ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/llvm/LLVMChanges.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/DomConditionCache.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;

#if LLVM_VERSION_MAJOR < 23

ConstantRange unravel::constantRangeOf(const Value *V, bool ForSigned,
                                       const DataLayout &, AssumptionCache *AC,
                                       const Instruction *At,
                                       const DominatorTree *DT) {
  return computeConstantRange(V, ForSigned, /*UseInstrInfo=*/true, AC, At, DT);
}

Constant *unravel::foldBinaryIntrinsic(Intrinsic::ID ID, Constant *A,
                                       Constant *B) {
  return ConstantFoldBinaryIntrinsic(ID, A, B, A->getType(), nullptr);
}

void unravel::registerCondition(DomConditionCache &Conditions,
                                BranchInst &Branch) {
  Conditions.registerBranch(&Branch);
}

StringRef unravel::nameOf(const SubtargetFeatureKV &Feature) {
  return Feature.Key;
}

bool unravel::getOverloads(Intrinsic::ID ID, FunctionType *Type,
                           SmallVectorImpl<llvm::Type *> &Overloads) {
  return Intrinsic::getIntrinsicSignature(ID, Type, Overloads);
}

#else

ConstantRange unravel::constantRangeOf(const Value *V, bool ForSigned,
                                       const DataLayout &Layout,
                                       AssumptionCache *AC,
                                       const Instruction *At,
                                       const DominatorTree *DT) {
  return computeConstantRange(V, ForSigned, SimplifyQuery(Layout, DT, AC, At));
}

Constant *unravel::foldBinaryIntrinsic(Intrinsic::ID ID, Constant *A,
                                       Constant *B) {
  return ConstantFoldIntrinsic(ID, {A, B}, A->getType());
}

void unravel::registerCondition(DomConditionCache &Conditions,
                                BranchInst &Branch) {
  Conditions.registerBranch(cast<CondBrInst>(&Branch));
}

StringRef unravel::nameOf(const SubtargetFeatureKV &Feature) {
  return Feature.key();
}

bool unravel::getOverloads(Intrinsic::ID ID, FunctionType *Type,
                           SmallVectorImpl<llvm::Type *> &Overloads) {
  return Intrinsic::isSignatureValid(ID, Type, Overloads);
}

#endif
