//===- ScatterKernel.cpp - Updates of elements, atomically ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/ModuleEmitter.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

static AtomicRMWInst::BinOp atomicOperation(HloOpcode Opcode, ElementType T) {
  switch (Opcode) {
  case HloOpcode::Add:
    return isFloat(T) ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
  case HloOpcode::And:
    return AtomicRMWInst::And;
  case HloOpcode::Or:
    return AtomicRMWInst::Or;
  case HloOpcode::Xor:
    return AtomicRMWInst::Xor;
  case HloOpcode::Maximum:
    return isSigned(T) ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
  case HloOpcode::Minimum:
    return isSigned(T) ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
  default:
    llvm_unreachable("scatterMethod() calls no other atomic");
  }
}

static void applyUpdate(const ModuleEmitter &M, const HloInstruction &I,
                        KernelCode &Code, Value *Pointer, Value *Update) {
  IRBuilder<> &B = Code.B;
  ElementEmitter &Elements = Code.Elements;
  ElementType T = I.shape().elementType();
  const FlatComputation &Callee = M.callees().find(I.callee())->second;
  Align Alignment(byteWidth(T));
  Type *Stored = Elements.memoryType(T);
  auto Combined = [&](Value *Old) {
    return Elements.toMemory(
        B, T,
        Code.Emitter
            .apply(*I.callee(), {Elements.fromMemory(B, T, Old), Update})
            .front());
  };
  switch (scatterMethod(I, Callee)) {
  case ScatterMethod::Store: // nobody else writes there, or anybody may win
    B.CreateAlignedStore(
        Combined(B.CreateAlignedLoad(Stored, Pointer, Alignment)), Pointer,
        Alignment);
    return;
  case ScatterMethod::Atomic:
    B.CreateAtomicRMW(atomicOperation(Callee.Outputs[0]->opcode(), T), Pointer,
                      Elements.toMemory(B, T, Update), Alignment,
                      AtomicOrdering::Monotonic);
    return;
  case ScatterMethod::Loop:
    break;
  }
  Type *Bits = B.getIntNTy(8 * byteWidth(T));
  Value *First = B.CreateAlignedLoad(Bits, Pointer, Alignment);
  LLVMContext &C = B.getContext();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop = BasicBlock::Create(C, "retry", &Code.F);
  BasicBlock *Done = BasicBlock::Create(C, "updated", &Code.F);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Old = B.CreatePHI(Bits, 2);
  Old->addIncoming(First, Before);
  Value *New = B.CreateBitCast(Combined(B.CreateBitCast(Old, Stored)), Bits);
  Value *Exchange = B.CreateAtomicCmpXchg(Pointer, Old, New, Alignment,
                                          AtomicOrdering::Monotonic,
                                          AtomicOrdering::Monotonic);
  Old->addIncoming(B.CreateExtractValue(Exchange, 0), B.GetInsertBlock());
  B.CreateCondBr(B.CreateExtractValue(Exchange, 1), Done, Loop);
  B.SetInsertPoint(Done);
}

void emitScatterKernels(ModuleEmitter &M, const HloInstruction &I,
                        unsigned Buffer) {
  if (!M.isIn(Buffer, I.operand(0)))
    emitLoopKernel(M, {{&I.operand(0), Buffer}});
  const HloInstruction &Starts = I.operand(1), &Updates = I.operand(2);
  uint64_t Count = Updates.shape().elementCount();
  if (Count == 0)
    return;
  KernelFrame Frame;
  Frame.Name = (I.name() + "_update").str();
  // Twice: components of index vectors are at several indices.
  Frame.Roots = {&Updates, &Starts, &Starts};
  Frame.Places = {0, 1, 2};
  Frame.Written = {Buffer};
  Frame.BlockSize = M.options().BlockSize;
  Frame.Blocks = divideCeil(Count, uint64_t(Frame.BlockSize));
  Frame.Threads = Count;
  M.emitKernel(Frame, [&](KernelCode &Code) {
    Value *Thread = Code.threadInGrid();
    Code.exitUnless(Code.B.CreateICmpULT(Thread, Code.Indices.constant(Count)));
    ElementPlace Update;
    Update.Index = Code.Indices.fromOffset(Code.B, Updates.shape(), Thread);
    auto [Place, IsInside] = Code.Emitter.scatterPlace(I, Update);
    Code.exitUnless(IsInside);
    ElementPlace Own(Update.Index);
    Value *New = Code.Emitter.element(Updates, Own);
    Value *Address = Code.Elements.addressOf(
        Code.B, I.shape().elementType(), Code.Written[0],
        Code.Indices.toOffset(Code.B, M.shapeOf(Buffer), Place));
    applyUpdate(M, I, Code, Address, New);
  });
}

} // namespace unravel
