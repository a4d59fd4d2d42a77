//===- BuildMemory.cpp - Addresses, accesses and calls --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelBuilder.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace unravel {

Value *KernelBuilder::addressIndex() {
  if (R.chance(15))
    return B.getInt64(uint64_t(R.between(-300, 1700)));
  Type *Ty = R.chance(70)   ? B.getInt64Ty()
             : R.chance(85) ? B.getInt32Ty()
                            : type();
  return operand(Ty);
}

Value *KernelBuilder::pointerStep(Value *Pointer) {
  Type *I8 = B.getInt8Ty(), *I16 = B.getInt16Ty(), *I32 = B.getInt32Ty(),
       *I64 = B.getInt64Ty();
  Type *const Elements[] = {I32, I32, B.getFloatTy(), I8, I16, I64};
  SmallVector<Value *, 3> Indices{addressIndex()};
  Type *Ty;
  switch (R.below(9)) {
  case 0:
    Ty = ArrayType::get(I32, 4);
    Indices.push_back(addressIndex());
    break;
  case 1:
    Ty = ArrayType::get(ArrayType::get(I16, 5), 3);
    Indices.push_back(addressIndex());
    Indices.push_back(addressIndex());
    break;
  case 2:
    Ty = StructType::get(C, {I32, I8, I64, ArrayType::get(I8, 12)});
    Indices.push_back(B.getInt32(uint32_t(R.below(3))));
    break;
  default:
    Ty = R.pick(Elements);
    break;
  }
  return B.CreateGEP(Ty, Pointer, Indices, "p");
}

Value *KernelBuilder::address() {
  Value *Pointer = R.chance(75) ? Pointers[R.below(2)] : R.pick(Pointers);
  uint64_t More = R.chance(35) ? 1 + R.below(2) : 0;
  for (uint64_t K = 0; K <= More; ++K) {
    Pointer = pointerStep(Pointer);
    if (R.chance(25) && isa<Instruction>(Pointer))
      Pointers.push_back(Pointer);
  }
  return Pointer;
}

void KernelBuilder::store(Value *V) {
  B.CreateAlignedStore(V, address(), Align(1));
}

/// From memory that the kernel does not write, with or without a range.
Value *KernelBuilder::load() {
  Type *Ty = type();
  Value *Index = operand(B.getInt64Ty());
  Value *Pointer = B.CreateGEP(Ty, Readable, Index, "element");
  LoadInst *Load = B.CreateAlignedLoad(Ty, Pointer, Align(1), "loaded");
  if (R.chance(30)) {
    Metadata *Bounds[] = {
        ConstantAsMetadata::get(number(Ty, 0)),
        ConstantAsMetadata::get(number(Ty, uint64_t(64) << R.below(2)))};
    Load->setMetadata(LLVMContext::MD_range, MDNode::get(C, Bounds));
  }
  if (R.chance(40))
    Load->setMetadata(LLVMContext::MD_noundef, MDNode::get(C, {}));
  return Load;
}

/// A function that is only declared; the values that it is given are compared.
void KernelBuilder::callUnknown(Value *V, bool MayEndThread) {
  Type *Ty = V->getType();
  std::string Name =
      ((MayEndThread ? "may_end" : "observe") + Twine(Ty->getIntegerBitWidth()))
          .str();
  FunctionCallee Callee = M.getOrInsertFunction(
      Name, FunctionType::get(B.getVoidTy(), {Ty}, false));
  auto *Declaration = cast<Function>(Callee.getCallee());
  if (!MayEndThread) {
    Declaration->setDoesNotThrow();
    Declaration->setWillReturn();
  }
  // It does not see what the kernel stores.
  Declaration->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  B.CreateCall(Callee, {V});
}

void KernelBuilder::use() {
  uint64_t How = R.below(10);
  if (How < 6)
    return store(operand(type()));
  if (How < 7) {
    Value *If = condition(/*Depth=*/1);
    return store(B.CreateZExt(If, B.getInt32Ty(), "bool"));
  }
  Type *Ty = type();
  callUnknown(variable(Ty), /*MayEndThread=*/false);
}

} // namespace unravel
