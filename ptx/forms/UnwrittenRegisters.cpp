//===- UnwrittenRegisters.cpp - Registers before a write ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/UnwrittenRegisters.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// What nothing is known of is the result of such a function, to LLVM.
static constexpr StringLiteral Prefix = "unravel.unwritten.";

/// A path on which fewer registers are unwritten has 0 in them.
static constexpr unsigned FewRegisters = 5;

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

/// Poison on the edges that leave many registers, and a freeze of the phi: its
/// register has some value, the same at each read.
static void leaveUnwritten(PHINode &Phi,
                           function_ref<bool(const BasicBlock *)> LeavesMany) {
  auto *Poison = PoisonValue::get(Phi.getType());
  bool Changed = false;
  for (unsigned I = 0; I != Phi.getNumIncomingValues(); ++I)
    if (isUnwritten(Phi.getIncomingValue(I)) &&
        LeavesMany(Phi.getIncomingBlock(I))) {
      Phi.setIncomingValue(I, Poison);
      Changed = true;
    }
  if (!Changed)
    return;
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
  for (BasicBlock &Block : F) {
    DenseMap<const BasicBlock *, unsigned> NumUnwritten;
    for (PHINode &Phi : Block.phis())
      for (auto [In, From] : zip(Phi.incoming_values(), Phi.blocks()))
        NumUnwritten[From] += isUnwritten(In);
    for (PHINode &Phi : Block.phis())
      leaveUnwritten(Phi, [&](const BasicBlock *From) {
        return NumUnwritten.lookup(From) >= FewRegisters;
      });
  }
  for (CallInst *Call : Calls) {
    Call->replaceAllUsesWith(llvm::Constant::getNullValue(Call->getType()));
    Call->eraseFromParent();
  }
}
