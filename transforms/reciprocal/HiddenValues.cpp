//===- HiddenValues.cpp - Values that loop passes leave alone -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/reciprocal/HiddenValues.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace unravel {

Value *HiddenValues::hide(IRBuilderBase &B, Value *V) {
  return B.CreateUDiv(V,
                      B.CreateIntrinsic(Intrinsic::expect, {B.getInt32Ty()},
                                        {B.getInt32(1), B.getInt32(++Number)}));
}

bool HiddenValues::isHidden(const Instruction &I) {
  auto *One = I.getOpcode() == Instruction::UDiv
                  ? dyn_cast<IntrinsicInst>(I.getOperand(1))
                  : nullptr;
  return One && One->getIntrinsicID() == Intrinsic::expect;
}

} // namespace unravel
