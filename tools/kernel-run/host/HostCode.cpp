//===- HostCode.cpp - Writes calls of the run time into host IR -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/host/HostCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace unravel;

Constant *HostCode::pointer(uint64_t Address) {
  LLVMContext &C = Host.getContext();
  return ConstantExpr::getIntToPtr(
      ConstantInt::get(Type::getInt64Ty(C), Address), PointerType::get(C, 0));
}

Constant *HostCode::number(const Instruction &Source, uint64_t Align,
                           bool Writes) {
  Instructions.push_back({&Source, Align, Writes});
  return ConstantInt::get(Type::getInt32Ty(Host.getContext()),
                          Instructions.size() - 1);
}

CallInst *HostCode::callAddress(IRBuilder<> &B, uint64_t Address, Type *Result,
                                ArrayRef<Type *> Parameters,
                                ArrayRef<Value *> Arguments) {
  SmallVector<Value *, 6> Converted;
  for (auto [Argument, Parameter] : zip_equal(Arguments, Parameters))
    Converted.push_back(Argument->getType()->isPointerTy()
                            ? B.CreatePtrToInt(Argument, Parameter)
                            : B.CreateZExtOrTrunc(Argument, Parameter));
  return B.CreateCall(FunctionType::get(Result, Parameters, false),
                      pointer(Address), Converted);
}

void HostCode::checkAccess(IRBuilder<> &B, const Instruction &Source,
                           Value *Pointer, Value *Bytes, uint64_t Align,
                           bool Writes) {
  Constant *Number = number(Source, Align, Writes);
  Instructions.back().IsAccess = true;
  call(B, runtime::access, {Pointer, Bytes, Number});
}

void HostCode::checkAccess(IRBuilder<> &B, const Instruction &Source,
                           Value *Pointer, Type *Type, uint64_t Align,
                           bool Writes) {
  uint64_t Bytes = Host.getDataLayout().getTypeStoreSize(Type);
  checkAccess(B, Source, Pointer, B.getInt64(Bytes), Align, Writes);
}
