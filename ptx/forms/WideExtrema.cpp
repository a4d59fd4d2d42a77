//===- WideExtrema.cpp - Minima and maxima of words -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/WideExtrema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// \p V, of 8 or 16 bits, as a word.
static Value *extended(Value *V, bool IsSigned, IRBuilderBase &B,
                       const DataLayout &DL) {
  Value *Word;
  unsigned Lost = 32 - V->getType()->getIntegerBitWidth();
  if (match(V, m_Trunc(m_Value(Word))) && Word->getType()->isIntegerTy(32) &&
      (IsSigned ? ComputeNumSignBits(Word, DL) > Lost
                : computeKnownBits(Word, DL).countMinLeadingZeros() >= Lost))
    return Word;
  return B.CreateIntCast(V, B.getInt32Ty(), IsSigned);
}

void unravel::ptx::widenExtrema(llvm::Function &F) {
  const DataLayout &DL = F.getDataLayout();
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Extremum = dyn_cast<MinMaxIntrinsic>(&I);
    if (!Extremum ||
        (!I.getType()->isIntegerTy(8) && !I.getType()->isIntegerTy(16)))
      continue;
    bool IsSigned = Extremum->isSigned();
    IRBuilder<> B(Extremum);
    Value *Word =
        B.CreateBinaryIntrinsic(Extremum->getIntrinsicID(),
                                extended(Extremum->getLHS(), IsSigned, B, DL),
                                extended(Extremum->getRHS(), IsSigned, B, DL));
    for (User *U : make_early_inc_range(I.users())) {
      auto *Cast = dyn_cast<CastInst>(U);
      if (Cast && (IsSigned ? isa<SExtInst>(Cast) : isa<ZExtInst>(Cast))) {
        IRBuilder<> At(Cast);
        Cast->replaceAllUsesWith(
            At.CreateIntCast(Word, Cast->getType(), IsSigned));
        Dead.push_back(U);
      }
    }
    I.replaceAllUsesWith(B.CreateTrunc(Word, I.getType()));
    Dead.push_back(&I);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
