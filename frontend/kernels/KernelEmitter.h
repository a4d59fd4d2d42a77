//===- KernelEmitter.h - HLO as GPU kernels ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry of a module as NVVM IR: a kernel for each fusion and for each
// contraction of the entry itself. Which kinds there are: ModuleEmitter.h.
//
// What is emitted is correct and naive. Every index is computed where it is
// needed, see IndexEmitter.h and, for the alternative, MapIndexEmitter.h.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_KERNELS_KERNELEMITTER_H
#define UNRAVEL_FRONTEND_KERNELS_KERNELEMITTER_H

#include "frontend/hlo/HloModule.h"
#include "frontend/indexing/ThreadMaps.h"
#include "frontend/plan/KernelBuffers.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include <array>

namespace unravel {

/// Where code for indices comes from: from each operation alone, or from the
/// composed maps of all of them (MapIndexEmitter.h).
enum class IndexSource { Naive, Maps };

struct KernelEmitterOptions {
  /// Threads of a block; at most 1024.
  unsigned BlockSize = 128;
  /// Neighbouring elements that a thread computes at most; a power of two.
  unsigned MaxVector = 4;
  IndexSource Indices = IndexSource::Naive;
};

struct EmittedKernel {
  std::string Name;
  std::array<uint32_t, 3> Grid = {1, 1, 1};
  uint32_t Block = 1;
  /// Threads that have something to do.
  uint64_t Threads = 0;
  /// For each parameter, which buffer it is.
  std::vector<unsigned> Arguments;
  /// The buffers among them that it writes.
  std::vector<unsigned> Written;
  /// Which elements of these a thread writes; null where only the values of the
  /// inputs say it.
  ThreadMapOf ThreadMap;
  /// Of the buffers that are written in another order.
  llvm::DenseMap<unsigned, ThreadMapOf> OtherThreadMaps;

  const ThreadMapOf &threadMapOf(unsigned Buffer) const {
    auto Other = OtherThreadMaps.find(Buffer);
    return Other != OtherThreadMaps.end() ? Other->second : ThreadMap;
  }
};

/// Kernels, to be launched one after the other.
struct EmittedModule {
  std::unique_ptr<llvm::Module> IR;
  /// Inputs in the order of the parameters, outputs in that of the root's
  /// tuple, temporaries. Tuples are taken apart, from left to right.
  std::vector<KernelBuffer> Buffers;
  std::vector<EmittedKernel> Kernels;

  /// What a program needs to know that launches them.
  llvm::json::Value manifest() const;
};

/// The kernels of \p Entry, a computation of the verified \p Module. The IR
/// verifies. Errors: what there is no code for, with its place.
llvm::Expected<EmittedModule> emitKernels(const HloModule &Module,
                                          const HloComputation &Entry,
                                          llvm::LLVMContext &Context,
                                          const KernelEmitterOptions &Options);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_KERNELS_KERNELEMITTER_H
