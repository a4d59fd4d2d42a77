//===- PackedHalves.cpp - Two halves in one instruction -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/PackedHalves.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

void unravel::ptx::packHalves(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Low, *High;
    auto LowHalf = m_ZExt(m_Value(Low));
    auto HighHalf = m_Shl(m_ZExt(m_Value(High)), m_SpecificInt(16));
    // No bit is in both, so a sum is the same.
    if (!I.getType()->isIntegerTy(32) ||
        !match(&I, m_CombineOr(m_c_Or(LowHalf, HighHalf),
                               m_c_Add(LowHalf, HighHalf))) ||
        !Low->getType()->isIntegerTy(16) || !High->getType()->isIntegerTy(16))
      continue;
    IRBuilder<> B(&I);
    Value *Halves = PoisonValue::get(FixedVectorType::get(B.getInt16Ty(), 2));
    Halves = B.CreateInsertElement(Halves, Low, uint64_t(0));
    Halves = B.CreateInsertElement(Halves, High, uint64_t(1));
    I.replaceAllUsesWith(B.CreateBitCast(Halves, I.getType()));
    Dead.push_back(&I);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
