//===- PoisonFlags.cpp - Flags that make a result poison ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/PoisonFlags.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace unravel {

PoisonFlags PoisonFlags::of(const Instruction &I) {
  PoisonFlags Flags;
  if (isa<OverflowingBinaryOperator>(I) || isa<TruncInst>(I)) {
    Flags.NoUnsignedWrap = I.hasNoUnsignedWrap();
    Flags.NoSignedWrap = I.hasNoSignedWrap();
  }
  if (isa<PossiblyExactOperator>(I))
    Flags.Exact = I.isExact();
  if (auto *Or = dyn_cast<PossiblyDisjointInst>(&I))
    Flags.Disjoint = Or->isDisjoint();
  return Flags;
}

} // namespace unravel
