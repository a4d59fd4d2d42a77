//===- SignExtensions.cpp - Extensions that later passes look through -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `zext nneg x` is x if x >= 0 and poison otherwise, `sext x` is x: the second
// is defined wherever the first is, and equal there.
//
//===----------------------------------------------------------------------===//

#include "transforms/launch/SignExtensions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace unravel {

/// Whether the 64-bit value only becomes part of addresses. Other users may
/// want to know that the upper half is zero: divisions, for example.
static bool isAddressArithmetic(const User *U) {
  if (isa<GetElementPtrInst>(U))
    return true;
  auto *I = dyn_cast<Instruction>(U);
  return I && (I->getOpcode() == Instruction::Add ||
               I->getOpcode() == Instruction::Sub ||
               I->getOpcode() == Instruction::Mul ||
               I->getOpcode() == Instruction::Shl);
}

bool useSignExtensions(ArrayRef<BasicBlock *> Blocks) {
  bool Changed = false;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : make_early_inc_range(*BB)) {
      auto *Extension = dyn_cast<ZExtInst>(&I);
      if (!Extension || !Extension->hasNonNeg() ||
          !Extension->getSrcTy()->isIntegerTy(32) ||
          !Extension->getDestTy()->isIntegerTy(64) ||
          !all_of(Extension->users(), isAddressArithmetic))
        continue;
      Value *New = IRBuilder<>(Extension).CreateSExt(Extension->getOperand(0),
                                                     Extension->getType());
      New->takeName(Extension);
      Extension->replaceAllUsesWith(New);
      Extension->eraseFromParent();
      Changed = true;
    }
  return Changed;
}

} // namespace unravel
