//===- ScatterKernel.cpp - Updates of elements, atomically ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/KernelCode.h"
#include "llvm/ADT/STLExtras.h"

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
    llvm_unreachable("planScatter() chooses no other atomic operation");
  }
}

namespace {
class ScatterEmitter {
public:
  ScatterEmitter(KernelCode &Code, const ScatterKernel &Scatter)
      : I(*Scatter.Scatter), Code(Code), B(Code.B), Elements(Code.Elements),
        Plan(Scatter.Plan) {}

  void emit();

private:
  ElementType typeOf(size_t K) const {
    return I.operand(K).shape().elementType();
  }
  Align alignmentOf(size_t K) const { return Align(byteWidth(typeOf(K))); }
  void store();
  void addAtomically(size_t K);
  void retry(size_t K);

  const HloInstruction &I;
  KernelCode &Code;
  IRBuilder<> &B;
  ElementEmitter &Elements;
  const ScatterPlan &Plan;
  /// Of all arrays: the address of the element, and the update.
  SmallVector<Value *, 2> Pointers, Updates;
  /// Of the function: the old elements, and the updates. Zeros stand for old
  /// elements that other threads may be changing: no other array depends on
  /// these.
  SmallVector<Value *, 4> Arguments;
};
} // namespace

/// Everything is loaded already.
void ScatterEmitter::store() {
  ElementValues New = Code.Emitter.apply(*I.callee(), Arguments);
  for (auto [K, Array] : enumerate(Plan.Arrays))
    if (Array.Method == ScatterMethod::Store)
      B.CreateAlignedStore(Elements.toMemory(B, typeOf(K), New[K]), Pointers[K],
                           alignmentOf(K));
}

void ScatterEmitter::addAtomically(size_t K) {
  const ScatterPlan::OfArray &Array = Plan.Arrays[K];
  B.CreateAtomicRMW(atomicOperation(Array.Operation, typeOf(K)), Pointers[K],
                    Elements.toMemory(B, typeOf(K), Updates[Array.Update]),
                    alignmentOf(K), AtomicOrdering::Monotonic);
}

void ScatterEmitter::retry(size_t K) {
  ElementType T = typeOf(K);
  Type *Stored = Elements.memoryType(T), *Bits = B.getIntNTy(8 * byteWidth(T));
  Value *First = B.CreateAlignedLoad(Bits, Pointers[K], alignmentOf(K));
  LLVMContext &C = B.getContext();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop = BasicBlock::Create(C, "retry", &Code.F);
  BasicBlock *Done = BasicBlock::Create(C, "updated", &Code.F);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Old = B.CreatePHI(Bits, 2);
  Old->addIncoming(First, Before);
  SmallVector<Value *, 4> Inside = Arguments;
  Inside[K] = Elements.fromMemory(B, T, B.CreateBitCast(Old, Stored));
  Value *New = Code.Emitter.apply(*I.callee(), Inside)[K];
  New = B.CreateBitCast(Elements.toMemory(B, T, New), Bits);
  Value *Exchange = B.CreateAtomicCmpXchg(Pointers[K], Old, New, alignmentOf(K),
                                          AtomicOrdering::Monotonic,
                                          AtomicOrdering::Monotonic);
  Old->addIncoming(B.CreateExtractValue(Exchange, 0), B.GetInsertBlock());
  B.CreateCondBr(B.CreateExtractValue(Exchange, 1), Done, Loop);
  B.SetInsertPoint(Done);
}

void ScatterEmitter::emit() {
  // The roots are the updates, then the starts.
  auto Roots = ArrayRef(Code.Kernel.Roots).take_front(Code.Written.size());
  ElementPlace Update(
      Code.Indices.fromOffset(B, Roots[0]->shape(), Code.enterThread()));
  auto [Place, IsInside] = Code.Emitter.scatterPlace(I, Update);
  Code.exitUnless(IsInside);
  ElementPlace Own(Update.Index);
  for (auto [K, Root] : enumerate(Roots)) {
    Updates.push_back(Code.Emitter.element(*Root, Own));
    Value *Offset = Code.Indices.toOffset(B, Code.shapeOfWritten(K), Place);
    Pointers.push_back(
        Elements.addressOf(B, typeOf(K), Code.Written[K], Offset));
  }
  auto Is = [](ScatterMethod Method) {
    return [=](const ScatterPlan::OfArray &A) { return A.Method == Method; };
  };
  for (auto [K, Array] : enumerate(Plan.Arrays)) {
    ElementType T = typeOf(K);
    bool IsAtomic =
        Is(ScatterMethod::Atomic)(Array) || Is(ScatterMethod::Loop)(Array);
    Arguments.push_back(
        IsAtomic ? Elements.zero(T)
                 : Elements.fromMemory(
                       B, T,
                       B.CreateAlignedLoad(Elements.memoryType(T), Pointers[K],
                                           alignmentOf(K))));
  }
  append_range(Arguments, Updates);
  if (any_of(Plan.Arrays, Is(ScatterMethod::Store)))
    store();
  for (auto [K, Array] : enumerate(Plan.Arrays))
    if (Array.Method == ScatterMethod::Atomic)
      addAtomically(K);
    else if (Array.Method == ScatterMethod::Loop)
      retry(K);
}

void emitBody(KernelCode &Code, const ScatterKernel &Scatter) {
  ScatterEmitter(Code, Scatter).emit();
}

} // namespace unravel
