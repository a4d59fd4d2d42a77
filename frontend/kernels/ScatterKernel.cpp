//===- ScatterKernel.cpp - Updates of elements, atomically ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/ModuleEmitter.h"
#include "frontend/plan/ScatterPlan.h"
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
    llvm_unreachable("planScatter() calls no other atomic");
  }
}

namespace {
/// Code that changes the elements of all arrays at one place.
class UpdateEmitter {
public:
  /// \p Pointers are their addresses.
  UpdateEmitter(const ModuleEmitter &M, const HloInstruction &I,
                KernelCode &Code, ArrayRef<Value *> Pointers,
                ArrayRef<Value *> Updates);

  void run();

private:
  ElementType typeOf(size_t K) const {
    return I.operand(K).shape().elementType();
  }
  Align alignmentOf(size_t K) const { return Align(byteWidth(typeOf(K))); }
  Value *load(size_t K);
  void store();
  void addAtomically(size_t K);
  void retry(size_t K);

  const HloInstruction &I;
  KernelCode &Code;
  IRBuilder<> &B;
  ElementEmitter &Elements;
  ScatterPlan Plan;
  ArrayRef<Value *> Pointers, Updates;
  /// Of the function: the old elements, but for those that others may be
  /// changing, on which no other array depends, and the updates.
  SmallVector<Value *, 4> Arguments;
};
} // namespace

UpdateEmitter::UpdateEmitter(const ModuleEmitter &M, const HloInstruction &I,
                             KernelCode &Code, ArrayRef<Value *> Pointers,
                             ArrayRef<Value *> Updates)
    : I(I), Code(Code), B(Code.B), Elements(Code.Elements),
      Plan(planScatter(I, M.callees().find(I.callee())->second)),
      Pointers(Pointers), Updates(Updates) {}

Value *UpdateEmitter::load(size_t K) {
  return Elements.fromMemory(B, typeOf(K),
                             B.CreateAlignedLoad(Elements.memoryType(typeOf(K)),
                                                 Pointers[K], alignmentOf(K)));
}

/// Everything is loaded already.
void UpdateEmitter::store() {
  ElementValues New = Code.Emitter.apply(*I.callee(), Arguments);
  for (auto [K, Array] : enumerate(Plan.Arrays))
    if (Array.Method == ScatterMethod::Store)
      B.CreateAlignedStore(Elements.toMemory(B, typeOf(K), New[K]), Pointers[K],
                           alignmentOf(K));
}

void UpdateEmitter::addAtomically(size_t K) {
  const ScatterPlan::OfArray &Array = Plan.Arrays[K];
  B.CreateAtomicRMW(atomicOperation(Array.Operation, typeOf(K)), Pointers[K],
                    Elements.toMemory(B, typeOf(K), Updates[Array.Update]),
                    alignmentOf(K), AtomicOrdering::Monotonic);
}

void UpdateEmitter::retry(size_t K) {
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

void UpdateEmitter::run() {
  auto Is = [](ScatterMethod Method) {
    return [=](const ScatterPlan::OfArray &A) { return A.Method == Method; };
  };
  for (auto [K, Array] : enumerate(Plan.Arrays)) {
    bool IsChangedByOthers =
        Is(ScatterMethod::Atomic)(Array) || Is(ScatterMethod::Loop)(Array);
    Arguments.push_back(IsChangedByOthers ? Elements.zero(typeOf(K)) : load(K));
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

void emitScatterKernels(ModuleEmitter &M, const HloInstruction &I,
                        ArrayRef<KernelOutput> Outputs) {
  size_t Arrays = Outputs.size();
  assert(I.operands().size() == 2 * Arrays + 1 && "not all of its arrays");
  KernelFrame Frame;
  std::vector<KernelOutput> Copied;
  for (auto [K, Output] : enumerate(Outputs)) {
    Frame.Written.push_back(Output.Buffer);
    if (!M.isIn(Output.Buffer, I.operand(K)))
      Copied.push_back({&I.operand(K), Output.Buffer});
  }
  if (!Copied.empty())
    emitLoopKernel(M, Copied);
  const HloInstruction &Starts = I.operand(Arrays);
  const HloShape &Updates = I.operand(Arrays + 1).shape();
  uint64_t Count = Updates.elementCount();
  if (Count == 0)
    return;
  Frame.Name = (I.name() + "_update").str();
  Frame.Roots.assign(I.operands().begin() + Arrays + 1, I.operands().end());
  Frame.Places.assign(Arrays, 0);
  // Twice: components of index vectors are at several indices.
  append_values(Frame.Roots, &Starts, &Starts);
  append_values(Frame.Places, 1, 2);
  Frame.BlockSize = M.options().BlockSize;
  Frame.Blocks = divideCeil(Count, uint64_t(Frame.BlockSize));
  Frame.Threads = Count;
  M.emitKernel(Frame, [&](KernelCode &Code) {
    Value *Thread = Code.threadInGrid();
    Code.exitUnless(Code.B.CreateICmpULT(Thread, Code.Indices.constant(Count)));
    ElementPlace Update;
    Update.Index = Code.Indices.fromOffset(Code.B, Updates, Thread);
    auto [Place, IsInside] = Code.Emitter.scatterPlace(I, Update);
    Code.exitUnless(IsInside);
    ElementPlace Own(Update.Index);
    SmallVector<Value *, 2> New, Pointers;
    for (size_t K = 0; K < Arrays; ++K) {
      New.push_back(Code.Emitter.element(I.operand(Arrays + 1 + K), Own));
      const HloShape &Into = M.shapeOf(Outputs[K].Buffer);
      Pointers.push_back(
          Code.Elements.addressOf(Code.B, Into.elementType(), Code.Written[K],
                                  Code.Indices.toOffset(Code.B, Into, Place)));
    }
    UpdateEmitter(M, I, Code, Pointers, New).run();
  });
}

} // namespace unravel
