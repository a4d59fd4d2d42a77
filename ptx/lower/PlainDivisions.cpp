//===- PlainDivisions.cpp - Divisions that need no guard in PTX -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/PlainDivisions.h"
#include "transforms/reciprocal/OverflowGuard.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace unravel;

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
    std::string Text = (Twine(IsQuotient ? "div" : "rem") + ".s" +
                        Twine(Width) + " $0, $1, $2;")
                           .str();
    InlineAsm *Asm = InlineAsm::get(FunctionType::get(Ty, {Ty, Ty}, false),
                                    Text, Width == 32 ? "=r,r,r" : "=l,l,l",
                                    /*hasSideEffects=*/false);
    IRBuilder<> B(Division);
    if (isa<FreezeInst>(Division->getOperand(1)))
      D = B.CreateFreeze(D);
    CallInst *Call = B.CreateCall(Asm, {Division->getOperand(0), D});
    Call->setDoesNotAccessMemory();
    Call->setDoesNotThrow();
    if (IsQuotient)
      multiplyByPlainDivisor(*Division, D);
    Division->replaceAllUsesWith(Call);
    Dead.push_back(Division);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}
