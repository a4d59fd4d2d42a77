//===- WideProducts.cpp - Products that are widened at once ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/WideProducts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// \p Cast with its product behind it; null if its operand is none.
static Value *widened(CastInst &Cast) {
  bool IsSigned = isa<SExtInst>(Cast);
  Value *Operand = Cast.getOperand(0), *X;
  const APInt *Shift, *Mask = nullptr;
  if (!Cast.getType()->isIntegerTy(64) ||
      !Operand->getType()->isIntegerTy(32) || !Operand->hasOneUse())
    return nullptr;
  bool IsMasked =
      !IsSigned &&
      match(Operand,
            m_And(m_OneUse(m_Shl(m_Value(X), m_APInt(Shift))), m_APInt(Mask)));
  bool IsExact = IsSigned
                     ? match(Operand, m_NSWShl(m_Value(X), m_APInt(Shift)))
                     : match(Operand, m_NUWShl(m_Value(X), m_APInt(Shift)));
  if ((!IsMasked && !IsExact) || Shift->uge(32))
    return nullptr;
  IRBuilder<> B(&Cast);
  // What the shift loses is not in the mask, moved back: as a number, this is
  // at most the mask.
  if (IsMasked)
    X = B.CreateAnd(X, B.getInt(Mask->lshr(*Shift)));
  Value *Wide = IsSigned ? B.CreateSExt(X, Cast.getType())
                         : B.CreateZExt(X, Cast.getType());
  return B.CreateShl(Wide, Shift->getZExtValue(), "", /*HasNUW=*/!IsSigned,
                     /*HasNSW=*/true);
}

void unravel::ptx::widenProducts(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F)))
    if (isa<ZExtInst, SExtInst>(I))
      if (Value *New = widened(cast<CastInst>(I))) {
        I.replaceAllUsesWith(New);
        Dead.push_back(&I);
      }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
