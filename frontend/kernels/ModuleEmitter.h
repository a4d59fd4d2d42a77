//===- ModuleEmitter.h - What the kernels of a module share -----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module is kernels that are launched one after the other. ModuleEmitter
// knows the arrays that are in memory between them and frames each kernel: its
// parameters, their attributes, the launch. What is inside of the frame is the
// work of one file for each kind of kernel; those are declared below.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_KERNELS_MODULEEMITTER_H
#define UNRAVEL_FRONTEND_KERNELS_MODULEEMITTER_H

#include "frontend/emit/FunctionEmitter.h"
#include "frontend/indexing/ThreadMaps.h"
#include "frontend/kernels/KernelEmitter.h"
#include "frontend/plan/KernelPlan.h"
#include "frontend/plan/KernelSupport.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace unravel {

/// What has to be known of a kernel before its code is emitted.
struct KernelFrame {
  std::string Name;
  /// What is computed, see HloPartition.
  std::vector<const HloInstruction *> Roots;
  std::vector<unsigned> Places;
  /// What is not: the body says what its elements are, by
  /// FunctionEmitter::setElements().
  std::vector<const HloInstruction *> Given = {};
  /// Buffers that are written.
  std::vector<unsigned> Written;
  uint64_t Blocks = 1;
  unsigned BlockSize = 1;
  /// How many threads of them have something to do.
  uint64_t Threads = 1;
  /// What EmittedKernel says about them.
  ThreadMapOf ThreadMap = nullptr;
  llvm::DenseMap<unsigned, ThreadMapOf> OtherThreadMaps;
};

/// A kernel whose body is being emitted.
struct KernelCode {
  llvm::Function &F;
  llvm::IRBuilder<> &B;
  FunctionEmitter &Emitter;
  ElementEmitter &Elements;
  IndexEmitter &Indices;
  /// The number of the block in the grid, the threads of a block, and the
  /// number of the thread in it.
  llvm::Value *Block, *BlockSize, *Thread;
  /// For each of the buffers that are written, its address.
  llvm::ArrayRef<llvm::Value *> Written;
  llvm::BasicBlock *Exit;

  /// block * (threads of a block) + thread. Below 2^31, or of 64 bits.
  llvm::Value *threadInGrid();
  /// What follows is done by the threads for which \p Condition holds.
  void exitUnless(llvm::Value *Condition);
};

class ModuleEmitter {
public:
  ModuleEmitter(const FlatComputation &Flat, const KernelPlan &Plan,
                const FlatCallees &Callees, const KernelEmitterOptions &Options,
                EmittedModule &Result)
      : Flat(Flat), Plan(Plan), Callees(Callees), M(*Result.IR),
        C(M.getContext()), Options(Options), Elements(M), Result(Result) {}

  void run();

  /// A kernel with at least one block. \p Body ends where all threads are that
  /// have not left.
  void emitKernel(const KernelFrame &Frame,
                  llvm::function_ref<void(KernelCode &)> Body);
  /// What the kernel with this frame computes.
  HloPartition partition(const KernelFrame &Frame) const;
  /// Before the kernel starts: \p I is loaded, not computed.
  bool isInMemory(const HloInstruction &I) const {
    return Written.contains(&I);
  }

  const KernelEmitterOptions &options() const { return Options; }
  const FlatCallees &callees() const { return Callees; }
  /// See KernelPlan.h; up to what is loaded.
  const HloInstruction &sameMemory(const HloInstruction &I) const;
  /// Whether \p I is in memory already, and at the same places of \p Buffer.
  bool isIn(unsigned Buffer, const HloInstruction &I) const;
  const HloShape &shapeOf(unsigned Buffer) const {
    return Result.Buffers[Buffer].Shape;
  }

private:
  void emitOutputs(std::vector<KernelOutput> Outputs);
  bool needsWideIndex(const KernelFrame &Frame,
                      const HloPartition &Partition) const;
  llvm::Function *declareKernel(llvm::StringRef Name,
                                const EmittedKernel &Launch);
  llvm::Value *readRegister(llvm::IRBuilder<> &B, llvm::Intrinsic::ID Register,
                            uint32_t Low, uint64_t End, llvm::Type *Type);
  llvm::Value *emitBlockNumber(llvm::IRBuilder<> &B,
                               const EmittedKernel &Launch, llvm::Type *Type);

  const FlatComputation &Flat;
  const KernelPlan &Plan;
  const FlatCallees &Callees;
  llvm::Module &M;
  llvm::LLVMContext &C;
  const KernelEmitterOptions &Options;
  ElementEmitter Elements;
  EmittedModule &Result;
  /// Those that are before the current kernel starts.
  llvm::SmallPtrSet<const HloInstruction *, 16> Written;
};

//===----------------------------------------------------------------------===//
// Kinds of kernels
//===----------------------------------------------------------------------===//

/// Whether code for several neighbours may be emitted, which share what is
/// computed for their indices and are loaded and stored as a vector. That is
/// worth little beside a loop for each of them, and the code of all of them is
/// in the kernel. What is \p Given is there already.
bool isCheapToRepeat(const HloPartition &Partition,
                     llvm::ArrayRef<const HloInstruction *> Given = {});
/// A launch for arrays with equally many elements: its vectors suit all.
LaunchDimensions launchFor(llvm::ArrayRef<HloShape> Arrays,
                           LaunchLimits Limits);

/// Each element of the outputs, of which all have as many, is computed alone;
/// a thread has one or some neighbours of them.
void emitLoopKernel(ModuleEmitter &M, llvm::ArrayRef<KernelOutput> Outputs);

/// Outputs that are transposed on their way, through tiles in shared memory.
/// False, with nothing emitted, where that is not so or would not pay.
bool emitTransposeKernel(ModuleEmitter &M,
                         llvm::ArrayRef<KernelOutput> Outputs);

/// Several threads share each element of reductions. False, with nothing
/// emitted, if the outputs are no reductions, or a thread for each is better.
bool emitReductionKernel(ModuleEmitter &M,
                         llvm::ArrayRef<KernelOutput> Outputs);

/// For what is computed element by element from one concatenation: a thread has
/// the same index of every operand.
bool emitConcatenateKernel(ModuleEmitter &M,
                           llvm::ArrayRef<KernelOutput> Outputs);

/// Where all of the outputs are updates of what is in their buffers already: a
/// thread for each element of an update, and nothing for the others.
bool emitUpdateSliceKernel(ModuleEmitter &M,
                           llvm::ArrayRef<KernelOutput> Outputs);

/// Two kernels: a copy of what is scattered into, unless it is there already,
/// and a thread for each update. \p Outputs are all arrays of \p Scatter.
void emitScatterKernels(ModuleEmitter &M, const HloInstruction &Scatter,
                        llvm::ArrayRef<KernelOutput> Outputs);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_KERNELS_MODULEEMITTER_H
