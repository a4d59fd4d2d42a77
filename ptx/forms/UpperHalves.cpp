//===- UpperHalves.cpp - Comparisons that upper halves decide -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/UpperHalves.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Whether `x P c` is `upper(x) P upper(c)`. With x = 2^32*h + l, 0 <= l <
/// 2^32: x < 2^32*k is h < k, and x > 2^32*k + 2^32 - 1 is h > k, with signs
/// and without.
static bool isDecidedAbove(CmpInst::Predicate P, const APInt &C) {
  APInt Lower = C.trunc(32);
  return ICmpInst::isLT(P) ? Lower.isZero()
                           : ICmpInst::isGT(P) && Lower.isAllOnes();
}

void unravel::ptx::compareUpperHalves(llvm::Function &F) {
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    CmpPredicate Predicate;
    Value *X;
    const APInt *C;
    if (!match(&I, m_ICmp(Predicate, m_Value(X), m_APInt(C))) ||
        !X->getType()->isIntegerTy(64) || !isDecidedAbove(Predicate, *C))
      continue;
    IRBuilder<> B(&I);
    Value *Upper = B.CreateTrunc(B.CreateLShr(X, 32), B.getInt32Ty());
    I.replaceAllUsesWith(
        B.CreateICmp(Predicate, Upper, B.getInt(C->extractBits(32, 32))));
    I.eraseFromParent();
  }
}
