//===- UnwrittenValue.cpp - What an unwritten register has ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/UnwrittenValue.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static constexpr StringLiteral Prefix = "unravel.unwritten.i";

Value *unravel::ptx::unwritten(IRBuilderBase &B, llvm::Type *Ty) {
  llvm::Module &M = *B.GetInsertBlock()->getModule();
  AttrBuilder Attributes(B.getContext());
  Attributes.addMemoryAttr(MemoryEffects::none())
      .addAttribute(Attribute::NoUnwind)
      .addAttribute(Attribute::WillReturn)
      .addAttribute(Attribute::Speculatable);
  FunctionCallee Some = M.getOrInsertFunction(
      (Prefix + Twine(Ty->getPrimitiveSizeInBits())).str(),
      AttributeList::get(B.getContext(), AttributeList::FunctionIndex,
                         Attributes),
      Ty);
  CallInst *Call = B.CreateCall(Some);
  Call->addRetAttr(Attribute::NoUndef);
  return Call;
}

bool unravel::ptx::isUnwritten(const Value *V) {
  // InstCombine has calls return what is made of the result, such as a float.
  auto *Call = dyn_cast<CallInst>(V);
  auto *Callee =
      Call ? dyn_cast<llvm::Function>(Call->getCalledOperand()) : nullptr;
  return Callee && Callee->getName().starts_with(Prefix);
}
