//===- KernelCode.h - A kernel whose body is emitted ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// KernelEmitter.cpp emits what all kernels have: parameters with their
// attributes, the number of the thread, the exit. The body of each kernel kind
// is emitted by a file of its own, from the plan and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_KERNELS_KERNELCODE_H
#define UNRAVEL_FRONTEND_KERNELS_KERNELCODE_H

#include "frontend/emit/FunctionEmitter.h"
#include "frontend/plan/KernelPlan.h"

namespace unravel {

struct KernelCode {
  const PlannedKernel &Kernel;
  llvm::ArrayRef<KernelBuffer> Buffers;
  llvm::Function &F;
  llvm::IRBuilder<> &B;
  FunctionEmitter &Emitter;
  ElementEmitter &Elements;
  IndexEmitter &Indices;
  /// The number of the block in the grid, the threads of a block, and the
  /// number of the thread in its block.
  llvm::Value *Block, *BlockSize, *Thread;
  /// The address of each written buffer.
  llvm::ArrayRef<llvm::Value *> Written;
  llvm::BasicBlock *Exit;

  /// block * (threads of a block) + thread. Below 2^31, or of 64 bits.
  llvm::Value *threadInGrid();
  /// Only threads for which \p Condition holds execute what follows.
  void exitUnless(llvm::Value *Condition);
  /// Only threads for which \p Condition holds execute \p Body; all continue.
  /// The rest are names of blocks.
  void onlyIf(llvm::Value *Condition, const char *Inside, const char *Behind,
              llvm::function_ref<void()> Body);
  /// threadInGrid(), of the threads that have work.
  llvm::Value *enterThread();
  /// The first element of the vector with number \p Thread.
  llvm::Value *firstOfVector(llvm::Value *Thread, int64_t Vector);
  /// From + Distance; inside an array, so it does not wrap.
  llvm::Value *plus(llvm::Value *From, int64_t Distance);

  /// Computes all outputs at \p Place and stores them there.
  void storeOutputs(ElementPlace &Place);
  llvm::GlobalVariable *sharedArray(ElementType Type, int64_t Count,
                                    const llvm::Twine &Name);
  void barrier();

  const HloShape &shapeOfWritten(size_t K) const {
    return Buffers[Kernel.Written[K]].Shape;
  }
  /// Stores an element of the written buffer number \p K.
  void store(size_t K, llvm::Value *Offset, llvm::Value *Element) {
    Elements.store(B, shapeOfWritten(K).elementType(), Written[K], Offset,
                   Element);
  }
};

/// The shape of an index that is no index of an array, so its type is any.
HloShape
indexShape(llvm::ArrayRef<int64_t> Sizes,
           std::optional<llvm::ArrayRef<int64_t>> MinorToMajor = std::nullopt);

/// Bodies end where all threads are that have not left.
void emitBody(KernelCode &Code, const LoopKernel &Loop);
void emitBody(KernelCode &Code, const UpdateSliceKernel &Slices);
void emitBody(KernelCode &Code, const ReductionKernel &Reduction);
void emitBody(KernelCode &Code, const TransposeKernel &Transpose);
void emitBody(KernelCode &Code, const ConcatenateKernel &Concatenate);
void emitBody(KernelCode &Code, const ScatterKernel &Scatter);
void emitBody(KernelCode &Code, const SortKernel &Sort);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_KERNELS_KERNELCODE_H
