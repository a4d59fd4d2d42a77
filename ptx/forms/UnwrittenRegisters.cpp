//===- UnwrittenRegisters.cpp - Registers before a write ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/UnwrittenRegisters.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// What nothing is known of is the result of such a function, to LLVM.
static constexpr StringLiteral Prefix = "unravel.unwritten.";

/// Where paths leave fewer registers unwritten, all together, they have 0.
static constexpr unsigned LeastUnwritten = 12;

static FunctionCallee unwrittenValue(llvm::Module &M, llvm::Type *Ty) {
  LLVMContext &Context = M.getContext();
  AttrBuilder Attributes(Context);
  Attributes.addMemoryAttr(MemoryEffects::none())
      .addAttribute(Attribute::NoUnwind)
      .addAttribute(Attribute::WillReturn)
      .addAttribute(Attribute::Speculatable);
  return M.getOrInsertFunction(
      (Prefix + Twine(Ty->isIntegerTy() ? "i" : "f") +
       Twine(Ty->getPrimitiveSizeInBits()))
          .str(),
      AttributeList::get(Context, AttributeList::FunctionIndex, Attributes),
      Ty);
}

static bool isUnwritten(const Value *V) {
  // InstCombine has calls return what is made of the result, such as a float.
  auto *Call = dyn_cast<CallInst>(V);
  auto *Callee =
      Call ? dyn_cast<llvm::Function>(Call->getCalledOperand()) : nullptr;
  return Callee && Callee->getName().starts_with(Prefix);
}

void unravel::ptx::markUnwritten(llvm::Function &F) {
  for (llvm::Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Freeze = dyn_cast<FreezeInst>(&I);
    if (!Freeze || !isa<PoisonValue>(Freeze->getOperand(0)) ||
        !(I.getType()->isIntegerTy() || I.getType()->isFloatingPointTy()))
      continue;
    CallInst *Call =
        IRBuilder<>(&I).CreateCall(unwrittenValue(*F.getParent(), I.getType()));
    Call->addRetAttr(Attribute::NoUndef);
    I.replaceAllUsesWith(Call);
    I.eraseFromParent();
  }
}

/// Poison where nothing is written, and a freeze of the phi: its register has
/// some value, the same at each read.
static void leaveUnwritten(PHINode &Phi) {
  for (Use &In : Phi.incoming_values())
    if (isUnwritten(In))
      In.set(PoisonValue::get(Phi.getType()));
  auto *Freeze = new FreezeInst(&Phi, "", Phi.getParent()->getFirstNonPHIIt());
  Phi.replaceUsesWithIf(Freeze, [&](Use &U) { return U.getUser() != Freeze; });
}

void unravel::ptx::settleUnwritten(llvm::Function &F) {
  SmallVector<CallInst *, 4> Calls;
  for (llvm::Instruction &I : instructions(F))
    if (isUnwritten(&I))
      Calls.push_back(cast<CallInst>(&I));
  if (Calls.empty())
    return;
  SmallVector<PHINode *, 16> Phis;
  unsigned NumUnwritten = 0;
  for (BasicBlock &Block : F)
    for (PHINode &Phi : Block.phis())
      if (unsigned N = count_if(Phi.incoming_values(), [](const Use &In) {
            return isUnwritten(In);
          })) {
        NumUnwritten += N;
        Phis.push_back(&Phi);
      }
  if (NumUnwritten >= LeastUnwritten)
    for_each(Phis, [](PHINode *Phi) { leaveUnwritten(*Phi); });
  for (CallInst *Call : Calls) {
    Call->replaceAllUsesWith(llvm::Constant::getNullValue(Call->getType()));
    Call->eraseFromParent();
  }
}
