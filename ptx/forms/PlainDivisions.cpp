//===- PlainDivisions.cpp - Divisions that need no guard in PTX -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/PlainDivisions.h"
#include "ptx/forms/PureText.h"
#include "transforms/reciprocal/OverflowGuard.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

void unravel::ptx::makePlainDivisions(llvm::Function &F) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Division = dyn_cast<BinaryOperator>(&I);
    if (!Division)
      continue;
    llvm::Type *Ty = Division->getType();
    unsigned Width = Ty->isIntegerTy() ? Ty->getIntegerBitWidth() : 0;
    Value *D =
        Width == 32 || Width == 64 ? withoutOverflowGuard(*Division) : nullptr;
    if (!D)
      continue;
    bool IsQuotient = Division->getOpcode() == BinaryOperator::SDiv;
    IRBuilder<> B(Division);
    if (isa<FreezeInst>(Division->getOperand(1)))
      D = B.CreateFreeze(D);
    Value *Plain =
        pureText(B, ((IsQuotient ? "div.s" : "rem.s") + Twine(Width)).str(), Ty,
                 {Division->getOperand(0), D});
    if (IsQuotient)
      multiplyByPlainDivisor(*Division, D);
    Division->replaceAllUsesWith(Plain);
    Dead.push_back(Division);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
